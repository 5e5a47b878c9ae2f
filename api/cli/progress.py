"""Progress: a bar on the terminal of whoever waits for many decks."""

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
def drawn(lines: BinaryIO, size: int | None) -> Iterator[Callable[[int], None]]:
    """Draw a bar on standard error while `lines`, of `size` bytes if known, is read.

    Tell what it yields how many more decks are judged.
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
def parted(parts: int) -> Iterator[Iterator[Callable[[int, int], None]]]:
    """Draw a bar on standard error for work of several parts; tell what it yields how much of each is done."""
    columns = (TextColumn("Judging"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def told(part: int) -> Callable[[int, int], None]:
            def tell(done: int, of: int) -> None:
                if done % _EVERY == 0 or done == of:
                    bar.update(task, completed=part + done / of, total=parts)

            return tell

        yield map(told, range(parts))


@contextmanager
def pages() -> Iterator[Callable[[int, int, str], None]]:
    """Draw a bar on standard error while pages are fetched; call what it yields with done, total and what came."""
    columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, what: bar.update(task, completed=done, total=total, description=what)
