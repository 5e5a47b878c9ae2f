"""The last minute before a deadline: each registration is stored once, and what arrived in time counts."""

import asyncio
import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest

from api.service.clock import moment_of_request, request_arrived_at
from api.web.asgi import Application
from tests.api.events.conftest import LEGAL, Hall, in_shared_memory
from tests.api.web.asgi_client import ask, request_scope
from tests.benchmarks.last_minute import DATABASES, measure
from tests.cost import slowness

PLAYERS, SECONDS, KILLS = 200, 6.0, 2  # on a quiet machine: a slow one needs longer to start the server again
CROWD = 500


@pytest.mark.slow
@pytest.mark.parametrize("database", DATABASES)
def test_each_registration_of_the_last_minute_is_stored_once(database):
    with in_shared_memory() as folder, DATABASES[database](folder) as url:
        outcome = measure(folder, url, PLAYERS, SECONDS * slowness(time.monotonic), KILLS)
    assert {one.killed for one in outcome.disturbances} == {"a worker", "the server"}
    assert [phone.status for phone in outcome.phones].count(201) > 0


@pytest.fixture
def today(app):
    """The application, whose desk goes by the time of requests."""
    app.extensions["deckproof"].desk.now = moment_of_request
    return app


def closing_in(app, seconds):
    """Begin an event that takes registrations for some seconds; return it and its deadline."""
    closes = datetime.now(UTC) + timedelta(seconds=seconds)
    on = closes.date() + timedelta(days=1)
    return Hall(app.test_client(), on=str(on), closes=closes.isoformat()), closes


def test_a_request_counts_from_its_arrival(today):
    hall, closes = closing_in(today, -1)
    with request_arrived_at(closes - timedelta(microseconds=1)):
        rid, _ = hall.register("Nami Cat")
    with request_arrived_at(closes):
        assert hall.stranger.post("/registrations", {"player": "Too Late", "decklist": LEGAL}).status_code == 403
    assert hall.judge.get(f"/registrations/{rid}").json["counts"]["at_deadline"] == 1


def test_a_request_that_waits_beyond_the_deadline_is_registered(today):
    hall, closes = closing_in(today, 4)
    body = json.dumps({"player": "Nami Cat", "decklist": LEGAL}).encode()
    headers = [(b"content-type", b"application/json")]
    request = (Application(today), "POST", f"/v1/events/{hall.id}/registrations", body, headers)
    database = today.extensions["deckproof"].library.store().database
    with ThreadPoolExecutor(1) as pool:
        with ExitStack() as others:
            for _ in range(database.connection_counts().most):
                others.enter_context(database.reading())
            waiting = pool.submit(ask, *request)
            time.sleep(max(0.0, (closes - datetime.now(UTC)).total_seconds() + 0.1))
            assert not waiting.done()
        assert waiting.result().status == 201
    assert ask(*request).status == 403


def test_a_crowd_that_comes_at_once_waits_and_is_not_sent_away(today):
    hall, _ = closing_in(today, 60)
    application, database = Application(today), today.extensions["deckproof"].library.store().database
    statuses = Counter()

    async def look():
        messages = [{"type": "http.request", "body": b""}]

        async def receive():
            return messages.pop() if messages else await asyncio.Future()

        async def send(message):
            if message["type"] == "http.response.start":
                statuses[message["status"]] += 1

        await application(request_scope("GET", f"/v1/events/{hall.id}"), receive, send)

    async def look_all_at_once():
        looks = asyncio.gather(*(look() for _ in range(CROWD)))
        await asyncio.sleep(0.3)
        others.close()
        await looks

    with ExitStack() as others:
        for _ in range(database.connection_counts().most):
            others.enter_context(database.reading())
        asyncio.run(look_all_at_once())
    assert statuses == {200: CROWD}
