"""What a batch costs from NDJSON to verdict lines, as ratios of one run: `python -m tests.benchmarks.batch`.

The decks are the Judge's benchmark's: all of them as they are found, and those that are legal.
"""

from __future__ import annotations

import gc
import io
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

import orjson

from api.service.judges import Judges
from api.service.ndjson import Batch
from carddb.catalogue import Catalogue
from tests.benchmarks import judge
from tests.benchmarks.application import request_of
from validator import Deck, limits
from validator.limits import GameLists


class Shelf:
    """A source of one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def catalogue(self, game: str) -> Catalogue:
        """Return the one catalogue. `game` is ignored."""
        return self._catalogue

    def lists(self, game: str) -> GameLists:
        """Return the lists that ship."""
        return limits.shipped_lists(game)


def main() -> None:
    """Print decks a second for the bare loop and for a batch, and their ratio."""
    catalogue, decks = judge.real_decks() if judge.SHARED.exists() else judge.invented_decks()
    judges = Judges(Shelf(catalogue), lambda: datetime(2026, 11, 1, tzinfo=UTC))
    gc.set_threshold(100_000)  # as the command does
    answers = b"".join(answer.lines for answer in Batch(judges).answers(io.BytesIO(body(decks)).read))
    legal = [deck for deck, line in zip(decks, answers.splitlines(), strict=True) if orjson.loads(line)["legal"]]
    print(f"{len(decks)} decks, {len(legal)} of them legal, best of {judge.ROUNDS} rounds in turn, one process")
    for title, some in (("legal", legal), ("as found", decks)):
        lines = body(some)
        bare, batch = judge.best_times(partial(judge.bare, catalogue, legal), partial(judge_batch, judges, lines))
        loop, each = bare / len(legal), batch / len(some)
        print(f"{title + ':':9} {1 / each:8,.0f} decks/s, {each / loop:5.2f} bare loops a deck")


def body(decks: Sequence[Deck]) -> bytes:
    """Return decks as a batch of requests."""
    return b"".join(orjson.dumps(request_of(deck), option=orjson.OPT_APPEND_NEWLINE) for deck in decks)


def judge_batch(judges: Judges, lines: bytes) -> None:
    """Judge all lines of a batch. The answers are dropped."""
    for _ in Batch(judges).answers(io.BytesIO(lines).read):
        pass


if __name__ == "__main__":
    main()
