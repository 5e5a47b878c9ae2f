"""docs/interface.md says what the interface is: its tables are what the code has."""

from __future__ import annotations

import pytest

from tests import interface


@pytest.fixture(scope="module")
def tables():
    return interface.tables()


@pytest.mark.parametrize("heading", ["Endpoints", "Shapes", "Findings", "Problems", "Commands"])
def test_what_there_is_is_tabled(tables, heading):
    """Where it is not, `make interface` writes the tables anew."""
    section = interface.PAGE.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert [line for line in section.splitlines() if line.startswith("| ")][1:] == tables[heading]
