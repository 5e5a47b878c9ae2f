"""The package `deckproof`: its examples run, and a wrong call raises an error that says what to write."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import deckproof
from deckproof import Calendar, Deck, Judge, Library, Line, Parsed, Policy, Terms, compare, odds, parse, repair, swap
from deckproof import timeline as days_of
from tests.docs.guides import read_blocks
from validator.rulesets import rulesets

ROOT = Path(__file__).parents[1]
DAY = date(2026, 11, 21)
LIST = "1 ST21-001\n4 OP01-016 Nami"
LIBRARY = Library("sqlite:////nowhere/cards.db")
OPTCG, BOS = LIBRARY.catalogue("optcg"), LIBRARY.catalogue("bos")
TERMS = Terms.of_game("optcg", DAY)
JUDGE = Judge(TERMS, OPTCG)
PARSED = parse(LIST, catalogue=OPTCG)
DECK = PARSED.deck
CALENDAR = Calendar("optcg")


def judge_on(day):
    return Judge(CALENDAR.of_lists.terms(day), OPTCG)


# A wrong call, the argument that its error names, and what the error says to write.
WRONG_CALLS = [
    (lambda: Terms("optcg-1.2.1"), "'on'", ""),
    (lambda: Terms("optcg", DAY), "ruleset", "Terms.of_game('optcg', on)"),
    (lambda: Terms("optcg-9", DAY), "ruleset", "optcg-1.2.1"),
    (lambda: Terms(None, DAY), "ruleset", "'optcg-1.2.1'"),
    (lambda: Terms("optcg-1.2.1", "2026-11-21"), "on", "date.fromisoformat('2026-11-21')"),
    (lambda: Terms("optcg-1.2.1", datetime(2026, 11, 21, tzinfo=UTC)), "on", "on.date()"),
    (lambda: Terms("optcg-1.2.1", None), "on", "date.today()"),
    (lambda: Terms("optcg-1.2.1", 20261121), "on", "date.fromisoformat"),
    (lambda: Terms("optcg-1.2.1", DAY, None), "region", "'en'"),
    (lambda: Terms("optcg-1.2.1", DAY, format=None), "format", "'standard'"),
    (lambda: Terms("optcg-1.2.1", DAY, format="vintage"), "format", "standard, extra"),
    (lambda: Terms("optcg-1.2.1", DAY, policy={"side_max": 10}), "policy", "Policy("),
    (lambda: Terms("optcg-1.2.1", DAY, best_of=2), "best_of", "1 or 3"),
    (lambda: Terms("optcg-1.2.1", DAY, best_of="3"), "best_of", "1 or 3"),
    (lambda: Terms("optcg-1.2.1", DAY, lists=[]), "lists", ".lists('optcg')"),
    (lambda: Terms("optcg-1.2.1", DAY, lists=LIBRARY.lists("dbs")), "lists", "'optcg'"),
    (lambda: Terms.of_game("onepiece", DAY), "game", "optcg"),
    (lambda: Terms.of_game(OPTCG, DAY), "game", "'optcg'"),
    (lambda: Terms.of_game("optcg", "today"), "on", "date.today()"),
    (lambda: Judge("optcg-1.2.1", OPTCG), "terms", "Terms.of_game('optcg', date.today())"),
    (lambda: Judge(TERMS.ruleset, OPTCG), "terms", "Terms("),
    (lambda: Judge(OPTCG, TERMS), "terms", "Terms("),
    (lambda: Judge(TERMS, BOS), "catalogue", "one game for both"),
    (lambda: Judge(Terms("dbs-4.00", DAY), OPTCG), "catalogue", "'dbs'"),
    (lambda: Judge(TERMS, "optcg"), "catalogue", ".catalogue('optcg')"),
    (lambda: Judge(TERMS, LIBRARY), "catalogue", ".catalogue('optcg')"),
    (lambda: Judge(TERMS, None), "catalogue", ".catalogue('optcg')"),
    (lambda: Judge(Terms("optcg-1.2.1", DAY, "mars"), OPTCG), "region", "en"),
    (lambda: JUDGE(LIST), "deck", "parse(text, catalogue=catalogue).deck"),
    (lambda: JUDGE({"main": []}), "deck", "Deck(main="),
    (lambda: JUDGE(PARSED), "deck", "deck.deck"),
    (lambda: JUDGE(None), "deck", "Deck(main="),
    (lambda: JUDGE(Deck(main=Line("OP01-016", 4))), "deck.main", "(Line('OP01-016', 4),)"),
    (lambda: JUDGE(Deck(main=[("OP01-016", 4)])), "deck.main[0]", "Line('OP01-016', 4)"),
    (lambda: JUDGE(Deck(main=(Line("OP01-016", "4"),))), "deck.main[0].count", "int"),
    (lambda: parse(Path("deck.txt"), catalogue=OPTCG), "text", "read_text()"),
    (lambda: parse(LIST, OPTCG), "game", "catalogue=catalogue"),
    (lambda: parse(LIST, game="onepiece"), "game", "optcg"),
    (lambda: parse(LIST, catalogue="optcg"), "catalogue", ".catalogue('optcg')"),
    (lambda: parse(LIST, "dbs", OPTCG), "catalogue", "'dbs'"),
    (lambda: repair(DECK, JUDGE), "judge", "repair(Judge(terms, catalogue), deck)"),
    (lambda: repair(JUDGE, LIST), "deck", "parse(text, catalogue=catalogue).deck"),
    (lambda: repair(JUDGE, DECK, "OP01-016"), "pinned", "list"),
    (lambda: repair(JUDGE, DECK, ["OP99-999"]), "OP99-999", "pin its cards by number"),
    (lambda: odds(TERMS, DECK), "judge", "odds(Judge(terms, catalogue), deck)"),
    (lambda: odds(JUDGE, LIST), "deck", "Deck(main="),
    (lambda: swap(JUDGE, LIST, DECK), "before", "Deck(main="),
    (lambda: swap(JUDGE, DECK, PARSED), "after", "after.deck"),
    (lambda: swap(DECK, DECK, JUDGE), "judge", "swap(Judge("),
    (lambda: compare(DECK, LIST, OPTCG), "after", "Deck(main="),
    (lambda: compare(DECK, DECK, "optcg"), "catalogue", ".catalogue('optcg')"),
    (lambda: days_of(DECK, "optcg", judge_on, DAY, DAY), "calendar", "Calendar('optcg')"),
    (lambda: days_of(DECK, CALENDAR, JUDGE, DAY, DAY), "judge_on", "lambda day: Judge("),
    (lambda: days_of(DECK, CALENDAR, judge_on, "2026-11-21", DAY), "first", "date.fromisoformat('2026-11-21')"),
    (lambda: days_of(DECK, CALENDAR, judge_on, DAY, date(2026, 1, 1)), "first day", "2026-01-01"),
    (lambda: Library("cards.db"), "database_url", "'sqlite:///cards.db'"),
    (lambda: Library(Path("cards.db")), "database_url", "'sqlite:///cards.db'"),
    (lambda: LIBRARY.catalogue("onepiece"), "game", "optcg"),
    (lambda: LIBRARY.catalogue(TERMS), "game", "'optcg'"),
]


@pytest.mark.parametrize(("call", "name", "hint"), WRONG_CALLS, ids=range(len(WRONG_CALLS)))
def test_a_wrong_call_names_the_argument_and_what_to_write(call, name, hint):
    with pytest.raises((TypeError, ValueError)) as raised:
        call()
    assert name in str(raised.value)
    assert hint in str(raised.value)
    assert len(str(raised.value)) < 400


def examples():
    """The Python blocks of the README and of the page of the Python API."""
    pages = {"README": ROOT / "README.md", "page": ROOT / "docs/reference/python.md"}
    return {
        name: block.text for name, page in pages.items() for block in read_blocks(page) if block.language == "python"
    }


@pytest.mark.parametrize(("name", "words"), [("README", "needs exactly 50"), ("page", "Changes to a legal deck: ")])
def test_an_example_runs(name, words, tmp_path):
    call = [sys.executable, "-W", "error", "-c", examples()[name]]
    ran = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert words in ran.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_examples_pass_a_strict_type_check(tmp_path):
    for name, text in examples().items():
        (tmp_path / f"{name}_example.py").write_text(text, "utf-8")
    every = "".join(f"from deckproof import {name} as {name}_\n" for name in deckproof.__all__)
    (tmp_path / "every_name.py").write_text(every, "utf-8")
    # As for whoever installs the package: mypy checks its signatures, not its functions, which `.ci/run` checks.
    options = ["--strict", "--follow-imports", "silent", "--cache-dir", tmp_path / "cache"]
    call = [sys.executable, "-m", "mypy", *options, *tmp_path.glob("*.py")]
    ran = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, env={"MYPYPATH": str(ROOT), "PATH": ""})
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_package_has_its_names_for_type_checkers_too():
    """Names are imported at first use. Type checkers read the same names from imports."""
    text = (ROOT / "deckproof/__init__.py").read_text("utf-8")
    names = re.findall(r"^    (?:.* as (\w+)|(\w+) = \w+)$", text, re.MULTILINE)
    assert sorted(name or alias for name, alias in names) == sorted(deckproof.__all__)
    assert set(dir(deckproof)) == set(deckproof.__all__)
    with pytest.raises(AttributeError, match="Judge"):
        deckproof.Jugde  # noqa: B018


def test_importing_it_loads_neither_the_database_nor_the_server():
    code = (
        "import sys; from deckproof import *; Judge; Library('sqlite:///none.db').catalogue('optcg'); "
        "print({name.partition('.')[0] for name in sys.modules})"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"sqlalchemy", "flask", "requests", "click", "openpyxl"} & set(re.findall(r"'(\w+)'", ran.stdout))


def test_values_are_shown_in_less_than_two_hundred_characters():
    verdict = JUDGE(parse("1 ST21-001\n60 OP01-016 Nami\nBad line 4", catalogue=OPTCG).deck)
    shown = [DECK, TERMS, JUDGE, verdict, *verdict.findings, *rulesets().values(), PARSED]
    assert [value for value in shown if len(repr(value)) >= 200] == []
    assert repr(DECK) == "Deck(leader=1, main=4)"
    assert "optcg-1.2.1" in repr(JUDGE)


def test_a_list_without_headings_needs_a_catalogue():
    without = parse(LIST)
    assert without.notice.startswith("2 lines")
    assert len(without.deck.main) == 2
    assert PARSED.notice == ""
    assert (len(DECK.leader), len(DECK.main)) == (1, 1)
    assert parse(f"Leader\n{LIST.replace(chr(10), chr(10) + 'Main' + chr(10))}").notice == ""
    assert isinstance(without, Parsed)


def test_a_policy_changes_the_terms():
    assert Terms.of_game("dbs", DAY, policy=Policy(side_max=10)) != Terms.of_game("dbs", DAY)
