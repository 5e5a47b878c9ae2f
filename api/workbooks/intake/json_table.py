"""JSON tables: players with their decks as tournament programs export them, made rows under headings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from api.service.errors import Refused
from validator.decklists import parse
from validator.decklists.formats.jsoncards import is_answer
from validator.decklists.formats.jsondecks import JsonDeck, find_decks
from validator.language import phrase

_HOLDERS = ("players", "standings", "entries", "decks", "results", "data")  # keys of an object that has the players
_DECKS = ("decklist", "deck", "list")
_TITLES = ("Player", "Decklist")


def rows(text: str, name: str) -> list[Sequence[str]] | None:
    """Return the players of a JSON text as rows below a row of headings. None if it is no JSON of decks.

    A deck stays JSON. A single deck, or the verdict on one, is the deck of a player with the name of the file.
    """
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    data = _parse_records(text, name)
    if is_answer(data):
        return [_TITLES, [_stem(name), _deck(data)]]
    if data is not None and not _have_decks(_players(data)):
        if decks := find_decks(data):
            return [_TITLES, *_named_rows(decks, _stem(name))]
        return [_TITLES, [_stem(name), text]] if _is_deck(text) else None
    flat = [dict(_fields(player)) for player in _players(data)]
    titles = list(dict.fromkeys(title for fields in flat for title in fields))
    return [titles, *([fields.get(title, "") for title in titles] for fields in flat)] if flat else None


def _named_rows(decks: Sequence[JsonDeck], file: str) -> Iterator[Sequence[str]]:
    """Yield a row for each deck of a JSON with its name. A deck without a name has the name of the file."""
    for place, (name, deck) in enumerate(decks, 1):
        yield name or f"{file} {place}", deck if isinstance(deck, str) else json.dumps(deck, ensure_ascii=False)


def _have_decks(players: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if a record has a deck under a known key."""
    return any(isinstance(one.get(key), dict | list | str) for one in players for key in _DECKS)


def _is_deck(text: str) -> bool:
    """Return True if a text can be parsed as a deck with cards."""
    try:
        return any(parse(text).deck.lines())
    except ValueError:
        return False


def _stem(name: str) -> str:
    """Return the name of a file without its folders and its ending."""
    return PurePath(name).stem or name


def _deck(answer: Mapping[str, Any]) -> str:
    """Return the deck of a verdict with its unread lines as JSON, so that it fits into a cell."""
    unread = [one for one in answer["findings"] if isinstance(one, dict) and one.get("code") == "line.unread"]
    try:
        return json.dumps({"deck": answer["deck"], "findings": unread}, ensure_ascii=False)
    except RecursionError:
        return ""


def _parse_records(text: str, name: str) -> Any:
    """Return the data of a JSON text, or of one object in each line. None if it is neither."""
    try:
        return json.loads(text)
    except RecursionError:
        raise Refused(phrase("{file} is JSON that is nested too deeply.", file=name)) from None
    except ValueError:
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return None


def _players(data: Any) -> Sequence[Mapping[str, Any]]:
    """Return the records of players in parsed JSON: a list of objects, directly or under a known key. Else empty."""
    if isinstance(data, dict):
        data = next((data[key] for key in _HOLDERS if isinstance(data.get(key), list)), [])
    return data if isinstance(data, list) and all(isinstance(one, dict) for one in data) else []


def _fields(player: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the fields of a player. Of a nested record only its own fields are included, of a deck all."""
    if is_answer(player):
        yield from zip(_TITLES, (_stem(str(player.get("file", ""))), _deck(player)), strict=True)
        return
    for key, value in player.items():
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, dict) and key not in _DECKS:
            yield from ((f"{key} {inner}", str(said)) for inner, said in value.items() if isinstance(said, str | int))
        elif value is not None:
            yield key, json.dumps(value, ensure_ascii=False)
