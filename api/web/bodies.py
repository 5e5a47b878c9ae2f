"""Bodies: what a request carries, taken only in a media type that is spoken here, and read as JSON or text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn, TypeVar

import flask_smorest
from flask import request
from marshmallow import RAISE, ValidationError
from webargs.flaskparser import FlaskParser
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from api.service.answers.problem_details import MEDIA_TYPE, PROBLEM_TYPES
from api.service.errors import Invalid, Wrong
from api.service.shapes import parsed, pointed, step
from api.web.language_choice import LANG
from api.web.schemas import ProblemShape

_View = TypeVar("_View", bound=Callable[..., Any])

ETAG = {"ETag": {"schema": {"type": "string"}, "description": "The name of what is answered, in this state."}}
LOCATION = {"Location": {"schema": {"type": "string"}, "description": "Where what was begun is from now on."}}
NDJSON = "application/x-ndjson"
NDJSON_TYPES = (NDJSON, "application/ndjson", "application/jsonl", "application/x-jsonl", "application/jsonlines")


def json_body() -> Any:
    """Return the JSON of the request; 415 where it is said to be something else, NotJson where it is none."""
    return parsed(json_text())


def json_text() -> bytes:
    """Return the body of the request, which is JSON; 415 where it is said to be something else."""
    if not request.is_json:
        raise _unspoken("application/json")
    _check_encoding()
    return whole_body()


def is_text() -> bool:
    """Tell whether the request is said to be plain text."""
    return request.mimetype == "text/plain"


def no_query() -> None:
    """Refuse parameters beside JSON, which has entries for all of them but the language of the answer."""
    if beside := [name for name in request.args if name != LANG]:
        raise Invalid(Wrong(step(name), "Write this in the JSON; parameters go with a plain text.") for name in beside)


def text_body() -> bytes:
    """Return the text of the request in whatever characters a file is written in: its readers tell them apart."""
    _check_encoding()
    return whole_body()


def whole_body() -> bytes:
    """Return the body of the request; 413 where it is larger than is taken."""
    return request.get_data()


def check_ndjson() -> None:
    """Refuse a body that is said to be something else than NDJSON."""
    if request.mimetype not in NDJSON_TYPES:
        raise _unspoken(NDJSON)
    _check_encoding()


def check_media_type(*spoken: str) -> None:
    """Refuse a body that is said to be of none of some media types."""
    if request.mimetype not in spoken:
        raise _unspoken(" or ".join(spoken))
    _check_encoding()


def _unspoken(wanted: str) -> UnsupportedMediaType:
    given = request.mimetype[:100] or "none"
    return UnsupportedMediaType(f"Send the body as {wanted}; its Content-Type is {given}.")


def _check_encoding() -> None:
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise UnsupportedMediaType("Send the body without Content-Encoding; no compression is read here.")


def once(*given: MultiDict[str, str]) -> dict[str, str]:
    """Return the fields of a query, and of a form that comes with it; Invalid has those that are there twice.

    The language of the answer is none of them: `language_choice` has it, for every path.
    """
    fields = [field for each in given for field in each.items(multi=True)]
    times = Counter(name for name, _ in fields)
    if twice := [name for name in times if times[name] > 1]:
        raise Invalid(Wrong(step(name), "This is given more than once; give it once.") for name in twice)
    return {name: value for name, value in fields if name != LANG}


class ArgumentsParser(FlaskParser):
    """What flask-smorest reads arguments with: this house's JSON, its pointers, and nothing unknown."""

    # What webargs has for every instance, though it is declared as an instance's own.
    DEFAULT_UNKNOWN_BY_LOCATION: ClassVar[dict[str, str | None]] = {"json": RAISE, "query": RAISE}  # type: ignore[misc]

    def load_json(self, req: Any, schema: Any) -> Any:
        """Return the JSON of the request."""
        return json_body()

    def load_querystring(self, req: Any, schema: Any) -> Any:
        """Return the parameters of the query."""
        once(req.args)
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, req: Any, schema: Any, **_: Any) -> NoReturn:
        """Raise what a schema refuses as Invalid; the pointer to a parameter of the query is its name."""
        (refused,) = error.normalized_messages().values()
        raise Invalid(pointed(refused)) from None


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose arguments are read by ArgumentsParser, and whose views answer with responses of their own.

    flask-smorest wraps a view anew for each thing that is said of it; here those decorators only document.
    """

    ARGUMENTS_PARSER = ArgumentsParser()

    def response(self, *args: Any, **kwargs: Any) -> Callable[[_View], _View]:
        """Document an answer."""
        return _documented(super().response(*args, **kwargs))

    def alt_response(self, *args: Any, **kwargs: Any) -> Callable[[_View], _View]:
        """Document another answer."""
        return _documented(super().alt_response(*args, **kwargs))

    def look_up(self, *args: Any, **kwargs: Any) -> Callable[[_View], _View]:
        """Document an answer that is asked for again by its name, and word that the client has it already."""

        def document(view: _View) -> _View:
            self.response(200, *args, headers=ETAG, **kwargs)(view)
            return self.alt_response(304, description="It is what the client has.", headers=ETAG)(view)

        return document

    @staticmethod
    def doc(**kwargs: Any) -> Callable[[_View], _View]:
        """Document anything else of an operation."""
        return _documented(flask_smorest.Blueprint.doc(**kwargs))

    def problems(self, *statuses: int) -> Callable[[_View], _View]:
        """Document the problems that a view may answer with."""

        def document(view: _View) -> _View:
            for status in statuses:
                says = PROBLEM_TYPES[status].title
                self.alt_response(status, schema=ProblemShape, content_type=MEDIA_TYPE, description=says)(view)
            return view

        return document


def _documented(wrap: Callable[[_View], _View]) -> Callable[[_View], _View]:
    """Return a decorator that leaves a view as it is and takes over what its wrapper would say of it."""

    def document(view: _View) -> _View:
        view._apidoc = wrap(view)._apidoc  # type: ignore[attr-defined]  # where flask-smorest keeps it
        return view

    return document
