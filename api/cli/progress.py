"""Progress: bars on standard error while many decks or pages are processed."""

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

_EVERY = 256  # decks between two looks at the bar


@contextmanager
def line_bar(lines: BinaryIO, size: int | None) -> Iterator[Callable[[int], None]]:
    """Draw a bar on standard error while the stream `lines` is read. It is removed at the end of the `with` block.

    `size` is that of the stream in bytes. Without it (None) only the number of decks and the time are shown. Yields a
    function to call with the number of decks judged since the last call.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[decks]:,} decks"))
    times = (TimeElapsedColumn(), TimeRemainingColumn()) if size else (TimeElapsedColumn(),)
    with Progress(*columns, *times, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Judging", total=size, decks=0)
        decks = 0

        def advance(more: int) -> None:
            """Add `more` to the number of decks, and move the bar to the stream's current position.

            Without a size the bar stays at 0.
            """
            nonlocal decks
            decks += more
            bar.update(task, completed=lines.tell() if size else 0, decks=decks)

        yield advance


@contextmanager
def part_bars(parts: int) -> Iterator[Iterator[Callable[[int, int], None]]]:
    """Draw one bar on standard error for work of several parts. It is removed at the end of the `with` block.

    Each part takes an equal share of the bar. Yields an iterator with a function for each part, in order, to call with
    the numbers done and total of that part.
    """
    columns = (TextColumn("Judging"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def report_part(part: int) -> Callable[[int, int], None]:
            """Return the function that reports the progress of the part with this index, from 0."""

            def report(done: int, total: int) -> None:
                """Move the bar to the progress of this part, if `done` is a multiple of 256 or equals `total`.

                If `total` is 0, the part counts as done.
                """
                if done % _EVERY == 0 or done == total:
                    bar.update(task, completed=part + (done / total if total else 1), total=parts)

            return report

        yield map(report_part, range(parts))


@contextmanager
def page_bar() -> Iterator[Callable[[int, int, str], None]]:
    """Draw a bar on standard error while pages are fetched. It is removed at the end of the `with` block.

    Yields a function to call with the numbers of pages done and in all, and a label to show behind the bar.
    """
    columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, label: bar.update(task, completed=done, total=total, description=label)
