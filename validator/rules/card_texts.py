"""Rules in the cards' own texts: forbidden cards, limits of groups of cards, and texts that could not be parsed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from validator import paraphrase, words
from validator.cards import Card, Clause
from validator.deck import SECTIONS, DeckFacts
from validator.findings import ADVICE, AT_MOST, WARNING, Code, Finding, NamedCard
from validator.language import Language
from validator.matching import holds, matches, profile
from validator.rules.base import UNKNOWN_FACTS, Rule, Scope, unknown_facts_finding

_SPEAKER: dict[str, tuple[type, str]] = {
    "by": (str, "The number of the card whose text it is; its name where cards have no numbers."),
    "text": (str, "What the text says; what it does where the catalogue has the card without its text."),
}


def _quote(f: Finding, translate: Language) -> str:
    """Return a sentence with the card text behind a finding: "The text of CARD is “TEXT”".

    If the catalogue lacks the text, it is the paraphrase in the citation.
    """
    if _is_quoted(f):
        return translate("The text of {document} is “{text}”", document=f.rule.document, text=f.rule.section)
    return translate("{text}.", text=translate.text(f.rule.section))


def _quote_after_name(f: Finding, translate: Language) -> str:
    """Return "Its text is “TEXT”" for the text behind a finding, to follow a sentence that names the card.

    If the catalogue lacks the text, it is the paraphrase in the citation.
    """
    return translate("Its text is “{text}”", text=f.rule.section) if _is_quoted(f) else _quote(f, translate)


def _unread_message(f: Finding, translate: Language) -> str:
    """Return the sentence on a text that could not be parsed, with the quoted text if there is one."""
    if _is_quoted(f):
        return translate(
            "{card} has a deck building text that could not be read: “{text}”",
            card=words.card_text(f, translate),
            text=f.rule.section,
        )
    return translate("{card} has a deck building text that could not be read.", card=words.card_text(f, translate))


def _is_quoted(f: Finding) -> bool:
    """Return True if a finding's citation quotes the text in its details, so that it is no paraphrase."""
    return bool(f.rule.section == f.details["text"])


FORBIDDEN = Code(
    "effect.forbidden",
    "A card's text bars this card from the deck, or its own text allows it only in specified events.",
    lambda f, translate: translate(
        "{card} may not be in this deck: {why}", card=words.card_text(f, translate), why=_quote(f, translate)
    ),
    words.fix_text,
    _SPEAKER,
    together=(),
    asks=AT_MOST,
)
EXCEEDED = Code(
    "effect.exceeded",
    "A card's text limits a group of cards, and there are more of them.",
    lambda f, translate: translate(
        "{cards}, but {document} allows {limit}: {listed}. {why}",
        cards=words.cards_text(f.count, translate),
        document=f.rule.document,
        limit=f.limit,
        listed=words.list_cards(f.cards, translate),
        why=_quote_after_name(f, translate),
    ),
    words.fix_text,
    _SPEAKER,
    asks=AT_MOST,
)
UNREAD = Code(
    "clause.unread",
    "The card's text says something of construction that could not be read.",
    _unread_message,
    lambda f, translate: translate("Ask a judge whether the deck obeys this text."),
    _SPEAKER,
)
SIDE_BARRED = Code(
    "advice.side_barred",
    "The Leader's text bars cards of the side deck from the deck: they cannot be swapped in.",
    lambda f, translate: translate(
        "{cards} of the side deck cannot be swapped into the deck: {listed}. {why}",
        cards=words.cards_text(f.count, translate),
        listed=words.list_cards(f.cards, translate),
        why=_quote(f, translate),
    ),
    lambda f, translate: translate("Leave these cards in the side deck, or choose other cards for the side deck."),
    _SPEAKER,
)


class _Affected(NamedTuple):
    """The cards that a clause affects surely, and those for which an unknown fact decides. Each card has its copies."""

    surely: list[tuple[Card, int]]
    perhaps: list[tuple[Card, int]]

    @property
    def copies(self) -> int:
        """The number of cards that are affected for certain."""
        return sum(copies for _, copies in self.surely)


def gained_clauses(card: Card, leader: Card | None, reaching: tuple[Clause, ...] = ()) -> tuple[Clause, ...]:
    """Return the clauses that add names or keywords to a card: its own about itself, and those of `reaching` about it.

    `reaching` are clauses of any cards about other cards, whose conditions are not tested. The conditions of the card's
    own clauses must surely be met by the Leader, because they count during construction (dbs 6-1-5-2-2).
    """
    own = [
        clause
        for clause in card.construction
        if clause.kind in ("alias", "keyword") and clause.match is None and holds(clause, leader)
    ]
    bare = profile(card, own)
    return (*own, *(clause for clause in reaching if clause.match and matches(clause.match, bare)))


@dataclass(frozen=True)
class CardTexts(Rule):
    """The rule that card texts are obeyed: the Leader's text, and the texts of all cards in these sections.

    Only texts about deck construction count.
    """

    sections: tuple[str, ...]

    codes: ClassVar[tuple[Code, ...]] = (FORBIDDEN, EXCEEDED, UNREAD, SIDE_BARRED, UNKNOWN_FACTS)

    def scope(self) -> Scope:
        """Return the scope of the rule: cards whose text is about others, and those that the Leader's text is about."""
        return Scope(cards=self._is_concerned)

    def _is_concerned(self, card: Card, section: str, leader: Card | None) -> bool:
        """Return True if a card in a section can cause a finding by its own text, or by the text of the Leader.

        In the leader section, clauses that forbid or limit other cards do not count, because the finding is at those
        cards.
        """
        if section == "leader":
            # What the Leader forbids or limits is found at the affected cards, not at the Leader.
            return _has_clause_about_others(card, ("alias",)) or any(
                clause.kind in ("event_only", "unseen") or (card.unknown and clause.when)
                for clause in card.construction
            )
        return _has_clause_about_others(card, ("alias", "forbid", "pool")) or (
            leader is not None and _is_affected_by_leader(card, section, leader)
        )

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each forbidden card and each exceeded limit, and a warning for each text not parsed.

        A card that its own text allows only in certain events is forbidden. Yield advice on side deck cards that the
        Leader forbids in the main deck. Yield a warning if an unknown fact decides, or if nobody has read the Leader's
        text.
        """
        speakers = self._speakers(facts)
        spoken = _clauses_in_force(speakers, facts.leader)
        reaching = _naming_clauses(spoken)
        yield from (_unread_finding(card, clause, facts) for card, clause in spoken if clause.kind == "unread")
        barred: set[Card] = set()
        if facts.leader and facts.leader.unseen:
            yield unknown_facts_finding(facts.leader, "leader", self.cite, ("text",))
        for card, clause in spoken:
            if clause.kind == "event_only":
                own = _Affected([(card, facts.count_over(SECTIONS)[card])], [])
                yield from _forbidden_findings(card, clause, own, barred, facts.first_section(card))
            elif clause.kind == "pool":
                yield from _exceeded_findings(card, clause, _affected_cards(clause.section, clause, facts, reaching))
            elif clause.kind == "forbid":
                yield from _forbidden_findings(
                    card, clause, _affected_cards(clause.section, clause, facts, reaching), barred, clause.section
                )
                if card is facts.leader and clause.section == "main":
                    yield from _side_barred_findings(card, clause, _affected_cards("side", clause, facts, reaching))
        yield from _conditions_unknown(speakers, facts)

    def _speakers(self, facts: DeckFacts) -> list[Card]:
        """Return the cards whose texts are in force: the Leader, if there is one, then cards of the rule's sections.

        Of these sections only cards with clauses count, and each card once. Cards of a type that does not fit their
        section are left out.
        """
        cards = [facts.leader] if facts.leader else []
        for section in self.sections:
            cards += [card for card, _ in facts.fitting_cards(section) if card.construction and card not in cards]
        return cards


def _naming_clauses(clauses: list[tuple[Card, Clause]]) -> tuple[Clause, ...]:
    """Return the `alias` clauses that add names or other facts to other cards. They have a match for these cards."""
    return tuple(clause for _, clause in clauses if clause.kind == "alias" and clause.match)


def _clauses_in_force(speakers: list[Card], leader: Card | None) -> list[tuple[Card, Clause]]:
    """Return `(card, clause)` for the clauses of these cards whose condition on the Leader is met.

    Unsure ones are left out.
    """
    return [(card, clause) for card in speakers for clause in card.construction if holds(clause, leader)]


def _has_clause_about_others(card: Card, kinds: tuple[str, ...]) -> bool:
    """Return True if a card has a clause of one of these kinds about other cards.

    Also True if its text is for certain events only, or could not be parsed.
    """
    return any(
        clause.kind in ("unread", "event_only") or (clause.match and clause.kind in kinds)
        for clause in card.construction
    )


def _is_affected_by_leader(card: Card, section: str, leader: Card) -> bool:
    """Return True if the Leader's text forbids or limits a card in a section, or may do so.

    Clauses on the main deck count for the side deck, too. Their conditions are ignored.
    """
    places = (section, "main" if section == "side" else section)
    clauses = [
        clause for clause in leader.construction if clause.kind in ("forbid", "pool") and clause.section in places
    ]
    if not clauses:
        return False
    meant = profile(card, gained_clauses(card, leader))
    return any(matches(clause.match or {}, meant) is not False for clause in clauses)


def _affected_cards(section: str, clause: Clause, facts: DeckFacts, reaching: tuple[Clause, ...]) -> _Affected:
    """Return the cards of a section that the clause's match fits, for certain or perhaps, with the facts they gain.

    The section of the clause is ignored, and so are cards in a wrong section. `reaching` are clauses that add names to
    other cards.
    """
    meant = _Affected([], [])
    for card, copies in facts.fitting_cards(section) if section in facts.counts else ():
        answer = matches(clause.match or {}, profile(card, gained_clauses(card, facts.leader, reaching)))
        if answer is not False:
            (meant.perhaps if answer is None else meant.surely).append((card, copies))
    return meant


def _conditions_unknown(speakers: list[Card], facts: DeckFacts) -> Iterator[Finding]:
    """Yield a warning for each clause whose condition on the Leader needs one of the Leader's unknown facts.

    The warning names the Leader and cites the clause. `speakers` are the cards with the clauses.
    """
    leader = facts.leader
    if leader is None or not leader.unknown:
        return
    for card in speakers:
        for clause in card.construction:
            if holds(clause, leader) is None:
                yield unknown_facts_finding(leader, "leader", paraphrase.cite(card, clause))


def _details(card: Card, clause: Clause) -> dict[str, str]:
    """Return the details of a finding: `by`, the number (or name) of the card with the text, and its `text`.

    Without a printed text it is a paraphrase.
    """
    return {"by": card.number or card.name, "text": paraphrase.clause_text(clause)}


def _unread_finding(card: Card, clause: Clause, facts: DeckFacts) -> Finding:
    """Return the warning about a card's clause that could not be parsed."""
    named = (NamedCard.from_card(card),)
    where = facts.first_section(card)
    return Finding(UNREAD, paraphrase.cite(card, clause), where, WARNING, cards=named, details=_details(card, clause))


def _forbidden_findings(
    speaker: Card, clause: Clause, affected: _Affected, barred: set[Card], section: str
) -> Iterator[Finding]:
    """Yield an error for each card that a clause surely forbids.

    Yield a warning for each one with a deciding unknown fact. Cards in `barred` already have an error and get no other
    error. New ones are added to `barred`. `speaker` is the card with the clause. `section` is that of the errors, the
    warnings have the clause's.
    """
    for card, copies in affected.surely:
        if card not in barred:
            barred.add(card)
            yield Finding(
                FORBIDDEN,
                paraphrase.cite(speaker, clause),
                section,
                cards=(NamedCard.from_card(card, copies),),
                count=copies,
                limit=0,
                details=_details(speaker, clause),
            )
    yield from _unknown_facts_findings(speaker, clause, affected)


def _unknown_facts_findings(speaker: Card, clause: Clause, affected: _Affected) -> Iterator[Finding]:
    """Yield a warning for each card that a clause may affect, depending on an unknown fact.

    `speaker` has the clause.
    """
    return (
        unknown_facts_finding(card, clause.section, paraphrase.cite(speaker, clause)) for card, _ in affected.perhaps
    )


def _side_barred_findings(speaker: Card, clause: Clause, affected: _Affected) -> Iterator[Finding]:
    """Yield one piece of advice on the side deck cards in `affected`, which a clause forbids in the main deck.

    `speaker` is the card with the clause. Cards with deciding unknown facts are ignored.
    """
    if affected.surely:
        yield _group_finding(SIDE_BARRED, speaker, clause, affected, section="side", severity=ADVICE)


def _exceeded_findings(speaker: Card, clause: Clause, affected: _Affected) -> Iterator[Finding]:
    """Yield an error if more cards are affected for certain than the limit of a clause allows. None is no limit.

    If only unknown facts decide, yield a warning for each card with such facts. `speaker` is the card with the clause.
    """
    if clause.limit is None:
        return
    if affected.copies > clause.limit:
        yield _group_finding(EXCEEDED, speaker, clause, affected, section=clause.section, limit=clause.limit)
    elif affected.copies + sum(copies for _, copies in affected.perhaps) > clause.limit:
        yield from _unknown_facts_findings(speaker, clause, affected)


def _group_finding(kind: Code, speaker: Card, clause: Clause, affected: _Affected, **more: Any) -> Finding:
    """Return a finding on all surely affected cards together, with their number.

    `more` are further fields of the finding. `speaker` is the card with the clause.
    """
    cards, details = NamedCard.from_counts(affected.surely), _details(speaker, clause)
    return Finding(kind, paraphrase.cite(speaker, clause), cards=cards, count=affected.copies, details=details, **more)
