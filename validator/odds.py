"""Odds: exact chances for a deck: first hand, cards seen by a turn, searches, Life, curve.

Nothing is simulated. A first hand is redrawn as the ruleset allows, in the best way for the wished cards. Effects of
cards in play are left out of every answer, and each answer states that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from validator.arguments import check_deck, check_type
from validator.bounds import MOST_LEAST, MOST_LIFE, MOST_LOOKED_AT, MOST_TURNS, MOST_WISHES
from validator.cards import Card
from validator.deck import Deck, DeckFacts, unknown_card_key
from validator.errors import OddsError
from validator.findings import NamedCard
from validator.hypergeometric import Counts, FirstHand, at_most, chance, exactly
from validator.judge import Judge
from validator.language import phrase
from validator.matching import fold_text
from validator.numbers import normal
from validator.rules.size import DonDeck
from validator.rulesets import Ruleset
from validator.rulesets.ruleset import Fact, Opening, Redraw

ENOUGH = Fraction(4, 5)  # the chance at which players rely on a search

NO_EFFECTS = phrase("Cards that draw, search for or put back other cards are not modelled.")
NO_KNOWLEDGE = phrase("The other cards are unknown. Cards that you have seen change the odds.")
NO_REDRAW = phrase("For Life, searches and the curve, the first hand is not redrawn.")
BEST_REDRAW = phrase("For first hands and draws, the first hand is redrawn in the best way for these cards only.")
NOT_THEIRS = phrase("A redraw because the opponent redraws is not modelled.")
NO_DRAWS = phrase("The cards that a turn draws are not known in this game. Only the first hand counts.")
COSTS_ALONE = phrase("A card can be played if its cost allows it. Colours, effects and earlier plays do not count.")


class Wish(NamedTuple):
    """At least `least` of these cards: cards of the deck, or their numbers or names."""

    cards: tuple[str | NamedCard, ...]
    least: int = 1


@dataclass(frozen=True, slots=True)
class Chance:
    """An exact chance from 0 to 1, with the simplifications behind it as sentences for people (`leaves_out`).

    `rules` are the statements of the ruleset on which it rests, () if it needs none.
    """

    chance: Fraction
    leaves_out: tuple[str, ...]
    rules: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchOdds:
    """The chance to find at least one of `targets` cards among the `look` top cards of a deck of `of` cards.

    `answer` is that chance. `of` does not include the card that searches, if it was named. `enough` is the least number
    of targets for a chance of at least four in five.
    """

    look: int
    targets: int
    of: int
    answer: Chance
    enough: int


@dataclass(frozen=True, slots=True)
class OnCurve:
    """A turn of the player who goes first or second, with the number of cards seen and the energy available by then.

    `first` is True for the player who goes first. `seen` includes the first hand. `energy` is at most the size of the
    DON!! deck. `exact` is the chance to have seen at least one card that costs exactly `energy`, `playable` that of at
    least one that costs `energy` or less.
    """

    turn: int
    first: bool
    seen: int
    energy: int
    exact: Chance
    playable: Chance


_Part = tuple[tuple[bool, ...], bool]


class _Pool:
    """A deck divided into parts by the wishes, and by the card type that decides on a redraw.

    `counts` are the sizes of the parts. `merged` are the sizes of groups that are divided by the wishes only. `within`
    is the index of each part's group.
    """

    def __init__(self, parts: Mapping[_Part, int], wishes: Sequence[Wish], redraw: Redraw | None) -> None:
        """Group the parts of a deck for the computation.

        `parts` are the numbers of cards of `Odds._count_parts`. Their keys have one bool for each of the `wishes`.
        `redraw` is the rule on redrawing, None if there is none.
        """
        groups = list(dict.fromkeys(wished for wished, _ in parts))
        self.counts = tuple(parts.values())
        self.within = tuple(groups.index(wished) for wished, _ in parts)
        self.merged = tuple(sum(parts.get((group, typed), 0) for typed in (True, False)) for group in groups)
        self._wishes = [
            (wish.least, [index for index, group in enumerate(groups) if group[place]])
            for place, wish in enumerate(wishes)
        ]
        self._typed = [index for index, (_, typed) in enumerate(parts) if typed]
        self._redraw = redraw

    def is_as_wished(self, hand: Counts) -> bool:
        """Return True if a hand fulfils all wishes. `hand` has the number of cards of each merged group."""
        return all(sum(hand[group_index] for group_index in places) >= least for least, places in self._wishes)

    def may_redraw(self, hand: Counts) -> bool:
        """Return True if the rules allow to redraw a hand. `hand` has the number of cards of each part.

        If the rule names a card type, the hand must have fewer cards of it than the rule requires. Otherwise, and
        without a rule, every hand may be redrawn.
        """
        redraw = self._redraw
        return (
            redraw is None
            or redraw.type is None
            or sum(hand[part_index] for part_index in self._typed) < redraw.fewer_than
        )


def odds(judge: Judge, deck: Deck) -> Odds:
    """Return the odds of a deck under the ruleset of a Judge. Raises OddsError as `Odds` does.

    Raises TypeError if an argument is no Judge or no deck.
    """
    check_type("judge", judge, Judge, "Write odds(Judge(terms, catalogue), deck)")
    check_deck("deck", deck)
    ruleset = judge.terms.ruleset
    return Odds(DeckFacts(deck, judge.catalogue, ruleset.types), ruleset)


class Odds:
    """The odds of one deck under one ruleset.

    `cards` are the copies of each card of the main deck, whose keys have no count. `known` has the catalogue's card for
    those that it has. `size` is the number of all copies, with unknown cards, and `hand` that of a first hand. Methods
    raise OddsError for impossible arguments.
    """

    def __init__(self, facts: DeckFacts, ruleset: Ruleset) -> None:
        """Count the cards of a deck. Raises OddsError if it has too few cards, or if the ruleset has no first hand."""
        if ruleset.opening is None:
            raise OddsError("ruleset", phrase("{ruleset} does not describe how a game begins", ruleset=ruleset.id))
        self.opening: Opening = ruleset.opening
        self._game = facts.catalogue.game
        self.cards, self.known = _count_main_deck(facts)
        self.size = self.cards.total()
        self._life = facts.leader.life if facts.leader else None
        self.hand = self.opening.hand.cards or 0
        if self.size < self.hand:
            raise OddsError(
                "deck",
                phrase("a first hand has {hand} cards and this deck only {size}", hand=self.hand, size=self.size),
            )
        self._typed = {named: copies for named, copies in self.cards.items() if self.may_redraw_for(named)}
        don = next((rule for rule in ruleset.rules.values() if isinstance(rule, DonDeck)), None)
        self._most_energy = don.required_size(facts.leader).size if don else None

    def find(self, written: str | NamedCard, key: str) -> list[NamedCard]:
        """Return the cards of the main deck with a number, or with a name on one of their faces.

        A NamedCard is returned as it is, unchecked. Raises OddsError if there are none. `key` is the argument that the
        error names.
        """
        if isinstance(written, NamedCard):
            return [written]
        number, name = normal(written, self._game)[0], fold_text(written)
        found = [named for named in self.cards if number == named.number or name in self._folded_names(named)]
        if not written.strip() or not found:
            raise OddsError(
                key, phrase("{card!r} is not in the deck; name its cards by number or by name", card=written[:60])
            )
        return found

    def _folded_names(self, named_card: NamedCard) -> set[str]:
        """Return the names of both faces of a card, normalised by `fold_text`.

        An unknown card has only its written name.
        """
        card = self.known.get(named_card)
        return {fold_text(name) for name in (named_card.name, card and card.name, card and card.back_name) if name}

    def copies(self, wish: Wish, key: str = "wishes") -> int:
        """Return the number of cards in the main deck that a wish is for.

        Raises OddsError for the argument `key` if a number or name is not in the deck. A NamedCard that is not counts
        as 0.
        """
        return sum(self.cards[named] for named in self._find_wished(wish, key))

    def _find_wished(self, wish: Wish, key: str = "wishes") -> set[NamedCard]:
        """Return the deck's cards that a wish names. A NamedCard is not checked.

        Raises OddsError for the argument `key` if a number or name is not in the deck.
        """
        return {named for written in wish.cards for named in self.find(written, key)}

    def may_redraw_for(self, card: NamedCard) -> bool:
        """Return True if a card has the type that decides if a hand may be redrawn. False for unknown cards."""
        redraw = self.opening.redraw
        return bool(redraw and redraw.type and card in self.known and self.known[card].type == redraw.type)

    def draws(self, turn: int, first: bool) -> int:
        """Return the number of cards drawn up to and including a turn, at most the rest of the deck.

        `first` is True for the player who goes first. 0 for turn 0, and if the draws of the game are unknown. Raises
        OddsError if the turn is not from 0 to MOST_TURNS.
        """
        _check_range("turn", turn, 0, MOST_TURNS)
        draw = self.opening.draw
        return min(draw.total_by_turn(turn, first), self.size - self.hand) if turn and draw else 0

    def seen(self, wishes: Sequence[Wish], turn: int = 0, first: bool = True, redraw: bool = True) -> Chance:
        """Return the chance to have seen the cards of all wishes by a turn. Turn 0 is only the first hand.

        `first` is True for the player who goes first. With `redraw` False the first hand is kept. Raises OddsError for
        a turn out of range, too many or impossible wishes, and cards that are not in the deck.
        """
        _check_range("wishes", len(wishes), 1, MOST_WISHES)
        later, opening = self.draws(turn, first), self.opening
        rules: tuple[Fact, ...] = (opening.hand, opening.draw) if turn and opening.draw else (opening.hand,)
        unknown = () if opening.draw else (NO_DRAWS,)
        for wish in wishes:
            _check_range("wishes", wish.least, 1, MOST_LEAST)
        pool = _Pool(self._count_parts([self._find_wished(wish) for wish in wishes]), wishes, opening.redraw)
        if not redraw or opening.redraw is None:
            dealt = chance(pool.merged, self.hand + later, pool.is_as_wished)
            return Chance(dealt, (*unknown, NO_REDRAW, NO_EFFECTS), rules)
        how = FirstHand(self.hand, opening.redraw.times, opening.redraw.whole, pool.may_redraw)
        leaves_out = (BEST_REDRAW, NOT_THEIRS, NO_EFFECTS) if opening.redraw.type else (BEST_REDRAW, NO_EFFECTS)
        found = how.chance(pool.counts, pool.is_as_wished, later, pool.within)
        return Chance(found, (*unknown, *leaves_out), (*rules, opening.redraw))

    def _count_parts(self, groups: Sequence[Collection[NamedCard]]) -> Counter[_Part]:
        """Return the number of cards in each part of the main deck. The part without wished cards comes last.

        The key is `(wished, typed)`: for each of the `groups` True if its cards are in the part, and True if they have
        the type that decides on a redraw.
        """
        parts: Counter[_Part] = Counter()
        wished_cards = {named for group in groups for named in group}
        for named in wished_cards:
            parts[tuple(named in group for group in groups), named in self._typed] += self.cards[named]
        others = (False,) * len(groups)
        parts[others, True] += sum(copies for named, copies in self._typed.items() if named not in wished_cards)
        parts[others, False] += self.size - parts.total()
        return parts

    def search(self, look: int, targets: Wish | int, searcher: str | None = None) -> SearchOdds:
        """Return the odds to find a card among the `look` top cards of the deck.

        `targets` are the wished cards or their number. A card named as `searcher` has left the deck. Raises OddsError
        for numbers out of range, and for cards that are not in the deck.
        """
        _check_range("look", look, 1, MOST_LOOKED_AT)
        own = self.find(searcher, "searcher") if searcher is not None else []
        of = self.size - bool(own)
        if isinstance(targets, Wish):
            wished = self._find_wished(targets, "targets")
            targets = self.copies(targets, "targets") - bool(wished.intersection(own))
        _check_range("targets", targets, 0, of)
        _check_range("look", look, 1, of)
        enough = bisect_left(range(of), ENOUGH, key=lambda target_count: 1 - at_most(0, target_count, of, look))
        answer = Chance(1 - at_most(0, targets, of, look), (NO_KNOWLEDGE, NO_EFFECTS))
        return SearchOdds(look, targets, of, answer, enough)

    def life(self, given: int | None = None) -> int | None:
        """Return the number of Life cards: `given`, else that of the rules, else that of the Leader.

        None if none of them has it. Raises OddsError if `given` is set in a game without Life cards, and if the number
        is below 1, or above MOST_LIFE or the cards in the deck.
        """
        life_rule = self.opening.life
        if life_rule is None:
            if given is not None:
                raise OddsError("life", phrase("this game has no Life cards; leave life out"))
            return None
        found = next((number for number in (given, life_rule.cards, self._life) if number is not None), None)
        if found is not None:
            _check_range("life", found, 1, min(MOST_LIFE, self.size))
        return found

    def among_life(self, wish: Wish, life: int) -> list[Chance]:
        """Return the chances that exactly none, one, two and so on of the wished cards are among `life` Life cards.

        The index in the list is the number of cards. The list ends with the smaller of `life` and the wished copies.
        `least` of the wish is ignored, and `life` is not checked. Raises OddsError for cards that are not in the deck.
        """
        wanted = self.copies(wish)
        rules = (self.opening.life,) if self.opening.life else ()
        leaves_out = (NO_KNOWLEDGE, NO_REDRAW, NO_EFFECTS)
        each = (exactly(found_copies, wanted, self.size, life) for found_copies in range(min(wanted, life) + 1))
        return [Chance(chance_of_count, leaves_out, rules) for chance_of_count in each]

    def without_cost(self) -> int:
        """Return the number of cards in the main deck without a known cost, unknown cards included."""
        return sum(copies for named, copies in self.cards.items() if self._cost_of(named) is None)

    def _cost_of(self, card: NamedCard) -> int | None:
        """Return the cost of a card.

        None if it has none, if the cost is unknown, or if the catalogue lacks the card.
        """
        return self.known[card].cost if card in self.known else None

    def curve(self, turns: int, first: bool) -> Iterator[OnCurve]:
        """Yield the first `turns` turns of the player who goes first or second, with their chances.

        The energy is at most the size of the DON!! deck. Nothing if the game has no energy to pay with. Raises
        OddsError at the first step if `turns` is not from 1 to MOST_TURNS.
        """
        _check_range("turn", turns, 1, MOST_TURNS)
        energy = self.opening.energy
        for turn in range(1, turns + 1 if energy else 1):
            if energy is None:
                return
            most = energy.total_by_turn(turn, first)
            paid = most if self._most_energy is None else min(most, self._most_energy)
            seen = self.hand + self.draws(turn, first)
            exact, playable = (self._chance_of_costs(costs, seen) for costs in (range(paid, paid + 1), range(paid + 1)))
            yield OnCurve(turn, first, seen, paid, exact, playable)

    def _chance_of_costs(self, costs: range, card_count: int) -> Chance:
        """Return the chance that at least one of `card_count` cards of the main deck has a cost in this range."""
        wanted = sum(copies for named, copies in self.cards.items() if self._cost_of(named) in costs)
        opening = self.opening
        rules = tuple(fact for fact in (opening.hand, opening.draw, opening.energy) if fact)
        leaves_out = (NO_REDRAW, COSTS_ALONE, NO_EFFECTS)
        return Chance(1 - at_most(0, wanted, self.size, card_count), leaves_out, rules)


def _count_main_deck(facts: DeckFacts) -> tuple[Counter[NamedCard], dict[NamedCard, Card]]:
    """Return `(copies, known)` of the main deck: the copies of each card, and the catalogue's card for each known one.

    The keys have no count. Unknown cards have only their normalised number or name. Lines of the same card are added
    up.
    """
    cards: Counter[NamedCard] = Counter()
    known = {}
    for line, card in facts.resolved_lines["main"]:
        named = NamedCard.from_card(card) if card else NamedCard(*unknown_card_key(line, facts.catalogue.game))
        cards[named] += line.count
        if card:
            known[named] = card
    return cards, known


def _check_range(key: str, number: int, least: int, most: int) -> None:
    """Raise OddsError for the argument `key` if a number is not from `least` to `most`, both included."""
    if not least <= number <= most:
        raise OddsError(
            key,
            phrase(
                "{name} is {number}; it must be from {least} to {most}", name=key, number=number, least=least, most=most
            ),
        )
