"""The release: a wheel made from the sdist holds all that is needed, and works where there is nothing else of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from api.open_data.tables import TABLES
from tests.test_readme import BLOCKS
from validator.rulesets import rulesets

ROOT = Path(__file__).parents[1]
PACKAGES = ("validator", "carddb", "api")

pytestmark = pytest.mark.slow


def run(*call, **more):
    ran = subprocess.run(call, capture_output=True, text=True, **more)
    assert ran.returncode == 0, f"{ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that is built from the sdist, as `python -m build` does."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    assert len(list(folder.glob("deckproof-*.tar.gz"))) == 1
    (found,) = folder.glob("deckproof-*.whl")
    return found


@pytest.fixture(scope="module")
def clean(wheel, tmp_path_factory):
    """An environment with the wheel; what it depends on is that of the tests, but nothing of theirs goes before it."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=False)
    python = folder / "bin/python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    own = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder


def in_it(clean, *call):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    data = {"DECKPROOF_DATA_DIR": str(clean / "data")}
    return run(clean / "bin" / call[0], *call[1:], cwd=clean, env=environment | data)


def test_the_wheel_has_all_data_and_says_that_it_is_typed(wheel):
    names = set(ZipFile(wheel).namelist())
    for package in PACKAGES:
        kept = (path for path in (ROOT / package).rglob("*") if path.is_file() and path.suffix != ".pyc")
        assert {path.relative_to(ROOT).as_posix() for path in kept} <= names
        assert f"{package}/py.typed" in names
    assert not any(name.startswith(("tests/", "examples/")) for name in names)


def test_it_judges_where_nothing_else_of_ours_is(clean):
    assert str(clean) in in_it(clean, "python", "-c", "import validator, carddb, api; print(api.__file__)")
    told = in_it(clean, "deckproof", "check", ROOT / "examples/optcg-red-zoro.txt", "--on", "2026-11-21", "--json")
    assert json.loads(told)["legal"]
    version = in_it(clean, "deckproof", "--version").split()[1].rstrip(",")
    assert version in str(next(clean.rglob("deckproof-*.dist-info")))


def test_the_library_works_in_the_lines_of_the_readme(clean):
    (example,) = [block for block in BLOCKS if block.startswith("from carddb.library import")]
    assert len(example.strip().splitlines()) <= 10
    assert in_it(clean, "python", "-c", example).startswith("False ")


def test_the_open_data_is_in_it(clean):
    in_it(clean, "deckproof", "data", "export", "open-data")
    assert {table.name for table in TABLES.values()} == {
        table["name"] for table in json.loads((clean / "open-data/index.json").read_text("utf-8"))["tables"]
    }
    rows = json.loads((clean / "open-data/rulesets.json").read_text("utf-8"))["rows"]
    assert {row["id"] for row in rows} == set(rulesets())
