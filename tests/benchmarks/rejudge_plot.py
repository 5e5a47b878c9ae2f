"""The cost of rejudging by decks and by changes of the list: `python -m tests.benchmarks.rejudge_plot [FILE]`.

Draws docs/images/rejudge.svg: processor time over the number of decks, and over the number of changes of the list
between the stored verdicts and the requested day, beside a full run. The decks are any decks, of which more and more
have a changed card, or decks with a card of the last change, which are judged once in any case.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa

from api.rejudge.rejudging import Question, Rejudging
from api.service.judges import Judges
from api.service.requests import RequestedTerms
from tests.api.rejudge import stock
from tests.benchmarks.rejudge import ON, VERDICT, pool
from validator.differences import numbers_between
from validator.limits import shipped_lists

FILE = Path(__file__).resolve().parents[2] / "docs/images/rejudge.svg"
EXTRA = RequestedTerms(game="optcg", on=ON, format="extra")  # of which only the list changes
DECKS, CHANGES = (10_000, 20_000, 30_000, 40_000), (1, 3, 6, 9, 12)
TIMES = 6  # the first of which meets the cards
WIDTH, HEIGHT, LEFT, TOP = 280, 180, 60, 40
GREY, INK = "#666", ("#0b5cad", "#b3401a")

Points = Sequence[tuple[int, float]]


def main(file: str = str(FILE)) -> None:
    """Print the points and draw them."""
    some = [(game, lines) for game, lines in pool() if game == "optcg"]
    held = decks_with_change(some)
    batches = {
        "decks, one change of the list": {count: judged_before(some, count, 1) for count in DECKS},
        f"changes of the list, {DECKS[0]:,} decks": {each: judged_before(some, DECKS[0], each) for each in CHANGES},
        f"changes, {DECKS[0]:,} decks of the last one's cards": {
            each: judged_before(held, DECKS[0], each) for each in CHANGES
        },
    }
    Path(file).write_text(
        "".join(draw_svg({title: measure_batches(title, each) for title, each in batches.items()})), "utf-8"
    )


def terms_before(changes: int) -> RequestedTerms:
    """Return the terms of the day before the last `changes` changes of the list."""
    days = [day for day in shipped_lists("optcg").listed.dates("en") if day <= ON]
    return EXTRA._replace(on=days[-changes] - timedelta(days=1))


def decks_with_change(decks: list[tuple[str, stock.Lines]]) -> list[tuple[str, stock.Lines]]:
    """Return the decks that have a card of the last change."""
    judges = Judges(stock.LIBRARY)
    numbers = numbers_between(judges.judge(terms_before(1)), judges.judge(EXTRA))
    return [(game, lines) for game, lines in decks if any(line["number"] in numbers for line in lines)]


def judged_before(decks: list[tuple[str, stock.Lines]], count: int, changes: int) -> pa.RecordBatch:
    """Return `count` random decks with the verdicts of the day before the last `changes` changes."""
    batch = stock.batch(decks)
    rows = Rejudging(stock.LIBRARY, Question(terms_before(changes)))(batch).rows
    stored = pa.StructArray.from_arrays([rows.column(name) for name in VERDICT], names=VERDICT)
    return stock.batch(decks, stored).take(pa.array(np.random.default_rng(1).integers(0, len(decks), count)))


def measure_batches(title: str, batches: Mapping[int, pa.RecordBatch]) -> tuple[Points, Points]:
    """Return the least processor time for each batch by the prefilter and in full. Prints both."""
    print(title)
    ways = [Rejudging(stock.LIBRARY, Question(EXTRA, full=full)) for full in (False, True)]
    kept, full = [], []
    for x, batch in batches.items():
        took = [[seconds(way, batch) for way in ways] for _ in range(TIMES)][1:]
        least, most = (min(one) for one in zip(*took, strict=True))
        print(
            f"{x:8,}: {ways[0](batch).counts['concerned']:6,} concerned, {least:.3f} s, full {most:.3f} s", flush=True
        )
        kept.append((x, least))
        full.append((x, most))
    return kept, full


def seconds(rejudge: Rejudging, batch: pa.RecordBatch) -> float:
    """Return the processor time that a batch takes."""
    start = time.process_time()
    rejudge(batch)
    return time.process_time() - start


def draw_svg(plots: Mapping[str, tuple[Points, Points]]) -> Iterator[str]:
    """Yield the parts of an SVG of plots side by side."""
    size = f"{len(plots) * (WIDTH + LEFT) + 30} {HEIGHT + TOP + 60}"
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" font-size="11">\n'
    yield "<title>Processor time of rejudging, by decks and by changes of the list</title>\n"
    yield '<rect width="100%" height="100%" fill="#fff"/>\n'
    for at, (title, lines) in enumerate(plots.items()):
        yield from draw_plot(LEFT + at * (WIDTH + LEFT), title, lines)
    yield "</svg>\n"


def draw_plot(x_offset: int, title: str, lines: tuple[Points, Points]) -> Iterator[str]:
    """Yield the parts of a plot with a line for the prefilter and one for full runs. `x_offset` is its left edge."""
    widest = max(x for x, _ in lines[1])
    highest = max(y for points in lines for _, y in points)
    bottom = TOP + HEIGHT
    yield f'<path d="M{x_offset} {TOP}V{bottom}H{x_offset + WIDTH}" fill="none" stroke="{GREY}"/>\n'
    yield f'<text x="{x_offset + WIDTH / 2}" y="{bottom + 34}" text-anchor="middle">{title}</text>\n'
    yield f'<text x="{x_offset - 4}" y="{TOP + 4}" text-anchor="end">{highest:.2f} s</text>\n'
    for x, _ in lines[1]:
        yield f'<text x="{x_offset + x / widest * WIDTH:.1f}" y="{bottom + 16}" text-anchor="middle">{x:,}</text>\n'
    for points, ink, name in zip(lines, INK, ("prefilter", "full run"), strict=True):
        at = [(x_offset + x / widest * WIDTH, bottom - y / highest * HEIGHT) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        yield f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"/>\n'
        yield "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ink}"/>' for x, y in at) + "\n"
        yield f'<text x="{at[-1][0]:.1f}" y="{at[-1][1] - 8:.1f}" text-anchor="end" fill="{ink}">{name}</text>\n'


if __name__ == "__main__":
    main(*sys.argv[1:2])
