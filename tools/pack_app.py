"""Runs inside Pyodide at build time: packs what the engine needs into one compiled zip.

Compiling the standard library's sources is two thirds of a plain start, so the zip holds .pyc
files made by this very Python, and only of the modules that the engine can come to import.
"""

import ast
import importlib
import importlib._bootstrap_external as bootstrap
import importlib.util
import io
import json
import sys
import zipfile
from pathlib import Path

ENGINE = "pyengine"
ROOM = "pyengine.service"  # all that the browser calls
STDLIB = f"/lib/python{sys.version_info.major}{sys.version_info.minor}.zip"
FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can hold: the same input, the same bytes

# Imported by the interpreter itself in moments that a build does not pass through: an unhandled
# error and its text, names of zip members, a file read by another encoding, closing down.
# fmt: off
RARE = [
    "traceback", "linecache", "tokenize", "token", "codeop", "textwrap", "contextlib",
    "warnings", "threading", "_weakrefset", "weakref", "copy", "copyreg", "encodings.cp437",
    "encodings.latin_1", "encodings.ascii", "encodings.utf_8", "encodings.utf_8_sig",
    "encodings.aliases", "encodings.idna", "stringprep", "importlib.resources",
    "importlib.resources.readers", "importlib.resources._common", "pkgutil", "zipimport",
    "json.decoder", "json.encoder", "random", "bisect", "hashlib", "asyncio",
]
# fmt: on

# Tried and done without by the modules that could use them: three ways of packing files.
OPTIONAL = ("bz2", "lzma", "compression")


def engine_modules(folder: Path) -> tuple[set[str], set[str]]:
    """The engine's modules reachable from ROOM, and all others they name in any import.

    Read from the sources and not from sys.modules, so imports inside functions count too.
    """
    own, foreign, waiting = set(), set(), [ENGINE, ROOM]
    while waiting:
        name = waiting.pop()
        if name in own:
            continue
        path = folder.joinpath(*name.split(".")[1:])
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not file.exists():
            continue  # `from pyengine.board import Point` names a thing, not a module
        own.add(name)
        parent = name.rpartition(".")[0]
        waiting += [parent] if parent else []
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            for found in imported(node):
                if found.split(".")[0] == ENGINE:
                    waiting.append(found)
                else:
                    foreign.add(found)
    return own, foreign


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.module, "the engine imports by full names"
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def library_modules(names: set[str]) -> set[str]:
    """Everything that is loaded once all of `names` are imported."""
    for name in sorted(names):
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # `from json import loads`: a name, not a module
    return set(sys.modules)


def compiled(source: bytes, name: str, *, optimise: int) -> bytes:
    code = compile(source, f"/{name}", "exec", dont_inherit=True, optimize=optimise)
    # "Unchecked hash": no date and no source is ever compared.
    return bytes(
        bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(source), checked=False)
    )


def pack(target: str) -> str:
    folder = Path(importlib.import_module(ENGINE).__file__).parent
    own, foreign = engine_modules(folder)
    before = set(sys.modules)
    importlib.import_module(ROOM).self_test()
    loaded = before | library_modules(foreign | set(RARE)) | own
    members: dict[str, bytes] = {}

    with zipfile.ZipFile(STDLIB) as library:
        for member in library.namelist():
            module = member.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if module.split(".")[0] in OPTIONAL:
                continue
            if member.endswith(".py") and module in loaded:
                # Docstrings of the library are never shown; asserts there are its own affair.
                members[member + "c"] = compiled(library.read(member), member, optimise=2)

    for file in sorted(folder.rglob("*")):
        name = f"{ENGINE}/{file.relative_to(folder).as_posix()}"
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if file.suffix == ".py" and module in own:
            members[name + "c"] = compiled(file.read_bytes(), name, optimise=0)
        elif file.is_file() and file.suffix not in (".py", ".pyc", ".typed"):
            members[name] = file.read_bytes()

    buffer = io.BytesIO()
    # Stored: packed as a whole it is smaller, and the browser unpacks it faster than Python would.
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            entry = zipfile.ZipInfo(name, FIXED_DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, members[name])
    Path(target).write_bytes(buffer.getvalue())
    return json.dumps({"members": len(members), "engine": len(own), "bytes": buffer.tell()})
