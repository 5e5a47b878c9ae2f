"""Where one deck of a text ends and the next begins, and what titles of a table say."""

import pytest

from carddb.catalogue import Catalogue
from tests.validator.decklists.test_several import ANN, BOB, decks
from tests.validator.table import optcg
from validator.decklists import parse, parse_each

LEADERS = [optcg("OP01-001", "Leader"), optcg("OP01-002", "Leader")]
CATALOGUE = Catalogue("optcg", "table", [*LEADERS, *(optcg(f"OP01-{n:03}") for n in range(3, 100))])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{ANN}\n{BOB}", [51, 51]),
        (f"My decks\n{ANN}\n\n{BOB}", [51, 51]),
        (f"{ANN.partition(chr(10))[2]}\n1 OP01-001\n{BOB.partition(chr(10))[2]}\n1 OP01-002", [51, 51]),
        (ANN, [51]),
    ],
)
def test_leaders_part_decks_that_no_line_parts(text, found):
    assert [size for _, size in decks(text, CATALOGUE)] == found


def test_only_the_first_of_decks_that_no_line_parts_has_the_name():
    first, second = parse_each(f"Deck: Red\n{ANN}\n{BOB}", None, CATALOGUE)
    assert (first.name, second.name) == ("Red", "")


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("Deck A", "Deck B", ["Deck A", "Deck B"]),
        ("Deck 2", "Deck 3", ["Deck 2", "Deck 3"]),
        ("", "Deck 2", ["", "Deck 2"]),
        ("", "Deck 3", [""]),
        ("Deck 1", "", [""]),
        ("Player 1", "Player 2", ["Player 1", "Player 2"]),
        ("Player 2", "Player 3", [""]),
    ],
)
def test_titles_in_order_name_decks(first, second, names):
    found = decks(f"{first}\n{ANN}\n{second}\n{BOB}")
    assert found == [(name, 102 // len(names)) for name in names]


@pytest.mark.parametrize(
    ("rows", "sizes"),
    [
        (["Name,Qty", "OP01-003,4", "OP01-004,2"], {"main": 6}),
        (["Qty,Card number", "4,OP01-003", "2,OP01-004"], {"main": 6}),
        (["OP01-003,4", "OP01-004,2"], {"main": 6}),
        (["Leader", "OP01-001,1", "Main", "OP01-003,4"], {"leader": 1, "main": 4}),
        (["Leader", "OP01-001,1", "Main", "OP01-003,4", "Side", "OP01-004,2"], {"leader": 1, "main": 4, "side": 2}),
        (["Card number,Main,Side", "OP01-003,4,", "OP01-004,1,2"], {"main": 5, "side": 2}),
        (["Section,Card number,Count", "main,OP01-003,4", "side,OP01-004,2"], {"main": 4, "side": 2}),
        (["| Count | Number |", "|---|---|", "| 4 | OP01-003 |", "| 2 | OP01-004 |"], {"main": 6}),
    ],
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_is_read_by_its_titles_or_its_cells(rows, sizes, delimiter):
    deck = parse("\n".join(row.replace(",", delimiter) for row in rows), "optcg", CATALOGUE).deck
    found = {section: sum(line.count for line in deck.section(section)) for section in ("leader", "main", "side")}
    assert {section: size for section, size in found.items() if size} == sizes
    assert deck.unread == ()


def test_a_table_whose_main_deck_begins_again_has_two_decks():
    rows = [["Leader", f"{number},1", "Main", "OP01-003,4", "OP01-004,4"] for number in ("OP01-001", "OP01-002")]
    text = "\n".join(row for part in rows for row in part)
    assert [size for _, size in decks(text, CATALOGUE)] == [9, 9]
