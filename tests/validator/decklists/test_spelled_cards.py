"""Spelled cards: the number and the name in the counted part of a line, with and without a catalogue."""

from dataclasses import replace

import pytest

from carddb.catalogue import Catalogue
from tests.validator.table import optcg
from validator.decklists.naming import has_other_number, is_official, parse_name
from validator.decklists.source import Source

NAMES = {"OP01-016": "Nami", "OP05-010": "Android 13", "OP05-011": "Room (foil)", "QX1": "Odd"}
CATALOGUE = Catalogue("optcg", "named", [replace(optcg(number), name=name) for number, name in NAMES.items()])


def parse(text, catalogue=None):
    return tuple(parse_name(text, text, Source("", catalogue)))


@pytest.mark.parametrize(
    ("text", "number", "name", "form"),
    [
        ("Nami (OP01-016)", "OP01-016", "Nami", "NAME (NUM)"),
        ("(OP01-016) Nami", "OP01-016", "Nami", "NAME (NUM)"),
        ("Nami [OP01-016] the Cat", "OP01-016", "Nami the Cat", "NAME [NUM]"),
        ("{OP01-016}", "OP01-016", None, "{NUM}"),
        ("Nami (OP01-016) (OP02-001)", "OP02-001", "Nami (OP01-016)", "NAME (NUM)"),
        ("OP01-016 Nami", "OP01-016", "Nami", "NUM NAME"),
        ("OP01-016#402 Nami", "OP01-016", "Nami", "NUM NAME"),
        ("OP01-016", "OP01-016", None, "NUM"),
        ("Nami (OP01) 016", "OP01-016", "Nami", "NAME (SET) 1"),
        ("Nami (OP01) #016", "OP01-016", "Nami", "NAME (SET) 1"),
        ("Nami (016) (OP01)", "OP01-016", "Nami", "NAME (SET) 1"),
        ("Nami (XX9) 016", None, "Nami", "NAME (SET) 1"),
        ("(OP01) 016", None, "(OP01) 016", "NAME"),
        ("Nami OP01-016", "OP01-016", "Nami", "NAME NUM"),
        ("Nami OP01-016 OP02-001", "OP02-001", "Nami OP01-016", "NAME NUM"),
        ("Nami 0P01-016", "0P01-016", "Nami", "NAME NUM"),
        ("Nami BT1-O05", "BT1-O05", "Nami", "NAME NUM"),
        ("Nami", None, "Nami", "NAME"),
        ("Nami (db4)", None, "Nami", "NAME"),
        ("Nami (Alternate Art)", None, "Nami", "NAME"),
        ("Nami *F*", None, "Nami", "NAME"),
        ("Nami https://shop.example/1", None, "Nami", "NAME"),
        (", Nami |", None, "Nami", "NAME"),
        ("- : Nami -", None, "Nami", "NAME"),
        ("Android 13", None, "Android 13", "NAME"),
        ("13", None, "13", "NAME"),
        ("--", None, None, "NAME"),
    ],
)
def test_find_the_number_and_the_name(text, number, name, form):
    assert parse(text) == parse(text, CATALOGUE) == (number, name, form)


@pytest.mark.parametrize(
    ("text", "unaided", "aided"),
    [
        ("Room (foil)", (None, "Room", "NAME"), (None, "Room (foil)", "NAME")),
        ("Odd QX1", (None, "Odd QX1", "NAME"), ("QX1", "Odd", "NAME NUM")),
        ("Odd [QX1]", (None, "Odd", "NAME"), ("QX1", "Odd", "NAME NUM")),
    ],
)
def test_a_catalogue_decides_what_is_a_name_or_a_number(text, unaided, aided):
    assert (parse(text), parse(text, CATALOGUE)) == (unaided, aided)


@pytest.mark.parametrize(
    ("text", "has_other"),
    [
        ("OP01-017", True),
        ("OP01-016", True),  # only a number
        ("ZZ99-999", True),
        ("Nami OP01-017", True),
        ("Nami 4xOP01-017", True),
        ("Nami OP01-017x4", True),
        ("Nami OP01-016_p1", False),
        ("Nami op01-16", False),
        ("Nami ZZ99-999", False),
        ("Nami 13", False),
        ("Nami", False),
    ],
)
def test_find_the_number_of_another_card(text, has_other):
    assert has_other_number(text, "OP01-016", Source("", CATALOGUE)) is has_other


@pytest.mark.parametrize(
    ("number", "official"),
    [("OP01-016", True), ("op1-16_p1", True), ("BT1-005", True), ("P-001", True), ("ZZ99-999", False), ("Nami", False)],
)
def test_numbers_are_official_if_some_game_prints_such_numbers(number, official):
    assert is_official(number) is official
