"""`deckproof batch`: many decks, of a spreadsheet or a line each."""

from __future__ import annotations

import gc
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from typing import Any, cast

import click
from click.core import ParameterSource

from api.cli import ILLEGAL, LEGAL, UNUSABLE, CommandError, options, workbooks
from api.cli.workbooks import Outputs
from api.sheets.sheet_files import ORDERS, PAPERS

_NDJSON = (".ndjson", ".jsonl")
MOST_JOBS = 64


def _choices(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command an option for each column that may be chosen."""
    for choice in reversed(workbooks.CHOICES):
        name = f"--{choice.replace('_', '-')}"
        command = click.option(name, choice, metavar="COLUMN", help="The letters or the heading of that column.")(
            command
        )
    return command


@click.command()
@click.argument("source", metavar="IN")
@click.option("-o", "--output", "target", default="-", metavar="OUT", help="Where results go.  [default: `-`]")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    default=1,
    help="Of requests a line: judge them by so many processes.",
    show_default=True,
)
@options.terms
@click.option("--deck-sheets", is_flag=True, help="In a workbook: also a sheet for each deck.")
@click.option("--columns", "shows", is_flag=True, help="Of a spreadsheet: only show how its columns are read.")
@_choices
@click.option("--sheets", metavar="FILE.pdf", help="Of a spreadsheet: also draw all registration sheets.")
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default=ORDERS[0],
    help="Registration sheets by last name or by table.",
    show_default=True,
)
@click.option("--mail-merge", metavar="FILE.csv", help="Of a spreadsheet: also what to write to each player.")
@click.option("--event", metavar="NAME", help="What the event is called, where the spreadsheet does not say.")
@click.option("--date", metavar="DATE", help="The day of the event; also judged for where --on is left out.")
@click.option("--place", metavar="PLACE", help="Where the event is, where the spreadsheet does not say.")
@click.option("--format-name", metavar="TEXT", help="What the event calls its format.")
@click.option("--paper", type=click.Choice(PAPERS), default=PAPERS[0], help="What is printed on.", show_default=True)
def command(source: str, target: str, **given: Any) -> None:
    """Judge many decks: a spreadsheet of players, or one a line.

    IN is a spreadsheet, such as .xlsx, .ods or .csv, or a folder or .zip of spreadsheets and lists, with a row a card,
    a row a deck, or a sheet a player; OUT is then a workbook (.xlsx), or its summary alone (.csv, or a stream). Or IN
    is .ndjson of validate requests, which say themselves what they are judged by, and OUT has their verdicts, in the
    same order. `-` is a stream, of what the other is of; of NDJSON where both are streams.

    What cannot be used is told by its place, and the rest goes on. Ends with 0 when every deck is legal, 1 when one
    is not, 2 when something cannot be used.
    """
    for name in filter(None, (target, given["sheets"], given["mail_merge"])):
        if options.is_same(source, name):
            raise CommandError(f"{source} cannot be both read and written; name another file.")
    jobs = given.pop("jobs")
    if _is_spreadsheet(source, target):
        if _was_given("jobs"):
            raise CommandError("A spreadsheet is judged by one process; --jobs is for requests, one a line.")
        raise SystemExit(_spreadsheet(source, target, given))
    if any(map(_was_given, given)):
        raise CommandError(
            "Requests say themselves what they are judged by; options other than -o and --jobs are for spreadsheets."
        )
    raise SystemExit(_lines(source, target, jobs))


def _was_given(option: str) -> bool:
    return click.get_current_context().get_parameter_source(option) == ParameterSource.COMMANDLINE


def _spreadsheet(source: str, target: str, given: dict[str, Any]) -> int:
    """Judge a spreadsheet, for the day of the event where no other is named; return the exit code."""
    from api.sheets.registration import Event

    with options.mistakes_told():
        event = Event.read({key: given.pop(key) for key in Event._fields})
    outputs = Outputs(target, event, **{key: given.pop(key) for key in Outputs._fields if key in given})
    choices = {choice: column for choice in workbooks.CHOICES if (column := given.pop(choice))}
    shows = given.pop("shows")
    terms = given | {"on": given["on"] or event.day}
    return workbooks.show(source, terms, choices) if shows else workbooks.judge(source, outputs, terms, choices)


def _is_spreadsheet(source: str, target: str) -> bool:
    """Tell by their names whether a spreadsheet is read; a CommandError says so where they do not go together."""
    for name, known in ((source, workbooks.READ), (target, workbooks.WRITTEN)):
        if name != "-" and not (name == source and Path(name).is_dir()) and _suffix(name) not in (*known, *_NDJSON):
            raise CommandError(f"{name}: write the name of a file {', '.join((*known, *_NDJSON))}, or `-`.")
    kinds = {_suffix(name) in _NDJSON for name in (source, target) if name != "-"}
    if len(kinds) > 1:
        raise CommandError(f"{source} and {target}: spreadsheets are answered by spreadsheets, NDJSON by NDJSON.")
    return kinds == {False}


def _suffix(name: str) -> str:
    return Path(name).suffix.lower()


def _lines(source: str, target: str, jobs: int) -> int:
    """Judge requests a line, write their verdicts, and return the exit code."""
    from api.service.answers.problem_details import problem
    from api.service.ndjson import Batch
    from api.service.processes.batch_workers import block_answers

    batch = Batch(options.judges(), lambda error: problem(503, str(error)))
    # A batch makes much and keeps nothing: looking for cycles again and again would cost a fifth of its time.
    gc.set_threshold(100_000)
    counts = Counter[bool | None]()
    with ExitStack() as closing:
        whole = closing.enter_context(_ended_between())
        lines, size = closing.enter_context(_opened(source))
        verdicts = closing.enter_context(_written(target))
        answers = closing.enter_context(block_answers(batch, lines.read1, jobs))
        advance = closing.enter_context(_progress(lines, size))
        for answer in answers:
            # So that they are whole ones, whatever ends this process; who reads a stream may keep it waiting for ever.
            with nullcontext() if target == "-" else whole():
                verdicts.write(answer.lines)
                verdicts.flush()
            for outcome, decks in answer.counts.items():
                counts[outcome and outcome[1]] += decks
            advance(answer.counts.total())
    _sum_up(counts)
    return UNUSABLE if counts[None] else ILLEGAL if counts[False] else LEGAL


@contextmanager
def _ended_between() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Let SIGTERM end this process as ever, but within what is yielded not before that is done."""
    is_within = is_told = False

    def end() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)

    def heed(*_: object) -> None:
        nonlocal is_told
        is_told = True
        if not is_within:
            end()

    @contextmanager
    def whole() -> Iterator[None]:
        nonlocal is_within
        is_within = True
        try:
            yield
        finally:
            is_within = False
            if is_told:
                end()

    before = signal.signal(signal.SIGTERM, heed)
    try:
        yield whole
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _opened(name: str) -> Iterator[tuple[BufferedReader, int | None]]:
    """Yield what a batch is read from, and how many bytes it has where that is known."""
    if name == "-":
        yield cast(BufferedReader, sys.stdin.buffer), None
        return
    with Path(name).open("rb") as file:
        yield file, Path(name).stat().st_size or None


@contextmanager
def _written(name: str) -> Iterator[BufferedIOBase]:
    """Yield what verdicts are written to."""
    if name == "-":
        yield cast(BufferedIOBase, sys.stdout.buffer)
        return
    with Path(name).open("wb") as file:
        yield file


@contextmanager
def _progress(lines: BufferedReader, size: int | None) -> Iterator[Callable[[int], None]]:
    """Yield what to tell how many more decks are judged: it draws a bar on a terminal, and does nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda decks: None
        return
    from api.cli.progress import drawn

    with drawn(lines, size) as advance:
        yield advance


def _sum_up(counts: Counter[bool | None]) -> None:
    parts = [f"{counts[True]:,} legal", f"{counts[False]:,} not legal"]
    if counts[None]:
        parts.append(f"{counts[None]:,} {'line' if counts[None] == 1 else 'lines'} that could not be used")
    click.echo(f"{counts.total():,} judged: {', '.join(parts)}.", err=True)
