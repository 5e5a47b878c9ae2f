"""Limits: the official ban and restriction lists."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.service import serializers
from api.service.errors import Invalid, Wrong
from api.web import schemas
from api.web.bodies import Blueprint
from api.web.services import answer, services
from api.web.v1.paths import GAME, known_game

blueprint = Blueprint("limits", __name__, url_prefix="/v1/limits", description="The official limits lists.")


@blueprint.route("/<game>", parameters=[GAME])
@blueprint.arguments(schemas.DayQuery, location="query")
@blueprint.response(200, schemas.LimitsShape)
@blueprint.problems(404, 422)
def show_limits(query: dict[str, Any], game: str) -> Response:
    """Show the list in force on a day.

    Cards banned (`limit` 0) and restricted, banned pairs, and the blocks that the rotating format takes, each with
    its source and its days.
    """
    known_game(game)
    on = query.get("on") or services().judges.today()
    try:
        return answer(serializers.limits_list(game, on, query["region"]))
    except ValueError as error:
        raise Invalid([Wrong("/region", f"{error}.")]) from None
