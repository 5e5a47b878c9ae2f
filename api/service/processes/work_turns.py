"""Turns: few do at a time what takes much, some wait for them, and the rest are told to come again."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Self

from api.service.errors import Busy

_PATIENCE = 20.0  # seconds to wait for a turn


class WorkTurns:
    """Turns that so many have at a time while so many wait: `with turns:`. Busy where too much waits already."""

    def __init__(self, at_a_time: int, waiting: int) -> None:
        self._turns = BoundedSemaphore(at_a_time)
        self._places = BoundedSemaphore(at_a_time + waiting)

    def __enter__(self) -> Self:
        """Wait for a turn."""
        if not self._places.acquire(blocking=False):
            raise Busy
        if not self._turns.acquire(timeout=_PATIENCE):
            self._places.release()
            raise Busy
        return self

    def __exit__(self, *_: object) -> None:
        """Let the next have it."""
        self._turns.release()
        self._places.release()
