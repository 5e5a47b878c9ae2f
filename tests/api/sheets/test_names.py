"""Names: cleaned of what nobody sees, and filed by the last one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.sheets.person_names import PersonName as Name
from api.sheets.person_names import clean_text


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("First  Last ", "First Last"),
        ("First\tLast\r\n", "First Last"),
        ("First\u3000Last\u00a0", "First Last"),
        ("a\u202ecba", "acba"),
        ("\u2066First\u2069", "First"),
        ("Fi\u200brst\ufeff\u00ad", "First"),
        ("Fi\x00rst\x1b[31m", "First[31m"),
        ("\ud800First\uffff\ufdd0", "First"),
        ("\ufdd0F\ufdefi\ufffe\U0010ffff\U0001fffe", "Fi"),
        ("\ufdcf\ufdf0", "\ufdcf\ufdf0"),
        ("\u3164\u115f", ""),
        ("Jose\u0301", "José"),
        ("e" + "\u0301" * 40, "é" + "\u0301" * 4),
    ],
)
def test_a_name_loses_what_nobody_sees(written, clean):
    assert clean_text(written) == clean


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
    assert clean_text(name) == name


def test_joiners_stay_only_where_a_script_spells_with_them():
    assert clean_text("Fi\u200crst") == "First"
    assert clean_text("क्\u200dष") == "क्\u200dष"
    assert clean_text("\u200dक्ष") == clean_text("क्ष\u200d") == "क्ष"
    assert clean_text("क्\u200d1") == "क्1"


@given(st.text())
def test_cleaning_again_changes_nothing(text):
    assert clean_text(clean_text(text)) == clean_text(text)


@pytest.mark.parametrize(
    ("written", "filed", "initial"),
    [
        ("First Last", "Last, First", "L"),
        ("Last, First", "Last, First", "L"),
        ("Last，First", "Last, First", "L"),
        ("van der Last, First", "van der Last, First", "V"),
        ("First van der Last", "Last, First van der", "L"),
        ("Last, First, Jr.", "Last, First, Jr.", "L"),
        ("Zoé", "Zoé", "Z"),
        ("Last,", "Last", "L"),
        ("-kai-", "-kai-", "K"),
        ("山田 太郎", "山田 太郎", "山"),
        ("山田太郎", "山田太郎", "山"),
        ("김 철수", "김 철수", "김"),
        ("Иван Петров", "Петров, Иван", "П"),
        ("ßen", "ßen", "S"),
        ("!!", "!!", "!"),
        ("Chloé Éluard", "Éluard, Chloé", "E"),
        ("Åse Ørsted", "Ørsted, Åse", "O"),
        ("Łukasz Æbel", "Æbel, Łukasz", "A"),
        ("Юрий Йодов", "Йодов, Юрий", "Й"),
        ("First Last Jr.", "Last Jr., First", "L"),
        ("First van der Last, jr", "Last jr, First van der", "L"),
        ("First Last III", "Last III, First", "L"),
        ("Last Sr., First", "Last Sr., First", "L"),
        ("Last II", "Last II", "L"),
        ("Jr.", "Jr.", "J"),
        ("First Iv", "Iv, First", "I"),
        ("First de la Last", "de la Last, First", "D"),
        ("First Second dos Last", "dos Last, First Second", "D"),
        ("First von de Last", "Last, First von de", "L"),
        ("de la Last", "de la Last", "D"),
        ("van der Last", "van der Last", "V"),
        ("De Last", "Last, De", "L"),
    ],
)
def test_lists_are_filed_by_the_last_name(written, filed, initial):
    name = Name.parse(written)
    assert (name.full_name, name.initial) == (filed, initial)


def test_accented_names_stand_with_their_base_letters_and_other_scripts_after_them():
    names = [
        "Zola, E",
        "Öztürk, A",
        "Éluard, P",
        "Łuk, B",
        "Ozu, Y",
        "Ångström, A",
        "Eluard, Q",
        "Ж, А",
        "Й, А",
        "И, Я",
        "山田",
    ]
    filed = [name.full_name for name in sorted(map(Name.parse, names), key=lambda name: name.order)]
    assert filed == [
        "Ångström, A",
        "Éluard, P",
        "Eluard, Q",
        "Łuk, B",
        "Öztürk, A",
        "Ozu, Y",
        "Zola, E",
        "Ж, А",
        "И, Я",
        "Й, А",
        "山田",
    ]


def test_a_name_in_two_fields_is_filed_as_it_is_given():
    assert Name("van der Last", "First").full_name == "van der Last, First"
    assert Name("山田", "太郎").full_name == "山田 太郎"
    assert Name("Last").full_name == "Last"


def test_first_names_are_cut_before_the_last_one():
    assert Name("Last-Other", "First " * 20).shorten(30).full_name == "Last-Other, First First First F…"
    assert Name("Last", "First").shorten(30) == ("Last", "First")
    assert Name("x" * 40, "First").shorten(30) == ("x" * 29 + "…", "…")
