"""Fast tests if a text may be about deck construction or about play, whether or not it can be parsed."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from validator.clauses.tokens import Token
from validator.texts import nfkc

# Few texts contain one of these, but every text about construction does.
_HINTS = (
    *("includ", "contain", "consist", " rules", "in your deck", "in your z-deck", "main deck"),
    *("per deck", "a deck", "copies", "copy limit"),
    *("deck can", "deck may", "deck must", "deck has", "deck is", "construct", "building"),
    *("areas", "any area", "every area", "each area", " zones", "treated", "treat ", "considered", "counts as"),
    "regarded",
    *(f"this card {verb} {bracket}" for verb in ("gains", "has") for bracket in "《≪<〈{「&"),
)
_BUILDING = re.compile(
    r"\b(?:can|can't|cannot|may|must|mustn't|only|never|be|to|decks?|z-decks?|should|shall)"
    r"(?: (?:only|also|not|ever))* (?:includes?|included|contains?|contained)\b"
    r"|\bcop(?:y|ies) of .* in (?:your|a|the|any|their) (?:main )?(?:z-)?decks?\b"
    r"|\b(?:don|your|a|the|main|any) (?:z-)?decks? (?:can|can't|cannot|may|must|consists?|should|shall|needs?|"
    r"is limited|is made|is composed)\b"
    r"|\b(?:have|put|use|run) (?:any number|as many|up to|no more|more than|only)\b.* in (?:your|a|the) (?:z-)?decks?\b"
    r"|\b(?:can|can't|cannot|may|must|mustn't)(?: (?:only|not|ever))* have\b.* in (?:your|a|the) (?:z-)?deck\b"
    r"|\bthere (?:can|can't|cannot|may|must)(?: (?:only|not|never))* be\b.* in (?:your|a|the) (?:z-)?deck\b"
    r"|\b(?:used|played|included|limited|limit)\b.* (?:in a|to a|in each|in any) (?:z-)?deck\b|\bper (?:z-)?deck\b"
    r"|\bcop(?:y|ies) (?:limit|rule)\b|\blimit(?:ed)? (?:to|of) \w+ cop(?:y|ies)\b"
    r"|\bdeck construction\b|\bdeck ?building\b"
    r"|\b(?:construct|constructing|build|building) (?:your|a|the) (?:z-)?deck\b"
)
_RULES = re.compile(r"\b(?:the|game|deck) rules\b|\brules of\b")
# Places that may include the deck, and words that add something there.
_EVERYWHERE = re.compile(
    r"\bin (?:all|every|any|each)\b(?: [\w']+){0,3} (?:areas?|zones?)\b|\bsecret areas\b"
    r"|\b(?:while|when|is|are|gains?|@) (?:it's |it is )?in (?:your|its owner's|the) (?:z-)?deck\b"
)
_ADDED = re.compile(
    r"\b(?:gains?|loses?|treated as|considered|counts? as|regarded as)\b"
    r"(?! (?:[#+\d-]|if\b|as if\b|control\b|the following\b))"
    r"|\b(?:has|have|had|is|are|becomes?|as)"
    r"(?: (?:also|always|both|a|an|the|being|having|special|traits?|character|card|names?|colors?|types?))* [@《<{]"
)
# Words about facts that exist only during play.
_PLAY = re.compile(
    r"\b(?:energy|life|hand|drop|warp|play|played|battle|turn|opponent|opponent's|markers?|mode|attacks?|combo|under|"
    r"areas?|field|trash|rest|rested|active|flipped|skills?|placed|tokens?|start of the game|counter|lose|losing|"
    r"win|ko|z-energy|damage|draw|drawn)\b"
)


def list_hints(keywords: Collection[str]) -> tuple[str, ...]:
    """Return the hints of a game. Every text about construction contains at least one of them.

    `keywords` are the game's construction keywords in lower case.
    """
    return (*_HINTS, *keywords, *(keyword.replace(" ", "-") for keyword in keywords if " " in keyword))


def has_hint(text: str, hints: tuple[str, ...]) -> bool:
    """Return True if a text, in any spelling, contains a hint."""
    lowered = nfkc(text).lower()
    return any(hint in lowered for hint in hints)


def is_about_building(signs: str) -> bool:
    """Return True if the words are about the contents of a deck.

    Brackets in `signs` are "@" if a card may gain their contents, else "#".
    """
    return _BUILDING.search(signs) is not None


def is_about_rules(signs: str) -> bool:
    """Return True if the words name the rules of the game."""
    return _RULES.search(signs) is not None


def is_about_gains(signs: str) -> bool:
    """Return True if the words add something to cards in places that may include the deck."""
    return bool(_EVERYWHERE.search(signs) and _ADDED.search(signs))


def is_about_play(words: Sequence[Token]) -> bool:
    """Return True if the words are about the game being played."""
    return _PLAY.search(" ".join(token.text for token in words if token.kind == "word")) is not None
