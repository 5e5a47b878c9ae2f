"""The steps of a worker in this process: jobs, heartbeats, nightly syncs, old snapshots and old events."""

from __future__ import annotations

import logging
import os
import signal
import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from api.jobs import worker
from api.jobs.heartbeats import worker_name
from api.jobs.job_store import DONE, QUEUED, RUNNING
from api.jobs.task import Task
from api.jobs.worker import JobWorker
from api.service.requests import RequestedTerms, day
from api.service.settings import Settings
from api.web.app import create_app
from api.workbooks.checking import Wanted
from carddb.snapshot_store import Store
from carddb.sync.log import SyncLog
from tests.api.jobs.spreadsheets import decks
from tests.carddb import replay
from tests.carddb.cards import some_cards

TASK = Task("decks.csv", RequestedTerms(game="optcg", on=day("2026-11-01")), Wanted("csv")).as_json()


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path, snapshots_kept=2)


@pytest.fixture
def job_worker(settings):
    return JobWorker(settings)


def count_calls(job_worker):
    """Return the number of wake-up calls in the queue, also those that are being sent."""
    for thread in threading.enumerate():
        if thread.name == "queue":
            thread.join()
    return job_worker._queue.huey.pending_count()


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.INFO, logger="api.jobs.worker")
    return caplog


def test_a_worker_that_is_woken_runs_one_job_and_wakes_another_for_the_next(job_worker):
    secrets = [job_worker._jobs.add(TASK, decks(1)) for _ in range(2)]
    job_worker._when_woken()
    assert [job_worker._jobs.find(secret).status for secret in secrets] == [DONE, QUEUED]
    assert count_calls(job_worker) == 1
    job_worker._when_woken()
    job_worker._when_woken()
    assert [job_worker._jobs.find(secret).status for secret in secrets] == [DONE, DONE]
    assert count_calls(job_worker) == 2


def test_a_heartbeat_is_recorded_and_every_fifth_wakes_a_worker_if_jobs_wait(job_worker):
    for beat in range(6):
        job_worker._beat(beat)
    assert (job_worker._heartbeats.present(), count_calls(job_worker)) == ([worker_name()], 0)
    job_worker._jobs.add(TASK, decks(1))
    counts = []
    for beat in range(11):
        job_worker._beat(beat)
        counts.append(count_calls(job_worker))
    assert counts == [1] * 5 + [2] * 5 + [3]


def test_a_heartbeat_includes_the_jobs_that_run(job_worker):
    secret = job_worker._jobs.add(TASK, decks(1))
    claim = job_worker._jobs.take()
    with job_worker._executor._holding_claim(claim):
        job_worker._beat(1)
    with job_worker._store.database.reading() as connection:
        seen = connection.exec_driver_sql("select seen from job").scalar()
    assert (job_worker._jobs.find(secret).status, seen > claim.started) == (RUNNING, True)


def test_a_worker_ends_its_watch_with_the_server_that_started_it(job_worker):
    assert job_worker._watch(None, os.getppid() + 1) is None
    assert job_worker._heartbeats.present() == []


def test_a_worker_sends_heartbeats_until_a_signal(job_worker, monkeypatch):
    monkeypatch.setattr("api.jobs.heartbeats.HEARTBEAT_INTERVAL", 0)
    looks = []

    class Consumer:
        def check_worker_health(self):
            looks.append(job_worker._heartbeats.present())
            job_worker._heartbeats.leave(worker_name())
            if len(looks) == 3:
                raise KeyboardInterrupt

    try:
        with pytest.raises(KeyboardInterrupt):
            job_worker._watch(Consumer(), os.getppid())
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, worker._SIGNALS)
    assert looks == [[worker_name()]] * 3


def test_an_error_of_the_database_is_logged_and_the_worker_goes_on(job_worker, log, tmp_path):
    (tmp_path / "deckproof.db").write_bytes(b"no database " * 100)
    for work in (job_worker._when_woken, job_worker._run_due_work):
        log.clear()
        work()
        assert [record.levelname for record in log.records] == ["ERROR"]


def test_old_snapshots_are_deleted_and_logged(job_worker, settings, log):
    store = Store(settings.database)
    for number in range(1, 6):
        store.import_cards("dbs", some_cards(number), "x", datetime(2026, 1, number, tzinfo=UTC))
    job_worker._run_due_work()
    assert [snapshot.cards for snapshot in store.snapshots()] == [5, 4]
    assert "Deleted 3 old snapshots" in log.text
    log.clear()
    job_worker._run_due_work()
    assert log.text == ""


@pytest.fixture
def event(settings):
    """A client, and the address and the key of an event of today that is kept for a day."""
    client = create_app(settings).test_client()
    today = datetime.now(UTC).date().isoformat()
    wish = {"name": "Example Regional", "game": "optcg", "on": today, "closes": None, "purge_days": 1}
    made = client.post("/v1/events", json=wish).json
    return client, f"/v1/events/{made['id']}", {"Authorization": f"Bearer {made['keys']['organiser']}"}


@pytest.fixture
def clock(monkeypatch):
    """The clock of the worker, which stands still."""
    found = SimpleNamespace(moment=datetime.now(UTC), now=lambda _: found.moment)
    monkeypatch.setattr(worker, "datetime", found)
    return found


def test_events_are_marked_as_deleted_then_removed_and_logged(settings, event, log, clock):
    client, address, key = event
    store = Store(settings.database)
    worker.purge_events(settings, store)
    assert (log.text, client.get(address, headers=key).json["deleted_on"]) == ("", None)
    clock.moment += timedelta(days=3)
    worker.purge_events(settings, store)
    assert "1 events marked as deleted, 0 events removed" in log.text
    marked = client.get(address, headers=key).json["deleted_on"]
    assert marked == (clock.moment + timedelta(days=settings.restore_days)).date().isoformat()
    log.clear()
    clock.moment += timedelta(days=1 + settings.restore_days)
    worker.purge_events(settings, store)
    assert "0 events marked as deleted, 1 events removed" in log.text
    assert client.get(address, headers=key).status_code == 404


def test_a_clock_that_is_far_ahead_deletes_no_event_and_is_logged_once(settings, event, log, clock):
    client, address, key = event
    store = Store(settings.database)
    worker.purge_events(settings, store)
    clock.moment += timedelta(days=400)
    for _ in range(2):
        worker.purge_events(settings, store)
    assert [record.levelname for record in log.records] == ["WARNING"]
    assert client.get(address, headers=key).json["deleted_on"] is None


@pytest.fixture
def night(tmp_path):
    """The settings of a worker whose nightly sync has been due for a minute, and the site."""
    with replay.small_onepiece(OP01=3, OP02=4).serve() as site:
        moment = (datetime.now(UTC) - timedelta(minutes=1)).time()
        sites = {"optcg_site": site.address, "dbs_site": site.address, "sync_pause": 0.0}
        yield Settings(data_dir=tmp_path, sync_games=("dbs", "optcg"), sync_at=moment, **sites), site


def test_card_lists_are_synced_once_a_night_and_an_error_leaves_out_only_its_game(night, log):
    settings, _ = night
    store = Store(settings.database)
    worker.sync_all(settings, store)
    found = SyncLog(store.database)
    assert (found.last("dbs").result, store.current("optcg").id) == ("failed", found.last_good("optcg").snapshot)
    assert [record.levelname for record in log.records] == ["ERROR", "INFO"]
    assert "optcg: 7 cards from 2 pages" in log.text
    log.clear()
    worker._sync_game(settings, store, "optcg")
    assert log.text == ""


def test_a_list_that_looks_wrong_is_logged_as_an_error(night, log):
    settings, site = night
    store = Store(settings.database)
    (page,) = (path for path in site.pages if path.endswith("102"))
    site.pages[page] = site.pages[page].replace(b"4 results", b"9 results")
    worker._sync_game(settings, store, "optcg")
    assert [record.levelname for record in log.records] == ["ERROR"]
    assert store.current("optcg") is None


def test_without_a_time_nothing_is_synced(night, log):
    settings, site = night
    worker.sync_all(Settings(data_dir=settings.data_dir, sync_games=("optcg",)), Store(settings.database))
    assert (site.paths, log.text) == ([], "")
