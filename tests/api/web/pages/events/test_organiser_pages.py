"""An organiser at the pages: beginning an event, who is missing, spreadsheets, keys, changes, files, audit."""

from __future__ import annotations

import io
import re
from io import BytesIO

import pytest

from api.web.pages.events.roster_pages import MOST_SHOWN
from tests.api.events.conftest import ILLEGAL, LEGAL, made
from tests.api.web.pages.events.guest import EVENT, Guest, begun, entering, imported, registered
from tests.interface import documented_settings


@pytest.fixture
def hall(app):
    """An event with a legal list, one that is not, and a player without any; its organiser on the roster's page."""
    organiser, id, _ = begun(app)
    registered(app, id, "Ångström, Åsa", decklist=LEGAL, team="Reds")
    registered(app, id, "Last, First", decklist=ILLEGAL)
    registered(app, id, "山田 太郎")
    return organiser.opens(f"/events/{id}/roster"), f"/events/{id}"


def players(guest):
    return [one.text() for one in guest.page.css(".players th[scope=row] > a")]


def file(text, name="players.csv"):
    return io.BytesIO(text.encode()), name


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ({"name": ""}, ["name"]),
        ({"game": ""}, ["game"]),
        ({"on": "soon"}, ["on"]),
        ({"timezone": "Europe/Nowhere"}, ["timezone"]),
        ({"opens": "2026-10-25T10:00", "closes": "2026-10-25T09:00"}, ["closes"]),
        ({"purge_days": "0"}, ["purge_days"]),
        ({"side_max": "x"}, ["side_max"]),
        ({"best_of": "10", "public_from": "x"}, ["public_from", "best_of"]),
    ],
)
def test_what_is_wrong_with_an_event_stands_at_its_field(app, typed, wrong):
    guest = Guest(app).opens("/events").sends("/events", 422, **({**EVENT, "place": "Here"} | typed))
    if set(typed) >= {"best_of", "public_from"}:
        wrong = ["best_of"]  # moments are looked at once all else can be meant
    assert guest.faults() == wrong
    assert guest.value("place") == "Here"


def test_an_event_is_what_its_form_says(app):
    said = {"side_max": "0", "release_delay_days": "7", "limits": "false", "best_of": "3", "purge_days": "10"}
    said |= {"consent": "true", "lists": "closed", "public_from": "2026-10-25T22:00", "roster": "public", "game": "dbs"}
    said |= {"verdicts": "true"}
    _, id, _ = begun(app, **said)
    event = app.test_client().get(f"/v1/events/{id}").json
    policy = {name: event["policy"][name] for name in ("side_max", "release_delay_days", "limits", "release")}
    assert policy == {"side_max": 0, "release_delay_days": 7, "limits": False, "release": True}
    assert event["visibility"] == {
        "lists": "closed",
        "public_from": "2026-10-25T22:00:00+01:00",
        "roster": "public",
        "verdicts": True,
        "now": "closed",
    }
    assert (event["best_of"], event["purge_days"], event["consent"]) == (3, 10, True)


def test_the_keys_are_shown_once(app):
    organiser, id, keys = begun(app)
    assert len(set(keys.values())) == 2
    assert not any(key in organiser.opens(f"/events/{id}").text for key in keys.values())
    assert entering(app, id, keys["judge"]).path == f"/events/{id}/table"


def test_where_it_is_demanded_the_admins_key_begins_an_event(folder, clock):
    app = made(clock, data_dir=folder, admin_key="an-admin-key-of-this-test")
    guest = Guest(app).opens("/events").sends("/events", 422, **EVENT)
    assert guest.faults() == ["admin_key"]
    begun(app, admin_key="an-admin-key-of-this-test")


def test_no_more_events_than_there_may_be(folder, clock):
    app = made(clock, data_dir=folder, max_events=1)
    begun(app)
    Guest(app).opens("/events").sends("/events", 503, **EVENT)


def test_the_roster_says_whose_list_is_missing_or_illegal(hall):
    organiser, _ = hall
    assert players(organiser) == ["Ångström, Åsa", "Last, First", "山田 太郎"]
    for state, found in (("received", 2), ("missing", 1), ("illegal", 1), ("all", 3)):
        assert len(players(organiser.sends("/roster", state=state))) == found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "found"), [("angstrom", 1), ("ÅNGSTRÖM", 1), ("first", 1), ("reds", 1), ("太郎", 1), ("<b>", 0)]
)
def test_a_search_finds_names_and_teams(hall, typed, found):
    organiser, _ = hall
    assert len(players(organiser.sends("/roster", q=typed))) == found
    assert "q=" not in organiser.answer.request.url


@pytest.mark.slow
def test_a_long_roster_has_pages(app):
    organiser, id, _ = begun(app)
    rows = "".join(f'"Player {number:04}"\n' for number in range(MOST_SHOWN + 3))
    imported(organiser, f"/events/{id}", f"Player\n{rows}")
    assert len(players(organiser.opens(f"/events/{id}/roster"))) == MOST_SHOWN
    (more,) = organiser.page.css("form.actions")
    organiser.posts(
        more.attributes["action"],
        csrf_token=more.css_first("[name=csrf_token]").attributes["value"],
        **{"from": str(MOST_SHOWN)},
    )
    assert len(players(organiser)) == 3


def test_who_is_missing_is_reminded_and_nobody_else(hall):
    organiser, event = hall
    organiser.opens(f"{event}/missing")
    assert "山田 太郎" in organiser.page.css_first("#reminder").text()
    organiser.sends("/missing", players="First Last\r\nNobody, Known\r\n\r\n山田 太郎\r\n")
    text = organiser.page.css_first("#reminder").text()
    assert "Nobody, Known" in text
    assert "山田 太郎" in text
    assert "Last, First" not in text
    assert "Nobody, Known" in organiser.value("players")
    organiser.sends("/missing", 422, players="")
    assert organiser.faults() == ["players"]


def test_a_walk_in_is_entered_by_a_judge(hall, clock):
    organiser, event = hall
    clock.set("2026-10-25T09:30+01:00")
    organiser.opens(event).sends(event, 403, player="Walk In", decklist=LEGAL)
    organiser.sends(event, 201, reason="walk-in")
    assert "#key=" in organiser.value("own-link")
    assert "organiser" in organiser.opens(event).says("form")  # still: the player's key is not the organiser's


def test_a_judges_key_has_a_link_and_is_revoked(hall, app):
    organiser, event = hall
    organiser.opens(f"{event}/keys").sends("/keys", 201, name="Table 1", role="judge")
    key = organiser.value("made-link").partition("#key=")[2]
    judge = entering(app, event.rpartition("/")[2], key)
    judge.opens(f"{event}/roster")
    judge.opens(f"{event}/keys", 404)
    row = next(one for one in organiser.opens(f"{event}/keys").page.css("tbody tr") if "Table 1" in one.text())
    organiser.sends(row.css_first("form").attributes["action"])
    judge.opens(f"{event}/missing", 404)
    assert "revoked" in organiser.says("tbody")
    assert key not in organiser.text


def test_the_last_organisers_key_stays(hall):
    organiser, event = hall
    row = next(one for one in organiser.opens(f"{event}/keys").page.css("tbody tr") if "organiser" in one.text())
    organiser.sends(row.css_first("form").attributes["action"], 409)
    organiser.opens(f"{event}/keys")


def test_an_event_is_changed_and_what_is_left_alone_stays(hall, app):
    organiser, event = hall
    before = app.test_client().get(f"/v1{event}").json
    organiser.opens(f"{event}/settings").sends("/settings", 303)
    after = app.test_client().get(f"/v1{event}").json
    assert after | {"version": 1, "policy": None} == before
    organiser.opens(f"{event}/settings").sends("/settings", closes="", name="Another", opens="2026-10-01T00:00")
    changed = app.test_client().get(f"/v1{event}").json
    assert (changed["name"], changed["closes"]) == ("Another", None)
    assert changed["opens"] == "2026-10-01T00:00:00+02:00"


def test_a_moment_that_clocks_strike_twice_stays_as_it_was_said(app):
    organiser, id, keys = begun(app)
    bearer = {"Authorization": f"Bearer {keys['organiser']}"}
    app.test_client().patch(f"/v1/events/{id}", json={"closes": "2026-10-25T02:30:00+01:00"}, headers=bearer)
    organiser.opens(f"/events/{id}/settings").sends("/settings", 303, place="Another hall")
    event = app.test_client().get(f"/v1/events/{id}").json
    assert (event["place"], event["closes"]) == ("Another hall", "2026-10-25T02:30:00+01:00")


def test_of_two_who_change_an_event_nobody_loses_anything(hall):
    organiser, event = hall
    first = organiser.opens(f"{event}/settings").page
    organiser.sends("/settings", place="Hall 1")
    organiser.page = first
    organiser.sends("/settings", 412, place="Hall 2")
    assert "Hall 1" in organiser.says(".panel")
    assert organiser.value("place") == "Hall 2"
    organiser.sends("/settings")
    assert "Hall 2" in organiser.says()


def test_a_deleted_event_is_restored(hall, app):
    organiser, event = hall
    organiser.opens(f"{event}/settings").sends("/delete", 422)
    organiser.sends("/delete", sure="true")
    assert organiser.path == event
    organiser.opens(f"{event}/roster", 404)
    Guest(app).opens(event, 404)
    organiser.opens(event).sends("/restore")
    assert len(players(organiser.opens(f"{event}/roster"))) == 3
    Guest(app).opens(event)


def test_a_deleted_event_is_removed_at_once_if_the_organiser_is_sure(hall):
    organiser, event = hall
    organiser.opens(f"{event}/settings").sends("/delete", sure="true")
    organiser.sends("/delete", 422)
    assert organiser.faults() == ["sure"]
    organiser.sends("/delete", 303, sure="true")
    assert organiser.cookies()["deckproof_key"]
    organiser.opens(event, 404)


def test_the_impact_of_a_day_names_whose_deck_and_why(hall):
    organiser, event = hall
    organiser.opens(f"{event}/impact?before=2026-10-25&after=2029-01-01")
    assert "Ångström, Åsa" in organiser.says(".names")
    organiser.opens(f"{event}/impact?before=x", 422)
    assert organiser.faults() == ["before"]


def test_a_typed_ban_list_names_the_players_whose_decks_it_makes_illegal(hall):
    organiser, event = hall
    organiser.opens(f"{event}/impact").sends("/impact", 200, lines="OP01-016 banned")
    assert "Ångström, Åsa" in organiser.says(".names")
    assert "OP01-016" in organiser.says("#changes")
    organiser.sends("/impact", 422, lines="OP01-016 perhaps", on="2026-10-26")
    assert organiser.faults() == ["lines"]
    assert [organiser.value(name) for name in ("lines", "on")] == ["OP01-016 perhaps", "2026-10-26"]
    change = '[[change]]\neffective_from = 2026-10-01\nregion = "en"\nsource = "https://example.org/"\n'
    change += 'restrict.OP01-016 = {limit = 1, name = "Nami"}\n'
    organiser.sends("/impact", 200, lines="", file=(BytesIO(change.encode()), "list.toml"))
    assert "Ångström, Åsa" in organiser.says(".names")
    organiser.sends("/impact", 422, lines="", file=(BytesIO(b"no toml"), "list.toml"))
    assert organiser.faults() == ["file"]


@pytest.mark.parametrize("verdicts", [False, True])
def test_others_see_leader_and_colours_of_public_lists_and_verdicts_if_the_organiser_wants(app, verdicts):
    said = {"verdicts": "true"} if verdicts else {}
    organiser, id, _ = begun(app, lists="public", **said)
    registered(app, id, "Ångström, Åsa", decklist=LEGAL)
    _, path, _ = registered(app, id, "Last, First", decklist=ILLEGAL)
    guest = Guest(app).opens(f"/events/{id}/registrations")
    assert [one.text() for one in guest.page.css(".names li > b")] == (["✓ Legal", "✗ Not legal"] if verdicts else [])
    assert len(guest.page.css(".names li > small")) == 2
    assert "ST21-001" in guest.says(".names")
    assert bool(guest.opens(path).page.css("main p > b.bad")) == verdicts
    listed = app.test_client().get(f"/v1/events/{id}/registrations").json["registrations"]
    assert [one["legal"] for one in listed] == ([True, False] if verdicts else [None, None])
    assert {one["leader"]["number"] for one in listed} == {"ST21-001"}
    assert all(one["leader"]["colors"] for one in listed)
    assert "✗" in organiser.opens(f"/events/{id}/roster").text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "start"), [("xlsx", b"PK"), ("pdf", b"%PDF-"), ("csv", b"\xef\xbb\xbf"), ("zip", b"PK")]
)
def test_a_file_is_the_one_of_the_interface(hall, kind, start):
    organiser, event = hall
    answer = organiser.client.get(f"{event}/export?as={kind}&paper=a4&order=name")
    assert answer.data.startswith(start)
    assert answer.headers["Cache-Control"] == "private, no-store"
    organiser.opens(f"{event}/export?as=exe", 422)


def test_the_audit_tells_what_was_done(hall):
    organiser, event = hall
    organiser.opens(f"{event}/audit")
    assert organiser.page.css_first(".notice.good")
    assert "event begun" in organiser.says("tbody tr:last-child")
    assert "Ångström" not in organiser.text


def test_public_lists_have_neither_ids_nor_notes(hall, app):
    organiser, event = hall
    registered(app, event.rpartition("/")[2], "Known, Well", decklist=LEGAL, player_id="007", notes="secret")
    Guest(app).opens(f"{event}/registrations", 404)
    organiser.opens(f"{event}/settings").sends("/settings", lists="public")
    guest = Guest(app).opens(event)
    (path,) = {
        one.attributes["href"] for one in guest.page.css(".ways a") if one.attributes["href"].endswith("registrations")
    }
    assert len(guest.opens(path).page.css(".names li")) == 3
    guest.opens(guest.page.css_first(".names a").attributes["href"])
    assert guest.page.css_first(".deck")
    assert "007" not in guest.text
    assert "secret" not in guest.text


def test_hostile_names_are_text_on_every_page(app):
    organiser, id, _ = begun(app, name="<script>alert(1)</script>")
    registered(app, id, "<img src=x onerror=alert(1)>", team="</bdi><script>", notes="{{7*7}}", decklist="<b>\n1 <i>")
    for page in ("", "/roster", "/missing", "/settings", "/keys", "/audit", "/impact", "/import", "/files"):
        text = organiser.opens(f"/events/{id}{page}").text
        assert not re.search(r"<script>|<img src=x|<i>|onerror=alert\(1\)>(?!&)", text)


def test_settings_have_a_secret_for_forms():
    assert "DECKPROOF_SECRET_KEY" in [one.env for one in documented_settings()]


ADMIN = "an-admin-key-of-this-test"


def test_strangers_create_events_on_the_page_up_to_a_limit(folder, clock):
    app = made(clock, data_dir=folder, admin_key=ADMIN, open_events="1/day")
    begun(app)
    refused = Guest(app).opens("/events").sends("/events", 429, **EVENT)
    assert int(refused.answer.headers["Retry-After"]) > 80_000
    begun(app, admin_key=ADMIN)


def test_the_page_refuses_strangers_when_they_have_half_of_the_events(folder, clock):
    app = made(clock, data_dir=folder, admin_key=ADMIN, open_events="100/day", max_events=2)
    begun(app)
    Guest(app).opens("/events").sends("/events", 429, **EVENT)
    begun(app, admin_key=ADMIN)


def test_a_past_day_is_confirmed_on_the_page(folder, clock):
    app = made(clock, data_dir=folder, admin_key=ADMIN)
    past = EVENT | {"on": "2026-10-01", "closes": "", "admin_key": ADMIN}
    guest = Guest(app).opens("/events").sends("/events", 422, **past)
    assert guest.faults() == ["on"]
    guest.sends("/events", 201, **past, confirm="true")


def test_an_event_is_moved_into_the_past_on_the_page_only_if_confirmed(app):
    organiser, id, _ = begun(app)
    settings = f"/events/{id}/settings"
    organiser.opens(settings).sends("/settings", 422, on="2025-10-25", closes="")
    assert organiser.faults() == ["on"]
    organiser.sends("/settings", on="2025-10-25", closes="", confirm="true")
