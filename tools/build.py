"""Builds dist/: the page, the Python runtime and the engine, as static files.

    python tools/build.py          (dev.py build makes the environment first)

dist/ holds, besides the pages and the service worker under their own names, two folders named by
their content: `app-…/` with the page's modules, styles, texts and boards, and `runtime-…/` with
Python. A page of one version therefore never meets a file of another. Each step keeps its result
in .cache/build under a name made from its input, and is skipped when that is there.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from build_guides import build_guides  # noqa: E402
from licences import licences  # noqa: E402

WEB = ROOT / "web"
ENGINE = ROOT / "pyengine"
DIST = ROOT / "dist"
CACHE = ROOT / ".cache" / "build"
TOOLS = ROOT / "tools"
PYODIDE = ROOT / "node_modules" / "pyodide"
# What stands at the top of the site under a name that never changes: pages, and what is referred
# to from elsewhere.
TOP_LEVEL = (
    "*.html",
    "*.webmanifest",
    "icons/*",
    "examples/*",
    "service-worker.js",
    "qirkat-board.js",
)
EPOCH = "315532800"  # 1980-01-01: dates inside the wheel
KEPT_RESULTS = 3


def main() -> None:
    started = time.monotonic()
    wheel = step("wheel", wheel_inputs(), build_wheel)
    boards = step("boards", guide_inputs(), build_boards)
    lessons = step("lessons", guide_inputs(), lambda out: build_guides(WEB / "guides", out, ask))
    runtime = step("runtime", runtime_inputs(wheel), lambda out: build_runtime(wheel, out))
    assemble(runtime, boards, lessons)
    print(f"dist/ is ready ({time.monotonic() - started:.1f} s)", flush=True)


# --- steps that are done only for new input ------------------------------------------------------


def step(name: str, inputs: Iterable[Path], make: Callable[[Path], None]) -> Path:
    """The folder with the step's result, made now if no run has made it from the same input."""
    result = CACHE / f"{name}-{hash_files(inputs)[:16]}"
    if not result.exists():
        print(f"Building {name}", flush=True)
        part = CACHE / f"{name}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        make(part)
        part.rename(result)
    os.utime(result)
    old = sorted(CACHE.glob(f"{name}-*"), key=lambda path: path.stat().st_mtime)
    for path in old[:-KEPT_RESULTS]:
        shutil.rmtree(path, ignore_errors=True)
    return result


def hash_files(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        name = path.relative_to(ROOT).as_posix()
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def files_in(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    )


def engine_files() -> list[Path]:
    return files_in(ENGINE)


def guide_inputs() -> list[Path]:
    return [*engine_files(), *files_in(WEB / "guides"), TOOLS / "build_guides.py"]


def wheel_inputs() -> list[Path]:
    return [*engine_files(), ROOT / "pyproject.toml", ROOT / "README.md", ROOT / "LICENSE"]


def runtime_inputs(wheel: Path) -> list[Path]:
    names = ("build_runtime.mjs", "pack_app.py", "web-wheels.txt")
    return [*files_in(wheel), *(TOOLS / name for name in names), PYODIDE / "package.json"]


def run(command: list[str | Path], **more: str) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, **more}, check=False)
    if done.returncode:
        sys.exit(f"build.py: {' '.join(words)} failed")


def build_wheel(out: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    options = ["--no-deps", "--no-build-isolation", "--no-cache-dir", "--wheel-dir", out]
    run([*pip, "wheel", *options, "."], SOURCE_DATE_EPOCH=EPOCH)


def ask(method: str, **params: object) -> dict:
    """The engine's answer, as the page would get it."""
    from pyengine.service import Service

    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    (answer,) = json.loads(Service().handle(json.dumps(request)))
    if "error" in answer:
        sys.exit(f"build.py: {method} {params}: {answer['error']}")
    return answer["result"]


def build_boards(out: Path) -> None:
    """What the first screen shows and the first move needs before Python runs in the browser."""
    rulesets = ask("rulesets")
    for info in rulesets:
        ruleset = info["ruleset"]
        state = ask("state", ruleset=ruleset)
        firsts = {
            move["text"]: ask("state", ruleset=ruleset, moves=[move["text"]])
            for move in state["legal"]
        }
        board = {"describe": ask("describe", ruleset=ruleset), "state": state, "firsts": firsts}
        write_json(out / f"{slug(ruleset)}.json", board)
    write_json(out / "index.json", rulesets)
    write_json(out / "living.json", living_boards(rulesets))


def living_boards(rulesets: list[dict]) -> dict[str, dict]:
    """All that the boards on the first screen need: each game's first board, and a few moves that it
    plays, a worked example of its guide, the longest there is from the start. A game that starts
    on an empty board names a `picture` to show instead while it rests."""
    found: dict[str, dict] = {}
    for info in rulesets:
        if info["game"] in found:
            continue
        path = WEB / "guides" / f"{info['game']}.examples.json"
        guide = json.loads(path.read_text("utf-8"))
        mine = [one for one in guide["examples"].values() if one["ruleset"] == info["ruleset"]]
        board = ask("describe", ruleset=info["ruleset"])
        best = max(mine, key=lambda one: (one["position"] == board["start"], len(one["moves"])))
        start, plies = played(best)
        found[info["game"]] = {"board": board, "pieces": start, "plies": plies}
        if "picture" in guide:
            _, found[info["game"]]["picture"] = played(guide["picture"])
    return found


def played(line: dict) -> tuple[dict, list[dict]]:
    """The pieces at the start of an example, and what is shown of each of its moves."""
    names = ("kind", "side", "path", "hops", "captures", "pieces")
    game = ask("game", **{name: line[name] for name in ("ruleset", "position", "moves")})
    return game["start"]["pieces"], [{name: ply[name] for name in names} for ply in game["plies"]]


def slug(ruleset: str) -> str:
    return re.sub(r"[^0-9A-Za-z]+", "-", ruleset)


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")), "utf-8")


def build_runtime(wheel: Path, out: Path) -> None:
    wheels = CACHE / "web-wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    options = ["--no-deps", "--only-binary=:all:", "--python-version=3.14", "--require-hashes"]
    run([*pip, "download", *options, "--dest", wheels, "--requirement", TOOLS / "web-wheels.txt"])
    pinned = re.search(r"^micropip==(\S+)", (TOOLS / "web-wheels.txt").read_text(), re.M)
    assert pinned
    (micropip,) = wheels.glob(f"micropip-{pinned[1]}-*.whl")
    (engine,) = wheel.glob("*.whl")
    run(["node", TOOLS / "build_runtime.mjs", engine, micropip, out])


# --- the site ------------------------------------------------------------------------------------


def assemble(runtime: Path, boards: Path, lessons: Path) -> None:
    """Lay all files out in a new folder and put it in dist/'s place in one step."""
    site = ROOT / ".cache" / "site"
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    runtime_name = f"runtime-{folder_hash(runtime)}"
    link_tree(runtime, site / runtime_name)

    app = site / "app"
    top = {path for pattern in TOP_LEVEL for path in WEB.glob(pattern)}
    for path in files_in(WEB):
        target = (site if path in top else app) / path.relative_to(WEB)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    link_tree(boards, app / "boards")
    link_tree(lessons, app / "guides")
    copy_vendor(app / "vendor")
    write_json(app / "licences.json", licences(runtime))
    facts = build_facts(runtime_name, runtime)
    (app / "build.js").write_text(f"export const BUILD = {json.dumps(facts)};\n", "utf-8")

    # The version counts every byte: the app's, the runtime's (by its name) and the pages'.
    version = folder_hash(site)
    facts["version"] = version
    (app / "build.js").write_text(f"export const BUILD = {json.dumps(facts)};\n", "utf-8")
    app_name = f"app-{version}"
    app.rename(site / app_name)
    for path in sorted(site.glob("*.*")):
        if path.suffix in (".html", ".js", ".webmanifest"):
            text = path.read_text("utf-8")
            if path.suffix == ".html":
                text = preload(text, site / app_name).replace('"runtime/', f'"{runtime_name}/')
            path.write_text(refer(text, site / app_name), "utf-8")
    publish_wheel(runtime, site)
    write_service_worker(site, version, runtime_name, app_name)
    replace(DIST, site)


def link_tree(source: Path, target: Path) -> None:
    """Copy a folder of the cache by hard links: its files never change."""
    shutil.copytree(source, target, copy_function=os.link, dirs_exist_ok=True)


def folder_hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in files_in(folder):
        name = path.relative_to(folder).as_posix()
        digest.update(f"{name}\0{file_hash(path)}\n".encode())
    return digest.hexdigest()[:12]


def file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wire_size(path: Path) -> int:
    """Bytes on the way from a host that gzips; compressed files stay as they are."""
    data = path.read_bytes()
    if path.suffix in (".bin", ".zip", ".whl", ".png"):
        return len(data)
    return len(gzip.compress(data, 6, mtime=0))


def build_facts(runtime_name: str, runtime: Path) -> dict[str, object]:
    lock = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))
    (wheel,) = runtime.glob("qirkat-*.whl")
    return {
        "version": "",
        "engine": wheel.name.split("-")[1],
        "pyodide": json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"],
        "runtime": f"../{runtime_name}/",
        "root": "../",
        "wheel": wheel.name,
        "files": {
            path.name: {"bytes": path.stat().st_size, "wire": wire_size(path)}
            for path in files_in(runtime)
        },
        "lock": {"info": lock["info"], "packages": {}},
    }


def copy_vendor(target: Path) -> None:
    """Libraries that the page imports as they are published."""
    package = ROOT / "node_modules" / "lean-qr"
    (target / "lean-qr").mkdir(parents=True)
    shutil.copyfile(package / "index.mjs", target / "lean-qr" / "index.mjs")


def refer(text: str, app: Path) -> str:
    """Point a top-level file's relative references into the app folder, where the file is there."""

    def moved(match: re.Match[str]) -> str:
        quote, address = match[1], match[2]
        path = address.removeprefix("./")
        exists = (app / path).is_file()
        return f"{quote}./{app.name}/{path}{quote}" if exists else match[0]

    return re.sub(r"""(["'])((?:\./)?[\w.][\w./-]*\.(?:js|css|json|svg|png))\1""", moved, text)


def preload(page: str, app: Path) -> str:
    """Name all modules that a page's scripts import, so that they come at once and not in turns.

    An `async` script is what takes longest to be of use: its modules come before all else.
    """
    found: dict[str, None] = {}
    for script in re.findall(r'<script type="module"[^>]*>', page):
        (name,) = re.findall(r'src="([^"]+)"', script)
        new = [module for module in imports(name, app) if module not in found]
        found |= dict.fromkeys(new)
        first = " async" in script
        haste = "" if first else ' fetchpriority="low"'
        links = "".join(f'<link rel="modulepreload"{haste} href="{module}">\n' for module in new)
        place = "<link " if first else '<script type="module"'
        page = page.replace(place, links + place, 1)
    return page


def imports(name: str, app: Path) -> list[str]:
    """A module's name, and those of all that it imports at once."""
    found = [name]
    for module in found:
        if not (app / module).is_file():
            continue
        text = (app / module).read_text("utf-8")
        for address in re.findall(r"""^(?:import|export)\b[^;'"]*['"](\.[^'"]+)['"]""", text, re.M):
            path = os.path.normpath(Path(module).parent / address)
            if path not in found:
                found.append(path)
    return found


def publish_wheel(runtime: Path, site: Path) -> None:
    """The engine's wheel at an address that other pages can know."""
    (wheel,) = runtime.glob("qirkat-*.whl")
    (site / "wheels").mkdir()
    shutil.copyfile(wheel, site / "wheels" / wheel.name)


def write_service_worker(site: Path, version: str, runtime: str, app: str) -> None:
    """Put the list of all files into the service worker, so that every change is a new worker.

    A file's tier says when it is kept: "core" before the version counts as there, "extra" in the
    background afterwards, "lazy" once a page has asked for it.
    """
    plain_way = ("python_stdlib.zip", "pyodide-lock.json", ".whl")
    extra = (
        f"{runtime}/snapshot.bin",
        f"{app}/guides/",
        f"{app}/tables/index.json",
        "icons/",
    )

    def tier(name: str) -> str:
        if name.startswith(extra):
            return "extra"
        if name.endswith(plain_way) or name.startswith((f"{app}/tables/", "examples/")):
            return "lazy"
        return "core"

    path = site / "service-worker.js"
    files = {
        name: {"hash": file_hash(file), "bytes": file.stat().st_size, "tier": tier(name)}
        for file in files_in(site)
        if (name := file.relative_to(site).as_posix()) != "service-worker.js"
    }
    text, found = re.subn(
        r'const MANIFEST = \{ version: "source", files: \{\} \};',
        lambda _: f"const MANIFEST = {json.dumps({'version': version, 'files': files})};",
        path.read_text("utf-8"),
    )
    if found != 1:
        sys.exit("build.py: service-worker.js has no place for its list of files")
    path.write_text(text, "utf-8")


def replace(target: Path, new: Path) -> None:
    old = target.with_name(".cache") / "old-dist"
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    new.rename(target)
    shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    main()
