"""Own lists: what the organiser's own limits list of an event changes, and its entries that have no effect."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Annotated, TypedDict

from api.service.answers.json_schema import DayText, doc
from api.service.answers.verdict_answers import NamedJSON
from validator.bounds import MOST_PROPOSAL_FAULTS
from validator.cards import Catalogue
from validator.judge import Judge, Terms
from validator.language import Language
from validator.limits.lists import InForce, LimitsList, compare_lists
from validator.limits.proposals import OwnList
from validator.names import check_listed_names

_MOST_CHECKED_LISTS = 32


class ChangedLimitJSON(TypedDict):
    cards: Annotated[list[NamedJSON], doc("The card, or the two of a pair.")]
    before: Annotated[int | None, doc("The copies that are allowed without the list. Null: no limit.")]
    limit: Annotated[int | None, doc("The copies that are allowed with the list. Null: no limit.")]


class CardPoolJSON(TypedDict):
    since: Annotated[DayText, doc("The first day of the card pool.")]
    sets: Annotated[list[str], doc("The allowed sets, as card numbers begin.", example=["OP01", "OP02"])]
    cards: Annotated[list[NamedJSON], doc("The allowed cards besides those of the sets.")]


class OwnListJSON(TypedDict):
    name: Annotated[str, doc("The `document` of the list, which findings cite.", example="House list")]
    changes: Annotated[list[ChangedLimitJSON], doc("The differences from the official list on the event's day.")]
    pool: Annotated[CardPoolJSON | None, doc("The only allowed cards on the event's day. Null: all cards.")]
    warnings: Annotated[
        list[str],
        doc("Entries without effect or with wrong cards. Only staff of the event get them."),
    ]


def own_list_json(name: str, official: InForce | None, in_force: InForce | None, warnings: list[str]) -> OwnListJSON:
    """Return an own list as JSON. `in_force` is the list in force with it, `official` the list without it."""
    changes, pool = compare_limits(official, in_force), _pool_json(in_force)
    return {"name": name, "changes": changes, "pool": pool, "warnings": warnings}


def compare_limits(before: InForce | None, after: InForce | None) -> list[ChangedLimitJSON]:
    """Return the entries that differ between two lists in force. Empty if the policy ignores limits lists."""
    if before is None or after is None:
        return []
    return [
        {
            "cards": [{"number": number, "name": name} for number, name in zip(one.numbers, one.names, strict=True)],
            "before": one.before.limit if one.before else None,
            "limit": one.after.limit if one.after else None,
        }
        for one in compare_lists(before, after)
    ]


def _pool_json(in_force: InForce | None) -> CardPoolJSON | None:
    """Return the card pool of a list in force as JSON, None without one."""
    pool = in_force.pool if in_force else None
    if pool is None:
        return None
    cards: list[NamedJSON] = [{"number": number, "name": name} for number, name in pool.cards.items()]
    return {"since": pool.entry.effective_from or "", "sets": list(pool.sets), "cards": cards}


def find_warnings(own: OwnList, official: Judge, terms: Terms, translate: Language) -> list[str]:
    """Return the entries of an own list that have no effect, or another card than meant, with the reason.

    `official` is the Judge without the list, `terms` are those with the list.
    """
    found = [
        translate(
            "An entry of the event's own ban list has no effect, because it doesn't fit the official list any more: "
            "{reason}.",
            reason=reason,
        )
        for reason in own.left_out
    ]
    found += _find_wrong_names(own.listed, official.terms.lists.listed, official.catalogue)
    in_force = terms.in_force
    if in_force is None or not (in_force.pool or compare_limits(official.terms.in_force, in_force)):
        found.append(
            translate(
                "The event's own ban list changes nothing on {day}. Check its first day and its region.",
                day=terms.on,
            )
        )
    return found


@lru_cache(_MOST_CHECKED_LISTS)
def _find_wrong_names(own: LimitsList, official: LimitsList, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the first warnings about cards of a list that the catalogue has under another name, or not at all."""
    return tuple(islice(check_listed_names(own, official, catalogue), MOST_PROPOSAL_FAULTS))
