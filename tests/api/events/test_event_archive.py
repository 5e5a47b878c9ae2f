"""One event as one file: imported elsewhere it is the same, and what was changed or is hostile is refused."""

import json
from base64 import b64encode
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.events.storage import event_archive
from api.events.storage.archive_rows import VERSION
from api.events.storage.event_store import EventStore
from api.service.errors import Unusable
from carddb.database import Database
from tests.api.events.archives import ARCHIVES, HERE, exported, filled, store_of
from tests.api.events.conftest import Clock, Hall, emptied, made
from tests.postgres import own_schema
from tests.soon import SOON


@contextmanager
def empty(kind, folder):
    """A database of a kind with nothing in it."""
    if kind == "SQLite":
        yield Database(f"sqlite:///{folder / 'other.db'}")
        return
    with own_schema() as url:
        database = Database(url)
        database.upgrade()
        yield database


@pytest.fixture(scope="module")
def export(used):
    app = emptied(used, Clock("2026-10-20T12:00+02:00"))
    return exported(app, filled(app))


@pytest.fixture(scope="module")
def archive(export):
    return export.data


@pytest.mark.parametrize("kind", ["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.slow)])
def test_an_event_is_the_same_elsewhere(anywhere, clock, folder, kind):
    hall = filled(anywhere)
    data = exported(anywhere, hall).data
    with empty(kind, folder) as database:
        store = EventStore(database)
        assert event_archive.import_event(store, event_archive.read(data, HERE), clock()) == hall.id
        assert event_archive.export_event(store, hall.id, HERE, clock()).data == data
        assert [(one.id, one.players) for one in store.list_events()] == [(hall.id, 5)]
        with pytest.raises(Unusable, match="here already"):
            event_archive.import_event(store, event_archive.read(data, HERE), clock())


def test_the_seed_of_the_deck_checks_is_the_same_elsewhere(app, clock, folder):
    hall = Hall(app.test_client())
    hall.judge.post("/checks:seed", {"seed": "seven"})
    data = exported(app, hall).data
    with empty("SQLite", folder) as database:
        store = EventStore(database)
        event_archive.import_event(store, event_archive.read(data, HERE), clock())
        with store.reading() as reader:
            assert reader.seed(reader.event(hall.id)) == "seven"
    details = json.loads(data)["rows"]["event"][0]["details"]
    for wrong in ("x" * 101, "two\nlines"):
        with pytest.raises(Unusable, match="seed"):
            event_archive.read(change_row(data, "event", 0, details=details | {"check_seed": wrong}), HERE)


def test_who_had_a_key_has_it_after_a_restore(app, clock):
    hall = filled(app)
    before = [hall.judge.get(path).data for path in ("/registrations", "/checks", "/expected", "/missing")]
    data = exported(app, hall).data
    for secret in (hall.judge.key, hall.organiser.key):
        assert secret.encode() not in data
    hall.organiser.delete("?now=true")
    event_archive.import_event(store_of(app), event_archive.read(data, HERE), clock())
    assert [hall.judge.get(path).data for path in ("/registrations", "/checks", "/expected", "/missing")] == before
    audit = hall.organiser.get("/audit").json
    assert (audit["intact"], audit["verified"]) == (True, True)


def test_an_export_is_in_the_audit_once_for_each_state_of_an_event(app):
    hall = Hall(app.test_client())
    first = exported(app, hall)
    assert exported(app, hall) == first
    hall.register("Nami Cat")
    second = exported(app, hall)
    audit = hall.organiser.get("/audit").json
    assert [entry["by"] for entry in audit["entries"] if entry["action"] == "exported"] == ["admin", "admin"]
    assert (audit["intact"], audit["head"]) == (True, second.audit_head)


@pytest.mark.parametrize(("roster", "words"), [("players", 2), ("public", 3)])
def test_the_join_code_and_the_deadline_are_the_same_elsewhere(app, clock, folder, roster, words):
    hall = Hall(app.test_client(), visibility={"roster": roster}, closes="2026-10-25T07:56:11.939Z")
    data = exported(app, hall).data
    details = json.loads(data)["rows"]["event"][0]["details"]
    assert ("code_words" in details) is (words == 3)  # archives of older versions have none
    assert details["closes"] == "2026-10-25T07:56:11.939000+00:00"
    there = made(clock, data_dir=folder)
    event_archive.import_event(store_of(there), event_archive.read(data, HERE), clock())
    elsewhere = there.test_client()
    shown = elsewhere.get(f"/v1/events?code={hall.begun.json['code']}").json
    assert len(shown["code"].split("-")) == words
    assert [shown[name] for name in ("id", "code", "closes")] == [
        hall.begun.json[name] for name in ("id", "code", "closes")
    ]


@pytest.mark.parametrize("words", [1, 4, "3", None])
def test_a_code_of_other_words_is_refused(archive, words):
    details = json.loads(archive)["rows"]["event"][0]["details"] | {"code_words": words}
    with pytest.raises(Unusable, match="details"):
        event_archive.read(change_row(archive, "event", 0, details=details), HERE)


def change_row(data, table, place, **values):
    """A file with other values in a row."""
    said = json.loads(data)
    said["rows"][table][place] |= values
    return json.dumps(said).encode()


def _box(copies):
    """Return what lay in a box, as it is kept: so many copies of one card."""
    return b64encode(f'[[],[["OP01-016",{copies},null,null,null]],[],[],[],[]]'.encode()).decode()


@pytest.mark.parametrize(
    ("table", "values", "where"),
    [
        ("audit", {"by": "organiser"}, "entry 1"),
        ("revisions", {"player": "Somebody Else"}, r"revisions\[0\]"),
        ("revisions", {"deck": "bm90aGluZw=="}, r"revisions\[0\]"),
        ("keys", {"role": "admin"}, r"keys\[0\]"),
        ("keys", {"id": "0" * 30}, r"keys\[0\]"),
        ("keys", {"hash": "0" * 64}, r"keys\[0\]"),
        ("keys", {"revoked": "2026-10-20T10:00:00+00:00"}, r"keys\[0\]"),
        ("registrations", {"event_id": "0" * 30}, r"registrations\[0\]"),
        ("registrations", {"latest": 9}, "registrations"),
        ("registrations", {"version": -1}, r"registrations\[0\]\.version"),
        ("registrations", {"created": "yesterday"}, r"registrations\[0\]"),
        ("registrations", {"email": "a\0b"}, r"registrations\[0\]"),
        ("registrations", {"email": "a@example.com\nBcc: b@example.com"}, r"registrations\[0\]"),
        ("registrations", {"until": "0001-01-01T00:00:00+23:59"}, r"registrations\[0\]"),
        ("revisions", {"at": "9999-12-31T23:59:59-23:59"}, r"revisions\[0\]"),
        ("checks", {"revision": 99}, "checks"),
        ("checks", {"notes": {}}, r"checks\[0\]"),
        ("event", {"audited": 1}, "rows.audit"),
        ("event", {"details": {"name": 7}}, "details"),
        ("event", {"odd": 1}, "odd"),
        ("event", {"purged": "9999-12-31"}, "details"),
        ("event", {"purged": "tomorrow"}, "details"),
        ("checks", {"box": _box(10**20)}, r"checks\[0\]"),
        ("revisions", {"by": "nobody 7"}, r"revisions\[0\]"),
        ("checks", {"box": _box(-5)}, r"checks\[0\]"),
    ],
)
def test_a_file_that_was_changed_is_refused_and_says_where(archive, table, values, where):
    with pytest.raises(Unusable, match=where):
        event_archive.read(change_row(archive, table, 0, **values), HERE)


@pytest.mark.parametrize(
    "more",
    [
        {"judge": 7},
        {"outcome": "lost"},
        {"infraction": "none"},
        {"penalty": "Exile"},
        {"grace": 10**20},
        {"grace": "3"},
        {"looked_at": ["attic"]},
        {"looked_at": 7},
        {"started": "0001-01-01T00:00:00+23:59"},
    ],
)
def test_notes_that_no_judge_can_have_written_are_refused(archive, more):
    notes = json.loads(archive)["rows"]["checks"][0]["notes"]
    with pytest.raises(Unusable, match=r"checks\[0\]"):
        event_archive.read(change_row(archive, "checks", 0, notes=notes | more), HERE)


@pytest.mark.parametrize("more", [{"role": "organiser"}, {"revoked": None}])
def test_a_key_that_was_revoked_or_a_judges_is_none_of_an_organiser_elsewhere(app, more):
    hall = Hall(app.test_client())
    made = hall.organiser.post("/keys", {"name": "Table 1"}).json["id"]
    hall.organiser.delete(f"/keys/{made}")
    data = exported(app, hall).data
    place = [row["id"] for row in json.loads(data)["rows"]["keys"]].index(made)
    assert event_archive.read(data, HERE).is_verified
    with pytest.raises(Unusable, match=rf"keys\[{place}\]"):
        event_archive.read(change_row(data, "keys", place, **more), HERE)


def test_a_player_with_another_key_is_taken_in(app):
    hall = Hall(app.test_client())
    rid, _ = hall.register("Nami Cat")
    hall.judge.post(f"/registrations/{rid}/key")
    rows = event_archive.read(exported(app, hall).data, HERE).rows
    assert sorted(row["revoked"] is None for row in rows["keys"] if row["role"] == "player") == [False, True]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b'{"rows":' * 100_000,
        b'{"format":"deckproof-event","version":2}',
        b'{"format":"deckproof-event","version":0}',
        b'{"format":"another","version":2}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_archive_is_refused(data):
    with pytest.raises(Unusable):
        event_archive.read(data, HERE, allow_unverified=True)


def test_a_wrong_head_is_answered_with_the_head_or_the_entry(archive):
    audit = json.loads(archive)["rows"]["audit"]
    assert event_archive.read(archive, HERE, f" {audit[-1]['hash'].upper()}\n").is_verified
    for head, shown in (("0" * 64, audit[-1]["hash"]), (audit[0]["hash"], "entry 1 "), (audit[3]["hash"], "entry 4 ")):
        with pytest.raises(Unusable, match=shown):
            event_archive.read(archive, HERE, head)


def test_an_archive_that_is_too_large_is_refused(archive, monkeypatch):
    monkeypatch.setattr(event_archive, "LARGEST_ARCHIVE", len(archive))
    assert event_archive.read(archive, HERE).is_verified
    monkeypatch.setattr(event_archive, "LARGEST_ARCHIVE", len(archive) - 1)
    with pytest.raises(Unusable, match="bytes"):
        event_archive.read(archive, HERE)


@pytest.mark.parametrize("name", ['"format"', '"player"', '"action"', '"details"'])
def test_a_name_that_is_twice_in_an_object_is_refused(archive, name):
    text = archive.decode()
    value, _ = json.JSONDecoder().raw_decode(text, text.index(f"{name}:") + len(name) + 1)
    doubled = text.replace(f"{name}:", f"{name}:{json.dumps(value)},{name}:", 1).encode()
    with pytest.raises(Unusable, match="twice"):
        event_archive.read(doubled, HERE)


@pytest.mark.parametrize(("writer", "named"), [("99.1", "'99.1'"), ("", "Update to a newer")])
def test_an_archive_of_a_newer_version_names_what_to_update_to(writer, named):
    head = {"format": event_archive.FORMAT, "version": VERSION + 1} | ({"deckproof": writer} if writer else {})
    with pytest.raises(Unusable, match=named):
        event_archive.read(json.dumps(head).encode(), HERE)


def test_the_digest_of_an_export_is_that_of_its_rows(archive):
    first = json.loads(ARCHIVES["version_1"])
    first["sha256"] = "0" * 64
    with pytest.raises(Unusable, match="sha256"):
        event_archive.parse_archive(json.dumps(first).encode())
    newest = json.loads(ARCHIVES[f"version_{VERSION}"])
    newest["salt"] = newest["salt"][::-1]
    with pytest.raises(Unusable, match="digest"):
        event_archive.parse_archive(json.dumps(newest).encode())


def test_an_event_that_was_to_be_deleted_is_not_taken_in(app, archive, clock):
    clock.set("2030-01-01T00:00+00:00")
    with pytest.raises(Unusable, match="deleted on 2027-01-23"):
        event_archive.import_event(store_of(app), event_archive.read(archive, HERE), clock())


def test_the_command_backs_up_and_restores(clock, folder, tmp_path, monkeypatch):
    hall = Hall(made(clock, data_dir=folder).test_client(), on=SOON, closes=None)
    hall.register("Nami Cat")
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(folder))
    kept = tmp_path / "event.json"

    def run(*arguments):
        return CliRunner().invoke(cli, ["events", *arguments], prog_name="deckproof")

    assert [one["id"] for one in json.loads(run("list", "--json").output)] == [hall.id]
    assert run("export", hall.id, "-o", str(kept)).exit_code == 0
    assert kept.stat().st_mode & 0o077 == 0
    assert run("export", hall.id, "-o", str(kept)).exit_code == 2
    assert run("export", "0" * 30, "-o", str(tmp_path / "other.json")).exit_code == 2
    assert run("import", str(kept)).exit_code == 2
    hall.organiser.delete("?now=true")
    head = json.loads(kept.read_text())["rows"]["event"][0]["audit_head"]
    monkeypatch.setenv("DECKPROOF_SECRET_KEY", "another-server-" * 4)
    assert run("import", str(kept)).exit_code == 2
    assert "unverified" in run("import", str(kept), "--unverified").output
    hall.organiser.delete("?now=true")
    assert "unverified" not in run("import", str(kept), "--head", head).output
    hall.organiser.delete("?now=true")
    monkeypatch.delenv("DECKPROOF_SECRET_KEY")
    assert run("import", str(kept)).exit_code == 0
    assert "Example Regional" in run("list").output
    assert hall.judge.get("/registrations").json["registrations"][0]["player"] == "Nami Cat"
