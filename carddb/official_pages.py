"""Addresses of cards in the official card lists."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict

from validator.cards import Card
from validator.games import GAMES

_SET = re.compile(r"([A-Z]+)([0-9]{2})?-")


def official_page(card: Card) -> str | None:
    """Return the address of the official page that lists a card. None if the game has no official card list.

    It is the page of the card's set, or the whole card list if the page of the set is not known.
    """
    if not (paths := _paths().get(card.game)):
        return None
    return GAMES[card.game].site + _set_path(card.number, paths)


class _Paths(TypedDict):
    """The table of a game in `data/official_pages.toml`. `list` is the path of the whole card list.

    `sets` has patterns by series ("OP"), in which "{}" becomes the set's digits. `own` has paths by set ("OP01"), which
    come first.
    """

    list: str
    sets: NotRequired[Mapping[str, str]]
    own: NotRequired[Mapping[str, str]]


def _set_path(number: str, paths: _Paths) -> str:
    """Return the path of the page of a card number's set, or that of the whole card list if the set has no page."""
    path = paths["list"]
    if match := _SET.match(number):
        series, digits = match[1], match[2] or ""
        path = paths.get("sets", {}).get(series, path).format(digits) if digits else path
        path = paths.get("own", {}).get(f"{series}{digits}", path)
    return path


@cache
def _paths() -> Mapping[str, _Paths]:
    """Return the tables of `data/official_pages.toml` by game. The file is read once."""
    return tomllib.loads((Path(__file__).parent / "data" / "official_pages.toml").read_text("utf-8"))
