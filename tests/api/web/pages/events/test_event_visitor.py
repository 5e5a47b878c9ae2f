"""Keys on pages: a link's key becomes a cookie of one event, which is checked every time, and forms are our own."""

from __future__ import annotations

import logging
import re
from urllib.parse import urlsplit

import pytest

from api.web.pages.events.event_visitor import COOKIE
from tests.api.events.conftest import LEGAL, made
from tests.api.web.pages.events.guest import EVENT, Guest, begun, entering, registered

FORM = "deckproof_form"


def test_a_key_becomes_a_cookie_of_that_event_alone(app):
    _, id, keys = begun(app)
    judge = Guest(app).opens(f"/events/{id}").sends("/key", 303, key=keys["judge"])
    assert judge.answer.headers["Location"] == f"/events/{id}/table"
    assert set(judge.cookies()[COOKIE]) == {"HttpOnly", "SameSite=Strict", f"Path=/events/{id}"}
    assert judge.opens(f"/events/{id}").page.css_first("form[action$='/leave']")
    assert judge.opens(f"/events/{id}").cookies() == {}


def test_over_https_the_cookies_go_by_https_alone(app):
    _, id, keys = begun(app)
    judge = Guest(app, "https://localhost").opens(f"/events/{id}")
    assert set(judge.cookies()[FORM]) == {"Secure", "HttpOnly", "SameSite=Lax", "Path=/events"}
    judge.sends("/key", 303, key=keys["judge"])
    assert "Secure" in judge.cookies()[COOKIE]


def test_a_whole_link_is_taken_for_its_key(app):
    _, id, keys = begun(app)
    assert "judge" in entering(app, id, f" https://example.org/events/{id}#key={keys['judge']} ").says("form")


def test_a_player_is_led_to_the_own_registration(app):
    _, id, _ = begun(app)
    _, receipt, key = registered(app, id)
    assert entering(app, id, key).path == receipt


@pytest.mark.parametrize(
    ("to", "where"), [("/roster", "/roster"), ("//evil.example", "/table"), ("/../x", "/table"), ("x", "/table")]
)
def test_a_key_leads_on_within_its_event_alone(app, to, where):
    _, id, keys = begun(app)
    judge = Guest(app).opens(f"/events/{id}").sends("/key", 303, key=keys["judge"], to=to)
    assert judge.answer.headers["Location"] == f"/events/{id}{where}"


@pytest.mark.parametrize("id", ["x%0d%0aSet-Cookie:a=b", "a%0ab", "%F0%9F%83%8F", "%00"])
def test_what_can_be_no_event_is_not_there(app, id):
    """Some answers have the event in a header, which takes no such characters."""
    _, known, _ = begun(app)
    guest = Guest(app).opens(f"/events/{known}")
    form = guest.page.css_first("form[method=post]")
    token = form.css_first("[name=csrf_token]").attributes["value"]
    guest.posts(f"/events/{id}/leave", 404, csrf_token=token)
    guest.opens(f"/events/{id}/table/worker.js", 404).opens(f"/events/{id}", 404)


def test_a_wrong_key_and_no_event_look_the_same(app):
    _, id, keys = begun(app)
    _, other, _ = begun(app)
    wrong = Guest(app).opens(f"/events/{id}").sends("/key", 404, key="x" * 43)
    assert COOKIE not in wrong.cookies()
    foreign = Guest(app).opens(f"/events/{other}").sends("/key", 404, key=keys["judge"])
    nowhere = Guest(app).opens(f"/events/{'0' * 30}", 404).sends("/key", 404, key="x" * 43)

    def plain(guest):
        return re.sub(r'/events/[0-9a-f]{30}|name="csrf_token" value="[^"]*"', "", guest.text)

    assert plain(wrong) != plain(nowhere.opens(f"/events/{'0' * 30}", 404))  # which says that the key is wrong
    assert plain(Guest(app).opens(f"/events/{'0' * 30}", 404)) == plain(
        Guest(app).opens(f"/events/{id}/registrations/{'1' * 30}", 404)
    ).replace('name="to" value="/registrations/' + "1" * 30, 'name="to" value="')
    assert foreign.faults() == wrong.faults() == ["key"]


def test_a_revoked_key_holds_no_longer(app):
    _, id, keys = begun(app)
    api = app.test_client()
    bearer = {"Authorization": f"Bearer {keys['organiser']}"}
    made_key = api.post(f"/v1/events/{id}/keys", json={"name": "A judge"}, headers=bearer).json
    judge = entering(app, id, made_key["key"])
    assert "as judge" in judge.opens(f"/events/{id}").says("form")
    api.delete(f"/v1/events/{id}/keys/{made_key['id']}", headers=bearer)
    assert "as judge" not in judge.opens(f"/events/{id}").says("form")


def test_who_leaves_has_no_key_any_more(app):
    organiser, id, _ = begun(app)
    organiser.opens(f"/events/{id}").sends("/leave")
    assert organiser.client.get_cookie(COOKIE, path=f"/events/{id}") is None
    assert not organiser.page.css_first("form[action$='/leave']")


@pytest.mark.parametrize("spoilt", [None, "", "x", "IjAi.awMTPA.x"])
def test_a_form_of_somebody_else_does_nothing_and_loses_nothing(app, spoilt):
    _, id, _ = begun(app, roster="public")
    guest = Guest(app).opens(f"/events/{id}")
    guest.sends(f"/events/{id}", 400, player="Last, <First>", decklist=LEGAL, csrf_token=spoilt)
    assert app.test_client().get(f"/v1/events/{id}/roster").json["registered"] == 0
    guest.sends(f"/events/{id}")  # as it was typed
    assert "Last, <First>" in guest.says("h1")
    assert guest.page.css_first(".notice.good")


def test_a_form_of_another_browser_does_nothing(app):
    _, id, _ = begun(app)
    token = Guest(app).opens(f"/events/{id}").page.css_first("[name=csrf_token]").attributes["value"]
    Guest(app).posts(f"/events/{id}", 400, player="Last, First", csrf_token=token)


def test_nothing_is_done_twice(app):
    _, id, _ = begun(app)
    guest = Guest(app).opens(f"/events/{id}")
    page = guest.page
    keys = set()
    for _ in range(2):
        guest.page = page
        keys.add(guest.sends(f"/events/{id}", player="Last, First").value("own-link"))
    assert len(keys) == 1
    guest.page = page
    assert guest.sends(f"/events/{id}", player="Another").value("own-link") not in keys


def test_servers_with_one_secret_take_each_others_forms(folder, clock):
    one, other = (made(clock, data_dir=folder / name, secret_key="s" * 20, database_url=f"sqlite:///{folder}/d.db")
                  for name in "ab")  # fmt: skip
    guest = Guest(one).opens("/events")
    cookie = guest.client.get_cookie(FORM, path="/events")
    elsewhere = Guest(other)
    elsewhere.client.set_cookie(FORM, cookie.value, path="/events")
    elsewhere.page = guest.page
    elsewhere.sends("/events", 201, **EVENT)


def test_no_key_is_in_an_address_or_a_log(app, caplog):
    with caplog.at_level(logging.DEBUG):
        _, id, keys = begun(app)
        guest, _, key = registered(app, id)
        entering(app, id, keys["judge"])
    for secret in (*keys.values(), key):
        assert secret not in caplog.text
        assert secret not in guest.opens(f"/events/{id}").text
    assert guest.answer.headers["Referrer-Policy"] == "no-referrer"
    assert guest.answer.headers["Cache-Control"] == "private, no-store"


def test_other_pages_have_no_session(app):
    client = app.test_client()
    for path in ("/", "/cards", "/v1/rulesets", "/docs"):
        answer = client.get(path)
        assert "Set-Cookie" not in answer.headers
        assert "Cookie" not in answer.headers.get("Vary", "")


def test_the_code_of_a_flyer_leads_to_its_event(app):
    _, id, _ = begun(app)
    code = app.test_client().get(f"/v1/events/{id}").json["code"]
    guest = Guest(app).opens("/events")
    assert guest.page.css_first("form[action='/events'] #code")
    for typed in (code, code.upper().replace("-", "%20")):
        assert guest.client.get(f"/events?code={typed}").headers["Location"] == f"/events/{id}"
    for typed in ("babab-babab", "x", "%00", "x" * 2000):
        guest.opens(f"/events?code={typed}", 404)
        assert guest.faults() == ["code"]
    assert code in guest.opens(f"/events/{id}").says(".facts")


@pytest.mark.parametrize("rest", ["", "/missing", "/registrations/" + "1" * 30])
def test_a_key_that_holds_no_longer_is_forgotten_at_once(app, rest):
    organiser, id, keys = begun(app)
    other, _, key = registered(app, id)
    organiser.opens(f"/events/{id}{rest}", 404 if "1" in rest else 200)
    assert COOKIE not in organiser.cookies()
    other.opens(f"/events/{id}/keys", 404)  # a key that may not do this is a key all the same
    assert COOKIE not in other.cookies()
    for useless in (key[::-1], "x" * 43, keys["judge"] + "x"):
        other.client.set_cookie(COOKIE, useless, path=f"/events/{id}")
        other.opens(f"/events/{id}{rest}", 404 if rest else 200)
        assert "Max-Age=0" in other.cookies()[COOKIE]
        assert COOKIE not in other.opens(f"/events/{id}").cookies()


def test_a_browser_with_a_revoked_key_is_counted_once(folder, clock):
    app = made(clock, data_dir=folder, key_attempts="2/minute")
    _, id, _ = begun(app)
    guest = Guest(app)
    for _ in range(2):
        guest.client.set_cookie(COOKIE, "x" * 43, path=f"/events/{id}")
        guest.opens(f"/events/{id}/roster", 404).opens(f"/events/{id}")
    guest.client.set_cookie(COOKIE, "x" * 43, path=f"/events/{id}")
    guest.opens(f"/events/{id}", 429)
    guest.opens(f"/events/{id}")


def test_who_registers_with_an_old_cookie_has_the_new_key(app):
    _, id, _ = begun(app)
    guest = Guest(app)
    guest.client.set_cookie(COOKIE, "x" * 43, path=f"/events/{id}")
    guest.opens("/events")
    field = guest.page.css_first("[name=csrf_token]").attributes["value"]
    guest.posts(f"/events/{id}", player="Last, First", csrf_token=field)
    receipt = urlsplit(guest.value("own-link")).path
    assert guest.opens(receipt).page.css_first("form[action$='/leave']")


def labelled(form):
    """Return what the labels of a form say, by the name of the field."""
    said = {one.attributes.get("for"): " ".join(one.text().split()) for one in form.css("label[for]")}
    fields = form.css("input[name], select[name], textarea[name]")
    around = {
        name: " ".join(one.parent.text().split())
        for one in fields
        if one.attributes.get("type") == "checkbox" and (name := one.attributes["name"])
    }
    tied = {one.attributes["name"]: said.get(one.attributes.get("id")) for one in fields}
    return {name: label for name, label in (tied | around).items() if label}


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_sent_again_is_called_as_in_its_form(app, lang):
    organiser, id, _ = begun(app)
    _, receipt, _ = registered(app, id, decklist=LEGAL)
    event, forms = f"/events/{id}", 0
    pages = ("/events", event, receipt, *(f"{event}/{one}" for one in ("settings", "keys", "missing", "expected")))
    for page in (*pages, f"{event}/roster", f"{event}/import"):
        for form in organiser.opens(f"{page}?lang={lang}").page.css("main form[method=post]"):
            called = labelled(form)
            called = {name: label for name, label in called.items() if name not in ("key", "file", "token")}
            sent = dict.fromkeys(called, "x") | {"csrf_token": "x"}
            again = organiser.posts(form.attributes["action"], 400, **sent)
            assert labelled(again.page.css_first("main form")) == called, page
            forms += bool(called)
    assert forms >= 9
