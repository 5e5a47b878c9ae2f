"""CHANGELOG.md has the form of Keep a Changelog, and its newest version is that of the project."""

from __future__ import annotations

import re
import tomllib
from datetime import date

import pytest

from tests.docs.guides import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text("utf-8")
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
VERSIONS = re.findall(r"^## \[(.*?)\](?: - (\S+))?\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
ENTRIES = [" ".join(entry.split()) for entry in re.findall(r"^- (.*?)(?=^- |^#|\Z)", TEXT, re.DOTALL | re.MULTILINE)]


def test_versions_descend_from_the_unreleased_to_the_first():
    names = [name for name, _, _ in VERSIONS]
    assert names[0] == "Unreleased"
    assert names[1] == tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    numbers = [tuple(map(int, name.split("."))) for name in names[1:]]
    assert numbers == sorted(numbers, reverse=True)
    days = [date.fromisoformat(day) for _, day, _ in VERSIONS[1:]]
    assert days == sorted(days, reverse=True)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version[0])
def test_a_version_has_only_the_kinds_of_changes_in_their_order(version):
    headings = re.findall(r"^### (.*)$", version[2], re.MULTILINE)
    assert headings == [kind for kind in KINDS if kind in headings]
    assert not re.search(r"^#{4,}", version[2], re.MULTILINE)


def test_every_entry_names_what_changed():
    assert len(ENTRIES) > 100
    named = re.compile(r"`|\bpages?\b|README|documentation site|The judge, the card database")
    assert [entry for entry in ENTRIES if not named.search(entry)] == []
    assert [entry for entry in ENTRIES if entry[-1] not in ".)"] == []
