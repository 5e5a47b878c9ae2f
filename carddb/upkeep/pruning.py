"""Retention of snapshots: which are kept, and the deletion of the others.

`deckproof cards prune` uses it, and every worker.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import sqlalchemy as sa

from carddb.errors import NoDatabase
from carddb.snapshot_store import CardsRow, Snapshot, SnapshotRow, Store, list_snapshots
from carddb.sync.log import SyncRow


def surplus_snapshots(snapshots: Iterable[Snapshot], keep_count: int) -> list[Snapshot]:
    """Return the snapshots that are to be deleted, newest first in each game. Nothing is deleted.

    Of each game these stay: the current one, the newest `keep_count`, and the newest of each month.
    """
    by_game = defaultdict(list)
    for snapshot in sorted(snapshots, key=lambda snapshot: (snapshot.created, snapshot.id), reverse=True):
        by_game[snapshot.game].append(snapshot)
    return [snapshot for newest_first in by_game.values() for snapshot in _surplus_of_game(newest_first, keep_count)]


def _surplus_of_game(newest_first: Sequence[Snapshot], keep_count: int) -> list[Snapshot]:
    """Return the snapshots of one game that are to be deleted, in their order.

    The current one, the newest `keep_count` and the newest of each month (UTC) stay. `newest_first` is in that order.
    """
    found, months = [], set()
    for position, snapshot in enumerate(newest_first):
        month = f"{snapshot.created:%Y-%m}"
        if position >= keep_count and month in months and not snapshot.current:
            found.append(snapshot)
        months.add(month)
    return found


def find_surplus(store: Store, keep_count: int) -> list[Snapshot]:
    """Return the snapshots of a database that `prune` would delete, empty without a database. Nothing is deleted.

    `keep_count` and the rules are those of `surplus_snapshots`.
    """
    try:
        return surplus_snapshots(store.snapshots(), keep_count)
    except NoDatabase:
        return []


def prune(store: Store, keep_count: int) -> list[Snapshot]:
    """Delete the surplus snapshots with their cards, and return them. Empty if none is surplus or there is no database.

    Those stay that are current, the newest `keep_count` of their game, or the newest of their month. The log of syncs
    keeps its entries without their snapshots.
    """
    if not find_surplus(store, keep_count):
        return []
    with store.database.writing("cards") as connection:
        deleted = surplus_snapshots(
            list_snapshots(connection), keep_count
        )  # another import may have changed which is current
        ids = [snapshot.id for snapshot in deleted]
        connection.execute(sa.update(SyncRow).where(SyncRow.snapshot_id.in_(ids)).values(snapshot_id=None))
        connection.execute(sa.delete(CardsRow).where(CardsRow.snapshot_id.in_(ids)))
        connection.execute(sa.delete(SnapshotRow).where(SnapshotRow.id.in_(ids)))
    return deleted
