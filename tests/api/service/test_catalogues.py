"""The age of the card data: since its last successful sync, its import, or the day of the cards that ship."""

from datetime import UTC, datetime, time, timedelta

import pytest

from api.service.catalogues import CatalogueState
from carddb import facts
from carddb.snapshot_store import Snapshot
from carddb.sync.log import Sync
from validator.limits import shipped_lists

CARDS = facts.catalogue("optcg")
HOUR = 3600


def age_of(snapshot, synced):
    """Return the age of the cards of a snapshot made five hours ago.

    `synced` is the id of the snapshot of a good sync two hours ago.
    """
    now = datetime.now(UTC)
    stored = Snapshot(snapshot, "optcg", now - timedelta(hours=5), "site", 1, 10, True) if snapshot else None
    begun = now - timedelta(hours=2)
    sync = Sync("optcg", begun, begun + timedelta(minutes=1), "ok", "", synced) if synced else None
    return CatalogueState(CARDS, shipped_lists("optcg"), stored, sync, sync).age


@pytest.mark.parametrize(("synced", "hours"), [(None, 5), ("cards-1", 2), ("cards-2", 5)])
def test_the_age_counts_from_the_sync_of_the_same_snapshot_else_from_its_import(synced, hours):
    assert age_of("cards-1", synced) == pytest.approx(hours * HOUR, abs=HOUR / 2)


def test_cards_that_ship_are_as_old_as_their_day():
    midnight = datetime.combine(CARDS.as_of, time.min, UTC)
    expected = (datetime.now(UTC) - midnight).total_seconds()
    for synced in (None, "cards-1"):
        assert age_of(None, synced) == pytest.approx(expected, abs=HOUR / 2)
