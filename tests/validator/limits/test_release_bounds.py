"""Release bounds: what a bounds file may say, and what follows from it."""

from datetime import date

import pytest

from tests.validator.limits.test_refusals import ban, change, limits_file
from tests.validator.table import dbs
from validator.errors import DocumentError
from validator.limits import LimitsList, list_parser, release_bounds
from validator.limits.cardsets import Sets

FEB, MAR, APR = date(2026, 2, 1), date(2026, 3, 1), date(2026, 4, 1)


def entry(**said):
    return {"not_before": FEB, "reason": "shown", "source": "list", **said}


def document(*entries, **head):
    return {
        "game": "dbs",
        "notes": [],
        "series": ["BT"],
        "reasons": {"shown": "{cards} was not out before {not_before}"},
        "sources": {"list": {"region": "en", "title": "A list"}, "other": {"region": "jp", "title": "Another"}},
        "bound": list(entries),
        **head,
    }


def bounds_table(*entries, region="en"):
    """Return the release bounds of these entries, without sets and limits."""
    return release_bounds.BoundsTable(release_bounds.parse(document(*entries)), Sets("dbs"), LimitsList("dbs"), region)


def as_days(bounds):
    """Return the bounds of a card with days instead of limits, None for an open bound."""
    first, expected, last = bounds
    return (first.day if first else None, expected, last.day if last else None)


SELECTED = {
    "set": ({"sets": ["BT9"]}, dbs("BT9-001"), dbs("SD9-01")),
    "numbers": ({"numbers": ["P-010", "P-020"]}, dbs("P-020"), dbs("P-021")),
    "type": ({"types": ["Unison"]}, dbs("P-001", "Unison"), dbs("P-001")),
    "color": ({"colors": ["Red"]}, dbs("P-001", colors=("Blue", "Red")), dbs("P-001", colors=("Blue",))),
    "block": ({"blocks": ["2"]}, dbs("P-001", block="2"), dbs("P-001")),
    "two selectors": ({"types": ["Unison"], "colors": ["Red"]}, dbs("P-001", "Unison"), dbs("P-001")),
    "every card": ({}, dbs("BT9-001"), dbs("invented")),
}


@pytest.mark.parametrize(("selector", "one", "other"), SELECTED.values(), ids=SELECTED)
def test_a_bound_applies_to_the_cards_of_its_selectors(selector, one, other):
    found = bounds_table(entry(**selector))
    assert as_days(found.find_bounds(one)) == (FEB, None, None)
    assert as_days(found.find_bounds(other)) == (None, None, None)
    assert found.find_bounds(one).not_before.cite.document == "A list"


def test_the_narrowest_days_count():
    found = bounds_table(entry(), entry(not_before=MAR, no_later_than=date(2026, 9, 1)), entry(no_later_than=APR))
    assert as_days(found.find_bounds(dbs("P-001"))) == (MAR, None, APR)


def test_a_set_comes_out_after_the_sets_before_it_and_before_those_after_it():
    found = bounds_table(
        entry(sets=["BT2"], no_later_than=FEB), entry(sets=["BT10"], not_before=APR, no_later_than=APR)
    )
    assert as_days(found.of_set("BT9")) == (FEB, None, APR)
    assert as_days(found.of_set("BT1")) == (None, None, FEB)
    assert as_days(found.of_set("BT11")) == (APR, None, None)
    assert as_days(found.of_set("SD9")) == (None, None, None)  # no series


def test_bound_the_release_of_a_card_by_its_first_official_list():
    listed = list_parser.parse(
        limits_file(ban("P-001", day=MAR), change(APR, lift={"P-001": "One"}), ban("P-002", "Two", APR), game="dbs")
    )
    parsed = release_bounds.parse(document())
    found = release_bounds.BoundsTable(parsed, Sets("dbs"), listed, "en")
    assert [as_days(found.find_bounds(dbs(number))) for number in ("P-001", "P-002", "P-003")] == [
        (None, None, MAR),
        (None, None, APR),
        (None, None, None),
    ]
    assert found.find_bounds(dbs("P-001")).no_later_than.cite.document == "A list"


def test_days_that_contradict_each_other_are_the_first_possible_one():
    assert as_days(bounds_table(entry(not_before=APR), entry(no_later_than=MAR)).find_bounds(dbs("P-001"))) == (
        APR,
        None,
        APR,
    )


def test_a_source_speaks_of_its_region():
    told = entry(source="other")
    assert as_days(bounds_table(told).find_bounds(dbs("P-001"))) == (None, None, None)
    assert as_days(bounds_table(told, region="jp").find_bounds(dbs("P-001"))) == (FEB, None, None)


def entry_without(key):
    """Return a valid entry without one key."""
    return {name: value for name, value in entry().items() if name != key}


BAD = {
    "unknown word": (entry(until=MAR), "unknown word 'until'"),
    "no day": (entry_without("not_before"), "write not_before"),
    "days in the wrong order": (entry(not_before=MAR, no_later_than=FEB), "in this order"),
    "estimate after the last day": (entry(expected=APR, no_later_than=MAR), "in this order"),
    "day in quotes": (entry(not_before="2026-02-01"), "a day without quotes"),
    "unknown reason": (entry(reason="hearsay"), "unknown word 'hearsay'"),
    "no reason": (entry_without("reason"), "reason is missing"),
    "unknown source": (entry(source="friend"), "unknown word 'friend'"),
    "empty selector": (entry(types=[]), "a selector is empty"),
    "set with another selector": (entry(sets=["BT1"], types=["Unison"]), "sets allows no other selectors"),
    "numbers of two series": (entry(numbers=["P-001", "BT1-002"]), "of one series"),
    "numbers in the wrong order": (entry(numbers=["P-002", "P-001"]), "of one series"),
    "one number": (entry(numbers=["P-002"]), "of one series"),
}


@pytest.mark.parametrize(("wrong", "says"), BAD.values(), ids=BAD)
def test_a_bound_is_refused(wrong, says):
    with pytest.raises(DocumentError, match=says):
        release_bounds.parse(document(wrong))
