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
from tests.api.workbooks.files import HEAD, card_rows, example, xlsx
from tests.shared import shared_path

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


def summed(done):
    """The line that sums up; above it stands what the columns were taken for."""
    taken, last = done.stderr.splitlines()
    assert "Number ←" in taken or "Deck list ←" in taken
    return last


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
    assert (done.exit_code, done.stdout, summed(done)) == (1, "", "2 judged: 1 legal, 1 not legal.")
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
    assert (done.exit_code, summed(done)) == (0, "1 judged: 1 legal, 0 not legal.")
    book = openpyxl.load_workbook(tmp_path / "results.xlsx")
    assert book.sheetnames == ["Summary", "Findings", "Messages", "Leaders", "Cards", "Columns", "Zoro (0001)"]
    assert len(pypdf.PdfReader(tmp_path / "sheets.pdf").pages) == 1


EVENT = ("--event", "Example Regional", "--date", "2026-11-01", "--place", "Example Hall", "--format-name", "Trios")


def test_what_is_said_once_of_the_event_stands_on_every_sheet(run, tmp_path):
    more = (["Table", "Event"], ["B10"], ["B9", "Cup"])
    rows = [[*row, *cells] for row, cells in zip(DECKS, more, strict=True)]
    (tmp_path / "decks.xlsx").write_bytes(xlsx(rows))
    done = run("decks.xlsx", "-o", "results.xlsx", "--sheets", "sheets.pdf", "--order", "table", *EVENT)
    assert (done.exit_code, summed(done)) == (1, "2 judged: 1 legal, 1 not legal.")
    nami, zoro = (page.extract_text() for page in pypdf.PdfReader(tmp_path / "sheets.pdf").pages)
    assert "ONE PIECE · Trios · Cup · 2026-11-01" in nami
    assert "ONE PIECE · Trios · Example Regional · 2026-11-01" in zoro
    assert "Judged for 2026-11-01" in zoro
    assert "Example Hall" in zoro


def test_what_to_write_to_each_player_is_a_table(run, tmp_path):
    rows = [
        [*row, address] for row, address in zip(DECKS, ("E-mail", "zoro@example.org", "nami@example.org"), strict=True)
    ]
    (tmp_path / "decks.xlsx").write_bytes(xlsx(rows))
    assert run("decks.xlsx", "-o", "results.csv", "--mail-merge", "letters.csv", *DAY).exit_code == 1
    with (tmp_path / "letters.csv").open(encoding="utf-8-sig", newline="") as file:
        zoro, nami = csv.DictReader(file)
    assert (zoro["E-mail"], zoro["Legal"], zoro["What to mend"]) == ("zoro@example.org", "yes", "")
    assert (nami["E-mail"], nami["Legal"]) == ("nami@example.org", "no")
    assert len(nami["What to mend"].splitlines()) == 3


def test_what_decks_are_judged_by_can_be_said(run, tmp_path):
    (tmp_path / "decks.csv").write_bytes(csv_of(DECKS[:2]))
    done = run("decks.csv", "--ruleset", "optcg-1.1.9", "--format", "extra", *DAY)
    assert done.exit_code == 0
    assert run("decks.csv", "--game", "chess").exit_code == 2


def test_a_row_that_cannot_be_read_is_told_and_stops_no_other(run, tmp_path):
    (tmp_path / "cards.csv").write_bytes(csv_of([*CARDS, ["Usopp", "3", "main", "OP01-016", "", "four"]]))
    done = run("cards.csv", "-o", "results.xlsx", *DAY)
    assert done.exit_code == 2
    taken, told, summed = done.stderr.splitlines()
    assert "Player ← A “Player”" in taken
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
        (("decks.csv", "--mail-merge", "letters.xlsx"), "letters.xlsx"),
        (("decks.csv", "--mail-merge", "decks.csv"), "decks.csv"),
        (("decks.csv", "--date", "1.11.2026"), "--date"),
        (("decks.csv", "--event", "x" * 121), "--event"),
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


def test_columns_are_shown_and_chosen(run, tmp_path):
    rows = [["Handle", "Real", "Decklist"], ["zz9", "Zoro", example()], ["nn1", "Nami", example()]]
    (tmp_path / "decks.csv").write_bytes(csv_of(rows))
    for choice in ("B", "real"):
        done = run("decks.csv", "--columns", "--player-column", choice, *DAY)
        assert (done.exit_code, done.stdout.splitlines()[1]) == (0, "Zoro, no id: 51 cards")
        assert "Player ← B “Real” (chosen by you)" in done.stdout
    assert run("decks.csv", "--player-column", "Foo", *DAY).exit_code == 2


def test_a_folder_of_lists(run, tmp_path):
    (tmp_path / "lists").mkdir()
    for name in ("Zoro", "Nami"):
        (tmp_path / f"lists/{name}.txt").write_text(example(), "utf-8")
    done = run("lists", "-o", "results.csv", *DAY)
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (0, "2 judged: 2 legal, 0 not legal.")


def test_the_folder_one_stands_in_has_its_own_name_and_one_without_files_is_refused_so(run, tmp_path):
    (tmp_path / "Zoro.txt").write_text(example(), "utf-8")
    assert run(".", "-o", "results.csv", *DAY).stderr.startswith(f"{tmp_path.name}: sheet Zoro.txt: ")
    (tmp_path / "empty").mkdir()
    done = run("empty", "-o", "results.csv", *DAY)
    assert (done.exit_code, done.stderr) == (2, "deckproof: empty has no files.\n")


def test_a_spreadsheet_may_come_as_a_stream(run):
    done = run("-", "-o", "results.csv", *DAY, stdin=xlsx(DECKS[:2]))
    assert (done.exit_code, summed(done)) == (0, "1 judged: 1 legal, 0 not legal.")


@pytest.mark.slow
def test_real_lists_are_read_from_a_spreadsheet_to_the_last_card(run, tmp_path):
    with shared_path("decks/optcg_decks.jsonl").open(encoding="utf-8") as file:
        decks = [json.loads(line) for line in file][:100]
    rows = [[f"Player {at}", line["number"], line["count"]] for at, deck in enumerate(decks) for line in deck["lines"]]
    (tmp_path / "decks.csv").write_bytes(csv_of([["Player", "Card number", "Qty"], *rows]))
    assert run("decks.csv", "-o", "results.xlsx", "--game", "optcg", *DAY).exit_code == 1
    book = openpyxl.load_workbook(tmp_path / "results.xlsx", read_only=True)
    cards = list(book["Cards"].iter_rows(min_row=2, values_only=True))
    assert sum(row[4] for row in cards) == sum(row[2] for row in rows)
    assert sum(str(row[0]).startswith("Player ") for row in book["Summary"].iter_rows(values_only=True)) == 100


def test_each_deck_of_a_json_is_a_row_of_its_own(run, tmp_path):
    decks = tmp_path / "decks.json"
    main = [{"number": "OP01-016", "count": 4}]
    decks.write_text(json.dumps([{"name": "Ann", "main": main}, {"main": main}]), "utf-8")
    done = run(decks, "-o", tmp_path / "out.csv")
    assert done.exit_code == 1
    rows = (tmp_path / "out.csv").read_text("utf-8-sig").splitlines()[1:]
    assert [row.partition(",")[0] for row in rows] == ["Ann", "decks 2"]


@pytest.mark.parametrize(
    ("lang", "title", "sentence"),
    [
        ("de", "Übersicht", "2 geprüft: 1 legal, 1 nicht legal."),
        pytest.param("fr", "Résumé", "2 decks vérifiés (légaux : 1, non légaux : 1).", marks=pytest.mark.slow),
        pytest.param("es", "Resumen", "2 mazos comprobados (legales: 1, no legales: 1).", marks=pytest.mark.slow),
        pytest.param("it", "Riepilogo", "2 mazzi controllati (legali: 1, non legali: 1).", marks=pytest.mark.slow),
        pytest.param("ja", "一覧", "判定2件：使用可1件、使用不可1件。", marks=pytest.mark.slow),
    ],
)
def test_results_and_what_the_terminal_shows_are_in_the_language(run, tmp_path, lang, title, sentence):
    (tmp_path / "decks.csv").write_bytes(csv_of([["Player", "Deck"], ["Zoro", example()], ["Nami", example(FIVE)]]))
    found = run("decks.csv", "-o", "results.xlsx", "--mail-merge", "letters.csv", *DAY, "--lang", lang)
    assert found.exit_code == 1
    assert found.stderr.replace("\N{NO-BREAK SPACE}", " ").splitlines()[-1] == sentence
    assert openpyxl.load_workbook(tmp_path / "results.xlsx").sheetnames[0] == title
    assert not (tmp_path / "letters.csv").read_text("utf-8-sig").startswith("Player")
    shown = run("decks.csv", "--columns", *DAY, "--lang", lang)
    assert shown.exit_code == 0
    assert "Player ←" not in shown.stdout


def test_requests_one_a_line_are_answered_in_the_language(run):
    request = {"game": "optcg", "on": "2026-11-01", "decklist": example(FIVE)}
    found = run("-", "--lang", "de", stdin=json.dumps(request) + "\n")
    assert "höchstens 4" in json.dumps(json.loads(found.stdout)["findings"], ensure_ascii=False)
    assert found.stderr == "1 geprüft: 0 legal, 1 nicht legal.\n"
