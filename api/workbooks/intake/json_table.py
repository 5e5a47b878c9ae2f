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
from validator.decklists.source import unique_mapping
from validator.errors import RepeatedKey, error_text
from validator.language import phrase

_HOLDERS = ("players", "standings", "entries", "decks", "results", "data")  # keys of an object that has the players
_DECKS = ("decklist", "deck", "list")
_TITLES = ("Player", "Decklist")


def rows(text: str, name: str) -> list[Sequence[str]] | None:
    """Return the players of a JSON text as table rows, the first with the headings. None if it is no JSON with decks.

    `name` is the file name. A text may also have one JSON value on each line (NDJSON). Decks stay JSON in their cells.
    A single deck, or a verdict of deckproof on one, is a row whose player is the file name without its ending. Raises
    Refused if the JSON is nested too deeply or repeats a key.
    """
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    data = _parse_records(text, name)
    if is_answer(data):
        return [_TITLES, [_stem(name), _deck_json(data)]]
    if data is not None and not _have_decks(_player_records(data)):
        if decks := find_decks(data):
            return [_TITLES, *_named_rows(decks, _stem(name))]
        return [_TITLES, [_stem(name), text]] if _is_deck(text) else None
    flat = [dict(_flatten_player(player)) for player in _player_records(data)]
    titles = list(dict.fromkeys(title for fields in flat for title in fields))
    return [titles, *([fields.get(title, "") for title in titles] for fields in flat)] if flat else None


def _named_rows(decks: Sequence[JsonDeck], file: str) -> Iterator[Sequence[str]]:
    """Yield `(name, deck as JSON or text)` for each deck.

    A deck without a name is called "`file` 1", "`file` 2" by place.
    """
    for place, (name, deck) in enumerate(decks, 1):
        yield name or f"{file} {place}", deck if isinstance(deck, str) else json.dumps(deck, ensure_ascii=False)


def _have_decks(players: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if any record has an object, a list or a text under "decklist", "deck" or "list"."""
    return any(isinstance(one.get(key), dict | list | str) for one in players for key in _DECKS)


def _is_deck(text: str) -> bool:
    """Return True if a text can be parsed as a deck list with at least one card, known or not."""
    try:
        return any(parse(text).deck.lines())
    except ValueError:
        return False


def _stem(name: str) -> str:
    """Return the name of a file without its folders and its ending. If nothing is left, return the whole name."""
    return PurePath(name).stem or name


def _deck_json(answer: Mapping[str, Any]) -> str:
    """Return the JSON object with `deck` and `findings` of a verdict, for a cell. "" if it is nested too deeply.

    The findings are only those about unreadable lines.
    """
    unread = [one for one in answer["findings"] if isinstance(one, dict) and one.get("code") == "line.unread"]
    try:
        return json.dumps({"deck": answer["deck"], "findings": unread}, ensure_ascii=False)
    except RecursionError:
        return ""


def _parse_records(text: str, name: str) -> Any:
    """Return the parsed JSON of a text. If it is NDJSON, return the list of the lines' values. None if it is neither.

    Raises Refused if the text is nested too deeply, or if a key is repeated. `name` is the file name in that message.
    """
    try:
        return json.loads(text, object_pairs_hook=unique_mapping)
    except RecursionError:
        raise Refused(phrase("{file} is JSON that is nested too deeply.", file=name)) from None
    except RepeatedKey as error:
        raise Refused(phrase("{file} is not read: {reason}.", file=name, reason=error_text(error))) from None
    except ValueError:
        pass  # the text may be NDJSON
    records = []
    for at, line in enumerate(text.splitlines(), 1):
        try:
            records += [json.loads(line, object_pairs_hook=unique_mapping)] if line.strip() else []
        except RepeatedKey as error:
            raise Refused(
                phrase("{file} is not read: {reason} (line {line}).", file=name, reason=error_text(error), line=at)
            ) from None
        except (ValueError, RecursionError):
            return None
    return records


def _player_records(data: Any) -> Sequence[Mapping[str, Any]]:
    """Return the list of objects in parsed JSON, directly or under the first key of _HOLDERS that has a list.

    Empty if there is no such list, or any item is no object.
    """
    if isinstance(data, dict):
        data = next((data[key] for key in _HOLDERS if isinstance(data.get(key), list)), [])
    return data if isinstance(data, list) and all(isinstance(one, dict) for one in data) else []


def _flatten_player(player: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield `(heading, cell)` for each field of a player's record. Fields that are None are left out.

    The fields of a nested record have the heading "record field". Only its texts, whole numbers, true and false are
    yielded. Texts are unchanged, decks and other values are JSON texts. If the record is a verdict of deckproof, yield
    only "Player" (the file name without its ending) and "Decklist".
    """
    if is_answer(player):
        yield from zip(_TITLES, (_stem(str(player.get("file", ""))), _deck_json(player)), strict=True)
        return
    for key, value in player.items():
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, dict) and key not in _DECKS:
            yield from ((f"{key} {inner}", str(said)) for inner, said in value.items() if isinstance(said, str | int))
        elif value is not None:
            yield key, json.dumps(value, ensure_ascii=False)
