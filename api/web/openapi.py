"""The OpenAPI document: what the paths of the interface say of themselves, put together once in a process."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import Any, cast

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_cls
from flask import Flask
from marshmallow import Schema

from api.service.answers.problem_details import MEDIA_TYPE, PROBLEM_TYPES
from api.web import documentation
from api.web.event_schemas import WHOLE_OF_EVENTS
from api.web.operations import health
from api.web.schemas import WHOLE, deck_or_text
from api.web.v1 import BLUEPRINTS
from api.web.v1.paths import NumberConverter

_KEYS = {"bearer": {"type": "http", "scheme": "bearer", "description": "A key of an event, or the admin's."}}
_WEBHOOKS = {
    "change": {
        "post": {
            "summary": "A change that a webhook is told, once for each entry of `/v1/changes`.",
            "description": "Signed as the Standard Webhooks specification has it: `webhook-id`, `webhook-timestamp`, "
            "`webhook-signature`. A test has the `kind` `test` and no game.",
            "requestBody": {
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RecordedChange"}}}
            },
            "responses": {
                "2XX": {"description": "It was taken."},
                "410": {"description": "Nothing is to be sent any more."},
                "default": {"description": "It is sent again later, under the same `webhook-id`."},
            },
        }
    }
}
_ABOUT = """Tells whether a trading-card deck is tournament-legal, and proves it by citing the rule.

Every problem is `application/problem+json` (RFC 9457); programs tell problems apart by `type`:

"""

_DESCRIBED = (*BLUEPRINTS, health.blueprint, documentation.blueprint)


def add_paths(app: Flask) -> None:
    """Give an application the paths that the document describes."""
    app.url_map.converters["number"] = NumberConverter
    for blueprint in _DESCRIBED:
        app.register_blueprint(blueprint)


@cache
def openapi_document() -> dict[str, Any]:
    """Return the document, which is the same for every application; it is not to be changed."""
    document = _described()
    for name, whole_shape in (WHOLE | WHOLE_OF_EVENTS).items():
        document["components"]["schemas"][name] |= whole_shape
    for path in document["paths"].values():
        for method in path.keys() - {"parameters"}:
            path[method]["responses"] |= _ALWAYS
    return document


def _described() -> dict[str, Any]:
    """Return the document of the blueprints' operations."""
    marshmallow = MarshmallowPlugin(schema_name_resolver=_shape_name)
    spec = APISpec(
        title="deckproof",
        version=metadata.version("deckproof"),
        openapi_version="3.1.0",
        info={"description": _about()},
        components={"securitySchemes": _KEYS, "responses": {"DEFAULT_ERROR": _problem("A problem (RFC 9457).")}},
        webhooks=_WEBHOOKS,
        plugins=[marshmallow],
    )
    assert marshmallow.converter is not None  # made by the spec
    marshmallow.converter.add_attribute_function(deck_or_text)
    for blueprint in _DESCRIBED:
        for path, method, parameters, operation in blueprint.operations:
            spec.path(path, operations={method: operation}, parameters=list(parameters))
        spec.tag({"name": blueprint.name, "description": blueprint.description})
    return spec.to_dict()


def _about() -> str:
    kinds = [f"- `{kind.uri}` ({status}): {kind.says}" for status, kind in PROBLEM_TYPES.items()]
    return _ABOUT + "\n".join(kinds)


def _shape_name(shape: Any) -> str:
    return cast("type[Schema]", resolve_schema_cls(shape)).__name__.removesuffix("Shape")


def _problem(description: str, **more: Any) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": description, "content": {MEDIA_TYPE: {"schema": schema}}, **more}


_RETRY_AFTER = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds until it may be tried again."}}
# What any request may be answered with.
_ALWAYS = {
    "429": _problem(PROBLEM_TYPES[429].title, headers=_RETRY_AFTER),
    "500": _problem(PROBLEM_TYPES[500].title),
    "503": _problem(PROBLEM_TYPES[503].title, headers=_RETRY_AFTER),
    "default": {"$ref": "#/components/responses/DEFAULT_ERROR"},
}
