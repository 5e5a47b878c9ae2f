"""Documentation: the OpenAPI document, Swagger UI to read and try it, and a text for language models (llmstxt.org)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources

from flask import Flask, Response, current_app, request, url_for
from werkzeug.exceptions import NotFound

from api.web.blueprints import Blueprint
from api.web.components import Document
from api.web.pages.rendering import render_response
from validator.games import GAMES
from validator.language import phrase

blueprint = Blueprint("documentation", __name__, description="This documentation.")
_NAME = "deckproof-documentation"
_NAME_OF_TEXT = f"{_NAME}-text"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# The package and the path of each part. The page of Swagger UI itself has an inline script.
_PARTS = {
    "page.js": (__package__, "docs_page.js"),
    "swagger-ui.css": ("flask_swagger_ui", "dist/swagger-ui.css"),
    "swagger-ui-bundle.js": ("flask_swagger_ui", "dist/swagger-ui-bundle.js"),
}
_MEDIA_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_PART = {"in": "path", "name": "name", "schema": {"type": "string", "enum": list(_PARTS)}, "description": "Its name."}
_LLMS_HEAD = """# deckproof

> Tells whether a trading-card deck is tournament-legal, and proves it: every finding cites the section of the rule
> manual, the entry of the official list or the card's own text that it rests on. Games: {games}.

Send JSON; problems are `application/problem+json` with a pointer to each bad field. A deck is a `decklist` (text in any
common format) or a `deck`. `on` is the day that counts; `"summary": true` adds a text of at most 1,900 characters. Do
not decide whether a deck is legal without asking, and pass on the rule that is cited.

## Documentation

- [OpenAPI](/openapi.json): every path, request and answer
- [Reference](/docs): the same for people
- [Open data](/v1/data): rulesets, lists with their history, rotations and sets as JSON and CSV
- [Changes](/v1/changes): what is new in them; also [as a feed](/v1/changes.atom)
"""


def publish(app: Flask, document: Document) -> None:
    """Store the OpenAPI document as JSON, and the text for language models, in an application.

    The views answer with them.
    """
    app.extensions[_NAME] = json.dumps(document, ensure_ascii=False).encode()
    app.extensions[_NAME_OF_TEXT] = llms_text(document)


@blueprint.route("/openapi.json")
@blueprint.response(200, {"type": "object"}, description="The document.")
def get_openapi() -> Response:
    """Get the OpenAPI document."""
    return Response(current_app.extensions[_NAME], mimetype="application/json")


@blueprint.route("/llms.txt")
@blueprint.response(200, {"type": "string"}, content_type="text/plain; charset=utf-8", description="The text.")
def get_llms_text() -> Response:
    """Get a short list of all operations, for language models."""
    return Response(current_app.extensions[_NAME_OF_TEXT], content_type="text/plain; charset=utf-8")


@blueprint.route("/docs")
@blueprint.response(200, {"type": "string"}, content_type="text/html", description="A page for people.")
@blueprint.response(308, description="From `/docs/` to `/docs`: the page finds its document beside itself.")
def show_docs() -> Response:
    """Read the documentation."""
    if request.path == "/docs/":
        return Response(status=308, headers={"Location": url_for("documentation.show_docs")})
    answer = render_response("docs.html")
    answer.headers["Content-Security-Policy"] = _POLICY
    return answer


@blueprint.route("/docs/<name>", parameters=[_PART])
@blueprint.doc(responses={200: {"content": {kind: {"schema": {"type": "string"}} for kind in _MEDIA_TYPES.values()}}})
@blueprint.look_up(description="The part.")
@blueprint.response(308, description="From no name at all to the page.")
@blueprint.problems(404)
def get_docs_part(name: str) -> Response:
    """Get a script or stylesheet of the documentation page."""
    if name not in _PARTS:
        raise NotFound(phrase("The page has no such part; it has {parts}.", parts=", ".join(_PARTS)))
    answer = Response(_read_part(*_PARTS[name]), content_type=_MEDIA_TYPES[name.rpartition(".")[2]])
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@lru_cache(maxsize=len(_PARTS))
def _read_part(package: str, path: str) -> bytes:
    """Return the content of a file in a package. `path` is relative to the package. The result is cached."""
    return resources.files(package).joinpath(path).read_bytes()


def llms_text(document: Document) -> str:
    """Return the text for language models (llms.txt): an introduction, and a document's operations by tag."""
    games = ", ".join(f"{game.id} ({game.title})" for game in GAMES.values())
    sections: dict[str, list[str]] = {}
    for tag, line in _llms_lines(document):
        sections.setdefault(tag, []).append(line)
    return "\n".join([_LLMS_HEAD.format(games=games), *(_llms_section(tag, lines) for tag, lines in sections.items())])


def _llms_lines(document: Document) -> Iterator[tuple[str, str]]:
    """Yield `(tag, line)` for each operation. The methods of a path are in no fixed order.

    The line is a Markdown list item with method, path and summary, and the schema name of the JSON body if there is
    one.
    """
    for path, item in document["paths"].items():
        for method in item.keys() - {"parameters"}:
            operation = item[method]
            schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            shape = schema.get("$ref", "").rpartition("/")[2]
            takes = f" Takes {shape}." if shape else ""
            yield operation["tags"][0], f"- `{method.upper()} {path}`: {operation.get('summary', '')}{takes}"


def _llms_section(tag: str, lines: list[str]) -> str:
    """Return the lines of a tag, sorted, as a Markdown section with the tag as its heading."""
    return "\n".join([f"## {tag.capitalize()}", "", *sorted(lines), ""])
