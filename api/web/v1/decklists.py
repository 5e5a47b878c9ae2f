"""Decklists: parse text into decks, and write decks as text."""

from __future__ import annotations

from flask import Response, request

from api.service.answers.decklist_answers import (
    DeckComparisonJSON,
    FormatsJSON,
    ParsedJSON,
    WrittenJSON,
    comparison_json,
    deck_json,
    format_json,
    unread_lines_json,
)
from api.service.shapes import load_with
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.bodies import is_text, json_body, refuse_query, single_fields, text_body
from api.web.components import QueryParameters
from api.web.language_choice import PARAMETER, request_language
from api.web.responses import answer
from api.web.services import services
from validator.decklists import FORMATS

blueprint = Blueprint("decklists", __name__, url_prefix="/v1/decklists", description="Decks as people write them.")

_PARSE, _WRITE, _GAME = schemas.ParseShape(), schemas.WriteShape(), schemas.GameQuery()
_COMPARE = schemas.CompareShape()


@blueprint.route("/parse", methods=["POST"])
@blueprint.doc(
    parameters=[QueryParameters(schemas.GameQuery), PARAMETER],
    requestBody={
        "required": True,
        "content": {
            "application/json": {"schema": schemas.ParseShape},
            "text/plain": {"schema": {"type": "string", "example": schemas.EXAMPLE_TEXT}},
        },
    },
)
@blueprint.response(200, ParsedJSON)
@blueprint.problems(400, 413, 415, 422)
def parse_decklist() -> Response:
    """Parse a decklist.

    Send plain text with `game` in the query, or JSON with `game` in the body. The answer has the recognised format and
    game, the deck, and a finding for each line that could not be read. No line is
    dropped silently. The deck is not judged.
    """
    (text, game), translate = _read_text(), request_language()
    here = services()
    parsed = here.judges.read_deck(text, game)
    catalogue = here.library.catalogue(parsed.game) if parsed.game else None
    shown: ParsedJSON = {
        "format": parsed.format,
        "game": parsed.game,
        "deck": deck_json(parsed.deck),
        "findings": unread_lines_json(parsed.deck, catalogue, translate),
    }
    return answer(shown, translate=translate)


@blueprint.route("/write", methods=["POST"])
@blueprint.doc(
    parameters=[PARAMETER],
    requestBody={"required": True, "content": {"application/json": {"schema": schemas.WriteShape}}},
)
@blueprint.response(200, WrittenJSON)
@blueprint.problems(400, 413, 415, 422)
def write_decklist() -> Response:
    """Write a deck in a format.

    Send a deck, or a text in any format that can be parsed. Each line that could not be read has a finding, and is not
    in the written text. A deck that the format cannot contain is refused.
    """
    here = services()
    asked, translate = load_with(_WRITE, json_body()), request_language()
    if "decklist" in asked:
        parsed = here.judges.read_deck(asked["decklist"], asked.get("game"))
        deck, game = parsed.deck, parsed.game
    else:
        deck = asked["deck"]
        game = asked.get("game") or here.judges.game(deck)
    catalogue = here.library.catalogue(game) if game else None
    text = here.judges.write(deck, asked["format"], game)
    unread = unread_lines_json(deck, catalogue, translate)
    shown: WrittenJSON = {"format": asked["format"], "game": game, "decklist": text, "findings": unread}
    return answer(shown, translate=translate)


@blueprint.route("/compare", methods=["POST"])
@blueprint.doc(parameters=[PARAMETER])
@blueprint.json_body(schemas.CompareShape)
@blueprint.response(200, DeckComparisonJSON)
@blueprint.problems(400, 413, 415, 422)
def compare_decklists() -> Response:
    """Compare two decks.

    The answer has each card whose copies differ, with its copies in both decks. Other printings and spellings of a
    card are the same card. Lines that could not be read have findings. The decks are not judged.
    """
    asked, translate = load_with(_COMPARE, json_body()), request_language()
    here = services()
    before, game = here.judges.deck_and_game(asked["before"], asked.get("game"), "/before")
    after, _ = here.judges.deck_and_game(asked["after"], game, "/after")
    return answer(comparison_json(before, after, here.library.catalogue(game), translate), translate=translate)


@blueprint.route("/formats")
@blueprint.response(200, FormatsJSON)
def list_decklist_formats() -> Response:
    """List the formats of decklists."""
    shown: FormatsJSON = {"formats": [format_json(format) for format in FORMATS.values()]}
    return answer(shown)


def _read_text() -> tuple[str | bytes, str | None]:
    """Return `(text, game)` of the current request: a decklist and its game, None if the request does not name one.

    A plain text is returned as bytes, and has the game in the query. JSON has it in its body. Raises Invalid for wrong
    fields or a query beside JSON, NotJson for wrong JSON, and UnsupportedMediaType for other media types.
    """
    if is_text():
        return text_body(), load_with(_GAME, single_fields(request.args)).get("game")
    refuse_query()
    asked = load_with(_PARSE, json_body())
    return asked["decklist"], asked.get("game")
