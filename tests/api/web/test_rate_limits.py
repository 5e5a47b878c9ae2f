"""Rate limits hold over all workers with Redis and per process without; a Redis that fails costs nobody an answer."""

from __future__ import annotations

import os
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
import requests
from redis import Redis

from api.service.settings import Settings
from api.web.app import create_app
from api.web.edge import rate_limits
from api.web.edge.rate_limits import (
    RequestLimit,
    WindowCount,
    WindowMemory,
    customer_network,
    limit_headers,
    limit_problem,
)
from tests.api.processes import Running, wait_for
from tests.api.web.test_faults import hanging
from tests.cost import time_limit
from tests.soon import SOON

pytestmark = pytest.mark.slow

__all__ = ["hanging"]
SENT, LIMIT = 60, 25
ADMIN_KEY = "an-admins-own-key"
EVENT = {"name": "Example", "game": "optcg", "on": SOON}


@pytest.fixture(params=["memory", "Redis"])
def redis_url(request):
    return request.getfixturevalue("redis_server").url if request.param == "Redis" else ""


def serve(folder, workers=1, **settings):
    return Running(folder, ("serve", "--port", "0", "--workers", str(workers)), **settings)


class Seconds:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self):
        return self.now


def test_an_address_may_send_its_limit_in_a_window(redis_url):
    limit = RequestLimit("3/hour", redis_url)
    assert limit.may_wait is bool(redis_url)
    counted = [limit.hit("192.0.2.1") for _ in range(5)]
    assert [one.times for one in counted] == [1, 2, 3, 4, 5]
    assert [one.requests_left for one in counted] == [2, 1, 0, 0, 0]
    assert [one.is_exceeded for one in counted] == [False, False, False, True, True]
    assert all(3500 < one.retry_after <= 3600 for one in counted)
    assert limit.peek("192.0.2.1").times == 5
    assert limit.hit("192.0.2.2").times == 1
    assert RequestLimit("3/hour", redis_url, "keys").hit("192.0.2.1").times == 1


@pytest.mark.parametrize(("left", "retry_after"), [(-5, 1), (0, 1), (29.5, 30), (60, 60), (99, 60)])
def test_retry_after_is_between_a_second_and_the_window(left, retry_after):
    assert WindowCount(4, 3, 60, time.time() + left).retry_after == retry_after


def test_a_window_begins_with_the_first_request_and_ends(redis_url):
    limit = RequestLimit("1/second", redis_url)
    assert limit.peek("192.0.2.1").times == 0
    first = limit.hit("192.0.2.1")
    assert (first.is_exceeded, first.retry_after) == (False, 1)
    wait_for(lambda: limit.peek("192.0.2.1").times == 0)
    assert not limit.hit("192.0.2.1").is_exceeded


def test_a_window_in_memory_has_its_full_length():
    clock = Seconds()
    windows = WindowMemory(60, clock=clock)
    assert windows.add("a", 0)[0] == 0
    clock.now += 30
    assert [windows.add("a", 1)[0], windows.add("a", 1)[0], windows.add("b", 1)[0]] == [1, 2, 1]
    clock.now += 59.9
    times, end = windows.add("a", 0)
    assert (times, round(end - time.time(), 1)) == (2, 0.1)
    clock.now += 0.1
    assert windows.add("a", 1)[0] == 1


def test_a_hundred_thousand_addresses_do_not_stay_in_memory():
    clock = Seconds()
    windows = WindowMemory(60, clock=clock)
    for number in range(100_000):
        windows.add(f"address {number}", 1)
    assert len(windows) < 70_000
    clock.now += 60
    windows.add("another address", 1)
    assert len(windows) == 1


def test_counts_in_redis_expire(redis_server):
    limit = RequestLimit("3/minute", redis_server.url)
    for number in range(100):
        limit.hit(f"192.0.2.{number}")
        limit.peek(f"198.51.100.{number}")
    with Redis.from_url(redis_server.url) as redis:
        assert {0 < redis.ttl(key) <= 60 for key in redis.scan_iter(count=1000)} == {True}


@pytest.mark.parametrize("processes", [4])
def test_threads_of_forked_processes_count_together_in_redis(redis_server, processes):
    limit = RequestLimit("1000000/hour", redis_server.url)
    fork_and_hit(limit, processes, 100)
    assert limit.peek("192.0.2.1").times == processes * 400


def test_a_forked_process_without_redis_counts_its_own():
    limit = RequestLimit("1000000/hour", "")
    limit.hit("192.0.2.1")
    fork_and_hit(limit, 2, 10_000)
    assert limit.peek("192.0.2.1").times == 1


def fork_and_hit(limit, processes, times):
    """Hit a limit from four threads of each of several processes, and check that each hit was counted."""

    def hit_many(_):
        return [limit.hit("192.0.2.1").times for _ in range(times)]

    children = []
    for _ in range(processes):
        if (child := os.fork()) == 0:
            with suppress(BaseException), ThreadPoolExecutor(4) as pool:
                counts = [count for some in pool.map(hit_many, range(4)) for count in some]
                os._exit(0 if len(set(counts)) == 4 * times else 1)
            os._exit(1)
        children.append(child)
    assert {os.waitpid(child, 0)[1] for child in children} == {0}


def test_a_redis_that_hangs_or_is_gone_is_waited_for_once(hanging):
    for address in (hanging, "127.0.0.1:1"):
        limit = RequestLimit("3/hour", f"redis://{address}/0")
        with time_limit(2, time.monotonic):
            assert [limit.hit("192.0.2.1").is_exceeded for _ in range(5)] == [False] * 3 + [True] * 2


def test_a_redis_that_still_hangs_is_tried_again_by_one_thread(monkeypatch):
    monkeypatch.setattr(rate_limits, "_RETRY_AFTER", 0.5)
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent, ThreadPoolExecutor(20) as pool:
        silent.setblocking(False)
        limit = RequestLimit("1000/hour", f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        limit.hit("192.0.2.1")
        each = count_connections(silent)
        monkeypatch.setattr(rate_limits, "_RETRY_AFTER", 3600)
        time.sleep(0.6)
        list(pool.map(lambda _: limit.hit("192.0.2.1"), range(20)))
        assert each <= count_connections(silent) < 10 * each


def count_connections(listener):
    """Return the number of connections that clients made since the last count."""
    count = 0
    with suppress(BlockingIOError):
        while True:
            listener.accept()[0].close()
            count += 1
    return count


def test_a_redis_that_comes_back_counts_again(redis_server, monkeypatch):
    monkeypatch.setattr(rate_limits, "_RETRY_AFTER", 0.2)
    limit = RequestLimit("1000/hour", redis_server.url)
    assert [limit.hit("192.0.2.1").times for _ in range(7)][-1] == 7
    redis_server.kill()
    assert limit.hit("192.0.2.1").times == 1
    redis_server.start()
    with Redis.from_url(redis_server.url) as redis:
        wait_for(lambda: limit.hit("192.0.2.1") and redis.dbsize())
        assert limit.hit("192.0.2.1").times == limit.peek("192.0.2.1").times


def test_a_redis_on_a_unix_socket_is_asked(tmp_path):
    path = tmp_path / "no.sock"
    assert RequestLimit("3/hour", f"unix://{path}").hit("192.0.2.1").times == 1


def test_a_response_has_the_limit_in_its_headers():
    limit = RequestLimit("1/minute", "")
    within, over = dict(limit_headers(limit.hit("192.0.2.1"))), dict(limit_headers(counted := limit.hit("192.0.2.1")))
    assert (within["X-RateLimit-Limit"], within["X-RateLimit-Remaining"]) == ("1", "0")
    assert 0 < int(within["X-RateLimit-Reset"]) - time.time() <= 61
    assert "Retry-After" not in within
    assert 0 < int(over["Retry-After"]) <= 60
    document = limit_problem(counted)
    assert (document["status"], document["type"]) == (429, "urn:deckproof:problem:too-many-requests")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8:0:0:ffff::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("no:address", "no:address", True),
        ("no:address", "", False),
    ],
)
def test_an_address_is_counted_by_the_network_of_one_customer(one, other, same):
    assert (customer_network(one) == customer_network(other)) is same


@pytest.mark.parametrize("workers", [4])
def test_all_workers_count_together_in_redis(tmp_path, redis_server, workers):
    server = serve(tmp_path, workers, DECKPROOF_RATE_LIMIT=f"{LIMIT}/hour", DECKPROOF_REDIS_URL=redis_server.url)
    assert_limited(server)


def test_a_worker_without_redis_counts_its_own(tmp_path):
    assert_limited(serve(tmp_path, DECKPROOF_RATE_LIMIT=f"{LIMIT}/hour"))


def assert_limited(server):
    with server.ended(), ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: requests.get(f"{server.url}/v1/rulesets", timeout=30), range(SENT)))
        assert Counter(answer.status_code for answer in answers) == {200: LIMIT, 429: SENT - LIMIT}
        left = [int(answer.headers["X-RateLimit-Remaining"]) for answer in answers if answer.status_code == 200]
        assert sorted(left) == list(range(LIMIT))
        refused = [answer for answer in answers if answer.status_code == 429]
        assert {answer.headers["Content-Type"] for answer in refused} == {"application/problem+json"}
        assert {0 < int(answer.headers["Retry-After"]) <= 3600 for answer in refused} == {True}
        for path in ("/healthz", "/readyz", "/metrics"):
            assert requests.get(f"{server.url}{path}", timeout=30).status_code == 200


def test_an_address_has_one_limit_over_all_paths_and_methods(tmp_path):
    server = serve(tmp_path, DECKPROOF_RATE_LIMIT="6/hour")
    asked = [
        ("GET", "/v1/rulesets", 200),
        ("GET", "/nowhere", 404),
        ("PUT", "/v1/rulesets", 405),
        ("GET", "/v1/limits/optcg", 200),
        ("POST", "/v1/validate", 400),
        ("POST", "/v1/validate/batch", 415),
    ]
    with server.ended(), requests.Session() as session:
        for path in ("/healthz", "/readyz", "/metrics"):
            assert session.get(f"{server.url}{path}").status_code == 200
        for statuses in ([status for _, _, status in asked], [429] * len(asked)):
            found = [
                session.request(method, f"{server.url}{path}", data="{", headers={"Content-Type": "application/json"})
                for method, path, _ in asked
            ]
            assert [answer.status_code for answer in found] == statuses


def test_only_the_headers_of_a_trusted_proxy_tell_clients_apart(tmp_path):
    for trusted, statuses in (("192.0.2.1", [200, 429]), ("127.0.0.1", [200, 200])):
        server = serve(tmp_path, DECKPROOF_RATE_LIMIT="1/hour", DECKPROOF_TRUSTED_PROXIES=trusted)
        with server.ended():
            found = [
                requests.get(f"{server.url}/v1/rulesets", headers={"X-Forwarded-For": address}).status_code
                for address in ("10.0.0.1", "10.0.0.2")
            ]
        assert found == statuses


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


ELSEWHERE = {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}


def test_after_too_many_wrong_codes_the_right_code_is_refused_too(tmp_path, redis_url):
    app = create_app(Settings(data_dir=tmp_path, key_attempts="100/hour", redis_url=redis_url))
    client = app.test_client()
    begun = client.post("/v1/events", json=EVENT).json
    wrong = [client.get("/v1/events?code=lusab-babad").status_code for _ in range(2_500)]
    assert wrong == [404] * 100 + [429] * 2_400
    for path in (f"/v1/events?code={begun['code']}", f"/events?code={begun['code']}"):
        refused = client.get(path)
        assert (refused.status_code, begun["id"] in refused.text) == (429, False)
        assert 3000 < int(refused.headers["Retry-After"]) <= 3600
    # Keys of events cannot be guessed, so they are not refused.
    mine = bearer(begun["keys"]["organiser"])
    assert client.get(f"/v1/events/{begun['id']}/audit", headers=mine).status_code == 200
    assert client.get(f"/v1/events?code={begun['code']}", **ELSEWHERE).json["id"] == begun["id"]
    assert client.get(f"/events?code={begun['code']}", **ELSEWHERE).status_code == 303


def test_wrong_codes_on_the_page_count_as_those_of_programs_do(guarded):
    client, begun = guarded
    assert [client.get("/events?code=lusab-babad").status_code for _ in range(4)] == [404, 404, 404, 429]
    assert client.get(f"/v1/events?code={begun['code']}").status_code == 429
    assert client.get(f"/v1/events?code={begun['code']}", **ELSEWHERE).status_code == 200


def test_a_right_code_is_answered_again_when_the_window_has_ended(tmp_path, redis_url):
    app = create_app(Settings(data_dir=tmp_path, key_attempts="3/5second", redis_url=redis_url))
    client = app.test_client()
    code = client.post("/v1/events", json=EVENT).json["code"]
    assert [client.get("/v1/events?code=lusab-babad").status_code for _ in range(4)] == [404, 404, 404, 429]
    refused = client.get(f"/v1/events?code={code}")
    assert refused.status_code == 429
    time.sleep(int(refused.headers["Retry-After"]) + 1)
    assert client.get(f"/v1/events?code={code}").status_code == 200


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
