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
    """The state of a game: its loaded card catalogue, official lists, stored snapshot of cards, and card syncs.

    `snapshot` is the current one of the database, which may be newer than `catalogue`. None if only the cards that ship
    are used. `last_sync` is the newest sync, also a failed or running one. `last_good` is the newest sync with result
    OK. Both are None if there is none. `damaged` is the id of the current snapshot if that is damaged: `catalogue` and
    `snapshot` are then other ones. `unusable_lists` is the reason (for people) why `lists` are not the current ones.
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
        """The age of the card data in seconds: since the snapshot was made.

        If the last successful sync is of this snapshot, the age counts from the start of that sync. Without a snapshot
        it counts from midnight (UTC) of the day on which the cards that ship were collected. None if that day is not
        known.
        """
        if self.snapshot is None:
            day = self.catalogue.as_of
            since = datetime.combine(day, time.min, UTC) if day else None
        else:
            sync = self.last_good
            since = sync.begun if sync and sync.snapshot == self.snapshot.id else self.snapshot.created
        return (datetime.now(UTC) - since).total_seconds() if since else None


def catalogue_states(library: Library) -> Iterator[CatalogueState]:
    """Yield the state of each game, in the order of GAMES. Loads each game's catalogue and lists.

    Raises CardDataError if the database cannot be read.
    """
    for game in GAMES:
        catalogue = library.catalogue(game)
        log = SyncLog(library.store().database)
        damaged = library.damaged().get(game)
        snapshot = _find_snapshot(library, game, library.loaded_ids()[game][0] if damaged else None)
        unusable = library.unusable_lists().get(game)
        yield CatalogueState(
            catalogue, library.lists(game), snapshot, log.last(game), log.last_good(game), damaged, unusable
        )


def _find_snapshot(library: Library, game: str, snapshot_id: str | None) -> Snapshot | None:
    """Return the stored snapshot with this id. If the id is None, return the current snapshot of the game.

    Return None if the database or the snapshot does not exist. Raises CardDataError if the database cannot be read.
    """
    try:
        return library.store().snapshot(snapshot_id) if snapshot_id else library.store().current(game)
    except (NoDatabase, NoSnapshot):
        return None
