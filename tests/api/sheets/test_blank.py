"""Blank sheets: lines for every section of a game, and what comes back filled in."""

from datetime import date

import pytest

from api.service.judges import complete_terms
from api.service.requests import RequestedTerms
from api.sheets import sheet_pdf, sheet_xlsx
from api.sheets.registration import Event
from api.sheets.sheet import blank
from tests.api.sheets.desk import filled, has_part, pages, texts, workbook
from tests.api.workbooks.files import counts, judged, saved
from validator import limits
from validator.games import GAMES

EVENT = Event("Example Regional", "2026-11-21", "Example Hall", "Trios")


def of(game):
    return blank(complete_terms(RequestedTerms(game=game, on=date(2026, 11, 21)), limits.shipped_lists(game)), EVENT)


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", GAMES)
def test_a_blank_sheet_is_one_page_with_every_section_and_the_event(game, paper):
    made = of(game)
    [text] = pages(sheet_pdf.write(made, paper))
    assert f"{GAMES[game].title} · Trios · Example Regional · 2026-11-21" in text
    assert "Example Hall" in text
    assert all(section.title in text for section in made.sections)
    assert "Deck check 1" in text
    assert "LEGAL" not in text
    assert "Deck hash" not in text


def test_every_section_but_don_has_lines():
    sections = {section.key: len(section.entries) for section in of("dbs").sections}
    assert sections.keys() == {"leader", "main", "side", "z"}
    assert (sections["leader"], min(sections.values())) == (1, 1)
    assert [section.key for section in of("optcg").sections] == ["leader", "main"]
    assert sum(sections.values()) == sum(len(section.entries) for section in of("optcg").sections)


def test_nothing_stands_where_something_is_to_be_written():
    rows = texts(workbook(sheet_xlsx.write(of("optcg")))["Registration"])
    assert [row for row in rows if row[-1:] == ["☐"]] == [["☐"]] * 44


def test_a_workbook_that_is_filled_in_is_read():
    book = workbook(sheet_xlsx.write(of("optcg")))
    page = book["Registration"]
    page["C1"], page["C2"] = "Last, First", "0012345678"
    empty = [row for row in page.iter_rows() if row[-1].value == "☐"]
    cards = [(1, "ST21-001"), *((4, number) for number in ("OP01-016", "OP14-013", "ST01-011"))]
    for row, (count, number) in zip(empty, cards, strict=False):
        row[0].value, row[1].value = count, number
    [entry] = judged(saved(book)).book.entries
    assert (entry.who.name, entry.who.id, entry.who.event) == ("Last, First", "0012345678", "Example Regional")
    assert counts(entry) == {"leader": 1, "main": 12, "side": 0}


def test_a_blank_sheet_has_nothing_to_scan():
    assert not has_part(sheet_xlsx.write(of("optcg")), "xl/media/")
    assert has_part(sheet_xlsx.write(filled()), "xl/media/")
