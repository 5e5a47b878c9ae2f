"""Own lists: what the organiser's own limits list of an event changes, and its entries that have no effect."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Annotated, TypedDict

from validator.bounds import MOST_PROPOSAL_FAULTS
from validator.cards import Catalogue
from validator.field_docs import DayText, doc
from validator.findings import NamedJSON
from validator.judge import Judge, Terms
from validator.language import Language
from validator.limits.lists import InForce, LimitsList, compare_lists
from validator.limits.proposals import OwnList
from validator.names import check_listed_names

_MOST_CHECKED_LISTS = 32


class ChangedLimitJSON(TypedDict):
    """A card, or a pair of cards, of which an own or proposed limits list allows another number of copies.

    `before` and `limit` are equal if the list only turns a warning into an error, or the reverse.
    """

    cards: Annotated[list[NamedJSON], doc("The card, or the two of a pair.")]
    before: Annotated[int | None, doc("The copies that are allowed without the list. Null: no limit.")]
    limit: Annotated[int | None, doc("The copies that are allowed with the list. Null: no limit.")]


class CardPoolJSON(TypedDict):
    """The only cards that a limits list allows: all cards of some sets, and single cards.

    `since` is "" if the pool has no first day.
    """

    since: Annotated[DayText, doc("The first day of the card pool.")]
    sets: Annotated[list[str], doc("The allowed sets, as card numbers begin.", example=["OP01", "OP02"])]
    cards: Annotated[list[NamedJSON], doc("The allowed cards besides those of the sets.")]


class OwnListJSON(TypedDict):
    """The organiser's own limits list of an event: its name, its differences from the official list, and warnings."""

    name: Annotated[str, doc("The `document` of the list, which findings cite.", example="House list")]
    changes: Annotated[list[ChangedLimitJSON], doc("The differences from the official list on the event's day.")]
    pool: Annotated[CardPoolJSON | None, doc("The only allowed cards on the event's day. Null: all cards.")]
    warnings: Annotated[
        list[str],
        doc("Entries without effect or with wrong cards. Only staff of the event get them."),
    ]


def own_list_json(name: str, official: InForce | None, in_force: InForce | None, warnings: list[str]) -> OwnListJSON:
    """Return the organiser's own limits list of an event as JSON. `name` is the name under which findings cite it.

    `in_force` are the limits of the event's day with the own list, `official` those without it. Both are None if the
    policy of the event ignores limits lists: then there are no changes and no pool. `warnings` are sentences for staff.
    """
    changes, pool = compare_limits(official, in_force), _pool_json(in_force)
    return {"name": name, "changes": changes, "pool": pool, "warnings": warnings}


def compare_limits(before: InForce | None, after: InForce | None) -> list[ChangedLimitJSON]:
    """Return the cards, or pairs of cards, whose allowed copies differ between two states of the limits, pairs last.

    In the result a limit is None if a card has no limit in that state. An entry that only changes from a warning to an
    error, or back, is a difference too. Empty if either state is None, because the policy ignores limits lists.
    """
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
    """Return the cards that are the only allowed ones as JSON. None if the limits have no such pool or are None.

    `since` is "" if the pool has no first day.
    """
    pool = in_force.pool if in_force else None
    if pool is None:
        return None
    cards: list[NamedJSON] = [{"number": number, "name": name} for number, name in pool.cards.items()]
    return {"since": pool.entry.effective_from or "", "sets": list(pool.sets), "cards": cards}


def find_warnings(own: OwnList, official: Judge, terms: Terms, translate: Language) -> list[str]:
    """Return sentences about entries of an own limits list that have no effect or may name another card than meant.

    First come entries that do not fit the official list any more. Then come cards that the catalogue has under another
    name, or not at all. The last sentence is added if the whole list changes nothing on the day.

    `official` is the Judge without the own list, `terms` are those with the list. The sentences about names are in
    English.
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
    """Return English sentences about cards of an own list that the catalogue has under another name, or not at all.

    Cards that the list `official` has with the same name are not checked. At most MOST_PROPOSAL_FAULTS are returned.
    The results for the last 32 combinations of arguments are cached.
    """
    return tuple(islice(check_listed_names(own, official, catalogue), MOST_PROPOSAL_FAULTS))
