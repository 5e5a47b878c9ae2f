"""The recipes of CONTRIBUTING.md, followed: in a copy of the packages, in as many files as they say and no more."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
DAY = ("--on", "2026-11-21")
EXAMPLE = (ROOT / "examples/optcg-red-zoro.txt").read_text("utf-8")

GAME = """    Game(
        id="kite",
        title="Kite Duel",
        types=("Leader", "Kite", "Wind"),
        colors=("Amber", "Teal"),
        series={"KD": Series(2, 3)},
    ),
"""
RULES = """
id = "kite-1"
game = "kite"
title = "Kite Duel Rules 1 (invented)"

[rules.sections]
kind = "sections"
says = "A Leader and a deck."
section = "1"
sections = ["leader", "main"]

[rules.leader]
kind = "leader_count"
says = "Exactly 1 Leader."
section = "1"
count = 1

[rules.leader-types]
kind = "types"
says = "Only a Leader leads."
section = "1"
of = "leader"
types = ["Leader"]

[rules.main-types]
kind = "types"
says = "A deck is made of kites and winds."
section = "1"
of = "main"
types = ["Kite", "Wind"]

[rules.main-size]
kind = "size"
says = "A deck has exactly 20 cards."
section = "2"
of = "main"
minimum = 20
maximum = 20

[rules.copies]
kind = "copies"
says = "At most 3 copies of a card."
section = "3"
limit = 3
sections = ["main"]
"""
CARDS = "number,name,type,colors,cost,set\nKD01-001,Captain 1,Leader,Amber,,KD01 (invented)\n" + "".join(
    f"KD01-{at:03},Kite {at},Kite,{('Amber', 'Teal')[at % 2]},{at % 5},KD01 (invented)\n" for at in range(2, 31)
)

KIND = '''"""How much the cards of a section may cost together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validator.deck import DeckFacts
from validator.findings import Code, Finding
from validator.rules.base import Rule

EXCEEDED = Code(
    "cost.exceeded",
    "The cards of a section cost more than allowed.",
    lambda f, translate: translate(
        "The cards cost {count} together; at most {limit} is allowed.", count=f.count, limit=f.limit
    ),
    lambda f, translate: translate("Take cards that cost {over} less.", over=f.over),
)


@dataclass(frozen=True)
class TotalCost(Rule):
    """The cards of a section cost at most so much."""

    of: str
    limit: int

    codes: ClassVar[tuple[Code, ...]] = (EXCEEDED,)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding where they cost more."""
        total = sum((card.cost or 0) * copies for card, copies in facts.counts.get(self.of, {}).items())
        if total > self.limit:
            yield Finding(EXCEEDED, self.cite, self.of, count=total, limit=self.limit)
'''
TABLE = """
[rules.total-cost]
kind = "total_cost"
says = "The cards of a deck cost at most 20 (invented)."
section = "9"
of = "main"
limit = 20
"""

EDITION = """
id = "optcg-9.9"
game = "optcg"
title = "ONE PIECE CARD GAME Comprehensive Rules 9.9 (invented)"
inherits = "optcg-1.2.1"
recite = true
from = 2026-11-01

[rules.main-size]
says = "A deck has exactly 60 cards."
minimum = 60
maximum = 60
"""

FORMAT = """
    _link_format(
        "slips-url",
        "link of an invented site: ?slips=4xOP01-016",
        _make_decoder("slips", _TIMES, ";"),
        _make_link_writer("https://slips.example/decks?slips={}", "{count}x{number}", ";"),
    ),"""


FIELD = '        found["cards"] = sum(self.facts.sizes.values())\n'
DECLARATION = '    cards: Annotated[int, doc("The number of cards in all sections together.")]\n'
DECLARED = """
import json, sys
from api.service.settings import Settings
from api.web.app import create_app
document = create_app(Settings()).test_client().get("/openapi.json").json
verdict = document["components"]["schemas"]["Verdict"]
print(json.dumps(sorted(set(json.load(sys.stdin)) - set(verdict["properties"]))))
"""
WRITTEN = """
import sys
from datetime import date
from api.service.answers.verdict_answers import verdict_bytes
from carddb import facts
from validator import Judge, Terms
from validator.decklists import parse
catalogue = facts.catalogue("optcg")
judge = Judge(Terms("optcg-1.2.1", date(2026, 10, 4)), catalogue)
print(verdict_bytes(judge(parse(sys.stdin.read(), "optcg", catalogue).deck)).decode())
"""


class Copy:
    """A copy of the packages, what was touched in it, and the command of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.touched: list[str] = []
        for package in ("api", "carddb", "validator"):
            shutil.copytree(ROOT / package, folder / package)

    def write(self, path: str, text: str) -> None:
        """Write a new file."""
        assert not (self.folder / path).exists()
        (self.folder / path).write_text(text, "utf-8")
        self.touched.append(path)

    def add(self, path: str, after: str, text: str) -> None:
        """Add a text to a file after the only match of a pattern. The pattern "$" is the end of the file."""
        whole = (self.folder / path).read_text("utf-8")
        (place,) = re.finditer(after, whole)
        (self.folder / path).write_text(whole[: place.end()] + text + whole[place.end() :], "utf-8")
        self.touched.append(path)

    def run(self, *words: str, exits: int, text: str = "", program: str = "from api.cli import main; main()") -> str:
        """Return the output of the command, or of another program, which ends with this code."""
        here = {"PYTHONPATH": str(self.folder), "DECKPROOF_DATA_DIR": str(self.folder / "data")}
        ran = subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=self.folder, env=os.environ | here, input=text, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == exits, ran.stdout + ran.stderr
        return ran.stdout

    def codes(self, text: str, *words: str, exits: int) -> list[str]:
        """Return the codes of a list's verdict, advice left out."""
        verdict = json.loads(self.run("check", "-", "--json", *words, *DAY, exits=exits, text=text))
        one = verdict[0] if isinstance(verdict, list) else verdict
        return [finding["code"] for finding in one["findings"] if finding["severity"] == "error"]


@pytest.fixture
def house(tmp_path) -> Copy:
    return Copy(tmp_path)


def kites(copies: int, cards: int) -> str:
    return "1 KD01-001\n" + "".join(f"{copies} KD01-{at:03}\n" for at in range(2, 2 + cards))


def test_a_game_of_thirty_cards_is_four_files(house):
    house.add("validator/games.py", r"for game in \(", f"\n{GAME}    ")
    house.write("validator/rulesets/kite-1.toml", RULES)
    house.add("validator/clauses/__init__.py", r"\nREADERS: .* = \{", '"kite": PLAIN, ')
    house.write("carddb/data/facts/kite.csv", CARDS)
    assert len(house.touched) == 4
    assert house.codes(kites(2, 10), "--game", "kite", exits=0) == []
    assert house.codes(kites(2, 10), exits=0) == []  # the game is told from its cards
    assert house.codes(kites(4, 6), exits=1) == ["copies.exceeded"] * 6 + ["size"]
    assert "30" in house.run("cards", "stats", exits=0)
    house.run("rules", "kite-1", exits=0)


def test_a_kind_of_rule_is_three_files(house):
    house.write("validator/rules/total_cost.py", KIND)
    house.add("validator/rules/__init__.py", r"\nfrom validator\.rules\.types import Types",
              "\nfrom validator.rules.total_cost import TotalCost")  # fmt: skip
    house.add("validator/rules/__init__.py", r"\nKINDS: .* = \{", '\n    "total_cost": TotalCost,')
    house.add("validator/rulesets/optcg-1.2.1.toml", r"\Z", TABLE)
    assert len(set(house.touched)) == 3
    assert house.codes(EXAMPLE, "--ruleset", "optcg-1.2.1", exits=1) == ["cost.exceeded"]
    assert house.codes(EXAMPLE, "--ruleset", "optcg-1.2.0", exits=0) == []


def test_an_edition_is_one_file(house):
    house.write("validator/rulesets/optcg-9.9.toml", EDITION)
    assert house.codes(EXAMPLE, "--game", "optcg", exits=1) == ["size"]
    assert house.codes(EXAMPLE, "--ruleset", "optcg-1.2.1", exits=0) == []


def test_a_format_is_one_file(house):
    house.add("validator/decklists/formats/links.py", r"\nFORMATS = \(", FORMAT)
    assert len(house.touched) == 1
    (house.folder / "deck.txt").write_text(EXAMPLE)
    link = house.run("convert", "deck.txt", "--to", "slips-url", exits=0)
    assert "4xOP01-016;" in link
    assert house.codes(link, exits=0) == []


def test_a_field_of_the_verdict_is_one_file(house):
    house.add("validator/judge.py", r'found: ReasonsJSON = \{"findings": \[\]\}\n', FIELD)
    house.add("validator/judge.py", r"class ReasonsJSON\(TypedDict\):\n", DECLARATION)
    assert set(house.touched) == {"validator/judge.py"}
    shown = house.run("check", "-", "--json", "--ruleset", "optcg-1.2.1", *DAY, exits=0, text=EXAMPLE)
    assert json.loads(shown)["cards"] == 51
    written = house.run(exits=0, text=EXAMPLE, program=WRITTEN)
    assert json.loads(written)["cards"] == 51
    assert json.loads(house.run(exits=0, text=written, program=DECLARED)) == []
