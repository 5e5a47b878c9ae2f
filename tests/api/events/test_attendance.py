"""Who is expected, who is missing, and where players sit and are written to, over HTTP in both databases."""

import csv
import io

import pytest

from api.events.players.attendance import RosterOrder
from api.events.players.entrant import ExpectedPlayer, RegistrationContent, Whereabouts, encode_deck, parse_email
from tests.api.events.conftest import LEGAL, Hall, asked
from tests.api.sheets.desk import pages
from tests.api.workbooks.files import catalogue, xlsx
from validator import decklists

WHERE = {"table": "12", "email": "nami@example.com"}


def book(by, path, rows):
    return by("POST", path, data={"file": (io.BytesIO(xlsx(rows)), "players.xlsx")})


def test_tables_with_a_number_are_before_others_and_players_without_a_table_last():
    rows = [{"player": table, "table": table} for table in ("B1", "10", "", "9", "a2")]
    shown = {sort: [row["table"] for row in RosterOrder(sort).arrange(rows)] for sort in ("table", "-table", "")}
    assert shown["table"] == ["9", "10", "a2", "B1", ""]
    assert shown["-table"] == ["B1", "a2", "10", "9", ""]
    assert shown[""] == ["B1", "10", "", "9", "a2"]


def reminded(by):
    exported = by.get("/export?as=reminders").data.decode("utf-8-sig")
    return [(row["Player"], row["E-mail"]) for row in csv.DictReader(io.StringIO(exported))]


@pytest.mark.slow
def test_the_player_and_those_who_run_the_event_alone_see_where_a_player_is(anywhere):
    hall = Hall(anywhere.test_client(), visibility={"lists": "public", "roster": "public"})
    rid, player = hall.register("Nami Cat", **WHERE)
    for who in (player, hall.judge, hall.organiser):
        shown = who.get(f"/registrations/{rid}").json
        assert {key: shown[key] for key in WHERE} == WHERE
    _, other = hall.register("Another")
    for who in (hall.stranger, other):
        for path in (f"/registrations/{rid}", "/registrations", "/roster", "/commitments", "/opened-lists"):
            answer = who.get(path)
            assert answer.status_code == 200
            assert "nami@example.com" not in answer.text
    assert "nami@example.com" not in hall.organiser.get("/audit").text
    assert player.get(f"/registrations/{rid}/data").json["registration"]["email"] == "nami@example.com"


def test_an_address_is_changed_and_deleted_after_the_deadline_and_is_no_revision(anywhere, clock):
    hall = Hall(anywhere.test_client())
    rid, player = hall.register("Nami Cat", **WHERE)
    clock.set("2026-10-25T12:00+01:00")
    assert player.patch(f"/registrations/{rid}", email="").status_code == 200
    assert hall.judge.patch(f"/registrations/{rid}", table="B7").status_code == 200
    shown = player.get(f"/registrations/{rid}").json
    assert (shown["email"], shown["table"], shown["revision"], shown["updated"]) == (
        "", "B7", 1, "2026-10-20T12:00:00+02:00"
    )  # fmt: skip
    for said in ({"table": "1"}, {"cut": True}, {"until": "2026-10-26T12:00", "email": ""}):
        assert player.patch(f"/registrations/{rid}", **said).status_code == 404
    assert hall.organiser.get("/audit").json["intact"] is True


@pytest.mark.parametrize("said", ["nobody", "a@b, c@d", "a@b\nBcc: c@d", "<a@b>", "a@" + "b" * 260, 7])
def test_what_is_no_address_is_refused(hall, said):
    answer = hall.stranger.post("/registrations", {"player": "Nami Cat", "email": said})
    assert (answer.status_code, [one["pointer"] for one in answer.json["errors"]]) == (422, ["/email"])


def test_a_spreadsheet_says_where_players_are_and_what_it_does_not_say_stays(anywhere):
    hall = Hall(anywhere.test_client())
    rows = [["Player", "Table", "E-mail", "Deck list"], ["Nami Cat", 12, "nami@example.com", LEGAL]]
    taken = book(hall.organiser, "/registrations:import", [*rows, ["Usopp Nose", "", "at home", LEGAL]]).json
    assert [(one["row"], one["column"], one["severity"]) for one in taken["faults"]] == [(3, "E-mail", "notice")]
    again = book(hall.organiser, "/registrations:import", [["Player", "Table number"], ["Cat, Nami", "B7"]]).json
    assert [len(again[key]) for key in ("registered", "updated", "unchanged")] == [0, 1, 0]  # as the name is written
    listed = {one["player_id"] or one["player"]: one for one in hall.judge.get("/registrations").json["registrations"]}
    nami, usopp = listed["Cat, Nami"], listed["Usopp Nose"]
    assert (nami["table"], nami["email"], nami["received"]) == ("B7", "nami@example.com", True)
    assert (usopp["table"], usopp["email"]) == ("", "")
    moved = book(hall.organiser, "/registrations:import", [["Player", "Table"], ["Cat, Nami", "1"]]).json
    assert [len(moved[key]) for key in ("updated", "unchanged")] == [0, 1]
    assert hall.judge.get("/roster").json["players"][0]["table"] == "1"


@pytest.mark.slow
def test_sheets_are_printed_by_table(hall):
    for name, table in (("Ann One", "10"), ("Ben Two", "9"), ("Cid Three", "")):
        hall.register(name, table=table)
    printed = pages(hall.judge.get("/export?as=pdf&order=table").data)
    assert [next(name for name in ("Ann", "Ben", "Cid") if name in page) for page in printed] == ["Ben", "Ann", "Cid"]


def test_missing_are_those_expected_and_those_without_a_list_and_nobody_else(anywhere):
    hall = Hall(anywhere.test_client())
    hall.register("Nami Cat")
    hall.stranger.post("/registrations", {"player": "Usopp Nose", "email": "usopp@example.com"})
    said = hall.organiser("PUT", "/expected", json={"players": ["Cat, Nami", "Zoro Roronoa", "zoro roronoa", " "]})
    assert [(one["player"], one["registered"]) for one in said.json["players"]] == [
        ("Cat, Nami", True), ("Zoro Roronoa", False)
    ]  # fmt: skip
    missing = hall.judge.get("/missing").json
    assert [one["player"] for one in missing["missing"]] == ["Usopp Nose"]
    assert missing["not_registered"] == ["Zoro Roronoa"]
    assert "Usopp Nose; Zoro Roronoa" in missing["reminder"]
    assert "Nami" not in missing["reminder"]
    assert reminded(hall.judge) == [("Usopp Nose", "usopp@example.com"), ("Zoro Roronoa", "")]
    hall.register("Roronoa, Zoro")
    assert hall.judge.get("/missing").json["not_registered"] == []
    assert hall.organiser("PUT", "/expected", json={"players": []}).json == {"expected": 0, "players": []}


def test_a_spreadsheet_of_expected_players_registers_nobody(anywhere):
    hall = Hall(anywhere.test_client())
    rows = [["Name", "Player ID", "Email"], ["Nami Cat", "0012", "nami@example.com"], ["Nami Cat", "0013", ""]]
    rows += [["Nami Cat", "0012", ""], ["Usopp", "0014", "no address"]]
    said = book(hall.organiser, "/expected:import", rows)
    assert (said.status_code, said.json["expected"]) == (200, 3)
    assert [(one["row"], one["first_row"]) for one in said.json["duplicates"]] == [(4, 2)]
    assert [(one["row"], one["value"]) for one in said.json["faults"]] == [(5, "no address")]
    assert hall.judge.get("/roster").json["registered"] == 0
    hall.register("Nami C.", player_id="12")  # a spreadsheet lost the zeros
    assert [one["registered"] for one in hall.judge.get("/expected").json["players"]] == [True, False, False]
    assert reminded(hall.judge) == [("Nami Cat", ""), ("Usopp", "")]


def test_a_player_who_is_deleted_is_expected_no_longer(anywhere):
    hall = Hall(anywhere.test_client())
    hall.organiser("PUT", "/expected", json={"players": ["Nami Cat", "Usopp Nose"]})
    rid, player = hall.register("Nami Cat")
    assert player.delete(f"/registrations/{rid}").status_code == 204
    assert [one["player"] for one in hall.judge.get("/expected").json["players"]] == ["Usopp Nose"]
    assert hall.organiser.get("/audit").json["intact"] is True


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["/missing", "/expected", "/checks:next", "/lists", "/stream?table=1", "/export?as=csv"]
)
def test_no_question_is_asked_of_the_database_for_each_player(app, hall, clock, path):
    deck = encode_deck(decklists.parse(LEGAL, "optcg", catalogue()).deck)
    store = app.extensions["deckproof"].desk.store
    counts = []
    for start, most in ((0, 1), (1, 200)):
        written = [RegistrationContent(f"Player {at}", str(at), stream=True, deck=deck) for at in range(start, most)]
        seats = [Whereabouts("" if at else "1") for at in range(start, most)]
        with store.writing(hall.id, clock()) as writer:
            writer.add_entrants(written, "organiser", wheres=seats)
            writer.replace_expected([ExpectedPlayer(f"Expected {at}") for at in range(most)], "organiser")
        hall.judge.get(path)  # so that the cards are there
        with asked() as statements:
            assert hall.judge.get(path).status_code == 200
        counts.append(len(statements))
    assert counts[0] == counts[1] > 0


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["de", "fr", "es", "it", "ja"])
def test_sentences_are_in_the_language_that_is_asked_for(hall, lang):
    rid, player = hall.register("Nami Cat")
    shown = player.get(f"/registrations/{rid}?lang={lang}").json
    english = player.get(f"/registrations/{rid}").json
    assert shown["receipt"] != english["receipt"]
    assert shown["deadline"]["says"] != english["deadline"]["says"]
    hall.organiser("PUT", "/expected", json={"players": ["Zoro Roronoa"]})
    assert hall.judge.get(f"/missing?lang={lang}").json["reminder"] != hall.judge.get("/missing").json["reminder"]


def test_an_address_has_254_characters_at_most():
    longest = "a" * (254 - len("@example.com")) + "@example.com"
    assert parse_email(f" {longest} ") == longest
    for wrong in (f"a{longest}", "a", "a@", "@b", "a@b@c", "a@b, c@d", "a b@c"):
        with pytest.raises(ValueError, match="one e-mail address"):
            parse_email(wrong)
