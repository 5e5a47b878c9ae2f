"""Registering on a telephone: the receipt, changes that lose nothing, deadlines to the second, withdrawal."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import pytest

from tests.api.events.conftest import ILLEGAL, LEGAL
from tests.api.web.pages.events.guest import Guest, begun, entering, registered

FIVE = LEGAL.replace("4 OP01-016", "5 OP01-016")


@pytest.fixture
def event(app):
    """An event that is open: its organiser on the page, its id, its keys."""
    return begun(app)


def codes(guest):
    """Return the rules that the findings of a page cite."""
    return [one.text() for one in guest.page.css(".finding .rule .whole")]


def stands(app, id, receipt, key):
    """Return a registration as the interface has it."""
    path = receipt.replace("/events/", "/v1/events/")
    return app.test_client().get(path, headers={"Authorization": f"Bearer {key}"}).json


def test_any_list_is_saved_and_judged_at_once(app, event):
    guest, receipt, key = registered(app, event[1], decklist=ILLEGAL)
    assert codes(guest) == ["5-1-2"]
    assert guest.page.css_first(".notice.bad")
    assert stands(app, event[1], receipt, key)["legal"] is False
    assert codes(guest) == ["5-1-2"]


def test_a_list_may_follow_later(app, event):
    guest, receipt, _ = registered(app, event[1])
    assert guest.page.css_first(".notice.warn")
    guest.sends(receipt, decklist=LEGAL)
    assert guest.page.css_first(".notice.good")


def test_a_list_may_be_a_file(app, event):
    guest = Guest(app).opens(f"/events/{event[1]}")
    file = (io.BytesIO(LEGAL.encode("utf-16")), "deck.txt")
    guest.sends(f"/events/{event[1]}", player="Last, First", file=file)
    assert guest.page.css_first(".notice.good")


def test_the_form_is_for_new_players_until_the_deadline_and_for_judges_also_later(app, event, clock):
    _, id, keys = event
    player, _, _ = registered(app, id, decklist=LEGAL)
    guests = player, Guest(app), entering(app, id, keys["judge"])

    def has_form(guest):
        return guest.opens(f"/events/{id}").page.css_first("#register") is not None

    assert [has_form(guest) for guest in guests] == [False, True, True]
    clock.set("2026-10-25T09:00+01:00")
    assert [has_form(guest) for guest in guests] == [False, False, True]


def test_a_picture_is_no_list_and_registers_nobody(app, event):
    guest = Guest(app).opens(f"/events/{event[1]}")
    file = (io.BytesIO(b"\x89PNG\r\n" + bytes(100)), "deck.png")
    guest.sends(f"/events/{event[1]}", 422, player="Last, First", file=file)
    assert guest.faults() == ["file"]
    assert guest.value("player") == "Last, First"
    assert event[0].opens(f"/events/{event[1]}/roster").page.css(".players tbody tr") == []


@pytest.mark.parametrize("chosen", ["publish", "stream", None])
def test_each_consent_of_a_player_is_recorded_by_itself(app, chosen):
    _, id, keys = begun(app, consent="true")
    _, receipt, _ = registered(app, id, decklist=LEGAL, **({chosen: "true"} if chosen else {}))
    assert stands(app, id, receipt, keys["judge"])["consent"] == {
        "publish": chosen == "publish", "stream": chosen == "stream"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ({"player": ""}, ["player"]),
        ({"player": "x" * 101}, ["player"]),
        ({"player": "Last, First", "player_id": "<>"}, ["player_id"]),
        ({"player": "Last, First", "team": "x" * 61}, ["team"]),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_nothing_typed_is_lost(app, event, typed, wrong):
    guest = Guest(app).opens(f"/events/{event[1]}")
    guest.sends(f"/events/{event[1]}", 422, decklist=LEGAL, notes="at six", **typed)
    assert guest.faults() == wrong
    assert guest.value("decklist").strip().splitlines() == LEGAL.splitlines()
    assert guest.value("notes") == "at six"


def test_a_change_is_a_revision_told_card_by_card(app, event):
    guest, receipt, _ = registered(app, event[1], decklist=LEGAL)
    guest.sends(receipt, decklist=FIVE)
    assert "+1 OP01-016 Nami" in guest.says(".timeline li:first-child .changes")
    assert len(guest.page.css(".timeline > li")) == 2
    guest.sends(receipt)  # nothing else
    assert len(guest.page.css(".timeline > li")) == 2


def test_a_list_that_was_sent_does_not_vanish(app, event):
    guest, receipt, key = registered(app, event[1], decklist=LEGAL)
    guest.sends(receipt, 422, decklist="", team="Reds")
    assert guest.faults() == ["decklist"]
    assert guest.value("team") == "Reds"
    assert stands(app, event[1], receipt, key)["team"] == ""


def test_of_two_who_change_at_once_nobody_loses_anything(app, event):
    guest, receipt, key = registered(app, event[1], decklist=LEGAL)
    slower = entering(app, event[1], key)
    guest.sends(receipt, team="Reds")
    slower.sends(receipt, 412, decklist=FIVE, notes="mine")
    assert slower.value("notes") == "mine"
    assert slower.value("decklist").strip().splitlines() == FIVE.splitlines()
    assert "Reds" in slower.says(".panel")  # what stands, beside it
    assert "4OP01-016Nami" in slower.says(".panel")
    slower.sends(receipt)  # now that both were seen
    now = stands(app, event[1], receipt, key)
    assert (now["notes"], now["revision"], now["legal"]) == ("mine", 3, False)


def test_a_list_of_a_spreadsheet_is_there_to_be_changed(app, event):
    _, id, keys = event
    bearer = {"Authorization": f"Bearer {keys['organiser']}"}
    sent = f'Player,Decklist\n"Last, First","{LEGAL}"\n'
    made = (
        app.test_client()
        .post(f"/v1/events/{id}/registrations:import", data=sent, content_type="text/csv", headers=bearer)
        .json["registered"]
    )
    guest = entering(app, id, made[0]["key"])
    assert "OP01-016" in guest.value("decklist")
    guest.sends(f"/registrations/{made[0]['id']}")
    assert len(guest.page.css(".timeline > li")) == 1
    guest.sends(f"/registrations/{made[0]['id']}", team="Reds")
    assert guest.page.css_first(".notice.good")


@pytest.mark.parametrize(
    ("moment", "is_open"),
    [("2026-10-25T08:59:59+01:00", True), ("2026-10-25T09:00:00+01:00", False)],
)
def test_a_deadline_after_clocks_are_put_back_is_kept_to_the_second(app, event, clock, moment, is_open):
    """In the night before, clocks in Berlin are put back: the deadline is in winter time, today in summer time."""
    id = event[1]
    guest, receipt, _ = registered(app, id, decklist=LEGAL)
    stranger = Guest(app).opens(f"/events/{id}")
    assert "2026-10-25 09:00 (Europe/Berlin, UTC+0100)" in stranger.says(".deadline")
    late = stranger.page
    clock.set(moment)
    seconds = [one.attributes["data-left"] for one in guest.opens(receipt).page.css("[data-left]")]
    assert seconds == (["1"] if is_open else [])
    stranger.page = late
    stranger.sends(f"/events/{id}", 303 if is_open else 403, player="Another")
    assert bool(guest.page.css_first(f"form[action$='{receipt}']")) == is_open


@pytest.mark.parametrize(
    ("written", "fault"), [("2026-03-29T02:30", True), ("2026-10-25T02:30", True), ("2026-10-25T03:00:05", False)]
)
def test_a_moment_that_clocks_skip_or_strike_twice_is_asked_again(app, written, fault):
    guest = Guest(app).opens("/events")
    said = {"name": "x", "game": "optcg", "on": "2026-12-12", "timezone": "Europe/Berlin"}
    guest.sends("/events", 422 if fault else 201, closes=written, **said)
    assert guest.faults() == (["closes"] if fault else [])
    if not fault:
        assert "03:00:05 (Europe/Berlin, UTC+0100)" in Guest(app).opens(
            f"/events/{guest.value('join-link').rpartition('/')[2]}"
        ).says(".deadline")


def test_late_is_refused_until_a_judge_lets_in(app, event, clock):
    _, id, keys = event
    guest, receipt, _ = registered(app, id, decklist=ILLEGAL)
    open_page = guest.page
    clock.set("2026-10-25T09:30+01:00")
    guest.page = open_page
    guest.sends(receipt, 403, decklist=LEGAL)
    judge = entering(app, id, keys["judge"]).opens(receipt)
    judge.sends("/settle", until="2026-10-25T10:00", settled_because="train")
    assert guest.opens(receipt).page.css_first(f"form[action$='{receipt}']")
    guest.sends(receipt, decklist=LEGAL)
    assert guest.page.css_first(".notice.good")
    assert "list at the deadline" in guest.says(".timeline li:last-child")
    clock.set("2026-10-25T10:00+01:00")
    guest.opens(receipt)
    assert not guest.page.css_first(f"form[action$='{receipt}']")


def test_after_the_deadline_a_judge_changes_with_a_reason(app, event, clock):
    _, id, keys = event
    _, receipt, key = registered(app, id, decklist=ILLEGAL)
    clock.set("2026-10-25T09:30+01:00")
    judge = entering(app, id, keys["judge"]).opens(receipt)
    judge.sends(receipt, 403, decklist=LEGAL)
    judge.sends(receipt, reason="a card was forgotten")
    assert stands(app, id, receipt, key)["legal"] is True
    assert "a card was forgotten" in judge.says(".timeline")


def test_a_player_takes_the_data_along_and_withdraws(app, event):
    guest, receipt, key = registered(app, event[1], player="Müller, Ülkü", decklist=LEGAL)
    data = guest.client.get(f"{receipt}/data")
    assert data.json["registration"]["player"] == "Müller, Ülkü"
    assert data.headers["Content-Disposition"].startswith("attachment")
    guest.sends("/withdraw", 422)
    assert guest.faults() == ["sure"]
    guest.sends("/withdraw", 303, sure="true")
    assert stands(app, event[1], receipt, key)["status"] == 404
    guest.opens(receipt, 404)


def test_a_new_link_makes_the_old_one_useless(app, event):
    _, id, keys = event
    guest, receipt, _ = registered(app, id, decklist=LEGAL)
    judge = entering(app, id, keys["judge"]).opens(receipt)
    new = judge.sends("/registrations/" + receipt.rpartition("/")[2] + "/key").value("own-link")
    guest.opens(receipt, 404)
    assert entering(app, id, new.partition("#key=")[2]).path == receipt


@pytest.mark.parametrize("lang", ["de", "fr", "es", "it", "ja"])
def test_what_is_typed_stays_when_another_language_is_chosen(app, event, lang):
    guest = Guest(app).opens(f"/events/{event[1]}")
    token = guest.page.css_first("[name=csrf_token]").attributes["value"]
    guest.posts(f"/events/{event[1]}?lang={lang}&switch=", csrf_token=token, player="Last, First", decklist=LEGAL)
    assert guest.page.css_first("html").attributes["lang"] == lang
    assert guest.value("player") == "Last, First"
    assert f"lang={lang}" in guest.page.css_first("#register").attributes["action"]


def test_table_and_address_change_beside_the_list(app, event, clock):
    _, id, keys = event
    player, receipt, _ = registered(app, id, decklist=LEGAL, email="first@example.com", table="99")
    said = stands(app, id, receipt, keys["judge"])
    assert (said["email"], said["table"]) == ("first@example.com", "")  # where one sits is not one's own say
    clock.set("2026-10-25T09:30+01:00")
    player.opens(receipt).sends("/settle", 422, email="no address")
    assert player.faults() == ["email"]
    assert player.value("email") == "no address"
    player.sends("/settle", email="last@example.com", table="99", cut="true", until="2027-01-01T00:00")
    said = stands(app, id, receipt, keys["judge"])
    assert (said["email"], said["table"], said["cut"], said["revision"]) == ("last@example.com", "", False, 1)
    assert said["deadline"]["own"] is False
    judge = entering(app, id, keys["judge"]).opens(receipt)
    assert judge.value("email") == "last@example.com"
    judge.sends("/settle", table="12")
    assert "table 12" in player.opens(receipt).says(".notice")
    assert "Table 12" in judge.opens(f"/events/{id}/roster").says("tbody")
    assert "table 12" not in player.opens(f"/events/{id}/roster").says("tbody")


def test_registering_leads_to_the_own_page_with_the_link(app, event):
    guest = Guest(app).opens(f"/events/{event[1]}")
    guest.sends(f"/events/{event[1]}", 303, player="Last, First", email="nami@example.com")
    receipt = guest.answer.headers["Location"]
    link = guest.opens(receipt).value("own-link")
    assert receipt in link
    assert guest.opens(receipt).value("own-link") == link  # on this device as often as the player likes
    mail = next(one.attributes["href"] for one in guest.page.css("a") if one.attributes["href"].startswith("mailto:"))
    assert mail.startswith("mailto:nami@example.com?")
    assert link.partition("#key=")[2] in mail
    assert guest.page.css_first(".qr")
    assert all(one.attributes.get("hidden", "no") is None for one in guest.page.css("[data-share], [data-copy]"))


def test_nobody_else_is_shown_the_link(app, event):
    organiser, id, keys = event
    _, receipt, key = registered(app, id, decklist=LEGAL)
    organiser.opens(f"/events/{id}/settings").sends("/settings", lists="public")
    for guest in (Guest(app), entering(app, id, keys["judge"]), registered(app, id, "Another")[0]):
        assert guest.opens(receipt).page.css_first("#own-link") is None
        assert key not in guest.text


@pytest.mark.parametrize(
    ("moment", "days"),
    [("2026-10-20T00:00+02:00", 12), ("2026-10-31T12:00+01:00", 0.5), ("2026-11-05T12:00+01:00", None)],
)
def test_a_players_device_keeps_the_key_until_some_days_after_the_event(app, clock, moment, days):
    """The clocks are put back on the day of the event: the last day is an hour longer."""
    _, id, keys = begun(app, closes="")
    clock.set(moment)
    guest = Guest(app).opens(f"/events/{id}").sends(f"/events/{id}", 303, player="Last, First")
    kept = [one for one in guest.cookies()["deckproof_key"] if one.startswith("Max-Age=")]
    assert kept == ([] if days is None else [f"Max-Age={int(days * 86400) + (3600 if days > 1 else 0)}"])
    judge = Guest(app).opens(f"/events/{id}").sends("/key", 303, key=keys["judge"])
    assert not [one for one in judge.cookies()["deckproof_key"] if one.startswith("Max-Age=")]


def test_a_judge_hands_the_link_on_and_keeps_the_own_key(app, event):
    _, id, keys = event
    judge = entering(app, id, keys["judge"]).opens(f"/events/{id}")
    judge.sends(f"/events/{id}", 201, player="Walks, In", decklist=LEGAL)
    player = judge.value("own-link")
    assert keys["judge"] not in judge.text
    assert judge.page.css_first("details[open] .qr")
    assert judge.opens(f"/events/{id}/roster", 200)
    path = urlsplit(player).path
    assert entering(app, id, player.partition("#key=")[2]).path == path
    judge.opens(path).sends("/key", 200)  # the roster, the player, the button
    assert judge.value("own-link") != player


def test_who_registers_twice_is_told_and_nothing_is_lost(app, event):
    first, _, _ = registered(app, event[1], player_id="0012", decklist=LEGAL)
    assert first.page.css_first(".notice.warn") is None
    again, receipt, _ = registered(app, event[1], "Somebody Else", player_id="12", decklist=ILLEGAL, notes="at six")
    assert "2026-10-20 12:00" in again.says(".notice.warn")
    assert "Last" not in again.says(".notice.warn")
    assert again.value("notes") == "at six"
    assert again.page.css_first(".notice.warn a") is None
    judge = entering(app, event[1], event[2]["judge"]).opens(receipt)
    assert judge.page.css_first(".notice.warn a[href$='/duplicates']")
