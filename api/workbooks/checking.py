"""Checking: a spreadsheet of decks in, a file of results out.

`check` reads and judges, `write` writes what came of it; `run` is both, for whoever has a file and wants a file.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import IO
from typing import NamedTuple

from api.workbooks import csv
from api.workbooks import results
from api.workbooks import xlsx
from api.workbooks.reading import read
from api.workbooks.results import Progress
from api.workbooks.results import Results
from api.workbooks.results import unheard
from api.workbooks.room import Room
from validator.judge import Judge

KINDS = ("xlsx", "csv", "pdf")


class Wanted(NamedTuple):
    """The file to make of results: one of KINDS.

    An XLSX workbook has every table, with `deck_sheets` also a sheet for each deck; CSV is the summary alone; a PDF
    has the registration sheets of all players, on `paper`.
    """

    kind: str = "xlsx"
    deck_sheets: bool = False
    paper: str = "a4"


def run(
    data: bytes,
    name: str,
    judge: Judge,
    target: Path,
    wanted: Wanted,
    done: Progress = unheard,
    room: Room | None = None,
) -> Results:
    """Read and judge the decks of an XLSX or CSV file and write the results to a file, whole or not at all.

    `name` is what messages call the file that `data` is. `done` is told how much of how much is done; whatever it
    raises stops the work. Refused says why the file is not read, or why its results cannot be had in this form;
    Large that it holds more than `room`; an OSError that the results cannot be written. In each case `target` is as
    it was before.
    """
    with _uncollected():  # once for both: its end goes through all that was made
        found = check(data, name, judge, lambda count, of: done(count, 2 * of), room)
        write(found, target, wanted, lambda count, of: done(of + count, 2 * of))
    return found


def check(data: bytes, name: str, judge: Judge, done: Progress = unheard, room: Room | None = None) -> Results:
    """Read and judge the decks of an XLSX or CSV file; Refused says why it is not read, Large that there is no room."""
    with _uncollected():
        book = read(data, name, judge.terms.ruleset.game, judge.catalogue, room)
        found = results.judge(book, judge, done)
    if room is not None:
        room.hold(findings=sum(len(verdict.findings) for verdict in found.verdicts))
    return found


def write(found: Results, target: Path, wanted: Wanted, done: Progress = unheard) -> None:
    """Write results to a file, whole or not at all."""
    with _uncollected(), _replacing(target) as file:
        _write(found, file, wanted, done)


def _write(found: Results, file: IO[bytes], wanted: Wanted, done: Progress) -> None:
    if wanted.kind == "xlsx":
        xlsx.write(found, file, wanted.deck_sheets, done)
        return
    if wanted.kind == "csv":
        file.write(csv.summary(found))
    else:
        from api.workbooks import registrations  # fonts and drawing are loaded by who draws

        file.write(registrations.write(found, wanted.paper))
    if players := len(found.judged):
        done(players, players)


@contextmanager
def _replacing(target: Path) -> Iterator[IO[bytes]]:
    """Yield a file that takes the place of another when all of it is written, and else leaves nothing behind."""
    part = target.with_name(f".{target.name[:40]}.{token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            yield file
        part.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(target)) from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let the collector rest: a hundred thousand rows hold no cycle, and it would go through them again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
