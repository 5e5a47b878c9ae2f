"""Who may come to which page of an event, as a table: every route of the pages, each kind of key."""

from __future__ import annotations

import io

import pytest

from tests.api.events.conftest import BEFORE, LEGAL, Clock
from tests.api.web.pages.events.guest import Guest, begun, entering, registered

pytestmark = pytest.mark.slow

ADMIN = "an-admin-key-of-this-test-alone"
KINDS = ("none", "wrong", "other event", "other player", "player", "revoked judge", "judge", "organiser", "admin")
EVERYONE, STAFF, ORGANISERS = frozenset(KINDS), frozenset(KINDS[6:]), frozenset(KINDS[7:])
PLAYERS, PLAYER = frozenset(KINDS[3:5]), frozenset(("player",))
HERE, ONE = "/events/{id}", "/events/{id}/registrations/{rid}"
SURE = {"sure": "true"}

# Every route of a page: its method, what is typed, and who gets something else than 404 while judges alone see lists.
TABLE = [
    ("GET", "/events", {}, EVERYONE),
    ("POST", "/events", {"name": "x"}, EVERYONE),
    ("GET", "/events/verify", {}, EVERYONE),
    ("POST", "/events/verify", {}, EVERYONE),
    ("GET", HERE, {}, EVERYONE),
    ("POST", HERE, {"player": "Somebody"}, EVERYONE),
    ("POST", f"{HERE}/leave", {}, EVERYONE),
    ("GET", f"{HERE}/registrations", {}, STAFF),
    ("GET", f"{HERE}/roster", {}, STAFF | PLAYERS),
    ("POST", f"{HERE}/roster", {"q": "own"}, STAFF | PLAYERS),
    ("GET", f"{HERE}/duplicates", {}, STAFF),
    ("POST", f"{HERE}/duplicates/merge", {"first": "own", "second": "other", "list": "own"}, STAFF),
    ("POST", f"{HERE}/duplicates/separate", {"first": "own", "second": "other"}, STAFF),
    ("GET", f"{HERE}/missing", {}, STAFF),
    ("POST", f"{HERE}/missing", {"players": "Somebody"}, STAFF),
    ("GET", f"{HERE}/expected", {}, STAFF),
    ("POST", f"{HERE}/expected", {"players": "Somebody"}, ORGANISERS),
    ("POST", f"{HERE}/expected/import", {"file": "Player\nSomebody Else\n"}, ORGANISERS),
    ("GET", f"{HERE}/lists", {}, STAFF),
    ("GET", f"{HERE}/stream", {}, STAFF),
    ("GET", f"{HERE}/stream/file?table=1", {}, STAFF),
    ("GET", f"{HERE}/import", {}, ORGANISERS),
    ("POST", f"{HERE}/import", {"file": "Player\nSomebody Else\n"}, ORGANISERS),
    ("POST", HERE + "/imports/{iid}/undo", {}, ORGANISERS),
    ("GET", f"{HERE}/links", {}, ORGANISERS),
    ("POST", f"{HERE}/links", {"for": "missing", "sure": "true"}, ORGANISERS),
    ("POST", f"{HERE}/links/file", {"keys": "x", "as": "csv"}, ORGANISERS),
    ("POST", f"{HERE}/table/seed", {"new_seed": "7"}, STAFF),
    ("GET", f"{HERE}/impact", {}, STAFF),
    ("POST", f"{HERE}/impact", {"lines": "OP01-016 banned"}, STAFF),
    ("GET", f"{HERE}/files", {}, STAFF),
    ("GET", f"{HERE}/export", {}, STAFF),
    ("GET", f"{HERE}/keys", {}, ORGANISERS),
    ("POST", f"{HERE}/keys", {"name": "A judge", "role": "judge"}, ORGANISERS),
    ("POST", HERE + "/keys/{kid}/revoke", {}, ORGANISERS),
    ("GET", f"{HERE}/settings", {}, ORGANISERS),
    ("POST", f"{HERE}/settings", {"name": "Another"}, ORGANISERS),
    ("POST", f"{HERE}/delete", SURE, ORGANISERS),
    ("POST", f"{HERE}/restore", {}, ORGANISERS),
    ("GET", f"{HERE}/copy", {}, ORGANISERS),
    ("POST", f"{HERE}/copy", {"on": "2026-11-25"}, ORGANISERS),
    ("GET", f"{HERE}/audit", {}, ORGANISERS),
    ("GET", f"{HERE}/commitments", {}, EVERYONE),
    ("GET", f"{HERE}/table", {}, STAFF),
    ("POST", f"{HERE}/table", {"q": "own"}, STAFF),
    ("GET", f"{HERE}/table/lists", {}, STAFF),
    ("GET", f"{HERE}/table/worker.js", {}, EVERYONE),
    ("GET", HERE + "/table/registrations/{rid}", {}, STAFF),
    ("POST", f"{HERE}/table/seed", {"new_seed": "x"}, STAFF),
    ("POST", f"{HERE}/table/checks", {"registration": "own"}, STAFF),
    ("GET", HERE + "/table/checks/{cid}", {}, STAFF),
    ("POST", HERE + "/table/checks/{cid}", {"table": "12"}, STAFF),
    ("GET", ONE, {}, STAFF | PLAYER),
    ("POST", ONE, {"player": "Somebody", "etag": "1"}, STAFF | PLAYER),
    ("GET", f"{ONE}/data", {}, ORGANISERS | PLAYER),
    ("POST", f"{ONE}/settle", {"cut": "true"}, STAFF | PLAYER),
    ("POST", f"{ONE}/key", {}, STAFF),
    ("POST", f"{ONE}/withdraw", SURE, ORGANISERS | PLAYER),
]
KEY = ("POST", f"{HERE}/key")  # which takes keys, and is tried with each below
# After these the next kind has nothing to ask for.
ENDING = ("/delete", "/withdraw", "/merge", "/revoke", "/key", "/undo")


@pytest.fixture(scope="module")
def said():
    return {"admin_key": ADMIN}


class Cast:
    """An event with a registration, and a visitor with a key of each kind."""

    def __init__(self, app, other):
        self.app = app
        _, self.id, keys = begun(app, admin_key=ADMIN)
        _, receipt, player = registered(app, self.id, "Own List", decklist=LEGAL)
        _, other_receipt, another = registered(app, self.id, "Other List", decklist=LEGAL)
        self.rid, self.other = (path.rpartition("/")[2] for path in (receipt, other_receipt))
        api, bearer = app.test_client(), {"Authorization": f"Bearer {keys['organiser']}"}
        revoked = api.post(f"/v1/events/{self.id}/keys", json={"name": "A judge"}, headers=bearer).json
        api.delete(f"/v1/events/{self.id}/keys/{revoked['id']}", headers=bearer)
        self.kid = api.post(f"/v1/events/{self.id}/keys", json={"name": "Another judge"}, headers=bearer).json["id"]
        self.cid = api.post(f"/v1/events/{self.id}/checks", json={"registration": self.rid}, headers=bearer).json["id"]
        table = {"data": b"Player\nImported One\n", "content_type": "text/csv", "headers": bearer}
        self.iid = api.post(f"/v1/events/{self.id}/registrations:import", **table).json["import"]
        self.keys = {
            "none": "",
            "wrong": "x" * 43,
            "other event": other,
            "other player": another,
            "player": player,
            "revoked judge": revoked["key"],
            "judge": keys["judge"],
            "organiser": keys["organiser"],
            "admin": ADMIN,
        }

    def status(self, method, path, typed, kind):
        guest = Guest(self.app)
        if self.keys[kind]:
            guest.client.set_cookie("deckproof_key", self.keys[kind], path=f"/events/{self.id}")
        path = path.format(id=self.id, rid=self.rid, kid=self.kid, cid=self.cid, iid=self.iid)
        if method == "GET":
            return guest.client.get(path).status_code
        token = guest.opens("/events").page.css_first("[name=csrf_token]").attributes["value"]
        sent = {name: (io.BytesIO(text.encode()), "p.csv") if name == "file" else text for name, text in typed.items()}
        ids = {"own": self.rid, "other": self.other}
        sent |= {name: ids[sent[name]] for name in ("registration", "first", "second", "list") if name in sent}
        return guest.client.post(path, data={"csrf_token": token, **sent}).status_code


def test_every_route_is_in_the_table(app):
    rules = {
        (method, rule.rule.replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/events")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert rules - {KEY} == {(method, path.partition("?")[0]) for method, path, *_ in TABLE}
    assert KEY in rules


READS, WRITES = [row for row in TABLE if row[0] == "GET"], [row for row in TABLE if row[0] != "GET"]


@pytest.fixture(scope="module")
def readers(shared_app):
    """Return the visitors of an event that nothing changes."""
    shared_app.extensions["deckproof"].desk.now = Clock(BEFORE)
    return Cast(shared_app, begun(shared_app, admin_key=ADMIN)[2]["organiser"])


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(("method", "path", "typed", "allowed"), READS, ids=[f"{m} {p}" for m, p, *_ in READS])
def test_every_route_that_reads_for_each_kind_of_key(readers, method, path, typed, allowed):
    statuses = {kind: readers.status(method, path, typed, kind) for kind in KINDS}
    assert set(statuses.values()) <= {200, 201, 303, 404, 412, 422}, statuses
    assert {kind for kind, status in statuses.items() if status != 404} == allowed


@pytest.mark.parametrize(("method", "path", "typed", "allowed"), WRITES, ids=[f"{m} {p}" for m, p, *_ in WRITES])
def test_every_route_that_writes_for_each_kind_of_key(app, method, path, typed, allowed):
    other = begun(app, admin_key=ADMIN)[2]["organiser"]
    cast, found = Cast(app, other), set()
    for kind in KINDS:
        status = cast.status(method, path, typed, kind)
        assert status in (200, 201, 303, 404, 412, 422), (kind, status)
        if status != 404:
            found.add(kind)
            if path.endswith(ENDING) and kind != KINDS[-1]:
                cast = Cast(app, other)
    assert found == allowed


def test_a_key_that_opens_nothing_is_no_cookie(app):
    other = begun(app, admin_key=ADMIN)[2]["organiser"]
    cast = Cast(app, other)
    for kind in KINDS:
        guest = Guest(app).opens(f"/events/{cast.id}")
        opens = kind in STAFF | PLAYERS
        guest.sends("/key", 303 if opens else 404, key=cast.keys[kind])
        assert ("deckproof_key" in guest.cookies()) == opens


@pytest.mark.parametrize(("roster", "seen"), [("judges", STAFF), ("players", STAFF | PLAYERS), ("public", EVERYONE)])
def test_the_roster_is_shown_to_whom_the_event_says(app, roster, seen):
    other = begun(app, admin_key=ADMIN)[2]["organiser"]
    cast = Cast(app, other)
    entering(app, cast.id, cast.keys["organiser"]).opens(f"/events/{cast.id}/settings").sends(
        "/settings", roster=roster
    )
    assert {kind for kind in KINDS if cast.status("GET", f"{HERE}/roster", {}, kind) == 200} == seen


LISTS = {"closed": PLAYER | ORGANISERS, "judges": PLAYER | STAFF, "cut": PLAYER | STAFF, "public": EVERYONE}


@pytest.mark.parametrize("stage", LISTS)
def test_a_list_is_shown_to_whom_the_stage_says(app, stage):
    other = begun(app, admin_key=ADMIN)[2]["organiser"]
    cast = Cast(app, other)
    entering(app, cast.id, cast.keys["organiser"]).opens(f"/events/{cast.id}/settings").sends("/settings", lists=stage)
    assert {kind for kind in KINDS if cast.status("GET", ONE, {}, kind) == 200} == LISTS[stage]
