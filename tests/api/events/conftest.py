"""Events over HTTP, in both databases, at a time that a test sets. All players are invented."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa

from api.service.settings import Settings
from api.web.app import create_app
from carddb.database import Base
from carddb.temporary_folders import shared_memory
from tests.api.web.documented import assert_documented
from tests.postgres import own_schema

LEGAL = (
    "1 ST21-001\n4 OP01-016\n4 ST21-015\n4 OP11-016\n4 OP14-015\n4 ST21-003\n4 ST31-004\n4 ST01-011\n4 OP14-013\n"
    "4 ST21-002\n4 OP10-011\n4 ST31-002\n4 ST31-005\n2 OP04-016\n"
)
ILLEGAL = LEGAL.replace("2 OP04-016", "1 OP04-016")  # 49 cards
EVENT = {
    "name": "Example Regional",
    "game": "optcg",
    "on": "2026-10-25",
    "timezone": "Europe/Berlin",
    "closes": "2026-10-25T09:00",
}


class Clock:
    """The time at an event, as a test sets it."""

    def __init__(self, at: str) -> None:
        self.set(at)

    def set(self, at: str) -> None:
        self.at = datetime.fromisoformat(at)

    def __call__(self) -> datetime:
        return self.at


class Visitor:
    """Somebody at an event, with a key or without."""

    def __init__(self, client, event_id, key=""):
        self.client, self.path, self.key = client, f"/v1/events/{event_id}", key

    def __call__(self, method, path="", **how):
        headers = how.pop("headers", {}) | ({"Authorization": f"Bearer {self.key}"} if self.key else {})
        answer = self.client.open(self.path + path, method=method, headers=headers, **how)
        assert_documented(answer, method, self.path + path)
        return answer

    def get(self, path=""):
        return self("GET", path)

    def post(self, path, json=None, **headers):
        return self("POST", path, json=json, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def put(self, path, json, tag=None):
        return self("PUT", path, json=json, headers={"If-Match": tag} if tag else {})

    def revise(self, rid, **said):
        """Change a registration as it stands now."""
        path = f"/registrations/{rid}"
        return self.put(path, said, self.get(path).headers["ETag"])

    def patch(self, path, **said):
        return self("PATCH", path, json=said)

    def delete(self, path=""):
        return self("DELETE", path)


class Hall:
    """An event with those who run it, and players who register."""

    def __init__(self, client, headers=None, **said):
        self.client = client
        self.begun = client.post("/v1/events", json=EVENT | said, headers=headers)
        assert self.begun.status_code == 201, self.begun.json
        self.id, keys = self.begun.json["id"], self.begun.json["keys"]
        self.organiser, self.judge, self.stranger = map(self.visitor, (keys["organiser"], keys["judge"], ""))

    def visitor(self, key):
        return Visitor(self.client, self.id, key)

    def register(self, player, by=None, **said):
        """Register a player; return the registration's id and the player."""
        answer = (by or self.stranger).post("/registrations", {"player": player, "decklist": LEGAL} | said)
        assert answer.status_code == 201, answer.json
        return answer.json["id"], self.visitor(answer.json["key"])


@pytest.fixture
def clock():
    return Clock("2026-10-20T12:00+02:00")


@contextmanager
def in_shared_memory():
    """A folder that no disk keeps waiting."""
    with TemporaryDirectory(dir=shared_memory()) as made_folder:
        yield Path(made_folder)


def made(clock, **settings):
    app = create_app(Settings(**{"key_attempts": ""} | settings))  # tables try every key at once
    app.extensions["deckproof"].desk.now = clock
    return app


def emptied(app, clock=None):
    """An application that others have used, as it was when nobody had, at a time that a test sets."""
    here = app.extensions["deckproof"]
    here.desk.now = clock
    with here.library.store().database.writing("everything") as connection:
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(table.delete())
    return app


@contextmanager
def asked():
    """What databases are asked meanwhile about events: now and then they are asked, too, for newer cards."""
    statements = []

    def note(connection, cursor, statement, *_):
        if "event" in statement:
            statements.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)


@pytest.fixture(scope="session")
def used():
    """An application on SQLite that many tests use one after another: a new one costs each more than all it asks."""
    with in_shared_memory() as data_dir:
        yield made(None, data_dir=data_dir)


@pytest.fixture(scope="session")
def used_elsewhere():
    """An application on PostgreSQL that many tests use one after another."""
    with in_shared_memory() as data_dir, own_schema() as url:
        app = made(None, data_dir=data_dir, database_url=url)
        app.extensions["deckproof"].library.store().database.upgrade()
        yield app


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.slow)])
def anywhere(request, clock):
    """An application on a database of either kind."""
    kind = {"SQLite": "used", "PostgreSQL": "used_elsewhere"}[request.param]
    return emptied(request.getfixturevalue(kind), clock)


@pytest.fixture
def folder():
    with in_shared_memory() as made_folder:
        yield made_folder


@pytest.fixture
def app(used, clock):
    return emptied(used, clock)


@pytest.fixture
def hall(app):
    return Hall(app.test_client())
