"""How large things are printed, and what a code shows that is printed as text."""

import io
from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
import zxingcpp
from PIL import Image

from api.service.errors import Invalid
from api.sheets import fonts, layout, qrcode, sheet_pdf
from api.sheets.layout import PAPERS
from api.sheets.person_names import PersonName, cut
from api.sheets.registration import Event, Registration
from api.sheets.sheet import blank
from tests.api.sheets.desk import filled, pages
from tests.validator.table import optcg
from validator import Terms

SIZES = (31, 24, 20, 17, 14, 12, 10.5, 9, 7.5, 6, 5)
NAME = "Wolfeschlegelsteinhausen Bergerdorff, Maximilian Alexander"


@pytest.mark.parametrize("width", [40, 90, 150, 270, 600])
@pytest.mark.parametrize("height", [15, 30, 44])
def test_a_text_is_set_as_large_as_its_box_takes(width, height):
    def fits(size):
        lines = fonts.wrap_text(NAME, width, size)
        return len(lines) * size * 1.2 <= height

    size, lines = fonts.fit_text(NAME, width, height, 24)
    assert size == next((one for one in SIZES if one <= 24 and fits(one)), SIZES[-1])
    assert lines == fonts.wrap_text(NAME, width, size)
    assert "".join(lines).replace(" ", "") == NAME.replace(" ", "")


@pytest.mark.parametrize("room", [20, 35, 80])
def test_a_line_is_as_long_as_there_is_room_for(room):
    lines = fonts.wrap_text("ab cd " * 9 + "ef", room, 9)
    assert all(fonts.width(line, 9) <= room for line in lines)
    assert all(fonts.width(f"{line} {after[:2]}", 9) > room for line, after in pairwise(lines))
    word = "x" * 40
    assert all(fonts.width(f"{piece}x", 9) > room for piece in fonts.wrap_text(word, room, 9)[:-1])


@pytest.mark.parametrize("text", ["deckproof", "https://example.org/events/1/2?code=ABCDEF", "x" * 120])
def test_a_code_printed_as_text_can_be_scanned(text):
    lines = qrcode.text(text).split("\n")
    assert len({len(line) for line in lines}) == 1
    dark = {"█": (0, 0), "▀": (0, 255), "▄": (255, 0), " ": (255, 255)}
    picture = Image.new("L", (len(lines[0]), 2 * len(lines)), 255)
    for down, line in enumerate(lines):
        for across, half in enumerate(line):
            for lower in (0, 1):
                picture.putpixel((across, 2 * down + lower), dark[half][lower])
    larger = picture.resize((4 * picture.width, 4 * picture.height), Image.Resampling.NEAREST)
    assert zxingcpp.read_barcode(larger).text == text
    assert zxingcpp.read_barcode(Image.open(io.BytesIO(qrcode.png(text)))).text == text


def test_notes_take_their_room_from_the_cards():
    """The cards begin below the lines of the verdict and of the notes, each as high as another."""
    tops = {}
    for words in (0, 4, 9):
        laid = layout.layout(filled({"notes": " ".join(["n" * 30] * words)}), PAPERS["a4"])
        tops[len(laid.small)] = laid.pages[0].top
    few, *more = sorted(tops)
    assert len(more) == 2
    assert [tops[many] - tops[few] for many in more] == pytest.approx([(many - few) * layout.SMALL for many in more])


@pytest.mark.parametrize("paper", PAPERS)
def test_a_second_page_begins_higher_than_the_first(paper):
    first, second, *_ = layout.layout(filled(distinct=90), PAPERS[paper]).pages
    assert second.top < first.top


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"event": "x" * 120, "place": "y" * 100}, []),
        ({"event": "x" * 121}, ["/event"]),
        ({"date": "2026-02-30", "place": 7}, ["/date", "/place"]),
    ],
)
def test_an_event_is_printed_as_it_is_or_refused_with_all_that_is_wrong(fields, wrong):
    if not wrong:
        assert Event.read(fields).headline == " · ".join(fields.values())
        return
    with pytest.raises(Invalid) as refused:
        Event.read(fields)
    assert sorted(one.pointer for one in refused.value.errors) == wrong


@pytest.mark.parametrize(("id", "is_taken"), [("x" * 20, True), ("x" * 21, False), ("-12", False), ("A/1 #2", True)])
def test_an_id_is_as_long_as_its_box_and_begins_with_a_letter_or_digit(id, is_taken):
    fields = {"player": "Ann Lee", "player_id": id}
    if is_taken:
        assert Registration.read(fields).player_id == id
    else:
        with pytest.raises(Invalid):
            Registration.read(fields)


def fit(text, width, height, largest):
    """Return the largest size of bold type at which a text fits a box, and its lines there."""
    for size in SIZES:
        lines = fonts.wrap_text(text, width / 1.1, size)
        if size <= largest and len(lines) * size * 1.2 <= height:
            break
    return size, "bold", "\n".join(lines)


# Width, height and largest type of each box of the head, on A4 paper.
HEAD_BOXES = {
    "headline": (527.28, 14, 10.5),
    "initial": (56, 56, 31),
    "name": (385.28, 34, 24),
    "id": (160, 18, 14),
    "table": (80, 18, 14),
}
FIELD_BOXES = [(206.1848, 20, 12), (84.9104, 20, 12), (216.1848, 20, 12)]


@pytest.mark.parametrize("letters", ["x", "xm ", "iiii "])
def test_each_text_of_the_head_fills_its_box(letters):
    for count in (1, *range(5, 100, 3)):
        text = (letters * count)[:count].strip()
        person = Registration(PersonName(text), text, text, date(2026, 11, 21), text, text)
        made = replace(filled(distinct=1), registration=person)
        found = sheet_pdf._sheet_data(made, PAPERS["a4"])
        wanted = dict.fromkeys(HEAD_BOXES, text) | {"headline": made.headline, "initial": text[0].upper()}
        assert {name: found[name] for name in HEAD_BOXES} == {
            name: fit(wanted[name], *box) for name, box in HEAD_BOXES.items()
        }
        filled_in = [person.event, person.day, person.place]
        assert found["first"]["fields"] == [fit(one, *box) for one, box in zip(filled_in, FIELD_BOXES, strict=True)]


def test_the_lines_under_the_verdict_are_as_long_as_the_paper_is_wide():
    for words in range(1, 60, 5):
        notes = " ".join(["nnn"] * words)
        person = Registration(PersonName("Example"), notes=notes)
        made = replace(filled(distinct=1), registration=person, title=" ".join(["ab"] * words))
        small = layout.layout(made, PAPERS["a4"]).small
        assert small == (
            *fonts.wrap_text(made.made_with, 527.28, 8),
            *fonts.wrap_text(f"Notes: {notes}", 527.28, 8),
        )


def test_the_name_of_a_card_has_the_room_between_its_number_and_its_cost():
    for length in range(1, 60, 2):
        name = ("ab " * 60)[:length].strip()
        made = filled(main={"N-001": 4}, special=[replace(optcg("N-001", cost=7), name=name)])
        found = layout.layout(made, PAPERS["a4"])
        (card,) = (row for page in found.pages for row in (*page.left, *page.right) if row.cells[1:2] == ("N-001",))
        room = 252.64 - 25 - 14 - (found.number + fonts.width("7", 9) + 8)
        numbers = (entry.number for section in made.sections for entry in section.entries)
        assert found.number == pytest.approx(max(fonts.width(number, 12) for number in numbers) + 8)
        assert card.cells[-1] == fonts.wrap_text(name, room, 12)
        assert card.height == pytest.approx(len(card.cells[-1]) * 15.2 + 8.8)


def test_without_numbers_and_costs_names_have_all_the_room():
    made = filled(main={"N-001": 4}, special=[optcg("N-001", cost=None)])
    sections = [replace(one, entries=tuple(each._replace(cost="") for each in one.entries)) for one in made.sections]
    for known in (True, False):
        text = "ab " * 30
        entry = sections[-1].entries[0]._replace(name=text.strip(), known=known)
        found = layout.layout(replace(made, sections=(replace(sections[-1], entries=(entry,)),)), PAPERS["a4"])
        (card,) = (row for page in found.pages for row in (*page.left, *page.right) if row.kind in ("card", "unknown"))
        number = fonts.width("N-001", 12) + 8 if known else 0
        assert found.number == number
        assert card.cells[-1] == fonts.wrap_text(entry.name if known else entry.text, 252.64 - 25 - 14 - number, 12)


def test_an_unknown_card_has_the_room_of_number_and_cost_too():
    for length in range(1, 90, 5):
        text = ("ab " * 60)[:length].strip()
        found = layout.layout(filled(main={text: 4}), PAPERS["a4"])
        (card,) = (row for page in found.pages for row in (*page.left, *page.right) if row.kind == "unknown")
        assert card.cells[-1] == fonts.wrap_text(text, 252.64 - 25 - 14, 12)


def test_a_finding_is_as_wide_as_its_column():
    made = filled(distinct=1, main={"C-01": 4})
    assert made.found == len(made.problems) == 1
    for words in range(1, 40):
        message, citation, fix = (" ".join([word] * words) for word in ("wrong", "rule", "better"))
        problem = made.problems[0]._replace(message=message, citation=citation, fix=fix)
        (page,) = layout.layout(replace(made, problems=(problem,)), PAPERS["a4"]).pages
        (row,) = (row for row in (*page.left, *page.right) if row.kind == "problem")
        room = 252.64 - 25
        printed = [fonts.wrap_text(message, room / 1.1, 9), fonts.wrap_text(citation, room, 8)]
        printed.append(fonts.wrap_text(fix, room, 9))
        assert row.cells == ("1", *("\n".join(lines) for lines in printed))
        assert row.height == (len(printed[0]) + len(printed[2])) * 11.5 + len(printed[1]) * 10.5 + 6


def test_a_text_below_the_cards_is_as_high_as_its_lines():
    for count in (1, 9, 20):
        absent = "".join(chr(0x12000 + number) for number in range(count))
        found = layout.layout(filled({"notes": absent}), PAPERS["a4"])
        (row,) = (row for page in found.pages for row in (*page.left, *page.right) if row.kind == "text")
        lines = fonts.wrap_text(fonts.missing_warning(absent), 252.64, 9)
        assert (row.cells, row.height) == (("\n".join(lines),), len(lines) * 11.5 + 5)


@pytest.mark.parametrize(("text", "printed"), [("ab", "ab"), ("abc", "abc"), ("abcd", "ab…"), ("", "")])
def test_a_text_is_cut_only_if_it_is_longer(text, printed):
    assert cut(text, 3) == printed


def test_a_blank_sheet_has_no_findings():
    terms = Terms("optcg-1.1.9", date(2026, 11, 21))
    made = blank(terms, Event())
    (page,) = layout.layout(made, PAPERS["a4"]).pages
    headings = [row.cells for row in (*page.left, *page.right) if row.kind == "heading"]
    assert [title for title, _ in headings if not title.endswith("continued")] == ["Leader", "Main deck"]


@pytest.mark.parametrize("package", ["no_such_fonts", "fonts_without_code"])
def test_the_error_lists_missing_fonts(monkeypatch, tmp_path, package):
    (tmp_path / "fonts_without_code").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(fonts, "_PACKAGES", (package,))
    with pytest.raises(RuntimeError, match=package):
        list(fonts._package_folders())


def test_a_module_of_a_picture_is_four_pixels():
    modules, _ = qrcode.path("deckproof")
    picture = Image.open(io.BytesIO(qrcode.png("deckproof")))
    assert picture.size == (4 * (modules + 8), 4 * (modules + 8))  # a margin of four modules on each side


@pytest.mark.parametrize(("known", "printed"), [("Cards as of 2026-11-01", True), ("", False)])
def test_the_day_of_the_card_data_is_beside_the_hash(known, printed):
    made = replace(filled(distinct=1), cards_as_of=known)
    [text] = pages(sheet_pdf.write(made))
    assert ("Cards as of 2026-11-01" in text) is printed
    assert sheet_pdf._sheet_data(made, PAPERS["a4"])["source"].strip() == known
    assert made.deck_hash in text.replace("\n", "")
