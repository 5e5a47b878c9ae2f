"""Spreadsheets that are made to hurt are judged in time, become jobs before all of them is read, or are refused."""

from __future__ import annotations

import csv
import io
import json
import random
from contextlib import suppress
from itertools import permutations
from xml.sax.saxutils import escape

import openpyxl
import pytest

from api.service.errors import Large, Refused
from api.workbooks import checking
from api.workbooks.checking import Wanted
from api.workbooks.intake.grids import AT_ONCE
from tests.carddb.raw_workbooks import raw_xlsx, sheet, texts
from tests.cost import MOST, seconds, time_limit
from tests.hostile import attacks
from validator.texts import LONGEST_CELL

pytestmark = pytest.mark.slow

CELL = LONGEST_CELL - 100
UNITS = 4  # of each shape
MARKS = "a" + "\u0301\u0327" * 4_000


def workbook_of_shared_texts(cells: list[str], rows: int, *head: str) -> bytes:
    """Return a workbook in which every row shows the same shared texts."""
    kept = [text for text in (*head, *cells) if text]
    clean = ["".join(char for char in text if char.isprintable() or char == "\n") for text in kept]
    numbers = [range(len(head)), *[range(len(head), len(kept))] * rows]
    xml = "".join(
        f'<row r="{at}">{"".join(_cell(column, at, number) for column, number in enumerate(row))}</row>'
        for at, row in enumerate(numbers, 1)
    )
    return raw_xlsx(sheet(xml), texts(*map(escape, clean)))


def _cell(column: int, row: int, number: int) -> str:
    return f'<c r="{chr(65 + column)}{row}" t="s"><v>{number}</v></c>'


def table(rows: list[list[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode("utf-8", "replace")


@pytest.fixture(scope="module")
def checked(judge, tmp_path_factory):
    """Judge a spreadsheet as a request does; None where it becomes a job, is refused or cannot be had at once."""
    target = tmp_path_factory.mktemp("results") / "results.xlsx"

    def check(data, name="decks.xlsx", budget=AT_ONCE):
        with suppress(Large, Refused):
            return checking.run(data, name, judge, target, Wanted(), budget=budget)

    return check


def a_list(unit: str) -> str:
    lines = attacks.in_lines(unit, CELL, 60)
    return "".join(char for char in lines if char.isprintable() or char == "\n")


def a_name(unit: str) -> str:
    return json.dumps({"main": [{"name": attacks.repeat_unit(unit, CELL - 100), "count": 4}]}, ensure_ascii=False)


SHAPES = {
    "shared lists": lambda unit: workbook_of_shared_texts(["Zoro", a_list(unit)], 100, "Player", "Decklist"),
    "shared lists in JSON": lambda unit: workbook_of_shared_texts(["Zoro", a_name(unit)], 100, "Player", "Decklist"),
    "shared names": lambda unit: workbook_of_shared_texts(
        [attacks.repeat_unit(unit, CELL), "4 OP01-016", attacks.repeat_unit(unit, CELL)],
        100,
        "Player",
        "Decklist",
        "Notes",
    ),
    "shared cards": lambda unit: workbook_of_shared_texts(
        ["Zoro", attacks.repeat_unit(unit, 190), "4"], 500, "Player", "Card", "Count"
    ),
    "lists": lambda unit: table(
        [["Player", "Decklist"], *([f"Zoro {at}", f"4 a{at}\n{a_list(unit)}"] for at in range(8))]
    ),
    "names": lambda unit: table(
        [["Player", "Event", "Decklist"]]
        + [[f"{at}{attacks.repeat_unit(unit, 190)}", attacks.repeat_unit(unit, 190), "4 OP01-016"] for at in range(200)]
    ),
    "cards": lambda unit: table(
        [["Player", "Card", "Count"], *(["Zoro", f"{at}{attacks.repeat_unit(unit, 150)}", "4"] for at in range(300))]
    ),
    "headings": lambda unit: table(
        [[f"{attacks.repeat_unit(unit, 190)}{at}" for at in range(150)], *[["4", "OP01-016"]] * 30]
    ),
    "notes": lambda unit: table(
        [["Player", attacks.repeat_unit(unit, 150), "Decklist"], *[["Z", unit * 99, "4 A"]] * 99]
    ),
}
NAMES = list(SHAPES)


@pytest.mark.parametrize("name", NAMES)
def test_a_spreadsheet_is_answered_within_a_second(checked, name):
    for unit in attacks.part_of_units(NAMES.index(name), len(NAMES), UNITS):
        data = SHAPES[name](unit)
        took = seconds(lambda data=data: checked(data), MOST)
        assert took <= MOST, f"{took:.2f} s for {unit!r} again and again"


WORST = {
    "marks": [["Zoro", a_name("\u0301\u0327")], 400],
    "lists": [["Zoro", a_list("one >[[},/4;|OP1-6 ")], 400],
    "near misses": [["Zoro", "\n".join(f"4 Monky.D.Lufy {at}" for at in range(500))], 400],
    "unknown cards": [
        ["Zoro", "\n".join(f"4 Nobody {letters}" for letters in map("".join, permutations("abcdef", 4)))],
        400,
    ],
    "players": [[MARKS, "4 OP01-016"], 400],
}


@pytest.mark.parametrize("name", WORST)
def test_cells_that_rows_share_are_read_once(checked, name):
    data = workbook_of_shared_texts(*WORST[name], "Player", "Decklist")
    assert len(data) < 50_000
    assert seconds(lambda: checked(data), MOST) <= MOST


def test_results_list_so_many_findings_of_a_deck_and_say_that_there_are_more(judge, tmp_path):
    target = tmp_path / "results.xlsx"
    data = workbook_of_shared_texts(WORST["unknown cards"][0], 10, "Player", "Decklist")
    checking.run(data, "decks.xlsx", judge, target, Wanted())
    found = list(openpyxl.load_workbook(target, read_only=True)["Findings"].iter_rows(values_only=True))
    assert "more" in found[0][0]
    assert len(found) == 2 + 10 * 100


def test_what_it_holds_decides_what_is_answered_at_once(judge, tmp_path):
    lists = [["Player", "Decklist"], *([f"Zoro {at}", f"{at}\n{'4 OP01-016 ' * 800}"] for at in range(100))]
    with time_limit(0.5), pytest.raises(Large):  # nothing of it was parsed
        checking.run(table(lists), "decks.csv", judge, tmp_path / "results.xlsx", Wanted(), budget=AT_ONCE)


def test_any_text_in_any_cell_is_read_or_told(checked):
    chance = random.Random(attacks.SEED)
    for _ in range(attacks.DRAWN // 20):
        rows = [
            [attacks.mix_pieces(chance, chance.choice((3, 20, 100))) for _ in range(4)]
            for _ in range(chance.randint(1, 12))
        ]
        head = chance.sample(
            ["Player", "Decklist", "Card", "Number", "Count", "Event", "ID", attacks.mix_pieces(chance, 20)], 4
        )
        found = checked(table([head, *rows]), "decks.csv")
        filled = sum(any(cell.strip() for cell in row) for row in [head, *rows])
        assert found is None or found.book.rows.filled_count >= filled - 1
