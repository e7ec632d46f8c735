"""What dist/ ships that others made: name, version and licence, read from the packages themselves."""

from __future__ import annotations

import json
import os
import re
import subprocess
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "node_modules"
LONGEST_LICENCE = 400  # characters of a License field that is a name and not the whole text

#: Names that are written out in metadata of older generations.
SHORT_NAMES = {"Mozilla Public License Version 2.0": "MPL-2.0"}

Entry = dict[str, str | None]


def licences(runtime: Path) -> dict[str, object]:
    """All shipped packages for the About screen; `runtime` is the folder with Python's files.

    `{"source": address of Qirkat's own source or "", "packages": [{name, version, licence, what,
    source, text}]}`; `what` is the key of a sentence that says what the package is there for.
    """
    wheels = {path.name.split("-")[0]: path for path in runtime.glob("*.whl")}
    own = of_wheel(wheels["qirkat"], "qirkat")
    own["name"] = "Qirkat"
    lock = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))
    python: Entry = {
        "name": "Python",
        "version": lock["info"]["python"],
        # The standard library comes inside Pyodide, without metadata of its own.
        "licence": "PSF-2.0",
        "what": "python",
        "source": "https://github.com/python/cpython",
        "text": None,
    }
    packages = [
        own,
        of_module("pyodide", "pyodide"),
        python,
        of_wheel(wheels["micropip"], "micropip"),
        of_module("lean-qr", "qr"),
    ]
    return {"source": own_source(), "packages": packages}


def own_source() -> str:
    """Where this copy's source is, where a build can know: the repository that publishes it, or
    the one that this checkout came from. A copy without either says in About what it holds itself.
    """
    repository = os.environ.get("GITHUB_REPOSITORY")
    if repository:
        return f"{os.environ.get('GITHUB_SERVER_URL', '')}/{repository}"
    asked = ["git", "-C", str(ROOT), "config", "--get", "remote.origin.url"]
    try:
        remote = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
    return public_address(remote.strip())


def public_address(remote: str) -> str:
    """The web page of a git remote, "" for one that only its owner can reach.

    >>> public_address("git@github.com:someone/qirkat.git")
    'https://github.com/someone/qirkat'
    >>> public_address("https://name:secret@github.com/someone/qirkat.git")
    'https://github.com/someone/qirkat'
    >>> public_address("/srv/git/qirkat.git"), public_address("https://localhost/qirkat")
    ('', '')
    """
    form = r"(?:https://(?:[^/@]*@)?|(?:ssh://)?git@)([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})[:/]([\w./~-]+?)(?:\.git)?/?"
    found = re.fullmatch(form, remote)
    return f"https://{found[1]}/{found[2]}" if found else ""


def of_module(name: str, what: str) -> Entry:
    """A package of npm."""
    folder = MODULES / name
    package = json.loads((folder / "package.json").read_text("utf-8"))
    texts = sorted(folder.glob("LICEN[CS]E*"))
    return {
        "name": name,
        "version": package["version"],
        "licence": package["license"],
        "what": what,
        "source": address(package.get("repository")) or package.get("homepage", ""),
        "text": texts[0].read_text("utf-8") if texts else None,
    }


def of_wheel(wheel: Path, what: str) -> Entry:
    """A Python package, from the metadata inside its wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        fields = Parser().parsestr(archive.read(metadata).decode("utf-8"))
        texts = sorted(name for name in names if re.search(r"\.dist-info/.*LICEN[CS]E", name))
        text = archive.read(texts[0]).decode("utf-8") if texts else None
    urls = dict(str(one).split(", ", 1) for one in fields.get_all("Project-URL", []))
    return {
        "name": str(fields["Name"]),
        "version": str(fields["Version"]),
        "licence": licence_name(fields),
        "what": what,
        "source": urls.get("Source") or urls.get("Homepage") or "",
        "text": text,
    }


def licence_name(fields: Message) -> str:
    """The licence's name, from whichever field this generation of metadata has it in."""
    expression = fields["License-Expression"]
    if expression:
        return str(expression)
    return SHORT_NAMES.get(stated(fields), stated(fields))


def stated(fields: Message) -> str:
    first, *_ = (fields["License"] or "").strip().splitlines() or [""]
    if first and len(first) < LONGEST_LICENCE:
        return first.strip()
    classifiers = [str(one) for one in fields.get_all("Classifier", [])]
    named = [one.split(" :: ")[-1] for one in classifiers if one.startswith("License ::")]
    return ", ".join(named) or "?"


def address(repository: object) -> str:
    """A page for people from npm's `repository` field."""
    url = repository.get("url", "") if isinstance(repository, dict) else repository or ""
    return re.sub(r"^git\+|\.git$", "", str(url))
