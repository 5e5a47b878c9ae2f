"""From bytes to a file, whole or not at all."""

import io
import subprocess
import sys
import tempfile
from datetime import date

import openpyxl
import pypdf
import pytest

from api.service.errors import Refused
from api.service.judges import Judges
from api.service.requests import RequestedTerms
from api.sheets.registration import Event
from api.workbooks import checking
from api.workbooks.checking import Wanted
from api.workbooks.intake import book_reader
from api.workbooks.reporting import registration_sheets
from api.workbooks.reporting import results_xlsx as workbook
from carddb.library import Library
from tests.api.workbooks.files import HEAD, card_rows, example, judge, judged, xlsx

PLAYERS = ["Roronoa Zoro", "Boa, Hancock", "山田 太郎", "محمد علي", "-kai-"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, that what is written goes through too."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def event():
    head = [*HEAD, "Table"]
    return xlsx([head, *([*row, at] for at, name in enumerate(PLAYERS) for row in card_rows(name, f"{at:04}"))])


def test_a_spreadsheet_becomes_a_workbook_of_results(folder):
    target = folder / "results.xlsx"
    found = checking.run(event(), "decks.xlsx", judge(), target, Wanted(deck_sheets=True))
    assert found.counts["yes"] == len(PLAYERS)
    assert openpyxl.load_workbook(target).sheetnames[:2] == ["Summary", "Findings"]
    assert names(folder) == ["results.xlsx"]


def test_a_spreadsheet_becomes_a_summary_in_csv(folder):
    checking.run(event(), "decks.xlsx", judge(), folder / "results.csv", Wanted("csv"))
    assert len((folder / "results.csv").read_text("utf-8-sig").splitlines()) == 1 + len(PLAYERS)


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "width"), [("a4", 595), ("letter", 612)])
def test_a_spreadsheet_becomes_registration_sheets(folder, paper, width):
    checking.run(event(), "decks.xlsx", judge(), folder / "sheets.pdf", Wanted("pdf", paper=paper))
    pages = pypdf.PdfReader(folder / "sheets.pdf").pages
    assert len(pages) == len(PLAYERS)
    assert int(pages[0].mediabox.width) == width
    assert "0001" in pages[1].extract_text()


def test_registration_sheets_are_by_last_name_and_have_what_columns_say():
    sheets = registration_sheets.sheets(judged(event()))
    assert [sheet.registration.player.full_name for sheet in sheets] == [
        "-kai-",
        "Boa, Hancock",
        "Zoro, Roronoa",
        *SCRIPTS,
    ]
    assert [sheet.registration.table for sheet in sheets] == ["4", "1", "0", "3", "2"]
    assert registration_sheets.warnings(sheets) == []


SCRIPTS = ["علي, محمد", "山田 太郎"]


def test_accented_last_names_are_filed_with_their_base_letters():
    rows = [["Player", "Decklist"], *([name, example()] for name in ("Zola, A", "Éluard, B", "Ozu, C", "Öz, D"))]
    filed = [sheet.registration.player.full_name for sheet in registration_sheets.sheets(judged(xlsx(rows)))]
    assert filed == ["Éluard, B", "Öz, D", "Ozu, C", "Zola, A"]


def test_registration_sheets_may_be_in_the_order_of_the_tables():
    head, tables = ["Player", "Table", "Decklist"], ("10", "", "B9", "9", "B10")
    data = xlsx([head, *([f"At {table}", table, example()] for table in tables)])
    tables = [sheet.registration.table for sheet in registration_sheets.sheets(judged(data), order="table")]
    assert tables == ["B9", "B10", "9", "10", ""]


def test_what_is_said_of_the_event_is_printed_where_the_spreadsheet_does_not_say():
    event = Event("Regional", "2026-11-01", "Hall", "Trios")
    data = xlsx(
        [["Player", "Event", "Place", "Decklist"], ["Zoro", "Cup", "Dojo", example()], ["Nami", "", "", example()]]
    )
    nami, zoro = (sheet.registration for sheet in registration_sheets.sheets(judged(data), event))
    assert [(one.event, one.place, one.day) for one in (nami, zoro)] == [
        ("Regional", "Hall", "2026-11-01"),
        ("Cup", "Dojo", "2026-11-01"),
    ]


def test_what_is_too_long_for_a_sheet_is_cut_and_keeps_no_other_back():
    rows = [["Player", "Player ID", "Table", "Decklist"], ["x" * 150, "9" * 40, "y" * 40, example()]]
    [sheet] = registration_sheets.sheets(judged(xlsx(rows)))
    person = sheet.registration
    assert (len(person.player.last), len(person.player_id), len(person.table)) == (100, 20, 10)


def test_a_long_name_loses_its_first_names_first():
    rows = [["Player", "Decklist"], ["First " * 30 + "Last-Other", example()]]
    [sheet] = registration_sheets.sheets(judged(xlsx(rows)))
    assert sheet.registration.player.last == "Last-Other"
    assert len("".join(sheet.registration.player)) == 100


def test_characters_that_no_font_has_are_told():
    sheets = registration_sheets.sheets(judged(xlsx([["Player", "Decklist"], ["Zoro \U00012000", example()]])))
    assert "U+12000" in registration_sheets.warnings(sheets)[0]


def test_sheets_of_nothing_and_of_too_many_are_refused(folder, monkeypatch):
    for data, most in ((xlsx([["Player", "Decklist"], ["Zoro", None]]), 5), (event(), 4)):
        monkeypatch.setattr(registration_sheets, "MOST_SHEETS", most)
        with pytest.raises(Refused):
            checking.run(data, "decks.xlsx", judge(), folder / "sheets.pdf", Wanted("pdf"))
    assert names(folder) == []


class Cancelled(Exception):
    pass


@pytest.mark.slow
@pytest.mark.parametrize("last", [1, 4, 5, 7, 9])
def test_work_that_is_stopped_leaves_nothing_behind(folder, last):
    target = folder / "results.xlsx"
    target.write_bytes(b"of yesterday")

    def told(done, of):
        assert of == 2 * len(PLAYERS)
        if done == last:
            raise Cancelled

    with pytest.raises(Cancelled):
        checking.run(event(), "decks.xlsx", judge(), target, Wanted(), told)
    assert (names(folder), target.read_bytes()) == (["results.xlsx"], b"of yesterday")


@pytest.mark.slow
@pytest.mark.parametrize("kind", checking.KINDS)
def test_progress_never_goes_back_and_comes_to_its_end(folder, kind):
    told = []
    checking.run(event(), "decks.xlsx", judge(), folder / "results", Wanted(kind), lambda *done: told.append(done))
    assert told == sorted(told)
    assert told[0] == (1, 10)
    assert told[-1] == (10, 10)


FULL = """
import resource, signal, sys, tempfile
from pathlib import Path
sys.dont_write_bytecode = True  # half-written files would break later processes
from api.workbooks import checking
from tests.api.workbooks.files import judge
folder = Path(sys.argv[1])
tempfile.tempdir = str(folder)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
data = (folder / "decks.xlsx").read_bytes()
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    checking.run(data, "decks.xlsx", judge(), folder / "results.xlsx", checking.Wanted(sys.argv[2]))
except OSError as error:
    print(error.filename, error.strerror)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", checking.KINDS)
def test_a_full_disk_is_told_and_leaves_no_half_file(folder, kind):
    rows = [row for at in range(40) for row in card_rows(f"Player {at}", at)]
    (folder / "decks.xlsx").write_bytes(xlsx([HEAD, *rows]))
    command = [sys.executable, "-c", FULL, str(folder), kind]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (f"{folder / 'results.xlsx'} File too large\n", "")
    assert names(folder) == ["decks.xlsx"]


def test_a_workbook_too_large_for_its_sheets_is_refused(monkeypatch):
    monkeypatch.setattr(workbook, "MOST_DECK_SHEETS", 3)
    with pytest.raises(Refused, match="at most 3 decks"):
        workbook.write(judged(event()), io.BytesIO(), deck_sheets=True)


NAMED = [["Player", "Card", "Count"], ["Zoro", "Lantern Levy", 2], ["Zoro", "Ember Warden", 2]]


@pytest.mark.parametrize(
    ("rows", "game", "times"),
    [
        ([HEAD, *card_rows()], "optcg", 1),
        ([["Notes"], ["Thank you"], [], ["Player", "Decklist"], ["Zoro", "4 BT1-001\n4 BT1-002"]], "dbs", 1),
        (NAMED, "bos", 2),
    ],
)
def test_cards_tell_their_game_and_numbers_before_anything_is_read(monkeypatch, rows, game, times):
    read = []
    grids = book_reader.grids
    monkeypatch.setattr(book_reader, "grids", lambda *given: read.append(given) or grids(*given))
    found = checking.read(xlsx(rows), "decks.xlsx", Judges(Library("sqlite://")), RequestedTerms(on=date(2026, 11, 1)))
    assert (found.judge.catalogue.game, len(found.book.entries), len(read)) == (game, 1, times)


def test_a_cover_sheet_tells_no_game_and_the_next_does():
    data = xlsx({"Cover": [["Regional 2026"], ["Doors open at 9"]], "Decks": [HEAD, *card_rows()]})
    found = checking.read(data, "decks.xlsx", Judges(Library("sqlite://")), RequestedTerms(on=date(2026, 11, 1)))
    assert [entry.who.name for entry in found.book.entries] == ["Zoro"]
