"""Limits: the official ban and restriction lists."""

from __future__ import annotations

from typing import Any

from flask import Response

from api import answers
from api import schemas
from api.bodies import Blueprint
from api.court import answer
from api.court import court
from api.payload import day
from api.problems import Invalid
from api.problems import Wrong
from api.v1.paths import GAME
from api.v1.paths import known_game

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
    try:
        on = day(query["on"]) if "on" in query else court().bench.today()
    except ValueError as error:
        raise Invalid([Wrong("/on", str(error))]) from None
    try:
        return answer(answers.limits_list(game, on, query["region"]))
    except ValueError as error:
        raise Invalid([Wrong("/region", f"{error}.")]) from None
