"""Sheets: each card once, sorted as judges lay decks out, with all that the verdict rests on."""

from dataclasses import replace

import pytest

from api.service.errors import Invalid
from api.sheets import sheet as sheets
from api.sheets.registration import Registration
from api.sheets.sheet import AMBIGUOUS, UNKNOWN, sheet
from tests.api.sheets.desk import filled
from tests.validator.table import Table, bos, clause, dbs, gundam, optcg
from validator import Deck, Judge, Line, Terms, Unread
from validator.deck import MOST_LINES
from validator.limits import shipped_lists


def of_verdict(verdict):
    return sheet(Registration.read({"player": "Last"}), verdict)


def main(sheet):
    return next(section for section in sheet.sections if section.key == "main")


def test_a_legal_deck_says_all_that_its_verdict_rests_on():
    found = filled()
    assert (found.verdict, found.problems) == ("LEGAL", ())
    assert found.totals == (("Leader", 1), ("Main deck", 50))
    assert [(section.title, section.total) for section in found.sections] == [("Leader", 1), ("Main deck", 50)]
    assert (found.ruleset, found.format, found.cards_as_of) == ("optcg-1.1.9", "extra", "")
    assert found.limits == f"Limits list of {shipped_lists('optcg').listed.in_force_on(found.on).effective_from}"
    assert len(found.deck_hash) == 32
    assert found.policy == ""


def test_a_sheet_names_the_organisers_own_list():
    judge = Table("optcg-1.1.9").judge
    lists = judge.terms.lists.with_list(judge.terms.lists.listed, "own", "House list", "House list Ω")
    own = Judge(Terms(judge.terms.ruleset, judge.terms.on, lists=lists), judge.catalogue)
    found = of_verdict(own(Deck()))
    assert found.limits.endswith(" with House list Ω")
    assert found.limits in found.made_with
    assert "Ω" in found.text


def test_cards_lie_by_type_then_cost_then_name():
    special = [
        optcg("S-1", "Stage", cost=1),
        optcg("E-9", "Event", cost=9),
        optcg("E-X", "Event", cost=None, cost_text="X"),
        optcg("E-1", "Event", cost=1),
        optcg("A-2", cost=2),
        optcg("B-2", cost=2),
        optcg("A-0", cost=0),
    ]
    found = filled(special=special, main={card.number: 1 for card in special})
    assert [entry.number for entry in main(found).entries] == ["A-0", "A-2", "B-2", "E-1", "E-9", "E-X", "S-1"]
    assert [(group.title, group.total) for group in main(found).groups] == [
        ("Character", 3),
        ("Event", 3),
        ("Stage", 1),
    ]
    assert [entry.cost for entry in main(found).entries][-2:] == ["X", "1"]


def test_types_lie_in_the_order_of_the_rules_and_others_last():
    types = ("Zero", "Base", "Command", "Alpha", "Pilot", "Unit")
    cards = [gundam(f"G-{place}", type) for place, type in enumerate(types)]
    verdict = Table("gundam-1.9.0", *cards).verdict({card.number: 1 for card in cards}, fill=False)
    assert [entry.type for entry in main(of_verdict(verdict)).entries] == [
        "Unit",
        "Pilot",
        "Command",
        "Base",
        "Alpha",
        "Zero",
    ]


@pytest.mark.parametrize(("length", "printed"), [(200, 200), (201, 200), (900, 200)])
def test_an_unknown_card_is_printed_with_200_characters_at_most(length, printed):
    (entry,) = main(filled(main={"x" * length: 4})).entries
    assert (len(entry.text), entry.text.endswith("…")) == (printed, length > 200)


def test_lines_of_one_card_are_one():
    table = Table("optcg-1.1.9", optcg("C-01", printings=("C-01_p1",)))
    deck = Deck(main=(Line("C-01", 2), Line("C-01_p1", 1), Line("c-01", 1), Line("who", 2), Line("who", 1)))
    found = of_verdict(table.judge(deck))
    assert [(entry.number, entry.count, entry.known) for entry in main(found).entries] == [
        ("C-01", 4, True),
        ("who", 3, False),
    ]


def test_an_unknown_card_is_shown_as_it_was_written_and_lies_last():
    found = filled(main={"C-01": 4, "XX-404": 2, "x" * 500: 1, "a\u202eb": 1})
    first, *unknown = main(found).entries
    assert first.known
    assert [(entry.number[:6], entry.count, entry.type) for entry in unknown] == [
        ("XX-404", 2, UNKNOWN),
        ("xxxxxx", 1, UNKNOWN),
        ("ab", 1, UNKNOWN),
    ]
    assert len(unknown[1].number) == 200
    assert "card.unknown" in [problem.code for problem in found.problems]


def test_a_name_that_several_cards_have_is_not_said_to_be_unknown():
    table = Table("optcg-1.1.9", *(replace(optcg(number), name="Twin") for number in ("T-1", "T-2")))
    names = ("Nobody", "Twin", "Who", "twin")
    found = of_verdict(table.judge(Deck(main=tuple(Line(None, 1, name) for name in names))))
    assert [(group.title, *(entry.name for entry in group.entries)) for group in main(found).groups] == [
        (AMBIGUOUS, "Twin", "twin"),
        (UNKNOWN, "Nobody", "Who"),
    ]


def test_an_illegal_deck_says_what_is_wrong_with_the_rule_and_the_way_out():
    found = filled(main={"C-01": 5, "C-02": 4})
    assert found.verdict == "NOT LEGAL"
    copies = next(problem for problem in found.problems if problem.code == "copies.exceeded")
    assert "C-01" in copies.message
    assert copies.citation.endswith("5-1-2-3")
    assert "Remove 1 copy" in copies.fix
    assert len(found.problems) == 2


def test_a_line_that_nobody_could_read_is_not_dropped():
    table = Table("optcg-1.1.9")
    deck = Deck(main=(Line("X-01", 4),), unread=(Unread(7, "4x ???\x07"),))
    (unread,) = (problem for problem in of_verdict(table.judge(deck)).problems if problem.code == "line.unread")
    assert "Line 7" in unread.message
    assert "4x ???" in unread.message


def test_findings_are_counted_in_full_and_written_out_within_reason():
    found = filled(distinct=100, main={f"C-{n:02}": 5 for n in range(1, 101)})
    assert (found.found, len(found.problems)) == (101, 60)


def test_no_sheet_is_made_of_what_no_deck_is(monkeypatch):
    assert sheets.MOST_LINES == MOST_LINES
    monkeypatch.setattr(sheets, "MOST_LINES", 20)
    table = Table("optcg-1.1.9")
    assert len(main(of_verdict(table.judge(Deck(main=tuple(Line(f"no-{n}", 1) for n in range(20)))))).entries) == 20
    with pytest.raises(Invalid):
        of_verdict(table.judge(Deck(main=tuple(Line(f"no-{n}", 1) for n in range(21)))))


def test_every_section_of_the_ruleset_has_its_total_and_only_used_ones_have_lines():
    found = filled(ruleset="dbs-4.00", special=[dbs("C-77")], main={"C-77": 4}, side={"X-01": 2})
    assert found.totals == (("Leader", 1), ("Main deck", 4), ("Side deck", 2), ("Z-Deck", 0))
    assert [section.key for section in found.sections] == ["leader", "main", "side"]


def test_don_cards_need_not_be_known():
    found = filled(don={"DON!!": 10})
    (entry,) = next(section for section in found.sections if section.key == "don").entries
    assert (entry.count, entry.known, entry.type) == (10, True, "DON!! deck")
    assert found.totals[-1] == ("DON!! deck", 10)
    assert found.verdict == "LEGAL"


def test_an_organisers_policy_is_part_of_the_verdict():
    table = Table("dbs-4.00", side_max=10, copies_across_side=False, release_delay_days=7, limits=False)
    found = of_verdict(table.verdict())
    assert found.limits == "Ban list not applied"
    assert (
        found.policy == "side deck of at most 10, copies counted for each deck alone, cards legal 7 days after release"
    )


def test_a_sheet_says_that_cards_may_be_played_before_their_release():
    assert of_verdict(Table("optcg-1.1.9", release=False).verdict()).policy == "cards legal before release"


def test_a_warning_says_that_it_is_one_and_advice_is_no_judges_business():
    odd = optcg("C-01", construction=(clause("unread"),))
    found = of_verdict(Table("optcg-1.1.9", odd).verdict({"C-01": 4}))
    assert found.legal
    assert [problem.code for problem in found.problems] == ["clause.unread"]
    assert found.problems[0].message.startswith("Warning: ")
    alone = Table("bos-1.3", bos("Fighter", "Elite Warrior")).verdict({"Fighter": 40}, fill=False)
    assert "advice.elite_without_warrior" in alone.codes
    assert {problem.code for problem in of_verdict(alone).problems} == {"copies.exceeded"}


def test_errors_are_printed_before_warnings():
    odd = optcg("C-01", construction=(clause("unread"),))
    problems = of_verdict(Table("optcg-1.1.9", odd, optcg("C-02")).verdict({"C-01": 4, "C-02": 9})).problems
    warns = [problem.message.startswith("Warning: ") for problem in problems]
    assert warns == sorted(warns)
    assert set(warns) == {True, False}


def test_the_curve_counts_the_main_deck_by_cost():
    special = [optcg("A", cost=0), optcg("B", cost=3), optcg("C", cost=12), optcg("D", cost=10), optcg("E", cost=None)]
    found = filled(special=special, main={"A": 2, "B": 4, "C": 1, "D": 3, "E": 4})
    assert [count for _, count in found.curve] == [2, 0, 0, 4, 0, 0, 0, 0, 0, 0, 4]
    assert found.curve[-1] == ("10+", 4)
    assert filled(special=special, main={"E": 4}).curve == ()


def test_a_cost_that_is_printed_as_none_is_no_bar_of_the_curve():
    found = filled(special=[optcg("A", "Event", cost=0, cost_text="-")], main={"A": 4})
    assert (found.curve, main(found).entries[0].cost) == ((), "-")


def test_a_leader_with_two_faces_is_called_by_both():
    faces = [dbs("L-1", "Leader", back_name="Awakened"), dbs("L-2", "Leader", back_name="Fighter L-2")]
    special = [*faces, dbs("B-1", back_name="Never seen")]
    for number, name in (("L-1", "Fighter L-1 // Awakened"), ("L-2", "Fighter L-2")):
        found = filled(ruleset="dbs-4.00", special=special, leader={number: 1}, main={"B-1": 4})
        assert [entry.name for section in found.sections for entry in section.entries] == [name, "Fighter B-1"]


def test_every_page_names_the_game_and_the_event():
    assert filled({"format_name": "Team of three"}).headline == (
        "ONE PIECE · Team of three · Winter Regional 2026 · 2026-11-21"
    )
    assert filled({"event": "", "date": ""}).headline == "ONE PIECE"
