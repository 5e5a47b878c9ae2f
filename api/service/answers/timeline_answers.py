"""Timelines as they are asked for: over which days, and the answer as JSON."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any, NamedTuple

from api.service.errors import Invalid, Wrong
from api.service.judges import Judges, given
from api.service.requests import TimelineRequest
from validator import limits
from validator.calendar import LAST_DAY, Calendar
from validator.language import ENGLISH, Language
from validator.legalities import Legality, legalities
from validator.outlook import headline
from validator.rules import Policy
from validator.timeline import Timeline, timeline

_AHEAD = 2  # years


class Outlook(NamedTuple):
    """A deck over a range of days, as seen from the day `on`, and where else it is legal on that day."""

    on: date
    timeline: Timeline
    where: list[Legality]
    known_to: date | None
    made_with: dict[str, Any]
    deck_hash: str

    @property
    def headline(self) -> str:
        """How long the deck is legal, and what ends that."""
        return self.told(ENGLISH)

    def told(self, say: Language) -> str:
        """Return in a language how long the deck is legal, and what ends that."""
        return headline(self.timeline, self.on, say)

    @property
    def legal(self) -> bool:
        """Whether the deck is legal on the day; False outside of the range."""
        found = self.timeline.on(self.on)
        return found is not None and found.legal

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form (CONTRACT `POST /v1/timeline`)."""
        calendar, ahead = self.timeline.calendar, self.timeline.ahead(self.on)
        return {
            "headline": self.told(say),
            "on": self.on.isoformat(),
            "ahead": [change.as_dict(say) for one in ahead for change in one.changes],
            "intervals": [one.as_dict(say) for one in self.timeline.intervals],
            "where": [one.as_dict() for one in self.where],
            "ruleset": calendar.edition,
            "format": calendar.format,
            "region": calendar.region,
            **({"best_of": calendar.best_of} if calendar.best_of else {}),
            "known_to": self.known_to.isoformat() if self.known_to else None,
            "catalogue": self.made_with["catalogue"],
            "deck_hash": self.deck_hash,
        }


def outlook(judges: Judges, request: TimelineRequest) -> Outlook:
    """Return what a request asks for; Invalid points at what cannot be had."""
    request = judges.settled(request)
    on = request.asked.on or judges.today()
    judge = judges.judge(request.asked._replace(on=on))
    terms, policy = judge.terms, request.asked.policy or Policy()
    calendar = Calendar(terms.ruleset.game, terms.region, terms.format, policy, request.asked.ruleset, terms.best_of)
    verdict = judge(given(request.deck, request.decklist, judge.catalogue))
    deck, (first, last) = verdict.facts.deck, _range(request, calendar, on)
    found = timeline(deck, calendar, partial(judges.of_day, calendar), first, last)
    where = legalities(deck, calendar.game, on, judges.of_day, policy, terms.best_of)
    known_to = limits.load(calendar.game).known_to if policy.limits else None
    return Outlook(on, found, where, known_to, dict(judge.made_with), verdict.deck_hash)


def _range(request: TimelineRequest, calendar: Calendar, on: date) -> tuple[date, date]:
    """Return the first and the last day: by default the game's first day, and two years from the day that counts."""
    for pointer, day in (("/on", on), ("/from", request.first), ("/until", request.last)):
        if day and day > LAST_DAY:
            raise Invalid([Wrong(pointer, f"Write a date to {LAST_DAY}.")])
    first = request.first or min(filter(None, (calendar.first_day, on, request.last)))
    last = request.last or min(_later(max(on, first), _AHEAD), LAST_DAY)
    if first > last:
        raise Invalid([Wrong("/until", f"This is before the first day, {first}.")])
    return first, last


def _later(day: date, years: int) -> date:
    """Return the same day some years later, the last of February for one that there is not then."""
    year = day.year + years
    return day.replace(year=year, day=28) if (day.month, day.day) == (2, 29) else day.replace(year=year)
