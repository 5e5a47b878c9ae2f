"""`deckproof batch`: many decks, of a spreadsheet or a line each."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any
from typing import cast

import click

from api.cli import ILLEGAL
from api.cli import LEGAL
from api.cli import UNUSABLE
from api.cli import Fault
from api.cli import options
from api.cli import spreadsheets
from api.cli.spreadsheets import Outputs
from api.sheets.files import PAPERS

_NDJSON = (".ndjson", ".jsonl")

_BUFFER = 1 << 20  # bytes; the system is asked for, and given, hundreds of decks at a time


@click.command()
@click.argument("source", metavar="IN")
@click.option("-o", "--output", "target", default="-", metavar="OUT", help="Where results go.  [default: `-`]")
@options.terms
@click.option("--deck-sheets", is_flag=True, help="In a workbook: also a sheet for each deck.")
@click.option("--sheets", metavar="FILE.pdf", help="Of a spreadsheet: also draw all registration sheets.")
@click.option("--paper", type=click.Choice(PAPERS), default=PAPERS[0], help="Their paper.", show_default=True)
def command(source: str, target: str, deck_sheets: bool, sheets: str | None, paper: str, **terms: Any) -> None:
    """Judge many decks: a spreadsheet of players, or one a line.

    IN is a spreadsheet, .xlsx or .csv, with a row a card, a row a deck, or a sheet a player; OUT is then a workbook
    (.xlsx), or its summary alone (.csv, or a stream). Or IN is .ndjson of validate requests, which say themselves
    what they are judged by, and OUT has their verdicts, in the same order. `-` is a stream, of what the other is of;
    of NDJSON where both are streams.

    What cannot be used is told by its place, and the rest goes on. Ends with 0 when every deck is legal, 1 when one
    is not, 2 when something cannot be used.
    """
    for name in filter(None, (target, sheets)):
        if options.is_same(source, name):
            raise Fault(f"{source} cannot be both read and written; name another file.")
    outputs = Outputs(target, deck_sheets, sheets, paper)
    if _is_spreadsheet(source, target):
        raise SystemExit(spreadsheets.judge(source, outputs, terms))
    if any(terms.values()) or deck_sheets or sheets:
        raise Fault("Requests say themselves what they are judged by; options other than -o are for spreadsheets.")
    raise SystemExit(_lines(source, target))


def _is_spreadsheet(source: str, target: str) -> bool:
    """Tell by their names whether a spreadsheet is read; a Fault says so where they do not go together."""
    for name, known in ((source, spreadsheets.READ), (target, spreadsheets.WRITTEN)):
        if name != "-" and _suffix(name) not in (*known, *_NDJSON):
            raise Fault(f"{name}: write the name of a file {', '.join((*known, *_NDJSON))}, or `-`.")
    kinds = {_suffix(name) in _NDJSON for name in (source, target) if name != "-"}
    if len(kinds) > 1:
        raise Fault(f"{source} and {target}: spreadsheets are answered by spreadsheets, NDJSON by NDJSON.")
    return kinds == {False}


def _suffix(name: str) -> str:
    return Path(name).suffix.lower()


def _lines(source: str, target: str) -> int:
    """Judge requests a line, write their verdicts, and return the exit code."""
    from api.service.ndjson import Batch
    from api.service.problem_details import problem

    judged = Batch(options.judges(), lambda error: problem(503, str(error)))
    # A batch makes much and keeps nothing: looking for cycles again and again would cost a fifth of its time.
    gc.set_threshold(100_000)
    counts: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    with _opened(source) as (lines, size), _written(target) as write, _progress(lines, size) as advance:
        for answer in judged.answers(lines.read1):
            write(answer.line)
            counts[answer.verdict.legal if answer.verdict else None] += 1
            advance()
    _sum_up(counts)
    return UNUSABLE if counts[None] else ILLEGAL if counts[False] else LEGAL


@contextmanager
def _opened(name: str) -> Iterator[tuple[BufferedReader, int | None]]:
    """Yield what a batch is read from, and how many bytes it has where that is known."""
    if name == "-":
        yield cast(BufferedReader, sys.stdin.buffer), None
        return
    with Path(name).open("rb") as file:
        yield file, Path(name).stat().st_size or None


@contextmanager
def _written(name: str) -> Iterator[Callable[[bytes], object]]:
    if name == "-":
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    with Path(name).open("wb", buffering=_BUFFER) as file:
        yield file.write


@contextmanager
def _progress(lines: BufferedReader, size: int | None) -> Iterator[Callable[[], None]]:
    """Yield what to call after each deck: it draws a bar on a terminal, and does nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from api.cli.progress import drawn

    with drawn(lines, size) as advance:
        yield advance


def _sum_up(counts: dict[bool | None, int]) -> None:
    parts = [f"{counts[True]:,} legal", f"{counts[False]:,} not legal"]
    if counts[None]:
        parts.append(f"{counts[None]:,} {'line' if counts[None] == 1 else 'lines'} that could not be used")
    click.echo(f"{sum(counts.values()):,} judged: {', '.join(parts)}.", err=True)
