"""The seed of an event's deck checks: shared and set by judges, kept by an archive. Players are invented."""

import pytest

from api.events.judging import draws
from tests.api.events.conftest import Hall


def following(by):
    return by.get("/checks:next").json


def test_a_judge_sets_one_seed_for_all(anywhere):
    hall = Hall(anywhere.test_client())
    players = [hall.register(f"Player {at}")[0] for at in range(5)]
    before = following(hall.judge)["seed"]
    answer = hall.judge.post("/checks:seed", {"seed": "seven"}, Idempotency_Key="seed-number-00001")
    assert (answer.status_code, answer.json) == (200, {"event": hall.id, "seed": "seven"})
    assert {following(by)["seed"] for by in (hall.judge, hall.organiser)} == {"seven"} != {before}
    first = draws.order_by_seed([draws.Drawable(id) for id in players], "seven")[0]
    assert following(hall.organiser)["registration"]["id"] == first
    again = hall.judge.post("/checks:seed", {"seed": "seven"}, Idempotency_Key="seed-number-00001")
    assert again.json == answer.json
    audit = hall.organiser.get("/audit").json
    assert [entry["by"].partition(" ")[0] for entry in audit["entries"] if entry["action"] == "seed changed"] == [
        "judge"
    ]
    assert audit["intact"]


def test_a_random_seed_differs_each_time_and_no_player_sees_it(hall):
    _, player = hall.register("Ann One")
    seeds = [hall.judge.post("/checks:seed", {}).json["seed"] for _ in range(2)]
    assert seeds[0] != seeds[1] == following(hall.judge)["seed"]
    shown = [by.get(path).text for by in (player, hall.stranger) for path in ("", "/roster", "/commitments")]
    assert not [text for text in shown if seeds[1] in text]


@pytest.mark.parametrize("seed", ["", "x" * 101, 7])
def test_what_is_no_seed_is_refused(hall, seed):
    before = following(hall.judge)["seed"]
    answer = hall.judge.post("/checks:seed", {"seed": seed})
    assert (answer.status_code, [one["pointer"] for one in answer.json["errors"]]) == (422, ["/seed"])
    assert following(hall.judge)["seed"] == before


def test_judges_who_see_no_lists_yet_set_no_seed(hall):
    assert hall.organiser("PATCH", "", json={"visibility": {"lists": "closed"}}).status_code == 200
    assert hall.judge.post("/checks:seed", {"seed": "7"}).status_code == 404


def test_a_settings_change_keeps_the_seed(hall):
    hall.judge.post("/checks:seed", {"seed": "seven"})
    assert hall.organiser("PATCH", "", json={"place": "Example Hall"}).status_code == 200
    assert following(hall.judge)["seed"] == "seven"
