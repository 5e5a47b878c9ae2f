"""Card sets: when a number came out and which block it belongs to."""

import csv
from datetime import date

import pytest

from tests.shared import shared
from validator.limits import cardsets
from validator.limits import sets


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
        assert sets("optcg").released(number, packs) == released

    @pytest.mark.parametrize(
        ("number", "block"), [("OP05-001", "2"), ("ST21-001", "3"), ("OP18-001", None), ("P-001", None)]
    )
    def test_block_of_a_number(self, number, block):
        assert sets("optcg").block(number) == block

    def test_every_set_is_there(self):
        with shared("data/optcg/sets.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        found = sets("optcg").by_code
        assert len(found) == len(rows) == 61
        for row in rows:
            one = found[row["set_code"]]
            assert (one.released or "", one.block or "") == (row["release_en"], row["block"])
            assert "|".join(one.packs) == row["pack_ids"]
            assert row["label"].startswith(one.label)


def test_a_game_without_a_file_has_no_sets():
    found = sets("bos")
    assert (found.released("AB01-001", ["1"]), found.block("AB01-001")) == (None, None)


def test_a_pack_of_two_dated_sets_is_as_old_as_the_older():
    document = {
        "game": "ab",
        "notes": [],
        "sources": {"shop": "A shop"},
        "sets": {
            "AB01": {"label": "Later", "released": date(2026, 2, 1), "source": "shop", "packs": ["1"]},
            "AB02": {"label": "Earlier", "released": date(2026, 1, 1), "source": "shop", "packs": ["1"]},
            "AB03": {"label": "Undated", "packs": ["1"]},
        },
    }
    assert cardsets.parse(document).released("AB03-001", ["1"]) == "2026-01-01"
