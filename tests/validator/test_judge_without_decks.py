"""What a Judge answers of cards without a deck: limits that no rule has to check, and the Leaders that are legal."""

import pytest

from tests.validator.table import Table, clause, optcg
from validator.deck import SECTIONS
from validator.findings import Citation, Finding, NamedCard
from validator.judge import finding_sort_key
from validator.team import SHARED_CARD, SHARED_COLOR

BANNED = optcg("OP03-040")
BLUE = optcg("B-1", colors=("Blue",))
LEADERS = [
    optcg("L-1", "Leader", colors=("Red",), construction=(clause("forbid", match={"cost": {"min": 9}}),)),
    optcg("L-2", "Leader", colors=("Red", "Blue")),
    optcg("L-3", "Leader", colors=("Red",)),
]
TABLE = Table("optcg-1.2.1", BANNED, BLUE, *LEADERS)
RED = TABLE.catalogue.by_number("X-LEADER")


@pytest.mark.parametrize(
    ("ruleset", "copies"),
    [
        ("optcg-1.2.1", {"main": 4, "don": 0}),
        ("dbs-4.00", {"main": 4, "side": 4, "z": 4}),
        ("gundam-1.9.0", {"main": 4, "side": 4}),
        ("bos-1.3", dict.fromkeys(SECTIONS, 0)),
    ],
)
def test_copies_of_each_card_that_no_rule_has_to_check(ruleset, copies):
    judge = Table(ruleset).judge
    assert {section: judge.unchecked_copies(section) for section in SECTIONS} == dict.fromkeys(SECTIONS) | copies
    assert judge.asks_always is (ruleset == "bos-1.3")


@pytest.mark.parametrize(
    ("number", "limits", "is_let_in"),
    [("X-01", {}, True), ("OP03-040", {"limits": 0, "blocks": 0}, False), ("B-1", {"colors": 0}, False)],
)
def test_the_limits_of_a_card_under_a_leader(number, limits, is_let_in):
    card = TABLE.catalogue.by_number(number)
    assert TABLE.judge.card_limits(card, "main", RED) == limits
    assert TABLE.judge.lets_in(card, "main", RED) is is_let_in
    assert not TABLE.judge.lets_in(card, "leader", RED)


def test_legal_leaders_by_colours_those_with_clauses_last():
    found = {colors: [card.number for card in cards] for colors, cards in TABLE.judge.leaders.items()}
    assert found == {("Red",): ["L-3", "X-LEADER", "L-1"], ("Blue", "Red"): ["L-2"]}
    assert TABLE.judge.leader_group_key(RED) == TABLE.judge.leader_group_key(LEADERS[2]) == ("Red",)
    assert TABLE.judge.leader_group_key(LEADERS[0]) is LEADERS[0]
    assert TABLE.judge.leader_group_key(None) is None
    assert Table("bos-1.3").judge.leader_group_key(TABLE.catalogue.by_number("X-01")) == ()


def test_findings_are_sorted_by_section_code_card_and_line():
    def finding(section, code, number="", name="", line=None):
        cards = (NamedCard(number, name),) if number or name else ()
        return Finding(code, Citation("Manual", "1"), section, cards=cards, line=line)

    in_order = [
        finding("leader", SHARED_CARD),
        finding("main", SHARED_CARD),
        finding("main", SHARED_CARD, "A-1", "Nami"),
        finding("main", SHARED_CARD, "A-1", "Zoro", 2),
        finding("main", SHARED_CARD, "A-1", "Zoro", 3),
        finding("main", SHARED_CARD, "A-2", "Ann"),
        finding("main", SHARED_COLOR),
        finding("side", SHARED_CARD, "A-1"),
        finding(None, SHARED_CARD, "A-0"),
    ]
    mixed = in_order[::2] + in_order[1::2]
    assert sorted(mixed, key=finding_sort_key) == in_order
