"""The numbers and citations in the public findings of teams, by each organiser's rule."""

import pytest

from tests.validator.table import Table, optcg
from validator.team import TeamDeck, TeamRule, judge_team

OWN = [optcg(f"Y-{n:02}") for n in range(13)]
OTHERS = {f"Y-{n:02}": 4 for n in range(12)} | {"Y-12": 1, "X-00": 1}


@pytest.mark.parametrize(
    ("rule", "code", "section", "count", "limit"),
    [
        (TeamRule(unique_leaders=True), "team.shared_leader", "team, unique_leaders", 2, None),
        (TeamRule(unique_cards=True), "team.shared_card", "team, unique_cards", 5, None),
        (TeamRule(copies=4), "team.shared_card", "team, copies", 5, 4),
        (TeamRule(unique_colors=True), "team.shared_color", "team, unique_colors", 2, 1),
    ],
)
def test_a_shared_thing_is_counted(rule, code, section, count, limit):
    table = Table("optcg-1.2.0", *OWN)
    decks = [TeamDeck("Ann", table.verdict()), TeamDeck("Bo", table.verdict(OTHERS))]
    verdict = judge_team(decks, rule).as_dict()
    assert verdict["legal"] is False
    (found,) = [one for one in verdict["findings"] if one["code"] == code]
    assert (found["count"], found["limit"], found["severity"]) == (count, limit, "error")
    assert found["rule"]["section"] == section


def test_without_a_rule_what_is_shared_is_advice():
    table = Table("optcg-1.2.0", *OWN)
    verdict = judge_team(
        [TeamDeck("Ann", table.verdict()), TeamDeck("Bo", table.verdict(OTHERS))], TeamRule()
    ).as_dict()
    assert verdict["legal"] is True
    assert {(one["code"], one["severity"], one["count"]) for one in verdict["findings"]} == {
        ("team.shared_leader", "advice", 2),
        ("team.shared_card", "advice", 5),
    }
