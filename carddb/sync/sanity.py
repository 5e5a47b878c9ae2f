"""Sanity: checks of the cards of a sync against the current cards of the game.

An official list grows and is corrected. If a list shrinks, or its cards lose facts, the site has more likely changed
its pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import fields

from carddb.errors import first_numbers
from carddb.sources.printed_facts import find_unknown_words
from validator.cards import Card
from validator.games import GAMES
from validator.language import phrase, plural_phrase
from validator.limits import shipped_lists
from validator.limits.rotations import ANY_BLOCK
from validator.words import field_label

MOST_LOST = 0.02  # of all cards
MOST_LOST_OF_A_SET = 0.1
MOST_EMPTIED = 0.1  # of the cards that had a fact,
MOST_CORRECTED = 3  # or as few as an erratum may take it from
MOST_ODD = 0.1  # of the cards of one type
_SISTER_WORDS = 12  # words with which sisters begin
_DIGIT = re.compile(r"[0-9]")

# Fields that every card has, and fields that a list may leave out again.
_NOT_CHECKED = frozenset({"game", "number", "name", "type", "cost", "unknown"})
_FACTS = tuple(field.name for field in fields(Card) if field.name not in _NOT_CHECKED)


def find_doubts(game: str, cards: Sequence[Card], before: Sequence[Card] = ()) -> list[str]:
    """Return a sentence for each problem that keeps the cards of a sync from being used. Empty if there is none.

    `before`: the current cards of the game, empty before its first import. Problems are missing names and types,
    unknown types, colours and blocks, missing backs, and losses against `before`.
    """
    return [
        *_check_required_fields(cards),
        *_check_words(game, cards),
        *_check_backs(game, cards),
        *_check_losses(cards, before),
    ]


def find_fact_warnings(game: str, cards: Sequence[Card]) -> list[str]:
    """Return a sentence for each doubtful fact of single cards. The cards are used all the same."""
    return [
        *_check_unknown_facts(cards),
        *_check_cost_colors(cards),
        *_check_power(cards),
        *_check_type_of_sisters(game, cards),
    ]


def _check_unknown_facts(cards: Iterable[Card]) -> Iterator[str]:
    """Yield a warning for each fact (colours, cost) that is marked as unknown for some cards. It counts these cards."""
    cards = list(cards)
    if without := [card.number for card in cards if "colors" in card.unknown]:
        yield plural_phrase(
            "Of {count} card the colours are not known: {numbers}.",
            "Of {count} cards the colours are not known: {numbers}.",
            len(without),
            numbers=first_numbers(without),
        )
    if without := [card.number for card in cards if "cost" in card.unknown]:
        yield plural_phrase(
            "Of {count} card the cost is not known: {numbers}.",
            "Of {count} cards the cost is not known: {numbers}.",
            len(without),
            numbers=first_numbers(without),
        )


def _check_cost_colors(cards: Iterable[Card]) -> Iterator[str]:
    """Yield a warning for each card whose printed cost has a colour that the card does not have.

    Cards without known colours are left out.
    """
    for card in cards:
        paid = GAMES[card.game].cost_colors(card.cost_text or "")
        if card.colors and not set(paid) <= set(card.colors):
            yield phrase(
                "{card} is {colors} and costs {cost}, which is {paid}.",
                card=card.label,
                colors="/".join(card.colors),
                cost=card.cost_text,
                paid="/".join(paid),
            )


def _check_power(cards: Iterable[Card]) -> Iterator[str]:
    """Yield a warning for each card type of which some cards, but at most a tenth (MOST_ODD), have no power.

    The type of those cards may be wrong.
    """
    for kind, group in _group_by(cards, lambda card: card.type).items():
        without = [card.number for card in group if card.power is None]
        if 0 < len(without) <= MOST_ODD * len(group):
            yield plural_phrase(
                "Other {type} cards have power, {count} card has none: {numbers}.",
                "Other {type} cards have power, {count} cards have none: {numbers}.",
                len(without),
                type=kind,
                numbers=first_numbers(without),
            )


def _check_type_of_sisters(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield a warning for each card whose type differs from that of all its sisters, which have one type.

    Sisters have the same set, cost, power and beginning of the text (see `_sister_key`). There must be two or more
    others.
    """
    sisters = _group_by(cards, lambda card: _sister_key(game, card))
    sisters.pop(None, None)
    for group in sisters.values():
        by_type = sorted(_group_by(group, lambda card: card.type).values(), key=len)
        if len(group) > 2 and [len(same) for same in by_type] == [1, len(group) - 1]:
            [odd], others = by_type
            numbers = first_numbers([card.number for card in others])
            yield phrase(
                "{card} is of type {type}, its sisters {numbers} are of type {other}.",
                card=odd.label,
                type=odd.type,
                numbers=numbers,
                other=others[0].type,
            )


def _group_by(cards: Iterable[Card], key: Callable[[Card], Hashable]) -> dict[Hashable, list[Card]]:
    """Return the cards in lists, by their result of `key`. The order stays."""
    groups: dict[Hashable, list[Card]] = {}
    for card in cards:
        groups.setdefault(key(card), []).append(card)
    return groups


def _sister_key(game: str, card: Card) -> Hashable:
    """Return the key of sisters: set, cost, power, and the first 12 words of the text.

    Words with a digit and names of colours are not counted. None if the text has fewer words.
    """
    words = [word for word in card.text.split() if word.title() not in GAMES[game].colors and not _DIGIT.search(word)]
    return (card.set, card.cost, card.power, *words[:_SISTER_WORDS]) if len(words) >= _SISTER_WORDS else None


def _check_required_fields(cards: Sequence[Card]) -> Iterator[str]:
    """Yield a sentence for each required field (name, type) that is empty in some cards.

    It has the number of these cards, and the first of their numbers.
    """
    if without := [card.number for card in cards if not card.name]:
        yield plural_phrase(
            "{count} card has no name: {numbers}.",
            "{count} cards have no name: {numbers}.",
            len(without),
            numbers=first_numbers(without),
        )
    if without := [card.number for card in cards if not card.type]:
        yield plural_phrase(
            "{count} card has no type: {numbers}.",
            "{count} cards have no type: {numbers}.",
            len(without),
            numbers=first_numbers(without),
        )


def _check_words(game: str, cards: Sequence[Card]) -> Iterator[str]:
    """Yield a sentence for each type, colour and block of these cards that the game does not have.

    Blocks are checked only if the game has a rotation.
    """
    yield from find_unknown_words(game, cards)
    if shipped_lists(game).rotation:
        yield from _check_blocks(game, cards)


def _check_blocks(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each block of these cards that no set in the list of sets has.

    Cards without a block, and those with the mark of every block (ANY_BLOCK), are left out.
    """
    known = {ANY_BLOCK, *(card_set.block for card_set in shipped_lists(game).sets.by_code.values())}
    unknown = (card for card in cards if card.block and card.block not in known)
    for block, group in _group_by(unknown, lambda card: card.block).items():
        numbers = first_numbers([card.number for card in group])
        yield phrase("Block {block!r} is not known: {numbers}.", block=str(block)[:20], numbers=numbers)


def _check_backs(game: str, cards: Sequence[Card]) -> Iterator[str]:
    """Yield a sentence for each two-faced card type if more than a tenth (MOST_EMPTIED) of its cards have no back."""
    for kind in sorted(GAMES[game].two_faced):
        two_faced = [card for card in cards if card.type == kind]
        one_faced = [card.number for card in two_faced if not card.back_name]
        if len(one_faced) > MOST_EMPTIED * len(two_faced):
            yield phrase(
                "{count} of {total} {type}s have no back: {numbers}.",
                count=len(one_faced),
                total=len(two_faced),
                type=kind,
                numbers=first_numbers(one_faced),
            )


def _check_losses(cards: Sequence[Card], before: Sequence[Card]) -> Iterator[str]:
    """Yield a sentence for each too large loss against `before`: of cards, printings, a set, or a fact.

    Nothing if `before` is empty. Facts with another value are no loss. The bounds are the shares MOST_LOST,
    MOST_LOST_OF_A_SET and MOST_EMPTIED. Up to MOST_CORRECTED cards may always lose a fact.
    """
    if len(cards) < len(before) * (1 - MOST_LOST):
        now = {card.number for card in cards}
        gone = [card.number for card in before if card.number not in now]
        yield phrase(
            "There are {count:,} cards where there were {before:,}; missing are {numbers}.",
            count=len(cards),
            before=len(before),
            numbers=first_numbers(gone),
        )
    yield from _check_lost_printings(cards, before)
    yield from _check_lost_sets(cards, before)
    yield from _check_emptied_facts(cards, before)


def _check_lost_printings(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence if there are fewer printings than before by more than MOST_LOST, but not none at all.

    A pack of reprints has only printings to lose.
    """
    printings = {printing for card in cards for printing in card.printings}
    printings_before = {printing for card in before for printing in card.printings}
    if printings and len(printings) < len(printings_before) * (1 - MOST_LOST):
        lost = first_numbers(sorted(printings_before - printings))
        yield phrase(
            "There are {count:,} printings where there were {before:,}; missing are {numbers}.",
            count=len(printings),
            before=len(printings_before),
            numbers=lost,
        )


def _check_lost_sets(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each set that is missing, or that has lost more than a tenth of its cards.

    The set of a card is the part of its number before the dash.
    """
    now, then = (Counter(card.number.partition("-")[0] for card in some) for some in (cards, before))
    for code, count in sorted(then.items()):
        if not now[code]:
            yield plural_phrase(
                "Set {code} has vanished; it had {count} card.",
                "Set {code} has vanished; it had {count} cards.",
                count,
                code=code,
            )
        elif now[code] < count * (1 - MOST_LOST_OF_A_SET):
            yield plural_phrase(
                "Set {code} has {count} card where it had {before}.",
                "Set {code} has {count} cards where it had {before}.",
                now[code],
                code=code,
                before=count,
            )


def _check_emptied_facts(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each field that too many cards had before and do not have now.

    Too many are more than MOST_CORRECTED and more than a tenth of the cards that had it. Cards are matched by number.
    """
    now = {card.number: card for card in cards}
    both = [(card, now[card.number]) for card in before if card.number in now]
    for fact in _FACTS:
        had = [new for old, new in both if getattr(old, fact)]
        without = [card.number for card in had if not getattr(card, fact)]
        if len(without) > max(MOST_CORRECTED, MOST_EMPTIED * len(had)):
            yield phrase(
                "{count} of {total} cards have lost their {field}: {numbers}.",
                count=len(without),
                total=len(had),
                field=field_label(fact),
                numbers=first_numbers(without),
            )
