"""Open data: the rulesets, lists, rotations and sets as files for whoever builds on them."""

from __future__ import annotations

import orjson
from flask import Response
from werkzeug.exceptions import NotFound

from api.open_data.tables import NAMES, DataIndexJSON, digest, files, index
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.responses import kept_as

blueprint = Blueprint("data", __name__, url_prefix="/v1/data", description="Open data, as files.")

_FILE = {
    "in": "path",
    "name": "file",
    "schema": {"type": "string", "enum": list(NAMES)},
    "description": "A table as `json` or `csv`, or its JSON Schema as `schema.json`.",
}
_MEDIA_TYPES = ("application/json", "text/csv; charset=utf-8", "application/schema+json")


@blueprint.route("")
@blueprint.look_up(DataIndexJSON)
def list_data_tables() -> Response:
    """List the tables, each with the addresses of its files.

    These have the name of the content in them, so what is there may be kept for ever; without it, it has to be asked
    for again by its `ETag`.
    """
    content = orjson.dumps(index(blueprint.url_prefix))
    return kept_as(content, "application/json", digest(content))


@blueprint.route("/<file>", parameters=[_FILE])
@blueprint.doc(responses={200: {"content": {kind: {"schema": {}} for kind in _MEDIA_TYPES}}})
@blueprint.arguments(schemas.DataQuery, location="query")
@blueprint.look_up(description="The file.")
@blueprint.problems(404, 422)
def get_data_file(file: str, v: str = "") -> Response:
    """Get a table as JSON or as CSV, or its schema."""
    found = files().get(file)
    if found is None:
        raise NotFound(f"There is no such file; there are {', '.join(NAMES)}.")
    return kept_as(found.content, found.media_type, found.digest)
