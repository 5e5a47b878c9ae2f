"""Engines: what does the shards, processes of this machine's own, a Dask cluster or a Ray cluster.

What an engine promises is little: to try each shard, and to say what came of it. That nothing is lost or double is
owed to how a part is written.
"""

from __future__ import annotations

import multiprocessing
import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from api.rejudge.parts import Order, Receipt, tried
from api.rejudge.shards import Shard

_TRIES = 3
_MEMORY = 6_000_000_000  # bytes that a process may have beside those that it begins with
_LOOK = 1.0  # seconds between two looks whether to stop
_AHEAD = 4  # shards that a cluster is given for each of its processes
_DIED = "the process that read it died or had too little memory"


class Tried(NamedTuple):
    """What came of a shard: its receipt, or why it is set aside."""

    shard: Shard
    receipt: Receipt | None
    reason: str = ""


class Engine(Protocol):
    """What does shards."""

    def outcomes(self, order: Order, shards: Sequence[Shard], is_over: Callable[[], bool]) -> Iterator[Tried]:
        """Yield what comes of each shard, in any order; when it is over, of those that are begun and no others."""
        ...


class _Hand:
    """A process of its own that does one shard at a time; where it dies, there is another."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._begin()

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")  # which inherits no other's connection
        self.connection, far = context.Pipe()
        self._process = context.Process(target=_work, args=(self._order, far, _MEMORY), daemon=True)
        self._process.start()
        far.close()

    def give(self, shard: Shard) -> None:
        with suppress(OSError):  # it has died, as is seen when it is heard
            self.connection.send(shard)

    def heard(self) -> tuple[Receipt | None, str] | None:
        """Return what came of its shard, None where its process has died, and another one is begun."""
        try:
            outcome: tuple[Receipt | None, str] = self.connection.recv()
        except (EOFError, OSError):
            self.end()
            self._begin()
            return None
        return outcome

    def end(self) -> None:
        """Let it finish what it has begun, and end."""
        self.connection.close()
        self._process.join()


class Processes:
    """Processes of this machine, which are no more when this one is not."""

    def __init__(self, count: int) -> None:
        self._count = count

    def outcomes(self, order: Order, shards: Sequence[Shard], is_over: Callable[[], bool]) -> Iterator[Tried]:
        """Yield what comes of each shard; one whose process dies is given to another, some times."""
        waiting, tries = list(reversed(shards)), Counter[Shard]()
        hands = [_Hand(order) for _ in range(min(self._count, len(shards)))]
        idle, busy = list(hands), dict[object, tuple[_Hand, Shard]]()
        try:
            while True:
                if not is_over():
                    _give_out(waiting, idle, busy)
                if not busy:
                    return
                for connection in wait([hand.connection for hand, _ in busy.values()], _LOOK):
                    hand, shard = busy.pop(connection)
                    heard = hand.heard()
                    idle.append(hand)
                    tries[shard] += 1
                    if heard or tries[shard] >= _TRIES:
                        yield Tried(shard, *(heard or (None, _DIED)))
                    else:
                        waiting.append(shard)
        finally:
            for hand in hands:
                hand.end()


def _give_out(waiting: list[Shard], idle: list[_Hand], busy: dict[object, tuple[_Hand, Shard]]) -> None:
    """Give each idle process a shard, as long as there are any."""
    while idle and waiting:
        hand, shard = idle.pop(), waiting.pop()
        busy[hand.connection] = hand, shard
        hand.give(shard)


def _work(order: Order, connection: Connection, memory: int) -> None:
    """Do shards as they come, until nobody gives any more."""
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_IGN)  # the shard that is begun is finished
    _limit(memory)
    with suppress(EOFError, OSError):
        while True:
            connection.send(tried(order, connection.recv()))


def _limit(memory: int) -> None:
    """Let this process have so much more memory at most: what asks for more is set aside, and the machine lives."""
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + memory
        _, allowed = resource.getrlimit(resource.RLIMIT_AS)
        if allowed != resource.RLIM_INFINITY:
            most = min(most, allowed)  # nobody may be given more than whoever began the run has
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


class DaskCluster:
    """The workers of a Dask scheduler, each of which has deckproof, the database and the folders."""

    def __init__(self, address: str) -> None:
        self._address = address

    def outcomes(self, order: Order, shards: Sequence[Shard], is_over: Callable[[], bool]) -> Iterator[Tried]:
        """Yield what comes of each shard; one whose worker dies is given to another, some times."""
        from distributed import Client, as_completed

        waiting = list(reversed(shards))
        given: dict[str, Shard] = {}
        with Client(self._address) as client:
            done = as_completed()

            def give() -> None:
                shard = waiting.pop()
                future = client.submit(tried, order, shard, pure=False, retries=_TRIES)
                given[future.key] = shard
                done.add(future)

            for _ in range(min(len(waiting), _AHEAD * max(1, len(client.nthreads())))):
                give()
            for future in done:
                shard = given.pop(future.key)
                yield Tried(shard, None, _DIED) if future.status == "error" else Tried(shard, *future.result())
                future.release()
                if waiting and not is_over():
                    give()


class RayCluster:
    """The processes of a Ray cluster, each of which has deckproof, the database and the folders."""

    def __init__(self, address: str) -> None:
        self._address = address

    def outcomes(self, order: Order, shards: Sequence[Shard], is_over: Callable[[], bool]) -> Iterator[Tried]:
        """Yield what comes of each shard; one whose process dies is given to another, some times."""
        import ray

        ray.init(self._address, log_to_driver=False)
        try:
            work = ray.remote(num_cpus=1, max_retries=_TRIES)(tried)
            waiting = list(reversed(shards))
            given: dict[Any, Shard] = {}
            ahead = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while given or waiting:
                while waiting and len(given) < ahead and not is_over():
                    shard = waiting.pop()
                    given[work.remote(order, shard)] = shard
                if not given:
                    return
                (reference,), _ = ray.wait(list(given), num_returns=1)
                shard = given.pop(reference)
                try:
                    yield Tried(shard, *ray.get(reference))
                except ray.exceptions.RayError:
                    yield Tried(shard, None, _DIED)
        finally:
            ray.shutdown()
