"""The check of the installed packages: a foreign one is reported with its distribution and the repair."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from deckproof.installation import PACKAGES, find_problem

pytestmark = pytest.mark.slow  # each test starts Python


@pytest.fixture(params=PACKAGES)
def foreign(request, tmp_path):
    """A folder with a package of the same name, and the metadata of its distribution, as pip installs both."""
    package = tmp_path / request.param
    package.mkdir()
    (package / "__init__.py").write_text('"""Another package."""\n', "utf-8")
    info = tmp_path / "foreign_package-0.7.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-package\nVersion: 0.7.1\n", "utf-8")
    (info / "RECORD").write_text(f"{request.param}/__init__.py,,\n", "utf-8")
    return package


def run(folder, *call):
    """Run Python with a folder before all others."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, *call], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_packages_here_are_ours():
    assert find_problem() == ""


@pytest.mark.parametrize("code", ["import deckproof", "from deckproof import Judge"])
def test_an_import_raises_an_error_with_the_distribution_and_the_repair(foreign, code):
    ran = run(foreign.parent, "-c", code)
    assert ran.returncode == 1
    error = ran.stderr.splitlines()[-1]
    assert error.startswith("ImportError: ")
    assert f"'{foreign.name}'" in error
    assert "pip uninstall foreign-package && pip install --force-reinstall deckproof" in error


def test_the_command_prints_the_error_without_a_traceback(foreign):
    ran = run(foreign.parent, "-m", "deckproof", "check", "deck.txt")
    assert ran.returncode == 2
    assert ran.stderr.startswith("deckproof: ")
    assert "foreign-package" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_folder_of_that_name_is_named(foreign):
    for file in (foreign.parent / "foreign_package-0.7.1.dist-info").iterdir():
        file.unlink()
    ran = run(foreign.parent, "-m", "deckproof", "--version")
    assert ran.returncode == 2
    assert str(foreign / "__init__.py") in ran.stderr


def test_python_runs_the_command(tmp_path):
    assert run(tmp_path, "-m", "deckproof", "--version").stdout.startswith("deckproof ")
