"""Numbers: one official spelling for every way of writing them."""

import csv
import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared import shared_path
from validator.numbers import OFFICIAL, SHAPE, correct_number, count_by_game, games_of, normal


@pytest.mark.parametrize(
    ("written", "base", "suffix"),
    [
        ("OP01-016", "OP01-016", ""),
        ("OP01-016_p8", "OP01-016", "_p8"),
        ("OP01-016_P8", "OP01-016", "_p8"),
        ("OP01-016P1", "OP01-016", "_p1"),
        ("OP01-016AA", "OP01-016", "_AA"),
        ("OP01-016SP", "OP01-016", "_SP"),
        ("op01016", "OP01-016", ""),
        ("op01016_r1", "OP01-016", "_r1"),
        ("OP-01-016", "OP01-016", ""),
        ("OP1-16", "OP01-016", ""),
        ("OP01_016", "OP01-016", ""),
        (" OP01 - 016 ", "OP01-016", ""),
        ("ＯＰ０１－０１６", "OP01-016", ""),
        ("OP01\u2013016", "OP01-016", ""),
        ("OP01\u2010016\u00a0", "OP01-016", ""),
        ("OP01-016\u200b", "OP01-016", ""),
        ("OP01-016#402", "OP01-016", ""),
        ("PRB1-1", "PRB01-001", ""),
        ("p-1", "P-001", ""),
        ("P001", "P-001", ""),
        ("EX1-01", "EX01-01", ""),
        ("EX0318", "EX03-18", ""),
        ("XD01-01", "XD1-01", ""),
        ("SD01-01", "SD1-01", ""),
        ("SD1-001", "SD1-01", ""),
        ("BT01-005", "BT1-005", ""),
        ("bt2084", "BT2-084", ""),
        ("bt2-084_spr", "BT2-084", "_SPR"),
        ("BT2-084-SPR", "BT2-084", "_SPR"),
        ("BT2-084SPR", "BT2-084", "_SPR"),
        ("BT1-005_PR02", "BT1-005", "_PR02"),
        ("BT1-005_SPR_S", "BT1-005", "_SPR_S"),
        ("BT1-005_EP19", "BT1-005", "_EP19"),
        ("BT1-005_CM21_METAL_1ST", "BT1-005", "_CM21_METAL_1ST"),
        ("EB1-01", "EB1-01", ""),
        ("EB01-001", "EB01-001", ""),
        ("GD01-039", "GD01-039", ""),
        ("tk-01_pr", "TK-01", "_PR"),
    ],
)
def test_every_way_of_writing_a_number_has_one_spelling(written, base, suffix):
    assert normal(written) == (base, suffix)


@pytest.mark.parametrize(
    ("written", "game", "base"),
    [
        ("EB1-01", "optcg", "EB01-001"),
        ("EB01-001", "dbs", "EB1-01"),
        ("EB01-01", "dbs", "EB1-01"),
        ("P-001", "dbs", "P-001"),
        ("P-001", "optcg", "P-001"),
        ("ST16-03", "dbs", "ST16-03"),
        ("ST16-03", "optcg", "ST16-003"),
        ("BT01-005", "optcg", "BT01-005"),
        ("BT01-005", "bos", "BT01-005"),
    ],
)
def test_the_game_decides_codes_that_games_share(written, game, base):
    assert normal(written, game)[0] == base


@pytest.mark.parametrize("text", ["", "Nami", "Planet M-2 ", "OP01-016 Nami", "OP1016", "P-001-002", "-", "_p1", "#1"])
def test_what_is_no_number_comes_back_in_capitals(text):
    base, suffix = normal(text)
    assert suffix == ""
    assert base == " ".join(text.upper().split())


def _printings():
    with shared_path("data/dbs/cards_merged.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for printing in re.split(r"[;|/, ]+", row["printings"]):
                yield "dbs", printing, row["number"]
    with shared_path("data/dbs/catalogue.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield "dbs", row["number"], row["number"]
    for card in json.loads(shared_path("data/optcg/cards_en_printings.json").read_text(encoding="utf-8")):
        yield "optcg", card["id"], card["number"]


@pytest.mark.parametrize("written", ["OP10-0112", "OP10-011\u2084", "OP10-011\u00b2", "P-0012"])
def test_of_a_digit_too_many_nobody_guesses_which(written):
    assert normal(written, "optcg")[0] not in ("OP10-011", "OP10-112", "OP10-114", "P-001", "P-012")


@pytest.mark.slow
def test_every_real_printing_has_its_base_number():
    seen = 0
    for game, printing, number in _printings():
        base, suffix = normal(printing, game)
        assert (base, base + suffix) == (number, printing)
        assert normal(printing) == (base, suffix)
        assert normal(printing.lower(), game) == (base, suffix)
        assert OFFICIAL[game].fullmatch(number)
        assert re.fullmatch(SHAPE, printing, re.IGNORECASE)
        seen += 1
    assert seen > 18_000


@pytest.mark.parametrize(
    ("game", "numbers", "others"),
    [
        ("optcg", "OP01-001 ST01-001 EB01-001 PRB01-001 P-001", "OP1-001 ST1-001 EB1-001 P1-001 P-01 OP01-01"),
        ("dbs", "BT1-001 BT12-001 TB1-001 DB1-001 EB1-01 SD1-01 XD1-01 EX01-01 P-001", "BT-001 EX1-01 SD-01 P1-001"),
        (
            "fusion",
            "FB01-001 SB01-001 ST01-001 FS01-01 FP-001 E-01",
            "FB1-001 FB01-01 FB01-0001 FS1-01 FS01-001 FP1-001 E1-01",
        ),
        ("gundam", "GD01-001 ST01-001 EB01-001 R-001 RP-001 T-001", "GD1-001 ST1-001 R1-001 R-01 T1-001 EXB1-001"),
    ],
)
def test_the_digits_of_the_sets_of_a_game(game, numbers, others):
    assert [number for number in numbers.split() if not OFFICIAL[game].fullmatch(number)] == []
    assert [number for number in others.split() if OFFICIAL[game].fullmatch(number)] == []


@pytest.mark.parametrize(("text", "number"), [("Player 002", None), ("4 R 001", "R 001"), ("TK 001", "TK 001")])
def test_a_number_without_a_dash_begins_a_word(text, number):
    found = re.search(SHAPE, text, re.IGNORECASE | re.ASCII)
    assert (found and found[0]) == number


GAMES = st.sampled_from([None, "dbs", "optcg", "bos"])
NUMBERISH = st.from_regex(
    r"\A *[A-Za-z]{1,4}[-_ ]?[0-9]{0,4}[-\u2013_ ]?[0-9]{0,5}([-_ ]?[A-Za-z0-9]{1,4}){0,3}#?[0-9]{0,2}\Z"
)


@given(st.one_of(st.text(), NUMBERISH), GAMES)
def test_normalising_twice_changes_nothing(text, game):
    base, suffix = normal(text, game)
    assert normal(base, game) == (base, "")
    assert normal(base + suffix, game) == (base, suffix)


def test_every_character_is_folded_for_good():
    changing = [c for c in map(chr, range(0x20000)) if c != unicodedata.normalize("NFKC", c).upper()]
    assert len(changing) > 5_000
    for character in changing:
        base, _ = normal(character)
        assert normal(base) == (base, "")


DBS, DIGIMON, GUNDAM, PIRATES = "Dragon Ball Super", "Digimon Card Game", "GUNDAM CARD GAME", "ONE PIECE"
FUSION = f"{DBS} Card Game Fusion World"


@pytest.mark.parametrize(
    ("number", "games"),
    [
        ("OP1-16", (PIRATES,)),
        ("BT1-5", (DBS,)),
        ("P-001", (DBS, PIRATES, DIGIMON)),
        ("p 001", (DBS, PIRATES)),
        ("BT1-005", (DBS, DIGIMON)),
        ("BT01-005", (DBS,)),
        ("EB01-001", (DBS, GUNDAM, PIRATES)),
        ("LM-001", (DIGIMON,)),
        ("LM-01", ()),
        ("LM-001_P1", (DIGIMON,)),
        ("FS01-01", (FUSION,)),
        ("RB10-001", (DIGIMON,)),
        ("RB0-001", ()),
        ("ST1-01", (FUSION, GUNDAM, PIRATES, DIGIMON)),
        ("ST01-01", (FUSION, GUNDAM, PIRATES)),
        ("XX1-001", ()),
        ("Nami", ()),
    ],
)
def test_the_games_of_a_number(number, games):
    assert games_of(number) == games
    assert set(count_by_game([number, number]).items()) == {(game, 2) for game in games}


@pytest.mark.parametrize(
    ("written", "corrected"),
    [
        ("OP13-OO2", "OP13-002"),
        ("0P01-0I6", "OP01-016"),
        ("opI3-0L2", "OP13-012"),
        ("OP01-016", "OP01-016"),
        ("OP01-016_p1", "OP01-016_p1"),
        ("Nami", "Nami"),
    ],
)
def test_letters_typed_for_digits_are_corrected(written, corrected):
    assert correct_number(written) == corrected
