"""Blueprints: views with their documentation for the OpenAPI document.

Every module of paths (`api/web/v1`, health, documentation) creates a `Blueprint`. `api/web/openapi.py` reads its
`operations`. The decorators of a blueprint only document a view, except `arguments`, which also parses the request.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar

import flask
from marshmallow import RAISE, Schema, ValidationError
from webargs.flaskparser import FlaskParser

from api.service.errors import Invalid
from api.service.shapes import flatten_messages
from api.web.bodies import json_body, single_fields
from api.web.components import (
    ETAG,
    NOT_MODIFIED,
    Document,
    Parameter,
    Parameters,
    QueryParameters,
    problem_reference,
    reference,
)

JSON = "application/json"
_PATH_PARAMETER = re.compile(r"<(?:[^:<>]+:)?([^<>]+)>")  # as Flask writes one: <id>, <number:number>

_View = TypeVar("_View", bound=Callable[..., Any])
_Content = type | Mapping[str, Any]  # the type of an answer, or an OpenAPI schema


class ArgumentsParser(FlaskParser):
    """Parses the arguments of views. Unknown fields are refused, and errors are Invalid with JSON pointers."""

    # webargs reads this from the class, although its types declare it for instances.
    DEFAULT_UNKNOWN_BY_LOCATION: ClassVar[dict[str, str | None]] = {"json": RAISE, "query": RAISE}  # type: ignore[misc]

    def load_json(self, req: Any, schema: Any) -> Any:
        """Return the JSON of the request."""
        return json_body()

    def load_querystring(self, req: Any, schema: Any) -> Any:
        """Return the parameters of the query. Raises Invalid if one is given twice."""
        single_fields(req.args)
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, req: Any, schema: Any, **_: Any) -> NoReturn:
        """Raise the errors of a schema as Invalid. The pointer to a parameter of the query is its name."""
        (refused,) = error.normalized_messages().values()
        raise Invalid(flatten_messages(refused)) from None


_PARSER = ArgumentsParser()


@dataclass
class _Description:
    """The documentation of one view, collected by its decorators. `more` is OpenAPI and overrides the rest."""

    parameters: list[Parameter] = field(default_factory=list)
    body: Document = field(default_factory=dict)
    responses: dict[int, Document] = field(default_factory=dict)
    more: Document = field(default_factory=dict)


class Operation(NamedTuple):
    """An operation of the OpenAPI document, with its path, its method in lower case, and the parameters of the path."""

    path: str
    method: str
    parameters: Parameters
    document: Document


class Blueprint(flask.Blueprint):
    """A Flask blueprint that documents its views. `operations` has one entry for each method of each route."""

    url_prefix: str

    def __init__(self, name: str, import_name: str, *, description: str, url_prefix: str = "") -> None:
        super().__init__(name, import_name, url_prefix=url_prefix)
        self.description = description
        self.operations: list[Operation] = []
        self._descriptions: dict[Callable[..., Any], _Description] = {}

    def route(
        self,
        rule: str,
        *,
        methods: Iterable[str] = ("GET",),
        parameters: Parameters = (),
        operation_id: str = "",
        **options: Any,
    ) -> Callable[[_View], _View]:
        """Register a view and its documentation for a path. This decorator has to be above all others.

        `parameters` are those of the path. The first route of a path has them for all its methods. `operation_id` is
        the name of the operation for clients, by default the name of the view.
        """

        def register(view: _View) -> _View:
            """Register the view for the path and document its operations."""
            self.add_url_rule(rule, view_func=view, methods=methods, **options)
            path = _PATH_PARAMETER.sub(r"{\1}", self.url_prefix + rule)
            document = {"operationId": operation_id or _camel_case(view.__name__)} | self._document(view)
            self.operations += [Operation(path, method.lower(), parameters, document) for method in methods]
            return view

        return register

    def arguments(self, schema: type[Schema], *, location: str = "json") -> Callable[[_View], Callable[..., Any]]:
        """Pass the fields of the body or the query to a view as keyword arguments, and document them.

        `location` is "json" or "query". A field that the request lacks is not passed unless its schema has a default.
        Raises TypeError if the view has no parameter for a field.
        """

        def document(view: _View) -> Callable[..., Any]:
            """Document the schema of a body or query, and wrap the view so that the schema parses the request."""
            _check_parameters(view, schema)
            if location == "json":
                self._description(view).body = {"required": True, "content": {JSON: {"schema": schema}}}
            else:
                self._description(view).parameters.append(QueryParameters(schema))
            parsed: Callable[..., Any] = _PARSER.use_kwargs(schema, location=location)(view)
            return parsed

        return document

    def json_body(self, schema: type[Schema]) -> Callable[[_View], _View]:
        """Document the JSON body of a view that parses it itself."""

        def document(view: _View) -> _View:
            """Document the schema of a JSON body that the view parses itself."""
            self._description(view).body = {"required": True, "content": {JSON: {"schema": schema}}}
            return view

        return document

    def response(
        self,
        status: int,
        schema: _Content | None = None,
        *,
        content_type: str = JSON,
        description: str = "",
        headers: Mapping[str, Any] | None = None,
    ) -> Callable[[_View], _View]:
        """Document an answer. Its description is by default the standard phrase of its status."""
        answer: Document = {"description": description or HTTPStatus(status).phrase}
        if headers:
            answer["headers"] = headers
        if schema:
            answer["content"] = {content_type: {"schema": schema}}

        def document(view: _View) -> _View:
            """Document an answer of the view."""
            self._description(view).responses[status] = answer
            return view

        return document

    def look_up(self, schema: _Content | None = None, **options: Any) -> Callable[[_View], _View]:
        """Document an answer with an ETag, and the 304 answer for a client that has the same state."""

        def document(view: _View) -> _View:
            """Document an answer with an ETag, and 304 for an unchanged one."""
            self.response(200, schema, headers=ETAG, **options)(view)
            self._description(view).responses[304] = reference("responses", NOT_MODIFIED)
            return view

        return document

    def problems(self, *statuses: int) -> Callable[[_View], _View]:
        """Document the problems that a view may return."""

        def document(view: _View) -> _View:
            """Document problem answers of the view by status."""
            self._description(view).responses |= {status: problem_reference(status) for status in statuses}
            return view

        return document

    def doc(self, **more: Any) -> Callable[[_View], _View]:
        """Document further entries of an operation, as OpenAPI."""

        def document(view: _View) -> _View:
            """Add further fields to the documentation of the view."""
            self._description(view).more |= more
            return view

        return document

    def _description(self, view: Callable[..., Any]) -> _Description:
        """Return the description of a view, which is the same below and above its `arguments`."""
        return self._descriptions.setdefault(inspect.unwrap(view), _Description())

    def _document(self, view: Callable[..., Any]) -> Document:
        """Return the operation of a view for the document, with summary and description from its docstring."""
        description = self._description(view)
        summary, _, details = (inspect.getdoc(view) or "").partition("\n\n")
        document: Document = {"summary": summary, "tags": [self.name]}
        if details:
            document["description"] = details
        if description.parameters:
            document["parameters"] = description.parameters
        if description.body:
            document["requestBody"] = description.body
        document["responses"] = dict(sorted(description.responses.items()))
        return _merge(document, description.more)


def _check_parameters(view: Callable[..., Any], schema: type[Schema]) -> None:
    """Raise TypeError if a view has no parameter for a field of a schema."""
    parameters = inspect.signature(inspect.unwrap(view)).parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    if not takes_any and (missing := schema().load_fields.keys() - parameters.keys()):
        raise TypeError(f"{view.__module__}.{view.__name__} has no parameter for {', '.join(sorted(missing))}.")


def _camel_case(name: str) -> str:
    """Return the name of a function as an operationId: `validate_deck` is `validateDeck`."""
    first, *more = name.split("_")
    return first + "".join(map(str.capitalize, more))


def _merge(document: Mapping[Any, Any], additions: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a document with the entries of another. Mappings in both are merged, other values are replaced."""
    merged = {**document, **additions}
    for key in document.keys() & additions.keys():
        if isinstance(document[key], Mapping) and isinstance(additions[key], Mapping):
            merged[key] = _merge(document[key], additions[key])
    return merged
