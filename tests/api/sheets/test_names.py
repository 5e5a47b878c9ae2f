"""Names: cleaned of what nobody sees, and filed by the last one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.sheets.names import Name
from api.sheets.names import cleaned


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("Hana  Ito ", "Hana Ito"),
        ("Hana\tIto\r\n", "Hana Ito"),
        ("Hana\u3000Ito\u00a0", "Hana Ito"),
        ("a\u202ecba", "acba"),
        ("\u2066Hana\u2069", "Hana"),
        ("Ha\u200bna\ufeff\u00ad", "Hana"),
        ("Ha\x00na\x1b[31m", "Hana[31m"),
        ("\ud800Hana\uffff\ufdd0", "Hana"),
        ("\u3164\u115f", ""),
        ("Jose\u0301", "José"),
        ("e" + "\u0301" * 40, "é" + "\u0301" * 4),
    ],
)
def test_a_name_loses_what_nobody_sees(written, clean):
    assert cleaned(written) == clean


@pytest.mark.parametrize(
    "name",
    [
        "Łukasz",
        "山田 太郎",
        "김철수",
        "Иван Петров",
        "محمد",
        "สมชาย ใจดี",
        "-kai-",
        "@handle",
        "O'Neill",
        "علی\u200cرضا",
        "葛\U000e0100城",
    ],
)
def test_a_name_in_any_script_survives(name):
    assert cleaned(name) == name


def test_joiners_stay_only_where_a_script_spells_with_them():
    assert cleaned("Ha\u200cna") == "Hana"
    assert cleaned("क्\u200dष") == "क्\u200dष"


@given(st.text())
def test_cleaning_again_changes_nothing(text):
    assert cleaned(cleaned(text)) == cleaned(text)


@pytest.mark.parametrize(
    ("written", "filed", "initial"),
    [
        ("Hana Ito", "Ito, Hana", "I"),
        ("Ito, Hana", "Ito, Hana", "I"),
        ("Ito，Hana", "Ito, Hana", "I"),
        ("van der Berg, Jan", "van der Berg, Jan", "V"),
        ("Jan van der Berg", "Berg, Jan van der", "B"),
        ("Smith, John, Jr.", "Smith, John, Jr.", "S"),
        ("Zoé", "Zoé", "Z"),
        ("Ito,", "Ito", "I"),
        ("-kai-", "-kai-", "K"),
        ("山田 太郎", "山田 太郎", "山"),
        ("山田太郎", "山田太郎", "山"),
        ("김 철수", "김 철수", "김"),
        ("Иван Петров", "Петров, Иван", "П"),
        ("ßen", "ßen", "S"),
        ("!!", "!!", "!"),
    ],
)
def test_lists_are_filed_by_the_last_name(written, filed, initial):
    name = Name.of(written)
    assert (name.filed, name.initial) == (filed, initial)


def test_a_name_in_two_fields_is_filed_as_it_is_given():
    assert Name("van der Berg", "Jan").filed == "van der Berg, Jan"
    assert Name("山田", "太郎").filed == "山田 太郎"
    assert Name("Ito").filed == "Ito"
