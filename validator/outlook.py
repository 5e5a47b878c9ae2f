"""Outlooks: what a timeline means to somebody on a day, in a sentence: how long a deck is legal, and what ends that."""

from __future__ import annotations

from datetime import date

from validator.calendar import ROTATION
from validator.changes import Change
from validator.findings import ERROR
from validator.timeline import Interval, Timeline

_Spell = tuple[Interval, ...]


def headline(timeline: Timeline, day: date) -> str:
    """Return the outlook of a deck on a day: what is to come goes before what has been.

    A deck that is not legal any more is told when it was; a day outside of the range is the nearest one inside.
    """
    spells = timeline.spells()
    at = next((at for at, spell in enumerate(spells) if day <= spell[-1].last), len(spells) - 1)
    if spells[at][0].legal:
        return _legal(spells, at)
    return _to_come(spells, at) if at + 1 < len(spells) else _over(spells, at, day)


def _legal(spells: list[_Spell], at: int) -> str:
    if at + 1 == len(spells):
        since = f" since {spells[at][0].first}" if at else ""
        return f"Legal{since}; nothing that is announced ends it."
    end = spells[at + 1]
    if at + 2 < len(spells):
        return f"Legal until {spells[at][-1].last}, and again from {spells[at + 2][0].first}: {_why(end)}."
    return f"Legal until {spells[at][-1].last}; {_ended(end)}."


def _to_come(spells: list[_Spell], at: int) -> str:
    """The deck is not legal, and will be."""
    begin = spells[at + 1]
    until = f" until {begin[-1].last}" if at + 2 < len(spells) else ""
    return f"Not legal yet; legal from {begin[0].first}{until}: {_why(begin)}."


def _over(spells: list[_Spell], at: int, day: date) -> str:
    """The deck is not legal on a day, and will not be as far as is known."""
    if at:
        return f"Legal until {spells[at - 1][-1].last}; {_ended(spells[at])}."
    spell = spells[at]
    then = next((interval for interval in spell if day <= interval.last), spell[-1])
    return f"Not legal on any day from {spell[0].first} to {spell[-1].last}: {then.state}"


def _ended(spell: _Spell) -> str:
    """Tell that a deck is not legal again, and why: a block that has left stays away, a ban may be lifted some day."""
    rotated = next((change for one in spell for change in one.changes if _rotates(change)), None)
    if rotated is None:
        return f"not again as far as is announced: {_why(spell)}"
    later = f"; from {rotated.event.day} {rotated.says}" if rotated not in spell[0].changes else ""
    return f"never again: {_why(spell)}{later}"


def _rotates(change: Change) -> bool:
    return change.event.cause == ROTATION and change.begins


def _why(spell: _Spell) -> str:
    """Return what begins a spell."""
    return "; ".join(change.says for change in _telling(spell[0]))


def _telling(interval: Interval) -> list[Change]:
    """Return the changes that make a deck legal or illegal, not those that merely come with them."""
    begin = not interval.legal
    return [
        change
        for change in interval.changes
        if change.begins is begin and any(finding.severity == ERROR for finding in change.findings)
    ] or list(interval.changes)
