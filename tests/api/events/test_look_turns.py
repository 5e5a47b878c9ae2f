"""Looks at all of an event: a few at a time, however many ask, as each has all of its lists in memory."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from api.events.players import attendance
from api.service.child_processes import WorkTurns
from tests.api.events.conftest import Hall

LOOKS = (
    "/roster",
    "/missing",
    "/expected",
    "/impact",
    "/commitments",
    "/opened-lists",
    "/audit",
    "/checks",
    "/checks:next",
    "/stream?table=1",
)


@pytest.fixture
def busy(app, monkeypatch):
    """An event at which somebody looks and nobody else may meanwhile."""
    hall, turns = Hall(app.test_client()), WorkTurns(1, 0)
    hall.rid, _ = hall.register("Nami Cat", table="1", consent={"stream": True})
    monkeypatch.setattr(app.extensions["deckproof"].desk, "work_limit", turns)
    with turns:
        yield hall


def test_who_looks_at_all_of_an_event_comes_again_while_too_many_do(busy):
    for path in LOOKS:
        answer = busy.organiser.get(path)
        assert (answer.status_code, "Retry-After" in answer.headers) == (503, True), path
    assert busy.judge.post("/checks", {"code": "0" * 32}).status_code == 503
    assert busy.judge.post("/missing", {"players": ["Nami Cat"]}).status_code == 503


def test_players_register_and_judges_check_meanwhile(busy):
    assert busy.register("Zoro Dog")
    assert busy.judge.get(f"/registrations/{busy.rid}").status_code == 200
    assert busy.judge.post("/checks", {"registration": busy.rid}).status_code == 201
    assert busy.stranger.get("/audit").status_code == 404


def test_nobody_who_registers_waits_while_names_are_compared(app, monkeypatch):
    hall = Hall(app.test_client())
    compared = attendance.compare_names
    with ThreadPoolExecutor(1) as pool:

        def meanwhile(*asked):
            assert pool.submit(hall.register, "Zoro Dog").result(10)
            return compared(*asked)

        monkeypatch.setattr(attendance, "compare_names", meanwhile)
        for headers in ({}, {"Idempotency_Key": "sent-only-once-01"}):
            told = hall.judge.post("/missing", {"players": ["Nami Cat"]}, **headers)
            assert (told.status_code, told.json["not_registered"]) == (200, ["Nami Cat"])


def test_who_looks_at_many_long_revisions_waits_for_a_turn_and_nobody_else(busy):
    rid, player = busy.register("Zoro Dog")
    paths = [f"/registrations/{rid}/{what}" for what in ("revisions", "data")]
    assert [player.get(path).status_code for path in paths] == [200, 200]
    for number in range(1, 8):
        player.revise(rid, decklist="".join(f"4 OP{at // 99:02}-{at % 99 + 1:03}\n" for at in range(number, 999)))
    assert [player.get(path).status_code for path in paths] == [503, 503]
    assert player.get(f"/registrations/{rid}").status_code == 200


def test_each_has_its_turn(app):
    hall = Hall(app.test_client())
    hall.register("Nami Cat", table="1", consent={"stream": True})
    for path in 5 * LOOKS:
        assert hall.organiser.get(path).status_code == 200, path
