"""Two webs and two workers behind a proxy: each may go and come back while others ask, and so may what they stand on.

`python -m tests.benchmarks.many` asks for a minute, by 64 clients; `release` lets a new version come after an old one.
"""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.api.jobs.spreadsheets import decks
from tests.api.processes import wait_for
from tests.api.web.fleet import VERDICT, WEBS, WORKERS, Callers, assert_whole, unmanned

pytestmark = pytest.mark.slow

CLIENTS, PAUSE = 8, 0.1
ASKED = 50  # verdicts, at least, however fast the machine


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A fleet whose webs were renewed while it was asked; those who asked, and from when until when this took.

    Both versions have the schema of this one: `python -m tests.benchmarks.release` has an old version and its schema.
    """
    with unmanned(tmp_path_factory.mktemp("many")) as made:
        made.upgrade()
        made.begin_all(*WEBS)
        with Callers(made.url, CLIENTS, PAUSE, registers=False) as callers:
            begun = time.monotonic()
            made.upgrade()
            for name in WEBS:
                made.renew(name)
            ended = time.monotonic()
            wait_for(lambda: len(callers.of("verdict")) > ASKED and callers.jobs)
        made.begin_all(*WORKERS)
        yield made, callers, (begun, ended)


@pytest.fixture
def many(released):
    return released[0]


def test_a_new_version_takes_over_one_web_after_the_other(released):
    _, callers, _ = released
    assert_whole(*released)
    assert len(callers.of("verdict")) > ASKED
    assert callers.jobs


def test_each_process_and_what_they_stand_on_may_be_killed_and_come_back(many):
    with Callers(many.url, CLIENTS, PAUSE) as callers, ThreadPoolExecutor() as at_once:
        list(at_once.map(many.kill, ("web1", "worker1", "redis")))
        away = many.kill("database")
        list(at_once.map(many.kill, ("web2", "worker2")))
        wait_for(lambda: len(callers.of("verdict")) > ASKED and callers.registered)
    assert_whole(many, callers, away)
    assert len(callers.of("verdict")) > ASKED
    assert callers.registered


def test_while_the_database_is_away_verdicts_go_on(many):
    many.database.kill()
    try:
        seen = {path: requests.get(f"{many.url}{path}", timeout=30) for path in ("/healthz", "/v1/rulesets")}
        seen["/readyz"] = many.readyz()
        verdict = requests.post(f"{many.url}/v1/validate", json=VERDICT, timeout=30)
    finally:
        wait_for(many.database.starts)
    assert [one.status_code for one in seen.values()] == [200, 200, 503]
    assert int(seen["/readyz"].headers["Retry-After"]) > 0
    assert verdict.json()["legal"]
    wait_for(lambda: many.readyz().ok)


def answered(many, *requested):
    """Ask a web that does not answer, kill it for good when all has come to it, and return what comes of it."""
    web = many.parts["web1"].process.pid
    os.killpg(web, signal.SIGSTOP)
    many.proxy.send("disable server webs/web2")
    with ThreadPoolExecutor(len(requested)) as pool:
        asked = [pool.submit(requests.post, f"{many.url}{path}", timeout=30, **how) for path, how in requested]
        wait_for(lambda: many.proxy.count_waiting("web1") == len(requested))
        many.proxy.send("enable server webs/web2")
        os.killpg(web, signal.SIGKILL)
    return [one.result() for one in asked]


def test_what_keeps_nothing_or_is_done_once_is_asked_of_the_other_web(many):
    with Callers(many.url, 0) as callers:
        path, player = callers.registration("Example, Player")
    verdict, registered, refused = answered(
        many,
        ("/v1/validate", {"json": VERDICT}),
        (path, {"json": player, "headers": {"Idempotency-Key": "invented-by-a-client"}}),
        ("/v1/workbooks?game=optcg&job=true", {"data": decks(1), "headers": {"Content-Type": "text/csv"}}),
    )
    assert [one.status_code for one in (verdict, registered, refused)] == [200, 201, 503]
    assert callers.standing() == ["Example, Player"]
    assert int(refused.headers["Retry-After"]) > 0
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert refused.json()["status"] == 503
