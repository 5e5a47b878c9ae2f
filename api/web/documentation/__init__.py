"""Documentation: the OpenAPI document, and a page of our own that shows it with no help from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib import resources
from typing import Any
from typing import NamedTuple

from flask import Flask
from flask import Response
from flask import current_app
from flask import request
from flask import url_for

from api.web.bodies import Blueprint

blueprint = Blueprint("documentation", __name__, description="This documentation.")
_NAME = "deckproof-documentation"


class _Published(NamedTuple):
    """The document, the page that shows it, and what the page may do."""

    document: bytes
    page: str
    policy: str


def publish(app: Flask, document: dict[str, Any]) -> None:
    """Keep an application's OpenAPI document, and the page that shows it, ready to be served."""
    page, policy = _page()
    app.extensions[_NAME] = _Published(json.dumps(document, ensure_ascii=False).encode(), page, policy)


def _page() -> tuple[str, str]:
    """Return the page in one piece, and the policy under which nothing else runs in it or is asked for."""
    folder = resources.files(__name__)
    style, script = (folder.joinpath(name).read_text("utf-8") for name in ("page.css", "page.js"))
    page = folder.joinpath("page.html").read_text("utf-8")
    page = page.replace("/*style*/", style).replace("/*script*/", script)
    policy = (
        f"default-src 'none'; connect-src 'self'; img-src data:; style-src '{_digest(style)}'; "
        f"script-src '{_digest(script)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return page, policy


def _digest(inline: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()


@blueprint.route("/openapi.json")
@blueprint.response(200, {"type": "object"}, description="The document.")
def openapi() -> Response:
    """Get the OpenAPI document."""
    return Response(current_app.extensions[_NAME].document, mimetype="application/json")


@blueprint.route("/docs")
@blueprint.response(200, {"type": "string"}, content_type="text/html", description="A page for people.")
@blueprint.alt_response(308, description="From `/docs/` to `/docs`: the page finds its document beside itself.")
def docs() -> Response:
    """Read the documentation."""
    if request.path.endswith("/"):
        return Response(status=308, headers={"Location": url_for("documentation.docs")})
    published = current_app.extensions[_NAME]
    return Response(published.page, mimetype="text/html", headers={"Content-Security-Policy": published.policy})
