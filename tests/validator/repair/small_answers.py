"""Recorded answers to small decks: the changes of each finding, all repairs, and a repair with a pinned card.

`python -m tests.validator.repair.small_answers` writes `small_answers.txt`. Its diff shows each changed answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.validator.repair.small import draw_deck
from validator import Deck, Judge
from validator.findings import Finding, FixChange, NamedCard
from validator.repair import Addition, Changes, Repair, repair

RECORD = Path(__file__).with_suffix(".txt")
SEEDS = range(80)


def read_record() -> dict[int, list[str]]:
    """Return the recorded lines of each seed."""
    blocks = RECORD.read_text("utf-8").strip().split("\n\n")
    return {int(block.split(":")[0].split()[1]): block.splitlines() for block in blocks}


def describe_answers(seed: int) -> Iterator[str]:
    """Yield the lines of one seed: its game, its deck, the verdict with all changes, and the repairs."""
    judge, deck = draw_deck(seed)
    policy = judge.terms.policy
    choices = {"side_max": policy.side_max, "copies_across_side": policy.copies_across_side}
    chosen = [f"{name} {value}" for name, value in choices.items() if value is not None]
    yield f"Deck {seed}: {', '.join([judge.terms.ruleset.id, judge.terms.format, *chosen])}"
    yield from _describe_deck(deck)
    for finding in judge(deck).findings:
        yield f"{_describe_finding(finding)}: {_join(map(_describe_fix, finding.changes))}"
    yield from _describe_repair(repair(judge, deck))
    yield from _describe_pinned(judge, deck)


def _describe_deck(deck: Deck) -> Iterator[str]:
    """Yield one line for each section."""
    for section, lines in deck.used():
        yield f"{section}: {', '.join(f'{line.count} {line.number or line.name}' for line in lines)}"


def _describe_finding(finding: Finding) -> str:
    """Return the code, the section and the cards of a finding."""
    return f"{finding.code} in {finding.section}, {_name_cards(finding.cards) or 'no card'}"


def _describe_fix(change: FixChange) -> str:
    """Return the copies, the cards and the sections of a change."""
    places = [f"from {change.origin}" * bool(change.origin), f"to {change.target}" * bool(change.target)]
    return " ".join(filter(None, [str(change.count), _name_cards(change.cards) or "cards", *places]))


def _describe_repair(answer: Repair) -> Iterator[str]:
    """Yield the number of changes, the least number for each finding, each repair, and each other Leader."""
    yield f"Repair: {answer.changes} changes, at least {answer.bound}"
    for bound in answer.bounds:
        yield f"  at least {bound.least} by {_describe_finding(bound.finding)}"
    for changes in answer.repairs:
        yield f"  {_describe_changes(changes)}"
    for other in answer.leaders:
        cards = ", ".join(card.number for card in other.leaders)
        yield f"  {other.changes} under {cards}{' at least' * other.minimal}: {_describe_changes(other.repair)}"


def _describe_pinned(judge: Judge, deck: Deck) -> Iterator[str]:
    """Yield the repair that keeps the first card of the first finding with cards, if that is in the deck."""
    pins = [card.number or card.name for finding in judge(deck).found for card in finding.cards]
    if pins:
        answer = repair(judge, deck, pins[:1])
        ways = map(_describe_changes, answer.repairs[:1])
        yield f"With {pins[0]}: {answer.changes} changes, at least {answer.bound}: {_join(ways)}"


def _describe_changes(changes: Changes) -> str:
    """Return one set of changes, each with the code of the finding that requires the change."""
    parts = [f"remove {_name_cards([one.card])} from {one.section}{_cite(one.because)}" for one in changes.out]
    parts += [
        f"move {_name_cards([one.card])} from {one.origin} to {one.target}{_cite(one.because)}" for one in changes.moved
    ]
    return _join([*parts, *map(_describe_addition, changes.put_in)])


def _describe_addition(addition: Addition) -> str:
    """Return the number of cards to add, with the facts they need and the cards that are suggested."""
    fits = [f"{name} {'/'.join(values)}" for name, values in addition.fits.items()]
    offers = {"such as": addition.cards, "own": addition.own, "again": addition.again}
    shown = [f"{word} {_name_cards(cards)}" for word, cards in offers.items() if cards]
    return f"add {addition.count} to {addition.section}{_cite(addition.because)} [{', '.join([*fits, *shown])}]"


def _cite(finding: Finding | None) -> str:
    """Return the code of a finding in brackets, "" without one."""
    return f" ({finding.code})" if finding else ""


def _name_cards(cards: Iterable[NamedCard]) -> str:
    """Return the copies and the number of each card, or the name of a card without a number."""
    return ", ".join(" ".join(filter(None, [str(card.count or ""), card.number or card.name])) for card in cards)


def _join(parts: Iterable[str]) -> str:
    """Return the parts in one line, "nothing" if there are none."""
    return "; ".join(parts) or "nothing"


if __name__ == "__main__":
    RECORD.write_text("\n\n".join("\n".join(describe_answers(seed)) for seed in SEEDS) + "\n", "utf-8")
