"""JSON decks: the decks that a JSON holds beside each other, each with its name.

Read by `jsoncards`, and by the reader of spreadsheets for JSON files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from validator.decklists import sections
from validator.decklists.formats import jsonkeys
from validator.decklists.source import sound

# Keys of a mapping that has decks or players in a list.
_HOLDERS = ("decks", "decklists", "deck_lists", "lists", "players", "standings", "entries", "results", "data", "team")
_DECKS = frozenset(("decks", "decklists", "deck_lists", "lists"))  # those that call their entries decks
_NAMES = (
    "player",
    "playername",
    "username",
    "nickname",
    "name",
    "deckname",
    "title",
    "label",
    "archetype",
    "file",
    "id",
)
_WHOLE = ("deck", "decklist", "cards", "list")  # keys that hold the cards of any section
_DEEPEST = 4
_MOST_NAMES = 2  # a player's and the deck's


class JsonDeck(NamedTuple):
    """One deck of a JSON, a mapping or a text, and its name, "" if it has none."""

    name: str
    value: Mapping[str, Any] | str


def find_decks(value: Any) -> Sequence[JsonDeck]:
    """Return the decks of a JSON in their order, if there are at least two; else nothing."""
    are_decks = False
    for _ in range(_DEEPEST):
        if found := _listed(value, are_decks) or _mapped(value):
            return found
        key, value = _held(value)
        are_decks = key in _DECKS
    return ()


def _held(value: Any) -> tuple[str, Any]:
    """Return the list or mapping in which a mapping may have its decks, with its key. ("", None) if there is none."""
    if not isinstance(value, dict):
        return "", None
    keys = {jsonkeys.folded(key): held for key, held in value.items()}
    held = ((key, keys.get(jsonkeys.folded(key))) for key in _HOLDERS)
    return next(((key, each) for key, each in held if isinstance(each, list | dict)), ("", None))


def _listed(value: Any, are_decks: bool) -> Sequence[JsonDeck]:
    """Return the decks that are the entries of a list; `are_decks` if its key calls the entries decks."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return ()
    # Cards without a name are a deck beside one that has a main deck of its own, or if nothing else is in the list.
    has_whole = are_decks or any(map(_is_deck, value)) or all(map(_has_no_label, value))
    decks = [
        JsonDeck(_name(one), _text(one) or one)
        for one in value
        if _is_deck(one) or _text(one) or (has_whole and _has_cards_alone(one))
    ]
    return decks if len(decks) > 1 else ()


def _mapped(value: Any) -> Sequence[JsonDeck]:
    """Return the decks of a mapping from names to decks."""
    if not isinstance(value, dict) or any(sections.section(jsonkeys.words(key)) for key in value):
        return ()
    decks = [JsonDeck(sound(key), one) for key, one in value.items() if isinstance(one, dict) and _is_deck(one)]
    return decks if len(decks) > 1 else ()


def _text(value: Mapping[str, Any]) -> str:
    """Return the text of a deck in a pack of simulators, "" if a mapping has none."""
    text = value.get("text")
    return sound(text) if isinstance(text, str) and "\n" in text else ""


def _is_deck(value: Mapping[str, Any]) -> bool:
    """Return True if a mapping has a main deck of its own.

    Cards without more than a heading over them are a part of a deck: `{"type": "Event", "cards": [...]}`.
    """
    main = [key for key, held in value.items() if _is_main(key, held)]
    if any(jsonkeys.folded(key) != "cards" for key in main):
        return True
    names = list(_names(value))
    return bool(main) and bool(names) and not any(map(sections.section, names))


def _has_cards_alone(value: Mapping[str, Any]) -> bool:
    """Return True if a mapping has cards, and nothing that says of which section or kind they are."""
    labels = (held for held in value.values() if isinstance(held, str))
    return any(_is_main(key, held) for key, held in value.items()) and not any(map(sections.section, labels))


def _has_no_label(value: Mapping[str, Any]) -> bool:
    """Return True if a mapping has cards and no fact beside them, such as a cost that sorts one deck."""
    return _has_cards_alone(value) and all(isinstance(held, list | dict) for held in value.values())


def _is_main(key: str, held: Any) -> bool:
    folded, words = jsonkeys.folded(key), jsonkeys.words(key)
    if folded in jsonkeys.NESTED or sections.is_kind(words) or not isinstance(held, list | dict | str):
        return False
    if isinstance(held, str):
        return folded in _WHOLE and "\n" in held
    return folded in _WHOLE or sections.section(words) == "main"


def _names(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a mapping calls its deck: the player, the deck itself."""
    keys = {jsonkeys.folded(key): named for key, named in value.items()}
    for key in _NAMES:
        named = keys.get(key)
        if isinstance(named, dict):
            yield from _names(named)
        elif isinstance(named, str) and named.strip():
            yield sound(named.strip())[: jsonkeys.LONGEST]


def _name(value: Mapping[str, Any]) -> str:
    return ", ".join(list(dict.fromkeys(_names(value)))[:_MOST_NAMES])
