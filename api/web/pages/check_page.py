"""The check page: is this deck legal?"""

from __future__ import annotations

from flask import Blueprint, Response

from api.web.pages.rendering import Page, rendered

blueprint = Blueprint("check_page", __name__)
PAGE = Page(blueprint, "/", lambda say: say("Check"))


@blueprint.get("/")
def check() -> Response:
    """Get the page with its form."""
    return rendered("check.html")
