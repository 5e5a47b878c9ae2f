"""What the server runs on fails: whoever asks gets an answer, or is told in a sentence when to come again."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from threading import Thread

import pytest
import requests
import sqlalchemy as sa

from api.service.settings import Settings
from api.web.app import create_app
from carddb.snapshot_store import Store
from tests.api.jobs.spreadsheets import decks
from tests.api.processes import Running, hasty, wait_for
from tests.carddb.cards import some_cards
from tests.cost import slowness_meanwhile, time_limit
from tests.postgres import own_schema

pytestmark = pytest.mark.slow

DECK = {"game": "optcg", "on": "2026-11-01", "decklist": "1 ST21-001\n4 OP01-016"}


def validate(server):
    return requests.post(f"{server.url}/v1/validate", json=DECK, timeout=30)


def a_job(server):
    query = {"game": "optcg", "job": "true"}
    headers = {"Content-Type": "text/csv"}
    return requests.post(f"{server.url}/v1/workbooks", params=query, data=decks(1), headers=headers, timeout=30)


@pytest.fixture
def small_disk(tmp_path):
    """A folder with little room; the test is skipped where none may be made."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a file system")
    yield place
    subprocess.run(["umount", "-l", place], capture_output=True, check=False)


def fill(place):
    with suppress(OSError), (place / "full").open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass


def asked(server):
    """Ask for everything that is written down for a moment; return the answers."""
    sheet = {**DECK, "player": "Example, Player"}
    lines = {"data": b'{"game": "optcg", "deck": {}}\n' * 3, "headers": {"Content-Type": "application/x-ndjson"}}
    book = {"data": decks(2), "headers": {"Content-Type": "text/csv"}}
    return [
        requests.request(method, f"{server.url}{path}", timeout=60, **how)
        for method, path, how in (
            ("POST", "/v1/workbooks?game=optcg", book),
            ("POST", "/v1/sheets?as=xlsx", {"json": sheet}),
            ("POST", "/v1/sheets?as=pdf", {"json": sheet}),
            ("POST", "/v1/validate/batch", lines),
            ("GET", "/v1/workbooks/template.xlsx", {}),
        )
    ]


def test_a_full_temporary_folder_kills_nobody_and_is_told(tmp_path, small_disk):
    server = Running(tmp_path, TMPDIR=str(small_disk))
    fill(small_disk)
    for _ in range(3):
        for answer in asked(server):
            assert answer.status_code in (200, 503), answer.text
            if answer.status_code == 503:
                assert answer.headers["Content-Type"] == "application/problem+json"
                assert int(answer.headers["Retry-After"]) > 0
        assert (validate(server).status_code, requests.get(f"{server.url}/readyz", timeout=30).status_code) == (
            200,
            200,
        )
    (small_disk / "full").unlink()
    assert [answer.status_code for answer in asked(server)] == [200] * 5
    assert server.end() == 0
    assert not re.search(r"SIGBUS|Traceback|WORKER TIMEOUT", server.log.read_text())


def test_a_full_disk_fails_no_page_of_an_event(tmp_path, small_disk):
    """Of all that is asked for with GET, which is where nothing is to be written; and nothing is left behind."""
    data = small_disk / "data"
    server = Running(tmp_path, DECKPROOF_DATA_DIR=str(data))
    with server.ended():
        event = {"name": "Example Cup", "game": "optcg", "on": "2026-12-31"}
        begun = requests.post(f"{server.url}/v1/events", json=event, timeout=30)
        assert begun.status_code == 201
        fill(small_disk)
        for path in ("", "/register", "/sign-in", "/flyer.svg"):
            for _ in range(3):
                page = requests.get(f"{server.url}/events/{begun.json()['id']}{path}", timeout=30)
                assert page.status_code in (200, 303, 404, 503), page.text
                assert ("Retry-After" in page.headers) == (page.status_code == 503)
        assert requests.get(f"{server.url}/v1/events/{begun.json()['id']}", timeout=30).status_code == 200
        assert [file.name for file in data.glob("secret_key.*")] == []
        (small_disk / "full").unlink()
        assert requests.get(f"{server.url}/events/{begun.json()['id']}", timeout=30).status_code == 200


@pytest.fixture
def hanging():
    """The address of a server that takes connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def start_job(server):
    """Return the answer to a new job. While the database is busy, ask again, as its answer 503 says."""
    while (answer := a_job(server)).status_code == 503:
        assert int(answer.headers["Retry-After"]) > 0
        time.sleep(0.1)
    return answer


def test_a_redis_that_hangs_holds_no_request(tmp_path, hanging):
    server = Running(tmp_path, DECKPROOF_REDIS_URL=f"redis://{hanging}/0")
    with ThreadPoolExecutor(40) as pool, time_limit(5, time.monotonic):
        jobs = [pool.submit(start_job, server) for _ in range(40)]
        assert validate(server).status_code == 200
        assert {job.result().status_code for job in jobs} == {202}
    assert server.end() == 0
    assert len(re.findall("No worker could be woken", server.log.read_text())) <= 2  # one of each process


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP])
def test_a_redis_that_is_gone_is_a_line_in_the_log_and_no_more(tmp_path, redis_server, end):
    worker = hasty(tmp_path, DECKPROOF_REDIS_URL=redis_server.url)
    worker.says("is at work")
    said = worker.log.read_text()
    redis_server.process.send_signal(end)
    time.sleep(3)  # thirty signs of life, each with a look
    complaints = worker.log.read_text().removeprefix(said).splitlines()
    assert len(complaints) <= 3, complaints  # one of each thing that fails
    assert not re.search("Traceback|^  ", "\n".join(complaints), re.MULTILINE)
    client = create_app(Settings(data_dir=tmp_path)).test_client()
    taken = client.post("/v1/workbooks?game=optcg&job=true", data=decks(1), content_type="text/csv").location
    wait_for(lambda: client.get(taken).json["status"] == "done")
    assert worker.end() == 0


class Way:
    """The way to a server, which can be blocked: what is sent is taken then, and nothing comes of it."""

    def __init__(self, to):
        self.blocked = False
        self._to = to
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        Thread(target=self._take, daemon=True).start()

    def _take(self):
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._to)
                for one, other in ((near, far), (far, near)):
                    Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one, other):
        with suppress(OSError):
            while data := one.recv(65536):
                while self.blocked:
                    time.sleep(0.05)
                other.sendall(data)
        with suppress(OSError):  # also where a process was killed, or the database waits for it, and keeps its locks
            other.shutdown(socket.SHUT_WR)

    def close(self):
        self.blocked = False
        self._listener.close()


@pytest.fixture
def far():
    """A database on PostgreSQL, and the way to it."""
    with own_schema() as url:
        plain = sa.make_url(url)
        with closing(Way((plain.host, plain.port))) as way:
            there = plain.set(host="127.0.0.1", port=way.port).render_as_string(hide_password=False)
            store = Store(url)
            store.database.upgrade()
            yield store, way, there


def test_a_frozen_postgresql_costs_a_verdict_nothing(tmp_path, far):
    store, way, url = far
    kept = store.import_cards("optcg", some_cards(3), "x")
    server = Running(tmp_path, DECKPROOF_DATABASE_URL=url)
    with server.ended():
        way.blocked = True
        with slowness_meanwhile() as slowest:
            until = time.monotonic() + 3
            longest = 0.0
            while time.monotonic() < until:
                begun = time.monotonic()
                assert validate(server).json()["catalogue"]["snapshot"] == kept.id
                longest = max(longest, time.monotonic() - begun)
            assert longest < 2 * slowest()
        with ThreadPoolExecutor(2) as both:  # each waits for the database as long as it does for any
            paths = ("metrics", "readyz")
            counted, unready = both.map(lambda path: requests.get(f"{server.url}/{path}", timeout=60), paths)
        assert counted.status_code == 200
        assert (unready.status_code, "Retry-After" in unready.headers) == (503, True)
        way.blocked = False
        newer = store.import_cards("optcg", some_cards(4), "y")
        wait_for(lambda: validate(server).json()["catalogue"]["snapshot"] == newer.id)
    assert "Traceback" not in server.log.read_text()
