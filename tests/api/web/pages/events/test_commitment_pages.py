"""The pages of commitments: publishing, opening and verifying."""

from __future__ import annotations

import io
import json

import pytest

from tests.api.events.conftest import LEGAL
from tests.api.web.pages.events.guest import Guest, begun, registered


@pytest.fixture
def run(app):
    """An event with two lists: its organiser and its path."""
    organiser, id, _ = begun(app)
    registered(app, id, "One, Player", decklist=LEGAL)
    registered(app, id, "Two, Player", decklist=LEGAL)
    return organiser, f"/events/{id}"


def downloads(guest, event):
    guest.opens(f"{event}/commitments")
    return {one.attributes["download"]: one.attributes["href"] for one in guest.page.css("a[download]")}


def fetch(app, path):
    answer = app.test_client().get(path)
    assert answer.status_code == 200
    return answer.json


def compare(app, opened, published, status=200):
    guest = Guest(app).opens("/events/verify")
    files = {"opened": opened, "published": published}
    sent = {
        name: (io.BytesIO(content if isinstance(content, bytes) else json.dumps(content).encode()), f"{name}.json")
        for name, content in files.items()
        if content is not None
    }
    return guest.sends("/verify", status, **{"opened": None, "published": None, **sent})


def test_before_the_lists_are_public_only_hashes_can_be_downloaded(run, app):
    organiser, event = run
    (path,) = downloads(organiser, event).values()
    published = fetch(app, path)
    assert len(published["commitments"]) == 2
    assert published["audit"]["head"] in organiser.says(".facts")
    assert "salt" not in json.dumps(published)
    assert list(downloads(Guest(app), event).values()) == [path]


def test_opened_lists_hold_and_changed_ones_do_not(run, app):
    organiser, event = run
    published = fetch(app, downloads(organiser, event)["commitments.json"])
    organiser.opens(f"{event}/settings").sends("/settings", lists="public")
    opened = fetch(app, downloads(Guest(app), event)["opened-lists.json"])
    assert compare(app, opened, published).page.css_first(".notice.good")
    assert compare(app, published, opened).page.css_first(".notice.good")  # swapped files are told apart
    opened["lists"][0]["list"] = opened["lists"][1]["list"].replace("4", "3", 1)
    changed = compare(app, opened, published)
    assert changed.page.css_first(".notice.bad")
    assert opened["lists"][0]["registration"] in changed.says(".facts")


def test_a_file_that_is_none_is_named(run, app):
    organiser, event = run
    published = fetch(app, downloads(organiser, event)["commitments.json"])
    assert compare(app, b"{", published, 422).faults() == ["opened"]
    assert compare(app, published, b"[]", 422).faults() == ["published"]
    assert compare(app, None, published, 422).faults() == ["opened"]
    assert compare(app, published, published, 422).faults() == ["opened"]
    assert compare(app, b"x" * 6_000_000, published, 413)
