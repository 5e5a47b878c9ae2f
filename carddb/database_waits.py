"""Database waits: how long transactions may wait for a database, and in which order the threads that write wait.

`carddb.database` uses both. The web server opens one wait budget for each request. Many threads may wait to write while
the queue moves, as when a whole hall registers within a minute. If another program holds the database, few may wait:
each waiting thread is one that answers nobody. Threads that write the same subject write one after another, and a
waiting thread has no connection.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from threading import Event, Lock
from typing import NamedTuple

from carddb.bounds import MOST_WAITING, STALLED_AFTER
from carddb.errors import DatabaseBusy
from validator.language import phrase

_current: ContextVar[WaitBudget | None] = ContextVar("wait_budget", default=None)


class WaitBudget:
    """Seconds that may be spent waiting, in one or several blocks of `count_wait`. Work between them costs nothing."""

    def __init__(self, seconds: float) -> None:
        """Start a budget of this number of seconds. Nothing is spent before the first wait."""
        self._seconds = seconds
        self._began: float | None = None

    @property
    def seconds_left(self) -> float:
        """The seconds that may still be spent, 0 or more. The block of `count_wait` that runs now is subtracted."""
        spent = 0.0 if self._began is None else time.monotonic() - self._began
        return max(0.0, self._seconds - spent)

    @contextmanager
    def count_wait(self) -> Iterator[None]:
        """Subtract the time of the block from the budget, also after an error.

        An overspent budget has 0 seconds left.
        """
        self._began = time.monotonic()
        try:
            yield
        finally:
            self._seconds = self.seconds_left
            self._began = None


@contextmanager
def shared_budget(seconds: float) -> Iterator[None]:
    """Let all transactions of the block wait for `seconds` together, instead of each for its database's timeout.

    The budget is that of the current context (contextvars), so other threads do not share it.
    """
    with _set_current(WaitBudget(seconds)):
        yield


@contextmanager
def wait_budget(seconds: float) -> Iterator[WaitBudget]:
    """Yield the budget of the enclosing `shared_budget`, or a new one of `seconds`.

    The time of the block is subtracted from the budget. In the block, `seconds_left` returns the rest of this budget.
    """
    budget = _current.get() or WaitBudget(seconds)
    with _set_current(budget), budget.count_wait():
        yield budget


def seconds_left(default: float) -> float:
    """Return the rest of the current context's wait budget in seconds, `default` outside a budget."""
    budget = _current.get()
    return default if budget is None else budget.seconds_left


@contextmanager
def _set_current(budget: WaitBudget) -> Iterator[None]:
    """Make a budget that of the current context (contextvars) for the block. The one before is restored at the end."""
    token = _current.set(budget)
    try:
        yield
    finally:
        _current.reset(token)


class _Ticket(NamedTuple):
    """A place of a thread in the queue of writers. `called` is set when it is this thread's turn, and stays set.

    `subject` is the name of the data that the thread writes, such as "cards".
    """

    subject: str
    called: Event


class WriterQueue:
    """The queue of the threads that write or wait to write. At most `slots` subjects are written at the same time.

    Threads of the same subject write one after the other. The order is that of arrival.
    """

    def __init__(self, slots: int) -> None:
        """Make an empty queue for at most `slots` subjects that are written at the same time."""
        self._slots = slots
        self._lock = Lock()
        self._line: deque[_Ticket] = deque()
        self._progress = time.monotonic()

    @contextmanager
    def turn(self, subject: str, budget: WaitBudget) -> Iterator[None]:
        """Wait for a turn to write a subject, and have it during the block. The time is limited by the budget.

        Raises DatabaseBusy if the budget is spent. Raises it also if no transaction has begun for STALLED_AFTER seconds
        and MOST_WAITING others wait before this one.
        """
        ticket = self._append_ticket(subject)
        try:
            self._wait(ticket, budget)
            yield
        finally:
            self._remove_ticket(ticket)

    def record_progress(self) -> None:
        """Note the time: a thread whose turn it is has got all its locks now. So the queue is not stalled."""
        self._progress = time.monotonic()

    def _append_ticket(self, subject: str) -> _Ticket:
        """Append a new ticket for a subject to the queue and return it. Its event is set at once if its turn has come.

        If the queue was empty, the time without progress is counted from now.
        """
        ticket = _Ticket(subject, Event())
        with self._lock:
            if not self._line:
                self._progress = time.monotonic()  # an empty queue is not stalled
            self._line.append(ticket)
            self._call_next()
        return ticket

    def _wait(self, ticket: _Ticket, budget: WaitBudget) -> None:
        """Wait until it is the ticket's turn.

        Raises DatabaseBusy if the budget is spent. Raises it also if the queue has made no progress for STALLED_AFTER
        seconds and MOST_WAITING threads wait before this one.
        """
        while not ticket.called.is_set():
            if not budget.seconds_left:
                raise DatabaseBusy(phrase("Too many programs write to the database at once; try again in a moment."))
            stalls_in = self._progress + STALLED_AFTER - time.monotonic()
            if stalls_in <= 0 and self._is_crowded_before(ticket):
                raise DatabaseBusy(
                    phrase(
                        "Another program has locked the database, and many others wait for it. Try again in a moment."
                    )
                )
            ticket.called.wait(min(budget.seconds_left, stalls_in if stalls_in > 0 else STALLED_AFTER))

    def _is_crowded_before(self, ticket: _Ticket) -> bool:
        """Return True if at least MOST_WAITING threads before this ticket still wait for their turn."""
        with self._lock:
            before = islice(self._line, self._line.index(ticket))
            return sum(not each.called.is_set() for each in before) >= MOST_WAITING

    def _remove_ticket(self, ticket: _Ticket) -> None:
        """Remove a ticket from the queue and wake the threads whose turn has come."""
        with self._lock:
            self._line.remove(ticket)
            self._call_next()

    def _call_next(self) -> None:
        """Set the event of the first ticket of each subject, for the first `slots` subjects in the queue.

        A ticket keeps its slot until it is removed. The caller holds the lock.
        """
        subjects = set[str]()
        for ticket in self._line:
            if ticket.subject not in subjects:
                subjects.add(ticket.subject)
                ticket.called.set()
            if len(subjects) == self._slots:
                return
