"""The release of cards, region by region: real numbers and days, invented cards."""

from datetime import date

from tests.validator.table import Table, dbs, illegal, legal, optcg

RULES = "optcg-1.1.9"


def test_a_card_is_legal_from_its_release_or_later_where_an_event_says_so():
    card = optcg("C-1", released="2026-08-28")
    found = illegal(
        Table(RULES, card, on=date(2026, 8, 27)).verdict({"C-1": 1}),
        "card.unreleased",
        "main",
        "released",
        "C-1",
        count=1,
    )
    assert found.rule.document == "Card catalogue"
    known = {"legal_from": "2026-08-28", "released": "2026-08-28", "delay_days": 0}
    assert found.details == {**known, "not_before": None, "no_later_than": None, "reasons": ()}
    legal(Table(RULES, card, on=date(2026, 8, 28)).verdict({"C-1": 1}))
    week = {"release_delay_days": 7}
    assert Table(RULES, card, on=date(2026, 9, 3), **week).verdict({"C-1": 1}).codes == ["card.unreleased"]
    legal(Table(RULES, card, on=date(2026, 9, 4), **week).verdict({"C-1": 1}))


def test_a_release_cites_the_source_of_its_day():
    card = optcg("OP15-001", released="2026-04-03", block="4")
    verdict = Table(RULES, card, on=date(2026, 4, 2)).verdict({"OP15-001": 4})
    (finding,) = verdict.findings
    assert finding.code == "card.unreleased"
    assert finding.rule.document == "Official product pages, as quoted in October 2026"
    assert "[OP15-EB04]" in finding.rule.section
    legal(Table(RULES, card, on=date(2026, 4, 3)).verdict({"OP15-001": 4}))


def test_a_region_is_not_judged_by_the_days_of_another():
    card = optcg("OP15-001", released="2026-04-03", block="4")
    table = Table(RULES, card, on=date(2026, 3, 30), region="jp")
    legal(table.verdict({"OP15-001": 4}))
    assert "release" not in [one["rule"]["name"] for one in table.verdict().as_dict(explain=True)["checked"]]


def test_policy_may_leave_the_release_out():
    card = optcg("OP15-001", released="2026-04-03", block="4")
    legal(Table(RULES, card, on=date(2026, 4, 2), release=False).verdict({"OP15-001": 4}))
    legal(Table(RULES, card, on=date(2026, 4, 2), release=False, release_delay_days=7).verdict({"OP15-001": 4}))


def test_the_official_dragon_ball_list_is_the_source_of_its_days():
    card = dbs("C-1", released="2026-08-02")
    found = Table("dbs-4.00", card, on=date(2026, 8, 1)).verdict({"C-1": 1})
    (finding,) = found.findings
    assert (finding.rule.document, finding.rule.section) == ("Official card list", "Available in tournaments")
    legal(Table("dbs-4.00", card, on=date(2026, 8, 2)).verdict({"C-1": 1}))
