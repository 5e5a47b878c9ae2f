"""Paraphrase: the effect of a clause in our own words, for cards without their text in the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from validator import words
from validator.cards import Card, Clause, Match
from validator.findings import Citation
from validator.language import ENGLISH, Language, Phrase, phrase

_SECTIONS = {"main": phrase("the deck"), "z": phrase("the Z-Deck")}


def clause_text(clause: Clause, translate: Language = ENGLISH) -> str:
    """Return the printed text of a clause.

    If the clause has none, return its effect in our own words, in a language.
    """
    return clause.text or paraphrase_clause(clause, translate)


def cite(card: Card, clause: Clause) -> Citation:
    """Return the citation of a card's clause: the card's label, and the printed text of the clause.

    Without a printed text it is the effect in our own words.
    """
    return Citation(card.label, clause.text or Phrase(_own_text_sentence, card.number or card.name, clause))


def _own_text_sentence(card: str, clause: Clause, translate: Language) -> str:
    """Return "CARD's own text bars Event cards from the deck" for a clause without printed text.

    `card` is its number or name.
    """
    return translate("{card}'s own text {does}", card=card, does=paraphrase_clause(clause, translate))


def paraphrase_clause(clause: Clause, translate: Language = ENGLISH) -> str:
    """Return the effect of a clause as words that follow "its text": "bars Event cards from the deck".

    If the clause has a condition on the Leader, the words end with it.
    """
    effect = _EFFECTS[clause.kind](clause, translate)
    if clause.when is None:
        return effect
    return translate(
        "{does}, if the Leader is one of the {cards}", does=effect, cards=_describe_cards(clause.when, translate)
    )


def _copies_effect(clause: Clause, translate: Language) -> str:
    """Return the effect of a clause on copies of its own card: "allows 4 copies of it in the deck".

    Without a limit it allows "any number of copies".
    """
    section = translate.text(_SECTIONS[clause.section])
    if clause.limit is None:
        return translate("allows any number of copies of it in {section}", section=section)
    return translate(
        "allows {copies} of it in {section}", copies=words.copies_text(clause.limit, translate), section=section
    )


def _pool_effect(clause: Clause, translate: Language) -> str:
    """Return the effect of a clause on copies of a group of cards: "allows 4 of the CARDS in the deck".

    Without a limit it allows "any number of the CARDS".
    """
    cards, section = _describe_cards(clause.match, translate), translate.text(_SECTIONS[clause.section])
    if clause.limit is None:
        return translate("allows any number of the {cards} in {section}", cards=cards, section=section)
    return translate("allows {limit} of the {cards} in {section}", limit=clause.limit, cards=cards, section=section)


def _forbid_effect(clause: Clause, translate: Language) -> str:
    """Return the effect of a clause that forbids cards: "bars CARDS from the deck"."""
    section = translate.text(_SECTIONS[clause.section])
    return translate("bars {cards} from {section}", cards=_describe_cards(clause.match, translate), section=section)


def _alias_effect(clause: Clause, translate: Language) -> str:
    """Return the effect of a clause that adds names, traits or other facts: "gives it the name NAME".

    It gives them to the cards of the clause's match, or else to its own card.
    """
    gained = words.join_with_and(
        [
            describe(values, translate)
            for field, describe in _GAINED_WORDS.items()
            if (values := getattr(clause, field))
        ],
        translate,
    )
    if clause.match:
        return translate("gives {cards} {gained}", cards=_describe_cards(clause.match, translate), gained=gained)
    return translate("gives it {gained}", gained=gained)


def _unseen_effect(clause: Clause, translate: Language) -> str:
    """Return "has not been read" for a card whose text nobody has read, with the keywords that are not certain."""
    if clause.keywords:
        return translate(
            "has not been read: {keywords} is not certain", keywords=words.join_with_and(clause.keywords, translate)
        )
    return translate("has not been read")


_Values = tuple[str, ...]
_GAINED_WORDS: Mapping[str, Callable[[_Values, Language], str]] = {
    "names": lambda values, translate: translate.plural(
        "the name {values}", "the names {values}", len(values), values=words.join_with_and(values, translate)
    ),
    "characters": lambda values, translate: translate.plural(
        "the character {values}", "the characters {values}", len(values), values=words.join_with_and(values, translate)
    ),
    "traits": lambda values, translate: translate.plural(
        "the trait {values}", "the traits {values}", len(values), values=words.join_with_and(values, translate)
    ),
    "colors": lambda values, translate: translate.plural(
        "the colour {values}",
        "the colours {values}",
        len(values),
        values=words.join_with_and(words.fact_names(values, translate), translate),
    ),
    "keywords": lambda values, translate: translate.plural(
        "the keyword {values}", "the keywords {values}", len(values), values=words.join_with_and(values, translate)
    ),
    "types": lambda values, translate: translate.plural(
        "the type {values}",
        "the types {values}",
        len(values),
        values=words.join_with_and(words.fact_names(values, translate), translate),
    ),
}
_EFFECTS: Mapping[str, Callable[[Clause, Language], str]] = {
    "copies": _copies_effect,
    "keyword": lambda clause, translate: translate("gives it the keyword {keyword}", keyword=clause.keyword),
    "forbid": _forbid_effect,
    "pool": _pool_effect,
    "alias": _alias_effect,
    "don_size": lambda clause, translate: translate(
        "makes a DON!! deck of {cards}", cards=words.cards_text(clause.size, translate)
    ),
    "event_only": lambda clause, translate: translate("allows it only in specified events"),
    "unseen": _unseen_effect,
    "unread": lambda clause, translate: translate("has a deck building text that could not be read"),
}


def _describe_cards(match: Match | None, translate: Language) -> str:
    """Return the words for the cards of a match (see `validator.matching`): "Battle cards that cost 4 or more".

    None and {} are any cards: "cards".
    """
    tests = dict(match or {})
    kinds = _join_values(tests.pop("type", ()), translate)
    cards = translate("{kinds} cards", kinds=kinds) if kinds else translate("cards")
    for test, value in tests.items():
        cards = translate("{cards} {tested}", cards=cards, tested=_TEST_WORDS[test](value, translate))
    return cards


def _join_values(values: Any, translate: Language) -> str:
    """Return card facts, such as types or colours, as "a, b or c" in a language."""
    return words.join_with_or(words.fact_names(values, translate), translate)


def _describe_cost(bounds: Mapping[str, int], translate: Language) -> str:
    """Return the words for bounds of the cost (`min`, `max`): "that cost 3 or more". Equal bounds are one number."""
    least, most = bounds.get("min"), bounds.get("max")
    if least == most:
        return translate("that cost {least}", least=least)
    if most is None:
        return translate("that cost {least} or more", least=least)
    if least is None:
        return translate("that cost {most} or less", most=most)
    return translate("that cost {least} to {most}", least=least, most=most)


def _describe_alternatives(parts: Iterable[Match], translate: Language) -> str:
    """Return the words for cards of any of these matches, joined with "or". Matches with the test `not` come last."""
    return words.join_with_or(
        [_describe_cards(part, translate) for part in sorted(parts, key=lambda part: "not" in part)], translate
    )


_TEST_WORDS: Mapping[str, Callable[[Any, Language], str]] = {
    "color": lambda colors, translate: translate("that are {values}", values=_join_values(colors, translate)),
    "trait": lambda traits, translate: translate("with the trait {values}", values=_join_values(traits, translate)),
    "character": lambda names, translate: translate("of the character {values}", values=_join_values(names, translate)),
    "name": lambda names, translate: translate("called {values}", values=_join_values(names, translate)),
    "keyword": lambda keywords, translate: translate(
        "with the keyword {values}", values=_join_values(keywords, translate)
    ),
    "trait_part": lambda parts, translate: translate("with {values} in a trait", values=_join_values(parts, translate)),
    "character_part": lambda parts, translate: translate(
        "with {values} in their character", values=_join_values(parts, translate)
    ),
    "name_part": lambda parts, translate: translate(
        "with {values} in their name", values=_join_values(parts, translate)
    ),
    "cost": _describe_cost,
    "multicolor": lambda several, translate: translate("of several colours") if several else translate("of one colour"),
    "not": lambda match, translate: translate("other than {cards}", cards=_describe_cards(match, translate)),
    "any": lambda parts, translate: translate("that are {values}", values=_describe_alternatives(parts, translate)),
    "all": lambda parts, translate: translate(
        "that are {values}", values=words.join_with_and([_describe_cards(part, translate) for part in parts], translate)
    ),
}
