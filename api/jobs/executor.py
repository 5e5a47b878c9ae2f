"""The executor: runs the jobs of a worker, each in a child process. Only the worker uses it."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from api.jobs.job_store import Claim, Jobs
from api.jobs.task import Task, results_language
from api.service.answers.problem_details import ProblemJSON, error_problem, problem, translate_problem
from api.service.child_processes import ChildProcesses
from api.service.errors import Busy, Full, Gone, Invalid, Refused, WorkLimitExceeded
from api.service.judges import Judges, names_game
from carddb.errors import CardDataError, DatabaseBusy
from carddb.library import Library
from carddb.system_messages import system_reason
from carddb.temporary_folders import temporary_folder
from validator.errors import error_text
from validator.language import phrase

_PROGRESS_INTERVAL = 0.5  # seconds
_JOB_SECONDS = 600  # of processor time
_TOO_MUCH = phrase("This takes more time or memory than a job may use. Send it in several files.")

_log = logging.getLogger(__name__)


class Executor:
    """Takes jobs from the queue and runs each in a child process, with the cards of a library. Threads may share it."""

    def __init__(self, jobs: Jobs, library: Library) -> None:
        """Prepare the executor. No child process is started and no job is taken yet."""
        self._jobs = jobs
        self._judges = Judges(library)
        self._children = ChildProcesses(self, library)
        self._claims: dict[str, Claim] = {}

    def start(self) -> None:
        """Start the process from which the children are forked.

        Call this once, before this process has other threads.
        """
        self._children.start()

    def do_next(self) -> bool:
        """Claim and run the job that has waited longest, and store its result or its problem.

        Return True if a job was run, also if it failed or was cancelled. Return False if no job waits. Return False,
        too, if no child can be forked: then the job is put back into the queue, as a try that does not count. Raises
        CardDataError if the database fails.
        """
        claim = self._jobs.take()
        if claim is None:
            return False
        with self._holding_claim(claim), suppress(Gone):
            try:
                self._run_and_store(claim)
            except Busy:
                self._jobs.give_back(claim)
                return False
        return True

    def record_heartbeat(self) -> None:
        """Record in the database that the worker of all jobs that run in this executor is alive."""
        self._jobs.record_heartbeat(list(self._claims.values()))

    def release_claims(self) -> None:
        """Put all jobs that run in this executor back into the queue, as tries that do not count.

        Jobs that were cancelled, or given to another worker, are skipped.
        """
        for claim in list(self._claims.values()):
            with suppress(Gone):
                self._jobs.give_back(claim)

    @contextmanager
    def _holding_claim(self, claim: Claim) -> Iterator[None]:
        """Keep a claim in `_claims` during the block, so that heartbeats and `release_claims` include its job."""
        self._claims[claim.id] = claim
        try:
            yield
        finally:
            del self._claims[claim.id]

    def _run_and_store(self, claim: Claim) -> None:
        """Run a job and store its result. Only Busy (no child can be forked) is passed on.

        The job fails if its file is wrong or too large, the store is full, or the disk or the code has an error. After
        a CardDataError the job waits again, and fails at its third try. A cancelled or lost job only makes a log entry.
        Raises Gone or CardDataError if the problem of a failed job cannot be stored.
        """
        try:
            self._run(claim)
        except Busy:
            raise
        except Gone:
            _log.info("A job was cancelled.")
        except CardDataError as error:
            _log.error("A job could not be done: %s", error)
            cause = problem(503, error_text(error))
            self._jobs.give_back(claim, translate_problem(cause, results_language(claim.task)))
        except Exception as error:
            cause = _describe_failure(error)
            self._jobs.fail(claim, translate_problem(cause, results_language(claim.task)))

    def _run(self, claim: Claim) -> None:
        """Run a job in a child process, store its result in the database, and log the number of decks and the time.

        Raises the errors of the task, WorkLimitExceeded after 600 s of processor time or too much memory, and Busy if
        no child can be forked. Raises Gone or Full if the result cannot be stored. The child records its progress in
        the database.
        """
        started = time.monotonic()
        if names_game(asked := Task.of_json(claim.task).asked):
            self._judges.judge(asked)  # loads the cards here, so that all children share them
        with temporary_folder("job") as folder:
            target = folder / "result"
            decks, problems = self._children.run(
                _JOB_SECONDS, Executor._run_task, claim, self._jobs.uploaded_file(claim), target
            )
            with target.open("rb") as result:
                self._jobs.finish(claim, result, target.stat().st_size, problems)
        _log.info("A job was done: %d decks in %.1f seconds.", decks, time.monotonic() - started)

    def _run_task(self, claim: Claim, data: bytes, target: Path) -> tuple[int, int]:
        """Judge the decks of the uploaded file `data` and write the results file to `target`.

        Runs in the child process. Return `(number of players, number of rows and cells that could not be read)`.
        """
        outcome = Task.of_json(claim.task).run(data, self._judges, target, _ProgressReport(self._jobs, claim))
        return len(outcome.judged), len(outcome.book.problems)


class _ProgressReport:
    """A callback that records the progress of one job in the database, at most once in half a second."""

    def __init__(self, jobs: Jobs, claim: Claim) -> None:
        self._jobs = jobs
        self._claim = claim
        self._next = 0.0

    def __call__(self, done_count: int, total: int) -> None:
        """Record that `done_count` of `total` steps are done. Calls within half a second of the last record do nothing.

        A busy database is ignored. Raises Gone if the job was cancelled, or given to another worker.
        """
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PROGRESS_INTERVAL
        with suppress(DatabaseBusy):  # the next record will do
            self._jobs.record_progress(self._claim, done_count, total)


def _describe_failure(error: Exception) -> ProblemJSON:
    """Return the problem of a job that failed with an error. Errors of the disk and of the code are logged."""
    match error:
        case Invalid():
            return error_problem(error)
        case Refused():
            return problem(422, error_text(error))
        case WorkLimitExceeded():
            return problem(422, _TOO_MUCH)
        case Full():
            return problem(503, error_text(error))
        case OSError():
            _log.error("A job could not be done: %s", error)
            reason = system_reason(error.strerror or str(error))
            return problem(503, phrase("The results cannot be written: {reason}.", reason=reason))
    _log.error("a job could not be done", exc_info=error)
    return problem(500, phrase("The server could not do this job. Its log has more."))
