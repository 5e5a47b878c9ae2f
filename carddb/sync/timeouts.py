"""Time-outs: connections to sites, each given up if the head of an answer does not come within the read time-out.

urllib3 times every silence, not their sum: a head that drips in a byte at a time would be waited for
without end.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Timer
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse


class Adapter(HTTPAdapter):
    """requests' adapter, with such connections."""

    def init_poolmanager(self, *how: Any, **more: Any) -> None:
        super().init_poolmanager(*how, **more)
        self.poolmanager.pool_classes_by_scheme = {"http": _PatientPool, "https": _SecurePool}


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


class _PatientPool(HTTPConnectionPool):
    ConnectionCls = _Prompt


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecurePrompt
