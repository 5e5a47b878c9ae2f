"""Proposals: limits that do not ship yet, written as lines or as a file, to calculate their impact.

The impact page of an event calls this module. The official list is not changed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from validator.bounds import MOST_GROUPED_CARDS, MOST_PROPOSAL_FAULTS, MOST_PROPOSED_CARDS
from validator.errors import DocumentError
from validator.limits import list_parser
from validator.limits.lists import LimitsList

Names = Callable[[str], str | None]  # the name of a card by its number; None if there is no such card

_NO_SOURCE = "https://what-if.invalid/"  # a change needs a source, and a typed proposal has none
_NUMBER = re.compile(r"[A-Z]{1,4}[0-9]{0,2}-[0-9]{2,4}(?:_[A-Z0-9]{1,4})?", re.IGNORECASE)
_BANS = ("", "ban", "banned", "0")
_LIFTS = ("free", "lift", "unban", "unbanned", "unrestricted", "4")
_RESTRICTIONS = ("1", "2", "3")
_HINT = "Write lines such as “OP01-001 banned”, “OP02-002 2”, “OP01-001 + OP02-002” or “OP03-003 free”."
_HEAD: Mapping[str, Any] = {
    "title": "limits list",
    "formats": ["standard"],
    "known_to": date.min,
    "notes": [],
    "regions": {"en": "English-language play"},
    "sections": {"ban": "Banned Cards", "restrict": "Restricted Cards", "ban_pairs": "Banned Pair Cards"},
    "change": [],
}


def parse_lines(text: str, day: date, region: str, names: Names) -> dict[str, Any]:
    """Return the change that lines describe, as the table `[[change]]` of a limits file.

    Empty lines and lines that begin with # are left out. Raises DocumentError, which names the wrong lines.
    """
    change: dict[str, Any] = {"effective_from": day, "region": region, "source": _NO_SOURCE}
    faults, seen = [], set[tuple[str, ...]]()
    for place, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                numbers = _add_line(line, change, names)
                if numbers in seen:
                    raise DocumentError(f"{' + '.join(numbers)} is there twice; keep one of the lines")
                seen.add(numbers)
            except DocumentError as error:
                faults.append(f"Line {place}: {error}.")
    if faults:
        raise DocumentError(" ".join(faults[:MOST_PROPOSAL_FAULTS]))
    if not seen:
        raise DocumentError(_HINT)
    return change


def _add_line(line: str, change: dict[str, Any], names: Names) -> tuple[str, ...]:
    """Add the limit in a line to a change, and return the numbers of its cards. Raises DocumentError."""
    numbers = tuple(sorted(number.upper().partition("_")[0] for number in _NUMBER.findall(line)))
    words = " ".join(re.sub(r"[+:,=&]|\bmax\b", " ", _NUMBER.sub(" ", line), flags=re.IGNORECASE).lower().split())
    cards = {number: _find_name(number, names) for number in numbers}
    if len(numbers) not in (1, 2) or len(cards) != len(numbers):
        raise DocumentError(f"a line has one card number, or two different ones for a pair. {_HINT}".rstrip("."))
    is_pair = len(numbers) == 2
    if words in _BANS and (is_pair or words):
        _add_cards(change, "ban", is_pair, cards)
    elif words in _LIFTS:
        _add_cards(change, "lift", is_pair, cards)
    elif words in _RESTRICTIONS and not is_pair:
        ((number, name),) = cards.items()
        change.setdefault("restrict", {})[number] = {"limit": int(words), "name": name}
    else:
        raise DocumentError(f"{words[:40]!r} is not known. {_HINT}".rstrip("."))
    return numbers


def _find_name(number: str, names: Names) -> str:
    """Return the name of a number. Raises DocumentError if there is no such card."""
    name = names(number)
    if name is None:
        raise DocumentError(f"the card list has no {number}; check the number")
    return name


def _add_cards(change: dict[str, Any], word: str, is_pair: bool, cards: dict[str, str]) -> None:
    """Add cards to the table of a word in a change. Pairs have a table of their own."""
    if is_pair:
        change.setdefault(f"{word}_pairs", []).append(cards)
    else:
        change.setdefault(word, {}).update(cards)


def parse_file(text: str) -> dict[str, Any]:
    """Return the document of a limits file: a whole list, or only the changes to add. Raises DocumentError."""
    try:
        document = tomllib.loads(text)
    except RecursionError:
        raise DocumentError("the file is nested too deeply") from None
    except ValueError as error:
        raise DocumentError(f"the file is no TOML: {error}") from None
    _check_size(document.get("change"))
    return document


def _check_size(changes: Any) -> None:
    """Raise DocumentError if a file has no changes or too many cards."""
    if not isinstance(changes, list) or not changes:
        raise DocumentError("the file has no changes; write each one under [[change]]")
    tables = [table for table in changes if isinstance(table, dict)]
    words = [(word, value) for table in tables for word, value in table.items() if isinstance(value, (dict, list))]
    grouped = sum(len(cards) for word, value in words if word.endswith("_among") for cards in _subtables(value))
    if sum(len(value) for _, value in words) > MOST_PROPOSED_CARDS or grouped > MOST_GROUPED_CARDS:
        raise DocumentError(
            f"the file has more than {MOST_PROPOSED_CARDS} cards, or {MOST_GROUPED_CARDS} in groups; leave some out"
        )


def _subtables(value: Any) -> list[Any]:
    """Return the tables in a value. Empty if it is not a table."""
    return [part for part in value.values() if isinstance(part, dict)] if isinstance(value, dict) else []


def proposed_list(game: str, official: Mapping[str, Any] | None, document: Mapping[str, Any]) -> LimitsList:
    """Return the list of a document: the whole list if it names a game, else the official one with its changes.

    `official` is the document of the list that ships; None if the game has none. Raises DocumentError.
    """
    if "game" not in document:
        _check_keys(document)
        base = {**_HEAD, "game": game, **(official or {})}
        document = {**base, "change": sorted([*base["change"], *document["change"]], key=_first_day)}
    elif document["game"] != game:
        raise DocumentError(f"the file is of the game {str(document['game'])[:40]!r}; this event plays {game}")
    try:
        return list_parser.parse(document)
    except (AttributeError, KeyError, TypeError) as error:  # an uploaded file may have any value anywhere
        raise DocumentError("a value in the file is of the wrong kind; compare it with a list that ships") from error


def _check_keys(document: Mapping[str, Any]) -> None:
    """Raise DocumentError if a document has more than changes."""
    if more := [key for key in document if key != "change"]:
        raise DocumentError(f"unknown word {more[0][:40]!r}; a file without `game` has only [[change]]")


def _first_day(table: Any) -> date:
    """Return the day by which changes are sorted. It is date.max for a change without a day, which fails later."""
    days: Sequence[Any] = (
        [table.get(key) for key in ("effective_from", "no_later_than")] if isinstance(table, dict) else []
    )
    return next((day for day in days if type(day) is date), date.max)
