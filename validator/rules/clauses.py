"""What the cards' own texts say of the deck: cards barred, groups limited, texts not understood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar
from typing import NamedTuple

from validator import words
from validator.cards import Card
from validator.cards import Clause
from validator.deck import DeckFacts
from validator.findings import ADVICE
from validator.findings import WARNING
from validator.findings import Citation
from validator.findings import Code
from validator.findings import Copies
from validator.findings import Finding
from validator.matching import Profile
from validator.matching import holds
from validator.matching import matches
from validator.matching import profile
from validator.rules import facts as known
from validator.rules.base import Rule

_SPEAKER: dict[str, tuple[type, str]] = {
    "by": (str, "The number of the card whose text it is; its name where cards have no numbers."),
    "text": (str, "What the text says."),
}
FORBIDDEN = Code(
    "effect.forbidden",
    "A card's text bars this card from the deck.",
    lambda f: f"{words.card(f)} may not be in this deck: {f.rule.document} says “{f.rule.section}”",
    words.remove,
    _SPEAKER,
    together=True,
)
EXCEEDED = Code(
    "effect.exceeded",
    "A card's text limits a group of cards, and there are more of them.",
    lambda f: (
        f"{words.cards(f.count)} where {f.rule.document} allows {f.limit}: {words.listed(f.cards)}. "
        f"It says “{f.rule.section}”"
    ),
    lambda f: f"Remove {words.cards(f.over)} of this group.",
    _SPEAKER,
)
UNREAD = Code(
    "clause.unread",
    "The card's text says something of construction that could not be read.",
    lambda f: f"{words.card(f)} says something of deck construction that could not be read: “{f.rule.section}”",
    lambda f: "Ask a judge whether the deck obeys this text.",
    _SPEAKER,
)
SIDE_BARRED = Code(
    "advice.side_barred",
    "The Leader's text bars cards of the side deck from the deck: they cannot be swapped in.",
    lambda f: (
        f"{words.cards(f.count)} of the side deck cannot be swapped into the deck: {words.listed(f.cards)}. "
        f"{f.rule.document} says “{f.rule.section}”"
    ),
    lambda f: "Leave them in the side deck, or put others there.",
    _SPEAKER,
)


class _Meant(NamedTuple):
    """The cards that a clause speaks of, and those of which nobody knows."""

    surely: list[tuple[Card, int]]
    perhaps: list[tuple[Card, int]]


def gained(card: Card, leader: Card | None, reaching: tuple[Clause, ...] = ()) -> tuple[Clause, ...]:
    """Return the clauses that add something to a card: its own, and those of others that reach it.

    A condition on the Leader is known during construction and is applied (dbs 6-1-5-2-2).
    """
    own = [
        clause
        for clause in card.construction
        if clause.kind in ("alias", "keyword") and clause.match is None and holds(clause, leader)
    ]
    bare = profile(card, own)
    return (*own, *(clause for clause in reaching if clause.match and matches(clause.match, bare)))


@dataclass(frozen=True)
class Clauses(Rule):
    """What card texts bar or limit: the Leader's text, and that of every card in these sections."""

    sections: tuple[str, ...]

    codes: ClassVar[tuple[Code, ...]] = (FORBIDDEN, EXCEEDED, UNREAD, SIDE_BARRED, known.UNKNOWN)
    asked_by: ClassVar[frozenset[str] | None] = frozenset()

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card that speaks of others, or one that the Leader's text speaks of."""
        # What the Leader bars or limits concerns the cards meant, not the Leader.
        speaking = ("unread", "alias") if section == "leader" else ("unread", "alias", "forbid", "pool")
        if any(clause.kind in speaking and (clause.match or clause.kind == "unread") for clause in card.construction):
            return True
        if section == "leader":
            return any(clause.when for clause in card.construction) and bool(card.unknown)
        spoken_of = [clause for clause in leader.construction if clause.kind in ("forbid", "pool")] if leader else []
        if not spoken_of:
            return False
        meant = profile(card, gained(card, leader))
        return any(
            clause.section in (section, "main" if section == "side" else "")
            and matches(clause.match or {}, meant) is not False
            for clause in spoken_of
        )

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each card barred, each clause exceeded, each text not understood."""
        speakers = self._speakers(facts)
        spoken = [(card, clause) for card in speakers for clause in card.construction if holds(clause, facts.leader)]
        reaching = tuple(clause for _, clause in spoken if clause.kind == "alias" and clause.match)
        barred: set[Card] = set()
        for card, clause in spoken:
            if clause.kind == "unread":
                yield _unread(card, clause, facts)
            elif clause.kind == "forbid":
                yield from _forbidden(card, clause, self._meant(clause.section, clause, facts, reaching), barred)
                if card is facts.leader and clause.section == "main":
                    yield from _side_barred(card, clause, self._meant("side", clause, facts, reaching))
            elif clause.kind == "pool":
                yield from _exceeded(card, clause, self._meant(clause.section, clause, facts, reaching))
        yield from self._conditions_unknown(speakers, facts)

    def _speakers(self, facts: DeckFacts) -> list[Card]:
        """The cards whose texts hold: the one rightful Leader first, then the deck's."""
        cards = [facts.leader] if facts.leader else []
        for section in self.sections:
            cards += [card for card, _ in facts.placed(section) if card.construction and card not in cards]
        return cards

    def _meant(self, section: str, clause: Clause, facts: DeckFacts, reaching: tuple[Clause, ...]) -> _Meant:
        """Return the cards of a section that the clause speaks of; misplaced cards are left out."""
        found = _Meant([], [])
        for card, copies in facts.placed(section) if section in facts.counts else ():
            meant = matches(clause.match or {}, self._seen(card, facts, reaching))
            if meant is not False:
                (found.perhaps if meant is None else found.surely).append((card, copies))
        return found

    def _seen(self, card: Card, facts: DeckFacts, reaching: tuple[Clause, ...]) -> Profile:
        return profile(card, gained(card, facts.leader, reaching))

    def _conditions_unknown(self, speakers: list[Card], facts: DeckFacts) -> Iterator[Finding]:
        """Yield the Leader whose unknown facts a condition of some text asks for."""
        leader = facts.leader
        for card in speakers if leader and leader.unknown else ():
            for clause in card.construction:
                if leader and holds(clause, leader) is None:
                    yield known.unknown(leader, "leader", _cite(card, clause))


def _cite(card: Card, clause: Clause) -> Citation:
    return Citation(card.label, clause.text)


def _said(card: Card, clause: Clause) -> dict[str, str]:
    return {"by": card.number or card.name, "text": clause.text}


def _unread(card: Card, clause: Clause, facts: DeckFacts) -> Finding:
    cards = (Copies.of(card),)
    return Finding(UNREAD, _cite(card, clause), facts.where(card), WARNING, cards=cards, details=_said(card, clause))


def _forbidden(speaker: Card, clause: Clause, meant: _Meant, barred: set[Card]) -> Iterator[Finding]:
    for card, copies in meant.surely:
        if card not in barred:
            barred.add(card)
            yield Finding(
                FORBIDDEN,
                _cite(speaker, clause),
                clause.section,
                cards=(Copies.of(card, copies),),
                count=copies,
                limit=0,
                details=_said(speaker, clause),
            )
    for card, _ in meant.perhaps:
        yield known.unknown(card, clause.section, _cite(speaker, clause))


def _side_barred(speaker: Card, clause: Clause, meant: _Meant) -> Iterator[Finding]:
    if meant.surely:
        yield Finding(
            SIDE_BARRED,
            _cite(speaker, clause),
            "side",
            ADVICE,
            cards=Copies.listed(meant.surely),
            count=sum(copies for _, copies in meant.surely),
            details=_said(speaker, clause),
        )


def _exceeded(speaker: Card, clause: Clause, meant: _Meant) -> Iterator[Finding]:
    if clause.limit is None:
        return
    total = sum(copies for _, copies in meant.surely)
    if total > clause.limit:
        yield Finding(
            EXCEEDED,
            _cite(speaker, clause),
            clause.section,
            cards=Copies.listed(meant.surely),
            count=total,
            limit=clause.limit,
            details=_said(speaker, clause),
        )
    elif total + sum(copies for _, copies in meant.perhaps) > clause.limit:
        for card, _ in meant.perhaps:
            yield known.unknown(card, clause.section, _cite(speaker, clause))
