"""The store in PostgreSQL does what it does in SQLite."""

from collections.abc import Iterator

import pytest

from carddb import migrations
from carddb.errors import CardDataError, DatabaseBusy, NoDatabase, NoSnapshot
from carddb.library import Library
from carddb.snapshot_store import Store
from tests.carddb.cards import card, some
from tests.postgres import own_schema

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
        store.import_cards("dbs", some(1), "x")


def test_snapshots_are_kept_and_become_current(store):
    assert store.database.upgrade() is None
    assert store.database.upgrade() == migrations.HEAD
    old = store.import_cards("dbs", some(2), "two.csv")
    new = store.import_cards("dbs", some(3), "three.csv")
    assert not store.import_cards("dbs", some(3), "three.csv").new
    assert store.current("dbs").id == new.id
    assert store.use(old.id).current
    assert [len(store.cards(one.id)) for one in (old, new)] == [2, 3]
    assert store.cards(new.id)[0].colors == ("Red",)
    with pytest.raises(NoSnapshot):
        store.cards("dbs-20200101-00000000")


def test_an_import_that_breaks_off_leaves_all_as_it_was(store):
    store.database.upgrade()
    old = store.import_cards("dbs", some(2), "two.csv")
    with pytest.raises(TypeError):
        store.import_cards("dbs", [*some(2500), card(cost=object())], "spoilt.csv")
    assert [found.id for found in store.snapshots()] == [old.id]
    assert store.current("dbs").id == old.id


def test_a_database_held_by_another_import_is_busy(store, url):
    store.database.upgrade()
    with Store(url).database.writing("cards"), pytest.raises(DatabaseBusy):
        store.import_cards("dbs", some(1), "x")


def test_a_newer_schema_asks_for_a_newer_deckproof(store):
    store.database.upgrade()
    with store.database.writing("cards") as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    with pytest.raises(CardDataError, match="upgrade deckproof"):
        store.current("dbs")


def test_the_library_follows_it(store, url):
    library = Library(url, clock=iter(range(0, 1000, 100)).__next__, beside=lambda look: look())
    assert library.catalogue("dbs").snapshot == "dbs-facts-2026-07-23"
    store.database.upgrade()
    made = store.import_cards("dbs", some(3), "x")
    assert library.catalogue("dbs").snapshot == made.id
