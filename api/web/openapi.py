"""The OpenAPI document: what the paths of the interface say of themselves, put together once in a process."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import Any, cast, is_typeddict

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_cls
from flask import Flask
from marshmallow import Schema

from api.service.answers.json_schema import reference, schema_components
from api.service.answers.problem_details import MEDIA_TYPE, PROBLEM_TYPES
from api.web import documentation
from api.web.event_schemas import WHOLE_OF_EVENTS
from api.web.operations import health
from api.web.schemas import WHOLE, deck_or_text
from api.web.v1 import BLUEPRINTS
from api.web.v1.paths import NumberConverter
from validator.games import GAMES

_KEYS = {"bearer": {"type": "http", "scheme": "bearer", "description": "A key of an event, or the admin's."}}
_ABOUT = """Tells whether a trading-card deck is tournament-legal, and proves it by citing the rule.

Every problem is `application/problem+json` (RFC 9457); programs tell problems apart by `type`:

"""

# Answers carry these as requests do. The components are those of requests, which have the limits of each entry.
_OF_REQUESTS = {"Deck", "Line", "Policy", "Consent"}
_DESCRIBED = (*BLUEPRINTS, health.blueprint, documentation.blueprint)


def add_paths(app: Flask) -> None:
    """Give an application the paths that the document describes."""
    app.url_map.converters["number"] = NumberConverter
    for blueprint in _DESCRIBED:
        app.register_blueprint(blueprint)


@cache
def openapi_document() -> dict[str, Any]:
    """Return the document, which is the same for every application; it is not to be changed."""
    document: dict[str, Any] = _with_game_component(_described())
    for name, whole_shape in (WHOLE | WHOLE_OF_EVENTS).items():
        document["components"]["schemas"][name] |= whole_shape
    for path in document["paths"].values():
        for method in path.keys() - {"parameters"}:
            path[method]["responses"] |= _ALWAYS
    document["components"]["schemas"]["Game"] = _GAME
    return document


def _described() -> dict[str, Any]:
    """Return the document of the blueprints' operations."""
    package = metadata.metadata("deckproof")
    marshmallow = MarshmallowPlugin(schema_name_resolver=_shape_name)
    spec = APISpec(
        title="deckproof",
        version=package["Version"],
        openapi_version="3.1.0",
        info={
            "description": _about(),
            "license": {"name": package["License-Expression"], "identifier": package["License-Expression"]},
            "contact": {"name": "deckproof maintainers"},
        },
        servers=[{"url": "/", "description": "The server that this document is from."}],
        components={"securitySchemes": _KEYS, "responses": _PROBLEMS},
        plugins=[marshmallow],
    )
    assert marshmallow.converter is not None  # made by the spec
    marshmallow.converter.add_attribute_function(deck_or_text)
    answers: dict[str, type] = {}
    for blueprint in _DESCRIBED:
        for path, method, parameters, operation in blueprint.operations:
            operations = {method: _with_references(operation, answers)}
            spec.path(path, operations=operations, parameters=list(parameters))
        spec.tag({"name": blueprint.name, "description": blueprint.description})
    for name, schema in schema_components(answers.values()).items():
        if name not in _OF_REQUESTS:
            spec.components.schema(name, schema)
    return spec.to_dict()


def _with_references(part: Any, answers: dict[str, type]) -> Any:
    """Return a part of the document with references in place of the types of answers, which are added to `answers`."""
    if is_typeddict(part):
        answers[part.__name__] = part
        return reference(part)
    if isinstance(part, dict):
        return {key: _with_references(value, answers) for key, value in part.items()}
    return part


def _with_game_component(part: Any) -> Any:
    """Return a part of the document with a reference to the component `Game` in place of the list of games."""
    if isinstance(part, list):
        return [_with_game_component(one) for one in part]
    if not isinstance(part, dict):
        return part
    if part.get("enum") == _GAME["enum"]:
        return {key: value for key, value in part.items() if key not in _GAME} | {"$ref": "#/components/schemas/Game"}
    return {key: _with_game_component(value) for key, value in part.items()}


def _about() -> str:
    kinds = [f"- `{kind.uri}` ({status}): {kind.says}" for status, kind in PROBLEM_TYPES.items()]
    return _ABOUT + "\n".join(kinds)


def _shape_name(shape: Any) -> str:
    return cast("type[Schema]", resolve_schema_cls(shape)).__name__.removesuffix("Shape")


def _problem(description: str, **more: Any) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": description, "content": {MEDIA_TYPE: {"schema": schema}}, **more}


_RETRY_AFTER = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds until it may be tried again."}}
_GAME = {"type": "string", "enum": list(GAMES)}
_PROBLEMS = {
    "TooManyRequests": _problem(PROBLEM_TYPES[429].title, headers=_RETRY_AFTER),
    "InternalError": _problem(PROBLEM_TYPES[500].title),
    "Unavailable": _problem(PROBLEM_TYPES[503].title, headers=_RETRY_AFTER),
    "DEFAULT_ERROR": _problem("A problem (RFC 9457)."),
}
# The answers that any request may get.
_ALWAYS = {
    status: {"$ref": f"#/components/responses/{name}"}
    for status, name in zip(("429", "500", "503", "default"), _PROBLEMS, strict=True)
}
