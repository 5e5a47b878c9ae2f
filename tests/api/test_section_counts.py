"""One table with a count column for each section, through every command and endpoint that takes a list."""

import csv
import json

import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.section_tables import copies_of, laid_out, real_decks, rows_of
from validator import decklists


@pytest.fixture(scope="module")
def deck():
    return next(deck for deck in real_decks() if not any(section == "z" for section, _ in deck))


@pytest.fixture(params=[",", "\t", "markdown", "html", "aligned"], scope="module")
def table(request, deck):
    return laid_out(rows_of(deck, "decks", "-"), request.param)


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))

    def invoke(*words, stdin=None):
        return CliRunner().invoke(cli, list(words), input=stdin, prog_name="deckproof")

    return invoke


def sizes(deck):
    return {section: sum(deck[part, card] for part, card in deck if part == section) for section, _ in deck}


def test_the_interface_judges_all_copies(client, deck, table):
    verdict = client.post("/v1/validate", json={"game": "dbs", "decklist": table}).json
    assert {section: verdict["counts"][section] for section in sizes(deck)} == sizes(deck)
    parsed = client.post("/v1/decklists/parse", json={"decklist": table, "game": "dbs"}).json
    assert sum(card["count"] for card in parsed["deck"]["side"]) == sizes(deck)["side"]
    assert parsed["findings"] == []


def test_the_commands_read_all_copies(run, tmp_path, deck, table):
    verdict = json.loads(run("check", "--game", "dbs", "--json", "-", stdin=table).stdout)
    assert {section: verdict["counts"][section] for section in sizes(deck)} == sizes(deck)
    written = run("convert", "-", "--to", "json", "--game", "dbs", stdin=table).stdout
    assert copies_of(decklists.parse(written).deck) == deck


def test_a_batch_and_a_sheet_have_all_copies(run, tmp_path, deck):
    text = laid_out(rows_of(deck, "plain", ""), ",")
    (tmp_path / "Ann.csv").write_text(text, "utf-8")
    run("batch", str(tmp_path / "Ann.csv"), "--game", "dbs", "-o", str(tmp_path / "out.csv"))
    (row,) = csv.DictReader((tmp_path / "out.csv").read_text("utf-8-sig").splitlines())
    assert (row["Main deck"], row["Side deck"]) == (str(sizes(deck)["main"]), str(sizes(deck)["side"]))
    run("sheet", str(tmp_path / "Ann.csv"), "--game", "dbs", "--player", "Ann", "-o", str(tmp_path / "sheet.csv"))
    cells = [cell for row in csv.reader((tmp_path / "sheet.csv").read_text("utf-8-sig").splitlines()) for cell in row]
    assert all(any(number.split("_")[0] in cell for cell in cells) for _, number in deck)


def test_five_copies_in_the_main_deck_are_too_many(client):
    for copies, is_exceeded in ((4, False), (5, True)):
        rows = ["number,leader,main,side", "BT1-001,1,0,0", f"BT1-004,0,{copies},0"]
        verdict = client.post("/v1/validate", json={"game": "dbs", "decklist": "\n".join(rows)}).json
        assert verdict["counts"]["main"] == copies
        assert ("copies.exceeded" in {finding["code"] for finding in verdict["findings"]}) is is_exceeded
