"""Decks: is this deck legal, how does it become legal, when is it legal, and what does it draw?"""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from flask import Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from api.service import decoder
from api.service.answers.odds_answers import OddsAnswerJSON
from api.service.answers.odds_answers import odds as odds_of
from api.service.answers.repair_answers import RepairedJSON
from api.service.answers.timeline_answers import TimelineAnswerJSON, outlook
from api.service.answers.verdict_answers import TeamVerdictJSON, VerdictJSON, verdict_bytes
from api.service.ndjson import Batch, Read
from api.service.requests import TeamRequest, Validation
from api.service.shapes import (
    OddsShape,
    RepairShape,
    SwapShape,
    TeamShape,
    TimelineShape,
    ValidateShape,
    load_terms,
    loaded,
    parsed,
)
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.bodies import NDJSON, check_ndjson, is_text, json_body, json_text, refuse_query, single_fields, text_body
from api.web.components import QueryParameters
from api.web.language_choice import HEADERS, PARAMETER
from api.web.services import Services, answer, json_response, request_language, services
from validator.language import Language

validation = Blueprint("validation", __name__, url_prefix="/v1/validate", description="Is this deck legal?")

_LIST, _TEAM, _TIMELINE, _ODDS = schemas.ListQuery(), TeamShape(), TimelineShape(), OddsShape()
_LINES = {
    "type": "string",
    "description": "A line for each line of the request: a verdict, or {“line”: n, “error”: a problem}.",
}


@validation.route("", methods=["POST"])
@validation.doc(
    parameters=[QueryParameters(schemas.ListQuery), PARAMETER],
    requestBody={
        "required": True,
        "content": {
            "application/json": {"schema": ValidateShape},
            "text/plain": {"schema": {"type": "string", "example": schemas.EXAMPLE_DECKLIST}},
        },
    },
)
@validation.response(200, VerdictJSON, description="The verdict, for a legal and an illegal deck alike.")
@validation.problems(400, 413, 415, 422)
def validate_deck() -> Response:
    """Judge a deck.

    Give the `deck`, or a `decklist` as text; or send the text alone, as `text/plain`, with the terms in the query.
    Name a `ruleset`, or a `game` whose ruleset of the day is meant, where the cards do not tell it. Every finding
    cites its rule and says what to do.
    """
    wanted, say = _read_validation(), request_language()
    here = services()
    verdict = here.judges.verdict(wanted)
    here.metrics.count_verdict(verdict)
    return json_response(verdict_bytes(verdict, wanted.explain, say, wanted.summary), say=say)


def _read_validation() -> Validation:
    """Return the request: JSON, or plain text with its terms in the query."""
    if not is_text():
        refuse_query()
        return decoder.validation(json_text())
    terms = loaded(_LIST, single_fields(request.args))
    return Validation(load_terms(terms), None, text_body(), terms["explain"], terms["summary"])


@validation.route("/team", methods=["POST"])
@validation.doc(parameters=[PARAMETER])
@validation.json_body(TeamShape)
@validation.response(200, TeamVerdictJSON, description="The verdicts, and what the decks share.")
@validation.problems(400, 413, 415, 422)
def validate_team() -> Response:
    """Judge the decks of a team.

    Each deck is judged by itself. `team` says what the decks may not share: `team.shared_card`, `team.shared_leader`
    and `team.shared_color` name the decks that do. Legal is a team whose decks are all legal and share none of it.
    """
    refuse_query()
    wanted: TeamRequest = loaded(_TEAM, parsed(json_text()))
    here, say = services(), request_language()
    verdict = here.judges.team(wanted)
    for deck in verdict.decks:
        here.metrics.count_verdict(deck.verdict)
    return answer(verdict.as_dict(wanted.explain, say), say=say)


@validation.route("/batch", methods=["POST"])
@validation.doc(
    parameters=[PARAMETER],
    requestBody={
        "required": True,
        "description": "NDJSON: a validate request a line; blank lines are passed over.",
        "content": {NDJSON: {"schema": {"type": "string", "example": schemas.EXAMPLE_LINES}}},
    },
)
@validation.response(200, _LINES, content_type=NDJSON, description="NDJSON, streamed, in the order of the request.")
@validation.problems(413, 415, 422)
def validate_batch() -> Response:
    """Judge many decks.

    Each line is judged by itself: a bad one gets `{"line": n, "error": …}`, numbered from 1 with the blank lines
    counted, and the rest go on. Answers come while the request is still being sent.
    """
    check_ndjson()
    here, say = services(), request_language()
    request.max_content_length = most = here.settings.max_batch
    if (request.content_length or 0) > most:
        raise RequestEntityTooLarge(f"A batch may have {most:,} bytes.")
    return Response(_judge_lines(here, request.stream.read, say), 200, HEADERS[say.code], mimetype=NDJSON)


def _judge_lines(here: Services, read: Read, say: Language) -> Iterator[bytes]:
    """Yield the answers to the lines of a batch, and count its verdicts."""
    for block in Batch(here.judges, say=say, remembered=here.remembered).answers(read):
        here.metrics.count_block(block)
        yield block.lines


repairs = Blueprint("repairs", __name__, url_prefix="/v1/repair", description="The fewest changes that a deck needs.")


@repairs.route("", methods=["POST"])
@repairs.doc(parameters=[PARAMETER])
@repairs.json_body(RepairShape)
@repairs.response(200, RepairedJSON, description="The fewest changes; none for a legal deck.")
@repairs.problems(400, 413, 415, 422)
def repair_deck() -> Response:
    """Mend a deck.

    Says which cards to take out, to move and to put in so that the deck is legal: every deck in the answer was judged
    so, with cards of the catalogue in the places that any card which fits may fill. `minimal` says whether it is proved
    that there are no fewer changes. The deck's Leader stays unless it cannot; other Leaders, under which half the
    changes do, are a second kind of answer. `pinned` cards stay as they are.
    """
    here = services()
    answer = here.judges.repair(decoder.repair(json_text()))
    here.metrics.count_verdict(answer.verdict)
    say = request_language()
    return json_response(orjson.dumps(answer.as_dict(say)), say=say)


swaps = Blueprint("swaps", __name__, url_prefix="/v1/swaps", description="Swapping between games.")


@swaps.route("/validate", methods=["POST"])
@swaps.doc(parameters=[PARAMETER])
@swaps.json_body(SwapShape)
@swaps.response(200, VerdictJSON, description="The verdict on the deck after swapping.")
@swaps.problems(400, 413, 415, 422)
def validate_swap() -> Response:
    """Judge a swap.

    The deck `after` is judged like any deck; `swap.cards_changed` and `swap.side_size` say what the swap itself did
    wrong: between games cards only change places, and the side deck keeps its size.
    """
    wanted, say = decoder.swap(json_text()), request_language()
    here = services()
    verdict = here.judges.swap(wanted)
    here.metrics.count_verdict(verdict)
    return json_response(verdict_bytes(verdict, wanted.explain, say, wanted.summary), say=say)


timelines = Blueprint("timelines", __name__, url_prefix="/v1/timeline", description="When is this deck legal?")


@timelines.route("", methods=["POST"])
@timelines.doc(parameters=[PARAMETER])
@timelines.json_body(TimelineShape)
@timelines.response(200, TimelineAnswerJSON, description="The days, in intervals without a gap.")
@timelines.problems(400, 413, 415, 422)
def show_timeline() -> Response:
    """Tell over which days a deck is legal.

    The request is that of `/v1/validate`, with a range of days; `on` is the day from which one looks. Each interval
    says why it begins: a change of a list, the rotation, a release, another edition of the rules, each with its
    source. `ahead` has what is announced and not yet in force, `where` the regions and formats that the deck is
    legal in on the day.
    """
    wanted, say = loaded(_TIMELINE, json_body()), request_language()
    return answer(outlook(services().judges, wanted).as_json(say), say=say)


odds = Blueprint("odds", __name__, url_prefix="/v1/odds", description="What does this deck draw?")


@odds.route("", methods=["POST"])
@odds.doc(parameters=[PARAMETER])
@odds.json_body(OddsShape)
@odds.response(200, OddsAnswerJSON, description="Exact chances, each with a decimal beside it.")
@odds.problems(400, 413, 415, 422)
def compute_odds() -> Response:
    """Tell what a deck draws, exactly.

    Of each card: the first hand, redrawn as the game's own rules allow, what is seen by a turn, the Life cards; and
    the curve. `wishes` asks for cards that are to be seen together, `look` and `targets` for a search. Nothing is
    simulated; `leaves_out` says what is not modelled, `rules` which statements of the manual all rests on.
    """
    wanted, say = loaded(_ODDS, json_body()), request_language()
    return answer(odds_of(services().judges, wanted, say), say=say)
