"""Swapping between games: checks that the deck is still legal, and still has the same cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from validator import words
from validator.arguments import check_deck, check_type
from validator.deck import UNLISTED, Deck, DeckFacts, unknown_card_key
from validator.findings import ERROR, WARNING, Citation, Code, CopiesJSON, Finding, NamedCard
from validator.judge import Judge, Verdict, finding_sort_key
from validator.language import Language, phrase
from validator.rules.base import POLICY_DOCUMENT
from validator.unresolved import Suggestions

_CHANGED_DETAILS: dict[str, tuple[type, str]] = {
    "missing": (list, "The cards that were there before, with their counts."),
    "new": (list, "The cards that were not."),
}


def _cards_changed_message(finding: Finding, translate: Language) -> str:
    """Return the message of `swap.cards_changed`: the missing cards, then the new ones, with their counts."""
    missing, new = (
        words.join_with_commas(
            [f"{card['count']}x {card['number']} {card['name']}".strip() for card in finding.details[direction]],
            translate,
        )
        for direction in ("missing", "new")
    )
    parts = [translate("missing {cards}", cards=missing)] if missing else []
    parts += [translate("new {cards}", cards=new)] if new else []
    return translate("After swapping, the deck does not have the same cards: {told}.", told="; ".join(parts))


def _side_size_message(finding: Finding, translate: Language) -> str:
    """Return the message of `swap.side_size`: the size of the side deck after and before swapping."""
    cards = words.cards_text(finding.count, translate)
    return translate(
        "The side deck has {cards} after swapping, but had {limit} before.", cards=cards, limit=finding.limit
    )


def _side_size_fix(finding: Finding, translate: Language) -> str:
    """Return the fix of `swap.side_size`: to ask the organiser if it is a warning, else to restore the size."""
    if finding.severity == WARNING:
        return translate("Ask the organiser whether cards are swapped one for one.")
    return translate("Swap so that the side deck has {cards} again.", cards=words.cards_text(finding.limit, translate))


CARDS_CHANGED = Code(
    "swap.cards_changed",
    "After swapping, main and side deck together are not the same cards.",
    _cards_changed_message,
    lambda f, translate: translate("Only swap cards between deck and side deck."),
    _CHANGED_DETAILS,
)
SIDE_SIZE = Code(
    "swap.side_size",
    "After swapping, the side deck has not as many cards as before.",
    _side_size_message,
    _side_size_fix,
)
CODES = (CARDS_CHANGED, SIDE_SIZE)

# Cards may move within each of these groups of sections only.
_PLACES = ({"leader"}, {"main", "side", "z"})


def judge_swap(judge: Judge, before: Deck, after: Deck) -> Verdict:
    """Return the verdict on the deck `after` swapping, with findings on the swap itself.

    Several decks in the text before swapping, and its unread lines that may be cards, are findings, because their cards
    could have been swapped. Other findings on the deck before are left out. Raises TypeError if an argument is no Judge
    or no deck.
    """
    check_type("judge", judge, Judge, "Write swap(Judge(terms, catalogue), before, after)")
    check_deck("before", before)
    check_deck("after", after)
    verdict = judge(after)
    verdict_before = judge(before, Suggestions(0))  # no suggestions are needed
    found = [
        *_find_unread_lines(verdict_before),
        *_find_card_changes(judge, verdict_before.facts, verdict.facts),
        *_find_side_size_change(judge, verdict_before.facts, verdict.facts),
    ]
    return Verdict(judge, verdict.facts, sorted([*verdict.found, *found], key=finding_sort_key))


def _find_unread_lines(before: Verdict) -> Iterator[Finding]:
    """Yield the findings on the deck before swapping about several decks, and about unread lines that may be cards.

    The reason of an unread line says that it is in the list before swapping.
    """
    for finding in before.found:
        if finding.code == "list.several":
            yield finding
        if finding.code == "line.unread" and finding.severity == ERROR:
            reason = phrase("in the list before swapping, {reason}", reason=finding.details["reason"])
            yield replace(finding, details={**finding.details, "reason": reason})


def _cite_swap_rule(judge: Judge) -> Citation:
    """Return the citation of the ruleset's rule on swaps. A ruleset without such a rule cites its rule on sections."""
    ruleset = judge.terms.ruleset
    return ruleset.swap.cite if ruleset.swap else ruleset.rules["sections"].cite


def _find_side_size_change(judge: Judge, facts_before: DeckFacts, facts_after: DeckFacts) -> Iterator[Finding]:
    """Yield a finding `swap.side_size` if the size of the side deck has changed.

    It is an error if the rules or the policy require one-for-one swaps, or if the ruleset has no rule on swaps. Else it
    is a warning.
    """
    before, after = facts_before.sizes["side"], facts_after.sizes["side"]
    if before == after:
        return
    cite, swap = _cite_swap_rule(judge), judge.terms.ruleset.swap
    one_for_one = swap is None or swap.one_for_one
    if judge.terms.policy.swap_one_for_one and not one_for_one:
        one_for_one, cite = True, Citation(POLICY_DOCUMENT, "swap_one_for_one")
    severity = ERROR if one_for_one else WARNING
    yield Finding(SIDE_SIZE, cite, "side", severity, count=after, limit=before, minimum=before)


def _find_card_changes(judge: Judge, facts_before: DeckFacts, facts_after: DeckFacts) -> Iterator[Finding]:
    """Yield one finding `swap.cards_changed` if the deck has other cards than before.

    Cards that are unknown count, too. Cards may move between main, side and Z-Deck only, and the Leader must stay. A
    DON!! or resource deck is compared only if both decks list it.
    """
    missing: Counter[NamedCard] = Counter()
    new: Counter[NamedCard] = Counter()
    # An unlisted deck that is left out counts as unchanged.
    both = ({section} for section in sorted(UNLISTED) if facts_before.sizes[section] and facts_after.sizes[section])
    for places in (*_PLACES, *both):
        cards_before, cards_after = count_copies(facts_before, places), count_copies(facts_after, places)
        missing += cards_before - cards_after
        new += cards_after - cards_before
    if missing or new:
        cite = _cite_swap_rule(judge)
        cards = tuple(list_counts(missing | new))
        details = {"missing": _to_public(missing), "new": _to_public(new)}
        count = missing.total() + new.total()
        yield Finding(CARDS_CHANGED, cite, "main", cards=cards, count=count, limit=0, details=details)


def count_copies(facts: DeckFacts, sections: Iterable[str]) -> Counter[NamedCard]:
    """Return the copies of each card, summed over these sections. The cards have no count of their own.

    Cards that are not in the catalogue are included, with their normalised number or name.
    """
    copies: Counter[NamedCard] = Counter()
    for section in sections:
        for line, card in facts.resolved_lines[section]:
            copies[NamedCard.from_card(card) if card else NamedCard(*unknown_card_key(line, facts.catalogue.game))] += (
                line.count
            )
    return copies


def list_counts(cards: Counter[NamedCard]) -> list[NamedCard]:
    """Return the cards with their counts from a Counter, sorted by number and name."""
    with_counts = (NamedCard(card.number, card.name, count) for card, count in cards.items())
    return sorted(with_counts, key=lambda card: (card.number, card.name))


def _to_public(cards: Counter[NamedCard]) -> tuple[CopiesJSON, ...]:
    """Return the JSON forms of cards with their counts from a Counter, sorted by number and name."""
    return tuple(card.as_dict() for card in list_counts(cards))
