"""Jobs survive whoever takes them in and whoever does them: real servers and workers, ended and killed."""

from __future__ import annotations

import io
import os
import signal
from pathlib import Path

import pytest
import python_calamine as calamine
import requests

from carddb.database import Database
from tests.api.jobs.spreadsheets import decks
from tests.api.processes import Process, Running, hasty, wait_for
from tests.postgres import own_schema

pytestmark = pytest.mark.slow

PLAYERS = 150  # a second of work, where each gets a sheet


def send(server, players, **fields):
    """Send in a spreadsheet as a job; return where the job is."""
    taken = requests.post(
        f"{server.url}/v1/workbooks",
        params={"game": "optcg", "on": "2026-11-01", "job": "true", **fields},
        data=decks(players),
        headers={"Content-Type": "text/csv"},
        timeout=30,
    )
    assert taken.status_code == 202
    return taken.headers["Location"]


def job(server, path):
    return requests.get(f"{server.url}{path}", timeout=30).json()


def wait_for_status(server, path, status):
    """Return a job once its status is this one."""

    def find_reached():
        found = job(server, path)
        assert found["status"] != "failed", found["problem"]
        return found if found["status"] == status else None

    return wait_for(find_reached)


def ids(server, path):
    """Return the ids of the players in the summary of a job's result."""
    answer = requests.get(f"{server.url}{path}/result", timeout=30)
    assert answer.status_code == 200
    with calamine.CalamineWorkbook.from_filelike(io.BytesIO(answer.content)) as book:
        return sorted(row[2] for row in book.get_sheet_by_name("Summary").to_python() if row[2].isdigit())


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The folder of a server and of its workers."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def done(place):
    """Where a job is that a server took in, which was killed, and that another one did, which has ended."""
    first = Running(place)
    path = send(first, 10)
    first.kill()
    second = Running(place, DECKPROOF_WORKER="on")
    wait_for_status(second, path, "done")
    assert second.end() == 0
    return path


@pytest.fixture(scope="module")
def server(place, done):
    """The server that comes after them, whose queue cannot be had."""
    running = Running(place, DECKPROOF_REDIS_URL="redis://127.0.0.1:1/0")
    yield running
    assert running.end() == 0
    assert "Traceback" not in running.log.read_text()


def half_way(server, path):
    """Wait until more than half of a job is done."""
    found = wait_for(lambda: (now := job(server, path))["done"] > PLAYERS and now)
    assert (found["status"], found["of"]) == ("running", 2 * PLAYERS)


def test_jobs_and_results_survive_the_server(server, done):
    assert len(ids(server, done)) == 10
    assert requests.get(f"{server.url}/readyz", timeout=30).json()["workers"] == 0


def test_a_job_survives_the_end_and_the_death_of_its_workers(place, server):
    path = send(server, PLAYERS, deck_sheets="true")
    ended = hasty(place)
    half_way(server, path)
    assert ended.end(signal.SIGINT) == 0
    assert job(server, path)["status"] == "queued"
    killed = hasty(place)
    half_way(server, path)
    killed.kill()
    assert job(server, path)["status"] == "running"
    third = hasty(place)
    wait_for_status(server, path, "done")
    assert ids(server, path) == [f"{at:06d}" for at in range(PLAYERS)]
    assert third.end() == 0


def test_without_its_queue_a_server_takes_jobs_and_one_that_is_cancelled_half_way_costs_no_more_time(place, server):
    path = send(server, 1)
    assert job(server, path)["status"] == "queued"
    worker = hasty(place)
    wait_for_status(server, path, "done")
    path = send(server, PLAYERS, deck_sheets="true")
    half_way(server, path)
    requests.delete(f"{server.url}{path}", timeout=30)
    worker.says("A job was cancelled")
    assert job(server, path)["status"] == "cancelled"
    assert worker.end() == 0


def test_on_several_machines_redis_wakes_and_postgresql_keeps(tmp_path, redis_server):
    with own_schema() as database:
        settings = {"DECKPROOF_REDIS_URL": redis_server.url, "DECKPROOF_DATABASE_URL": database}
        Database(database).upgrade()
        worker, server = Process(tmp_path / "worker", ["worker"], **settings), Running(tmp_path / "web", **settings)
        worker.says("is at work, woken by Redis")
        path = send(server, 20)
        wait_for_status(server, path, "done")
        assert len(ids(server, path)) == 20
        assert requests.get(f"{server.url}/readyz", timeout=30).json()["workers"] == 1
        assert (server.end(), worker.end()) == (0, 0)
        assert not list(tmp_path.glob("*/*.db"))


def test_a_job_survives_the_death_of_the_fork_server(place, server):
    worker = hasty(place)
    worker.says("is at work")
    (fork_server,) = Path(f"/proc/{worker.process.pid}/task/{worker.process.pid}/children").read_text().split()
    os.kill(int(fork_server), signal.SIGKILL)
    path = send(server, 3)
    assert worker.process.wait(timeout=60) == 0
    assert job(server, path)["status"] == "queued"
    other = hasty(place)
    wait_for_status(server, path, "done")
    assert other.end() == 0
