"""The page's modules that need no page, tried by node's own test runner (tests/js/)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SUITES = sorted((ROOT / "tests" / "js").glob("*.test.js"))


@pytest.mark.parametrize("suite", SUITES, ids=lambda path: path.name.removesuffix(".test.js"))
def test_javascript(suite: Path) -> None:
    node = shutil.which("node") or shutil.which("node", path=str(ROOT / ".venv" / "bin"))
    if not node:
        pytest.skip("no node here: python3 dev.py test fetches one")
    done = subprocess.run(
        [node, "--test", suite], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "\n# pass 0\n" not in done.stdout, "a suite without a test"
