"""Checking: a spreadsheet of decks in, a file of results out.

`read` reads the decks by the cards of the requested game, or of the game that the cards show. `check` judges the
decks, `write` writes the results, and `run` does all three.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from api.service.errors import Refused
from api.service.judges import Judges, names_game
from api.service.languages import language
from api.sheets.registration import NO_EVENT, Event
from api.sheets.sheet_files import ORDERS, PAPERS
from api.workbooks.intake import book_reader
from api.workbooks.intake.book import Book
from api.workbooks.intake.grids import SizeBudget
from api.workbooks.readings import NO_CHOICES
from api.workbooks.reporting import results, results_csv, results_xlsx
from api.workbooks.reporting.results import Progress, Results, ignore_progress, split_progress
from carddb.files.replacement import replace_file
from validator.cards import Catalogue
from validator.judge import Judge
from validator.language import ENGLISH, phrase

if TYPE_CHECKING:
    from api.service.requests import RequestedTerms

_ASKED = 20  # decks by whose cards the game is looked for
KINDS = ("xlsx", "csv", "pdf")


class Wanted(NamedTuple):
    """The file that is made of the results. `kind` is "xlsx", "csv" or "pdf", and `lang` the language of XLSX and CSV.

    An XLSX workbook has every table, with `deck_sheets` also a sheet for each player. A CSV file is the summary, with
    `mail_merge` the messages to the players instead. A PDF has the registration sheets of all players with a deck, in
    English, ordered by last name ("name") or "table". Pages of XLSX and PDF are for `paper` and name the `event`.
    """

    kind: str = "xlsx"
    deck_sheets: bool = False
    paper: str = PAPERS[0]
    mail_merge: bool = False
    order: str = ORDERS[0]
    event: Event = NO_EVENT
    lang: str = ENGLISH.code


class Reading(NamedTuple):
    """The decks of a spreadsheet as they were read, not judged yet, and the Judge with the cards for them."""

    book: Book
    judge: Judge


def run(
    data: bytes,
    name: str,
    judge: Judge,
    target: Path,
    results_file: Wanted,
    progress: Progress = ignore_progress,
    budget: SizeBudget | None = None,
    choices: Mapping[str, str] = NO_CHOICES,
) -> Results:
    """Read and judge the decks of an XLSX, CSV or JSON file and write the results to `target`. Return the results.

    `name` is the name of the file in messages, and `choices` the columns that a user chose. `progress` is called with
    the numbers of done and of all steps. An exception that it raises stops the work. Raises Refused if the file cannot
    be read or has no results in this form. Raises Large if the file or its findings exceed `budget`, and OSError if the
    results cannot be written. In each case `target` stays unchanged.
    """
    with _without_garbage_collection():  # once for all: its end goes through all that was made
        return finish(_read_as(judge, data, name, budget, choices), target, results_file, progress, budget)


def finish(
    reading: Reading,
    target: Path,
    results_file: Wanted,
    progress: Progress = ignore_progress,
    budget: SizeBudget | None = None,
) -> Results:
    """Judge the decks that were read and write the results to `target`, whole or not at all. Return the results.

    `progress` is called with the numbers of done and of all steps: judging is the first half, writing the second.
    Raises the errors of `check` and `write`.
    """
    judging, writing = split_progress(progress)
    with _without_garbage_collection():
        outcome = check(reading, judging, budget)
        write(outcome, target, results_file, writing)
    return outcome


def read(
    data: bytes,
    name: str,
    judges: Judges,
    requested_terms: RequestedTerms,
    budget: SizeBudget | None = None,
    choices: Mapping[str, str] = NO_CHOICES,
) -> Reading:
    """Read the decks of an XLSX, CSV or JSON file, and return them with the Judge of the requested terms.

    If neither a game nor a ruleset is requested, the card numbers show the game. If only card names show it, the file
    is read twice. `name` is the name of the file in messages, and `choices` the columns that a user chose. Raises
    Refused if the file cannot be read or shows no game, Large if it exceeds `budget`, and Invalid for invalid terms.
    """
    with _without_garbage_collection():
        if names_game(requested_terms):
            return _read_as(judges.judge(requested_terms), data, name, budget, choices)
        first: list[Judge] = []  # the Judge of the game that the card numbers show, at most one

        def find_game(text: str) -> tuple[str, Catalogue] | None:
            """Return `(game, catalogue)`, the game of the card numbers in a text and its cards.

            None if the numbers do not determine the game. Remembers the Judge of the game in `first`, which is emptied
            if there is none.
            """
            game = judges.game_of_numbers(text)
            first[:] = [judges.judge(requested_terms._replace(game=game))] if game else []
            return (game, first[0].catalogue) if game else None

        book = book_reader.read(data, name, budget=budget, choices=choices, find_game=find_game)
        game = _infer_game(book, judges)
        judge = judges.judge(requested_terms._replace(game=game))
        return Reading(book, judge) if first and first[0] is judge else _read_as(judge, data, name, budget, choices)


def _read_as(judge: Judge, data: bytes, name: str, budget: SizeBudget | None, choices: Mapping[str, str]) -> Reading:
    """Read a file with the game and the cards of a Judge.

    Raises Refused if it cannot be read, Large if it exceeds `budget`.
    """
    book = book_reader.read(data, name, judge.terms.ruleset.game, judge.catalogue, budget, choices)
    return Reading(book, judge)


def _infer_game(book: Book, judges: Judges) -> str:
    """Return the game of the first deck whose cards show one, among the first 20 decks.

    Raises Refused if none shows one. The message has the likely reason: no deck, no card, or several possible games.
    """
    decks = [entry.deck for entry in book.entries if entry.deck]
    if game := next(filter(None, map(judges.game, islice(decks, _ASKED))), None):
        return game
    lines = [line for deck in decks for _, line in deck.lines()]
    if any(line.number for line in lines):
        raise Refused(
            phrase(
                "{file}: the game is not clear from the cards. Name the game with `game` or `ruleset`.", file=book.name
            )
        )
    if lines:
        raise Refused(
            phrase(
                "{file}: no card of any game was found. A list of players or standings needs a column with the deck "
                "lists.",
                file=book.name,
            )
        )
    raise Refused(phrase("{file}: no deck could be read: {reason}.", file=book.name, reason=book.why_empty))


def check(reading: Reading, progress: Progress = ignore_progress, budget: SizeBudget | None = None) -> Results:
    """Judge the decks that were read, and return the results.

    `progress` is called after each player with the numbers of done and of all players. Raises Large if the verdicts
    have more findings than `budget` allows.
    """
    with _without_garbage_collection():
        outcome = results.judge(reading.book, reading.judge, progress)
    if budget is not None:
        budget.require(findings=outcome.findings)
    return outcome


def write(outcome: Results, target: Path, results_file: Wanted, progress: Progress = ignore_progress) -> None:
    """Write results to `target`, whole or not at all.

    `progress` is called after each row of an XLSX table, and once for another file if there is any player. Raises
    OSError if the file cannot be written. Raises Refused for `deck_sheets` of more than 500 players, and for a PDF
    without any deck or of more than 2,000. Raises KeyError if the language does not exist.
    """
    translate = language(results_file.lang)
    with _without_garbage_collection(), replace_file(target) as file:
        if results_file.kind == "xlsx":
            results_xlsx.write(
                outcome, file, results_file.deck_sheets, progress, results_file.event, results_file.paper, translate
            )
            return
        if results_file.kind == "csv":
            file.write((results_csv.messages if results_file.mail_merge else results_csv.summary)(outcome, translate))
        else:
            from api.workbooks.reporting import registration_sheets

            file.write(registration_sheets.write(outcome, results_file.paper, results_file.event, results_file.order))
        if players := len(outcome.judged):
            progress(players, players)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Pause Python's cyclic garbage collector during the block. A collector that was off before stays off.

    A hundred thousand rows have no cycle but would be searched.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
