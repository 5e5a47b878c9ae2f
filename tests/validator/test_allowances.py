"""How many copies of a card may be played: as many as a Judge has nothing to say against, and no more."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest

from carddb import facts
from tests.validator.table import Table, bos
from validator import Judge, Terms, limits
from validator.deck import Deck, Line
from validator.findings import AT_MOST, ERROR
from validator.games import GAMES
from validator.legalities import allowances
from validator.rulesets import of_game

ON = date(2026, 11, 21)


@cache
def catalogue(game):
    return facts.catalogue(game)


def find_allowances(game, number, day=ON):
    """Return the allowances of a card on a day, by region and format."""
    card = catalogue(game).by_number(number)
    return {(one.region, one.format): one for one in allowances(card, day, catalogue(game), limits.shipped_lists(game))}


def summarise_allowance(allowance):
    """Return the number of copies of an allowance, and the codes of its findings."""
    return allowance.most, [finding.code for finding in allowance.findings]


@pytest.mark.parametrize(
    ("game", "number", "format", "section", "most", "codes"),
    [
        ("optcg", "OP01-016", "standard", "main", 4, ["copies.exceeded"]),
        ("optcg", "ST21-001", "standard", "leader", 1, ["leader.count"]),
        ("optcg", "OP06-047", "standard", "main", 0, ["card.banned", "copies.exceeded"]),
        ("optcg", "OP03-040", "extra", "leader", 0, ["card.banned"]),
        ("optcg", "OP02-013", "extra", "main", 4, ["copies.exceeded"]),
        ("optcg", "OP02-014", "standard", "main", 0, ["block.rotated", "copies.exceeded"]),
        ("optcg", "OP02-014", "extra", "main", 4, ["copies.exceeded"]),
        ("optcg", "OP01-075", "extra", "main", 50, ["size"]),
        ("dbs", "BT5-117", "standard", "main", 7, ["keyword.exceeded"]),
        ("dbs", "BT2-086", "standard", "main", 1, ["card.restricted"]),
        ("bos", "BE01-001", "standard", "main", 4, ["copies.exceeded"]),
    ],
)
def test_a_card_is_allowed_as_often_as_its_rules_say(game, number, format, section, most, codes):
    found = find_allowances(game, number)["en", format]
    assert (found.section, *summarise_allowance(found)) == (section, most, codes)


def test_a_list_allows_what_it_lifts_from_the_day_on():
    assert summarise_allowance(find_allowances("optcg", "OP02-117", date(2026, 3, 31))["en", "extra"])[0] == 0
    assert summarise_allowance(find_allowances("optcg", "OP02-117", date(2026, 4, 1))["en", "extra"]) == (
        4,
        ["copies.exceeded"],
    )


@pytest.mark.parametrize("on", [date(2026, 9, 1), ON])
def test_the_edition_of_the_day_is_cited_in_every_region(on):
    for one in find_allowances("optcg", "OP01-016", on).values():
        assert one.ruleset.id == "optcg-1.2.1"
        assert {finding.rule.document for finding in one.findings} == {one.ruleset.document}


def test_a_card_that_is_not_out_yet_may_not_be_played():
    assert summarise_allowance(find_allowances("optcg", "OP17-005", date(2026, 8, 27))["en", "extra"]) == (
        0,
        ["card.unreleased", "copies.exceeded"],
    )


def test_what_may_not_hold_yet_does_not_count_and_is_told():
    found = find_allowances("optcg", "OP02-024", date(2023, 5, 1))["en", "standard"]
    assert summarise_allowance(found) == (4, ["card.banned", "copies.exceeded"])
    assert found.findings[0].severity == "warning"


def test_a_card_that_no_section_takes_may_not_be_played():
    token = next(card for card in catalogue("bos") if card.type == "Token")
    (found,) = allowances(token, ON, catalogue("bos"), limits.shipped_lists("bos"))
    assert (found.section, found.most, found.findings) == (None, 0, ())


@pytest.mark.parametrize("game", GAMES)
def test_a_judge_objects_to_one_more_and_to_none_of_them(game):
    for card in list(catalogue(game))[::97]:
        for one in allowances(card, ON, catalogue(game), limits.shipped_lists(game)):
            if one.section is None:
                continue
            assert objections(card, one, one.most + 1), card
            assert not one.most or not objections(card, one, one.most), card


def objections(card, allowance, copies):
    deck = Deck(**{allowance.section: (Line(card.number, copies),)})
    return [
        finding
        for finding in judge_of(card.game, *allowance[:2])(deck).findings
        if finding.severity == ERROR
        and (finding.kind.asks == AT_MOST or finding.section == "leader")
        and (finding.count or 0) > (finding.limit or 0)
    ]


@cache
def judge_of(game, region, format):
    return Judge(Terms(of_game(game, ON), ON, region, format), catalogue(game))


def test_a_card_without_a_number_is_allowed_by_its_name():
    card, shelf = bos("Warrior 1"), Table("bos-1.3").catalogue
    assert {one.most for one in allowances(card, ON, shelf, limits.shipped_lists("bos"))} == {4}
