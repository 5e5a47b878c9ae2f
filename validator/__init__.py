"""deckproof's judge: a deck and a catalogue in, a verdict that cites the rules out. No I/O, no clock."""

from validator.cards import Card, Catalogue, Clause
from validator.codes import finding_codes
from validator.deck import SECTIONS, Deck, DeckFacts, Line, Unread
from validator.findings import Citation, Code, Finding
from validator.judge import Judge, Terms, Verdict
from validator.rules import Policy
from validator.rulesets import Ruleset, rulesets

DISTRIBUTION = "deckproof"
__all__ = [
    "SECTIONS",
    "Card",
    "Catalogue",
    "Citation",
    "Clause",
    "Code",
    "Deck",
    "DeckFacts",
    "Finding",
    "Judge",
    "Line",
    "Policy",
    "Ruleset",
    "Terms",
    "Unread",
    "Verdict",
    "finding_codes",
    "rulesets",
]
