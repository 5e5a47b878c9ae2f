"""The clock of the retention: when it is trusted, and what is deleted by a wrong one. All players are invented."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from api.events.storage.retention import ClockLook, RetentionClock
from api.jobs import worker
from tests.api.events.conftest import Clock, Hall, in_shared_memory, made
from tests.api.processes import COMMAND, Process

NOW = datetime(2026, 10, 20, 12, tzinfo=UTC)
FAKETIME = next(map(str, Path("/usr/lib").glob("**/faketime/libfaketime.so.1")), "")
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def first(now=NOW, since=NOW):
    return ClockLook(now, now, since)


def run(look, start, days, newest=NOW, step=DAY / 4):
    """Return the looks of a clock that runs for some days."""
    looks = [look]
    for number in range(int(days * DAY / step) + 1):
        looks.append(looks[-1].advance(start + number * step, newest))
    return looks[1:]


def test_a_clock_that_runs_on_is_trusted():
    assert all(look.is_trusted for look in run(first(), NOW, 20))
    assert first().advance(NOW + 29 * DAY, NOW).is_trusted
    assert all(look.is_trusted for look in run(first(), NOW, 200))  # longer than the newest write is near


def test_a_clock_that_jumps_far_ahead_is_trusted_after_steady_days():
    looks = run(first(), NOW + 400 * DAY, 8)
    assert [look.is_trusted for look in looks[::4]] == [False] * 7 + [True] * 2


def test_a_write_by_a_wrong_clock_proves_nothing():
    wrong = first().advance(NOW + 400 * DAY, NOW)
    assert not wrong.advance(NOW + 400 * DAY + MINUTE, NOW + 400 * DAY).is_trusted


def test_a_clock_that_comes_back_is_trusted():
    wrong = first().advance(NOW + 400 * DAY, NOW)
    assert wrong.advance(NOW + MINUTE, NOW).is_trusted


def test_a_wrong_clock_beside_a_right_one_is_never_trusted():
    look = first()
    for number in range(40):
        look = look.advance(NOW + number * DAY / 4 + 400 * DAY, NOW)
        assert not look.is_trusted
        look = look.advance(NOW + number * DAY / 4, NOW)
        assert look.is_trusted


def test_the_newest_write_counts_at_the_first_look():
    assert not ClockLook(NOW, NOW - 400 * DAY, NOW).advance(NOW, NOW - 400 * DAY).is_trusted


@pytest.fixture
def folder():
    with in_shared_memory() as made_folder:
        yield made_folder


@pytest.fixture
def app(folder):
    return made(Clock(datetime.now(UTC).isoformat()), data_dir=folder)


@pytest.fixture
def hall(app):
    day = datetime.now(UTC).date()
    return Hall(app.test_client(), on=day.isoformat(), closes=None, purge_days=1)


def look_at(app, now):
    return RetentionClock(app.extensions["deckproof"].library.store().database).look(now)


def test_a_wrong_clock_is_logged_once_a_day_and_shown(app, hall):
    now = datetime.now(UTC)
    assert look_at(app, now).look.is_trusted
    wrong = [look_at(app, now + 400 * DAY + number * MINUTE) for number in (0, 1, 2)]
    assert [state.look.is_trusted for state in wrong] == [False] * 3
    assert sum(state.is_warning_due for state in wrong) <= 2  # midnight may be between two
    assert wrong[0].is_warning_due
    assert app.test_client().get("/readyz").json["retention"]["paused"]
    look_at(app, now)
    assert app.test_client().get("/readyz").json["retention"]["paused"] is False


def test_a_confirmed_clock_is_trusted(app, hall):
    now = datetime.now(UTC)
    look_at(app, now)
    assert not look_at(app, now + 400 * DAY).look.is_trusted
    RetentionClock(app.extensions["deckproof"].library.store().database).confirm(now + 400 * DAY)
    assert look_at(app, now + 400 * DAY + MINUTE).look.is_trusted


def test_a_database_without_tables_has_no_look(folder):
    here = made(Clock("2026-10-20T12:00+02:00"), data_dir=folder).extensions["deckproof"]
    assert worker.purge_events(here.settings, here.library.store()) is None
    assert RetentionClock(here.library.store().database).last_look() is None


@pytest.mark.slow
@pytest.mark.skipif(not FAKETIME, reason="needs faketime")
def test_a_worker_with_a_wrong_clock_deletes_nothing(app, hall, folder, redis_server):
    # The threads of a worker wait for calls from Redis. Their waits without it never end under faketime, which shifts
    # the clock of Python's threads, but not what sem_clockwait compares it with.
    clock = {"FAKETIME": "+400d", "LD_PRELOAD": FAKETIME, "DECKPROOF_REDIS_URL": redis_server.url}
    worker = Process(folder, ["worker"], command=COMMAND, **clock)
    with worker.ended():
        worker.says("No event is deleted")
    assert hall.judge.get().status_code == 200
    worker = Process(folder, ["worker"])
    with worker.ended():
        worker.says("at work")
    assert (hall.judge.get().status_code, hall.organiser.get().json["deleted_on"]) == (200, None)
