"""Heartbeats of workers, the delay before a dead one is started again, and how often progress is recorded."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from api.jobs import executor
from api.jobs.heartbeats import MISSED_AFTER, Heartbeats, Supervisor, WorkerName, WorkerRow, worker_name
from api.service.settings import Settings
from carddb.database import Database
from carddb.errors import DatabaseBusy

NAMI, ZORO = WorkerName("nami", 7), WorkerName("nami", 8)


@pytest.fixture
def heartbeats(tmp_path):
    return Heartbeats(Database(f"sqlite:///{tmp_path}/deckproof.db"))


def age(heartbeats, name, seconds):
    """Move the heartbeat of a worker into the past, or into the future by negative seconds."""
    seen = (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat()
    with heartbeats._database.writing("workers") as connection:
        connection.execute(
            sa.update(WorkerRow).where(WorkerRow.host == name.host, WorkerRow.pid == name.pid).values(seen=seen)
        )


def test_a_worker_is_present_until_it_leaves(heartbeats):
    assert heartbeats.present() == []
    for name in (NAMI, ZORO, NAMI):
        heartbeats.beat(name)
    assert sorted(heartbeats.present()) == [NAMI, ZORO]
    for _ in range(2):
        heartbeats.leave(NAMI)
        assert heartbeats.present() == [ZORO]


@pytest.mark.parametrize(
    ("seconds", "is_present"),
    [(MISSED_AFTER / 2, True), (-MISSED_AFTER / 2, True), (MISSED_AFTER + 1, False), (-3 * MISSED_AFTER, False)],
)
def test_a_heartbeat_counts_for_some_seconds_and_is_deleted_by_the_next(heartbeats, seconds, is_present):
    heartbeats.beat(NAMI)
    age(heartbeats, NAMI, seconds)
    assert heartbeats.present() == ([NAMI] if is_present else [])
    heartbeats.beat(ZORO)
    age(heartbeats, NAMI, 0)
    assert sorted(heartbeats.present()) == ([NAMI, ZORO] if is_present else [ZORO])


def test_a_worker_has_the_name_of_its_process():
    assert worker_name(7).pid == 7
    assert worker_name().pid == os.getpid()


def test_the_delay_doubles_to_a_minute_and_a_worker_that_lasts_resets_it(tmp_path, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("api.jobs.heartbeats.time.monotonic", lambda: now[0])
    supervisor, delays = Supervisor(Settings(data_dir=tmp_path)), []
    for lifetime in (1, 1, 30, 1, 1, 1, 1, 31, 1):
        supervisor._started_at = now[0] - lifetime
        supervisor._process = SimpleNamespace(pid=7)
        supervisor._schedule_restart(supervisor._process)
        assert supervisor._process is None
        delays.append(supervisor._delay)
    assert delays == [2, 4, 8, 16, 32, 60, 60, 1, 2]


def test_progress_is_recorded_twice_a_second_at_most(monkeypatch):
    now, records = [1000.0], []
    monkeypatch.setattr(executor.time, "monotonic", lambda: now[0])

    def record_progress(claim, done_count, total):
        records.append((claim, done_count, total))
        raise DatabaseBusy("later")

    report = executor._ProgressReport(SimpleNamespace(record_progress=record_progress), "claim")
    for done_count, moment in enumerate((1000, 1000.4, 1000.5, 1000.9, 1001)):
        now[0] = moment
        report(done_count, 9)
    assert records == [("claim", 0, 9), ("claim", 2, 9), ("claim", 4, 9)]
