"""docs/reference/interface.md and settings.md describe the interface: their tables are what the code has."""

from __future__ import annotations

import pytest

from tests import interface


@pytest.fixture(scope="module")
def tables():
    return interface.tables()


@pytest.mark.parametrize(
    "heading", ["Endpoints", "Shapes", "Findings", "Problems", "Commands and options", "All settings"]
)
def test_every_table_has_what_the_code_has(tables, heading):
    """If not, `make interface` writes the tables."""
    section = interface.page(heading).read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert [line for line in section.splitlines() if line.startswith("| ")][1:] == tables[heading]
