"""Progress: bars on the terminal, for commands that take long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

_EVERY = 256  # decks between two updates of the bar


@contextmanager
def draw_deck_bar(lines: BinaryIO, size: int | None) -> Iterator[Callable[[int], None]]:
    """Draw a bar on standard error while `lines` is read, which has `size` bytes (None: unknown).

    Yields a function to call with the number of decks judged since its last call.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[decks]:,} decks"))
    times = (TimeElapsedColumn(), TimeRemainingColumn()) if size else (TimeElapsedColumn(),)
    with Progress(*columns, *times, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Judging", total=size, decks=0)
        decks = 0

        def advance(more: int) -> None:
            nonlocal decks
            decks += more
            bar.update(task, completed=lines.tell() if size else 0, decks=decks)

        yield advance


@contextmanager
def draw_part_bar(parts: int) -> Iterator[Iterator[Callable[[int, int], None]]]:
    """Draw a bar on standard error for work in several parts.

    Yields an iterator with a function for each part, to call with the steps done and all steps of the part.
    """
    columns = (TextColumn("Judging"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def part_function(part: int) -> Callable[[int, int], None]:
            def update(done: int, total_steps: int) -> None:
                if done % _EVERY == 0 or done == total_steps:
                    bar.update(task, completed=part + done / total_steps, total=parts)

            return update

        yield map(part_function, range(parts))


@contextmanager
def draw_page_bar() -> Iterator[Callable[[int, int, str], None]]:
    """Draw a bar on standard error while pages are fetched.

    Yields a function to call with the pages done, all pages and a description.
    """
    columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, what: bar.update(task, completed=done, total=total, description=what)
