"""The migrations make the tables that the store expects, from nothing and again."""

from contextlib import closing
from sqlite3 import connect

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from carddb import migrations
from carddb.database import Base
from carddb.snapshot_store import Store
from tests.carddb.cards import some


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(f"sqlite:///{tmp_path}/deckproof.db")


def test_the_revisions_are_those_of_the_files_in_order():
    config = Config()
    config.set_main_option("script_location", "carddb:migrations")
    scripts = ScriptDirectory.from_config(config)
    found = [script.revision for script in scripts.walk_revisions()]
    assert tuple(reversed(found)) == migrations.REVISIONS
    assert scripts.get_current_head() == migrations.HEAD


def test_the_migrations_make_the_tables_of_the_models(store, tmp_path):
    assert store.database.upgrade() is None
    engine = sa.create_engine(f"sqlite:///{tmp_path}/deckproof.db")
    with engine.connect() as connection:
        tables = set(Base.metadata.tables)

        def ours(name: str | None, kind: str, _: object) -> bool:
            return kind != "table" or name in tables

        context = MigrationContext.configure(connection, opts={"include_name": ours})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_an_upgrade_says_what_it_started_from_and_may_be_repeated(store):
    assert store.database.upgrade() is None
    assert store.database.upgrade() == migrations.HEAD


def test_an_upgrade_keeps_the_cards(store):
    made = store.import_cards("dbs", some(3), "x")
    store.database.upgrade()
    assert len(store.cards(made.id)) == 3


def test_a_migration_that_breaks_off_leaves_nothing_behind(store, tmp_path, monkeypatch):
    def broken(connection: sa.Connection) -> None:
        connection.exec_driver_sql("create table half (id integer)")
        raise RuntimeError

    monkeypatch.setattr(migrations, "migrate", broken)
    with pytest.raises(RuntimeError):
        store.database.upgrade()
    with closing(connect(tmp_path / "deckproof.db")) as database:
        assert database.execute("select name from sqlite_master").fetchall() == []


def test_a_file_made_for_cards_lets_readers_read_while_it_is_written(store, tmp_path):
    store.database.upgrade()
    with closing(connect(tmp_path / "deckproof.db")) as database:
        assert database.execute("pragma journal_mode").fetchone() == ("wal",)
