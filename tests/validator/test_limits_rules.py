"""The rules of a limits list whose first days are not known: real numbers and days, invented cards."""

from datetime import date, timedelta

import pytest

from tests.validator.table import TODAY, Table, assert_illegal, assert_legal, dbs, optcg
from validator.findings import Citation
from validator.limits import list_parser, shipped_lists
from validator.rules.official_list import Listed, Pairs

RULES = "optcg-1.1.9"
ONE_DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("number", "code", "first", "last"),
    [
        ("BT3-118", "card.banned", date(2021, 11, 1), date(2022, 10, 28)),
        ("BT12-023", "card.banned", date(2021, 11, 1), date(2022, 10, 28)),
        ("BT18-002", "card.banned", date(2023, 3, 31), date(2023, 7, 9)),
        ("BT20-029", "card.banned", date(2023, 12, 1), date(2024, 8, 2)),
        ("BT23-016", "card.restricted", date(2023, 12, 1), date(2024, 8, 2)),
    ],
)
def test_an_entry_of_unknown_first_day_binds_from_the_day_it_is_certain(number, code, first, last):
    def verdict_on(day):
        """Return the verdict of a day on two copies of the card."""
        return Table("dbs-4.00", dbs(number), day=day).verdict({number: 2})

    limit = 1 if code == "card.restricted" else 0
    section = "Limited Cards" if limit else "Banned Cards"
    assert_legal(verdict_on(first - ONE_DAY))
    for day in (first, last - ONE_DAY):
        assert verdict_on(day).legal
        found = assert_illegal(verdict_on(day), code, "main", section, number, count=2, limit=limit, severity="warning")
        assert "may already be" in found.message
    assert not verdict_on(last).legal
    found = assert_illegal(verdict_on(last), code, "main", section, number, count=2, limit=limit, severity="error")
    assert "already" not in found.message


def test_a_card_restricted_or_not_yet_may_be_played_as_often_as_the_restriction_allows():
    assert_legal(Table("dbs-4.00", dbs("BT23-016"), day=date(2024, 1, 1)).verdict({"BT23-016": 1}))


def test_an_entry_of_unknown_first_day_warns_between_the_two_days_it_lies_between():
    cards = [optcg("OP02-024", "Stage"), optcg("OP02-052")]
    one_each = {"OP02-024": 1, "OP02-052": 1}
    assert_legal(Table(RULES, *cards, day=date(2023, 3, 31)).verdict(one_each))
    for day in (date(2023, 4, 1), date(2023, 6, 29)):
        verdict = Table(RULES, *cards, day=day).verdict(one_each)
        assert verdict.legal
        assert [(finding.code, finding.severity) for finding in verdict.findings] == [("card.banned", "warning")] * 2
        entry = verdict.as_dict()["findings"][0]["limits"]
        assert (entry["not_before"], entry["no_later_than"], entry["effective_from"]) == (
            "2023-04-01",
            "2023-06-30",
            None,
        )
    for day in (date(2023, 6, 30), date(2023, 9, 1)):
        verdict = Table(RULES, *cards, day=day).verdict(one_each)
        assert not verdict.legal
        assert verdict.codes == ["card.banned"] * 2
    # In Japan the day is known.
    assert not Table(RULES, *cards, day=date(2023, 4, 1), region="jp").verdict(one_each).legal
    assert_legal(Table(RULES, *cards, day=date(2023, 3, 31), region="jp").verdict(one_each))


def test_an_entry_of_known_first_day_has_no_bounds():
    table = Table(RULES, optcg("OP03-040"), day=date(2026, 10, 12), format="extra")
    entry = table.verdict({"OP03-040": 1}).as_dict()["findings"][0]["limits"]
    assert (entry["effective_from"], entry["not_before"], entry["no_later_than"]) == ("2025-08-30", None, None)


def test_a_warning_never_says_remove():
    # Invented entries: a ban, a restriction and a pair that may have begun.
    steps = {
        "ban": {"X-00": "One"},
        "restrict": {"X-01": {"limit": 1, "name": "Two"}},
        "ban_pairs": [{"X-02": "Three", "X-03": "Four"}],
    }
    change = {"not_before": date(2026, 11, 20), "no_later_than": date(2026, 11, 30), "bounds": "Invented."}
    document = {
        "game": "optcg",
        "title": "An invented list",
        "formats": ["standard"],
        "known_to": TODAY,
        "notes": [],
        "regions": {"en": "Here"},
        "sections": {"ban": "Banned", "restrict": "Restricted", "ban_pairs": "Pairs"},
        "change": [{**change, "region": "en", "source": "https://example.com/list", **steps}],
    }
    entries = list_parser.parse(document).in_force_on(TODAY)
    facts = Table(RULES).verdict().facts
    cite = Citation("A list", "Listed")
    rules = (Listed("limits", "", cite, entries.singles), Pairs("pairs", "", cite, entries.pairs))
    found = [finding for rule in rules for finding in rule.check(facts)]
    assert [finding.code for finding in found] == ["card.banned", "card.restricted", "pair.banned"]
    for finding in found:
        assert finding.severity == "warning"
        assert "Remove" not in finding.fix
        assert all(part in finding.message for part in ("may already be", "2026-11-20", "2026-11-30"))


def test_a_finding_says_how_sure_the_source_of_its_entry_is():
    first = date(2023, 7, 28)
    assert_legal(Table(RULES, optcg("OP02-004"), day=first - ONE_DAY).verdict({"OP02-004": 2}))
    verdict = Table(RULES, optcg("OP02-004"), day=first).verdict({"OP02-004": 2})
    found = assert_illegal(verdict, "card.restricted", "main", "Restricted Cards", "OP02-004", count=2, limit=1)
    entry = found.as_dict()["limits"]
    assert (entry["confidence"], bool(entry["note"])) == ("medium", bool(found.limits.note))
    assert entry["source"] in found.message
    sure = Table(RULES, optcg("OP03-040"), day=date(2026, 10, 12), format="extra").verdict({"OP03-040": 1})
    assert sure.as_dict()["findings"][0]["limits"]["confidence"] == "high"
    assert sure.findings[0].limits.source not in sure.findings[0].message


@pytest.mark.parametrize("region", ["en", "europe"])
def test_a_verdict_on_a_past_day_says_that_the_history_of_a_list_is_known_in_part(region):
    known = date(2026, 6, 19)
    notes = [
        shipped_lists("dbs").listed.in_force_on(day, region).notes
        for day in (date(2019, 6, 10), known - ONE_DAY, known)
    ]
    assert [len(one) for one in notes] == {"en": [1, 1, 0], "europe": [2, 2, 1]}[region]
    verdict = Table("dbs-1.0781", day=date(2019, 6, 10), region=region).verdict()
    assert verdict.as_dict()["limits"]["note"] == " ".join(notes[0])


def test_europe_is_judged_by_the_days_of_north_america():
    first = date(2020, 6, 5)
    for region in ("en", "europe"):
        assert_legal(Table("dbs-1.0781", dbs("BT5-038"), day=first - ONE_DAY, region=region).verdict({"BT5-038": 1}))
        verdict = Table("dbs-1.0781", dbs("BT5-038"), day=first, region=region).verdict({"BT5-038": 1})
        assert_illegal(verdict, "card.banned", "main", "Banned Cards", "BT5-038", count=1, limit=0)
    card = dbs("C-1", released="2026-01-02")
    for region in ("en", "europe"):
        assert Table("dbs-4.00", card, day=date(2026, 1, 1), region=region).verdict({"C-1": 1}).codes == [
            "card.unreleased"
        ]
        assert_legal(Table("dbs-4.00", card, day=date(2026, 1, 2), region=region).verdict({"C-1": 1}))


def test_the_days_of_a_region_that_follows_another_are_told_as_nobodys_own():
    listed = shipped_lists("dbs").listed
    assert listed.dated_regions == ("en",)
    assert set(listed.regions) == {"en", "europe"}
