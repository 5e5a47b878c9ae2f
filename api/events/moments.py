"""Moments: a date with a time, as people and programs write it.

`api.web.event_fields` reads the moments of all requests and forms here.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from api.service.requests import day
from validator.language import phrase

# RFC 3339, but the seconds and the offset may be missing. Groups: day, hours and minutes, seconds, fraction, offset.
PATTERN = (
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2})(?:(:[0-9]{2})(\.[0-9]+)?)?"
    r"([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?"
)
NOT_A_MOMENT = phrase(
    "Write a date and time, such as 2026-11-21T22:00, or with an offset, such as 2026-11-21T22:00:30+01:00."
)
NO_SUCH_TIME = phrase("There is no such time of day. Write a time from 00:00 to 23:59:59.")
NO_LEAP_SECOND = phrase("Second 60 exists only at 23:59:60 UTC on the last day of a month. Write a second up to 59.")
SKIPPED = phrase("Clocks in the event's time zone skip this time on that day. Write another time.")
AMBIGUOUS = phrase(
    "Clocks in the event's time zone show this time twice on that day. "
    "Write another time, or add the offset, such as +01:00."
)

_MOMENT = re.compile(PATTERN)
_RESOLUTION = timedelta(microseconds=1)


def parse_moment(text: str, timezone: str) -> datetime:
    """Parse a date with a time, such as `2026-11-21T22:00` or `2026-11-21T22:00:30+01:00`. Returns the moment in UTC.

    A text without an offset is in the time zone `timezone`, an IANA name. A space may replace the T, and the seconds
    may be missing. The offset -00:00 is UTC.

    The result is never later than what was written. Digits of a fraction after the sixth are cut off. A leap second
    becomes its minute's last microsecond.

    Raises ValueError, with a text for people, if the text is not a moment or its day does not exist. Also raises it if
    clocks of the time zone skip that time or show it twice.
    """
    if not (parts := _MOMENT.fullmatch(text)):
        raise ValueError(NOT_A_MOMENT)
    date, minutes, seconds, fraction, offset = parts.groups(default="")
    day(date)
    is_leap_second = seconds == ":60"
    seconds, fraction = (":59", ".999999") if is_leap_second else (seconds or ":00", fraction)
    if minutes == "24:00":  # from 3.14 on, Python reads it as the next day's 00:00, unlike RFC 3339
        raise ValueError(NO_SUCH_TIME)
    try:
        moment = datetime.fromisoformat(f"{date}T{minutes}{seconds}{fraction}{offset.upper()}")
    except ValueError:
        raise ValueError(NO_SUCH_TIME) from None
    moment = (moment if offset else _in_zone(moment, ZoneInfo(timezone))).astimezone(UTC)
    if is_leap_second and not _begins_month(moment + _RESOLUTION):
        raise ValueError(NO_LEAP_SECOND)
    return moment


def _in_zone(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment, with the zone, at which clocks of a time zone show a time. `wall` is the time without a zone.

    Raises ValueError, with a text for people, if the clocks skip this time or show it twice.
    """
    earlier, later = (wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if earlier.utcoffset() == later.utcoffset():
        return earlier
    if earlier.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall:
        raise ValueError(SKIPPED)
    raise ValueError(AMBIGUOUS)


def _begins_month(moment: datetime) -> bool:
    """Return True if a moment is 00:00:00 on the first day of a month. Leap seconds are inserted only before these."""
    return (moment.day, moment.hour, moment.minute, moment.second) == (1, 0, 0, 0)
