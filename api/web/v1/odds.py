"""Odds: how likely is it to draw what this deck is meant to draw?"""

from __future__ import annotations

from flask import Response

from api.service.answers import odds_answers as service
from api.service.answers.odds_answers import OddsAnswerJSON
from api.service.shapes import OddsShape, loaded
from api.web.blueprints import Blueprint
from api.web.bodies import json_body
from api.web.language_choice import PARAMETER
from api.web.services import answer, services, spoken

blueprint = Blueprint("odds", __name__, url_prefix="/v1/odds", description="What does this deck draw?")

_SHAPE = OddsShape()


@blueprint.route("", methods=["POST"])
@blueprint.doc(
    parameters=[PARAMETER], requestBody={"required": True, "content": {"application/json": {"schema": OddsShape}}}
)
@blueprint.response(200, OddsAnswerJSON, description="Exact chances, each with a decimal beside it.")
@blueprint.problems(400, 413, 415, 422)
def compute_odds() -> Response:
    """Tell what a deck draws, exactly.

    Of each card: the first hand, redrawn as the game's own rules allow, what is seen by a turn, the Life cards; and
    the curve. `wishes` asks for cards that are to be seen together, `look` and `targets` for a search. Nothing is
    simulated; `leaves_out` says what is not modelled, `rules` which statements of the manual all rests on.
    """
    wanted, say = loaded(_SHAPE, json_body()), spoken()
    return answer(service.odds(services().judges, wanted, say), say=say)
