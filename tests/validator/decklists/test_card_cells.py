"""Cells of a card: the number and the name in a table's row, in any spelling, and never one of two cards."""

import pytest

from carddb import facts
from validator.decklists import parse
from validator.decklists.card_cells import CardCells, CellDoubt, WrittenCard, parse_card_cells
from validator.decklists.headlines import row_heading
from validator.decklists.source import Source

SOURCE = Source("", facts.catalogue("optcg"))
CELLS = CardCells(SOURCE)
NUMBER, NAME = "OP01-016", "Nami"


@pytest.mark.parametrize(
    "cell",
    [
        *(NUMBER, "op01-016", "[OP01-016]", "(OP01-016)", "#OP01-016", "OP01-016*", "OP01‐016", "OP01-016#77"),
        *("OP01-016 Nami", "Nami (OP01-016)", "(OP01-016) Nami", "Nami - OP01-016"),
    ],
)
@pytest.mark.parametrize("name", ["", NAME, "NAMI", "'=Nami"])
def test_a_number_is_found_in_any_spelling_with_or_without_a_name(cell, name):
    number, _ = parse_card_cells(cell, name, SOURCE)
    assert SOURCE.card(number).number == NUMBER


@pytest.mark.parametrize("cell", ["", "-", "P", "Promo", "16", "#16", NAME, "nami"])
@pytest.mark.parametrize("name", [NAME, "Nami (Parallel)"])
def test_a_text_that_is_no_number_leaves_the_name(cell, name):
    assert parse_card_cells(cell, name, SOURCE) == (None, NAME)


@pytest.mark.parametrize("cell", ["OP01-O16", "4 OP01-016", "OP99-999", "OP01", "x16", "Usopp"])
def test_a_text_that_may_be_another_card_stays_in_place_of_the_number(cell):
    number, name = parse_card_cells(cell, NAME, SOURCE)
    assert (number, name, SOURCE.card(number)) == (cell, NAME, None)


def test_the_number_within_a_name_counts_if_its_own_cell_has_none():
    assert parse_card_cells("P", "Nami (OP01-016)", SOURCE) == (NUMBER, NAME)


def test_a_name_in_place_of_the_number_is_a_name():
    assert parse_card_cells(NAME, "", SOURCE) == (None, NAME)


def test_a_number_and_the_name_of_another_card_both_stay_in_the_line():
    deck = parse("count\tnumber\tname\n4\t[OP01-016]\tUsopp\n2\tOP01-013\tSanji\n", "optcg", SOURCE.catalogue).deck
    assert next((line.number, line.name) for line in deck.main) == (NUMBER, "Usopp")


@pytest.mark.parametrize(
    ("cell", "card"),
    [
        ("4 Nami", (None, NAME, 4)),
        ("Nami x4", (None, NAME, 4)),
        ("4x OP01-016", (NUMBER, None, 4)),
        ("1 Nami", (None, NAME, 1)),
        (NAME, (None, NAME, None)),
        ("Nobody Known", (None, "Nobody Known", None)),
        ("255 Nami", (None, NAME, 255)),
    ],
)
def test_a_cell_may_have_the_count(cell, card):
    assert CELLS.parse_counted_card(cell) == WrittenCard(*card)


@pytest.mark.parametrize(
    "cell", ["", "4 Nami, 2 Usopp", "4 OP01-016 2 OP01-004", "OP01-016 ?", "256 Nami", "0 Nami", "N" * 201]
)
def test_a_cell_with_several_cards_or_without_a_clear_count_has_no_card(cell):
    assert isinstance(CELLS.parse_counted_card(cell), CellDoubt)


@pytest.mark.parametrize("cells", [("", ""), ("", "N" * 201), ("N" * 201, ""), (NUMBER, "N" * 201)])
def test_a_row_without_a_card_or_with_a_long_name_has_no_card(cells):
    assert isinstance(CELLS.parse_card(*cells), CellDoubt)


@pytest.mark.parametrize(
    ("cells", "card"),
    [((NUMBER, NAME), (NUMBER, NAME)), (("", "4 Nami"), (None, "4 Nami")), (("", "N" * 200), (None, "N" * 200))],
)
def test_the_card_of_two_cells_has_no_count(cells, card):
    assert CELLS.parse_card(*cells) == WrittenCard(*card, None)


@pytest.mark.parametrize("cells", [["Main"], ["", "Main", ""], ["Main", "50"], ["50", "Main"], ["Main", "", "(50)"]])
def test_a_section_with_a_number_is_a_heading(cells):
    assert row_heading(cells, SOURCE.is_name).section == "main"


@pytest.mark.parametrize("cells", [[], [""], ["50"], ["Main", "Nami"], ["Main", "50", "4"], ["Nami", "4"]])
def test_other_rows_are_no_headings(cells):
    assert row_heading(cells, SOURCE.is_name) is None


def test_a_card_that_is_called_like_a_section_is_no_heading():
    source = Source("", facts.catalogue("gundam"))
    assert row_heading(["Side 7", "4"], source.is_name) is None
    assert row_heading(["Side 7"], source.is_name) is None


def test_a_row_behind_a_comment_mark_is_reported():
    deck = parse(
        "number,cost,count\nOP01-016,1,4\n#OP01-013,2,3\nOP01-004,1,2\n# a note,,\n", "optcg", SOURCE.catalogue
    ).deck
    assert [(line.number, line.count) for line in deck.main] == [(NUMBER, 4), ("OP01-004", 2)]
    assert [(line.at, line.aside) for line in deck.unread] == [(3, True)]


def test_a_mark_before_each_number_is_no_comment():
    deck = parse("number,count\n#OP01-016,4\n#OP01-013,3\nOP01-004,2\n", "optcg", SOURCE.catalogue).deck
    assert [SOURCE.card(line.number).number for line in deck.main] == [NUMBER, "OP01-013", "OP01-004"]
    assert deck.unread == ()
