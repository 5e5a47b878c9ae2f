"""Catalogues: the state of the cards, lists and syncs of each game. Called by the health page and the metrics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time
from typing import NamedTuple

from carddb.catalogue import Catalogue
from carddb.errors import NoDatabase, NoSnapshot
from carddb.library import Library
from carddb.snapshot_store import Snapshot
from carddb.sync.log import Sync, SyncLog
from validator.games import GAMES
from validator.limits import GameLists


class CatalogueState(NamedTuple):
    """The catalogue of a game, its snapshot, its last sync and its last successful sync. None if there is none.

    `damaged`: the id of the current snapshot if that is damaged. `catalogue` is then an older one.
    `unusable_lists`: the reason why the current lists cannot be used. `lists` are then others.
    """

    catalogue: Catalogue
    lists: GameLists
    snapshot: Snapshot | None
    last_sync: Sync | None
    last_good: Sync | None
    damaged: str | None = None
    unusable_lists: str | None = None

    @property
    def age(self) -> float | None:
        """The seconds since the snapshot was made, or since a sync last confirmed it.

        Without a snapshot, since the day on which the cards that ship were collected. None if that day is not known.
        """
        if self.snapshot is None:
            day = self.catalogue.as_of
            since = datetime.combine(day, time.min, UTC) if day else None
        else:
            sync = self.last_good
            since = sync.begun if sync and sync.snapshot == self.snapshot.id else self.snapshot.created
        return (datetime.now(UTC) - since).total_seconds() if since else None


def catalogue_states(library: Library) -> Iterator[CatalogueState]:
    """Yield the state of each game. Raises CardDataError if the database cannot be read."""
    for game in GAMES:
        catalogue = library.catalogue(game)
        log = SyncLog(library.store().database)
        damaged = library.damaged().get(game)
        snapshot = _find_snapshot(library, game, catalogue.snapshot if damaged else None)
        unusable = library.unusable_lists().get(game)
        yield CatalogueState(
            catalogue, library.lists(game), snapshot, log.last(game), log.last_good(game), damaged, unusable
        )


def _find_snapshot(library: Library, game: str, snapshot_id: str | None) -> Snapshot | None:
    """Return the snapshot with an id, the current snapshot of the game if the id is None.

    Return None if the catalogue has only the cards that ship.
    """
    try:
        return library.store().snapshot(snapshot_id) if snapshot_id else library.store().current(game)
    except (NoDatabase, NoSnapshot):
        return None
