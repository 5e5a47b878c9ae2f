"""Spreadsheets as organisers' tools and hands make them: every one is read whole, or said to be what it is."""

import io
import json
import zipfile
from functools import cache

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.service.errors import Refused
from api.workbooks.intake.book_reader import read
from api.workbooks.readings import reading_lines
from carddb.catalogue import Catalogue
from tests.carddb import real
from tests.shared import shared_path
from validator.language import ENGLISH

# How many decks each file has, how many of them exactly as they were registered, and whether names and ids stand there.
WHOLE = {
    "columnpairs.xlsx": (12, "name"),
    "columntriples_merged.xlsx": (12, "name"),
    "firstrow.csv": (8, "name id"),
    "german.csv": (28, "id"),
    "german_form.csv": (28, "id"),
    "gforms.csv": (200, "name id"),
    "gforms.xlsx": (200, "name id"),
    "limitless.csv": (40, "name"),
    "limitless_standings.json": (10, "name"),
    "matrix.xlsx": (8, "name"),
    "melee.csv": (40, "name"),
    "merged.xlsx": (12, "name id"),
    "namerow.xlsx": (8, "name"),
    "playercolumns.xlsx": (8, "name"),
    "sjis.csv": (5, "id"),
    "sjis_form.csv": (5, "id"),
    "stacked.xlsx": (30, "name id"),
    "utf16.csv": (12, "name id"),
    "wide.csv": (40, "name id"),
}


@cache
def catalogue():
    return Catalogue("optcg", "real", real.cards("optcg"))


@cache
def players():
    return json.loads(shared_path("decks/organisers/players.json").read_text("utf-8"))


def book_of(name):
    return read(shared_path(f"decks/organisers/{name}").read_bytes(), name, "optcg", catalogue())


def name_words(name):
    return frozenset(name.replace(",", " ").casefold().split())


def registered(who):
    """The player whose name or id this is."""
    for player in players():
        if who.id.lstrip("0") == player["id"].lstrip("0") or name_words(who.name) == name_words(
            f"{player['first']} {player['last']}"
        ):
            return player
    return None


def lists_of(entries):
    return [sorted(registered(entry.who)["lines"]) for entry in entries]


def cards(entry):
    return sorted([line.number or "", line.count] for _, line in entry.deck.lines())


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE)
def test_every_deck_and_name_comes_back(name):
    count, told = WHOLE[name]
    book = book_of(name)
    assert (len(book.entries), book.problems, book.rows.unread) == (count, [], 0)
    for entry in book.entries:
        player = registered(entry.who)
        assert cards(entry) == sorted(player["lines"])
        assert "name" not in told or name_words(entry.who.name) == name_words(f"{player['first']} {player['last']}")
        assert "id" not in told or entry.who.id == player["id"]
    assert list(reading_lines(book.readings, ENGLISH))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "player"), [("frform.csv", "Jean"), ("jpform.csv", "山田 太郎")])
def test_forms_in_other_languages(name, player):
    [entry] = book_of(name).entries
    assert (entry.who.name, entry.who.id) == (player, "0012345678")
    assert sum(line.count for _, line in entry.deck.lines()) == 51


@pytest.mark.slow
def test_what_a_spreadsheet_program_has_made_of_a_csv():
    book = book_of("longform.ods")
    assert len(book.entries) == 200
    assert [cards(entry) for entry in book.entries] == [
        sorted(registered(entry.who)["lines"]) for entry in book.entries
    ]
    assert [fault.row for fault in book.problems] == [164]
    assert any("zeros" in fault.detail or "error" in fault.detail for fault in book.faults)
    # Its text had been misread before it was saved; one name was taken for a formula.
    known = {name_words(f"{player['first']} {player['last']}") for player in players()}
    assert [entry.who.name for entry in book.entries if name_words(entry.who.name) not in known] == [""]


def test_an_id_alone_does_not_name_a_player():
    rows = "Player,Player ID,Number,Count\nAnn,0001,OP13-016,4\n,0002,OP13-016,4\n"
    book = read(rows.encode(), "decks.csv", "optcg", catalogue())
    assert [entry.who.label for entry in book.entries] == ["Ann (0001)", "0002"]
    assert [fault.row for fault in book.problems] == [3]


def test_links_that_hold_no_deck_are_told_one_by_one():
    book = book_of("links.csv")
    assert [entry.deck is not None for entry in book.entries] == [True] * 8 + [False] * 2
    assert [fault.row for fault in book.problems] == [10, 11]
    assert all(cards(entry) == sorted(registered(entry.who)["lines"]) for entry in book.entries[:8])


def test_lists_of_any_wording_in_cells():
    book = book_of("mixed.csv")
    assert [registered(entry.who)["id"] for entry in book.entries] == [player["id"] for player in players()[:40]]
    exact = [
        entry for entry, wanted in zip(book.entries, lists_of(book.entries), strict=True) if cards(entry) == wanted
    ]
    assert len(exact) == 10  # to the others a card of another set, a copy or a remark was added


def test_a_row_without_a_player_among_others_is_told():
    book = book_of("noplayer2.csv")
    assert ([fault.row for fault in book.problems], book.rows.unread, len(book.entries)) == ([5], 1, 1)


def test_standings_without_lists_are_told_in_one_sentence():
    book = book_of("roster.csv")
    assert (book.entries, len(book.problems)) == ([], 1)
    assert "no deck" in book.problems[0].detail


def test_a_zip_of_lists_and_spreadsheets():
    lists = {f"{player['first']}.txt": player["lines"] for player in players()[:2]}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, deck in lists.items():
            archive.writestr(name, "\n".join(f"{count} {number}" for number, count in deck))
        archive.write(shared_path("decks/organisers/stacked.xlsx"), "more/stacked.xlsx")
        archive.writestr("photo.jpg", b"\xff\xd8\xff\xe0\0\x10")
    book = read(out.getvalue(), "lists.zip", "optcg", catalogue())
    assert len(book.entries) == 32
    assert [entry.who.name for entry in book.entries[30:]] == [name[:-4] for name in sorted(lists)]
    assert [fault.sheet for fault in book.problems] == ["photo.jpg"]


def test_a_zip_in_a_zip_is_told():
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("a.txt", "4 OP01-016")
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("b.zip", inner.getvalue())
    assert len(read(outer.getvalue(), "c.zip", "optcg").problems) == 1


@pytest.mark.slow
def test_a_zip_bomb_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", b"4 OP01-016\n" * 3_000_000)
    with pytest.raises(Refused, match="zip bomb"):
        read(out.getvalue(), "c.zip", "optcg")


@pytest.mark.slow
def test_a_roster_is_not_asked_for_its_game(tmp_path):
    target = str(tmp_path / "results.xlsx")
    answer = CliRunner().invoke(cli, ["batch", str(shared_path("decks/organisers/roster.csv")), "-o", target])
    assert answer.exit_code == 2
    assert "deck lists" in answer.output
    assert "ruleset" not in answer.output
