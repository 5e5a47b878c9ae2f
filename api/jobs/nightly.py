"""Nightly: card lists are synced at the time of day that the settings say; old snapshots and events are deleted."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from api.events.storage.retention import ClockLook, RetentionClock, end_retention
from api.service.settings import Settings
from api.service.site_access import access
from carddb.errors import CardDataError
from carddb.snapshot_store import Store
from carddb.sync.card_sync import sync_if_due
from carddb.upkeep.pruning import prune

_log = logging.getLogger(__name__)


def sync_all(settings: Settings, store: Store) -> None:
    """Sync each game whose sync is due; what fails is noted and logged, and the next game goes on."""
    for game in settings.sync_games if settings.sync_at else ():
        try:
            _sync(settings, store, game)
        except CardDataError as error:
            _log.error("The sync of %s failed: %s", game, error)


def purge_events(settings: Settings, store: Store) -> None:
    """Delete the events whose time is over, unless the clock may be wrong.

    The log of a SQLite database is emptied each time: what players deleted since the last time may still be in it.
    """
    now = datetime.now(UTC)
    state = RetentionClock(store.database).look(now)
    if state is None:
        return
    if state.look.is_trusted:
        ended = end_retention(store.database, now, timedelta(days=settings.restore_days))
        if any(ended):
            _log.info("Retention: %d events marked as deleted, %d events removed.", *ended)
    elif state.is_warning_due:
        _warn(state.look)
    store.database.empty_log()


def _warn(look: ClockLook) -> None:
    _log.warning(
        "No event is deleted: the clock (%s) is far ahead of the last time that was trusted (%s) or of the last "
        "write. Check the clock. If it is right, run `deckproof events purge --confirm-clock`, or wait until %s.",
        *(moment.isoformat(timespec="seconds") for moment in (look.seen, look.trusted, look.trusted_from)),
    )


def prune_snapshots(settings: Settings, store: Store) -> None:
    """Delete the snapshots that are more than the settings keep."""
    if pruned := prune(store, settings.snapshots_kept):
        _log.info("Deleted %d old snapshots: %s.", len(pruned), ", ".join(snapshot.id for snapshot in pruned))


def _sync(settings: Settings, store: Store, game: str) -> None:
    assert settings.sync_at is not None
    outcome = sync_if_due(game, store, access(settings, game), settings.sync_at)
    if outcome is None:
        return
    if outcome.refused:
        _log.error("The new list of %s looks wrong and is not used: %s", game, " ".join(outcome.doubts))
    else:
        _log.info("Synced %s: %d cards from %d pages.", game, outcome.cards, outcome.pages)
