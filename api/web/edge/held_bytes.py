"""Held bytes: what a process holds of requests and of unsent answers, bounded in all and for each address."""

from __future__ import annotations

from collections import Counter

MOST = 1_000_000_000
MOST_FOR_ONE = 300_000_000  # the largest batch and a few files


class HeldBytes:
    """The count of held bytes. Used from one thread, that of the event loop."""

    def __init__(self, most: int = MOST, most_for_one: int = MOST_FOR_ONE) -> None:
        self._most = most
        self._most_for_one = most_for_one
        self._by_address: Counter[str] = Counter()
        self._total = 0

    def take(self, address: str, size: int) -> bool:
        """Count `size` bytes more for an address; False, and nothing is counted, where that is too much."""
        if self._total + size > self._most or self._by_address[address] + size > self._most_for_one:
            return False
        self._total += size
        self._by_address[address] += size
        return True

    def give_back(self, address: str, size: int) -> None:
        """Count `size` bytes less for an address."""
        self._total -= size
        self._by_address[address] -= size
        if not self._by_address[address]:
            del self._by_address[address]
