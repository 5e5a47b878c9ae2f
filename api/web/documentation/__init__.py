"""Documentation: the OpenAPI document, and Swagger UI to read and to try it, with no help from elsewhere."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Any

from flask import Flask, Response, current_app, request, url_for
from werkzeug.exceptions import NotFound

from api.web.blueprints import Blueprint
from api.web.documentation.llms_text import llms_text
from api.web.pages.rendering import rendered

blueprint = Blueprint("documentation", __name__, description="This documentation.")
_NAME = "deckproof-documentation"
_NAME_OF_TEXT = f"{_NAME}-text"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# What the page is made of, and where it is; the page that comes with Swagger UI has its script inline.
_PARTS = {
    "page.js": (__name__, "page.js"),
    "swagger-ui.css": ("flask_swagger_ui", "dist/swagger-ui.css"),
    "swagger-ui-bundle.js": ("flask_swagger_ui", "dist/swagger-ui-bundle.js"),
}
_MEDIA_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_PART = {"in": "path", "name": "name", "schema": {"type": "string", "enum": list(_PARTS)}, "description": "Its name."}


def publish(app: Flask, document: dict[str, Any]) -> None:
    """Keep an application's OpenAPI document ready to be served."""
    app.extensions[_NAME] = json.dumps(document, ensure_ascii=False).encode()
    app.extensions[_NAME_OF_TEXT] = llms_text(document)


@blueprint.route("/openapi.json")
@blueprint.response(200, {"type": "object"}, description="The document.")
def openapi() -> Response:
    """Get the OpenAPI document."""
    return Response(current_app.extensions[_NAME], mimetype="application/json")


@blueprint.route("/llms.txt")
@blueprint.response(200, {"type": "string"}, content_type="text/plain; charset=utf-8", description="The text.")
def llms() -> Response:
    """Get what there is to ask, in short, for language models."""
    return Response(current_app.extensions[_NAME_OF_TEXT], content_type="text/plain; charset=utf-8")


@blueprint.route("/docs")
@blueprint.response(200, {"type": "string"}, content_type="text/html", description="A page for people.")
@blueprint.response(308, description="From `/docs/` to `/docs`: the page finds its document beside itself.")
def docs() -> Response:
    """Read the documentation."""
    if request.path == "/docs/":
        return Response(status=308, headers={"Location": url_for("documentation.docs")})
    answer = rendered("docs.html")
    answer.headers["Content-Security-Policy"] = _POLICY
    return answer


@blueprint.route("/docs/<name>", parameters=[_PART])
@blueprint.doc(responses={200: {"content": {kind: {"schema": {"type": "string"}} for kind in _MEDIA_TYPES.values()}}})
@blueprint.look_up(description="The part.")
@blueprint.response(308, description="From no name at all to the page.")
@blueprint.problems(404)
def part(name: str) -> Response:
    """Get a part of the page."""
    if name not in _PARTS:
        raise NotFound(f"The page has no such part; it has {', '.join(_PARTS)}.")
    answer = Response(_read(*_PARTS[name]), content_type=_MEDIA_TYPES[name.rpartition(".")[2]])
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@lru_cache(maxsize=len(_PARTS))
def _read(package: str, path: str) -> bytes:
    return resources.files(package).joinpath(path).read_bytes()
