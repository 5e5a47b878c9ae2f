"""The kinds of rule. Rules on one noun, such as colours, are in one module.

Rulesets name the kinds by the words of KINDS. DAILY are the rules that the Judge makes from the official lists of a
day.
"""

from __future__ import annotations

from collections.abc import Mapping

from validator.rules.advice import Mulligan, Sacrifice
from validator.rules.base import Policy, Rule, Scope
from validator.rules.card_texts import CardTexts
from validator.rules.colors import ColorCount, Colors
from validator.rules.copies import ClassLimit, CopyLimit, Keyword
from validator.rules.official_list import InPool, Listed, Pairs
from validator.rules.release import Released
from validator.rules.rotation import Blocks
from validator.rules.size import DonDeck, LeaderCount, MatchSideDeck, Sections, Size
from validator.rules.types import Types

KINDS: Mapping[str, type[Rule]] = {
    "sections": Sections,
    "leader_count": LeaderCount,
    "size": Size,
    "match_side_deck": MatchSideDeck,
    "don_deck": DonDeck,
    "types": Types,
    "copies": CopyLimit,
    "keyword": Keyword,
    "class": ClassLimit,
    "colors": Colors,
    "color_count": ColorCount,
    "clauses": CardTexts,
    "sacrifice": Sacrifice,
    "mulligan": Mulligan,
}
DAILY: tuple[type[Rule], ...] = (Listed, Pairs, InPool, Blocks, Released)

__all__ = ["DAILY", "KINDS", "Policy", "Rule", "Scope"]
