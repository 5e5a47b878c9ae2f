"""Checks of arguments: a wrong one raises an error that names the argument and says what to write instead.

Called by the functions that the package `deckproof` exports.
"""

from __future__ import annotations

from datetime import date, datetime

from validator.deck import SECTIONS, Deck, Line

_CATALOGUE = "Write Library('sqlite:///cards.db').catalogue('optcg')"
_DECK = "Write parse(text, catalogue=catalogue).deck or Deck(main=(Line('OP01-016', 4),))"
_LINE = "Write Line('OP01-016', 4)"


def check_type(name: str, value: object, types: type | tuple[type, ...], hint: str) -> None:
    """Raise TypeError if a value is no instance of `types`. The message is the argument's name, the value and the hint.

    `hint` is a sentence of advice without its full stop.
    """
    if not isinstance(value, types):
        raise wrong_type(name, value, hint)


def wrong_type(name: str, value: object, hint: str) -> TypeError:
    """Return a TypeError "NAME is VALUE. HINT." for the caller to raise.

    `hint` advises a right value, without a full stop.
    """
    return TypeError(f"{name} is {_describe(value)}. {hint}.")


def check_day(name: str, value: object) -> None:
    """Raise TypeError if a value is not a date. A datetime is refused, because its day depends on the time zone.

    The message advises an expression that makes a date, such as `date.fromisoformat('2026-11-21')`.
    """
    if isinstance(value, datetime):
        raise wrong_type(name, value, f"Write {name}.date()")
    if not isinstance(value, date):
        example = repr(value[:10]) if isinstance(value, str) else "'2026-11-21'"
        raise wrong_type(name, value, f"Write date.fromisoformat({example}) or date.today()")


def check_catalogue(value: object, game: str = "") -> None:
    """Raise TypeError if a value has no text `game` or no `by_number`, ValueError if its game is not `game`.

    With "" any game is right.
    """
    found = getattr(value, "game", None)
    if not isinstance(found, str) or not hasattr(value, "by_number"):
        raise wrong_type("catalogue", value, _CATALOGUE)
    if game and found != game:
        raise ValueError(f"catalogue is of the game {found!r}, but the ruleset is of {game!r}. Use one game for both.")


def check_deck(name: str, deck: object) -> None:
    """Raise TypeError if a value is not a Deck, or if a line has no `number` or a count that is no int.

    A section that is a single line or a text is an error, too. `name` is the name of the argument in the message.
    """
    if not isinstance(deck, Deck):
        has_deck = isinstance(getattr(deck, "deck", None), Deck)  # what `parse` returns
        raise wrong_type(name, deck, f"Write {name}.deck" if has_deck else _DECK)
    for section in SECTIONS:
        lines = deck.section(section)
        if isinstance(lines, Line | str | bytes):
            raise wrong_type(f"{name}.{section}", lines, "Write a tuple: (Line('OP01-016', 4),)")
        for index, line in enumerate(lines):
            place = f"{name}.{section}[{index}]"
            if not hasattr(line, "number"):
                raise wrong_type(place, line, _LINE)
            check_type(f"{place}.count", line.count, int, "Write the number of copies as an int")


def _describe(value: object) -> str:
    """Return a value for an error message, with its type: "the str 'abc'". A long or unprintable value is only "a str".

    None and classes are returned as their repr, at most 80 characters.
    """
    text = repr(value)
    if value is None or isinstance(value, type):
        return text[:80]
    kind = type(value).__name__
    return f"the {kind} {text}" if len(text) <= 40 and text.isprintable() else f"a {kind}"
