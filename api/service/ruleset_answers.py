"""What is to be known of an edition of the rules: when it is in force, and in what it differs from another."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from api.service.errors import Invalid, Wrong
from validator.errors import UnknownRuleset
from validator.rulesets import Ruleset, named, rulesets, successive
from validator.rulesets.amendments import Amendment, amendments


class InForceDays(NamedTuple):
    """The days on which decks are judged by an edition where none is named; None is open.

    `never` is true of one that another has taken the place of.
    """

    first: date | None
    last: date | None
    never: bool = False


class RulesetComparison(NamedTuple):
    """In what an edition differs from another one, `against`; the statements that both have alike are counted."""

    against: Ruleset
    amendments: list[Amendment]


class RulesetAnswer(NamedTuple):
    """An edition, the days on which it is in force, and the others of its game with theirs."""

    ruleset: Ruleset
    days: InForceDays
    others: list[Ruleset]
    comparison: RulesetComparison | None


def known_of_ruleset(ruleset: Ruleset, against: str | None = None) -> RulesetAnswer:
    """Return what is to be known of an edition; Invalid where there is none to compare it with by that id."""
    comparison = RulesetComparison(other := _other(ruleset, against), amendments(other, ruleset)) if against else None
    others = [one for one in rulesets().values() if one.game == ruleset.game and one is not ruleset]
    return RulesetAnswer(ruleset, days_in_force(ruleset), others, comparison)


def days_in_force(ruleset: Ruleset) -> InForceDays:
    """Return the days on which an edition is in force: to the day before the next one."""
    if ruleset.superseded_by:
        return InForceDays(None, None, never=True)
    after = {one.id: following for one, following in pairwise(successive(ruleset.game))}.get(ruleset.id)
    ends = after.in_force_from if after else None
    return InForceDays(ruleset.in_force_from, ends - timedelta(days=1) if ends else None)


def _other(ruleset: Ruleset, against: str) -> Ruleset:
    try:
        other = named(against)
    except UnknownRuleset as error:
        raise Invalid([Wrong("/against", str(error))]) from None
    if other.game != ruleset.game:
        raise Invalid([Wrong("/against", f"{other.id} is of another game than {ruleset.id}.")])
    return other
