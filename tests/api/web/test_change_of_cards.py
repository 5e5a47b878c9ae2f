"""The cards change under a server that is at work, and nobody who asks it meanwhile notices anything else."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.api.processes import Process, Running, wait_for
from tests.carddb import replay
from tests.cost import slowness_meanwhile

pytestmark = pytest.mark.slow

CLIENTS = 6
PACKS = ["569101", "569102"]


@pytest.fixture
def site():
    with replay.small_onepiece(OP01=200, OP02=200).serve() as served:
        yield served


@pytest.fixture
def settings(site):
    return {"DECKPROOF_OPTCG_SITE": site.address, "DECKPROOF_SYNC_PAUSE": "0"}


class Client:
    """One who asks for verdicts without a pause, and keeps when which snapshot judged and what failed."""

    def __init__(self, url, deck):
        self._url, self._deck = url, deck
        self.answers: list[tuple[float, str]] = []
        self.failures: list[str] = []

    def ask_until(self, stop: threading.Event):
        request = {"game": "optcg", "deck": self._deck}
        with requests.Session() as session:
            while not stop.is_set():
                try:
                    answer = session.post(f"{self._url}/v1/validate", json=request, timeout=30)
                    self.answers.append((time.monotonic(), answer.json()["catalogue"]["snapshot"]))
                    if answer.status_code != 200:
                        self.failures.append(answer.text)
                except (requests.RequestException, KeyError) as error:
                    self.failures.append(repr(error))


def synced(folder, settings):
    """Sync as an operator does, and return the id of the snapshot that came of it."""
    command = Process(folder, ["cards", "sync", "optcg"], **settings)
    assert command.process.wait(60) == 0, command.log.read_text()
    return command.says(r"as snapshot (\S+)\.\n\Z")[1]


def test_a_server_under_load_judges_by_the_new_cards_within_five_seconds_and_fails_nobody(tmp_path, site, settings):
    old = synced(tmp_path, settings)
    server = Running(tmp_path, **settings)
    deck = {"main": [{"number": f"OP01-{at:03d}", "count": 4} for at in range(1, 13)]}
    clients = [Client(server.url, deck) for _ in range(CLIENTS)]
    stop = threading.Event()
    with ThreadPoolExecutor(CLIENTS) as pool:
        asking = [pool.submit(client.ask_until, stop) for client in clients]
        try:
            wait_for(lambda: all(client.answers for client in clients))
            page = replay.onepiece_pack("569102", replay.onepiece_cards("OP02", 201), PACKS)
            site.pages["/cardlist/?series=569102"] = page.encode()
            new = synced(tmp_path, settings)
            current_since = time.monotonic()
            with slowness_meanwhile() as slowest:  # the clients make this machine busy, too
                wait_for(lambda: all(client.answers[-1][1] == new for client in clients))
                time.sleep(0.5)
                five = 5 * slowest()
        finally:
            stop.set()
        for each in asking:
            each.result()
    answers = [answer for client in clients for answer in client.answers]
    assert [client.failures for client in clients] == [[]] * CLIENTS
    assert {snapshot for _, snapshot in answers} == {old, new}
    assert max(at for at, snapshot in answers if snapshot == old) < current_since + five
    assert all(client.answers[0][1] == old for client in clients)
    assert server.end() == 0
    assert "Traceback" not in server.log.read_text()
