"""The choice of a language: which one a request asks for, and the headers of an answer that say which it is in."""

from __future__ import annotations

from functools import lru_cache

from flask import request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from api.service.errors import Invalid, Wrong
from api.service.languages import LANGUAGES, language
from api.web.components import SharedParameter
from validator.language import CODES, ENGLISH, Language

LANG = "lang"  # in the query of whatever answers with sentences
PARAMETER = SharedParameter(
    "Language",
    {
        "in": "query",
        "name": LANG,
        "schema": {"type": "string", "enum": list(CODES)},
        "description": (
            "The language of the sentences; default: what `Accept-Language` prefers, else `en`. `Content-Language` "
            "says which it is. Codes, names of cards and what is quoted of rules are the same in all of them."
        ),
    },
)
_LONGEST_HEADER = 200  # characters of Accept-Language that are looked at
# The headers of an answer, by its language.
HEADERS = {code: (("Content-Language", code), ("Vary", "Accept-Language")) for code in CODES}


def chosen() -> Language:
    """Return the language that the current request asks for; Invalid names those that there are."""
    if LANG in request.args:
        code = request.args[LANG]
        if code not in LANGUAGES:
            raise Invalid([Wrong(f"/{LANG}", f"There is no such language here; write {', '.join(CODES)}.")])
        return language(code)
    return preferred()


def preferred() -> Language:
    """Return the language that the browser asks for first of those that there are here, else English."""
    return best_language(request.environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def best_language(wanted: str) -> Language:
    """Return the language that an Accept-Language asks for first of those that there are here, else English."""
    return language(_best(wanted[:_LONGEST_HEADER])) if wanted else ENGLISH


@lru_cache(maxsize=256)
def _best(wanted: str) -> str:
    return parse_accept_header(wanted, LanguageAccept).best_match(CODES, ENGLISH.code) or ENGLISH.code
