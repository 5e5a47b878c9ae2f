"""Where each thing is in the workbooks that are written: headings, widths, heights, colours and validations."""

import io

import openpyxl
import pytest

from api.workbooks.template import template
from tests.api.sheets.desk import drawing_position
from tests.api.workbooks.files import example, judged, results_file, xlsx

HEADINGS = ["Player", "Player ID", "E-Mail", "Table", "Notes", "Seat", "Decklist"]
DARK_BLUE, WHITE = "FF1E3A5F", "FFFFFFFF"


@pytest.fixture(scope="module")
def file():
    """The results of a legal deck, a deck with three findings and a player without a deck."""
    zoro = ["Roronoa Zoro", "0001", "z@example.org", "7", "Late", "s1", example()]
    nami = ["Nami Lee", "0002", "", "8", "", "s2", example("optcg-five-copies.txt")]
    return results_file(judged(xlsx([HEADINGS, zoro, nami, ["Robin", "0003", "", "", "", "s3", None]])))


@pytest.fixture(scope="module")
def book(file):
    return openpyxl.load_workbook(io.BytesIO(file))


@pytest.fixture(scope="module")
def blank_book():
    return openpyxl.load_workbook(io.BytesIO(template()))


# The columns of each sheet with their widths in characters, and the last one that is printed.
COLUMNS = {
    "Summary": (
        "Player 18, Last name 12, Player ID 13, Legal 8, Leader 18, Main deck 6, Findings 8, Fewest changes 8, "
        "First finding 20, Table 7, Notes 12, E-Mail 14, Seat 14, Event 20, Deck hash 36, Sheet 14, Row 7",
        "K",
    ),
    "Findings": (
        "Player 18, Player ID 13, Severity 9, Value 18, Row 6, Line 6, Message 42, Fix 30, Sheet 14, Column 14, "
        "Code 18, Section 11, Card 32, Rule document 66, Rule section 44, Count 8, Limit 8",
        "H",
    ),
    "Messages": (
        "Player 20, Player ID 13, E-mail 26, Legal 8, What to mend 75, Last name 16, First name 16",
        "E",
    ),
    "Problems": ("Severity 9, Sheet 14, Column 20, Value 22, Cell 7, Row 6, What is wrong 64", ""),
    "Leaders": ("Leader 36, Colours 14, Decks 8, Legal 8", ""),
    "Cards": ("Number 14, Name 44, Type 20, Decks 8, Copies 8", ""),
    "Columns": ("Sheet 14, Read as 24, Taken for 16, Column 8, Heading 40, Why 40", ""),
}


def heading_row(sheet):
    return int(sheet.print_title_rows.rpartition("$")[2])


@pytest.mark.parametrize("title", COLUMNS)
def test_each_sheet_has_its_columns_in_their_widths(book, title):
    sheet, (columns, printed) = book[title], COLUMNS[title]
    row = heading_row(sheet)
    found = [f"{cell.value} {sheet.column_dimensions[cell.column_letter].width:g}" for cell in sheet[row]]
    assert ", ".join(found) == columns
    assert row == (4 if title == "Summary" else 1)
    area = sheet.print_area.rpartition("!")[2].replace("$", "")
    assert area == (f"A1:{printed}{sheet.max_row}" if printed else "")


@pytest.mark.parametrize("title", COLUMNS)
def test_each_sheet_is_set_up_for_reading_and_printing(book, title):
    sheet, row = book[title], heading_row(book[title])
    last = sheet[row][-1].column_letter
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == (f"B{row + 1}", f"A{row}:{last}{sheet.max_row}")
    assert sheet.sheet_view.zoomScale == 90
    assert (sheet.page_setup.orientation, sheet.page_setup.fitToHeight) == ("landscape", 0)
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    margins = sheet.page_margins
    assert (margins.left, margins.right, margins.top, margins.bottom) == (0.4, 0.4, 0.6, 0.6)
    assert (margins.header, margins.footer) == (0.3, 0.3)
    assert (sheet.oddHeader.left.text, sheet.oddHeader.right.text) == ("decks.xlsx", "ONE PIECE")
    assert (sheet.oddFooter.left.text, sheet.oddFooter.right.text) == ("&A", "Page &P of &N")


@pytest.mark.parametrize("title", COLUMNS)
def test_headings_are_white_on_blue_and_numbers_stand_to_the_right(book, title):
    cells = book[title][heading_row(book[title])]
    assert {(cell.font.b, cell.font.sz, cell.font.color.rgb, cell.fill.fgColor.rgb) for cell in cells} == {
        (True, 11, WHITE, DARK_BLUE)
    }
    numbers = {cell.value for cell in cells if cell.alignment.horizontal == "right"}
    assert numbers <= {
        "Main deck",
        "Findings",
        "Fewest changes",
        "Row",
        "Line",
        "Count",
        "Limit",
        "Decks",
        "Copies",
        "Legal",
    }
    assert ("Legal" in numbers) is (title == "Leaders")
    assert numbers or title in ("Messages", "Columns")
    assert book[title].row_dimensions[heading_row(book[title])].height == 30


# Indented: ids, and the texts after a column of numbers.
@pytest.mark.parametrize(
    ("title", "indented"),
    [
        ("Summary", {"Player ID", "First finding"}),
        ("Findings", {"Player ID", "Message"}),
        ("Messages", {"Player ID"}),
        ("Problems", {"What is wrong"}),
        ("Leaders", set()),
        ("Cards", {"Number"}),
        ("Columns", set()),
    ],
)
def test_ids_and_texts_after_numbers_are_indented(book, title, indented):
    sheet, row = book[title], heading_row(book[title])
    assert {cell.value for cell in sheet[row] if cell.alignment.indent == 1} == indented
    if sheet.max_row > row and title != "Summary":
        assert {
            sheet[row][cell.column - 1].value
            for cell in sheet[row + 1]
            if cell.value is not None and cell.alignment.indent
        } == indented


@pytest.mark.parametrize(
    ("title", "row", "height"),
    [
        *(("Summary", 1, 21), ("Summary", 2, 30), ("Summary", 3, None), ("Summary", 5, 75), ("Summary", 7, 30)),
        *(("Findings", 2, 45), ("Findings", 3, 30), ("Messages", 2, 105), ("Messages", 3, None), ("Cards", 2, None)),
    ],
)
def test_a_row_is_as_high_as_its_longest_text(book, title, row, height):
    assert book[title].row_dimensions[row].height == height


def test_the_lines_above_the_summary_are_large_plain_or_wrapped(book):
    first, second, third = (book["Summary"][f"A{row}"] for row in (1, 2, 3))
    assert [(cell.font.sz, cell.font.b) for cell in (first, second, third)] == [(14, True), (11, False), (11, False)]
    assert [bool(cell.alignment.wrap_text) for cell in (first, second, third)] == [False, True, False]
    assert [str(cells) for cells in book["Summary"].merged_cells.ranges] == ["A2:K2"]


GREEN, RED, YELLOW, BLUE = (
    ("FFDCF5E3", "FF14532D"),
    ("FFFBD9D7", "FF8A1C14"),
    ("FFFDEFC8", "FF6B4A00"),
    ("FFE1ECF9", "FF1E3A5F"),
)
COLOURS = {
    "yes": GREEN,
    "no": RED,
    "no deck": YELLOW,
    "error": RED,
    "warning": YELLOW,
    "advice": BLUE,
    "notice": BLUE,
}


@pytest.mark.parametrize(
    ("title", "words", "cells"),
    [
        *(("Summary", "D5:D7", "A5:Q7"), ("Findings", "C2:C4", "A2:Q4"), ("Messages", "D2:D4", "A2:G4")),
        *(("Problems", "A2", "A2:G2"), ("Leaders", None, "A2:D2"), ("Cards", None, "A2:E16")),
    ],
)
def test_words_are_coloured_by_their_meaning_and_every_other_row_is(book, title, words, cells):
    rules = {str(area.sqref): area.rules for area in book[title].conditional_formatting}
    assert set(rules) == {words, cells} - {None}
    (band,) = rules[cells]
    assert (band.formula, band.dxf.fill.bgColor.rgb) == (["MOD(ROW(),2)=0"], "FFF3F6FA")
    if words:
        first = words.partition(":")[0]
        assert {
            rule.formula[0].partition("=")[2].strip('"'): (rule.dxf.fill.bgColor.rgb, rule.dxf.font.color.rgb)
            for rule in rules[words]
        } == COLOURS
        assert {rule.formula[0].partition("=")[0] for rule in rules[words]} == {f"${first}"}


@pytest.mark.parametrize(("title", "hidden"), [("Summary", {"Event"}), ("Findings", set()), ("Problems", set())])
def test_a_column_without_values_is_hidden(book, title, hidden):
    sheet = book[title]
    found = {cell.value for cell in sheet[heading_row(sheet)] if sheet.column_dimensions[cell.column_letter].hidden}
    assert found == hidden


def test_leaders_and_cards_are_counted_over_all_decks(book):
    leaders, cards = (
        [[cell.value for cell in row] for row in book[title].iter_rows(min_row=2)] for title in ("Leaders", "Cards")
    )
    assert leaders == [["ST21-001 Monkey.D.Luffy", "Red", 2, 1]]
    counts = [(row[0], row[3], row[4]) for row in cards]
    assert counts[:2] == [("OP01-016", 2, 9), ("OP10-011", 2, 8)]
    assert counts[-3:] == [("ST21-001", 2, 2), ("EB01-028", 1, 2), ("OP04-016", 1, 2)]


def test_the_chart_of_leaders_is_beside_their_table(book, file):
    (chart,) = book["Leaders"]._charts
    (bars,) = chart.ser
    assert (bars.cat.numRef.f, bars.val.numRef.f) == ("'Leaders'!$A$2", "'Leaders'!$C$2")
    assert drawing_position(file, "drawing1") == (5, 1)
    assert (chart.barDir, chart.gapWidth, chart.legend) == ("bar", 40, None)
    assert (chart.x_axis.delete, chart.y_axis.delete, chart.x_axis.scaling.orientation) == (False, True, "maxMin")
    labels = bars.dLbls
    assert (labels.showVal, labels.showSerName, labels.showCatName, labels.showLegendKey) == (True, False, False, False)


@pytest.mark.parametrize(
    ("title", "columns"),
    [
        ("Cards", "Player 28, Player ID 16, Event 24, Section 12, Number 14, Name 36, Count 9"),
        ("Decks", "Player 28, Player ID 16, Event 24, Decklist 60"),
    ],
)
def test_the_workbook_to_fill_in_has_its_columns(blank_book, title, columns):
    sheet = blank_book[title]
    widths = sheet.column_dimensions
    assert ", ".join(f"{cell.value} {widths[cell.column_letter].width:g}" for cell in sheet[1]) == columns
    formats = {cell.value: widths[cell.column_letter].number_format for cell in sheet[1]}
    assert {name: format for name, format in formats.items() if format != "@"} == (
        {"Count": "General"} if title == "Cards" else {}
    )
    assert [cell.value for cell in sheet[1] if cell.alignment.horizontal == "center"] == [
        name for name in formats if name == "Count"
    ]
    assert {cell.value for cell in sheet[1] if widths[cell.column_letter].alignment.wrap_text} == (
        {"Decklist"} if title == "Decks" else set()
    )
    assert {(cell.font.b, cell.font.color.rgb, cell.fill.fgColor.rgb) for cell in sheet[1]} == {
        (True, WHITE, DARK_BLUE)
    }
    assert (sheet.freeze_panes, sheet.row_dimensions[1].height, sheet.max_row) == ("B2", 20, 1)
    assert sheet.page_setup.orientation == "landscape"


def test_sections_and_counts_are_checked_while_they_are_typed(blank_book):
    sections, counts = blank_book["Cards"].data_validations.dataValidation
    assert (str(sections.sqref), sections.type) == ("D2:D20000", "list")
    assert sections.formula1 == '"leader,main,side,z,don,resource"'
    assert (str(counts.sqref), counts.type, counts.operator) == ("G2:G20000", "whole", "between")
    assert (counts.formula1, counts.formula2) == ("1", "255")
    assert all(one.allow_blank and one.showErrorMessage for one in (sections, counts))
    assert [one.errorTitle for one in (sections, counts)] == ["deckproof"] * 2


# The rows of the sheet that explains: a cell, the size of its type, whether it is bold.
@pytest.mark.parametrize(
    ("cell", "begins", "size", "bold"),
    [
        ("A1", "How to", 16, True),
        ("A3", "Sheet “Cards”", 12, True),
        ("A4", "Player", None, True),
        ("B5", "0000123456", None, False),
        ("G5", 1, None, False),
        ("G6", 4, None, False),
        ("G7", 2, None, False),
        ("A9", "Or sheet “Decks”", 12, True),
        ("D10", "Decklist", None, True),
        ("D11", "1 AB01-001\n4 ", None, False),
        ("A13", "The columns", 12, True),
        ("A14", "Player", None, True),
        ("A21", "Decklist", None, True),
        ("A23", "Good to know", 12, True),
        ("A24", "Columns", None, False),
        ("A29", "Save as", None, False),
    ],
)
def test_the_help_sheet_explains_both_shapes_and_each_column(blank_book, cell, begins, size, bold):
    found = blank_book["Help"][cell]
    assert found.value == begins if isinstance(begins, int) else found.value.startswith(begins)
    assert (found.font.sz, found.font.b) == (size, bold)


def test_the_help_sheet_has_rows_of_their_heights_and_names_the_limits(blank_book):
    sheet = blank_book["Help"]
    heights = {row: sheet.row_dimensions[row].height for row in range(1, 30) if sheet.row_dimensions[row].height}
    assert heights == {4: 20, 10: 20, 11: 46.5}
    assert sorted(map(str, sheet.merged_cells.ranges)) == ["D10:E10", "D11:E11"]
    assert not sheet.sheet_view.showGridLines
    for number in ("100,000", "10,000 decks", "10,000 characters"):
        assert number in sheet["A28"].value
    assert "1 to 255" in sheet["B20"].value
    assert sheet.max_row == 29
