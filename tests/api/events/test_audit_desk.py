"""Long audits: read in parts, each with the state of the whole audit."""

import json

import pytest
import sqlalchemy as sa

from api.events.base_desk import EventAccess
from api.events.event_desk import AuditDesk
from api.events.storage import event_reader
from api.events.storage.event_keys import ADMIN, Caller
from carddb.database import Database
from tests.api.events.conftest import Hall
from tests.api.events.long_audit import lengthen_audit


@pytest.fixture
def busy(anywhere):
    """An event with 11 entries in its audit."""
    hall = Hall(anywhere.test_client())
    for name in ("Ace", "Bonney", "Chopper", "Dragon"):
        hall.register(name)
    return hall


def numbers(answer):
    return [entry["number"] for entry in answer.json["entries"]]


def test_a_part_of_the_audit_has_the_state_of_the_whole(busy):
    whole = busy.organiser.get("/audit")
    assert (numbers(whole), whole.json["entries_total"]) == (list(range(1, 12)), 11)
    assert (whole.json["next"], "Link" in whole.headers) == (None, False)
    part = busy.organiser.get("/audit?after=2&limit=3")
    assert part.json["entries"] == whole.json["entries"][2:5]
    assert (part.json["next"], part.json["entries_total"]) == (5, 11)
    assert [part.json[name] for name in ("intact", "head")] == [whole.json[name] for name in ("intact", "head")]
    assert busy.organiser.get("/audit?after=11").json["entries"] == []
    assert busy.organiser.get("/audit?limit=0").status_code == 422
    assert busy.organiser.get("/audit?limit=10001").status_code == 422


@pytest.mark.parametrize("limit", [1, 4, 11])
def test_the_links_lead_to_every_entry_once(busy, limit):
    found, query = [], f"?limit={limit}"
    while query:
        answer = busy.organiser.get(f"/audit{query}")
        found += numbers(answer)
        link = answer.headers.get("Link", "")
        assert ('rel="next"' in link) == (answer.json["next"] is not None)
        query = link.partition("<")[2].partition(">")[0]
    assert found == list(range(1, 12))


def test_an_audit_of_many_parts_is_checked_as_a_whole(busy, anywhere, monkeypatch):
    monkeypatch.setattr(event_reader, "_ENTRIES_AT_ONCE", 2)
    assert busy.organiser.get("/audit?limit=1").json["intact"] is True
    with database_of(anywhere).writing("a test") as connection:
        connection.execute(sa.text("update event_audit set at = '2026' where number = 9"))
    first = busy.organiser.get("/audit?limit=1").json
    assert (first["intact"], first["broken_at"], len(first["entries"])) == (False, 9, 1)


def database_of(app) -> Database:
    return app.extensions["deckproof"].desk.store._database


@pytest.mark.parametrize(
    ("page", "shown"), [(1, [8, 9, 10, 11]), (2, [4, 5, 6, 7]), (3, [1, 2, 3]), (0, [8, 9, 10, 11]), (99, [1, 2, 3])]
)
def test_the_first_page_has_the_newest_entries(busy, anywhere, page, shown):
    desk = anywhere.extensions["deckproof"].desk
    with desk.store.reading() as reader:
        at = EventAccess(reader.event(busy.id), Caller(ADMIN))
    found = json.loads(AuditDesk(desk).audit_page(at, page, 4).body)
    assert ([entry["number"] for entry in found["entries"]], found["last"]) == (shown, 3)


@pytest.mark.slow
def test_an_answer_has_10000_entries_at_most(app):
    hall = Hall(app.test_client())
    lengthen_audit(database_of(app), hall.id, 10_001)
    first = hall.organiser.get("/audit").json
    assert (len(first["entries"]), first["next"], first["entries_total"], first["intact"]) == (
        10_000, 10_000, 10_001, True
    )  # fmt: skip
    assert numbers(hall.organiser.get("/audit?after=10000")) == [10_001]
