"""Batch workers: processes that judge a batch side by side, for `deckproof batch --jobs`."""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice, starmap
from multiprocessing import connection, get_context, parent_process
from threading import Thread

from api.service.errors import Halted
from api.service.ndjson import Batch, BlockAnswer, LineBlocks, Read

_BLOCK_BYTES = 65_536  # the answers to a block of the shortest lines have 6 million
_AHEAD = 2  # blocks given to each process, so that none waits for the next

_batch: Batch  # set in each worker process


@contextmanager
def block_answers(batch: Batch, read: Read, jobs: int = 1) -> Iterator[Iterator[BlockAnswer]]:
    """Yield the answers to the lines of `read(size)`, in their order, judged by `jobs` processes.

    Call this before there are threads. The answers raise Halted if a process is killed.
    """
    blocks = LineBlocks().of(read, _BLOCK_BYTES)
    # Judged here, so that all processes share the cards that it loads.
    first = [batch.block(*block) for block in islice(blocks, 1)]
    if jobs == 1:
        yield chain(first, starmap(batch.block, blocks))
        return
    gc.freeze()  # memory that no collector looks at stays shared
    pool = ProcessPoolExecutor(jobs, get_context("fork"), _begin, (batch,))
    pool.submit(int)  # the first task forks all processes, which must be before the caller has threads
    try:
        yield chain(first, _in_order(pool, blocks, jobs * _AHEAD))
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, blocks: Iterable[tuple[int, bytes]], most: int) -> Iterator[BlockAnswer]:
    """Yield the answers in the order of the blocks. At most `most` blocks are read before the first is answered."""
    pending = deque[Future[BlockAnswer]]()
    try:
        for block in blocks:
            if len(pending) == most:
                yield pending.popleft().result()
            pending.append(pool.submit(_answer, *block))
        while pending:
            yield pending.popleft().result()
    except BrokenProcessPool:
        raise Halted from None


def _begin(batch: Batch) -> None:
    """Prepare a worker process. Only its parent handles interrupts."""
    global _batch
    _batch = batch
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this process as soon as its parent has ended, even if that was killed."""
    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)


def _answer(lines_before: int, block: bytes) -> BlockAnswer:
    return _batch.block(lines_before, block)
