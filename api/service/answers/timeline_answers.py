"""Timelines: the range of days that a request names, and the answer as JSON."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Annotated, NamedTuple, NotRequired, TypedDict

from api.service.errors import Invalid, Wrong
from api.service.judges import Judges, request_deck
from api.service.requests import TimelineRequest
from validator.calendar import LAST_DAY, Calendar, ChangeJSON
from validator.field_docs import DayText, doc
from validator.judge import ON_IN_TIMEZONE, SnapshotJSON
from validator.language import ENGLISH, Language, phrase
from validator.legalities import Legality, LegalityJSON, legalities
from validator.rules import Policy
from validator.timeline import IntervalJSON, Timeline, outlook_sentence, timeline

_AHEAD = 2  # years


class TimelineAnswerJSON(TypedDict):
    """The legality of a deck over a range of days, as JSON.

    `on` may be outside of the range. `format` and `region` are keys, with defaults for omitted ones. `deck_hash` is the
    same for every spelling of the same cards and sections.
    """

    headline: Annotated[str, doc("A sentence on the days on which the deck is legal.")]
    on: Annotated[DayText, doc("The day from which the timeline looks ahead.")]
    timezone: NotRequired[Annotated[str, ON_IN_TIMEZONE]]
    ahead: Annotated[list[ChangeJSON], doc("The known changes after that day.")]
    intervals: Annotated[list[IntervalJSON], doc("All days of the range, without a gap.")]
    where: Annotated[
        list[LegalityJSON], doc("Every region and format of the game on that day, by the edition of the day.")
    ]
    ruleset: Annotated[str | None, doc("The edition in the request. null: each edition on its own days.")]
    format: str
    region: str
    best_of: NotRequired[Annotated[int, doc("The most games of a match, if the request has it.")]]
    known_to: Annotated[DayText | None, doc("The last day whose announcements are in the limits list.")]
    catalogue: SnapshotJSON
    deck_hash: str


class Outlook(NamedTuple):
    """The legality of a deck over a range of days, as seen from the day `on`, which may be outside of the range.

    `where` has the legality on that day in every region and format. `known_to` is the last day whose announcements are
    in the limits list. None if lists are ignored or that day is not known. `timezone` is that of `on`, None if the
    request names the day or the zone is that of this machine.
    """

    on: date
    timeline: Timeline
    where: list[Legality]
    known_to: date | None
    catalogue: SnapshotJSON
    timezone: str | None
    deck_hash: str

    def headline(self, translate: Language) -> str:
        """Return a sentence in a language on the days on which the deck is legal, and on the reason for their end."""
        return outlook_sentence(self.timeline, self.on, translate)

    @property
    def legal(self) -> bool:
        """True if the deck is legal on the day `on`. False also if that day is outside the range."""
        interval = self.timeline.on(self.on)
        return interval is not None and interval.legal

    def as_json(self, translate: Language = ENGLISH) -> TimelineAnswerJSON:
        """Return the answer of `POST /v1/timeline` as JSON, with sentences in a language.

        The keys `timezone` and `best_of` are left out if Outlook has no time zone, or the terms no match length.
        """
        calendar, ahead = self.timeline.calendar, self.timeline.ahead(self.on)
        answer: TimelineAnswerJSON = {
            "headline": self.headline(translate),
            "on": self.on.isoformat(),
            "ahead": [change.as_dict(translate) for interval in ahead for change in interval.changes],
            "intervals": [interval.as_dict(translate) for interval in self.timeline.intervals],
            "where": [legality.as_dict() for legality in self.where],
            "ruleset": calendar.edition,
            "format": calendar.format,
            "region": calendar.region,
            "known_to": self.known_to.isoformat() if self.known_to else None,
            "catalogue": self.catalogue,
            "deck_hash": self.deck_hash,
        }
        if self.timezone:
            answer["timezone"] = self.timezone
        if calendar.best_of:
            answer["best_of"] = calendar.best_of
        return answer


def outlook(judges: Judges, request: TimelineRequest) -> Outlook:
    """Return the timeline of a request's deck, with its legality in each region and format on the day of the request.

    The cards determine the game if the request names no game and no ruleset. Raises Invalid, with a pointer to the
    field, if the terms or the range of days are wrong, if the text cannot be read, or if the game is not clear.
    """
    request = judges.with_game(request)
    judge = judges.judge(request.asked)
    day = judge.terms.on
    terms, policy = judge.terms, request.asked.policy or Policy()
    calendar = Calendar(
        terms.ruleset.game,
        terms.region,
        terms.format,
        policy,
        request.asked.ruleset,
        terms.best_of,
        terms.lists,
    )
    verdict = judge(request_deck(request.deck, request.decklist, judge.catalogue))
    deck, (first, last) = verdict.facts.deck, _day_range(request, calendar, day)
    found = timeline(deck, calendar, partial(judges.judge_of_day, calendar), first, last)
    where = legalities(deck, terms.lists, day, judges.judge_of_day, policy, terms.best_of)
    known_to = terms.lists.listed.known_to if policy.limits else None
    made_with = judge.made_with
    catalogue, timezone = made_with["catalogue"], made_with.get("timezone")
    return Outlook(day, found, where, known_to, catalogue, timezone, verdict.deck_hash)


def _day_range(request: TimelineRequest, calendar: Calendar, verdict_day: date) -> tuple[date, date]:
    """Return `(first day, last day)` of a timeline. `verdict_day` is the day from which the timeline looks ahead.

    The default first day is the earliest of the first known day of the calendar, the verdict day and the last day of
    the request. The default last day is two years after the later of verdict day and first day, at most LAST_DAY.
    Raises Invalid if one of the three days is after LAST_DAY, or if the last day is before the first.
    """
    for pointer, day in (("/on", verdict_day), ("/from", request.first), ("/until", request.last)):
        if day and day > LAST_DAY:
            raise Invalid([Wrong(pointer, phrase("Write a date up to {last}.", last=LAST_DAY.isoformat()))])
    first = request.first or min(filter(None, (calendar.first_day, verdict_day, request.last)))
    last = request.last or min(_years_later(max(verdict_day, first), _AHEAD), LAST_DAY)
    if first > last:
        raise Invalid([Wrong("/until", phrase("This is before the first day, {first}.", first=first.isoformat()))])
    return first, last


def _years_later(day: date, years: int) -> date:
    """Return the same day some years later. 29 February always becomes the 28th."""
    year = day.year + years
    return day.replace(year=year, day=28) if (day.month, day.day) == (2, 29) else day.replace(year=year)
