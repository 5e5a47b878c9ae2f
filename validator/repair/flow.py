"""Flows: the cheapest one through a small network of arcs with capacities and costs, by augmenting paths."""

from __future__ import annotations

from collections import deque


class Network:
    """A directed network, at first without a circle; every arc has a capacity and a cost for each unit."""

    def __init__(self) -> None:
        self._heads: list[int] = []
        self._left: list[int] = []  # what an arc can still take; every second one is the way back
        self._costs: list[int] = []
        self._leaving: list[list[int]] = []

    def node(self) -> int:
        """Add a node."""
        self._leaving.append([])
        return len(self._leaving) - 1

    def arc(self, tail: int, head: int, capacity: int, cost: int = 0) -> int:
        """Add an arc and return what `flow` knows it by."""
        arc = len(self._heads)
        self._heads += head, tail
        self._left += capacity, 0
        self._costs += cost, -cost
        self._leaving[tail].append(arc)
        self._leaving[head].append(arc + 1)
        return arc

    def flow(self, arc: int) -> int:
        """Return what flows through an arc."""
        return self._left[arc + 1]

    def run(self, source: int, sink: int) -> None:
        """Let flow from source to sink whatever makes the costs of all the flow smaller."""
        while path := self._cheapest(source, sink):
            units = min(self._left[arc] for arc in path)
            for arc in path:
                self._left[arc] -= units
                self._left[arc ^ 1] += units

    def _cheapest(self, source: int, sink: int) -> list[int]:
        """Return the arcs of the cheapest path that saves anything, none if no path does."""
        came = self._reached(source)
        arc, saved, path = came[sink], 0, []
        while arc >= 0:
            path.append(arc)
            saved += self._costs[arc]
            arc = came[self._heads[arc ^ 1]]
        return path if saved < 0 else []

    def _reached(self, source: int) -> list[int]:
        """Return for each node the last arc of the cheapest way to it, -1 where there is none."""
        costs: list[int | None] = [None] * len(self._leaving)
        came = [-1] * len(self._leaving)
        costs[source] = 0
        waiting, queued = deque([source]), {source}
        while waiting:
            tail = waiting.popleft()
            queued.discard(tail)
            here = costs[tail] or 0
            for arc in self._leaving[tail]:
                head = self._heads[arc]
                known = costs[head]
                if self._left[arc] and (known is None or here + self._costs[arc] < known):
                    costs[head], came[head] = here + self._costs[arc], arc
                    if head not in queued:
                        queued.add(head)
                        waiting.append(head)
        return came
