"""Judges for the asking: the terms that a request asks for are compiled once, and the Judge is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING
from typing import Protocol

from api.service.errors import Invalid
from api.service.errors import Wrong
from api.service.requests import Asked
from api.service.requests import Swap
from api.service.requests import Validation
from validator import limits
from validator.cards import Catalogue
from validator.deck import Deck
from validator.deck import resolve
from validator.errors import PolicyError
from validator.errors import UnknownGame
from validator.games import GAMES
from validator.judge import Judge
from validator.judge import Terms
from validator.judge import Verdict
from validator.rules import Policy
from validator.rulesets import Ruleset
from validator.rulesets import of_game
from validator.rulesets import rulesets
from validator.swap import swapped

if TYPE_CHECKING:
    from validator.decklists import Parsed

MOST_JUDGES = 24  # each holds what it has learnt of its cards, some 10 MB at most
MOST_TERMS = 1024


class Cards(Protocol):
    """Where judges have its catalogues from: carddb's Library, or another."""

    def catalogue(self, game: str) -> Catalogue:
        """Return the newest catalogue of a game."""


class Judges:
    """Judges for the asking, each compiled when first asked for; safe to share between threads."""

    def __init__(self, cards: Cards, today: Callable[[], date] = date.today) -> None:
        self.cards = cards
        self.today = today
        self._terms = lru_cache(MOST_TERMS)(terms)
        self._judge = lru_cache(MOST_JUDGES)(self._compiled)

    def judge(self, asked: Asked) -> Judge:
        """Return the Judge of the terms asked for; Invalid points at what cannot be had."""
        if asked.on is None:
            asked = asked._replace(on=self.today())
        game = self._terms(asked).ruleset.game
        return self._judge(asked, self.cards.catalogue(game))

    def verdict(self, request: Validation) -> Verdict:
        """Judge a request's deck, or the deck that its text is."""
        return judged(request, self.judge(request.asked))

    def swap(self, request: Swap) -> Verdict:
        """Judge the deck after swapping with the side deck, and the swap."""
        judge = self.judge(request.asked)
        both = ((request.before, "/before"), (request.after, "/after"))
        before, after = (
            _parsed(deck, judge.catalogue, pointer).deck if isinstance(deck, str) else deck for deck, pointer in both
        )
        return swapped(judge, before, after)

    def read(self, decklist: str | bytes, game: str | None = None) -> Parsed:
        """Return the deck that a text is; its game is told from the cards where it is not said.

        `game` stays None where neither the numbers nor the catalogues tell it.
        """
        if game is None:
            found = _parsed(decklist)
            game = self.game(found.deck)
            if game is None:
                return found
        return _parsed(decklist, self.cards.catalogue(game))

    def write(self, deck: Deck, format: str, game: str | None) -> str:
        """Return a deck as a text in a format; Invalid says what the format cannot carry."""
        from validator import decklists

        with _pointing("/format"):
            return decklists.write(deck, format, self.cards.catalogue(game) if game else None)

    def game(self, deck: Deck) -> str | None:
        """Return the game that a deck's numbers tell, or the one whose catalogue knows most of its cards, or None."""
        from validator import decklists  # only texts need the readers

        return decklists.game_of(line for _, line in deck.lines()) or self._likely_game(deck)

    def _likely_game(self, deck: Deck) -> str | None:
        known = Counter({game: self._known(deck, self.cards.catalogue(game)) for game in GAMES})
        (game, most), (_, second) = known.most_common(2)
        return game if most > second else None

    @staticmethod
    def _known(deck: Deck, catalogue: Catalogue) -> int:
        return sum(1 for _, line in deck.lines() if resolve(line, catalogue))

    def _compiled(self, asked: Asked, catalogue: Catalogue) -> Judge:
        return Judge(self._terms(asked), catalogue)


def terms(asked: Asked) -> Terms:
    """Return what a request that names its day is judged by, with the defaults of game and day.

    Invalid points at whatever does not exist or does not fit together.
    """
    assert asked.on is not None, "the day is filled in"
    ruleset = _ruleset(asked, asked.on)
    region = asked.region or "en"
    listed = limits.load(ruleset.game)
    with _pointing("/region"):
        listed.dates(region)
    rotation = limits.rotation(ruleset.game)
    format = asked.format or (rotation.default_format(asked.on) if rotation else "standard")
    with _pointing("/format"):
        return Terms(ruleset, asked.on, region, format, asked.policy or Policy())


def judged(request: Validation, judge: Judge) -> Verdict:
    """Judge a request's deck, or the deck that its text is."""
    return judge(request.deck if request.deck is not None else _parsed(request.decklist or "", judge.catalogue).deck)


def _parsed(decklist: str | bytes, catalogue: Catalogue | None = None, pointer: str = "/decklist") -> Parsed:
    from validator import decklists  # only texts need the readers

    with _pointing(pointer):
        return decklists.parse(decklist, None if catalogue is None else catalogue.game, catalogue)


def _ruleset(asked: Asked, on: date) -> Ruleset:
    if asked.ruleset is None:
        try:
            return of_game(asked.game or "", on)
        except UnknownGame as error:
            raise Invalid([Wrong("/game", str(error))]) from None
    ruleset = rulesets().get(asked.ruleset)
    if ruleset is None:
        raise Invalid([Wrong("/ruleset", f"There is no ruleset {asked.ruleset!r}; there are {', '.join(rulesets())}.")])
    if asked.game not in (None, ruleset.game):
        raise Invalid([Wrong("/game", f"{ruleset.id} is a ruleset of {ruleset.game}; leave game out or say that.")])
    return ruleset


@contextmanager
def _pointing(pointer: str) -> Iterator[None]:
    """Say of a ValueError where in the request its cause stands."""
    try:
        yield
    except PolicyError as error:
        raise Invalid([Wrong(f"/policy/{error.key}", f"{error}.")]) from None
    except ValueError as error:
        raise Invalid([Wrong(pointer, f"{error}.")]) from None
