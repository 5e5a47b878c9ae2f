"""Repairs: the changes for each kind of finding, pins, Leaders, open places, and decks without a repair."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from carddb.catalogue import Catalogue
from tests.validator.table import TODAY, Table, clause, dbs, names, optcg
from validator import Deck, Judge, Line, Terms, rulesets
from validator.deck import Unread
from validator.errors import PinError
from validator.findings import Citation, Code, Finding, NamedCard
from validator.limits import shipped_lists
from validator.repair import repair
from validator.rules import Rule
from validator.rules.copies import CopyLimit

NEW = "dbs-4.00"
LISTED = shipped_lists("optcg").listed.in_force_on(TODAY)
PAIR = LISTED.pairs[0].numbers
BANNED = next(number for number, one in LISTED.singles.items() if not one.limit)


def repair_deck(table, pinned=(), **sections):
    """Return the repair of a deck of a Table. A plain Leader is added if `sections` has none."""
    if table.game != "bos" and "leader" not in sections:
        sections["leader"] = {"X-LEADER": 1}
    return repair(table.judge, table.deck(**sections), pinned)


def summarise_changes(changes):
    """Return one set of changes as three lists: removals with their codes, moves, and the numbers of added cards."""
    return (
        [(out.section, out.card.number or out.card.name, out.card.count, out.because.code) for out in changes.out],
        [(one.origin, one.target, one.card.number, one.card.count) for one in changes.moved],
        [(one.section, one.count) for one in changes.put_in],
    )


def test_a_legal_deck_needs_nothing():
    table = Table(NEW)
    answer = repair_deck(table, main=names("dbs", 50))
    assert (answer.changes, answer.minimal, answer.repairs) == (0, True, ())


@pytest.mark.parametrize("ruleset", ["dbs-launch", "dbs-1.073", "dbs-zenkai", NEW, "optcg-1.1.9", "bos-1.3"])
def test_a_fifth_copy_goes(ruleset):
    table = Table(ruleset)
    main = names(table.game, table.smallest + (0 if ruleset in ("dbs-launch", "dbs-1.073", "optcg-1.1.9") else 4))
    first = next(iter(main))
    main[first] += 1
    answer = repair_deck(table, main=main)
    assert (answer.changes, answer.minimal) == (1, True)
    assert summarise_changes(answer.repairs[0])[0] == [("main", first, 1, "copies.exceeded")]


def test_a_card_that_may_not_be_there_at_all_goes_for_that_reason_and_not_for_its_copies():
    single = dbs("C-1", construction=(clause("copies", "only 1 in your deck", limit=1),))
    leader = dbs("F-LEADER", "Leader", construction=(clause("forbid", match={"name": [single.name]}),))
    answer = repair_deck(Table(NEW, single, leader), leader={"F-LEADER": 1}, main=names("dbs", 50) | {"C-1": 3})
    assert summarise_changes(answer.repairs[0])[0] == [("main", "C-1", 3, "effect.forbidden")]
    assert answer.minimal


def test_show_at_most_five_repairs():
    singles = [optcg(f"M-{n:02}") for n in range(58)]
    answer = repair_deck(Table("optcg-1.1.9", *singles), main={card.number: 1 for card in singles})
    assert (answer.changes, len(answer.repairs)) == (8, 5)


def test_the_deck_and_not_the_side_deck_is_cut_where_that_mends_two_things():
    table = Table(NEW)
    main = {"X-00": 3, **{f"X-{n:02}": 4 for n in range(1, 15)}, "X-15": 3}
    assert sum(main.values()) == 62
    answer = repair_deck(table, main=main, side={"X-00": 3})
    assert (answer.changes, answer.minimal) == (2, True)
    assert [out[:3] for out in summarise_changes(answer.repairs[0])[0]] == [("main", "X-00", 2)]


def test_what_is_missing_may_be_any_card_that_fits():
    table = Table("optcg-1.1.9")
    answer = repair_deck(table, main=names("optcg", 46))
    (put_in,) = answer.repairs[0].put_in
    assert (answer.changes, put_in.section, put_in.count) == (4, "main", 4)
    assert put_in.fits["colors"] == ("Red",)
    assert put_in.fits["types"] == ("Character", "Event", "Stage")
    assert sum(card.count for card in put_in.cards) == 4
    assert {card.number for card in put_in.own} == {"X-11"}  # two copies: two more may come


def test_a_card_that_would_break_its_limit_fills_no_place():
    cards = [dbs("X-LEADER", "Leader"), *(dbs(f"X-{n:02}") for n in range(12)), dbs("U-1", keywords=("Ultimate",))]
    terms = Terms(rulesets()[NEW], TODAY)
    judge = Judge(terms, Catalogue("dbs", "few", [*cards, dbs("U-2", keywords=("Super Combo",))]))
    (changes,) = repair(judge, Deck((Line("X-LEADER", 1),), tuple(Line(f"X-{n:02}", 4) for n in range(12)))).repairs
    assert [(card.number, card.count) for card in changes.put_in[0].cards] == [("U-2", 2)]


def test_without_a_copy_limit_one_card_fills_all_open_places():
    judge = Table("optcg-1.1.9").judge
    edition = judge.terms.ruleset
    unlimited = {name: rule for name, rule in edition.rules.items() if not isinstance(rule, CopyLimit)}
    judge = Judge(replace(judge.terms, ruleset=replace(edition, rules=unlimited)), judge.catalogue)
    answer = repair(judge, Deck((Line("X-LEADER", 1),), (Line("X-00", 44),)))
    assert (answer.changes, answer.repairs[0].put_in[0].count) == (6, 6)
    assert [card.number for card in answer.repairs[0].put_in[0].own] == ["X-00"]


def test_leaders_that_allow_the_same_cards_are_named_together():
    table = Table("optcg-1.1.9", optcg("Y-LEADER", "Leader"), optcg("Z-LEADER", "Leader", colors=("Blue",)))
    (changes,) = repair_deck(table, leader={}, main=names("optcg", 50)).repairs
    assert [card.number for card in changes.put_in[0].cards] == ["X-LEADER", "Y-LEADER"]


def test_suggest_another_leader_that_needs_half_the_changes():
    table = Table("optcg-1.1.9", optcg("RB-LEADER", "Leader", colors=("Red", "Blue")), optcg("B-00", colors=("Blue",)))
    two, one = (repair_deck(table, main=table.fill_main({"B-00": copies})) for copies in (2, 1))
    assert (two.changes, [(other.leaders[0].number, other.changes) for other in two.leaders]) == (4, [("RB-LEADER", 2)])
    assert (one.changes, one.leaders) == (2, ())


def test_only_the_first_sixty_removals_have_their_rule():
    singles = [optcg(f"M-{n:03}") for n in range(115)]
    answer = repair_deck(Table("optcg-1.1.9", *singles), main={card.number: 1 for card in singles})
    removed = answer.as_dict()["repairs"][0]["remove"]
    assert [one["rule"] is None for one in removed] == [False] * 60 + [True] * 5
    assert {one["because"] for one in removed} == {"size"}


def test_a_side_deck_over_its_size_fills_the_deck():
    table = Table(NEW)
    side = {f"X-{n}": 4 for n in range(20, 24)}
    answer = repair_deck(table, main=names("dbs", 49), side=side)
    assert (answer.changes, answer.minimal) == (1, True)
    assert [(origin, target, copies) for origin, target, _, copies in summarise_changes(answer.repairs[0])[1]] == [
        ("side", "main", 1)
    ]


def test_a_card_of_the_z_deck_goes_there():
    table = Table(NEW)
    answer = repair_deck(table, main={**names("dbs", 50), "Z-01": 2})
    assert summarise_changes(answer.repairs[0]) == ([], [("main", "z", "Z-01", 2)], [])


def test_leader_and_deck_that_changed_places_are_two_moves():
    table = Table("optcg-1.1.9")
    main = {**names("optcg", 49), "X-LEADER": 1}
    answer = repair_deck(table, leader={"X-20": 1}, main=main)
    assert summarise_changes(answer.repairs[0]) == (
        [],
        [("leader", "main", "X-20", 1), ("main", "leader", "X-LEADER", 1)],
        [],
    )


def test_of_a_card_in_two_wrong_sections_only_the_copy_that_has_room_is_moved():
    answer = repair_deck(
        Table("optcg-1.1.9"), leader={"X-LEADER": 1, "X-20": 1}, side={"X-20": 1}, main=names("optcg", 49)
    )
    for changes in answer.repairs:
        gone, moved, added = summarise_changes(changes)
        assert ([copies for *_, copies, _ in gone], [copies for *_, copies in moved], added) == ([1], [1], [])


def test_of_a_banned_pair_either_goes():
    table = Table("optcg-1.1.9", optcg(PAIR[0]), optcg(PAIR[1]), format="extra")
    answer = repair_deck(table, main=table.fill_main({PAIR[0]: 2, PAIR[1]: 2}))
    assert (answer.changes, answer.minimal) == (4, True)
    gone = [summarise_changes(changes)[0] for changes in answer.repairs]
    assert {out[0][1] for out in gone} == set(PAIR)
    assert {out[0][3] for out in gone} == {"pair.banned"}


def test_a_leader_of_a_banned_pair_stays():
    table = Table("optcg-1.1.9", optcg(PAIR[0], "Leader"), optcg(PAIR[1]), format="extra")
    answer = repair_deck(table, leader={PAIR[0]: 1}, main=table.fill_main({PAIR[1]: 2}))
    assert summarise_changes(answer.repairs[0])[0] == [("main", PAIR[1], 2, "pair.banned")]


def test_a_banned_leader_gives_way_to_those_who_ask_for_least():
    table = Table("optcg-1.1.9", optcg(BANNED, "Leader"), optcg("OP05-001", "Leader", colors=("Blue",)), format="extra")
    answer = repair_deck(table, leader={BANNED: 1}, main=names("optcg", 50))
    out, _, put_in = summarise_changes(answer.repairs[0])
    assert (answer.changes, answer.minimal) == (2, True)
    assert out == [("leader", BANNED, 1, "card.banned")]
    assert put_in == [("leader", 1)]
    assert [card.number for card in answer.repairs[0].put_in[0].cards] == ["X-LEADER"]


def test_another_leader_is_another_kind_of_answer():
    table = Table("optcg-1.1.9", optcg("B-LEADER", "Leader", colors=("Blue",)), format="extra")
    blue = [optcg(f"B-{n:02}", colors=("Blue",)) for n in range(20)]
    table = Table("optcg-1.1.9", optcg("B-LEADER", "Leader", colors=("Blue",)), *blue, format="extra")
    answer = repair_deck(table, main={f"B-{n:02}": 4 for n in range(12)} | {"X-01": 2})
    assert (answer.changes, answer.minimal) == (96, True)
    (other,) = answer.leaders
    assert ([card.number for card in other.leaders], other.changes) == (["B-LEADER"], 6)
    assert repair_deck(table, ["X-LEADER"], main={f"B-{n:02}": 4 for n in range(12)} | {"X-01": 2}).leaders == ()


def test_two_keywords_on_one_card_are_shared_out():
    both = [dbs(f"K-{n}", keywords=("Ultimate", "Super Combo")) for n in range(2)]
    combo = [dbs(f"C-{n}", keywords=("Super Combo",)) for n in range(2)]
    ultimate = dbs("U-0", keywords=("Ultimate",))
    table = Table(NEW, *both, *combo, ultimate)
    answer = repair_deck(table, main={**names("dbs", 50), "K-0": 1, "K-1": 1, "C-0": 2, "C-1": 2, "U-0": 1})
    assert (answer.changes, answer.minimal) == (2, True)
    assert {out[1] for out in summarise_changes(answer.repairs[0])[0]} == {"K-0", "K-1"}


def test_a_don_deck_is_filled_or_left_out():
    table = Table("optcg-1.1.9")
    for given, changes in ((9, 1), (12, 2), (2, 2)):
        assert repair_deck(table, main=names("optcg", 50), don={"DON!!": given}).changes == changes


def test_unknown_cards_and_unreadable_lines_go():
    table = Table(NEW)
    deck = table.deck(leader={"X-LEADER": 1}, main={**names("dbs", 50), "BT99-999": 2})
    deck.unread = (Unread(7, "4 something or other", "no card"), Unread(8, "Thanks for reading", "no card"))
    answer = repair(table.judge, deck)
    assert answer.changes == 3
    assert [(out.section, out.because.code) for out in answer.repairs[0].out] == [
        ("main", "card.unknown"),
        (None, "line.unread"),
    ]
    assert [line.at for line in answer.repairs[0].deck.unread] == [8]


def test_a_section_that_there_is_not_is_emptied_or_moved():
    table = Table("optcg-1.1.9")
    answer = repair_deck(table, main=names("optcg", 49), side={"X-20": 1})
    assert summarise_changes(answer.repairs[0]) == ([], [("side", "main", "X-20", 1)], [])
    assert [
        out[0] for out in summarise_changes(repair_deck(table, main=names("optcg", 50), side={"X-20": 1}).repairs[0])[0]
    ] == ["side"]


def test_pins():
    table = Table(NEW)
    main = names("dbs", 60) | {"X-20": 1}
    pinned = [number for number in main if number not in ("X-05", "X-06")]
    answer = repair_deck(table, pinned, main=main)
    assert {out[1] for changes in answer.repairs for out in summarise_changes(changes)[0]} == {"X-05", "X-06"}
    assert {card.number for card in answer.pinned} == set(pinned)
    full = names("dbs", 60)
    answer = repair_deck(table, list(full), main=full, side={f"X-{n}": 4 for n in range(20, 24)})
    assert (answer.changes, {out[0] for out in summarise_changes(answer.repairs[0])[0]}) == (1, {"side"})
    impossible = repair_deck(table, ["X-05"], main=names("dbs", 50) | {"X-05": 5})
    assert (impossible.possible, impossible.changes, impossible.repairs) == (False, None, ())


def test_an_empty_deck_is_all_open_places():
    table = Table(NEW)
    answer = repair(table.judge, Deck())
    assert summarise_changes(answer.repairs[0]) == ([], [], [("leader", 1), ("main", 50)])
    assert (answer.changes, answer.minimal) == (51, True)


def test_a_catalogue_without_enough_cards_is_said():
    judge = Judge(Terms(rulesets()["bos-1.3"], TODAY), Catalogue("bos", "few", []))
    answer = repair(judge, Deck(main=(Line(None, 3, "Nobody"),)))
    assert (answer.possible, answer.changes, answer.repairs) == (False, None, ())


@dataclass(frozen=True)
class Even(Rule):
    """A rule that nobody knows how to mend: no odd number of copies.

    The limit of its findings is one copy fewer, or `limit`, which an odd number may meet.
    """

    limit: int | None = None

    codes: ClassVar[tuple[Code, ...]] = (Code("test.odd", "", lambda f: "odd", lambda f: "even"),)

    def check(self, facts):
        for card, copies in facts.main.items():
            if copies % 2:
                cards = (NamedCard.from_card(card, copies),)
                limit = copies - 1 if self.limit is None else self.limit
                yield Finding(self.codes[0], self.cite, "main", cards=cards, count=copies, limit=limit)


@pytest.mark.parametrize("limit", [None, 4])
def test_a_kind_of_rule_that_is_new_is_mended_too_and_nothing_is_claimed_of_it(limit):
    table = Table(NEW)
    rule = Even("even", "No odd numbers.", Citation("Invented", "1"), limit=limit)
    terms = table.judge.terms
    ruleset = terms.ruleset
    object.__setattr__(
        terms, "ruleset", type(ruleset)(**{**ruleset.__dict__, "rules": {**ruleset.rules, "even": rule}})
    )
    judge = Judge(terms, table.catalogue)
    answer = repair(judge, table.deck(leader={"X-LEADER": 1}, main=names("dbs", 50) | {"X-20": 1, "X-21": 3}))
    assert (answer.changes, answer.minimal) == (2, False)
    assert judge(answer.repairs[0].deck).legal


def test_a_text_that_bars_may_go_itself():
    barring = dbs("B-1", construction=(clause("forbid", match={"name": ["Fighter X-01"]}),))
    table = Table(NEW, barring)
    answer = repair_deck(table, main=names("dbs", 54) | {"B-1": 1})
    assert answer.changes == 1
    assert summarise_changes(answer.repairs[0])[0][0][:3] == ("main", "B-1", 1)


def test_a_thousand_lines_of_many_copies():
    cards = [dbs(f"M-{n:03}", keywords=("Super Combo",) if n % 3 else ()) for n in range(1000)]
    table = Table(NEW, *cards)
    main = tuple(Line(card.number, 255) for card in cards[:600])
    side = tuple(Line(card.number, 255) for card in cards[200:600])
    answer = repair(table.judge, Deck((Line("X-LEADER", 1),), main, side))
    assert not answer.minimal
    assert table.judge(answer.repairs[0].deck).legal


def test_what_is_pinned_is_named_in_any_spelling():
    answer = repair_deck(Table(NEW), ["x-05"], main=names("dbs", 60) | {"X-20": 1})
    assert {card.number for card in answer.pinned} == {"X-05"}


def test_what_is_pinned_is_in_the_deck():
    with pytest.raises(PinError) as wrong:
        repair_deck(Table(NEW), ["X-05", "X-99"], main=names("dbs", 49))
    assert wrong.value.pin == "X-99"


def test_a_thousand_cards_that_nobody_knows_give_way_to_any_deck():
    table = Table("optcg-1.1.9", *(optcg(f"Y-LEADER{n}", "Leader", colors=("Red", "Blue")) for n in range(200)))
    answer = repair(table.judge, Deck(main=tuple(Line(f"ZZ{n:03}-001", 255) for n in range(999))))
    assert (answer.possible, answer.changes, answer.bound) == (True, 999 * 255 + 51, 1)


@pytest.mark.slow
def test_of_very_many_leaders_one_stays():
    leaders = [optcg(f"Y-LEADER{n}", "Leader", colors=("Red", "Blue")[: n % 2 + 1]) for n in range(300)]
    table = Table("optcg-1.1.9", *leaders)
    main = names("optcg", 50) | {card.number: 1 for card in leaders}
    answer = repair(table.judge, table.deck(leader={"X-LEADER": 255}, main=main))
    assert summarise_changes(answer.repairs[0])[0][0] == ("leader", "X-LEADER", 254, "leader.count")
    assert answer.changes == 254 + 300


def test_a_pinned_leader_stays_as_often_as_it_is_written():
    answer = repair_deck(Table("optcg-1.1.9"), ["X-LEADER"], leader={"X-LEADER": 2}, main=names("optcg", 50))
    assert (answer.possible, answer.changes) == (False, None)
    assert [card.number for card in answer.pinned] == ["X-LEADER"]


def test_pins_that_contradict_are_named():
    table = Table(NEW)
    answer = repair_deck(table, ["X-00", "X-01"], main={"X-00": 40, "X-01": 40})
    assert (answer.possible, answer.changes, answer.bound) == (False, None, None)
    assert [card.number for card in answer.pinned] == ["X-00", "X-01"]


def test_a_plan_beside_one_of_what_no_rule_surely_asks_is_called_minimal_by_its_bound_alone():
    barring = dbs("B-1", construction=(clause("forbid", match={"name": ["Fighter X-01"]}),))
    answer = repair_deck(Table(NEW, barring), main=names("dbs", 54) | {"B-1": 1})
    assert (answer.changes, answer.bound, answer.minimal) == (1, 1, True)


def test_of_two_leaders_the_one_stays_that_needs_fewer_changes_though_it_limits_more_copies():
    gods = [dbs(f"G-{n}", traits=("God",)) for n in range(2)]
    forbids = dbs("F-LEADER", "Leader", construction=(clause("forbid", match={"name": [dbs("C-1").name]}),))
    limits = dbs("G-LEADER", "Leader", construction=(clause("pool", match={"trait": ["God"]}, limit=6),))
    table = Table(NEW, *gods, forbids, limits, dbs("C-1"))
    main = {"G-0": 4, "G-1": 3, "C-1": 2, **names("dbs", 44)}
    answer = repair_deck(table, leader={"F-LEADER": 1, "G-LEADER": 1}, main=main)
    assert (answer.changes, answer.minimal) == (2, True)
    assert [line.number for line in answer.repairs[0].deck.leader] == ["G-LEADER"]


def test_a_missing_card_is_added_and_none_of_the_side_deck_is_moved():
    answer = repair_deck(Table(NEW), main=names("dbs", 49), side={"X-20": 2})
    assert summarise_changes(answer.repairs[0]) == ([], [], [("main", 1)])


def test_of_cards_that_are_alike_the_one_of_fewest_copies_goes():
    answer = repair_deck(Table("optcg-1.1.9"), main={"X-00": 1, **{f"X-{n:02}": 4 for n in range(1, 13)}, "X-13": 2})
    assert summarise_changes(answer.repairs[0])[0] == [("main", "X-00", 1, "size")]
