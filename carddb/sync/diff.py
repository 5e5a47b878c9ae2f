"""Differences between two sets of cards of one game, by card and by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from carddb.serialization import to_cell
from carddb.sources.printings import card_key
from validator.cards import Card
from validator.language import phrase
from validator.matching import fold_text
from validator.words import field_label

# Fields that identify a card, that are compared in another way, or that follow from other fields.
_NOT_COMPARED = frozenset({"game", "number", "construction", "unknown"})
_FIELDS = tuple(field.name for field in fields(Card) if field.name not in _NOT_COMPARED)


class FieldChange(NamedTuple):
    """The change of one field of a card: its old and new value. `field` is the name of a field of Card.

    A change of `construction` is about one deck-building clause, as a dict. `old` is None for a new clause, `new` for a
    removed one.
    """

    field: str
    old: Any
    new: Any


class CardChange(NamedTuple):
    """A card that both lists have: as it was in the old one, as it is in the new one, and the differences.

    `facts` are the changed fields other than `construction`. `construction` are the removed, then the added
    deck-building clauses. A changed clause is one of each. At least one of both is not empty.
    """

    old: Card
    new: Card
    facts: tuple[FieldChange, ...]
    construction: tuple[FieldChange, ...]


class Diff(NamedTuple):
    """The cards that were added, removed and changed, between an old and a new list of one game.

    `removed` is in the order of the old list, the others in that of the new one. A Diff without any is False.
    """

    added: tuple[Card, ...]
    removed: tuple[Card, ...]
    changed: tuple[CardChange, ...]

    def __bool__(self) -> bool:
        """Return True if any card was added, removed or changed."""
        return bool(self.added or self.removed or self.changed)


def compare_cards(old: Iterable[Card], new: Iterable[Card]) -> Diff:
    """Return the differences of two card lists of one game.

    Cards are matched by number, or by name if the game requires it. Numbers, unknown facts and the order of printings
    are not compared.
    """
    before = {card_key(card): card for card in old}
    after = {card_key(card): card for card in new}
    both = [
        CardChange(before[key], card, *_compare_facts(before[key], card))
        for key, card in after.items()
        if key in before
    ]
    changed = tuple(change for change in both if change.facts or change.construction)
    return Diff(_cards_missing_in(after, before), _cards_missing_in(before, after), changed)


def _cards_missing_in(cards: Mapping[str, Card], catalogue: Mapping[str, Card]) -> tuple[Card, ...]:
    """Return the cards whose keys are not keys of `catalogue`, in their order.

    Both are cards by `printings.card_key`.
    """
    return tuple(card for key, card in cards.items() if key not in catalogue)


def _compare_facts(old: Card, new: Card) -> tuple[tuple[FieldChange, ...], tuple[FieldChange, ...]]:
    """Return `(facts, clauses)`: the changed facts, and the removed and then the added deck-building clauses."""
    facts = (FieldChange(name, getattr(old, name), getattr(new, name)) for name in _FIELDS)
    before, after = ([clause.as_dict() for clause in card.construction] for card in (old, new))
    removed = (FieldChange("construction", clause, None) for clause in before if clause not in after)
    added = (FieldChange("construction", None, clause) for clause in after if clause not in before)
    return tuple(filter(_is_real_change, facts)), (*removed, *added)


def _is_real_change(change: FieldChange) -> bool:
    """Return True if the old and new value differ. The order of printings does not count."""
    # Printings are in the order of the packs that have them, in which a source may list them otherwise.
    if change.field == "printings":
        return set(change.old) != set(change.new)
    return bool(change.old != change.new)


# What two sources of one game cannot both be right about.
_IDENTITY = ("name", "back_name", "type", "colors")


def find_conflicts(differences: Diff) -> Iterator[str]:
    """Yield a sentence for each name, name of the back, type or colours of a card that differ between two sources.

    `differences` are those of the two sources. A value that one source lacks is no conflict. Case, width and kinds of
    quotes are ignored in texts.
    """
    for card_change in differences.changed:
        for change in card_change.facts:
            if change.field in _IDENTITY and change.old and change.new and not _is_same_name(change):
                yield phrase(
                    "{card}: {field} was {old}, is {new}.",
                    card=card_change.new.label,
                    field=field_label(change.field),
                    old=to_cell(change.old),
                    new=to_cell(change.new),
                )


def _is_same_name(change: FieldChange) -> bool:
    """Return True if both values of a field are texts that are equal without case, width and kinds of quotes."""
    return (
        isinstance(change.old, str) and isinstance(change.new, str) and fold_text(change.old) == fold_text(change.new)
    )


def as_dict(differences: Diff) -> dict[str, Any]:
    """Return the differences as a dict for JSON: lists of `added`, `removed` and `changed` cards.

    Each card has its number and name, a changed one those of the new list. A changed one also has `changes`: dicts of
    `field`, `old` and `new` value. A new or removed clause has the field "construction", and None as old or new value.
    """
    return {
        "added": [_card_json(card) for card in differences.added],
        "removed": [_card_json(card) for card in differences.removed],
        "changed": [
            _card_json(card_change.new)
            | {"changes": [change._asdict() for change in (*card_change.facts, *card_change.construction)]}
            for card_change in differences.changed
        ],
    }


def _card_json(card: Card) -> dict[str, str]:
    """Return a dict with the number and the name of a card, for JSON."""
    return {"number": card.number, "name": card.name}
