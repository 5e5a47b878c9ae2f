"""`deckproof db`: upgrades, backups, restores, checks and the status, on the command line."""

import shutil
import sqlite3
from contextlib import closing
from io import StringIO

import orjson
import pytest
from click.testing import CliRunner
from rich.console import Console

from api.cli import CommandError, cli, console, db
from api.service.settings import Settings
from api.web.app import create_app
from carddb import migrations
from carddb.database import Database
from carddb.snapshot_store import Store
from tests.carddb.cards import some_cards
from tests.carddb.old_databases import EVENT, KEY, REGISTRATION, make_old
from tests.postgres import own_schema
from tests.soon import SOON
from validator.language import ENGLISH

EVENTS = ("0007", "0008", "0009", "0010", "0011")
DECK = {"game": "optcg", "deck": {"leader": [{"number": "OP01-001", "count": 1}]}}
NEW_EVENT = {"name": "Example Regional", "game": "optcg", "on": SOON, "closes": f"{SOON}T09:00"}


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))

    def invoke(*arguments):
        return CliRunner().invoke(cli, ["db", *map(str, arguments)], prog_name="deckproof")

    return invoke


@pytest.fixture
def file(tmp_path):
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "deckproof.db"


@pytest.fixture
def url(file):
    return f"sqlite:///{file}"


def execute(file, statement, *values):
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


def test_an_upgrade_of_an_older_database_keeps_a_copy_from_before(run, file, url):
    make_old(url, "0005")
    assert run("upgrade").exit_code == 0
    assert Database(url).revision() == migrations.HEAD
    assert Database(f"{url}.before-0005").revision() == "0005"
    assert run("upgrade").exit_code == 0
    assert sorted(path.name for path in file.parent.iterdir() if "before" in path.name) == ["deckproof.db.before-0005"]


@pytest.mark.parametrize("revision", ["0009", "0010", "0016"])
def test_an_upgrade_that_removes_webhooks_names_what_replaces_them(run, file, url, revision):
    make_old(url, revision)
    had_webhooks = revision >= "0010"
    if had_webhooks:
        row = ("an invented id", "https://example.org/other", "[]", "[]", "2025-01-01", "f", "2025-01-01", 0, "")
        columns = "id, url, games, kinds, since, fingerprint, created, failures, problem"
        execute(file, f"insert into webhook ({columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)
    done = run("upgrade")
    shown = [text in done.stdout for text in ("2 webhooks", "/v1/changes ", "/v1/changes.atom")]
    assert (done.exit_code, shown) == (0, [had_webhooks] * 3)
    assert Database(f"{url}.before-{revision}").revision() == revision
    assert "webhook" not in run("upgrade").stdout


@pytest.mark.slow
def test_postgresql_is_upgraded_once_there_is_a_dump(run, monkeypatch):
    with own_schema() as url:
        monkeypatch.setenv("DECKPROOF_DATABASE_URL", url)
        make_old(url, "0005")
        refused = run("upgrade")
        assert (refused.exit_code, Database(url).revision()) == (2, "0005")
        assert "pg_dump" in refused.stderr
        assert (run("upgrade", "--yes").exit_code, Database(url).revision()) == (0, migrations.HEAD)
        assert run("upgrade").exit_code == 0


def test_an_upgrade_without_a_dump_is_refused_at_the_terminal(monkeypatch, url):
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    with pytest.raises(CommandError, match="Nothing was changed"):
        db._ask_for_dump(Database(url), ENGLISH)


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.mark.slow
def test_an_empty_postgresql_database_needs_no_dump(run, monkeypatch):
    with own_schema() as url:
        monkeypatch.setenv("DECKPROOF_DATABASE_URL", url)
        assert run("upgrade").exit_code == 0
        assert (run("check").exit_code, run("status").exit_code) == (0, 0)
        status = orjson.loads(run("status", "--json").stdout)
        assert (status["revision"], status["snapshots"], status["free"]) == (migrations.HEAD, 0, None)
        for command in ("backup", "restore"):
            assert run(command, "copy.db").exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("revision", EVENTS)
def test_events_of_older_versions_open_after_an_upgrade(run, file, url, revision):
    make_old(url, revision)
    assert (run("upgrade").exit_code, run("check").exit_code) == (0, 0)
    client = create_app(Settings(data_dir=file.parent)).test_client()
    event = client.get(f"/v1/events/{EVENT}", headers=bearer(KEY))
    assert (event.status_code, event.json["name"]) == (200, "Example Regional")
    registration = client.get(f"/v1/events/{EVENT}/registrations/{REGISTRATION}", headers=bearer(KEY))
    assert (registration.status_code, registration.json["player"]) == (200, "Invented Player")
    audit = client.get(f"/v1/events/{EVENT}/audit", headers=bearer(KEY))
    assert (audit.status_code, audit.json["intact"]) == (200, True)


@pytest.mark.slow
def test_a_lost_data_folder_is_restored_with_its_verdicts_events_and_keys(run, tmp_path):
    settings = Settings(data_dir=tmp_path / "data")
    client = create_app(settings).test_client()
    made = client.post("/v1/events", json=NEW_EVENT).json
    verdict = client.post("/v1/validate", json=DECK).json
    saved = run("backup", tmp_path / "copy.db")
    secret = settings.data_dir / "secret_key"
    assert not secret.exists() or str(secret) in saved.stdout
    shutil.rmtree(settings.data_dir)
    assert run("restore", tmp_path / "copy.db").exit_code == 0
    client = create_app(settings).test_client()
    assert client.post("/v1/validate", json=DECK).json == verdict
    for key in made["keys"].values():
        found = client.get(f"/v1/events/{made['id']}", headers=bearer(key))
        assert (found.status_code, found.json["name"]) == (200, "Example Regional")
    assert run("check").exit_code == 0


def test_what_a_backup_lacks_is_named(run, file, url, tmp_path, monkeypatch):
    Store(url).import_cards("dbs", some_cards(3), "x")
    (file.parent / "secret_key").write_text("an invented secret")
    assert str(file.parent / "secret_key") in run("backup", tmp_path / "a.db").stdout
    monkeypatch.setenv("DECKPROOF_SECRET_KEY", "another-invented-secret")
    assert "DECKPROOF_SECRET_KEY" in run("backup", tmp_path / "b.db").stdout


def test_a_sound_database_is_sound(run, url):
    make_old(url, "0011")
    run("upgrade")
    done = run("check")
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        ("update snapshot_cards set data = x'00'", "optcg-20250101-older"),
        ("delete from event_registration", "event_registration"),
        ("delete from event_audit where number = 2", EVENT),
        ("update event_audit set action = 'removed' where number = 1", EVENT),
    ],
)
def test_what_is_damaged_is_named(run, file, url, damage, named):
    make_old(url, "0011")
    run("upgrade")
    execute(file, damage)
    done = run("check")
    assert (done.exit_code, named in done.stdout) == (1, True)


def test_a_damaged_file_is_damaged(run, file, url):
    Store(url).import_cards("dbs", some_cards(3), "x")
    file.write_bytes(file.read_bytes()[:50_000])
    assert run("check").exit_code == 1
    file.write_bytes(b"no database " * 1000)
    assert run("check").exit_code == 1


def test_a_database_that_cannot_be_checked_is_unusable(run, url):
    assert run("check").exit_code == 2
    make_old(url, "0010")
    assert run("check").exit_code == 2


@pytest.mark.parametrize("revision", ["0001", "0007", "0011"])
def test_the_status_names_the_revision_and_what_fills_the_database(run, url, revision):
    make_old(url, revision)
    status = orjson.loads(run("status", "--json").stdout)
    assert (status["revision"], status["newest_revision"]) == (revision, migrations.HEAD)
    assert status["snapshots"] == 2
    assert status["events"] == (1 if revision >= "0007" else 0)
    assert status["newest_write"] == "2025-01-02T03:04:05.000006+00:00"
    rows = {kind["kind"]: kind["rows"] for kind in status["usage"]}
    assert rows["cards"] == 6
    assert sum(kind["bytes"] or 0 for kind in status["usage"]) <= status["bytes"]
    assert run("status").exit_code == 0


def test_the_status_has_its_labels_on_a_terminal_too(run, url, monkeypatch):
    make_old(url, "0011")
    size = orjson.loads(run("status", "--json").stdout)["bytes"]
    shown = StringIO()
    monkeypatch.setattr(console, "_terminal", lambda: Console(file=shown, width=100))
    assert run("status").exit_code == 0
    assert "schema revision: 0011" in shown.getvalue()
    assert f"size: {size / 1_000_000:.1f} MB" in shown.getvalue()
    assert "newest write: 2025-01-02" in shown.getvalue()


def test_a_database_with_a_worker_is_not_replaced(run, url, tmp_path):
    from api.jobs.heartbeats import Heartbeats, worker_name

    Store(url).import_cards("dbs", some_cards(3), "x")
    run("backup", tmp_path / "copy.db")
    Heartbeats(Database(url)).beat(worker_name())
    assert run("restore", tmp_path / "copy.db", "--force").exit_code == 2
    Heartbeats(Database(url)).leave(worker_name())
    assert run("restore", tmp_path / "copy.db").exit_code == 2
    assert run("restore", tmp_path / "copy.db", "--force").exit_code == 0


def test_restore_replaces_an_unreadable_database_and_renames_it(run, file, url, tmp_path):
    Store(url).import_cards("dbs", some_cards(3), "x")
    run("backup", tmp_path / "copy.db")
    file.write_bytes(b"no database " * 1000)
    assert run("restore", tmp_path / "copy.db").exit_code == 2
    done = run("restore", tmp_path / "copy.db", "--force")
    (kept,) = (path for path in file.parent.iterdir() if path.read_bytes()[:11] == b"no database")
    assert (done.exit_code, str(kept) in done.stdout) == (0, True)
    assert [snapshot.cards for snapshot in Store(url).snapshots()] == [3]
