"""Teams: what the decks of team mates may not share, by the organiser's rule."""

import pytest

from tests.validator.table import Table, assert_legal, gundam, names, optcg
from validator.team import TeamDeck, TeamRule, judge_team

RULES = "optcg-1.2.1"
LEADERS = [optcg("L-BLUE", "Leader", colors=("Blue",)), optcg("L-BOTH", "Leader", colors=("Blue", "Red"))]
# Fifty cards that no other deck has, and a deck of the plain ones.
OWN = [optcg(f"Y-{n:02}") for n in range(13)]
OTHERS = {f"Y-{n:02}": 4 for n in range(12)} | {"Y-12": 2}


@pytest.fixture(scope="module")
def table():
    return Table(RULES, *LEADERS, *OWN)


def team(table, rule, *decks):
    return judge_team([TeamDeck(name, deck) for name, deck in zip("ABC", decks, strict=False)], rule)


def codes(verdict):
    return [finding.code for finding in verdict.findings]


def test_decks_that_share_nothing_are_a_legal_team(table):
    for deck in (first := table.verdict(), second := table.verdict(OTHERS, leader={"L-BOTH": 1})):
        assert_legal(deck)
    for rule in (TeamRule(unique_cards=True), TeamRule(unique_leaders=True), TeamRule(copies=4), TeamRule()):
        found = team(table, rule, first, second)
        assert (found.legal, codes(found)) == (True, [])


def test_a_card_number_is_for_one_deck(table):
    shared = table.verdict(OTHERS | {"Y-12": 1, "X-00": 1}, leader={"L-BOTH": 1})
    found = team(table, TeamRule(unique_cards=True), table.verdict(), shared)
    (finding,) = found.findings
    assert not found.legal
    assert (finding.code, finding.severity, finding.rule.section) == ("team.shared_card", "error", "team, unique_cards")
    assert ([card.number for card in finding.cards], finding.details["decks"]) == (["X-00"], {"A": 4, "B": 1})


@pytest.mark.parametrize(("copies", "is_legal"), [(3, False), (4, False), (5, True)])
def test_copies_over_the_team(table, copies, is_legal):
    shared = table.verdict(OTHERS | {"Y-12": 1, "X-00": 1}, leader={"L-BOTH": 1})
    found = team(table, TeamRule(copies=copies), table.verdict(), shared)
    assert found.legal is is_legal
    over = [finding for finding in found.findings if finding.cards[0].number == "X-00"]
    assert [(one.count, one.limit) for one in over] == ([] if is_legal else [(5, copies)])


def test_a_leader_is_for_one_deck(table):
    found = team(table, TeamRule(unique_leaders=True), table.verdict(), table.verdict())
    (finding,) = found.findings
    assert not found.legal
    assert (finding.code, finding.cards[0].number, list(finding.details["decks"])) == (
        "team.shared_leader",
        "X-LEADER",
        ["A", "B"],
    )


def test_a_colour_is_for_one_deck_by_its_leader(table):
    plain, both = table.verdict(), table.verdict(OTHERS, leader={"L-BOTH": 1})
    blue = table.verdict(leader={"L-BLUE": 1})
    (finding,) = team(table, TeamRule(unique_colors=True), plain, both).findings
    assert (finding.code, finding.details) == ("team.shared_color", {"decks": {"A": 1, "B": 1}, "color": "Red"})
    assert codes(team(table, TeamRule(unique_colors=True), plain, blue)) == []


def test_without_leaders_the_colours_are_those_of_the_cards():
    table = Table("gundam-1.9.0", *(gundam(f"W-{n:02}", colors=("White",)) for n in range(13)))
    white = table.verdict({f"W-{n:02}": 4 for n in range(12)} | {"W-12": 2})
    rule = TeamRule(unique_colors=True)
    assert codes(team(table, rule, table.verdict(), white)) == []
    (finding,) = team(table, rule, table.verdict(), table.verdict()).findings
    assert finding.details == {"decks": {"A": 50, "B": 50}, "color": "Blue"}


def test_what_is_shared_is_advice_where_the_organiser_has_no_rule(table):
    found = team(table, TeamRule(), table.verdict(), table.verdict())
    assert found.legal
    assert {finding.severity for finding in found.findings} == {"advice"}
    assert set(codes(found)) == {"team.shared_leader", "team.shared_card"}


def test_a_team_is_no_better_than_each_of_its_decks(table):
    short = table.verdict(names("optcg", 49), fill=False)
    found = team(table, TeamRule(unique_colors=False, copies=200), short, table.verdict(OTHERS, leader={"L-BOTH": 1}))
    assert (found.legal, codes(found)) == (False, [])
    assert [one["verdict"]["legal"] for one in found.as_dict()["decks"]] == [False, True]
    assert ["checked" in one["verdict"] for one in found.as_dict()["decks"]] == [False, False]
    assert ["checked" in one["verdict"] for one in found.as_dict(explain=True)["decks"]] == [True, True]


def test_resources_are_nobodys_own():
    table = Table("gundam-1.9.0")
    deck = table.verdict(resource={"R-01": 10})
    held = {card.number for one in team(table, TeamRule(copies=0), deck, deck).findings for card in one.cards}
    assert "R-01" not in held
    assert "X-00" in held


def test_two_decks_of_one_name_are_refused(table):
    deck = TeamDeck("A", table.verdict())
    with pytest.raises(ValueError, match="one name"):
        judge_team([deck, deck], TeamRule())
