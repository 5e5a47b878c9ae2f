"""Lists that are shown to others, on pages: as files once they may be, and of two players in a stream."""

from __future__ import annotations

import pytest

from tests.api.events.conftest import LEGAL
from tests.api.web.pages.events.guest import Guest, begun, entering, registered


@pytest.fixture
def hall(app):
    """An event with two lists that may be shown in a stream, and one that may not."""
    organiser, id, keys = begun(app)
    consents = {"Ångström, Åsa": "true", "Last, First": "true", "Shy, One": None}
    for number, (player, stream) in enumerate(consents.items(), 7):
        registered(app, id, player, decklist=LEGAL, stream=stream, player_id=f"{number:03}")
    return organiser, f"/events/{id}", keys


def players(guest):
    return [one.attributes["value"] for one in guest.page.css("#players option")][1:]


@pytest.mark.slow
def test_a_stream_has_the_lists_of_two_who_agreed(hall):
    organiser, event, _ = hall
    first, second = players(organiser.opens(f"{event}/stream"))
    organiser.opens(f"{event}/stream?players={first}&players={second}")
    assert [one.text() for one in organiser.page.css("section h3")] == ["Ångström, Åsa", "Last, First"]
    assert "007" not in organiser.text
    links = [one.attributes["href"] for one in organiser.page.css("a[download]")]
    files = [organiser.client.get(link) for link in links]
    assert [one.mimetype for one in files] == ["text/plain", "text/csv", "application/json"]
    assert [one["player"] for one in files[2].json["lists"]] == ["Ångström, Åsa", "Last, First"]


def test_who_does_not_agree_is_in_no_stream(hall, app):
    organiser, event, keys = hall
    bearer = {"Authorization": f"Bearer {keys['judge']}"}
    listed = app.test_client().get(f"/v1{event}/registrations", headers=bearer).json["registrations"]
    (shy,) = (one["id"] for one in listed if one["player"] == "Shy, One")
    assert shy not in players(organiser.opens(f"{event}/stream"))
    organiser.opens(f"{event}/stream?players={shy}", 422)
    assert organiser.page.css_first("[data-fault=players]")
    organiser.opens(f"{event}/stream?table=12", 422)
    assert organiser.faults() == ["table"]


def test_lists_that_nobody_sees_yet_are_in_no_stream(hall, app):
    organiser, event, keys = hall
    organiser.opens(f"{event}/settings").sends("/settings", lists="closed")
    judge = entering(app, event.rpartition("/")[2], keys["judge"])
    judge.opens(f"{event}/stream", 404)
    organiser.opens(f"{event}/stream")


def test_public_lists_are_files_without_ids(hall):
    organiser, event, _ = hall
    guest = Guest(organiser.client.application)
    assert guest.client.get(f"{event}/lists?as=csv").status_code == 404
    organiser.opens(f"{event}/settings").sends("/settings", lists="public")
    guest.opens(f"{event}/registrations")
    kinds = [one.attributes["value"] for one in guest.page.css("form[action$='/lists'] button")]
    assert sorted(kinds) == ["csv", "json", "text", "zip"]
    for kind in kinds:
        answer = guest.client.get(f"{event}/lists?as={kind}")
        assert answer.status_code == 200
        assert b"007" not in answer.data


def test_the_files_of_an_event_have_its_flyer_and_what_others_see(hall):
    organiser, event, _ = hall
    organiser.opens(f"{event}/files")
    for link in organiser.page.css("a[download]"):
        answer = organiser.client.get(link.attributes["href"])
        assert answer.status_code == 200
        assert answer.data.startswith((b"%PDF", b"\x89PNG", b"<svg"))
    assert organiser.page.css_first("form[action$='/lists']")
    assert organiser.client.get(f"{event}/export?as=reminders").data.startswith(b"\xef\xbb\xbf")
