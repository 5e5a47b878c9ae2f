"""Batch workers: processes that judge a batch side by side, for `deckproof batch --jobs`.

Each worker has a pipe of its own. The workers of `concurrent.futures` share one, and a worker that is killed while it
writes an answer leaves the pool waiting for the rest of it.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain, islice, starmap
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from api.service.errors import Halted
from api.service.ndjson import Batch, Block, BlockAnswer, LineBlocks, Read

_BLOCK_BYTES = 65_536  # the answers to a block of the shortest lines have 6 million
_AHEAD = 2  # blocks given to each process, so that none waits for the next
_fork = get_context("fork")


class _Worker(NamedTuple):
    """A process that judges blocks of a batch, and the connection by which it gets blocks and sends answers."""

    process: Any  # typeshed lacks the type of "fork" processes on some systems
    connection: Connection[Block, BlockAnswer]


@contextmanager
def block_answers(batch: Batch, read_bytes: Read, jobs: int = 1) -> Iterator[Iterator[BlockAnswer]]:
    """Yield an iterator of the answers to the lines that `read_bytes(size)` returns, in their order.

    The first block is judged in this process before the `with` block begins. If `jobs` is over 1, this number of
    processes is forked, which share the memory of this one. They judge the other blocks at the same time, and are
    killed at the end of the `with` block. Call this before there are threads. The iterator raises Halted if a process
    ends without an answer.
    """
    blocks = LineBlocks().read_blocks(read_bytes, _BLOCK_BYTES)
    # Judged here, so that all processes share the cards that it loads.
    first = [batch.answer_block(*block) for block in islice(blocks, 1)]
    if jobs == 1:
        yield chain(first, starmap(batch.answer_block, blocks))
        return
    gc.freeze()  # the garbage collector would copy shared memory
    workers = [_start_worker(batch) for _ in range(jobs)]
    threads = ThreadPoolExecutor(jobs, initializer=_block_sigterm)
    try:
        yield chain(first, _answers_in_order(threads, _make_answerer(workers), blocks, jobs * _AHEAD))
    finally:
        for worker in workers:
            worker.process.kill()
        threads.shutdown(cancel_futures=True)
        for worker in workers:
            worker.process.join()
            worker.connection.close()


def _block_sigterm() -> None:
    """Block SIGTERM in this thread, so that the main thread decides when it ends the process."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})


def _start_worker(batch: Batch) -> _Worker:
    """Fork a daemon process that answers blocks of the batch. Return it with the connection to it."""
    ours, workers = _fork.Pipe()
    process = _fork.Process(target=_answer_blocks, args=(batch, workers), daemon=True)
    process.start()
    workers.close()  # so that the connection ends with the process
    return _Worker(process, ours)


def _make_answerer(workers: Iterable[_Worker]) -> Callable[[Block], BlockAnswer]:
    """Return a thread-safe function that sends a block to a free worker and returns its answer.

    The function waits until a worker is free. It raises Halted if the process of the worker ends without an answer.
    """
    free = SimpleQueue[_Worker]()
    for worker in workers:
        free.put(worker)

    def answer(block: Block) -> BlockAnswer:
        """Return the answer of the next free worker to a block. Raises Halted if its process ends without an answer."""
        worker = free.get()
        try:
            worker.connection.send(block)
            return worker.connection.recv()
        except (EOFError, OSError):
            raise Halted from None
        finally:
            free.put(worker)

    return answer


def _answers_in_order(
    threads: ThreadPoolExecutor, answer: Callable[[Block], BlockAnswer], blocks: Iterable[Block], most: int
) -> Iterator[BlockAnswer]:
    """Yield the answers to blocks in the order of the blocks. `answer` runs in the threads of the pool.

    At most `most` blocks are read before their answer is yielded. Raises the error of `answer`.
    """
    pending = deque[Future[BlockAnswer]]()
    for block in blocks:
        if len(pending) == most:
            yield pending.popleft().result()
        pending.append(threads.submit(answer, block))
    while pending:
        yield pending.popleft().result()


def _answer_blocks(batch: Batch, blocks: Connection[BlockAnswer, Block]) -> None:
    """Receive blocks and send their answers, for ever, in a worker process. SIGINT is ignored: the parent handles it.

    `blocks` is the connection to the parent. A thread ends the process if the parent ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()
    while True:
        blocks.send(batch.answer_block(*blocks.recv()))


def _exit_with_parent() -> None:
    """Wait until the parent process has ended, then end this process with status 1. Does nothing without a parent."""
    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)
