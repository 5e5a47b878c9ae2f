"""Problem pages: what went wrong with a request, for people in a browser."""

from __future__ import annotations

from flask import Response, request

from api.service.answers.problem_details import ProblemJSON
from api.web.pages import rendering

FOR_PROGRAMS = ("/v1/", "/openapi.json", "/docs/", "/metrics", "/healthz", "/readyz")


def is_wanted() -> bool:
    """Return True if an error of the current request is answered with a page, not with JSON.

    That is for the views of pages, and for an unknown path that accepts HTML and is no path of the API.
    """
    if request.blueprint is not None:
        return request.blueprint in rendering.page_blueprints()
    return not request.path.startswith(FOR_PROGRAMS) and "text/html" in request.headers.get("Accept", "")


def problem_page(document: ProblemJSON) -> Response:
    """Return a page that shows a problem document, with its status."""
    return rendering.render_response("problem.html", document["status"], problem=document)
