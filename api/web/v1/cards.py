"""Cards: looking up, searching, and many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response
from werkzeug.exceptions import NotFound

from api.service import serializers
from api.web import schemas
from api.web.bodies import Blueprint
from api.web.services import answer, services
from api.web.v1.paths import GAME, known_game
from validator.cards import Card

blueprint = Blueprint("cards", __name__, url_prefix="/v1/cards", description="The cards of the catalogues.")


@blueprint.route("")
@blueprint.arguments(schemas.CardsQuery, location="query")
@blueprint.response(200, schemas.CardsShape)
@blueprint.problems(422)
def search_cards(query: dict[str, Any]) -> Response:
    """Search cards.

    Cards that have every word of `q` in number or name, the exact ones first, a page at a time. Neither case nor
    accents nor signs between letters count.
    """
    page, size = query.pop("page"), query.pop("page_size")
    matches = services().library.catalogue(query.pop("game")).search(**query, offset=(page - 1) * size, limit=size)
    cards = [serializers.card(one) for one in matches.cards]
    return answer({"cards": cards, "page": page, "page_size": size, "total": matches.total})


@blueprint.route(
    "/<game>/<number:number>",
    parameters=[
        GAME,
        {
            "in": "path",
            "name": "number",
            "schema": {"type": "string", "example": "OP01-016"},
            "description": "Of any printing, in any spelling; or a name that only one card has.",
        },
    ],
)
@blueprint.response(200, schemas.CardShape)
@blueprint.problems(404)
def show_card(game: str, number: str) -> Response:
    """Show a card."""
    known_game(game)
    catalogue = services().library.catalogue(game)
    card = catalogue.by_number(number) or _only(catalogue.by_name(number))
    if card is None:
        near = ", ".join(one.label for one in catalogue.suggest(number))
        hint = f" Did you mean {near}?" if near else ""
        raise NotFound(f"No card of {game} has the number {number[:100]!r}.{hint}")
    return answer(serializers.card(card))


def _only(cards: Sequence[Card]) -> Card | None:
    return cards[0] if len(cards) == 1 else None


@blueprint.route("/<game>/collection", methods=["POST"], parameters=[GAME])
@blueprint.arguments(schemas.CollectionQuery)
@blueprint.response(200, schemas.CollectionShape)
@blueprint.problems(400, 404, 413, 415, 422)
def show_collection(asked: dict[str, Any], game: str) -> Response:
    """Show many cards at once, by number."""
    known_game(game)
    catalogue = services().library.catalogue(game)
    by_number = {number: catalogue.by_number(number) for number in asked["numbers"]}
    cards = dict.fromkeys(one for one in by_number.values() if one is not None)
    missing = [number for number, one in by_number.items() if one is None]
    return answer({"cards": [serializers.card(one) for one in cards], "not_found": missing})
