"""The limits list in force on the day: cards banned, cards restricted, pairs banned, and an organiser's card pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import SECTIONS, DeckFacts
from validator.findings import AT_MOST, NOT_ALL, WARNING, Citation, Code, Finding, NamedCard
from validator.language import Language
from validator.limits import Binding
from validator.limits.lists import CardPool
from validator.rules.base import PLAYED, Rule, Scope


def _describe_start(finding: Finding, translate: Language) -> str:
    """Return the end of a sentence on an entry's first day: " since DAY". "" if the finding has no entry.

    If the day is unknown, it is " since DAY at the latest", or for a warning a text with both possible days.
    """
    entry = finding.limits
    if entry is None:
        return ""
    if _may_be_in_force(finding):
        return translate(
            " (the first day is not known, but between {not_before} and {no_later_than})",
            not_before=entry.not_before,
            no_later_than=entry.no_later_than,
        )
    if entry.effective_from:
        return translate(" since {day}", day=entry.effective_from)
    return translate(" since {day} at the latest", day=entry.no_later_than)


def _may_be_in_force(finding: Finding) -> bool:
    """Return True if a finding's entry may not be in force yet, because its first day is not known."""
    return finding.limits is not None and finding.severity == WARNING


def _with_exception(text: str, finding: Finding, translate: Language) -> str:
    """Return a sentence about an entry, followed by the sentence on decks that are exempt from it.

    The sentence is unchanged if the finding's detail `spared` is empty.
    """
    spared = finding.details["spared"]
    return f"{text} {translate.template(spared)}" if spared else text


def _with_doubt(message: Callable[[Finding, Language], str]) -> Callable[[Finding, Language], str]:
    """Return a message maker that adds a sentence to `message` if the source of the list entry is not certain."""

    def message_with_source(finding: Finding, translate: Language) -> str:
        """Return the message, with a sentence on the source if the entry is not certain."""
        text, entry = message(finding, translate), finding.limits
        if entry is None or entry.is_certain:
            return text
        return translate("{text} The source of this entry is not certain: {source}.", text=text, source=entry.source)

    return message_with_source


def _banned_message(finding: Finding, translate: Language) -> str:
    """Return the sentence on a banned card, or on one that may already be banned."""
    card, since = words.card_text(finding, translate), _describe_start(finding, translate)
    if _may_be_in_force(finding):
        return translate("{card} may already be banned{since}.", card=card, since=since)
    return translate("{card} is banned{since}.", card=card, since=since)


def _restricted_message(finding: Finding, translate: Language) -> str:
    """Return the sentence on a card with more copies than its restriction allows, or may allow already.

    If the restriction is surely in force, a sentence on exempt decks may follow.
    """
    values = {
        "copies": words.copies_text(finding.count, translate),
        "card": words.card_text(finding, translate),
        "places": words.section_counts_text(finding.details["sections"], translate),
        "limit": finding.limit,
        "since": _describe_start(finding, translate),
    }
    if _may_be_in_force(finding):
        return translate(
            "{copies} of {card}{places}, but the card may already be restricted to {limit}{since}.", **values
        )
    return _with_exception(
        translate("{copies} of {card}{places}, but the card is restricted to {limit}{since}.", **values),
        finding,
        translate,
    )


def _pair_message(finding: Finding, translate: Language) -> str:
    """Return the sentence on cards that may not be in one deck together, or may already be banned from one deck.

    If the ban is surely in force, sentences on the group of the cards and on exempt decks may follow.
    """
    cards, since = (
        words.join_with_and([card.label for card in finding.cards], translate),
        _describe_start(finding, translate),
    )
    if _may_be_in_force(finding):
        return translate("{cards} may already be banned from one deck{since}.", cards=cards, since=since)
    sentence = translate("{cards} may not be in one deck{since}.", cards=cards, since=since)
    if group := finding.details["group"]:
        sentence = translate("{told} Each is {group}.", told=sentence, group=translate.template(group))
    return _with_exception(sentence, finding, translate)


_EXCEPTION_DETAILS: Mapping[str, tuple[type, str]] = {"spared": (str, "Which deck may be played all the same.")}
_COPIES_DETAILS: Mapping[str, tuple[type, str]] = {
    "sections": (dict, "How many copies stand in each section."),
    **_EXCEPTION_DETAILS,
}
BANNED = Code(
    "card.banned",
    "The official list bans this card on the day.",
    _with_doubt(_banned_message),
    words.fix_text,
    _COPIES_DETAILS,
    asks=AT_MOST,
)
RESTRICTED = Code(
    "card.restricted",
    "The official list allows fewer copies of this card on the day.",
    _with_doubt(_restricted_message),
    words.fix_text,
    _COPIES_DETAILS,
    asks=AT_MOST,
)
PAIR_BANNED = Code(
    "pair.banned",
    "The official list bans these two cards from one deck.",
    _with_doubt(_pair_message),
    words.fix_text,
    {"group": (str, "What both cards are, where that bars them."), **_EXCEPTION_DETAILS},
    asks=NOT_ALL,
)


@dataclass(frozen=True)
class Listed(Rule):
    """The rule on the copy limits of single cards on the official list. Printings of one number are counted together.

    `singles` has the entries by card number.
    """

    singles: Mapping[str, Binding] = field(repr=False)

    codes: ClassVar[tuple[Code, ...]] = (BANNED, RESTRICTED)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card on the list.

        As many copies as a card's limit are never wrong.
        """
        return Scope(PLAYED, listed=self._limit_and_severity, limit=lambda card: self.singles[card.number].limit)

    def _limit_and_severity(self, card: Card) -> tuple[int, str] | None:
        """Return a card's copy limit (0: banned) and the severity of its finding. None if the card is not listed."""
        found = self.singles.get(card.number)
        return (found.limit, found.severity) if found else None

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each card over its limit: `card.banned` for the limit 0, else `card.restricted`.

        It has the severity of the list entry. Copies in leader section, main deck, side deck and Z-Deck are added up.
        """
        held = [cards for section in PLAYED if (cards := facts.counts.get(section))]
        for card in dict.fromkeys([card for cards in held for card in cards if card.number in self.singles]):
            limit, sections = self.singles[card.number], facts.copies_by_section(card, PLAYED)
            copies = sum(sections.values())
            if copies <= limit.limit:
                continue
            yield Finding(
                RESTRICTED if limit.limit else BANNED,
                Citation(limit.change.document or self.cite.document, limit.section),
                next(iter(sections)),  # in the order of SECTIONS
                limit.severity,
                cards=(NamedCard.from_card(card, copies),),
                count=copies,
                limit=limit.limit,
                limits=limit.entry,
                details={"sections": sections, "spared": limit.spared or None},
            )


@dataclass(frozen=True)
class Pairs(Rule):
    """The rule that a deck has at most one card of each banned pair of the official list.

    The Leader, the side deck and the Z-Deck are part of the deck.
    """

    pairs: tuple[Binding, ...] = field(repr=False)

    codes: ClassVar[tuple[Code, ...]] = (PAIR_BANNED,)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card of a banned pair."""
        return Scope(PLAYED, listed=lambda card: self._pairs_by_number.get(card.number))

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each banned pair of which the deck has both cards. It has the severity of the pair."""
        numbers = self._pairs_by_number
        found = {
            card.number: card for section in PLAYED for card in facts.counts.get(section, ()) if card.number in numbers
        }
        if len(found) < 2:
            return
        for pair in self.pairs:
            both = [found[number] for number in pair.numbers if number in found]
            if len(both) == 2:
                yield Finding(
                    PAIR_BANNED,
                    Citation(pair.change.document or self.cite.document, pair.section),
                    min(map(facts.first_section, both), key=SECTIONS.index),
                    pair.severity,
                    cards=tuple(
                        NamedCard.from_card(card, sum(facts.copies_by_section(card, PLAYED).values())) for card in both
                    ),
                    limits=pair.entry,
                    details={"group": pair.group or None, "spared": pair.spared or None},
                )

    @cached_property
    def _pairs_by_number(self) -> Mapping[str, list[tuple[tuple[str, ...], str]]]:
        """The banned pairs by the number of each of their cards.

        A pair is its numbers and the severity of a finding.
        """
        found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for pair in self.pairs:
            for number in pair.numbers:
                found.setdefault(number, []).append((pair.numbers, pair.severity))
        return found


_MOST_NAMED_SETS = 8


def _describe_pool(finding: Finding, translate: Language) -> str:
    """Return the sets and the number of single cards that the pool allows: "OP01 and OP02; 3 single cards".

    Of more than 8 sets, there is only the number. An empty part is left out.
    """
    sets, cards = finding.details["sets"], finding.details["cards"]
    parts = []
    if len(sets) > _MOST_NAMED_SETS:
        parts.append(translate.plural("{count} set", "{count} sets", len(sets)))
    elif sets:
        parts.append(words.join_with_and(sets, translate))
    if cards:
        parts.append(translate.plural("{count} single card", "{count} single cards", cards))
    return "; ".join(parts)


NOT_IN_POOL = Code(
    "card.not_in_pool",
    "The organiser's list allows only certain sets or cards, and this card is not among them.",
    lambda f, translate: words.by_card_count(
        "{cards} is not in the card pool ({pool}).",
        "{count} cards are not in the card pool ({pool}): {cards}.",
        f,
        translate,
        pool=_describe_pool(f, translate),
    ),
    words.fix_text,
    {
        "sets": (list, "The sets of the pool: the part of their card numbers before the dash."),
        "cards": (int, "How many single cards the pool has besides these sets."),
    },
    together=("cards",),
    asks=AT_MOST,
)


@dataclass(frozen=True)
class InPool(Rule):
    """The rule that each card is in the card pool.

    The DON!! and resource decks are not checked.
    """

    pool: CardPool = field(repr=False)

    codes: ClassVar[tuple[Code, ...]] = (NOT_IN_POOL,)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card outside the pool.

        The DON!! and resource decks are not checked.
        """
        return Scope(PLAYED, listed=self._foreign_set, fit=lambda leader: {"pool": (self.cite.document,)})

    def _foreign_set(self, card: Card) -> str | None:
        """Return the set code in the number of a card outside the pool, None for a card of the pool.

        A printing in the pool is enough.
        """
        return None if self.pool.has_card(card.number, card.printings) else card.number.partition("-")[0]

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each card outside the pool, with all its copies.

        DON!! and resource decks are not checked.
        """
        details = {"sets": self.pool.sets, "cards": len(self.pool.cards)}
        for card, copies in facts.count_over(PLAYED).items():
            if self._foreign_set(card) is not None:
                yield Finding(
                    NOT_IN_POOL,
                    self.cite,
                    facts.first_section(card),
                    cards=(NamedCard.from_card(card, copies),),
                    count=copies,
                    limit=0,
                    limits=self.pool.entry,
                    details=details,
                )
