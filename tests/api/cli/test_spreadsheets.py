"""`deckproof batch` with spreadsheets: many players in, results out."""

from __future__ import annotations

import csv
import io
import json

import openpyxl
import pypdf
import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.workbooks.files import HEAD
from tests.api.workbooks.files import card_rows
from tests.api.workbooks.files import example
from tests.api.workbooks.files import xlsx
from tests.shared import shared

DAY = ("--on", "2026-11-01")
FIVE = "optcg-five-copies.txt"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments, stdin=None):
        return CliRunner().invoke(cli, ["batch", *map(str, arguments)], input=stdin, prog_name="deckproof")

    return invoke


def csv_of(rows, delimiter=","):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue().encode()


CARDS = [HEAD, *card_rows("Zoro", "0001"), *card_rows("Nami", "0002", FIVE)]
DECKS = [["Player", "Player ID", "Decklist"], ["Zoro", "0001", example()], ["Nami", "0002", example(FIVE)]]
SHEETS = {
    name: [["Player ID", id], HEAD[2:], *(row[2:] for row in card_rows(name, id, deck))]
    for name, id, deck in (("Zoro", "0001", "optcg-red-zoro.txt"), ("Nami", "0002", FIVE))
}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cards.xlsx", xlsx(CARDS)),
        ("cards.csv", csv_of(CARDS)),
        ("decks.xlsx", xlsx(DECKS)),
        ("decks.csv", csv_of(DECKS, ";")),
        ("sheets.XLSX", xlsx(SHEETS)),
    ],
)
def test_every_shape_gives_the_same_results(run, tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    done = run(name, "-o", "results.csv", *DAY)
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", "2 judged: 1 legal, 1 not legal.\n")
    with (tmp_path / "results.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["Player"], row["Player ID"], row["Legal"]) for row in rows] == [
        ("Zoro", "0001", "yes"),
        ("Nami", "0002", "no"),
    ]
    assert run(name, *DAY).stdout_bytes == (tmp_path / "results.csv").read_bytes()


def test_a_workbook_and_all_registration_sheets(run, tmp_path):
    (tmp_path / "decks.xlsx").write_bytes(xlsx(DECKS[:2]))
    options = ("--deck-sheets", "--sheets", "sheets.pdf", "--paper", "letter")
    done = run("decks.xlsx", "-o", "results.xlsx", *options, *DAY)
    assert (done.exit_code, done.stderr) == (0, "1 judged: 1 legal, 0 not legal.\n")
    book = openpyxl.load_workbook(tmp_path / "results.xlsx")
    assert book.sheetnames == ["Summary", "Findings", "Leaders", "Cards", "Zoro (0001)"]
    assert len(pypdf.PdfReader(tmp_path / "sheets.pdf").pages) == 1


def test_what_decks_are_judged_by_can_be_said(run, tmp_path):
    (tmp_path / "decks.csv").write_bytes(csv_of(DECKS[:2]))
    done = run("decks.csv", "--ruleset", "optcg-1.1.9", "--format", "extra", *DAY)
    assert done.exit_code == 0
    assert run("decks.csv", "--game", "chess").exit_code == 2


def test_a_row_that_cannot_be_read_is_told_and_stops_no_other(run, tmp_path):
    (tmp_path / "cards.csv").write_bytes(csv_of([*CARDS, ["Usopp", "3", "main", "OP01-016", "", "four"]]))
    done = run("cards.csv", "-o", "results.xlsx", *DAY)
    assert done.exit_code == 2
    told, summed = done.stderr.splitlines()
    assert told == f"cards.csv: row {len(CARDS) + 1}, column Count: “four” is not a number from 1 to 255"
    assert summed == "3 judged: 1 legal, 2 not legal, 1 row not read."


def test_where_there_is_no_deck_it_is_said_why(run, tmp_path):
    (tmp_path / "decks.csv").write_bytes(csv_of([["Player", "Card", "Qty", "Count"], ["Zoro", "Nami", 4, 3]]))
    done = run("decks.csv", "-o", "results.csv")
    assert (done.exit_code, (tmp_path / "results.csv").exists()) == (2, False)
    assert "differ in row 2" in done.stderr
    assert "no deck" in done.stderr
    assert run("decks.csv", "--game", "optcg").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("missing.xlsx",), "missing.xlsx"),
        (("decks.csv", "-o", "decks.csv"), "decks.csv"),
        (("decks.csv", "--sheets", "sheets.docx"), "sheets.docx"),
        (("decks.csv", "--deck-sheets"), "--deck-sheets"),
        (("decks.csv", "-o", "results.ndjson"), "results.ndjson"),
        (("decks.csv", "-o", "no/such/folder/results.xlsx"), "no/such/folder/results.xlsx"),
        (("-", "--game", "optcg"), "-o"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(run, tmp_path, arguments, word):
    (tmp_path / "decks.csv").write_bytes(csv_of(DECKS))
    done = run(*arguments, stdin=b"")
    assert (done.exit_code, done.stdout) == (2, "")
    assert word in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "decks.csv").read_bytes() == csv_of(DECKS)


def test_a_spreadsheet_may_come_as_a_stream(run):
    done = run("-", "-o", "results.csv", *DAY, stdin=xlsx(DECKS[:2]))
    assert (done.exit_code, done.stderr) == (0, "1 judged: 1 legal, 0 not legal.\n")


def test_real_lists_are_read_from_a_spreadsheet_to_the_last_card(run, tmp_path):
    with shared("decks/optcg_decks.jsonl").open(encoding="utf-8") as file:
        decks = [json.loads(line) for line in file][:100]
    rows = [[f"Player {at}", line["number"], line["count"]] for at, deck in enumerate(decks) for line in deck["lines"]]
    (tmp_path / "decks.csv").write_bytes(csv_of([["Player", "Card number", "Qty"], *rows]))
    assert run("decks.csv", "-o", "results.xlsx", "--game", "optcg", *DAY).exit_code == 1
    book = openpyxl.load_workbook(tmp_path / "results.xlsx", read_only=True)
    cards = list(book["Cards"].iter_rows(min_row=2, values_only=True))
    assert sum(row[4] for row in cards) == sum(row[2] for row in rows)
    assert len(list(book["Summary"].iter_rows(min_row=5))) == 100
