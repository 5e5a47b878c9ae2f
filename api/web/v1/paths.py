"""Parts of paths that several nouns share."""

from __future__ import annotations

from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter

from carddb.sources.vocabulary import GAMES

GAME = {"in": "path", "name": "game", "schema": {"type": "string", "enum": list(GAMES)}, "description": "The game."}


def known_game(game: str) -> None:
    """Refuse a game that there is not."""
    if game not in GAMES:
        raise NotFound(f"There is no game {game[:100]!r}; there are {', '.join(GAMES)}.")


class NumberConverter(BaseConverter):
    """The part of a path that is a card's number, which `collection` is not: that is a path of its own."""

    regex = r"(?!collection$)[^/]+"
    part_isolating = True
