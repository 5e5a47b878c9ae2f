"""The store keeps snapshots that never change. An import is done completely or not at all."""

import hashlib
import multiprocessing
import os
import signal
import sqlite3
import time
import zlib
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import orjson
import pytest

from carddb import construction, migrations, serialization
from carddb.data_day import GIVEN, NAME, RELEASE, DataDay
from carddb.errors import CardDataError, DamagedSnapshot, DatabaseBusy, NoDatabase, NoSnapshot
from carddb.snapshot_store import Store
from tests.carddb.cards import card, some_cards
from tests.cost import time_limit
from validator import Clause, clauses
from validator.cards import Card

FRIDAY = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
SATURDAY = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "new" / "folder" / "deckproof.db"


@pytest.fixture
def store(file) -> Store:
    return Store(f"sqlite:///{file}", patience=0.2)


def card_facts(card: Card) -> dict:
    """Return all facts of a card by field."""
    return {slot: getattr(card, slot) for slot in Card.__slots__}


def test_an_import_is_the_current_snapshot(store, file):
    made = store.import_cards("dbs", some_cards(3), "three.csv", FRIDAY)
    assert made.id.startswith("dbs-20261120-")
    assert (made.game, made.source, made.cards, made.created) == ("dbs", "three.csv", 3, FRIDAY)
    assert made.current
    assert made.new
    assert file.exists()
    found = store.current("dbs")
    assert found.id == made.id
    assert store.current("optcg") is None


def test_a_snapshot_keeps_the_day_of_its_data_and_what_tells_it(store):
    told = store.import_cards(
        "dbs", some_cards(3), "three.csv", FRIDAY, data_day=DataDay(date(2026, 8, 21), NAME, "three")
    )
    assert (told.as_of, told.as_of_basis, told.created) == (date(2026, 8, 21), NAME, FRIDAY)
    assert store.snapshot(told.id).as_of == date(2026, 8, 21)
    again = store.import_cards("dbs", some_cards(3), "three.csv", SATURDAY, data_day=DataDay(date(2026, 7, 1), RELEASE))
    assert (again.new, again.as_of) == (False, date(2026, 8, 21))
    given = store.import_cards("dbs", some_cards(3), "three.csv", SATURDAY, data_day=DataDay(date(2026, 9, 1), GIVEN))
    assert (given.new, given.as_of, given.as_of_basis) == (False, date(2026, 9, 1), GIVEN)
    untold = store.import_cards("dbs", some_cards(2), "two.csv")
    assert (untold.as_of, untold.as_of_basis) == (None, None)


def test_cards_come_back_as_they_were(store):
    full = card(
        "BT1-001",
        "Champa",
        "Leader",
        "dbs",
        back_name="God of Destruction Champa",
        colors=("Red", "Blue"),
        cost=0,
        cost_text="0(-)",
        power=10000,
        back_power=15000,
        traits=("God",),
        back_traits=("God", "Universe 6"),
        characters=("Champa",),
        back_characters=("Champa",),
        attributes=("Slash",),
        keywords=("Ultimate",),
        rarity="R",
        set="BT1",
        block="X",
        released="2017-07-28",
        printings=("BT1-001", "BT1-001_PR"),
        construction=(
            Clause("copies", "any number", limit=None),
            Clause("forbid", "no blue", match={"color": ["Blue"]}),
        ),
    )
    bare = card("BT1-112", "Lantern Levy", "Token", "dbs")
    made = store.import_cards("dbs", [full, bare], "here")
    assert [card_facts(one) for one in store.cards(made.id)] == [card_facts(full), card_facts(bare)]


def test_snapshots_stay_and_can_be_asked_for(store):
    old = store.import_cards("dbs", some_cards(2), "two.csv", FRIDAY)
    new = store.import_cards("dbs", some_cards(3), "three.csv", SATURDAY)
    store.import_cards("optcg", [card()], "one.html", FRIDAY)
    assert [found.id for found in store.snapshots("dbs")] == [new.id, old.id]
    assert [found.current for found in store.snapshots("dbs")] == [True, False]
    assert len(store.snapshots()) == 3
    assert (len(store.cards(old.id)), len(store.cards(new.id))) == (2, 3)
    assert store.use(old.id).current
    assert store.current("dbs").id == old.id


def test_the_same_facts_are_the_same_snapshot(store):
    first = store.import_cards("dbs", some_cards(3), "three.csv", FRIDAY)
    again = store.import_cards("dbs", reversed(some_cards(3)), "other.xlsx", SATURDAY)
    assert again.id == first.id
    assert (first.new, again.new) == (True, False)
    assert again.source == "three.csv"
    assert len(store.snapshots("dbs")) == 1


def test_importing_old_facts_again_makes_them_current(store):
    old = store.import_cards("dbs", some_cards(2), "two.csv", FRIDAY)
    store.import_cards("dbs", some_cards(3), "three.csv", SATURDAY)
    again = store.import_cards("dbs", some_cards(2), "two.csv", SATURDAY)
    assert (again.id, again.new, again.current) == (old.id, False, True)


def test_one_other_fact_is_another_snapshot(store):
    first = store.import_cards("optcg", [card(cost=1)], "x", FRIDAY)
    assert store.import_cards("optcg", [card(cost=2)], "x", FRIDAY).id != first.id
    assert store.import_cards("dbs", [card(cost=1)], "x", FRIDAY).id != first.id


def test_nothing_is_no_catalogue(store):
    with pytest.raises(CardDataError, match="no dbs cards to import"):
        store.import_cards("dbs", [], "empty.csv")


def test_what_a_text_says_is_kept_with_the_version_of_its_reader(store):
    pacifista = card(text="Under the rules of this game, you may have any number of this card in your deck.")
    made = store.import_cards("optcg", [construction.read(pacifista)], "x")
    assert made.reader_version == clauses.VERSION
    [found] = store.cards(made.id)
    assert [clause.kind for clause in found.construction] == ["copies"]


def test_what_is_typed_is_kept_where_there_is_no_text(store):
    typed = card(
        colors=("Red",), cost=1, construction=(Clause("copies", "(in short)", limit=7),), keywords=("Ultimate",)
    )
    [found] = store.cards(store.import_cards("optcg", [typed], "x").id)
    assert card_facts(found) == card_facts(typed)


def test_texts_of_an_older_reader_are_read_again_and_nothing_is_written(store, file):
    pacifista = card(text="Under the rules of this game, you may have any number of this card in your deck.")
    made = store.import_cards("optcg", [construction.read(pacifista)], "x")
    unread = serialization.pack(serialization.content_hash("optcg", [pacifista]), [pacifista])
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("update snapshot set reader_version = reader_version - 1")
        database.execute("update snapshot_cards set data = ?, checksum = ?", unread)
    [found] = store.cards(made.id)
    assert found.construction == clauses.read("optcg", "Character", pacifista.text)
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("select data, checksum from snapshot_cards").fetchone() == tuple(unread)
    assert store.snapshot(made.id).reader_version == clauses.VERSION - 1


def spoil_bytes(database):
    database.execute("update snapshot_cards set data = substr(data, 1, 20) || x'00' || substr(data, 22)")


def lose_cards(database):
    database.execute("delete from snapshot_cards")


def lower_count(database):
    database.execute("update snapshot set cards = cards - 1")


def change_content(database):
    database.execute("update snapshot set content = '0'")


def add_unknown_fact(database):
    """As a newer deckproof may write it."""
    made = serialization.pack("0", some_cards(3))
    cards = list(map(orjson.loads, zlib.decompress(made.data).splitlines()))
    cards[0][3]["aura"] = "green"
    data = zlib.compress(b"\n".join(map(orjson.dumps, cards)))
    database.execute("update snapshot set content = '0'")
    row = data, hashlib.sha256(b"0 3\n" + data).hexdigest()
    database.execute("update snapshot_cards set data = ?, checksum = ?", row)


SPOILS = [spoil_bytes, lose_cards, lower_count, change_content, add_unknown_fact]


@pytest.mark.parametrize("spoil", SPOILS)
def test_cards_that_were_changed_are_not_judged_with(store, file, spoil):
    made = store.import_cards("dbs", some_cards(3), "three.csv", SATURDAY)
    with closing(sqlite3.connect(file)) as database, database:
        spoil(database)
    with pytest.raises(DamagedSnapshot, match=made.id):
        store.cards(made.id)


def test_a_damaged_snapshot_is_named_and_the_last_good_one_given(store, file):
    older = store.import_cards("dbs", some_cards(2), "two.csv", FRIDAY)
    made = store.import_cards("dbs", some_cards(3), "three.csv", SATURDAY)
    other = store.import_cards("optcg", [card()], "one.csv")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("update snapshot_cards set data = x'00' where snapshot_id = ?", [made.id])
    assert store.damaged_snapshots() == [made.id]
    assert len(store.current_cards("dbs")) == 2
    assert [kept.id for kept, _ in store.good_snapshots("dbs")] == [older.id]
    assert len(store.cards(other.id)) == 1


def test_importing_the_same_cards_again_repairs_a_damaged_snapshot(store, file):
    made = store.import_cards("dbs", some_cards(3), "three.csv", FRIDAY)
    with closing(sqlite3.connect(file)) as database, database:
        spoil_bytes(database)
    again = store.import_cards("dbs", some_cards(3), "three.csv", SATURDAY)
    assert (again.id, again.new, len(store.cards(made.id))) == (made.id, False, 3)
    assert store.damaged_snapshots() == []


@pytest.mark.parametrize(
    ("found", "unknown"),
    [
        (card(colors=("Red",), cost=0), ()),
        (card(), ("colors", "cost")),
        (card(type="Leader", colors=("Red",)), ()),
        (card(type="Gadget", colors=("Red",), cost=1), ("type",)),
        (card("BT1-002", "Two", "Battle", "dbs", colors=("Red",)), ("cost",)),
        (card("BT1-002", "Two", "Unison", "dbs", cost_text="X(R)"), ("colors",)),
        (card("BT1-002", "Two", "Extra", "dbs", colors=("Red",), cost_text="-"), ()),
        (card("BT1-112", "Three", "Token", "dbs"), ()),
        (card("", "Sword", "Equipment", "bos"), ()),
    ],
)
def test_what_the_source_does_not_tell_is_no_fact_that_the_card_has_not(store, found, unknown):
    (kept,) = store.cards(store.import_cards(found.game, [found], "x").id)
    assert kept.unknown == unknown


def test_equal_texts_and_lists_of_loaded_cards_are_one_object(store):
    first, second = store.cards(store.import_cards("dbs", some_cards(2), "x").id)
    assert first.colors is second.colors
    assert first.type is second.type


@pytest.mark.parametrize("ask", ["current", "snapshots", "cards", "snapshot"])
def test_a_missing_database_is_said_to_be_missing_and_is_not_made(store, file, ask):
    with pytest.raises(NoDatabase, match="import cards first"):
        getattr(store, ask)("dbs")
    assert not file.exists()


def test_an_empty_database_is_like_none(store, file):
    file.parent.mkdir(parents=True)
    file.touch()
    with pytest.raises(NoDatabase, match="is empty"):
        store.current("dbs")


@pytest.mark.parametrize("ask", ["cards", "snapshot", "use"])
def test_an_unknown_snapshot_is_said_to_be_unknown(store, ask):
    store.import_cards("dbs", some_cards(1), "x")
    with pytest.raises(NoSnapshot, match="dbs-20200101-00000000"):
        getattr(store, ask)("dbs-20200101-00000000")


def test_a_locked_database_is_busy_after_some_patience(store, file):
    store.import_cards("dbs", some_cards(1), "x")
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("begin immediate")
        started = time.monotonic()
        with time_limit(3, time.monotonic), pytest.raises(DatabaseBusy, match="Try again"):
            store.import_cards("dbs", some_cards(2), "y")
        assert time.monotonic() - started > 0.1
        assert store.current("dbs").cards == 1
    assert store.import_cards("dbs", some_cards(2), "y").cards == 2


def test_readers_go_on_while_an_import_is_written(store, file):
    store.import_cards("dbs", some_cards(1), "x")
    with store.database.writing("cards") as connection:
        connection.exec_driver_sql("delete from snapshot_cards")
        assert len(store.cards(store.current("dbs").id)) == 1
        connection.rollback()
    assert len(store.cards(store.current("dbs").id)) == 1


def test_a_file_that_is_no_database_is_unreadable(store, file):
    file.parent.mkdir(parents=True)
    file.write_bytes(b"something else entirely " * 100)
    for ask in (lambda: store.current("dbs"), lambda: store.import_cards("dbs", some_cards(1), "x")):
        with pytest.raises(CardDataError, match="not a database"):
            ask()


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "taken").touch()
    store = Store(f"sqlite:///{tmp_path}/taken/deckproof.db")
    with pytest.raises(CardDataError, match="cannot be used"):
        store.import_cards("dbs", some_cards(1), "x")


def test_a_newer_schema_asks_for_a_newer_deckproof(store, file):
    store.import_cards("dbs", some_cards(1), "x")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("update alembic_version set version_num = '9999'")
    for ask in (
        lambda: store.current("dbs"),
        lambda: store.import_cards("dbs", some_cards(2), "x"),
        store.database.upgrade,
    ):
        with pytest.raises(CardDataError, match="upgrade deckproof"):
            ask()


def test_an_older_schema_asks_for_an_upgrade(store, monkeypatch):
    store.import_cards("dbs", some_cards(1), "x")
    monkeypatch.setattr(migrations, "REVISIONS", (*migrations.REVISIONS, "9999"))
    monkeypatch.setattr(migrations, "HEAD", "9999")
    with pytest.raises(CardDataError, match="deckproof db upgrade"):
        store.current("dbs")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("nonsense", "no database URL"),
        ("", "no database URL"),
        ("sqlite://", "in memory stores nothing"),
        ("nothing://host/name", "cannot be used"),
        ("postgresql://someone:hidden@127.0.0.1:1/none", "cannot be used"),
    ],
)
def test_a_url_that_leads_nowhere_is_told_without_its_password(url, why):
    with pytest.raises(CardDataError, match=why) as error:
        Store(url).import_cards("dbs", some_cards(1), "x")
    assert "hidden" not in str(error.value)


def test_an_import_that_breaks_off_leaves_all_as_it_was(store):
    old = store.import_cards("dbs", some_cards(2), "two.csv")
    spoilt = [*some_cards(2500), card("BT2-001", "Broken", "Battle", "dbs", cost=object())]
    with pytest.raises(TypeError):
        store.import_cards("dbs", spoilt, "spoilt.csv")
    assert [found.id for found in store.snapshots()] == [old.id]
    assert store.current("dbs").id == old.id
    assert len(store.cards(old.id)) == 2


def _import_until_killed(url: str, half_way) -> None:
    store = Store(url)
    with store.database.writing("cards") as connection:
        connection.exec_driver_sql("delete from current")
        connection.exec_driver_sql(
            "insert into snapshot select 'x', 'y', 'z', created, source, 1, 1, doubts, as_of, as_of_basis from snapshot"
        )
        half_way.set()
        time.sleep(60)


@pytest.mark.slow
def test_a_process_killed_half_way_leaves_all_as_it_was(store, file):
    old = store.import_cards("dbs", some_cards(2), "two.csv")
    context = multiprocessing.get_context("spawn")
    half_way = context.Event()
    process = context.Process(target=_import_until_killed, args=(f"sqlite:///{file}", half_way))
    process.start()
    assert half_way.wait(60)
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert [found.id for found in store.snapshots()] == [old.id]
    assert store.current("dbs").id == old.id
    assert store.import_cards("dbs", some_cards(3), "three.csv").current
