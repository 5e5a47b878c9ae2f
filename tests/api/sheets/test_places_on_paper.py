"""Where each thing is on a printed sheet: rows, cells and sizes of the workbook, places on the paper of the PDF."""

import io
import re
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from openpyxl.utils import range_boundaries
from pypdf import PdfReader

from api.service.judges import complete_terms
from api.service.requests import RequestedTerms
from api.sheets import fonts, layout, sheet_pdf, sheet_xlsx
from api.sheets.layout import PAPERS
from api.sheets.registration import Event, Registration
from api.sheets.sheet import _limits_note, blank, sheet
from tests.api.sheets.desk import DRAWING, drawing_position, filled, texts, workbook
from tests.validator.table import Table, dbs, optcg
from validator import Terms, limits

BLACK, WHITE, GREY = "FF000000", "FFFFFFFF", "FF666666"
EVENT = Event("Example Regional", "2026-11-21", "Example Hall", "Trios")


def small_sheet(**fields):
    """An illegal deck of four lines, one of them not in the catalogue, and two findings."""
    return filled({"notes": "bring a pen", **fields}, distinct=2, main={"C-01": 4, "XX-404": 2})


def blank_sheet(ruleset):
    return blank(Terms(ruleset, date(2026, 11, 21)), EVENT)


@pytest.fixture(scope="module")
def book():
    return workbook(sheet_xlsx.write(small_sheet()))


def written_cells(page):
    """The cells that have a value, each with the cells merged into it."""
    merged = {str(cells).partition(":")[0]: str(cells) for cells in page.merged_cells.ranges}
    return {
        merged.get(cell.coordinate, cell.coordinate): cell
        for row in page.iter_rows()
        for cell in row
        if cell.value is not None
    }


# Each row of the workbook: how high it is, and its cells with the size of the type. B: bold, G: grey, W: white,
# C and R: centred and to the right, I: indented.
WORKBOOK_ROWS = {
    1: (44, {"A1:B1": "30 BC", "C1:D1": "24 BI"}),
    2: (22, {"A2:B2": "9 G", "C2": "14 BI", "D2": "14 B"}),
    3: (20, {"A3:B3": "9 G", "C3:D3": "12 I"}),
    4: (20, {"A4:B4": "9 G", "C4:F4": "12 I"}),
    5: (20, {"A5:B5": "9 G", "C5:F5": "12 I"}),
    6: (20, {"A6:B6": "9 G", "C6:F6": "12 I"}),
    7: (8, {}),
    8: (30, {"A8:B8": "14 BWI", "C8:F8": "13 WRI"}),
    9: (15.3, {"A9:F9": "9 G"}),
    10: (15.3, {"A10:F10": "9 G"}),
    11: (26, {"A11:B11": "9 G"}),
    12: (8, {}),
    13: (34, {"A13:B13": "9 BI", "C13": "9 I", "D13:F13": "9"}),
    14: (34, {"A14:B14": "9 BI", "C14": "9 I", "D14:F14": "9"}),
    15: (8, {}),
    16: (20, {"A16": "9 BGC", "B16": "9 BG", "C16": "9 BGI", "D16": "9 BG", "E16": "9 BGC", "F16": "9 BGC"}),
    17: (26, {"A17:D17": "13 B", "E17:F17": "13 BR"}),
    18: (18, {"A18": "11 BC", "B18": "11", "C18": "11 I", "D18": "9 G", "E18": "9 GC", "F18": "14 C"}),
    19: (26, {"A19:D19": "13 B", "E19:F19": "13 BR"}),
    20: (18, {"A20": "11 BC", "B20": "11", "C20": "11 I", "D20": "9 G", "E20": "9 GC", "F20": "14 C"}),
    21: (18, {"A21": "11 BC", "C21": "11 I", "D21": "9 G", "F21": "14 C"}),
    22: (26, {"A22:D22": "13 B", "E22:F22": "13 BR"}),
    23: (18, {"A23": "11 BC", "B23:F23": "11 B"}),
    24: (18, {"B24:F24": "9 G"}),
    25: (33, {"B25:F25": "11"}),
    26: (18, {"A26": "11 BC", "B26:F26": "11 B"}),
    27: (18, {"B27:F27": "9 G"}),
    28: (18, {"B28:F28": "11"}),
}


def style(cell):
    """Return the size of a cell's type and the letters of its style."""
    letters = {
        "B": cell.font.b,
        "G": cell.font.color.rgb == GREY,
        "W": cell.font.color.rgb == WHITE,
        "C": cell.alignment.horizontal == "center",
        "R": cell.alignment.horizontal == "right",
        "I": cell.alignment.indent == 1,
    }
    return f"{cell.font.sz:g} {''.join(letter for letter, has in letters.items() if has)}".strip()


@pytest.mark.parametrize("row", WORKBOOK_ROWS)
def test_each_row_of_the_workbook_has_its_height_and_its_cells(book, row):
    page = book["Registration"]
    height, styles = WORKBOOK_ROWS[row]
    cells = {place: cell for place, cell in written_cells(page).items() if cell.row == row}
    assert {place: style(cell) for place, cell in cells.items()} == styles
    assert page.row_dimensions[row].height == pytest.approx(height, abs=0.1)


def test_the_workbook_has_no_rows_after_the_last_finding(book):
    assert book["Registration"].max_row == max(WORKBOOK_ROWS)


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        ("A1", "L"),
        ("A2", "Player ID"),
        ("D2", "Table 42"),
        ("A3", "Event"),
        ("C4", "2026-11-21"),
        ("A6", "Notes"),
        ("C6", "bring a pen"),
        ("C8", "Leader 1     Main deck 6"),
        ("E17", 1),
        ("E19", 6),
        ("A20", 4),
        ("B21", None),
        ("C21", "XX-404"),
        ("E21", None),
        ("E22", 2),
        ("A23", 1),
        ("A24", None),
        ("A25", None),
        ("A26", 2),
    ],
)
def test_what_is_in_a_cell_of_the_workbook(book, cells, value):
    assert book["Registration"][cells].value == value


def test_texts_that_may_be_long_are_wrapped_and_single_words_shrink(book):
    page = book["Registration"]
    wrapped = {place for place, cell in written_cells(page).items() if cell.alignment.wrap_text}
    assert wrapped >= {"C1:D1", "C3:D3", "C6:F6", "A9:F9", "A13:B13", "D13:F13", "C20", "D20", "B23:F23", "B25:F25"}
    assert wrapped.isdisjoint({"A1:B1", "A2:B2", "A20", "B20", "E20", "F20", "A17:D17"})
    assert {place for place, cell in written_cells(page).items() if cell.alignment.shrink_to_fit} == {"C2", "D2"}


@pytest.mark.parametrize(
    ("row", "columns", "line"),
    [
        (2, "ABCDEF", "thin"),
        (3, "ABCDEF", "thin"),
        (6, "ABCDEF", "thin"),
        (7, "", None),
        (9, "", None),
        (11, "C", "thin"),
        (17, "ABCDEF", "medium"),
        (18, "ABCDEF", "thin"),
        (22, "ABCDEF", "medium"),
        (23, "", None),
        (25, "ABCDEF", "thin"),
        (28, "ABCDEF", "thin"),
    ],
)
def test_a_line_is_drawn_under_fields_cards_headings_and_whole_findings(book, row, columns, line):
    lines = {column: book["Registration"][f"{column}{row}"].border.bottom.style for column in "ABCDEF"}
    assert {column: style for column, style in lines.items() if style} == dict.fromkeys(columns, line)


def test_the_workbook_is_set_up_for_printing(book):
    page = book["Registration"]
    widths = {letter: column.width for letter, column in page.column_dimensions.items()}
    assert widths == {"A": 6, "B": 13, "C": 44, "D": 15, "E": 8, "F": 7}
    margins = page.page_margins
    assert (margins.left, margins.right, margins.top, margins.bottom) == (0.5, 0.5, 0.5, 0.6)
    assert (margins.header, margins.footer) == (0.3, 0.3)
    assert page.print_options.horizontalCentered
    assert not page.sheet_view.showGridLines
    assert (page.oddFooter.left.text, page.oddFooter.right.text) == ("Deck registration", "Page &P of &N")
    assert (book.properties.title, book.properties.creator) == ("Deck registration", "deckproof")


def test_the_code_of_the_list_is_at_the_top_right_with_84_pixels():
    with ZipFile(io.BytesIO(sheet_xlsx.write(small_sheet()))) as file:
        drawing = ElementTree.fromstring(file.read("xl/drawings/drawing1.xml"))
    size = drawing.find(f".//{DRAWING}ext")
    assert (int(size.get("cx")) / 9525, int(size.get("cy")) / 9525) == (84, 84)
    assert drawing_position(sheet_xlsx.write(small_sheet()), "drawing1") == (4, 0)


def test_the_cost_curve_is_15_by_8_centimetres():
    with ZipFile(io.BytesIO(sheet_xlsx.write(small_sheet()))) as file:
        size = ElementTree.fromstring(file.read("xl/drawings/drawing2.xml")).find(f".//{DRAWING}ext")
    assert (int(size.get("cx")), int(size.get("cy"))) == (15 * 360_000, 8 * 360_000)


def test_the_cost_curve_is_a_table_with_a_chart_beside_it(book):
    page = book["Cost curve"]
    assert texts(page) == [["Cost", "Cards"], ["0", 0], ["1", 4]]
    assert [page[place].value for place in ("A1", "B1", "A3", "B3")] == ["Cost", "Cards", "1", 4]
    assert [style(page[place]) for place in ("A1", "B1", "A2", "B2")] == ["11 B", "11 B", "11", "11"]
    (chart,) = page._charts
    assert drawing_position(sheet_xlsx.write(small_sheet()), "drawing2") == (3, 0)
    assert chart.gapWidth == 40
    assert chart.ser[0].val.numRef.f == "'Cost curve'!$B$2:$B$3"
    assert chart.ser[0].cat.numRef.f == "'Cost curve'!$A$2:$A$3"
    assert chart.legend is None
    assert (chart.x_axis.delete, chart.y_axis.delete) == (False, True)
    assert chart.y_axis.majorGridlines is None
    labels = chart.ser[0].dLbls
    assert (labels.showVal, labels.showSerName, labels.showCatName, labels.showLegendKey) == (True, False, False, False)


@pytest.mark.parametrize(("fields", "rows"), [({"notes": ""}, 3), ({"notes": "bring a pen"}, 4)])
def test_notes_have_a_row_only_if_there_are_any(fields, rows):
    page = workbook(sheet_xlsx.write(small_sheet(**fields)))["Registration"]
    names = [page[f"A{row}"].value for row in range(3, 7)]
    assert [name for name in names if name] == ["Event", "Date", "Place", "Notes"][:rows]


@pytest.mark.parametrize(("letters", "size"), [(24, 20), (60, 17), (100, 12)])
def test_a_long_name_is_set_smaller_in_the_workbook(letters, size):
    player = "x" * (letters - 5) + ", Kim"
    assert workbook(sheet_xlsx.write(small_sheet(player=player)))["Registration"]["C1"].font.sz == size


def test_findings_that_are_not_written_out_are_counted_in_the_last_row():
    sheet = small_sheet()
    page = workbook(sheet_xlsx.write(replace(sheet, found=len(sheet.problems) + 41)))["Registration"]
    assert page[f"B{page.max_row}"].value == "and 41 more"
    assert page.row_dimensions[page.max_row].height == 18


# Each text of the first page: its distance from the left and the upper edge of A4 paper, and the size of its type.
PLACES = [
    ("ONE PIECE · Winter Regional 2026 · 2026-11-21", 34, 26.2, 10.5),
    ("L", 53.3, 71.3, 31),
    ("Last, First", 102, 58.2, 24),
    ("PLAYER ID", 102, 86.7, 6.5),
    ("0012345678", 140, 87.2, 14),
    ("TABLE", 318, 86.7, 6.5),
    ("42", 344, 87.2, 14),
    ("EVENT", 34, 109.2, 6.5),
    ("DATE", 250.2, 109.2, 6.5),
    ("PLACE", 345.1, 109.2, 6.5),
    ("Winter Regional 2026", 34, 124.6, 12),
    ("2026-11-21", 250.2, 124.6, 12),
    ("Cologne", 345.1, 124.6, 12),
    ("NOT LEGAL", 43, 160.5, 15),
    ("2 findings, listed after the deck", 137.6, 160.5, 10.5),
    ("Leader", 439.4, 160.5, 10.5),
    ("Main deck", 493.2, 160.5, 10.5),
    ("Notes: bring a pen", 34, 191.9, 8),
    ("Leader", 34, 213.9, 12),
    ("1", 279.8, 213.9, 12),
    ("1", 34, 235.9, 12),
    ("X-LEADER", 59, 235.9, 12),
    ("Pirate X-LEADER", 121.4, 235.9, 12),
    ("2", 267.5, 235.9, 9),
    ("Main deck", 34, 261.9, 12),
    ("6", 279.8, 261.9, 12),
    ("CHARACTER   4", 34, 280.3, 7.5),
    ("COST", 253.9, 280.3, 7.5),
    ("C-01", 59, 299.9, 12),
    ("NOT IN THE CATALOGUE   2", 34, 320.3, 7.5),
    ("XX-404", 59, 339.9, 12),
    ("Findings", 308.6, 213.9, 12),
    ("2", 554.4, 213.9, 12),
    ("1", 308.6, 232, 9),
    ("Card catalogue, 33 cards", 333.6, 241.4, 8),
    ("2", 308.6, 294.5, 9),
    ("Player's signature", 307.6, 695.3, 8),
    ("FOR JUDGES", 503.3, 724.1, 6.5),
    ("Deck check 1", 44, 723.1, 9),
    ("Deck check 2", 307.6, 723.1, 9),
    ("Deck hash", 34, 816, 7.5),
    ("Page 1 of 1", 510.1, 816, 9.5),
]


def printed(pdf, page=0):
    """Return the texts of a page, each with its place from the left and the upper edge and the size of its type."""
    found = []
    paper = PdfReader(io.BytesIO(pdf)).pages[page]

    def note(text, ground, place, font, size):
        if text.strip():
            found.append(
                (text.strip(), ground[4] + place[4], float(paper.mediabox.height) - ground[5] - place[5], size)
            )

    paper.extract_text(visitor_text=note)
    return found


def distance(one, other):
    return max(abs(mine - theirs) for mine, theirs in zip(one[1:], other[1:], strict=True))


@pytest.fixture(scope="module")
def paper():
    return printed(sheet_pdf.write(small_sheet()))


@pytest.mark.parametrize("expected", PLACES, ids=[f"{text} at {down:g}" for text, _, down, _ in PLACES])
def test_each_text_is_at_its_place_on_the_paper(paper, expected):
    same = [found for found in paper if found[0] == expected[0]]
    assert same
    assert min(distance(found, expected) for found in same) < 0.6


@pytest.mark.parametrize(
    ("main", "legal", "about"),
    [(None, "LEGAL", []), ({"C-01": 5, "C-02": 4}, "NOT LEGAL", ["2 findings, listed after the deck"])],
)
def test_findings_are_announced_only_if_there_are_any(main, legal, about):
    found = [text for text, *_ in printed(sheet_pdf.write(filled(main=main)))]
    assert legal in found
    assert [text for text in found if "listed after" in text] == about


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({}, []),
        ({"player_id": ""}, [("140.00", "90.0", "150.0")]),
        ({"table": ""}, [("344.00", "90.0", "70.0")]),
        ({"player_id": "", "table": ""}, [("140.00", "90.0", "150.0"), ("344.00", "90.0", "70.0")]),
    ],
)
def test_an_empty_field_of_the_player_has_a_line_to_write_on(fields, lines):
    assert head_lines(small_sheet(**fields)) == lines


def test_a_blank_sheet_has_lines_for_the_name_the_id_and_the_table():
    assert [width for _, _, width in head_lines(blank_sheet("optcg-1.1.9"))] == ["312.0", "150.0", "70.0"]


def head_lines(sheet):
    """Return the thin lines in the head of a sheet's first page: left edge, distance from the top, width."""
    (thin,) = re.findall(r'stroke-width="0.5" d="([^"]*)"', drawing(sheet))
    strokes = re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)", thin)
    return [(f"{float(x):.2f}", y, width) for x, y, width in strokes if float(y) <= 90]


def drawing(sheet, paper="a4", page=0):
    laid = layout.layout(sheet, PAPERS[paper])
    return sheet_pdf.frame(sheet, laid, laid.pages[page], PAPERS[paper])


def boxes(svg, stroke):
    """Return the boxes drawn by strokes of a width: left, top, width and height."""
    (path,) = re.findall(rf'stroke-width="{stroke}" d="([^"]*)"', svg) or [""]
    return [tuple(map(float, box)) for box in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z", path)]


@pytest.mark.parametrize(("paper", "inner"), [("a4", 527.28), ("letter", 544)])
def test_the_verdict_is_in_a_frame_if_legal_and_on_black_if_not(paper, inner):
    initial, verdict = boxes(drawing(filled(), paper), "0.9")
    assert initial == (34, 34, 56, 56)
    assert verdict == (34, 142, inner, 28)
    illegal = drawing(small_sheet(), paper)
    assert boxes(illegal, "0.9") == [initial]
    assert f'fill="#000" d="M34.00 142.00h{inner:.2f}v28.00h-{inner:.2f}z"' in illegal


def test_each_card_has_a_box_to_tick_at_the_right_edge_of_its_column():
    ticks = boxes(drawing(small_sheet()), "0.7")
    assert ticks == [(278.14, down, 8.5, 8.5) for down in (228, 292, 332)]
    both = {left for left, *_ in boxes(drawing(filled(distinct=45)), "0.7")}
    assert both == {278.14, 552.78}


@pytest.mark.parametrize(
    ("paper", "size", "left"), [("a4", (595.28, 841.89), 505.28), ("letter", (612.0, 792.0), 522.0)]
)
def test_the_code_is_in_the_upper_right_corner(paper, size, left):
    svg = drawing(small_sheet(), paper)
    assert f'width="{size[0]}" height="{size[1]}"' in svg
    ((x, y, scale),) = re.findall(r"translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)", svg)
    assert (float(x), float(y)) == (left, 34)
    assert float(scale) * 29 == pytest.approx(56, abs=0.01)
    assert "translate" not in drawing(replace(small_sheet(), deck_hash=""), paper)


def test_a_second_page_has_the_code_and_the_initial_and_no_verdict():
    second = drawing(filled(distinct=90), page=1)
    assert boxes(second, "0.9") == [(34, 34, 56, 56)]
    assert "translate(505.28 34.0)" in second


@pytest.mark.parametrize(("paper", "widths"), [("a4", [206.2, 84.9, 216.2]), ("letter", [213, 87.9, 223])])
def test_event_date_and_place_share_the_width(paper, widths):
    found = sheet_pdf.fields(PAPERS[paper])
    assert [width for _, width in found] == pytest.approx(widths, abs=0.1)
    assert found[0][0] == 34
    left, width = found[-1]
    assert left + width == pytest.approx(PAPERS[paper].width - 34)


def test_more_lines_make_type_smaller():
    densities = [layout.layout(filled(distinct=distinct), PAPERS["a4"]).density for distinct in range(30, 64)]
    assert [density.size for density in densities] == sorted((density.size for density in densities), reverse=True)
    assert {tuple(density) for density in densities if density.size != 9.5} == {
        (12, 15.2, 8.8), (11, 14, 7), (10.5, 13.2, 5.6), (10, 12.6, 4.6)
    }  # fmt: skip


def test_the_last_lines_before_a_second_page_lose_space_but_no_type_size():
    found = {layout.layout(filled(distinct=distinct), PAPERS["letter"]).density for distinct in range(44, 66)}
    smallest = sorted(((one.pitch, one.air) for one in found if one.size == 9.5), reverse=True)
    assert smallest == [(12, 4), (12, 2.5)]


def test_the_rows_of_a_column_have_their_heights():
    (page,) = layout.layout(small_sheet(), PAPERS["a4"]).pages
    rows = [(row.kind, row.height, row.keep) for row in (*page.left, *page.right)]
    assert rows == [
        ("heading", 24, True),
        ("card", 24, False),
        ("heading", 24, True),
        ("group", 16, True),
        ("card", 24, False),
        ("group", 16, True),
        ("unknown", 24, False),
        ("heading", 24, True),
        ("problem", 62.5, False),
        ("problem", 39.5, False),
    ]
    assert page.top == 196.25


def test_a_group_has_a_column_for_costs_only_if_one_of_its_cards_has_one():
    special = [optcg("E-1", "Event", cost=None), optcg("S-1", "Stage", cost=None), optcg("S-2", "Stage", cost=1)]
    (page,) = layout.layout(filled(special=special, main={"E-1": 4, "S-1": 1, "S-2": 2}), PAPERS["a4"]).pages
    groups = [row.cells for row in (*page.left, *page.right) if row.kind == "group"]
    assert groups == [("Event", "4", ""), ("Stage", "3", "Cost")]


@pytest.mark.parametrize(("count", "rest"), [(20, ""), (21, " and 1 other"), (23, " and 3 other")])
def test_twenty_characters_without_a_font_are_named_and_the_rest_counted(count, rest):
    said = fonts.missing_warning("".join(chr(0x12000 + n) for n in range(count)))
    assert len(re.findall(r"U\+120", said)) == 20
    assert (" other" in said, rest in said) == (bool(rest), True)


# Lines to write on, on a blank sheet of each game: 44 together, of which the main deck has what the others leave.
@pytest.mark.parametrize(
    ("ruleset", "lines"),
    [
        ("optcg-1.1.9", {"leader": 1, "main": 43}),
        ("dbs-4.00", {"leader": 1, "main": 25, "side": 10, "z": 8}),
        ("gundam-1.9.0", {"main": 34, "side": 10}),
        ("bos-1.3", {"main": 34, "side": 10}),
    ],
)
def test_a_blank_sheet_has_a_page_of_lines(ruleset, lines):
    sheet = blank_sheet(ruleset)
    assert {section.key: len(section.entries) for section in sheet.sections} == lines
    assert [total for _, total in sheet.totals] == ["____"] * len(lines)
    assert [title for title, _ in sheet.totals] == [section.title for section in sheet.sections]
    assert {entry.count for section in sheet.sections for entry in section.entries} == {0}
    assert (sheet.verdict, sheet.code_text, sheet.headline.split(" · ")[1:]) == (
        "",
        "",
        ["Trios", "Example Regional", "2026-11-21"],
    )
    assert sheet.made_with.startswith(f"{sheet.title} · ")


@pytest.mark.parametrize(
    ("policy", "printed"),
    [
        ({}, []),
        ({"side_max": 0}, ["side deck of at most 0"]),
        ({"main_min": 40}, ["deck of at least 40"]),
        ({"main_max": 55}, ["deck of at most 55"]),
        ({"copies": False}, ["any number of copies of a card"]),
        ({"copies_across_side": True}, ["copies counted over deck and side deck"]),
        ({"copies_across_side": False}, ["copies counted for each deck alone"]),
        ({"release_delay_days": 1}, ["cards legal 1 days after release"]),
        ({"main_min": 40, "main_max": 60}, ["deck of at least 40", "deck of at most 60"]),
    ],
)
def test_a_policy_is_printed_in_its_parts(policy, printed):
    made = of_table(Table("dbs-4.00", **policy))
    assert made.policy.split(", ") == (printed or [""])
    assert ("Tournament policy: " in made.made_with) is bool(printed)


@pytest.mark.parametrize(
    ("terms", "part"),
    [
        ({"best_of": 3}, "Best of 3"),
        ({"best_of": 1}, "Best of 1"),
        ({"limits": False}, "Ban list not applied"),
        ({"day": date(2017, 7, 28)}, "No limits list (known in part)"),
        ({"day": date(2026, 11, 21)}, "Judged for 2026-11-21"),
        ({}, "Standard format"),
    ],
)
def test_the_terms_of_a_verdict_are_printed_in_a_line(terms, part):
    assert part in of_table(Table("dbs-4.00", **terms)).made_with.split(" · ")
    if "best_of" not in terms:
        assert "Best of" not in of_table(Table("dbs-4.00", **terms)).made_with


@pytest.mark.parametrize(
    ("game", "printed"),
    [
        ("optcg", "Limits list of 2024-06-21"),
        ("fusion", "Limits list (known in part)"),
        ("dbs", "Limits list of 2023-12-01 (known in part)"),
        ("bos", "No limits list"),
    ],
)
def test_a_limits_list_is_printed_with_its_day(game, printed):
    terms = complete_terms(RequestedTerms(game=game, on=date(2024, 7, 1)), limits.shipped_lists(game))
    assert _limits_note(terms) == printed


def of_table(table):
    return sheet(Registration.read({"player": "Last"}), table.verdict())


@pytest.mark.parametrize(
    ("cost", "printed"), [("3(RR)", "3"), ("X", "X"), (None, "2"), ("", "2"), ("-", "-"), ("(R)", "2")]
)
def test_a_cost_is_printed_without_the_colours_that_it_asks_for(cost, printed):
    sheet = filled(ruleset="dbs-4.00", special=[dbs("C-77", cost=2, cost_text=cost)], main={"C-77": 4})
    (entry,) = next(section for section in sheet.sections if section.key == "main").entries
    assert entry.cost == printed


def test_merged_cells_do_not_overlap(book):
    taken = [cells for merged in book["Registration"].merged_cells.ranges for cells in places_in(str(merged))]
    assert len(taken) == len(set(taken)) > 50


def places_in(cells):
    left, top, right, bottom = range_boundaries(cells)
    return [(column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)]


# The widths of the workbook's columns in points, as far as a text in them goes.
NAME_WIDTH, WHOLE_WIDTH, FINDING_WIDTH, FIELD_WIDTH = (5.4 * width - 12 for width in (44, 93, 87, 59))


def row_height(text, width, size=11):
    """Return the height of a row of the workbook with a text that is wrapped to a width in points."""
    return pytest.approx(len(fonts.wrap_text(text, width, size)) * 15 * size / 11 + 3)


def test_a_card_has_a_row_as_high_as_its_name():
    texts = ("i" * narrow + "m" * wide for narrow in range(90) for wide in range(30))
    names = [text for text in texts if abs(fonts.width(text, 11) - NAME_WIDTH) < 1]
    cards = [replace(optcg(f"N-{at}", cost=1), name=name) for at, name in enumerate(names)]
    page = workbook(sheet_xlsx.write(filled(special=cards, main={card.number: 1 for card in cards})))["Registration"]
    heights = {row[2].value: page.row_dimensions[row[2].row].height for row in page.iter_rows() if row[2].value}
    assert all(heights[name] == row_height(name, NAME_WIDTH) for name in names)
    assert {heights[name] for name in names} == {18, 33}


@pytest.mark.parametrize("words", [8, 45])
def test_fields_and_findings_have_rows_as_high_as_their_texts(words):
    text = " ".join(["iii"] * words)
    made = small_sheet()
    problem = made.problems[0]._replace(message=text, citation=text, fix=text)
    person = replace(made.registration, notes=text, place=text)
    made = replace(made, problems=(problem,), registration=person, title=text, found=1)
    page = workbook(sheet_xlsx.write(made))["Registration"]
    heights = [page.row_dimensions[row[0].row].height for row in page.iter_rows() if text in [one.value for one in row]]
    finding = row_height(text, FINDING_WIDTH)
    field = 20 if words == 8 else row_height(text, FIELD_WIDTH, 12)
    assert heights == [field, field, finding, finding, finding]
    (small,) = (row[0] for row in page.iter_rows() if str(row[0].value).startswith(f"{text} · "))
    assert page.row_dimensions[small.row].height == row_height(small.value, WHOLE_WIDTH, 9)
