"""Problem pages: what went wrong with a request, for people in a browser."""

from __future__ import annotations

from flask import Response, request

from api.service.answers.problem_details import ProblemJSON
from api.web.pages import rendering

FOR_PROGRAMS = ("/v1/", "/openapi.json", "/docs/", "/metrics", "/healthz", "/readyz")


def is_wanted() -> bool:
    """Return True if the request is for a page, or for an unknown address by a browser."""
    if request.blueprint is not None:
        return request.blueprint in rendering.page_blueprints()
    return not request.path.startswith(FOR_PROGRAMS) and "text/html" in request.headers.get("Accept", "")


def problem_page(document: ProblemJSON) -> Response:
    """Return a problem document as a page."""
    return rendering.render_response("problem.html", document["status"], problem=document)
