"""Old snapshots are deleted, but for the current one, the newest and one for each month."""

from datetime import UTC, datetime, timedelta

import pytest

from carddb.errors import NoSnapshot
from carddb.snapshot_store import Store
from carddb.sync.log import SyncLog, SyncRow
from carddb.upkeep.pruning import find_surplus, prune
from tests.carddb.cards import card, some_cards
from tests.postgres import own_schema

FIRST = datetime(2026, 1, 1, 3, 30, tzinfo=UTC)


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.slow)])
def store(request, tmp_path):
    if request.param == "SQLite":
        yield Store(f"sqlite:///{tmp_path}/deckproof.db")
        return
    with own_schema() as url:
        made = Store(url)
        made.database.upgrade()
        yield made


def import_nightly(store, nights, game="dbs"):
    return [
        store.import_cards(game, [card(cost=night, game=game)], "x", FIRST + timedelta(days=night))
        for night in range(nights)
    ]


def test_the_newest_and_one_for_each_month_stay(store):
    made = import_nightly(store, 120)  # from January to April
    other = store.import_cards("optcg", some_cards(3, "optcg"), "x", FIRST)
    wanted = {made[30].id, made[58].id, *(snapshot.id for snapshot in made[-30:]), other.id}
    surplus = find_surplus(store, 30)
    assert len(store.snapshots()) == 121
    assert {snapshot.id for snapshot in prune(store, 30)} == {snapshot.id for snapshot in surplus}
    kept = {snapshot.id for snapshot in store.snapshots()}
    assert kept == wanted | {snapshot.id for snapshot in made[89:90]}
    assert prune(store, 30) == []
    with pytest.raises(NoSnapshot):
        store.cards(made[0].id)
    assert store.damaged_snapshots() == []


def test_the_current_snapshot_stays_however_old(store):
    made = import_nightly(store, 20)
    store.use(made[3].id)
    assert len(prune(store, 2)) == 17
    assert [snapshot.id for snapshot in store.snapshots()] == [made[19].id, made[18].id, made[3].id]
    assert store.current("dbs").id == made[3].id


def test_the_log_of_syncs_outlives_the_snapshots(store):
    made = import_nightly(store, 5)
    with store.database.writing("syncs") as connection:
        for snapshot in made:
            sync = {"game": "dbs", "result": "ok", "why": "", "snapshot_id": snapshot.id}
            connection.execute(SyncRow.__table__.insert(), {**sync, "begun": snapshot.created.isoformat()})
    assert len(prune(store, 1)) == 4
    assert SyncLog(store.database).last("dbs").snapshot == made[4].id
    with store.database.reading() as connection:
        assert connection.exec_driver_sql("select count(*) from sync").scalar() == 5


def test_a_database_that_is_missing_has_no_old_snapshots(tmp_path):
    assert prune(Store(f"sqlite:///{tmp_path}/deckproof.db"), 1) == []
    assert list(tmp_path.iterdir()) == []
