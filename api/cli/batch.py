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


def _add_column_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option to a command for each column that users can choose."""
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
@_add_column_options
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
        raise SystemExit(_judge_spreadsheet(source, target, given))
    if any(map(_was_given, given)):
        raise CommandError(
            "Requests say themselves what they are judged by; options other than -o and --jobs are for spreadsheets."
        )
    raise SystemExit(_judge_lines(source, target, jobs))


def _was_given(option: str) -> bool:
    """Return True if an option was given on the command line."""
    return click.get_current_context().get_parameter_source(option) == ParameterSource.COMMANDLINE


def _judge_spreadsheet(source: str, target: str, given: dict[str, Any]) -> int:
    """Judge a spreadsheet, or only show its columns, and return the exit code.

    The default day is that of the event.
    """
    from api.sheets.registration import Event

    with options.name_options_in_errors():
        event = Event.read({key: given.pop(key) for key in Event._fields})
    outputs = Outputs(target, event, **{key: given.pop(key) for key in Outputs._fields if key in given})
    choices = {choice: column for choice in workbooks.CHOICES if (column := given.pop(choice))}
    shows = given.pop("shows")
    terms = given | {"on": given["on"] or event.day}
    return workbooks.show(source, terms, choices) if shows else workbooks.judge(source, outputs, terms, choices)


def _is_spreadsheet(source: str, target: str) -> bool:
    """Return True if a spreadsheet is read, by the names of the files. Raises CommandError if they do not match."""
    for name, known in ((source, workbooks.READ), (target, workbooks.WRITTEN)):
        if name != "-" and not (name == source and Path(name).is_dir()) and _suffix(name) not in (*known, *_NDJSON):
            raise CommandError(f"{name}: write the name of a file {', '.join((*known, *_NDJSON))}, or `-`.")
    kinds = {_suffix(name) in _NDJSON for name in (source, target) if name != "-"}
    if len(kinds) > 1:
        raise CommandError(f"{source} and {target}: spreadsheets are answered by spreadsheets, NDJSON by NDJSON.")
    return kinds == {False}


def _suffix(name: str) -> str:
    return Path(name).suffix.lower()


def _judge_lines(source: str, target: str, jobs: int) -> int:
    """Judge one request per line, write their verdicts, and return the exit code."""
    from api.service.answers.problem_details import problem
    from api.service.ndjson import Batch
    from api.service.processes.batch_workers import block_answers

    batch = Batch(options.judges(), lambda error: problem(503, str(error)))
    # A batch makes much and keeps nothing: looking for cycles again and again would cost a fifth of its time.
    gc.set_threshold(100_000)
    counts = Counter[bool | None]()
    with ExitStack() as closing:
        uninterrupted = closing.enter_context(_delay_termination())
        lines, size = closing.enter_context(_open_input(source))
        verdicts = closing.enter_context(_open_output(target))
        answers = closing.enter_context(block_answers(batch, lines.read1, jobs))
        advance = closing.enter_context(_show_progress(lines, size))
        for answer in answers:
            # A signal must not cut a line in a file. The reader of a stream may block it for ever.
            with nullcontext() if target == "-" else uninterrupted():
                verdicts.write(answer.lines)
                verdicts.flush()
            for outcome, decks in answer.counts.items():
                counts[outcome and outcome[1]] += decks
            advance(answer.counts.total())
    _print_summary(counts)
    return UNUSABLE if counts[None] else ILLEGAL if counts[False] else LEGAL


@contextmanager
def _delay_termination() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Yield a context manager inside which SIGTERM does not end the process until its block is done."""
    is_within = is_requested = False

    def end() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)

    def handle_signal(*_: object) -> None:
        """End the process now, or note that it must end after the block."""
        nonlocal is_requested
        is_requested = True
        if not is_within:
            end()

    @contextmanager
    def uninterrupted() -> Iterator[None]:
        """Delay SIGTERM until the end of the block."""
        nonlocal is_within
        is_within = True
        try:
            yield
        finally:
            is_within = False
            if is_requested:
                end()

    before = signal.signal(signal.SIGTERM, handle_signal)
    try:
        yield uninterrupted
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _open_input(name: str) -> Iterator[tuple[BufferedReader, int | None]]:
    """Yield the input of a batch and its size in bytes, None if unknown."""
    if name == "-":
        yield cast(BufferedReader, sys.stdin.buffer), None
        return
    with Path(name).open("rb") as file:
        yield file, Path(name).stat().st_size or None


@contextmanager
def _open_output(name: str) -> Iterator[BufferedIOBase]:
    """Yield the output for verdicts."""
    if name == "-":
        yield cast(BufferedIOBase, sys.stdout.buffer)
        return
    with Path(name).open("wb") as file:
        yield file


@contextmanager
def _show_progress(lines: BufferedReader, size: int | None) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of decks judged since its last call.

    The function draws a bar on a terminal and does nothing elsewhere.
    """
    if not sys.stderr.isatty():
        yield lambda decks: None
        return
    from api.cli.progress import draw_deck_bar

    with draw_deck_bar(lines, size) as advance:
        yield advance


def _print_summary(counts: Counter[bool | None]) -> None:
    """Write the numbers of decks by result to standard error."""
    parts = [f"{counts[True]:,} legal", f"{counts[False]:,} not legal"]
    if counts[None]:
        parts.append(f"{counts[None]:,} {'line' if counts[None] == 1 else 'lines'} that could not be used")
    click.echo(f"{counts.total():,} judged: {', '.join(parts)}.", err=True)
