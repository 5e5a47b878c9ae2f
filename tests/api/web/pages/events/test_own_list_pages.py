"""An event's own ban list at the pages: typed or as a file by its organiser, shown to everybody."""

from __future__ import annotations

from io import BytesIO

import pytest

from tests.api.events.conftest import LEGAL
from tests.api.events.test_own_list import HEAD, POOL, RESTRICTION
from tests.api.web.pages.events.guest import EVENT, Guest, begun, registered


def stored_list(app, id):
    return app.test_client().get(f"/v1/events/{id}").json["limits_list"]


def test_the_event_applies_a_typed_list(app):
    organiser, id, _ = begun(app, limits_list=RESTRICTION.replace("\n", "\r\n"))
    assert stored_list(app, id) == RESTRICTION.strip()
    assert organiser.opens(f"/events/{id}/settings").value("limits_list").strip() == RESTRICTION.strip()
    shown = Guest(app).opens(f"/events/{id}").says("section[aria-labelledby=own-list]")
    assert "judged by the official list and by: House list" in shown
    assert "OP01-016 Nami: 2 copies (official list: no limit)" in shown
    player, path, _ = registered(app, id, decklist=LEGAL)
    assert "House list" in player.opens(path).says(".finding .rule")
    organiser.opens(f"/events/{id}/settings").sends("/settings", limits_list="")
    assert stored_list(app, id) is None
    assert not Guest(app).opens(f"/events/{id}").page.css("#own-list")


def test_a_file_replaces_the_text_and_the_page_shows_the_card_pool(app):
    organiser, id, _ = begun(app, limits_list=RESTRICTION)
    file = BytesIO(b"\xef\xbb\xbf" + POOL.encode()), "list.toml"
    organiser.opens(f"/events/{id}/settings").sends("/settings", limits_file=file)
    assert stored_list(app, id) == POOL.strip()
    shown = Guest(app).opens(f"/events/{id}").says("section[aria-labelledby=own-list]")
    assert "Only these cards are allowed: the sets OP01, OP11, OP14, ST01, ST21, ST31 1 single card OP10-011" in shown


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"limits_list": "x = 1"}, "limits_list", "the file has no changes; write each one under [[change]]."),
        ({"limits_list": HEAD + 'allowed_sets = ["OP91"]'}, "limits_list", "no card number begins with OP91"),
        ({"limits_file": (b"\xff\xfe\x00", "list.toml")}, "limits_file", "Choose a TOML file in UTF-8."),
        ({"limits_file": (b"#" * 100_001, "list.toml")}, "limits_file", "The file is too large."),
        ({"limits_list": RESTRICTION, "limits": "false"}, "limits_list", "so the own list has no effect"),
    ],
    ids=range(5),
)
def test_the_page_shows_an_error_beside_the_list_and_keeps_the_text(app, typed, field, message):
    sent = {name: (BytesIO(value[0]), value[1]) if isinstance(value, tuple) else value for name, value in typed.items()}
    guest = Guest(app).opens("/events").sends("/events", 422, **EVENT, **sent)
    assert guest.faults() == [field]
    assert message in guest.says(f"#{field}-fault")
    assert guest.value("limits_list").strip() == typed.get("limits_list", "").strip()


def test_the_organiser_is_warned_of_a_list_without_effect(app):
    organiser, id, _ = begun(app, limits_list=RESTRICTION.replace("2026-01-01", "2027-01-01"))
    warning = "The event's own ban list changes nothing on 2026-10-25."
    assert warning in organiser.opens(f"/events/{id}").says(".notice.warn")
    assert warning not in Guest(app).opens(f"/events/{id}").says()
    assert "nichts" in organiser.opens(f"/events/{id}/settings?lang=de").says(".notice.warn")
