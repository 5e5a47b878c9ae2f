"""What is printed on a sheet: headings, boxes, counts and where a page ends."""

import re
from dataclasses import replace

import pytest
from openpyxl.utils import get_column_letter

from api.sheets import fonts, layout, sheet_pdf, sheet_xlsx
from api.sheets.layout import PAPERS
from tests.api.sheets.desk import filled, pages, texts, workbook


@pytest.fixture(scope="module")
def page():
    return workbook(sheet_xlsx.write(filled()))["Registration"]


def row_of(page, text):
    """Return the row with a cell that begins so."""
    return next(row for row in page.iter_rows() if any(str(cell.value or "").startswith(text) for cell in row))


def boxed(row):
    """Return the letters of the cells with a thick line above and below, and whether the ends are closed."""
    cells = [cell for cell in row if cell.border.top.style == cell.border.bottom.style == "medium"]
    is_closed = bool(cells) and cells[0].border.left.style == cells[-1].border.right.style == "medium"
    return "".join(get_column_letter(cell.column) for cell in cells), is_closed


@pytest.mark.parametrize(
    ("text", "columns"), [("L", "AB"), ("LEGAL", "ABCDEF"), ("For judges:\ndeck check 1", "ABCDEF")]
)
def test_the_initial_the_verdict_and_the_checks_stand_in_boxes(page, text, columns):
    assert boxed(row_of(page, text)) == (columns, True)


def test_rows_between_the_boxes_have_thin_lines(page):
    assert boxed(row_of(page, "C-01")) == ("", False)
    assert {cell.border.bottom.style for cell in row_of(page, "C-01")} == {"thin"}
    assert {cell.border.bottom.style for cell in row_of(page, "Main deck")} == {"medium"}


def test_the_judges_have_two_checks_with_all_that_they_tick(page):
    checks = [row for row in texts(page) if row and str(row[0]).startswith("For judges:")]
    assert [row[0][-1] for row in checks] == ["1", "2"]
    for row in checks:
        assert re.findall(r"[A-Z]\w+(?= _)", row[1]) == ["Round", "Table", "Judge"]
        assert row[2].count("☐") == 4


def test_the_titles_stand_right_over_the_cards_and_the_player_over_each_page(page):
    found = texts(page)
    first_card = next(at for at, row in enumerate(found) if row and row[-1] == "☐")
    assert found[first_card - 2 : first_card] == [
        ["Qty", "Number", "Card name", "Type", "Cost", "Check"],
        ["Leader", 1],
    ]
    assert page.print_title_rows == "$1:$2"
    assert page.print_area.endswith(f"$F${page.max_row}")


def test_an_illegal_deck_is_printed_white_on_black(page):
    legal, illegal = (
        row_of(page, "LEGAL"),
        row_of(workbook(sheet_xlsx.write(filled(main={"C-01": 50})))["Registration"], "NOT LEGAL"),
    )
    assert [cell.fill.fill_type for cell in (legal[0], illegal[0])] == [None, "solid"]
    assert illegal[0].fill.fgColor.rgb == "FF000000"
    assert illegal[0].font.color.rgb == "FFFFFFFF"


def test_findings_are_numbered_below_the_deck_with_their_rule_and_what_to_do():
    sheet = filled(main={"C-01": 5, "XX-404": 45})
    assert len(sheet.problems) == sheet.found == 2
    found = texts(workbook(sheet_xlsx.write(sheet))["Registration"])
    begin = found.index(["Findings", 2])
    assert begin > max(at for at, row in enumerate(found) if row and row[-1] == "☐")
    expected = []
    for place, problem in enumerate(sheet.problems, 1):
        expected += [[place, problem.message], [problem.citation], [problem.fix]]
    assert found[begin + 1 :] == expected


@pytest.mark.parametrize(("fives", "printed"), [(1, "1 finding, listed"), (2, "2 findings, listed")])
def test_the_paper_of_an_illegal_deck_says_how_many_findings_follow_it(fives, printed):
    main = {"C-01": 5, "XX-404" if fives == 2 else "C-13": 1, **{f"C-{n:02}": 4 for n in range(2, 13)}}
    sheet = filled(main=main)
    assert sheet.found == fives
    text = " ".join(pages(sheet_pdf.write(sheet))[0].split())
    assert f"{printed} after the deck" in text


def test_what_anybody_wrote_on_a_sheet_is_looked_at_for_characters_that_no_font_has():
    lost = [chr(0x12000 + n) for n in range(6)]
    player = {"player": lost[0], "event": lost[1], "place": lost[2], "table": lost[3], "notes": lost[4]}
    sheet = filled(player, main={lost[5]: 1, "C-01": 4})
    assert set(lost) <= set(sheet.text)


@pytest.mark.parametrize("field", ["message", "citation", "fix"])
def test_findings_are_looked_at_for_characters_that_no_font_has(field):
    made = filled(distinct=1, main={"C-01": 4})
    problem = made.problems[0]._replace(**{field: "🎉"})
    assert fonts.missing_characters(replace(made, problems=(problem,)).text) == "🎉"


@pytest.mark.parametrize("distinct", range(40, 64))
def test_columns_are_as_equal_as_can_be(distinct):
    """No card could change its column and make the higher one lower."""
    found = layout.layout(filled(distinct=distinct), PAPERS["a4"])
    if len(found.pages) == 1:
        left, right = ([row.height for row in column] for column in (found.pages[0].left, found.pages[0].right))
        higher, lower = max((left, right), key=sum), min((left, right), key=sum)
        assert sum(higher) - sum(lower) <= 2 * max(higher)
