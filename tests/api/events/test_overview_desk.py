"""The overview of an event: its numbers, and the next step of its staff."""

from __future__ import annotations

import pytest

from tests.api.events.conftest import ILLEGAL, LEGAL


@pytest.fixture
def busy(hall):
    """An event with a legal list, an illegal list, a player without a list and an expected player."""
    hall.register("Legal, One", decklist=LEGAL)
    hall.register("Illegal, One", decklist=ILLEGAL)
    hall.stranger.post("/registrations", {"player": "Missing, One"})
    hall.organiser.put("/expected", {"players": ["Expected, One", "Legal, One"]})
    return hall


def overview(visitor):
    return visitor.get("/overview").json


def step(hall):
    return overview(hall.organiser)["next_step"]


def test_the_numbers_are_those_of_the_roster(busy):
    found = overview(busy.judge)
    counted = {"registered": 3, "received": 2, "missing": 1, "not_registered": 1, "not_legal": 1, "checks": 0}
    assert {name: found[name] for name in counted} == counted
    roster = busy.judge.get("/roster").json
    assert {name: roster[name] for name in ("registered", "received", "missing", "not_legal")} == {
        name: found[name] for name in ("registered", "received", "missing", "not_legal")
    }


def test_the_deadline_counts_down(hall, clock):
    clock.set("2026-10-25T08:59:30+01:00")
    assert overview(hall.organiser)["deadline"]["seconds_left"] == 30


def test_judges_who_may_not_see_the_lists_get_no_number_of_illegal_ones(busy):
    busy.organiser.patch("", visibility="closed")
    assert overview(busy.judge)["not_legal"] is None
    assert busy.judge.get("/roster").json["not_legal"] is None
    assert overview(busy.organiser)["not_legal"] == 1


def test_the_next_step_follows_the_event(hall, clock):
    assert step(hall) == "print_flyer"
    hall.organiser.put("/expected", {"players": ["Late, One"]})
    rid, _ = hall.register("Last, First", decklist=ILLEGAL)
    assert step(hall) == "remind_players"
    hall.register("Late, One", decklist=LEGAL)
    assert step(hall) == "review_lists"
    hall.judge.revise(rid, decklist=LEGAL)
    assert step(hall) == "print_flyer"
    clock.set("2026-10-25T09:30+01:00")
    assert step(hall) == "draw_deck_checks"
    hall.judge.post("/checks", {"registration": rid})
    assert step(hall) == "publish_lists"
    hall.organiser.patch("", visibility="public")
    assert step(hall) == "export_event"


def test_once_an_event_begins_nobody_is_reminded(busy, clock):
    clock.set("2026-10-25T08:59+01:00")
    assert step(busy) == "remind_players"
    clock.set("2026-10-25T09:00+01:00")
    assert step(busy) == "draw_deck_checks"
    clock.set("2026-10-26T00:01+01:00")
    assert step(busy) == "publish_lists"


def test_without_a_deadline_registration_ends_with_the_day_before(busy, clock):
    busy.organiser.patch("", closes=None)
    clock.set("2026-10-24T23:59+02:00")
    assert step(busy) == "remind_players"
    clock.set("2026-10-25T00:00+02:00")
    assert step(busy) == "draw_deck_checks"


def test_the_roster_is_sorted_and_filtered(busy):
    for player, table in zip(busy.judge.get("/roster").json["players"], ("10", "9", ""), strict=True):
        busy.judge.patch(f"/registrations/{player['id']}", table=table)

    def players(query):
        found = busy.judge.get(f"/roster?{query}").json
        assert found["registered"] == 3
        return [one["player"].partition(",")[0] for one in found["players"]]

    assert players("sort=table") == ["Legal", "Illegal", "Missing"]
    assert players("sort=-table") == ["Illegal", "Legal", "Missing"]  # a player without a table comes last
    assert players("sort=-player") == ["Missing", "Legal", "Illegal"]
    assert players("sort=legal") == ["Illegal", "Legal", "Missing"]
    assert players("state=illegal") == ["Illegal"]
    assert players("state=legal") == ["Legal"]
    assert players("state=missing") == ["Missing"]
    assert players("state=received&sort=player") == ["Illegal", "Legal"]
    assert busy.judge.get("/roster?sort=email").status_code == 422
    assert busy.judge.get("/roster?state=gone").status_code == 422


def test_players_learn_no_verdict_by_a_filter(busy):
    _, player = busy.register("Curious, One")
    assert player.get("/roster?state=illegal").json["players"] == []
    assert "not_legal" not in player.get("/roster").json


def test_commitments_have_the_head_of_the_audit(busy):
    audit, public = busy.organiser.get("/audit").json, busy.stranger.get("/commitments").json["audit"]
    assert (public["head"], public["entries"]) == (audit["head"], len(audit["entries"]))
