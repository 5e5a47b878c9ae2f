"""Swaps: is the deck still legal, and still the same cards, after swapping with the side deck?"""

from __future__ import annotations

from flask import Response

from api.service.answers.verdict_answers import VerdictJSON, verdict_bytes
from api.service.decoder import swap
from api.service.shapes import SwapShape
from api.web.blueprints import Blueprint
from api.web.bodies import json_text
from api.web.language_choice import PARAMETER
from api.web.services import ready, services, spoken

blueprint = Blueprint("swaps", __name__, url_prefix="/v1/swaps", description="Swapping between games.")


@blueprint.route("/validate", methods=["POST"])
@blueprint.doc(
    parameters=[PARAMETER], requestBody={"required": True, "content": {"application/json": {"schema": SwapShape}}}
)
@blueprint.response(200, VerdictJSON, description="The verdict on the deck after swapping.")
@blueprint.problems(400, 413, 415, 422)
def validate_swap() -> Response:
    """Judge a swap.

    The deck `after` is judged like any deck; `swap.cards_changed` and `swap.side_size` say what the swap itself did
    wrong: between games cards only change places, and the side deck keeps its size.
    """
    wanted, say = swap(json_text()), spoken()
    here = services()
    verdict = here.judges.swap(wanted)
    here.metrics.judged(verdict)
    return ready(verdict_bytes(verdict, wanted.explain, say, wanted.summary), say=say)
