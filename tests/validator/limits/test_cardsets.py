"""Card sets: when a number came out and which block it belongs to."""

import csv
from datetime import date

import pytest

from tests.shared import shared_path
from validator.limits import cardsets, shipped_lists


class TestOnePiece:
    @pytest.mark.parametrize(
        ("number", "packs", "released"),
        [
            ("OP01-001", (), "2022-12-02"),
            ("OP01-001", ("569301",), "2022-12-02"),  # reprinted later
            ("EB04-001", ("569115", "569114"), "2026-01-16"),
            ("EB04-001", ("569115",), "2026-04-03"),
            ("EB04-001", ("569901",), None),
            ("EB04-001", (), None),
            ("EB05-001", (), "2026-10-30"),
            ("OP18-001", (), "2026-11-20"),
            ("P-001", ("569901", "569301"), None),  # a booster that reprints a promo does not date it
            ("OP99-001", ("569101",), None),
        ],
    )
    def test_release_of_a_number(self, number, packs, released):
        assert shipped_lists("optcg").sets.first_english_day(number, packs) == released

    @pytest.mark.parametrize(
        ("number", "block"), [("OP05-001", "2"), ("ST21-001", "3"), ("OP18-001", None), ("P-001", None)]
    )
    def test_block_of_a_number(self, number, block):
        assert shipped_lists("optcg").sets.block(number) == block

    def test_every_set_is_there(self):
        with shared_path("data/optcg/sets.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        found = shipped_lists("optcg").sets.by_code
        assert len(found) == len(rows) == 61
        for row in rows:
            one = found[row["set_code"]]
            english = one.released.get("en")
            assert (english.day if english else "", one.block or "") == (row["release_en"], row["block"])
            assert set(one.released) <= {"en"}
            assert "|".join(one.packs) == row["pack_ids"]
            assert row["label"].startswith(one.label)


def test_a_game_without_a_file_has_no_sets():
    found = shipped_lists("bos").sets
    assert (found.first_english_day("AB01-001", ["1"]), found.block("AB01-001")) == (None, None)

    def test_a_day_cites_the_source_that_tells_it(self):
        cited = {
            number: shipped_lists("optcg").sets.release(number, "en", released).cite.document
            for number, released in (("OP13-001", "2025-11-07"), ("OP15-001", "2026-04-03"), ("EB04-001", "2026-04-03"))
        }
        assert cited == {
            "OP13-001": "TCGplayer presaleInfo.releasedOn (North America)",
            "OP15-001": "Official product pages, as quoted in October 2026",
            "EB04-001": "Official product pages, as quoted in October 2026",
        }

    def test_a_day_that_only_the_catalogue_tells_cites_the_catalogue(self):
        found = shipped_lists("optcg").sets.release("OP15-001", "en", "2026-04-02")
        assert (found.day, found.cite.document) == ("2026-04-02", "Card catalogue")

    def test_without_a_day_in_the_region_there_is_no_release(self):
        assert shipped_lists("optcg").sets.release("OP15-001", "jp", "2026-04-03") is None
        assert shipped_lists("optcg").sets.release("P-001", "en") is None
        assert shipped_lists("optcg").sets.release_source("jp") is None


@pytest.mark.parametrize("game", ["dbs", "optcg"])
def test_a_day_is_of_a_region_that_the_limits_list_knows(game):
    assert {region for one in shipped_lists(game).sets.by_code.values() for region in one.released} <= set(
        shipped_lists(game).listed.regions
    )


def test_a_day_of_the_dragon_ball_list_cites_the_list():
    found = shipped_lists("dbs").sets.release("BT1-001", "en", "2017-07-28")
    assert (found.cite.document, found.cite.section) == ("Official card list", "Available in tournaments")


# Invented sets, sold by an invented shop in each of two regions.
SHOPS = {"shop": {"region": "en", "title": "A shop"}, "mise": {"region": "jp", "title": "A shop in Japan"}}


def of_two_regions():
    days = {
        "AB01": {"label": "Later", "released": {"shop": date(2026, 2, 1), "mise": date(2025, 11, 1)}, "packs": ["1"]},
        "AB02": {"label": "Earlier", "released": {"shop": date(2026, 1, 1)}, "packs": ["1"]},
        "AB03": {"label": "Undated", "packs": ["1"]},
    }
    return cardsets.parse({"game": "ab", "notes": [], "sources": SHOPS, "sets": days})


def test_a_pack_of_two_dated_sets_is_as_old_as_the_older():
    assert of_two_regions().first_english_day("AB03-001", ["1"]) == "2026-01-01"


def test_every_region_has_its_own_days():
    found = of_two_regions()
    days = {code: found.release(f"{code}-001", "jp", "2026-02-01") for code in ("AB01", "AB02", "AB03")}
    assert {code: release and release.day for code, release in days.items()} == {
        "AB01": "2025-11-01",
        "AB02": "2025-11-01",  # by its pack
        "AB03": "2025-11-01",
    }
    assert days["AB01"].cite.document == found.release_source("jp").document == "A shop in Japan"
    assert found.release("AB01-001", "en", "2026-02-01").cite.document == "A shop"
