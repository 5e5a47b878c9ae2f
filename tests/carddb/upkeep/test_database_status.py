"""The status of a database: what fills it, how large it is, and when it was last written."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from carddb import migrations
from carddb.errors import NoDatabase
from carddb.snapshot_store import CardsRow, Store
from carddb.sync.log import SyncRow
from carddb.upkeep.database_status import count_webhooks, file_problems, read_status, snapshot_problems
from tests.carddb.cards import some_cards

NOON = datetime(2026, 10, 25, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path):
    return Store(f"sqlite:///{tmp_path}/deckproof.db")


def test_nothing_has_no_status(store):
    for read in (read_status, count_webhooks):
        with pytest.raises(NoDatabase):
            read(store.database)


def test_the_rows_of_each_kind_are_counted(store):
    first = store.import_cards("dbs", some_cards(3), "x", NOON)
    store.import_cards("dbs", some_cards(5), "x", NOON + timedelta(hours=1))
    status = read_status(store.database)
    assert (status.snapshots, status.events) == (2, 0)
    assert status.revision == status.newest_revision == migrations.HEAD
    assert status.newest_write == (NOON + timedelta(hours=1)).isoformat()
    rows = {one.kind: one.rows for one in status.usage}
    assert list(rows) == sorted(rows)
    assert set(rows) >= {"cards", "events", "jobs", "lists", "other", "syncs"}
    with store.database.reading() as connection:
        tables = ("snapshot", "snapshot_cards", "current")
        known = [table for table in tables if sa.inspect(connection).has_table(table)]
        in_tables = [connection.scalar(sa.text(f"select count(*) from {table}")) for table in known]
    assert rows["cards"] == sum(in_tables) > 2
    assert (rows["events"], rows["jobs"], rows["lists"]) == (0, 0, 0)
    store.use(first.id)
    assert read_status(store.database).newest_write == status.newest_write


def test_bytes_are_those_of_the_file_and_its_log_and_of_each_kind(store):
    store.import_cards("dbs", some_cards(200), "x", NOON)
    file = store.database.file
    log = file.with_name(f"{file.name}-wal")
    log_bytes = log.stat().st_size if log.exists() else 0
    status = read_status(store.database)
    assert status.bytes == file.stat().st_size + log_bytes > 0
    sizes = [one.bytes for one in status.usage]
    if None not in sizes:  # this SQLite counts them
        assert 0 < sum(sizes) <= file.stat().st_size + log_bytes
    assert status.free == 0


def test_what_is_deleted_leaves_free_pages(store):
    store.import_cards("dbs", some_cards(2000), "x", NOON)
    with store.database.writing("cards") as connection:
        connection.execute(sa.text("create table filler as select randomblob(200000) as content"))
    with store.database.writing("cards") as connection:
        connection.execute(sa.text("drop table filler"))
    assert read_status(store.database).free >= 200_000


def test_a_sync_that_begins_is_the_newest_write(store):
    store.import_cards("dbs", some_cards(3), "x", NOON)
    begun = (NOON + timedelta(days=1)).isoformat()
    with store.database.writing("syncs") as connection:
        connection.execute(sa.insert(SyncRow), {"game": "dbs", "begun": begun, "result": "running", "why": ""})
    assert read_status(store.database).newest_write == begun


def test_only_damaged_files_and_snapshots_have_problems(store, tmp_path):
    snapshot = store.import_cards("dbs", some_cards(3), "x", NOON)
    assert file_problems(store.database.file) == file_problems(tmp_path / "missing.db") == file_problems(None) == []
    assert list(snapshot_problems(store)) == []
    (tmp_path / "text.db").write_text("no database " * 100)
    assert len(file_problems(tmp_path / "text.db")) == 1
    with store.database.writing("cards") as connection:
        connection.execute(sa.update(CardsRow).values(checksum="0" * 64))
    assert [snapshot.id in problem for problem in snapshot_problems(store)] == [True]
