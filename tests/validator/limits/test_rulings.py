"""Rulings tell what each change made of each card, and a comparison what two days have other."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from validator.games import GAMES
from validator.limits import shipped_lists
from validator.limits.lists import compare_lists

LISTS = [(game, region) for game in GAMES for region in shipped_lists(game).listed.regions]
FAR = date(2030, 1, 1)
DAY = timedelta(days=1)


def summarise_rulings(game, number, region="en"):
    """Return the day, the limit before and the limit after each ruling on a card."""
    found = [one for one in shipped_lists(game).listed.rulings(region) if number in one.numbers]
    return [(one.change.day.isoformat(), one.before, one.limit) for one in found]


def test_a_card_is_followed_from_change_to_change():
    assert summarise_rulings("optcg", "OP05-041") == [("2024-06-21", None, 0), ("2025-08-30", 0, None)]
    assert summarise_rulings("optcg", "OP02-004") == [("2023-07-28", None, 1), ("2023-12-08", 1, None)]
    assert summarise_rulings("optcg", "OP02-024", "jp") == [("2023-04-01", None, 0)]
    assert summarise_rulings("optcg", "OP01-999") == []


def test_a_pair_is_of_both_its_cards():
    assert summarise_rulings("optcg", "OP07-115") == summarise_rulings("optcg", "EB04-058") == [("2026-04-10", None, 0)]


def test_a_region_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="unknown region 'mars'"):
        shipped_lists("optcg").listed.rulings("mars")


@pytest.mark.parametrize(("game", "region"), LISTS)
def test_the_rulings_up_to_a_day_make_the_list_of_that_day(game, region):
    listed = shipped_lists(game).listed
    for day in (*listed.dates(region), FAR):
        standing = {}
        for ruling in listed.rulings(region):
            if ruling.change.day <= day:
                assert standing.get(ruling.numbers) == ruling.before
                standing[ruling.numbers] = ruling.limit
        certain = {
            numbers: entry.limit
            for numbers, entry in listed.in_force_on(day, region).entries.items()
            if entry.severity == "error"
        }
        assert {numbers: limit for numbers, limit in standing.items() if limit is not None} == certain


@pytest.mark.parametrize(("game", "region"), LISTS)
def test_from_the_first_day_to_the_last_everything_in_force_is_new(game, region):
    listed = shipped_lists(game).listed
    before, after = listed.in_force_on(date(2000, 1, 1), region), listed.in_force_on(FAR, region)
    found = compare_lists(before, after)
    assert {one.numbers: one.after for one in found} == dict(after.entries)
    assert all(one.before is None for one in found)
    assert compare_lists(after, after) == []


def test_two_days_differ_in_what_was_ruled_between_them():
    listed, first = shipped_lists("optcg").listed, date(2026, 3, 31)
    found = compare_lists(listed.in_force_on(first), listed.in_force_on(first + DAY))
    assert {one.numbers[0] for one in found if one.after is None} == {
        "EB01-059", "OP02-024", "OP02-117", "OP03-098", "OP07-045", "ST06-015"
    }  # fmt: skip
    assert [(one.numbers, one.names, one.after.limit) for one in found if one.before is None] == [
        (("OP06-047",), ("Charlotte Pudding",), 0)
    ]
