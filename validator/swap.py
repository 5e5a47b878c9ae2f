"""Swapping between games: is the deck afterwards still legal, and still made of the same cards?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from validator import words
from validator.deck import UNLISTED, Deck, DeckFacts, meant
from validator.findings import ERROR, WARNING, Citation, Code, Finding, NamedCard
from validator.judge import Judge, Verdict, order
from validator.language import Language, phrase
from validator.unresolved import Suggestions

_CHANGED: dict[str, tuple[type, str]] = {
    "missing": (list, "The cards that were there before, with their counts."),
    "new": (list, "The cards that were not."),
}


def _changed(finding: Finding, say: Language) -> str:
    missing, new = (
        words.row([f"{card['count']}x {card['number']} {card['name']}".strip() for card in finding.details[what]], say)
        for what in ("missing", "new")
    )
    told = [say("missing {cards}", cards=missing)] if missing else []
    told += [say("new {cards}", cards=new)] if new else []
    return say("After swapping the deck is not made of the same cards: {told}.", told="; ".join(told))


def _size(finding: Finding, say: Language) -> str:
    cards = words.cards(finding.count, say)
    return say("The side deck has {cards} after swapping; it had {limit}.", cards=cards, limit=finding.limit)


def _size_fix(finding: Finding, say: Language) -> str:
    if finding.severity == WARNING:
        return say("Ask the organiser whether cards are swapped one for one.")
    return say("Swap so that the side deck has {cards} again.", cards=words.cards(finding.limit, say))


CARDS_CHANGED = Code(
    "swap.cards_changed",
    "After swapping, main and side deck together are not the same cards.",
    _changed,
    lambda f, say: say("Only change the places of cards between deck and side deck."),
    _CHANGED,
)
SIDE_SIZE = Code(
    "swap.side_size",
    "After swapping, the side deck has not as many cards as before.",
    _size,
    _size_fix,
)
CODES = (CARDS_CHANGED, SIDE_SIZE)

# Cards change places between these sections only; all else stays as it is.
_PLACES = ({"leader"}, {"main", "side", "z"})


def swapped(judge: Judge, before: Deck, after: Deck) -> Verdict:
    """Return the verdict on a deck after swapping, with what the swap itself did wrong.

    Nobody knows whether a card was there before that stood in a line nobody could read.
    """
    verdict = judge(after)
    was = judge(before, Suggestions(0))  # nobody asks what may have been meant
    found = [*_unread(was), *_changes(judge, was.facts, verdict.facts), *_sizes(judge, was.facts, verdict.facts)]
    return Verdict(judge, verdict.facts, sorted([*verdict.found, *found], key=order))


def _unread(before: Verdict) -> Iterator[Finding]:
    """Yield the lines before swapping that may be cards and could not be read."""
    for finding in before.found:
        if finding.code == "list.several":
            yield finding
        if finding.code == "line.unread" and finding.severity == ERROR:
            reason = phrase("in the list before swapping, {reason}", reason=finding.details["reason"])
            yield replace(finding, details={**finding.details, "reason": reason})


def _citation(judge: Judge) -> Citation:
    """Where the game says what a swap may change; without a side deck, that there is none."""
    ruleset = judge.terms.ruleset
    return ruleset.swap.cite if ruleset.swap else ruleset.rules["sections"].cite


def _sizes(judge: Judge, was: DeckFacts, now: DeckFacts) -> Iterator[Finding]:
    """Yield a finding when the side deck has another size: wrong by the rules or the policy, else worth a word."""
    before, after = was.sizes["side"], now.sizes["side"]
    if before == after:
        return
    cite, swap = _citation(judge), judge.terms.ruleset.swap
    one_for_one = swap is None or swap.one_for_one
    if judge.terms.policy.swap_one_for_one and not one_for_one:
        one_for_one, cite = True, Citation("Tournament policy of this event", "swap_one_for_one")
    severity = ERROR if one_for_one else WARNING
    yield Finding(SIDE_SIZE, cite, "side", severity, count=after, limit=before, minimum=before)


def _changes(judge: Judge, was: DeckFacts, now: DeckFacts) -> Iterator[Finding]:
    missing: Counter[NamedCard] = Counter()
    new: Counter[NamedCard] = Counter()
    # Who leaves an unlisted deck out brings the right one.
    both = ({section} for section in sorted(UNLISTED) if was.sizes[section] and now.sizes[section])
    for places in (*_PLACES, *both):
        held, holds = cards_held(was, places), cards_held(now, places)
        missing += held - holds
        new += holds - held
    if missing or new:
        cite = _citation(judge)
        cards = tuple(counted(missing | new))
        details = {"missing": _listed(missing), "new": _listed(new)}
        count = missing.total() + new.total()
        yield Finding(CARDS_CHANGED, cite, "main", cards=cards, count=count, limit=0, details=details)


def cards_held(facts: DeckFacts, sections: Iterable[str]) -> Counter[NamedCard]:
    """Return the copies of each card, known or not, over several sections."""
    held: Counter[NamedCard] = Counter()
    for section in sections:
        for line, card in facts.understood[section]:
            held[NamedCard.of(card) if card else NamedCard(*meant(line, facts.catalogue.game))] += line.count
    return held


def counted(cards: Counter[NamedCard]) -> list[NamedCard]:
    """Return the cards with their counts, by number."""
    with_counts = (NamedCard(card.number, card.name, count) for card, count in cards.items())
    return sorted(with_counts, key=lambda card: (card.number, card.name))


def _listed(cards: Counter[NamedCard]) -> tuple[Mapping[str, Any], ...]:
    return tuple(card.as_dict() for card in counted(cards))
