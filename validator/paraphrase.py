"""Paraphrase: what a clause does, in words of ours, cited where the catalogue has the card without its text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from validator import words
from validator.cards import Card, Clause
from validator.findings import Citation
from validator.language import ENGLISH, Language, Phrase, phrase

_SECTIONS = {"main": phrase("the deck"), "z": phrase("the Z-Deck")}


def said(clause: Clause, say: Language = ENGLISH) -> str:
    """Return what a clause says as it is printed, or what it does in words of ours."""
    return clause.text or paraphrased(clause, say)


def cite(card: Card, clause: Clause) -> Citation:
    """Return where a clause of a card is written: the card, and the clause as it is printed or in words of ours."""
    return Citation(card.label, clause.text or Phrase(_own_text, card.number or card.name, clause))


def _own_text(card: str, clause: Clause, say: Language) -> str:
    return say("{card}'s own text {does}", card=card, does=paraphrased(clause, say))


def paraphrased(clause: Clause, say: Language = ENGLISH) -> str:
    """Return what a clause does, in words that follow "its text": "bars Event cards from the deck"."""
    said = _CLAUSES[clause.kind](clause, say)
    if clause.when is None:
        return said
    return say("{does}, if the Leader is one of the {cards}", does=said, cards=_meant(clause.when, say))


def _copies(clause: Clause, say: Language) -> str:
    section = say.of(_SECTIONS[clause.section])
    if clause.limit is None:
        return say("allows any number of copies of it in {section}", section=section)
    return say("allows {copies} of it in {section}", copies=words.copies(clause.limit, say), section=section)


def _pool(clause: Clause, say: Language) -> str:
    cards, section = _meant(clause.match, say), say.of(_SECTIONS[clause.section])
    if clause.limit is None:
        return say("allows any number of the {cards} in {section}", cards=cards, section=section)
    return say("allows {limit} of the {cards} in {section}", limit=clause.limit, cards=cards, section=section)


def _forbid(clause: Clause, say: Language) -> str:
    section = say.of(_SECTIONS[clause.section])
    return say("bars {cards} from {section}", cards=_meant(clause.match, say), section=section)


def _gains(clause: Clause, say: Language) -> str:
    gained = words.joined(
        [tell(values, say) for field, tell in _GAINED.items() if (values := getattr(clause, field))], say
    )
    if clause.match:
        return say("gives {cards} {gained}", cards=_meant(clause.match, say), gained=gained)
    return say("gives it {gained}", gained=gained)


_Values = tuple[str, ...]
_GAINED: Mapping[str, Callable[[_Values, Language], str]] = {
    "names": lambda values, say: say.plural(
        "the name {values}", "the names {values}", len(values), values=words.joined(values, say)
    ),
    "characters": lambda values, say: say.plural(
        "the character {values}", "the characters {values}", len(values), values=words.joined(values, say)
    ),
    "traits": lambda values, say: say.plural(
        "the trait {values}", "the traits {values}", len(values), values=words.joined(values, say)
    ),
    "colors": lambda values, say: say.plural(
        "the colour {values}", "the colours {values}", len(values), values=words.joined(words.terms(values, say), say)
    ),
    "keywords": lambda values, say: say.plural(
        "the keyword {values}", "the keywords {values}", len(values), values=words.joined(values, say)
    ),
    "types": lambda values, say: say.plural(
        "the type {values}", "the types {values}", len(values), values=words.joined(words.terms(values, say), say)
    ),
}
_CLAUSES: Mapping[str, Callable[[Clause, Language], str]] = {
    "copies": _copies,
    "keyword": lambda clause, say: say("gives it the keyword {keyword}", keyword=clause.keyword),
    "forbid": _forbid,
    "pool": _pool,
    "alias": _gains,
    "don_size": lambda clause, say: say("makes a DON!! deck of {cards}", cards=words.cards(clause.size, say)),
    "unread": lambda clause, say: say("says something of deck construction that could not be read"),
}


def _meant(match: Mapping[str, Any] | None, say: Language) -> str:
    """Return which cards a match means (see `validator.matching`): "Battle cards that cost 4 or more"."""
    tests = dict(match or {})
    kinds = _either(tests.pop("type", ()), say)
    cards = say("{kinds} cards", kinds=kinds) if kinds else say("cards")
    for test, value in tests.items():
        cards = say("{cards} {tested}", cards=cards, tested=_TESTS[test](value, say))
    return cards


def _either(values: Any, say: Language) -> str:
    return words.either(words.terms(values, say), say)


def _cost(bounds: Mapping[str, int], say: Language) -> str:
    least, most = bounds.get("min"), bounds.get("max")
    if least == most:
        return say("that cost {least}", least=least)
    if most is None:
        return say("that cost {least} or more", least=least)
    if least is None:
        return say("that cost {most} or less", most=most)
    return say("that cost {least} to {most}", least=least, most=most)


def _any(parts: Iterable[Mapping[str, Any]], say: Language) -> str:
    """Return cards of one kind or another, exceptions last: else what follows one would look like an exception, too."""
    return words.either([_meant(part, say) for part in sorted(parts, key=lambda part: "not" in part)], say)


_TESTS: Mapping[str, Callable[[Any, Language], str]] = {
    "color": lambda colors, say: say("that are {values}", values=_either(colors, say)),
    "trait": lambda traits, say: say("with the trait {values}", values=_either(traits, say)),
    "character": lambda names, say: say("of the character {values}", values=_either(names, say)),
    "name": lambda names, say: say("called {values}", values=_either(names, say)),
    "keyword": lambda keywords, say: say("with the keyword {values}", values=_either(keywords, say)),
    "trait_part": lambda parts, say: say("with {values} in a trait", values=_either(parts, say)),
    "character_part": lambda parts, say: say("with {values} in their character", values=_either(parts, say)),
    "name_part": lambda parts, say: say("with {values} in their name", values=_either(parts, say)),
    "cost": _cost,
    "multicolor": lambda several, say: say("of several colours") if several else say("of one colour"),
    "not": lambda match, say: say("other than {cards}", cards=_meant(match, say)),
    "any": lambda parts, say: say("that are {values}", values=_any(parts, say)),
    "all": lambda parts, say: say("that are {values}", values=words.joined([_meant(part, say) for part in parts], say)),
}
