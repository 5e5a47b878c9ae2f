"""Nightly: card lists are synced at the time of day that the settings say, and events whose time is over deleted."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from api.events.storage.event_store import purge
from api.service.settings import Settings
from api.service.site_access import access
from carddb.errors import CardDataError
from carddb.snapshot_store import Store
from carddb.sync.card_sync import sync_if_due

_log = logging.getLogger(__name__)


def sync_all(settings: Settings, store: Store) -> None:
    """Sync each game whose sync is due; what fails is noted and logged, and the next game goes on."""
    for game in settings.sync_games if settings.sync_at else ():
        try:
            _sync(settings, store, game)
        except CardDataError as error:
            _log.error("The sync of %s failed: %s", game, error)


def purge_events(store: Store) -> None:
    """Delete the events whose time is over."""
    if purged := purge(store.database, datetime.now(UTC)):
        _log.info("Deleted %d events whose time was over.", purged)


def _sync(settings: Settings, store: Store, game: str) -> None:
    assert settings.sync_at is not None
    outcome = sync_if_due(game, store, access(settings, game), settings.sync_at)
    if outcome is None:
        return
    if outcome.refused:
        _log.error("The new list of %s looks wrong and is not used: %s", game, " ".join(outcome.doubts))
    else:
        _log.info("Synced %s: %d cards from %d pages.", game, outcome.cards, outcome.pages)
