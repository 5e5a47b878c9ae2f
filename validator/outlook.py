"""Outlooks: what a timeline means to somebody on a day, in a sentence: how long a deck is legal, and what ends that."""

from __future__ import annotations

from datetime import date

from validator.calendar import ROTATION
from validator.changes import Change
from validator.findings import ERROR
from validator.language import ENGLISH, Language
from validator.timeline import Interval, Timeline

_Spell = tuple[Interval, ...]


def headline(timeline: Timeline, day: date, say: Language = ENGLISH) -> str:
    """Return the outlook of a deck on a day: what is to come goes before what has been.

    A deck that is not legal any more is told when it was; a day outside of the range is the nearest one inside.
    """
    spells = timeline.spells()
    at = next((at for at, spell in enumerate(spells) if day <= spell[-1].last), len(spells) - 1)
    if spells[at][0].legal:
        return _legal(spells, at, say)
    return _to_come(spells, at, say) if at + 1 < len(spells) else _over(spells, at, day, say)


def _legal(spells: list[_Spell], at: int, say: Language) -> str:
    if at + 1 == len(spells):
        if not at:
            return say("Legal; nothing that is announced ends it.")
        return say("Legal since {day}; nothing that is announced ends it.", day=spells[at][0].first)
    end, last = spells[at + 1], spells[at][-1].last
    if at + 2 < len(spells):
        again = spells[at + 2][0].first
        return say("Legal until {day}, and again from {again}: {why}.", day=last, again=again, why=_why(end, say))
    return say("Legal until {day}; {end}.", day=last, end=_ended(end, say))


def _to_come(spells: list[_Spell], at: int, say: Language) -> str:
    """The deck is not legal, and will be."""
    begin = spells[at + 1]
    first, last, why = begin[0].first, begin[-1].last, _why(begin, say)
    if at + 2 < len(spells):
        return say("Not legal yet; legal from {first} until {last}: {why}.", first=first, last=last, why=why)
    return say("Not legal yet; legal from {first}: {why}.", first=first, why=why)


def _over(spells: list[_Spell], at: int, day: date, say: Language) -> str:
    """The deck is not legal on a day, and will not be as far as is known."""
    if at:
        return say("Legal until {day}; {end}.", day=spells[at - 1][-1].last, end=_ended(spells[at], say))
    spell = spells[at]
    then = next((interval for interval in spell if day <= interval.last), spell[-1])
    first, last = spell[0].first, spell[-1].last
    return say("Not legal on any day from {first} to {last}: {why}", first=first, last=last, why=then.state(say))


def _ended(spell: _Spell, say: Language) -> str:
    """Tell that a deck is not legal again, and why: a block that has left stays away, a ban may be lifted some day."""
    rotated = next((change for one in spell for change in one.changes if _rotates(change)), None)
    why = _why(spell, say)
    if rotated is None:
        return say("not again as far as is announced: {why}", why=why)
    if rotated in spell[0].changes:
        return say("never again: {why}", why=why)
    return say("never again: {why}; from {day} {later}", why=why, day=rotated.event.day, later=rotated.said(say))


def _rotates(change: Change) -> bool:
    return change.event.cause == ROTATION and change.begins


def _why(spell: _Spell, say: Language) -> str:
    """Return what begins a spell."""
    return "; ".join(change.said(say) for change in _telling(spell[0]))


def _telling(interval: Interval) -> list[Change]:
    """Return the changes that make a deck legal or illegal, not those that merely come with them."""
    begin = not interval.legal
    return [
        change
        for change in interval.changes
        if change.begins is begin and any(finding.severity == ERROR for finding in change.findings)
    ] or list(interval.changes)
