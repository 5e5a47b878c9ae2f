"""What a workbook of 5,000 decks costs, as a ratio measured in one run: `python -m tests.benchmarks.workbooks`.

The bare cost is that of the usual programs: python-calamine reads the file, and openpyxl writes, write-only and
without a style, as many cells as the results have. Memory is that of a process that only does the work.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
import python_calamine

from api.workbooks import checking
from carddb.catalogue import Catalogue
from tests.benchmarks import judge as decks_of_judge
from validator import Deck, Judge, Terms, rulesets

DECKS = 5_000
ROWS = 15  # of a deck, or nearly
ROUNDS = 8
HEAD = ("Player", "Player ID", "Section", "Number", "Name", "Count")
_WHOLE = "--whole"


def main() -> None:
    """Print seconds for the bare cost and for the whole, their ratio, and the memory of the whole."""
    if sys.argv[1:2] == [_WHOLE]:
        _whole(Path(sys.argv[2]).read_bytes(), _catalogue_and_decks()[0])
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    catalogue, decks = _catalogue_and_decks()
    with TemporaryDirectory() as folder:
        file = Path(folder, "decks.xlsx")
        written = list(_rows(catalogue, decks))
        file.write_bytes(_make_workbook(written))
        data = file.read_bytes()
        cells = _cells(_whole(data, catalogue))
        bare, whole = _best_times(lambda: _bare(data, cells), lambda: _whole(data, catalogue))
        command = [sys.executable, "-m", "tests.benchmarks.workbooks", _WHOLE, str(file)]
        memory = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    count = sum(len(row) for sheet in cells for row in sheet)
    print(f"{DECKS:,} decks, {len(written):,} rows in, {count:,} cells out, best of {ROUNDS} rounds in turn")
    print(f"bare:   {bare:7.2f} s")
    print(f"whole:  {whole:7.2f} s")
    print(f"ratio:  {whole / bare:7.2f} (wanted: at most 1.3)")
    print(f"memory: {memory:>7} MB (wanted: under 600)")


def _catalogue_and_decks() -> tuple[Catalogue, list[Deck]]:
    return decks_of_judge.real_decks() if decks_of_judge.SHARED.exists() else decks_of_judge.invented_decks()


def _rows(catalogue: Catalogue, decks: Sequence[Deck]) -> Iterator[Sequence[Any]]:
    """Yield a row for each card of DECKS decks of about ROWS different cards, as an organiser's export has them."""
    usual = sorted(decks, key=lambda deck: abs(ROWS - sum(1 for _ in deck.lines())))[: len(decks) // 2]
    yield HEAD
    for at in range(DECKS):
        for section, line in usual[at % len(usual)].lines():
            card = catalogue.by_number(line.number or "")
            yield f"Player {at}", f"{at:010}", section, line.number, card.name if card else "", line.count


def _make_workbook(*sheets: Any) -> bytes:
    """Return the bytes of an XLSX workbook with these sheets of rows."""
    book = openpyxl.Workbook(write_only=True)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _bare(data: bytes, cells: Any) -> None:
    with python_calamine.CalamineWorkbook.from_filelike(BytesIO(data)) as book:
        for name in book.sheet_names:
            book.get_sheet_by_name(name).to_python()
    _make_workbook(*cells)


def _whole(data: bytes, catalogue: Catalogue) -> bytes:
    judge = Judge(Terms(rulesets()["optcg-1.1.9"], date(2026, 11, 1), format="extra"), catalogue)
    with TemporaryDirectory() as folder:
        checking.run(data, "decks.xlsx", judge, Path(folder, "results.xlsx"), checking.Wanted())
        return Path(folder, "results.xlsx").read_bytes()


def _cells(data: bytes) -> list[list[list[Any]]]:
    """Return the cells of a workbook that hold anything, by sheet and row."""
    book = python_calamine.CalamineWorkbook.from_filelike(BytesIO(data))
    sheets = (book.get_sheet_by_name(name).to_python() for name in book.sheet_names)
    return [[[cell for cell in row if cell != ""] for row in rows] for rows in sheets]


def _best_times(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Return the best processor time of each function. They are run in turn, so that both meet the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for timed, call in zip(times, (first, second), strict=True):
            start = time.process_time()
            call()
            timed.append(time.process_time() - start)
    return min(times[0]), min(times[1])


if __name__ == "__main__":
    main()
