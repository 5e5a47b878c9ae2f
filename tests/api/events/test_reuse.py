"""The next event from an earlier one: settings and players are copied, days, keys and lists are not."""

from __future__ import annotations

import pytest

from tests.api.events.conftest import EVENT, LEGAL, Hall, Visitor, made
from tests.api.web.pages.events.guest import begun, registered

SETTINGS = {"timezone": "Asia/Tokyo", "place": "Example Hall", "best_of": 3, "consent": True, "purge_days": 7}
POLICY = {"side_max": 0}


@pytest.fixture
def hall(app):
    """An event with settings of its own, a registered player, and an expected one who did not register."""
    hall = Hall(app.test_client(), **SETTINGS, policy=POLICY, visibility={"public_from": "2026-10-26T10:00"})
    hall.register("Nami Cat", player_id="0077", email="nami@example.com", decklist=LEGAL, consent={"publish": True})
    hall.organiser("PUT", "/expected", json={"players": ["Cat, Nami", "Zoro Dog"]})
    return hall


def copy_event(hall, **said):
    answer = hall.organiser.post("/copies", {"on": "2026-12-25"} | said)
    assert answer.status_code == 201, answer.json
    return answer.json, Visitor(hall.client, answer.json["id"], answer.json["keys"]["organiser"])


def test_a_copy_has_the_settings_and_not_the_days(hall):
    before = hall.organiser.get().json
    event, organiser = copy_event(hall, name="The next one", closes="2026-12-24T22:00")
    assert {name: event[name] for name in SETTINGS} == SETTINGS
    assert (event["policy"], event["game"], event["name"]) == (before["policy"], "optcg", "The next one")
    assert (event["on"], event["closes"], event["visibility"]["public_from"]) == (
        "2026-12-25", "2026-12-24T22:00:00+09:00", None
    )  # fmt: skip
    assert event["id"] != hall.id
    assert organiser.get("/registrations").json["registrations"] == []
    assert hall.organiser.get().json == before


@pytest.mark.parametrize(("lists", "copy"), [("public", "judges"), ("cut", "judges"), ("closed", "closed")])
def test_lists_of_a_copy_are_not_public(hall, lists, copy):
    assert hall.organiser.patch("", visibility={"lists": lists, "verdicts": True}).status_code == 200
    event, _ = copy_event(hall)
    assert [event["visibility"][name] for name in ("lists", "now", "verdicts")] == [copy, copy, True]
    assert Visitor(hall.client, event["id"]).get("/registrations").status_code == 404


def test_a_copy_expects_the_players_if_that_is_wanted(hall):
    _, organiser = copy_event(hall)
    assert organiser.get("/expected").json["players"] == []
    _, organiser = copy_event(hall, players=True)
    players = [(one["player"], one["player_id"], one["email"]) for one in organiser.get("/expected").json["players"]]
    assert players == [("Nami Cat", "0077", "nami@example.com"), ("Zoro Dog", "", "")]
    assert organiser.get("/audit").json["intact"] is True


def test_a_player_who_registered_twice_is_expected_once(hall):
    hall.register("Nami Cat", player_id="0078", email="nami@example.com", decklist=LEGAL)
    _, organiser = copy_event(hall, players=True)
    assert [one["player"] for one in organiser.get("/expected").json["players"]] == ["Nami Cat", "Zoro Dog"]


def test_a_key_of_the_earlier_event_opens_nothing_of_the_copy(hall):
    event, _ = copy_event(hall)
    assert Visitor(hall.client, event["id"], hall.organiser.key).get("/registrations").status_code == 404


def test_a_copy_that_is_asked_for_again_is_made_once(hall):
    sent = {"json": {"on": "2026-12-25"}, "headers": {"Idempotency-Key": "copied-only-once-1"}}
    first, again = (hall.organiser("POST", "/copies", **sent) for _ in range(2))
    assert first.json == again.json


@pytest.mark.parametrize(
    "said", [{}, {"on": "soon"}, {"on": "2026-12-25", "game": "dbs"}, {"on": "2026-12-25", "closes": "x"}]
)
def test_what_is_no_event_is_not_created(hall, said):
    assert hall.organiser.post("/copies", said).status_code == 422


def test_a_server_that_requires_the_admins_key_requires_it_for_copies(folder, clock):
    app = made(clock, data_dir=folder, admin_key="an-admin-key-of-this-test")
    client = app.test_client()
    bearer = {"Authorization": "Bearer an-admin-key-of-this-test"}
    event = client.post("/v1/events", json=EVENT, headers=bearer).json
    organiser = Visitor(client, event["id"], event["keys"]["organiser"])
    said = {"on": "2026-12-25"}
    assert organiser.post("/copies", said).status_code == 404
    assert organiser.post("/copies", said | {"admin_key": "an-admin-key-of-this-test"}).status_code == 201
    admin = Visitor(client, event["id"], "an-admin-key-of-this-test")
    assert admin.post("/copies", said).status_code == 201  # who is the admin need not send the key twice


def test_an_organiser_creates_the_next_event_at_the_page(app):
    organiser, id, _ = begun(app)
    registered(app, id, "Nami Cat")
    organiser.opens(f"/events/{id}/copy").sends("/copy", 422)
    assert organiser.faults() == ["on"]
    organiser.sends("/copy", 201, on="2026-12-25", players="true")
    link = organiser.value("organiser-link")
    organiser.opens(f"/events/{link.partition('#')[0].rpartition('/')[2]}/expected")
    assert "Nami Cat" in organiser.says(".names")
