"""The layout of texts without a terminal: what is below what, and in which column."""

from __future__ import annotations

from io import StringIO

import pytest
from click.testing import CliRunner
from rich.console import Console

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


def test_a_deck_has_a_heading_for_each_section_and_two_columns(run):
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


def test_another_leader_has_its_own_ways(run):
    lines = run("repair", PAIR, *ON)
    title, other = (line for line in lines if "nother Leader" in line)
    place = lines.index(other)
    assert (title.count("6"), title.count("12"), other[:2], lines[place - 1]) == (1, 1, " W", "")
    assert [card in other for card in ("EB01-021", "OP06-042", "OP12-041")] == [True, True, True]
    assert {line[:5] for line in lines[place + 1 :] if line} == {"   - ", "     "}


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (ON, "in force from 2026-10-12; announcements known up to 2026-10-04"),
        (("--game", "optcg", "--on", "2022-12-02"), "none in force; announcements known up to 2026-10-04"),
        ((*ON, "--policy", "limits=false"), "not applied"),
    ],
)
def test_a_verdict_names_its_limits_list(run, words, text):
    assert f"  Limits     {text}" in run("check", ZORO, *words)


def test_a_game_without_limits_lists_has_no_line_for_them(run):
    lines = run("check", EXAMPLES / "bos-lanterns.txt")
    assert [line[:11] for line in lines if line.startswith(("  Limits", "  Judged"))] == ["  Judged on"]


def test_the_length_of_a_match_is_beside_day_and_format(run):
    (judged,) = (
        line for line in run("check", EXAMPLES / "gundam-white-base.txt", "--best-of", 3) if "Judged on" in line
    )
    assert judged.endswith(", best of 3")


def test_a_card_has_a_line_for_each_known_fact(run):
    lines = run("cards", "show", "OP01-001", "--game", "optcg")
    facts = {line[2:13].strip(): line[13:] for line in lines[1:] if line[2:13].strip()}
    assert lines[0] == "OP01-001 Roronoa Zoro"
    assert [facts[label] for label in ("Game", "Type", "Colours", "Life", "Power", "Block")] == [
        *("optcg", "Leader", "Red"),
        *("5", "5000", "1"),
    ]
    assert {"Back", "Cost"}.isdisjoint(facts)


def test_a_table_on_a_terminal_is_drawn_with_numbers_at_the_right(monkeypatch):
    shown = StringIO()
    monkeypatch.setattr(console, "_terminal", lambda: Console(file=shown, width=60))
    console.table(["card", "copies", "note"], [["OP01-016", "4", None], ["OP01-025", "1,000", "\x1b[1m"]])
    head, _, nami, zoro = (line.rstrip() for line in shown.getvalue().splitlines() if line.strip())
    assert (nami.endswith("4"), nami.index("4", 9), zoro.index("1,000")) == (
        True,
        head.index("copies") + 5,
        nami.index("4", 9) - 4,
    )
    assert "\x1b" not in shown.getvalue()
