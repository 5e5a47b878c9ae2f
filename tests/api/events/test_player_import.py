"""Spreadsheets of players are taken into an event: who is new, who is known, who stands there twice, what is wrong."""

from __future__ import annotations

import io

import pytest

from api.events.bounds import MOST_ENTRANTS
from api.events.players import player_import
from tests.api.events.conftest import ILLEGAL, LEGAL
from tests.api.workbooks.files import xlsx

HEAD = ["Player", "Player ID", "Deck list"]


def take_in(hall, rows, by=None, **fields):
    data = {"file": (io.BytesIO(xlsx(rows)), "players.xlsx"), **fields}
    return (by or hall.organiser)("POST", "/registrations:import", data=data)


def names(rows):
    return [row["player"] for row in rows]


def test_a_list_of_players_without_decks_registers_them_and_gives_each_a_key(hall):
    answer = take_in(hall, [["Player", "Player ID"], ["Nami Cat", "0077"], ["Zoro Dog", "78"]])
    assert (names(answer.json["registered"]), answer.json["faults"]) == (["Nami Cat", "Zoro Dog"], [])
    row = answer.json["registered"][0]
    shown = hall.visitor(row["key"]).get(f"/registrations/{row['id']}").json
    assert (shown["player"], shown["player_id"], shown["received"]) == ("Nami Cat", "0077", False)
    assert hall.visitor(row["key"]).revise(row["id"], decklist=LEGAL).json["legal"] is True


def test_who_is_registered_already_gets_a_revision_by_id_or_by_name(hall):
    by_id, _ = hall.register("Nami Cat", player_id="0077")
    by_name, _ = hall.register("Zoro Dog")
    rows = [HEAD, ["N. Cat", "77", ILLEGAL], ["Dog, Zoro", "", ILLEGAL], ["Usopp Fox", "79", LEGAL]]
    answer = take_in(hall, rows)
    assert [(row["id"], row["row"]) for row in answer.json["updated"]] == [(by_id, 2), (by_name, 3)]
    assert names(answer.json["registered"]) == ["Usopp Fox"]
    shown = hall.judge.get(f"/registrations/{by_id}").json
    assert (shown["player"], shown["revision"], shown["legal"], shown["decklist"]) == ("N. Cat", 2, False, None)
    moved = take_in(hall, [HEAD, *reversed(rows[1:])]).json
    assert [len(moved[key]) for key in ("registered", "updated", "unchanged")] == [0, 0, 3]


def test_namesakes_with_ids_of_their_own_are_two_players(hall):
    hall.register("Nami Cat", player_id="1")
    assert names(take_in(hall, [HEAD, ["Nami Cat", "2", LEGAL]]).json["registered"]) == ["Nami Cat"]


def test_two_rows_of_one_registration_are_told(hall):
    rid, _ = hall.register("Nami Cat", player_id="77")
    answer = take_in(hall, [HEAD, ["Somebody Else", "77", LEGAL], ["Nami Cat", "", ILLEGAL]]).json
    assert (names(answer["updated"]), names(answer["duplicates"])) == (["Somebody Else"], ["Nami Cat"])
    assert hall.judge.get(f"/registrations/{rid}").json["revision"] == 2


def test_what_cannot_be_read_is_named_and_the_rest_is_taken_in(hall):
    rows = [HEAD, ["Nami Cat", "77", "no card at all"], ["Zoro Dog", "1" * 30, LEGAL], ["Usopp Fox", "79", LEGAL]]
    answer = take_in(hall, rows).json
    assert [(one["row"], one["column"]) for one in answer["faults"]] == [(2, "Deck list"), (3, None)]
    assert names(answer["registered"]) == ["Nami Cat", "Usopp Fox"]


def test_what_is_wrong_is_named_row_by_row_whatever_found_it(hall):
    head = [*HEAD, "E-mail"]
    rows = [
        ["Nami Cat", "77", LEGAL, "nobody"],
        ["Usopp " + "Fox" * 40, "78", LEGAL, ""],
        ["Zoro Dog", "?", LEGAL, ""],
        ["Sanji Eel", "79", "", ""],
    ]
    faults = take_in(hall, [head, *rows]).json["faults"]
    assert [one["row"] for one in faults] == [2, 3, 4, 5]
    assert faults[1]["message"].endswith(
        "row 3: the player's name: The text has 126 characters. At most 100 fit on a sheet."
    )
    assert "row 4: the player ID: " in faults[2]["message"]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", b"nothing of this is a table"])
def test_a_file_without_players_registers_nobody(hall, data):
    answer = hall.organiser("POST", "/registrations:import", data={"file": (io.BytesIO(data), "players.xlsx")})
    assert answer.status_code == 422 or answer.json["registered"] == []
    assert hall.judge.get("/registrations").json["registrations"] == []


def test_an_import_that_is_sent_again_is_done_once(hall):
    sent = {
        "data": b"Player\nNami Cat\n",
        "headers": {"Content-Type": "text/csv", "Idempotency-Key": "sent-only-once-01"},
    }
    first, again = (hall.organiser("POST", "/registrations:import", **sent) for _ in range(2))
    assert (first.status_code, first.data) == (200, again.data)


def test_after_the_deadline_players_are_taken_in_with_a_reason(hall, clock):
    clock.set("2026-10-25T09:00:01+01:00")
    rows = [HEAD, ["Nami Cat", "77", LEGAL]]
    assert [take_in(hall, rows, **more).status_code for more in ({}, {"reason": "Paper lists"})] == [403, 200]


def test_a_file_may_have_all_players_of_an_event():
    assert player_import.ROOM.decks == MOST_ENTRANTS


@pytest.mark.parametrize(("rows", "deck"), [(2, LEGAL), (3, LEGAL), (2, ""), (3, "")])
def test_a_file_has_only_so_many_players(hall, monkeypatch, rows, deck):
    monkeypatch.setattr(player_import, "ROOM", player_import.ROOM._replace(decks=2))
    answer = take_in(hall, [HEAD, *([f"Player {at}", str(at), deck] for at in range(1, rows + 1))])
    if rows == 2:
        assert len(answer.json["registered"]) == 2
    else:
        assert (answer.status_code, [one["pointer"] for one in answer.json["errors"]]) == (422, ["/file"])
        assert hall.judge.get("/registrations").json["registrations"] == []
