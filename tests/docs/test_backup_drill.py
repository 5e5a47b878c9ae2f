"""The drill of docs/how-to/backup.md: back up, lose the database, restore, and find registrations and keys again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import uuid
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from api.service.settings import Settings
from api.web.app import create_app
from carddb.library import Library
from tests.docs.guides import ROOT, read_blocks
from tests.postgres import SERVER
from tests.soon import SOON

BLOCKS = {
    block.marks["drill"]: block.text for block in read_blocks(ROOT / "docs/how-to/backup.md") if "drill" in block.marks
}
PAGE_URL = "postgresql://deckproof@127.0.0.1/deckproof"
DECK = "1 OP01-001\n4 OP01-016"

pytestmark = pytest.mark.slow


def run_block(name, settings, folder, database=""):
    """Run a block of the page as a person would, with the settings and the address of the database replaced."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "DECKPROOF_DATA_DIR": str(settings.data_dir),
        "DECKPROOF_DATABASE_URL": settings.database_url,
    }
    script = f"set -euo pipefail\n{BLOCKS[name].replace(PAGE_URL, database)}"
    ran = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, f"{script}\n{ran.stdout}{ran.stderr}"


class Running:
    """An application on a database, and what clients see of it."""

    def __init__(self, settings):
        self.settings = settings
        self.client = create_app(settings).test_client()

    def register(self):
        """Create an event with two registrations, one of which was changed. Return its keys and addresses."""
        event = self.client.post("/v1/events", json={"name": "Example", "game": "optcg", "on": SOON}).json
        path = f"/v1/events/{event['id']}"
        organiser, judge = event["keys"]["organiser"], event["keys"]["judge"]
        keys = {path: organiser, f"{path}/audit": organiser, f"{path}/roster": judge}
        for player in ("Invented Player", "Another Invented Player"):
            made = self.client.post(f"{path}/registrations", json={"player": player, "decklist": DECK})
            assert made.status_code == 201
            keys[f"{path}/registrations/{made.json['id']}"] = made.json["key"]
        changed = self.client.put(
            f"{path}/registrations/{made.json['id']}",
            json={"player": player, "decklist": f"{DECK}\n4 OP01-013"},
            headers={"If-Match": made.headers["ETag"], "Authorization": f"Bearer {made.json['key']}"},
        )
        assert changed.status_code == 200
        return keys

    def answers(self, keys):
        """Return the answer for each key by path, without the time of the answer."""
        bearers = {path: {"Authorization": f"Bearer {key}"} for path, key in keys.items()}
        found = {path: self.client.get(path, headers=bearer) for path, bearer in bearers.items()}
        assert {answer.status_code for answer in found.values()} == {200}
        return {path: answer.json | {"now": None} for path, answer in found.items()}

    def verdict(self):
        return self.client.post("/v1/validate", json={"game": "optcg", "decklist": DECK}).json


def assert_restored(running, keys, answers, verdict):
    assert running.verdict() == verdict
    assert running.answers(keys) == answers
    changed = [answer for path, answer in answers.items() if answer.get("revision") == 2]
    assert len(changed) == 1
    checked = subprocess.run(
        [Path(sys.executable).with_name("deckproof"), "db", "check"],
        env=os.environ
        | {
            "DECKPROOF_DATA_DIR": str(running.settings.data_dir),
            "DECKPROOF_DATABASE_URL": running.settings.database_url,
        },
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_lost_sqlite_database_is_restored_with_registrations_and_keys(tmp_path):
    settings = Settings(data_dir=tmp_path / "data")
    before = Running(settings)
    keys, verdict = before.register(), before.verdict()
    answers = before.answers(keys)
    run_block("back up SQLite", settings, tmp_path)
    shutil.rmtree(settings.data_dir)
    assert Running(settings).client.get(next(iter(keys))).status_code == 404
    run_block("restore SQLite", settings, tmp_path)
    assert_restored(Running(settings), keys, answers, verdict)


@contextmanager
def own_database():
    """Yield the URL of an empty PostgreSQL database, and what makes it empty again. Skip if none can be made."""
    if not all(map(shutil.which, ("pg_dump", "pg_restore"))):
        pytest.skip("needs pg_dump and pg_restore")
    pytest.importorskip("psycopg")
    name = f"deckproof_drill_{uuid.uuid4().hex[:12]}"
    server = sa.make_url(SERVER).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 2})

    def execute(*statements):
        with engine.connect() as connection:
            for statement in statements:
                connection.execute(sa.text(statement))

    drop, create = f"drop database if exists {name} with (force)", f"create database {name}"
    try:
        execute(create)
    except sa.exc.SQLAlchemyError as error:
        pytest.skip(f"no PostgreSQL database can be made: {str(error).splitlines()[0]}")
    try:
        yield (
            sa.make_url(SERVER).set(database=name).render_as_string(hide_password=False),
            lambda: execute(drop, create),
        )
    finally:
        execute(drop)
        engine.dispose()


def test_a_lost_postgresql_database_is_restored_with_registrations_and_keys(tmp_path):
    with own_database() as (url, empty_database):
        settings = Settings(data_dir=tmp_path / "data", database_url=url)
        Library(url).store().database.upgrade()
        before = Running(settings)
        keys, verdict = before.register(), before.verdict()
        answers = before.answers(keys)
        run_block("back up PostgreSQL", settings, tmp_path, url)
        empty_database()
        run_block("restore PostgreSQL", settings, tmp_path, url)
        assert_restored(Running(settings), keys, answers, verdict)
