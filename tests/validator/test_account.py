"""Accounts: what people read of a verdict loses no card, and says the same of its legality."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.validator.table import Table, optcg
from validator import Deck, Line, Unread
from validator.account import group_findings
from validator.findings import ERROR

RULES = "optcg-1.2.1"
BLUE = [optcg(f"B-{n}", colors=("Blue",)) for n in range(1, 4)]
TABLE = Table(RULES, *BLUE, optcg("OP01-099", block="1"), optcg("OP01-098", block="1"))


def summarise_findings(verdict):
    """Return the code and the card numbers of each finding that people see."""
    return [(finding.code, [card.number for card in finding.cards]) for finding in group_findings(verdict).findings]


def test_findings_of_one_kind_and_reason_stand_as_one_with_every_card():
    verdict = TABLE.verdict({"B-1": 4, "B-2": 4, "B-3": 2, "OP01-098": 4, "OP01-099": 4})
    assert summarise_findings(verdict) == [
        ("block.rotated", ["OP01-098", "OP01-099"]),
        ("color.mismatch", ["B-1", "B-2", "B-3"]),
    ]
    assert len(verdict.as_dict()["findings"]) == 5
    for finding in group_findings(verdict).findings:
        assert all(card.number in finding.message for card in finding.cards)
    assert [finding.count for finding in group_findings(verdict).findings] == [8, 10]


def test_findings_of_two_reasons_stay_two():
    purple = optcg("V-1", colors=("Purple",))
    verdict = Table(RULES, *BLUE, purple).verdict({"B-1": 4, "V-1": 4})
    assert summarise_findings(verdict) == [("color.mismatch", ["B-1"]), ("color.mismatch", ["V-1"])]


def test_unknown_cards_that_are_like_nothing_stand_as_one():
    verdict = TABLE.verdict({"OP97-001": 4, "OP97-002": 4})
    assert summarise_findings(verdict) == [("card.unknown", ["OP97-001", "OP97-002"])]


def test_what_an_unknown_card_may_explain_is_left_out_and_stays_in_the_findings():
    main = TABLE.fill_main({"OP97-001": 1}, 51)
    verdict = TABLE.judge(TABLE.deck(main=main))
    assert verdict.codes == ["leader.count", "card.unknown", "size"]
    assert [finding.code for finding in group_findings(verdict).hanging] == ["leader.count", "size"]
    assert summarise_findings(verdict) == [("card.unknown", ["OP97-001"])]
    assert not verdict.legal


def test_what_no_unknown_card_explains_is_told():
    two_over = TABLE.judge(TABLE.deck(main=TABLE.fill_main({"OP97-001": 1}, 52)))
    assert [code for code, _ in summarise_findings(two_over)] == ["card.unknown", "size"]
    four = TABLE.judge(TABLE.deck(main=TABLE.fill_main({"OP97-001": 4}, 50)))
    assert [code for code, _ in summarise_findings(four)] == ["card.unknown", "leader.count"]
    known = TABLE.judge(TABLE.deck(main=TABLE.fill_main({}, 51)))
    assert [code for code, _ in summarise_findings(known)] == ["leader.count", "size"]


def test_lines_that_could_not_be_read_come_before_what_follows_from_them():
    deck = TABLE.deck(leader={"X-LEADER": 1}, main=TABLE.fill_main({}, 46))
    deck.unread = (Unread(4, "4 OP01-016 something"),)
    verdict = TABLE.judge(deck)
    assert verdict.codes == ["size", "line.unread"]
    assert [code for code, _ in summarise_findings(verdict)] == ["line.unread", "size"]


NUMBERS = ["X-LEADER", "X-01", "X-02", "B-1", "B-2", "OP01-098", "OP97-001", "OP97-002", "FB01-001"]
LINES = st.lists(st.builds(Line, st.sampled_from(NUMBERS), st.integers(1, 60)), max_size=6).map(tuple)


@given(st.builds(Deck, leader=LINES, main=LINES, side=LINES))
def test_no_card_and_no_error_is_lost_between_a_verdict_and_its_account(deck):
    verdict = TABLE.judge(deck)
    _, findings, hanging = group_findings(verdict)
    assert verdict.legal is not any(finding.severity == ERROR for finding in findings)
    shown = [(finding.code, card) for finding in (*findings, *hanging) for card in finding.cards]
    assert sorted(shown, key=str) == sorted(
        ((one.code, card) for one in verdict.findings for card in one.cards), key=str
    )
    assert {one.code for one in (*findings, *hanging)} == set(verdict.codes)
    assert all(finding.message and finding.fix for finding in findings)
