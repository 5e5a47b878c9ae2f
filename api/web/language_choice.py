"""The choice of a language: the language that a request prefers, and the headers with the language of an answer."""

from __future__ import annotations

from functools import lru_cache

from flask import request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from api.service.errors import Invalid, Wrong
from api.service.languages import LANGUAGES, language
from api.web.components import SharedParameter
from validator.language import CODES, ENGLISH, Language

LANG = "lang"  # in the query of operations with sentences in their answers
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
_LONGEST_HEADER = 200  # characters of Accept-Language that are parsed
# The headers of an answer, by its language.
HEADERS = {code: (("Content-Language", code), ("Vary", "Accept-Language")) for code in CODES}


def choose_language() -> Language:
    """Return the language in the query, else the preferred language. Raises Invalid for an unknown one."""
    if LANG in request.args:
        code = request.args[LANG]
        if code not in LANGUAGES:
            raise Invalid([Wrong(f"/{LANG}", f"There is no such language here; write {', '.join(CODES)}.")])
        return language(code)
    return preferred()


def preferred() -> Language:
    """Return the language that the browser prefers among those with a catalog, else English."""
    return best_language(request.environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def best_language(header: str) -> Language:
    """Return the language that an Accept-Language header prefers among those with a catalog, else English."""
    return language(_best_code(header[:_LONGEST_HEADER])) if header else ENGLISH


@lru_cache(maxsize=256)
def _best_code(header: str) -> str:
    """Return the code of the language that an Accept-Language header prefers, else of English."""
    return parse_accept_header(header, LanguageAccept).best_match(CODES, ENGLISH.code) or ENGLISH.code
