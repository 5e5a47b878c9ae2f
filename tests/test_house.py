"""The packages as a whole: the version is in one place, and their size is printed."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("validator", "carddb", "api", "deckproof")
SOURCES = [path.relative_to(ROOT) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_the_version_stands_in_one_place():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert [path for path in SOURCES if f'"{version}"' in (ROOT / path).read_text("utf-8")] == []


def test_how_large_the_house_is_is_told(capsys):
    """The number of lines has no limit. A run prints it for developers who add code."""
    lines = {
        package: sum((ROOT / path).read_text("utf-8").count("\n") for path in SOURCES if path.parts[0] == package)
        for package in PACKAGES
    }
    with capsys.disabled():
        print(f"\n{sum(lines.values()):,} lines of source: {lines}")
    assert all(lines.values())
