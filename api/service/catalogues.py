"""Catalogues: the state of the cards and of the syncs of each game. Called by the health page and the metrics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from carddb.catalogue import Catalogue
from carddb.errors import NoDatabase, NoSnapshot
from carddb.library import Library
from carddb.snapshot_store import Snapshot
from carddb.sync.log import Sync, SyncLog
from validator.games import GAMES


class CatalogueState(NamedTuple):
    """A game's catalogue, its snapshot, its last sync and its last good sync; each of these is None if there is none.

    `damaged` is the id of the current snapshot if that is damaged; the catalogue is another one then.
    """

    catalogue: Catalogue
    snapshot: Snapshot | None
    last_sync: Sync | None
    last_good: Sync | None
    damaged: str | None = None

    @property
    def age(self) -> float | None:
        """The seconds since the snapshot was made, or since a sync last found that it still holds."""
        if self.snapshot is None:
            return None
        good = self.last_good
        since = good.begun if good and good.snapshot == self.snapshot.id else self.snapshot.created
        return (datetime.now(UTC) - since).total_seconds()


def catalogue_states(library: Library) -> Iterator[CatalogueState]:
    """Yield the state of each game. Raises CardDataError if the database cannot be read."""
    for game in GAMES:
        catalogue = library.catalogue(game)
        log = SyncLog(library.store().database)
        damaged = library.damaged().get(game)
        snapshot = _snapshot(library, game, catalogue.snapshot if damaged else None)
        yield CatalogueState(catalogue, snapshot, log.last(game), log.last_good(game), damaged)


def _snapshot(library: Library, game: str, snapshot_id: str | None) -> Snapshot | None:
    """Return the snapshot of this id, the current one if it is None; None for the facts that ship."""
    try:
        return library.store().snapshot(snapshot_id) if snapshot_id else library.store().current(game)
    except (NoDatabase, NoSnapshot):
        return None
