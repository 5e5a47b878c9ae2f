"""Headings and labels: what the words above a column or before a value can mean, and what the cells of a column are."""

import pytest

from validator.tables import column_samples, headings, labels
from validator.tables.column_samples import Column, parse_heading


@pytest.mark.parametrize(
    ("title", "role", "points", "part"),
    [
        ("Player", "player", 6.0, None),
        ("Player Name", "player", 6.0, None),
        ("First Name", "first name", 6.0, None),
        ("Last name", "last name", 6.0, None),
        ("Player ID", "player id", 6.0, None),
        ("Bandai ID", "player id", 5.7, None),
        ("Qty", "count", 6.0, None),
        ("No.", "number", 5.4, None),
        ("Event", "event", 6.0, None),
        ("Decklist", "decklist", 6.0, "main"),
        ("Please paste your deck list", "decklist", 4.0, None),
        ("Side Deck List", None, 0.0, "side"),
        ("Your side deck list", None, 0.0, "side"),
        ("Deck list (side)", None, 0.0, "side"),
        ("Main deck (50 cards)", None, 0.0, "main"),
        ("Your side deck", None, 0.0, "side"),
        ("Maybeboard", None, 0.0, None),
        ("Nami", None, 0.0, None),
        ("", None, 0.0, None),
    ],
)
def test_the_role_and_the_section_of_a_heading(title, role, points, part):
    heading = parse_heading(title)
    assert (heading.role, round(heading.points, 6), heading.part) == (role, points, part)
    assert heading.is_main is (part != "side")


@pytest.mark.parametrize(
    ("title", "is_name", "is_half", "is_nickname", "counts_copies"),
    [
        ("Name", True, True, False, False),
        ("Name (as on the card)", True, True, False, False),
        ("First Name", False, True, False, False),
        ("Your name and surname", False, True, False, False),
        ("Nickname", False, False, True, False),
        ("Discord (optional)", False, False, True, False),
        ("Deck Qty", False, False, False, True),
        ("Qty", False, False, False, True),
        ("Card", False, False, False, False),
        ("Nami", False, False, False, False),
    ],
)
def test_headings_of_names_and_counts(title, is_name, is_half, is_nickname, counts_copies):
    heading = parse_heading(title)
    found = heading.is_name, heading.is_half, heading.is_nickname, heading.counts_copies
    assert found == (is_name, is_half, is_nickname, counts_copies)


@pytest.mark.parametrize(
    ("title", "has_meaning"),
    [
        *((title, True) for title in ("Player", "Name", "Discord", "Deck Qty", "ID", "Deck", "Side Deck", "Z")),
        *((title, False) for title in ("", "Nami", "Maybeboard", "Table", "# 3")),
    ],
)
def test_headings_with_a_meaning_in_a_table_of_decks(title, has_meaning):
    assert parse_heading(title).has_meaning is has_meaning
    assert column_samples.count_meanings(["Player", title, ""]) == 1 + has_meaning


@pytest.mark.parametrize(
    ("title", "is_known", "is_fact"),
    [
        ("Player", True, False),
        ("Name", True, False),
        ("Discord", True, False),
        ("ID", True, True),
        ("Cost", False, True),
        ("Unit price", False, True),
        ("Date", False, False),
        ("Nami", False, False),
    ],
)
def test_known_headings_and_those_of_other_numbers(title, is_known, is_fact):
    assert (headings.is_known(title), headings.is_fact(title)) == (is_known, is_fact)


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (["Player:", "Ann Lee"], [("player", "Player", "Ann Lee")]),
        (["Player: Ann Lee"], [("player", "Player", "Ann Lee")]),
        (["Player - Ann Lee"], [("player", "Player", "Ann Lee")]),
        (["Player：Ann Lee"], [("player", "Player", "Ann Lee")]),
        (["Player", "", "Ann Lee"], [("player", "Player", "Ann Lee")]),
        (["Player", "", "", "", "Ann Lee"], [("player", "Player", "Ann Lee")]),
        (["Player", "", "", "", "", "Ann Lee"], []),
        (["Player", "Deck"], [("player", "Player", "Deck")]),
        (["Player", "", "Deck"], []),
        (["Player", "", "Table"], []),
        (["Player", "", "Seat 4:"], []),
        (["Player:", ""], []),
        (["Player"], []),
        (["Name", "Ann", "ID", "12345678"], [("player", "Name", "Ann"), ("player id", "ID", "12345678")]),
        (["Table", 7], [("more", "Table", 7)]),
        (["Event", "Regional"], [("event", "Event", "Regional")]),
        (["Event: Regional", "A1-01"], [("event", "Event", "Regional")]),
        (["Event", "A1-01", "4"], []),  # a type of card
        (["Event", "4"], []),
        (["Event", "4", "Table", "7"], [("event", "Event", "4"), ("more", "Table", "7")]),
        (["Nami"], []),
    ],
)
def test_find_the_labels_of_a_row_with_their_values(row, found):
    assert list(labels.find_labels(row)) == found


@pytest.mark.parametrize(
    ("row", "names_player"),
    [
        (["Player:", "Ann Lee"], True),
        (["ID", "12345678"], True),
        (["Event: Regional", ""], True),
        (["Notes", "Player", "Ann Lee"], True),
        (["Player", "Name"], False),
        (["Player", "Table"], False),
        (["Player", "Deck"], False),
        (["Player", "", "Ann Lee"], False),
        (["Player: Ann Lee"], False),
        (["Table", "7"], False),
        (["Nami", "4"], False),
    ],
)
def test_rows_that_name_a_player(row, names_player):
    assert labels.names_player(row) is names_player


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (["Leader: OP01-001"], "OP01-001"),
        (["Leader", "OP01-001", "Zoro"], "OP01-001 Zoro"),
        (["", "Leader:", "", "Zoro"], "Zoro"),
        (["Leader"], ""),
        (["Main", "Zoro"], ""),
        ([], ""),
    ],
)
def test_the_leader_of_a_row(row, text):
    assert labels.leader_text(row) == text


@pytest.mark.parametrize(
    ("cell", "text"), [(" Player  Name ", "Player Name"), ("x" * 200, "x" * 200), ("x" * 201, ""), (5, ""), (None, "")]
)
def test_only_short_texts_are_headings(cell, text):
    assert labels.heading_text(cell) == text


def column(title, cells):
    return Column(0, title, lambda position: cells)


@pytest.mark.parametrize(
    ("cells", "size", "values", "is_varied", "share"),
    [([], 0, 0, False, 0), (["a"], 1, 1, True, 1), (["a", "a"], 2, 1, False, 1), (["a", "1", "1"], 3, 2, True, 1 / 3)],
)
def test_the_cells_of_a_column_are_counted(cells, size, values, is_varied, share):
    found = column("Card", cells)
    assert (found.size, found.value_count, found.is_varied) == (size, values, is_varied)
    assert found.share(str.isalpha) == share == found.share(str.isalpha)


@pytest.mark.parametrize(
    ("cells", "sections"),
    [
        (["Main", "Side", "Main"], {"main", "side"}),
        (["Main", "Side", "Event"], {"main", "side"}),  # a type of card
        (["Section", "Side"], {"side"}),  # the heading again
        (["Main"] * 5 + ["Mian"], {"main"}),
        (["Main"] * 4 + ["Mian"], set()),
        (["Nami"], set()),
        ([], set()),
    ],
)
def test_a_column_of_sections_has_few_misspelt_ones(cells, sections):
    assert column("Section", cells).sections == sections


@pytest.mark.parametrize(
    ("title", "cells", "holds_numbers"),
    [
        ("Card", ["OP01-001", "OP01-002"], True),
        ("Card", ["OP01-001", "Nami"], True),
        ("Card", ["OP01-001", "Nami", "Usopp"], False),
        ("Main Deck", ["OP01-001"], True),
        ("Side Deck", ["OP01-001"], False),
        ("OP01-003", ["OP01-001"], False),
        ("", ["OP01-001"], False),
        ("Card", [], False),
    ],
)
def test_a_column_of_card_numbers(title, cells, holds_numbers):
    assert column(title, cells).holds_numbers is holds_numbers


@pytest.mark.parametrize(
    ("cells", "holds_lists"),
    [(["https://a.example"], True), (["https://a.example", "Ann"], True), (["https://a.example", "Ann", "Bo"], False)],
)
def test_a_column_of_deck_lists(cells, holds_lists):
    assert column("Answer", cells).holds_lists is holds_lists


@pytest.mark.parametrize(
    ("cells", "is_card"),
    [
        (["OP01-003", "Leader", "Leader", "1"], True),
        (["Nami", "4"], True),
        (["Leader", "Nami"], True),
        (["Leader", "Card", "Nami"], False),
        (["Leader", "Card", "Nami", "1"], True),
        (["Leader", "Card"], False),
        (["Usopp", "4"], False),
    ],
)
def test_a_row_of_a_card_is_not_one_of_headings(cells, is_card):
    assert column_samples.is_card_row(cells, lambda name: name == "Nami") is is_card
