"""A database of each released schema is upgraded with every row, and only by `db upgrade`."""

import shutil
import signal
import time
from collections.abc import Iterator

import pytest

from carddb import migrations
from carddb.errors import CardDataError
from carddb.snapshot_store import Store
from carddb.upkeep.database_status import count_webhooks, file_problems
from tests.api.processes import start_program
from tests.carddb.cards import some_cards
from tests.carddb.old_databases import OTHER_SNAPSHOT, SNAPSHOT, all_rows, begin_transaction, make_old
from tests.postgres import own_schema

KILLS = 12
OLD = migrations.REVISIONS[:-1]


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.slow)])
def url(request, tmp_path) -> Iterator[str]:
    if request.param == "SQLite":
        yield f"sqlite:///{tmp_path}/deckproof.db"
    else:
        with own_schema() as found:
            yield found


@pytest.fixture
def store(url) -> Store:
    return Store(url)


@pytest.mark.parametrize("revision", OLD)
def test_an_upgrade_keeps_every_row(store, url, revision):
    before = make_old(url, revision)
    del before["alembic_version"]
    for dropped in ("card", "webhook", "webhook_told"):  # the rows of `card` are packed
        before.pop(dropped, None)
    assert store.database.upgrade() == revision
    with store.database.reading() as connection:
        after = all_rows(connection)
    for table, rows in before.items():
        assert [contains_row(row, after[table]) for row in rows] == [True] * len(rows)
        assert len(after[table]) == len(rows)
    first, second = store.cards(OTHER_SNAPSHOT)
    assert (first.number, first.colors, first.power) == ("OP01-001", ("Red",), 5000)
    assert (second.number, second.text) == ("OP01-016", "Invented.")
    assert len(store.cards(SNAPSHOT)) == 1
    assert store.current("optcg").id == SNAPSHOT
    assert store.damaged_snapshots() == []


@pytest.mark.parametrize("revision", OLD)
def test_the_webhooks_that_an_upgrade_removes_are_counted(store, url, revision):
    make_old(url, revision)
    assert count_webhooks(store.database) == (1 if "0010" <= revision < "0017" else 0)
    store.database.upgrade()
    assert count_webhooks(store.database) == 0


def contains_row(row, rows):
    """Return True if `rows` contain a row. Their rows may have more columns."""
    return any(set(map(repr, row)) <= set(map(repr, other)) for other in rows)


@pytest.mark.parametrize("revision", OLD)
def test_only_an_upgrade_changes_an_older_schema(store, url, revision):
    before = make_old(url, revision)
    asked = [
        lambda: store.import_cards("dbs", some_cards(3), "x"),
        lambda: store.current("optcg"),
        lambda: store.database.writing("workers").__enter__(),
    ]
    for ask in asked:
        with pytest.raises(CardDataError, match="deckproof db upgrade"):
            ask()
    with store.database.reading_any_revision() as (connection, found):
        assert (found, all_rows(connection)) == (revision, before)


@pytest.mark.parametrize(
    "spoil",
    [
        "delete from card where number = 'OP01-016'",
        "update card set name = 'Another' where number = 'OP01-016'",
        "update card set facts = '{\"cost\": 9}' where number = 'OP01-016'",
    ],
)
def test_cards_that_were_changed_before_the_upgrade_are_damaged_after_it(store, url, spoil):
    make_old(url, "0011")
    with begin_transaction(url) as connection:
        connection.exec_driver_sql(spoil)
    store.database.upgrade()
    assert store.damaged_snapshots() == [OTHER_SNAPSHOT]
    assert len(store.cards(SNAPSHOT)) == 1


def test_a_card_that_is_no_json_stops_no_upgrade(tmp_path):
    url = f"sqlite:///{tmp_path}/deckproof.db"
    make_old(url, "0011")
    with begin_transaction(url) as connection:
        connection.exec_driver_sql("update card set facts = '{' where number = 'OP01-016'")
    store = Store(url)
    assert store.database.upgrade() == "0011"
    assert store.damaged_snapshots() == [OTHER_SNAPSHOT]


@pytest.mark.slow
def test_of_two_upgrades_at_once_one_upgrades(tmp_path):
    file = tmp_path / "deckproof.db"
    make_old(f"sqlite:///{file}", "0011")
    children = [begin_upgrade(file) for _ in range(2)]
    assert [child.wait(60) for child in children] == [0, 0]
    store = Store(f"sqlite:///{file}")
    assert store.database.revision() == migrations.HEAD
    assert file_problems(file) == []
    assert len(store.cards(SNAPSHOT)) == 1


@pytest.mark.slow
def test_a_killed_upgrade_leaves_one_schema_or_the_other(tmp_path):
    old, file = tmp_path / "old.db", tmp_path / "deckproof.db"
    make_old(f"sqlite:///{old}", "0011")
    with begin_transaction(f"sqlite:///{old}") as connection:  # so that it takes a while
        many = "with recursive n(i) as (select 2 union all select i + 1 from n where i < 60000) "
        connection.exec_driver_sql(f"{many} insert into card select '{OTHER_SNAPSHOT}', i, i, 'x', 'x', '{{}}' from n")
    took, found = 1.0, []
    for attempt in range(KILLS + 1):
        for path in tmp_path.glob("deckproof.db*"):
            path.unlink()
        shutil.copy(old, file)
        child = begin_upgrade(file)
        began = time.monotonic()
        if attempt:
            time.sleep(took * (attempt - 1) / KILLS)
            child.send_signal(signal.SIGKILL)
        child.wait(60)
        took = took if attempt else time.monotonic() - began
        store = Store(f"sqlite:///{file}")
        found.append(store.database.revision())
        assert file_problems(file) == []
        store.database.upgrade()
        assert len(store.cards(SNAPSHOT)) == 1
    assert set(found) == {"0011", migrations.HEAD}


def begin_upgrade(file):
    """Start a process that upgrades a database, and return once it begins."""
    code = f"""
from carddb.database import Database
from carddb.upkeep.backups import copy_before_upgrade
database = Database("sqlite:///{file}")
print("begins", flush=True)
copy_before_upgrade(database, "0011")
database.upgrade()
"""
    return start_program(file.parent, code)
