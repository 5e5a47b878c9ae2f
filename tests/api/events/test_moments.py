"""Moments are read in the event's time zone, over the nights in which clocks change."""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.events.moments import AMBIGUOUS, NO_LEAP_SECOND, NO_SUCH_TIME, NOT_A_MOMENT, SKIPPED, parse_moment
from api.events.tournament import Tournament, Visibility
from tests.api.events.conftest import Hall
from tests.api.web.pages.events.guest import entering
from validator.rules import Policy

BERLIN = "Europe/Berlin"


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
    assert parse_moment(written, BERLIN) == datetime.fromisoformat(utc).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "utc"),
    [
        ("2026-11-23T07:56:11.939Z", "2026-11-23T07:56:11.939000"),  # of JavaScript's toISOString()
        ("2026-11-23t07:56:11.939z", "2026-11-23T07:56:11.939000"),
        ("2026-11-23 07:56:11.5Z", "2026-11-23T07:56:11.500000"),
        ("2026-11-23T07:56:11.939", "2026-11-23T06:56:11.939000"),
        ("2026-11-23T07:56:11.1234569+00:00", "2026-11-23T07:56:11.123456"),
        ("2026-11-23T07:56:11.9999999Z", "2026-11-23T07:56:11.999999"),
        ("2026-11-23T07:56:11.0Z", "2026-11-23T07:56:11"),
        ("2026-11-23T07:56-00:00", "2026-11-23T07:56:00"),
        ("2026-11-23T07:56+23:59", "2026-11-22T07:57:00"),
        ("2026-12-31T23:59:60Z", "2026-12-31T23:59:59.999999"),
        ("2027-01-01T00:59:60.7", "2026-12-31T23:59:59.999999"),
        ("2026-06-30T18:59:60-05:00", "2026-06-30T23:59:59.999999"),
    ],
)
def test_a_moment_is_read_as_programs_write_it_and_never_becomes_later(written, utc):
    assert parse_moment(written, BERLIN) == datetime.fromisoformat(utc).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("2026-03-29T02:30", SKIPPED),
        ("2026-03-29T02:00:00.001", SKIPPED),
        ("2026-10-25T02:30", AMBIGUOUS),
        ("2026-10-25T02:59:59.999", AMBIGUOUS),
        ("2026-12-01T25:00", NO_SUCH_TIME),
        ("2026-12-01T24:00", NO_SUCH_TIME),
        ("2026-12-01T24:00:00.000Z", NO_SUCH_TIME),
        ("2026-12-01T12:60", NO_SUCH_TIME),
        ("2026-12-01T12:00:61Z", NO_SUCH_TIME),
        ("2026-12-01T25:59:60Z", NO_SUCH_TIME),
        ("2026-12-01T12:00:60Z", NO_LEAP_SECOND),
        ("2026-12-30T23:59:60Z", NO_LEAP_SECOND),
        ("2026-12-31T23:59:60", NO_LEAP_SECOND),
        ("22:00", NOT_A_MOMENT),
        ("2026-W43-7T10:00", NOT_A_MOMENT),
        ("2026-12-01T12:00:00,5Z", NOT_A_MOMENT),
        ("2026-12-01T12:00.5Z", NOT_A_MOMENT),
        ("2026-12-01T12:00:00.Z", NOT_A_MOMENT),
        ("2026-12-01T12:00+24:00", NOT_A_MOMENT),
        ("2026-12-01T12:00+01:60", NOT_A_MOMENT),
        ("2026-12-01T12:00+01", NOT_A_MOMENT),
        ("2026-12-01T12:00Z\n", NOT_A_MOMENT),
        ("2026-12-01T12:00:00.\u0665Z", NOT_A_MOMENT),
        ("2026-12-01", NOT_A_MOMENT),
    ],
)
def test_a_moment_that_there_is_not_is_refused(written, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        parse_moment(written, BERLIN)


@pytest.mark.parametrize("written", ["2026-13-01T10:00", "2026-02-29T10:00Z", "9999-12-31T23:59-12:00"])
def test_a_day_that_there_is_not_is_refused(written):
    with pytest.raises(ValueError, match=r"2026-|2999"):
        parse_moment(written, BERLIN)


MOMENTS = st.datetimes(datetime(1991, 1, 1), datetime(2999, 12, 30), timezones=st.just(UTC))
OFFSETS = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(MOMENTS, OFFSETS, st.text("0123456789", max_size=12))
def test_a_moment_is_the_same_however_it_is_written(moment, offset, more_digits):
    for written in (moment.isoformat(), moment.astimezone(offset).isoformat()):
        assert parse_moment(written, BERLIN) == moment
    assert parse_moment(f"{moment:%Y-%m-%dt%H:%M:%S.%f}{more_digits}z", BERLIN) == moment
    in_milliseconds = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
    assert moment - timedelta(milliseconds=1) < parse_moment(in_milliseconds, BERLIN) <= moment


@given(MOMENTS, st.sampled_from((BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")))
def test_a_time_without_offset_is_what_clocks_show(moment, zone):
    wall = moment.astimezone(ZoneInfo(zone))
    written = wall.replace(tzinfo=None).isoformat()
    if wall.utcoffset() == wall.replace(fold=not wall.fold).utcoffset():
        assert parse_moment(written, zone) == moment
    else:
        with pytest.raises(ValueError, match=re.escape(AMBIGUOUS)):
            parse_moment(written, zone)


@given(st.text("0123456789-:.TtZz+ ", max_size=40))
def test_any_text_is_a_moment_or_refused(written):
    with suppress(ValueError):
        assert parse_moment(written, BERLIN).tzinfo is UTC


WRITTEN = "2026-10-25T07:56:11.939Z"
SHOWN = "2026-10-25T08:56:11.939000+01:00"  # in the event's time zone


def test_a_deadline_of_javascript_holds_to_the_millisecond(app, clock):
    hall = Hall(app.test_client(), opens="2026-10-19T07:56:11.001Z", closes=WRITTEN)
    assert (hall.begun.json["closes"], hall.begun.json["opens"]) == (SHOWN, "2026-10-19T09:56:11.001000+02:00")
    assert hall.organiser.patch("", closes=SHOWN).json["closes"] == SHOWN == hall.stranger.get().json["closes"]
    rid, player = hall.register("Nami")
    for fraction, status in ((".938999", 200), (".939", 403)):
        clock.set(f"2026-10-25T07:56:11{fraction}+00:00")
        assert player.revise(rid, team=fraction).status_code == status
    own = hall.judge.patch(f"/registrations/{rid}", until="2026-10-25T08:00:00.5z").json["deadline"]
    assert own["until"] == "2026-10-25T09:00:00.500000+01:00"


def test_every_moment_of_a_request_may_have_a_fraction(hall):
    seen = hall.organiser.patch("", visibility={"public_from": WRITTEN}).json["visibility"]
    assert seen["public_from"] == SHOWN
    rid, _ = hall.register("Nami")
    begun = hall.judge.post("/checks", {"registration": rid, "started": WRITTEN}).json["checks"][0]
    assert begun["started"] == SHOWN
    path = f"/checks/{begun['id']}"
    ended = hall.judge.put(path, {"started": WRITTEN, "ended": "2026-10-25T07:56:11.940Z"}, '"1"').json["ended"]
    assert ended == SHOWN.replace(".939", ".940")
    assert hall.judge.put(path, {"ended": "2026-10-25T07:56:11.938Z"}, '"2"').status_code == 422


@pytest.mark.parametrize("written", ["2026-10-25T24:00Z", "2026-10-25T02:30", "2026-10-25", "2026-10-25T12:00:60Z"])
def test_a_moment_that_is_refused_is_named(app, written):
    said = {"name": "Example", "game": "optcg", "on": "2026-10-25", "timezone": BERLIN, "closes": written}
    refused = app.test_client().post("/v1/events", json=said)
    assert (refused.status_code, [one["pointer"] for one in refused.json["errors"]]) == (422, ["/closes"])


def test_a_form_takes_a_fraction_and_does_not_lose_it_unchanged(app):
    hall = Hall(app.test_client(), closes=WRITTEN)
    settings = f"/events/{hall.id}/settings"
    organiser = entering(app, hall.id, hall.organiser.key)
    organiser.opens(settings).sends("/settings", place="Hall 4")
    shown = hall.stranger.get().json
    assert (shown["closes"], shown["place"]) == (SHOWN, "Hall 4")
    organiser.opens(settings).sends("/settings", closes="2026-10-25T09:00:00.250")
    assert hall.stranger.get().json["closes"] == "2026-10-25T09:00:00.250000+01:00"
    organiser.opens(settings).sends("/settings", 422, closes="2026-10-25T02:30")
    assert organiser.faults() == ["closes"]


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
    kept = Tournament.from_row("id", 4, "2026-11-02T09:00:00.000000+00:00", held.details())
    assert kept == held.with_settings({"created": date(2026, 11, 2)})
    assert (kept.retention_end, kept.created) == (date(2027, 1, 31), date(2026, 11, 2))
    assert (held.retention_end, held.local(at(0)).hour) == (date(2027, 1, 23), 17)
