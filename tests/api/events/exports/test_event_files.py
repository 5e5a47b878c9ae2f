"""Files of an event: sheets, tables, letters and JSON."""

import csv
import io
import json
from dataclasses import replace

import pytest

from api.events.exports.event_files import EXPORTS
from api.events.judging.penalties import Penalty
from api.service.errors import Refused
from api.sheets import layout
from api.sheets.sheet_pdf import frame
from api.workbooks.reporting import registration_sheets
from tests.api.events.hall import NOON, player, record
from tests.api.sheets.desk import pages, photographed, scanned
from tests.api.workbooks.files import deck
from tests.validator.table import Table, names


def table(kind):
    data = EXPORTS[kind].write(record())
    assert data.startswith("\ufeff".encode())  # by which Excel knows the letters
    assert b"\r\n" in data
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def test_the_table_has_a_row_a_player_and_no_formula():
    assert [(row["Player"], row["Legal"]) for row in table("csv")] == [
        ("'=SUM(1)", "no deck"),
        ("Zoë Ångström", "yes"),
        ("Łukasz Żółć", "yes"),
        ("山田 陽菜", "no"),
    ]


def test_letters_have_the_address_and_all_that_is_to_be_mended():
    nobody, *_, illegal = table("mail-merge")
    assert (illegal["E-mail"], illegal["First name"], illegal["Last name"]) == ("two@example.com", "陽菜", "山田")
    assert len(illegal["What to mend"].splitlines()) == 3
    assert nobody["Legal"] == "no deck"


@pytest.mark.slow
def test_all_sheets_are_one_pdf_by_last_name_or_table():
    by_name, by_table = (pages(EXPORTS["pdf"].write(record(order=order))) for order in ("name", "table"))
    assert ["Ångström" in by_name[0], "Żółć" in by_name[1], "山田" in by_name[2]] == [True] * 3
    assert ["Żółć" in by_table[0], "山田" in by_table[1], "Ångström" in by_table[2]] == [True] * 3
    close = "".join(by_name[0].split())
    assert all(line.number in close for _, line in deck().lines())
    assert all("Winter Regional 2026" in page and "2026-11-01" in page for page in by_name)


def test_a_telephone_reads_from_a_printed_sheet_where_its_deck_is_checked():
    address = f"https://deck-registration.example.org/events/{'8f1b2c3d4e5f60718293a4b5c6d7e8'}/checks/{'0' * 30}"
    [one] = registration_sheets.sheets(record(participants=[player(1, "First Last", address=address)]).results)
    paper = layout.PAPERS["a4"]
    laid = layout.layout(one, paper)
    assert scanned(photographed(frame(one, laid, laid.pages[0], paper))) == address


def test_without_a_list_there_is_no_pdf():
    with pytest.raises(Refused):
        EXPORTS["pdf"].write(record(participants=[player(1, "First Last", None)]))


def test_programs_get_all_of_it():
    said = json.loads(EXPORTS["json"].write(record()))
    first, second, _, last = said["players"]
    assert (first["registration"], first["legal"], first["table"]) == ("r1", True, "1")
    assert "copies.exceeded" in second["codes"]
    assert (last["deck"], last["legal"]) == (None, None)
    assert said["expected"] == [{"player": "First Last", "player_id": "0000000009", "email": ""}]
    assert [one["email"] for one in said["players"]] == ["", "two@example.com", "", ""]
    assert [one["id"] for one in said["checks"]] == ["c1", "c2"]
    assert said["penalties"][0]["line"].startswith("Łukasz Żółć · ")
    assert said["ruleset"]["id"] == "optcg-1.1.9"


@pytest.mark.parametrize(("registration", "suggested"), [("r1", "Match Loss"), ("r2", "Game Loss")])
def test_only_the_earlier_penalties_of_a_player_raise_the_suggested_one(registration, suggested):
    table = Table("gundam-1.9.0")
    short = replace(player(1, "First Last", None), verdict=table.verdict(names("gundam", 49), fill=False))
    given = Penalty(registration, "Somebody", "wrong-count", "Game Loss", "1 of 50 missing", "Judge 1", NOON)
    whole = replace(record(participants=[short], checks=[], penalties=[given]), judge=table.judge)
    (found,) = json.loads(EXPORTS["json"].write(whole))["players"][0]["infractions"]
    assert (found["infraction"], found["suggested_penalty"]) == ("wrong-count", suggested)


def test_every_kind_says_what_it_is():
    assert {kind: export.suffix for kind, export in EXPORTS.items()} == {
        "xlsx": "xlsx", "pdf": "pdf", "csv": "csv", "zip": "zip", "json": "json", "mail-merge": "csv",
        "reminders": "csv", "melee": "csv", "limitless": "csv", "sharly": "csv", "tom": "tdf",
    }  # fmt: skip
