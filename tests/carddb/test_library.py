"""The library gives the current catalogue, follows the database, and keeps nobody waiting."""

import os
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, date, datetime

import pytest

from carddb import Library, facts
from carddb.bounds import MOST_NAMED_CATALOGUES
from carddb.data_day import FETCHED, NAME, DataDay
from carddb.database import Database
from carddb.errors import CardDataError, DamagedSnapshot, NoSnapshot
from carddb.library import AGAIN_AFTER, CURRENT_FOR
from carddb.snapshot_store import Store
from tests.api.processes import wait_for
from tests.carddb.cards import card, some_cards
from tests.carddb.processes import run
from validator.errors import UnknownGame


class Clock:
    """A clock that goes when it is told."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def run_at_once(look) -> None:
    """Run a look-up at once, while the caller waits for it."""
    look()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def url(tmp_path) -> str:
    return f"sqlite:///{tmp_path}/deckproof.db"


@pytest.fixture
def library(url, clock) -> Library:
    return Library(url, clock, run_at_once)


@pytest.fixture
def store(url) -> Store:
    return Store(url, patience=0.2)


def test_without_a_database_the_facts_that_ship_are_given(library, tmp_path):
    assert library.catalogue("optcg").snapshot == "optcg-facts-2026-08-21"
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_was_never_imported_has_the_facts_that_ship(library, store):
    made = store.import_cards("dbs", some_cards(3), "x")
    assert library.catalogue("dbs").snapshot == made.id
    assert library.catalogue("bos").snapshot == "bos-facts"


def test_a_catalogue_is_loaded_once(library, store):
    store.import_cards("dbs", some_cards(3), "x")
    assert library.catalogue("dbs") is library.catalogue("dbs")


def test_a_new_snapshot_is_seen_after_a_moment(library, store, clock):
    store.import_cards("dbs", some_cards(3), "x")
    old = library.catalogue("dbs")
    new = store.import_cards("dbs", some_cards(4), "y")
    assert library.catalogue("dbs") is old
    clock.time += CURRENT_FOR
    assert library.catalogue("dbs").snapshot == new.id
    store.use(old.snapshot)
    clock.time += CURRENT_FOR
    assert library.catalogue("dbs").snapshot == old.snapshot


def test_the_first_import_replaces_the_facts_that_ship(library, store, clock):
    assert library.catalogue("dbs").snapshot == "dbs-facts-2026-07-23"
    made = store.import_cards("dbs", some_cards(3), "x")
    clock.time += CURRENT_FOR
    assert library.catalogue("dbs").snapshot == made.id


def test_an_unchanged_snapshot_is_not_loaded_again(library, store, clock):
    store.import_cards("dbs", some_cards(3), "x")
    found = library.catalogue("dbs")
    clock.time += CURRENT_FOR
    assert library.catalogue("dbs") is found


def test_after_a_failed_pin_the_game_is_updated_and_the_others_are_pinned(library, store, clock):
    cards, other = library.catalogue("dbs"), library.catalogue("optcg")
    lists, other_lists = library.lists("dbs").id, library.lists("optcg").id
    with pytest.raises(NoSnapshot):
        library.pin({"dbs": ("not-imported-yet", lists), "optcg": (other.snapshot, other_lists)})
    assert library.catalogue("dbs") is cards
    made = store.import_cards("dbs", some_cards(3), "x")
    store.import_cards("optcg", [card()], "y")
    clock.time += AGAIN_AFTER
    assert library.catalogue("dbs").snapshot == made.id
    assert library.catalogue("optcg") is other
    library.pin({"dbs": (made.id, lists)})
    store.import_cards("dbs", some_cards(4), "z")
    clock.time += AGAIN_AFTER
    assert library.catalogue("dbs").snapshot == made.id


def test_a_snapshot_may_be_named(library, store):
    old = store.import_cards("dbs", some_cards(3), "x")
    new = store.import_cards("dbs", some_cards(4), "y")
    assert len(library.catalogue("dbs", old.id)) == 3
    assert library.catalogue("dbs", old.id) is library.catalogue("dbs", old.id)
    assert library.catalogue("dbs", new.id).snapshot == new.id
    assert library.catalogue("dbs", library.catalogue("dbs").snapshot) is library.catalogue("dbs")
    assert library.catalogue("dbs", "dbs-facts-2026-07-23").snapshot == "dbs-facts-2026-07-23"


def test_a_catalogue_is_of_the_day_of_its_data_even_if_what_ships_is_newer(library, store):
    known = DataDay(date(2023, 1, 2), NAME)
    store.import_cards("optcg", [card()], "x", datetime(2026, 2, 3, tzinfo=UTC), data_day=known)
    found = library.catalogue("optcg")
    assert found.as_of == date(2023, 1, 2) < facts.catalogue("optcg").as_of
    assert found.imported == date(2026, 2, 3)


def test_a_catalogue_is_of_no_day_if_nothing_tells_it(library, store):
    store.import_cards("optcg", [card()], "x")
    assert library.catalogue("optcg").as_of is None


def test_a_later_day_of_the_same_cards_is_seen_after_a_moment(library, store, clock):
    for day in (date(2026, 2, 3), date(2026, 2, 4)):
        made = store.import_cards("dbs", some_cards(3), "x", data_day=DataDay(day, FETCHED))
        clock.time += CURRENT_FOR
        found = library.catalogue("dbs")
        assert (found.snapshot, found.as_of) == (made.id, day)
        assert library.catalogue("dbs") is found


def test_few_named_snapshots_are_kept(library, store):
    made = [store.import_cards("dbs", some_cards(count), "x") for count in range(1, MOST_NAMED_CATALOGUES + 3)]
    first = library.catalogue("dbs", made[0].id)
    for one in made[1:-1]:
        library.catalogue("dbs", one.id)
    assert library.catalogue("dbs", made[0].id) is not first


def test_a_snapshot_of_another_game_or_of_none_is_unknown(library, store):
    for snapshot in ("dbs-20260101-00000000", "optcg-facts-2026-08-21"):
        with pytest.raises(NoSnapshot):
            library.catalogue("dbs", snapshot)
    pirates = store.import_cards("optcg", [card()], "x")
    later = store.import_cards("optcg", [card(), card("OP01-017")], "y")
    assert library.catalogue("optcg", later.id).snapshot == later.id
    for snapshot in (pirates.id, later.id):  # also one that is loaded already
        with pytest.raises(NoSnapshot):
            library.catalogue("dbs", snapshot)


def test_an_unknown_game_is_refused(library):
    with pytest.raises(UnknownGame, match="There is no game"):
        library.catalogue("mtg")


def test_a_database_that_fails_leaves_the_old_catalogue(library, store, clock, tmp_path):
    store.import_cards("dbs", some_cards(3), "x")
    old = library.catalogue("dbs")
    file = tmp_path / "deckproof.db"
    kept = file.read_bytes()
    file.write_bytes(b"spoilt" * 1000)
    clock.time += CURRENT_FOR
    assert library.catalogue("dbs") is old
    with pytest.raises(CardDataError):
        library.catalogue("optcg")
    file.write_bytes(kept)
    clock.time += AGAIN_AFTER
    assert library.catalogue("dbs") is old
    assert library.catalogue("optcg").snapshot == "optcg-facts-2026-08-21"


def test_a_database_that_fails_after_the_lists_were_loaded_has_no_cards(library, store, clock, tmp_path):
    store.import_cards("dbs", some_cards(3), "x")
    lists = library.lists("dbs")
    (tmp_path / "deckproof.db").write_bytes(b"spoilt" * 1000)
    clock.time += CURRENT_FOR
    with pytest.raises(CardDataError):
        library.catalogue("dbs")
    assert library.lists("dbs") is lists


def test_a_database_that_goes_away_leaves_the_old_catalogue(library, store, clock, tmp_path):
    store.import_cards("dbs", some_cards(3), "x")
    old = library.catalogue("dbs")
    (tmp_path / "deckproof.db").rename(tmp_path / "away.db")
    clock.time += CURRENT_FOR
    assert library.catalogue("dbs") is old
    (tmp_path / "away.db").rename(tmp_path / "deckproof.db")
    made = store.import_cards("dbs", some_cards(4), "x")
    clock.time += AGAIN_AFTER
    assert library.catalogue("dbs").snapshot == made.id


def test_nobody_waits_for_a_database(store, url, clock):
    store.import_cards("dbs", some_cards(3), "x")
    loading, go_on = threading.Event(), threading.Event()

    class SlowLibrary(Library):
        """One whose second loading takes until it is told to go on."""

        def load(self, game, snapshot):
            if clock.time:
                loading.set()
                assert go_on.wait(10)
            return super().load(game, snapshot)

    library = SlowLibrary(url, clock)
    old = library.catalogue("dbs")
    new = store.import_cards("dbs", some_cards(4), "y")
    clock.time += CURRENT_FOR
    assert library.catalogue("dbs") is old
    assert loading.wait(10)
    assert library.catalogue("dbs") is old
    go_on.set()
    wait_for(lambda: library.catalogue("dbs").snapshot == new.id)


def test_many_threads_get_one_catalogue(url, store):
    store.import_cards("dbs", some_cards(500), "x")
    library = Library(url)
    found = []
    threads = [threading.Thread(target=lambda: found.append(library.catalogue("dbs"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(map(id, found))) == 1


@pytest.mark.slow
def test_the_facts_need_neither_the_database_nor_the_parsers(url):
    code = f"""
import sys
from carddb import Library
assert Library({url!r}).catalogue("optcg").by_number("OP01-016")
heavy = {{"sqlalchemy", "alembic", "selectolax", "rapidfuzz", "python_calamine", "openpyxl"}} & set(sys.modules)
print(sorted(heavy))
"""
    assert run(code) == "[]"


def damage(url, snapshot):
    with Database(url).writing("cards") as connection:
        connection.exec_driver_sql(f"update snapshot_cards set data = x'00' where snapshot_id = '{snapshot}'")


def test_a_damaged_snapshot_is_replaced_by_the_last_good_one(library, store, url, clock, caplog):
    good = store.import_cards("dbs", some_cards(2), "x", datetime(2026, 1, 1, tzinfo=UTC))
    store.import_cards("dbs", some_cards(4), "odd", datetime(2026, 1, 2, tzinfo=UTC), doubts=["It looks wrong."])
    bad = store.import_cards("dbs", some_cards(3), "y", datetime(2026, 1, 3, tzinfo=UTC))
    damage(url, bad.id)
    assert library.catalogue("dbs").snapshot == good.id
    assert library.damaged() == {"dbs": bad.id}
    clock.time += AGAIN_AFTER
    assert library.catalogue("dbs").snapshot == good.id
    assert len(caplog.records) == 1
    assert library.catalogue("optcg").snapshot == facts.snapshot("optcg")  # of other games nothing is damaged
    with pytest.raises(DamagedSnapshot):
        library.catalogue("dbs", bad.id)


def test_a_damaged_page_of_the_file_stops_no_other_snapshot(library, store, tmp_path):
    names = [f"{at} {os.urandom(40).hex()}" for at in range(900)]  # which cannot be compressed to a page
    large = [card(f"BT1-{at:03d}", name, "Battle", "dbs") for at, name in enumerate(names)]
    good = store.import_cards("dbs", some_cards(2), "x", datetime(2026, 1, 1, tzinfo=UTC))
    bad = store.import_cards("dbs", large, "y", datetime(2026, 1, 3, tzinfo=UTC))
    assert store.database.empty_log()
    with closing(sqlite3.connect(tmp_path / "deckproof.db")) as connection:
        query = "select pageno from dbstat where name = 'snapshot_cards' and pagetype = 'overflow' order by 1"
        pages = connection.execute(query).fetchall()
    with (tmp_path / "deckproof.db").open("r+b") as file:
        file.seek((pages[2][0] - 1) * 4096)
        file.write(b"\x7f\xff\xff\xff")  # the number of the next page
    assert library.catalogue("dbs").snapshot == good.id
    assert library.damaged() == {"dbs": bad.id}


def test_if_every_snapshot_is_damaged_the_facts_that_ship_are_given(library, store, url):
    bad = store.import_cards("dbs", some_cards(3), "y")
    damage(url, bad.id)
    assert library.catalogue("dbs").snapshot == facts.snapshot("dbs")
    assert library.damaged() == {"dbs": bad.id}


@pytest.mark.parametrize("mend", ["import", "use", "import other cards"])
def test_a_game_is_sound_again_after_an_import_or_a_choice(library, store, url, clock, mend):
    good = store.import_cards("dbs", some_cards(2), "x", datetime(2026, 1, 1, tzinfo=UTC))
    bad = store.import_cards("dbs", some_cards(3), "y", datetime(2026, 1, 3, tzinfo=UTC))
    damage(url, bad.id)
    assert library.catalogue("dbs").snapshot == good.id
    if mend == "use":
        store.use(good.id)
    else:
        store.import_cards("dbs", some_cards(3 if mend == "import" else 4), "y")
    clock.time += AGAIN_AFTER
    library.catalogue("dbs")  # looks, at once
    assert library.catalogue("dbs").snapshot == store.current("dbs").id
    assert library.damaged() == {}
