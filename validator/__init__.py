"""deckproof's judge: a deck and a catalogue in, a verdict that cites the rules out. No I/O, no clock."""

from validator.cards import Card
from validator.cards import Catalogue
from validator.cards import Clause
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import DeckFacts
from validator.deck import Line
from validator.deck import Unread
from validator.findings import CODES
from validator.findings import Citation
from validator.findings import Finding
from validator.judge import Judge
from validator.judge import Terms
from validator.judge import Verdict
from validator.rules import Policy
from validator.rulesets import Ruleset
from validator.rulesets import rulesets

__all__ = [
    "CODES",
    "SECTIONS",
    "Card",
    "Catalogue",
    "Citation",
    "Clause",
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
    "rulesets",
]
