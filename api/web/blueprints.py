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
_Content = type | Document  # the type of an answer, or an OpenAPI schema


class ArgumentsParser(FlaskParser):
    """Parses the body or the query of a request by a marshmallow schema, for `Blueprint.arguments`.

    Unknown fields are refused. All errors of a request are raised as one Invalid with a JSON pointer to each field.
    """

    # webargs reads this from the class, although its types declare it for instances.
    DEFAULT_UNKNOWN_BY_LOCATION: ClassVar[dict[str, str | None]] = {"json": RAISE, "query": RAISE}  # type: ignore[misc]

    def load_json(self, req: Any, schema: Any) -> Any:
        """Return the parsed JSON of the current request. Both arguments are ignored.

        Raises NotJson, or UnsupportedMediaType for another media type or a Content-Encoding.
        """
        return json_body()

    def load_querystring(self, req: Any, schema: Any) -> Any:
        """Return the query parameters of `req` for the schema. Raises Invalid if a parameter is given twice."""
        single_fields(req.args)
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, req: Any, schema: Any, **_: Any) -> NoReturn:
        """Raise the errors that marshmallow found as Invalid, each with a pointer.

        The pointer to query parameter `on` is "/on".
        """
        (refused,) = error.normalized_messages().values()
        raise Invalid(flatten_messages(refused)) from None


_PARSER = ArgumentsParser()


@dataclass
class _Description:
    """The documentation of one view, collected by the decorators of its Blueprint.

    `parameters` are those of the query. `body` is the OpenAPI `requestBody` ({}: none). `responses` are by HTTP status.
    `more` has further OpenAPI fields of the operation, which win over all others.
    """

    parameters: list[Parameter] = field(default_factory=list)
    body: Document = field(default_factory=dict)
    responses: dict[int, Document] = field(default_factory=dict)
    more: Document = field(default_factory=dict)


class Operation(NamedTuple):
    """An operation of the OpenAPI document: a path such as "/v1/cards/{number}" with one method in lower case.

    `parameters` are those of the path, only with the first route of a path. `document` is the OpenAPI operation.
    """

    path: str
    method: str
    parameters: Parameters
    document: Document


class Blueprint(flask.Blueprint):
    """A Flask blueprint that also documents its views for the OpenAPI document.

    `operations` has one entry for each method of each route, in the order of registration.
    """

    url_prefix: str

    def __init__(self, name: str, import_name: str, *, description: str, url_prefix: str = "") -> None:
        """Create an empty blueprint. `description` is that of its tag in the OpenAPI document, `name` is the tag."""
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
        """Return a decorator that registers a view for a path, and adds an Operation for each method.

        This decorator has to be above all others, because it reads the documentation that they collected. `parameters`
        are the OpenAPI parameters in the path. Only the first route of a path gives them, for all its methods.
        `operation_id` is the name of the operation for clients, by default the name of the view in camel case.
        `options` go to Flask's `add_url_rule`.
        """

        def register(view: _View) -> _View:
            """Add the view to the routes and its operations to `operations`, and return the view unchanged."""
            self.add_url_rule(rule, view_func=view, methods=methods, **options)
            path = _PATH_PARAMETER.sub(r"{\1}", self.url_prefix + rule)
            document = {"operationId": operation_id or _camel_case(view.__name__)} | self._document(view)
            self.operations += [Operation(path, method.lower(), parameters, document) for method in methods]
            return view

        return register

    def arguments(self, schema: type[Schema], *, location: str = "json") -> Callable[[_View], Callable[..., Any]]:
        """Return a decorator that passes the fields of the body or the query to a view as keyword arguments.

        It also documents them. `location` is "json" or "query". A field that the request lacks is not passed unless its
        schema has a default. The decorator raises TypeError if the view has no parameter for a field. The decorated
        view raises Invalid for wrong values, and the errors of `json_body` for a wrong body.
        """

        def document(view: _View) -> Callable[..., Any]:
            """Document the body or query of a view by `schema`, and return the view wrapped in a parser of requests."""
            _check_parameters(view, schema)
            if location == "json":
                self._description(view).body = {"required": True, "content": {JSON: {"schema": schema}}}
            else:
                self._description(view).parameters.append(QueryParameters(schema))
            parsed: Callable[..., Any] = _PARSER.use_kwargs(schema, location=location)(view)
            return parsed

        return document

    def json_body(self, schema: type[Schema]) -> Callable[[_View], _View]:
        """Return a decorator that documents `schema` as the JSON body of a view.

        The view is unchanged and parses the body itself.
        """

        def document(view: _View) -> _View:
            """Document the JSON body of a view, and return the view unchanged."""
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
        headers: Document | None = None,
    ) -> Callable[[_View], _View]:
        """Return a decorator that documents the answer of a view with a status. The view is unchanged.

        `schema` None is an answer without content, and `content_type` is ignored then. `description` "" is the standard
        phrase of the status. `headers` are OpenAPI headers by name. Of two answers with the same status, the decorator
        that stands higher replaces the lower one.
        """
        answer: Document = {"description": description or HTTPStatus(status).phrase}
        if headers:
            answer["headers"] = headers
        if schema:
            answer["content"] = {content_type: {"schema": schema}}

        def document(view: _View) -> _View:
            """Document the answer of a view, and return the view unchanged."""
            self._description(view).responses[status] = answer
            return view

        return document

    def look_up(self, schema: _Content | None = None, **options: Any) -> Callable[[_View], _View]:
        """Return a decorator that documents the two answers of a view that clients cache. The view is unchanged.

        They are 200 with an ETag, and 304 for a client that has the same content. `options` are those of `response`.
        """

        def document(view: _View) -> _View:
            """Document the answers 200 with an ETag and 304 of a view, and return the view unchanged."""
            self.response(200, schema, headers=ETAG, **options)(view)
            self._description(view).responses[304] = reference("responses", NOT_MODIFIED)
            return view

        return document

    def problems(self, *statuses: int) -> Callable[[_View], _View]:
        """Return a decorator that documents the statuses of the problems that a view may answer with.

        The view is unchanged.
        """

        def document(view: _View) -> _View:
            """Document a problem response for each status, and return the view unchanged."""
            self._description(view).responses |= {status: problem_reference(status) for status in statuses}
            return view

        return document

    def doc(self, **more: Any) -> Callable[[_View], _View]:
        """Return a decorator that adds OpenAPI fields to the operation of a view, such as `security`.

        The view is unchanged. Mappings are merged with those that the other decorators made. Other values replace them.
        A field of a second `doc` replaces the same field of the first.
        """

        def document(view: _View) -> _View:
            """Add the OpenAPI fields to the documentation of a view, and return the view unchanged."""
            self._description(view).more |= more
            return view

        return document

    def _description(self, view: Callable[..., Any]) -> _Description:
        """Return the collected documentation of a view, which the decorators change. It is created at the first call.

        The view and its wrappers (by `functools.wraps`) have the same documentation.
        """
        return self._descriptions.setdefault(inspect.unwrap(view), _Description())

    def _document(self, view: Callable[..., Any]) -> Document:
        """Return the OpenAPI operation of a view without its id.

        `view` has already been documented by the other decorators. The first paragraph of the view's docstring is the
        summary, the others are the description.
        """
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
    """Raise TypeError if a view has no parameter for a field of a schema. A view with a `**` parameter has all."""
    parameters = inspect.signature(inspect.unwrap(view)).parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    if not takes_any and (missing := schema().load_fields.keys() - parameters.keys()):
        raise TypeError(f"{view.__module__}.{view.__name__} has no parameter for {', '.join(sorted(missing))}.")


def _camel_case(name: str) -> str:
    """Return a function name in camel case: `validate_deck` is `validateDeck`."""
    first, *more = name.split("_")
    return first + "".join(map(str.capitalize, more))


def _merge(document: Mapping[Any, Any], additions: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a new mapping with the entries of both. Mappings under the same key are merged, else `additions` win."""
    merged = {**document, **additions}
    for key in document.keys() & additions.keys():
        if isinstance(document[key], Mapping) and isinstance(additions[key], Mapping):
            merged[key] = _merge(document[key], additions[key])
    return merged
