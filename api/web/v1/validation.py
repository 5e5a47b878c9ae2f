"""Validation: is this deck legal?"""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from api.service.answers.verdict_answers import TeamVerdictJSON, VerdictJSON, verdict_bytes
from api.service.decoder import validation
from api.service.ndjson import Batch, Read
from api.service.requests import TeamRequest, Validation
from api.service.shapes import TeamShape, ValidateShape, asked, loaded, parsed
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.bodies import NDJSON, check_ndjson, is_text, json_text, no_query, once, text_body
from api.web.components import QueryParameters
from api.web.language_choice import HEADERS, PARAMETER
from api.web.services import Services, answer, ready, services, spoken
from validator.language import Language

blueprint = Blueprint("validation", __name__, url_prefix="/v1/validate", description="Is this deck legal?")

_LIST = schemas.ListQuery()
_TEAM = TeamShape()
_LINES = {
    "type": "string",
    "description": "A line for each line of the request: a verdict, or {“line”: n, “error”: a problem}.",
}


@blueprint.route("", methods=["POST"])
@blueprint.doc(
    parameters=[QueryParameters(schemas.ListQuery), PARAMETER],
    requestBody={
        "required": True,
        "content": {
            "application/json": {"schema": ValidateShape},
            "text/plain": {"schema": {"type": "string", "example": schemas.EXAMPLE_DECKLIST}},
        },
    },
)
@blueprint.response(200, VerdictJSON, description="The verdict, for a legal and an illegal deck alike.")
@blueprint.problems(400, 413, 415, 422)
def validate_deck() -> Response:
    """Judge a deck.

    Give the `deck`, or a `decklist` as text; or send the text alone, as `text/plain`, with the terms in the query.
    Name a `ruleset`, or a `game` whose ruleset of the day is meant, where the cards do not tell it. Every finding
    cites its rule and says what to do.
    """
    wanted, say = _wanted(), spoken()
    here = services()
    verdict = here.judges.verdict(wanted)
    here.metrics.judged(verdict)
    return ready(verdict_bytes(verdict, wanted.explain, say, wanted.summary), say=say)


def _wanted() -> Validation:
    """Return the request: JSON, or a plain text with its terms in the query."""
    if not is_text():
        no_query()
        return validation(json_text())
    terms = loaded(_LIST, once(request.args))
    return Validation(asked(terms), None, text_body(), terms["explain"], terms["summary"])


@blueprint.route("/team", methods=["POST"])
@blueprint.doc(
    parameters=[PARAMETER], requestBody={"required": True, "content": {"application/json": {"schema": TeamShape}}}
)
@blueprint.response(200, TeamVerdictJSON, description="The verdicts, and what the decks share.")
@blueprint.problems(400, 413, 415, 422)
def validate_team() -> Response:
    """Judge the decks of a team.

    Each deck is judged by itself. `team` says what the decks may not share: `team.shared_card`, `team.shared_leader`
    and `team.shared_color` name the decks that do. Legal is a team whose decks are all legal and share none of it.
    """
    no_query()
    wanted: TeamRequest = loaded(_TEAM, parsed(json_text()))
    here, say = services(), spoken()
    verdict = here.judges.team(wanted)
    for one in verdict.decks:
        here.metrics.judged(one.verdict)
    return answer(verdict.as_dict(wanted.explain, say), say=say)


@blueprint.route("/batch", methods=["POST"])
@blueprint.doc(
    parameters=[PARAMETER],
    requestBody={
        "required": True,
        "description": "NDJSON: a validate request a line; blank lines are passed over.",
        "content": {NDJSON: {"schema": {"type": "string", "example": schemas.EXAMPLE_LINES}}},
    },
)
@blueprint.response(200, _LINES, content_type=NDJSON, description="NDJSON, streamed, in the order of the request.")
@blueprint.problems(413, 415, 422)
def validate_batch() -> Response:
    """Judge many decks.

    Each line is judged by itself: a bad one gets `{"line": n, "error": …}`, numbered from 1 with the blank lines
    counted, and the rest go on. Answers come while the request is still being sent.
    """
    check_ndjson()
    here, say = services(), spoken()
    request.max_content_length = most = here.settings.max_batch
    if (request.content_length or 0) > most:
        raise RequestEntityTooLarge(f"A batch may have {most:,} bytes.")
    return Response(_streamed(here, request.stream.read, say), 200, HEADERS[say.code], mimetype=NDJSON)


def _streamed(here: Services, read: Read, say: Language) -> Iterator[bytes]:
    for block in Batch(here.judges, say=say, remembered=here.remembered).answers(read):
        here.metrics.answered_block(block)
        yield block.lines
