"""Spreadsheets of many decks, on the command line: read, judged, and what came of them written."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple

import click

from api.cli import ILLEGAL
from api.cli import LEGAL
from api.cli import UNUSABLE
from api.cli import Fault
from api.cli import options

if TYPE_CHECKING:
    from api.service.judges import Judges
    from api.service.requests import Asked
    from api.workbooks.checking import Wanted
    from api.workbooks.entries import Book
    from api.workbooks.results import Progress
    from api.workbooks.results import Results
    from validator.judge import Judge

READ = (".xlsx", ".csv", ".tsv", ".xls", ".xlsm", ".ods")  # of the last three the reader says what is to be done
WRITTEN = (".xlsx", ".csv")
_ASKED = 20  # decks that may tell the game
_MOST_TOLD = 20  # things wrong with a spreadsheet, on the terminal


class Outputs(NamedTuple):
    """What is written: the results, with a sheet for each deck or without, and where registration sheets go."""

    target: str
    deck_sheets: bool = False
    sheets: str | None = None
    paper: str = "a4"


def judge(source: str, outputs: Outputs, terms: dict[str, Any]) -> int:
    """Judge the decks of a spreadsheet and write what came of them; return the exit code."""
    from api.service.requests import Asked
    from api.workbooks import checking
    from api.workbooks import csv

    _check(outputs)
    name, data = _contents(source)
    judge = _judge(data, name, options.judges(), Asked(**terms))
    files = list(_files(outputs))
    with _progress(1 + len(files)) as parts:
        found = checking.check(data, name, judge, next(parts))
        for path, wanted in files:
            checking.write(found, path, wanted, next(parts))
    if outputs.target == "-":
        sys.stdout.buffer.write(csv.summary(found))
        sys.stdout.buffer.flush()
    _tell(found, outputs)
    return _code(found)


def _check(outputs: Outputs) -> None:
    if outputs.target != "-" and Path(outputs.target).suffix.lower() not in WRITTEN:
        raise Fault(f"{outputs.target}: what came of a spreadsheet is written as .xlsx or .csv.")
    if outputs.sheets and Path(outputs.sheets).suffix.lower() != ".pdf":
        raise Fault(f"{outputs.sheets}: registration sheets of many decks are written as .pdf.")
    if outputs.deck_sheets and Path(outputs.target).suffix.lower() != ".xlsx":
        raise Fault("--deck-sheets needs a workbook: name a file .xlsx after -o.")


def _contents(source: str) -> tuple[str, bytes]:
    """Return what messages call a file, and as much of it as may be read and one byte more."""
    from api.workbooks.grids import LARGEST_FILE

    if source == "-":
        return "standard input", sys.stdin.buffer.read(LARGEST_FILE + 1)
    with Path(source).open("rb") as file:
        return Path(source).name, file.read(LARGEST_FILE + 1)


def _judge(data: bytes, name: str, judges: Judges, asked: Asked) -> Judge:
    """Return the judge asked for; where neither ruleset nor game is, the cards tell the game."""
    if asked.ruleset is None and asked.game is None:
        asked = asked._replace(game=_told_game(data, name, judges))
    return judges.judge(asked)


def _told_game(data: bytes, name: str, judges: Judges) -> str:
    from api.workbooks.reading import read

    book = read(data, name)
    decks = (entry.deck for entry in book.entries if entry.deck)
    game = next(filter(None, map(judges.game, islice(decks, _ASKED))), None)
    if game is None:
        _tell_faults(book, "told with --game")
        if not book.entries:
            raise Fault(f"{name}: there is no deck in it that could be read.")
        raise Fault(f"{name}: the cards do not tell which game this is; say it with --game or --ruleset.")
    return game


def _files(outputs: Outputs) -> Iterator[tuple[Path, Wanted]]:
    """Yield the files to write and what each is to be; first what may be refused."""
    from api.workbooks.checking import Wanted

    if outputs.sheets:
        yield Path(outputs.sheets), Wanted("pdf", paper=outputs.paper)
    if outputs.target != "-":
        path = Path(outputs.target)
        yield path, Wanted(path.suffix.lower()[1:], outputs.deck_sheets)


@contextmanager
def _progress(parts: int) -> Iterator[Iterator[Progress]]:
    """Yield what to tell of each part of the work: a bar on a terminal shows it, and nothing does elsewhere."""
    if not sys.stderr.isatty():
        yield iter([lambda done, of: None] * parts)
        return
    from api.cli.progress import parted

    with parted(parts) as told:
        yield told


def _tell(found: Results, outputs: Outputs) -> None:
    """Say what was wrong with the spreadsheet, and what came of its decks."""
    from api.workbooks import results

    is_workbook = Path(outputs.target).suffix.lower() == ".xlsx"
    _tell_faults(found.book, "on the sheet Problems" if is_workbook else "told where results are written as .xlsx")
    counts, unread = found.counts, found.book.rows.unread
    parts = [f"{counts[results.LEGAL]:,} legal", f"{counts[results.ILLEGAL]:,} not legal"]
    parts += [f"{counts[results.NO_DECK]:,} without a deck"] if counts[results.NO_DECK] else []
    parts += [f"{unread:,} {'row' if unread == 1 else 'rows'} not read"] if unread else []
    click.echo(f"{len(found.judged):,} judged: {', '.join(parts)}.", err=True)
    for warning in _warnings(found) if outputs.sheets else ():
        click.echo(f"{outputs.sheets}: {warning}", err=True)


def _tell_faults(book: Book, where: str) -> None:
    """Say the first things wrong with a spreadsheet, and where the others are."""
    for fault in book.faults[:_MOST_TOLD]:
        click.echo(f"{book.name}: {fault.message}", err=True)
    if len(book.faults) > _MOST_TOLD:
        click.echo(f"{book.name}: {len(book.faults) - _MOST_TOLD:,} more, {where}.", err=True)


def _warnings(found: Results) -> Iterable[str]:
    from api.workbooks import registrations

    return registrations.warnings(registrations.sheets(found))


def _code(found: Results) -> int:
    from api.workbooks import results

    if not found.judged or found.counts[results.NO_DECK] or found.book.rows.unread:
        return UNUSABLE
    return ILLEGAL if found.counts[results.ILLEGAL] else LEGAL
