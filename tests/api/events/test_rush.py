"""A crowd registers at once, and the server or its database dies: what was answered stands, and nothing half."""

from __future__ import annotations

import os
import signal
import sqlite3
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
import sqlalchemy as sa

from api.events.storage.event_tables import KeyRow, RegistrationRow, RevisionRow
from carddb.database import Database
from tests.api.events.conftest import in_shared_memory
from tests.api.events.crowd import Crowd
from tests.api.processes import Running, wait_for
from tests.postgres import own_cluster, own_schema

pytestmark = pytest.mark.slow

CLIENTS = 64
FEW = 12


@contextmanager
def sqlite(folder):
    yield f"sqlite:///{folder / 'deckproof.db'}"


@contextmanager
def postgresql(folder):
    with own_schema() as url:
        Database(url).upgrade()
        yield url


@pytest.fixture(scope="module", params=[sqlite, postgresql], ids=["SQLite", "PostgreSQL"])
def database_url(request):
    """A database of either kind, with its tables."""
    with in_shared_memory() as place, request.param(place) as url:
        yield url


class Site:
    """A place where a server runs, which goes on whatever happens to its workers, or another when it is killed."""

    def __init__(self, folder, database_url):
        self._begin = partial(Running, folder, DECKPROOF_DATABASE_URL=database_url)
        self.server = self._begin()

    def kill(self):
        """End the server with all its processes, as a machine does that loses its power."""
        os.killpg(self.server.process.pid, signal.SIGKILL)
        self.server.kill()

    def begin_again(self):
        self.server = self._begin()


@pytest.fixture(scope="module")
def site(database_url):
    with in_shared_memory() as place:
        made = Site(place, database_url)
        yield made
        with made.server.ended():
            pass


def half(url):
    """Return how many registrations lack their key or the revision that counts, and how many revisions are of none."""
    key = sa.select(KeyRow.id).where(KeyRow.registration_id == RegistrationRow.id)
    latest = (RevisionRow.registration_id == RegistrationRow.id, RevisionRow.number == RegistrationRow.latest)
    revision = sa.select(RevisionRow.number).where(*latest)
    lacking = sa.select(RegistrationRow.id).where(~key.exists() | ~revision.exists())
    of = sa.select(RegistrationRow.id).where(RevisionRow.registration_id == RegistrationRow.id)
    beyond = of.where(RevisionRow.number <= RegistrationRow.latest)
    with Database(url).reading() as connection:
        orphans = connection.execute(sa.select(RevisionRow.number).where(~beyond.exists())).all()
        return len(connection.execute(lacking).all()), len(orphans)


def test_a_crowd_loses_nothing_and_nobody_is_turned_away(site, database_url):
    crowd = Crowd(site.server.url, CLIENTS, 16)
    crowd.rush(1)
    assert set(crowd.statuses) <= {200, 201, 412}
    standing, intact = crowd.standing()
    assert intact
    assert len(standing) == CLIENTS + len(crowd.counted)
    assert sum(crowd.counted.values()) == CLIENTS
    expected = crowd.answered | {rid: str(count) for rid, count in crowd.counted.items()}
    assert {rid: one["team"] for rid, one in standing.items()} == expected
    assert half(database_url) == (0, 0)


def cut(crowd, kill):
    """Let a crowd come, and kill something as soon as some have registered and revised."""
    rush = Thread(target=crowd.rush, args=(6,))
    rush.start()
    wait_for(lambda: sum(team not in ("new", "0") for team in list(crowd.answered.values())) >= FEW // 2)
    kill()
    return rush


def assert_stands(crowd, url):
    """Assert that everything that was answered is there, that of the rest something whole is or nothing."""
    standing, intact = crowd.standing()
    assert intact
    assert half(url) == (0, 0)
    for rid, team in crowd.answered.items():
        if rid in crowd.counted:
            assert crowd.counted[rid] <= int(standing[rid]["team"]) <= crowd.counted[rid] + FEW
        else:
            assert standing[rid]["team"] in (team, crowd.sent[rid])
    assert len(standing) <= FEW + len(crowd.counted)


def workers(server):
    """Return the processes that answer."""
    listed = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text()
    return [int(pid) for pid in listed.split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_what_was_answered_stands_when_a_worker_is_killed(site, database_url):
    crowd = Crowd(site.server.url, FEW, 1)
    cut(crowd, lambda: os.kill(workers(site.server)[0], signal.SIGKILL)).join()
    assert_stands(crowd, database_url)
    assert_sound(database_url)


def test_what_was_answered_stands_when_the_server_is_killed(site, database_url):
    crowd = Crowd(site.server.url, FEW, 1)
    cut(crowd, site.kill).join()
    site.begin_again()
    crowd.url = site.server.url
    assert_stands(crowd, database_url)
    assert_sound(database_url)


def assert_sound(url):
    """Assert that a file of SQLite is whole."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(sa.make_url(url).database)) as connection:
            assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]


@pytest.fixture
def cluster():
    with own_cluster() as made:
        yield made


def test_what_was_answered_stands_when_the_database_is_killed(folder, cluster):
    Database(cluster.url).upgrade()
    server = Running(folder, DECKPROOF_DATABASE_URL=cluster.url)
    with server.ended():
        crowd = Crowd(server.url, FEW, 1)
        cut(crowd, cluster.kill).join()
        assert set(crowd.statuses) <= {200, 201, 412, 503}
        wait_for(cluster.starts)
        assert_stands(crowd, cluster.url)
    assert "Traceback" not in server.log.read_text()
