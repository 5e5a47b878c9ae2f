"""Fonts: every script that players have names in, and a plain word where one is missing."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.sheets import fonts
from api.sheets import sheet_pdf as pdf
from tests.api.sheets.desk import filled, in_a_fresh_process

SCRIPTS = "José 山田太郎 김철수 王小明 محمد יוסי สมชาย ສົມ សុខ မောင် राहुल Иван 🎉"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "José Ñandú Łukasz Þór Nguyễn",
        "Иван Петров Їжак",
        "Αλέξης",
        "山田 太郎 サイトウ ひな",
        "김철수",
        "王小明 陳大文",
        "محمد علي",
        "علی\u200cرضا",
        "יוסי כהן",
        "สมชาย ใจดี",
        "ສົມ ຂະແມຣ សុខ မောင်",
        "राहुल",
        "★ Zoro ♥ “Nami” – DON!!",
    ],
)
def test_the_packages_have_every_script_of_the_games_regions(name):
    assert fonts.missing_characters(name) == ""
    assert fonts.mark_missing(name) == name


def test_a_character_that_no_font_has_is_written_out_and_named():
    assert fonts.missing_characters("Zoë 🎉🎉 𓀀") == "𓀀🎉"
    assert fonts.mark_missing("Zoë 🎉") == "Zoë [U+1F389]"
    assert "U+1F389 PARTY POPPER" in fonts.missing_warning("🎉")


def test_what_needs_no_glyph_is_not_missing():
    assert fonts.missing_characters("葛\U000e0100城 ☎\ufe0f क्\u200dष") == ""
    assert fonts.width("A\U000e0100B\ufe0f", 10) == fonts.width("AB", 10)


def test_a_missing_character_is_as_wide_as_what_stands_for_it():
    assert fonts.width("🎉", 10) == fonts.width("[U+1F389]", 10)
    assert fonts.width("MM", 10) == 2 * fonts.width("M", 10) > fonts.width("ii", 10)


def test_half_of_a_text_is_never_bold():
    assert fonts.has_bold("Łukasz Петров محمد")
    assert fonts.has_bold("Zoë 🎉")
    assert not fonts.has_bold("山田 Taro")


def test_lines_break_between_words_and_within_one_where_they_must():
    assert fonts.wrap_text("aa bb cc", fonts.width("aa bb", 10), 10) == ("aa bb", "cc")
    assert "".join(fonts.wrap_text("A" * 300, 100, 10)) == "A" * 300
    assert fonts.wrap_text("", 100, 10) == ("",)
    assert fonts.wrap_text("A" * 4, fonts.width("AA", 10), 10) == ("AA", "AA")


@given(st.text("ab é山🎉", max_size=60), st.integers(30, 200))
def test_every_line_fits_and_no_letter_is_lost(text, room):
    lines = fonts.wrap_text(text, room, 10)
    widest = fonts.width("[U+1F389]", 10)
    assert all(fonts.width(line, 10) <= max(room, widest) for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.slow
@pytest.mark.parametrize("_", range(2))
def test_the_first_sheets_of_a_process_may_be_drawn_at_once(_):
    drawn = in_a_fresh_process(eight_at_once)
    assert [of[:5] for of in drawn] == [b"%PDF-"] * 8


def eight_at_once():
    sheets = [filled({"player": f"{SCRIPTS} {at}"}) for at in range(8)]
    begin = Barrier(8)

    def draw(sheet):
        begin.wait()
        return pdf.write(sheet)

    with ThreadPoolExecutor(8) as threads:
        return list(threads.map(draw, sheets))
