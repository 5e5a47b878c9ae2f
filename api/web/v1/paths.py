"""Parts of paths that several nouns share."""

from __future__ import annotations

from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter

from api.web.components import SharedParameter
from validator.errors import UnknownGame
from validator.games import GAMES, game_of

GAME = SharedParameter(
    "Game",
    {
        "in": "path",
        "name": "game",
        "schema": {"type": "string", "enum": list(GAMES), "example": "optcg"},
        "description": "The game.",
    },
)


def known_game(game: str) -> None:
    """Refuse a game that there is not."""
    try:
        game_of(game)
    except UnknownGame as error:
        raise NotFound(str(error)) from None


class NumberConverter(BaseConverter):
    """The part of a path that is a card's number, which `collection` is not: that is a path of its own."""

    regex = r"(?!collection$)[^/]+"
    part_isolating = True
