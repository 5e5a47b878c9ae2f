"""JSON decks: several decks beside each other in one JSON, each with its name.

Called by `jsoncards`, and by the reader of spreadsheets for JSON files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from validator import sections
from validator.decklists.formats import jsonkeys
from validator.decklists.source import sound

# Keys of a mapping that has decks or players in a list.
_HOLDER_KEYS = (
    "decks",
    "decklists",
    "deck_lists",
    "lists",
    "players",
    "standings",
    "entries",
    "results",
    "data",
    "team",
)
_DECK_KEYS = frozenset(("decks", "decklists", "deck_lists", "lists"))  # those that call their entries decks
_NAME_KEYS = (
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
_WHOLE_DECK_KEYS = ("deck", "decklist", "cards", "list")  # keys that hold the cards of any section
_DEEPEST = 4
_MOST_NAMES = 2  # a player's and the deck's


class JsonDeck(NamedTuple):
    """One deck of a JSON with several decks. `name` is its name, "" if it has none.

    `value` is its mapping, its list or its text.
    """

    name: str
    value: Mapping[str, Any] | Sequence[Any] | str


def find_decks(value: Any) -> Sequence[JsonDeck]:
    """Return the decks of a JSON value in their order. Empty if there are fewer than two.

    A value that holds no decks itself is searched under keys such as "decks" or "players", at most three levels deep.
    """
    are_decks = False
    for _ in range(_DEEPEST):
        if found := _decks_in_list(value, are_decks) or _decks_in_mapping(value):
            return found
        key, value = _find_holder(value)
        are_decks = key in _DECK_KEYS
    return ()


def _find_holder(value: Any) -> tuple[str, Any]:
    """Return `(key, value)`: a list or mapping in which decks may be, and its key, such as "decks".

    ("", None) if `value` is no mapping or has no such key.
    """
    if not isinstance(value, dict):
        return "", None
    keys = {jsonkeys.normalise_key(key): held for key, held in value.items()}
    held = ((key, keys.get(jsonkeys.normalise_key(key))) for key in _HOLDER_KEYS)
    return next(((key, each) for key, each in held if isinstance(each, list | dict)), ("", None))


def _decks_in_list(value: Any, are_decks: bool) -> Sequence[JsonDeck]:
    """Return the decks that are entries of a list, each with its name. Empty if there are fewer than two.

    An entry is a deck if it has a main deck or a text of several lines. An entry with only cards is a deck if
    `are_decks`, because the list's key is "decks" or the like. It is one also if some entry has a main deck, or if no
    entry has a label beside its cards. Beside two decks, an entry with cards elsewhere is one, so that they are
    reported. Other entries are left out. Empty also if some entry is no mapping.
    """
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        return ()
    # Cards without a name are a deck beside one that has a main deck of its own, or if nothing else is in the list.
    has_whole = are_decks or any(map(_has_main_deck, value)) or all(map(_has_no_label, value))
    are_entries_decks = [
        bool(_has_main_deck(entry) or _text_of_deck(entry) or (has_whole and _has_unlabelled_cards(entry)))
        for entry in value
    ]
    if sum(are_entries_decks) < 2:
        return ()
    return [
        JsonDeck(_join_names(entry), _text_of_deck(entry) or entry)
        for entry, is_deck in zip(value, are_entries_decks, strict=True)
        if is_deck or any(map(_may_have_cards, entry.values()))
    ]


def _decks_in_mapping(value: Any) -> Sequence[JsonDeck]:
    """Return the decks of a mapping from names to decks. Empty if there are fewer than two.

    Empty also if some key of the mapping is a section. A deck is a mapping with a main deck. Beside two decks, a
    value with cards elsewhere is one, so that they are reported. Other values are left out.
    """
    if not isinstance(value, dict) or any(sections.section(jsonkeys.split_key(key)) for key in value):
        return ()
    names = [key for key, held in value.items() if isinstance(held, dict) and _has_main_deck(held)]
    if len(names) < 2:
        return ()
    return [JsonDeck(sound(key), held) for key, held in value.items() if key in names or _may_have_cards(held)]


def _may_have_cards(value: Any) -> bool:
    """Return True if a value is a list, a mapping or a text of several lines, and contains a card number."""
    is_long = isinstance(value, list | dict) or (isinstance(value, str) and "\n" in value)
    return is_long and jsonkeys.has_number(value)


def _text_of_deck(value: Mapping[str, Any]) -> str:
    """Return the value under "text", if it is a text of several lines, as in a deck pack of OPTCGSim. Otherwise ""."""
    text = value.get("text")
    return sound(text) if isinstance(text, str) and "\n" in text else ""


def _has_main_deck(value: Mapping[str, Any]) -> bool:
    """Return True if a mapping has a main deck of its own, under a key such as "main", "deck" or "list".

    The key "cards" counts only beside a name that is no section. `{"type": "Event", "cards": [...]}` is a part of a
    deck.
    """
    main = [key for key, held in value.items() if _is_main_deck(key, held)]
    if any(jsonkeys.normalise_key(key) != "cards" for key in main):
        return True
    names = list(_find_names(value))
    return bool(main) and bool(names) and not any(map(sections.section, names))


def _has_unlabelled_cards(value: Mapping[str, Any]) -> bool:
    """Return True if a mapping has cards under a key such as "main" or "cards", and no label.

    A label is a text under any key that names a section or a type of card.
    """
    labels = (held for held in value.values() if isinstance(held, str))
    return any(_is_main_deck(key, held) for key, held in value.items()) and not any(map(sections.section, labels))


def _has_no_label(value: Mapping[str, Any]) -> bool:
    """Return True if a mapping has cards, and all its values are lists or mappings.

    A fact beside the cards, such as a cost, would sort the cards of one deck.
    """
    return _has_unlabelled_cards(value) and all(isinstance(held, list | dict) for held in value.values())


def _is_main_deck(key: str, value: Any) -> bool:
    """Return True if a key names a main deck or a whole deck, and its value can be one.

    The key is one of _WHOLE_DECK_KEYS, or names the main section. Keys for a single card ("card") or for a type of
    card ("Event") are excluded. The value is a list or a mapping, for _WHOLE_DECK_KEYS also a text of several lines.
    """
    folded, words = jsonkeys.normalise_key(key), jsonkeys.split_key(key)
    if folded in jsonkeys.NESTED or sections.is_kind(words) or not isinstance(value, list | dict | str):
        return False
    if isinstance(value, str):
        return folded in _WHOLE_DECK_KEYS and "\n" in value
    return folded in _WHOLE_DECK_KEYS or sections.section(words) == "main"


def _find_names(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names in a deck's mapping, such as those of the player and of the deck.

    Names in nested mappings are included. Each is cut to 200 characters. Nothing is yielded if there is no name.
    """
    keys = {jsonkeys.normalise_key(key): named for key, named in value.items()}
    for key in _NAME_KEYS:
        named = keys.get(key)
        if isinstance(named, dict):
            yield from _find_names(named)
        elif isinstance(named, str) and named.strip():
            yield sound(named.strip())[: jsonkeys.LONGEST]


def _join_names(value: Mapping[str, Any]) -> str:
    """Return the name of a deck: at most two different names of its mapping, joined by a comma. "" if it has none."""
    return ", ".join(list(dict.fromkeys(_find_names(value)))[:_MOST_NAMES])
