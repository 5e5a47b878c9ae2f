"""The layout of texts without a terminal: what is below what, and in which column."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from api.cli import cli, console
from tests.api.conftest import EXAMPLES

ZORO, FIVE, PAIR = (EXAMPLES / f"optcg-{name}.txt" for name in ("red-zoro", "five-copies", "banned-pair"))
ON = ("--game", "optcg", "--on", "2026-11-01")


@pytest.fixture
def run(tmp_path):
    def invoke(*words, stdin=None):
        environment = {"DECKPROOF_DATA_DIR": str(tmp_path)}
        return CliRunner(env=environment).invoke(cli, list(map(str, words)), input=stdin).stdout.splitlines()

    return invoke


def indents(lines):
    """The number of blanks before the text of each line, None for a blank line."""
    return [len(line) - len(line.lstrip()) if line else None for line in lines]


def column(line, *words):
    """The column of the first of these words in a line."""
    return min(line.index(word) for word in words if word in line)


def test_rule_address_and_fix_of_a_finding_are_in_one_column(run):
    lines = run("check", PAIR, *ON)
    number, rule, address, fix = lines[2:6]
    assert (indents(lines[:7]), number[:4]) == ([0, None, 2, 5, 11, 5, None], "  1.")
    assert column(rule, "ONE PIECE") == column(address, "https://") == column(fix, "Remove")


def test_sizes_terms_and_hash_of_a_verdict_are_in_one_column(run):
    lines = run("check", ZORO, *ON)
    cards = next(place for place, line in enumerate(lines) if "Main 50" in line)
    facts = [line for line in lines[cards:] if line and not line.startswith("   ")]
    words = ("Leader 1", "ONE PIECE", "2026-11-01, ", "in force", "2,784", "72ac29")
    assert [column(line, word) for line, word in zip(facts, words, strict=True)] == [13] * 6
    assert {indent for line, indent in zip(lines[cards:], indents(lines[cards:]), strict=True) if line} == {2, 13}


def test_a_deck_is_shown_by_section_in_two_columns(run):
    leader, main, more, *_ = (line for line in run("check", ZORO, *ON) if " ST21-" in line or " OP11-" in line)
    assert leader == "  Leader     1 ST21-001 Monkey.D.Luffy"
    assert [main.index("4 OP01-016"), main.index("4 ST21-015")] == [more.index("4 OP11-016"), more.index("4 OP14-015")]
    assert more.index("4 OP11-016") == leader.index("1 ST21-001")


@pytest.mark.parametrize(("most", "rest"), [(13, None), (12, "and 1 more line"), (10, "and 3 more lines")])
def test_further_lines_of_a_section_are_counted(run, monkeypatch, most, rest):
    monkeypatch.setattr(console, "_MOST_LINES", most)
    lines = run("check", ZORO, *ON)
    assert sum("OP" in cell or "ST" in cell for line in lines for cell in line.split("   ") if "-0" in cell) == most + 1
    assert [line[line.index("and ") :] for line in lines if " more line" in line] == [rest] * bool(rest)


def test_reasons_rules_and_addresses_of_a_timeline_are_below_their_days(run):
    lines = run("when", ZORO, "--on", "2026-11-22")
    place = next(place for place, line in enumerate(lines) if line.startswith("  2023-12-08 to 2025-03-13  not legal"))
    reason, rule, address = lines[place + 1 : place + 4]
    assert indents(lines[place : place + 4]) == [2, 5, 5, 11]
    assert ("Nami" in reason, column(rule, "ONE PIECE")) == (True, column(address, "https://"))


def test_only_the_days_of_the_check_are_marked(run):
    marked = [line for line in run("when", ZORO, "--on", "2026-11-22") if "(day of the check)" in line]
    assert [line[:26] for line in marked] == ["  2026-07-31 to 2028-03-31"]
    edges = [run("when", ZORO, "--on", day) for day in ("2026-07-31", "2026-07-30")]
    marked = [[line[:12] for line in lines if "(day of the check)" in line] for lines in edges]
    assert marked == [["  2026-07-31"], ["  2026-01-16"]]


@pytest.mark.parametrize(("game", "deck", "ways"), [("dbs", "too-many-wishes", 3), ("optcg", "five-copies", 1)])
def test_each_way_to_make_a_deck_legal_has_a_heading(run, game, deck, ways):
    lines = run("repair", EXAMPLES / f"{game}-{deck}.txt", "--on", "2026-11-01")
    headings = [place for place, line in enumerate(lines) if line.startswith(" ") and line.endswith(":")]
    assert [lines[place] for place in headings] == (
        [f" One of {ways} ways:", *[" Or:"] * (ways - 1)] if ways > 1 else []
    )
    assert {lines[place - 1] for place in headings} <= {""}
    changes = [line for line in lines if line.startswith("   - ")]
    assert len(changes) >= ways
    assert {indent for indent in indents(lines) if indent is not None} == {0, 2, 3, 5, *[1] * bool(headings)}


def test_a_team_lists_illegal_decks_and_shared_cards_with_rule_and_fix(run):
    lines = run("check", "--team", ZORO, FIVE, *ON, "--team-copies", "8")
    place = lines.index("NOT LEGAL  The team of 2 decks")
    illegal, nami, rule, fix, last = lines[place + 1 :]
    assert (illegal, nami[:14]) == (f"  {FIVE} is not legal by itself.", "  9 copies of ")
    assert (indents([rule, fix]), "Remove 1 copy" in fix, last) == ([4, 4], True, "")
    kept = run("check", "--team", ZORO, PAIR, *ON, "--team-copies", "8")
    assert kept[-2:] == ["  The decks keep the rule of the team.", ""]


def test_a_comparison_has_a_line_for_each_card_and_for_what_is_not_read(run):
    other = ZORO.read_text("utf-8").replace("4 OP01-016", "2 OP01-016") + "300 OP01-006\n"
    section, card, unread = run("compare", ZORO, "-", stdin=other)
    assert (section, card) == ("Main", "  -2 OP01-016 Nami (4 → 2)")
    assert unread.startswith("standard input: Line 20 ")
    assert run("compare", "-", ZORO, stdin=other)[1] == "  +2 OP01-016 Nami (2 → 4)"
    assert len(run("compare", ZORO, ZORO)) == 1
