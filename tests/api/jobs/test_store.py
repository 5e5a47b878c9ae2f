"""Jobs wait, are taken by one worker each, and are kept with their files no longer than they should."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from api.jobs import job_store
from api.jobs.heartbeats import MISSED_AFTER
from api.jobs.job_store import CANCELLED, DONE, FAILED, MOST_TRIES, QUEUED, RUNNING, Bounds, JobRow, Jobs
from api.service.errors import Full, Gone
from tests.api.jobs.conftest import DAY

TASK = {"name": "decks.csv"}
GIVEN = b"Player,Card\n" * 200_000  # 2.4 MB: several pieces
RESULT = bytes(range(256)) * 10_000


def finish(jobs, claim, result=RESULT):
    jobs.finish(claim, io.BytesIO(result), len(result), 0)


def result(jobs, id):
    return b"".join(jobs.pieces(id))


def test_before_the_first_there_is_none(jobs):
    assert jobs.find("nothing") is None
    assert jobs.counts()[QUEUED] == 0


def test_a_job_waits_is_taken_and_done(jobs):
    id = jobs.add(TASK, GIVEN)
    assert (jobs.find(id).status, jobs.find(id).task, jobs.find(id).size) == (QUEUED, TASK, len(GIVEN))
    claim = jobs.take()
    assert (claim.task, jobs.uploaded_file(claim)) == (TASK, GIVEN)
    jobs.record_progress(claim, 7, 20)
    running = jobs.find(id)
    assert (running.status, running.done, running.of, running.expires) == (RUNNING, 7, 20, None)
    finish(jobs, claim)
    done = jobs.find(id)
    assert (done.status, done.done, done.of, done.size) == (DONE, 20, 20, len(RESULT))
    assert done.created <= done.started <= done.ended < done.expires
    assert result(jobs, id) == RESULT


def test_the_secret_of_a_job_is_not_in_the_database(tmp_path, jobs, database):
    id = jobs.add(TASK, b"x")
    with database.reading() as connection:
        rows = connection.exec_driver_sql("select * from job").all()
    assert len(rows) == 1
    assert id not in str(rows)
    assert jobs.find(id[:-1]) is None
    assert jobs.find(rows[0].id) is None


def test_who_waits_longest_is_first(jobs):
    ids = [jobs.add({"name": str(at)}, b"x") for at in range(3)]
    assert [jobs.take().task["name"] for _ in ids] == ["0", "1", "2"]
    assert jobs.take() is None


def test_a_job_is_taken_by_one_worker(jobs):
    for at in range(12):
        jobs.add({"name": str(at)}, b"x")
    with ThreadPoolExecutor(4) as pool:
        claims = list(pool.map(lambda _: jobs.take(), range(16)))
    taken = [claim.task["name"] for claim in claims if claim]
    assert sorted(map(int, taken)) == list(range(12))


def test_no_more_may_wait_than_the_bounds_say(database):
    jobs = Jobs(database, Bounds(2, 1000, DAY))
    jobs.add(TASK, b"x")
    jobs.add(TASK, b"x")
    with pytest.raises(Full, match="wait"):
        jobs.add(TASK, b"x")
    jobs.take()
    jobs.add(TASK, b"x")


def test_files_take_no_more_room_than_the_bounds_say(database):
    jobs = Jobs(database, Bounds(10, 1000, DAY))
    first = jobs.add(TASK, b"x" * 600)
    with pytest.raises(Full, match="room"):
        jobs.add(TASK, b"x" * 600)
    claim = jobs.take()
    with pytest.raises(Full, match="room"):
        finish(jobs, claim, b"x" * 1001)
    assert jobs.find(first).status == RUNNING
    finish(jobs, claim, b"x" * 300)
    with pytest.raises(Full, match="room"):
        jobs.add(TASK, b"x" * 701)
    jobs.add(TASK, b"x" * 700)


def test_a_job_that_waits_is_cancelled(jobs):
    id = jobs.add(TASK, GIVEN)
    assert jobs.cancel(id).status == CANCELLED
    assert jobs.take() is None
    assert (jobs.find(id).size, result(jobs, id)) == (0, b"")
    assert jobs.cancel("nothing") is None


def test_a_job_that_runs_is_cancelled_and_its_worker_learns_of_it(jobs):
    id = jobs.add(TASK, GIVEN)
    claim = jobs.take()
    jobs.cancel(id)
    for late in (
        lambda: jobs.record_progress(claim, 1, 2),
        lambda: finish(jobs, claim),
        lambda: jobs.fail(claim, {}),
        lambda: jobs.give_back(claim),
    ):
        with pytest.raises(Gone):
            late()
    jobs.record_heartbeat([claim])
    assert (jobs.find(id).status, result(jobs, id)) == (CANCELLED, b"")


def test_the_result_of_a_job_is_removed_when_it_is_cancelled(jobs):
    id = jobs.add(TASK, GIVEN)
    finish(jobs, jobs.take())
    jobs.cancel(id)
    assert (jobs.find(id).status, result(jobs, id)) == (CANCELLED, b"")


def test_a_job_that_fails_says_why_and_keeps_no_file(jobs):
    id = jobs.add(TASK, GIVEN)
    jobs.fail(jobs.take(), {"status": 422, "detail": "This is no spreadsheet."})
    failed = jobs.find(id)
    assert (failed.status, failed.problem["status"], failed.size) == (FAILED, 422, 0)
    assert result(jobs, id) == b""


def test_a_job_whose_worker_was_killed_is_taken_again_and_not_for_ever(jobs, monkeypatch):
    id = jobs.add(TASK, GIVEN)
    for _ in range(MOST_TRIES):
        claim = jobs.take()
        assert jobs.uploaded_file(claim) == GIVEN
        assert jobs.tidy() == 0
        monkeypatch.setattr("api.jobs.heartbeats.MISSED_AFTER", -1.0)
        jobs.tidy()
        monkeypatch.undo()
    assert jobs.take() is None
    assert (jobs.find(id).status, jobs.find(id).problem["status"]) == (FAILED, 500)


def test_a_job_whose_worker_was_killed_fails_in_the_language_of_its_results(jobs, monkeypatch):
    id = jobs.add({**TASK, "wanted": {"lang": "fr"}}, b"x")
    monkeypatch.setattr("api.jobs.heartbeats.MISSED_AFTER", -1.0)
    for _ in range(MOST_TRIES):
        jobs.take()
        jobs.tidy()
        jobs.tidy()
    assert "a été arrêté 3 fois" in jobs.find(id).problem["detail"]


@pytest.fixture
def clock(monkeypatch):
    """The seconds of the monotonic clock, in a list."""
    found = [1000.0]
    monkeypatch.setattr(job_store, "time", SimpleNamespace(monotonic=lambda: found[0]))
    return found


def test_a_job_whose_worker_gives_a_sign_of_life_is_left_to_it(jobs, clock):
    jobs.add(TASK, GIVEN)
    claim = jobs.take()
    assert jobs.tidy() == 0
    for signs in (True, False):
        clock[0] += MISSED_AFTER
        jobs.record_heartbeat([claim] if signs else [])
        assert jobs.tidy() == (not signs)


def test_a_job_without_a_sign_of_life_is_taken_from_its_worker_after_twenty_seconds(jobs, clock):
    jobs.add(TASK, GIVEN)
    jobs.take()
    waiting = []
    for _ in range(6):
        waiting.append(jobs.tidy())
        clock[0] += MISSED_AFTER / 4
    assert waiting == [0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("jump", [timedelta(hours=-1), timedelta(hours=1), timedelta(days=400)])
def test_a_clock_that_jumps_takes_no_job_from_its_worker_and_leaves_none_with_a_dead_one(jobs, database, clock, jump):
    jobs.add(TASK, GIVEN)
    jobs.take()
    with database.writing("jobs") as connection:
        connection.execute(sa.update(JobRow).values(seen=(datetime.now(UTC) + jump).isoformat()))
    assert jobs.tidy() == 0  # which may be the sign of a worker that is alive
    clock[0] += MISSED_AFTER
    assert jobs.tidy() == 1


def test_a_result_that_a_wrong_clock_kept_is_kept_as_long_as_others(jobs, database):
    jobs.add(TASK, GIVEN)
    finish(jobs, jobs.take())
    wrong = (datetime.now(UTC) + timedelta(days=400)).isoformat()
    with database.writing("jobs") as connection:
        connection.execute(sa.update(JobRow).values(expires=wrong))
    jobs.tidy()
    with database.reading() as connection:
        assert connection.scalar(sa.select(JobRow.expires)) < wrong


def test_who_was_given_up_cannot_finish_the_job_of_another(jobs, monkeypatch):
    id = jobs.add(TASK, GIVEN)
    lost = jobs.take()
    monkeypatch.setattr("api.jobs.heartbeats.MISSED_AFTER", -1.0)
    assert jobs.tidy() == 1
    another = jobs.take()
    with pytest.raises(Gone):
        finish(jobs, lost, b"late")
    finish(jobs, another)
    assert result(jobs, id) == RESULT


def test_a_job_that_is_given_back_in_good_order_was_not_tried(jobs):
    id = jobs.add(TASK, GIVEN)
    for _ in range(MOST_TRIES + 2):
        claim = jobs.take()
        assert claim.tries == 1
        jobs.record_progress(claim, 3, 7)
        jobs.give_back(claim)
        found = jobs.find(id)
        assert (found.status, found.done, found.of, found.started) == (QUEUED, 0, None, None)


def test_a_job_that_is_given_back_with_a_problem_fails_with_it_in_the_end(jobs):
    id = jobs.add(TASK, GIVEN)
    for _ in range(MOST_TRIES):
        assert jobs.find(id).status == QUEUED
        jobs.give_back(jobs.take(), {"status": 503})
    assert (jobs.find(id).status, jobs.find(id).problem) == (FAILED, {"status": 503})


def test_what_came_of_a_job_is_removed_in_time(database):
    jobs = Jobs(database, Bounds(10, 10_000_000, timedelta(0)))
    id = jobs.add(TASK, GIVEN)
    jobs.tidy()
    assert jobs.find(id).status == QUEUED
    finish(jobs, jobs.take())
    assert jobs.find(id) is None
    assert result(jobs, id) == b""
    assert jobs.counts()[DONE] == 1
    jobs.tidy()
    assert jobs.counts()[DONE] == 0
    with database.reading() as connection:
        assert connection.exec_driver_sql("select count(*) from job_piece").scalar() == 0


def test_jobs_are_counted(jobs):
    for _ in range(3):
        jobs.add(TASK, b"x")
    finish(jobs, jobs.take())
    assert jobs.counts() == {QUEUED: 2, RUNNING: 0, DONE: 1, FAILED: 0, CANCELLED: 0}
