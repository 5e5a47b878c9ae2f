"""Imports of spreadsheets: previewed without writing, listed, undone, and kept in archives. Players are invented."""

from __future__ import annotations

import csv
import io
import json

import pytest

from api.events import base_desk
from api.events.storage import event_archive, import_history
from tests.api.events.archives import HERE, exported, store_of
from tests.api.events.conftest import ILLEGAL, LEGAL, Hall
from tests.api.workbooks.files import xlsx

HEAD = ["Player", "Player ID", "Deck list", "E-mail", "Table"]


def imported(hall, rows, path="/registrations:import", by=None, **fields):
    data = {"file": (io.BytesIO(xlsx(rows)), "players.xlsx"), **fields}
    return (by or hall.organiser)("POST", path, data=data)


def undo(hall, import_id, **said):
    return hall.organiser.post(f"/imports/{import_id}:undo", said)


def stored(hall):
    """All that is stored of an event: a preview changes none of it."""
    return [hall.organiser.get(path).data for path in ("/registrations", "/expected", "/audit", "/imports")]


def sizes(answer):
    return [len(answer.json[name]) for name in ("registered", "updated", "unchanged", "faults", "duplicates")]


def test_a_dry_run_answers_as_the_import_and_writes_nothing(anywhere):
    hall = Hall(anywhere.test_client())
    hall.register("Nami Cat", player_id="77")
    rows = [
        HEAD,
        ["Nami Cat", "77", ILLEGAL, "", ""],
        ["Zoro Dog", "78", LEGAL, "zoro@example.com", "4"],
        ["Zoro Dog", "78", "", "", ""],
    ]
    rows.append(["Usopp Fox", "1" * 40, "", "", ""])
    before = stored(hall)
    preview = imported(hall, rows, dry_run="true")
    assert (preview.status_code, stored(hall)) == (200, before)
    assert [column["role"] for column in preview.json["sheets"][0]["columns"]] == ["Player", "Player ID", "Deck list"]
    done = imported(hall, rows)
    assert sizes(preview) == sizes(done) == [1, 1, 0, 3, 1]
    assert "key" not in preview.json["registered"][0]
    used = {column["heading"]: column["use"] for column in preview.json["other_columns"]}
    assert used == {"E-mail": "email", "Table": "table"}


def test_an_import_does_what_its_preview_showed_or_nothing(hall):
    rid, player = hall.register("Nami Cat", player_id="77")
    rows = [HEAD, ["Nami Cat", "", ILLEGAL, "", ""]]
    plan = imported(hall, rows, dry_run="true").json["plan"]
    before = stored(hall)
    assert imported(hall, rows, plan="of another preview").status_code == 412
    assert stored(hall) == before
    assert sizes(imported(hall, rows, plan=plan)) == [0, 1, 0, 0, 0]
    shown = player.get(f"/registrations/{rid}").json
    assert (shown["player_id"], shown["legal"]) == ("77", False)
    assert imported(hall, rows, plan=plan).status_code == 412


def test_the_organiser_chooses_the_columns_of_an_import(hall):
    rows = [["A", "B"], ["Nami Cat", "0077"], ["Zoro Dog", "78"]]
    assert imported(hall, rows, dry_run="true").json["registered"] == []
    found = imported(hall, rows, player_column="A", id_column="B").json["registered"]
    assert [(one["player"], one["player_id"]) for one in found] == [("Nami Cat", "0077"), ("Zoro Dog", "78")]
    assert imported(hall, rows, player_column="Z").status_code == 422


def test_an_undo_deletes_what_was_added_and_restores_what_was_changed(anywhere):
    hall = Hall(anywhere.test_client())
    rid, player = hall.register("Nami Cat", player_id="77", email="nami@example.com", table="3")
    hall.organiser("PUT", "/expected", json={"players": ["Zoro Dog"]})
    rows = [HEAD, ["N. Cat", "77", ILLEGAL, "cat@example.com", "12"], ["Zoro Dog", "78", LEGAL, "", ""]]
    done = imported(hall, rows).json
    assert hall.judge.get(f"/registrations/{rid}").json["legal"] is False
    answer = undo(hall, done["import"])
    assert (answer.json["removed"], answer.json["restored"], answer.json["left"]) == (
        ["Zoro Dog"], [{"id": rid, "player": "N. Cat"}], []
    )  # fmt: skip
    shown = player.get(f"/registrations/{rid}").json
    state = {name: shown[name] for name in ("player", "legal", "email", "table", "revision")}
    assert state == {"player": "Nami Cat", "legal": True, "email": "nami@example.com", "table": "3", "revision": 3}
    assert hall.judge.get(f"/registrations/{done['registered'][0]['id']}").status_code == 404
    assert hall.judge.get("/missing").json["not_registered"] == ["Zoro Dog"]
    audit = hall.organiser.get("/audit").json
    actions = [entry["action"] for entry in audit["entries"]]
    assert (audit["intact"], actions.count("players imported"), actions[-1]) == (True, 1, "import undone")
    assert undo(hall, done["import"]).status_code == 409


def test_what_was_changed_meanwhile_is_listed_and_left_alone(hall):
    done = imported(hall, [HEAD, *([name, id, LEGAL, "", ""] for name, id in PLAYERS)]).json
    own, checked, other = (one["id"] for one in done["registered"])
    hall.visitor(done["registered"][0]["key"]).revise(own, decklist=ILLEGAL)
    hall.judge.post("/checks", {"registration": checked})
    answer = undo(hall, done["import"]).json
    assert {one["id"]: one["why"] for one in answer["left"]} == {own: "changed", checked: "checked"}
    assert [hall.judge.get(f"/registrations/{id}").status_code for id in (own, checked, other)] == [200, 200, 404]


def test_a_list_that_was_checked_after_its_import_is_not_replaced_by_the_undo(anywhere):
    hall = Hall(anywhere.test_client())
    rids = [hall.register(name, player_id=id)[0] for name, id in PLAYERS]
    before, after, moved = rids
    hall.judge.post("/checks", {"registration": before})
    rows = [HEAD, *([name, id, ILLEGAL, "", "5"] for name, id in PLAYERS[:2]), [*PLAYERS[2], "", "", "7"]]
    done = imported(hall, rows).json
    for rid in (after, moved):
        hall.judge.post("/checks", {"registration": rid})
    answer = undo(hall, done["import"]).json
    assert answer["left"] == [{"id": after, "player": "Zoro Dog", "why": "checked"}]
    shown = {rid: hall.judge.get(f"/registrations/{rid}").json for rid in rids}
    assert {rid: (one["legal"], one["table"]) for rid, one in shown.items()} == {
        before: (True, ""), after: (False, "5"), moved: (True, "")
    }  # fmt: skip


PLAYERS = (("Nami Cat", "77"), ("Zoro Dog", "78"), ("Usopp Fox", "79"))


def test_imports_are_undone_one_after_the_other(hall):
    first = imported(hall, [HEAD, ["Nami Cat", "77", LEGAL, "a@example.com", ""]]).json
    imported(hall, [HEAD, ["Nami Cat", "77", ILLEGAL, "b@example.com", ""]])
    rid = first["registered"][0]["id"]
    assert [(one["registered"], one["updated"]) for one in hall.organiser.get("/imports").json["imports"]] == [
        (0, 1), (1, 0)
    ]  # fmt: skip
    assert undo(hall, first["import"]).json["left"] == [{"id": rid, "player": "Nami Cat", "why": "changed"}]


def test_a_later_undo_makes_an_earlier_import_undoable(hall):
    first = imported(hall, [HEAD, ["Nami Cat", "77", LEGAL, "a@example.com", ""]]).json
    second = imported(hall, [HEAD, ["Nami Cat", "77", ILLEGAL, "b@example.com", ""]]).json
    assert len(undo(hall, second["import"]).json["restored"]) == 1
    assert hall.judge.get(f"/registrations/{first['registered'][0]['id']}").json["email"] == "a@example.com"
    assert undo(hall, first["import"]).json["removed"] == ["Nami Cat"]


def test_the_list_of_expected_players_is_restored_unless_it_was_changed(hall):
    hall.organiser("PUT", "/expected", json={"players": ["First Player"]})
    imported(hall, [["Player"], ["Second Player"]], "/expected:import")
    kept = hall.organiser.get("/imports").json["imports"][0]
    assert (kept["kind"], undo(hall, kept["id"]).json["expected_restored"]) == ("expected", True)
    assert [one["player"] for one in hall.judge.get("/expected").json["players"]] == ["First Player"]
    imported(hall, [["Player"], ["Second Player"]], "/expected:import")
    hall.organiser("PUT", "/expected", json={"players": ["Third Player"]})
    assert undo(hall, hall.organiser.get("/imports").json["imports"][0]["id"]).json["expected_restored"] is False
    assert [one["player"] for one in hall.judge.get("/expected").json["players"]] == ["Third Player"]


def test_after_the_deadline_an_undo_needs_a_reason(hall, clock):
    done = imported(hall, [HEAD, ["Nami Cat", "77", LEGAL, "", ""]]).json
    clock.set("2026-10-25T09:00:01+01:00")
    assert [undo(hall, done["import"], **said).status_code for said in ({}, {"reason": "Wrong file"})] == [403, 200]


def test_the_history_has_the_last_imports_only(hall, monkeypatch):
    assert import_history.MOST_IMPORTS == 20
    monkeypatch.setattr(import_history, "MOST_IMPORTS", 2)
    ids = [imported(hall, [["Player"], [f"Player {letter}"]]).json["import"] for letter in "ABC"]
    assert [one["id"] for one in hall.organiser.get("/imports").json["imports"]] == ids[:0:-1]


def test_an_import_that_changes_nothing_is_not_in_the_history(hall):
    rows = [HEAD, ["Nami Cat", "77", LEGAL, "", ""]]
    imported(hall, rows)
    assert imported(hall, rows).json["import"] is None
    assert len(hall.organiser.get("/imports").json["imports"]) == 1


def test_a_player_who_leaves_is_in_no_import(hall):
    imported(hall, [["Player", "E-mail"], ["Nami Cat", "nami@example.com"]], "/expected:import")
    imported(hall, [["Player"], ["Zoro Dog"]], "/expected:import")
    done = imported(hall, [HEAD, ["Nami Cat", "77", LEGAL, "nami@example.com", ""]]).json["registered"][0]
    hall.visitor(done["key"]).delete(f"/registrations/{done['id']}")
    data = exported(hall.client.application, hall).data
    assert b"nami@example.com" not in data
    assert b"Nami Cat" not in data


def test_the_history_is_in_the_archive_and_an_import_is_undone_elsewhere(app, clock):
    hall = Hall(app.test_client())
    done = imported(hall, [HEAD, ["Nami Cat", "77", LEGAL, "", ""]]).json
    before, data = hall.organiser.get("/imports").data, exported(app, hall).data
    hall.organiser.delete("?now=true")
    event_archive.import_event(store_of(app), event_archive.read(data, HERE), clock())
    assert hall.organiser.get("/imports").data == before
    assert undo(hall, done["import"]).json["removed"] == ["Nami Cat"]
    again = exported(app, hall).data
    assert json.loads(again)["rows"]["imports"][0]["undone"]
    assert event_archive.read(again, HERE).is_verified


@pytest.mark.parametrize("path", ["/imports/x:undo", f"/imports/{'0' * 30}:undo"])
def test_there_is_no_such_import(hall, path):
    assert hall.organiser.post(path, {}).status_code == 404


def test_the_export_has_the_time_of_a_list_and_none_without_one(hall):
    imported(hall, [HEAD, ["Nami Cat", "77", LEGAL, "", ""], ["Zoro Dog", "78", "", "", ""]])
    rows = csv.DictReader(io.StringIO(hall.organiser.get("/export?as=csv").data.decode("utf-8-sig")))
    received = {row["Player"]: row["Received"] for row in rows}
    assert [player for player, time in received.items() if time] == ["Nami Cat"]


def test_an_import_is_undone_at_a_full_event(hall, monkeypatch):
    hall.register("Nami Cat", player_id="77")
    done = imported(hall, [HEAD, ["Nami Cat", "77", ILLEGAL, "", ""]])
    monkeypatch.setattr(base_desk, "MOST_ENTRANTS", 1)
    undone = undo(hall, done.json["import"])
    assert (undone.status_code, len(undone.json["restored"])) == (200, 1)


def test_an_undo_restores_no_deleted_address(hall):
    first, player = hall.register("Nami Cat", player_id="77", email="nami@example.com")
    hall.register("Zoro Dog", player_id="78", email="zoro@example.com")
    rows = [[name, id, "", f"new.{id}@example.com", ""] for name, id in (("Nami Cat", "77"), ("Zoro Dog", "78"))]
    done = imported(hall, [HEAD, *rows])
    assert player.patch(f"/registrations/{first}", email="").status_code == 200
    rows = [[name, id, "", "", "9"] for name, id in (("Nami Cat", "77"), ("Zoro Dog", "78"))]
    later = imported(hall, [HEAD, *rows])
    data = exported(hall.client.application, hall).data
    found = [address in data for address in (b"nami@example.com", b"new.77@", b"zoro@example.com", b"new.78@")]
    assert found == [False, False, True, True]
    assert [undo(hall, one.json["import"]).status_code for one in (later, done)] == [200, 200]
    emails = {row["Player"]: row["E-mail"] for row in exported_rows(hall)}
    assert emails == {"Nami Cat": "", "Zoro Dog": "zoro@example.com"}


def exported_rows(hall):
    return list(csv.DictReader(io.StringIO(hall.organiser.get("/export?as=csv").data.decode("utf-8-sig"))))
