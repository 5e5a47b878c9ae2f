"""Limits: the official ban and restriction lists."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.service.answers import serializers
from api.service.answers.limit_answers import known_of_list
from api.service.errors import Invalid, Wrong
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.look_ups import named_by_content
from api.web.services import answer, services
from api.web.v1.paths import GAME, known_game

blueprint = Blueprint("limits", __name__, url_prefix="/v1/limits", description="The official limits lists.")
blueprint.after_request(named_by_content)


@blueprint.route("/<game>", parameters=[GAME])
@blueprint.arguments(schemas.LimitsQuery, location="query")
@blueprint.look_up(schemas.LimitsShape)
@blueprint.problems(404, 422)
def show_limits(query: dict[str, Any], game: str) -> Response:
    """Show the list in force on a day.

    Cards banned (`limit` 0) and restricted, banned pairs, and the blocks that the rotating format takes, each with
    its source and its days.
    """
    known_game(game)
    on = query.get("on") or services().judges.today()
    try:
        return answer(serializers.limits_list(game, on, query["region"], query["best_of"]))
    except ValueError as error:
        raise Invalid([Wrong("/region", f"{error}.")]) from None


@blueprint.route("/<game>/changes", parameters=[GAME])
@blueprint.arguments(schemas.DayQuery, location="query")
@blueprint.look_up(schemas.ListChangesShape)
@blueprint.problems(404, 422)
def list_changes(query: dict[str, Any], game: str) -> Response:
    """List every change of the list, the newest first.

    Each with what it made of each card, its days and its source, and whether it is in force on the day.
    """
    known_game(game)
    on = query.get("on") or services().judges.today()
    known = known_of_list(game, on, query["region"])
    changes = [one.as_dict() for one in known.changes]
    return answer(
        {"game": game, "region": query["region"], "on": on, "known_to": known.listed.known_to, "changes": changes}
    )
