"""The short way: a clean request for a verdict, answered from its bytes as the application would, before it.

A server and Flask take ten times as long over such a request as reading its JSON and judging its deck. What is clean
is decided here: how it came by `_length_of`, its JSON by `api.service.decoder`. Everything else, and whatever goes
wrong, takes the long way, which knows what to say.
"""

from __future__ import annotations

import re
import time
from email.utils import formatdate
from functools import lru_cache
from typing import NamedTuple

from api.service.answers.serializers import written
from api.service.decoder import clean_validation
from api.service.requests import Validation
from api.web.edge.middleware import GUARDS, UNKEPT, allowing
from api.web.language_choice import HEADERS
from api.web.services import Services
from validator.language import ENGLISH

PATH = "/v1/validate"
LONGEST = 4_096  # bytes of a body: a deck has half as many, and nobody waits long for what these can take
_LONGEST_HEAD = 2_048
_NAME = b'"name"'  # names are searched for, which takes longer
_FIELD = re.compile(rb"([A-Za-z-]+): ?([!-~](?:[ -~]*[!-~])?)")
_HOST = re.compile(rb"(?:[A-Za-z0-9-]{1,63}\.)*[A-Za-z0-9-]{1,63}(?::[0-9]{1,4})?")
_JSON = (b"application/json", b"application/json; charset=utf-8", b"application/json;charset=UTF-8")
_NEEDED = frozenset({b"host", b"content-type", b"content-length"})
# What these say changes no verdict; whoever sends others is asked the long way what they mean.
_IDLE = frozenset(
    b"accept accept-encoding connection forwarded traceparent user-agent via x-forwarded-for x-forwarded-host "
    b"x-forwarded-proto x-real-ip x-request-id".split()
)


class Answered(NamedTuple):
    """An answer as it goes over the wire, and how many bytes of what had come were its request."""

    answer: bytes
    taken: int


class ShortWay:
    """Answers clean requests with what an application has at hand."""

    def __init__(self, here: Services) -> None:
        self._here = here
        said = (("Content-Type", "application/json"), *HEADERS[ENGLISH.code], *allowing(here.settings.origins, ""))
        headers = (*said, *GUARDS.items(), *UNKEPT.items())
        self._head = "".join(f"{name}: {value}\r\n" for name, value in headers).encode()

    def answered(self, come: bytes) -> Answered | None:
        """Answer the request that stands first in what has come; None where that is not whole and clean."""
        begun = time.perf_counter()
        head, _, rest = come.partition(b"\r\n\r\n")
        length = _length_of(head) if len(head) <= _LONGEST_HEAD else None
        if length is None or len(rest) < length:
            return None
        body = rest[:length]
        request = None if _NAME in body else clean_validation(body)
        if request is None or request.deck is None:
            return None
        try:
            return Answered(self._verdict(request, begun), len(head) + 4 + length)
        except Exception:  # the long way meets it too, and knows what to say
            return None

    def _verdict(self, request: Validation, begun: float) -> bytes:
        here = self._here
        verdict = here.judges.verdict(request)
        body = written(verdict, request.explain, ENGLISH, request.summary)
        here.metrics.judged(verdict)
        here.metrics.answered("POST", PATH, 200, time.perf_counter() - begun)
        return b"HTTP/1.1 200 OK\r\n%b%bContent-Length: %d\r\n\r\n%b" % (
            _moment(int(time.time())), self._head, len(body), body,
        )  # fmt: skip


@lru_cache(maxsize=256)  # clients say the same again and again
def _length_of(head: bytes) -> int | None:
    """Return the length of the body after a head, None where the head is not clean."""
    asked, *fields = head.split(b"\r\n")
    said = {field[1].lower(): field[2] for field in map(_FIELD.fullmatch, fields) if field}
    if asked != b"POST %b HTTP/1.1" % PATH.encode() or len(said) < len(fields) or not _is_plain(said):
        return None
    length = said[b"content-length"]
    return int(length) if length.isdigit() and len(length) < 5 and int(length) <= LONGEST else None


def _is_plain(said: dict[bytes, bytes]) -> bool:
    """Tell whether headers are those of a JSON on a connection that is kept, and say nothing else."""
    if not said.keys() >= _NEEDED or said.keys() - _NEEDED - _IDLE:
        return False
    if not _HOST.fullmatch(said[b"host"]):  # what is no name of a host at all is refused
        return False
    return said[b"content-type"] in _JSON and said.get(b"connection", b"keep-alive").lower() == b"keep-alive"


@lru_cache(maxsize=2)
def _moment(second: int) -> bytes:
    """Return what a server says beside the headers of an application."""
    said = f"Server: gunicorn\r\nDate: {formatdate(second, usegmt=True)}\r\nConnection: keep-alive\r\n"
    return said.encode()
