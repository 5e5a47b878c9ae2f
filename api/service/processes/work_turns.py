"""Work turns: a limit of how many threads do large work at the same time, and of how many wait for it."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Self

from api.service.errors import Busy

_TIMEOUT = 20.0  # seconds to wait for a turn


class WorkTurns:
    """A semaphore with a bounded queue: `with turns:` runs in at most `at_a_time` threads, and `waiting` more wait.

    Entering raises Busy at once if the queue is full, and after a timeout if no turn comes.
    """

    def __init__(self, at_a_time: int, waiting: int) -> None:
        self._turns = BoundedSemaphore(at_a_time)
        self._places = BoundedSemaphore(at_a_time + waiting)

    def __enter__(self) -> Self:
        if not self._places.acquire(blocking=False):
            raise Busy
        if not self._turns.acquire(timeout=_TIMEOUT):
            self._places.release()
            raise Busy
        return self

    def __exit__(self, *_: object) -> None:
        self._turns.release()
        self._places.release()
