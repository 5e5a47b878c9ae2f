"""deckproof's judge: a deck and a catalogue in, a verdict that cites the rules out. No I/O, no clock."""

from validator.cards import Card
from validator.cards import Catalogue
from validator.cards import Clause
from validator.codes import codes
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import DeckFacts
from validator.deck import Line
from validator.deck import Unread
from validator.findings import Citation
from validator.findings import Code
from validator.findings import Finding
from validator.judge import Judge
from validator.judge import Terms
from validator.judge import Verdict
from validator.rules import Policy
from validator.rulesets import Ruleset
from validator.rulesets import rulesets

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
    "codes",
    "rulesets",
]
