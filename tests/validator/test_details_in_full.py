"""Details that depend on more than one thing at a time: policies, Leaders of other colours, days that are bounds."""

from dataclasses import replace
from datetime import date

import pytest

from tests.validator.table import Table, optcg
from validator import rulesets
from validator.account import group_findings
from validator.deck import Unread
from validator.errors import PolicyError
from validator.judge import Policy


@pytest.mark.parametrize(
    ("policy", "key"),
    [
        ({"side_max": 10}, "side_max"),
        ({"copies_across_side": True}, "copies_across_side"),
        ({"copies_across_side": False}, "copies_across_side"),
        ({"side_max": 10, "copies_across_side": True}, "side_max"),
    ],
)
def test_a_policy_on_side_decks_is_refused_by_its_name_where_there_are_none(policy, key):
    with pytest.raises(PolicyError) as refused:
        Table("optcg-1.1.9", **policy)
    assert key in str(refused.value)
    other = ({"side_max", "copies_across_side"} - {key}).pop()
    assert other not in str(refused.value)


@pytest.mark.parametrize(("colors", "named"), [(("Blue",), "Blue"), (("Blue", "Green"), "Blue and Green")])
def test_a_deck_under_the_leader_of_another_colour_is_told_in_one_sentence(colors, named):
    cards = [optcg(f"C-{n:02}", colors=(colors[n % len(colors)],)) for n in range(12)]
    verdict = Table("optcg-1.1.9", *cards).verdict({card.number: 4 for card in cards})
    (found,) = [one for one in group_findings(verdict).diagnoses if "X-LEADER" in one.message]
    assert f"({named})" in found.message
    assert "48 of the deck's 50 cards" in found.message


def test_policies_that_allow_a_side_deck_have_its_rules():
    edition = rulesets()["dbs-launch"]
    assert "side" not in edition.sections
    with_side = edition.with_policy(Policy(side_max=10), date(2018, 1, 1), None)
    assert "side" in with_side.sections
    assert edition.with_policy(Policy(), date(2018, 1, 1), None) is edition


def test_lines_that_nobody_could_read_are_in_their_order():
    table = Table("optcg-1.1.9")
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}))
    unread = tuple(Unread(at, f"Nami R {at}", "it is not clear how many") for at in (12, 7, 9))
    assert [found.line for found in table.judge(replace(deck, unread=unread)).findings] == [7, 9, 12]
