"""The windows of rate limits, as they are written in settings."""

import time

import pytest

from api.web.edge.rate_limits import RequestLimit, limit_headers


@pytest.mark.parametrize(
    ("rate", "seconds"),
    [
        ("3/second", 1),
        ("3/minute", 60),
        ("3/hour", 3600),
        ("3/day", 86_400),
        ("3 per 2 minutes", 120),
        ("3/5seconds", 5),
    ],
)
def test_a_window_is_as_long_as_its_rate_says(rate, seconds):
    counted = RequestLimit(rate, "").hit("192.0.2.1")
    assert (counted.times, counted.limit, counted.seconds) == (1, 3, seconds)
    assert 0 < counted.reset - time.time() <= seconds
    assert 1 <= counted.retry_after <= seconds


def test_the_last_request_of_a_window_is_answered_and_the_next_is_not():
    limit = RequestLimit("3/day", "")
    counted = [limit.hit("192.0.2.1") for _ in range(4)]
    assert [(one.requests_left, one.is_exceeded) for one in counted] == [(2, False), (1, False), (0, False), (0, True)]


def test_more_than_one_may_be_counted_at_once():
    limit = RequestLimit("10/day", "")
    assert limit.hit("192.0.2.1", 10).is_exceeded is False
    assert limit.peek("192.0.2.1").times == 10
    assert limit.hit("192.0.2.1", 1).is_exceeded is True


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:2:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
    ],
)
def test_addresses_of_one_customer_are_counted_together(one, other, are_one):
    limit = RequestLimit("10/day", "")
    limit.hit(one)
    assert limit.peek(other).times == are_one


def test_the_headers_say_what_is_left():
    limit = RequestLimit("3/minute", "")
    limit.hit("192.0.2.1")
    for remaining, is_exceeded in ((1, False), (0, False), (0, True)):
        headers = dict(limit_headers(limit.hit("192.0.2.1")))
        assert (headers["X-RateLimit-Limit"], headers["X-RateLimit-Remaining"]) == ("3", str(remaining))
        assert ("Retry-After" in headers) is is_exceeded
