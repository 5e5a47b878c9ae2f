"""Every request has a limit of time, and other clients are answered meanwhile."""

from __future__ import annotations

import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.api.processes import COMMAND, Running
from tests.cost import slowness_meanwhile
from tests.hostile.clients import ATTEMPTS

pytestmark = pytest.mark.slow

MARKS = "a" + "\u0301" * 60_000 + "\u0327" * 60_000
WORST = [
    json.dumps({"main": [{"name": MARKS, "count": 4}]}, ensure_ascii=False),
    "\n".join(["24 ]x4[[)" + "\ufdfa" * 270 + "-BT1-0101["] * 700),
    "4 a (a (a (" * 18_000,
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("server"), command=COMMAND, DECKPROOF_REQUEST_SECONDS="1")
    with running.ended():
        yield running


class Probe:
    """One who asks for a little all the time, and keeps how long the answers take."""

    def __init__(self, url):
        self._url = url
        self._stop = threading.Event()
        self.seconds = []

    def __enter__(self):
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _ask(self):
        while not self._stop.wait(0.05):
            begun = time.monotonic()
            answer = requests.post(f"{self._url}/v1/validate", json={"game": "optcg", "deck": {}}, timeout=60)
            assert answer.status_code == 200
            self.seconds.append(time.monotonic() - begun)


@pytest.mark.parametrize("decklist", WORST)
def test_others_are_answered_beside_the_worst_requests(server, decklist):
    late = []
    for _ in range(ATTEMPTS):  # another program is there only for a while
        with slowness_meanwhile() as slowest:
            answers, probe = send_at_once(server, {"game": "optcg", "decklist": decklist})
            assert {answer.status_code for answer in answers} <= {200, 422, 503}
            late.append((took := sorted(probe.seconds)[-2:][0]) >= 1 * slowest() and took)
        if not late[-1]:
            break
    assert not all(late), late


def send_at_once(server, request):
    """Send a request four times at once. Return the answers and a probe that asked meanwhile."""
    with Probe(server.url) as probe, ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(requests.post, f"{server.url}/v1/validate", json=request, timeout=60) for _ in range(4)]
        return [one.result() for one in asked], probe


def test_a_large_request_is_answered_as_a_small_one_is(server):
    deck = {"game": "optcg", "on": "2026-11-01", "decklist": "1 ST21-001\n4 OP01-016"}
    small = requests.post(f"{server.url}/v1/validate", json=deck, timeout=30)
    large = requests.post(f"{server.url}/v1/validate", data=json.dumps(deck).ljust(100_000), timeout=30,
                          headers={"Content-Type": "application/json"})  # fmt: skip
    assert small.json() == large.json()
    ruleset = re.escape(small.json()["ruleset"]["id"])
    counted = requests.get(f"{server.url}/metrics", timeout=30).text
    assert float(re.search(rf'verdicts_total{{legal="False",ruleset="{ruleset}"}} (\S+)', counted)[1]) >= 2


def test_the_problem_of_a_large_request_has_the_id_of_the_request(server):
    headers = {"Content-Type": "application/json", "X-Request-Id": "order-66"}
    answer = requests.post(f"{server.url}/v1/validate", data=b"[" * 50_000, headers=headers, timeout=30)
    assert (answer.status_code, answer.json()["request_id"]) == (400, "order-66")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("/v1/validate", b"[" * 50_000, 400), ("/v1/validate", b'{"x": "%s"}' % (b"x" * 50_000), 422),
     ("/v1/nothing", b"{}".ljust(50_000), 404), ("/v1/validate", b" " * 6_000_000, 413)],
)  # fmt: skip
def test_what_is_wrong_with_a_large_request_is_said(server, path, body, status):
    for data in (body, iter([body])):  # whose length is said, and in chunks
        answer = requests.post(
            f"{server.url}{path}", data=data, headers={"Content-Type": "application/json"}, timeout=30
        )
        assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
