"""The executor: runs the jobs of a worker, each in a child process. Only the worker uses it."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from api.jobs.job_store import Claim, Jobs
from api.jobs.task import Task
from api.service.answers.problem_details import ProblemJSON, error_problem, problem, translate_problem
from api.service.errors import Busy, Full, Gone, Invalid, Refused, WorkLimitExceeded
from api.service.judges import Judges, names_game
from api.service.languages import language
from api.service.processes.child_processes import ChildProcesses
from carddb.errors import CardDataError, DatabaseBusy
from carddb.library import Library
from carddb.temporary_folders import temporary_folder
from validator.errors import error_text
from validator.language import phrase

_PROGRESS_INTERVAL = 0.5  # seconds
_JOB_SECONDS = 600  # of processor time
_TOO_MUCH = phrase("This takes more time or memory than a job may use. Send it in several files.")

_log = logging.getLogger(__name__)


class Executor:
    """Runs jobs with the cards of a library. Safe to share between threads."""

    def __init__(self, jobs: Jobs, library: Library) -> None:
        self._jobs = jobs
        self._judges = Judges(library)
        self._children = ChildProcesses(self, library)
        self._claims: dict[str, Claim] = {}

    def start(self) -> None:
        """Start the child processes. Call this before there are threads."""
        self._children.start()

    def do_next(self) -> bool:
        """Run the job that has waited longest. Return True if it was run, successfully or not.

        Returns False if no job waits, or if no child can be forked. Then the job waits again.
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
        """Record that the worker of the current jobs still runs."""
        self._jobs.record_heartbeat(list(self._claims.values()))

    def release_claims(self) -> None:
        """Put the current jobs back into the queue."""
        for claim in list(self._claims.values()):
            with suppress(Gone):
                self._jobs.give_back(claim)

    @contextmanager
    def _holding_claim(self, claim: Claim) -> Iterator[None]:
        """List a claim as held by this worker for the time of a block."""
        self._claims[claim.id] = claim
        try:
            yield
        finally:
            del self._claims[claim.id]

    def _run_and_store(self, claim: Claim) -> None:
        """Run a job, and store its result or its problem. Raises Busy if no child can be forked."""
        try:
            self._run(claim)
        except (Invalid, Refused) as error:
            refusal = error_problem(error) if isinstance(error, Invalid) else problem(422, error_text(error))
            self._fail(claim, refusal)
        except WorkLimitExceeded:
            self._fail(claim, problem(422, _TOO_MUCH))
        except Full as error:
            self._fail(claim, problem(503, error_text(error)))
        except CardDataError as error:
            _log.error("A job could not be done: %s", error)
            self._jobs.give_back(claim, problem(503, str(error)))
        except OSError as error:
            _log.error("A job could not be done: %s", error)
            detail = phrase("The results cannot be written: {reason}.", reason=error.strerror or str(error))
            self._fail(claim, problem(503, detail))
        except Busy:
            raise
        except Gone:
            _log.info("A job was cancelled.")
        except Exception:
            _log.exception("a job could not be done")
            self._fail(claim, problem(500, phrase("The server could not do this job. Its log has more.")))

    def _fail(self, claim: Claim, refusal: ProblemJSON) -> None:
        """Store the problem of a job, in the language of its results."""
        self._jobs.fail(claim, translate_problem(refusal, language(Task.of_json(claim.task).wanted.lang)))

    def _run(self, claim: Claim) -> None:
        """Run a job in a child, and store its result. The child reports its progress to the database itself."""
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
        """Write the results for the file `data` to `target`. Return the numbers of its decks and problems."""
        outcome = Task.of_json(claim.task).run(data, self._judges, target, _ProgressReport(self._jobs, claim))
        return len(outcome.judged), len(outcome.book.problems)


class _ProgressReport:
    """Records the progress of a job in the database, at most every _PROGRESS_INTERVAL seconds."""

    def __init__(self, jobs: Jobs, claim: Claim) -> None:
        self._jobs = jobs
        self._claim = claim
        self._next = 0.0

    def __call__(self, done_count: int, total: int) -> None:
        """Record that `done_count` of `total` steps are done. Raises Gone if the job was cancelled or reassigned."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PROGRESS_INTERVAL
        with suppress(DatabaseBusy):  # the next record will do
            self._jobs.record_progress(self._claim, done_count, total)
