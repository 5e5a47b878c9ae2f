"""Timelines of real deck lists: what they say of a day is what the Judge of that day says."""

from datetime import date, timedelta
from functools import lru_cache

import pytest

from tests.test_real_decks import lists, make_deck
from validator import Judge
from validator.calendar import Calendar
from validator.timeline import outlook_sentence, timeline

pytestmark = pytest.mark.slow

FIRST, LAST = date(2017, 1, 1), date(2027, 12, 31)
STEP = 41  # days; the edges of all intervals come besides
CALENDARS = [Calendar("optcg"), Calendar("optcg", format="extra"), Calendar("optcg", "jp"), Calendar("dbs")]


@pytest.mark.parametrize("calendar", CALENDARS, ids=lambda one: f"{one.game}-{one.region}-{one.format}")
def test_a_day_of_a_timeline_says_what_the_judge_of_the_day_says(library, calendar):
    catalogue = library.catalogue(calendar.game)
    found = lists(f"decks/{calendar.game}_decks.jsonl")
    decks = [make_deck(one, catalogue) for one in found[:: len(found) // 15]]
    of_lists = lru_cache(None)(lambda day: Judge(calendar.of_lists.terms(day), catalogue))
    timelines = [timeline(one, calendar, of_lists, FIRST, LAST) for one in decks]
    edges = {day for one in timelines for interval in one.intervals for day in (interval.first, interval.last)}
    every = {FIRST + timedelta(days=n) for n in range(0, (LAST - FIRST).days, STEP)}
    for day in sorted(edges | every):
        judge = Judge(calendar.terms(day), catalogue)
        for written, one in zip(decks, timelines, strict=True):
            verdict, interval = judge(written), one.on(day)
            assert interval.legal == verdict.legal
            assert interval.codes == list(dict.fromkeys(verdict.codes))
            assert [(one.code, one.cards) for one in interval.findings] == [
                (one.code, one.cards) for one in verdict.found
            ]
    assert {outlook_sentence(one, LAST)[:5] for one in timelines} <= {"Legal", "Not l"}
    assert any(len(one.intervals) > 5 for one in timelines) or calendar.region == "jp"
