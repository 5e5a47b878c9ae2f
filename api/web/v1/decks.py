"""Decks: verdicts, repairs, swaps, timelines and odds."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from flask import Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from api.service import decoder
from api.service.answers.odds_answers import OddsAnswerJSON
from api.service.answers.odds_answers import odds as odds_of
from api.service.answers.timeline_answers import TimelineAnswerJSON, outlook
from api.service.answers.verdict_answers import verdict_bytes
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
    load_with,
    parse_json,
)
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.bodies import NDJSON, check_ndjson, is_text, json_body, json_text, refuse_query, single_fields, text_body
from api.web.components import QueryParameters
from api.web.language_choice import HEADERS, PARAMETER, request_language
from api.web.responses import answer, json_response
from api.web.services import Services, services
from validator.judge import VerdictJSON
from validator.language import Language, phrase
from validator.repair.answer import RepairedJSON
from validator.team import TeamVerdictJSON

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

    Send a `deck` or a `decklist` in JSON, or only the text as `text/plain` with the terms in the query. If the cards do
    not identify the game, name a `ruleset` or a `game`. A `game` is judged by its ruleset of the day. Each finding
    cites its rule and has a fix.
    """
    wanted, translate = _read_validation(), request_language()
    here = services()
    verdict = here.judges.verdict(wanted)
    here.metrics.count_verdict(verdict)
    return json_response(verdict_bytes(verdict, wanted.explain, translate, wanted.summary), translate=translate)


def _read_validation() -> Validation:
    """Return the validate request of the current request: JSON, or a plain text with its terms in the query.

    Raises Invalid for wrong values or a query beside JSON, NotJson, or UnsupportedMediaType.
    """
    if not is_text():
        refuse_query()
        return decoder.parse_validation(json_text())
    terms = load_with(_LIST, single_fields(request.args))
    return Validation(load_terms(terms), None, text_body(), terms["explain"], terms["summary"])


@validation.route("/team", methods=["POST"])
@validation.doc(parameters=[PARAMETER])
@validation.json_body(TeamShape)
@validation.response(200, TeamVerdictJSON, description="The verdicts, and what the decks share.")
@validation.problems(400, 413, 415, 422)
def validate_team() -> Response:
    """Judge the decks of a team.

    Each deck is judged separately. `team` has the rule about shared cards. The findings `team.shared_card`,
    `team.shared_leader` and `team.shared_color` name the decks that break it. A team is legal if all its decks are
    legal and none of them breaks the rule.
    """
    refuse_query()
    wanted: TeamRequest = load_with(_TEAM, parse_json(json_text()))
    here, translate = services(), request_language()
    verdict = here.judges.team(wanted)
    for deck in verdict.decks:
        here.metrics.count_verdict(deck.verdict)
    return answer(verdict.as_dict(wanted.explain, translate), translate=translate)


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

    Each line is judged separately. A wrong line gets `{"line": n, "error": …}`, and the others are still judged. Lines
    are numbered from 1, and blank lines count. Answers are sent while the request is still being received.
    """
    check_ndjson()
    here, translate = services(), request_language()
    request.max_content_length = most = here.settings.max_batch
    if (request.content_length or 0) > most:
        raise RequestEntityTooLarge(phrase("A batch may have at most {most:,} bytes.", most=most))
    return Response(_judge_lines(here, request.stream.read, translate), 200, HEADERS[translate.code], mimetype=NDJSON)


def _judge_lines(services: Services, read_bytes: Read, translate: Language) -> Iterator[bytes]:
    """Yield blocks of answer lines to a batch of NDJSON lines, and count the verdicts in the metrics.

    `read_bytes(size)` returns the next bytes of the body, b"" at its end.
    """
    for block in Batch(services.judges, translate=translate, remembered=services.remembered).answers(read_bytes):
        services.metrics.count_block(block)
        yield block.lines


repairs = Blueprint("repairs", __name__, url_prefix="/v1/repair", description="The fewest changes that a deck needs.")


@repairs.route("", methods=["POST"])
@repairs.doc(parameters=[PARAMETER])
@repairs.json_body(RepairShape)
@repairs.response(200, RepairedJSON, description="The fewest changes; none for a legal deck.")
@repairs.problems(400, 413, 415, 422)
def repair_deck() -> Response:
    """Repair a deck.

    The answer has the cards to remove, to move and to add for a legal deck. Each deck in the answer was judged legal.
    It has example cards from the catalogue in places that any fitting card may fill. `minimal` is true if it is proved
    that no repair has fewer changes. The Leader of the deck stays if that is possible. `leaders` has other Leaders that
    need at most half the changes. `pinned` cards are not changed.
    """
    here = services()
    answer = here.judges.repair(decoder.parse_repair(json_text()))
    here.metrics.count_verdict(answer.verdict)
    translate = request_language()
    return json_response(orjson.dumps(answer.as_dict(translate)), translate=translate)


swaps = Blueprint("swaps", __name__, url_prefix="/v1/swaps", description="Swapping between games.")


@swaps.route("/validate", methods=["POST"])
@swaps.doc(parameters=[PARAMETER])
@swaps.json_body(SwapShape)
@swaps.response(200, VerdictJSON, description="The verdict on the deck after swapping.")
@swaps.problems(400, 413, 415, 422)
def validate_swap() -> Response:
    """Judge a swap.

    The deck `after` is judged like any deck. The findings `swap.cards_changed` and `swap.side_size` are about the swap.
    In a swap cards only change places, and the side deck keeps its size.
    """
    wanted, translate = decoder.parse_swap(json_text()), request_language()
    here = services()
    verdict = here.judges.swap(wanted)
    here.metrics.count_verdict(verdict)
    return json_response(verdict_bytes(verdict, wanted.explain, translate, wanted.summary), translate=translate)


timelines = Blueprint("timelines", __name__, url_prefix="/v1/timeline", description="When is this deck legal?")


@timelines.route("", methods=["POST"])
@timelines.doc(parameters=[PARAMETER])
@timelines.json_body(TimelineShape)
@timelines.response(200, TimelineAnswerJSON, description="The days, in intervals without a gap.")
@timelines.problems(400, 413, 415, 422)
def show_timeline() -> Response:
    """Show the days on which a deck is legal.

    The request is that of `/v1/validate`, with a range of days. The timeline looks ahead from the day `on`. Each
    interval has the reason of its beginning: a change of a list, the rotation, a release, or another edition of the
    rules, each with its source. `ahead` has the announced changes that are not in force yet. `where` has the regions
    and formats in which the deck is legal on the day.
    """
    wanted, translate = load_with(_TIMELINE, json_body()), request_language()
    return answer(outlook(services().judges, wanted).as_json(translate), translate=translate)


odds = Blueprint("odds", __name__, url_prefix="/v1/odds", description="What does this deck draw?")


@odds.route("", methods=["POST"])
@odds.doc(parameters=[PARAMETER])
@odds.json_body(OddsShape)
@odds.response(200, OddsAnswerJSON, description="Exact chances, each with a decimal beside it.")
@odds.problems(400, 413, 415, 422)
def compute_odds() -> Response:
    """Compute the odds of drawing the cards of a deck, exactly.

    For each card: the odds of the first hand with the redraw of the game, of seeing it by a turn, and of Life cards.
    The answer also has the curve. `wishes` are cards to be seen together, `look` and `targets` are a search. Nothing is
    simulated. `leaves_out` lists the simplifications of the model. `rules` lists the rules of the manual behind the
    odds.
    """
    wanted, translate = load_with(_ODDS, json_body()), request_language()
    return answer(odds_of(services().judges, wanted, translate), translate=translate)
