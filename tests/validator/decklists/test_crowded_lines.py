"""Lines that hold several cards: each is read, or all of the line is reported."""

import pytest

from tests.validator.decklists.conftest import Shelf
from validator.cards import Card
from validator.decklists import parse

NAMES = Shelf(
    "bos", [Card("bos", f"A1-{at}", name, "Warrior") for at, name in enumerate(("Ash Spear", "Reed", "Hill"))]
)


def read(text, catalogue=None):
    deck = parse(text, catalogue=catalogue).deck
    cards = [(line.count, line.written) for _, line in deck.lines()]
    return cards, [line.at for line in deck.unread]


@pytest.mark.parametrize("mark", [", ", ",", "; ", ";", " | ", " / ", "/", " + ", "+", "  "])
def test_numbers_with_glued_counts_may_be_parted_by_any_mark(mark):
    cards = ("OP11-040x1", "OP17-116x7", "P-035*4")
    assert read(mark.join(cards)) == ([(1, "OP11-040"), (7, "OP17-116"), (4, "P-035")], [])


@pytest.mark.parametrize("mark", [", ", ";", " "])
def test_a_line_may_have_the_copies_of_a_number_twice(mark):
    assert read(f"2 Nami\nOP11-040x1{mark}OP11-040x2") == ([(2, "Nami"), (1, "OP11-040"), (2, "OP11-040")], [])


@pytest.mark.parametrize("line", ["OP11-040x1 - OP17-116x7", "OP11-040x1 > OP17-116x7", "OP11-040x1 OP17-116x7 P-035?"])
def test_a_number_with_a_glued_count_is_no_part_of_a_name(line):
    assert read(line) == ([], [1])


@pytest.mark.parametrize("mark", [", ", ",", ";", " / ", " + ", "+", "  "])
@pytest.mark.parametrize("card", ["{1} x{0}", "{0}x {1}"])
def test_known_names_with_counts_may_be_parted_by_any_mark(card, mark):
    cards = [(2, "Ash Spear"), (3, "Reed"), (4, "Hill")]
    line = mark.join(card.format(*one) for one in cards)
    assert read(line, NAMES) == (cards, [])
    assert read(f"Deck: {line}", NAMES) == (cards, [])


def test_cards_behind_a_heading_that_are_not_read_are_reported():
    assert read("4 Reed\nDeck: Ash Spear x3 or Hill x2 or none", NAMES) == ([(4, "Reed")], [2])


def test_the_name_of_a_deck_is_no_card():
    assert read("Deck: Ash Spear and Reed 2\n4 Reed", NAMES) == ([(4, "Reed")], [])


@pytest.mark.parametrize("line", ["Reed (4) (foil)", "Reed (foil) 4", "Reed (4) [alt]"])
def test_digits_beside_a_word_in_brackets_are_asked_about(line):
    assert read(line, NAMES) == ([], [1])


@pytest.mark.parametrize("between", ["\t", "    ", " | "])
def test_cards_in_columns_keep_the_digits_of_their_names(between):
    shelf = Shelf("dbs", [Card("dbs", f"BT1-00{at}", name, "Battle") for at, name in enumerate(("Gohan", "Gohan 2"))])
    line = between.join(("7x Gohan 2 (BT1-001)", "4x Gohan (BT1-000)"))
    assert read(line, shelf) == ([(7, "BT1-001"), (4, "BT1-000")], [])


@pytest.mark.parametrize("mark", ["; ", ", ", " | ", " / "])
@pytest.mark.parametrize("colon", ["", ":"])
def test_headings_between_the_marks_of_a_line_open_their_sections(mark, colon):
    cards = ["1x EB01-040", f"Main{colon}", "2x OP09-002", "2x P-081", f"Side{colon}", "1x OP13-089", "1x OP07-110"]
    deck = parse(mark.join(cards), "optcg").deck
    assert [(line.count, line.number) for line in deck.side] == [(1, "OP13-089"), (1, "OP07-110")]
    assert [line.number for line in deck.main] == ["EB01-040", "OP09-002", "P-081"]
    assert deck.unread == ()


def test_a_section_behind_each_card_of_a_line_is_of_that_card():
    deck = parse("1 OP01-001, Leader; 4 OP01-016, Main; 2 OP01-024, Side", "optcg").deck
    assert [line.number for line in deck.leader] == ["OP01-001"]
    assert [line.number for line in deck.side] == ["OP01-024"]


def test_a_number_within_a_name_is_no_count_in_a_line_with_marks():
    names = {"BT1-001": "Piercing Fighter 2 Son", "BT1-002": "Son", "BT1-003": "10x Wave"}
    shelf = Shelf("dbs", [Card("dbs", number, name, "Battle") for number, name in names.items()])
    line = "; ".join(f"{at} {number} {name}" for at, (number, name) in enumerate(names.items(), 1))
    assert read(line, shelf) == ([(1, "BT1-001"), (2, "BT1-002"), (3, "BT1-003")], [])
    mixed = "1 BT1-002 Son 2 Son, 3 BT1-003"
    assert read(mixed, shelf) == ([(1, "BT1-002"), (2, "Son"), (3, "BT1-003")], [])
