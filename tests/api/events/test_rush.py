"""A crowd registers at once, and the server or its database dies: what was answered stands, and nothing half."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Thread

import pytest
import sqlalchemy as sa

from carddb.database import Database
from tests.api.events.conftest import LEGAL, in_shared_memory
from tests.api.events.crowd import OPEN, Client, Crowd, find_half_registrations
from tests.api.processes import Running, wait_for
from tests.cost import slowness
from tests.postgres import own_cluster, own_schema

pytestmark = pytest.mark.slow

CLIENTS = 64
SLOW = 4  # times slower than a quiet machine, from which on the crowd is smaller: a request waits for some seconds only
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
        self.server.kill_all()

    def begin_again(self):
        self.server = self._begin()


@pytest.fixture(scope="module")
def site(database_url):
    with in_shared_memory() as place:
        made = Site(place, database_url)
        yield made
        with made.server.ended():
            pass


def test_a_crowd_loses_nothing_and_nobody_is_turned_away(site, database_url):
    clients = max(FEW, int(CLIENTS / max(1.0, slowness(time.monotonic) / SLOW)))
    crowd = Crowd(site.server.url, clients, 16)
    crowd.rush(1)
    assert set(crowd.statuses) <= {200, 201, 412}
    assert not crowd.cuts, site.server.log.read_text()
    standing, intact = crowd.standing()
    assert intact
    assert len(standing) == clients + len(crowd.counted_registrations)
    assert sum(crowd.counted_registrations.values()) == clients
    expected = crowd.answered | {rid: str(count) for rid, count in crowd.counted_registrations.items()}
    assert {rid: one["team"] for rid, one in standing.items()} == expected
    assert find_half_registrations(database_url) == (0, 0)


def test_an_event_that_is_deleted_while_players_register_leaves_nothing(site, database_url):
    desk = Client(site.server.url)
    _, begun, _ = desk("POST", "/v1/events", OPEN)
    path = f"/v1/events/{begun['id']}"

    def register(number):
        client, statuses = Client(site.server.url), []
        while 404 not in statuses:
            said = {"player": f"Player {number}.{len(statuses)}", "decklist": LEGAL}
            statuses.append(client("POST", f"{path}/registrations", said)[0])
        client.close()
        return statuses

    with ThreadPoolExecutor(FEW) as pool:
        crowd = [pool.submit(register, number) for number in range(FEW)]
        wait_for(
            lambda: len(desk("GET", f"{path}/registrations", key=begun["keys"]["judge"])[1]["registrations"]) > FEW
        )
        assert desk("DELETE", f"{path}?now=true", key=begun["keys"]["organiser"])[0] == 204
    assert set(chain(*(one.result() for one in crowd))) == {201, 404}
    assert find_half_registrations(database_url) == (0, 0)
    assert desk("GET", path, key=begun["keys"]["organiser"])[0] == 404


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
    assert find_half_registrations(url) == (0, 0)
    for rid, team in crowd.answered.items():
        if rid in crowd.counted_registrations:
            assert (
                crowd.counted_registrations[rid] <= int(standing[rid]["team"]) <= crowd.counted_registrations[rid] + FEW
            )
        else:
            assert standing[rid]["team"] in (team, crowd.sent[rid])
    assert len(standing) <= FEW + len(crowd.counted_registrations)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_what_was_answered_stands_when_a_worker_is_killed(site, database_url):
    crowd = Crowd(site.server.url, FEW, 1)
    cut(crowd, lambda: os.kill(site.server.workers()[0], signal.SIGKILL)).join()
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
