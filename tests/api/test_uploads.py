"""A file that comes in is called something that messages and headers can bear."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.downloads import file_headers
from api.uploads import LONGEST_NAME
from api.uploads import plain_name


@given(st.text(max_size=600))
def test_whatever_a_file_is_called_its_name_is_short_on_one_line_and_in_no_folder(name):
    found = plain_name(name)
    assert 0 < len(found) <= LONGEST_NAME
    assert found == found.strip() == " ".join(found.split())
    assert "/" not in found
    assert "\\" not in found
    assert not {"Cc", "Cs", "Zl", "Zp"} & set(map(unicodedata.category, found))


@given(st.text(max_size=600))
def test_whatever_a_file_is_called_its_headers_are_ascii(name):
    headers = file_headers(f"{plain_name(name)}-results.xlsx")
    assert headers["Content-Disposition"].isascii()
    assert "\n" not in headers["Content-Disposition"]
    assert headers["Content-Disposition"].startswith("attachment; filename=")


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("decks.xlsx", "decks.xlsx"),
        ("/srv/decks.xlsx", "decks.xlsx"),
        (r"C:\decks.xlsx", "decks.xlsx"),
        ("no suffix", "no suffix"),
        ("..", "decks"),
        ("/", "decks"),
        ("大会.csv", "大会.csv"),
    ],
)
def test_a_name_is_what_people_call_it(name, plain):
    assert plain_name(name) == plain
