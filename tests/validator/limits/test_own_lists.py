"""An organiser's list on top of an official list that has changed since the organiser's list was accepted."""

from datetime import date

import pytest

from tests.validator.limits.test_refusals import FEB, MAR, PAIR, ban, bounded_change, change, group_change, limits_file
from validator.errors import DocumentError
from validator.limits import proposals

JAN, APR = date(2026, 1, 1), date(2026, 4, 1)
ONE = {"AB01-001": "One"}


def join_stored(official, *changes):
    """An accepted list of these changes on an official list."""
    document = {"document": "House list", "change": list(changes)}
    return proposals.own_list("ab", official, document, is_stored=True)


def copies(own, day, number="AB01-001"):
    """The copies that a list allows on a day, and the document that says it, None without an entry."""
    entry = own.listed.in_force_on(day).entries.get((number,))
    return (entry.limit, entry.change.document) if entry else None


def restriction(limit=1, day=JAN):
    return change(day, restrict={"AB01-001": {"limit": limit, "name": "One"}})


def test_a_list_that_fits_has_nothing_left_out():
    own = join_stored(limits_file(ban()), change(FEB, lift=ONE))
    assert (own.left_out, copies(own, JAN), copies(own, FEB)) == ((), (0, ""), None)


@pytest.mark.parametrize(
    ("official", "changes", "reason"),
    [
        (limits_file(), [change(FEB, lift=ONE)], "lifts AB01-001, which is not on the list"),
        (limits_file(), [change(FEB, lift_pairs=[PAIR])], "lifts AB01-001 and AB01-002, which is not on the list"),
        (limits_file(ban()), [ban(day=FEB)], "repeats the entry of AB01-001 in the en change of 2026-01-01"),
        (
            limits_file(groups={"low": "a low card"}),
            [group_change("lift_among", "AB01-001")],
            "AB01-001 is not in the group",
        ),
        (limits_file(), [group_change("ban_among", "AB01-001", "AB01-002")], "unknown word 'low'"),
        (limits_file(regions={"en": "Here"}), [ban(region="jp")], "unknown word 'jp'"),
        (limits_file(follows={"jp": "en"}), [ban(region="jp")], "jp follows en"),
        (limits_file(sections={"ban": "B", "restrict": "R"}), [change(ban_pairs=[PAIR])], "bans pairs"),
    ],
    ids=range(8),
)
def test_an_entry_that_does_not_fit_is_left_out_and_the_others_stay(official, changes, reason):
    with pytest.raises(DocumentError):
        proposals.own_list("ab", official, {"change": changes})
    own = join_stored(official, *changes, ban("AB02-001", "Another", MAR))
    assert any(reason in left_out for left_out in own.left_out)
    assert copies(own, MAR, "AB02-001") == (0, "House list")
    assert own.listed.in_force_on(MAR).entries.keys() - {("AB02-001",)} == proposals.own_list(
        "ab", official, {"change": [ban("AB02-001", "Another", MAR)]}
    ).listed.in_force_on(MAR).entries.keys() - {("AB02-001",)}


def test_an_own_ban_stays_in_force_before_the_same_official_ban():
    own = join_stored(limits_file(ban(day=MAR)), ban(day=FEB))
    assert (copies(own, JAN), copies(own, FEB), copies(own, MAR)) == (None, (0, "House list"), (0, "House list"))
    assert len(own.left_out) == 1


def test_of_two_entries_of_one_day_the_own_one_counts():
    own = join_stored(limits_file(ban(day=FEB)), restriction(2, FEB))
    assert (copies(own, FEB), own.left_out) == ((2, "House list"), ())
    lifted = join_stored(limits_file(ban(), restriction(2, FEB)), change(FEB, lift=ONE))
    assert (copies(lifted, JAN), copies(lifted, FEB), lifted.left_out) == ((0, ""), None, ())


def test_an_own_entry_within_the_bounds_of_an_official_one_counts():
    own = join_stored(limits_file(bounded_change(JAN, MAR)), restriction(2, FEB))
    assert (copies(own, FEB), copies(own, APR), own.left_out) == ((2, "House list"), (0, ""), ())


def test_another_name_of_a_card_is_no_reason_to_leave_an_entry_out():
    own = join_stored(limits_file(ban()), change(FEB, lift={"AB01-001": "Won"}))
    assert (copies(own, FEB), own.left_out) == (None, ())


def test_a_proposal_is_applied_on_top_of_the_own_list():
    own = join_stored(limits_file(ban()), change(FEB, lift=ONE), change(FEB, lift={"AB09-009": "Gone"}))
    proposed = proposals.proposed_on_own("ab", own, {"change": [restriction(1, MAR)]})
    assert [proposed.in_force_on(day).entries.get(("AB01-001",)) is None for day in (JAN, FEB, MAR)] == [
        False,
        True,
        False,
    ]
    with pytest.raises(DocumentError, match="lifts AB01-001, which is not on the list"):
        proposals.proposed_on_own("ab", own, {"change": [change(MAR, lift=ONE)]})
