"""Registrations in the last minute before a deadline, with kills: `python -m tests.benchmarks.last_minute`.

Options: --registrations, --seconds, --database (sqlite, postgresql, both), --kills, --seed. A real server has two
workers. Each player is a telephone that sends one request, and sends it again after a cut connection, a 429 or a 503.
All players are invented. Fails unless each registration that was answered is stored exactly once, and no other is.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import signal
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from api.events.players.entrant import Entrant
from api.events.storage.event_store import EventStore
from carddb.database import Database
from tests.api.events.conftest import EVENT, ILLEGAL, LEGAL
from tests.api.events.crowd import Client, find_half_registrations
from tests.api.processes import Running, wait_for
from tests.postgres import own_schema

WORKERS = 2
LATE = 0.05  # share of the players who send their first request after the deadline
LATE_SECONDS = 3.0  # in which those come
LAST = 0.7, 0.25  # this share of the others comes in this last part of the time
SERVER_KILLED, WORKERS_KILLED = 0.8, (0.2, 0.95)  # parts of the time
RESTART = 4.0  # seconds before the deadline, at the least, in which the server is there again
PATIENCE = 180  # seconds after the deadline in which each player has an answer
_BACKOFF = (0.5, 1.0, 2.0)  # seconds between the attempts of a telephone; the last one again and again
_AFTERMATH = 2.0  # seconds after a restart that count as disturbed
_ANSWERS = {201, 403, 429, 503}


class Attempt(NamedTuple):
    """A request of a telephone: from when to when, and the status of its answer, 0 if the connection was cut."""

    began: float
    ended: float
    status: int


@dataclass
class Phone:
    """A player with a telephone, who registers at a moment. `answer` is the last one: 201 or 403."""

    player: str
    decklist: str
    starts: float
    once: str
    attempts: list[Attempt] = field(default_factory=list)
    status: int = 0
    answer: dict[str, str] = field(default_factory=dict)

    def register(self, url: str, path: str, until: float) -> None:
        """Send the registration at its moment, and again until it is answered or `until` is over."""
        time.sleep(max(0.0, self.starts - time.time()))
        client = Client(url)
        while self.status not in (201, 403) and time.time() < until:
            time.sleep(self._send(client, path))
        client.close()

    def _send(self, client: Client, path: str) -> float:
        """Send the registration once. Return the seconds to wait before the next try, 0 if there is none."""
        began, status, wait = time.time(), 0, _BACKOFF[min(len(self.attempts), len(_BACKOFF) - 1)]
        said = {"player": self.player, "decklist": self.decklist}
        with suppress(OSError, http.client.HTTPException):
            status, self.answer, headers = client("POST", path, said, Idempotency_Key=self.once)
            wait = 0.0 if status in (201, 403) else float(headers["Retry-After"] or wait)
        if wait:
            client.close()
        self.status = status
        self.attempts.append(Attempt(began, time.time(), status))
        return wait


class Disturbance(NamedTuple):
    """What was killed, and from when to when it was missed."""

    killed: str
    began: float
    ended: float


class Hall:
    """A server on one port that is killed and started again."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self._folder, self._settings = folder, {"DECKPROOF_DATABASE_URL": database_url}
        self.server = Running(folder, ("serve", "--port", "0", "--workers", str(WORKERS)), **self._settings)
        wait_for(lambda: len(self.server.workers()) == WORKERS)
        self.disturbances: list[Disturbance] = []

    def kill_worker(self, draw: random.Random) -> None:
        """Kill one of the workers, and wait until the server has started another."""
        began, victim = time.time(), draw.choice(self.server.workers())
        os.kill(victim, signal.SIGKILL)
        wait_for(lambda: victim not in self.server.workers() and len(self.server.workers()) == WORKERS)
        self.disturbances.append(Disturbance("a worker", began, time.time() + _AFTERMATH))

    def kill_server(self) -> None:
        """Kill the server with all its processes, as a machine does that loses its power, and start it again."""
        began = time.time()
        self.server.kill_all()
        arguments = ("serve", "--port", str(self.server.port), "--workers", str(WORKERS))
        self.server = Running(self._folder, arguments, **self._settings)
        self.disturbances.append(Disturbance("the server", began, time.time() + _AFTERMATH))


class Outcome(NamedTuple):
    """What came of all registrations."""

    phones: list[Phone]
    disturbances: list[Disturbance]
    deadline: float

    @property
    def answered_attempts(self) -> list[Attempt]:
        """All attempts that were answered."""
        return [one for phone in self.phones for one in phone.attempts if one.status]

    @property
    def undisturbed_attempts(self) -> list[Attempt]:
        """The answered attempts that no kill fell into."""
        return [
            one
            for one in self.answered_attempts
            if not any(each.began <= one.ended and one.began <= each.ended for each in self.disturbances)
        ]

    @property
    def retries(self) -> int:
        """The number of requests that were sent again."""
        return sum(len(phone.attempts) - 1 for phone in self.phones)

    @property
    def refused_in_time(self) -> list[Phone]:
        """The players who sent their first request before the deadline, and were refused."""
        return [phone for phone in self.phones if phone.status == 403 and phone.starts < self.deadline]


def main() -> None:
    """Print, for each database, how long answers took and what came of the registrations."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--registrations", type=int, default=2000)
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--database", choices=(*DATABASES, "both"), default="both")
    reader.add_argument("--kills", type=int, default=4)
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    for name in DATABASES if given.database == "both" else [given.database]:
        with suppress(pytest.skip.Exception), TemporaryDirectory() as folder, DATABASES[name](Path(folder)) as url:
            outcome = measure(Path(folder), url, given.registrations, given.seconds, given.kills, given.seed)
            print(f"{name}: {describe(outcome)}", flush=True)


@contextmanager
def _sqlite(folder: Path) -> Iterator[str]:
    yield f"sqlite:///{folder / 'deckproof.db'}"


@contextmanager
def _postgresql(_: Path) -> Iterator[str]:
    with own_schema(is_hasty=False) as url:
        Database(url).upgrade()
        yield url


DATABASES = {"sqlite": _sqlite, "postgresql": _postgresql}


def measure(folder: Path, database_url: str, registrations: int, seconds: float, kills: int, seed: int = 1) -> Outcome:
    """Let players register at a new server until `seconds` are over. Asserts that each is stored exactly once."""
    draw = random.Random(seed)
    hall = Hall(folder, database_url)
    with ThreadPoolExecutor(registrations) as pool:
        start = time.time()
        deadline = start + seconds
        event = _begin_event(hall.server.url, deadline)
        path, until = f"/v1/events/{event['id']}/registrations", deadline + PATIENCE
        phones = list(_make_phones(draw, registrations, start, deadline))
        coming = [pool.submit(phone.register, hall.server.url, path, until) for phone in phones]
        _kill(hall, draw, kills, start, seconds)
        for phone in coming:
            phone.result()
    outcome = Outcome(phones, hall.disturbances, deadline)
    with hall.server.ended():
        assert_stored_once(outcome, hall.server.url, event, database_url)
    return outcome


def _begin_event(url: str, deadline: float) -> dict[str, str]:
    """Begin an event that is open until the deadline. Return its id and the organiser's key."""
    moment = datetime.fromtimestamp(deadline, UTC)
    said = EVENT | {"on": str(moment.date() + timedelta(days=1)), "closes": moment.isoformat(timespec="microseconds")}
    status, begun, _ = Client(url)("POST", "/v1/events", said)
    assert status == 201, begun
    return {"id": begun["id"], "organiser": begun["keys"]["organiser"]}


def _make_phones(draw: random.Random, count: int, start: float, deadline: float) -> Iterator[Phone]:
    """Yield players as they come at the end: ever more of them, and a few after the deadline."""
    share, part = LAST
    for number in range(count):
        begins, ends = start, deadline
        if number < count * LATE:
            begins, ends = deadline, deadline + LATE_SECONDS
        elif draw.random() < share:
            begins = deadline - (deadline - start) * part
        lists = ILLEGAL if number % 7 == 0 else LEGAL
        once = str(uuid.UUID(int=draw.getrandbits(128)))
        yield Phone(f"Invented Player {number}", lists, draw.uniform(begins, ends), once)


def _kill(hall: Hall, draw: random.Random, kills: int, start: float, seconds: float) -> None:
    """Kill the whole server once while most players come, and workers at random moments."""
    whole = min(SERVER_KILLED * seconds, seconds - RESTART)
    moments = [(draw.uniform(*WORKERS_KILLED) * seconds, False) for _ in range(kills - 1)]
    for moment, is_whole in sorted([*moments, (whole, True)])[:kills]:
        time.sleep(max(0.0, start + moment - time.time()))
        if is_whole:
            hall.kill_server()
        else:
            hall.kill_worker(draw)


def assert_stored_once(outcome: Outcome, url: str, event: dict[str, str], database_url: str) -> None:
    """Assert that what was answered is what is stored: each registration once, nothing half, nothing late."""
    statuses = {attempt.status for attempt in outcome.answered_attempts}
    assert statuses <= _ANSWERS, statuses
    assert {phone.status for phone in outcome.phones} <= {201, 403}
    with EventStore(Database(database_url)).reading() as reader:
        stored = reader.entrants(event["id"])
        noted = Counter(entry.action for entry in reader.audit(event["id"]))
    times = Counter(one.revision.written.player for one in stored)
    assert max(times.values()) == 1, "somebody is stored twice"
    ids = {one.revision.written.player: one.id for one in stored}
    assert ids == {phone.player: phone.answer["id"] for phone in outcome.phones if phone.status == 201}
    assert noted["registered"] == noted["player key made"] == len(stored)
    assert find_half_registrations(database_url) == (0, 0)
    _assert_in_time(outcome, stored)
    _assert_usable(outcome, url, event)


def _assert_in_time(outcome: Outcome, stored: list[Entrant]) -> None:
    """Assert that nothing of after the deadline is stored, and that nobody was refused before it."""
    assert all(one.revision.at.timestamp() < outcome.deadline for one in stored)
    for phone in outcome.phones:
        assert phone.status == 201 or phone.attempts[-1].ended >= outcome.deadline
        assert phone.status == 403 or phone.starts < outcome.deadline


def _assert_usable(outcome: Outcome, url: str, event: dict[str, str]) -> None:
    """Assert that the audit is intact, and that the keys that were answered open their registrations."""
    client, path = Client(url), f"/v1/events/{event['id']}"
    assert client("GET", f"{path}/audit", key=event["organiser"])[1]["intact"]
    registered = [phone for phone in outcome.phones if phone.status == 201]
    for phone in registered[:: max(1, len(registered) // 20)]:
        status, shown, _ = client("GET", f"{path}/registrations/{phone.answer['id']}", key=phone.answer["key"])
        assert (status, shown["player"]) == (200, phone.player)
    client.close()


def describe(outcome: Outcome) -> str:
    """Return the results of the registrations, in lines."""
    counts = Counter(phone.status for phone in outcome.phones)
    statuses = dict(sorted(Counter(one.status for phone in outcome.phones for one in phone.attempts).items()))
    waits = [phone.attempts[-1].ended - phone.starts for phone in outcome.phones]
    lines = [
        f"{len(outcome.phones):,} players, {counts[201]:,} registered once, {counts[403]:,} refused after the deadline",
        f"killed: {', '.join(f'{one.killed} ({one.ended - one.began:.1f} s)' for one in outcome.disturbances)}",
        f"{outcome.retries:,} requests sent again; answers by status (0: cut off) {statuses}",
        f"refused although first sent before the deadline: {len(outcome.refused_in_time):,}",
        f"answers: {_percentiles([one.ended - one.began for one in outcome.answered_attempts])}",
        f"answers without a kill: {_percentiles([one.ended - one.began for one in outcome.undisturbed_attempts])}",
        f"players' waits, retries included: {_percentiles(waits)}",
    ]
    return "\n  ".join(lines)


def _percentiles(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    if not ordered:
        return "none"
    cuts = {f"p{share}": ordered[min(len(ordered) - 1, len(ordered) * share // 100)] for share in (50, 95, 99)}
    return ", ".join(f"{name} {value * 1000:,.0f} ms" for name, value in (cuts | {"max": ordered[-1]}).items())


if __name__ == "__main__":
    main()
