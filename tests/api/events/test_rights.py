"""Who may do what, and see what, as tables: every route, each kind of key; each stage, each viewer."""

from __future__ import annotations

import io

import pytest

from api.events.tournament import join_code
from tests.api.events.conftest import LEGAL, Hall, emptied, in_shared_memory, made

pytestmark = pytest.mark.slow

ADMIN = "an-admin-key-of-this-test-alone"
KINDS = ("none", "wrong", "other event", "other player", "player", "revoked judge", "judge", "organiser", "admin")
EVERYONE, STAFF, ORGANISERS = frozenset(KINDS), frozenset(KINDS[6:]), frozenset(KINDS[7:])
PLAYERS = frozenset(("other player", "player"))
PLAYER = frozenset(("player",))
ONE, LISTS = "/registrations/{rid}", "judges"

# Every route: its operation, a request, and who gets something else than 404, while judges alone see lists.
TABLE = [
    ("create", "POST", None, ORGANISERS - {"organiser"}),
    ("copy_event", "POST", "/copies", ORGANISERS - {"organiser"}),
    ("show", "GET", "", EVERYONE),
    ("join", "GET", "/v1/events?code={code}", EVERYONE),
    ("flyer", "GET", "/flyer?as=svg", EVERYONE),
    ("change", "PATCH", "", ORGANISERS),
    ("delete", "DELETE", "", ORGANISERS),
    ("restore", "POST", "/restore", ORGANISERS),
    ("register", "POST", "/registrations", EVERYONE),
    ("registrations", "GET", "/registrations", STAFF),
    ("registration", "GET", ONE, STAFF | PLAYER),
    ("revise", "PUT", ONE, STAFF | PLAYER),
    ("settle", "PATCH", ONE, STAFF | PLAYER),
    ("withdraw", "DELETE", ONE, ORGANISERS | PLAYER),
    ("revisions", "GET", f"{ONE}/revisions", STAFF | PLAYER),
    ("player_data", "GET", f"{ONE}/data", ORGANISERS | PLAYER),
    ("renew_key", "POST", f"{ONE}/key", STAFF),
    ("duplicates", "GET", "/duplicates", STAFF),
    ("merge", "POST", f"{ONE}/merge", STAFF),
    ("separate", "POST", f"{ONE}/separate", STAFF),
    ("import_players", "POST", "/registrations:import", ORGANISERS),
    ("overview", "GET", "/overview", STAFF),
    ("imports", "GET", "/imports", ORGANISERS),
    ("undo_import", "POST", "/imports/{iid}:undo", ORGANISERS),
    ("renew_links", "POST", "/links", ORGANISERS),
    ("missing", "GET", "/missing", STAFF),
    ("compare", "POST", "/missing", STAFF),
    ("expected", "GET", "/expected", STAFF),
    ("expect", "PUT", "/expected", ORGANISERS),
    ("expect_book", "POST", "/expected:import", ORGANISERS),
    ("roster", "GET", "/roster", STAFF | PLAYERS),
    ("lists", "GET", "/lists", STAFF),
    ("stream", "GET", "/stream?players={rid}", STAFF),
    ("impact", "GET", "/impact", STAFF),
    ("try_proposal", "POST", "/impact", STAFF),
    ("begin_checks", "POST", "/checks", STAFF),
    ("checks", "GET", "/checks", STAFF),
    ("next_check", "GET", "/checks:next", STAFF),
    ("set_check_seed", "POST", "/checks:seed", STAFF),
    ("check", "GET", "/checks/{cid}", STAFF),
    ("record_check", "PUT", "/checks/{cid}", STAFF),
    ("export", "GET", "/export?as=json", STAFF),
    ("commitments", "GET", "/commitments", EVERYONE),
    ("opened_lists", "GET", "/opened-lists", EVERYONE),
    ("audit", "GET", "/audit", ORGANISERS),
    ("keys", "GET", "/keys", ORGANISERS),
    ("add_key", "POST", "/keys", ORGANISERS),
    ("revoke_key", "DELETE", "/keys/{kid}", ORGANISERS),
]
BODIES = {
    "create": {"name": "Another", "game": "optcg", "on": "2026-10-25"},
    "change": {"place": "Example Hall"},
    "register": {"player": "Somebody"},
    "revise": {"team": "Reds"},
    "settle": {"email": ""},
    "expect": {"players": ["Somebody"]},
    "undo_import": {},
    "copy_event": {"on": "2026-11-25"},
    "renew_links": {"for": "missing"},
    "compare": {"players": ["Somebody"]},
    "try_proposal": {"lines": "OP01-016 banned"},
    "add_key": {"name": "Somebody"},
    "begin_checks": {"draw": {"seed": "7"}},
    "record_check": {"table": "12"},
    "set_check_seed": {"seed": "7"},
}
ENDING = (
    "delete",
    "withdraw",
    "merge",
    "renew_key",
    "revoke_key",
    "revise",
    "record_check",
    "undo_import",
)  # after which the next kind has nothing to ask for


@pytest.fixture(scope="module")
def guarded():
    """An application whose admin begins events."""
    with in_shared_memory() as data_dir:
        yield made(None, data_dir=data_dir, admin_key=ADMIN)


@pytest.fixture
def app(guarded, clock):
    return emptied(guarded, clock)


@pytest.fixture
def client(app):
    opened = app.test_client()
    opened.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {ADMIN}"  # for who begins an event
    return opened


class Cast:
    """An event with a registration, and a key of each kind."""

    def __init__(self, client):
        self.hall = Hall(client)
        client = client.application.test_client()
        for one in (self.hall.organiser, self.hall.judge, self.hall.stranger):
            one.client = client
        self.hall.client = client
        self.rid, player = self.hall.register("Own List", decklist=LEGAL, consent={"stream": True})
        self.other, other = self.hall.register("Other List", decklist=LEGAL)
        revoked = self.hall.organiser.post("/keys", {"name": "A judge"}).json
        assert self.hall.organiser.delete(f"/keys/{revoked['id']}").status_code == 204
        self.kid = self.hall.organiser.post("/keys", {"name": "Another judge"}).json["id"]
        self.cid = self.hall.judge.post("/checks", {"registration": self.rid}).json["id"]
        imported = {"data": {"file": (io.BytesIO(b"Player\nImported One\n"), "p.csv")}}
        self.iid = self.hall.organiser("POST", "/registrations:import", **imported).json["import"]
        self.keys = {
            "none": "",
            "wrong": "x" * 43,
            "other player": other.key,
            "player": player.key,
            "revoked judge": revoked["key"],
            "judge": self.hall.judge.key,
            "organiser": self.hall.organiser.key,
            "admin": ADMIN,
        }

    def status(self, operation, method, path, key):
        how = {"json": BODIES[operation]} if operation in BODIES else {}
        if operation in ("import_players", "expect_book"):
            how = {"data": {"file": (io.BytesIO(b"Player\nSomebody Else\n"), "p.csv")}}
        if operation in ("merge", "separate"):
            how = {"json": {"other": self.other}}
        if operation in ("revise", "record_check"):
            how["headers"] = {"If-Match": '"1"'}
        visitor = self.hall.visitor(key)
        if path is None:
            visitor.path, path = "/v1/events", ""
        if operation == "join":
            visitor.path = ""
        named = {"rid": self.rid, "kid": self.kid, "cid": self.cid, "iid": self.iid, "code": join_code(self.hall.id)}
        return visitor(method, path.format(**named), **how).status_code


def test_every_route_is_in_the_table(app):
    rules = {
        (rule.endpoint.rpartition(".")[2], method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/v1/events")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert rules == {(operation, method) for operation, method, *_ in TABLE}


READS, WRITES = [row for row in TABLE if row[1] == "GET"], [row for row in TABLE if row[1] != "GET"]


def test_every_route_that_reads_for_each_kind_of_key(client):
    other, cast = Hall(client).organiser.key, Cast(client)
    for operation, method, path, allowed in READS:
        told = {kind: cast.status(operation, method, path, cast.keys.get(kind, other)) for kind in KINDS}
        assert set(told.values()) <= {200, 404}, (operation, told)
        assert {kind for kind, status in told.items() if status == 200} == allowed, operation


@pytest.mark.parametrize(("operation", "method", "path", "allowed"), WRITES, ids=[row[0] for row in WRITES])
def test_every_route_that_writes_for_each_kind_of_key(client, operation, method, path, allowed):
    other = Hall(client).organiser.key
    cast, found = Cast(client), set()
    for kind in KINDS:
        status = cast.status(operation, method, path, cast.keys.get(kind, other))
        assert status in (200, 201, 204, 404), (kind, status)
        if status != 404:
            found.add(kind)
            if operation in ENDING and kind != KINDS[-1]:
                cast = Cast(client)
    assert found == allowed


def test_what_is_not_to_be_had_looks_the_same(client):
    cast = Cast(client)
    ghost = cast.hall.visitor(cast.keys["organiser"])
    ghost.path = "/v1/events/" + "0" * 30
    answers = [
        cast.hall.stranger.get("/audit"),
        cast.hall.visitor("x" * 43).get("/audit"),
        cast.hall.judge.get("/audit"),
        ghost.get("/audit"),
        cast.hall.judge.get("/registrations/" + "0" * 30),
    ]
    assert len({answer.data for answer in answers}) == 1


# Who sees which of three lists by stage: one in the cut, another in the cut, one that is not.
VIEWERS = ("anyone", "player out of the cut", "player in the cut", "judge", "organiser")
OWN = {"player out of the cut": {"out"}, "player in the cut": {"cut"}}
ALL, IN_CUT = {"cut", "cut too", "out"}, {"cut", "cut too"}
SEEN = {
    "closed": (set(), {"out"}, {"cut"}, set(), ALL),
    "judges": (set(), {"out"}, {"cut"}, ALL, ALL),
    "cut": (set(), {"out"}, IN_CUT, ALL, ALL),
    "public": (ALL, ALL, ALL, ALL, ALL),
}


@pytest.mark.parametrize("consent", [False, True])
@pytest.mark.parametrize("stage", SEEN)
def test_who_sees_which_lists(client, clock, stage, consent):
    hall = Hall(client, consent=consent)
    hall.client = client.application.test_client()
    lists = {name: hall.register(name, consent={"publish": name != "cut too"}) for name in ("cut", "cut too", "out")}
    for name in ("cut", "cut too"):
        assert hall.judge.patch(f"/registrations/{lists[name][0]}", cut=True).status_code == 200
    assert hall.organiser.patch("", visibility=stage).status_code == 200
    hidden = {"cut too"} if consent else set()
    viewers = (hall.visitor("-"), lists["out"][1], lists["cut"][1], hall.judge, hall.organiser)
    for name, viewer, seen in zip(VIEWERS, viewers, SEEN[stage], strict=True):
        wanted = seen if viewer in (hall.judge, hall.organiser) else (seen - hidden) | OWN.get(name, set())
        got = {one for one, (rid, _) in lists.items() if viewer.get(f"/registrations/{rid}").status_code == 200}
        assert got == wanted, name
        opened = viewer.get("/opened-lists").json["lists"]
        assert len(opened) == len(wanted - OWN.get(name, set())) + (name in OWN), name


def test_a_judge_makes_no_key_for_a_player_whose_list_is_closed(client):
    hall = Hall(client, visibility="closed")
    hall.client = client.application.test_client()
    rid, player = hall.register("Nami Cat")
    assert hall.judge.post(f"/registrations/{rid}/key").status_code == 404
    assert player.get(f"/registrations/{rid}").status_code == 200
    assert hall.organiser.post(f"/registrations/{rid}/key").status_code == 201
    assert hall.organiser.patch("", visibility="judges").status_code == 200
    assert hall.judge.post(f"/registrations/{rid}/key").status_code == 201


def test_from_a_moment_on_lists_are_public_without_what_is_private(client, clock):
    hall = Hall(client, visibility={"lists": "closed", "public_from": "2026-10-25T20:00", "roster": "public"})
    rid, _ = hall.register("Nami Cat", player_id="0012345678", notes="Leaves at six")
    stranger = hall.visitor("-")
    clock.set("2026-10-25T18:59:59+00:00")
    assert stranger.get("/registrations").status_code == 404
    assert [one["player"] for one in stranger.get("/roster").json["players"]] == ["Nami Cat"]
    clock.set("2026-10-25T19:00:00+00:00")
    assert [one["player"] for one in stranger.get("/registrations").json["registrations"]] == ["Nami Cat"]
    shown = stranger.get(f"/registrations/{rid}")
    assert shown.json["deck"]["leader"] == [{"number": "ST21-001", "name": None, "count": 1}]
    assert "0012345678" not in shown.text + stranger.get("/registrations").text
    assert "six" not in shown.text
