"""The whole story of an event over HTTP, from the day it is begun to the day nothing of it is kept."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from openpyxl import load_workbook

from api.events.check_json import BegunChecksJSON, NextCheckJSON, ShownCheckJSON
from api.events.event_json import AuditJSON, BegunEventJSON, CommitmentsJSON, ImpactJSON, KeysJSON, OpenedListsJSON
from api.events.judging.check_desk import sheet_address
from api.events.player_json import (
    ComparedJSON,
    ExpectedJSON,
    ImportedJSON,
    MissingJSON,
    PlayerDataJSON,
    RegisteredJSON,
    RegistrationsJSON,
    RevisionsJSON,
    RosterJSON,
    ShownRegistrationJSON,
)
from api.events.storage.retention import end_retention
from tests.api.events.conftest import ILLEGAL, LEGAL, Hall
from tests.api.service.answer_types import assert_described
from tests.api.sheets.desk import pages
from tests.api.workbooks.files import xlsx

pytestmark = pytest.mark.slow

GRACE = timedelta(days=14)
PLAYERS = [f"Player {number:03d}" for number in range(1, 31)]  # two hundred come in a browser
BY_WORKBOOK, ALONE = PLAYERS[:15], PLAYERS[15:]
CARDS, SHORT = (
    [(number, int(count)) for count, number in map(str.split, text.splitlines())] for text in (LEGAL, ILLEGAL)
)


def test_the_story_of_an_event(anywhere, clock):
    hall = Hall(anywhere.test_client())
    assert_described(hall.begun.json, BegunEventJSON)
    imported = take_in(hall)
    assert [len(imported[key]) for key in ("registered", "updated", "faults", "duplicates")] == [15, 0, 1, 1]
    players = {row["player"]: (row["id"], hall.visitor(row["key"])) for row in imported["registered"]}
    players |= {name: hall.register(name, player_id=f"{at:05d}") for at, name in enumerate(ALONE)}
    assert len(players) == len(PLAYERS)

    revised_until_the_deadline(hall, players, clock)
    after_the_deadline(hall, players)
    let_in_late(hall, players, clock)
    walk_in(hall)
    who_is_missing(hall)
    checked_and_penalised(hall, players)
    every_card_is_in_the_files(hall)
    taken_out(hall, players)

    database = anywhere.extensions["deckproof"].library.store().database
    clock.set("2027-01-22T00:00+00:00")
    assert end_retention(database, clock(), GRACE) == (0, 0)
    clock.set("2027-01-23T00:00+00:00")
    assert end_retention(database, clock(), GRACE) == (1, 0)
    assert (hall.organiser.get().json["deleted_on"], hall.judge.get().status_code) == ("2027-02-06", 404)
    clock.set("2027-02-06T00:00+00:00")
    assert end_retention(database, clock(), GRACE) == (0, 1)
    assert hall.organiser.get().status_code == 404
    with database.reading() as connection:
        for table in (
            "event",
            "event_check",
            "event_expected",
            "event_key",
            "event_registration",
            "event_revision",
            "event_audit",
            "event_answer",
        ):
            assert connection.exec_driver_sql(f"select count(*) from {table}").scalar() == 0, table


def take_in(hall):
    """15 players come in a workbook: one without a list, one twice."""
    rows = [["Player", "Player ID", "Deck list"], *([name, f"9{at:04d}", LEGAL] for at, name in enumerate(BY_WORKBOOK))]
    rows[5][2] = ""
    data = {"file": (io.BytesIO(xlsx([*rows, rows[-1]])), "players.xlsx")}
    answer = hall.organiser("POST", "/registrations:import", data=data)
    assert answer.status_code == 200, answer.json
    assert_described(answer.json, ImportedJSON)
    (fault,) = answer.json["faults"]
    assert (fault["row"], fault["column"]) == (6, "Deck list")
    assert (answer.json["duplicates"][0]["row"], answer.json["duplicates"][0]["first_row"]) == (17, 16)
    return answer.json


def revised_until_the_deadline(hall, players, clock):
    id, player = players["Player 020"]
    assert player.revise(id, decklist=ILLEGAL).json["legal"] is False
    clock.set("2026-10-25T07:59:59.999999+00:00")  # clocks were put back in the night
    last = player.revise(id, decklist=LEGAL)
    assert_described(last.json, ShownRegistrationJSON)
    assert (last.json["revision"], last.json["legal"], last.json["deadline"]["seconds_left"]) == (3, True, 0)
    assert last.json["deadline"]["until"] == "2026-10-25T09:00:00+01:00"
    clock.set("2026-10-25T08:00:00+00:00")


def after_the_deadline(hall, players):
    id, player = players["Player 020"]
    late = player.revise(id, decklist=ILLEGAL)
    assert (late.status_code, late.json["type"][-7:]) == (403, "/closed")
    assert player.revise(id, player="Another").status_code == 403  # names are locked with lists
    assert player.delete(f"/registrations/{id}").status_code == 403
    assert hall.stranger.post("/registrations", {"player": "Too Late", "decklist": LEGAL}).status_code == 403
    assert hall.judge.revise(id, decklist=ILLEGAL).status_code == 403
    by_judge = hall.judge.revise(id, decklist=ILLEGAL, reason="A card was written wrongly.")
    assert by_judge.json["counts"] == {"revision": 4, "at": by_judge.json["updated"], "at_deadline": 3}
    shown = player.get(f"/registrations/{id}/revisions")
    assert_described(shown.json, RevisionsJSON)
    revisions = shown.json["revisions"]
    assert [(one["counts"], one["at_deadline"]) for one in revisions] == [
        (False, False), (False, False), (False, True), (True, False)
    ]  # fmt: skip
    assert [one["by"].split()[0] for one in revisions] == ["anyone", "owner", "owner", "judge"]
    (removed,) = revisions[3]["removed"]
    assert (removed["section"], removed["number"], removed["count"]) == ("main", "OP04-016", 1)


def let_in_late(hall, players, clock):
    id, player = players["Player 025"]
    assert hall.judge.patch(f"/registrations/{id}", until="2026-10-25T09:30", reason="The bus").status_code == 200
    assert player.revise(id, decklist=ILLEGAL).json["deadline"]["own"] is True
    clock.set("2026-10-25T09:30+01:00")
    assert player.revise(id, decklist=LEGAL).status_code == 403


def walk_in(hall):
    said = {"player": "Walk In", "decklist": LEGAL}
    assert hall.judge.post("/registrations", said).status_code == 403
    answer = hall.judge.post("/registrations", said | {"reason": "Came with the parents of another"})
    assert_described(answer.json, RegisteredJSON)
    assert hall.visitor(answer.json["key"]).get(f"/registrations/{answer.json['id']}").json["received"] is True


def who_is_missing(hall):
    found = hall.judge.get("/missing")
    assert_described(found.json, MissingJSON)
    assert [one["player"] for one in found.json["missing"]] == ["Player 005"]
    answer = hall.judge.post("/missing", {"players": ["005, Player", "Player 006", "Nobody Known"]})
    assert_described(answer.json, ComparedJSON)
    assert answer.json["missing"] == ["Player 005", "Nobody Known"]  # by the last name
    assert (len(answer.json["received"]), len(answer.json["not_expected"])) == (1, len(PLAYERS) - 1)
    assert "Player 006" not in answer.json["reminder"]
    expecting = hall.organiser("PUT", "/expected", json={"players": ["Player 006", "Nobody Known"]})
    assert_described(expecting.json, ExpectedJSON)
    found = hall.judge.get("/missing").json
    assert ([one["player"] for one in found["missing"]], found["not_registered"]) == (["Player 005"], ["Nobody Known"])
    reminders = hall.judge.get("/export?as=reminders").data.decode("utf-8-sig")
    assert [row["Player"] for row in csv.DictReader(io.StringIO(reminders))] == ["Player 005", "Nobody Known"]
    roster = hall.judge.get("/roster")
    assert_described(roster.json, RosterJSON)
    assert [roster.json[key] for key in ("registered", "received", "missing")] == [len(PLAYERS) + 1, len(PLAYERS), 1]


def checked_and_penalised(hall, players):
    """One whose deck is recommended is checked by the code of the sheet; three cards are not there."""
    leaves = players["Player 030"][0]
    drawn = (hall.judge.get(f"/checks:next?seed={seed}") for seed in range(100))
    found = next(answer for answer in drawn if answer.json["registration"]["id"] != leaves)
    assert_described(found.json, NextCheckJSON)
    rid = found.json["registration"]["id"]
    begun = hall.judge.post("/checks", {"code": sheet_address("http://hall", hall.id, rid), "table": "12"})
    assert_described(begun.json, BegunChecksJSON)
    path = f"/checks/{begun.json['id']}"
    counted = {"decklist": LEGAL.replace("4 OP01-016", "1 OP01-016"), "outcome": "deck differs"}
    differs = hall.judge.put(path, counted, '"1"')
    assert_described(differs.json, ShownCheckJSON)
    assert [(card["number"], card["count"]) for card in differs.json["missing"]["main"]] == [("OP01-016", 3)]
    said = {"infraction": "list-mismatch", "penalty": differs.json["suggested"]["penalty"], "reason": "3 are missing"}
    assert hall.judge.put(path, said, differs.headers["ETag"]).json["log"]


def every_card_is_in_the_files(hall):
    """Each list is found again in the workbook, in the zip and on its sheet."""
    listed = hall.judge.get("/registrations").json["registrations"]
    decks = {one["player"]: one["legal"] for one in listed if one["received"]}
    workbook = load_workbook(io.BytesIO(hall.judge.get("/export?as=xlsx").data))
    columns = list(workbook["Lists"].iter_cols(values_only=True))
    for names, counts in zip(columns[::2], columns[1::2], strict=True):
        cards = [(name.split()[0], count) for name, count in zip(names, counts, strict=True) if is_card(name, count)]
        assert sorted(cards) == sorted(CARDS if decks.pop(names[0]) else SHORT), names[0]
    assert not decks
    printed = pages(hall.judge.get("/export?as=pdf").data)
    assert len(printed) == len(PLAYERS)
    assert all(number in page for page in printed for number, _ in CARDS)
    assert "Game Loss" in [row[2] for row in workbook["Penalties"].iter_rows(values_only=True)]


def is_card(name, count):
    return bool(name and count and "-" in name.split()[0])


def taken_out(hall, players):
    id, player = players["Player 030"]
    data = player.get(f"/registrations/{id}/data")
    assert_described(data.json, PlayerDataJSON)
    assert data.json["registration"]["player_id"] == "00014"
    assert [entry["action"] for entry in data.json["audit"]] == ["registered", "player key made"]
    assert hall.organiser.delete(f"/registrations/{id}").status_code == 204
    assert player.get(f"/registrations/{id}").status_code == 404
    audit = hall.organiser.get("/audit")
    assert_described(audit.json, AuditJSON)
    assert audit.json["intact"] is True
    assert audit.json["entries"][-1]["about"] == id
    assert "Player" not in audit.text
    for path, kind in (
        ("/impact", ImpactJSON),
        ("/commitments", CommitmentsJSON),
        ("/opened-lists", OpenedListsJSON),
    ):
        assert_described(hall.organiser.get(path).json, kind)
    assert_described(hall.judge.get("/registrations").json, RegistrationsJSON)
    assert_described(hall.organiser.get("/keys").json, KeysJSON)
