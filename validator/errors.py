"""Errors: the exceptions that callers of the validator may have to catch. Each message is a sentence for people.

Exception
├── DocumentError         a data file that ships is invalid
└── ValueError
    ├── OddsError         odds that cannot be computed for a deck or its game
    ├── PinError          a pinned card that is not in the deck
    ├── PolicyError       an organiser's policy that does not fit the ruleset
    ├── RepeatedKey       a JSON object that has a key twice
    ├── UnknownGame       a game that is not described
    └── UnknownRuleset    an id without a ruleset
"""

from __future__ import annotations

from collections.abc import Iterable

from validator.language import Phrase, phrase


def error_text(error: BaseException) -> str:
    """Return the message of an error. A Phrase stays one, so that it can be translated.

    "" if the error has no message.
    """
    message = error.args[0] if error.args else ""
    return message if isinstance(message, Phrase) else str(error)


def error_sentence(error: Exception) -> str:
    """Return the message of an error with a full stop, as a phrase that can be translated."""
    return phrase("{sentence}.", sentence=error_text(error))


class RepeatedKey(ValueError):
    """A JSON object has a key twice. The message names the key."""


class DocumentError(Exception):
    """A data file is invalid. The message contains the place and the correction."""


class PolicyError(ValueError):
    """A policy has a value that the ruleset cannot apply. `key` is the name of that value, e.g. "side_max"."""

    def __init__(self, key: str, says: str) -> None:
        """Store the key of the policy that is wrong. `says` is the message."""
        super().__init__(says)
        self.key = key


class OddsError(ValueError):
    """Odds that cannot be computed. `key` is the name of the invalid parameter."""

    def __init__(self, key: str, says: str) -> None:
        """Store the name of the wrong argument as `key`. `says` is the message."""
        super().__init__(says)
        self.key = key


class PinError(ValueError):
    """A pinned card that is not in the deck. `pin` is the number or name given."""

    def __init__(self, pin: str) -> None:
        """Store the pin that is no card of the deck, and make the message."""
        super().__init__(phrase("{card!r} is not in the deck; pin its cards by number or by name", card=pin[:60]))
        self.pin = pin


class UnknownGame(ValueError):
    """No game has this id. The message has the known ids."""

    def __init__(self, game: str, ids: Iterable[str]) -> None:
        """Make the message with the unknown game and the known ids."""
        super().__init__(
            phrase("There is no game {game!r}; the games are {games}.", game=game[:100], games=", ".join(ids))
        )


class UnknownRuleset(ValueError):
    """No ruleset has this id. The message has the known ids."""

    def __init__(self, id: str, ids: Iterable[str]) -> None:
        """Make the message with the unknown id and the known ids."""
        super().__init__(phrase("There is no ruleset {id!r}; there are {ids}.", id=id[:100], ids=", ".join(ids)))
