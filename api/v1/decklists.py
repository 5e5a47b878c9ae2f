"""Decklists: text made a deck."""

from __future__ import annotations

from flask import Response

from api import answers
from api import schemas
from api.bodies import Blueprint
from api.bodies import is_text
from api.bodies import json_body
from api.bodies import loaded
from api.bodies import text_body
from api.court import answer
from api.court import court
from validator.decklists import FORMATS

blueprint = Blueprint("decklists", __name__, url_prefix="/v1/decklists", description="Decks as people write them.")


@blueprint.route("/parse", methods=["POST"])
@blueprint.doc(
    requestBody={
        "required": True,
        "content": {
            "application/json": {"schema": schemas.ParseShape},
            "text/plain": {"schema": {"type": "string", "example": schemas.EXAMPLE_TEXT}},
        },
    }
)
@blueprint.response(200, schemas.ParsedShape)
@blueprint.problems(400, 413, 415, 422)
def parse() -> Response:
    """Read a decklist.

    Says the format it recognised, the deck it understood, and a finding for each line that it could not read;
    nothing is dropped silently, and nothing is judged.
    """
    text, game = _asked()
    here = court()
    found = here.bench.read(text, game)
    catalogue = here.library.catalogue(found.game) if found.game else None
    return answer(
        {
            "format": found.format,
            "game": found.game,
            "deck": answers.deck(found.deck),
            "findings": list(answers.unread(found.deck, catalogue)),
        }
    )


@blueprint.route("/write", methods=["POST"])
@blueprint.doc(requestBody={"required": True, "content": {"application/json": {"schema": schemas.WriteShape}}})
@blueprint.response(200, schemas.WrittenShape)
@blueprint.problems(400, 413, 415, 422)
def write() -> Response:
    """Write a deck in a format.

    Takes a deck, or a text in any format that is read. What could not be read of it has a finding and is not in what
    is written; a deck that the format cannot carry is refused.
    """
    here = court()
    asked = loaded(schemas.WriteShape(), json_body())
    if "decklist" in asked:
        found = here.bench.read(asked["decklist"], asked.get("game"))
        deck, game = found.deck, found.game
    else:
        deck = asked["deck"]
        game = asked.get("game") or here.bench.game(deck)
    catalogue = here.library.catalogue(game) if game else None
    text = here.bench.write(deck, asked["format"], game)
    unread = list(answers.unread(deck, catalogue))
    return answer({"format": asked["format"], "game": game, "decklist": text, "findings": unread})


@blueprint.route("/formats")
@blueprint.response(200, schemas.FormatsShape)
def list_formats() -> Response:
    """List the formats of decklists."""
    return answer({"formats": [answers.list_format(one) for one in FORMATS.values()]})


def _asked() -> tuple[str | bytes, str | None]:
    """Return the text of a decklist, and its game where that is said."""
    if is_text():
        return text_body(), None
    asked = loaded(schemas.ParseShape(), json_body())
    return asked["decklist"], asked.get("game")
