"""Fast answers: clean requests for verdicts are answered without Flask, with the same bytes as by its views.

Flask takes ten times as long for a small request as parsing and judging. A request is clean if nothing
in it needs an explanation: its media type, its JSON, its cards. Flask's views answer all others. Called by the ASGI
application.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from api.service.answers.verdict_answers import verdict_bytes
from api.service.decoder import parse_clean_validation
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
_NAME = b'"name"'  # finding a card by name takes longer
_MEDIA_TYPES = {VALIDATE: ("application/json",), BATCH: NDJSON_TYPES}
_LANG = re.compile(rb"lang=([a-z]{2})")

RequestHeaders = Mapping[bytes, bytes]


class Style(NamedTuple):
    """The language and the encoded headers of the answer to a clean request.

    They depend only on the head of the request.
    """

    language: Language
    headers: Headers


class CleanVerdict(NamedTuple):
    """The verdict on the deck of a clean request. `explain` and `summary` are options of the request.

    `explain` adds every checked rule to the answer, `summary` a short text for a chat.
    """

    verdict: Verdict
    explain: bool
    summary: bool

    def to_json(self, translate: Language) -> bytes:
        """Return the verdict as JSON with its sentences in a language.

        For an illegal deck it also finds fixes, which takes some milliseconds.
        """
        return verdict_bytes(self.verdict, self.explain, translate, self.summary)


class FastAnswers:
    """Answers clean requests for verdicts (/v1/validate and its batches) without Flask, with the same bytes as Flask.

    A request is clean if its media type, its JSON and its cards need no error message. `style` and `verdict` have the
    exact conditions.
    """

    def __init__(self, services: Services) -> None:
        """Remember the services and the allowed origins of an application, and create the cache of styles."""
        self._services = services
        self._origins = frozenset(map(str.lower, services.settings.origins))
        self._cached_style = lru_cache(maxsize=1024)(self._find_style)  # clients repeat the same headers

    def style(self, path: str, headers: RequestHeaders, query: bytes) -> Style | None:
        """Return the style of the answer to a POST request. None if Flask has to answer it.

        That is for another path than VALIDATE and BATCH, a Content-Encoding, another media type, and a query other than
        `lang=xx` with a known language. `headers` are by lower-case name. Results are cached.
        """
        if path not in _MEDIA_TYPES or headers.get(b"content-encoding", b"identity") != b"identity":
            return None
        values = (headers.get(name, b"") for name in (b"content-type", b"accept-language", b"origin"))
        return self._cached_style(path, query, *values)

    def _find_style(
        self, path: str, query: bytes, content_type: bytes, accept_language: bytes, origin: bytes
    ) -> Style | None:
        """Return the style for the values of three headers, b"" for a missing header.

        None if Flask has to answer, because of the media type or the query (see `style`). `path` is VALIDATE or BATCH.
        `lang` in the query wins over Accept-Language. `origin` decides on the CORS headers.
        """
        media_type, _, parameter = content_type.decode("latin-1").lower().partition(";")
        lang = _LANG.fullmatch(query)
        if media_type.strip() not in _MEDIA_TYPES[path] or parameter.strip() not in ("", "charset=utf-8"):
            return None
        if query and not (lang and lang[1].decode() in LANGUAGES):
            return None
        answer_language = language(lang[1].decode()) if lang else best_language(accept_language.decode("latin-1"))
        headers = (
            ("Content-Type", _MEDIA_TYPES[path][0]),
            *HEADERS[answer_language.code],
            *cors_headers(self._origins, origin.decode("latin-1")),
            *GUARDS.items(),
            *NO_STORE.items(),
        )
        return Style(answer_language, encode_headers(headers))

    def verdict(self, body: bytes) -> CleanVerdict | None:
        """Return the verdict on the deck in the JSON `body`. None if Flask has to judge it.

        That is if the JSON is not clean, has the deck as text, or may name a card by name. Also if a card number is
        unknown, or the terms were not used recently.
        """
        request = None if _NAME in body else parse_clean_validation(body)
        verdict = self._services.judges.quick_verdict(request) if request else None
        if request is None or verdict is None:
            return None
        return CleanVerdict(verdict, request.explain, request.summary)

    def batch(self, translate: Language) -> Batch:
        """Return a new batch that judges lines and writes its sentences in a language.

        Batches share the cache of lines that came several times.
        """
        return Batch(self._services.judges, translate=translate, remembered=self._services.remembered)
