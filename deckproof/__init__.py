"""The stable names for programs: decks, terms, verdicts and what is computed from them.

The names are those of `validator` and `carddb`, imported at first use. `import deckproof` raises an ImportError if
another distribution has overwritten one of these packages.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deckproof import installation

if TYPE_CHECKING:
    from carddb.errors import CardDataError as CardDataError
    from carddb.library import Library as Library
    from validator.calendar import Calendar as Calendar
    from validator.cards import Card as Card
    from validator.cards import Catalogue as Catalogue
    from validator.comparison import CardChange as CardChange
    from validator.comparison import compare_decks
    from validator.deck import SECTIONS as SECTIONS
    from validator.deck import Deck as Deck
    from validator.deck import Line as Line
    from validator.deck import Unread as Unread
    from validator.decklists import Parsed as Parsed
    from validator.decklists import parse as parse
    from validator.decklists import write as write
    from validator.findings import Citation as Citation
    from validator.findings import Finding as Finding
    from validator.judge import Judge as Judge
    from validator.judge import Terms as Terms
    from validator.judge import Verdict as Verdict
    from validator.odds import Odds as Odds
    from validator.odds import Wish as Wish
    from validator.odds import odds as odds
    from validator.repair import Repair as Repair
    from validator.repair import repair as repair
    from validator.rules import Policy as Policy
    from validator.rulesets import Ruleset as Ruleset
    from validator.rulesets import rulesets as rulesets
    from validator.swap import judge_swap
    from validator.timeline import Timeline as Timeline
    from validator.timeline import timeline as timeline

    compare = compare_decks
    swap = judge_swap

# Each name with its module, and its name there if that differs. Importing all of them takes a tenth of a second.
_SOURCES = {
    "Calendar": "validator.calendar",
    "Card": "validator.cards",
    "CardChange": "validator.comparison",
    "CardDataError": "carddb.errors",
    "Catalogue": "validator.cards",
    "Citation": "validator.findings",
    "Deck": "validator.deck",
    "Finding": "validator.findings",
    "Judge": "validator.judge",
    "Library": "carddb.library",
    "Line": "validator.deck",
    "Odds": "validator.odds",
    "Parsed": "validator.decklists",
    "Policy": "validator.rules",
    "Repair": "validator.repair",
    "Ruleset": "validator.rulesets",
    "SECTIONS": "validator.deck",
    "Terms": "validator.judge",
    "Timeline": "validator.timeline",
    "Unread": "validator.deck",
    "Verdict": "validator.judge",
    "Wish": "validator.odds",
    "compare": "validator.comparison:compare_decks",
    "odds": "validator.odds",
    "parse": "validator.decklists",
    "repair": "validator.repair",
    "rulesets": "validator.rulesets",
    "swap": "validator.swap:judge_swap",
    "timeline": "validator.timeline",
    "write": "validator.decklists",
}
__all__ = list(_SOURCES)

installation.check_packages()


def __getattr__(name: str) -> Any:
    """Return the object with a stable name, and keep it as an attribute of the module.

    Python calls this for a name that is not imported yet. Raises AttributeError for any other name.
    """
    if name not in _SOURCES:
        raise AttributeError(f"deckproof has no {name!r}; it has {', '.join(_SOURCES)}")
    module, _, attribute = _SOURCES[name].partition(":")
    value = globals()[name] = getattr(import_module(module), attribute or name)
    return value


def __dir__() -> list[str]:
    """Return the stable names, sorted."""
    return sorted(_SOURCES)
