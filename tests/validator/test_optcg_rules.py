"""One test for each statement that RULES makes of the ONE PIECE CARD GAME and of lists and rotation."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from tests.validator.table import Table, assert_illegal, assert_legal, clause, names, optcg
from validator import Card, Line
from validator.account import group_findings
from validator.decklists import parse

RULES = "optcg-1.1.9"


def test_exactly_one_leader():
    table = Table(RULES, optcg("L-2", "Leader"))
    assert_legal(table.verdict())
    assert_illegal(table.verdict(leader={}), "leader.count", "leader", "5-1-2", count=0, limit=1, minimum=1)
    assert_illegal(table.verdict(leader={"X-LEADER": 1, "L-2": 1}), "leader.count", "leader", "5-1-2", count=2)


@pytest.mark.parametrize("size", [49, 51])
def test_exactly_fifty_cards(size):
    table = Table(RULES)
    assert_legal(table.verdict(names("optcg", 50), fill=False))
    assert_illegal(
        table.verdict(names("optcg", size), fill=False), "size", "main", "5-1-2", count=size, limit=50, minimum=50
    )


@pytest.mark.parametrize("type", ["Character", "Event", "Stage", "Leader", "DON!!"])
def test_card_types(type):
    verdict = Table(RULES, optcg("T-1", type)).verdict({"T-1": 2})
    if type in ("Character", "Event", "Stage"):
        assert_legal(verdict)
    else:
        assert_illegal(verdict, "type.misplaced", "main", "5-1-2-1", "T-1", count=2)


def test_only_colours_of_the_leader():
    both = optcg("L-2", "Leader", colors=("Red", "Green"))
    cards = [
        optcg("C-G", colors=("Green",)),
        optcg("C-RG", colors=("Red", "Green")),
        optcg("C-RB", colors=("Red", "Blue")),
    ]
    table = Table(RULES, both, *cards)
    assert_legal(table.verdict({"C-G": 4, "C-RG": 4}, leader={"L-2": 1}))
    assert_illegal(table.verdict({"C-RB": 1}, leader={"L-2": 1}), "color.mismatch", "main", "5-1-2-2", "C-RB", count=1)
    assert_illegal(table.verdict({"C-RG": 3}), "color.mismatch", "main", "5-1-2-2", "C-RG", count=3)


def test_without_one_rightful_leader_colours_are_not_judged():
    blue = optcg("C-B", colors=("Blue",))
    table = Table(RULES, blue, optcg("L-2", "Leader"))
    assert table.verdict({"C-B": 4}, leader={}).codes == ["leader.count"]
    assert table.verdict({"C-B": 4}, leader={"X-LEADER": 1, "L-2": 1}).codes == ["leader.count"]
    assert table.verdict({"C-B": 4}, leader={"X-01": 1}).codes == ["type.misplaced"]
    assert table.verdict({"C-B": 4}, leader={"OP99-999": 1}).codes == ["card.unknown"]


def test_a_misplaced_card_has_no_colour_but_counts_for_size_and_copies():
    table = Table(RULES, optcg("L-B", "Leader", colors=("Blue",)))
    assert table.verdict({"L-B": 1}).codes == ["type.misplaced"]
    assert table.verdict({"L-B": 5}).codes == ["copies.exceeded", "type.misplaced"]


def test_four_copies():
    table = Table(RULES, optcg("C-1"))
    assert_legal(table.verdict({"C-1": 4}))
    assert_illegal(table.verdict({"C-1": 5}), "copies.exceeded", "main", "5-1-2-3", "C-1", count=5, limit=4)


def test_any_number_of_this_card():
    table = Table(RULES, optcg("C-ANY", construction=(clause("copies", "any number", limit=None),)))
    assert_legal(table.verdict({"C-ANY": 50}))
    assert_illegal(table.verdict({"C-ANY": 51}), "size", "main", "5-1-2", count=51)


def test_a_leader_may_bar_cards():
    bars = clause("forbid", "no cards with a cost of 5 or more", match={"cost": {"min": 5}})
    table = Table(RULES, optcg("L-2", "Leader", construction=(bars,)), optcg("C-4", cost=4), optcg("C-5", cost=5))
    assert_legal(table.verdict({"C-4": 4}, leader={"L-2": 1}))
    assert_legal(table.verdict({"C-5": 4}))
    verdict = table.verdict({"C-5": 4}, leader={"L-2": 1})
    found = assert_illegal(
        verdict, "effect.forbidden", "main", "no cards with a cost of 5 or more", "C-5", count=4, limit=0
    )
    assert found.rule.document == "L-2 Pirate L-2"


@pytest.mark.parametrize("don", [9, 11])
def test_don_deck_of_ten_or_not_written_out(don):
    table = Table(RULES)
    assert_legal(table.verdict(don={"DON!!": 10}))
    assert_legal(table.verdict(don={}))
    assert_illegal(table.verdict(don={"DON!!": don}), "size", "don", "5-1-2", count=don, limit=10, minimum=10)


def test_a_list_of_some_don_cards_is_advised_and_legal():
    table = Table(RULES)
    listed = parse("DON!! x1 (gold)").deck
    verdict = table.verdict()
    judged = verdict.judge(replace(verdict.facts.deck, don=listed.don))
    assert (judged.legal, judged.codes) == (True, ["advice.don_listed"])
    assert (judged.findings[0].count, judged.findings[0].limit) == (1, 10)
    many = verdict.judge(replace(verdict.facts.deck, don=parse("11 DON!!").deck.don))
    assert (many.legal, many.codes) == (False, ["size"])


def test_a_leader_may_have_a_don_deck_of_another_size():
    six = clause("don_size", "a DON!! deck of 6", size=6)
    table = Table(RULES, optcg("L-2", "Leader", construction=(six,)))
    assert_legal(table.verdict(leader={"L-2": 1}))
    assert_legal(table.verdict(leader={"L-2": 1}, don={"DON!!": 6}))
    assert_illegal(
        table.verdict(leader={"L-2": 1}, don={"DON!!": 10}), "size", "don", "a DON!! deck of 6", count=10, limit=6
    )


@pytest.mark.parametrize("leader", [{}, {"X-LEADER": 2}, {"X-LEADER": 1, "L-2": 1}, {"X-29": 1}])
def test_a_don_deck_is_counted_whatever_the_leader_section_holds(leader):
    six = clause("don_size", "a DON!! deck of 6", size=6)
    table = Table(RULES, optcg("L-2", "Leader", construction=(six,)))
    right, wrong = (table.verdict(leader=leader, don={"DON!!": size}) for size in (10, 9))
    assert [finding.code for finding in wrong.findings if finding not in right.findings] == ["size"]
    (found,) = (finding for finding in wrong.findings if finding.section == "don")
    assert (found.rule.section, found.count, found.limit) == ("5-1-2", 9, 10)


def test_another_card_among_the_don_cards_is_misplaced():
    verdict = Table(RULES).verdict(don={"DON!!": 9, "X-29": 1})
    assert_illegal(verdict, "type.misplaced", "don", "5-1-2", "X-29", count=1)


@pytest.mark.parametrize("section", ["side", "z"])
def test_no_side_deck(section):
    assert_illegal(Table(RULES).verdict(**{section: {"X-29": 1}}), "section.not_allowed", section, "5-1-2", count=1)


def test_names_that_several_cards_share_are_never_guessed():
    twins = [Card("optcg", f"T-{n}", "Nami", "Character", colors=("Red",)) for n in (1, 2)]
    table = Table(RULES, *twins)
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}, 48))
    deck.main += (Line(None, 2, "nami"),)
    found = assert_illegal(table.judge(deck), "card.ambiguous", "main", "33 cards", "nami", count=2)
    assert [card.number for card in found.suggestions] == ["T-1", "T-2"]


def test_the_cards_of_one_name_are_shown_with_their_line_and_how_many_more_there_are():
    table = Table(RULES, *(Card("optcg", f"T-{n}", "Nami", "Character", colors=("Red",)) for n in range(9)))
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}, 48))
    deck.main += (Line(None, 2, "Nami", at=7),)
    said = table.judge(deck).findings[0].message
    shown = ", ".join(f"T-{n} Nami" for n in range(5))
    assert said == f"Line 7: Several cards are called “Nami”: {shown} and 4 more."


# Limits lists: real numbers and days, invented cards.


def test_a_banned_card():
    table = Table(RULES, optcg("OP14-020", "Leader"), optcg("OP03-040"), day=date(2026, 10, 12), format="extra")
    found = assert_illegal(
        table.verdict({"OP03-040": 1}), "card.banned", "main", "Banned Cards", "OP03-040", count=1, limit=0
    )
    assert found.limits.effective_from == "2025-08-30"
    assert found.limits.source.startswith("https://")
    # A Leader can be banned, and only from its day.
    assert table.verdict(leader={"OP14-020": 1}).codes == ["card.banned"]
    before = Table(RULES, optcg("OP14-020", "Leader"), day=date(2026, 10, 11), format="extra")
    assert_legal(before.verdict(leader={"OP14-020": 1}))


def test_a_restricted_card_over_its_limit_is_not_also_over_the_copies():
    table = Table(RULES, optcg("OP02-018"), day=date(2023, 8, 1))
    assert_legal(table.verdict({"OP02-018": 1}))
    for copies in (2, 5):
        verdict = table.verdict({"OP02-018": copies})
        assert_illegal(verdict, "card.restricted", "main", "Restricted Cards", "OP02-018", count=copies, limit=1)


def test_a_banned_pair_and_the_leader_counts():
    table = Table(RULES, optcg("OP11-040", "Leader"), optcg("OP11-067"), optcg("OP08-069"), format="extra")
    assert_legal(table.verdict({"OP11-067": 4}))
    assert_legal(table.verdict(leader={"OP11-040": 1}))
    verdict = table.verdict({"OP11-067": 4}, leader={"OP11-040": 1})
    assert_illegal(verdict, "pair.banned", "leader", "Banned Pair Cards", "OP11-040", "OP11-067")
    both = table.verdict({"OP11-067": 4, "OP08-069": 1}, leader={"OP11-040": 1})
    # A pair with the Leader stands where the Leader stands, whichever number comes first.
    assert [(found.code, found.section) for found in both.findings] == [("pair.banned", "leader")] * 2


def test_policy_may_leave_the_lists_out():
    assert_legal(Table(RULES, optcg("OP03-040"), format="extra", limits=False).verdict({"OP03-040": 4}))


def test_blocks_rotate_in_standard_and_not_in_extra():
    # A block-1 card, a super-parallel exception, a card treated as block 4, a promo by its icon.
    cards = [
        optcg("OP01-001", block="1"),
        optcg("OP01-120", block="1"),
        optcg("OP01-039", block="1"),
        optcg("P-041", block="2"),
    ]
    four = {card.number: 4 for card in cards}
    verdict = Table(RULES, *cards, day=date(2026, 4, 1)).verdict(four)
    section = "Standard Regulation: blocks 2, 3, 4, 5"
    found = assert_illegal(verdict, "block.rotated", "main", section, "OP01-001", count=4, limit=0)
    assert found.limits.effective_from == "2026-04-01"
    assert_legal(Table(RULES, *cards, day=date(2026, 4, 1), format="extra").verdict(four))
    assert_legal(Table(RULES, *cards, day=date(2026, 3, 31)).verdict(four))
    assert Table(RULES, *cards, day=date(2027, 4, 1)).verdict(four).codes == ["block.rotated"] * 2


def test_the_set_decides_the_block_not_the_icon():
    # The English list prints 1 on many cards of OP05, which is block 2.
    assert_legal(Table(RULES, optcg("OP05-001", block="1"), day=date(2026, 5, 1)).verdict({"OP05-001": 4}))


@pytest.mark.parametrize("number", ["OP02-005", "OP01-039"])
def test_a_card_whose_exception_has_ended_was_legal_to_the_end_of_it(number):
    last = date(2029, 3, 31)
    cards = optcg(number, block="1"), optcg("OP01-001", block="1")
    assert_legal(Table(RULES, *cards, day=last).verdict({number: 4}))
    verdict = Table(RULES, *cards, day=last + timedelta(days=1)).verdict({number: 4, "OP01-001": 4})
    told = {finding.cards[0].number: finding for finding in verdict.findings}
    exceptional, usual = told[number], told["OP01-001"]
    assert (exceptional.details["until"], exceptional.details["treated_as"]) == ("2029-03-31", "4")
    assert "2029-03-31" in exceptional.message
    assert "2026-03-31" not in exceptional.message
    assert (usual.details["until"], usual.details["treated_as"]) == ("2026-03-31", None)
    assert len(group_findings(verdict).findings) == 2
