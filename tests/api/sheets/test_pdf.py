"""PDF: what is printed, on which page, in any script."""

import io
import resource

import pytest
from pypdf import PdfReader

from api.sheets import sheet_pdf as pdf
from tests.api.sheets.desk import filled, in_a_fresh_process, pages

INJECTIONS = [
    "#panic()",
    "*bold* _x_ $1$",
    '#include "/etc/passwd"',
    "\\u{41} `raw` <label> @ref",
    "=cmd|' /C calc'!A0",
]


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_a_sheet_is_made_for_its_paper(paper, size):
    (page,) = PdfReader(io.BytesIO(pdf.write(filled(), paper))).pages
    assert (round(page.mediabox.width), round(page.mediabox.height)) == size


def test_a_sheet_says_who_plays_what_and_where():
    (text,) = pages(pdf.write(filled()))
    for said in (
        "Last, First",
        "0012345678",
        "42",
        "Winter Regional 2026",
        "2026-11-21",
        "Cologne",
        "LEGAL",
        "Page 1 of 1",
    ):
        assert said in text
    assert "NOT LEGAL" not in text
    assert filled().deck_hash in text
    close = "".join(text.split())
    assert all(f"C-{number:02}PirateC-{number:02}" in close for number in range(1, 14))


def test_every_page_has_the_player_and_only_the_first_the_judges_box():
    found = pages(pdf.write(filled(distinct=90)))
    assert len(found) == 2
    for place, text in enumerate(found, 1):
        assert "Last, First" in text
        assert "0012345678" in text
        assert f"Page {place} of 2" in text
    assert ["Deck check 1" in text for text in found] == [True, False]


def test_every_page_has_the_game_and_the_event():
    for text in pages(pdf.write(filled(distinct=90))):
        assert "ONE PIECE · Winter Regional 2026 · 2026-11-21" in text


def test_a_strict_reader_finds_no_fault(recwarn):
    reader = PdfReader(io.BytesIO(pdf.draw_sheets([filled(), filled(distinct=90)])), strict=True)
    assert len(reader.pages) == 3
    assert not {"/MarkInfo", "/StructTreeRoot"} & reader.trailer["/Root"].keys()
    assert not recwarn.list


def test_an_illegal_deck_is_marked_and_says_why():
    text = "\n".join(pages(pdf.write(filled(main={"C-01": 5, "XX-404": 45}))))
    for said in ("NOT LEGAL", "5-1-2-3", "Remove 1 copy", "XX-404"):
        assert said in text
    assert "copies.exceeded" not in text  # the code of a rule is for programs
    assert "NOT IN THE CATALOGUE" in text


@pytest.mark.parametrize(
    "name",
    ["山田 太郎", "김 철수", "Петров, Иван", "Nguyễn, Văn", "محمد", "כהן", "สมชาย", "-kai-", "@handle"],
)
def test_a_name_in_any_script_is_printed(name):
    (text,) = pages(pdf.write(filled({"player": name})))
    letters = set(name) - set(" ,")
    assert letters <= set(text)


def test_a_character_that_no_font_has_is_printed_as_its_code_point_and_said():
    (text,) = pages(pdf.write(filled({"player": "Zoë 🎉", "event": "𓀀"})))
    assert "[U+1F389]" in text
    assert "[U+13000]" in text
    assert "PARTY POPPER" in text


@pytest.mark.parametrize("text", INJECTIONS)
def test_texts_are_never_read_as_markup(text):
    (page,) = pages(pdf.write(filled({"player": text, "event": text, "notes": text}, main={"C-01": 4, text: 1})))
    assert "".join(text.split()) in "".join(page.split())


@pytest.mark.parametrize("length", [60, 100])
def test_a_long_name_is_whole(length):
    name = ("Maximiliana " * 10)[:length].strip()
    (text,) = pages(pdf.write(filled({"player": name})))
    assert sum(text.count(letter) for letter in "M") >= name.count("M")


def test_a_word_longer_than_its_column_is_broken():
    (text,) = pages(
        pdf.write(filled({"player": "W" * 60, "event": "W" * 120, "place": "W" * 100}, main={"A" * 200: 1}))
    )
    assert text.count("A") >= 400  # on its line, and in its finding
    assert text.count("W") >= 280


def test_the_same_sheet_is_the_same_file_but_for_its_date():
    assert len(pdf.write(filled())) == len(pdf.write(filled()))


@pytest.mark.slow
def test_many_sheets_are_one_file_each_counted_by_itself():
    sheets = [filled({"player": f"Player {letter}"}, distinct=90 if letter == "B" else 13) for letter in "ABC"]
    found = pages(pdf.draw_sheets(sheets))
    assert len(found) == 4
    assert [
        next(line for line in text.splitlines() if line.startswith("Page ") or "Page " in line)[-11:] for text in found
    ] == ["Page 1 of 1", "Page 1 of 2", "Page 2 of 2", "Page 1 of 1"]
    assert ["A, Player" in text for text in found] == [True, False, False, False]


@pytest.mark.slow
def test_a_hundred_sheets_and_more_are_drawn_like_one():
    drawn = PdfReader(io.BytesIO(pdf.draw_sheets([filled()] * 101)))
    assert len(drawn.pages) == 101
    assert "Last, First" in drawn.pages[100].extract_text()


@pytest.mark.slow
def test_what_a_long_sheet_takes_of_memory_is_given_back():
    first, last = in_a_fresh_process(peaks)
    assert last - first < 30_000


def peaks():
    """The most memory, in kB, that a process had after a long sheet and after five more, each with texts of its own."""
    found = []
    for at in range(6):
        pdf.write(filled(main={f"{chr(0x4E00 + 400 * at + n)} {SCRIPTS} {n}": 1 for n in range(400)}))
        found.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return found[0], found[-1]


SCRIPTS = "김철수 محمد יוסי สมชาย សុខ राहुल Иван"
