"""Heartbeats of workers, the delay before a dead one is started again, and how often progress is recorded."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from api.jobs import executor
from api.jobs.heartbeats import (
    MISSED_AFTER,
    Heartbeats,
    Supervisor,
    WorkerName,
    WorkerRow,
    supervise_worker,
    worker_name,
)
from api.service.settings import Settings
from carddb.database import Database
from carddb.errors import DatabaseBusy
from tests.api.processes import wait_for

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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of temporary files, for workers that are shells and that the supervisor looks at often."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("api.jobs.heartbeats._COMMAND", ("sh", "-c", "echo $$ > $TMPDIR/pid; exec sleep 60"))
    for name in ("_POLL_INTERVAL", "_GRACE_AT_START"):
        monkeypatch.setattr(f"api.jobs.heartbeats.{name}", 0.01)
    return tmp_path


def find_worker(folder):
    """Return the folder and the process id of the running worker, None if there is none yet."""
    for file in folder.glob("deckproof-worker-*/pid"):
        if text := file.read_text().strip():
            return file.parent, int(text)
    return None


@pytest.mark.parametrize("setting", ["on", "auto"])
def test_a_worker_that_dies_is_replaced_and_ends_with_its_server(folder, setting):
    with supervise_worker(Settings(data_dir=folder, worker=setting)):
        own_folder, pid = wait_for(lambda: find_worker(folder))
        os.kill(pid, signal.SIGKILL)
        _, other = wait_for(lambda: (found := find_worker(folder)) and found[1] != pid and found)
        assert not own_folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(other, 0)
    assert find_worker(folder) is None


def test_a_server_starts_no_worker_until_the_others_have_left(folder, heartbeats, monkeypatch):
    present, looks = Heartbeats.present, []
    monkeypatch.setattr(Heartbeats, "present", lambda self: looks.append(present(self)) or looks[-1])
    heartbeats.beat(NAMI)
    with supervise_worker(Settings(data_dir=folder, worker="auto")):
        wait_for(lambda: len(looks) > 2)
        assert find_worker(folder) is None
        heartbeats.leave(NAMI)
        wait_for(lambda: find_worker(folder))


def test_with_the_setting_on_a_server_starts_a_worker_beside_others(folder, heartbeats):
    heartbeats.beat(NAMI)
    with supervise_worker(Settings(data_dir=folder, worker="on")):
        wait_for(lambda: find_worker(folder))


def test_with_the_setting_off_a_server_starts_no_worker(folder):
    with supervise_worker(Settings(data_dir=folder, worker="off")):
        assert "supervisor" not in {thread.name for thread in threading.enumerate()}


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
