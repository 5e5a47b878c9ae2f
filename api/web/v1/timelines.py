"""Timelines: over which days is this deck legal, and what begins and ends that?"""

from __future__ import annotations

from flask import Response

from api.service.answers.timeline_answers import TimelineAnswerJSON, outlook
from api.service.shapes import TimelineShape, loaded
from api.web.blueprints import Blueprint
from api.web.bodies import json_body
from api.web.language_choice import PARAMETER
from api.web.services import answer, services, spoken

blueprint = Blueprint("timelines", __name__, url_prefix="/v1/timeline", description="When is this deck legal?")

_SHAPE = TimelineShape()


@blueprint.route("", methods=["POST"])
@blueprint.doc(
    parameters=[PARAMETER], requestBody={"required": True, "content": {"application/json": {"schema": TimelineShape}}}
)
@blueprint.response(200, TimelineAnswerJSON, description="The days, in intervals without a gap.")
@blueprint.problems(400, 413, 415, 422)
def show_timeline() -> Response:
    """Tell over which days a deck is legal.

    The request is that of `/v1/validate`, with a range of days; `on` is the day from which one looks. Each interval
    says why it begins: a change of a list, the rotation, a release, another edition of the rules, each with its
    source. `ahead` has what is announced and not yet in force, `where` the regions and formats that the deck is
    legal in on the day.
    """
    wanted, say = loaded(_SHAPE, json_body()), spoken()
    return answer(outlook(services().judges, wanted).as_json(say), say=say)
