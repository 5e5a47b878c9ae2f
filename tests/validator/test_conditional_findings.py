"""Conditional findings: those that vanish if an unknown card of the deck is the Leader or a Z-Card."""

import pytest

from tests.validator.table import Table, names, optcg
from validator.account import group_findings, headline, is_unjudgeable
from validator.deck import Line


def group_codes(table, main, unknown, has_leader):
    """Return the codes of the conditional findings and of the others on a deck of plain and unknown cards."""
    leader = {"leader": {"X-LEADER": 1}} if has_leader else {}
    verdict = table.judge(table.deck(**leader, main={**names(table.game, main), **unknown}))
    found = group_findings(verdict)
    assert len(found.hanging) + len(found.findings) == len(verdict.findings) - len(unknown) + bool(unknown)
    return [finding.code for finding in found.hanging], [finding.code for finding in found.findings]


@pytest.mark.parametrize(
    ("ruleset", "main", "unknown", "has_leader", "conditional", "others"),
    [
        ("optcg-1.2.1", 50, {"QX-1": 1}, False, ["leader.count", "size"], ["card.unknown"]),
        ("optcg-1.2.1", 49, {"QX-1": 1}, False, ["leader.count"], ["card.unknown"]),
        ("optcg-1.2.1", 51, {"QX-1": 1}, False, ["leader.count"], ["card.unknown", "size"]),
        ("optcg-1.2.1", 50, {"QX-1": 2}, False, [], ["card.unknown", "leader.count", "size"]),
        ("optcg-1.2.1", 50, {"QX-1": 1}, True, [], ["card.unknown", "size"]),
        ("optcg-1.2.1", 51, {}, False, [], ["leader.count", "size"]),
        ("dbs-4.00", 60, {"QX-1": 1}, True, ["size"], ["card.unknown"]),
        ("dbs-4.00", 60, {"QX-1": 2, "QX-2": 2}, True, ["size"], ["card.unknown"]),
        ("dbs-4.00", 58, {"QX-1": 3}, False, ["size"], ["card.unknown", "leader.count"]),
    ],
)
def test_an_unknown_card_may_be_the_leader_or_a_z_card(ruleset, main, unknown, has_leader, conditional, others):
    assert group_codes(Table(ruleset), main, unknown, has_leader) == (conditional, others)


@pytest.mark.parametrize(("type", "conditional"), [("Leader", ["leader.count", "size"]), ("Event", [])])
def test_a_name_of_several_cards_may_be_the_leader_if_one_of_them_is(type, conditional):
    table = Table("optcg-1.2.1", *(optcg(f"C-{n}", kind, back_name="Same") for n, kind in enumerate(("Event", type))))
    deck = table.deck(main=names("optcg", 50))
    deck.main = (*deck.main, Line(None, 1, "Same"))
    assert [finding.code for finding in group_findings(table.judge(deck)).hanging] == conditional


@pytest.mark.parametrize(
    ("main", "unknown", "is_doubtful", "text"),
    [
        (50, {}, False, "LEGAL"),
        (49, {}, False, "NOT LEGAL"),
        (25, {"QX-1": 25}, False, "NOT LEGAL"),
        (24, {"QX-1": 26}, True, "CANNOT BE JUDGED"),
    ],
)
def test_a_deck_of_mostly_unknown_cards_cannot_be_judged(main, unknown, is_doubtful, text):
    table = Table("optcg-1.2.1")
    verdict = table.verdict({**names("optcg", main), **unknown}, fill=False)
    assert (is_unjudgeable(verdict), headline(verdict)) == (is_doubtful, text)
