"""Calendars: the days on which judging changes are those of the data that Judges are compiled from."""

from datetime import date, timedelta

import pytest

from validator import Policy, rulesets
from validator.calendar import EDITION, LIMITS, ROTATION, Calendar
from validator.judge import compile_rules
from validator.limits import shipped_lists
from validator.rulesets import successive

FIRST, LAST = date(2017, 1, 1), date(2028, 12, 31)
CALENDARS = [
    Calendar("optcg"),
    Calendar("optcg", format="extra"),
    Calendar("optcg", region="jp"),
    Calendar("optcg", edition="optcg-1.1.9"),
    Calendar("optcg", policy=Policy(limits=False)),
    Calendar("dbs"),
    Calendar("dbs", policy=Policy(side_max=10)),
    Calendar("bos"),
]
NAMES = {one: f"{one.game}-{one.region}-{one.format}-{at}" for at, one in enumerate(CALENDARS)}


def days(calendar, reason):
    return [event.day for event in calendar.events(FIRST, LAST) if event.cause == reason]


def comparable_rules(calendar, day):
    """Return the rules of a day as kinds and values, without citations and without the day itself."""
    rules = compile_rules(calendar.of_lists.terms(day))
    seen = []
    for rule in rules:
        own = {key: value for key, value in vars(rule).items() if key not in ("says", "cite", "day", "with_side")}
        own.pop("z_cards", None)
        if "singles" in own:
            own["singles"] = {number: (one.limit, one.severity) for number, one in own["singles"].items()}
        if "pairs" in own:
            own["pairs"] = {(*pair.numbers, pair.severity) for pair in own["pairs"]}
        if "rotation" in own:
            own["rotation"] = sorted(
                number
                for number, several in own["rotation"].exceptions.items()
                if any(one.holds(day) for one in several)
            )
        seen.append((type(rule), own))
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("calendar", [CALENDARS[0], CALENDARS[2], CALENDARS[5]], ids=NAMES.get)
def test_nothing_changes_on_any_day_without_an_event(calendar):
    eventful = {event.day for event in calendar.events(FIRST, LAST)}
    day, before = FIRST, comparable_rules(calendar, FIRST)
    while day < LAST:
        day += timedelta(days=1)
        now = comparable_rules(calendar, day)
        assert now == before or day in eventful, day
        before = now


@pytest.mark.parametrize("calendar", CALENDARS, ids=NAMES.get)
def test_what_holds_on_a_day_holds_since_the_event_before_it(calendar):
    for event in calendar.events(FIRST, LAST):
        assert calendar.since(event.day) == event.day
        assert calendar.since(event.day - timedelta(days=1)) < event.day
    assert calendar.since(date(1990, 1, 1)) == date.min


def test_editions_that_repeat_the_one_before_are_no_event():
    editions = {one.in_force_from for one in successive("dbs")}
    eventful = set(days(Calendar("dbs"), EDITION))
    assert eventful < editions
    assert {rulesets()["dbs-zenkai"].in_force_from, rulesets()["dbs-4.00"].in_force_from} <= eventful
    assert days(Calendar("optcg"), EDITION) == []


def test_an_edition_that_is_asked_for_holds_on_every_day():
    calendar = Calendar("dbs", edition="dbs-1.073")
    assert days(calendar, EDITION) == []
    assert {calendar.terms(day).ruleset.id for day in (FIRST, LAST)} == {"dbs-1.073"}


def test_the_days_of_lists_are_those_of_the_region():
    for region in ("en", "jp"):
        assert set(days(Calendar("optcg", region), LIMITS)) == set(shipped_lists("optcg").listed.dates(region))
    assert days(Calendar("optcg", policy=Policy(limits=False)), LIMITS) == []


def test_a_list_event_names_the_cards_that_it_is_about():
    events = [event for event in Calendar("dbs").events(FIRST, LAST) if event.cause == LIMITS]
    assert all(event.numbers and event.source.startswith("https://") for event in events)
    (first, *_) = events
    assert first.numbers == {"BT3-032"}


def test_blocks_rotate_every_april_in_the_format_that_rotates():
    found = days(Calendar("optcg"), ROTATION)
    assert found == [date(year, 4, 1) for year in range(2026, 2029)]
    assert days(Calendar("optcg", format="extra"), ROTATION) == []
    assert days(Calendar("dbs"), ROTATION) == []


@pytest.mark.parametrize(
    ("calendar", "first"),
    [
        (Calendar("dbs"), date(2017, 7, 28)),
        (Calendar("optcg"), date(2022, 12, 2)),
        (Calendar("bos"), None),
    ],
)
def test_a_calendar_begins_with_the_first_day_that_is_known(calendar, first):
    assert calendar.first_day == first
