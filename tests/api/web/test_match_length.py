"""The length of a match, limited events and regions over HTTP: as terms of a request, a list and an event."""

from __future__ import annotations

import pytest

from tests.soon import SOON

DAY, BEFORE = "2026-07-03", "2026-07-02"
BLUE = [f"GD01-{number:03}" for number in (1, 2, 3, 4, 5, 6, 7, *range(9, 15))]
MAIN = [{"number": number, "count": 4} for number in BLUE[:12]] + [{"number": BLUE[12], "count": 2}]
SIDE = [{"number": "GD01-015", "count": 4}, {"number": "GD01-016", "count": 4}, {"number": "GD01-017", "count": 2}]


def codes(answer):
    assert answer.status_code == 200
    return [finding["code"] for finding in answer.json["findings"]]


@pytest.mark.parametrize(
    ("on", "best_of", "found"),
    [
        (BEFORE, None, ["section.not_allowed"]),
        (BEFORE, 3, ["section.not_allowed"]),
        (DAY, None, ["advice.side_best_of"]),
        (DAY, 1, ["section.not_allowed"]),
        (DAY, 3, []),
    ],
)
def test_a_sideboard_by_day_and_length_of_match(client, on, best_of, found):
    request = {"game": "gundam", "on": on, "deck": {"main": MAIN, "side": SIDE}}
    request |= {"best_of": best_of} if best_of else {}
    answer = client.post("/v1/validate", json=request)
    assert codes(answer) == found
    assert answer.json["legal"] is (found != ["section.not_allowed"])
    assert answer.json.get("best_of") == best_of


def test_a_plain_text_has_the_length_of_its_match_in_the_query(client):
    text = "\n".join(f"{line['count']} {line['number']}" for line in MAIN) + "\n\nSide\n"
    text += "\n".join(f"{line['count']} {line['number']}" for line in SIDE)
    for best_of, legal in ((1, False), (3, True)):
        answer = client.post(f"/v1/validate?on={DAY}&best_of={best_of}", data=text, content_type="text/plain")
        assert (answer.json["legal"], answer.json["best_of"]) == (legal, best_of)


@pytest.mark.parametrize("best_of", [0, 2, 5, "3", True, None, 1.5])
def test_other_lengths_are_refused(client, best_of):
    answer = client.post("/v1/validate", json={"game": "gundam", "best_of": best_of, "deck": {"main": MAIN}})
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json["errors"]] == ["/best_of"]


def test_every_judging_endpoint_takes_the_length_of_a_match(client):
    deck, terms = {"main": MAIN, "side": SIDE}, {"game": "gundam", "on": DAY, "best_of": 1}
    assert client.post("/v1/repair", json={"deck": deck, **terms}).json["changes"] == 10
    swap = client.post("/v1/swaps/validate", json={"before": deck, "after": deck, **terms})
    assert codes(swap) == ["section.not_allowed"]
    timeline = client.post("/v1/timeline", json={"deck": deck, **terms, "from": BEFORE, "until": "2026-07-10"}).json
    assert [one["legal"] for one in timeline["intervals"]] == [False]
    assert timeline["best_of"] == 1
    timeline = client.post(
        "/v1/timeline", json={"deck": deck, **terms, "best_of": 3, "from": BEFORE, "until": "2026-07-10"}
    ).json
    assert [(one["from"], one["legal"]) for one in timeline["intervals"]] == [(BEFORE, False), (DAY, True)]


def test_a_sealed_deck_is_judged_by_what_the_organiser_sets(client):
    deck = {"main": [{"number": BLUE[0], "count": 9}, {"number": BLUE[1], "count": 31}]}
    policy = {"main_min": 40, "main_max": 40, "copies": False}
    request = {"game": "gundam", "on": DAY, "deck": deck}
    assert codes(client.post("/v1/validate", json={**request, "policy": policy})) == []
    assert set(codes(client.post("/v1/validate", json=request))) == {"copies.exceeded", "size"}
    answer = client.post("/v1/validate", json={**request, "policy": {"main_max": 40}})
    assert [one["pointer"] for one in answer.json["errors"]] == ["/policy/main_max"]


def test_one_policy_without_side_decks_serves_every_game(client):
    for game in ("optcg", "dbs", "gundam", "bos"):
        answer = client.post("/v1/validate", json={"game": game, "policy": {"side_max": 0}, "deck": {"main": []}})
        assert answer.status_code == 200


def test_a_region_that_there_is_not_is_refused_with_the_places_of_those_there_are(client):
    answer = client.post("/v1/validate", json={"game": "optcg", "region": "europe", "deck": {"main": []}})
    assert answer.status_code == 422
    assert "Europe" in answer.json["errors"][0]["detail"]
    for path in ("/v1/limits/dbs?region=europe", "/v1/limits/dbs?region=europe&best_of=1&on=2019-06-10"):
        assert "North America" in client.get(path).json["note"]


def test_a_list_says_how_sure_its_entries_are(client):
    cards = {one["number"]: one for one in client.get("/v1/limits/optcg?on=2023-07-28").json["cards"]}
    assert cards["OP02-004"]["confidence"] == "medium"
    assert client.get("/v1/limits/optcg?best_of=2").status_code == 422


def registered(client, **event):
    made = client.post("/v1/events", json={"name": "Regional", "game": "gundam", "on": SOON, **event})
    assert made.status_code == 201
    answer = client.post(
        f"/v1/events/{made.json['id']}/registrations",
        json={"player": "Last, First", "deck": {"main": MAIN, "side": SIDE}},
    )
    assert answer.status_code == 201
    return made.json, answer.json["verdict"]


@pytest.mark.parametrize(("best_of", "legal"), [(None, True), (1, False), (3, True), (5, True)])
def test_an_event_is_judged_by_the_length_of_its_matches(client, best_of, legal):
    event, verdict = registered(client, **({"best_of": best_of} if best_of else {}))
    assert (event["best_of"], verdict["legal"]) == (best_of, legal)


def test_an_event_may_be_a_sealed_one(client):
    event, verdict = registered(client, policy={"main_min": 40, "main_max": 40, "copies": False})
    assert event["policy"]["main_min"] == 40
    assert [one["code"] for one in verdict["findings"] if one["severity"] == "error"] == ["size"]
