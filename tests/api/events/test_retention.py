"""Deleted events: who still sees them, who restores them, and when they are removed. All players are invented."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from api.events.rights import Permission
from api.events.storage import event_archive, retention
from api.events.storage.event_archive import ArchiveKey
from api.events.storage.event_tables import EventRow
from api.events.storage.retention import end_retention
from api.service.errors import NoAccess
from tests.api.events.conftest import LEGAL, Hall, made

GRACE = timedelta(days=14)
HERE = ArchiveKey("a secret of this server")


def database_of(app):
    return app.extensions["deckproof"].library.store().database


def end(app, clock, at):
    """End the retention at a moment; return the numbers of events that were marked and removed."""
    clock.set(at)
    return end_retention(database_of(app), clock(), GRACE)


@pytest.fixture
def hall(anywhere):
    return Hall(anywhere.test_client())


def statuses(hall, *visitors):
    return [visitor.get().status_code for visitor in visitors]


def test_a_deleted_event_is_there_for_its_organiser_only(hall):
    _, player = hall.register("Nami Cat")
    assert hall.organiser.delete().status_code == 204
    assert statuses(hall, hall.stranger, player, hall.judge, hall.organiser) == [404, 404, 404, 200]
    assert hall.organiser.get().json["deleted_on"] == "2026-11-03"
    assert hall.organiser.get("/audit").status_code == 404
    assert hall.organiser.patch("", name="Other").status_code == 404
    assert hall.stranger.post("/registrations", {"player": "Zoro Dog", "decklist": LEGAL}).status_code == 404
    assert hall.client.get(f"/v1/events?code={hall.begun.json['code']}").status_code == 404


def test_a_restored_event_is_as_it_was(hall, clock):
    rid, player = hall.register("Nami Cat")
    hall.organiser.delete()
    clock.set("2026-10-22T12:00+02:00")
    assert hall.judge.post("/restore").status_code == hall.stranger.post("/restore").status_code == 404
    restored = hall.organiser.post("/restore")
    assert (restored.status_code, restored.json["deleted_on"]) == (200, None)
    assert player.get(f"/registrations/{rid}").json["revision"] == 1
    audit = hall.organiser.get("/audit").json
    assert audit["intact"]
    assert [entry["action"] for entry in audit["entries"][-2:]] == ["event deleted", "event restored"]
    assert hall.organiser.post("/restore").status_code == 200
    assert len(hall.organiser.get("/audit").json["entries"]) == len(audit["entries"])


def test_a_deletion_that_comes_again_does_not_start_again(hall, clock):
    hall.organiser.delete()
    clock.set("2026-10-25T12:00+02:00")
    assert hall.organiser.delete().status_code == 204
    assert hall.organiser.get().json["deleted_on"] == "2026-11-03"


def test_an_event_is_removed_at_once_if_that_is_wanted(hall):
    assert hall.organiser.delete("?now=maybe").status_code == 422
    assert hall.judge.delete("?now=true").status_code == 404
    assert hall.organiser.delete().status_code == 204
    assert hall.organiser.delete("?now=true").status_code == 204
    assert hall.organiser.get().status_code == 404


def test_an_event_whose_time_is_over_can_be_restored_until_it_is_removed(anywhere, hall, clock):
    assert end(anywhere, clock, "2027-01-22T12:00+00:00") == (0, 0)
    assert end(anywhere, clock, "2027-01-23T12:00+00:00") == (1, 0)
    assert (hall.organiser.get().json["deleted_on"], hall.judge.get().status_code) == ("2027-02-06", 404)
    assert end(anywhere, clock, "2027-02-05T12:00+00:00") == (0, 0)
    assert hall.organiser.post("/restore").json["purged"] == "2027-05-06"
    assert end(anywhere, clock, "2027-05-05T12:00+00:00") == (0, 0)
    assert end(anywhere, clock, "2027-05-06T12:00+00:00") == (1, 0)
    assert end(anywhere, clock, "2027-05-20T12:00+00:00") == (0, 1)
    assert hall.organiser.get().status_code == 404


def test_the_retention_starts_at_the_last_write(anywhere, hall, clock):
    assert hall.stranger.get().json["purged"] == "2027-01-23"
    clock.set("2026-12-24T12:00+00:00")
    rid, _ = hall.register("Nami Cat", by=hall.judge, reason="entered late")
    assert hall.stranger.get().json["purged"] == "2027-03-24"
    event_archive.export_event(anywhere.extensions["deckproof"].desk.store, hall.id, HERE, clock() + timedelta(days=9))
    assert hall.stranger.get().json["purged"] == "2027-03-24"
    assert end(anywhere, clock, "2027-03-23T12:00+00:00") == (0, 0)
    assert hall.judge.get(f"/registrations/{rid}").status_code == 200


def test_a_past_day_by_a_slip_deletes_nothing(anywhere, hall, clock):
    refused = hall.organiser.patch("", on="2025-12-12")
    assert (refused.status_code, [one["pointer"] for one in refused.json["errors"]]) == (422, ["/on"])
    assert hall.organiser.patch("", on="2025-12-12", confirm=True).json["purged"] == "2027-01-18"
    assert end(anywhere, clock, "2026-10-21T12:00+00:00") == (0, 0)


def test_the_answer_to_a_change_has_the_new_day_of_deletion(hall, clock):
    clock.set("2026-12-24T12:00+00:00")
    assert hall.organiser.patch("", place="Hall 7").json["purged"] == "2027-03-24"


def test_a_deleted_event_stays_one_in_an_archive(anywhere, hall, clock):
    hall.organiser.delete()
    store = anywhere.extensions["deckproof"].desk.store
    exported = event_archive.export_event(store, hall.id, HERE, clock()).data
    assert hall.organiser.delete("?now=true").status_code == 204
    event_archive.import_event(store, event_archive.read(exported, HERE), clock())
    assert hall.organiser.get().json["deleted_on"] == "2026-11-03"
    assert hall.organiser.post("/restore").status_code == 200
    assert hall.organiser.get("/audit").json["intact"]


def test_a_waiting_request_writes_nothing_at_a_deleted_event(anywhere, hall):
    rid, player = hall.register("Nami Cat")
    desk = anywhere.extensions["deckproof"].desk
    waiting = desk.authorize(Permission.SETTLE_REGISTRATION, hall.id, player.key, rid)
    hall.organiser.delete()
    with pytest.raises(NoAccess):
        desk.change_settings(waiting, rid, {"email": "nami@example.com"}, "", None)


def test_a_player_withdraws_at_once(anywhere, hall):
    rid, player = hall.register("Nami Unmistakable")
    assert player.delete(f"/registrations/{rid}").status_code == 204
    with database_of(anywhere).reading() as connection:
        assert connection.exec_driver_sql("select count(*) from event_revision").scalar() == 0


def test_several_events_are_marked_and_removed_and_counted(anywhere, clock):
    for purge_days in (1, 1, 30):
        Hall(anywhere.test_client(), purge_days=purge_days)
    assert end(anywhere, clock, "2026-11-01T12:00+00:00") == (2, 0)
    assert end(anywhere, clock, "2026-11-15T12:00+00:00") == (0, 2)
    assert end(anywhere, clock, "2026-11-24T12:00+00:00") == (1, 0)


@pytest.mark.parametrize("purge_days", [1, 5])
def test_an_event_that_cannot_be_read_is_neither_marked_nor_removed(anywhere, hall, clock, caplog, purge_days):
    hall.organiser.patch("", purge_days=1)
    if purge_days == 1:
        assert end(anywhere, clock, "2026-11-01T12:00+00:00") == (1, 0)
    with database_of(anywhere).writing("a test") as connection:
        details = connection.scalar(sa.select(EventRow.details))
        connection.execute(sa.update(EventRow).values(details={**details, "visibility": 3}))
    assert end(anywhere, clock, "2026-11-29T12:00+00:00") == (0, 0)
    assert hall.id in caplog.text


@pytest.mark.parametrize("is_there", [True, False])
def test_an_event_that_is_used_or_gone_meanwhile_is_not_counted(anywhere, hall, clock, is_there):
    """Another process restores, uses or removes an event after this one has found it."""
    store = anywhere.extensions["deckproof"].desk.store
    id = hall.id if is_there else "0" * 30
    assert not retention._remove(store, id, clock())
    assert not retention._mark(store, id, clock(), GRACE)
    hall.organiser.delete()
    assert not retention._mark(store, id, clock() + timedelta(days=4000), GRACE)
    assert hall.organiser.get().json["deleted_on"] == "2026-11-03"


def test_a_database_without_tables_has_no_event_to_end(clock, folder):
    assert end(made(clock, data_dir=folder), clock, "2026-11-29T12:00+00:00") == (0, 0)


def test_answers_are_forgotten_after_a_day(anywhere, hall, clock):
    body = {"player": "Nami Cat"}
    sent = {"Idempotency_Key": "one-registration-1"}
    first = hall.stranger.post("/registrations", body, **sent)
    end(anywhere, clock, "2026-10-21T12:00+02:00")
    assert hall.stranger.post("/registrations", body, **sent).json == first.json
    end(anywhere, clock, "2026-10-21T12:00:01+02:00")
    assert hall.stranger.post("/registrations", body, **sent).json["id"] != first.json["id"]
