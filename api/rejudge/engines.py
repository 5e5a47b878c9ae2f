"""Engines: what rejudges the shards, processes of this machine or a Dask cluster.

Called by the command. No row is lost or double, because of the way parts are written. No engine has to ensure it.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path

from api.rejudge.locations import describe_error
from api.rejudge.runs import Job, Outcome, try_shard
from api.rejudge.shards import Shard
from api.service.errors import Unusable
from validator.language import phrase

_TRIES = 3
_MEMORY = 6_000_000_000  # bytes that a process may have beside those that it begins with
_LOOK = 1.0  # seconds between two looks whether to stop
_AHEAD = 4  # shards that a cluster is given for each of its workers
_DIED = phrase("the process that read it died or had too little memory")


class LocalProcesses:
    """An Engine of `count` processes (its `workers`) of this machine, which end if this process ends.

    Each process is a pool of one. The death of a process breaks its whole pool, so a larger pool could not show which
    shard killed the process.
    """

    def __init__(self, count: int) -> None:
        self.workers = count

    def outcomes(self, job: Job, shards: Sequence[Shard], is_stopped: Callable[[], bool]) -> Iterator[Outcome]:
        """Yield the outcome of each shard, in the order in which they end. Ends the processes at the end.

        The shard of a process that dies is tried three times in all, then its outcome is a reason without counts. So is
        that of any other error, at once. No shard is begun after `is_stopped()` is True, and such shards have no
        outcome.
        """
        waiting, tries = list(reversed(shards)), Counter[Shard]()
        idle = [_start_process() for _ in range(min(self.workers, len(shards)))]
        busy: dict[Future[Outcome], tuple[ProcessPoolExecutor, Shard]] = {}
        try:
            while True:
                while idle and waiting and not is_stopped():
                    shard = waiting.pop()
                    process, outcome = _submit(idle.pop(), job, shard)
                    busy[outcome] = process, shard
                if not busy:
                    return
                for done in wait(busy, _LOOK, FIRST_COMPLETED).done:
                    process, shard = busy.pop(done)
                    idle.append(process)
                    tries[shard] += 1
                    ended = _find_outcome(shard, done)
                    if ended is None and tries[shard] < _TRIES:
                        waiting.append(shard)
                    else:
                        yield ended or Outcome(shard, None, _DIED)
        finally:
            for process in (*idle, *(process for process, _ in busy.values())):
                process.shutdown()


def _find_outcome(shard: Shard, future: Future[Outcome]) -> Outcome | None:
    """Return the outcome of a shard whose future is done. None if its process died."""
    error = future.exception()
    if error is None:
        return future.result()
    return None if isinstance(error, BrokenProcessPool) else Outcome(shard, None, describe_error(error))


def _submit(process: ProcessPoolExecutor, job: Job, shard: Shard) -> tuple[ProcessPoolExecutor, Future[Outcome]]:
    """Submit a shard to a process, or to a new process if that one has died.

    Return `(process that has the shard, future)`.
    """
    try:
        return process, process.submit(try_shard, job, shard)
    except BrokenProcessPool:
        process.shutdown()
        process = _start_process()
        return process, process.submit(try_shard, job, shard)


def _start_process() -> ProcessPoolExecutor:
    """Return an executor with one new process, which limits its memory and ends if this process ends."""
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _prepare_process, (_MEMORY,))


def _prepare_process(memory: int) -> None:
    """Set up a worker process, as its first call. It ignores SIGINT and SIGTERM, and ends if its parent process ends.

    It may allocate `memory` bytes more than it has now.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_memory(memory)


def _end_with_parent() -> None:
    """Wait until the parent process ends, then exit at once with status 1. Runs in a thread of each worker process."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _limit_memory(memory: int) -> None:
    """Limit the address space of this process to its present size and `memory` bytes. A lower limit is kept.

    So a shard that needs more fails, and the machine keeps running. Errors of the system are ignored.
    """
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + memory
        _, allowed = resource.getrlimit(resource.RLIMIT_AS)
        if allowed != resource.RLIM_INFINITY:
            most = min(most, allowed)  # the limit of a process cannot be above that of the process that started it
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


class DaskCluster:
    """An Engine of the workers of a Dask scheduler. Each must have deckproof, the database and the folders.

    `workers` is the number of the threads of all workers at the start, at least 1.
    """

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at an address. Raises Unusable if none answers there."""
        from distributed import Client

        try:
            self._client = Client(address)
        except (OSError, ValueError) as error:
            problem = describe_error(error)
            message = phrase("no Dask scheduler answers at {address}: {problem}", address=address, problem=problem)
            raise Unusable(message) from None
        self.workers = max(1, sum(self._client.nthreads().values()))

    def outcomes(self, job: Job, shards: Sequence[Shard], is_stopped: Callable[[], bool]) -> Iterator[Outcome]:
        """Yield the outcome of each shard, in the order in which they end. Closes the connection at the end.

        The shard of a worker that dies is given to another worker, several times. If it still fails, its outcome is a
        reason without counts. Four shards for each worker are submitted at once, and another after each outcome. No
        other shard is submitted after `is_stopped()` is True, and shards that were not submitted have no outcome.
        """
        from distributed import KilledWorker, as_completed

        waiting = list(reversed(shards))
        shards_by_key: dict[str, Shard] = {}
        with self._client as client:
            done = as_completed()

            def submit_next() -> None:
                """Submit the last shard of `waiting` to the cluster, and remove it from there."""
                shard = waiting.pop()
                future = client.submit(try_shard, job, shard, pure=False, retries=_TRIES)
                shards_by_key[future.key] = shard
                done.add(future)

            for _ in range(min(len(waiting), _AHEAD * self.workers)):
                submit_next()
            for future in done:
                shard = shards_by_key.pop(future.key)
                error = future.exception()
                if error is None:
                    yield future.result()
                else:
                    yield Outcome(shard, None, _DIED if isinstance(error, KilledWorker) else describe_error(error))
                future.release()
                if waiting and not is_stopped():
                    submit_next()
