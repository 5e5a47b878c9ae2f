"""The store in PostgreSQL does what it does in SQLite."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
import sqlalchemy as sa

from carddb import migrations
from carddb.database import Database
from carddb.errors import CardDataError, DatabaseBusy, NoDatabase, NoSnapshot
from carddb.library import Library
from carddb.snapshot_store import Store
from tests.carddb.cards import card, some_cards
from tests.cost import time_limit
from tests.postgres import own_cluster, own_schema

pytestmark = pytest.mark.slow


@pytest.fixture
def url() -> Iterator[str]:
    with own_schema() as found:
        yield found


@pytest.fixture
def store(url) -> Store:
    return Store(url, patience=0.3)


def test_an_empty_database_asks_for_its_tables(store):
    with pytest.raises(NoDatabase, match="is empty"):
        store.current("dbs")
    with pytest.raises(CardDataError, match="deckproof db upgrade"):
        store.import_cards("dbs", some_cards(1), "x")


def test_snapshots_are_kept_and_become_current(store):
    assert store.database.upgrade() is None
    assert store.database.upgrade() == migrations.HEAD
    old = store.import_cards("dbs", some_cards(2), "two.csv")
    new = store.import_cards("dbs", some_cards(3), "three.csv")
    assert not store.import_cards("dbs", some_cards(3), "three.csv").new
    assert store.current("dbs").id == new.id
    assert store.use(old.id).current
    assert [len(store.cards(one.id)) for one in (old, new)] == [2, 3]
    assert store.cards(new.id)[0].colors == ("Red",)
    with pytest.raises(NoSnapshot):
        store.cards("dbs-20200101-00000000")


def test_an_import_that_breaks_off_leaves_all_as_it_was(store):
    store.database.upgrade()
    old = store.import_cards("dbs", some_cards(2), "two.csv")
    with pytest.raises(TypeError):
        store.import_cards("dbs", [*some_cards(2500), card(cost=object())], "spoilt.csv")
    assert [found.id for found in store.snapshots()] == [old.id]
    assert store.current("dbs").id == old.id


def test_a_database_held_by_another_import_is_busy(store, url):
    store.database.upgrade()
    with Store(url).database.writing("cards"), pytest.raises(DatabaseBusy):
        store.import_cards("dbs", some_cards(1), "x")


def test_a_newer_schema_asks_for_a_newer_deckproof(store):
    store.database.upgrade()
    with store.database.writing("cards") as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    with pytest.raises(CardDataError, match="upgrade deckproof"):
        store.current("dbs")


@pytest.fixture
def open_database(url) -> Iterator[Database]:
    """A database that is kept open, with its tables."""
    database = Database(url)
    database.upgrade()
    database.keep_open()
    yield database
    database.close()


def session(database) -> int:
    """Return the process of the server that a transaction is done by."""
    with database.reading() as connection:
        return connection.scalar(sa.text("select pg_backend_pid()"))


def test_connections_are_kept_and_counted(open_database):
    first = session(open_database)
    assert session(open_database) == first
    with open_database.reading():
        assert open_database.connection_counts()[:2] == (1, 1)
    assert open_database.connection_counts()[:2] == (1, 0)
    open_database.close()
    assert open_database.connection_counts()[:2] == (0, 0)


def test_a_connection_that_was_lost_costs_no_transaction(open_database, url):
    first = session(open_database)
    with Database(url).reading() as connection:
        connection.execute(sa.text("select pg_terminate_backend(:pid)"), {"pid": first})
    assert session(open_database) != first
    with open_database.writing("cards") as connection:
        assert connection.scalar(sa.text("select count(*) from snapshot")) == 0


def test_a_server_that_was_restarted_costs_no_transaction():
    with own_cluster() as cluster:
        database = Database(cluster.url)
        database.upgrade()
        database.keep_open()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: session(database), range(8)))
        cluster.stop()
        cluster.start()
        assert [session(database) > 0 for _ in range(5)] == [True] * 5
        database.close()


def test_a_child_has_connections_of_its_own(open_database):
    with open_database.reading() as connection:
        mine = connection.scalar(sa.text("select pg_backend_pid()"))
        if (child := os.fork()) == 0:
            with suppress(BaseException):
                os._exit(0 if session(open_database) != mine and open_database.connection_counts()[:2] == (1, 0) else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert connection.scalar(sa.text("select pg_backend_pid()")) == mine


def test_a_reader_does_not_wait_for_ever_for_a_table(url):
    store = Store(url, patience=0.3)
    store.database.upgrade()
    with Database(url).writing("x") as connection, time_limit(3, time.monotonic):
        connection.execute(sa.text("lock table snapshot in access exclusive mode"))
        with pytest.raises(DatabaseBusy):
            store.snapshots()


def test_the_url_goes_before_our_settings(url):
    found = sa.make_url(url)
    options = f"{found.query['options']} -c statement_timeout=1234"
    database = Database(found.update_query_dict({"options": options}).render_as_string(hide_password=False))
    database.upgrade()
    with database.reading() as connection:
        assert connection.scalar(sa.text("show statement_timeout")) == "1234ms"
        assert connection.scalar(sa.text("show lock_timeout")) == "5s"


def test_the_library_follows_it(store, url):
    library = Library(url, clock=iter(range(0, 1000, 100)).__next__, beside=lambda look: look())
    assert library.catalogue("dbs").snapshot == "dbs-facts-2026-07-23"
    store.database.upgrade()
    made = store.import_cards("dbs", some_cards(3), "x")
    assert library.catalogue("dbs").snapshot == made.id
