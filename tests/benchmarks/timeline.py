"""How long a timeline takes, and in how many judgements: `python -m tests.benchmarks.timeline`.

The decks are real lists where the shared data is at hand, else made of invented cards. The Judges are those that a
caller keeps: each is compiled and has met the decks before anything is timed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from carddb.catalogue import Catalogue
from tests.benchmarks.judge import SHARED, made, paired, real
from validator import Deck, Judge, limits
from validator.calendar import Calendar
from validator.timeline import timeline

FIRST, LAST = date(2017, 1, 1), date(2028, 12, 31)
MOST_DECKS = 100
CALENDARS = (Calendar("optcg"), Calendar("optcg", format="extra"), Calendar("optcg", "jp"))


def main() -> None:
    """Print milliseconds for one judgement and for a timeline, and their ratio."""
    catalogue, decks = real() if SHARED.exists() else made()
    some = decks[:: max(1, len(decks) // MOST_DECKS)]
    for calendar in CALENDARS:
        _measure(calendar, _dated(catalogue), some)


def _dated(catalogue: Catalogue) -> Catalogue:
    """The same cards with the first days of their sets."""
    sets = limits.sets("optcg")
    cards = (replace(card, released=sets.first_english_day(card.number)) for card in catalogue)
    return Catalogue("optcg", "benchmark", cards)


def _measure(calendar: Calendar, catalogue: Catalogue, decks: Sequence[Deck]) -> None:
    judge_on = lru_cache(None)(lambda day: Judge(calendar.of_lists.terms(day), catalogue))
    today = Judge(calendar.terms(date(2026, 11, 22)), catalogue)
    once, lasting = paired(
        lambda: [today(deck) for deck in decks],
        lambda: [timeline(deck, calendar, judge_on, FIRST, LAST) for deck in decks],
    )
    print(f"{calendar.format}, {calendar.region}: {len(decks)} decks, {len(calendar.events(FIRST, LAST))} events")
    print(f"  one judgement: {once / len(decks) * 1000:8.3f} ms")
    print(f"  timeline:      {lasting / len(decks) * 1000:8.3f} ms (wanted: 3 at most)")
    print(f"  ratio:         {lasting / once:8.1f}")


if __name__ == "__main__":
    main()
