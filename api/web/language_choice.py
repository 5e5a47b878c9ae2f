"""The choice of a language: the language that a request prefers, and the headers with the language of an answer."""

from __future__ import annotations

import re
from functools import lru_cache

from flask import request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from api.service.errors import Invalid, Wrong
from api.service.languages import LANGUAGES, language
from api.web.components import SharedParameter
from validator.language import CODES, ENGLISH, Language, phrase

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
_LANG_IN_QUERY = re.compile(rb"(?:^|&)lang=([a-z]{2})(?:&|$)")
_REGION = re.compile("[-_]")
_LONGEST_HEADER = 200  # characters of Accept-Language that are parsed
# The headers of an answer, by its language.
HEADERS = {code: (("Content-Language", code), ("Vary", "Accept-Language")) for code in CODES}


def request_language() -> Language:
    """Return the language of the current request: `lang` of the query, else the preferred language of the browser.

    English if there is neither. Raises Invalid if `lang` is an unknown language.
    """
    if LANG in request.args:
        code = request.args[LANG]
        if code not in LANGUAGES:
            raise Invalid(
                [Wrong(f"/{LANG}", phrase("There is no such language here; write {codes}.", codes=", ".join(CODES)))]
            )
        return language(code)
    return preferred_language()


def error_language() -> Language:
    """Return the language for an error message: `lang` of the query if it is known, else what the browser prefers."""
    code = request.args.get(LANG, "")
    return language(code) if code in LANGUAGES else preferred_language()


def unparsed_language(query: bytes, accept_language: bytes) -> Language:
    """Return the language for an error of a request that Flask has not parsed, by its raw query and Accept-Language.

    A known `lang` in the query wins, an unknown one is ignored.
    """
    lang = _LANG_IN_QUERY.search(query)
    if lang and lang[1].decode() in LANGUAGES:
        return language(lang[1].decode())
    return best_language(accept_language.decode("latin-1"))


def preferred_language() -> Language:
    """Return the language that the current request's Accept-Language prefers.

    English if none of its languages is known.
    """
    return best_language(request.environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def best_language(header: str) -> Language:
    """Return the language of this project that an Accept-Language header prefers. English if it has none or is "".

    Only the first 200 characters are read.
    """
    return language(_best_code(header[:_LONGEST_HEADER])) if header else ENGLISH


@lru_cache(maxsize=256)
def _best_code(header: str) -> str:
    """Return the code of the language of this project that an Accept-Language header prefers, "en" if it has none.

    A regional range such as de-AT is read as its language, de (RFC 4647, lookup). A range with q=0 is excluded.
    """
    accepted = parse_accept_header(header, LanguageAccept)
    wanted = (_REGION.split(name.lower())[0] for name, quality in accepted if quality > 0)
    return next((code for code in wanted if code in CODES), ENGLISH.code)
