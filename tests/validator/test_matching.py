"""Matches: the tests of a clause against the facts of a card, also if some facts are unknown."""

import pytest

from tests.validator.table import clause, dbs
from validator.matching import check_match, fold_text, holds, matches, profile

FIGHTER = dbs(
    "BT1-001",
    "Z-Battle",
    name="Goku",
    back_name="Super Goku",
    colors=("Red", "Blue"),
    cost=3,
    traits=("Saiyan",),
    back_traits=("God",),
    characters=("Son Goku",),
    back_characters=("Kakarot",),
    keywords=("Barrier",),
)
GAINS = (
    clause("keyword", keyword="Ultimate"),
    clause("alias", names=["Vegeta"], traits=["Prince"], characters=["Cabba"], colors=["Green"]),
)


@pytest.mark.parametrize(
    ("match", "is_met"),
    [
        ({}, True),
        ({"type": ["Z-Battle"]}, True),
        ({"type": ["battle"]}, True),
        ({"type": ["Extra", "Leader"]}, False),
        ({"color": ["Black", "RED"]}, True),
        ({"color": ["Green"]}, True),
        ({"color": ["Black"]}, False),
        ({"trait": ["god"]}, True),
        ({"trait": ["Prince"]}, True),
        ({"trait": ["sai"]}, False),
        ({"trait_part": ["sai"]}, True),
        ({"trait_part": ["namek"]}, False),
        ({"character": ["Son Goku"]}, True),
        ({"character": ["Cabba"]}, True),
        ({"character": ["Son"]}, False),
        ({"character_part": ["kaka"]}, True),
        ({"character_part": ["Goku", "Gohan"]}, True),
        ({"character_part": ["Gohan"]}, False),
        ({"name": ["Super Goku"]}, True),
        ({"name": ["Vegeta"]}, True),
        ({"name": ["Super"]}, False),
        ({"name_part": ["super"]}, True),
        ({"name_part": ["hyper"]}, False),
        ({"keyword": ["barrier"]}, True),
        ({"keyword": ["Ultimate"]}, True),
        ({"keyword": ["Blocker"]}, False),
        ({"cost": {"min": 3}}, True),
        ({"cost": {"min": 4}}, False),
        ({"cost": {"max": 3}}, True),
        ({"cost": {"max": 2}}, False),
        ({"cost": {"min": 3, "max": 3}}, True),
        ({"multicolor": True}, True),
        ({"multicolor": False}, False),
        ({"not": {"color": ["Red"]}}, False),
        ({"not": {"color": ["Black"]}}, True),
        ({"any": [{"color": ["Black"]}, {"type": ["Battle"]}]}, True),
        ({"any": [{"color": ["Black"]}, {"type": ["Extra"]}]}, False),
        ({"all": [{"color": ["Red"]}, {"type": ["Battle"]}]}, True),
        ({"all": [{"color": ["Red"]}, {"type": ["Extra"]}]}, False),
        ({"color": ["Red"], "type": ["Extra"]}, False),
    ],
)
def test_a_card_and_its_gains_pass_a_match(match, is_met):
    assert matches(match, profile(FIGHTER, GAINS)) is is_met


@pytest.mark.parametrize(
    ("match", "is_met"),
    [
        ({"color": ["Red"]}, None),
        ({"type": ["Battle"]}, True),
        ({"type": ["Extra"]}, None),
        ({"cost": {"min": 1}}, None),
        ({"multicolor": True}, None),
        ({"trait": ["God"]}, False),
        ({"not": {"color": ["Red"]}}, None),
        ({"any": [{"color": ["Red"]}, {"name": ["Goku"]}]}, True),
        ({"any": [{"color": ["Red"]}, {"name": ["Vegeta"]}]}, None),
        ({"all": [{"color": ["Red"]}, {"name": ["Vegeta"]}]}, False),
        ({"all": [{"color": ["Red"]}, {"name": ["Goku"]}]}, None),
    ],
)
def test_an_unknown_fact_decides_only_if_it_matters(match, is_met):
    card = dbs("BT1-001", name="Goku", colors=(), cost=None, unknown=("colors", "cost", "type"))
    assert matches(match, profile(card)) is is_met


@pytest.mark.parametrize(
    ("match", "is_met"), [({"cost": {"min": 0}}, False), ({"multicolor": True}, False), ({"multicolor": False}, True)]
)
def test_a_card_without_a_cost_has_none_and_gained_colours_do_not_count(match, is_met):
    assert matches(match, profile(dbs("BT1-001", cost=None), GAINS)) is is_met


def test_a_condition_needs_a_leader_that_meets_it():
    condition, leader = clause("keyword", keyword="Ultimate", when={"color": ["Red"]}), dbs("L-1", "Leader")
    assert holds(condition, leader) is True
    assert holds(condition, dbs("L-2", "Leader", colors=("Blue",))) is False
    assert holds(condition, dbs("L-3", "Leader", colors=(), unknown=("colors",))) is None
    assert holds(condition, None) is False
    assert holds(clause("keyword", keyword="Ultimate"), None) is True


@pytest.mark.parametrize(
    "match",
    [
        {},
        "red",
        None,
        ["color"],
        {"colour": ["Red"]},
        {"color": ["Red"], "colour": ["Red"]},
        {"not": {}},
        {"not": {"colour": ["Red"]}},
        {"any": [{"color": ["Red"]}, {}]},
        {"all": [{"color": ["Red"]}, {"colour": ["Red"]}]},
    ],
)
def test_a_match_without_tests_or_with_an_unknown_one_is_refused(match):
    with pytest.raises(ValueError, match="a match"):
        check_match(match)


def test_a_match_of_known_tests_is_accepted():
    check_match({"color": ["Red"], "not": {"type": ["Extra"]}, "any": [{"cost": {}}], "all": [{"multicolor": True}]})


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Son  Gohan : Adolescence", "son gohan:adolescence"),
        ("Son Gohan: Adolescence", "son gohan:adolescence"),
        ("“Buddha” ‘Sengoku’", "\"buddha\" 'sengoku'"),
        ("a‐b‑c–d—e−f", "a-b-c-d-e-f"),
        ("Ｎａｍｉ", "nami"),
        ("ÉCLAIR", "éclair"),
        ("É" * 101, "é" * 101),  # too long for the cache
    ],
)
def test_texts_are_folded_for_comparison(text, folded):
    assert fold_text(text) == folded
