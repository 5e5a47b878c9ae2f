"""The fetch policy: how a site is asked, in pauses, time-outs and new tries."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from threading import Timer
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import BaseHTTPResponse
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import InvalidHeader
from urllib3.response import HTTPResponse
from urllib3.util import Retry

from carddb.errors import FetchError

_AGAIN = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """How a site is asked, all times in seconds.

    `pause` lies between an answer and the next request; robots.txt may ask for a longer one. Connecting
    takes at most `connect`, the head of an answer and any silence `read`, a whole page `whole`. A page is asked for
    `tries` times, after `backoff`, twice that, and so on; or after what the server asks for in
    Retry-After, if that is not over `longest_wait`.
    """

    pause: float = 1.0
    connect: float = 10.0
    read: float = 30.0
    whole: float = 180.0
    tries: int = 4
    backoff: float = 2.0
    longest_wait: float = 120.0

    def retries(self, pause: float) -> Retry:
        """Return how a page is tried again, the first time after `backoff`, or after a pause that is longer."""
        return _Retries(
            total=self.tries - 1,
            status_forcelist=_AGAIN,
            allowed_methods=("GET",),
            backoff_factor=max(pause, self.backoff),
            backoff_max=self.longest_wait,
            raise_on_status=False,
        )


class _Retries(Retry):
    """urllib3's Retry that also waits before the first new try, and never for longer than `backoff_max`."""

    def increment(self, *asked: Any, **more: Any) -> _Retries:
        if answer := more.get("response"):
            answer.close()  # what is said with a failure is not read: it may never end
        return super().increment(*asked, **more)

    def get_backoff_time(self) -> float:
        return max(super().get_backoff_time(), self.backoff_factor)

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        try:
            asked = super().get_retry_after(response)
        except (InvalidHeader, ValueError, OverflowError):
            return None  # it does not say when
        if asked is not None and asked > self.backoff_max:
            raise FetchError(f"The site asks to be left alone for {asked:.0f} seconds; try again then.")
        return asked


class Adapter(HTTPAdapter):
    """requests' adapter, which gives an answer up whose head does not come within the read time-out.

    urllib3 times every silence, not their sum: a head that drips in a byte at a time would be waited for
    without end.
    """

    def init_poolmanager(self, *how: Any, **more: Any) -> None:
        super().init_poolmanager(*how, **more)
        self.poolmanager.pool_classes_by_scheme = {"http": PatientPool, "https": SecurePool}


class _Prompt(HTTPConnection):
    _is_late = False

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as urllib3's does
        bell = Timer(self.timeout or 0, self._hang_up)
        bell.daemon = True
        bell.start()
        try:
            answer = super().getresponse()
        finally:
            bell.cancel()
        if self._is_late:
            raise TimeoutError  # what came of the head would be taken for all of it
        return answer

    def _hang_up(self) -> None:
        self._is_late = True
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)


class _SecurePrompt(_Prompt, HTTPSConnection):
    pass


class PatientPool(HTTPConnectionPool):
    ConnectionCls = _Prompt


class SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecurePrompt
