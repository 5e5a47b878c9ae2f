"""`deckproof batch`: many decks, of a spreadsheet or a line each."""

from __future__ import annotations

import gc
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click
from click.core import ParameterSource

from api.cli import ILLEGAL, LEGAL, UNUSABLE, CommandError, options
from api.sheets.sheet_files import ORDERS, PAPERS
from validator.errors import error_text
from validator.language import Language, phrase
from validator.words import join_with_commas

if TYPE_CHECKING:
    from api.sheets.registration import Event
    from api.workbooks.checking import Wanted
    from api.workbooks.intake.book import Book
    from api.workbooks.reporting.results import Progress, Results

# For the last two the reader raises an error that explains what to do.
_READ_KINDS = (".xlsx", ".csv", ".tsv", ".ods", ".json", ".zip", ".txt", ".xls", ".xlsm")
# The columns that can be chosen: the same as `readings.CHOICES`, which only spreadsheets load.
_COLUMN_OPTIONS = ("player_column", "id_column", "list_column", "number_column", "count_column", "name_column")
_WRITTEN_KINDS = (".xlsx", ".csv")
_MOST_FAULTS = 20  # things wrong with a spreadsheet, on the terminal
_NDJSON = (".ndjson", ".jsonl")
MOST_JOBS = 64


class _Outputs(NamedTuple):
    """The files to write for a spreadsheet of decks, and their settings.

    `target` is the path of the results ("-": standard output). `sheets` and `mail_merge` are the paths of the PDF with
    registration sheets and of the CSV with messages to players, None for no such file. `event` has the name, day and
    place on the sheets. `translate` is the language of the results and messages. `deck_sheets`: the workbook gets a
    sheet for each deck. `order` and `paper` are those of the registration sheets.
    """

    target: str
    event: Event
    translate: Language
    deck_sheets: bool = False
    sheets: str | None = None
    mail_merge: str | None = None
    order: str = ORDERS[0]
    paper: str = PAPERS[0]


def _column_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with an option for each column that a user can choose, such as --player-column.

    The value is the letters or the heading of a column of the spreadsheet, None if the option is not given.
    """
    for choice in reversed(_COLUMN_OPTIONS):
        name = f"--{choice.replace('_', '-')}"
        command = click.option(name, choice, metavar="COLUMN", help="The letters or the heading of that column.")(
            command
        )
    return command


@click.command()
@click.argument("source", metavar="IN")
@click.option("-o", "--output", "target", default="-", metavar="OUT", help="The file for the results.  [default: `-`]")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    default=1,
    help="With NDJSON: the number of processes.",
    show_default=True,
)
@options.add_terms_options
@click.option("--deck-sheets", is_flag=True, help="Add a sheet for each deck to the workbook.")
@click.option("--columns", "shows", is_flag=True, help="Only show how the columns of the spreadsheet are read.")
@_column_options
@click.option("--sheets", metavar="FILE.pdf", help="Also write all registration sheets.")
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default=ORDERS[0],
    help="Registration sheets by last name or by table.",
    show_default=True,
)
@click.option("--mail-merge", metavar="FILE.csv", help="Also write the mail merge for the players.")
@click.option("--event", metavar="NAME", help="What the event is called, where the spreadsheet does not say.")
@click.option("--date", metavar="DATE", help="The day of the event; also judged for where --on is left out.")
@click.option("--place", metavar="PLACE", help="Where the event is, where the spreadsheet does not say.")
@click.option("--format-name", metavar="TEXT", help="The format's name at the event.")
@click.option("--paper", type=click.Choice(PAPERS), default=PAPERS[0], help="The paper size.", show_default=True)
@options.LANG
def batch_command(source: str, target: str, translate: Language, **option_values: Any) -> None:
    """Check many decks: a spreadsheet of players, or requests.

    IN is a spreadsheet (.xlsx, .ods, .csv), or a folder or .zip of spreadsheets and lists. It has a row per card, a row
    per deck, or a sheet per player. OUT is then a workbook (.xlsx), or only its summary (.csv or a stream). Or IN is
    .ndjson with validate requests, which contain their own terms, and OUT has their verdicts in the same order. `-` is
    a stream of the same kind as the other file, NDJSON if both are streams.

    What cannot be used is listed by its place, and the other decks are judged. Exits with 0 if every deck is legal, 1
    if one is not, 2 if something cannot be used.

    \b
    deckproof batch decks.xlsx -o results.xlsx
    """
    for name in filter(None, (target, option_values["sheets"], option_values["mail_merge"])):
        if options.is_same(source, name):
            raise CommandError(phrase("{file} cannot be both read and written; name another file.", file=source))
    jobs = option_values.pop("jobs")
    if _is_spreadsheet(source, target):
        if _was_given("jobs"):
            raise CommandError(phrase("A spreadsheet is judged by one process; --jobs is for requests, one a line."))
        raise SystemExit(_run_spreadsheet(source, target, option_values, translate))
    if any(map(_was_given, option_values)):
        raise CommandError(
            phrase("Requests contain their own terms. Options other than -o and --jobs are for spreadsheets.")
        )
    raise SystemExit(_judge_lines(source, target, jobs, translate))


def _was_given(option: str) -> bool:
    """Return True if the option with this parameter name is in the command line of the running command."""
    return click.get_current_context().get_parameter_source(option) == ParameterSource.COMMANDLINE


def _run_spreadsheet(source: str, target: str, option_values: dict[str, Any], translate: Language) -> int:
    """Judge a spreadsheet and write the results, or print how its columns are read (--columns). Return the exit code.

    `option_values` has the values of all other options by parameter name. Those that are no terms are removed from it.
    The default day of the verdicts is that of the event. Raises CommandError for a wrong event, and the errors of
    `_judge_spreadsheet` or `_print_preview`.
    """
    from api.sheets.registration import Event

    with options.name_options_in_errors():
        event = Event.read({key: option_values.pop(key) for key in Event._fields})
    outputs = _Outputs(
        target, event, translate, **{key: option_values.pop(key) for key in _Outputs._fields if key in option_values}
    )
    choices = {choice: column for choice in _COLUMN_OPTIONS if (column := option_values.pop(choice))}
    shows = option_values.pop("shows")
    terms = option_values | {"on": option_values["on"] or event.day}
    return (
        _print_preview(source, terms, choices, translate)
        if shows
        else _judge_spreadsheet(source, outputs, terms, choices)
    )


def _is_spreadsheet(source: str, target: str) -> bool:
    """Return True if source and target are for a spreadsheet, False if they are NDJSON or both are "-".

    The suffixes decide, and the source may be a folder. "-" is a stream of the same kind as the other file. Raises
    CommandError for another suffix, or if the kinds differ.
    """
    for name, known in ((source, _READ_KINDS), (target, _WRITTEN_KINDS)):
        if name != "-" and not (name == source and Path(name).is_dir()) and _suffix(name) not in (*known, *_NDJSON):
            suffixes = ", ".join((*known, *_NDJSON))
            raise CommandError(
                phrase("{file}: write the name of a file {suffixes}, or `-`.", file=name, suffixes=suffixes)
            )
    kinds = {_suffix(name) in _NDJSON for name in (source, target) if name != "-"}
    if len(kinds) > 1:
        raise CommandError(
            phrase(
                "{source} and {target}: spreadsheets are answered by spreadsheets, NDJSON by NDJSON.",
                source=source,
                target=target,
            )
        )
    return kinds == {False}


def _suffix(name: str) -> str:
    """Return the suffix of a file name in lower case, with its dot. "" if there is none."""
    return Path(name).suffix.lower()


def _judge_spreadsheet(source: str, outputs: _Outputs, terms: dict[str, Any], choices: dict[str, str]) -> int:
    """Judge the decks of a spreadsheet, write all output files and print a summary to standard error.

    Return the exit code of `_exit_code`. For the target "-" the results are written to standard output as CSV. `terms`
    are fields of RequestedTerms. `choices` has the column (letters or heading) by column option. Raises CommandError if
    an output file has a wrong suffix. Also raises the errors of reading and writing.
    """
    from api.service.requests import RequestedTerms
    from api.workbooks import checking
    from api.workbooks.reporting import results_csv

    _check_outputs(outputs)
    name, data = _read_spreadsheet(source)
    reading = checking.read(data, name, options.judges(), RequestedTerms(**terms), choices=choices)
    files = list(_output_files(outputs))
    with _part_progress(1 + len(files)) as parts:
        judged = checking.check(reading, next(parts))
        for path, wanted in files:
            checking.write(judged, path, wanted, next(parts))
    if outputs.target == "-":
        sys.stdout.buffer.write(results_csv.summary(judged, outputs.translate))
        sys.stdout.buffer.flush()
    _print_summary(judged, outputs)
    return _exit_code(judged)


def _print_preview(source: str, terms: dict[str, Any], choices: dict[str, str], translate: Language) -> int:
    """Print how the columns of a spreadsheet are read, without judging decks or writing files. Return the exit code.

    It goes to standard output. `terms` are fields of RequestedTerms. `choices` has the column (letters or heading) by
    column option. The exit code is UNUSABLE if the spreadsheet has problems or no decks, else LEGAL.
    """
    from api.service.requests import RequestedTerms
    from api.workbooks import checking
    from api.workbooks.intake import preview

    name, data = _read_spreadsheet(source)
    book, _ = checking.read(data, name, options.judges(), RequestedTerms(**terms), choices=choices)
    for line in preview.as_text(book, translate):
        click.echo(line)
    return UNUSABLE if book.problems or not book.entries else LEGAL


def _check_outputs(outputs: _Outputs) -> None:
    """Raise CommandError if an output file has a suffix that is not written, or --deck-sheets has no .xlsx target."""
    if outputs.target != "-" and Path(outputs.target).suffix.lower() not in _WRITTEN_KINDS:
        raise CommandError(
            phrase("{file}: the results of a spreadsheet are written as .xlsx or .csv.", file=outputs.target)
        )
    if outputs.sheets and Path(outputs.sheets).suffix.lower() != ".pdf":
        raise CommandError(
            phrase("{file}: registration sheets of many decks are written as .pdf.", file=outputs.sheets)
        )
    if outputs.mail_merge and Path(outputs.mail_merge).suffix.lower() != ".csv":
        raise CommandError(phrase("{file}: the texts to the players are written as .csv.", file=outputs.mail_merge))
    if outputs.deck_sheets and Path(outputs.target).suffix.lower() != ".xlsx":
        raise CommandError(phrase("--deck-sheets needs a workbook: name a file .xlsx after -o."))


def _read_spreadsheet(source: str) -> tuple[str, bytes]:
    """Return `(name for messages, bytes)` of a file, of standard input ("-"), or of a folder, which is packed as a zip.

    Of a file or stream at most LARGEST_FILE + 1 bytes are read, so that the caller refuses a longer one. Raises
    CommandError for a folder that cannot be packed, OSError for a file that cannot be read.
    """
    from api.workbooks.intake.grids import LARGEST_FILE

    if source == "-":
        return "standard input", sys.stdin.buffer.read(LARGEST_FILE + 1)
    if Path(source).is_dir():
        return Path(source).resolve().name, _pack_folder(Path(source))  # `.` has no name of its own
    with Path(source).open("rb") as file:
        return Path(source).name, file.read(LARGEST_FILE + 1)


def _pack_folder(folder: Path) -> bytes:
    """Return the files of a folder as the bytes of a zip. Subfolders and hidden files are left out.

    Raises CommandError if no file is left, or if they are too many or too large.
    """
    from carddb.errors import WorkbookError
    from carddb.files import packed_files

    try:
        return packed_files.pack_files(folder.iterdir())
    except WorkbookError as error:
        raise CommandError(phrase("{file} {problem}.", file=folder, problem=error_text(error))) from None


def _output_files(outputs: _Outputs) -> Iterator[tuple[Path, Wanted]]:
    """Yield `(path, content and format)` for each output file: registration sheets, mail merge, results, in this order.

    Those that may be refused come first. Files that are not requested, and results for standard output, are left out.
    """
    from api.workbooks.checking import Wanted

    if outputs.sheets:
        yield Path(outputs.sheets), Wanted("pdf", paper=outputs.paper, order=outputs.order, event=outputs.event)
    lang = outputs.translate.code
    if outputs.mail_merge:
        yield Path(outputs.mail_merge), Wanted("csv", mail_merge=True, lang=lang)
    if outputs.target != "-":
        path = Path(outputs.target)
        kind = path.suffix.lower()[1:]
        yield path, Wanted(kind, outputs.deck_sheets, outputs.paper, event=outputs.event, lang=lang)


@contextmanager
def _part_progress(parts: int) -> Iterator[Iterator[Progress]]:
    """Yield an iterator with one function for each of `parts` pieces of work, to call with the numbers done and total.

    The functions move one bar on standard error if that is a terminal. Else they do nothing.
    """
    if not sys.stderr.isatty():
        yield iter([lambda done, total: None] * parts)
        return
    from api.cli.progress import part_bars

    with part_bars(parts) as bars:
        yield bars


def _print_summary(judged: Results, outputs: _Outputs) -> None:
    """Print to standard error how the spreadsheet was read, its faults, and the numbers of legal and illegal decks.

    The reason is printed if there are neither decks nor faults. Warnings about characters that registration sheets
    cannot show follow, if sheets are written.
    """
    from api.workbooks.readings import reading_lines
    from api.workbooks.reporting import results, summary

    translate, file = outputs.translate, judged.book.name
    for line in reading_lines(judged.book.readings, translate):
        _print_about_file(file, translate("{sentence}.", sentence=line), translate)
    _print_faults(judged.book, outputs)
    if not (judged.judged or judged.book.faults):
        _print_about_file(file, translate.text(judged.book.why_empty), translate)
    for line in summary.left_out(judged.repair_counts, translate):
        _print_about_file(file, line, translate)
    counts, unread = judged.counts, judged.book.rows.unread
    parts = [
        translate("{count:,} legal", count=counts[results.LEGAL]),
        translate("{count:,} not legal", count=counts[results.ILLEGAL]),
    ]
    if counts[results.NO_DECK]:
        parts.append(translate("{count:,} without a deck", count=counts[results.NO_DECK]))
    if unread:
        parts.append(translate.plural("{count:,} row not read", "{count:,} rows not read", unread))
    click.echo(_judged_text(len(judged.judged), parts, translate), err=True)
    for warning in _sheet_warnings(judged, outputs.event) if outputs.sheets else ():
        click.echo(f"{outputs.sheets}: {warning} {options.FONT_HELP}", err=True)


def _judged_text(count: int, parts: Sequence[str], translate: Language) -> str:
    """Return "N judged: A legal, B not legal." in a language. `parts` are the texts after the colon."""
    return translate("{count:,} judged: {parts}.", count=count, parts=join_with_commas(parts, translate))


def _print_about_file(file: str, text: str, translate: Language) -> None:
    """Print `file: text` in a language to standard error."""
    click.echo(translate("{place}: {problem}", place=file, problem=text), err=True)


def _print_faults(book: Book, outputs: _Outputs) -> None:
    """Print the first 20 faults of a spreadsheet to standard error, then the number of others, if there are any.

    If the results are a workbook (.xlsx), its sheet that lists the others is named. Else the advice is to write one.
    """
    translate = outputs.translate
    for fault in book.faults[:_MOST_FAULTS]:
        _print_about_file(book.name, fault.render(translate), translate)
    more = len(book.faults[_MOST_FAULTS:])
    if more and Path(outputs.target).suffix.lower() == ".xlsx":
        sheet = translate("Problems")
        line = translate.plural(
            "{count:,} more, on the sheet {sheet}.", "{count:,} more, on the sheet {sheet}.", more, sheet=sheet
        )
        _print_about_file(book.name, line, translate)
    elif more:
        line = translate.plural(
            "{count:,} more. Write the results as .xlsx to read it.",
            "{count:,} more. Write the results as .xlsx to read them.",
            more,
        )
        _print_about_file(book.name, line, translate)


def _sheet_warnings(judged: Results, event: Event) -> Iterable[str]:
    """Return a warning for each script or kind of character that the registration sheets of the decks cannot show."""
    from api.workbooks.reporting import registration_sheets

    return registration_sheets.warnings(registration_sheets.sheets(judged, event))


def _exit_code(judged: Results) -> int:
    """Return UNUSABLE if no deck was judged, if a player has no deck, or if a row or a part could not be read.

    Else return ILLEGAL if a deck is illegal, LEGAL if all are legal.
    """
    from api.workbooks.reporting import results

    if not judged.judged or judged.counts[results.NO_DECK] or judged.book.rows.unread or judged.book.problems:
        return UNUSABLE
    return ILLEGAL if judged.counts[results.ILLEGAL] else LEGAL


def _judge_lines(source: str, target: str, jobs: int, translate: Language) -> int:
    """Judge NDJSON requests in `jobs` processes, write a verdict for each line, and print the counts to standard error.

    "-" is standard input or output. Return UNUSABLE if a line could not be used, else ILLEGAL if a deck is illegal,
    else LEGAL. SIGTERM ends this process only after the lines of a block are written, unless the target is "-". Sets a
    higher threshold of the garbage collector in this process. Raises OSError for the files, Halted if a process ends.
    """
    from api.service.answers.problem_details import problem
    from api.service.batch_workers import block_answers
    from api.service.ndjson import Batch

    batch = Batch(options.judges(), lambda error: problem(503, error_text(error)), translate)
    # A batch makes much and keeps nothing: looking for cycles again and again would cost a fifth of its time.
    gc.set_threshold(100_000)
    counts = Counter[bool | None]()
    with ExitStack() as closing:
        # Lines of a file are complete whatever ends this process. The reader of a stream may block it for ever.
        allow_sigterm = nullcontext if target == "-" else closing.enter_context(_block_sigterm())
        lines, size = closing.enter_context(_open_input(source))
        verdicts = closing.enter_context(_open_output(target))
        with allow_sigterm():
            answers = closing.enter_context(block_answers(batch, lines.read1, jobs))
        advance = closing.enter_context(_line_progress(lines, size))
        while True:
            with allow_sigterm():
                answer = next(answers, None)
            if answer is None:
                break
            verdicts.write(answer.lines)
            verdicts.flush()
            for outcome, decks in answer.counts.items():
                counts[outcome and outcome[1]] += decks
            advance(answer.counts.total())
    _print_line_counts(counts, translate)
    return UNUSABLE if counts[None] else ILLEGAL if counts[False] else LEGAL


@contextmanager
def _block_sigterm() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Block SIGTERM, also in threads that begin later, and yield a function that makes a context manager.

    In the `with` block of that context manager SIGTERM ends the process at once. One that came before ends it there.
    The system holds the signal back: a handler of Python would only run after a read from a silent pipe has ended.
    """

    @contextmanager
    def allow_sigterm() -> Iterator[None]:
        """Let SIGTERM end the process within the `with` block."""
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        yield allow_sigterm
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _open_input(name: str) -> Iterator[tuple[BufferedReader, int | None]]:
    """Yield `(stream, size in bytes)` of a file. "-" is standard input, of unknown size (None).

    The size of an empty file is also None. A file is closed at the end.
    """
    if name == "-":
        yield cast(BufferedReader, sys.stdin.buffer), None
        return
    with Path(name).open("rb") as file:
        yield file, Path(name).stat().st_size or None


@contextmanager
def _open_output(name: str) -> Iterator[BufferedIOBase]:
    """Yield the binary stream for the verdicts: standard output for "-", else the file, which is emptied first.

    A file is made if missing, and closed at the end.
    """
    if name == "-":
        yield cast(BufferedIOBase, sys.stdout.buffer)
        return
    with Path(name).open("wb") as file:
        yield file


@contextmanager
def _line_progress(lines: BufferedReader, size: int | None) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of newly judged decks.

    `size` is that of `lines` in bytes, None if unknown. It draws a bar by the position in `lines` if standard error is
    a terminal. Else it does nothing.
    """
    if not sys.stderr.isatty():
        yield lambda decks: None
        return
    from api.cli.progress import line_bar

    with line_bar(lines, size) as advance:
        yield advance


def _print_line_counts(counts: Counter[bool | None], translate: Language) -> None:
    """Print the numbers of legal (True), illegal (False) and unusable (None) lines of a batch to standard error.

    The number of unusable lines is left out if it is 0.
    """
    parts = [
        translate("{count:,} legal", count=counts[True]),
        translate("{count:,} not legal", count=counts[False]),
    ]
    if counts[None]:
        parts.append(
            translate.plural(
                "{count:,} line that could not be used", "{count:,} lines that could not be used", counts[None]
            )
        )
    click.echo(_judged_text(counts.total(), parts, translate), err=True)
