"""The size of a database after nightly syncs: `python -m tests.benchmarks.snapshots [NIGHTS]`, by default a year.

Every night every card list of the shared data changes in one fact of each card, which is the worst case. Old snapshots
are deleted as by a worker. Prints the size each month, and the time to load a catalogue.
"""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from api.service.settings import Settings
from carddb import construction
from carddb.snapshot_store import Store
from carddb.temporary_folders import shared_memory
from carddb.upkeep.pruning import prune
from tests.carddb import real

FIRST = datetime(2026, 1, 1, 3, 30, tzinfo=UTC)


def main(nights: int = 365) -> None:
    """Print the size of the database after each month of nights."""
    lists = {game: list(map(construction.read, real.cards(game))) for game in real.SOURCES}
    kept = Settings().snapshots_kept
    with TemporaryDirectory(dir=shared_memory()) as folder:
        store = Store(f"sqlite:///{folder}/deckproof.db")
        for night in range(1, nights + 1):
            for game, cards in lists.items():
                for card in cards:
                    object.__setattr__(card, "rarity", f"{card.number} {night}")
                store.import_cards(game, cards, "a night", FIRST + timedelta(days=night))
            prune(store, kept)
            if night % 30 == 0 or night == nights:
                size = sum(file.stat().st_size for file in Path(folder).iterdir())
                print(f"night {night}: {len(store.snapshots())} snapshots, {size / 1e6:.1f} MB", flush=True)
        for game in lists:
            snapshot = store.current(game)
            began = time.perf_counter()
            count = len(store.cards(snapshot.id)) if snapshot else 0
            print(f"{game}: {count:,} cards loaded in {time.perf_counter() - began:.3f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
