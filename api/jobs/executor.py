"""The executor: does the jobs of a worker, one after the other."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from api.jobs.job_store import Claim, Jobs
from api.jobs.task import Task
from api.service.answers.problem_details import of_error, problem
from api.service.errors import Full, Gone, Invalid, Refused, Spent
from api.service.judges import Judges, says_game
from api.service.processes.child_processes import ChildProcesses
from api.service.processes.temporary_folders import temporary_folder
from api.workbooks.reporting.results import Progress
from carddb.errors import CardDataError, DatabaseBusy
from carddb.library import Library

_EVERY = 0.5  # seconds between two words on the progress of a job
_SECONDS = 600  # of a processor that a job may take
_TOO_MUCH = "This takes more time or memory than a job may; send it in several files."

_log = logging.getLogger(__name__)


class Executor:
    """Does jobs with the cards of a library; several threads may do so side by side."""

    def __init__(self, jobs: Jobs, library: Library) -> None:
        self._jobs = jobs
        self._judges = Judges(library)
        self._children = ChildProcesses(self._judges, library)
        self._claims: dict[str, Claim] = {}

    def start(self) -> None:
        """Have each job done by a child, from now on; before there are threads."""
        self._children.start()

    def do_next(self) -> bool:
        """Do the job that has waited longest, whatever comes of it; return whether there was one."""
        claim = self._jobs.take()
        if claim is None:
            return False
        with self._holding(claim), suppress(Gone):
            self._settle(claim)
        return True

    def sign(self) -> None:
        """Say of the jobs that are being done that they still are."""
        self._jobs.sign(list(self._claims.values()))

    def leave(self) -> None:
        """Give back the jobs that are being done."""
        for claim in list(self._claims.values()):
            with suppress(Gone):
                self._jobs.give_back(claim)

    @contextmanager
    def _holding(self, claim: Claim) -> Iterator[None]:
        self._claims[claim.id] = claim
        try:
            yield
        finally:
            del self._claims[claim.id]

    def _settle(self, claim: Claim) -> None:
        """Do a job, and keep its result or what is wrong with it."""
        try:
            self._do(claim)
        except (Invalid, Refused) as error:
            refusal = of_error(error) if isinstance(error, Invalid) else problem(422, str(error))
            self._jobs.fail(claim, refusal)
        except Spent:
            self._jobs.fail(claim, problem(422, _TOO_MUCH))
        except Full as error:
            self._jobs.fail(claim, problem(503, str(error)))
        except CardDataError as error:
            _log.error("A job could not be done: %s", error)
            self._jobs.give_back(claim, problem(503, str(error)))
        except OSError as error:
            _log.error("A job could not be done: %s", error)
            self._jobs.fail(claim, problem(503, f"The results cannot be written: {error.strerror or error}."))
        except Gone:
            _log.info("A job was cancelled.")
        except Exception:
            _log.exception("a job could not be done")
            self._jobs.fail(claim, problem(500, "The server could not do this job; its log has more."))

    def _do(self, claim: Claim) -> None:
        begun = time.monotonic()
        if says_game(asked := Task.of_json(claim.task).asked):
            self._judges.judge(asked)  # the cards are loaded here, for all children
        with temporary_folder("job") as made:
            target, teller = made / "result", _Teller(self._jobs, claim)
            work = claim.task, self._jobs.given(claim), target
            decks, problems = self._children.do(_SECONDS, _decks_and_problems, *work, heard=teller)
            with target.open("rb") as result:
                self._jobs.finish(claim, result, target.stat().st_size, problems)
        _log.info("A job was done: %d decks in %.1f seconds.", decks, time.monotonic() - begun)


def _decks_and_problems(
    judges: Judges, tell: Progress, task: Mapping[str, Any], data: bytes, target: Path
) -> tuple[int, int]:
    """Do a task with the file that came with it; return of how many decks that was, and how much was not read."""
    outcome = Task.of_json(task).run(data, judges, target, tell)
    return len(outcome.judged), len(outcome.book.problems)


class _Teller:
    """Tells now and then how much of a job is done; raises Gone when nobody wants it any more."""

    def __init__(self, jobs: Jobs, claim: Claim) -> None:
        self._jobs = jobs
        self._claim = claim
        self._next = 0.0

    def __call__(self, done: int, of: int) -> None:
        """Take note of how much of how much is done."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _EVERY
        with suppress(DatabaseBusy):  # the next word will do
            self._jobs.progress(self._claim, done, of)
