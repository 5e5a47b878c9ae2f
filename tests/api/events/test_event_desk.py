"""Who creates events, for which days, how many of them strangers do, and how much they may store."""

import json
from datetime import timedelta
from importlib import import_module

import pytest
import sqlalchemy as sa
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext

from api.events import event_desk
from api.events.base_desk import EventLimits
from api.events.event_json import ShownEventJSON
from api.events.storage import event_archive
from api.events.storage.event_tables import EventRow
from api.events.storage.retention import end_retention
from api.events.tournament import UNIQUE_DIGITS
from tests.api.events.archives import HERE, store_of
from tests.api.events.conftest import EVENT, LEGAL, Hall, made
from tests.api.service.answer_types import assert_described

ADMIN = "an-admin-key-of-this-test"
AS_ADMIN = {"Authorization": f"Bearer {ADMIN}"}


@pytest.fixture
def opened(clock, folder):
    """A server with an admin key on which an address may create three events a day without it."""
    return made(clock, data_dir=folder, admin_key=ADMIN, open_events="3/day", max_events=10)


def create(app, address="192.0.2.7", key="", headers=None, **said):
    """Create an event from an address."""
    sent = (headers or {}) | ({"Authorization": f"Bearer {key}"} if key else {})
    environment = {"REMOTE_ADDR": address}
    return app.test_client().post("/v1/events", json=EVENT | said, headers=sent, environ_base=environment)


def statuses(answers):
    return [answer.status_code for answer in answers]


def pointers(answer):
    return [error["pointer"] for error in answer.json["errors"]]


def test_without_an_open_setting_only_the_admin_creates_events(clock, folder):
    app = made(clock, data_dir=folder, admin_key=ADMIN)
    assert statuses(create(app, key=key) for key in ("", "a-wrong-key-of-nobody", ADMIN)) == [404, 404, 201]


def test_an_address_creates_as_many_events_as_the_setting_says(opened):
    assert statuses(create(opened) for _ in range(5)) == [201, 201, 201, 429, 429]
    assert int(create(opened).headers["Retry-After"]) > 80_000
    assert create(opened, "192.0.2.8").status_code == 201
    assert create(opened, key=ADMIN).status_code == 201
    assert create(opened, key="a-wrong-key-of-nobody").status_code == 404


def test_addresses_of_one_network_are_counted_together(opened):
    assert statuses(create(opened, f"2001:db8::{number}") for number in range(1, 5)) == [201, 201, 201, 429]
    assert create(opened, "2001:db8:0:1::1").status_code == 201


def test_a_request_that_comes_again_is_counted_once(opened):
    first = create(opened, headers={"Idempotency-Key": "a-random-key-of-mine"})
    assert statuses(create(opened) for _ in range(3)) == [201, 201, 429]
    again = create(opened, headers={"Idempotency-Key": "a-random-key-of-mine"})
    assert (again.status_code, again.json) == (201, first.json)


def test_strangers_create_half_of_the_events_and_the_admin_all(opened):
    strangers = [create(opened, f"192.0.2.{number}") for number in range(7)]
    assert statuses(strangers) == [201] * 5 + [429] * 2
    assert strangers[-1].headers["Retry-After"] == "3600"
    assert statuses(create(opened, key=ADMIN) for _ in range(6)) == [201] * 5 + [503]


def test_a_server_without_an_admin_key_limits_nobody(app):
    assert statuses(create(app) for _ in range(30)) == [201] * 30
    assert create(app).json["unused_until"] is None


@pytest.mark.parametrize(
    ("day", "status"), [("2028-10-20", 201), ("2028-10-21", 422), ("2999-12-31", 422), ("2026-10-19", 201)]
)
def test_the_day_is_at_most_two_years_ahead(app, day, status):
    answer = create(app, on=day, closes=None)
    assert answer.status_code == status
    assert status == 201 or pointers(answer) == ["/on"]


def test_a_past_day_is_confirmed_where_strangers_come(opened):
    assert create(opened, key=ADMIN, on="2026-10-19", closes=None).status_code == 201
    refused = create(opened, key=ADMIN, on="2026-10-18", closes=None)
    assert (refused.status_code, pointers(refused)) == (422, ["/on"])
    assert create(opened, key=ADMIN, on="2026-10-18", closes=None, confirm=True).status_code == 201


def test_a_day_is_moved_into_the_past_only_if_confirmed(hall):
    refused = hall.organiser.patch("", on="2025-10-25")
    assert (refused.status_code, pointers(refused)) == (422, ["/on"])
    assert hall.organiser.patch("", on="2029-10-25").status_code == 422
    assert hall.organiser.patch("", place="Hall 7").status_code == 200
    assert hall.organiser.patch("", on="2025-10-25", confirm=True).json["on"] == "2025-10-25"
    assert hall.organiser.patch("", on="2026-09-01").status_code == 200  # nearer again


def test_the_retention_counts_from_the_creation_if_the_day_is_earlier(app):
    past = Hall(app.test_client(), on="2020-02-29", closes=None, purge_days=10, confirm=True)
    assert past.begun.json["purged"] == "2026-10-30"
    assert past.stranger.get().json["purged"] == "2026-10-30"
    assert Hall(app.test_client(), purge_days=10).begun.json["purged"] == "2026-11-04"


def test_an_upgrade_counts_the_retention_from_the_creation(anywhere):
    past = Hall(anywhere.test_client(), on="2020-02-29", closes=None, purge_days=10, confirm=True)
    later = Hall(anywhere.test_client(), purge_days=10)
    migration = import_module("carddb.migrations.versions.0012_late_events")
    database = anywhere.extensions["deckproof"].library.store().database
    with database.writing("all") as connection:
        connection.execute(sa.update(EventRow).where(EventRow.id == past.id).values(purged="2020-03-10"))
        with Operations.context(MigrationContext.configure(connection)):
            migration.upgrade()
    store = store_of(anywhere)
    assert {event.id: event.purged for event in store.list_events()} == {past.id: "2026-10-30", later.id: "2026-11-04"}


def test_a_strangers_event_is_kept_for_a_year_at_most(opened):
    refused = create(opened, purge_days=366)
    assert (refused.status_code, pointers(refused)) == (422, ["/purge_days"])
    hall = Hall(opened.test_client(), purge_days=365)
    assert hall.organiser.patch("", purge_days=366).status_code == 422
    assert create(opened, key=ADMIN, purge_days=3650).status_code == 201


def count_removed(app, clock, days):
    """The number of events that are removed after some days."""
    database = app.extensions["deckproof"].library.store().database
    return end_retention(database, clock() + timedelta(days=days), timedelta(days=14)).removed


def test_an_unused_event_of_a_stranger_is_deleted(anywhere, clock, monkeypatch):
    desk = anywhere.extensions["deckproof"].desk
    monkeypatch.setattr(desk, "bounds", EventLimits(admin_key=ADMIN, are_events_open=True))
    assert create(anywhere).json["unused_until"] == "2026-11-03"
    assert create(anywhere, key=ADMIN).json["unused_until"] is None
    with desk.store.reading() as reader:
        assert (reader.count_events(), reader.count_strangers_events()) == (2, 1)
    assert (count_removed(anywhere, clock, 13), count_removed(anywhere, clock, 14)) == (0, 1)


def test_an_event_that_opens_later_is_not_unused_before(opened, clock):
    said = {"on": "2027-02-01", "opens": "2027-01-01T09:00", "closes": None}
    assert create(opened, **said).json["unused_until"] == "2027-01-15"
    # What opens after its day is not kept the longer for it.
    assert create(opened, **said | {"opens": "2999-01-01T00:00"}).json["unused_until"] == "2027-02-15"
    assert count_removed(opened, clock, 60) == 0


@pytest.mark.parametrize("use", ["register", "change", "expect", "add a key"])
def test_an_event_that_is_used_is_kept(opened, clock, use):
    hall = Hall(opened.test_client())
    if use == "register":
        hall.register("Nami Cat")
    elif use == "change":
        assert hall.organiser.patch("", place="Hall 7").status_code == 200
    elif use == "expect":
        hall.organiser.put("/expected", {"players": ["Zoro Dog"]})
    else:
        hall.organiser.post("/keys", {"name": "Table 1"})
    assert count_removed(opened, clock, 30) == 0
    assert hall.organiser.get().json["unused_until"] == "2026-11-03"


def test_a_strangers_event_stays_one_in_an_archive(opened, app, clock):
    hall = Hall(opened.test_client())
    archive = event_archive.export_event(store_of(opened), hall.id, HERE, clock())
    assert json.loads(archive.data)["rows"]["event"][0]["details"]["unused_until"] == "2026-11-03"
    event_archive.import_event(store_of(app), event_archive.read(archive.data, HERE), clock())
    with store_of(app).reading() as reader:
        assert (reader.event(hall.id).is_strangers, reader.count_strangers_events()) == (True, 1)


LONG = LEGAL + (" " * 190 + "\n") * 150  # bytes of a list, most of which say nothing


def register(hall, name, by=None, address="192.0.2.7", **said):
    environment = {"REMOTE_ADDR": address}
    return (by or hall.stranger)(
        "POST", "/registrations", json={"player": name, "decklist": LONG} | said, environ_base=environment
    )


def test_strangers_have_less_room_at_an_event_than_its_judges(clock, folder):
    app = made(clock, data_dir=folder, stranger_bytes=100_000)
    hall = Hall(app.test_client())
    assert statuses(register(hall, f"Player {number}") for number in range(4)) == [201, 201, 201, 409]
    assert register(hall, "Player by a judge", hall.judge).status_code == 201


def test_all_lists_of_a_strangers_event_have_that_room_together(clock, folder):
    app = made(clock, data_dir=folder, stranger_bytes=100_000, admin_key=ADMIN, open_events="3/day")
    hall = Hall(app.test_client())
    assert statuses(register(hall, f"Player {number}", hall.judge) for number in range(4)) == [201, 201, 201, 409]


def test_an_address_registers_so_many_bytes_a_day(clock, folder):
    app = made(clock, data_dir=folder, address_bytes=100_000, admin_key=ADMIN)
    hall = Hall(app.test_client(), headers=AS_ADMIN)
    answers = [register(hall, f"Player {number}") for number in range(4)]
    assert statuses(answers) == [201, 201, 201, 429]
    assert int(answers[-1].headers["Retry-After"]) > 80_000
    assert register(hall, "Player elsewhere", address="192.0.2.8").status_code == 201
    assert register(hall, "Player by a judge", hall.judge).status_code == 201
    # A revision is counted, too; what is in the store is not.
    key = register(hall, "Player with a key", address="192.0.2.9", decklist=LEGAL)
    player, path = hall.visitor(key.json["key"]), f"/registrations/{key.json['id']}"
    tag = {"If-Match": player.get(path).headers["ETag"]}
    again = player("PUT", path, json={"decklist": LONG}, headers=tag, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert again.status_code == 429


def test_bytes_that_a_stranger_imports_are_counted(clock, folder):
    app = made(clock, data_dir=folder, address_bytes=100, admin_key=ADMIN, open_events="3/day")
    hall = Hall(app.test_client())
    table = {"data": f'Player,Deck list\nNami Cat,"{LEGAL}"\n'.encode(), "headers": {"Content-Type": "text/csv"}}
    assert hall.organiser("POST", "/registrations:import", **table).status_code == 429
    assert hall.organiser.get("/registrations").json["registrations"] == []


def test_a_crowd_at_an_open_server_is_not_counted(clock, folder):
    app = made(clock, data_dir=folder, address_bytes=100_000)
    hall = Hall(app.test_client())
    assert statuses(register(hall, f"Player {number}") for number in range(5)) == [201] * 5


def test_no_address_is_in_the_database(opened, folder):
    create(opened, "192.0.2.77")
    hall = Hall(opened.test_client())
    register(hall, "Nami Cat", address="192.0.2.77")
    assert not any(b"192.0.2.77" in path.read_bytes() for path in folder.glob("deckproof.db*"))


def test_an_event_has_only_so_many_keys(hall, monkeypatch):
    monkeypatch.setattr(event_desk, "MOST_KEYS", 3)
    assert statuses(hall.organiser.post("/keys", {"name": name}) for name in ("A", "B")) == [201, 409]


def test_only_a_valid_key_is_revoked_and_never_the_last_organisers(hall):
    ids = {one["role"]: one["id"] for one in hall.organiser.get("/keys").json["keys"]}
    wrong = [hall.organiser.delete(f"/keys/{id}").status_code for id in ("0" * 30, ids["organiser"])]
    assert wrong == [404, 409]
    assert [hall.organiser.delete(f"/keys/{ids['judge']}").status_code for _ in range(2)] == [204, 404]
    second = hall.organiser.post("/keys", {"name": "Second", "role": "organiser"}).json
    assert hall.organiser.delete(f"/keys/{ids['organiser']}").status_code == 204
    assert hall.visitor(second["key"]).delete(f"/keys/{second['id']}").status_code == 409


def test_an_event_whose_code_is_taken_is_not_created(app, hall, monkeypatch):
    later = hall.id[:UNIQUE_DIGITS] + "0" * (30 - UNIQUE_DIGITS)
    monkeypatch.setattr(event_desk, "new_id", lambda: later)
    assert create(app).status_code == 503
    other = "f" if hall.id[UNIQUE_DIGITS - 1] == "0" else "0"
    monkeypatch.setattr(event_desk, "new_id", lambda: later[: UNIQUE_DIGITS - 1] + other + later[UNIQUE_DIGITS:])
    assert create(app).status_code == 201


@pytest.mark.parametrize("policy", [{}, {"main_min": 40}, {"copies": False, "release_delay_days": 7}])
def test_an_event_shows_only_the_decisions_that_were_made(app, policy):
    shown = Hall(app.test_client(), policy=policy).organiser.get().json
    assert_described(shown, ShownEventJSON)
    usual = {"copies": True, "limits": True, "release": True, "release_delay_days": 0, "swap_one_for_one": False}
    assert shown["policy"] == usual | policy


@pytest.mark.parametrize(
    ("closes", "status"), [("2026-10-24T08:59", 422), ("2026-10-24T09:00", 422), ("2026-10-24T09:01", 201)]
)
def test_registration_closes_after_it_opens(app, closes, status):
    answer = create(app, opens="2026-10-24T09:00", closes=closes)
    assert (answer.status_code, pointers(answer) if status == 422 else []) == (status, ["/closes"] * (status == 422))
