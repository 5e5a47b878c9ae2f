"""What is to be known of an edition of the rules: when it is in force, and in what it differs from another."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

from api.service.errors import Invalid, Wrong
from validator.errors import UnknownRuleset
from validator.language import phrase
from validator.rulesets import Ruleset, named, rulesets, successive
from validator.rulesets.amendments import Amendment, Statement, amendments


class InForceDays(NamedTuple):
    """The days on which decks are judged by an edition where none is named; None is open.

    `never` is true of one that another has taken the place of.
    """

    first: date | None
    last: date | None
    never: bool = False


class RulesetComparison(NamedTuple):
    """In what an edition differs from another one, `against`."""

    against: Ruleset
    amendments: list[Amendment]

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "against": self.against.id,
            "differences": [
                {"name": one.name, "kind": one.kind, "before": _stated(one.before), "after": _stated(one.after)}
                for one in self.amendments
            ],
        }


class RulesetAnswer(NamedTuple):
    """An edition, the days on which it is in force, and the others of its game with theirs."""

    ruleset: Ruleset
    days: InForceDays
    others: list[Ruleset]
    comparison: RulesetComparison | None


def known_of_ruleset(ruleset: Ruleset, against: str | None = None) -> RulesetAnswer:
    """Return what is to be known of an edition; Invalid where there is none to compare it with by that id."""
    others = [one for one in rulesets().values() if one.game == ruleset.game and one is not ruleset]
    return RulesetAnswer(ruleset, days_in_force(ruleset), others, comparison(ruleset, against) if against else None)


def comparison(ruleset: Ruleset, against: str) -> RulesetComparison:
    """Return in what an edition differs from another of its game; Invalid where there is none of that id."""
    other = _other(ruleset, against)
    return RulesetComparison(other, amendments(other, ruleset))


def days_in_force(ruleset: Ruleset) -> InForceDays:
    """Return the days on which an edition is in force: to the day before the next one."""
    if ruleset.superseded_by:
        return InForceDays(None, None, never=True)
    after = {one.id: following for one, following in pairwise(successive(ruleset.game))}.get(ruleset.id)
    ends = after.in_force_from if after else None
    return InForceDays(ruleset.in_force_from, ends - timedelta(days=1) if ends else None)


def _stated(of: Statement | None) -> dict[str, Any] | None:
    return {"says": of.says, "rule": of.cite.as_dict()} if of else None


def _other(ruleset: Ruleset, against: str) -> Ruleset:
    try:
        other = named(against)
    except UnknownRuleset as error:
        raise Invalid([Wrong("/against", str(error))]) from None
    if other.game != ruleset.game:
        told = phrase("{other} is of another game than {ruleset}.", other=other.id, ruleset=ruleset.id)
        raise Invalid([Wrong("/against", told)])
    return other
