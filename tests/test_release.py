"""The release: a wheel made from the sdist holds all that is needed, and works where there is nothing else of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest

from api.open_data.tables import TABLE_NAMES
from tests.test_readme import BLOCKS
from validator.rulesets import rulesets

ROOT = Path(__file__).parents[1]
PACKAGES = ("validator", "carddb", "api", "deckproof")

pytestmark = pytest.mark.slow


def run(*call, **more):
    ran = subprocess.run(call, capture_output=True, text=True, **more)
    assert ran.returncode == 0, f"{ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """The folder with the sdist and the wheel that is built from it, as `python -m build` makes both."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(dist):
    (found,) = dist.glob("deckproof-*.whl")
    return found


@pytest.fixture(scope="module")
def unpacked(dist, tmp_path_factory):
    """The folder of the unpacked sdist."""
    (sdist,) = dist.glob("deckproof-*.tar.gz")
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (found,) = folder.iterdir()
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


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout of git")
def test_the_sdist_has_every_file_of_the_checkout(unpacked):
    tracked = {file for file in run("git", "ls-files", cwd=ROOT).splitlines() if (ROOT / file).is_file()}
    kept = {file.relative_to(unpacked).as_posix() for file in unpacked.rglob("*") if file.is_file()}
    assert tracked - kept == {".gitignore"}


def test_the_sdist_has_what_the_commands_of_the_readme_need(unpacked, clean):
    told = in_it(clean, "deckproof", "check", unpacked / "examples/optcg-red-zoro.txt", "--on", "2026-11-21", "--json")
    assert json.loads(told)["legal"]
    # The other tests of the installation check no files: they run in the checkout, whose files the sdist has.
    few = [
        "tests/test_readme.py",
        "tests/validator/test_numbers.py",
        "tests/test_installation.py::test_the_packages_here_are_ours",
        "tests/test_installation.py::test_python_runs_the_command",
    ]
    run(sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *few, cwd=unpacked)


def test_the_metadata_describe_the_project(wheel):
    (name,) = [name for name in ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA")]
    metadata = message_from_string(ZipFile(wheel).read(name).decode())
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Author"]
    assert metadata["Keywords"]
    assert metadata["Summary"]
    assert {"Typing :: Typed", "Topic :: Games/Entertainment"} <= set(metadata.get_all("Classifier"))
    assert {"mcp", "postgres", "fonts", "rejudge", "dask"} <= set(metadata.get_all("Provides-Extra"))


def test_it_judges_where_nothing_else_of_ours_is(clean):
    assert str(clean) in in_it(clean, "python", "-c", "import deckproof, validator, carddb, api; print(api.__file__)")
    told = in_it(clean, "deckproof", "check", ROOT / "examples/optcg-red-zoro.txt", "--on", "2026-11-21", "--json")
    assert json.loads(told)["legal"]
    version = in_it(clean, "deckproof", "--version").split()[1].rstrip(",")
    assert version in str(next(clean.rglob("deckproof-*.dist-info")))


def test_the_library_works_in_the_lines_of_the_readme(clean):
    (example,) = [block for block in BLOCKS if "from deckproof import" in block]
    assert len(example.strip().splitlines()) <= 10
    assert in_it(clean, "python", "-c", example).startswith("False ")


def test_the_open_data_is_in_it(clean):
    in_it(clean, "deckproof", "data", "export", "open-data")
    assert set(TABLE_NAMES) == {
        table["name"] for table in json.loads((clean / "open-data/index.json").read_text("utf-8"))["tables"]
    }
    rows = json.loads((clean / "open-data/rulesets.json").read_text("utf-8"))["rows"]
    assert {row["id"] for row in rows} == set(rulesets())
