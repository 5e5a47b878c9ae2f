"""Whose deck is checked next, and by whose sheet a check begins."""

import pytest

from api.events.judging import draws
from api.events.judging.check_desk import sheet_address
from tests.api.events.conftest import ILLEGAL, LEGAL, Hall
from tests.api.sheets.desk import pages, scanned_off

ROOT = "http://localhost/"


@pytest.fixture
def seated(hall):
    """Eight players at four tables, and one who sits nowhere."""
    tables = ("1", "1", "2", "2", "10", "10", "11", "11", "")
    players = [hall.register(f"Player {at}", table=table)[0] for at, table in enumerate(tables)]
    return hall, players


def following(by, query=""):
    answer = by.get(f"/checks:next{query}")
    assert answer.status_code == 200
    shown = answer.json
    return shown["registration"] and shown["registration"]["id"], shown["why"]


def test_whom_next_is_the_same_for_all_and_goes_on_until_all_are_checked(anywhere):
    hall = Hall(anywhere.test_client())
    players = {hall.register(name)[0] for name in ("Ann One", "Ben Two", "Cid Three")}
    hall.stranger.post("/registrations", {"player": "Without List"})
    met = []
    for _ in players:
        first, why = following(hall.judge, "?seed=7")
        assert (first, why) == (following(hall.organiser, "?seed=7")[0], "fewest")
        begun = hall.judge.post("/checks", {"registration": first})
        assert begun.headers["ETag"] == '"1"'
        assert begun.headers["Location"] == f"/v1/events/{hall.id}/checks/{begun.json['checks'][0]['id']}"
        met.append(first)
    assert set(met) == players
    assert met == draws.order_by_seed([draws.Drawable(id) for id in players], "7")
    assert following(hall.judge, "?among=not-checked") == (None, "nobody")
    again = hall.judge.get("/checks:next?seed=7&lang=de").json
    assert (again["registration"]["id"], again["of"], again["owed"]) == (met[0], 3, 0)


def test_nobody_foresees_who_is_next_where_no_seed_is_said(anywhere):
    hall, other = (Hall(anywhere.test_client()) for _ in range(2))
    _, player = hall.register("Ann One")
    seed = hall.judge.get("/checks:next").json["seed"]
    assert seed == hall.organiser.get("/checks:next").json["seed"] != other.judge.get("/checks:next").json["seed"]
    assert hall.organiser.post("/keys", {"name": "Ben Two", "role": "organiser"}).status_code == 201
    assert seed == hall.judge.get("/checks:next").json["seed"]
    paths = ("", "/roster", "/commitments", "/opened-lists")
    told = [by.get(path).text for by in (player, hall.stranger) for path in paths]
    assert not [text for text in told if seed in text]
    assert seed not in hall.id


def test_who_was_drawn_and_waits_is_next(seated):
    hall, _ = seated
    drawn = hall.judge.post("/checks", {"draw": {"seed": "3", "share": 0.25}}).json["checks"]
    shown = hall.judge.get("/checks:next").json
    assert (shown["check"], shown["why"], shown["owed"]) == (drawn[0]["id"], "drawn", 1)
    path = f"/checks/{drawn[0]['id']}"
    hall.judge.put(path, {"table": "1"}, '"1"')
    shown = hall.judge.get("/checks:next").json
    assert (shown["check"], shown["owed"]) == (drawn[1]["id"], 0)  # a tenth of nine is one deck


def test_the_top_half_sits_at_the_first_tables(seated):
    hall, players = seated
    body = {"draw": {"seed": "3", "share": 1, "among": "top-half"}}
    drawn = hall.judge.post("/checks", body).json["draw"]["registrations"]
    assert set(drawn) == set(players[:4])
    assert following(hall.judge, "?among=top-half")[0] in players[:4]
    rest = {"draw": {"seed": "3", "share": 1, "among": "all", "unchecked": True}}
    later = hall.judge.post("/checks", rest).json["draw"]
    assert (set(later["registrations"]), later["unchecked"]) == (set(players[4:]), True)
    assert "not checked yet" in later["sentence"]


def test_a_given_order_counts_before_tables(seated):
    hall, players = seated
    body = {"draw": {"seed": "3", "share": 1, "among": "top-half", "standings": players[::-1]}}
    assert set(hall.judge.post("/checks", body).json["draw"]["registrations"]) == set(players[:3:-1])


def test_nobodys_place_is_known_without_tables(hall):
    hall.register("Ann One")
    assert hall.judge.get("/checks:next?among=top-half").status_code == 422
    assert hall.judge.get("/checks:next?among=nobody").status_code == 422


def test_a_check_begins_by_the_code_of_a_sheet(anywhere):
    hall = Hall(anywhere.test_client())
    rid, _ = hall.register("Ann One")
    other, _ = hall.register("Ben Two", decklist=ILLEGAL)
    code = sheet_address(ROOT, hall.id, rid)
    begun = hall.judge.post("/checks", {"code": code})
    assert (begun.status_code, begun.json["checks"][0]["registration"]) == (201, rid)
    deck_hash = hall.judge.get(f"/registrations/{other}").json["verdict"]["deck_hash"]
    assert hall.judge.post("/checks", {"code": f" {deck_hash.upper()}\n"}).json["checks"][0]["registration"] == other


def test_a_code_that_is_of_nobody_or_of_several_says_so(hall):
    rid, player = hall.register("Ann One")
    hall.register("Ben Two", decklist=LEGAL)
    deck_hash = player.get(f"/registrations/{rid}").json["verdict"]["deck_hash"]
    elsewhere = Hall(hall.client)
    for code in (
        deck_hash,
        "0" * 64,
        "hello",
        sheet_address(ROOT, elsewhere.id, rid),
        f"/events/{hall.id}/table",
        f"{rid} {hall.id}",
        sheet_address(ROOT, rid, hall.id),
    ):
        answer = hall.judge.post("/checks", {"code": code})
        assert (answer.status_code, [one["pointer"] for one in answer.json["errors"]]) == (422, ["/code"])
    gone = sheet_address(ROOT, hall.id, "0" * 30)
    assert hall.judge.post("/checks", {"code": gone}).status_code == 422
    both = {"code": deck_hash, "registration": rid}
    assert hall.judge.post("/checks", both).status_code == 422


@pytest.mark.slow
def test_a_sheet_that_is_printed_is_scanned_to_its_check(hall):
    rid, _ = hall.register("Ann One")
    printed = hall.judge.get("/export?as=pdf").data
    assert len(pages(printed)) == 1
    assert scanned_off(printed) == [f"{ROOT}events/{hall.id}/table#r={rid}"]
