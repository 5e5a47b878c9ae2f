"""Registrations are changed by whoever may and has seen what is changed, and a request that comes again is one."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from api.events import base_desk, registration_desk
from api.events.bounds import MOST_KEPT
from api.events.players.entrant import RegistrationContent, encode_deck
from api.events.rights import Permission
from api.events.storage import event_writer, idempotency
from api.events.storage.event_keys import Caller
from api.events.storage.event_tables import RegistrationRow
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.events.storage.retention import RetentionClock
from api.jobs import worker
from api.service.errors import LimitReached
from tests.api.events.conftest import ILLEGAL, LEGAL, Hall, asked, made
from tests.api.workbooks.files import catalogue
from tests.cost import seconds
from validator import decklists

ONCE = "a-random-key-0001"


def test_an_illegal_list_is_saved_and_the_answer_says_what_is_wrong(hall):
    rid, player = hall.register("Nami Cat", decklist=ILLEGAL, player_id="007")
    shown = player.get(f"/registrations/{rid}").json
    assert (shown["player"], shown["player_id"], shown["decklist"]) == ("Nami Cat", "007", ILLEGAL)
    assert [(one["code"], one["count"], one["minimum"]) for one in shown["verdict"]["findings"]] == [("size", 49, 50)]
    assert (shown["verdict"]["on"], shown["verdict"]["catalogue"]["game"]) == ("2026-10-25", "optcg")
    assert shown["counts"] == {"revision": 1, "at": "2026-10-20T12:00:00+02:00", "at_deadline": None}
    assert (shown["deadline"]["until"], shown["deadline"]["changes_left"]) == ("2026-10-25T09:00:00+01:00", 99)
    assert "(1 error)" in shown["receipt"]


def test_a_verdict_is_told_in_the_language_that_is_asked_for(hall):
    rid, player = hall.register("Nami Cat", decklist=ILLEGAL)
    texts = [player.get(f"/registrations/{rid}{lang}").json["verdict"]["findings"][0] for lang in ("", "?lang=de")]
    assert texts[0]["message"] != texts[1]["message"]
    assert (texts[1]["code"], player.get(f"/registrations/{rid}?lang=xx").status_code) == ("size", 422)


def test_a_deck_may_come_later_and_what_is_not_said_stays(hall):
    answer = hall.stranger.post("/registrations", {"player": "Zoro Dog", "notes": "Leaves at six"})
    assert (answer.json["received"], answer.json["verdict"]) == (False, None)
    rid, player = answer.json["id"], hall.visitor(answer.json["key"])
    assert player.revise(rid, decklist=LEGAL).json["legal"] is True
    renamed = player.revise(rid, last_name="Dog", first_name="Zoro").json
    assert (renamed["player"], renamed["legal"], renamed["notes"], renamed["revision"]) == (
        "Dog, Zoro", True, "Leaves at six", 3
    )  # fmt: skip


def test_a_revision_of_the_same_list_has_the_same_commitment(hall):
    rid, player = hall.register("Nami Cat")
    player.revise(rid, notes="Leaves at six")
    player.revise(rid, decklist=ILLEGAL)
    player.revise(rid, decklist=LEGAL)
    shown = hall.organiser.get(f"/registrations/{rid}/revisions").json["revisions"]
    first, noted, changed, back = (one["commitment"] for one in sorted(shown, key=lambda one: one["number"]))
    assert first == noted
    assert len({first, changed, back}) == 3  # a new salt each


def test_staff_see_which_lists_are_legal_and_who_has_none(hall):
    hall.register("Nami Cat")
    hall.register("Usopp Fox", decklist=ILLEGAL)
    hall.stranger.post("/registrations", {"player": "Zoro Dog"})
    shown = hall.judge.get("/registrations").json["registrations"]
    assert {one["player"]: (one["received"], one["legal"], one["codes"]) for one in shown} == {
        "Nami Cat": (True, True, []),
        "Usopp Fox": (True, False, ["size"]),
        "Zoro Dog": (False, None, []),
    }


def test_nothing_is_lost_to_who_was_slower(hall):
    rid, player = hall.register("Nami Cat")
    path = f"/registrations/{rid}"
    tag = player.get(path).headers["ETag"]
    assert player.put(path, {"decklist": ILLEGAL}).status_code == 428
    assert player.put(path, {"decklist": ILLEGAL}, tag).status_code == 200
    late = player.put(path, {"team": "Reds"}, tag)
    assert (late.status_code, late.json["type"]) == (412, "urn:deckproof:problem:changed")
    assert (player.get(path).json["team"], player.get(path).json["legal"]) == ("", False)


def test_the_same_list_again_is_no_revision(hall):
    rid, player = hall.register("Nami Cat")
    assert player.revise(rid, decklist=LEGAL).json["revision"] == 1


@pytest.mark.parametrize(("now", "stood"), [("08:59:59", None), ("09:00:00", 1)])
def test_the_revision_at_the_deadline_is_known_from_the_deadline_on(hall, clock, now, stood):
    rid, player = hall.register("Nami Cat")
    clock.set(f"2026-10-25T{now}+01:00")
    shown = player.get(f"/registrations/{rid}").json
    (revision,) = player.get(f"/registrations/{rid}/revisions").json["revisions"]
    assert (shown["counts"]["at_deadline"], revision["at_deadline"]) == (stood, stood == 1)


def test_a_list_is_changed_only_so_often(hall, monkeypatch):
    monkeypatch.setattr(registration_desk, "MOST_REVISIONS", 2)
    rid, player = hall.register("Nami Cat")
    assert [player.revise(rid, decklist=one).status_code for one in (ILLEGAL, LEGAL)] == [200, 409]


def test_an_event_has_only_so_many_registrations_and_a_server_so_many_events(app, hall, monkeypatch):
    monkeypatch.setattr(base_desk, "MOST_ENTRANTS", 1)
    hall.register("Nami Cat")
    assert hall.stranger.post("/registrations", {"player": "Zoro Dog"}).status_code == 409
    desk = app.extensions["deckproof"].desk
    monkeypatch.setattr(desk, "bounds", desk.bounds._replace(events=1))
    again = hall.client.post("/v1/events", json={"name": "Another", "game": "optcg", "on": "2026-10-25"})
    assert (again.status_code, "Retry-After" in again.headers) == (503, True)


@pytest.mark.parametrize(
    ("said", "pointer"),
    [
        ({"closes": "2026-03-29T02:30"}, "/closes"),
        ({"opens": "2026-10-25T10:00"}, "/closes"),
        ({"timezone": "Europe/Nowhere"}, "/timezone"),
        ({"timezone": "localtime"}, "/timezone"),
        ({"visibility": "everyone"}, "/visibility"),
        ({"visibility": {"public_from": "soon"}}, "/visibility/public_from"),
        ({"format": "of my own"}, "/format"),
        ({"name": "\u200b"}, "/name"),
        ({"keys": {}}, "/keys"),
    ],
)
def test_what_an_event_cannot_be_is_refused(hall, said, pointer):
    event = {"name": "Example", "game": "optcg", "on": "2026-10-25", "timezone": "Europe/Berlin"}
    answer = hall.client.post("/v1/events", json=event | {"closes": "2026-10-25T09:00"} | said)
    assert (answer.status_code, [one["pointer"] for one in answer.json["errors"]]) == (422, [pointer])


def test_a_request_that_comes_again_gets_its_first_answer(hall):
    said = {"player": "Nami Cat", "decklist": LEGAL}
    first, again = (hall.stranger.post("/registrations", said, Idempotency_Key=ONCE) for _ in range(2))
    assert (first.status_code, first.data, first.headers["ETag"]) == (201, again.data, again.headers["ETag"])
    other = hall.stranger.post("/registrations", said | {"team": "Reds"}, Idempotency_Key=ONCE)
    assert (other.status_code, other.json["errors"][0]["pointer"]) == (422, "/Idempotency-Key")
    by_judge = hall.judge.post("/registrations", said, Idempotency_Key=ONCE)
    assert by_judge.json["id"] != first.json["id"]
    assert len(hall.judge.get("/registrations").json["registrations"]) == 2


def test_what_was_done_is_not_done_again_after_a_player_was_deleted(anywhere):
    """Else whoever registers and withdraws again and again has others' requests done twice."""
    hall = Hall(anywhere.test_client())
    said = {"player": "Nami Cat", "decklist": LEGAL}
    first = hall.stranger.post("/registrations", said, Idempotency_Key=ONCE)
    rid, stranger = hall.register("Unmistakable")
    assert stranger.delete(f"/registrations/{rid}").status_code == 204
    assert hall.stranger.post("/registrations", said, Idempotency_Key=ONCE).status_code == 409
    assert [one["id"] for one in hall.judge.get("/registrations").json["registrations"]] == [first.json["id"]]
    assert hall.stranger.post("/registrations", said, Idempotency_Key="another-request-01").status_code == 201


def test_what_changes_nothing_is_not_noted(hall):
    rid, player = hall.register("Nami Cat", email="nami@example.com")
    before = hall.organiser.get("/audit").json["head"]
    answer = player.patch(f"/registrations/{rid}", email="nami@example.com")
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"1"')
    assert hall.judge.patch(f"/registrations/{rid}", cut=False, until=None, table="").status_code == 200
    assert hall.organiser.get("/audit").json["head"] == before
    assert hall.judge.patch(f"/registrations/{rid}", until="2026-10-25T12:00").headers["ETag"] == '"2"'
    assert hall.judge.patch(f"/registrations/{rid}", until="2026-10-25T12:00").headers["ETag"] == '"2"'


def test_players_do_not_fill_the_audit_to_its_end(anywhere, monkeypatch):
    monkeypatch.setattr(event_writer, "MOST_NOTED", 20)
    hall = Hall(anywhere.test_client())
    rid, player = hall.register("Nami Cat")
    settled = [player.patch(f"/registrations/{rid}", email=f"nami{at}@example.com").status_code for at in range(10)]
    assert settled == 5 * [200] + 5 * [409]
    assert hall.stranger.post("/registrations", {"player": "Zoro Dog"}).status_code == 409
    assert hall.judge.patch(f"/registrations/{rid}", table="1").status_code == 200
    assert player.delete(f"/registrations/{rid}").status_code == 204
    assert hall.organiser.get("/audit").json["intact"] is True


def test_looking_again_and_again_keeps_no_more_answers_than_there_is_room_for(app, monkeypatch):
    monkeypatch.setattr(idempotency, "MOST_KEPT", 1_000)
    hall, body = Hall(app.test_client()), {"players": ["Nami Cat"]}
    told = [hall.judge.post("/missing", body, Idempotency_Key=f"key-of-request {at}").status_code for at in range(9)]
    assert (told[0], told[-1]) == (200, 409)
    assert hall.judge.post("/missing", body, Idempotency_Key="key-of-request 0").status_code == 200
    assert hall.stranger.post("/registrations", {"player": "Nami Cat"}, Idempotency_Key=ONCE).status_code == 201


@pytest.mark.parametrize("key", ["", "1", "x" * 15, "x" * 201, "é" * 16, "\t" * 16])
def test_a_key_that_strangers_might_take_too_is_refused(hall, key):
    refused = hall.stranger.post("/registrations", {"player": "Nami Cat"}, Idempotency_Key=key)
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/Idempotency-Key")
    taken = hall.stranger.post("/registrations", {"player": "Nami Cat"}, Idempotency_Key="x" * 16)
    assert taken.status_code == 201


@pytest.mark.slow
def test_answers_are_kept_as_far_as_an_event_has_room_for_them(anywhere, clock):
    """Also of what is only looked up, which anybody may ask who begins an event."""
    hall, other = (Hall(anywhere.test_client()) for _ in range(2))
    large = Reply(200, b"x" * (MOST_KEPT // 2 + 1))

    def answered(key, reply, by=hall):
        once = RepeatableRequest.from_request(key, "", "POST /", b"")
        desk = anywhere.extensions["deckproof"].desk
        return desk.write_once(desk.authorize(Permission.SHOW_EVENT, by.id, ""), once, lambda _: reply)

    answered("1", large)
    with pytest.raises(LimitReached):
        answered("2", large)
    assert answered("1", Reply(201, b"")) == large
    answered("3", Reply(200, b"small"))
    answered("4", large, other)


def test_neither_keys_nor_answers_can_be_read_in_the_database(app, hall):
    answer = hall.stranger.post("/registrations", {"player": "Nami Cat"}, Idempotency_Key=ONCE)
    with app.extensions["deckproof"].library.store().database.reading() as connection:
        rows = [
            str(connection.exec_driver_sql(f"select * from {name}").all()) for name in ("event_key", "event_answer")
        ]
    assert answer.json["key"] not in "".join(rows)
    assert hall.organiser.key not in "".join(rows)
    assert "Nami" not in "".join(rows)


@pytest.mark.slow
def test_names_stand_in_no_log_and_no_metric(hall, caplog):
    with caplog.at_level(logging.DEBUG):
        rid, player = hall.register("Nami Unmistakable", notes="Unmistakable too")
        player.revise(rid, decklist=ILLEGAL)
        hall.judge.get("/registrations")
        hall.organiser.delete(f"/registrations/{rid}")
    assert "Unmistakable" not in caplog.text + hall.client.get("/metrics").text
    assert "Unmistakable" not in hall.organiser.get("/audit").text


def test_tampering_with_the_audit_shows(app, hall):
    for name in ("Nami Cat", "Zoro Dog"):
        hall.register(name)
    database = app.extensions["deckproof"].library.store().database

    def broken_after(statement):
        with database.writing("a trial") as connection:
            connection.exec_driver_sql(statement)
        shown = hall.organiser.get("/audit").json
        return shown["intact"], shown["broken_at"]

    assert broken_after("select 1") == (True, None)
    assert broken_after("update event_audit set at = '2026' where number = 5") == (False, 5)
    assert broken_after("delete from event_audit where number = 4") == (False, 4)
    assert broken_after("delete from event_audit where number > 2") == (False, 3)


def test_a_key_that_was_lost_is_made_anew_and_a_revoked_one_holds_no_longer(hall):
    rid, player = hall.register("Nami Cat")
    renewed = hall.visitor(hall.judge.post(f"/registrations/{rid}/key").json["key"])
    assert [one.get(f"/registrations/{rid}").status_code for one in (player, renewed)] == [404, 200]
    assert player.put(f"/registrations/{rid}", {"team": "Reds"}, '"1"').status_code == 404
    (only,) = [key for key in hall.organiser.get("/keys").json["keys"] if key["role"] == "organiser"]
    assert hall.organiser.delete(f"/keys/{only['id']}").status_code == 409


def test_a_coming_change_of_a_list_tells_whom_it_makes_illegal(hall):
    rid, _ = hall.register("Nami Cat")
    hall.register("Zoro Dog", decklist=ILLEGAL)
    impact = hall.judge.get("/impact?before=2026-10-20&after=2029-04-02&lang=de").json
    assert (impact["lists"], [one["id"] for one in impact["illegal"]], impact["legal"]) == (2, [rid], [])
    assert {one["code"] for one in impact["illegal"][0]["because"]} == {"block.rotated"}


@pytest.mark.slow
def test_two_thousand_registrations_are_listed_by_one_query(app, hall, clock):
    deck = encode_deck(decklists.parse(LEGAL, "optcg", catalogue()).deck)
    store = app.extensions["deckproof"].desk.store
    with store.writing(hall.id, clock()) as writer:
        writer.add_entrants(
            [RegistrationContent(f"Player {at}", str(at), deck=deck) for at in range(2_000)], Caller().signature
        )
    hall.judge.get("/registrations")
    assert seconds(lambda: hall.judge.get("/registrations"), 0.3) <= 0.3
    with asked() as statements:
        answer = hall.judge.get("/registrations")
    listed = json.loads(answer.data)["registrations"]
    assert (len(listed), {one["legal"] for one in listed}) == (2_000, {True})
    assert len([one for one in statements if "event_re" in one]) == 2  # the key's own, and one of all


@pytest.mark.parametrize("text", ["1 ST21-001\0\n4 OP01-016", "\ufffe", "1 ST21-001\n\u202e" + "\ufdfa" * 90, ""])
def test_what_a_database_may_not_bear_is_no_mistake_of_the_server(anywhere, text):
    hall = Hall(anywhere.test_client())
    answer = hall.stranger.post("/registrations", {"player": "Nami\u200bCat", "notes": "\u202e", "decklist": text})
    assert answer.status_code == 201
    shown = hall.judge.get(f"/registrations/{answer.json['id']}").json
    assert (shown["player"], shown["notes"], shown["received"]) == ("NamiCat", "", True)
    for path in ("/registrations/%00", "/registrations/%ff", "/registrations/" + "x" * 3_000):
        assert hall.judge.get(path).status_code == 404
    assert hall.client.get("/v1/events/%00").status_code == 404
    assert hall.visitor("\udcff\0").get().status_code == 200
    assert hall.visitor("x" * 10_000).get("/audit").status_code == 404


def test_what_is_said_of_an_event_is_changed_entry_by_entry(hall):
    said = {"visibility": {"lists": "closed", "roster": "public"}, "policy": {"release_delay_days": 7}, "opens": None}
    assert hall.organiser.patch("", **said).status_code == 200
    shown = hall.organiser.patch("", visibility="public", place="Example Hall").json
    assert (shown["visibility"]["lists"], shown["visibility"]["roster"]) == ("public", "public")
    assert (shown["policy"]["release_delay_days"], shown["closes"]) == (7, "2026-10-25T09:00:00+01:00")
    assert hall.organiser("PATCH", "", json={"place": "Other"}, headers={"If-Match": '"1"'}).status_code == 412
    assert hall.organiser.get().headers["ETag"] == '"3"'


def test_registration_that_is_not_open_yet_says_when_it_opens(hall):
    hall.organiser.patch("", opens="2026-10-21T12:00")
    answer = hall.stranger.post("/registrations", {"player": "Nami Cat"})
    assert (answer.status_code, answer.json["type"]) == (403, "urn:deckproof:problem:event/closed")
    assert "2026-10-21 12:00 (Europe/Berlin" in answer.json["detail"]


def test_the_worker_deletes_events_whose_time_is_over_and_no_others(app, hall):
    over = Hall(hall.client, on="2020-02-29", closes=None, purge_days=1, confirm=True)
    here = app.extensions["deckproof"]
    RetentionClock(here.library.store().database).confirm(datetime.now(UTC))
    worker.purge_events(here.settings, here.library.store())
    assert [one.stranger.get().status_code for one in (over, hall)] == [404, 200]
    assert [one.organiser.get().status_code for one in (over, hall)] == [200, 200]


def test_what_is_deleted_is_in_no_file_any_more(folder, clock):
    app = made(clock, data_dir=folder)
    app.extensions["deckproof"].library.store().database.keep_open()  # as a server does
    hall = Hall(app.test_client())
    rid, player = hall.register("Nami Withdrawn", notes="Withdrawn too")
    hall.register("Zoro Deleted", notes="Deleted too")
    assert player.delete(f"/registrations/{rid}").status_code == 204
    assert files_with(b"Withdrawn", folder) == set()
    assert files_with(b"Zoro Deleted", folder) != set()
    assert hall.organiser.delete("?now=true").status_code == 204
    assert files_with(b"Zoro Deleted", folder) == set()


@pytest.mark.slow
def test_what_a_reader_still_needs_is_gone_after_the_next_purge(folder, clock):
    app = made(clock, data_dir=folder)
    store = app.extensions["deckproof"].library.store()
    store.database.keep_open()
    hall = Hall(app.test_client())
    rid, player = hall.register("Nami Withdrawn")
    with store.database.reading() as reader:
        assert reader.scalar(sa.select(sa.func.count()).select_from(RegistrationRow)) == 1
        assert player.delete(f"/registrations/{rid}").status_code == 204
        assert files_with(b"Nami Withdrawn", folder) != set()
    worker.purge_events(app.extensions["deckproof"].settings, store)
    assert files_with(b"Nami Withdrawn", folder) == set()


def files_with(text, folder):
    """Return the files of a data folder that contain a text."""
    return {file.name for file in folder.iterdir() if file.is_file() and text in file.read_bytes()}


def test_a_list_of_several_decks_is_saved_as_not_legal_and_names_them(hall):
    rid, player = hall.register("Nami Cat", decklist=f"Deck: Red\n{LEGAL}\nDeck: Blue\n{LEGAL}")
    verdict = player.get(f"/registrations/{rid}").json["verdict"]
    (found,) = verdict["findings"]
    assert (verdict["legal"], found["code"]) == (False, "list.several")
    assert [deck["name"] for deck in found["details"]["decks"]] == ["Red", "Blue"]


class CountedMisses(base_desk.ClientLimits):
    """The limits of a client, of which only the wrong keys and codes are counted."""

    def __init__(self):
        self.misses = 0

    def count_miss(self):
        self.misses += 1


def test_only_wrong_keys_and_codes_are_counted(app, hall, monkeypatch):
    rid, player = hall.register("Nami Cat")
    code = hall.stranger.get().json["code"]
    limits = CountedMisses()
    monkeypatch.setattr(app.extensions["deckproof"].desk, "client_limits", limits)
    wrong = hall.visitor("x" * 43)
    for visitor, path, misses in [
        (hall.organiser, "", 0),
        (hall.judge, "/roster", 0),
        (player, f"/registrations/{rid}", 0),
        (player, "/audit", 0),  # a key without the permission is no wrong key
        (hall.stranger, "", 0),
        (hall.stranger, f"/registrations/{rid}", 0),
        (wrong, "", 1),
        (wrong, "/audit", 1),
    ]:
        before = limits.misses
        visitor.get(path)
        assert limits.misses - before == misses, path
    limits.misses = 0
    assert app.test_client().get(f"/v1/events?code={code}").status_code == 200
    assert limits.misses == 0
    assert app.test_client().get("/v1/events?code=lusab-babad").status_code == 404
    assert limits.misses == 1
