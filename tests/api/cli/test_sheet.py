"""`deckproof sheet`: a file to print, and the exit codes of `check`."""

import csv

import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.conftest import EXAMPLES
from tests.api.sheets.desk import pages, texts, workbook

ZORO = EXAMPLES / "optcg-red-zoro.txt"
FIVE = EXAMPLES / "optcg-five-copies.txt"
DAY = "2026-11-01"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments, stdin=None):
        return CliRunner().invoke(cli, ["sheet", *map(str, arguments)], input=stdin, prog_name="deckproof")

    return invoke


def test_a_legal_deck_is_printed_with_player_and_event(run, tmp_path):
    event = ("--event", "Winter Regional", "--date", DAY, "--place", "Cologne", "--table", "42", "--notes", "late")
    done = run(ZORO, "-o", "sheet.pdf", "--player", "First Last", "--player-id", "0012345678", *event)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("LEGAL")
    (text,) = pages((tmp_path / "sheet.pdf").read_bytes())
    for said in ("Last, First", "0012345678", "Winter Regional", DAY, "Cologne", "42", "late", f"Judged for {DAY}"):
        assert said in text


def test_an_illegal_deck_is_printed_too(run, tmp_path):
    done = run(
        FIVE, "-o", "sheet.xlsx", "--last-name", "Last", "--first-name", "First", "--on", DAY, "--paper", "letter"
    )
    assert done.exit_code == 1
    page = workbook((tmp_path / "sheet.xlsx").read_bytes())["Registration"]
    assert page.page_setup.paperSize == 1
    said = [cell for row in texts(page) for cell in row]
    assert "NOT LEGAL" in said
    assert any(str(cell).endswith("5-1-2-3") for cell in said)  # the rule on copies
    assert not any("copies.exceeded" in str(cell) for cell in said)


def test_a_list_comes_from_standard_input_and_leaves_as_a_table(run, tmp_path):
    done = run("-", "-o", "sheet.CSV", "--player", "Last", "--format", "extra", stdin=ZORO.read_text("utf-8"))
    assert done.exit_code == 0
    with (tmp_path / "sheet.CSV").open(encoding="utf-8-sig", newline="") as file:
        assert sum(int(row["count"]) for row in csv.DictReader(file)) == 51


def test_a_blank_sheet_is_filled_in_by_hand(run, tmp_path):
    done = run(
        "--blank", "dbs", "-o", "blank.pdf", "--event", "Winter Regional", "--date", DAY, "--format-name", "Trios"
    )
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    (text,) = pages((tmp_path / "blank.pdf").read_bytes())
    assert f"Dragon Ball Super · Trios · Winter Regional · {DAY}" in text
    assert "Z-Deck" in text


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("-o", "sheet.pdf"), "--blank"),
        ((ZORO, "--blank", "optcg", "-o", "sheet.pdf"), "--blank"),
        (("--blank", "optcg", "-o", "sheet.csv"), ".xlsx"),
        (("--blank", "optcg", "-o", "sheet.pdf", "--player", "Last"), "--player"),
        (("--blank", "optcg", "-o", "sheet.pdf", "--date", "soon"), "--date"),
    ],
)
def test_what_no_blank_sheet_is_made_of_is_said_in_a_sentence(run, tmp_path, arguments, word):
    done = run(*arguments)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert word in done.stderr
    assert list(tmp_path.glob("sheet.*")) == []


def test_a_blank_sheet_is_of_a_game_in_capitals_or_not_and_of_no_other(run):
    assert run("--blank", "OPTCG", "-o", "sheet.pdf").exit_code == 0
    refused = run("--blank", "chess", "-o", "sheet.pdf")
    assert refused.exit_code == 2
    assert "'--blank': 'chess' is not one of 'optcg', 'dbs', 'fusion', 'gundam', 'bos'" in refused.stderr


def test_a_character_without_a_font_is_named(run):
    done = run(ZORO, "-o", "sheet.pdf", "--player", "Zoë 🎉", "--on", DAY)
    assert done.exit_code == 0
    assert "U+1F389 PARTY POPPER" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--player"),
        (("--player", "Last", "--last-name", "Last"), "--player"),
        (("--player", "Last", "--player-id", "=1+1"), "--player-id"),
        (("--player", "Last", "--date", "21.11.2026"), "--date"),
        (("--player", "x" * 500, "--event", "y" * 500), "--event"),
        (("--player", "Last", "--ruleset", "chess-1"), "chess-1"),
        (("--player", "Last", "-o", "sheet.docx"), "sheet.docx"),
        (("--player", "Last", "-o", "nowhere/sheet.pdf"), "nowhere/sheet.pdf"),
        (("--player", "Last", "--paper", "a3"), "a3"),
    ],
)
def test_what_cannot_be_used_is_said_and_nothing_is_written(run, tmp_path, arguments, said):
    done = run(ZORO, "-o", "sheet.pdf", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.output
    assert not list(tmp_path.glob("*.*"))


def test_a_list_is_never_written_over(run, tmp_path):
    (tmp_path / "deck.csv").write_bytes(ZORO.read_bytes())
    assert run("deck.csv", "-o", "./deck.csv", "--player", "Last").exit_code == 2
    assert (tmp_path / "deck.csv").read_bytes() == ZORO.read_bytes()


@pytest.mark.parametrize("name", ["no-such-file.txt", "."])
def test_a_list_that_cannot_be_read_is_said(run, name):
    done = run(name, "-o", "sheet.pdf", "--player", "Last")
    assert done.exit_code == 2
    assert name in done.stderr
