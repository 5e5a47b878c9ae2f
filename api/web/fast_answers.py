"""Fast answers: clean requests for verdicts, read, judged and written without Flask, just as its views would.

Flask takes ten times as long over a small request as reading its JSON and judging its deck. A request is clean if
nothing about it needs an explanation: its media type, its JSON, its cards. Flask's views answer all others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from api.service.answers.verdict_answers import verdict_bytes
from api.service.decoder import clean_validation
from api.service.languages import LANGUAGES, language
from api.service.ndjson import Batch
from api.web.bodies import NDJSON_TYPES
from api.web.edge.middleware import GUARDS, NO_STORE, cors_headers
from api.web.edge.response_sender import Headers, encode_headers
from api.web.language_choice import HEADERS, best_language
from api.web.services import Services
from validator.judge import Verdict
from validator.language import Language

VALIDATE = "/v1/validate"
BATCH = "/v1/validate/batch"
LONGEST = 4_096  # bytes: a deck has half as many, and judging more would keep other requests waiting
_NAME = b'"name"'  # names are searched for, which takes longer
_MEDIA_TYPES = {VALIDATE: ("application/json",), BATCH: NDJSON_TYPES}
_LANG = re.compile(rb"lang=([a-z]{2})")

RequestHeaders = Mapping[bytes, bytes]


class Style(NamedTuple):
    """How a clean request is answered: in which language, and with which headers."""

    language: Language
    headers: Headers


class CleanVerdict(NamedTuple):
    """The verdict that a clean request asks for, and what is written of it."""

    verdict: Verdict
    explain: bool
    summary: bool

    def written(self, say: Language) -> bytes:
        """Return it as JSON. That of an illegal deck takes some milliseconds, because of its fixes."""
        return verdict_bytes(self.verdict, self.explain, say, self.summary)


class FastAnswers:
    """Answers clean requests with the services of an application."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._origins = frozenset(map(str.lower, services.settings.origins))
        self._known = lru_cache(maxsize=1024)(self._found)  # clients send the same headers again and again

    def style(self, path: str, headers: RequestHeaders, query: bytes) -> Style | None:
        """Return the style of the answer to a POST, or None if its path, headers or query are not clean.

        Headers that are not looked at change nothing about the answer, whatever proxies and browsers add.
        """
        if path not in _MEDIA_TYPES or headers.get(b"content-encoding", b"identity") != b"identity":
            return None
        wanted = (headers.get(name, b"") for name in (b"content-type", b"accept-language", b"origin"))
        return self._known(path, query, *wanted)

    def _found(self, path: str, query: bytes, content_type: bytes, wanted: bytes, origin: bytes) -> Style | None:
        media_type, _, parameter = content_type.decode("latin-1").lower().partition(";")
        lang = _LANG.fullmatch(query)
        if media_type.strip() not in _MEDIA_TYPES[path] or parameter.strip() not in ("", "charset=utf-8"):
            return None
        if query and not (lang and lang[1].decode() in LANGUAGES):
            return None
        spoken = language(lang[1].decode()) if lang else best_language(wanted.decode("latin-1"))
        headers = (
            ("Content-Type", _MEDIA_TYPES[path][0]),
            *HEADERS[spoken.code],
            *cors_headers(self._origins, origin.decode("latin-1")),
            *GUARDS.items(),
            *NO_STORE.items(),
        )
        return Style(spoken, encode_headers(headers))

    def verdict(self, body: bytes) -> CleanVerdict | None:
        """Return the verdict that a body asks for, None if the body is not clean or judging it may take long."""
        request = None if _NAME in body else clean_validation(body)
        verdict = self._services.judges.quick_verdict(request) if request else None
        if request is None or verdict is None:
            return None
        return CleanVerdict(verdict, request.explain, request.summary)

    def batch(self, say: Language) -> Batch:
        """Return a new batch whose sentences are in a language."""
        return Batch(self._services.judges, say=say, remembered=self._services.remembered)
