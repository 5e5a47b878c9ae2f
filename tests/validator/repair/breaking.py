"""Real decks, broken at random in the ways in which decks are broken."""

from __future__ import annotations

from collections import Counter
from random import Random

from validator import Card, Deck, Judge, Line
from validator.rules.official_list import Listed, Pairs


def broken(deck: Deck, judge: Judge, random: Random, ways=None, most: int = 4) -> Deck:
    """A deck with one to `most` things wrong with it; its Leader stays unless one of the given ways changes it."""
    held = {section: Counter({line.number: line.count for line in lines}) for section, lines in deck.used()}
    for break_it in random.choices(ways or WAYS, k=random.randint(1, most)):
        break_it(held, judge, random)
    lines = {
        section: tuple(Line(number, min(count, 255)) for number, count in counts.items() if count > 0)
        for section, counts in held.items()
    }
    return Deck(**lines)


def _any(judge: Judge, random: Random) -> Card:
    return random.choice(list(judge.catalogue))


def _more_copies(held, judge, random):
    held["main"][random.choice(list(held["main"]))] += random.randint(1, 5)


def _fewer_copies(held, judge, random):
    number = random.choice(list(held["main"]))
    held["main"][number] = max(0, held["main"][number] - random.randint(1, 4))


def _strange_cards(held, judge, random):
    for _ in range(random.randint(1, 3)):
        held["main"][_any(judge, random).number] += random.randint(1, 4)


def _listed_cards(held, judge, random):
    listed = [number for rule in judge.rules if isinstance(rule, Listed) for number in rule.singles]
    listed += [
        number for rule in judge.rules if isinstance(rule, Pairs) for pair in rule.pairs for number in (pair.a, pair.b)
    ]
    if listed:
        held["main"][random.choice(listed)] += random.randint(1, 4)


def _aside(held, judge, random):
    section = random.choice([one for one in judge.terms.ruleset.sections if one not in ("leader", "don")])
    if section != "main":
        held.setdefault(section, Counter())
        number = random.choice(list(held["main"]))
        held[section][number] += random.randint(1, 3)


def _aside_strange(held, judge, random):
    section = random.choice([one for one in judge.terms.ruleset.sections if one not in ("leader", "don")])
    for _ in range(random.randint(1, 6)):
        held.setdefault(section, Counter())[_any(judge, random).number] += random.randint(1, 4)


def _keywords(held, judge, random):
    words = [card for card in judge.catalogue if set(card.keywords) & {"Ultimate", "Super Combo", "Dragon Ball"}]
    for _ in range(random.randint(1, 3) if words else 0):
        held["main"][random.choice(words).number] += random.randint(1, 3)


def _unknown(held, judge, random):
    held["main"]["ZZ99-999"] += random.randint(1, 4)


def _second_leader(held, judge, random):
    leaders = [card for card in judge.catalogue if card.type == "Leader"]
    if leaders:
        held["main"][random.choice(leaders).number] += 1


WAYS = (
    _more_copies,
    _fewer_copies,
    _strange_cards,
    _listed_cards,
    _aside,
    _aside_strange,
    _keywords,
    _unknown,
    _second_leader,
)
