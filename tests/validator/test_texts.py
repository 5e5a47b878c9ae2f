"""Texts are bounded by what they stand for, and normalised in time that grows with their length."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cost import time_limit
from validator import texts
from validator.bounds import MOST_MARKS
from validator.matching import fold_text
from validator.numbers import normal
from validator.texts import doubt

LATIN_WITH_MARKS = st.text(alphabet=st.sampled_from("aeoÅé\u0301\u0327\u0f73\uff9eカﺷﷺ가"), max_size=120)


@pytest.mark.parametrize(
    "text", ["", "Nami", "é" * 200, "モンキー・D・ルフィ", "가" * 200, "a" + "\u0301" * MOST_MARKS]
)
def test_what_people_write_is_read(text):
    assert doubt(text, 200) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a" * 201, "201 characters"),
        ("é" * 201, "201 characters"),
        ("\ufdfa" * 12, "216 characters"),  # each stands for 18
        ("a" + "\u0301" * 31, "line 1"),
        ("a\nb" + "\u0301\u0327" * 16, "line 2"),
        ("a" + "\u0f73" * 16, "line 1"),  # each is two marks
    ],
)
def test_a_text_that_stands_for_too_much_is_doubted(text, why):
    assert why in doubt(text, 200)


@pytest.mark.parametrize(
    "written", ["Airframe Seizure", "Air\u00adframe\u200b  SEIZURE", "\ufeffAirframe Seizure\u2060"]
)
def test_texts_that_only_look_the_same_are_the_same(written):
    assert fold_text(written) == "airframe seizure"


@given(LATIN_WITH_MARKS | st.text(max_size=40))
def test_a_text_without_long_runs_is_normalised_as_unicode_says(text):
    if not doubt(text, 10_000):
        for form, normalised in (("NFC", texts.nfc), ("NFKC", texts.nfkc), ("NFKD", texts.nfkd)):
            assert normalised(text) == unicodedata.normalize(form, text)


@given(st.integers(MOST_MARKS + 1, 400), st.sampled_from(["\u0301", "\u0327\u0301", "\u0f73", "\uff9e"]))
def test_a_long_run_is_parted_and_loses_nothing(count, marks):
    normalised = texts.nfkd("a" + marks * count)
    assert normalised == texts.nfkd(normalised)
    kept = sorted(char for char in normalised if char != "\u034f")
    assert kept == sorted(unicodedata.normalize("NFKD", "a" + marks * count))


@pytest.mark.slow
@pytest.mark.parametrize("read", [fold_text, normal, texts.nfc, texts.strip_marks])
def test_a_very_long_run_takes_no_time(read):
    with time_limit(1):
        read("a" + "\u0301" * 100_000 + "\u0327" * 100_000)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("一", 1),
        ("十", 10),
        ("十一", 11),
        ("二十", 20),
        ("二十一", 21),
        ("九十九", 99),
        ("两", 2),
        ("兩十", 20),
        ("百", None),
        ("十十", None),
        ("二二", None),
        ("2", None),
        ("", None),
    ],
)
def test_chinese_numerals_from_1_to_99(text, number):
    assert texts.numeral(text) == number


@pytest.mark.parametrize(
    ("text", "with_digits"),
    [
        ("BT1-007 二枚", "BT1-007 2枚"),
        ("x三张", "x3张"),
        ("十二 張", "12張"),
        ("三枚目", "三枚目"),
        ("カード二枚", "カード二枚"),
        ("二個", "二個"),
    ],
)
def test_chinese_numerals_become_digits_only_in_counts(text, with_digits):
    assert texts.with_digits(text) == with_digits


@pytest.mark.parametrize(
    ("written", "plain"),
    [("“Ａ”", '"A"'), ("×４", "x4"), ("➃٤", "44"), ("【a】〔b〕", "[a][b]"), ("a‐b、", "a-b,"), ("éﬁ½", "éﬁ½")],
)
def test_plain_characters_stand_for_one_character_each(written, plain):
    assert texts.to_plain_characters(written) == plain


def test_marks_are_stripped_from_letters():
    assert texts.strip_marks("Éa\u0301ｂ") == "Eab"
