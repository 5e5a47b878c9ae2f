"""Section columns: headings and cells of columns that count copies by section, and the copies in a row."""

import pytest

from validator.tables import section_counts
from validator.tables.section_counts import NO_COUNT


@pytest.mark.parametrize(
    ("cell", "copies"),
    [
        *((cell, 4) for cell in ("4", " 4 ", "x4", "4x", "*4", "(4)", "[4x]", "'4", "4 pcs", "4 cards", "4枚", "４")),
        *((cell, 4) for cell in ("4.0", "4,00", "4.", "四")),
        ("二十一", 21),
        *((cell, 0) for cell in ("0", "0x", "", " ", "-", "--", "–")),
        *((cell, None) for cell in ("four", "4.5", "-4", "4 4", "²", "٤", "4 Nami")),
        ("4".rjust(24), 4),
        ("4".rjust(25), None),
        ("1234567890", 1234567890),
        ("1234567890x", None),
    ],
)
def test_parse_the_copies_in_a_cell(cell, copies):
    assert section_counts.parse_copies(cell) == copies


@pytest.mark.parametrize(
    ("cell", "is_count"), [("4", True), ("0", True), ("-", False), ("–", False), ("", False), ("Nami", False)]
)
def test_a_dash_is_no_count(cell, is_count):
    assert section_counts.is_count(cell) is is_count


@pytest.mark.parametrize(
    ("title", "section"),
    [
        ("Main", "main"),
        ("Deck", "main"),
        ("Copies in the main deck", "main"),
        ("Main deck cards", "main"),
        ("メイン枚数", "main"),
        ("Riserva Q.tà", "side"),
        ("Mazzo principale Q.tà", "main"),
        ("Side Qty", "side"),
        ("Sideboard count", "side"),
        ("Leader", "leader"),
        ("Z", "z"),
        ("DON!!", "don"),
        ("Maybeboard", None),
        ("Event", None),
        ("Card", None),
        ("No Deck", None),
        ("Count", None),
        ("Nami", None),
        ("", None),
    ],
)
def test_the_section_that_a_heading_counts(title, section):
    assert section_counts.counted_section(title) == section


@pytest.mark.parametrize(
    ("cells", "holds_counts"),
    [
        (["4"], True),
        (["4", "-", ""], True),
        (["4", "Nami"], True),
        (["4", "Nami", "Usopp"], False),
        (["-", "-"], False),
        (["", ""], False),
        ([], False),
    ],
)
def test_half_of_the_filled_cells_are_counts(cells, holds_counts):
    assert section_counts.holds_counts(cells) is holds_counts


def find(table, free=None, plain=()):
    """Return the section of each counting column. `table` has the cells by heading, with a place for each word."""
    titles, cells = list(table), [[cell for cell in column.split() if cell] for column in table.values()]
    free = [at for at in range(len(titles)) if at not in plain] if free is None else free
    return section_counts.find_section_counts(titles, free, plain, cells.__getitem__)


@pytest.mark.parametrize(
    ("table", "plain", "found"),
    [
        ({"Main": "4 2", "Side": "1 0"}, (), {0: "main", 1: "side"}),
        ({"Main": "4 2", "Side": ""}, (), {0: "main", 1: "side"}),
        ({"Main": "4 2", "Side": "- -"}, (), {0: "main", 1: "side"}),
        ({"Main": "4 2", "Side": "Nami Usopp"}, (), {0: "main"}),
        ({"Nami": "4 2", "Side": "1 0"}, (), {}),  # flags
        ({"Nami": "4 2", "Side": "2 0"}, (), {1: "side"}),
        ({"Main": "1 0", "Side": "0 1"}, (), {0: "main", 1: "side"}),
        ({"Main": "1 0"}, (), {0: "main"}),
        ({"Qty": "4 2", "Main": "1 0"}, (0,), {}),
        ({"Qty": "4 2", "Side Qty": "1 0"}, (0,), {1: "side"}),
        ({"Qty": "4 2", "Side": "2 0"}, (0,), {1: "side"}),
        ({"Deck Qty": "4 2", "Side": "2 0"}, (0,), {0: "main", 1: "side"}),
        ({"Qty": "4 2", "Deck": "4 2"}, (0,), {}),
        ({"Qty": "4 2", "Main": "4 2"}, (0,), {1: "main"}),
        ({"Qty": "4 2", "Deck": "4 2", "Side": "1 1"}, (0,), {1: "main", 2: "side"}),
        ({"# Deck": "4 2", "Side": "2 0"}, (), {0: "main", 1: "side"}),
        ({"# Deck": "4 2"}, (), {}),
        ({"Main": "4 2", "": "Nami Usopp", "Side": "1 0"}, (), {}),
        ({"Main": "4 2", "": "1 1", "Side": "1 0"}, (), {0: "main", 2: "side"}),
    ],
)
def test_find_the_columns_that_count_by_section(table, plain, found):
    assert find(table, plain=plain) == found


@pytest.mark.parametrize(
    ("sections", "cells", "total", "copies"),
    [
        (["main", "side"], ["4", "1"], None, [("main", 4), ("side", 1)]),
        (["main", "side"], ["4", ""], None, [("main", 4)]),
        (["main", "main"], ["2", "1"], None, [("main", 3)]),
        (["main", "side"], ["0", ""], None, []),
        (["main", "side"], ["4", "1"], "", [("main", 4), ("side", 1)]),
        (["main", "side"], ["4", "1"], "5", [("main", 4), ("side", 1)]),
        (["main", "side"], ["", ""], "4", [(None, 4)]),
        (["side"], ["5"], "4", [("main", 4), ("side", 5)]),
        (["side"], ["0"], "4", [(None, 4)]),
        (["side"], [""], "4", [(None, 4)]),
        (["side"], ["0"], "0", []),
    ],
)
def test_the_copies_of_a_row_by_section(sections, cells, total, copies):
    assert section_counts.read_copies(dict(enumerate(sections)), cells.__getitem__, total) == copies


@pytest.mark.parametrize(
    ("sections", "cells", "total"),
    [
        (["main", "side"], ["Nami", "1"], None),
        (["main", "side"], ["4", "1"], "Nami"),
        (["main", "side"], ["4", "1"], "4"),
        (["main", "side"], ["4", "1"], "6"),
        (["main", "side"], ["0", ""], "4"),
        (["main", "side"], ["-", ""], "4"),
        (["side"], ["1"], "4"),
        (["side"], ["4"], "4"),
        (["main", "side"], ["", ""], None),
        (["main", "side"], ["-", "-"], None),
    ],
)
def test_unclear_copies_are_a_reason(sections, cells, total):
    found = section_counts.read_copies(dict(enumerate(sections)), cells.__getitem__, total)
    assert isinstance(found, str)
    assert (found == NO_COUNT) is (not any(map(str.isalnum, "".join(cells))) and total is None)


@pytest.mark.parametrize(
    ("counted", "named", "section", "contradicts"),
    [
        (None, None, None, False),
        (None, "main", "main", False),
        (None, "side", "side", False),
        ("main", None, "main", False),
        ("main", "main", "main", False),
        ("main", "side", "side", True),
        ("main", "leader", "leader", False),
        ("side", None, "side", False),
        ("side", "main", "side", False),
        ("side", "side", "side", False),
        ("z", "main", "z", False),
        ("z", "side", "z", True),
    ],
)
def test_the_section_of_the_column_and_of_the_row(counted, named, section, contradicts):
    assert section_counts.choose_section(counted, named) == section
    assert section_counts.contradicts(counted, named) is contradicts
