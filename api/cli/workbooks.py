"""Spreadsheets of many decks on the command line: reads and judges them, and writes the results.

Only `deckproof batch` uses it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from api.cli import ILLEGAL, LEGAL, UNUSABLE, CommandError, options
from api.sheets.sheet_files import ORDERS, PAPERS

if TYPE_CHECKING:
    from api.sheets.registration import Event
    from api.workbooks.checking import Wanted
    from api.workbooks.intake.book import Book
    from api.workbooks.reporting.results import Progress, Results

# Of the last two the reader says what is to be done.
READ = (".xlsx", ".csv", ".tsv", ".ods", ".json", ".zip", ".txt", ".xls", ".xlsm")
# The columns that may be chosen, as `column_roles.chosen` has them, which is loaded by who reads a spreadsheet.
CHOICES = ("player_column", "id_column", "list_column", "number_column", "count_column", "name_column")
WRITTEN = (".xlsx", ".csv")
_MOST_TOLD = 20  # things wrong with a spreadsheet, on the terminal


class Outputs(NamedTuple):
    """The files to write: the results, the registration sheets and the messages to players, with their options."""

    target: str
    event: Event
    deck_sheets: bool = False
    sheets: str | None = None
    mail_merge: str | None = None
    order: str = ORDERS[0]
    paper: str = PAPERS[0]


def judge(source: str, outputs: Outputs, terms: dict[str, Any], choices: dict[str, str]) -> int:
    """Judge the decks of a spreadsheet, write the results, and return the exit code."""
    from api.service.requests import Asked
    from api.workbooks import checking
    from api.workbooks.reporting import results_csv

    _check_outputs(outputs)
    name, data = _read_source(source)
    reading = checking.read(data, name, options.judges(), Asked(**terms), choices=choices)
    files = list(_files_to_write(outputs))
    with _show_progress(1 + len(files)) as parts:
        judged = checking.check(reading, next(parts))
        for path, wanted in files:
            checking.write(judged, path, wanted, next(parts))
    if outputs.target == "-":
        sys.stdout.buffer.write(results_csv.summary(judged))
        sys.stdout.buffer.flush()
    _print_summary(judged, outputs)
    return _exit_code(judged)


def show(source: str, terms: dict[str, Any], choices: dict[str, str]) -> int:
    """Print the column roles of a spreadsheet without judging it, and return the exit code."""
    from api.service.requests import Asked
    from api.workbooks import checking
    from api.workbooks.intake import preview

    name, data = _read_source(source)
    book, _ = checking.read(data, name, options.judges(), Asked(**terms), choices=choices)
    for line in preview.as_text(book):
        click.echo(line)
    return UNUSABLE if book.problems or not book.entries else LEGAL


def _check_outputs(outputs: Outputs) -> None:
    """Raise CommandError if an output has a name of another format."""
    if outputs.target != "-" and Path(outputs.target).suffix.lower() not in WRITTEN:
        raise CommandError(f"{outputs.target}: what came of a spreadsheet is written as .xlsx or .csv.")
    if outputs.sheets and Path(outputs.sheets).suffix.lower() != ".pdf":
        raise CommandError(f"{outputs.sheets}: registration sheets of many decks are written as .pdf.")
    if outputs.mail_merge and Path(outputs.mail_merge).suffix.lower() != ".csv":
        raise CommandError(f"{outputs.mail_merge}: what to write to each player is written as .csv.")
    if outputs.deck_sheets and Path(outputs.target).suffix.lower() != ".xlsx":
        raise CommandError("--deck-sheets needs a workbook: name a file .xlsx after -o.")


def _read_source(source: str) -> tuple[str, bytes]:
    """Return the name of a file in messages, and its content up to one byte more than allowed."""
    from api.workbooks.intake.grids import LARGEST_FILE

    if source == "-":
        return "standard input", sys.stdin.buffer.read(LARGEST_FILE + 1)
    if Path(source).is_dir():
        return Path(source).resolve().name, _pack_folder(Path(source))  # `.` has no name of its own
    with Path(source).open("rb") as file:
        return Path(source).name, file.read(LARGEST_FILE + 1)


def _pack_folder(folder: Path) -> bytes:
    """Return the files of a folder as an archive. Raises CommandError."""
    from carddb.errors import WorkbookError
    from carddb.files import packed_files

    try:
        return packed_files.packed(folder.iterdir())
    except WorkbookError as error:
        raise CommandError(f"{folder} {error}.") from None


def _files_to_write(outputs: Outputs) -> Iterator[tuple[Path, Wanted]]:
    """Yield each file to write with its format. Files that may be refused come first."""
    from api.workbooks.checking import Wanted

    if outputs.sheets:
        yield Path(outputs.sheets), Wanted("pdf", paper=outputs.paper, order=outputs.order, event=outputs.event)
    if outputs.mail_merge:
        yield Path(outputs.mail_merge), Wanted("csv", mail_merge=True)
    if outputs.target != "-":
        path = Path(outputs.target)
        yield path, Wanted(path.suffix.lower()[1:], outputs.deck_sheets, outputs.paper, event=outputs.event)


@contextmanager
def _show_progress(parts: int) -> Iterator[Iterator[Progress]]:
    """Yield an iterator with a function for each part of the work, to call with the steps done and all steps.

    The functions draw a bar on a terminal and do nothing elsewhere.
    """
    if not sys.stderr.isatty():
        yield iter([lambda done, of: None] * parts)
        return
    from api.cli.progress import draw_part_bar

    with draw_part_bar(parts) as bars:
        yield bars


def _print_summary(judged: Results, outputs: Outputs) -> None:
    """Write to standard error: the column roles, the problems of the spreadsheet, and the numbers of results."""
    from api.workbooks.column_roles import roles
    from api.workbooks.reporting import reports, results

    for line in roles.lines(judged.book.readings):
        click.echo(f"{judged.book.name}: {line}.", err=True)
    is_workbook = Path(outputs.target).suffix.lower() == ".xlsx"
    _print_faults(judged.book, "on the sheet Problems" if is_workbook else "told where results are written as .xlsx")
    if not (judged.judged or judged.book.faults):
        click.echo(f"{judged.book.name}: {judged.book.why_empty}", err=True)
    for line in reports.left_out(judged.repair_counts):
        click.echo(f"{judged.book.name}: {line}", err=True)
    counts, unread = judged.counts, judged.book.rows.unread
    parts = [f"{counts[results.LEGAL]:,} legal", f"{counts[results.ILLEGAL]:,} not legal"]
    parts += [f"{counts[results.NO_DECK]:,} without a deck"] if counts[results.NO_DECK] else []
    parts += [f"{unread:,} {'row' if unread == 1 else 'rows'} not read"] if unread else []
    click.echo(f"{len(judged.judged):,} judged: {', '.join(parts)}.", err=True)
    for warning in _sheet_warnings(judged, outputs.event) if outputs.sheets else ():
        click.echo(f"{outputs.sheets}: {warning} {options.FONT_HELP}", err=True)


def _print_faults(book: Book, where: str) -> None:
    """Write the first problems of a spreadsheet to standard error, and the place of the others."""
    for fault in book.faults[:_MOST_TOLD]:
        click.echo(f"{book.name}: {fault.message}", err=True)
    if len(book.faults) > _MOST_TOLD:
        click.echo(f"{book.name}: {len(book.faults) - _MOST_TOLD:,} more, {where}.", err=True)


def _sheet_warnings(judged: Results, event: Event) -> Iterable[str]:
    """Return the warnings about the registration sheets."""
    from api.workbooks.reporting import registrations

    return registrations.warnings(registrations.sheets(judged, event))


def _exit_code(judged: Results) -> int:
    """Return the exit code of the results."""
    from api.workbooks.reporting import results

    if not judged.judged or judged.counts[results.NO_DECK] or judged.book.rows.unread or judged.book.problems:
        return UNUSABLE
    return ILLEGAL if judged.counts[results.ILLEGAL] else LEGAL
