"""JSON tables: players with their decks as tournament programs export them, made rows under headings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from api.service.errors import Refused

_HOLDERS = ("players", "standings", "entries", "decks", "results", "data")  # keys of an object that has the players
_DECKS = ("decklist", "deck", "list")


def rows(text: str, name: str) -> list[Sequence[str]] | None:
    """Return the players of a JSON text as rows, the first of headings; None where it is no JSON of players.

    A list, or a deck alone, is left to who reads lists. A deck stays the JSON that it is.
    """
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    players = _players(_read(text, name))
    if not players or not any(isinstance(one.get(key), dict | list | str) for one in players for key in _DECKS):
        return None
    flat = [dict(_fields(player)) for player in players]
    titles = list(dict.fromkeys(title for fields in flat for title in fields))
    return [titles, *([fields.get(title, "") for title in titles] for fields in flat)]


def _read(text: str, name: str) -> Any:
    """Return what a JSON text, or one object a line, holds; None where it is neither."""
    try:
        return json.loads(text)
    except RecursionError:
        raise Refused(f"{name} is JSON that is nested too deeply.") from None
    except ValueError:
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return None


def _players(data: Any) -> Sequence[Mapping[str, Any]]:
    if isinstance(data, dict):
        data = next((data[key] for key in _HOLDERS if isinstance(data.get(key), list)), [])
    return data if isinstance(data, list) and all(isinstance(one, dict) for one in data) else []


def _fields(player: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is said of a player; of a record within only its own fields, a deck whole."""
    for key, value in player.items():
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, dict) and key not in _DECKS:
            yield from ((f"{key} {inner}", str(said)) for inner, said in value.items() if isinstance(said, str | int))
        elif value is not None:
            yield key, json.dumps(_numbered(value), ensure_ascii=False)


def _numbered(value: Any) -> Any:
    """Return a deck in which a card that has its set and its number apart has them together."""
    if isinstance(value, list):
        return list(map(_numbered, value))
    if not isinstance(value, dict):
        return value
    set, number = value.get("set"), value.get("number")
    if isinstance(set, str) and isinstance(number, str) and set and "-" not in number:
        return value | {"number": f"{set}-{number}"}
    return {key: _numbered(inner) for key, inner in value.items()}
