"""The house: each class, module and folder is one thing, and the version stands in one place."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("validator", "carddb", "api")
SOURCES = [path.relative_to(ROOT) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
FACES = ("api/cli", "api/web/v1")  # a module of these shows the noun of its name
MOST_MODULES = 17
FULL = {  # and why
    "api/cli": "a module for each command",
    "api/web/v1": "a module for each noun of the interface",
    "validator/decklists": "a module for each step of reading a list",
    "validator": "a module for each noun of judging: what decides stands before its rooms",
}


def twice(named: list[tuple[str, Path]]) -> dict[str, list[str]]:
    """Return what more than one thing is called, with where those are."""
    places = defaultdict(list)
    for name, path in named:
        places[name].append(path.as_posix())
    return {name: found for name, found in places.items() if len(found) > 1}


def modules(folder: str) -> list[Path]:
    return [path for path in SOURCES if path.parent.as_posix() == folder and path.stem != "__init__"]


IMPLEMENTED = {"Catalogue": ["validator/cards.py", "carddb/catalogue.py"]}  # what a judge asks, and what answers


def test_no_two_classes_have_one_name():
    declared = re.compile(r"^ *class (?!Meta\b)(\w+)[(:]", re.MULTILINE)  # Meta is marshmallow's word
    classes = [(name, path) for path in SOURCES for name in declared.findall((ROOT / path).read_text("utf-8"))]
    assert twice(classes) == IMPLEMENTED
    assert len(classes) > 100


def test_no_two_modules_have_one_name():
    """But for the exceptions of each package, and for a noun that the command and the interface show."""
    own = [path for path in SOURCES if path.parent.as_posix() not in FACES]
    assert twice([(path.stem, path) for path in own if path.stem not in ("__init__", "__main__", "errors")]) == {}
    assert [path.as_posix() for path in own if path.stem == "errors"] == [
        "validator/errors.py", "carddb/errors.py", "api/service/errors.py"
    ]  # fmt: skip


@pytest.mark.parametrize("folder", sorted({path.parent.as_posix() for path in SOURCES}))
def test_a_folder_is_not_too_full_to_be_read_at_a_glance(folder):
    assert (len(modules(folder)) > MOST_MODULES) == (folder in FULL)


def test_the_version_stands_in_one_place():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert [path for path in SOURCES if f'"{version}"' in (ROOT / path).read_text("utf-8")] == []


def test_how_large_the_house_is_is_told(capsys):
    """No bound: what is told is for whoever makes it larger."""
    lines = {
        package: sum((ROOT / path).read_text("utf-8").count("\n") for path in SOURCES if path.parts[0] == package)
        for package in PACKAGES
    }
    with capsys.disabled():
        print(f"\n{sum(lines.values()):,} lines of source: {lines}")
    assert all(lines.values())
