"""Rate limits hold over all workers, by Redis or by shared memory, and a Redis that fails costs nobody an answer."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from flask import request

from api.service.settings import Settings
from api.web.app import create_app
from api.web.edge import rate_limits
from tests.api.processes import Running
from tests.api.web.test_faults import hanging
from tests.cost import slowness

pytestmark = pytest.mark.slow

__all__ = ["hanging"]
FOUR = ("serve", "--port", "0", "--workers", "4")
ASKED, MAY = 60, 25
ADMIN_KEY = "an-admins-own-key"
EVENT = {"name": "Example", "game": "optcg", "on": "2099-12-12"}


@pytest.fixture(params=["shared memory", "Redis"])
def redis_url(request):
    return request.getfixturevalue("redis_server").url if request.param == "Redis" else ""


def test_all_workers_count_together(tmp_path, redis_url):
    server = Running(tmp_path, FOUR, DECKPROOF_RATE_LIMIT=f"{MAY}/hour", DECKPROOF_REDIS_URL=redis_url)
    with server.ended(), ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: requests.get(f"{server.url}/v1/rulesets", timeout=30), range(ASKED)))
        assert Counter(answer.status_code for answer in answers) == {200: MAY, 429: ASKED - MAY}
        left = [int(answer.headers["X-RateLimit-Remaining"]) for answer in answers if answer.status_code == 200]
        assert sorted(left) == list(range(MAY))
        assert {0 < int(one.headers["Retry-After"]) <= 3600 for one in answers if one.status_code == 429} == {True}
        assert requests.get(f"{server.url}/healthz", timeout=30).status_code == 200


def test_a_redis_that_hangs_or_is_gone_is_done_without(tmp_path, hanging):
    for where in (hanging, "127.0.0.1:1"):
        client = create_app(
            Settings(data_dir=tmp_path, rate_limit="3/hour", redis_url=f"redis://{where}/0")
        ).test_client()
        begun = time.monotonic()
        assert [client.get("/v1/rulesets").status_code for _ in range(5)] == [200] * 3 + [429] * 2
        assert time.monotonic() - begun < 3 * slowness(time.monotonic)  # waited for once


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8:0:0:ffff::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("no:address", "no:address", True),
    ],
)
def test_an_address_is_the_network_of_one_customer(app, one, other, same):
    found = []
    for address in (one, other):
        with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
            found.append(rate_limits.address(request))
    assert (found[0] == found[1]) is same


@pytest.fixture
def guarded(tmp_path):
    """An event, where three keys that do not hold may be tried in an hour."""
    app = create_app(Settings(data_dir=tmp_path, key_attempts="3/hour", admin_key=ADMIN_KEY))
    client = app.test_client()
    begun = client.post("/v1/events", json=EVENT, headers=bearer(ADMIN_KEY))
    return client, begun.json


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


def test_keys_are_tried_so_often_and_nobody_is_told_whether_there_is_an_event(guarded):
    client, begun = guarded
    there, nowhere = f"/v1/events/{begun['id']}/audit", f"/v1/events/{'0' * 30}/audit"
    tried = [client.get(path, headers=bearer(f"wrong {at}")) for at, path in enumerate((there, nowhere) * 3)]
    assert [one.status_code for one in tried] == [404] * 3 + [429] * 3
    assert tried[0].data == tried[1].data
    assert {int(one.headers["Retry-After"]) > 3500 for one in tried[3:]} == {True}
    # Who has a key, or needs none, is at the same address, and is let in.
    assert client.get(there, headers=bearer(begun["keys"]["organiser"])).status_code == 200
    assert client.get(f"/v1/events/{begun['id']}").status_code == 200
    assert client.get(nowhere).status_code == 404


def test_no_event_is_found_by_trying_codes(guarded):
    client, begun = guarded
    assert client.get(f"/v1/events?code={begun['code']}").status_code == 200
    tried = [client.get(path).status_code for path in ("/v1/events?code=lusab-babad", "/events?code=lusab-babad") * 2]
    assert tried == [404, 404, 404, 429]


def test_the_admins_key_is_not_found_by_trying(guarded):
    client, begun = guarded
    for at in range(3):
        assert client.post("/v1/events", json=EVENT, headers=bearer(f"wrong-{at}")).status_code == 404
    right = bearer(ADMIN_KEY)
    assert client.post("/v1/events", json=EVENT, headers=right).status_code == 201  # three may be wrong
    assert client.post("/v1/events", json=EVENT, headers=bearer("wrong-4")).status_code == 429
    assert client.post("/v1/events", json=EVENT, headers=right).status_code == 429
    assert client.get(f"/v1/events/{begun['id']}/audit", headers=right).status_code == 429
    elsewhere = {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}
    assert client.post("/v1/events", json=EVENT, headers=right, **elsewhere).status_code == 201
