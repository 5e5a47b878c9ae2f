"""Blank sheets: registration sheets to fill in by hand, with lines for each section of a game."""

from __future__ import annotations

from dataclasses import dataclass

from api.sheets.person_names import PersonName
from api.sheets.registration import Event, Registration
from api.sheets.sheet import TITLES, CardEntry, Section, Sheet
from validator.deck import UNLISTED
from validator.games import GAMES
from validator.judge import Terms
from validator.rulesets import Ruleset

_LINES = 44  # on a page, high enough to write on
_OF_SECTION = {"leader": 1, "side": 10, "z": 8}  # the main deck has the others
_FIELD = "____"


@dataclass(frozen=True, slots=True)
class BlankSheet(Sheet):
    """A sheet without player, deck and verdict; what is not known is there to be written."""

    @property
    def verdict(self) -> str:
        """Nothing: there is no deck yet."""
        return ""

    @property
    def made_with(self) -> str:
        """What to write."""
        return f"{self.title} · Write every card once, with its copies, its whole number and its whole name."


def blank(terms: Terms, event: Event) -> BlankSheet:
    """Return a sheet to fill in for an event, with the sections of the terms' ruleset."""
    ruleset = terms.ruleset
    sections = tuple(_sections(ruleset))
    return BlankSheet(
        registration=Registration(
            PersonName(""), event=event.event, date=event.day, place=event.place, format_name=event.format_name
        ),
        game=GAMES[ruleset.game].title,
        ruleset=ruleset.id,
        title=ruleset.title,
        format=terms.format,
        on=terms.on,
        sections=sections,
        totals=tuple((section.title, _FIELD) for section in sections),
    )


def _sections(ruleset: Ruleset) -> list[Section]:
    keys = [key for key in ruleset.sections if key not in UNLISTED]
    rest = _LINES - sum(_OF_SECTION.get(key, 0) for key in keys)
    return [
        Section(key, TITLES[key], (CardEntry(0, "", "", TITLES[key]),) * _OF_SECTION.get(key, rest)) for key in keys
    ]
