"""Block rotation: what each format takes on a day, and which block a card number belongs to."""

import csv
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared import shared_path
from validator.findings import Citation, ListEntry
from validator.limits import shipped_lists

EVE, FIRST = date(2026, 3, 31), date(2026, 4, 1)


@pytest.fixture(scope="module")
def optcg():
    return shipped_lists("optcg").rotation


class TestFormats:
    def test_before_the_first_rotation_both_formats_take_every_block(self, optcg):
        assert optcg.legal_blocks("standard", EVE) is None
        assert optcg.legal_blocks("extra", EVE) is None

    @pytest.mark.parametrize(
        ("day", "blocks"),
        [
            (FIRST, "2345X"),
            (date(2027, 3, 31), "2345X"),
            (date(2027, 4, 1), "3456X"),
            (date(2028, 3, 31), "3456X"),
            (date(2029, 4, 1), "5678X"),
        ],
    )
    def test_each_april_one_block_leaves_standard_and_one_joins(self, optcg, day, blocks):
        assert optcg.legal_blocks("standard", day) == set(blocks)

    def test_extra_takes_every_block(self, optcg):
        assert optcg.legal_blocks("extra", date(2030, 1, 1)) is None

    def test_an_unknown_format_is_refused_with_the_known_ones(self, optcg):
        with pytest.raises(ValueError, match=r"'legacy'.*standard, extra"):
            optcg.legal_blocks("legacy", FIRST)

    def test_standard_is_meant_where_no_format_is_named(self, optcg):
        assert optcg.default_format == "standard"

    def test_the_limits_list_serves_the_same_formats(self, optcg):
        assert tuple(optcg.formats) == shipped_lists("optcg").listed.formats

    @pytest.mark.parametrize("game", ["dbs", "bos", "unheard-of"])
    def test_other_games_have_no_rotation(self, game):
        assert shipped_lists(game).rotation is None


class TestBlocks:
    @pytest.mark.parametrize(
        ("number", "icon", "day", "block"),
        [
            ("OP05-001", "1", FIRST, "2"),  # the set's block, where the icon on the list is wrong
            ("OP15-096", "-", FIRST, "4"),
            ("OP01-120", "1", FIRST, "X"),  # Super Parallel
            ("OP01-120", "1", EVE, "1"),
            ("OP01-039", "1", EVE, "1"),
            ("OP01-039", "1", FIRST, "4"),
            ("OP01-039", "1", date(2029, 3, 31), "4"),
            ("OP01-039", "1", date(2029, 4, 1), "1"),
            ("OP04-016", "1", date(2029, 4, 1), "4"),  # updated for good besides
            ("EB04-061", "4", EVE, "X"),
            ("P-001", "1", FIRST, "1"),
            ("P-001", "X", FIRST, "X"),
            ("P-001", "-", FIRST, None),
            ("P-001", None, FIRST, None),
            ("OP18-001", "6", FIRST, "6"),  # a set whose block is not known yet
            ("OP05-001", "X", FIRST, "X"),
        ],
    )
    def test_of_a_number(self, optcg, number, icon, day, block):
        assert optcg.block_of(number, icon, day) == block

    def test_there_are_fifty_five_exceptions_for_fifty_three_numbers(self, optcg):
        assert len(optcg.exceptions) == 53
        assert sum(map(len, optcg.exceptions.values())) == 55

    def test_every_exception_is_on_the_official_lists(self, optcg):
        with shared_path("data/optcg/standard_exceptions.csv").open(encoding="utf-8", newline="") as file:
            listed = {tuple(row.values())[:7] for row in csv.DictReader(file)}
        assert listed == {
            (
                one.number,
                one.name,
                one.section,
                one.block,
                "" if one.legal_from == date.min else one.legal_from.isoformat(),
                "" if one.legal_to == date.max else one.legal_to.isoformat(),
                one.list_updated.isoformat(),
            )
            for several in optcg.exceptions.values()
            for one in several
        }

    def test_standard_takes_the_numbers_that_a_deck_site_takes(self, optcg):
        with shared_path("data/optcg/blocks_by_number.csv").open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if "legal" in row["limitless_standard_2026-07"]]
        assert len(rows) == 2630
        day = date(2026, 7, 15)
        allowed = optcg.legal_blocks("standard", day)
        for row in rows:
            block = optcg.block_of(row["card_number"], row["blocks_printed_by_site"], day)
            assert (block in allowed) == (row["limitless_standard_2026-07"] == "legal"), row


class TestSources:
    def test_a_rotated_card_is_cited_by_the_year_of_the_rotation(self, optcg):
        document = "ONE PIECE CARD GAME block rotation, in force from 2027-04-01"
        section = "Standard Regulation: blocks 3, 4, 5, 6"
        assert optcg.citation(date(2027, 12, 31)) == Citation(document, section)

    def test_a_rotation_year_ends_where_the_next_begins(self, optcg):
        source = "https://en.onepiece-cardgame.com/topics/013.php"
        assert optcg.entry(date(2027, 3, 31)) == ListEntry(source, "2025-07-23", "2026-04-01", "2027-03-31")
        assert optcg.entry(date(2027, 4, 1)).effective_from == "2027-04-01"
        assert optcg.entry(date.max).effective_to is None

    def test_there_is_nothing_to_cite_before_the_first_day(self, optcg):
        with pytest.raises(ValueError, match="2026-04-01"):
            optcg.citation(EVE)


class TestDates:
    def test_are_the_firsts_of_april(self, optcg):
        assert optcg.dates(EVE) == ()
        assert optcg.dates(date(2029, 12, 31)) == tuple(date(year, 4, 1) for year in range(2026, 2030))

    @given(st.dates(date(2020, 1, 1), date(2040, 1, 1)), st.sampled_from(["OP01-039", "OP01-016", "OP04-016"]))
    def test_between_them_nothing_changes(self, day, number):
        optcg = shipped_lists("optcg").rotation
        since = max(optcg.dates(day), default=date.min)
        assert optcg.legal_blocks("standard", since) == optcg.legal_blocks("standard", day)
        assert optcg.block_of(number, "1", since) == optcg.block_of(number, "1", day)
