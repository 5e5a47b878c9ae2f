"""Diagnoses: what one thing explains most of a deck's findings, and only then."""

from __future__ import annotations

from datetime import date

import pytest

from tests.validator.table import Table, dbs, optcg
from validator import Clause, Deck, Line

OPTCG = "optcg-1.2.1"


def codes(verdict):
    return [one.code for one in verdict.diagnoses]


def deck_of(*numbers, count=4):
    """Return a deck with `count` copies of each of these card numbers."""
    return Deck(main=tuple(Line(number, count) for number in numbers))


@pytest.mark.parametrize(
    ("ruleset", "numbers", "title", "game"),
    [
        ("dbs-4.00", ("OP01-016", "op1-17", "ST21-001", "EB01-003", "OP13-002_p1"), "ONE PIECE", "optcg"),
        (OPTCG, ("BT1-001", "BT12-034_SPR", "TB1-005", "SD1-01"), "Dragon Ball Super", "dbs"),
        (OPTCG, ("FB01-001", "FB01-010", "FS01-02", "FB02-011"), "Dragon Ball Super Card Game Fusion World", "fusion"),
        ("dbs-4.00", ("BT1-084", "ST1-01", "EX1-066", "BT5-086", "P-010"), "Digimon Card Game", None),
        (OPTCG, ("GD01-001", "GD01-013", "ST01-001", "GD02-004"), "GUNDAM CARD GAME", "gundam"),
    ],
)
def test_a_deck_of_another_game_is_told_by_its_numbers(ruleset, numbers, title, game):
    verdict = Table(ruleset).judge(deck_of(*numbers))
    assert not verdict.legal
    (one,) = verdict.diagnoses
    assert (one.code, one.game) == ("game.other", game)
    assert title in one.message
    assert verdict.as_dict()["diagnoses"] == [one.as_dict()]


def test_numbers_that_the_decks_own_game_has_too_make_it_no_other_game():
    verdict = Table(OPTCG).judge(deck_of("ST01-001", "ST02-003", "EB01-004", "P-001"))
    assert codes(verdict) == ["catalogue.incomplete"]


def test_one_number_of_another_game_is_named_and_the_deck_is_judged_all_the_same():
    verdict = Table(OPTCG).verdict({"FB01-001": 4})
    assert codes(verdict) == []
    (found,) = verdict.findings
    assert found.details["games"] == ("Dragon Ball Super Card Game Fusion World",)
    assert found.suggestions == ()


def test_a_deck_of_which_most_cards_are_unknown_cannot_be_judged():
    verdict = Table(OPTCG).judge(deck_of("OP97-001", "OP97-002", "OP97-003", "X-01"))
    assert codes(verdict) == ["catalogue.incomplete"]
    assert codes(Table(OPTCG).verdict({"OP97-001": 4, "OP97-002": 4})) == []


def test_each_copy_counts_of_cards_that_are_unknown():
    verdict = Table(OPTCG).judge(Deck(main=(Line("OP97-001", 4), Line("OP97-002", 2), Line("X-01", 3))))
    (found,) = verdict.diagnoses
    assert "6 of the deck's 9 cards" in found.message
    assert "number" in found.fix
    fewer = Deck(main=(Line("OP97-001", 1), Line("OP97-002", 2), Line("X-01", 3)))
    assert codes(Table(OPTCG).judge(fewer)) == []


def test_a_list_without_numbers_is_spoken_to_about_names():
    deck = Deck(main=(Line(None, 4, "Nobody A"), Line(None, 4, "Nobody B"), Line("X-01", 4)))
    verdict = Table(OPTCG).judge(deck)
    (found,) = verdict.diagnoses
    assert found.code == "catalogue.incomplete"
    assert "the names of 8 of the deck's 12 cards" in found.message
    assert "names" in found.fix
    assert "Check the number" not in found.fix
    assert not [one.fix for one in verdict.findings if one.code == "card.unknown" and "Check the number" in one.fix]


def test_cards_of_other_colours_ask_about_the_leader():
    blue = [optcg(f"B-{n}", colors=("Blue",)) for n in range(13)]
    table = Table(OPTCG, *blue)
    (one,) = table.verdict({card.number: 3 for card in blue}).diagnoses
    assert (one.code, [card.number for card in one.cards]) == ("leader.other", ["X-LEADER"])
    assert codes(table.verdict({card.number: 4 for card in blue[:4]})) == []


@pytest.mark.parametrize(("cards", "causes"), [(2, []), (3, ["leader.other"])])
def test_a_common_cause_has_three_findings_or_more(cards, causes):
    blue = [optcg(f"B-{n}", colors=("Blue",)) for n in range(cards)]
    verdict = Table(OPTCG, *blue).verdict({card.number: 20 for card in blue}, fill=False)
    assert verdict.codes.count("color.mismatch") == cards
    assert codes(verdict) == causes


def test_cards_that_the_leaders_text_bars_ask_about_the_leader():
    text = {"kind": "forbid", "text": "you can't include those", "match": {"color": ["Black"]}}
    leader = dbs("L-2", "Leader", construction=(Clause.from_dict(text),))
    black = [dbs(f"C-{n}", colors=("Red", "Black")) for n in range(13)]
    verdict = Table("dbs-4.00", leader, *black).verdict({card.number: 4 for card in black}, leader={"L-2": 1})
    assert codes(verdict) == ["leader.other"]


def test_cards_of_blocks_that_left_ask_about_the_format():
    old = [optcg(f"OP01-{n:03}", block="1") for n in range(2, 15)]
    table = Table(OPTCG, *old)
    verdict = table.verdict({card.number: 4 for card in old}, fill=False)
    (one,) = verdict.diagnoses
    assert one.code == "format.other"
    assert "Extra" in one.fix
    rotated = next(finding for finding in verdict.findings if finding.code == "block.rotated")
    assert (rotated.details["until"], rotated.details["formats"]) == ("2026-03-31", ("extra",))


def test_cards_that_are_not_out_ask_about_the_day():
    new = [optcg(f"N-{n}", released="2026-12-01") for n in range(13)]
    table = Table(OPTCG, *new, day=date(2026, 11, 1))
    verdict = table.verdict({card.number: 4 for card in new}, fill=False)
    assert codes(verdict) == ["day.other"]


def test_a_legal_deck_has_none_and_says_nothing_of_it():
    verdict = Table(OPTCG).verdict()
    assert verdict.diagnoses == ()
    assert "diagnoses" not in verdict.as_dict()
