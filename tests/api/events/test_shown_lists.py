"""Lists that others see: in a stream, and of everybody once that is allowed, without what is private."""

import csv
import io
import json
from zipfile import ZipFile

import pytest

from api.events.players import list_desk
from api.events.rights import Permission
from api.service.errors import NoAccess
from api.workbooks.intake.book_reader import read
from tests.api.events.conftest import ILLEGAL, LEGAL, Hall
from tests.api.workbooks.files import catalogue
from validator import decklists

PRIVATE = ("0012345678", "Leaves at six", "nami@example.com", "legal", "0221 555")
SAID = {"player_id": "0012345678", "notes": "Leaves at six", "email": "nami@example.com", "table": "7"}
# Who gets which of the lists of two in the cut, of whom one does not consent, and of one who is out of it.
NOBODY, CUT, ALL = None, {"cut", "silent"}, {"cut", "silent", "out"}
SEEN = {
    # stage: anyone, a player out of the cut, one in it, a judge, the organiser
    "closed": (NOBODY, NOBODY, NOBODY, NOBODY, ALL),
    "judges": (NOBODY, NOBODY, NOBODY, ALL, ALL),
    "cut": (NOBODY, NOBODY, CUT, ALL, ALL),
    "public": (ALL, ALL, ALL, ALL, ALL),
}


@pytest.fixture
def public(hall):
    hall.organiser.patch("", visibility="public")
    return hall


@pytest.mark.parametrize("consent", [False, True])
@pytest.mark.parametrize("stage", SEEN)
def test_who_gets_which_lists(hall, stage, consent):
    hall.organiser.patch("", consent=consent)
    registered = {name: hall.register(name, consent={"publish": name != "silent"}) for name in sorted(ALL)}
    hall.stranger.post("/registrations", {"player": "Without List"})
    for name in ("cut", "silent"):
        hall.judge.patch(f"/registrations/{registered[name][0]}", cut=True)
    hall.organiser.patch("", visibility=stage)
    viewers = (hall.stranger, registered["out"][1], registered["cut"][1], hall.judge, hall.organiser)
    for viewer, seen in zip(viewers, SEEN[stage], strict=True):
        answer = viewer.get("/lists")
        if seen is NOBODY:
            assert answer.status_code == 404
        else:
            wanted = seen - ({"silent"} if consent else set())
            assert {one["player"] for one in answer.json["lists"]} == wanted
            found = {one["player"] for one in viewer.get("/registrations").json["registrations"]}
            is_staff = viewer in (hall.judge, hall.organiser)
            assert found == (ALL | {"Without List"} if is_staff else wanted)


@pytest.mark.parametrize("kind", ["json", "csv", "text", "zip"])
def test_shown_lists_have_names_and_decks_and_nothing_else_of_anybody(public, kind):
    rid, _ = public.register("Nami Cat", decklist=f"{LEGAL}??? call 0221 555", **SAID)
    public.register("Łukasz Żółć", decklist=ILLEGAL)
    answer = public.stranger.get(f"/lists?as={kind}")
    assert answer.content_type.count("charset") == (kind in ("csv", "text"))
    data = answer.data
    texts = [data.decode()] if kind != "zip" else [ZipFile(io.BytesIO(data)).read(n).decode() for n in names(data)]
    said = "\n".join(texts)
    assert "Nami" in said
    assert "OP01-016" in said
    for private in (*PRIVATE, rid):
        assert private not in said


def names(data):
    return ZipFile(io.BytesIO(data)).namelist()


def test_shown_lists_are_read_again(public):
    public.register("Nami Cat")
    wanted = sorted((section, line.number, line.count) for section, line in parse_list(LEGAL).lines())
    [shown] = public.stranger.get("/lists").json["lists"]
    assert shown["counts"]["main"] == 50
    assert shown["leader"]["number"] == "ST21-001"
    rows = csv.DictReader(io.StringIO(public.stranger.get("/lists?as=csv").data.decode("utf-8-sig")))
    assert sorted((row["Section"], row["Number"], int(row["Count"])) for row in rows) == wanted
    [entry] = read(public.stranger.get("/lists?as=zip").data, "lists.zip", "optcg", catalogue()).entries
    assert (entry.who.name, cards(entry.deck)) == ("Cat, Nami", wanted)
    assert cards(parse_list(public.stranger.get("/lists?as=text").data.decode().partition("\n")[2])) == wanted


def parse_list(text):
    return decklists.parse(text, "optcg", catalogue()).deck


def cards(deck):
    return sorted((section, line.number, line.count) for section, line in deck.lines())


def test_lists_are_public_from_the_moment_that_was_set(anywhere, clock):
    hall = Hall(anywhere.test_client(), visibility={"lists": "closed", "public_from": "2026-10-25T20:00"})
    hall.register("Nami Cat")
    clock.set("2026-10-25T18:59:59.999999+00:00")
    assert hall.stranger.get("/lists").status_code == 404
    clock.set("2026-10-25T19:00+00:00")
    assert [one["player"] for one in hall.stranger.get("/lists").json["lists"]] == ["Nami Cat"]


@pytest.mark.parametrize("kind", ["json", "csv", "text"])
def test_a_stream_has_the_lists_of_two_who_consent(hall, kind):
    seats = {"A": "1", "B": "1", "C": "2", "D": ""}
    rids = [hall.register(name, table=table, consent={"stream": True})[0] for name, table in seats.items()]
    first, second = rids[:2]
    by_id = hall.judge.get(f"/stream?players={first},{second}&as={kind}")
    by_table = hall.judge.get(f"/stream?table=1&as={kind}")
    assert by_id.status_code == by_table.status_code == 200
    assert by_id.data == by_table.data
    if kind == "json":
        assert [one["player"] for one in json.loads(by_id.data)["lists"]] == ["A", "B"]
    assert first not in by_id.text


def test_nobody_is_in_a_stream_without_consent(hall):
    first, _ = hall.register("Nami Cat", table="1", consent={"stream": True})
    second, _ = hall.register("Usopp Nose", table="1", consent={"publish": True})
    hall.register("Sits Nowhere", consent={"stream": True})
    for query in (f"players={first},{second}", "table=1", f"players={second}"):
        answer = hall.judge.get(f"/stream?{query}")
        assert (answer.status_code, "Usopp" in answer.text) == (422, True)
    for query in ("players=" + "0" * 30, "table=9", "", f"table=1&players={first}", "players=,"):
        assert hall.judge.get(f"/stream?{query}").status_code == 422
    hall.organiser.patch("", visibility="closed")
    assert hall.judge.get(f"/stream?players={first}").status_code == 404
    assert hall.organiser.get(f"/stream?players={first}").status_code == 200


@pytest.mark.parametrize(("most", "status"), [(3, 200), (2, 422)])
def test_a_stream_has_only_so_many_lists(hall, monkeypatch, most, status):
    monkeypatch.setattr(list_desk, "MOST_STREAMED", most)
    for name in "ABC":
        hall.register(name, table="1", consent={"stream": True})
    assert hall.judge.get("/stream?table=1").status_code == status


def test_only_consenting_players_with_a_list_are_offered_for_a_stream(hall):
    hall.register("Zoro Dog", consent={"stream": True})
    hall.register("Nami Cat", consent={"stream": True})
    hall.register("Usopp Nose", consent={"publish": True})
    hall.stranger.post("/registrations", {"player": "Without List", "consent": {"stream": True}})
    desk = hall.client.application.extensions["deckproof"].desk
    players = list_desk.ListDesk(desk)
    access = desk.authorize(Permission.STREAM_LISTS, hall.id, hall.judge.key)
    assert [one.player for one in players.consenting_players(access)] == ["Nami Cat", "Zoro Dog"]
    hall.organiser.patch("", visibility="closed")
    with pytest.raises(NoAccess):
        players.consenting_players(desk.authorize(Permission.STREAM_LISTS, hall.id, hall.judge.key))
