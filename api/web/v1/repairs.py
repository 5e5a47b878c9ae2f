"""Repairs: how does a deck become legal by the fewest changes?"""

from __future__ import annotations

import orjson
from flask import Response

from api.service.answers.repair_answers import RepairedJSON
from api.service.decoder import repair
from api.service.shapes import RepairShape
from api.web.blueprints import Blueprint
from api.web.bodies import json_text
from api.web.language_choice import PARAMETER
from api.web.services import ready, services, spoken

blueprint = Blueprint("repairs", __name__, url_prefix="/v1/repair", description="The fewest changes that a deck needs.")


@blueprint.route("", methods=["POST"])
@blueprint.doc(
    parameters=[PARAMETER], requestBody={"required": True, "content": {"application/json": {"schema": RepairShape}}}
)
@blueprint.response(200, RepairedJSON, description="The fewest changes; none for a legal deck.")
@blueprint.problems(400, 413, 415, 422)
def repair_deck() -> Response:
    """Mend a deck.

    Says which cards to take out, to move and to put in so that the deck is legal: every deck in the answer was judged
    so, with cards of the catalogue in the places that any card which fits may fill. `minimal` says whether it is proved
    that there are no fewer changes. The deck's Leader stays unless it cannot; other Leaders, under which half the
    changes do, are a second kind of answer. `pinned` cards stay as they are.
    """
    here = services()
    answer = here.judges.repair(repair(json_text()))
    here.metrics.judged(answer.verdict)
    say = spoken()
    return ready(orjson.dumps(answer.as_dict(say)), say=say)
