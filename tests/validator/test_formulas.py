"""Cells that a spreadsheet program would run as formulas get an apostrophe, after invisible characters as well."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validator.formulas import guard_formula, unguard_formula

UNSEEN = [
    "",
    " ",
    "\n",
    "\r",
    "\t",
    "\xa0",
    "\u3000",
    "\u2028",
    "\x85",
    "\u200b",
    "\ufeff",
    "\u202e",
    "\x00",
    " \ufeff\n",
]


@pytest.mark.parametrize("unseen", UNSEEN)
@pytest.mark.parametrize("sign", "=+-@\uff1d\uff0b\uff0d\uff20")
def test_a_sign_behind_what_nobody_sees_is_guarded(unseen, sign):
    assert guard_formula(f"{unseen}{sign}1+1") == f"'{unseen}{sign}1+1"


@pytest.mark.parametrize(
    "text", ["", "-", " -", "Nami", "4-0", "a=1", "'quoted", " Nami", "漢=1", "\u200bNami", "(=1)"]
)
def test_other_texts_stay_as_they_are(text):
    assert guard_formula(text) == text


@given(st.text(max_size=20) | st.from_regex(r"['\s\u200b]{0,4}[=+@-].{0,4}", fullmatch=True))
def test_what_was_guarded_comes_back(text):
    assert unguard_formula(guard_formula(text)) == text
