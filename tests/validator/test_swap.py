"""Swapping between games, as the Battle of Souls book has it and as tournament policy has it elsewhere."""

from dataclasses import replace

import pytest

from tests.validator.table import Table
from validator.deck import Line, Unread
from validator.swap import judge_swap

SIDE = {"Warrior 28": 2, "Warrior 29": 1}


def bos(main, side):
    table = Table("bos-1.3")
    return table.deck(main=main, side=side)


def full(**special):
    return Table("bos-1.3").fill_main({name.replace("_", " "): n for name, n in special.items()})


def test_cards_that_change_places_are_a_good_swap():
    judge = Table("bos-1.3").judge
    before = bos(full(Warrior_27=2), SIDE)
    after = bos(full(Warrior_28=2), {"Warrior 27": 2, "Warrior 29": 1})
    assert judge_swap(judge, before, after).codes == []
    assert judge_swap(judge, before, before).legal


def test_new_and_missing_cards_are_one_finding_that_names_them():
    judge = Table("bos-1.3").judge
    before = bos(full(Warrior_27=2), SIDE)
    after = bos(full(Warrior_26=2), SIDE)
    (found,) = judge_swap(judge, before, after).findings
    assert (found.code, found.count) == ("swap.cards_changed", 4)
    assert found.rule.section == "Getting started, Side deck; Preparing to battle 3"
    assert [(card.name, card.count) for card in found.cards] == [("Warrior 26", 2), ("Warrior 27", 2)]


def test_the_side_deck_keeps_its_size():
    judge = Table("bos-1.3").judge
    before = bos({**full(), "Warrior 27": 1}, SIDE)
    after = bos({**full(), "Warrior 27": 1, "Warrior 29": 1}, {"Warrior 28": 2})
    (found,) = judge_swap(judge, before, after).findings
    assert (found.code, found.count, found.limit) == ("swap.side_size", 2, 3)


@pytest.mark.parametrize(
    ("policy", "severity", "citation"),
    [({}, "warning", "side deck, swapping between games"), ({"swap_one_for_one": True}, "error", "swap_one_for_one")],
)
def test_where_decks_may_change_their_size_the_side_deck_may_too_unless_the_event_says_otherwise(
    policy, severity, citation
):
    table = Table("dbs-4.00", **policy)
    side = {"X-28": 4, "X-29": 4}
    before = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({"X-27": 4}, 54), side=side)
    after = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({"X-27": 4, "X-28": 4}, 58), side={"X-29": 4})
    (found,) = judge_swap(table.judge, before, after).findings
    assert (found.code, found.count, found.limit) == ("swap.side_size", 4, 8)
    assert (found.severity, found.rule.section) == (severity, citation)
    assert ("8 cards" in found.fix) is (severity == "error")  # the organiser decides on a warning
    assert found.rule.document.startswith("Tournament policy")
    assert judge_swap(table.judge, before, before).codes == []


def test_the_deck_after_swapping_must_still_be_legal():
    judge = Table("bos-1.3").judge
    before = bos(full(Warrior_28=4), SIDE)
    after = bos({**full(Warrior_28=4), "Warrior 28": 6, "Warrior 0": 2}, {"Warrior 0": 2, "Warrior 29": 1})
    assert "copies.exceeded" in judge_swap(judge, before, after).codes


def test_what_a_swap_did_wrong_stands_among_the_other_findings_in_their_order():
    judge = Table("bos-1.3").judge
    before = bos(full(Warrior_27=2), SIDE)
    after = bos({**full(Warrior_26=2), "Warrior 28": 6}, {"Warrior 28": 2, "Nobody": 1})
    codes = [(found.section, found.code) for found in judge_swap(judge, before, after).findings]
    assert codes == sorted(codes)
    assert {"swap.cards_changed", "card.unknown"} <= {code for _, code in codes}


def test_another_leader_is_another_deck():
    table = Table("dbs-4.00")
    before = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}))
    after = table.deck(leader={"X-29": 1}, main=table.fill_main({}))
    assert judge_swap(table.judge, before, after).codes == ["type.misplaced", "swap.cards_changed"]


def test_z_cards_may_come_from_the_side_deck():
    table = Table("dbs-4.00")
    before = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}), side={"Z-01": 1}, z={"Z-02": 1})
    after = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}), side={"Z-02": 1}, z={"Z-01": 1})
    assert judge_swap(table.judge, before, after).codes == []


def test_without_a_side_deck_nothing_changes():
    table = Table("optcg-1.1.9")
    before = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}))
    after = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({"X-29": 1}))
    (found,) = judge_swap(table.judge, before, after).findings
    assert (found.code, found.rule.section) == ("swap.cards_changed", "5-1-2")


def test_don_cards_go_without_saying():
    table = Table("optcg-1.1.9")
    silent = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}))
    said = replace(silent, don=(Line(None, 10, "DON!!"),))
    assert judge_swap(table.judge, silent, said).codes == []
    assert judge_swap(table.judge, said, silent).codes == []
    fewer = replace(silent, don=(Line(None, 9, "DON!!"),))
    assert "swap.cards_changed" in judge_swap(table.judge, said, fewer).codes


def test_a_line_of_the_deck_before_that_nobody_could_read_is_a_finding():
    table = Table("optcg-1.1.9")
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}))
    unsure = replace(deck, unread=(Unread(7, "Nami R 4", "it is not clear how many"), Unread(1, "My deck", "no card")))
    (found,) = judge_swap(table.judge, unsure, deck).findings
    assert (found.code, found.line, found.severity) == ("line.unread", 7, "error")


def test_an_unknown_card_is_the_same_in_any_spelling_and_printing():
    table = Table("optcg-1.1.9")
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}))
    before, after = (
        replace(deck, main=(*deck.main, Line(number, 1), Line(None, 1, name)))
        for number, name in (("OP99-001", "Nobody’s Card"), ("op99001_p1", "NOBODY'S  card"))
    )
    assert "swap.cards_changed" not in judge_swap(table.judge, before, after).codes
