"""Catalogues: how the cards and the syncs of each game stand now, for those who run the server."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from carddb.catalogue import Catalogue
from carddb.errors import NoDatabase
from carddb.library import Library
from carddb.snapshot_store import Snapshot
from carddb.sync.log import Sync, SyncLog
from validator.games import GAMES


class CatalogueState(NamedTuple):
    """A game's catalogue; the snapshot that it is, its last sync and its last good one, None where there is none."""

    catalogue: Catalogue
    snapshot: Snapshot | None
    last_sync: Sync | None
    last_good: Sync | None

    @property
    def age(self) -> float | None:
        """The seconds since the snapshot was made, or since a sync last found that it still holds."""
        if self.snapshot is None:
            return None
        good = self.last_good
        since = good.begun if good and good.snapshot == self.snapshot.id else self.snapshot.created
        return (datetime.now(UTC) - since).total_seconds()


def catalogue_states(library: Library) -> Iterator[CatalogueState]:
    """Yield how each game stands; a CardDataError says that the database cannot be asked."""
    for game in GAMES:
        catalogue = library.catalogue(game)
        log = SyncLog(library.store().database)
        yield CatalogueState(catalogue, _snapshot(library, game), log.last(game), log.last_good(game))


def _snapshot(library: Library, game: str) -> Snapshot | None:
    """Return how a catalogue came into the database; None for the facts that ship where there is no database yet."""
    try:
        return library.store().current(game)
    except NoDatabase:
        return None
