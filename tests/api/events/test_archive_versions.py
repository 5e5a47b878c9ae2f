"""Archives of every version: each is imported by today's deckproof, and exported again with the same content."""

import hashlib
import json
from dataclasses import MISSING, fields
from inspect import signature

import pytest

from api.events.judging.deck_checks import CheckNotes
from api.events.storage import event_archive
from api.events.storage.archive_rows import ADDED_COLUMNS, ADDED_TABLES, TABLES, VERSION, WITHOUT_MAC, complete_rows
from api.events.tournament import Tournament, Visibility
from api.service.errors import Unusable
from tests.api.events.archives import ARCHIVES, HERE, OF_THE_FIRST_VERSION, store_of

NEWEST = json.loads(ARCHIVES[f"version_{VERSION}"])["rows"]
FIRST = json.loads(OF_THE_FIRST_VERSION)["rows"]
COLUMNS = [(name, column.name) for name, table in TABLES.items() for column in table.__table__.columns]


def content(rows):
    """The rows without the audit, and without what an import and an export change of the event."""
    (event,) = rows["event"]
    details = {name: value for name, value in event["details"].items() if name != "verified"}
    kept = {name: event[name] for name in ("id", "created", "purged", "size")}
    return {name: rows[name] for name in TABLES if name != "audit"} | {"event": kept | {"details": details}}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_of_every_version_is_imported_and_exported_again(app, clock, name):
    data, store = ARCHIVES[name], store_of(app)
    written = json.loads(data)
    archive = event_archive.read(data, HERE, allow_unverified=True)
    assert archive.is_verified is (written["version"] != WITHOUT_MAC)
    id = event_archive.import_event(store, archive, clock())
    again = event_archive.export_event(store, id, HERE, clock())
    now = json.loads(again.data)
    assert now["version"] == VERSION
    assert content(now["rows"]) == content(complete_rows(written["rows"]))
    audit = written["rows"]["audit"]
    assert now["rows"]["audit"][: len(audit)] == audit
    assert now["rows"]["event"][0]["details"].get("verified", True) is archive.is_verified
    assert event_archive.read(again.data, HERE).is_verified


def test_there_is_an_example_archive_of_each_version():
    assert {json.loads(data)["version"] for data in ARCHIVES.values()} == set(range(1, VERSION + 1))


def test_the_newest_version_has_all_columns():
    """If this fails, a column is new: raise VERSION, add the column to ADDED_COLUMNS, write the example archive."""
    assert [(name, column) for name in TABLES for column in NEWEST[name][0]] == sorted(COLUMNS, key=_place)


def _place(column):
    return list(TABLES).index(column[0]), column[1]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_column_that_the_first_version_lacks_has_a_default(table, column):
    later = {(added.table, added.name) for added in ADDED_COLUMNS}
    assert table in ADDED_TABLES or column in FIRST[table][0] or (table, column) in later


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (Tournament, FIRST["event"][0]["details"].keys() | {"id"}),
        (Visibility, FIRST["event"][0]["details"]["visibility"].keys()),
    ],
)
def test_a_setting_that_the_first_version_lacks_has_a_default(kind, written):
    new = [one for one in fields(kind) if one.name not in written]
    assert [one.name for one in new if one.default is MISSING and one.default_factory is MISSING] == []


def test_a_note_of_a_check_that_the_first_version_lacks_has_a_default():
    new = [one for one in signature(CheckNotes).parameters.values() if one.name not in FIRST["checks"][0]["notes"]]
    assert [one.name for one in new if one.default is one.empty] == []


def test_a_newer_version_names_the_deckproof_that_wrote_it():
    newer = {"format": "deckproof-event", "version": VERSION + 1, "deckproof": "9.8.7", "more": True}
    with pytest.raises(Unusable, match=rf"version is {VERSION + 1}.*9\.8\.7"):
        event_archive.read(json.dumps(newer).encode(), HERE, allow_unverified=True)


def test_a_column_is_missing_only_in_archives_from_before_it():
    for name in ("version_2", f"version_{VERSION}"):
        changed = json.loads(ARCHIVES[name])
        del changed["rows"]["registrations"][0]["email"]
        with pytest.raises(Unusable, match="email"):
            event_archive.read(json.dumps(changed).encode(), HERE, allow_unverified=True)


def test_the_first_version_is_also_read_without_tables_and_addresses(app, clock):
    written = json.loads(OF_THE_FIRST_VERSION)
    for row in written["rows"]["registrations"]:
        del row["table"], row["email"]
    for row in written["rows"]["expected"]:
        del row["email"]
    written["sha256"] = hashlib.sha256(event_archive._encode(written["rows"])).hexdigest()
    archive = event_archive.read(json.dumps(written).encode(), HERE, allow_unverified=True)
    id = event_archive.import_event(store_of(app), archive, clock())
    with store_of(app).reading() as reader:
        assert {tuple(one.where) for one in reader.entrants(id)} == {("", "")}
