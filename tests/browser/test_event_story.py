"""An event on a telephone, from its beginning to a player who is let in late."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest

from tests.api.events.conftest import ILLEGAL, LEGAL

pytestmark = pytest.mark.slow

DAY = (datetime.now(UTC) + timedelta(days=20)).date().isoformat()
WAY = "form[action$='/leave']"


def local(**later):
    """Return a moment as the field of an event in UTC takes it."""
    return (datetime.now(UTC) + timedelta(**later)).strftime("%Y-%m-%dT%H:%M:%S")


@pytest.fixture
def phone(visits):
    return visits("/events", "phone")


def begin_event(phone):
    """Begin an open event with the form. Return the address for its players and the link of its organiser."""
    page = phone.page
    page.fill("#name", "Example Regional")
    page.select_option("#game", "optcg")
    page.fill("#on", DAY)
    page.fill("#timezone", "UTC")
    page.fill("#closes", local(days=1))
    press(page, "main button.main")
    page.wait_for_selector("#organiser-link")
    phone.assert_fit()
    return page.input_value("#join-link"), page.input_value("#organiser-link")


def press(page, button):
    """Press what sends a form, and wait for the page that answers."""
    with page.expect_navigation():
        page.click(button)


def send(page):
    press(page, "#register button.main")


def test_the_story_of_a_player_who_is_late(phone):
    page = phone.page
    join, organiser = begin_event(phone)
    phone.context.clear_cookies()

    page.goto(join)
    assert page.inner_text("[data-left]").count(":") == 2  # the countdown
    page.fill("#player", "Müller, Ülkü")
    page.fill("#decklist", ILLEGAL)
    phone.assert_fit()
    send(page)
    page.wait_for_selector(".notice.bad")
    own = page.input_value("#own-link")
    assert "#key=" in own
    phone.assert_fit()

    page.goto(own.partition("#")[0])
    page.fill("#decklist", LEGAL)
    send(page)
    page.wait_for_selector(".notice.good")

    pass_as(phone, organiser)
    page.goto(f"{join}/settings")
    page.fill("#closes", local(seconds=-5))
    press(page, "#event button.main")
    page.wait_for_selector(f"{WAY} >> text=organiser")

    pass_as(phone, own)
    assert page.query_selector("#register") is None

    pass_as(phone, organiser)
    page.goto(own.partition("#")[0])
    page.click("summary:has-text('individual deadline')")
    page.fill("#until", local(minutes=10))
    page.fill("#settled_because", "train")
    press(page, "button:text-is('Save')")

    pass_as(phone, own)
    page.click("summary:has-text('Change registration')")
    page.fill("#team", "Reds")
    send(page)
    page.wait_for_selector("text=Current list: revision 3")
    addresses = " ".join(request.url for request in phone.requests)
    assert own.rpartition("=")[2] not in addresses
    assert organiser.rpartition("=")[2] not in addresses


def pass_as(phone, link):
    """Hand the telephone to somebody who has a link with a key."""
    phone.context.clear_cookies()
    phone.page.goto("about:blank")
    phone.page.goto(link)
    phone.page.wait_for_selector(WAY)
    assert "#" not in phone.page.url


def test_what_another_process_answers_comes_from_our_forms_alone(server):
    """Large requests are answered by a child, before which nobody else looks at them."""
    event = json.load(
        post_request(server, "/v1/events", json.dumps({"name": "x", "game": "optcg", "on": DAY}).encode())
    )
    list_of_many = f"player=Somebody&decklist={'x' * 20_000}".encode()
    with pytest.raises(urllib.error.HTTPError) as refused:
        post_request(server, f"/events/{event['id']}", list_of_many, "application/x-www-form-urlencoded")
    assert refused.value.code == 400
    assert b"x" * 20_000 in refused.value.read()


def post_request(server, path, body, media_type="application/json"):
    """Send a POST request to the server, and return the response."""
    return urllib.request.urlopen(urllib.request.Request(server.url + path, body, {"Content-Type": media_type}))


def test_the_story_of_an_organiser_in_the_hall(phone):
    page = phone.page
    join, organiser = begin_event(phone)
    with page.expect_download() as flyer:
        page.click("a:has-text('Flyer (PDF, A4)')")
    assert flyer.value.suggested_filename == f"{DAY}-flyer.pdf"
    page.goto(join)
    code = page.inner_text(".facts code")

    page.goto(f"{join}/expected")
    page.fill("#players", "Walk In\nNobody, Known")
    press(page, "#expected button.main")
    page.wait_for_selector(".names")
    phone.assert_fit()

    page.goto(join)
    page.click("summary:has-text('Enter a player')")
    page.fill("#player", "Walk In")
    page.fill("#table", "12")
    page.fill("#email", "walk@example.com")
    page.check("[name=stream]")
    page.fill("#decklist", LEGAL)
    phone.assert_fit()
    send(page)
    page.wait_for_selector(".notice.good >> text=table 12")
    phone.assert_fit()

    page.goto(f"{join}/missing")
    reminder = page.input_value("#reminder")
    assert "Nobody, Known" in reminder
    assert "Walk In" not in reminder
    phone.assert_fit()

    page.goto(f"{join}/stream")
    page.fill("#table", "12")
    page.click("button:has-text('Show its lists')")
    page.wait_for_selector("h3:has-text('Walk In')")
    phone.assert_fit()
    for path in (
        f"{join}/files",
        f"{join}/roster?sort=-legal",
        f"{join}/audit",
        f"{join}/commitments",
        "/events/verify",
    ):
        page.goto(path)
        phone.assert_fit()
    page.goto("/events/verify")
    phone.assert_fit()

    phone.context.clear_cookies()
    page.goto("/events")
    page.fill("#code", code.upper())
    page.click("#join button")
    page.wait_for_url(join)
    assert organiser.startswith(page.url)
    page.goto(organiser)  # nothing but what stands behind the "#" is another
    page.wait_for_selector(f"{WAY} >> text=organiser")
