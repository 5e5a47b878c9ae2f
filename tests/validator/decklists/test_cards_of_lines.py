"""Cards of lines: the cards that a line spells, and how far a catalogue decides what is a count, a number or a name."""

from dataclasses import replace

import pytest

from carddb.catalogue import Catalogue
from tests.validator.table import optcg
from validator.decklists.cardline import commented_cards, is_without_card, parse_cards
from validator.decklists.source import Source, row

NAMES = {"OP01-016": "Nami", "OP01-001": "Zoro", "OP05-010": "Android 13", "OP05-012": "13 Ways"}
CATALOGUE = Catalogue("optcg", "named", [replace(optcg(number), name=name) for number, name in NAMES.items()])
NAMED, UNNAMED = Source("", CATALOGUE), Source("")


def spell_cards(line, source, **options):
    """Return the cards of a line as `(digits, number, name, form)`. [] for a line without a card."""
    found = parse_cards(row(1, line), source, **options)
    return [] if isinstance(found, str) else list(map(tuple, found))


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("4 Nami", [("4", None, "Nami", "4 NAME")]),
        ("Nami x4", [("4", None, "Nami", "NAME x4")]),
        ("4 Usopp", [("4", None, "Usopp", "4 NAME")]),
        ("OP01-016", [("1", "OP01-016", None, "NUM")]),
        ("4 OP01-016 Nami", [("4", "OP01-016", "Nami", "4 NUM NAME")]),
        ("4 (OP01-016)", [("4", "OP01-016", None, "4 (NUM)")]),
        ("Nami (OP01-016)", [("1", "OP01-016", "Nami", "NAME (NUM)")]),
        ("Nami OP01-016 (4)", [("4", "OP01-016", "Nami", "NAME NUM x4")]),
        ("OP01-016 Nami 4 copies", [("4", "OP01-016", "Nami", "NUM NAME x4")]),
        ("three OP01-016", [("3", "OP01-016", None, "NAME NUM x4")]),
        ("4 Android 13", [("4", None, "Android 13", "4 NAME")]),
        ("4 13 Ways", [("4", None, "13 Ways", "4 NAME")]),
        ("4xOP01-016 3xOP01-017", [("4", "OP01-016", None, "4xNUM"), ("3", "OP01-017", None, "4xNUM")]),
        ("OP01-016x4,OP01-017x3", [("4", "OP01-016", None, "NUM x4"), ("3", "OP01-017", None, "NUM x4")]),
        ("OP01-016, OP01-017, OP01-018", [("1", f"OP01-01{n}", None, "NUM") for n in (6, 7, 8)]),
        ("DON!! x10", [("10", None, "DON!!", "DON!!")]),
        ("10 DON!!", [("10", None, "DON!!", "DON!!")]),
        ("4 Nami -> 3 Zoro", [("4", None, "Nami -> 3 Zoro", "4 NAME")]),
        ("OP01-016 OP01-017", []),  # several numbers
        ("4 OP01-016 OP01-017", []),
        ("4 OP01-016 3", []),  # two counts
        ("OP01-016 4 great", []),  # no clear count
        ("Usopp", []),
        ("Usopp 4", []),
        ("some Nami", []),
        ("4", []),
    ],
)
def test_the_cards_of_a_line_with_and_without_a_catalogue(line, cards):
    assert spell_cards(line, UNNAMED) == spell_cards(line, NAMED) == cards


@pytest.mark.parametrize(
    ("line", "unaided", "aided"),
    [
        ("Nami", [], [("1", None, "Nami", "NAME")]),
        ("Nami 4", [], [("4", None, "Nami", "NAME x4")]),
        ("four Nami", [], [("4", None, "Nami", "4 NAME")]),
        ("Android 13", [], [("1", None, "Android 13", "NAME")]),
        ("13 Ways", [("13", None, "Ways", "4 NAME")], [("1", None, "13 Ways", "NAME")]),
        ("OP01-016 Nami 1", [], [("1", "OP01-016", "Nami", "NUM NAME x4")]),
        *(
            (
                line,
                [("4", None, line.removeprefix("4 "), "4 NAME")],
                [("4", None, "Nami", "4 NAME"), ("3", None, "Zoro", "4 NAME")],
            )
            for line in ("4 Nami, 3 Zoro", "4 Nami 3 Zoro")
        ),
    ],
)
def test_a_catalogue_decides_what_a_line_spells(line, unaided, aided):
    assert (spell_cards(line, UNNAMED), spell_cards(line, NAMED)) == (unaided, aided)


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("Usopp", [("1", None, "Usopp", "NAME")]),
        ("Usopp 4", [("1", None, "Usopp 4", "NAME")]),
        ("OP01-016 4 great", [("1", "OP01-016", "4 great", "NUM NAME")]),
        ("OP01-016 OP01-017", []),
        ("4", []),
    ],
)
def test_a_count_may_be_missing_where_a_line_is_one_card(line, cards):
    assert spell_cards(line, NAMED, is_count_optional=True) == cards


@pytest.mark.parametrize(
    ("line", "is_without"),
    [
        ("Regional 2026", True),
        ("Deck: Nami and others", True),
        ("Leader: Usopp", False),
        ("Side: Usopp", False),
        ("Nami", False),
        ("4 Usopp", False),
        ("OP01-016", False),
        ("OP01-016 4 great", False),
    ],
)
def test_lines_without_a_count_a_number_or_a_known_name(line, is_without):
    assert is_without_card(row(1, line), NAMED) is is_without


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("// 4 OP01-016", ["OP01-016"]),
        ("# 4xOP01-016 3xOP01-017", ["OP01-016", "OP01-017"]),
        ("<!-- 4 OP99-001", ["OP99-001"]),
        ("// 4 Nami", [None]),
        ("// 4 Usopp", []),
        ("// Nami", []),
        ("// OP01-016", []),
        ("// 4 Nami, 3 ZZ99-999", []),
        ("//", []),
    ],
)
def test_counted_cards_behind_a_comment_mark(line, numbers):
    assert [card.number for card in commented_cards(row(1, line), NAMED)] == numbers
