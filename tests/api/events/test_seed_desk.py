"""The seed of an event's deck checks: shared and set by judges, kept by an archive. Players are invented."""

import pytest

from api.events.bounds import LONGEST_SEED
from api.events.judging import draws
from api.events.judging.check_desk import CheckDesk
from api.events.judging.draws import is_seed
from api.events.rights import Permission
from api.service.errors import Invalid
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


def test_a_seed_is_one_printable_line():
    longest = "x" * LONGEST_SEED
    assert [is_seed(seed) for seed in ("x", "seed 7", longest)] == [True] * 3
    assert [is_seed(seed) for seed in ("", longest + "x", "two\nlines", "a\0")] == [False] * 4


@pytest.mark.parametrize("seed", ["two\nlines", "x" * (LONGEST_SEED + 1)])
def test_the_desk_refuses_what_is_no_seed_too(hall, seed):
    desk = hall.client.application.extensions["deckproof"].desk
    access = desk.authorize(Permission.SET_CHECK_SEED, hall.id, hall.judge.key)
    before = following(hall.judge)["seed"]
    with pytest.raises(Invalid):
        CheckDesk(desk).change_seed(access, seed, None)
    assert following(hall.judge)["seed"] == before


def test_a_random_seed_has_eight_digits(hall):
    desk = hall.client.application.extensions["deckproof"].desk
    access = desk.authorize(Permission.SET_CHECK_SEED, hall.id, hall.judge.key)
    seeds = set()
    for _ in range(5):
        CheckDesk(desk).change_seed(access, "", None)
        seeds.add(following(hall.judge)["seed"])
    assert len(seeds) == 5
    assert all(len(seed) == 8 and seed.isdecimal() for seed in seeds)


def test_an_equal_seed_changes_nothing(hall):
    hall.judge.post("/checks:seed", {"seed": "seven"})
    before = hall.organiser.get("/audit").json["entries_total"], hall.organiser.get().headers["ETag"]
    assert hall.judge.post("/checks:seed", {"seed": "seven"}).json["seed"] == "seven"
    assert (hall.organiser.get("/audit").json["entries_total"], hall.organiser.get().headers["ETag"]) == before
