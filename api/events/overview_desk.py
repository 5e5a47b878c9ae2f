"""The overview desk: the numbers of an event and what its staff do next.

Called by the event's page and by `GET /v1/events/{id}/overview`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, TypedDict

from api.events.bounds import MOST_REVISIONS
from api.events.event_answers import deadline
from api.events.event_json import DeadlineJSON
from api.events.look_turns import limited_concurrency
from api.events.players.attendance import count_lists
from api.events.players.expected_players import absent
from api.events.registration_desk import EventAccess, RegistrationDesk, reply, verdict_on
from api.events.storage.idempotency import Reply
from api.events.tournament import PUBLIC
from api.service.answers.json_schema import doc

# The next steps, in the order of an event.
PRINT_FLYER, REMIND_PLAYERS, REVIEW_LISTS = "print_flyer", "remind_players", "review_lists"
DRAW_CHECKS, PUBLISH_LISTS, EXPORT_EVENT = "draw_deck_checks", "publish_lists", "export_event"
STEPS = (PRINT_FLYER, REMIND_PLAYERS, REVIEW_LISTS, DRAW_CHECKS, PUBLISH_LISTS, EXPORT_EVENT)


class EventNumbersJSON(TypedDict):
    registered: int
    received: Annotated[int, doc("Registrations with a list.")]
    missing: Annotated[int, doc("Registrations without a list.")]
    not_registered: Annotated[int, doc("Expected players who have not registered.")]
    not_legal: Annotated[int | None, doc("Lists that are not legal; null if the caller may not see all lists yet.")]
    duplicates: Annotated[int, doc("Registrations that do not count, because the player has another one that does.")]
    checks: Annotated[int, doc("Deck checks, drawn or begun.")]


class OverviewJSON(EventNumbersJSON):
    event: str
    deadline: DeadlineJSON
    next_step: Annotated[str, doc(enum=STEPS)]


class OverviewDesk:
    """Counts the registrations and lists of the events of a registration desk."""

    def __init__(self, desk: RegistrationDesk) -> None:
        self._desk = desk
        self.looks = desk.looks

    @limited_concurrency
    def overview(self, at: EventAccess) -> Reply:
        """Return the numbers of an event, its deadline and the next step. A player with duplicates is counted once.

        `not_legal` is None if the caller may not see the lists yet.
        """
        desk, event = self._desk, at.event
        now, judge = desk.now(), desk.judge(event)
        with desk.store.reading() as reader:
            duplicates, expected = desk.duplicates(reader, event), reader.expected(event.id)
            checks = reader.count_checks(event.id)
        entrants = duplicates.counted
        verdicts = {one.id: verdict_on(one, judge) for one in entrants if at.sees(one, now)}
        numbers: EventNumbersJSON = {
            **count_lists(duplicates, verdicts),
            "not_registered": len(absent(expected, entrants)) if expected else 0,
            "checks": checks,
        }
        shown: OverviewJSON = {
            **numbers,
            "event": event.id,
            "deadline": deadline(event, None, now, MOST_REVISIONS, at.say),
            "next_step": next_step(at, numbers, now),
        }
        return reply(200, shown)


def next_step(at: EventAccess, numbers: EventNumbersJSON, now: datetime) -> str:
    """Return the step of STEPS that comes next for the staff of an event."""
    return next(step for step, is_due in _due_steps(at, numbers, now) if is_due)


def _due_steps(at: EventAccess, numbers: EventNumbersJSON, now: datetime) -> Iterable[tuple[str, bool]]:
    """Yield the steps from the most to the least urgent, and True if a step is due."""
    event, today = at.event, at.event.local(now).date()
    is_closed = now >= event.closes if event.closes else today >= event.on
    is_before = today < event.on or (today == event.on and not is_closed)
    waiting = numbers["missing"] + numbers["not_registered"]
    yield PRINT_FLYER, is_before and not numbers["registered"]
    yield REMIND_PLAYERS, is_before and not is_closed and waiting > 0
    yield REVIEW_LISTS, is_before and bool(numbers["not_legal"])
    yield PRINT_FLYER, is_before and not is_closed
    yield DRAW_CHECKS, today <= event.on and numbers["received"] > 0 and not numbers["checks"]
    yield PUBLISH_LISTS, at.stage(now) != PUBLIC
    yield EXPORT_EVENT, True
