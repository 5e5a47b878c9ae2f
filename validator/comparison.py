"""Comparison of two decks: the cards with other copies, by section.

The command `compare` and the endpoint `/v1/decklists/compare` use it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from validator.arguments import check_catalogue, check_deck
from validator.cards import Card, Catalogue
from validator.deck import SECTIONS, Deck, DeckLine, resolve, unknown_card_key
from validator.findings import NamedCard


class CardChange(NamedTuple):
    """A card with the copies of it in one section of both decks, 0 if it is not there. The two counts differ.

    `card` has no count of its own. For a card that the catalogue lacks, it has the number and name as written.
    """

    section: str
    card: NamedCard
    before: int
    after: int


def compare_decks(before: Deck, after: Deck, catalogue: Catalogue) -> list[CardChange]:
    """Return the cards whose copies differ between two decks, by section, then by number and name.

    Different spellings and printings of a card are the same card. Cards that the catalogue does not have are compared
    by number, or by name. Lines that could not be read are in `Deck.unread` of each deck, and are not compared. Raises
    TypeError if an argument is not a deck or not a catalogue.
    """
    check_deck("before", before)
    check_deck("after", after)
    check_catalogue(catalogue)
    changes: list[CardChange] = []
    for section in SECTIONS:
        copies, copies_after = (_count_section_copies(deck.section(section), catalogue) for deck in (before, after))
        cards = sorted({**copies_after.cards, **copies.cards}.items(), key=lambda item: (item[1].number, item[1].name))
        changes += [
            CardChange(section, card, copies.counts[key], copies_after.counts[key])
            for key, card in cards
            if copies.counts[key] != copies_after.counts[key]
        ]
    return changes


class _Copies(NamedTuple):
    """The copies of each card of one section, and the cards by the same keys.

    The key of a known card is `(number, name)`. For an unknown one it is the result of `unknown_card_key`.
    """

    counts: Counter[tuple[str, str]]
    cards: dict[tuple[str, str], NamedCard]


def _count_section_copies(lines: Iterable[DeckLine], catalogue: Catalogue) -> _Copies:
    """Return the copies of each card of one section's lines, and the cards. Lines of the same card are added up.

    A line without a known card, or with a name of several cards, is counted by its written number or name.
    """
    copies = _Copies(Counter(), {})
    for line in lines:
        found = resolve(line, catalogue)
        if isinstance(found, Card):
            key, card = (found.number, found.name), NamedCard.from_card(found)
        else:
            key, card = unknown_card_key(line, catalogue.game), NamedCard(line.number or "", line.name or "")
        copies.counts[key] += line.count
        copies.cards.setdefault(key, card)
    return copies
