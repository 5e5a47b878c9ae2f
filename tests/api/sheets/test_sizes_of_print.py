"""How large things are printed, and what a code shows that is printed as text."""

import io
from itertools import pairwise

import pytest
import zxingcpp
from PIL import Image

from api.service.errors import Invalid
from api.sheets import fonts, layout, qrcode
from api.sheets.layout import PAPERS
from api.sheets.registration import Event, Registration
from tests.api.sheets.desk import filled

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
