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
