"""The database of a URL: it is found by its name, never made by a reader, and readable only by its owner."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from carddb import Library, postgres
from carddb.database import Database
from carddb.errors import CardDataError, DatabaseBusy, NoDatabase
from carddb.snapshot_store import Store
from carddb.upkeep.database_status import reference_problems
from tests.carddb.cards import some_cards

# How a file is named by a URI: SQLite, and not SQLAlchemy, reads what stands after "file:".
URIS = [
    "sqlite:///file:{}?uri=true",
    "sqlite:///file:{}?mode=ro&uri=true",
    "sqlite:///file:{}?uri=true&mode=rw&timeout=2",
    "sqlite:///file://{}?mode=ro&uri=true",
    "sqlite:///file://localhost{}?mode=ro&uri=1",
    "sqlite+pysqlite:///file:{}?mode=ro&uri=true",
    "sqlite+pysqlite:///{}",
]


@pytest.fixture
def stored_database(tmp_path):
    """A database file, and the snapshot that is current in it."""
    file = tmp_path / "my cards.db"
    return file, Store(f"sqlite:///{file}").import_cards("dbs", some_cards(3), "x").id


@pytest.mark.slow
@pytest.mark.parametrize("url", URIS)
def test_a_database_with_a_uri_is_used(stored_database, url):
    file, snapshot = stored_database
    assert Library(url.format(file)).catalogue("dbs").snapshot == snapshot


def test_a_uri_may_have_its_file_encoded(stored_database):
    file, snapshot = stored_database
    encoded = str(file).replace(" ", "%20")
    assert Library(f"sqlite:///file:{encoded}?mode=ro&uri=true").catalogue("dbs").snapshot == snapshot


@pytest.mark.parametrize("url", [url for url in URIS if "mode=" in url])
def test_a_database_that_must_be_there_and_is_not_is_no_empty_one(tmp_path, url):
    with pytest.raises(CardDataError) as refusal:
        Library(url.format(tmp_path / "absent.db")).catalogue("dbs")
    assert not isinstance(refusal.value, NoDatabase)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", [*URIS, "sqlite:///{}", "sqlite://", "sqlite:///:memory:", "sqlite:///file:x?uri=true"])
def test_who_reads_makes_no_file(tmp_path, monkeypatch, url):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CardDataError), Database(url.format(tmp_path / "absent.db")).reading():
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_uri_that_lets_the_file_be_made_makes_it_where_it_says(tmp_path):
    made = Store(f"sqlite:///file:{tmp_path}/new.db?uri=true").import_cards("dbs", some_cards(3), "x")
    assert Library(f"sqlite:///{tmp_path}/new.db").catalogue("dbs").snapshot == made.id


def test_a_database_is_readable_by_its_owner_alone(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/deckproof.db")
    store.import_cards("dbs", some_cards(3), "x")
    with store.database.reading():
        files = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert files.keys() == {"deckproof.db", "deckproof.db-wal", "deckproof.db-shm"}
    assert set(files.values()) == {0o600}


@pytest.fixture
def mounted(tmp_path):
    """What mounts a folder where nobody can write; the test is skipped where that is not allowed."""
    place = tmp_path / "mounted"
    place.mkdir()

    def mount(folder):
        commands = (["mount", "--bind", folder, place], ["mount", "-o", "remount,ro,bind", place])
        if not shutil.which("mount") or any(subprocess.run(one, capture_output=True).returncode for one in commands):
            pytest.skip("needs the right to mount a folder")
        return place

    yield mount
    subprocess.run(["umount", place], capture_output=True, check=False)


@pytest.mark.parametrize("url", ["sqlite:///{}", "sqlite:///file:{}?mode=ro&uri=true"])
def test_a_database_that_nobody_can_write_is_read(stored_database, mounted, url):
    file, snapshot = stored_database
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("pragma journal_mode").fetchone() == ("wal",)
    there = mounted(file.parent) / file.name
    assert Library(url.format(there)).catalogue("dbs").snapshot == snapshot
    with pytest.raises(CardDataError):
        Store(url.format(there)).import_cards("dbs", some_cards(4), "y")


def test_a_database_that_only_others_write_is_read_as_it_is_now(stored_database, mounted):
    file, _ = stored_database
    there = mounted(file.parent) / file.name
    writer = Database(f"sqlite:///{file}")
    with writer.reading():  # somebody has it open: its log stays where it is
        newer = Store(f"sqlite:///{file}").import_cards("dbs", some_cards(4), "y")
        assert Library(f"sqlite:///{there}").catalogue("dbs").snapshot == newer.id


@pytest.fixture
def open_database(stored_database):
    """A database that is kept open, its file, and what counts those who have the file open here."""
    file, _ = stored_database
    database = Database(f"sqlite:///{file}")
    database.keep_open()
    yield database, file
    database.close()


def snapshots(database):
    with database.reading() as connection:
        return connection.execute(sa.text("select id from snapshot order by 1")).scalars().all()


def count_open_files(file):
    """Return the number of times that this process has a file open."""
    links = (Path("/proc/self/fd") / one for one in os.listdir("/proc/self/fd"))
    return sum(link.is_symlink() and os.path.realpath(link) == str(file.resolve()) for link in links)


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")


@needs_proc
def test_a_stored_connection_is_used_again_and_not_shared_with_children(open_database):
    database, file = open_database
    before = snapshots(database)
    assert (snapshots(database), count_open_files(file)) == (before, 1)
    assert database.connection_counts()[:2] == (1, 0)
    if (child := os.fork()) == 0:
        with suppress(BaseException):
            untouched = count_open_files(file) == 0
            os._exit(0 if untouched and snapshots(database) == before else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert snapshots(database) == before


def test_an_open_database_that_is_replaced_is_opened_again(open_database, tmp_path):
    database, file = open_database
    assert len(snapshots(database)) == 1
    Store(f"sqlite:///{tmp_path}/other.db").import_cards("dbs", some_cards(4), "y")
    for ending in ("", "-wal", "-shm"):
        if (there := tmp_path / f"{file.name}{ending}").exists():
            there.rename(tmp_path / f"moved.db{ending}")
    with pytest.raises(NoDatabase):
        snapshots(database)
    (tmp_path / "other.db").rename(file)
    assert snapshots(database) == [Library(f"sqlite:///{file}").catalogue("dbs").snapshot]
    with database.writing("cards") as connection:
        connection.execute(sa.text("delete from snapshot where 0"))


def test_a_read_only_database_is_opened_for_each_transaction(stored_database, mounted):
    file, _ = stored_database
    database = Database(f"sqlite:///{mounted(file.parent) / file.name}")
    database.keep_open()
    before = snapshots(database)
    newer = Store(f"sqlite:///{file}").import_cards("dbs", some_cards(4), "y")
    assert sorted([*before, newer.id]) == snapshots(database)


def test_writers_of_one_file_exclude_each_other(stored_database):
    file, _ = stored_database
    one, other = (Database(f"sqlite:///{file}", patience=0.2) for _ in range(2))
    one.keep_open()
    with one.writing("x"):
        for each in (one, other):  # of the same queue, and of another, as a process has
            with pytest.raises(DatabaseBusy), each.writing("y"):
                pass
    for each in (one, other):
        with each.writing("x"):
            pass


def test_deleted_rows_are_in_neither_the_file_nor_its_log(stored_database):
    file, _ = stored_database
    database = Database(f"sqlite:///{file}")
    database.keep_open()
    with database.writing("cards") as connection:
        connection.execute(sa.text("create table player (name text)"))
        connection.execute(sa.text("insert into player values ('Nami Unmistakable')"))
    with database.writing("cards") as connection:
        assert connection.execute(sa.text("pragma secure_delete")).scalar() == 1
        connection.execute(sa.text("delete from player"))
    assert files_with(b"Unmistakable", file) == [f"{file.name}-wal"]
    with database.reading() as connection:
        connection.execute(sa.text("select 1 from player")).all()
        with Database(f"sqlite:///{file}").writing("cards") as other:  # a reader of what was before
            other.execute(sa.text("insert into player values ('Zoro')"))
        assert not database.empty_log()
    assert database.empty_log()
    assert database.empty_log()  # of an empty log, too
    assert files_with(b"Unmistakable", file) == []


def files_with(text, file):
    """Return the names of the files of a database that contain a text."""
    return [each.name for each in sorted(file.parent.glob(f"{file.name}*")) if text in each.read_bytes()]


def test_no_more_connections_are_open_than_are_allowed(open_database):
    database, _ = open_database
    most = database.connection_counts().most
    with ThreadPoolExecutor(3 * most) as pool:
        found = list(pool.map(lambda _: in_use_while_reading(database), range(3 * most)))
    assert max(found) <= most
    assert database.connection_counts().in_use == 0


def in_use_while_reading(database):
    with database.reading() as connection:
        connection.execute(sa.text("select count(*) from snapshot")).scalar()
        time.sleep(0.02)
        return database.connection_counts().in_use


@needs_proc
def test_a_child_does_not_inherit_locks_that_threads_hold(open_database):
    database, _ = open_database
    with ThreadPoolExecutor(1) as pool, database.writing("x"):
        child = pool.submit(fork_and_read, database)  # which is forked while another thread writes
        assert child.result(10) == 0


def fork_and_read(database):
    if (child := os.fork()) == 0:
        with suppress(BaseException):
            before = database.connection_counts()
            os._exit(0 if before[:2] == (0, 0) and snapshots(database) else 1)
        os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_row_that_refers_to_a_missing_one_is_not_written(stored_database):
    file, _ = stored_database
    database = Database(f"sqlite:///{file}")
    database.keep_open()
    database.upgrade()  # for which references are not checked
    with pytest.raises(CardDataError, match="FOREIGN KEY"), database.writing("cards") as connection:
        connection.execute(sa.text("insert into current values ('optcg', 'no snapshot')"))


def test_limits_in_an_address_of_postgresql_replace_the_default_ones(monkeypatch):
    monkeypatch.delenv("PGOPTIONS", raising=False)
    address = "postgresql+psycopg://server/cards"
    own = postgres.connect_arguments(sa.make_url(f"{address}?keepalives_idle=60&options=-c%20lock_timeout%3D7"), 1.5)
    ours = postgres.connect_arguments(sa.make_url(address), 1.5)
    assert (ours["keepalives_idle"], ours["keepalives_count"], ours["tcp_user_timeout"]) == (10, 3, 1500)
    assert own == {name: value for name, value in ours.items() if name != "keepalives_idle"} | {
        "options": f"{ours['options'].strip()} -c lock_timeout=7"
    }
    assert "-c lock_timeout=1500" in ours["options"]


def test_rows_without_their_parent_are_counted_by_table(tmp_path):
    file = tmp_path / "cards.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("create table event (id integer primary key)")
        connection.execute("create table key (id integer primary key, event_id references event(id))")
        connection.executemany("insert into key values (?, ?)", [(1, 7), (2, 8), (3, None)])
        connection.commit()
    assert list(map(str, reference_problems(file))) == ["2 rows of key refer to missing rows of event."]
    assert reference_problems(tmp_path / "missing.db") == reference_problems(None) == []
