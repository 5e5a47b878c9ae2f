"""The judge's table over HTTP: drawn, counted, penalised, and found again in the files. All players are invented."""

from __future__ import annotations

import io
import json

import pytest
from pypdf import PdfReader

from api.events.check_json import BegunChecksJSON, ChecksJSON, ShownCheckJSON
from api.events.judging import check_desk
from api.events.rights import Permission
from tests.api.events.conftest import ILLEGAL, LEGAL, Hall, asked
from tests.api.service.answer_types import assert_described
from tests.api.workbooks.files import catalogue

PLAYERS = 12  # two are owed a check
TALLY = {
    "leader": {"ST21-001": 1},
    "main": {line[2:]: int(line[0]) for line in LEGAL.splitlines()[1:]} | {"OP01-016": 3, "OP01-025": 1},
}
NUMBERS = {line[2:] for line in LEGAL.splitlines()}


def test_the_story_of_the_table(anywhere, clock):
    hall = Hall(anywhere.test_client())
    for at in range(PLAYERS):
        hall.register(f"Player {at:03d}", by=hall.judge, player_id=f"{at:05d}", table=str(PLAYERS - at))
    assert hall.stranger.post("/registrations", {"player": "No List"}).status_code == 201

    clock.set("2026-10-25T10:00+00:00")
    wanted = {"draw": {"share": 0.1, "seed": "seven", "among": "all"}, "round": "1"}
    drawn = hall.judge.post("/checks", wanted, Idempotency_Key="draw-number-0001")
    assert drawn.status_code == 201, drawn.json
    assert_described(drawn.json, BegunChecksJSON)
    assert drawn.json["draw"]["of"] == PLAYERS
    assert [one["started"] for one in drawn.json["checks"]] == [None, None]
    assert {one["registration"] for one in drawn.json["checks"]} == set(drawn.json["draw"]["registrations"])
    assert hall.judge.post("/checks", wanted, Idempotency_Key="draw-number-0001").json == drawn.json
    assert len(hall.judge.get("/checks").json["checks"]) == 2

    first = drawn.json["checks"][0]
    counted = write(hall, first["id"], tally=TALLY, started="2026-10-25T11:00", ended="2026-10-25T11:06", table="12")
    assert_described(counted.json, ShownCheckJSON)
    assert counted.json["missing"] == {"main": [card_entry("OP01-016", 1)]}
    assert counted.json["extra"] == {"main": [card_entry("OP01-025", 1)]}
    assert (counted.json["agrees"], counted.json["extension"]) == (False, 9)
    suggested = counted.json["suggested"]
    assert (suggested["penalty"], suggested["decided"], counted.json["earlier"]) == ("Game Loss", False, [])

    given = write(
        hall, first["id"], outcome="deck differs", infraction="list-mismatch", penalty="Game Loss", reason="3"
    )
    assert given.json["missing"] == counted.json["missing"]
    assert given.json["extension"] == 0
    assert given.json["log"] == f"{first['player']} · Deck and list differ · Game Loss · 3 · judge"

    clock.set("2026-10-25T10:30+00:00")
    again = hall.judge.post("/checks", {"registration": first["registration"], "judge": "Head judge"})
    assert again.json["checks"][0]["started"] == "2026-10-25T11:30:00+01:00"
    repeated = write(hall, again.json["id"], decklist=ILLEGAL)
    assert repeated.json["missing"] == {"main": [card_entry("OP04-016", 1)]}
    assert (repeated.json["suggested"]["penalty"], repeated.json["earlier"]) == ("Match Loss", [given.json["log"]])

    listed = hall.judge.get("/checks")
    assert_described(listed.json, ChecksJSON)
    assert (len(listed.json["checks"]), listed.json["owed"]) == (3, 1)
    assert_exported(hall, given.json["log"], first)
    taken = hall.organiser.get(f"/registrations/{first['registration']}/data").json
    assert [one["id"] for one in taken["checks"]] == [first["id"], again.json["id"]]
    assert taken["checks"][0]["given"]["line"] == given.json["log"]
    assert hall.organiser.delete(f"/registrations/{first['registration']}").status_code == 204
    assert len(hall.judge.get("/checks").json["checks"]) == 1
    assert hall.organiser.get("/audit").json["intact"]


def write(hall, cid, **said):
    path = f"/checks/{cid}"
    answer = hall.judge.put(path, said, hall.judge.get(path).headers["ETag"])
    assert answer.status_code == 200, answer.json
    return answer


def card_entry(number, count):
    return {"number": number, "name": catalogue().by_number(number).name, "count": count}


def assert_exported(hall, log, first):
    """Every card of every list is found again in the workbook, read by our own reader, and in the PDF."""
    book = hall.judge.get("/export?as=xlsx")
    assert book.status_code == 200
    assert book.headers["Cache-Control"] == "private, no-store"
    back = Hall(hall.client, closes=None)
    found = back.organiser("POST", "/registrations:import", data={"file": (io.BytesIO(book.data), "event.xlsx")}).json
    read = {row["player"]: row["id"] for row in found["registered"] if row["received"]}
    assert len(read) == PLAYERS, found["faults"]
    for rid in read.values():
        deck = back.organiser.get(f"/registrations/{rid}").json["deck"]
        assert {line["number"]: line["count"] for section in deck.values() for line in section} == registered_counts()
    text = PdfReader(io.BytesIO(hall.judge.get("/export?as=pdf&paper=letter").data))
    assert len(text.pages) == PLAYERS
    for at, page in enumerate(text.pages):
        said = page.extract_text()
        assert all(number in said for number in NUMBERS)
        assert f"{at:05d}" in said  # by name, not by table
    whole = hall.judge.get("/export?as=json").json
    assert [one["line"] for one in whole["penalties"]] == [log]
    assert len(whole["checks"]) == 2
    assert json.dumps(whole).count(first["id"]) == 1
    for kind in ("csv", "zip", "mail-merge"):
        assert hall.judge.get(f"/export?as={kind}").status_code == 200


def registered_counts():
    return {line[2:]: int(line[0]) for line in LEGAL.splitlines()}


def test_a_check_is_changed_by_whoever_knows_how_it_stands(hall):
    rid, _ = hall.register("Nami Cat")
    cid = hall.judge.post("/checks", {"registration": rid}).json["id"]
    path = f"/checks/{cid}"
    assert hall.judge.put(path, {"table": "1"}).status_code == 428
    assert hall.judge.put(path, {"table": "1"}, '"1"').headers["ETag"] == '"2"'
    assert hall.judge.put(path, {"table": "2"}, '"1"').status_code == 412
    assert hall.judge.get(path).json["table"] == "1"


def test_what_is_written_again_of_a_check_gets_the_first_answer(hall):
    rid, _ = hall.register("Nami Cat")
    path = f"/checks/{hall.judge.post('/checks', {'registration': rid}).json['id']}"
    headers = {"If-Match": '"1"', "Idempotency-Key": "phone-request-0001"}
    first = hall.judge("PUT", path, json={"tally": {"main": {"OP01-016": 3}}}, headers=headers)
    again = hall.judge("PUT", path, json={"tally": {"main": {"OP01-016": 3}}}, headers=headers)
    assert (first.status_code, again.json) == (200, first.json)
    assert hall.judge("PUT", path, json={"table": "1"}, headers=headers).status_code == 422
    assert first.json["box"] == [{"section": "main", **card_entry("OP01-016", 3)}]
    assert hall.judge.get(path).json["version"] == 2


def test_a_box_is_compared_with_the_list_that_was_registered_when_it_was_counted(hall):
    rid, player = hall.register("Nami Cat")
    cid = hall.judge.post("/checks", {"registration": rid}).json["id"]
    assert player.revise(rid, decklist=ILLEGAL).status_code == 200
    assert write(hall, cid, decklist=ILLEGAL).json["agrees"] is True
    assert player.revise(rid, decklist=LEGAL).status_code == 200
    assert write(hall, cid, note="Nothing was counted again").json["agrees"] is True


def test_a_check_is_changed_so_often_and_no_more(hall, monkeypatch):
    monkeypatch.setattr(check_desk, "MOST_CHECK_CHANGES", 2)
    rid, _ = hall.register("Nami Cat")
    path = f"/checks/{hall.judge.post('/checks', {'registration': rid}).json['id']}"
    assert [hall.judge.put(path, {"table": "1"}, f'"{at}"').status_code for at in (1, 2, 3)] == [200, 200, 409]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/registration"),
        ({"registration": "0" * 30}, "/registration"),
        ({"draw": {"seed": "7", "among": "top-half"}}, "/draw/among"),
        ({"draw": {"seed": "7", "among": "top-cut"}}, "/draw/among"),
        ({"draw": {"seed": "7", "share": 0}}, "/draw/share"),
        ({"draw": {"seed": ""}}, "/draw/seed"),
    ],
)
def test_what_cannot_be_drawn(hall, body, pointer):
    hall.register("Nami Cat")
    refused = hall.judge.post("/checks", body)
    assert (refused.status_code, [one["pointer"] for one in refused.json["errors"]]) == (422, [pointer])


@pytest.mark.parametrize(
    ("said", "pointer"),
    [
        ({"penalty": "Warning"}, "/infraction"),
        ({"tally": {"main": {"OP01-016": 256}}}, "/tally/main/OP01-016"),
        ({"tally": {"hand": {}}}, "/tally/hand"),
        ({"tally": {"main": {}}, "decklist": LEGAL}, "/decklist"),
        ({"outcome": "cheated"}, "/outcome"),
        ({"started": "2026-10-25T11:00", "ended": "2026-10-25T10:00"}, "/ended"),
    ],
)
def test_what_cannot_be_written_of_a_check(hall, said, pointer):
    rid, _ = hall.register("Nami Cat")
    cid = hall.judge.post("/checks", {"registration": rid}).json["id"]
    refused = hall.judge.put(f"/checks/{cid}", said, '"1"')
    assert refused.status_code == 422
    assert refused.json["errors"][0]["pointer"].startswith(pointer)


def test_the_error_lists_all_outcomes_of_a_check(hall):
    rid, _ = hall.register("Nami Cat")
    cid = hall.judge.post("/checks", {"registration": rid}).json["id"]
    refused = hall.judge.put(f"/checks/{cid}", {"outcome": "cheated"}, '"1"')
    assert refused.json["detail"].startswith('Must be one of: "", ok, ')


def test_who_stands_in_the_top_half_or_the_top_cut_is_drawn(hall):
    ids = [hall.register(f"Player {at}")[0] for at in range(6)]
    top = {"draw": {"seed": "7", "share": 1, "among": "top-half", "standings": ids}}
    assert set(hall.judge.post("/checks", top).json["draw"]["registrations"]) == set(ids[:3])
    rest = {"draw": {"seed": "7", "share": 1, "among": "not-checked"}}
    assert set(hall.judge.post("/checks", rest).json["draw"]["registrations"]) == set(ids[3:])
    assert hall.judge.patch(f"/registrations/{ids[4]}", cut=True).status_code == 200
    cut = {"draw": {"seed": "7", "among": "top-cut"}}
    assert hall.judge.post("/checks", cut).json["draw"]["registrations"] == [ids[4]]


def test_judges_check_and_export_nothing_while_lists_are_closed(hall):
    rid, _ = hall.register("Nami Cat")
    assert hall.organiser.patch("", visibility="closed").status_code == 200
    assert hall.judge.post("/checks", {"registration": rid}).status_code == 404
    assert [hall.judge.get(path).status_code for path in ("/checks", "/export")] == [404, 404]
    assert hall.organiser.get("/export?as=json").status_code == 200
    seen = [visitor.get("/roster").json["players"][0]["legal"] for visitor in (hall.judge, hall.organiser)]
    assert seen == [None, True]


def test_a_player_is_checked_so_often_and_no_more(hall, monkeypatch):
    monkeypatch.setattr(check_desk, "MOST_CHECKS_OF_PLAYER", 5)
    rid, _ = hall.register("Nami Cat")
    hall.register("Zoro Roronoa")
    everybody = {"draw": {"seed": "7", "share": 1}}
    asked = [hall.judge.post("/checks", {"registration": rid}).status_code for _ in range(5)]
    assert set(asked) == {201}
    assert [hall.judge.post("/checks", said).status_code for said in ({"registration": rid}, everybody)] == [409, 409]
    assert len(hall.judge.get("/checks").json["checks"]) == 5


def test_the_sheets_of_nobody_cannot_be_printed(hall):
    refused = hall.judge.get("/export?as=pdf")
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/as")


WHATEVER = (
    ({"tally": {"main": {}}}, 200),  # an empty box
    ({"decklist": "1 ST21-001\0\n\ufffe\u202e"}, 200),
    ({"tally": {"main": {"N" * 5_000: 1}}}, 422),
    ({"tally": {"main": {"OP01-016": True}}}, 422),
    ({"tally": {"main": {"": 1}}}, 422),
    ({"tally": {"main": {f"OP01-{at:03d}": 1 for at in range(1_001)}}}, 422),
    ({"tally": [1]}, 422),
    ({"tally": None}, 422),
    ({"decklist": None}, 422),
    ({"note": "\u202e\0", "reason": "=1+1", "judge": "\ufffe"}, 200),
    ({"started": "0001-01-01T00:00"}, 422),
    ({"started": "2026-10-25T02:30"}, 422),  # which comes twice that night
    ({"started": None, "ended": None}, 200),
    ({"infraction": "list-mismatch", "penalty": "Warning", "reason": "\0"}, 200),
)


def test_what_a_judge_may_send_is_no_mistake_of_the_server(anywhere):
    hall = Hall(anywhere.test_client())
    rid, _ = hall.register("Nami Cat")
    for said, status in WHATEVER:
        path = f"/checks/{hall.judge.post('/checks', {'registration': rid}).json['id']}"
        assert hall.judge.put(path, said, '"1"').status_code == status, said
        assert hall.judge.get(path).status_code == 200, said
    assert hall.judge.get("/export").status_code == 200


@pytest.mark.slow
def test_checks_are_listed_and_exported_by_as_many_queries_however_many_there_are(hall):
    for at in range(12):
        hall.register(f"Player {at}")
    counts = []
    for seed in ("few", "many"):
        hall.judge.post("/checks", {"draw": {"seed": seed, "share": 0.1 if seed == "few" else 1}})
        with asked() as statements:
            hall.judge.get("/checks")
            hall.judge.get("/export?as=json")
        counts.append(len(statements))
    assert counts[0] == counts[1] > 0


def test_an_event_has_only_so_many_checks(hall, monkeypatch):
    monkeypatch.setattr(check_desk, "MOST_CHECKS", 3)
    ids = [hall.register(f"Player {at}")[0] for at in range(2)]
    everybody = {"draw": {"seed": "7", "share": 1}}
    begun = [hall.judge.post("/checks", wish).status_code for wish in (everybody, everybody, {"registration": ids[0]})]
    assert begun == [201, 409, 201]
    assert len(hall.judge.get("/checks").json["checks"]) == 3


def test_a_player_without_a_list_is_not_checked(hall):
    rid = hall.stranger.post("/registrations", {"player": "Nami Cat"}).json["id"]
    refused = hall.judge.post("/checks", {"registration": rid})
    assert (refused.status_code, [one["pointer"] for one in refused.json["errors"]]) == (422, ["/registration"])


def test_a_phone_gets_all_lists_with_all_checks_of_each(hall):
    desk = hall.client.application.extensions["deckproof"].desk
    ids = [hall.register(f"Player {at}", decklist=deck)[0] for at, deck in enumerate((LEGAL, ILLEGAL))]
    for _ in range(2):
        hall.judge.post("/checks", {"registration": ids[0]})
    first = hall.judge.get("/checks").json["checks"][0]
    write(hall, first["id"], outcome="deck differs", infraction="list-mismatch", penalty="Game Loss")
    sent = check_desk.CheckDesk(desk).lists(desk.authorize(Permission.READ_CHECKS, hall.id, hall.judge.key))
    assert {one["id"]: one["legal"] for one in sent["players"]} == dict(zip(ids, (True, False), strict=True))
    assert [one["registration"] for one in sent["checks"]] == [ids[0]] * 2
    assert [len(one["earlier"]) for one in sent["checks"]] == [0, 1]
    assert (sent["judge"], sent["now"]) == ("judge", "2026-10-20T12:00:00+02:00")
