"""Block rotation: the cards that are legal in a format on the day."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import AT_MOST, Code, Finding, NamedCard
from validator.language import Language
from validator.limits import LastLegal, Rotation
from validator.rules.base import PLAYED, Rule, Scope


@lru_cache(maxsize=1 << 10)  # all cards of a block have the same sentence
def _describe_legality(until: str | None, treated_as: str | None, formats: tuple[str, ...], translate: Language) -> str:
    """Return a sentence: " Legal until DAY and in FORMAT." `until` is the last legal day, `formats` are other formats.

    "" if there is neither. `treated_as` is the block that an official exception gave the card until then. The result is
    cached.
    """
    parts = [translate("until {day}", day=until)] if until else []
    if until and treated_as:
        parts = [translate("until {day} as a card of block {block} by official exception", day=until, block=treated_as)]
    parts += [translate("in {format}", format=words.format_name(format, translate)) for format in formats]
    return translate(" Legal {places}.", places=words.join_with_and(parts, translate)) if parts else ""


ROTATED = Code(
    "block.rotated",
    "The format does not take the card's block on the day.",
    lambda f, translate: words.by_card_count(
        "{cards} is of block {block}, but the {format} format allows the blocks {allowed}.{elsewhere}",
        "{count} cards are of block {block}, but the {format} format allows the blocks {allowed}: {cards}.{elsewhere}",
        f,
        translate,
        block=f.details["block"],
        format=words.format_name(f.details["format"], translate),
        allowed=words.join_with_and(f.details["allowed"], translate),
        elsewhere=_describe_legality(
            f.details["until"], f.details["treated_as"], tuple(f.details["formats"]), translate
        ),
    ),
    words.fix_text,
    {
        "block": (str, "The card's block."),
        "format": (str, "The format."),
        "allowed": (list, "The blocks that the format takes on the day."),
        "until": (str, "The last day on which the format took the card, ISO; null if it never did."),
        "treated_as": (str, "The block that an official exception gave the card to that day; null without one."),
        "formats": (list, "The formats that take the card on the day."),
    },
    together=("block", "until", "treated_as"),
    asks=AT_MOST,
)


@dataclass(frozen=True)
class Blocks(Rule):
    """The rule that the block of each card is legal in the format on the day. `allowed` are the legal blocks.

    `rotation` decides on the block of a card: by an official exception, by its set, or by the printed block.
    """

    format: str
    day: date
    allowed: Collection[str]
    rotation: Rotation = field(repr=False)

    codes: ClassVar[tuple[Code, ...]] = (ROTATED,)

    def _illegal_block(self, card: Card) -> str | None:
        """Return the card's block if it is not legal in the format, else None. A card without a block is legal."""
        block = self.rotation.block_of(card.number, card.block, self.day)
        return None if block is None or block in self.allowed else block

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card whose block is not legal in the format."""
        allowed = tuple(sorted(self.allowed))
        return Scope(PLAYED, listed=self._illegal_block, fit=lambda leader: {"blocks": allowed})

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each card whose block is not legal in the format, with all its copies.

        The DON!! and resource decks are not checked.
        """
        allowed, entry = tuple(sorted(self.allowed)), self.rotation.entry(self.day)
        takers = tuple(name for name in self.rotation.formats if self.rotation.legal_blocks(name, self.day) is None)
        details: dict[tuple[object, ...], Mapping[str, object]] = {}  # mostly all rotated cards are of one block
        for card, copies in facts.count_over(PLAYED).items():
            if block := self._illegal_block(card):
                last = self.rotation.last_legal(card.number, block, self.day)
                if (block, *last) not in details:
                    details[block, *last] = self._details(block, last, allowed, takers)
                yield Finding(
                    ROTATED,
                    self.cite,
                    facts.first_section(card),
                    cards=(NamedCard.from_card(card, copies),),
                    count=copies,
                    limit=0,
                    limits=entry,
                    details=details[block, *last],
                )

    def _details(
        self, block: str, last: LastLegal, allowed: tuple[str, ...], takers: tuple[str, ...]
    ) -> Mapping[str, object]:
        """Return the details of the findings on a block. `last` is the last day on which the block was legal.

        `allowed` are the legal blocks, `takers` the formats without rotation. Cards of one block share the details.
        """
        until = last.day.isoformat() if last.day else None
        known = {"block": block, "format": self.format, "allowed": allowed, "until": until}
        return {**known, "treated_as": last.treated_as, "formats": takers}
