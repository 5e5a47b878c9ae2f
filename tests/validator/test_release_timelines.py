"""What a timeline says of the release of a card: of a known day, a later one, or between two bounds."""

from datetime import date

import pytest

from tests.validator.table import Table, dbs, optcg
from validator import Judge, Policy
from validator.calendar import Calendar
from validator.findings import ERROR, WARNING
from validator.timeline import timeline

FIRST, LAST = date(2026, 8, 1), date(2026, 10, 1)
OUT = date(2026, 8, 28)


def judge_for_days(calendar, table):
    """Return a function that returns the Judge of a day, by the lists of that day."""
    return lambda day: Judge(calendar.of_lists.terms(day), table.catalogue)


def intervals(card, **policy):
    table = Table("optcg-1.1.9", card, day=FIRST)
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({card.number: 1}))
    calendar = Calendar("optcg", format="extra", policy=Policy(**policy))
    return timeline(deck, calendar, judge_for_days(calendar, table), FIRST, LAST).intervals


@pytest.mark.parametrize(
    ("policy", "since", "words"),
    [
        ({}, OUT, "is released"),
        ({"release_delay_days": 7}, date(2026, 9, 4), "becomes legal"),
        ({"release_delay_days": 1}, date(2026, 8, 29), "becomes legal"),
    ],
)
def test_a_card_is_legal_from_its_day_or_so_many_days_later(policy, since, words):
    before, after = intervals(optcg("C-1", released=OUT.isoformat()), **policy)
    assert (before.first, before.legal, after.first, after.legal) == (FIRST, False, since, True)
    assert [finding.severity for finding in before.findings] == [ERROR]
    assert words in after.reason
    assert "C-1" in after.reason


def test_where_releases_are_not_looked_at_nothing_changes():
    (only,) = intervals(optcg("C-1", released=OUT.isoformat()), release=False)
    assert (only.first, only.last, only.legal, only.findings) == (FIRST, LAST, True, ())


def test_a_card_whose_day_nobody_knows_is_a_warning_at_most():
    for interval in intervals(optcg("P-990")):
        assert {finding.severity for finding in interval.findings} <= {WARNING}
        assert interval.legal


@pytest.mark.parametrize(
    ("number", "days", "severities", "words"),
    [
        (
            "BT19-990",
            [date(2022, 9, 9), date(2022, 11, 3)],
            [ERROR, WARNING, None],
            ["may be released from this day on", "counts as released"],
        ),
        ("BT6-990", [date(2019, 3, 8)], [ERROR, None], ["is released"]),
    ],
)
def test_a_card_of_unknown_day_is_illegal_then_doubtful_then_legal(number, days, severities, words):
    table = Table("dbs-4.00", dbs(number), day=FIRST)
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({number: 1}))
    calendar = Calendar("dbs", edition="dbs-4.00")
    found = timeline(deck, calendar, judge_for_days(calendar, table), date(2018, 1, 1), date(2025, 1, 1)).intervals
    assert [one.first for one in found[1:]] == days
    assert [one.findings[0].severity if one.findings else None for one in found] == severities
    assert [said for one, said in zip(found[1:], words, strict=True) if said not in one.reason] == []


@pytest.mark.parametrize(("day", "spans"), [(date(2026, 8, 27), [(date.min, OUT)]), (OUT, []), (date(2026, 8, 29), [])])
def test_a_span_of_a_card_ends_before_its_release(day, spans):
    table = Table("optcg-1.1.9", optcg("C-1", released=OUT.isoformat()), day=day)
    (rule,) = (rule for rule in table.judge.rules if rule.name == "release")
    found = rule.spans(table.verdict({"C-1": 1}).facts)
    assert [(first, end) for first, end, _ in found] == spans
