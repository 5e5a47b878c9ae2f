"""Stored rows of events in an unexpected form: staff see which row and why, and nothing is changed or deleted."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa

from api.events.storage import retention
from api.events.storage.event_tables import CheckRow, EventRow, RegistrationRow, RevisionRow
from api.events.tournament import Tournament
from tests.api.events.conftest import LEGAL
from validator.rules import Policy

ODD_SETTINGS = (
    {"purge_days": "ninety"},
    {"on": None},
    {"on": "tomorrow"},
    {"closes": "soon"},
    {"visibility": None},
    {"visibility": {"lists": 3}},
    {"policy": {"side_max": "many"}},
    {"best_of": [3]},
    {"limits_list": {}},
)


@pytest.fixture
def database(app):
    return app.extensions["deckproof"].desk.store._database


def change(database, table, **values):
    """Change all rows of a table, as an older version or a person could have written them."""
    with database.writing("a test") as connection:
        connection.execute(sa.update(table).values(**values))


def change_settings(database, settings):
    [[details]] = database.rows(sa.select(EventRow.details))
    change(database, EventRow, details={**details, **settings})


@pytest.mark.parametrize("settings", ODD_SETTINGS, ids=json.dumps)
def test_staff_see_which_setting_cannot_be_read_and_strangers_nothing(app, hall, database, settings):
    code = hall.begun.json["code"]
    change_settings(database, settings)
    for path in ("", "/registrations", "/roster", "/audit"):
        answer = hall.organiser.get(path)
        assert answer.status_code == 409
        assert f"event {hall.id}" in answer.json["detail"]
        assert f"$.{next(iter(settings))}" in answer.json["detail"]
    answer = hall.organiser.post("/registrations", {"player": "Nami Cat", "decklist": LEGAL})
    assert answer.status_code == 409
    assert app.test_client().get(f"/v1/events/{hall.id}").status_code == 404
    assert app.test_client().get(f"/events/{hall.id}").status_code == 404
    assert app.test_client().get(f"/v1/events?code={code}").status_code == 404


def test_the_reason_is_in_the_language_of_the_request(hall, database):
    change_settings(database, {"purge_days": "ninety"})
    german = hall.organiser("GET", "", headers={"Accept-Language": "de"}).json["detail"]
    assert "Stored data" not in german
    assert "Expected" not in german


def test_an_event_that_cannot_be_read_does_not_stop_the_deletion_of_others(app, hall, database, clock, caplog):
    odd = hall.id
    change_settings(database, {"visibility": 3})
    client = app.test_client()
    other = client.post("/v1/events", json={"name": "Other", "game": "optcg", "on": "2026-11-21"}).json["id"]
    later = clock() + timedelta(days=4000)
    assert retention.end_retention(database, later, timedelta(days=7)).marked == 1
    assert odd in caplog.text
    rows = dict(database.rows(sa.select(EventRow.id, EventRow.deleted_on)))
    assert rows[odd] == "" < rows[other]


@pytest.mark.parametrize(
    ("table", "values"),
    [
        (RegistrationRow, {"until": "noon"}),
        (RevisionRow, {"at": "noon"}),
        (RevisionRow, {"deck": b"{}"}),
        (CheckRow, {"box": b"[1]"}),
        (CheckRow, {"notes": {"judge": "A"}}),
        (CheckRow, {"notes": {"started": 3}}),
    ],
)
def test_staff_see_which_row_cannot_be_read(hall, database, table, values):
    rid, _ = hall.register("Nami Cat")
    hall.judge.post("/checks", {"registration": rid})
    change(database, table, **values)
    answers = [hall.judge.get(path) for path in ("/registrations", f"/registrations/{rid}", "/checks")]
    assert {one.status_code for one in answers} <= {200, 409}
    refused = [one.json["detail"] for one in answers if one.status_code == 409]
    assert refused
    assert all("cannot be read (event_" in one for one in refused)


def test_settings_of_older_versions_are_read():
    details = {"name": "Regional", "game": "optcg", "on": "2026-11-21", "policy": {"side_max": 10, "limits": False}}
    times = {"opens": "2026-11-01T00:00:00+02:00", "closes": None, "unknown": 1}
    event = Tournament.from_row("e" * 30, 1, "2026-01-02T03:04:05+00:00", {**details, **times})
    assert event.policy == Policy(side_max=10, limits=False)
    assert event.opens is not None
    assert event.opens.isoformat() == "2026-11-01T00:00:00+02:00"
