"""600 requests of one address for new events leave a server usable for everybody else."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.api.processes import Running
from tests.soon import SOON

pytestmark = pytest.mark.slow

ADMIN_KEY = "an-admin-key-of-this-test"
EVENT = {"name": "Example", "game": "optcg", "on": SOON}
SENT, CLIENTS, LIMIT = 600, 8, 20


@pytest.fixture(params=["memory", "Redis"])
def server(request, tmp_path):
    """A server behind a trusted proxy; one worker counts alone, two count together in Redis."""
    redis_url, workers = "", "1"
    if request.param == "Redis":
        redis_url, workers = request.getfixturevalue("redis_server").url, "2"
    server = Running(
        tmp_path,
        ("serve", "--port", "0", "--workers", workers),
        DECKPROOF_TRUSTED_PROXIES="127.0.0.1",
        DECKPROOF_ADMIN_KEY=ADMIN_KEY,
        DECKPROOF_OPEN_EVENTS=f"{LIMIT}/day",
        DECKPROOF_MAX_EVENTS="100",
        DECKPROOF_REDIS_URL=redis_url,
    )
    with server.ended():
        yield server


def create(server, address, key="", session=requests):
    headers = {"X-Forwarded-For": address} | ({"Authorization": f"Bearer {key}"} if key else {})
    return session.post(f"{server.url}/v1/events", json=EVENT, headers=headers, timeout=60)


def flood(server, address, times):
    """Return the answers by status to many requests of one address."""
    with requests.Session() as session:
        return Counter(create(server, address, session=session).status_code for _ in range(times))


def test_a_flood_of_one_address_leaves_the_server_to_others(server):
    with ThreadPoolExecutor(CLIENTS) as pool:
        found = sum(pool.map(lambda _: flood(server, "198.51.100.1", SENT // CLIENTS), range(CLIENTS)), Counter())
    assert found == {201: LIMIT, 429: SENT - LIMIT}
    begun = create(server, "198.51.100.2")
    assert begun.status_code == 201
    registrations = f"{server.url}/v1/events/{begun.json()['id']}/registrations"
    assert requests.post(registrations, json={"player": "Nami Cat"}, timeout=60).status_code == 201
    assert create(server, "198.51.100.1", ADMIN_KEY).status_code == 201


def test_many_addresses_leave_half_of_the_events_to_the_admin(server):
    found = Counter(create(server, f"203.0.113.{number}").status_code for number in range(60))
    assert found == {201: 50, 429: 10}
    assert [create(server, "198.51.100.3", ADMIN_KEY).status_code for _ in range(51)] == [201] * 50 + [503]
