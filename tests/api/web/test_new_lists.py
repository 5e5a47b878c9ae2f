"""A new list reaches servers and workers while clients ask: no request is refused, no verdict is mixed."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event
from typing import NamedTuple

import pytest
import python_calamine as calamine
import requests

from carddb.library import Library
from carddb.list_files import parse_file
from tests.api.events.conftest import LEGAL
from tests.api.events.crowd import Client
from tests.api.jobs.spreadsheets import decks
from tests.api.jobs.test_survival import wait_for_status
from tests.api.processes import Running, hasty
from tests.cost import slowness
from tests.postgres import own_schema

pytestmark = pytest.mark.slow

CLIENTS, PAUSE = 64, 0.2  # seconds between two requests of a client
SOON = 2.0  # seconds within which a new list is used everywhere
VERDICT = {"game": "optcg", "on": "2026-12-01", "decklist": LEGAL}
BAN = b"""
game = "optcg"
known_to = 2026-11-20
[[change]]
effective_from = 2026-11-25
region = "en"
source = "https://example.com/invented-list"
ban.OP01-016 = "Nami"
"""


class Given(NamedTuple):
    """An answer: the server, when its request was sent and answered, its status, and the verdict."""

    server: str
    sent: float
    answered: float
    status: int
    verdict: object


class Callers:
    """Clients that ask servers for the verdict on one deck until they are ended, and their answers."""

    def __init__(self, urls: list[str]) -> None:
        self.answers: list[Given] = []
        self._over, self._pool = Event(), ThreadPoolExecutor(CLIENTS)
        self._done = [self._pool.submit(self._ask, urls[number % len(urls)]) for number in range(CLIENTS)]

    def _ask(self, url: str) -> None:
        client = Client(url)
        while not self._over.wait(PAUSE):
            sent = time.monotonic()
            status, verdict, _ = client("POST", "/v1/validate", VERDICT)
            self.answers.append(Given(url, sent, time.monotonic(), status, verdict))
        client.close()

    def end(self) -> None:
        self._over.set()
        for one in self._done:
            one.result()
        self._pool.shutdown()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    with ExitStack() as stack:
        is_sqlite = request.param == "sqlite"
        yield f"sqlite:///{tmp_path}/deckproof.db" if is_sqlite else stack.enter_context(own_schema())


class Switch(NamedTuple):
    """A change of the lists: when it began, and when the new lists have to be used everywhere."""

    begun: float
    used: float


def switch(change: Callable[[], object]) -> Switch:
    """Change the lists while the callers ask."""
    time.sleep(1)
    begun = time.monotonic()
    change()
    used = time.monotonic() + SOON * slowness(time.monotonic)
    time.sleep(max(0.0, used - time.monotonic()) + 1)
    return Switch(begun, used)


def banned_in_a_job(server: Running) -> bool:
    """Send a spreadsheet to the workers, and return True if its result names a banned card."""
    path = "/v1/workbooks?game=optcg&on=2026-12-01&job=true"
    sent = requests.post(server.url + path, data=decks(2), headers={"Content-Type": "text/csv"}, timeout=30)
    location = sent.headers["Location"]
    wait_for_status(server, location, "done")
    result = requests.get(f"{server.url}{location}/result", timeout=30)
    with calamine.CalamineWorkbook.from_filelike(io.BytesIO(result.content)) as book:
        cells = [
            str(cell) for name in book.sheet_names for row in book.get_sheet_by_name(name).to_python() for cell in row
        ]
    return any("OP01-016 Nami is banned" in cell for cell in cells)


def test_a_list_is_imported_and_taken_back_while_clients_ask(url, tmp_path):
    library = Library(url)
    library.store().database.upgrade()
    settings = {"DECKPROOF_DATABASE_URL": url}
    serve = ("serve", "--port", "0", "--workers", "2")
    with ExitStack() as stack:
        servers = [Running(tmp_path / name, serve, **settings) for name in ("web1", "web2")]
        worker = hasty(tmp_path / "worker", every=1, missed_after=30, **settings)
        for one in servers:
            stack.callback(one.kill_all)
        stack.callback(worker.kill)
        worker.says("is at work")
        callers = Callers([one.url for one in servers])
        store, lists = library.list_store(), [parse_file("ban.toml", BAN)]
        imported = switch(lambda: store.import_files(library.base_lists, lists))
        in_job = banned_in_a_job(servers[0])
        undone = switch(lambda: store.use_shipped("optcg"))
        callers.end()
        assert (in_job, banned_in_a_job(servers[1])) == (True, False)
    answers = callers.answers
    assert {one.status for one in answers} == {200}
    old = answers[0].verdict
    new = next(one.verdict for one in answers if imported.used < one.sent and one.answered < undone.begun)
    assert (old["legal"], new["legal"]) == (True, False)
    assert old["limits"]["list"] != new["limits"]["list"]
    for one in answers:
        assert one.verdict in (old, new)
        if one.answered < imported.begun or one.sent > undone.used:
            assert one.verdict == old
        if imported.used < one.sent and one.answered < undone.begun:
            assert one.verdict == new
    for server in servers:
        verdicts = [one.verdict["legal"] for one in answers if one.server == server.url]
        assert {True, False} == set(verdicts)
