"""A fleet: two webs and two workers behind a proxy, with a PostgreSQL and a Redis of their own; and who asks it."""

from __future__ import annotations

import http.client
import shutil
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import NamedTuple

import pytest
import requests

from tests.api.events.conftest import LEGAL
from tests.api.events.crowd import OPEN, Client
from tests.api.jobs.spreadsheets import decks
from tests.api.jobs.test_survival import ids, wait_for_status
from tests.api.processes import START, Process, Running, hasty, wait_for
from tests.deploy.proxies import HaProxy
from tests.postgres import own_cluster
from tests.redis import own_redis

ADMIN_KEY = "an-admin-key-of-the-fleet"  # a server without one ignores it
VERDICT = {"game": "optcg", "on": "2026-11-01", "decklist": LEGAL}
PLAYERS = 20  # in a spreadsheet
PAUSE = 0.02  # seconds between two requests of a client, and
MOST = 120.0  # seconds for which what is refused for the moment is asked for
REGISTERS, SENDS = 100, 50  # such pauses between two registrations, and two jobs


class Fleet:
    """All of it; each part may be ended and begun anew, by its name."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self.database, self.redis = stack.enter_context(own_cluster()), stack.enter_context(own_redis())
        self.proxy = HaProxy(folder)
        self.proxy.start()
        stack.callback(self.proxy.kill)
        self.url = self.proxy.url
        self.folder = folder
        self.settings = {"DECKPROOF_DATABASE_URL": self.database.url, "DECKPROOF_REDIS_URL": self.redis.url}
        self.settings["DECKPROOF_TRUSTED_PROXIES"] = "127.0.0.1"
        self.settings["DECKPROOF_ADMIN_KEY"] = ADMIN_KEY
        self.parts: dict[str, Process] = {}
        self.done = 0  # jobs, of those who asked before
        stack.callback(lambda: [one.kill() for one in self.parts.values()])

    def upgrade(self, python: Sequence[str] = (), **settings: str) -> None:
        """Bring the database up to date, as whoever releases a version does; maybe by what Python is to run."""
        is_sure = () if python else ("--yes",)  # which older versions do not know
        words, given = (*python, "db", "upgrade", *is_sure), self.settings | settings
        release = Process(self.folder / "release", words, *_command(python), **given)
        assert release.process.wait(START) == 0, release.log.read_text()

    def begin(self, name: str, python: Sequence[str] = (), **settings: str) -> None:
        """Begin a web or a worker, and wait until it is asked or at work; a web maybe by what Python is to run."""
        folder = self.folder / name
        if name.startswith("web"):
            served = ("serve", "--port", str(self.proxy.web_ports[int(name[-1]) - 1]), "--workers", "1")
            self.parts[name] = Running(folder, (*python, *served), *_command(python), **self.settings | settings)
            wait_for(lambda: self.proxy.is_up(name))
        else:  # one in no such hurry that it takes its fellow for dead beside so many clients
            self.parts[name] = hasty(folder, every=1, missed_after=8, **self.settings | settings)
            self.parts[name].says("is at work")

    def begin_all(self, *names: str, python: Sequence[str] = (), **settings: str) -> None:
        """Begin some at once."""
        with ThreadPoolExecutor(len(names)) as pool:
            list(pool.map(partial(self.begin, python=python, **settings), names))

    def kill(self, name: str, away: float = 0.0) -> tuple[float, float]:
        """Kill a part, leave it away for some seconds, and begin it anew; return from when until when it was away."""
        own, begun = {"database": self.database, "redis": self.redis}.get(name), time.monotonic()
        own.kill() if own else self.parts[name].kill_all()
        time.sleep(away)
        if name == "database":
            wait_for(self.database.starts)
        elif name == "redis":
            self.redis.start()
        else:
            self.begin(name)
        return begun, time.monotonic()

    def renew(self, name: str) -> None:
        """End a part in good order, and begin it anew."""
        assert self.parts[name].end() == 0
        self.begin(name)

    def readyz(self) -> requests.Response:
        """Return the answer of the first web to /readyz, which the proxy does not serve."""
        return requests.get(f"http://127.0.0.1:{self.proxy.web_ports[0]}/readyz", timeout=60)

    def jobs(self) -> dict[str, int]:
        """Return how many jobs there are of each status."""
        return self.readyz().json()["jobs"]

    def said(self, words: str) -> int:
        """Return how often its processes have logged some words."""
        return sum(log.read_text().count(words) for log in self.folder.glob("w*/log-*"))


def _command(python: Sequence[str]) -> tuple[str, ...]:
    return (sys.executable,) if python else ()


WEBS, WORKERS = ("web1", "web2"), ("worker1", "worker2")
NAMES = ("worker1", "web1", "redis", "database", "worker2", "web2")


@contextmanager
def unmanned(folder: Path) -> Iterator[Fleet]:
    """Yield a fleet of which neither webs nor workers are begun, and whose database is empty."""
    if not shutil.which("haproxy"):
        pytest.skip("needs haproxy")
    with ExitStack() as stack:
        yield Fleet(stack, folder)


@contextmanager
def fleet(folder: Path) -> Iterator[Fleet]:
    """Yield a fleet that answers, ready to be asked."""
    with unmanned(folder) as made:
        made.upgrade()
        made.begin_all(*WEBS, *WORKERS)
        yield made


class Given(NamedTuple):
    """An answer: when it came, to what, its status (0: none came), how long it took, and when to come again."""

    at: float
    to: str
    status: int
    took: float
    again: str | None


class Callers:
    """Clients that ask for verdicts, some of which register players, and one that sends in jobs, until they are ended.

    What is refused for the moment comes again, a registration with its Idempotency-Key. `unsure` counts the jobs that
    may be there though no answer said so.
    """

    def __init__(self, url: str, clients: int, pause: float = PAUSE, registers: bool = True) -> None:
        self.url, self._pause = url, pause
        self._over = Event()
        self._pool = ThreadPoolExecutor(clients + 1)
        self.answers: list[Given] = []
        self.jobs: list[str] = []
        self.cut: list[str] = []
        self.unsure = 0
        self.registered: list[str] = []
        self._registers = registers
        if registers:
            self._begin_event()
        self._done = [self._pool.submit(self._ask, number) for number in range(clients)]
        self._done.append(self._pool.submit(self._send_jobs))

    def _begin_event(self) -> None:
        status, begun, _ = Client(self.url)("POST", "/v1/events", OPEN, ADMIN_KEY)
        assert status == 201
        self._path, self._judge = f"/v1/events/{begun['id']}", begun["keys"]["judge"]

    def __enter__(self) -> Callers:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for one in self._done:
            one.result()
        self._pool.shutdown()

    def of(self, to: str) -> list[Given]:
        """Return the answers of one kind."""
        return [one for one in self.answers if one.to == to]

    def standing(self) -> list[str]:
        """Return the players that are registered."""
        if not self._registers:
            return []
        _, listed, _ = Client(self.url)("GET", f"{self._path}/registrations", key=self._judge)
        return sorted(one["player"] for one in listed["registrations"])

    def _asked(self, to: str, ask: Callable[[], tuple[int, object, object]]) -> tuple[int, object, object]:
        begun = time.monotonic()
        try:
            status, said, headers = ask()
        except (OSError, http.client.HTTPException) as error:
            status, said, headers = 0, None, {}
            self.cut.append(f"{to}: {error!r}")
        now = time.monotonic()
        self.answers.append(Given(now, to, status, now - begun, headers.get("Retry-After")))
        return status, said, headers

    def _ask(self, number: int) -> None:
        client, every = Client(self.url), REGISTERS * self._pause
        registers = time.monotonic() + number % every
        while not self._over.wait(self._pause):
            if self._registers and number % 4 == 0 and time.monotonic() > registers:
                self._register(client, f"Player {number} {registers:.3f}")
                registers += every
            else:
                self._asked("verdict", partial(client, "POST", "/v1/validate", VERDICT))
        client.close()

    def registration(self, player: str) -> tuple[str, dict[str, str]]:
        """Return what registers a player: a path and a body."""
        return f"{self._path}/registrations", {"player": player, "decklist": LEGAL}

    def _register(self, client: Client, player: str) -> None:
        ask = partial(client, "POST", *self.registration(player), Idempotency_Key=uuid.uuid4().hex)
        wait_for(lambda: self._asked("registration", ask)[0] == 201, MOST)
        self.registered.append(player)

    def _send_jobs(self) -> None:
        body, query = decks(PLAYERS), "game=optcg&on=2026-11-01&job=true"
        while True:
            wait_for(lambda: self._sent(body, f"/v1/workbooks?{query}"), MOST)
            if self._over.wait(SENDS * self._pause):
                return

    def _sent(self, body: bytes, path: str) -> bool:
        def ask() -> tuple[int, object, object]:
            answer = requests.post(f"{self.url}{path}", data=body, headers={"Content-Type": "text/csv"}, timeout=30)
            return answer.status_code, answer.text, answer.headers

        status, _, headers = self._asked("job", ask)
        if status != 202:
            self.unsure += 1
            return False
        self.jobs.append(headers["Location"])
        return True


def assert_whole(of: Fleet, callers: Callers, away: tuple[float, float]) -> None:
    """Assert that nobody was refused but while the database was away, and that nothing is lost or was done twice."""
    assert not callers.cut
    assert {one.status for one in callers.of("verdict")} == {200}
    refused = [one for one in callers.answers if one.status not in (200, 201, 202)]
    assert {one.status for one in refused} <= {503}
    assert all(one.again for one in refused)
    outside = [one for one in refused if not away[0] <= one.at <= away[1] + one.took]
    assert {one.to for one in outside} <= {"job"}  # which has no key by which the proxy may send it again
    assert len(outside) <= 2  # one for each web
    assert callers.standing() == sorted(callers.registered)
    for path in callers.jobs:
        wait_for_status(of, path, "done")
        assert ids(of, path) == [f"{at:06d}" for at in range(PLAYERS)]
    wait_for(lambda: (now := of.jobs())["done"] == sum(now.values()))
    before, of.done = of.done, of.jobs()["done"]
    assert len(callers.jobs) <= of.done - before <= len(callers.jobs) + callers.unsure
    assert of.said("A job was done") <= of.done
