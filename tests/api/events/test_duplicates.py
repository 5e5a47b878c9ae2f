"""Two registrations of one player are found, counted once, and merged or kept apart. All players are invented."""

from __future__ import annotations

import pytest

from api.events.players import duplicate_desk
from api.events.players import duplicates as duplicates_module
from api.events.storage import event_archive
from tests.api.events.archives import HERE, exported, store_of
from tests.api.events.conftest import ILLEGAL, LEGAL, Hall, asked


def duplicates_in(answer):
    """Return the fields that the registrations of each pair have in common."""
    return [one["same"] for one in answer.json["duplicates"]]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ({"player_id": "0012"}, {"player": "Zoro Dog", "player_id": "12"}, ["id"]),
        ({"email": "a@example.com"}, {"player": "cat, nami", "email": "A@example.com", "decklist": ILLEGAL}, ["email"]),
        ({}, {"player": "Cat, Nami"}, ["list"]),
        ({"player_id": "1"}, {"player_id": "2"}, []),  # ids tell two players of one name apart
        ({}, {"decklist": ILLEGAL}, []),
        ({}, {"player": "Zoro Dog"}, []),
        ({"email": "a@example.com"}, {"player": "Zoro Dog", "email": "a@example.com"}, []),
    ],
)
def test_registrations_of_one_player_are_found(hall, first, second, same):
    rid, player = hall.register("Nami Cat", **first)
    answer = hall.stranger.post("/registrations", {"player": "Nami Cat", "decklist": LEGAL} | second)
    assert answer.status_code == 201  # nothing that was entered is lost
    assert duplicates_in(answer) == same
    assert duplicates_in(player.get(f"/registrations/{rid}")) == same
    roster = hall.judge.get("/roster").json
    other = answer.json["id"]
    wanted = {rid: [other], other: [rid]} if same else {rid: [], other: []}
    assert {one["id"]: one["duplicates"] for one in roster["players"]} == wanted
    assert (roster["registered"], roster["duplicates"]) == ((1, 1) if same else (2, 0))
    listed = hall.judge.get("/registrations").json["registrations"]
    assert {one["id"]: one["duplicates"] for one in listed} == wanted
    same_id = wanted if same == ["id"] else {rid: [], other: []}
    assert {one["id"]: one["same_id"] for one in listed} == same_id


def test_a_player_learns_nothing_of_the_other_registration_but_its_time(hall):
    rid, _ = hall.register("Nami Cat", player_id="12", team="Reds")
    answer = hall.stranger.post("/registrations", {"player": "Zoro Dog", "player_id": "12"})
    (shown,) = answer.json["duplicates"]
    assert shown.keys() == {"same", "since", "says"}
    assert "player ID" in shown["says"]
    assert (shown["since"], rid in answer.text, "Nami" in answer.text) == ("2026-10-20T12:00:00+02:00", False, False)
    (seen,) = hall.judge.get(f"/registrations/{answer.json['id']}").json["duplicates"]
    assert (seen["id"], seen["player"]) == (rid, "Nami Cat")
    assert "duplicates" not in hall.visitor(answer.json["key"]).get("/roster").json


def test_duplicates_are_read_by_as_many_queries_however_many_there_are(hall):
    counts = []
    for _ in range(3):
        rid, player = hall.register("Nami Cat", player_id="12")
        with asked() as statements:
            player.get(f"/registrations/{rid}")
        counts.append(len(statements))
    assert counts[1] == counts[2]


def test_a_player_with_two_registrations_counts_once(hall, clock):
    empty = hall.stranger.post("/registrations", {"player": "Nami Cat", "player_id": "12"}).json["id"]
    clock.set("2026-10-20T13:00+02:00")
    old, _ = hall.register("Nami Cat", player_id="12", decklist=ILLEGAL)
    clock.set("2026-10-20T14:00+02:00")
    new, _ = hall.register("Cat, Nami", player_id="12")
    zoro = hall.stranger.post("/registrations", {"player": "Zoro Dog"}).json["id"]
    roster = hall.judge.get("/roster").json
    assert [roster[name] for name in ("registered", "received", "missing", "duplicates")] == [2, 1, 1, 2]
    overview = hall.judge.get("/overview").json
    assert [overview[name] for name in ("registered", "received", "missing", "duplicates")] == [2, 1, 1, 2]
    missing = hall.judge.get("/missing").json
    assert ([one["id"] for one in missing["missing"]], set(missing["left_out"])) == ([zoro], {empty, old})
    assert missing["reminder"].count("Nami") == 0
    everybody = {"draw": {"seed": "7", "share": 1, "standings": [old, zoro], "among": "all"}}
    assert hall.judge.post("/checks", everybody).json["draw"]["registrations"] == [new]
    assert hall.judge.get("/checks:next").json["registration"]["id"] == new
    printed = hall.judge.get("/export?as=json").json["players"]
    assert [one["registration"] for one in printed] == [new, zoro]


def test_of_two_registrations_the_one_that_was_changed_last_counts(hall, clock):
    old, player = hall.register("Nami Cat", player_id="12", decklist=ILLEGAL)
    clock.set("2026-10-20T13:00+02:00")
    new, _ = hall.register("Nami Cat", player_id="12", decklist=ILLEGAL)
    draw = {"draw": {"seed": "7", "share": 1}}
    assert hall.judge.post("/checks", draw).json["draw"]["registrations"] == [new]
    clock.set("2026-10-20T14:00+02:00")
    assert player.revise(old, decklist=LEGAL).status_code == 200
    assert hall.judge.post("/checks", draw).json["draw"]["registrations"] == [old]


def test_others_see_one_list_of_a_player_with_two_registrations(hall, clock):
    hall.register("Nami Cat", player_id="12", decklist=ILLEGAL, consent={"stream": True}, table="7")
    clock.set("2026-10-20T13:00+02:00")
    hall.register("Nami Cat", player_id="12", consent={"stream": True}, table="7")
    nami = {"lines": "OP01-016 banned"}
    assert [hall.judge.post("/impact", nami).json[name] for name in ("lists", "legal")] == [1, []]
    assert hall.judge.get("/impact").json["lists"] == 1
    assert len(hall.judge.get("/stream?table=7").json["lists"]) == 1
    assert hall.organiser.patch("", visibility={"lists": "public"}).status_code == 200
    assert len(hall.stranger.get("/lists").json["lists"]) == 1
    assert len(hall.stranger.get("/registrations").json["registrations"]) == 1
    assert len(hall.judge.get("/registrations").json["registrations"]) == 2


def test_a_person_without_any_list_is_reminded_once(hall):
    for name in ("Nami Cat", "Cat, Nami"):
        hall.stranger.post("/registrations", {"player": name, "player_id": "12"})
    missing = hall.judge.get("/missing").json
    assert (len(missing["missing"]), len(missing["left_out"])) == (1, 1)


@pytest.mark.parametrize(("choice", "legal"), [("own", True), ("other", False)])
def test_a_merge_keeps_the_chosen_list_and_both_links(anywhere, clock, choice, legal):
    hall = Hall(anywhere.test_client())
    kept, first = hall.register("Nami Cat", player_id="12")
    other, second = hall.register("Nami Cat", player_id="12", decklist=ILLEGAL, email="a@example.com", team="Reds")
    hall.judge.patch(f"/registrations/{other}", table="7", cut=True)
    merged = hall.judge.post(f"/registrations/{kept}/merge", {"other": other, "list": choice, "reason": "came twice"})
    assert (merged.status_code, merged.json["merged"], merged.json["revision"]) == (200, other, 2)
    for player in (first, second):
        shown = player.get(f"/registrations/{kept}").json
        assert [shown[name] for name in ("team", "email", "table", "legal")] == ["Reds", "a@example.com", "7", legal]
        assert (shown["duplicates"], shown["cut"]) == ([], True)
    assert second.get(f"/registrations/{other}").status_code == 404
    assert hall.judge.get("/roster").json["registered"] == 1
    revisions = hall.judge.get(f"/registrations/{kept}/revisions").json["revisions"]
    assert [one["reason"] for one in revisions] == ["", "came twice"]
    audit = hall.organiser.get("/audit").json
    assert audit["intact"]
    assert [one["about"] for one in audit["entries"] if one["action"] == "merged"] == [kept]


@pytest.mark.parametrize(("own", "until"), [("2026-10-25T10:00", "10:00"), (None, "12:00")])
def test_a_merge_keeps_the_own_deadline_and_fills_a_missing_one(hall, own, until):
    kept, _ = hall.register("Nami Cat", player_id="12")
    other, _ = hall.register("Nami Cat", player_id="12")
    for rid, moment in ((kept, own), (other, "2026-10-25T12:00")):
        assert hall.judge.patch(f"/registrations/{rid}", until=moment).status_code == 200
    assert hall.judge.post(f"/registrations/{kept}/merge", {"other": other}).status_code == 200
    shown = hall.judge.get(f"/registrations/{kept}").json
    assert shown["deadline"]["until"] == f"2026-10-25T{until}:00+01:00"


@pytest.mark.parametrize(("most", "status"), [(2, 200), (1, 409)])
def test_a_merge_is_the_last_revision_that_a_registration_may_have(hall, monkeypatch, most, status):
    monkeypatch.setattr(duplicate_desk, "MOST_REVISIONS", most)
    kept, _ = hall.register("Nami Cat", player_id="12")
    other, _ = hall.register("Nami Cat", player_id="12")
    assert hall.judge.post(f"/registrations/{kept}/merge", {"other": other}).status_code == status


def test_a_merge_after_the_deadline_makes_no_late_list_timely(hall, clock):
    kept, player = hall.register("Nami Cat", player_id="12", decklist=ILLEGAL)
    clock.set("2026-10-25T09:30+01:00")
    late = hall.judge.post(
        "/registrations", {"player": "Nami Cat", "player_id": "12", "decklist": LEGAL, "reason": "x"}
    )
    hall.judge.post(f"/registrations/{kept}/merge", {"other": late.json["id"], "list": "other"})
    shown = player.get(f"/registrations/{kept}").json
    assert (shown["legal"], shown["counts"]) == (
        True,
        {"revision": 2, "at": "2026-10-25T09:30:00+01:00", "at_deadline": 1},
    )


def test_a_merge_is_done_once(hall):
    kept, _ = hall.register("Nami Cat", player_id="12")
    other, _ = hall.register("Nami Cat", player_id="12")
    path, wish = f"/registrations/{kept}/merge", {"other": other}
    answers = [hall.judge.post(path, wish, Idempotency_Key="a-random-key-0001") for _ in range(2)]
    assert answers[0].json == answers[1].json
    assert hall.judge.post(path, wish).status_code == 422
    assert len(hall.judge.get(f"/registrations/{kept}/revisions").json["revisions"]) == 2


def test_a_merge_that_would_lose_something_is_refused(hall):
    kept, _ = hall.register("Nami Cat", player_id="12")
    other = hall.stranger.post("/registrations", {"player": "Nami Cat", "player_id": "12"}).json["id"]
    checked, _ = hall.register("Nami Cat", player_id="12")
    hall.judge.post("/checks", {"registration": checked})
    for wish in (
        {"other": kept},
        {"other": "0" * 30},
        {"other": other, "list": "other"},  # which has none
        {"other": checked},  # whose deck check would be lost
        {"other": other, "list": "none"},
        {},
    ):
        assert hall.judge.post(f"/registrations/{kept}/merge", wish).status_code == 422, wish
    assert hall.judge.post(f"/registrations/{checked}/merge", {"other": kept}).status_code == 200
    assert len(hall.judge.get("/checks").json["checks"]) == 1


def test_two_players_kept_apart_both_count(hall):
    one, _ = hall.register("Nami Cat", email="a@example.com")
    other, _ = hall.register("Nami Cat", email="a@example.com")
    assert hall.judge.get("/duplicates").json["count"] == 1
    answer = hall.judge.post(f"/registrations/{one}/separate", {"other": other, "reason": "twins"})
    assert answer.json == {"registration": one, "distinct_from": [other]}
    for rid in (one, other):
        assert hall.judge.get(f"/registrations/{rid}").json["duplicates"] == []
    assert hall.judge.get("/duplicates").json["count"] == 0
    assert hall.judge.get("/roster").json["registered"] == 2
    assert hall.judge.post(f"/registrations/{one}/separate", {"other": one}).status_code == 422


def test_merged_and_separate_players_are_the_same_after_a_restore(app, hall, clock):
    kept, _ = hall.register("Nami Cat", player_id="12")
    other, player = hall.register("Nami Cat", player_id="12")
    apart, _ = hall.register("Zoro Dog", email="a@example.com")
    from_whom, _ = hall.register("Zoro Dog", email="a@example.com")
    hall.judge.post(f"/registrations/{kept}/merge", {"other": other, "list": "other"})
    hall.judge.post(f"/registrations/{apart}/separate", {"other": from_whom})
    assert hall.judge.post(f"/registrations/{kept}/key").status_code == 201  # the old links stop to work
    assert player.get(f"/registrations/{kept}").status_code == 404
    before = hall.judge.get("/roster").json
    data = exported(app, hall).data
    hall.organiser.delete("?now=true")
    event_archive.import_event(store_of(app), event_archive.read(data, HERE), clock())
    assert hall.judge.get("/roster").json == before
    assert (before["registered"], before["duplicates"]) == (3, 0)


def test_very_many_registrations_with_one_id_make_no_endless_answer(hall, monkeypatch):
    monkeypatch.setattr(duplicates_module, "MOST_DUPLICATES", 2)
    for _ in range(5):
        hall.register("Nami Cat", player_id="12")
    assert {len(one["duplicates"]) for one in hall.judge.get("/roster").json["players"]} == {2}
    assert hall.judge.get("/duplicates").json["count"] == 4


def test_only_those_who_see_lists_compare_and_merge(hall):
    kept, player = hall.register("Nami Cat", player_id="12")
    other, _ = hall.register("Nami Cat", player_id="12")
    hall.organiser.patch("", visibility={"lists": "closed"})
    assert hall.judge.get("/duplicates").status_code == player.get("/duplicates").status_code == 404
    assert hall.judge.post(f"/registrations/{kept}/merge", {"other": other}).status_code == 404
    assert hall.judge.get("/roster").json["duplicates"] == 1
    assert hall.organiser.get("/duplicates").json["count"] == 1


def test_two_players_who_were_both_checked_are_not_merged(hall):
    first, second, third = (hall.register("Nami Cat", player_id="12")[0] for _ in range(3))
    for one in (first, second):
        assert hall.judge.post("/checks", {"registration": one}).status_code == 201
    checked = {one["registration"] for one in hall.judge.get("/checks").json["checks"]}
    details = {}
    for remaining, other in ((first, second), (second, first), (third, first), (third, second), (first, third)):
        answer = hall.judge.post(f"/registrations/{remaining}/merge", {"other": other, "list": "own"})
        details[remaining in checked, other in checked] = (answer.status_code, answer.json.get("errors"))
    assert details[True, True][0] == details[False, True][0] == 422
    assert details[True, True] != details[False, True]
    assert details[True, False][0] == 200


def test_a_registration_has_a_limit_of_distinct_others(hall, monkeypatch):
    monkeypatch.setattr(duplicate_desk, "MOST_DISTINCT", 2)
    first, *others = (hall.register("Nami Cat", player_id="12")[0] for _ in range(4))
    separated = [hall.judge.post(f"/registrations/{first}/separate", {"other": one}) for one in others]
    assert [one.status_code for one in separated] == [200, 200, 409]
    assert hall.judge.post(f"/registrations/{first}/separate", {"other": others[0]}).status_code == 200
