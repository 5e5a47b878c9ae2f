"""The writer queue: threads of a process that write a database wait in the order in which they came.

Only `carddb.database` uses it. Many may wait while the queue moves, as when a whole hall registers within a minute.
If another program holds the database, few wait: each waiting thread is one that answers nobody.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

from carddb.errors import DatabaseBusy
from carddb.wait_budget import WaitBudget

MOST_WAITING = 8  # threads at a queue that does not move
STALLED_AFTER = 1.0  # seconds without a new transaction


class WriterQueue:
    """The threads that write or wait to write. The first `slots` of them write at the same time."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._lock = Lock()
        self._line: deque[Event] = deque()
        self._progress = time.monotonic()

    @contextmanager
    def turn(self, budget: WaitBudget) -> Iterator[None]:
        """Wait for a turn and have it during the block.

        Raises DatabaseBusy if the budget is spent, or if the queue is stalled and MOST_WAITING others wait already.
        """
        ticket = self._join()
        try:
            self._wait(ticket, budget)
            yield
        finally:
            self._leave(ticket)

    def record_progress(self) -> None:
        """Note that a thread whose turn it is has got all locks that it needs."""
        self._progress = time.monotonic()

    def _join(self) -> Event:
        ticket = Event()
        with self._lock:
            if not self._line:
                self._progress = time.monotonic()  # an empty queue is not stalled
            self._line.append(ticket)
            self._call_next()
        return ticket

    def _wait(self, ticket: Event, budget: WaitBudget) -> None:
        while not ticket.is_set():
            if not budget.seconds_left:
                raise DatabaseBusy("Too many programs write to the database at once; try again in a moment.")
            stalls_in = self._progress + STALLED_AFTER - time.monotonic()
            if stalls_in <= 0 and self._is_crowded_before(ticket):
                raise DatabaseBusy("Another program holds the database, and enough wait for it; try again in a moment.")
            ticket.wait(min(budget.seconds_left, stalls_in if stalls_in > 0 else STALLED_AFTER))

    def _is_crowded_before(self, ticket: Event) -> bool:
        with self._lock:
            return self._line.index(ticket) >= self._slots + MOST_WAITING

    def _leave(self, ticket: Event) -> None:
        with self._lock:
            self._line.remove(ticket)
            self._call_next()

    def _call_next(self) -> None:
        for position in range(min(self._slots, len(self._line))):
            self._line[position].set()
