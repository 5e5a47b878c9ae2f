"""A backup has its name only when it is complete, a database is replaced whole or not at all."""

import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest

from carddb import migrations
from carddb.database import Database
from carddb.errors import CardDataError, DatabaseBusy
from carddb.library import Library
from carddb.snapshot_store import Store
from carddb.upkeep.backups import back_up, copy_before_upgrade, restore_copy
from tests.api.processes import start_program
from tests.carddb.cards import some_cards

BALLAST = 60  # megabytes
KILLS = 16


@pytest.fixture
def store(tmp_path) -> Store:
    made = Store(f"sqlite:///{tmp_path}/data/deckproof.db", patience=0.3)
    made.import_cards("dbs", some_cards(3), "x")
    return made


@pytest.fixture
def database(store) -> Database:
    return store.database


def cards_in(file):
    return len(Library(f"sqlite:///{file}").catalogue("dbs"))


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def fill(database):
    with database.writing("x") as connection:
        connection.exec_driver_sql("create table ballast (data blob)")
        for _ in range(BALLAST):
            connection.exec_driver_sql("insert into ballast values (randomblob(1000000))")


def test_a_copy_has_what_was_committed_when_it_was_made(database, tmp_path):
    copy = tmp_path / "copies" / "copy.db"
    with database.writing("cards") as connection:  # somebody is in the middle of something
        connection.exec_driver_sql("delete from snapshot_cards")
        back_up(database, copy)
    assert cards_in(copy) == 3
    assert copy.stat().st_mode & 0o777 == 0o600
    assert copy.stat().st_nlink == 1
    with pytest.raises(CardDataError):  # and a copy that is there stays
        back_up(database, copy)
    assert names_in(copy.parent) == ["copy.db"]


def test_a_copy_leaves_out_the_space_of_deleted_rows(database, tmp_path):
    fill(database)
    with database.writing("x") as connection:
        connection.exec_driver_sql("delete from ballast")
    back_up(database, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_size < 1_000_000 < database.file.stat().st_size
    with closing(sqlite3.connect(tmp_path / "copy.db")) as connection:
        assert connection.execute("pragma journal_mode").fetchone() == ("wal",)
    assert cards_in(tmp_path / "copy.db") == 3


def test_a_database_of_an_older_schema_is_copied_as_it_is(database, tmp_path):
    with database.writing("x") as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '0010'")
    back_up(database, tmp_path / "copy.db")
    assert Database(f"sqlite:///{tmp_path}/copy.db").revision() == "0010"


def test_a_damaged_database_is_not_copied(database, tmp_path):
    fill(database)
    assert database.empty_log()
    with database.file.open("r+b") as file:  # a page of the tree of a table
        pages = database.file.stat().st_size // 4096
        for page in range(2, pages, pages // 50):
            file.seek(page * 4096)
            file.write(b"\xff" * 4096)
    with pytest.raises(CardDataError):
        back_up(database, tmp_path / "copy.db")
    assert names_in(tmp_path) == ["data"]


@pytest.mark.parametrize("work", ["back_up", "restore"])
def test_postgresql_is_copied_by_its_own_tools(work, tmp_path):
    database = Database("postgresql://127.0.0.1:1/none")
    with pytest.raises(CardDataError, match=r"pg_dump|pg_restore"):
        {"back_up": back_up, "restore": restore_copy}[work](database, tmp_path / "copy.db")


@pytest.mark.slow
def test_a_killed_backup_leaves_no_file_under_its_name(database, tmp_path):
    fill(database)
    copies, took = tmp_path / "copies", 1.0
    kept = 0
    for attempt in range(KILLS + 1):
        copy = copies / f"{attempt}.db"
        child = begin("back_up", database.file, copy)
        began = time.monotonic()
        if attempt:
            time.sleep(took * (attempt - 1) / KILLS)
            child.send_signal(signal.SIGKILL)
        child.wait(60)
        took = took if attempt else time.monotonic() - began
        if copy.exists():
            kept += 1
            assert (cards_in(copy), ballast_in(copy)) == (3, BALLAST)
    assert 0 < kept < KILLS
    back_up(database, copies / "last.db")  # which removes what the killed ones left
    assert [name for name in names_in(copies) if not name.endswith(".db")] == []


def begin(work, file, copy):
    """Start a process that makes a copy or restores one, and return once it begins."""
    code = f"""
from pathlib import Path
from carddb.database import Database
from carddb.upkeep import backups
print("begins", flush=True)
backups.{work}(Database("sqlite:///{file}"), Path("{copy}"), *{(True,) if work == "restore_copy" else ()})
"""
    return start_program(file.parent, code)


def ballast_in(file):
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
        return connection.execute("select count(*) from ballast").fetchone()[0]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 3 MB; the test is skipped where none may be mounted."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", place]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a file system")
    yield place
    subprocess.run(["umount", place], capture_output=True, check=False)


def test_a_backup_onto_a_full_disk_leaves_nothing(database, small_disk):
    fill(database)
    with pytest.raises(CardDataError):
        back_up(database, small_disk / "copy.db")
    assert names_in(small_disk) == []


def test_a_restored_database_is_the_copy_and_the_old_one_is_kept(store, tmp_path):
    database, copy = store.database, tmp_path / "copy.db"
    back_up(database, copy)
    store.import_cards("dbs", some_cards(5), "y")
    with pytest.raises(CardDataError, match="--force"):
        restore_copy(database, copy)
    assert cards_in(database.file) == 5
    kept = restore_copy(database, copy, force=True)
    assert (cards_in(database.file), cards_in(kept)) == (3, 5)
    with closing(sqlite3.connect(database.file)) as connection:
        assert connection.execute("pragma journal_mode").fetchone() == ("wal",)
    assert database.file.stat().st_mode & 0o777 == 0o600
    store.import_cards("dbs", some_cards(7), "z")
    assert (cards_in(database.file), cards_in(copy)) == (7, 3)


def test_a_database_that_is_lost_is_restored_without_its_old_log(database, tmp_path):
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    database.file.unlink()
    log = database.file.with_name("deckproof.db-wal")
    log.write_bytes(b"frames of another file")
    assert restore_copy(database, copy) is None
    assert cards_in(database.file) == 3
    assert not log.exists() or log.read_bytes() != b"frames of another file"


def test_a_database_in_use_is_not_replaced(store, tmp_path):
    copy = tmp_path / "copy.db"
    back_up(store.database, copy)
    store.import_cards("dbs", some_cards(5), "y")
    with store.database.reading() as connection:
        connection.exec_driver_sql("select 1 from snapshot")
        with pytest.raises(DatabaseBusy):
            restore_copy(store.database, copy, force=True)
    assert cards_in(store.database.file) == 5
    assert [name for name in names_in(store.database.file.parent) if "replaced" in name or "copy" in name] == []


def test_a_damaged_database_can_be_replaced(database, tmp_path):
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    database.file.write_bytes(b"no database" * 1000)
    restore_copy(database, copy, force=True)
    assert cards_in(database.file) == 3


def damage_half(copy):
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])


def write_text(copy):
    copy.write_text("no database " * 100)


def empty(copy):
    copy.write_bytes(b"")


def make_newer(copy):
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("update alembic_version set version_num = '9999'")


def leave_hot_journal(copy):
    """As a copy that was killed half-way: SQLite rolls it back to an empty database."""
    journal = copy.with_name(f"{copy.name}-journal")
    with closing(sqlite3.connect(copy)) as connection:
        page_size = connection.execute("pragma page_size").fetchone()[0]
    header = bytes.fromhex("d9d505f920a163d7") + (0).to_bytes(4) + (0).to_bytes(4) + (0).to_bytes(4)
    journal.write_bytes((header + (512).to_bytes(4) + page_size.to_bytes(4)).ljust(512, b"\0"))


@pytest.mark.parametrize("spoil", [damage_half, write_text, empty, make_newer, leave_hot_journal])
def test_what_is_no_sound_copy_is_not_restored(database, tmp_path, spoil):
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("pragma journal_mode = delete")
    spoil(copy)
    with pytest.raises(CardDataError):
        restore_copy(database, copy, force=True)
    assert cards_in(database.file) == 3
    assert [name for name in names_in(database.file.parent) if "replaced" in name] == []


@pytest.mark.slow
def test_a_killed_restore_leaves_one_database_or_the_other(store, tmp_path):
    copy = tmp_path / "copy.db"
    fill(store.database)
    back_up(store.database, copy)
    found, took = set(), 1.0
    for attempt in range(KILLS + 1):
        store.import_cards("dbs", some_cards(5), "y")
        child = begin("restore_copy", store.database.file, copy)
        began = time.monotonic()
        if attempt:
            time.sleep(took * (attempt - 1) / KILLS)
            child.send_signal(signal.SIGKILL)
        child.wait(60)
        took = took if attempt else time.monotonic() - began
        assert ballast_in(store.database.file) == BALLAST
        found.add(cards_in(store.database.file))
    assert found == {3, 5}


def test_copies_from_before_upgrades_are_bounded(database):
    for revision in migrations.REVISIONS[:4]:
        with closing(sqlite3.connect(database.file)) as connection, connection:
            connection.execute("update alembic_version set version_num = ?", [revision])
        assert copy_before_upgrade(database, revision).name == f"deckproof.db.before-{revision}"
        time.sleep(0.01)
    copies = [name for name in names_in(database.file.parent) if "before" in name]
    assert copies == ["deckproof.db.before-0003", "deckproof.db.before-0004"]
    copy_before_upgrade(database, "0003")  # another upgrade was faster: what it has kept stays
    assert Database(f"sqlite:///{database.file}.before-0003").revision() == "0003"
