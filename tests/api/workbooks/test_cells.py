import datetime

import pytest

from api.workbooks.intake import cells


@pytest.mark.parametrize(
    "cell",
    [
        *(4, 4.0, "4", "04", " 4 ", "4.0", "4x", "x4", "x 4", "4 X", "４", "\u00a04", "004.", "4,0", "×4", "4 ×", "'4"),
        *("４枚", "4张", "4 pcs", "4 Stück", "4 Stk.", "4 copies", "4 cartas", "4 ex.", "(4)", "[x4]"),
    ],
)
def test_four_in_any_type_and_spelling(cell):
    assert cells.count(cell) == 4


@pytest.mark.parametrize(
    "cell",
    [
        *(
            "four",
            "",
            " ",
            0,
            0.0,
            -1,
            "-4",
            256,
            4.5,
            "4.5",
            "TRUE",
            "²",
            "٤",
            "1E2",
            "4 4",
            "4 SR",
            "4 power",
            "x",
            "(x)",
            "0x4",
        ),
        *(float("inf"), float("nan"), 1e300, "9" * 400, datetime.date(2026, 1, 4), datetime.time(4)),
    ],
)
def test_what_is_no_count(cell):
    assert cells.count(cell) is None


def test_255_is_the_most():
    assert cells.count(255) == 255


@pytest.mark.parametrize(
    ("cell", "id"),
    [("0000123456", "0000123456"), (" 12 ", "12"), (123456.0, "123456"), (1234567890.0, "1234567890"), ("", "")],
)
def test_ids_are_texts(cell, id):
    assert cells.identity(cell).text == id


@pytest.mark.parametrize(
    "cell",
    [datetime.date(2026, 1, 3), datetime.datetime(2026, 1, 3), datetime.time(4), "TRUE", 1e15, 1.2345678901234567e19],
)
def test_what_a_program_has_made_no_id_of(cell):
    found = cells.identity(cell)
    assert (found.text, found.usable) == ("", False)
    assert "format the column as text" in found.doubt


def test_a_number_is_an_id_with_a_doubt():
    assert cells.identity(123.0).usable
    assert "zeros" in cells.identity(123.0).doubt


@pytest.mark.parametrize("name", ["-kai-", "@handle", "=1+1", "'quoted'", "Łukasz", "山田 太郎", "O'Neill"])
def test_names_survive_as_they_are(name):
    assert cells.name(name).text == name


@pytest.mark.parametrize("name", ["=1+1", "+1", "-kai-", "@handle", "'=1+1"])
def test_the_apostrophe_of_our_own_csv_is_undone_once(name):
    assert cells.name(f"'{name}").text == name


def test_what_nobody_sees_is_taken_out_of_names():
    assert cells.name("Zo\u202ero\u200b \x07").text == "Zoro"


@pytest.mark.parametrize("length", [201, 10_001, 200_000])
def test_names_have_a_longest(length):
    found = cells.name("x" * length)
    assert (found.text, found.usable) == ("", False)
    assert len(found.doubt) < 300
