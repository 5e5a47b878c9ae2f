"""Proposed changes: on which changes the day of the page is the day on which they were announced."""

import tomllib
from dataclasses import replace
from datetime import date

import pytest

from carddb.sources.restrictions import OfficialPage, Restriction
from carddb.sync.proposed_changes import proposed_changes
from validator.limits import shipped_lists

KNOWN = date(2026, 8, 1)
UPDATED = date(2026, 11, 1)
ON = date(2026, 11, 21)


def change(effective, updated=UPDATED, known_to=KNOWN):
    """Return the change by which a page bans a card that our list does not have. Our list ends with `known_to`."""
    ours = replace(shipped_lists("dbs").listed, known_to=known_to)
    entries = []
    for numbers, one in ours.in_force_on(ON).entries.items():
        since = one.entry.effective_from
        entries.append(Restriction(numbers, one.names, one.limit, since and date.fromisoformat(since)))
    banned = Restriction(("BT99-001",), ("Example",), 0, effective, "From a day.")
    page = OfficialPage("dbs", "https://example.test/", (*entries, banned), updated=updated)
    proposed = proposed_changes(page, ours, ON).toml()
    assert f"known_to = {updated or ON}\n" in proposed
    (found,) = tomllib.loads(proposed)["change"]
    return found


@pytest.mark.parametrize(
    ("effective", "updated", "known", "announced"),
    [
        (date(2026, 12, 1), UPDATED, KNOWN, UPDATED),
        (UPDATED, UPDATED, KNOWN, UPDATED),  # in force on the day of the page
        (date(2026, 10, 31), UPDATED, KNOWN, None),  # before the page
        (date(2026, 12, 1), UPDATED, UPDATED, None),  # the list was known to the day of the page
        (date(2026, 12, 1), UPDATED, date(2026, 10, 31), UPDATED),
        (date(2026, 12, 1), UPDATED, None, None),
        (date(2026, 12, 1), None, KNOWN, None),
    ],
)
def test_a_change_is_announced_by_the_page_that_is_newer_than_the_list(effective, updated, known, announced):
    found = change(effective, updated, known)
    assert found.get("announced") == announced
    assert (found["effective_from"], found["stated"], found["region"]) == (effective, "From a day.", "en")
