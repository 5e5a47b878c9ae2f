"""`deckproof batch`: many decks, a line each."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from api.cli import ILLEGAL
from api.cli import LEGAL
from api.cli import UNUSABLE
from api.cli import Fault
from api.cli import options


@click.command()
@click.argument("source", metavar="IN")
@click.option("-o", "--output", "target", default="-", metavar="OUT", help="Where verdicts go; default: `-`.")
def command(source: str, target: str) -> None:
    """Judge many decks, one a line.

    NDJSON of validate requests in, NDJSON of verdicts out, in the same order; `-` is a stream. A line
    that cannot be used becomes {"line": n, "error": ...} and the rest go on. Ends with
    0 when every deck is legal, 1 when one is not, 2 when a line cannot be used.
    """
    from api.batches import Batch

    for name in (source, target):
        _check_suffix(name)
    if _same(source, target):
        raise Fault(f"{source} cannot be both read and written; name another file after -o.")
    judged = Batch(options.bench())
    # A batch makes much and keeps nothing: looking for cycles again and again would cost a fifth of its time.
    gc.set_threshold(100_000)
    counts: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    with _opened(source) as (lines, size), _written(target) as write, _progress(lines, size) as advance:
        for answer in judged.answers(lines.readline):
            write(answer.line)
            counts[answer.verdict.legal if answer.verdict else None] += 1
            advance()
    _sum_up(counts)
    raise SystemExit(UNUSABLE if counts[None] else ILLEGAL if counts[False] else LEGAL)


def _same(source: str, target: str) -> bool:
    if "-" in (source, target) or not (Path(source).exists() and Path(target).exists()):
        return False
    return Path(source).samefile(target)


def _check_suffix(name: str) -> None:
    if name != "-" and Path(name).suffix not in (".ndjson", ".jsonl"):
        raise Fault(f"{name}: a batch is read and written as .ndjson.")


@contextmanager
def _opened(name: str) -> Iterator[tuple[BinaryIO, int | None]]:
    """Yield what a batch is read from, and how many bytes it has where that is known."""
    if name == "-":
        yield sys.stdin.buffer, None
        return
    with Path(name).open("rb") as file:
        yield file, Path(name).stat().st_size or None


@contextmanager
def _written(name: str) -> Iterator[Callable[[bytes], object]]:
    if name == "-":
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    with Path(name).open("wb") as file:
        yield file.write


@contextmanager
def _progress(lines: BinaryIO, size: int | None) -> Iterator[Callable[[], None]]:
    """Yield what to call after each deck: it draws a bar on a terminal, and does nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from api.progress import drawn

    with drawn(lines, size) as advance:
        yield advance


def _sum_up(counts: dict[bool | None, int]) -> None:
    parts = [f"{counts[True]:,} legal", f"{counts[False]:,} not legal"]
    if counts[None]:
        parts.append(f"{counts[None]:,} {'line' if counts[None] == 1 else 'lines'} that could not be used")
    click.echo(f"{sum(counts.values()):,} judged: {', '.join(parts)}.", err=True)
