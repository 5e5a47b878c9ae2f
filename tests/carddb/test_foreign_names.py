"""Names of cards in other languages: lists by them are read, searches find them, sheets print them."""

import csv
import json
from datetime import date

import pytest

from api.sheets.registration import Registration
from api.sheets.sheet import sheet
from carddb import facts, foreign_names
from tests.shared import shared_path
from validator import Deck, Judge, Line, Terms
from validator.decklists import parse

NAMI = "OP01-016"
SOURCES = {"ja": "japanese", "fr": "french", "zh": "chinese-taiwan"}


@pytest.fixture(scope="module")
def catalogue():
    return facts.catalogue("optcg")


@pytest.fixture(scope="module")
def judge(catalogue):
    return Judge(Terms("optcg-1.2.1", date(2026, 11, 22)), catalogue)


@pytest.mark.parametrize("name", ["ナミ", "ﾅﾐ", " ナミ ", "娜美"])
def test_a_name_alone_asks_which_card_is_meant(judge, name):
    verdict = judge(parse(f"4 {name}", "optcg", judge.catalogue).deck)
    assert "card.ambiguous" in verdict.codes
    assert judge.catalogue.by_number(NAMI) in judge.catalogue.by_name(name)


@pytest.mark.parametrize(
    "name", ["モンキー・D・ルフィ", "モンキー・Ｄ・ルフィ", "モンキーDルフィ", "蒙其·D·魯夫", "蒙其‧D‧魯夫"]
)
def test_widths_and_dots_make_no_other_name(catalogue, name):
    assert {card.name for card in catalogue.by_name(name)} == {"Monkey.D.Luffy"}


def test_an_english_name_stays_what_it_is(catalogue):
    assert {card.name for card in catalogue.by_name("Nami")} == {"Nami"}
    assert not catalogue.by_name("ナ")
    assert not catalogue.by_name("・")


@pytest.mark.parametrize(
    "line", ["4 OP01-016 ナミ", "4 ナミ OP01-016", "OP01-016 ナミ x4", "4x ナミ(OP01-016)", "4 OP01-016 娜美"]
)
def test_a_name_beside_its_number_agrees(judge, line):
    (read,) = parse(line, "optcg", judge.catalogue).deck.main
    assert (read.number, read.count) == (NAMI, 4)
    assert "card.mismatch" not in judge(Deck(main=(read,))).codes


def test_a_name_of_another_card_does_not(judge):
    deck = Deck(main=(Line(NAMI, 4, "Kidd et Killer"),))
    assert foreign_names.foreign_names_of(judge.catalogue.by_number("EB01-003"))["fr"] == "Kidd et Killer"
    assert "card.mismatch" not in judge(Deck(main=(Line("EB01-003", 4, "Kidd et Killer"),))).codes
    assert "card.mismatch" in judge(deck).codes
    assert judge(deck).deck_hash == judge(Deck(main=(Line(NAMI, 4),))).deck_hash


@pytest.mark.parametrize(
    ("number", "name", "severity"),
    [
        (NAMI, "Roronoa Zoro", "error"),
        (NAMI, "ロロノア・ゾロ", "error"),
        (NAMI, "羅羅亞·索隆", "error"),
        (NAMI, "Kidd et Killer", "error"),
        ("OP06-101", "Nami", "warning"),  # O-Nami may be called so
        ("OP06-101", "ナミ", "warning"),
    ],
)
def test_a_name_of_another_card_is_as_grave_in_any_language(judge, number, name, severity):
    (found,) = (one for one in judge(Deck(main=(Line(number, 4, name),))).findings if one.code == "card.mismatch")
    assert found.severity == severity


@pytest.mark.parametrize(
    ("line", "number", "count"),
    [
        ("200 millions de volts Amal (OP05-115) x2", "OP05-115", 2),
        ("200 millions de volts Amal OP05-115 x1", "OP05-115", 1),
        ("2億V雷神（OP05-115）4枚", "OP05-115", 4),
        ("ST13-019 3兄弟の絆", "ST13-019", 1),
        ("OP01-029 ラディカルビ～～～ム‼‼", "OP01-029", 1),
        ("ギア2 4枚", None, 4),
        ("Z 4枚", None, 4),
    ],
)
def test_what_looks_like_a_count_or_a_heading_may_be_a_name(catalogue, line, number, count):
    ((_, read),) = parse(line, "optcg", catalogue).deck.lines()
    assert (read.number, read.count) == (number, count)


@pytest.mark.parametrize("delimiter", ["\t", ","])
def test_columns_under_headings_need_no_known_names(catalogue, delimiter):
    rows = (
        ("领袖",),
        ("OP15-058", "艾涅尔", "1"),
        ("主卡组",),
        ("OP12-071", "夏洛特・普琳", "4"),
        ("OP15-061", "欧姆", "3"),
    )
    deck = parse("\n".join(map(delimiter.join, rows)), "optcg", catalogue).deck
    assert [(section, line.number, line.count) for section, line in deck.lines()] == [
        ("leader", "OP15-058", 1),
        ("main", "OP12-071", 4),
        ("main", "OP15-061", 3),
    ]


@pytest.mark.parametrize("name", ["Mr.9", "Mr. 9", "Ｍｒ．９"])
def test_blanks_behind_dots_make_no_other_name(catalogue, name):
    assert {card.number for card in catalogue.by_name(name)} == {"EB01-037", "OP14-095"}


def test_searches_find_them(catalogue):
    assert catalogue.by_number(NAMI) in catalogue.search("ナミ").cards
    assert catalogue.search("Kidd et").cards


def test_sheets_print_them_where_asked(judge):
    verdict = judge(Deck(main=(Line(NAMI, 4),)))
    person = Registration.read({"player": "Last, First"})
    printed = {names: sheet(person, verdict, names).sections[0].entries[0].name for names in ("", "ja", "fr")}
    assert printed == {"": "Nami", "ja": "ナミ (Nami)", "fr": "Nami"}


def test_games_without_such_a_table_have_none():
    for game in ("bos", "gundam", "../facts/optcg", ""):
        assert foreign_names.load_names(game) == {}
    assert foreign_names.languages() == ("fr", "ja", "zh")


@pytest.mark.parametrize("code", SOURCES)
def test_what_ships_is_what_the_source_says(catalogue, code):
    with shared_path(f"data/optcg/names/{SOURCES[code]}.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["number"]: row["name"] for row in csv.DictReader(file)}
    table, english = foreign_names.load_names("optcg"), {card.number: card.name for card in catalogue}
    assert {number: names[code] for number, names in table.items() if code in names} == {
        number: name for number, name in rows.items() if name != english.get(number)
    }


@pytest.mark.slow
@pytest.mark.parametrize("code", ["ja", "fr", "zh"])
def test_real_lists_by_number_and_name_are_the_same_decks(judge, code):
    with shared_path("decks/optcg_decks.jsonl").open(encoding="utf-8") as file:
        decks = [json.loads(line) for line in file][::3][:300]
    assert len(decks) == 300
    for one in decks:
        held = [(line["number"], line["count"]) for line in one["lines"]]
        leader = [(one["leader"], 1)] if one["leader"] else []
        plain = "\n".join(f"{count} {number}" for number, count in leader + held)
        named = "\n".join(f"{count} {number} {_name(judge, number, code)}" for number, count in leader + held)
        before, after = (judge(parse(text, "optcg", judge.catalogue).deck) for text in (plain, named))
        assert after.deck_hash == before.deck_hash, one["id"]
        assert after.codes == before.codes, one["id"]


def _name(judge, number, code):
    card = judge.catalogue.by_number(number)
    return foreign_names.foreign_names_of(card).get(code, card.name) if card else ""
