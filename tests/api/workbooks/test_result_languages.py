"""Results in other languages: what is translated, what is the same in all of them, and that they are read again."""

import csv
import io
from datetime import date

import openpyxl
import pytest

from api.service.languages import LANGUAGES, language
from api.workbooks.intake.book_reader import read
from api.workbooks.reporting import reports, results, results_csv, results_xlsx, summary
from carddb import facts
from tests import catalogs
from tests.api.workbooks.files import EXAMPLES, HEAD, card_rows, example, judged, xlsx
from validator import Judge, Terms, decklists, rulesets
from validator.formulas import is_formula
from validator.games import GAMES

FIVE = "optcg-five-copies.txt"
LEGALITY = {
    "de": ("ja", "nein", "kein Deck"),
    "fr": ("oui", "non", "pas de deck"),
    "es": ("sí", "no", "sin mazo"),
    "it": ("sì", "no", "nessun mazzo"),
    "ja": ("はい", "いいえ", "デッキなし"),
}
# The sheet of the findings, with the columns that programs and judges compare: Code, Count, Limit.
FINDINGS = {
    "de": ("Probleme", "Code", "Anzahl", "Grenze"),
    "fr": ("Constats", "Code", "Quantité", "Limite"),
    "es": ("Observaciones", "Código", "Cantidad", "Límite"),
    "it": ("Rilievi", "Codice", "Quantità", "Limite"),
    "ja": ("指摘", "コード", "枚数", "上限"),
}


@pytest.fixture(params=catalogs.TRANSLATED)
def code(request):
    return request.param


@pytest.fixture(scope="module")
def event():
    """A legal deck, a deck with five copies, a player without a list, and a row that cannot be read."""
    return judged(
        xlsx(
            {
                "Decks": [HEAD, *card_rows("Zoro", "0001"), ["Usopp", "0004", "", "OP01-016", "", "four"]],
                "Lists": [["Player", "Player ID", "Decklist"], ["Nami", "0002", example(FIVE)], ["Robin", "3", None]],
            }
        )
    )


def write_results(results_of, code, deck_sheets=False):
    out = io.BytesIO()
    results_xlsx.write(results_of, out, deck_sheets, translate=language(code))
    return out.getvalue()


@pytest.fixture(scope="module")
def books(event):
    """The workbook of results of the event, by language."""
    return {lang: openpyxl.load_workbook(io.BytesIO(write_results(event, lang))) for lang in LANGUAGES}


def table(sheet):
    """The headings of a sheet of results, and its rows."""
    rows = list(sheet.iter_rows(values_only=True))
    head = int(sheet.print_title_rows.rpartition("$")[2])
    return rows[head - 1], rows[head:]


def column(sheet, heading):
    headings, rows = table(sheet)
    return [row[headings.index(heading)] for row in rows]


def test_the_summary_is_in_the_language(books, code):
    book, translate = books[code], language(code)
    sheet = book.worksheets[0]
    assert sheet.title == translate("Summary") != "Summary"
    assert column(sheet, translate("Legal")) == [LEGALITY[code][at] for at in (1, 2, 1, 0)]
    assert sheet["A1"].value.endswith("decks.xlsx")
    assert translate.day("2026-11-01") in sheet["A2"].value
    assert not any(word in sheet["A3"].value for word in ("player", "rows", "headings"))
    assert column(sheet, translate("Deck hash")) == column(books["en"].worksheets[0], "Deck hash")


def test_codes_and_counts_are_the_same_in_every_language(books, code):
    title, *headings = FINDINGS[code]
    found, english = books[code][title], books["en"]["Findings"]
    for heading, in_english in zip(headings, ("Code", "Count", "Limit"), strict=True):
        assert column(found, heading) == column(english, in_english) != []


def test_titles_and_headings_are_translated(books, code):
    book, english, translate = books[code], books["en"], language(code)
    for sheet, original in zip(book.worksheets, english.worksheets, strict=True):
        assert sheet.title == translate(original.title)
        assert table(sheet)[0] == tuple(map(translate, table(original)[0]))
        assert table(sheet)[0] != table(original)[0]


def test_words_have_the_colours_of_their_meaning(books, code):
    sheet = books[code].worksheets[0]
    rules = [rule for group in sheet.conditional_formatting for rule in group.rules]
    colours = {rule.formula[0].partition("=")[2]: rule.dxf.font.color.rgb for rule in rules if rule.dxf.font}
    assert len({colours[f'"{word}"'] for word in LEGALITY[code]}) == 3


@pytest.mark.slow
def test_results_are_read_again_in_every_language(event, code):
    again = read(write_results(event, code, deck_sheets=True), "results.xlsx", "optcg", facts.catalogue("optcg"))
    hashes = {entry.who.name: event.judge(entry.deck).deck_hash for entry in again.entries}
    judged_decks = [one for one in event.judged if one.verdict and any(one.verdict.facts.sizes.values())]
    assert hashes == {one.entry.who.label: one.verdict.deck_hash for one in judged_decks}
    assert (again.faults, again.rows.unread) == ([], 0)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_section_is_read_again_in_every_language(game, code):
    cards = facts.catalogue(game)
    edition = [one for one in rulesets().values() if one.game == game][-1]
    judge = Judge(Terms(edition, date(2026, 11, 1)), cards)
    text = sorted(EXAMPLES.glob(f"{game}-*.txt"))[0].read_text("utf-8")
    deck = decklists.parse(text, game, cards).deck
    found = results.judge(read(f'Player,Decklist\nZoro,"{text}"\n'.encode(), "decks.csv", game, cards), judge)
    [entry] = read(write_results(found, code, deck_sheets=True), "results.xlsx", game, cards).entries
    sizes = judge(entry.deck).facts.sizes
    assert sizes == judge(deck).facts.sizes
    assert sum(sizes.values()) > 0


def test_the_first_line_of_a_summary_ends_with_the_file(code):
    translate = language(code)
    assert summary.summary_headline("decks.csv", translate) == summary.summary_headline("", translate) + "decks.csv"
    assert len(reports.result_titles(translate)) == len(reports.result_titles(language("en")))


def test_no_sheet_has_a_title_that_a_workbook_cuts_or_changes(books, code):
    assert set(books[code].sheetnames) <= reports.result_titles(language(code))


def test_a_hostile_name_is_a_text_in_every_language(code):
    names = ("=1+1", "+1", "-kai-", "@handle", "'quoted")
    decks = [[f"x{number}", f"4 OP01-016\n2 {name} card"] for number, name in enumerate(names)]
    hostile = judged(xlsx([["Player", "Decklist"], *decks, *([f"a{name}", None] for name in names)]))
    for sheet in openpyxl.load_workbook(io.BytesIO(write_results(hostile, code, deck_sheets=True))):
        for cells in sheet.iter_rows():
            assert not [cell for cell in cells if cell.data_type in "fe"]
            texts = [cell for cell in cells if cell.data_type == "s" and cell.value]
            assert all(cell.quotePrefix == is_formula(cell.value) for cell in texts)


def test_csv_has_the_same_rows_in_every_language(event, code):
    for write in (results_csv.summary, results_csv.messages):
        english, found = (
            list(csv.reader(io.StringIO(write(event, language(lang)).decode("utf-8-sig")))) for lang in ("en", code)
        )
        assert found[0] != english[0]
        assert [row[2] for row in found[1:]] == [row[2] for row in english[1:]]
        assert len({len(row) for row in found}) == 1


def test_headings_of_numbers_fit_into_their_columns(event, code):
    for report in reports.reports(event, language(code)):
        for one in report.columns:
            if one.kind == "number":
                assert all(len(word) <= one.width for word in one.title.replace("-", " ").split())


def test_english_is_what_is_written_without_a_language(event, books):
    out = io.BytesIO()
    results_xlsx.write(event, out)
    assert openpyxl.load_workbook(out).sheetnames == books["en"].sheetnames
    assert set(LANGUAGES) == {"en", *catalogs.TRANSLATED}


def test_no_word_of_a_heading_is_wider_than_its_column(books, code):
    book = books[code]
    broken = []
    for sheet in book:
        head = next(row for row in sheet.iter_rows() if [cell.fill.fgColor.rgb for cell in row[:1]] == ["FF1E3A5F"])
        for cell in head:
            width = sheet.column_dimensions[cell.column_letter].width
            broken += [word for word in str(cell.value).split() if len(word) > width]
    assert broken == []
