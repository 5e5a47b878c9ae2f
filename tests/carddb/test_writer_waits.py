"""Waiting for a database: one time limit for all locks, few who wait if nothing moves, no write lost or doubled."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import NamedTuple

import pytest
import sqlalchemy as sa

from carddb import database_waits
from carddb.bounds import MOST_WAITING, STALLED_AFTER
from carddb.database import Database
from carddb.database_waits import WaitBudget, WriterQueue, seconds_left, shared_budget, wait_budget
from carddb.errors import DatabaseBusy
from tests.cost import slowness_meanwhile
from tests.postgres import own_schema

THREADS = 60
PATIENCE = 3.0
WRITTEN, BUSY = "written", "busy"

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("begin immediate")
print("held", flush=True)
sys.stdin.read()
"""


class Kept(NamedTuple):
    """A database that is kept open, and its URL."""

    database: Database
    url: str


class Attempt(NamedTuple):
    number: int
    outcome: str
    seconds: float


@contextmanager
def hold_sqlite(url):
    """Another process holds the file, as a shell or a backup tool may."""
    command = [sys.executable, "-c", HOLD, url.removeprefix("sqlite:///")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        try:
            yield
        finally:
            holder.stdin.close()


@contextmanager
def hold_postgresql(url):
    """Another session holds a table."""
    engine = sa.create_engine(sa.make_url(url).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(sa.text("lock table attempt in access exclusive mode"))
        yield
    engine.dispose()


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.slow)])
def attempts_database(request, tmp_path):
    """A database with a table of attempts."""
    if request.param == "SQLite":
        yield with_attempts(f"sqlite:///{tmp_path}/deckproof.db")
        return
    with own_schema() as url:
        made = with_attempts(url)
        yield made
        made.database.close()


@contextmanager
def hold_database(url):
    """Hold the database as another program would, for the time of the block."""
    with (hold_sqlite if url.startswith("sqlite") else hold_postgresql)(url):
        yield


def with_attempts(url):
    database = Database(url, PATIENCE)
    database.upgrade()
    database.keep_open()
    with database.writing("attempts") as connection:
        connection.exec_driver_sql("create table attempt (number integer)")
    return Kept(database, url)


def attempt(database, number, hold=0.0):
    began = time.monotonic()
    try:
        with database.writing("attempts") as connection:
            connection.execute(sa.text("insert into attempt values (:number)"), {"number": number})
            time.sleep(hold)
        outcome = WRITTEN
    except DatabaseBusy:
        outcome = BUSY
    return Attempt(number, outcome, time.monotonic() - began)


def attempts(database, hold=0.0):
    """Write with THREADS threads at once, and return their attempts."""
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(lambda number: attempt(database, number, hold), range(THREADS)))


def count_stored(database):
    """Return the number of stored rows of each attempt."""
    with database.reading() as connection:
        return Counter(connection.execute(sa.text("select number from attempt")).scalars())


@pytest.mark.slow
def test_a_database_that_another_program_holds_lets_few_wait_and_none_for_long(attempts_database):
    database, url = attempts_database
    with hold_database(url), slowness_meanwhile() as slowest:
        tried = attempts(database)
        slower = slowest()
    assert {one.outcome for one in tried} == {BUSY}
    assert max(one.seconds for one in tried) < PATIENCE + slower
    soon = sum(one.seconds < STALLED_AFTER + slower for one in tried)
    assert soon >= THREADS - 8 - MOST_WAITING  # but those whose turn it is, and those that may wait for it
    after = [attempt(database, number) for number in range(THREADS, 2 * THREADS)]
    assert {one.outcome for one in after} == {WRITTEN}
    assert count_stored(database) == Counter(one.number for one in after)


@pytest.mark.slow
def test_a_crowd_waits_as_long_as_the_queue_moves(attempts_database):
    database = Database(
        attempts_database.url, 10 * PATIENCE
    )  # a busy machine needs more than PATIENCE for the whole queue
    database.keep_open()
    crowd = attempts(database, hold=1.5 * STALLED_AFTER / THREADS)
    assert {one.outcome for one in crowd} == {WRITTEN}
    assert count_stored(database) == Counter(range(THREADS))
    database.close()


@pytest.mark.slow
def test_what_waited_is_written_once_the_database_is_free(attempts_database):
    database, url = attempts_database
    with ThreadPoolExecutor(4) as pool:
        with hold_database(url):
            waiting = [pool.submit(attempt, database, number) for number in range(4)]
            time.sleep(0.3)
            assert not any(one.done() for one in waiting)
        assert {one.result().outcome for one in waiting} == {WRITTEN}
    assert count_stored(database) == Counter(range(4))


@pytest.mark.slow
def test_the_transactions_of_a_request_wait_for_one_time_together(attempts_database):
    database, url = attempts_database
    other = Database(url)
    with other.writing("attempts"), shared_budget(0.5), slowness_meanwhile() as slowest:
        first, second = attempt(database, 1), attempt(database, 2)
        assert (first.outcome, second.outcome) == (BUSY, BUSY)
        assert first.seconds > 0.4
        assert second.seconds < 0.3 * slowest()
    with shared_budget(0.0):  # a spent budget waits for nothing, and what is free needs no waiting
        assert attempt(database, 3).outcome == WRITTEN


@pytest.mark.slow
def test_work_in_a_transaction_costs_no_budget(attempts_database):
    database, _ = attempts_database
    with shared_budget(0.3):
        assert attempt(database, 1, hold=0.5).outcome == WRITTEN
        assert attempt(database, 2).outcome == WRITTEN


@pytest.mark.slow
@pytest.mark.parametrize("attempts_database", ["SQLite"], indirect=True)
def test_a_process_that_writes_without_end_keeps_no_other_out(attempts_database):
    database, url = attempts_database
    code = f"""
import select, sys, time
from carddb.database import Database
database = Database({url!r}, {PATIENCE})
database.keep_open()
while not select.select([sys.stdin], [], [], 0)[0]:
    with database.writing("attempts") as connection:
        connection.exec_driver_sql("insert into attempt values (0)")
        time.sleep(0.002)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as other:
        while other.poll() is None and not count_stored(database)[0]:
            time.sleep(0.01)
        mine = [attempt(database, number) for number in range(1, 21)]
        assert other.poll() is None  # it was there all the time
        assert {one.outcome for one in mine} == {WRITTEN}
    assert other.returncode == 0


@pytest.mark.parametrize("attempts_database", [pytest.param("PostgreSQL", marks=pytest.mark.slow)], indirect=True)
def test_those_who_wait_to_write_the_same_hold_no_connection(attempts_database):
    database, url = attempts_database
    with ThreadPoolExecutor(4) as pool:
        with Database(url).writing("attempts"):
            waiting = [pool.submit(attempt, database, number) for number in range(4)]
            time.sleep(0.3)
            assert database.connection_counts().in_use == 1
            with database.writing("something else"):
                assert database.connection_counts().in_use == 2
        assert {one.result().outcome for one in waiting} == {WRITTEN}


def test_a_budget_is_shared_by_the_blocks_inside():
    assert seconds_left(7) == 7
    with shared_budget(60):
        assert 50 < seconds_left(7) <= 60
        with wait_budget(5) as outer:
            assert 50 < outer.seconds_left <= 60
            with shared_budget(0):
                assert seconds_left(7) == 0
            assert seconds_left(7) > 50
    assert seconds_left(7) == 7
    with wait_budget(5) as own:
        assert 0 < own.seconds_left <= 5
        assert 0 < seconds_left(7) <= 5


def test_waits_are_subtracted_and_work_between_them_is_not(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(database_waits.time, "monotonic", lambda: now[0])
    budget = WaitBudget(5)
    now[0] += 60
    assert budget.seconds_left == 5
    with budget.count_wait():
        now[0] += 2
        assert budget.seconds_left == 3
    now[0] += 60
    assert budget.seconds_left == 3
    with budget.count_wait():
        now[0] += 9
        assert budget.seconds_left == 0
    assert budget.seconds_left == 0


def test_one_thread_of_each_subject_has_its_turn_for_as_many_subjects_as_there_are_slots():
    queue, spent = WriterQueue(2), WaitBudget(0)

    def has_turn(subject):
        try:
            with queue.turn(subject, spent):
                return True
        except DatabaseBusy:
            return False

    with queue.turn("cards", spent):
        assert [has_turn("cards"), has_turn("lists")] == [False, True]
        with queue.turn("lists", spent):
            assert [has_turn("cards"), has_turn("lists"), has_turn("events")] == [False, False, False]
        assert has_turn("events")
    assert [has_turn("cards"), has_turn("events")] == [True, True]


@pytest.mark.parametrize(
    ("waiting", "quiet", "is_refused"),
    [(MOST_WAITING, STALLED_AFTER, True), (MOST_WAITING - 1, STALLED_AFTER, False), (MOST_WAITING, 0, False)],
)
def test_few_wait_in_a_queue_that_does_not_move(waiting, quiet, is_refused, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(database_waits.time, "monotonic", lambda: now[0])
    queue, waits = WriterQueue(1), []

    class Called(Event):
        """An event for which nobody waits: the clock runs past the budget."""

        def wait(self, timeout=None):
            waits.append(timeout)
            now[0] += 1000

    monkeypatch.setattr(database_waits, "Event", Called)
    with queue.turn("cards", WaitBudget(60)):
        for _ in range(waiting):
            queue._append_ticket("cards")
        now[0] += quiet
        budget = WaitBudget(60)
        with pytest.raises(DatabaseBusy), budget.count_wait(), queue.turn("cards", budget):
            pass
    assert bool(waits) is not is_refused
