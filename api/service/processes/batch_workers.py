"""Batch workers: processes that judge a batch side by side, a block of lines at a time; answers keep their order."""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain, islice, starmap
from multiprocessing.connection import Connection, Pipe
from typing import Any, NoReturn

from api.service.errors import Halted
from api.service.ndjson import Batch, BlockAnswer, LineBlocks, Read

_PIECE = 65_536  # bytes; the answers to so many of the shortest lines have 6 million
_Block = tuple[int, bytes]


@contextmanager
def answered(batch: Batch, read: Read, jobs: int = 1) -> Iterator[Iterator[BlockAnswer]]:
    """Yield the answers to what `read(most)` gives, judged by so many processes; enter it before there are threads.

    One block is judged here before there are any, so that all have its cards, and what was learnt of them, in common.
    """
    blocks = LineBlocks().of(read, _PIECE)
    first = [batch.block(*block) for block in islice(blocks, 1)]
    with ExitStack() as ending:
        rest = starmap(batch.block, blocks) if jobs == 1 else _shared(batch, blocks, jobs, ending)
        yield chain(first, rest)


def _shared(batch: Batch, blocks: Iterable[_Block], jobs: int, ending: ExitStack) -> Iterator[BlockAnswer]:
    gc.freeze()  # what is looked at by no collector stays one memory for all
    workers: list[_BatchWorker] = []
    for _ in range(jobs):
        workers.append(_BatchWorker(batch, workers))
        ending.callback(workers[-1].end)
    return _in_turn(workers, blocks)


def _in_turn(workers: Iterable[_BatchWorker], blocks: Iterable[_Block]) -> Iterator[BlockAnswer]:
    """Yield the answers in the order of the blocks; each worker has one block at a time, and no more is read."""
    free, busy = deque(workers), deque[_BatchWorker]()
    for block in blocks:
        answer = None if free else busy[0].answer()
        worker = free.popleft() if free else busy.popleft()
        worker.ask(block)
        busy.append(worker)
        if answer:
            yield answer
    for worker in busy:
        yield worker.answer()


class _BatchWorker:
    """A child that answers blocks until nobody can ask it any more."""

    def __init__(self, batch: Batch, before: Iterable[_BatchWorker]) -> None:
        self._near, far = Pipe()
        self._process = os.fork()
        if not self._process:
            for one in (self, *before):
                one._near.close()  # else it would not end with who asks
            _work(batch, far)
        far.close()

    def ask(self, block: _Block) -> None:
        """Give it a block; Halted where it has ended."""
        try:
            self._near.send(block)
        except ConnectionError:
            raise Halted from None

    def answer(self) -> BlockAnswer:
        """Wait for the answers to its block; Halted where it has ended."""
        try:
            answers: BlockAnswer = self._near.recv()
        except (EOFError, ConnectionError):
            raise Halted from None
        return answers

    def end(self) -> None:
        """Let it end, and wait until it has."""
        self._near.close()
        os.waitpid(self._process, 0)


def _work(batch: Batch, asked: Connection[Any, Any]) -> NoReturn:
    """Answer blocks as a child, whose parent alone hears of interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with suppress(EOFError, ConnectionError):
            while True:
                asked.send(batch.block(*asked.recv()))
    finally:
        os._exit(0)
