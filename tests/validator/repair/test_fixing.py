"""Fixes: the changes of all findings of a verdict are one plan, with any other errors in the deck."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.validator.repair.applying import apply_changes, assert_sentence_says, join_changes
from tests.validator.repair.small import draw_deck
from tests.validator.table import TODAY, Table, dbs, gundam, names, optcg
from validator import Deck, Line
from validator.account import group_findings
from validator.deck import Unread
from validator.limits import shipped_lists
from validator.repair import count_fewest_changes, repair

OPTCG, DBS, GUNDAM = "optcg-1.2.1", "dbs-4.00", "gundam-1.9.0"
LISTED = shipped_lists("optcg").listed.in_force_on(TODAY)
PAIR = LISTED.pairs[0].numbers
BANNED = next(number for number, one in LISTED.singles.items() if not one.limit)
BLUE = [optcg(f"B-{n:02}", colors=("Blue",)) for n in range(13)]
BLUE_LEADER = optcg("B-LEADER", "Leader", colors=("Blue",))


def plan(verdict):
    """Return the changes of all findings as three lists: removals, moves and additions.

    Asserts that the deck is legal after these changes.
    """
    found = verdict.as_dict()
    for finding in found["findings"]:
        if finding["severity"] == "error":
            assert_sentence_says(finding)
    deck = verdict.facts.deck
    after = verdict.judge(apply_changes(verdict.judge, deck, found, Random(0)))
    assert after.legal, [finding.message for finding in after.findings]
    changes = join_changes(found)
    return (
        [(one["section"], one["number"], one["count"]) for one in changes["remove"]],
        [(one["from"], one["to"], one["number"], one["count"]) for one in changes["move"]],
        [(one["section"], [card["number"] for card in one["cards"]], one["count"]) for one in changes["add"]],
    )


def changes_of(verdict, code):
    """How many cards the findings of a code remove, move and add."""
    found = [finding for finding in verdict.findings if finding.code == code]
    return sum(change.count for finding in found for change in finding.changes)


def test_the_size_is_fixed_after_everything_else():
    table = Table(OPTCG, BLUE[0])
    verdict = table.verdict({"X-00": 5, "B-00": 2, **{f"X-{n:02}": 4 for n in range(1, 12)}}, fill=False)
    assert verdict.facts.sizes["main"] == 51
    gone, moved, added = plan(verdict)
    assert sorted(gone) == [("main", "B-00", 2), ("main", "X-00", 1)]
    assert (moved, added) == ([], [("main", [], 2)])
    fixes = {finding.code: finding.fix for finding in verdict.findings}
    assert "add 2 cards" in fixes["size"]
    assert "1 copy" in fixes["copies.exceeded"]


def test_a_deck_of_the_right_size_gets_as_many_cards_as_it_loses():
    table = Table(OPTCG, *BLUE[:2])
    verdict = table.verdict({"B-00": 2, "B-01": 3})
    assert [finding.code for finding in verdict.findings] == ["color.mismatch"] * 2
    assert plan(verdict)[2] == [("main", [], 2), ("main", [], 3)]


def test_nothing_is_added_to_a_deck_that_stays_large_enough():
    table = Table(DBS, dbs("L-2", "Leader"))
    assert plan(table.verdict({"L-2": 3}))[2] == [("main", [], 3)]
    assert plan(table.verdict({"L-2": 3, **names("dbs", 50)}, fill=False))[2] == []
    assert plan(table.verdict({"L-2": 3, **names("dbs", 48)}, fill=False))[2] == [("main", [], 2)]


def test_a_size_that_other_fixes_mend_asks_for_nothing():
    verdict = Table(OPTCG).verdict({**names("optcg", 50), "X-00": 7}, fill=False)
    assert plan(verdict) == ([("main", "X-00", 3)], [], [])
    assert changes_of(verdict, "size") == 0


def test_copies_of_a_card_of_another_colour_are_removed_once():
    table = Table(OPTCG, BLUE[0])
    verdict = table.verdict({"B-00": 6})
    assert sorted(finding.code for finding in verdict.findings) == ["color.mismatch", "copies.exceeded"]
    assert plan(verdict)[0] == [("main", "B-00", 6)]


def test_the_one_leader_beside_a_character_leads_the_deck():
    table = Table(OPTCG, BLUE[0])
    verdict = table.verdict({"B-00": 2}, leader={"X-LEADER": 1, "X-20": 1})
    assert {finding.code for finding in verdict.findings} == {"leader.count", "type.misplaced", "color.mismatch"}
    gone, moved, _ = plan(verdict)
    assert sorted(gone) == [("main", "B-00", 2)]
    assert moved == [("leader", "main", "X-20", 1)]


def test_a_character_beside_the_leader_goes_if_the_deck_has_no_room_for_it():
    verdict = Table(OPTCG).verdict(leader={"X-LEADER": 1, "X-12": 1})
    assert plan(verdict) == ([("leader", "X-12", 1)], [], [])


def test_two_cards_that_can_lead_hide_the_colours_and_the_plan_removes_one():
    table = Table(OPTCG, BLUE_LEADER)
    verdict = table.verdict(leader={"X-LEADER": 1, "B-LEADER": 1})
    assert [finding.code for finding in verdict.findings] == ["leader.count"]
    assert plan(verdict) == ([("leader", "B-LEADER", 1)], [], [])


def test_of_six_leaders_the_one_of_the_decks_colours_stays():
    others = [
        optcg(f"L-{color}", "Leader", colors=(color,)) for color in ("Blue", "Green", "Purple", "Black", "Yellow")
    ]
    table = Table(OPTCG, *others)
    gone, _, _ = plan(table.verdict(leader={**{card.number: 1 for card in others}, "X-LEADER": 1}))
    assert sorted(gone) == sorted(("leader", card.number, 1) for card in others)


def test_a_leader_in_the_deck_is_moved_and_its_colours_are_checked():
    table = Table(OPTCG, BLUE[0])
    verdict = table.verdict({"X-LEADER": 1, "B-00": 2}, leader={})
    assert "color.mismatch" in {finding.code for finding in verdict.findings}
    gone, moved, added = plan(verdict)
    assert (gone, moved) == ([("main", "B-00", 2)], [("main", "leader", "X-LEADER", 1)])
    assert sum(count for _, _, count in added) == 3


def test_of_two_copies_of_the_leader_in_the_deck_one_is_moved_and_one_removed():
    gone, moved, _ = plan(Table(OPTCG).verdict({"X-LEADER": 2}, leader={}))
    assert (gone, moved) == ([("main", "X-LEADER", 1)], [("main", "leader", "X-LEADER", 1)])


def test_of_two_leaders_in_the_deck_the_one_of_a_banned_pair_counts_as_one_illegal_copy():
    pair = [optcg(PAIR[0], "Leader", colors=("Red", "Blue")), optcg(PAIR[1])]
    table = Table(OPTCG, optcg("A-LEADER", "Leader"), *pair, *BLUE[:1], format="extra")
    verdict = table.verdict({PAIR[1]: 1, "B-00": 2}, leader={"A-LEADER": 1, PAIR[0]: 1})
    assert sorted(plan(verdict)[0]) == sorted([("leader", "A-LEADER", 1), ("main", PAIR[1], 1)])


def test_a_leader_of_which_one_copy_is_allowed_leads_the_deck():
    restricted = next(n for n, one in shipped_lists("dbs").listed.in_force_on(TODAY).singles.items() if one.limit == 1)
    verdict = Table(DBS, dbs(restricted, "Leader")).verdict({restricted: 1}, leader={})
    assert plan(verdict)[1] == [("main", "leader", restricted, 1)]


def test_a_deck_without_a_leader_gets_one_of_its_colours():
    table = Table(OPTCG, BLUE_LEADER, *BLUE)
    assert plan(table.verdict(leader={}))[2] == [("leader", ["X-LEADER"], 1)]
    twins = Table(OPTCG, BLUE_LEADER, optcg("Y-LEADER", "Leader"))
    assert plan(twins.verdict(leader={}))[2] == [("leader", ["X-LEADER", "Y-LEADER"], 1)]
    blue = {card.number: 4 for card in BLUE[:12]} | {"B-12": 2}
    assert plan(table.verdict(blue, leader={}))[2] == [("leader", ["B-LEADER"], 1)]


def test_a_card_that_is_no_leader_in_the_place_of_the_leader_is_replaced():
    table = Table(OPTCG)
    gone, _, added = plan(table.verdict(leader={"X-00": 1}))
    assert (gone, added) == ([("leader", "X-00", 1)], [("leader", ["X-LEADER"], 1)])
    gone, _, added = plan(table.verdict(leader={"ZZ99-999": 1, "X-00": 1}))
    assert (sorted(gone), added) == ([("leader", "X-00", 1), ("leader", "ZZ99-999", 1)], [("leader", ["X-LEADER"], 1)])


def test_an_ambiguous_leader_stays_until_its_number_is_written():
    twins = [replace(optcg(number, "Leader"), name="Twin") for number in ("A-1", "A-2")]
    table = Table(OPTCG, *twins)
    verdict = table.judge(Deck((Line(None, 1, "Twin"),), table.deck(main=names("optcg", 50)).main))
    assert verdict.codes == ["card.ambiguous"]
    assert verdict.findings[0].changes == ()


def test_a_banned_leader_gives_way():
    table = Table(OPTCG, optcg(BANNED, "Leader"), format="extra")
    gone, _, added = plan(table.verdict(leader={BANNED: 1}))
    assert (gone, added) == ([("leader", BANNED, 1)], [("leader", ["X-LEADER"], 1)])


def test_another_leader_is_added_by_the_finding_on_the_banned_one_and_not_by_their_number():
    table = Table(OPTCG, optcg(BANNED, "Leader"), format="extra")
    found = table.verdict(leader={BANNED: 1, "X-20": 1}).findings
    assert {"card.banned", "leader.count"} <= {finding.code for finding in found}
    assert [one.code for one in found for change in one.changes if change.target == "leader"] == ["card.banned"]


def test_a_wrong_leader_is_one_finding_for_people_and_the_leader_is_to_change():
    table = Table(OPTCG, BLUE_LEADER, *BLUE)
    verdict = table.verdict({card.number: 4 for card in BLUE[:12]} | {"B-12": 2})
    assert [finding.code for finding in verdict.findings] == ["color.mismatch"] * 13
    assert plan(verdict) == ([("leader", "X-LEADER", 1)], [], [("leader", ["B-LEADER"], 1)])
    (one,) = group_findings(verdict).findings
    assert (one.code, one.count, len(one.cards)) == ("color.mismatch", 50, 13)
    (diagnosis,) = group_findings(verdict).diagnoses
    assert diagnosis.code == "leader.other"
    assert "50 of the deck's 50 cards" in diagnosis.message


def test_a_leader_of_no_other_choice_stays_and_the_cards_go():
    table = Table(OPTCG, *BLUE)
    verdict = table.verdict({card.number: 4 for card in BLUE[:12]} | {"X-01": 2})
    gone, _, added = plan(verdict)
    assert sum(count for _, _, count in gone) == sum(count for _, _, count in added) == 48


def test_of_a_banned_pair_with_the_leader_the_other_card_goes():
    table = Table(OPTCG, optcg(PAIR[0], "Leader"), optcg(PAIR[1]), format="extra")
    verdict = table.verdict({PAIR[1]: 4}, leader={PAIR[0]: 1})
    assert plan(verdict)[0] == [("main", PAIR[1], 4)]


def test_of_a_banned_pair_in_the_deck_the_card_of_fewer_copies_goes():
    table = Table(OPTCG, optcg(PAIR[0]), optcg(PAIR[1]), format="extra")
    assert plan(table.verdict({PAIR[0]: 2, PAIR[1]: 4}))[0] == [("main", PAIR[0], 2)]


def test_of_a_banned_pair_no_card_goes_if_the_other_goes_for_its_colour():
    table = Table(OPTCG, optcg(PAIR[0], colors=("Blue",)), optcg(PAIR[1]), format="extra")
    verdict = table.verdict({PAIR[0]: 4, PAIR[1]: 2})
    assert plan(verdict)[0] == [("main", PAIR[0], 4)]
    assert changes_of(verdict, "pair.banned") == 0


def test_a_leader_in_the_deck_takes_the_place_of_unknown_cards_by_the_number_of_leaders():
    unknown = {"ZZ99-998": 1, "ZZ99-999": 1}
    for main, code in (({"X-LEADER": 1}, "leader.count"), ({}, "card.unknown")):
        found = Table(OPTCG).verdict(main, leader=unknown).findings
        shown = [finding.code for finding in found for change in finding.changes if change.target == "leader"]
        assert shown == [code]


def test_a_merged_finding_adds_the_cards_of_all_its_findings():
    verdict = Table(OPTCG, *BLUE[:2]).verdict({"B-00": 2, "B-01": 3})
    (merged,) = group_findings(verdict).findings
    assert [change.count for change in merged.changes if not change.cards] == [5]


def test_a_small_sideboard_is_left_out_and_a_large_one_is_filled():
    table = Table(GUNDAM)
    assert plan(table.verdict(side={"X-20": 2}))[0] == [("side", None, 2)]
    unknown = plan(table.verdict(side={"X-20": 2, "ZZ99-999": 1}))
    assert unknown == ([("side", "ZZ99-999", 1), ("side", None, 2)], [], [])
    assert plan(table.verdict(side={"X-20": 4, "X-21": 4}))[2] == [("side", [], 2)]
    assert plan(table.verdict(side={f"X-{n}": 4 for n in range(20, 23)}))[0] == [("side", None, 2)]


def test_a_misplaced_card_moves_to_a_section_that_has_room_for_it():
    table = Table(DBS)
    assert plan(table.verdict({"Z-01": 2}))[1] == [("main", "z", "Z-01", 2)]
    full = {f"Z-{n:02}": 1 for n in range(5, 15)}
    assert plan(table.verdict({"Z-01": 2}, z=full))[1] == [("main", "side", "Z-01", 2)]


def test_a_move_that_stays_is_no_removal_of_zero_copies():
    misplaced = {"X-20": 4}
    verdict = Table(DBS).verdict(names("dbs", 59), fill=False, leader={"X-LEADER": 1, **misplaced}, z=misplaced)
    gone, moved, _ = plan(verdict)
    assert all(copies for *_, copies in [*gone, *moved])
    assert ("z", "side", "X-20", 1) in moved


def test_the_colours_that_cost_least_go():
    three = [gundam("G-1", colors=("Green",)), gundam("W-1", colors=("White",))]
    gone, _, added = plan(Table(GUNDAM, *three).verdict({"G-1": 4, "W-1": 3}))
    assert (gone, added) == ([("main", "W-1", 3)], [("main", [], 3)])


def test_a_banned_pair_goes_before_the_colours_of_which_there_may_be_fewer_then():
    group = shipped_lists("gundam").listed.in_force_on(TODAY).pairs[0].numbers
    table = Table(GUNDAM, gundam(group[0]), gundam(group[1], colors=("Green",)), gundam("W-1", colors=("White",)))
    verdict = table.verdict({group[0]: 4, group[1]: 2, "W-1": 1})
    assert {finding.code for finding in verdict.findings} == {"pair.banned", "color.too_many"}
    assert plan(verdict)[0] == [("main", group[1], 2)]


def test_an_unknown_card_is_replaced_and_a_line_that_could_not_be_read_goes():
    table = Table(OPTCG)
    gone, _, added = plan(table.verdict({"ZZ99-999": 3}))
    assert (gone, added) == ([("main", "ZZ99-999", 3)], [("main", [], 3)])
    deck = table.deck(leader={"X-LEADER": 1}, main=names("optcg", 50))
    verdict = table.judge(Deck(deck.leader, deck.main, unread=(Unread(60, "4 of OP99", "no card"),)))
    (finding,) = verdict.as_dict()["findings"]
    assert finding["changes"]["remove"] == [{"section": None, "number": "", "name": "4 of OP99", "count": 1}]


def test_a_legal_deck_and_a_warning_have_no_changes():
    table = Table(OPTCG, optcg("X-30", unknown=("colors",)))
    verdict = table.verdict({"X-30": 4})
    assert verdict.legal
    assert [finding.changes for finding in verdict.findings] == [()]
    assert "changes" not in verdict.as_dict()["findings"][0]


def test_the_fewest_changes_shown_are_those_of_the_repair():
    table = Table(OPTCG, BLUE_LEADER, *BLUE)
    decks = [
        ({card.number: 4 for card in BLUE[:12]} | {"B-12": 2}, {"X-LEADER": 1}, (2, 100)),
        ({"B-00": 4, **names("optcg", 46)}, {"X-LEADER": 1}, (8, 8)),
        (names("optcg", 50), {}, (1, 1)),
    ]
    for main, leader, (changes, with_leader) in decks:
        deck = table.deck(main=main, leader=leader)
        shown, answer = count_fewest_changes(table.judge(deck)), repair(table.judge, deck)
        assert (shown.changes, shown.with_leader) == (changes, with_leader)
        assert (answer.fewest, answer.changes) == (changes, with_leader)


@given(st.integers(0, 10_000_000))
def test_one_round_of_fixes_leaves_nothing_but_cards_that_the_catalogue_lacks(seed):
    judge, deck = draw_deck(seed)
    verdict = judge(deck)
    found = verdict.as_dict()
    after = judge(apply_changes(judge, deck, found, Random(seed)))
    assert {finding.code for finding in after.findings if finding.severity == "error"} <= {"size"}


def test_the_findings_of_a_verdict_are_those_that_the_rules_found():
    verdict = Table(OPTCG, BLUE[0]).verdict({"B-00": 5})
    assert [finding.code for finding in verdict.findings] == verdict.codes
    assert all(finding.changes == () for finding in verdict.found)
