"""The executor: jobs are done, and whatever goes wrong with one is its plain end."""

from __future__ import annotations

import tempfile

import pytest
import sqlalchemy as sa

from api.jobs.executor import Executor
from api.jobs.job_store import DONE, FAILED, MOST_TRIES, QUEUED, Bounds, Jobs
from api.jobs.task import Task
from api.service.errors import Busy, Full, Refused, WorkLimitExceeded
from api.service.requests import RequestedTerms, day
from api.sheets.registration import Event
from api.workbooks.checking import Wanted
from carddb.database import Database
from carddb.errors import CardDataError
from carddb.library import Library
from tests.api.jobs.conftest import DAY, WIDE
from tests.api.jobs.spreadsheets import decks, summary
from validator.language import phrase

TASK = Task("decks.csv", RequestedTerms(game="optcg", on=day("2026-11-01")), Wanted("csv"))


@pytest.fixture
def database(tmp_path):
    return Database(f"sqlite:///{tmp_path}/deckproof.db")


@pytest.fixture
def library(tmp_path):
    return Library(f"sqlite:///{tmp_path}/none.db")


@pytest.fixture
def executor(jobs, library):
    return Executor(jobs, library)


def result(jobs, id):
    return b"".join(jobs.pieces(id))


@pytest.mark.parametrize(
    "asked", [RequestedTerms("optcg-1.1.9"), RequestedTerms(None, "dbs", day("2026-01-15"), "en", "standard")]
)
def test_a_task_is_kept_as_json(asked):
    event = Event("Pokal", "2026-11-01", format_name="Trios")
    task = Task("Pokal für alle.xlsx", asked, Wanted("pdf", paper="letter", order="table", event=event))
    assert Task.of_json(task.as_json()) == task


def test_with_nothing_to_do_nothing_is_done(executor):
    assert not executor.do_next()


def test_a_job_is_done(jobs, executor):
    id = jobs.add(TASK.as_json(), decks(3))
    assert executor.do_next()
    job = jobs.find(id)
    assert (job.status, job.done, job.of) == (DONE, 6, 6)
    assert [(row["Player ID"], row["Legal"]) for row in summary(result(jobs, id))] == [
        (f"{at:06d}", "yes") for at in range(3)
    ]


def test_a_file_that_is_no_spreadsheet_is_the_end_of_its_job_and_of_no_other(jobs, executor):
    spoilt = jobs.add(TASK.as_json(), b"PK\x03\x04 and then nothing")
    good = jobs.add(TASK.as_json(), decks(1))
    assert executor.do_next()
    assert executor.do_next()
    assert (jobs.find(spoilt).status, jobs.find(spoilt).problem["status"]) == (FAILED, 422)
    assert "decks.csv" in jobs.find(spoilt).problem["detail"]
    assert jobs.find(good).status == DONE


def test_terms_that_are_gone_are_the_end_of_a_job(jobs, executor):
    gone = Task("decks.csv", RequestedTerms(ruleset="optcg-0.1", on=day("2026-11-01")), Wanted())
    id = jobs.add(gone.as_json(), decks(1))
    executor.do_next()
    assert jobs.find(id).problem["errors"][0]["pointer"] == "/ruleset"


def test_a_job_that_is_cancelled_while_it_is_done_is_let_be(jobs, executor, monkeypatch):
    id = jobs.add(TASK.as_json(), decks(50))
    uploaded_file = Jobs.uploaded_file

    def uploaded_file_of_a_cancelled_job(self, claim):
        found = uploaded_file(self, claim)
        jobs.cancel(id)
        return found

    monkeypatch.setattr(Jobs, "uploaded_file", uploaded_file_of_a_cancelled_job)
    assert executor.do_next()
    assert (jobs.find(id).status, result(jobs, id)) == ("cancelled", b"")


def test_where_the_results_cannot_be_written_the_job_fails(jobs, executor, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    id = jobs.add(TASK.as_json(), decks(1))
    executor.do_next()
    assert (jobs.find(id).status, jobs.find(id).problem["status"]) == (FAILED, 503)


def test_a_failed_job_has_the_systems_reason_in_the_language_of_its_results(jobs, executor, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    id = jobs.add(Task("decks.csv", TASK.asked, Wanted(lang="de")).as_json(), decks(1))
    executor.do_next()
    assert "die Datei oder den Ordner gibt es nicht" in jobs.find(id).problem["detail"]


@pytest.fixture
def raise_error(monkeypatch):
    """A function that lets each job end with an error."""

    def set_error(error):
        def uploaded_file(self, claim):
            raise error

        monkeypatch.setattr(Jobs, "uploaded_file", uploaded_file)

    return set_error


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Refused(phrase("The file is no spreadsheet.")), 422),
        (WorkLimitExceeded(), 422),
        (Full(phrase("There is no room.")), 503),
        (OSError("disk quota"), 503),
        (RuntimeError("a mistake"), 500),
    ],
)
def test_an_error_is_the_end_of_its_job(jobs, executor, raise_error, error, status):
    id = jobs.add(TASK.as_json(), decks(1))
    raise_error(error)
    assert executor.do_next()
    failed = jobs.find(id)
    assert (failed.status, failed.problem["status"], failed.size) == (FAILED, status, 0)


def test_an_error_of_the_database_is_retried_twice(jobs, executor, raise_error):
    id = jobs.add(TASK.as_json(), decks(1))
    raise_error(CardDataError(phrase("The database is busy.")))
    for _ in range(MOST_TRIES):
        assert jobs.find(id).status == QUEUED
        assert executor.do_next()
    assert (jobs.find(id).status, jobs.find(id).problem["status"]) == (FAILED, 503)


def test_a_job_that_finds_no_child_process_waits_again_and_was_not_tried(jobs, executor, raise_error):
    id = jobs.add(TASK.as_json(), decks(1))
    raise_error(Busy())
    for _ in range(MOST_TRIES + 1):
        assert not executor.do_next()
        assert jobs.find(id).status == QUEUED
    assert jobs.take().tries == 1


def test_where_there_is_no_room_for_the_results_the_job_fails(database, library):
    jobs = Jobs(database, Bounds(10, 2000, DAY))
    id = jobs.add(TASK.as_json(), decks(2))
    Executor(jobs, library).do_next()
    assert jobs.find(id).status == DONE
    id = jobs.add(Task("decks.csv", TASK.asked, Wanted("xlsx")).as_json(), decks(2))
    Executor(jobs, library).do_next()
    assert (jobs.find(id).status, jobs.find(id).problem["status"]) == (FAILED, 503)


@pytest.mark.slow
def test_a_full_disk_is_the_plain_end_of_a_job(tmp_path, database, library):
    jobs = Jobs(database, WIDE)
    id = jobs.add(Task("decks.csv", TASK.asked, Wanted("pdf")).as_json(), decks(30))
    pages = (tmp_path / "deckproof.db").stat().st_size // 4096 + 20
    full = Database(f"sqlite:///{tmp_path}/deckproof.db")
    sa.event.listen(full._engine, "connect", lambda made, _: made.execute(f"pragma max_page_count = {pages}"))
    executor = Executor(Jobs(full, WIDE), library)
    for _ in range(MOST_TRIES):
        assert jobs.find(id).status == QUEUED
        assert executor.do_next()
    assert (jobs.find(id).status, jobs.find(id).problem["status"]) == (FAILED, 503)
    assert "full" in jobs.find(id).problem["detail"]


def test_what_is_being_done_is_given_back(jobs, executor, monkeypatch):
    id = jobs.add(TASK.as_json(), decks(1))
    uploaded_file = Jobs.uploaded_file

    def uploaded_file_of_a_released_job(self, claim):
        executor.record_heartbeat()
        executor.release_claims()
        return uploaded_file(self, claim)

    with monkeypatch.context() as patch:
        patch.setattr(Jobs, "uploaded_file", uploaded_file_of_a_released_job)
        assert executor.do_next()
    assert jobs.find(id).status == QUEUED
    assert executor.do_next()
    assert jobs.find(id).status == DONE
