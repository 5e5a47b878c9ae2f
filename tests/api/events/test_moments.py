"""Moments are read in the event's time zone, over the nights in which clocks change."""

from datetime import UTC, date, datetime

import pytest

from api.events.tournament import Tournament, Visibility, moment
from validator.rules import Policy


@pytest.mark.parametrize(
    ("written", "utc"),
    [
        ("2026-03-29T01:59:59", "2026-03-29T00:59:59"),
        ("2026-03-29T03:00", "2026-03-29T01:00:00"),
        ("2026-10-24T22:00", "2026-10-24T20:00:00"),
        ("2026-10-25T22:00", "2026-10-25T21:00:00"),
        ("2026-10-25T02:30+02:00", "2026-10-25T00:30:00"),
        ("2026-10-25T02:30+01:00", "2026-10-25T01:30:00"),
        ("2026-10-25T22:00Z", "2026-10-25T22:00:00"),
    ],
)
def test_a_moment_without_offset_is_one_of_the_zone(written, utc):
    assert moment(written, "Europe/Berlin") == datetime.fromisoformat(utc).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("2026-03-29T02:30", "put forward"),
        ("2026-10-25T02:30", "comes twice"),
        ("2026-13-01T10:00", "no day of the calendar"),
        ("2026-12-01T25:00", "hour"),
        ("9999-12-31T23:59-12:00", "Write a date from"),
        ("22:00", "Write a date"),
        ("2026-W43-7T10:00", "Write a date"),
    ],
)
def test_a_moment_that_there_is_not_is_refused(written, why):
    with pytest.raises(ValueError, match=why):
        moment(written, "Europe/Berlin")


def event(**said):
    return Tournament("id", "Example", "optcg", date(2026, 10, 25), **said)


def at(second):
    return datetime(2026, 10, 25, 8, 0, second, tzinfo=UTC)


def test_registration_is_open_from_its_first_second_to_before_its_last():
    held = event(opens=at(10), closes=at(20))
    assert [held.is_open(at(second)) for second in (9, 10, 19, 20)] == [False, True, True, False]
    assert [held.is_open(at(second), until=at(30)) for second in (9, 20, 29, 30)] == [True, True, True, False]
    assert event().is_open(at(0))


def test_an_event_is_kept_as_it_was_described():
    held = event(
        opens=at(1),
        closes=at(2),
        timezone="Asia/Tokyo",
        policy=Policy(release_delay_days=7),
        visibility=Visibility("closed", at(3), "public"),
        version=4,
    )
    assert Tournament.of("id", 4, held.details()) == held
    assert (held.purged, held.local(at(0)).hour) == (date(2027, 1, 23), 17)
