"""A clock that goes back opens no event again, and no time in the audit is earlier. All players are invented."""

from tests.api.events.conftest import ILLEGAL, LEGAL

LATE, BACK = "2026-10-25T10:00+01:00", "2026-10-25T07:00+01:00"  # the event closes at 9:00


def times_of(hall):
    return [entry["at"] for entry in hall.organiser.get("/audit").json["entries"]]


def revised_by_judge(hall, clock):
    """Register a player, let a judge revise the list after the deadline, and set the clock back before it."""
    rid, player = hall.register("Nami Cat")
    clock.set(LATE)
    assert hall.judge.revise(rid, decklist=ILLEGAL, reason="Wrong card").status_code == 200
    clock.set(BACK)
    return rid, player


def test_a_player_changes_nothing_after_the_clock_went_back(hall, clock):
    rid, player = revised_by_judge(hall, clock)
    assert player.revise(rid, decklist=LEGAL).status_code == 403
    assert player.delete(f"/registrations/{rid}").status_code == 403
    late = {"player": "Zoro Late", "decklist": LEGAL}
    assert hall.stranger.post("/registrations", late).status_code == 403


def test_the_list_at_the_deadline_stays_the_same(hall, clock):
    rid, _ = revised_by_judge(hall, clock)
    answer = hall.judge.revise(rid, decklist=LEGAL, reason="Right card")
    assert answer.json["counts"] | {"at": ""} == {"revision": 3, "at_deadline": 1, "at": ""}
    clock.set(LATE)
    assert hall.judge.get(f"/registrations/{rid}").json["counts"]["at_deadline"] == 1


def test_no_time_of_the_audit_decreases(hall, clock):
    rid, _ = revised_by_judge(hall, clock)
    assert hall.judge.revise(rid, decklist=LEGAL, reason="Right card").status_code == 200
    assert hall.judge.post("/checks", {"registration": rid}).status_code == 201
    assert hall.organiser.patch("", name="Example Cup").status_code == 200
    assert times_of(hall) == sorted(times_of(hall))


def test_a_deck_check_begins_no_earlier_than_the_last_entry(hall, clock):
    rid, _ = revised_by_judge(hall, clock)
    begun = hall.judge.post("/checks", {"registration": rid}).json
    assert begun["checks"][0]["started"] == "2026-10-25T10:00:00+01:00"
