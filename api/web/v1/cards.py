"""Cards: single cards, searches, and many cards at once."""

from __future__ import annotations

from datetime import date

from flask import Response
from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter

from api.service.answers.card_answers import (
    CardJSON,
    CardsJSON,
    CollectionJSON,
    StandingJSON,
    card_json,
    describe_card,
    find_card,
    search,
)
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.components import SharedParameter
from api.web.responses import answer, with_etag
from api.web.services import services
from carddb.catalogue import Catalogue
from validator.cards import Card
from validator.errors import UnknownGame, error_text
from validator.games import GAMES, game_of
from validator.language import phrase

blueprint = Blueprint("cards", __name__, url_prefix="/v1/cards", description="The cards of the catalogues.")

GAME = SharedParameter(
    "Game",
    {
        "in": "path",
        "name": "game",
        "schema": {"type": "string", "enum": list(GAMES), "example": "optcg"},
        "description": "The game.",
    },
)
_CARD = [
    GAME,
    SharedParameter(
        "CardNumber",
        {
            "in": "path",
            "name": "number",
            "schema": {"type": "string", "example": "OP01-016"},
            "description": "Of any printing, in any spelling; or a name that only one card has.",
        },
    ),
]
blueprint.after_request(with_etag)


def check_game(game: str) -> None:
    """Raise NotFound (404) if `game` is not the id of a game."""
    try:
        game_of(game)
    except UnknownGame as error:
        raise NotFound(error_text(error)) from None


class NumberConverter(BaseConverter):
    """The route converter `number`: one part of a path, except `collection`, which is a route of its own."""

    regex = r"(?!collection$)[^/]+"
    part_isolating = True


@blueprint.route("")
@blueprint.arguments(schemas.CardsQuery, location="query")
@blueprint.look_up(CardsJSON)
@blueprint.problems(422)
def search_cards(game: str, page: int, page_size: int, **words: str) -> Response:
    """Search cards.

    Finds the cards with every word of `q` in number or name, exact matches first, a page at a time. All other given
    properties have to match too. Case, accents and signs between letters are ignored. If no card is found,
    `suggestions` are cards with similar names or numbers.
    """
    found = search(services().library, game, words, (page - 1) * page_size, page_size)
    cards = [card_json(card) for card in found.cards]
    shown: CardsJSON = {"cards": cards, "page": page, "page_size": page_size, "total": found.total}
    if not found.total:
        shown["suggestions"] = [{"number": card.number, "name": card.name} for card in found.near]
    return answer(shown)


@blueprint.route(
    "/<game>/<number:number>",
    parameters=_CARD,
)
@blueprint.look_up(CardJSON)
@blueprint.problems(404)
def show_card(game: str, number: str) -> Response:
    """Show a card."""
    return answer(card_json(_find_card(game, number)[0]))


@blueprint.route("/<game>/<number:number>/standing", parameters=_CARD)
@blueprint.arguments(schemas.StandingQuery, location="query")
@blueprint.look_up(StandingJSON)
@blueprint.problems(404, 422)
def show_card_standing(game: str, number: str, on: date | None = None, timezone: str | None = None) -> Response:
    """Show the number of copies of a card that may be played on a day.

    The copies are by region and format, with the rules behind them. The answer also has the history of the card on the
    official lists, its block, and its first day in each region.
    """
    card, catalogue = _find_card(game, number)
    day = services().judges.day(on, timezone=timezone)
    shown = describe_card(card, day.day, catalogue, services().library.lists(game)).as_json()
    if day.timezone:
        shown["timezone"] = day.timezone
    return answer(shown)


def _find_card(game: str, number: str) -> tuple[Card, Catalogue]:
    """Return a card by its number, or by a name that only one card has, and the catalogue of its game.

    Raises NotFound for an unknown game or card. The message suggests cards with a similar number or name.
    """
    check_game(game)
    catalogue = services().library.catalogue(game)
    if card := find_card(catalogue, number):
        return card, catalogue
    near = ", ".join(card.label for card in catalogue.suggest(number))
    if near:
        raise NotFound(
            phrase(
                "No card of {game} has the number “{number}”. Did you mean {cards}?",
                game=game,
                number=number[:100],
                cards=near,
            )
        )
    raise NotFound(phrase("No card of {game} has the number “{number}”.", game=game, number=number[:100]))


@blueprint.route("/<game>/collection", methods=["POST"], parameters=[GAME])
@blueprint.arguments(schemas.CollectionQuery)
@blueprint.response(200, CollectionJSON)
@blueprint.problems(400, 404, 413, 415, 422)
def show_cards(game: str, numbers: list[str]) -> Response:
    """Show many cards at once, by their numbers.

    Each card is in the answer once, in the order of the numbers. `not_found` has the numbers that no card has.
    """
    check_game(game)
    catalogue = services().library.catalogue(game)
    by_number = {number: catalogue.by_number(number) for number in numbers}
    cards = dict.fromkeys(card for card in by_number.values() if card is not None)
    missing = [number for number, card in by_number.items() if card is None]
    shown: CollectionJSON = {"cards": [card_json(card) for card in cards], "not_found": missing}
    return answer(shown)
