"""Real decks, broken at random in the ways in which decks are broken."""

from __future__ import annotations

from collections import Counter
from random import Random

from validator import Card, Deck, Judge, Line
from validator.rules.official_list import Listed, Pairs


def break_deck(deck: Deck, judge: Judge, random: Random, ways=None, most: int = 4) -> Deck:
    """Return a deck with one to `most` random mistakes.

    Each mistake is one of `ways`, by default of WAYS, which keep the Leader. Every way changes `counts`, the copies by
    section and card number.
    """
    counts = {section: Counter({line.number: line.count for line in lines}) for section, lines in deck.used()}
    for break_it in random.choices(ways or WAYS, k=random.randint(1, most)):
        break_it(counts, judge, random)
    lines = {
        section: tuple(Line(number, min(count, 255)) for number, count in counts.items() if count > 0)
        for section, counts in counts.items()
    }
    return Deck(**lines)


def _random_card(judge: Judge, random: Random) -> Card:
    """Return a card of the Judge's catalogue."""
    return random.choice(list(judge.catalogue))


def _add_copies(counts, judge, random):
    counts["main"][random.choice(list(counts["main"]))] += random.randint(1, 5)


def _remove_copies(counts, judge, random):
    number = random.choice(list(counts["main"]))
    counts["main"][number] = max(0, counts["main"][number] - random.randint(1, 4))


def _add_random_cards(counts, judge, random):
    for _ in range(random.randint(1, 3)):
        counts["main"][_random_card(judge, random).number] += random.randint(1, 4)


def _add_listed_card(counts, judge, random):
    """Add copies of a card of the official list to the main deck, if the list has any."""
    listed = [number for rule in judge.rules if isinstance(rule, Listed) for number in rule.singles]
    listed += [
        number for rule in judge.rules if isinstance(rule, Pairs) for pair in rule.pairs for number in pair.numbers
    ]
    if listed:
        counts["main"][random.choice(listed)] += random.randint(1, 4)


def _copy_to_section(counts, judge, random):
    """Add copies of a card of the main deck to another section, if the ruleset has one."""
    section = random.choice([one for one in judge.terms.ruleset.sections if one not in ("leader", "don")])
    if section != "main":
        counts.setdefault(section, Counter())
        number = random.choice(list(counts["main"]))
        counts[section][number] += random.randint(1, 3)


def _add_random_cards_to_section(counts, judge, random):
    section = random.choice([one for one in judge.terms.ruleset.sections if one not in ("leader", "don")])
    for _ in range(random.randint(1, 6)):
        counts.setdefault(section, Counter())[_random_card(judge, random).number] += random.randint(1, 4)


def _add_keyword_cards(counts, judge, random):
    """Add cards with a construction keyword to the main deck, if the catalogue has any."""
    words = [card for card in judge.catalogue if set(card.keywords) & {"Ultimate", "Super Combo", "Dragon Ball"}]
    for _ in range(random.randint(1, 3) if words else 0):
        counts["main"][random.choice(words).number] += random.randint(1, 3)


def _add_unknown_card(counts, judge, random):
    counts["main"]["ZZ99-999"] += random.randint(1, 4)


def _add_leader_to_main(counts, judge, random):
    leaders = [card for card in judge.catalogue if card.type == "Leader"]
    if leaders:
        counts["main"][random.choice(leaders).number] += 1


WAYS = (
    _add_copies,
    _remove_copies,
    _add_random_cards,
    _add_listed_card,
    _copy_to_section,
    _add_random_cards_to_section,
    _add_keyword_cards,
    _add_unknown_card,
    _add_leader_to_main,
)
