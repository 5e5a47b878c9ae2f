"""Paraphrase: the effect of a clause in our own words, for cards without their text in the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from validator import words
from validator.cards import Card, Clause
from validator.findings import Citation
from validator.language import ENGLISH, Language, Phrase, phrase

_SECTIONS = {"main": phrase("the deck"), "z": phrase("the Z-Deck")}


def said(clause: Clause, say: Language = ENGLISH) -> str:
    """Return the printed text of a clause, or its effect in our own words."""
    return clause.text or paraphrased(clause, say)


def cite(card: Card, clause: Clause) -> Citation:
    """Return the citation of a clause: the card, and the printed text or its effect in our own words."""
    return Citation(card.label, clause.text or Phrase(_own_text_sentence, card.number or card.name, clause))


def _own_text_sentence(card: str, clause: Clause, say: Language) -> str:
    """Return the citation text of a clause without printed text."""
    return say("{card}'s own text {does}", card=card, does=paraphrased(clause, say))


def paraphrased(clause: Clause, say: Language = ENGLISH) -> str:
    """Return the effect of a clause as words that follow "its text": "bars Event cards from the deck"."""
    effect = _EFFECTS[clause.kind](clause, say)
    if clause.when is None:
        return effect
    return say("{does}, if the Leader is one of the {cards}", does=effect, cards=_describe_cards(clause.when, say))


def _copies_effect(clause: Clause, say: Language) -> str:
    """Return the effect of a clause that allows copies of its own card."""
    section = say.of(_SECTIONS[clause.section])
    if clause.limit is None:
        return say("allows any number of copies of it in {section}", section=section)
    return say("allows {copies} of it in {section}", copies=words.copies(clause.limit, say), section=section)


def _pool_effect(clause: Clause, say: Language) -> str:
    """Return the effect of a clause that allows copies of a group of cards."""
    cards, section = _describe_cards(clause.match, say), say.of(_SECTIONS[clause.section])
    if clause.limit is None:
        return say("allows any number of the {cards} in {section}", cards=cards, section=section)
    return say("allows {limit} of the {cards} in {section}", limit=clause.limit, cards=cards, section=section)


def _forbid_effect(clause: Clause, say: Language) -> str:
    """Return the effect of a clause that forbids cards."""
    section = say.of(_SECTIONS[clause.section])
    return say("bars {cards} from {section}", cards=_describe_cards(clause.match, say), section=section)


def _alias_effect(clause: Clause, say: Language) -> str:
    """Return the effect of a clause that adds names, traits or other facts to cards."""
    gained = words.joined(
        [describe(values, say) for field, describe in _GAINED_WORDS.items() if (values := getattr(clause, field))], say
    )
    if clause.match:
        return say("gives {cards} {gained}", cards=_describe_cards(clause.match, say), gained=gained)
    return say("gives it {gained}", gained=gained)


_Values = tuple[str, ...]
_GAINED_WORDS: Mapping[str, Callable[[_Values, Language], str]] = {
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
_EFFECTS: Mapping[str, Callable[[Clause, Language], str]] = {
    "copies": _copies_effect,
    "keyword": lambda clause, say: say("gives it the keyword {keyword}", keyword=clause.keyword),
    "forbid": _forbid_effect,
    "pool": _pool_effect,
    "alias": _alias_effect,
    "don_size": lambda clause, say: say("makes a DON!! deck of {cards}", cards=words.cards(clause.size, say)),
    "unread": lambda clause, say: say("says something of deck construction that could not be read"),
}


def _describe_cards(match: Mapping[str, Any] | None, say: Language) -> str:
    """Return the words for the cards of a match (see `validator.matching`): "Battle cards that cost 4 or more"."""
    tests = dict(match or {})
    kinds = _join_values(tests.pop("type", ()), say)
    cards = say("{kinds} cards", kinds=kinds) if kinds else say("cards")
    for test, value in tests.items():
        cards = say("{cards} {tested}", cards=cards, tested=_TEST_WORDS[test](value, say))
    return cards


def _join_values(values: Any, say: Language) -> str:
    """Return values of card facts as "a, b or c"."""
    return words.either(words.terms(values, say), say)


def _describe_cost(bounds: Mapping[str, int], say: Language) -> str:
    """Return the words for bounds of the cost."""
    least, most = bounds.get("min"), bounds.get("max")
    if least == most:
        return say("that cost {least}", least=least)
    if most is None:
        return say("that cost {least} or more", least=least)
    if least is None:
        return say("that cost {most} or less", most=most)
    return say("that cost {least} to {most}", least=least, most=most)


def _describe_alternatives(parts: Iterable[Mapping[str, Any]], say: Language) -> str:
    """Return the words for cards of any of these matches. Matches with an exception come last, to keep it apart."""
    return words.either([_describe_cards(part, say) for part in sorted(parts, key=lambda part: "not" in part)], say)


_TEST_WORDS: Mapping[str, Callable[[Any, Language], str]] = {
    "color": lambda colors, say: say("that are {values}", values=_join_values(colors, say)),
    "trait": lambda traits, say: say("with the trait {values}", values=_join_values(traits, say)),
    "character": lambda names, say: say("of the character {values}", values=_join_values(names, say)),
    "name": lambda names, say: say("called {values}", values=_join_values(names, say)),
    "keyword": lambda keywords, say: say("with the keyword {values}", values=_join_values(keywords, say)),
    "trait_part": lambda parts, say: say("with {values} in a trait", values=_join_values(parts, say)),
    "character_part": lambda parts, say: say("with {values} in their character", values=_join_values(parts, say)),
    "name_part": lambda parts, say: say("with {values} in their name", values=_join_values(parts, say)),
    "cost": _describe_cost,
    "multicolor": lambda several, say: say("of several colours") if several else say("of one colour"),
    "not": lambda match, say: say("other than {cards}", cards=_describe_cards(match, say)),
    "any": lambda parts, say: say("that are {values}", values=_describe_alternatives(parts, say)),
    "all": lambda parts, say: say(
        "that are {values}", values=words.joined([_describe_cards(part, say) for part in parts], say)
    ),
}
