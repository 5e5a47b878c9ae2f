"""Deadlines as answers show them: until when, whether the list can be changed, and how often."""

from datetime import UTC, date, datetime, timedelta

import pytest

from api.events.bounds import MOST_REVISIONS
from api.events.event_answers import deadline
from api.events.tournament import Tournament

OPENS = datetime(2026, 10, 20, 10, tzinfo=UTC)
CLOSES = datetime(2026, 10, 25, 7, tzinfo=UTC)
TICK = timedelta(microseconds=1)


def shown(now, until=None, left=3, **event):
    given = {"timezone": "Europe/Berlin", "opens": OPENS, "closes": CLOSES} | event
    return deadline(Tournament("e" * 30, "Example", "optcg", date(2026, 10, 25), **given), until, now, left)


@pytest.mark.parametrize(
    ("now", "until", "is_open", "seconds"),
    [
        (OPENS - TICK, None, False, 421_200),
        (OPENS, None, True, 421_200),
        (CLOSES - timedelta(seconds=1), None, True, 1),
        (CLOSES - TICK, None, True, 0),
        (CLOSES, None, False, 0),
        (CLOSES + timedelta(hours=1), None, False, 0),
        (CLOSES + timedelta(minutes=9), CLOSES + timedelta(minutes=10), True, 60),  # a deadline of the player's own
        (CLOSES + timedelta(minutes=10), CLOSES + timedelta(minutes=10), False, 0),
    ],
)
def test_a_list_can_be_changed_until_its_deadline(now, until, is_open, seconds):
    found = shown(now, until)
    assert (found["open"], found["seconds_left"], found["changes_left"]) == (is_open, seconds, 3 if is_open else 0)
    assert found["own"] is (until is not None)
    assert found["until"] == ("2026-10-25T08:10:00+01:00" if until else "2026-10-25T08:00:00+01:00")


def test_without_a_deadline_the_organiser_closes_registration():
    found = shown(CLOSES, closes=None)
    assert (found["until"], found["open"], found["seconds_left"], found["changes_left"]) == (None, True, None, 3)


def test_each_state_has_a_sentence_of_its_own_with_its_moment():
    before, during, after = (shown(now)["says"] for now in (OPENS - TICK, OPENS, CLOSES))
    without = shown(OPENS, closes=None)["says"]
    assert len({before, during, after, without}) == 4
    assert "12:00" in before  # of Berlin in summer
    assert "8:00" in during
    assert all(str(MOST_REVISIONS) in says for says in (during, without))
