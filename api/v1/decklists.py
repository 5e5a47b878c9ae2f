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


def _asked() -> tuple[str | bytes, str | None]:
    """Return the text of a decklist, and its game where that is said."""
    if is_text():
        return text_body(), None
    asked = loaded(schemas.ParseShape(), json_body())
    return asked["decklist"], asked.get("game")
