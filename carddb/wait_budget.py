"""Wait budgets: the seconds that a transaction, or all transactions of one request, may wait for a database.

`carddb.database` spends them; the web server opens one for each request.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[WaitBudget | None] = ContextVar("wait_budget", default=None)


class WaitBudget:
    """Seconds that may be spent waiting. Work between two waits costs nothing."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._began: float | None = None

    @property
    def seconds_left(self) -> float:
        """The seconds that may still be spent, 0 or more."""
        spent = 0.0 if self._began is None else time.monotonic() - self._began
        return max(0.0, self._seconds - spent)

    @contextmanager
    def spending(self) -> Iterator[None]:
        """Count the time of the block as waiting."""
        self._began = time.monotonic()
        try:
            yield
        finally:
            self._seconds = self.seconds_left
            self._began = None


@contextmanager
def shared_budget(seconds: float) -> Iterator[None]:
    """Let all transactions of the block wait for `seconds` together, instead of each for its database's timeout."""
    with _set_current(WaitBudget(seconds)):
        yield


@contextmanager
def waiting(seconds: float) -> Iterator[WaitBudget]:
    """Yield the shared budget, or a new one of `seconds`; count the time of the block as waiting."""
    budget = _current.get() or WaitBudget(seconds)
    with _set_current(budget), budget.spending():
        yield budget


def seconds_left(default: float) -> float:
    """Return the seconds of the current budget, `default` if there is none."""
    budget = _current.get()
    return default if budget is None else budget.seconds_left


@contextmanager
def _set_current(budget: WaitBudget) -> Iterator[None]:
    token = _current.set(budget)
    try:
        yield
    finally:
        _current.reset(token)
