"""Rate limits: how much one address may ask, and how often it may try keys, of all workers of a server together.

Counted is in Redis, where there is one, so that several servers count together, and in shared memory otherwise.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import re
import time
from functools import cached_property
from typing import NamedTuple

from flask import Flask, Request, Response, request
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from werkzeug.exceptions import TooManyRequests

from api.events.registration_desk import Doorman
from api.service.logs import LogThrottle
from api.service.processes.window_counts import Counted, WindowCounts

_COUNTED = "deckproof.counted"  # in the environ of a request
UNLIMITED = frozenset(("operations.healthz", "operations.readyz", "operations.metrics"))
_RATE = re.compile(r"([0-9]+) ?(?:/|per ) ?([0-9]*) ?(second|minute|hour|day)s?")
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
_PATIENCE = 0.5  # seconds to wait for Redis
_AGAIN_AFTER = 10.0  # seconds until a Redis that failed is asked again
_HOME = 64  # bits of an IPv6 address that tell one customer of a provider from another

_log = logging.getLogger(__name__)
_log.addFilter(LogThrottle())


class Rate(NamedTuple):
    """So many times in so many seconds."""

    times: int
    seconds: int

    @classmethod
    def of(cls, text: str) -> Rate | None:
        """Return a rate as a setting has it, None where it sets none."""
        found = _RATE.fullmatch(text)
        return cls(int(found[1]), int(found[2] or 1) * _SECONDS[found[3]]) if found else None


class AddressCounts:
    """How often addresses came, counted in Redis as long as it answers; else by this server alone."""

    def __init__(self, redis_url: str) -> None:
        self._redis_url = redis_url
        self._here = WindowCounts()
        self._asked_again = 0.0

    def add(self, name: str, seconds: int, amount: int = 1) -> Counted:
        """Count a name in its window; `amount` 0 looks only."""
        if self._redis_url and time.monotonic() >= self._asked_again:
            try:
                return self._in_redis(f"deckproof {name}", seconds, amount)
            except RedisError as error:
                self._asked_again = time.monotonic() + _AGAIN_AFTER
                _log.warning("Redis does not count requests, so each server counts its own: %s", error)
        return self._here.add(name, seconds, amount)

    @cached_property
    def _redis(self) -> Redis:
        patience = {"socket_connect_timeout": _PATIENCE, "socket_timeout": _PATIENCE}
        return Redis.from_url(self._redis_url, retry=Retry(NoBackoff(), 0), **patience)

    def _in_redis(self, name: str, seconds: int, amount: int) -> Counted:
        with self._redis.pipeline() as pipeline:  # one transaction: no window ends in the middle of it
            pipeline.set(name, 0, ex=seconds, nx=True)
            pipeline.incrby(name, amount)
            pipeline.pttl(name)
            _, times, left = pipeline.execute()
        return Counted(times, time.time() + left / 1000)


class AddressDoorman(Doorman):
    """Watches how many keys that do not hold come from an address.

    The keys of an event hold all the same, so that nobody locks out a hall with one address: 256 bits are not guessed.
    """

    def __init__(self, counts: AddressCounts, rate: Rate) -> None:
        self._counts = counts
        self._rate = rate

    def admits(self) -> bool:
        """Tell whether the address of the request may still try the admin's key, which somebody thought of."""
        return self._counts.add(f"keys {address(request)}", self._rate.seconds, 0).times <= self._rate.times

    def missed(self) -> None:
        """Count a key or a code that does not hold; TooManyRequests once there were too many."""
        counted = self._counts.add(f"keys {address(request)}", self._rate.seconds)
        if counted.times > self._rate.times:
            raise _too_many("More keys and codes that do not hold came from this address than may", self._rate, counted)


def limit_requests(app: Flask, counts: AddressCounts, rate: Rate) -> None:
    """Let an address ask no more often, and tell it how often it still may."""

    times = str(rate.times)

    @app.before_request
    def count() -> None:
        if request.endpoint not in UNLIMITED:
            counted = counts.add(f"requests {address(request)}", rate.seconds)
            request.environ[_COUNTED] = counted
            if counted.times > rate.times:
                raise _too_many("More requests came from this address than may", rate, counted)

    @app.after_request
    def tell(response: Response) -> Response:
        if counted := request.environ.get(_COUNTED):
            left = str(max(0, rate.times - counted.times))
            reset = str(math.ceil(counted.ends))
            told = (("X-RateLimit-Limit", times), ("X-RateLimit-Remaining", left), ("X-RateLimit-Reset", reset))
            response.headers.extend(told)
        return response


def address(asked: Request) -> str:
    """Return who asks, as far as it can be told: an IPv4 address, or the network that an IPv6 address is of."""
    asking = asked.remote_addr or ""
    return _network(asking) if ":" in asking else asking


def _network(written: str) -> str:
    try:
        found = ipaddress.IPv6Address(written.partition("%")[0])
    except ValueError:
        return written
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 128 - _HOME << 128 - _HOME, _HOME)))


def _too_many(what: str, rate: Rate, counted: Counted) -> TooManyRequests:
    left = max(1, math.ceil(counted.ends - time.time()))
    words = f"{what}, {rate.times:,} in {rate.seconds:,} seconds; Retry-After says when to come again."
    return TooManyRequests(words, retry_after=left)
