"""Decklists: text made a deck."""

from __future__ import annotations

from typing import Any

from flask import Response

from api import answers
from api import schemas
from api.bodies import Blueprint
from api.bodies import json_or_text
from api.bodies import loaded
from api.court import answer
from api.court import court
from api.payload import decklist
from api.problems import Invalid
from api.problems import Wrong

blueprint = Blueprint("decklists", __name__, url_prefix="/v1/decklists", description="Decks as people write them.")


@blueprint.route("/parse", methods=["POST"])
@blueprint.doc(
    requestBody={
        "required": True,
        "content": {
            "application/json": {"schema": schemas.ParseShape},
            "text/plain": {"schema": {"type": "string"}},
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
    text, game = _asked(json_or_text())
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


def _asked(body: Any) -> tuple[str, str | None]:
    if isinstance(body, str):
        errors: list[Wrong] = []
        text = decklist(body, "", errors)
        if errors:
            raise Invalid(errors)
        return text, None
    asked = loaded(schemas.ParseShape(), body)
    return asked["decklist"], asked.get("game")
