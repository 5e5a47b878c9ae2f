"""The OpenAPI document, derived from the operations of all blueprints once for each process."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from typing import Any, NamedTuple, cast, is_typeddict

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_cls
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from marshmallow import Schema

from api.service.answers import json_schema
from api.service.answers.problem_details import PROBLEM_TYPES, ProblemJSON
from api.web import components, documentation
from api.web.components import Document, QueryParameters, SharedParameter
from api.web.event_schemas import WHOLE_OF_EVENTS
from api.web.operations import health
from api.web.schemas import WHOLE, deck_or_text
from api.web.v1 import BLUEPRINTS
from api.web.v1.cards import NumberConverter
from validator.games import GAMES

_KEYS = {"bearer": {"type": "http", "scheme": "bearer", "description": "A key of an event, or the admin's."}}
_ABOUT = """Tells whether a trading-card deck is tournament-legal, and proves it by citing the rule.

Every problem is `application/problem+json` (RFC 9457); programs tell problems apart by `type`:

"""

# Answers contain these in the form of requests. The components are those of requests, with the limits of each entry.
_OF_REQUESTS = {"Deck", "Line", "Policy", "Consent"}
_DESCRIBED = (*BLUEPRINTS, health.blueprint, documentation.blueprint)


def add_paths(app: Flask) -> None:
    """Register the blueprints of all documented endpoints with an application, and the route converter `number`.

    `number` matches card numbers.
    """
    app.url_map.converters["number"] = NumberConverter
    for blueprint in _DESCRIBED:
        app.register_blueprint(blueprint)


@cache
def openapi_document() -> Document:
    """Return the OpenAPI document of all endpoints. It is cached for the process, so callers must not change it."""
    document: Document = _with_game_component(_describe_operations())
    for name, whole_shape in (WHOLE | WHOLE_OF_EVENTS).items():
        document["components"]["schemas"][name] |= whole_shape
    for path in document["paths"].values():
        for method in path.keys() - {"parameters"}:
            path[method]["responses"] |= components.any_request_responses()
    document["components"]["schemas"]["Game"] = _GAME
    return document


def _describe_operations() -> Document:
    """Return a new OpenAPI document with all operations, tags and components.

    It still lacks the examples of whole bodies (WHOLE), the responses that all operations share, and the component
    `Game`.
    """
    package = metadata.metadata("deckproof")
    marshmallow = MarshmallowPlugin(schema_name_resolver=_shape_name)
    spec = APISpec(
        title="deckproof",
        version=package["Version"],
        openapi_version="3.1.0",
        info={
            "description": _describe_api(),
            "license": {"name": package["License-Expression"], "identifier": package["License-Expression"]},
            "contact": {"name": "deckproof maintainers"},
        },
        servers=[{"url": "/", "description": "The server that this document is from."}],
        components={"securitySchemes": _KEYS, "headers": components.HEADERS, "responses": components.responses()},
        plugins=[marshmallow],
    )
    assert marshmallow.converter is not None  # made by the spec
    marshmallow.converter.add_attribute_function(deck_or_text)
    shared_components = _Components({"Problem": ProblemJSON}, {}, [])
    for blueprint in _DESCRIBED:
        for path, method, parameters, operation in blueprint.operations:
            operations = {method: shared_components.with_references(operation)}
            spec.path(path, operations=operations, parameters=shared_components.with_references(parameters))
        spec.tag({"name": blueprint.name, "description": blueprint.description})
    for name, schema in json_schema.schema_components(shared_components.answers.values()).items():
        if name not in _OF_REQUESTS:
            spec.components.schema(name, schema)
    for name, parameter in shared_components.parameters.items():
        spec.components.parameter(name, parameter["in"], parameter)
    document = spec.to_dict()
    _share_query_parameters(document, shared_components.queries, marshmallow.converter)
    return document


class _Components(NamedTuple):
    """The components that operations refer to, collected by `with_references`.

    `answers`: TypedDict by name. `parameters`: OpenAPI parameter by name. `queries`: the schemas of queries, one entry
    for each use.
    """

    answers: dict[str, type]
    parameters: dict[str, Document]
    queries: list[type[Schema]]

    def with_references(self, part: Any) -> Any:
        """Return a copy of a part of the OpenAPI document with references to components in place of Python types.

        These are TypedDicts of answers, and shared parameters, which become their component names. Each of them is
        added to this object. A schema of a query is added too, and becomes the form that apispec reads.
        """
        match part:
            case SharedParameter(name, parameter):
                self.parameters[name] = parameter
                return name  # apispec makes it a reference
            case QueryParameters(schema):
                self.queries.append(schema)
                return {"in": "query", "schema": schema}
            case dict():
                return {key: self.with_references(value) for key, value in part.items()}
            case list() | tuple():
                return [self.with_references(value) for value in part]
        if is_typeddict(part):
            self.answers[part.__name__] = part
            return json_schema.reference(part)
        return part


def _share_query_parameters(document: Document, queries: Iterable[type[Schema]], converter: OpenAPIConverter) -> None:
    """Replace equal query parameters of several operations by references to a component. Changes `document`.

    A component is named after its parameter and the first schema class that has it: `on` of `DayQuery` is `DayOn`.
    `queries` are the schemas in their order, and `converter` makes their parameters.
    """
    names: dict[str, str] = {}
    for query in queries:
        for schema in (base for base in reversed(query.__mro__) if issubclass(base, Schema)):
            for parameter in converter.schema2parameters(schema, location="query"):
                names.setdefault(
                    json.dumps(parameter),
                    _shape_name(schema).removesuffix("Query") + _capitalize_name(parameter["name"]),
                )
    used = Counter(json.dumps(parameter) for parameters in _parameter_lists(document) for parameter in parameters)
    for parameters in _parameter_lists(document):
        for index, parameter in enumerate(parameters):
            key = json.dumps(parameter)
            if used[key] > 1 and key in names:
                document["components"]["parameters"][names[key]] = parameter
                parameters[index] = components.reference("parameters", names[key])


def _parameter_lists(document: Document) -> Iterator[list[Document]]:
    """Yield the list of parameters of each operation in an OpenAPI document. Changing a list changes the document.

    An operation without parameters yields a new empty list.
    """
    for path in document["paths"].values():
        yield from (path[method].get("parameters", []) for method in path.keys() - {"parameters"})


def _capitalize_name(name: str) -> str:
    """Return a snake_case name in camel case with a first capital: `page_size` is `PageSize`."""
    return "".join(map(str.capitalize, name.split("_")))


def _with_game_component(part: Any) -> Any:
    """Return a copy of a part of the document in which each list of all games refers to the component `Game`.

    Further entries beside the list, such as its description, are kept.
    """
    if isinstance(part, list):
        return [_with_game_component(item) for item in part]
    if not isinstance(part, dict):
        return part
    if part.get("enum") == _GAME["enum"]:
        return {key: value for key, value in part.items() if key not in _GAME} | {"$ref": "#/components/schemas/Game"}
    return {key: _with_game_component(value) for key, value in part.items()}


def _describe_api() -> str:
    """Return the description of the API as Markdown, with a list of all types of problems and their HTTP statuses."""
    kinds = [f"- `{kind.uri}` ({status}): {kind.says}" for status, kind in PROBLEM_TYPES.items()]
    return _ABOUT + "\n".join(kinds)


def _shape_name(shape: Any) -> str:
    """Return the component name of a marshmallow schema: its class name without "Shape" at the end.

    `shape` is a schema class, an object of it, or the name of the class.
    """
    return cast("type[Schema]", resolve_schema_cls(shape)).__name__.removesuffix("Shape")


_GAME = {"type": "string", "enum": list(GAMES)}
