"""Swapping between games: is the deck afterwards still legal, and still made of the same cards?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import replace

from validator.deck import Deck
from validator.deck import DeckFacts
from validator.deck import meant
from validator.findings import ERROR
from validator.findings import Citation
from validator.findings import Copies
from validator.findings import Finding
from validator.judge import Judge
from validator.judge import Verdict
from validator.judge import order

# Cards change places between these sections only; the Leader and the DON!! deck stay as they are.
_PLACES = ({"leader"}, {"main", "side", "z"})
_DON = {"don"}


def swapped(judge: Judge, before: Deck, after: Deck) -> Verdict:
    """Return the verdict on a deck after swapping, with what the swap itself did wrong.

    Nobody knows whether a card was there before that stood in a line nobody could read.
    """
    verdict = judge(after)
    was = judge(before)
    found = [*_unread(was), *_changes(_citation(judge), was.facts, verdict.facts)]
    return Verdict(judge, verdict.facts, sorted([*verdict.findings, *found], key=order))


def _unread(before: Verdict) -> Iterator[Finding]:
    """Yield the lines before swapping that may be cards and could not be read."""
    for finding in before.findings:
        if finding.code == "line.unread" and finding.severity == ERROR:
            text, reason = finding.detail
            yield replace(finding, detail=(text, f"in the list before swapping, {reason}"))


def _citation(judge: Judge) -> Citation:
    """Where the game says what a swap may change; without a side deck, that there is none."""
    ruleset = judge.terms.ruleset
    return ruleset.swap or ruleset.rules["sections"].cite


def _changes(cite: Citation, was: DeckFacts, now: DeckFacts) -> Iterator[Finding]:
    missing: Counter[Copies] = Counter()
    new: Counter[Copies] = Counter()
    # Nobody writes out ten DON!! cards: who leaves them out brings the right ones.
    for places in (*_PLACES, _DON) if was.sizes["don"] and now.sizes["don"] else _PLACES:
        held, holds = _cards(was, places), _cards(now, places)
        missing += held - holds
        new += holds - held
    if missing or new:
        cards = tuple(_counted(missing | new))
        detail = tuple(_told("missing", missing)) + tuple(_told("new", new))
        count = missing.total() + new.total()
        yield Finding("swap.cards_changed", cite, "main", cards=cards, count=count, limit=0, detail=detail)
    if was.sizes["side"] != now.sizes["side"]:
        size = was.sizes["side"]
        yield Finding("swap.side_size", cite, "side", count=now.sizes["side"], limit=size, minimum=size)


def _cards(facts: DeckFacts, sections: Iterable[str]) -> Counter[Copies]:
    """The copies of each card, known or not, over several sections."""
    held: Counter[Copies] = Counter()
    for section in sections:
        for line, card in facts.understood[section]:
            held[Copies.of(card) if card else Copies(*meant(line, facts.catalogue.game))] += line.count
    return held


def _counted(cards: Counter[Copies]) -> list[Copies]:
    """The cards with their counts, by number."""
    counted = (Copies(card.number, card.name, count) for card, count in cards.items())
    return sorted(counted, key=lambda card: (card.number, card.name))


def _told(what: str, cards: Counter[Copies]) -> Iterator[str]:
    if cards:
        yield f"{what} " + ", ".join(f"{card.count}x {card.label}" for card in _counted(cards))
