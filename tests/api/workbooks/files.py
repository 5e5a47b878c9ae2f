"""Spreadsheets made in memory, and read and judged with the facts that ship."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl

from api.workbooks.intake.book import Book
from api.workbooks.intake.book_reader import read
from api.workbooks.reporting import results
from api.workbooks.reporting import results_xlsx as workbook
from api.workbooks.reporting.results import Results
from carddb import facts
from validator import Judge, Terms, decklists, rulesets

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HEAD = ["Player", "Player ID", "Section", "Number", "Name", "Count"]


@cache
def catalogue():
    return facts.catalogue("optcg")


@cache
def judge():
    return Judge(Terms(rulesets()["optcg-1.1.9"], date(2026, 11, 1)), catalogue())


def example(name: str = "optcg-red-zoro.txt") -> str:
    return (EXAMPLES / name).read_text("utf-8")


@cache
def deck(name: str = "optcg-red-zoro.txt"):
    return decklists.parse(example(name), "optcg", catalogue()).deck


def card_rows(player: Any = "Zoro", id: Any = "0001", name: str = "optcg-red-zoro.txt") -> list[list[Any]]:
    """A row for each card of an example deck."""
    return [[player, id, section, line.number, line.name, line.count] for section, line in deck(name).lines()]


def xlsx(sheets: Mapping[str, Sequence[Sequence[Any]]] | Sequence[Sequence[Any]], *merged: str) -> bytes:
    """An XLSX file of these sheets; `merged` are ranges of the first."""
    if not isinstance(sheets, Mapping):
        sheets = {"Decks": sheets}
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    for cells in merged:
        book.worksheets[0].merge_cells(cells)
    return saved(book)


def saved(book) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def book_of(data: bytes | str, name: str = "decks.xlsx") -> Book:
    if isinstance(data, str):
        data, name = data.encode(), "decks.csv"
    return read(data, name, "optcg", catalogue())


def messages(book: Book) -> list[str]:
    return [fault.message for fault in book.faults]


def counts(entry) -> dict[str, int]:
    return {section: sum(line.count for line in entry.deck.section(section)) for section in ("leader", "main", "side")}


def judged(data: bytes | str, name: str = "decks.xlsx") -> Results:
    return results.judge(book_of(data, name), judge())


def written(found: Results, deck_sheets: bool = False):
    """The results workbook, opened again."""
    return openpyxl.load_workbook(io.BytesIO(results_file(found, deck_sheets)))


def results_file(found: Results, deck_sheets: bool = False) -> bytes:
    """Return the results workbook as a file."""
    out = io.BytesIO()
    workbook.write(found, out, deck_sheets)
    return out.getvalue()


def rows(sheet) -> list[dict[str, Any]]:
    """The rows of a report under its headings."""
    lines = [list(row) for row in sheet.iter_rows(values_only=True)]
    head = next(at for at, row in enumerate(lines) if sum(cell is not None for cell in row) > 2)
    return [dict(zip(lines[head], row, strict=True)) for row in lines[head + 1 :]]
