"""The worker: started by itself or by the server, seen while it is at work, ended in good order."""

from __future__ import annotations

import os
import signal
import sys
from datetime import UTC, datetime, timedelta

import pytest
import requests
import sqlalchemy as sa

from api.jobs.heartbeats import Heartbeats, WorkerName, WorkerRow, worker_name
from carddb.database import Database
from carddb.snapshot_store import Store
from carddb.sync.log import SyncLog
from tests.api.processes import Process, Running, wait_for
from tests.carddb import replay
from tests.carddb.cards import some_cards
from tests.carddb.old_databases import make_old

pytestmark = pytest.mark.slow

# A server that looks often whether a worker is at work.
HASTY = """
from api.jobs import heartbeats
heartbeats._GRACE_AT_START, heartbeats._POLL_INTERVAL = 0.5, 0.1
from api.cli import main
main()
"""


def database(folder):
    return Database(f"sqlite:///{folder / 'deckproof.db'}")


def at_work(folder):
    """Return the process ids of the workers that are at work."""
    return [name.pid for name in Heartbeats(database(folder)).present()]


def test_a_worker_that_cannot_have_its_queue_says_so(tmp_path):
    (tmp_path / "queue.db").write_text("this is no queue")
    worker = Process(tmp_path, ["worker"])
    assert worker.process.wait(60) == 2
    assert worker.log.read_text().startswith("deckproof: The queue ")
    assert "Traceback" not in worker.log.read_text()


def test_a_server_runs_a_worker_where_there_is_no_other_and_a_new_one_when_it_dies_and_none_outlives_it(tmp_path):
    other = Process(tmp_path, ["worker"])
    other.says("is at work")
    assert at_work(tmp_path) == [other.process.pid]
    arguments = ["-c", HASTY, "serve", "--port", "0"]
    server = Running(tmp_path, arguments, command=sys.executable, DECKPROOF_WORKER="auto")
    with pytest.raises(AssertionError, match="too long"):
        wait_for(lambda: len(at_work(tmp_path)) > 1, seconds=2)
    assert requests.get(f"{server.url}/readyz", timeout=30).json()["workers"] == 1
    assert other.end() == 0
    assert other.process.pid not in at_work(tmp_path)
    assert "Traceback" not in other.log.read_text()
    (first,) = wait_for(lambda: at_work(tmp_path))
    (folder,) = tmp_path.glob("deckproof-worker-*")
    (folder / "half a result").write_text("what a worker that is killed leaves behind")
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: [pid for pid in at_work(tmp_path) if pid != first])
    assert not folder.exists()
    server.kill()
    wait_for(lambda: not at_work(tmp_path))


def test_a_worker_of_whom_nothing_is_heard_is_no_longer_counted(tmp_path, monkeypatch):
    heartbeats = Heartbeats(database(tmp_path))
    heartbeats.beat(worker_name())
    assert heartbeats.present() == [worker_name()]
    monkeypatch.setattr("api.jobs.heartbeats.MISSED_AFTER", -1)
    assert heartbeats.present() == []


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_worker_whose_clock_jumped_is_absent_until_its_next_sign(tmp_path, hours):
    heartbeats = Heartbeats(database(tmp_path))
    dead = WorkerName("example", 1)
    for name in (dead, worker_name()):
        heartbeats.beat(name)
    seen = (datetime.now(UTC) + timedelta(hours=hours)).isoformat()
    with database(tmp_path).writing("workers") as connection:
        connection.execute(sa.update(WorkerRow).values(seen=seen))
    assert heartbeats.present() == []
    heartbeats.beat(worker_name())
    assert heartbeats.present() == [worker_name()]


def test_card_lists_are_synced_at_night_and_where_a_site_is_down_it_is_told_and_the_next_game_goes_on(tmp_path):
    with replay.small_onepiece(OP01=30, OP02=40).serve() as site:
        sites = {"DECKPROOF_OPTCG_SITE": site.address, "DECKPROOF_DBS_SITE": site.address}
        night = {"DECKPROOF_SYNC_GAMES": "dbs,optcg", "DECKPROOF_SYNC_AT": f"{datetime.now(UTC):%H:%M}"}
        worker = Process(tmp_path, ["worker"], DECKPROOF_SYNC_PAUSE="0", **sites, **night)
        worker.says("sync of dbs failed")
        synced = wait_for(lambda: SyncLog(database(tmp_path)).last_good("optcg"))
        assert Store(f"sqlite:///{tmp_path / 'deckproof.db'}").current("optcg").id == synced.snapshot
        assert SyncLog(database(tmp_path)).last("dbs").result == "failed"
        assert worker.end() == 0
        assert "Traceback" not in worker.log.read_text()


def test_a_worker_deletes_old_snapshots(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'deckproof.db'}")
    for day in range(1, 6):
        store.import_cards("dbs", some_cards(day), "x", datetime(2026, 1, day, tzinfo=UTC))
    worker = Process(tmp_path, ["worker"], DECKPROOF_SNAPSHOTS_KEPT="2")
    worker.says("Deleted 3 old snapshots")
    assert [snapshot.cards for snapshot in store.snapshots()] == [5, 4]
    assert worker.end() == 0


def test_a_worker_leaves_a_database_of_an_older_schema_as_it_is(tmp_path):
    make_old(f"sqlite:///{tmp_path / 'deckproof.db'}", "0005")
    worker = Process(tmp_path, ["worker"])
    assert worker.process.wait(60) == 2
    assert database(tmp_path).revision() == "0005"
    assert "Traceback" not in worker.log.read_text()
