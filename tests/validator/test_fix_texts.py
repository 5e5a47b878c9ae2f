"""Fix texts: the cards, the numbers and the sections of a fix in the order of its sentences."""

import re

import pytest

from tests.validator.table import Table, names
from validator.findings import ERROR, WARNING, Citation, Finding, FixChange, NamedCard
from validator.language import ENGLISH
from validator.team import SHARED_CARD
from validator.words import fix_text, join_with_and, join_with_or, list_cards, section_counts_text

VALUES = re.compile(r"(?:[A-Z]-)?[0-9]+|\b(?:Z-Deck|side deck|deck|Leader|organiser)\b")
A, B, L, M = (NamedCard(f"{letter}-1", "") for letter in "ABLM")


def fix_values(*changes, section="main", severity=ERROR):
    """Return the card numbers, numbers and sections in the text of a fix with these changes."""
    finding = Finding(SHARED_CARD, Citation("Manual", "1"), section, severity, changes=changes)
    return VALUES.findall(fix_text(finding, ENGLISH))


@pytest.mark.parametrize(
    ("changes", "values"),
    [
        ([FixChange(2, (A,), "main")], ["2", "A-1"]),
        ([FixChange(2, (A,), "main"), FixChange(1, (B,), "main")], ["2", "A-1", "1", "B-1"]),
        ([FixChange(2, (A,), "side")], ["2", "A-1", "side deck"]),
        ([FixChange(3, (), "main"), FixChange(2, (), "main")], ["5", "deck"]),
        ([FixChange(2, (A,), "main"), FixChange(3, (), "main")], ["2", "A-1", "3", "deck"]),
        ([FixChange(1, (A,), "side"), FixChange(2, (B,), "main")], ["1", "A-1", "side deck", "2", "B-1"]),
        ([FixChange(2, (A,), "main", "side")], ["2", "A-1", "deck", "side deck"]),
        ([FixChange(2, (), None, "main"), FixChange(1, (), None, "main")], ["3", "deck"]),
        ([FixChange(2, (), None, "z"), FixChange(2, (A,), "main")], ["2", "A-1", "2", "Z-Deck"]),
        ([FixChange(1, (L, M), None, "leader")], ["L-1", "M-1", "Leader"]),
        ([FixChange(1, (), None, "leader")], ["Leader", "Leader"]),
        (
            [FixChange(2, (NamedCard(f"C-{n}", ""),), "main") for n in range(8)],
            [v for n in range(8) for v in ("2", f"C-{n}")],
        ),
        ([FixChange(2, (NamedCard(f"C-{n}", ""),), "main") for n in range(9)], ["18"]),
        ([], []),
    ],
)
def test_changes_are_removals_then_moves_then_additions(changes, values):
    assert fix_values(*changes) == values


@pytest.mark.parametrize(("section", "values"), [("leader", ["L-1", "A-1"]), ("main", ["A-1", "Leader", "L-1", "A-1"])])
def test_a_fix_may_replace_a_leader_that_bars_cards(section, values):
    changes = FixChange(1, (L,), None, "leader"), FixChange(1, (A,), "leader")
    assert fix_values(*changes, section=section) == values


def test_a_leader_is_removed_like_another_card_if_none_is_added():
    assert fix_values(FixChange(1, (A,), "leader")) == ["1", "A-1"]


def test_a_warning_without_changes_is_for_the_organiser():
    assert fix_values(severity=WARNING) == ["organiser"]


FULL = names("gundam", 50)


@pytest.mark.parametrize(
    ("ruleset", "main", "side", "values"),
    [
        ("dbs-4.00", names("dbs", 61), {}, ["1", "deck"]),
        ("dbs-4.00", names("dbs", 48), {}, ["2", "deck"]),
        ("dbs-4.00", {**names("dbs", 45), "X-00": 7}, {}, ["5", "deck"]),  # two are missing, three leave
        ("dbs-4.00", {**names("dbs", 60), "X-00": 7}, {}, []),  # the copies that leave are enough
        ("dbs-4.00", names("dbs", 60), {"X-20": 4, "X-21": 4, "X-22": 4, "X-23": 4}, ["1", "side deck"]),
        ("gundam-1.9.0", FULL, {"X-20": 4}, ["side deck"]),  # fewer changes than filling it
        ("gundam-1.9.0", FULL, {"X-20": 4, "X-21": 4, "X-22": 1}, ["1", "side deck"]),
        ("gundam-1.9.0", FULL, {"X-20": 4, "X-21": 4, "X-22": 4}, ["2", "side deck"]),
    ],
)
def test_the_size_of_a_section_is_mended_by_its_own_number_of_cards(ruleset, main, side, values):
    verdict = Table(ruleset).verdict(main, fill=False, side=side)
    (found,) = (finding for finding in verdict.findings if finding.code == "size")
    assert VALUES.findall(found.fix) == values


@pytest.mark.parametrize(
    ("parts", "joined"), [([], ""), (["a"], "a"), (["a", "b"], "a & b"), (["a", "b", "c"], "a, b & c")]
)
def test_parts_of_a_sentence_are_joined(parts, joined):
    assert join_with_and(parts) == joined.replace("&", "and")
    assert join_with_or(parts) == joined.replace("&", "or")


@pytest.mark.parametrize(("most", "values"), [(3, ["4", "A-1", "2", "B-1"]), (1, ["4", "A-1", "1"])])
def test_a_list_of_cards_has_a_limit(most, values):
    cards = [NamedCard("A-1", "", 4), NamedCard("B-1", "", 2)]
    assert VALUES.findall(list_cards(cards, ENGLISH, most)) == values
    uncounted = [value for value in values if "-" in value or value == "1"]
    assert VALUES.findall(list_cards(cards, ENGLISH, most, counted=False)) == uncounted


@pytest.mark.parametrize(
    ("sections", "values"),
    [
        ({}, []),
        ({"main": 4}, []),
        ({"side": 1}, ["1", "side deck"]),
        ({"main": 4, "z": 1}, ["4", "deck", "1", "Z-Deck"]),
    ],
)
def test_copies_are_counted_by_section_unless_all_are_in_the_main_deck(sections, values):
    assert VALUES.findall(section_counts_text(sections, ENGLISH)) == values
