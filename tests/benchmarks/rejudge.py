"""The speed at which stored decks are rejudged: `python -m tests.benchmarks.rejudge [DECKS] [FOLDER]`.

The decks are real lists of the shared data and variations of them, without that data invented ones. Each has the
verdict of a day before the last change of the official list. Prints the decks per second of one core in columns, the
share of a run that the prefilter leaves, and the cost of a deck. Compares all of that with the Judge and with a full
run.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from api.rejudge.prejudge import Prejudge
from api.rejudge.rejudging import Question, Rejudging
from api.rejudge.shards import Shard, Split, plan_shards, read_inputs
from api.rejudge.stored_decks import StoredDecks
from api.service.judges import Judges
from api.service.requests import RequestedTerms
from carddb.catalogue import Catalogue
from tests.api.rejudge import stock
from tests.benchmarks.judge import SHARED

BEFORE, ON = date(2026, 10, 11), date(2026, 10, 12)
VERDICT = ("legal", "codes", "cards", "on", "snapshot", "judge")
LIKE = 30  # lists for each real one
GROUP = 100_000  # decks
_REAL = {"optcg": "decks/optcg_decks.jsonl", "dbs": "decks/dbs_decks.jsonl", "gundam": "data/gundam/decks.jsonl"}
TIMES = 5


def main(count: int = 200_000, folder: str | None = None) -> None:
    """Print the measurements. The files are kept in `folder` if one is given, else they are temporary."""
    with tempfile.TemporaryDirectory() as own:
        path = Path(folder or own, f"decks-{count}.parquet")
        if not path.exists():
            write(path, count)
        settle()
        shards = plan_shards(read_inputs([str(path)]), Split())
        kept, kept_took, counts = answers(shards, full=False)
        full, full_took, _ = answers(shards, full=True)
        assert kept == full, "the prefilter says something else than a full run"
        print(f"{count:,} stored decks, {counts['concerned']:,} hold what changed: {counts['no_more']:,} legal no more")
        print(f"prefilter: {count / kept_took:12,.0f} decks/s a core, the same as the full run")
        print(f"full run:  {count / full_took:12,.0f} decks/s a core")


def settle() -> None:
    """Print how many legal decks a second the columnar pre-judge settles."""
    for game in stock.GAMES:
        judge = Judges(stock.LIBRARY).judge(RequestedTerms(game=game, on=ON))
        found = pa.array([lines for own, lines in pool() if own == game], pa.list_(stock.LINE))
        decks, prejudge = StoredDecks.read(found), Prejudge(judge)
        rows = np.flatnonzero(prejudge.find_clean_decks(decks))
        legal = decks.select_decks(np.random.default_rng(1).choice(rows, GROUP))
        ids = legal.map_numbers(prejudge.card_id)
        took = min(processor_seconds(partial(prejudge.clean_decks, legal, ids)) for _ in range(TIMES))
        print(f"{game}: {len(legal) / took:12,.0f} legal decks/s a core in columns (wanted: 1,000,000)")


def processor_seconds(call) -> float:
    """Return the processor time that a call takes in this process."""
    start = time.process_time()
    call()
    return time.process_time() - start


def answers(shards: Sequence[Shard], full: bool) -> tuple[list[pa.RecordBatch], float, Counter[str]]:
    """Return the answers, the time they took and what they count."""
    rejudge = Rejudging(stock.LIBRARY, Question(RequestedTerms(on=ON), full=full))
    start, counts, found = time.process_time(), Counter[str](), []
    for shard in shards:
        for batch in shard.batches():
            answer = rejudge(batch)
            counts += answer.counts
            found.append(answer.rows)
    took = time.process_time() - start
    return found, took, counts


def write(path: Path, count: int) -> None:
    """Write stored decks with the verdicts of the day before, drawn by a seed."""
    some = pool()
    batch = stock.batch(some)
    rows = Rejudging(stock.LIBRARY, Question(RequestedTerms(on=BEFORE)))(batch).rows
    stored = pa.StructArray.from_arrays([rows.column(name) for name in VERDICT], names=VERDICT)
    batch = stock.batch(some, stored)
    draw = np.random.default_rng(1)
    schema = batch.schema.set(0, pa.field("id", pa.int64()))
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for first in range(0, count, GROUP):
            size = min(GROUP, count - first)
            drawn = batch.take(pa.array(draw.integers(0, len(some), size)))
            writer.write_batch(drawn.set_column(0, schema.field(0), pa.array(range(first, first + size))))


def pool() -> list[tuple[str, stock.Lines]]:
    """Return decks with their games: real ones, and for each some with a card or two of others of its Leader."""
    if not SHARED.exists():
        return [(game, lines) for game, lines in stock.decks(20_000) if lines]
    draw, found = random.Random(1), []
    for game in _REAL:
        real = list(_real(game, stock.LIBRARY.catalogue(game)))
        of_leader: dict[object, list[stock.Lines]] = {}
        for lines in real:
            of_leader.setdefault(_leader(lines), []).append(lines)
        for lines in real:
            found.append((game, lines))
            others = of_leader[_leader(lines)]
            found += [(game, _vary_deck(lines, others, draw)) for _ in range(LIKE)]
    return found


def _leader(lines: stock.Lines) -> object:
    """Return the Leader of a deck, None in a game that has none."""
    return lines[0]["number"] if lines[0]["section"] == "leader" else None


def _vary_deck(lines: stock.Lines, other_decks: Sequence[stock.Lines], draw: random.Random) -> stock.Lines:
    """Return a deck with one or two cards replaced by cards of another deck of its Leader."""
    lines = [dict(line) for line in lines]
    for _ in range(draw.choice((1, 2))):
        held = {line["number"] for line in lines}
        new = [line["number"] for line in draw.choice(other_decks)[1:] if line["number"] not in held]
        if new:
            draw.choice(lines[1:])["number"] = draw.choice(new)
    return lines


def _real(game: str, catalogue: Catalogue) -> Iterator[stock.Lines]:
    for one in (SHARED / _REAL[game]).read_text("utf-8").splitlines():
        deck, lines = json.loads(one), []
        beside = [line | {"section": "resource"} for line in deck.get("resource") or () if line.get("number")]
        for line in (*deck["lines"], *beside):
            card = catalogue.by_number(line["number"])
            section = line.get("section") or ("leader" if card and card.type == "Leader" else "main")
            lines.append({"number": line["number"], "count": line["count"], "section": section})
        lines.sort(key=lambda line: line["section"] != "leader")
        if len(lines) > 1:
            yield lines


if __name__ == "__main__":
    main(*(int(sys.argv[1]),) if sys.argv[1:2] else (), *sys.argv[2:3])
