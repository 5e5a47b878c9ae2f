"""The time of a timeline and the number of its judgements: `python -m tests.benchmarks.timeline`.

The decks are real lists of the shared data. Without that data they are made of invented cards. The Judges are those of
a caller with a cache: each is compiled and has judged the decks before anything is timed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from carddb.catalogue import Catalogue
from tests.benchmarks.judge import SHARED, best_times, invented_decks, real_decks
from validator import Deck, Judge
from validator.calendar import Calendar
from validator.limits import shipped_lists
from validator.timeline import timeline

FIRST, LAST = date(2017, 1, 1), date(2028, 12, 31)
MOST_DECKS = 100
CALENDARS = (Calendar("optcg"), Calendar("optcg", format="extra"), Calendar("optcg", "jp"))


def main() -> None:
    """Print milliseconds for one judgement and for a timeline, and their ratio."""
    catalogue, decks = real_decks() if SHARED.exists() else invented_decks()
    some = decks[:: max(1, len(decks) // MOST_DECKS)]
    for calendar in CALENDARS:
        _measure(calendar, _with_release_days(catalogue), some)


def _with_release_days(catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with the release days of its cards, which are those of their sets."""
    sets = shipped_lists("optcg").sets
    cards = (replace(card, released=sets.first_english_day(card.number)) for card in catalogue)
    return Catalogue("optcg", "benchmark", cards)


def _measure(calendar: Calendar, catalogue: Catalogue, decks: Sequence[Deck]) -> None:
    judge_on = lru_cache(None)(lambda day: Judge(calendar.of_lists.terms(day), catalogue))
    today = Judge(calendar.terms(date(2026, 11, 22)), catalogue)
    once, lasting = best_times(
        lambda: [today(deck) for deck in decks],
        lambda: [timeline(deck, calendar, judge_on, FIRST, LAST) for deck in decks],
    )
    print(f"{calendar.format}, {calendar.region}: {len(decks)} decks, {len(calendar.events(FIRST, LAST))} events")
    print(f"  one judgement: {once / len(decks) * 1000:8.3f} ms")
    print(f"  timeline:      {lasting / len(decks) * 1000:8.3f} ms (wanted: 3 at most)")
    print(f"  ratio:         {lasting / once:8.1f}")


if __name__ == "__main__":
    main()
