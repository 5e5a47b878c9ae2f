"""Succession: the editions of a game follow one another by their first days, each the one that it inherits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from validator.errors import DocumentError
from validator.rulesets.ruleset import Ruleset


def check_succession(rulesets: Mapping[str, Ruleset]) -> None:
    """Refuse an edition that would be in force on other days than it looks, or on none; the DocumentError says which.

    A slip here is judged by silently: the newest edition would never be asked, or be asked of the oldest days.
    """
    for ruleset in rulesets.values():
        if ruleset.inherits:
            _check_heir(ruleset, rulesets[ruleset.inherits])
    _check_first_days(ruleset for ruleset in rulesets.values() if ruleset.superseded_by is None)


def _check_heir(heir: Ruleset, parent: Ruleset) -> None:
    if heir.game != parent.game:
        raise DocumentError(
            f"{heir.id}: it is of {heir.game} and inherits {parent.id}, of {parent.game}; correct one of them"
        )
    since = parent.in_force_from
    if since and not (heir.in_force_from and heir.in_force_from > since):
        raise DocumentError(f"{heir.id}: it inherits {parent.id}, in force from {since}; write from, a later day")


def _check_first_days(successive: Iterable[Ruleset]) -> None:
    known: dict[tuple[str, date | None], str] = {}
    for one in successive:
        other = known.setdefault((one.game, one.in_force_from), one.id)
        if other != one.id:
            since = f"from {one.in_force_from}" if one.in_force_from else "without a first day"
            raise DocumentError(
                f"{other} and {one.id} are both in force {since}; correct a from, or write superseded_by in the older"
            )
