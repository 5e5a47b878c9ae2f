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
from tests.carddb.cards import some_cards
from tests.migrated import RecordedMigrations


@pytest.fixture(autouse=True)
def _migrations_themselves(monkeypatch, real_migrate):
    """Run the migrations for each database here, as a user's process does."""
    monkeypatch.setattr(migrations, "migrate", real_migrate)


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(f"sqlite:///{tmp_path}/deckproof.db")


def schema(file) -> list:
    """Return the tables, the indexes and the revision of a SQLite file."""
    with closing(connect(file)) as database:
        made = database.execute("select type, name, tbl_name, sql from sqlite_master order by type, name").fetchall()
        return [*made, *database.execute("select version_num from alembic_version")]


def test_recorded_migrations_make_the_database_that_the_migrations_make(tmp_path, monkeypatch, real_migrate):
    recorded, files = RecordedMigrations(real_migrate), [tmp_path / f"{number}.db" for number in range(3)]
    for file, migrate in zip(files, (real_migrate, recorded, recorded), strict=True):
        monkeypatch.setattr(migrations, "migrate", migrate)
        assert Store(f"sqlite:///{file}").database.upgrade() is None
    first, second, third = map(schema, files)
    assert first == second == third
    assert len(first) > 50


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

        def is_own_table(name: str | None, kind: str, _: object) -> bool:
            """Return True for the tables of this package, and for all parts of tables."""
            return kind != "table" or name in tables

        context = MigrationContext.configure(connection, opts={"include_name": is_own_table})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_an_upgrade_says_what_it_started_from_and_may_be_repeated(store):
    assert store.database.upgrade() is None
    assert store.database.upgrade() == migrations.HEAD


def test_an_upgrade_keeps_the_cards(store):
    made = store.import_cards("dbs", some_cards(3), "x")
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
