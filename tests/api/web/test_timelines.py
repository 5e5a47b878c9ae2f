"""Timelines over HTTP: the days, why each interval begins, and what cannot be asked."""

from datetime import date, timedelta
from itertools import pairwise

import pytest

from validator.games import GAMES

ON = "2026-11-22"


def asked(client, deck, **more):
    return client.post("/v1/timeline", json={"game": "optcg", "deck": deck, "on": ON, **more})


def test_the_intervals_are_without_a_gap_from_the_games_first_day_to_two_years_from_now(client, zoro):
    found = asked(client, zoro).json["intervals"]
    assert (found[0]["from"], found[-1]["until"]) == ("2022-12-02", "2028-11-22")
    for before, after in pairwise(found):
        assert date.fromisoformat(after["from"]) == date.fromisoformat(before["until"]) + timedelta(days=1)
        assert after["because"]
        assert after["changes"]


def test_each_interval_says_what_a_verdict_of_its_days_says(client, zoro):
    for one in asked(client, zoro).json["intervals"]:
        for day in (one["from"], one["until"]):
            verdict = client.post("/v1/validate", json={"game": "optcg", "deck": zoro, "on": day}).json
            assert verdict["legal"] == one["legal"]
            assert list(dict.fromkeys(found["code"] for found in verdict["findings"])) == one["codes"]


def test_what_is_to_come_stands_first_and_has_its_source(client, zoro):
    found = asked(client, zoro).json
    assert found["headline"].startswith("Legal until 2028-03-31, never again: ")
    (ahead,) = found["ahead"]
    assert (ahead["cause"], ahead["on"], ahead["announced"]) == ("rotation", "2028-04-01", "2025-07-23")
    assert ahead["source"].startswith("https://")
    assert found["known_to"] >= "2026-10-04"


def test_it_is_told_where_the_deck_is_legal_on_the_day(client, zoro):
    where = asked(client, zoro, on="2026-01-20").json["where"]
    found = {(one["region"], one["format"]): one["codes"] for one in where}
    # What came out when is known of the English-language cards alone.
    assert found == {
        ("en", "standard"): ["card.unreleased"],
        ("en", "extra"): ["card.unreleased"],
        ("jp", "standard"): [],
        ("jp", "extra"): [],
    }
    assert {one["region"] for one in where if one["note"]} == {"jp"}  # its list is known in part
    free = asked(client, zoro, on="2026-01-20", policy={"limits": False}).json["where"]
    assert not any(one["note"] for one in free)


def test_terms_and_policy_hold_for_all_days(client, zoro):
    extra = asked(client, zoro, format="extra", policy={"release": False, "limits": False}).json
    assert [(one["legal"], one["codes"]) for one in extra["intervals"]] == [(True, [])]
    assert extra["known_to"] is None
    fixed = client.post("/v1/timeline", json={"ruleset": "optcg-1.1.9", "deck": zoro, "on": ON}).json
    assert fixed["ruleset"] == "optcg-1.1.9"
    late = asked(client, zoro, policy={"release_delay_days": 7}).json["intervals"]
    assert [one["from"] for one in late if one["legal"]] == ["2026-08-07"]


def test_a_range_may_be_a_day(client, zoro):
    found = asked(client, zoro, **{"from": ON, "until": ON}).json["intervals"]
    assert [(one["from"], one["until"], one["legal"]) for one in found] == [(ON, ON, True)]


@pytest.mark.parametrize(
    ("day", "last"),
    [
        ("2026-02-28", "2028-02-28"),
        ("2027-03-01", "2029-03-01"),
        ("2028-02-28", "2030-02-28"),
        ("2028-02-29", "2030-02-28"),
    ],
)
def test_a_range_ends_two_years_after_its_day_also_after_a_leap_day(client, zoro, day, last):
    assert asked(client, zoro, on=day, **{"from": day}).json["intervals"][-1]["until"] == last


def test_a_range_ends_where_it_is_told_to_though_the_game_is_younger(client, zoro):
    found = asked(client, zoro, until="2000-02-29").json["intervals"]
    assert [(one["from"], one["until"]) for one in found] == [("2000-02-29", "2000-02-29")]


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"from": "2026-01-02", "until": "2026-01-01"}, "/until"),
        ({"until": "2100-01-01"}, "/until"),
        ({"from": "2100-01-01"}, "/from"),
        ({"on": "2999-12-31"}, "/on"),
        ({"from": "tomorrow"}, "/from"),
        ({"from": 1}, "/from"),
        ({"region": "nowhere"}, "/region"),
        ({"format": "vintage"}, "/format"),
        ({"policy": {"side_max": 15}}, "/policy/side_max"),
        ({"game": "chess"}, "/game"),
        ({"explain": True}, "/explain"),
    ],
)
def test_what_cannot_be_had_is_pointed_at(client, zoro, more, pointer):
    answer = asked(client, zoro, **more)
    assert answer.status_code == 422
    assert [wrong["pointer"] for wrong in answer.json["errors"]] == [pointer]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lines", [[], [{"number": f"QQ-{n}", "count": 255} for n in range(1000)]])
def test_any_deck_has_its_days(client, game, lines):
    answer = client.post("/v1/timeline", json={"game": game, "deck": {"main": lines}, "on": ON})
    assert answer.status_code == 200
    assert not any(one["legal"] for one in answer.json["intervals"])


def test_today_is_the_day_that_counts_where_none_is_named(client, zoro):
    found = client.post("/v1/timeline", json={"game": "optcg", "deck": zoro}).json
    assert found["on"] == date.today().isoformat()
