"""Limits: the official ban and restriction lists."""

from __future__ import annotations

from datetime import date

from flask import Response

from api.service.answers.limit_answers import LimitsJSON, ListChangesJSON, known_of_list, limits_json
from api.service.errors import Invalid, Wrong
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.responses import named_by_content
from api.web.services import answer, services
from api.web.v1.paths import GAME, known_game

blueprint = Blueprint("limits", __name__, url_prefix="/v1/limits", description="The official limits lists.")
blueprint.after_request(named_by_content)


@blueprint.route("/<game>", parameters=[GAME])
@blueprint.arguments(schemas.LimitsQuery, location="query")
@blueprint.look_up(LimitsJSON)
@blueprint.problems(404, 422)
def show_limits(
    game: str, region: str, best_of: int | None, on: date | None = None, timezone: str | None = None
) -> Response:
    """Show the list in force on a day.

    Cards banned (`limit` 0) and restricted, banned pairs, and the blocks that the rotating format takes, each with
    its source and its days.
    """
    known_game(game)
    day = services().judges.day(on, region, timezone)
    try:
        shown = limits_json(game, day.day, region, best_of)
    except ValueError as error:
        raise Invalid([Wrong("/region", f"{error}.")]) from None
    if day.timezone:
        shown["timezone"] = day.timezone
    return answer(shown)


@blueprint.route("/<game>/changes", parameters=[GAME])
@blueprint.arguments(schemas.DayQuery, location="query")
@blueprint.look_up(ListChangesJSON)
@blueprint.problems(404, 422)
def list_limits_changes(game: str, region: str, on: date | None = None, timezone: str | None = None) -> Response:
    """List every change of the list, the newest first.

    Each with what it made of each card, its days and its source, and whether it is in force on the day.
    """
    known_game(game)
    day = services().judges.day(on, region, timezone)
    known = known_of_list(game, day.day, region)
    shown: ListChangesJSON = {
        "game": game,
        "region": region,
        "on": day.day,
        "known_to": known.listed.known_to,
        "changes": [change.as_json() for change in known.changes],
    }
    if day.timezone:
        shown["timezone"] = day.timezone
    return answer(shown)
