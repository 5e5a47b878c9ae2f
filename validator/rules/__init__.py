"""The kinds of rule, one small module each; rulesets name them by the words of KINDS, DAILY are of the day's lists."""

from __future__ import annotations

from collections.abc import Mapping

from validator.rules.advice import Mulligan
from validator.rules.advice import Sacrifice
from validator.rules.base import Policy
from validator.rules.base import Rule
from validator.rules.classes import ClassLimit
from validator.rules.clauses import Clauses
from validator.rules.colors import Colors
from validator.rules.copies import Copies
from validator.rules.keywords import Keyword
from validator.rules.limits import Listed
from validator.rules.limits import Pairs
from validator.rules.release import Released
from validator.rules.rotation import Blocks
from validator.rules.size import DonDeck
from validator.rules.size import LeaderCount
from validator.rules.size import Sections
from validator.rules.size import Size
from validator.rules.types import Types

KINDS: Mapping[str, type[Rule]] = {
    "sections": Sections,
    "leader_count": LeaderCount,
    "size": Size,
    "don_deck": DonDeck,
    "types": Types,
    "copies": Copies,
    "keyword": Keyword,
    "class": ClassLimit,
    "colors": Colors,
    "clauses": Clauses,
    "sacrifice": Sacrifice,
    "mulligan": Mulligan,
}
DAILY: tuple[type[Rule], ...] = (Listed, Pairs, Blocks, Released)

__all__ = ["DAILY", "KINDS", "Policy", "Rule"]
