"""Odds: the exact chances that players work out of a deck: first hand, what is seen by a turn, searches, Life, curve.

Nothing is simulated. A first hand is redrawn as its edition of the rules lets it be, in the best way for what is
asked; what cards do in play is left out of every answer, and each answer says so.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from validator.bounds import MOST_LEAST, MOST_LIFE, MOST_LOOKED_AT, MOST_TURNS, MOST_WISHES
from validator.cards import Card
from validator.deck import DeckFacts, meant
from validator.errors import OddsError
from validator.findings import NamedCard
from validator.hypergeometric import Counts, FirstHand, at_most, chance, exactly
from validator.language import phrase
from validator.matching import folded
from validator.numbers import normal
from validator.rules.size import DonDeck
from validator.rulesets import Ruleset
from validator.rulesets.ruleset import Fact, Opening, Redraw

ENOUGH = Fraction(4, 5)  # what players take for a search to rely on

NO_EFFECTS = phrase("Cards that draw, look for or put back other cards are not modelled.")
NO_KNOWLEDGE = phrase("Nothing is taken as known of the other cards; what has been seen makes other odds.")
NO_REDRAW = phrase("For Life, searches and the curve the first hand is taken as it comes, not redrawn.")
BEST_REDRAW = phrase(
    "For first hands and draws it is redrawn in the best way for these cards alone, whatever else it holds."
)
NOT_THEIRS = phrase("A redraw taken because an opponent takes one is not modelled.")
COSTS_ALONE = phrase(
    "Whether a card can be played is told from its cost alone, not from colours, effects or earlier plays."
)


class Wish(NamedTuple):
    """At least so many cards of these: cards of the deck, or numbers or names of such."""

    cards: tuple[str | NamedCard, ...]
    least: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """An exact chance, what it leaves out, and the statements of the rules that it rests on."""

    chance: Fraction
    leaves_out: tuple[str, ...]
    rules: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchOdds:
    """The chance that a search finds one of its `targets` among the `look` top cards of `of`.

    `enough` is the least number of targets that makes it four times in five.
    """

    look: int
    targets: int
    of: int
    answer: Answer
    enough: int


@dataclass(frozen=True, slots=True)
class OnCurve:
    """A turn of the player going first or second: what is seen by then, what there is to pay with, and what fits.

    `exact` is the chance to have seen a card of just that cost, `playable` one of that cost or less.
    """

    turn: int
    first: bool
    seen: int
    energy: int
    exact: Answer
    playable: Answer


_Part = tuple[tuple[bool, ...], bool]


class _Pool:
    """A deck parted by what is wished for, and by the type of card that decides on a redraw.

    `counts` are the cards of the parts; `within` says which of the groups of `merged` each is in, which are parted
    by the wishes alone.
    """

    def __init__(self, parts: Mapping[_Part, int], wishes: Sequence[Wish], redraw: Redraw | None) -> None:
        groups = list(dict.fromkeys(wished for wished, _ in parts))
        self.counts = tuple(parts.values())
        self.within = tuple(groups.index(wished) for wished, _ in parts)
        self.merged = tuple(sum(parts.get((group, typed), 0) for typed in (True, False)) for group in groups)
        self._wishes = [
            (wish.least, [at for at, group in enumerate(groups) if group[place]]) for place, wish in enumerate(wishes)
        ]
        self._typed = [at for at, (_, typed) in enumerate(parts) if typed]
        self._redraw = redraw

    def is_as_wished(self, held: Counts) -> bool:
        """Tell whether cards of the merged groups fulfil all wishes."""
        return all(sum(held[at] for at in places) >= least for least, places in self._wishes)

    def may_redraw(self, held: Counts) -> bool:
        """Tell whether a hand of cards of the parts may be redrawn."""
        redraw = self._redraw
        return redraw is None or redraw.type is None or sum(held[at] for at in self._typed) < redraw.fewer_than


class Odds:
    """The odds of one deck under one edition of the rules; every method raises OddsError for what cannot be."""

    def __init__(self, facts: DeckFacts, ruleset: Ruleset) -> None:
        """Count the deck; an OddsError says that it has too few cards, or that the edition tells no first hand."""
        if ruleset.opening is None:
            raise OddsError("ruleset", f"{ruleset.id} does not tell how a game begins")
        self.opening: Opening = ruleset.opening
        self._game = facts.catalogue.game
        self.cards, self.known = _counted(facts)
        self.size = self.cards.total()
        self._life = facts.leader.life if facts.leader else None
        self.hand = self.opening.hand.cards or 0
        if self.size < self.hand:
            raise OddsError("deck", f"a first hand has {self.hand} cards and this deck only {self.size}")
        self._typed = {one: copies for one, copies in self.cards.items() if self.may_redraw_for(one)}
        don = next((rule for rule in ruleset.rules.values() if isinstance(rule, DonDeck)), None)
        self._most_energy = don.required_size(facts.leader).size if don else None

    def find(self, written: str | NamedCard, key: str) -> list[NamedCard]:
        """Return the cards of the deck that a number or a name means; an OddsError of the `key` if it means none."""
        if isinstance(written, NamedCard):
            return [written]
        number, name = normal(written, self._game)[0], folded(written)
        found = [one for one in self.cards if number == one.number or name in self._names(one)]
        if not written.strip() or not found:
            raise OddsError(key, f"{written[:60]!r} is not in the deck; name its cards by number or by name")
        return found

    def _names(self, one: NamedCard) -> set[str]:
        card = self.known.get(one)
        return {folded(name) for name in (one.name, card and card.name, card and card.back_name) if name}

    def copies(self, wish: Wish, key: str = "wishes") -> int:
        """Return how many cards of the deck a wish is for."""
        return sum(self.cards[one] for one in self._wished(wish, key))

    def _wished(self, wish: Wish, key: str = "wishes") -> set[NamedCard]:
        return {one for written in wish.cards for one in self.find(written, key)}

    def may_redraw_for(self, one: NamedCard) -> bool:
        """Tell whether a card is of those that decide whether a hand may be redrawn."""
        redraw = self.opening.redraw
        return bool(redraw and redraw.type and one in self.known and self.known[one].type == redraw.type)

    def draws(self, turn: int, first: bool) -> int:
        """Return how many cards are drawn to a turn of the player going first or second, as long as there are any."""
        _check("turn", turn, 0, MOST_TURNS)
        return min(self.opening.draw.by(turn, first), self.size - self.hand) if turn else 0

    def seen(self, wishes: Sequence[Wish], turn: int = 0, first: bool = True, redraw: bool = True) -> Answer:
        """Return the chance to have seen all that is wished for by a turn, 0 for the first hand alone."""
        _check("wishes", len(wishes), 1, MOST_WISHES)
        later, opening = self.draws(turn, first), self.opening
        rules: tuple[Fact, ...] = (opening.hand, opening.draw) if turn else (opening.hand,)
        for wish in wishes:
            _check("wishes", wish.least, 1, MOST_LEAST)
        pool = _Pool(self._parts([self._wished(wish) for wish in wishes]), wishes, opening.redraw)
        if not redraw or opening.redraw is None:
            dealt = chance(pool.merged, self.hand + later, pool.is_as_wished)
            return Answer(dealt, (NO_REDRAW, NO_EFFECTS), rules)
        how = FirstHand(self.hand, opening.redraw.times, opening.redraw.whole, pool.may_redraw)
        leaves_out = (BEST_REDRAW, NOT_THEIRS, NO_EFFECTS) if opening.redraw.type else (BEST_REDRAW, NO_EFFECTS)
        found = how.chance(pool.counts, pool.is_as_wished, later, pool.within)
        return Answer(found, leaves_out, (*rules, opening.redraw))

    def _parts(self, groups: Sequence[Collection[NamedCard]]) -> Counter[_Part]:
        """Return how many cards there are of each part, the one that nobody asks for last."""
        parts: Counter[_Part] = Counter()
        asked = {one for group in groups for one in group}
        for one in asked:
            parts[tuple(one in group for group in groups), one in self._typed] += self.cards[one]
        others = (False,) * len(groups)
        parts[others, True] += sum(copies for one, copies in self._typed.items() if one not in asked)
        parts[others, False] += self.size - parts.total()
        return parts

    def search(self, look: int, targets: Wish | int, searcher: str | None = None) -> SearchOdds:
        """Return how a search of the top of the deck fares; the card that searches is not there any more."""
        _check("look", look, 1, MOST_LOOKED_AT)
        own = self.find(searcher, "searcher") if searcher is not None else []
        of = self.size - bool(own)
        if isinstance(targets, Wish):
            wished = self._wished(targets, "targets")
            targets = self.copies(targets, "targets") - bool(wished.intersection(own))
        _check("targets", targets, 0, of)
        _check("look", look, 1, of)
        enough = bisect_left(range(of), ENOUGH, key=lambda held: 1 - at_most(0, held, of, look))
        answer = Answer(1 - at_most(0, targets, of, look), (NO_KNOWLEDGE, NO_EFFECTS))
        return SearchOdds(look, targets, of, answer, enough)

    def life(self, given: int | None = None) -> int | None:
        """Return how many Life cards there are: `given`, else by the rules or the Leader, None if nobody tells."""
        told = self.opening.life
        if told is None:
            if given is not None:
                raise OddsError("life", "this game has no Life cards; leave life out")
            return None
        found = next((one for one in (given, told.cards, self._life) if one is not None), None)
        if found is not None:
            _check("life", found, 1, min(MOST_LIFE, self.size))
        return found

    def among_life(self, wish: Wish, life: int) -> list[Answer]:
        """Return the chances that none, one, two and so on of some cards are among so many Life cards."""
        wanted = self.copies(wish)
        rules = (self.opening.life,) if self.opening.life else ()
        leaves_out = (NO_KNOWLEDGE, NO_REDRAW, NO_EFFECTS)
        each = (exactly(held, wanted, self.size, life) for held in range(min(wanted, life) + 1))
        return [Answer(one, leaves_out, rules) for one in each]

    def without_cost(self) -> int:
        """Return how many cards have no cost that is known."""
        return sum(copies for one, copies in self.cards.items() if self._cost(one) is None)

    def _cost(self, one: NamedCard) -> int | None:
        return self.known[one].cost if one in self.known else None

    def curve(self, turns: int, first: bool) -> Iterator[OnCurve]:
        """Yield the turns of the player going first or second; none where the game has nothing to pay with."""
        _check("turn", turns, 1, MOST_TURNS)
        energy = self.opening.energy
        for turn in range(1, turns + 1 if energy else 1):
            if energy is None:
                return
            most = energy.by(turn, first)
            paid = most if self._most_energy is None else min(most, self._most_energy)
            seen = self.hand + self.draws(turn, first)
            exact, playable = (self._costing(costs, seen) for costs in (range(paid, paid + 1), range(paid + 1)))
            yield OnCurve(turn, first, seen, paid, exact, playable)

    def _costing(self, costs: range, seen: int) -> Answer:
        wanted = sum(copies for one, copies in self.cards.items() if self._cost(one) in costs)
        opening = self.opening
        rules = tuple(fact for fact in (opening.hand, opening.draw, opening.energy) if fact)
        leaves_out = (NO_REDRAW, COSTS_ALONE, NO_EFFECTS)
        return Answer(1 - at_most(0, wanted, self.size, seen), leaves_out, rules)


def _counted(facts: DeckFacts) -> tuple[Counter[NamedCard], dict[NamedCard, Card]]:
    """Return the copies of each card of the deck, known or not, and those that the catalogue knows."""
    cards: Counter[NamedCard] = Counter()
    known = {}
    for line, card in facts.understood["main"]:
        named = NamedCard.of(card) if card else NamedCard(*meant(line, facts.catalogue.game))
        cards[named] += line.count
        if card:
            known[named] = card
    return cards, known


def _check(key: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise OddsError(key, f"{key} is {number}; it must be from {least} to {most}")
