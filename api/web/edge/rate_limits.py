"""Rate limits: the requests, wrong keys, new events and bytes that one address may send in a window of time.

The ASGI application counts requests with RequestLimit. The desk of events counts the others with AddressLimits. With
Redis all workers and servers share the counts. Without Redis each worker process has its own counts.
"""

from __future__ import annotations

import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address
from threading import Lock
from typing import NamedTuple

import limits
from flask import request
from limits.storage import RedisStorage
from werkzeug.exceptions import TooManyRequests

from api.events.base_desk import ClientLimits
from api.service.answers.problem_details import ProblemJSON, problem
from api.service.logs import LogThrottle
from api.service.settings import Settings
from api.web.edge.client_address import parse_address
from validator.language import phrase

UNLIMITED_PATHS = frozenset(("/healthz", "/readyz", "/metrics"))
_TIMEOUT = 0.5  # seconds to wait for Redis
_RETRY_AFTER = 10.0  # seconds until a Redis that failed is asked again
_MOST_WINDOWS = 65_536  # in the memory of a process, some 20 MB

_log = logging.getLogger(__name__)
_log.addFilter(LogThrottle())


class WindowCount(NamedTuple):
    """The count of one address in its current window of time: `times` of `limit` in `seconds`, the window's length.

    What is counted depends on the limit: requests, wrong keys, new events or bytes. `times` may exceed `limit`. `reset`
    is the Unix time at which the window ends. An IPv6 /64 network counts as one address.
    """

    times: int
    limit: int
    seconds: int
    reset: float

    @property
    def is_exceeded(self) -> bool:
        """True if the address sent more than the limit. Exactly the limit is allowed."""
        return self.times > self.limit

    @property
    def requests_left(self) -> int:
        """The requests left in this window, 0 if the limit is exceeded."""
        return max(0, self.limit - self.times)

    @property
    def retry_after(self) -> int:
        """The whole seconds until the window ends, rounded up, at least 1 and at most the length of the window."""
        return min(max(1, math.ceil(self.reset - time.time())), self.seconds)


class RequestLimit:
    """A limit on the requests of each address in a window of time. Objects with another `kind` count separately.

    `rate` is written as DECKPROOF_RATE_LIMIT, for example "600/minute". Counts are in Redis, without `redis_url` ("")
    or if Redis fails in the memory of this process. A window begins with the first request of an address. Safe to share
    between threads, and to create before a fork.
    """

    def __init__(self, rate: str, redis_url: str, kind: str = "requests") -> None:
        """Parse the rate. No connection to Redis is made yet."""
        self._rate = limits.parse(rate)
        self._kind = kind
        self._redis = _redis_storage(redis_url) if redis_url else None
        self._redis_retry = 0.0  # when a Redis that failed is asked again, by the monotonic clock; 0 if it answers
        self._memory = WindowMemory(self._rate.get_expiry())

    @property
    def may_wait(self) -> bool:
        """True if counting may wait for Redis. False if all counts are in memory."""
        return self._redis is not None

    def hit(self, address: str, amount: int = 1) -> WindowCount:
        """Count a request of an address, or `amount` units of something else, in Redis or else in memory.

        Return the new count, also over the limit. All addresses of an IPv6 /64 network share one count.
        """
        key = self._rate.key_for(self._kind, customer_network(address))
        times, reset = self._add_in_redis(key, amount) or self._memory.add(key, amount)
        return WindowCount(times, self._rate.amount, self._rate.get_expiry(), reset)

    def peek(self, address: str) -> WindowCount:
        """Return the count of an address without counting anything."""
        return self.hit(address, 0)

    def _add_in_redis(self, key: str, amount: int) -> tuple[int, float] | None:
        """Add to a count in Redis. Return `(count, end)`: the new count and the Unix time at which its window ends.

        Return None without Redis, if it fails now, or if it failed in the last 10 seconds. A failure is logged.
        """
        now = time.monotonic()
        if self._redis is None or now < self._redis_retry:
            return None
        if self._redis_retry:  # only one thread waits for a Redis that may still hang
            self._redis_retry = now + _RETRY_AFTER
        from redis.exceptions import RedisError  # only needed with a Redis database

        try:
            counted = self._redis.incr(key, self._rate.get_expiry(), amount), self._redis.get_expiry(key)
        except RedisError as error:
            self._redis_retry = time.monotonic() + _RETRY_AFTER
            _log.warning("Redis cannot count requests, so each process counts its own: %s", error)
            return None
        self._redis_retry = 0.0
        return counted


class WindowMemory:
    """Counts by key in the memory of this process, each in a window of time that begins with its first count.

    All windows have the same length, so the oldest ends first. Each count removes the ended windows. It also removes
    the oldest window if there are more than 65,536. Safe to share between threads. (MemoryStorage of `limits` starts a
    thread that looks for ended windows up to a hundred times a second. With 100,000 addresses this thread takes most of
    a processor.)
    """

    def __init__(self, seconds: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Create an empty memory. `seconds` is the length of all windows, `clock` a monotonic clock."""
        self._seconds = seconds
        self._clock = clock
        self._lock = Lock()
        self._windows: OrderedDict[str, tuple[int, float]] = OrderedDict()  # key: count and end, the oldest first

    def __len__(self) -> int:
        """Return the number of windows, with ended windows that are not removed yet."""
        return len(self._windows)

    def add(self, key: str, amount: int) -> tuple[int, float]:
        """Add `amount` to the count of a key. Return the new count and the Unix time at which its window ends.

        `amount` 0 only reads the count, and begins no window.
        """
        now = self._clock()
        with self._lock:
            self._remove_ended(now)
            times, end = self._windows.get(key) or (0, now + self._seconds)
            if amount:
                self._windows[key] = times + amount, end
                if len(self._windows) > _MOST_WINDOWS:
                    self._windows.popitem(last=False)
        return times + amount, time.time() + end - now

    def _remove_ended(self, current_time: float) -> None:
        """Remove the windows that end at `current_time` or earlier. The lock must be held."""
        while self._windows and next(iter(self._windows.values()))[1] <= current_time:
            self._windows.popitem(last=False)


class AddressLimits(ClientLimits):
    """Limits wrong keys and codes, new events and bytes of lists by the client address of the current Flask request.

    The keys of an event stay valid even if the limit is exceeded. So no user can lock out a hall that shares one
    address. These keys have 256 bits and cannot be guessed.
    """

    def __init__(self, settings: Settings) -> None:
        """Create the limits from the settings. An empty rate is no limit. Bytes of lists always have a daily limit."""

        def limit(rate: str, kind: str) -> RequestLimit | None:
            """Return the limit for a rate, None if the rate is "".

            `kind` separates its counts from those of other limits.
            """
            return RequestLimit(rate, settings.redis_url, kind) if rate else None

        self._keys = limit(settings.key_attempts, "keys")
        self._events = limit(settings.open_events, "events")
        self._bytes = limit(f"{settings.address_bytes}/day", "bytes")

    def may_guess(self) -> bool:
        """Return True if the client has not exceeded the limit of wrong keys.

        Only then the admin key or a code is checked. A person may have chosen the admin key, so it could be guessed.
        Counts nothing.
        """
        return self._keys is None or not self._keys.peek(request.remote_addr or "").is_exceeded

    def count_miss(self) -> None:
        """Count a wrong key or join code. Raises TooManyRequests if the client has now sent more than the limit."""
        _count_amount(self._keys, 1, "wrong keys and codes")

    def count_event(self) -> None:
        """Count an event created without the admin key. Raises TooManyRequests over the limit."""
        _count_amount(self._events, 1, phrase("new events"))

    def count_bytes(self, size: int) -> None:
        """Count `size` bytes of registered contents. Raises TooManyRequests over the limit of a day.

        The desk decides which callers are counted.
        """
        _count_amount(self._bytes, size, phrase("bytes of lists"))


def _count_amount(limit: RequestLimit | None, amount: int, noun: str) -> None:
    """Count an amount for the client address of the current Flask request. `limit` None counts nothing.

    Raises TooManyRequests if the limit is then exceeded. `noun`: the counted things, for the message.
    """
    if limit is None or not (counted := limit.hit(request.remote_addr or "", amount)).is_exceeded:
        return
    raise TooManyRequests(_limit_message(noun, counted), retry_after=counted.retry_after)


def limit_headers(counted: WindowCount) -> list[tuple[str, str]]:
    """Return the headers X-RateLimit-Limit, -Remaining and -Reset (a Unix time), also Retry-After over the limit."""
    headers = [
        ("X-RateLimit-Limit", str(counted.limit)),
        ("X-RateLimit-Remaining", str(counted.requests_left)),
        ("X-RateLimit-Reset", str(math.ceil(counted.reset))),
    ]
    return [*headers, ("Retry-After", str(counted.retry_after))] if counted.is_exceeded else headers


def limit_problem(counted: WindowCount) -> ProblemJSON:
    """Return the problem document of status 429 for a client that sent too many requests."""
    return problem(429, _limit_message(phrase("requests"), counted))


@lru_cache(maxsize=1024)
def customer_network(address: str) -> str:
    """Return the text by which a client is counted: an IPv4 address, or the /64 network of an IPv6 address.

    `2001:db8::1` is `2001:db8::/64`, because providers give each customer such a network or a larger one. A text that
    is no IP address is returned unchanged.
    """
    parsed = parse_address(address)
    if isinstance(parsed, IPv6Address):
        return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"
    return str(parsed or address)


def _redis_storage(url: str) -> RedisStorage:
    """Return a Redis storage, which connects at the first count. A call waits at most 0.5 seconds, without a retry."""
    from redis import ConnectionPool  # only needed with a Redis database
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    timeouts = {"socket_connect_timeout": _TIMEOUT, "socket_timeout": _TIMEOUT}
    pool = ConnectionPool.from_url(url, retry=Retry(NoBackoff(), 0), **timeouts)
    return RedisStorage(url, connection_pool=pool, key_prefix="deckproof")


def _limit_message(noun: str, counted: WindowCount) -> str:
    """Return the message about an exceeded limit, with the seconds to wait.

    `noun`: the counted things, such as "requests".
    """
    return phrase(
        "This address has sent more than {limit:,} {things} in {seconds:,} seconds. Try again in {wait:,} seconds.",
        limit=counted.limit,
        things=noun,
        seconds=counted.seconds,
        wait=counted.retry_after,
    )
