"""The release of cards, region by region: real numbers and days, invented cards."""

from datetime import date, timedelta

import pytest

from carddb import facts
from carddb.catalogue import Catalogue
from tests.validator.table import Table, assert_illegal, assert_legal, dbs, gundam, optcg, plain_cards
from validator import Deck, Judge, Line, Policy, Terms
from validator.findings import ERROR, WARNING, merge_findings
from validator.limits import shipped_lists
from validator.rulesets import of_game

RULES = "optcg-1.1.9"


def test_a_card_is_legal_from_its_release_or_later_where_an_event_says_so():
    card = optcg("C-1", released="2026-08-28")
    found = assert_illegal(
        Table(RULES, card, day=date(2026, 8, 27)).verdict({"C-1": 1}),
        "card.unreleased",
        "main",
        "released",
        "C-1",
        count=1,
    )
    assert found.rule.document == "Card catalogue"
    known = {"legal_from": "2026-08-28", "released": "2026-08-28", "delay_days": 0}
    assert found.details == {**known, "not_before": None, "no_later_than": None, "reasons": ()}
    assert_legal(Table(RULES, card, day=date(2026, 8, 28)).verdict({"C-1": 1}))
    week = {"release_delay_days": 7}
    assert Table(RULES, card, day=date(2026, 9, 3), **week).verdict({"C-1": 1}).codes == ["card.unreleased"]
    assert_legal(Table(RULES, card, day=date(2026, 9, 4), **week).verdict({"C-1": 1}))
    for policy, has_delay in (({}, False), (week, True)):
        (rule,) = (rule for rule in Table(RULES, card, **policy).judge.rules if rule.name == "release")
        assert ("7 days" in rule.says) is has_delay


def test_a_release_cites_the_source_of_its_day():
    card = optcg("OP15-001", released="2026-04-03", block="4")
    verdict = Table(RULES, card, day=date(2026, 4, 2)).verdict({"OP15-001": 4})
    (finding,) = verdict.findings
    assert finding.code == "card.unreleased"
    assert finding.rule.document == "Official product pages, as quoted in October 2026"
    assert "[OP15-EB04]" in finding.rule.section
    assert_legal(Table(RULES, card, day=date(2026, 4, 3)).verdict({"OP15-001": 4}))


def test_a_region_is_not_judged_by_the_days_of_another():
    card = optcg("OP15-001", released="2026-04-03", block="4")
    table = Table(RULES, card, day=date(2026, 3, 30), region="jp")
    assert_legal(table.verdict({"OP15-001": 4}))
    assert "release" not in [one["rule"]["name"] for one in table.verdict().as_dict(explain=True)["checked"]]


def test_policy_may_leave_the_release_out():
    card = optcg("OP15-001", released="2026-04-03", block="4")
    assert_legal(Table(RULES, card, day=date(2026, 4, 2), release=False).verdict({"OP15-001": 4}))
    assert_legal(Table(RULES, card, day=date(2026, 4, 2), release=False, release_delay_days=7).verdict({"OP15-001": 4}))


def test_the_official_dragon_ball_list_is_the_source_of_its_days():
    card = dbs("C-1", released="2026-08-02")
    found = Table("dbs-4.00", card, day=date(2026, 8, 1)).verdict({"C-1": 1})
    (finding,) = found.findings
    assert (finding.rule.document, finding.rule.section) == ("Official card list", "Available in tournaments")
    assert_legal(Table("dbs-4.00", card, day=date(2026, 8, 2)).verdict({"C-1": 1}))


def release_findings(game, card, day, as_of=None, **terms):
    """Return the findings on the release of a card in a deck of a day.

    Asserts that `passed` of the rule fits the severities of the findings.
    """
    catalogue = Catalogue(game, "table", [*plain_cards(game), card], as_of)
    section = "leader" if card.type == "Leader" else "z" if card.type.startswith("Z-") else "main"
    judge = Judge(Terms(of_game(game, day), day, **terms), catalogue)
    verdict = judge(Deck(**{section: (Line(card.number, 1),)}))
    passed = next(one["passed"] for one in verdict.as_dict(explain=True)["checked"] if one["rule"]["name"] == "release")
    found = [one for one in verdict.findings if one.code == "card.unreleased"]
    assert passed is {(): True, (ERROR,): False, (WARNING,): None}[tuple(one.severity for one in found)]
    return found


# A card of each kind of bound, the day before which it is not legal and the day from which it surely counts.
BOUNDED = {
    "secret rare": (dbs("BT2-123"), date(2017, 11, 3), date(2017, 11, 3)),
    "set in order": (dbs("BT19-001"), date(2022, 9, 9), date(2022, 11, 3)),
    "newer set": (dbs("BT32-001"), date(2023, 12, 1), None),
    "news of a set": (dbs("BT13-001"), date(2021, 5, 14), date(2021, 5, 21)),
    "starter": (dbs("SD17-01", "Leader"), date(2022, 9, 9), date(2022, 9, 9)),
    "promo": (dbs("P-163"), date(2019, 9, 13), date(2019, 9, 20)),
    "Unison promo": (dbs("P-212", "Unison"), date(2020, 5, 29), date(2020, 5, 29)),
    "Z-Card": (dbs("P-402", "Z-Battle"), date(2022, 9, 9), date(2022, 10, 3)),
    "promo of a block": (optcg("P-070", block="2"), date(2023, 9, 15), date(2024, 3, 29)),
    "promo of an event": (optcg("P-071", block="3"), date(2024, 9, 6), date(2024, 9, 13)),
    "set of One Piece": (optcg("OP05-001"), date(2023, 12, 8), date(2023, 12, 8)),
    "first day of Gundam": (gundam("GD05-001"), date(2026, 7, 24), date(2026, 7, 24)),
    "newer set of Gundam": (gundam("GD06-001"), date(2026, 7, 24), None),
}


@pytest.mark.parametrize(("card", "first", "sure"), BOUNDED.values(), ids=BOUNDED)
def test_a_card_without_a_day_is_judged_by_its_bounds(card, first, sure):
    (early,) = release_findings(card.game, card, first - timedelta(days=1))
    assert (early.severity, early.details["legal_from"], early.details["not_before"]) == (ERROR, str(first), str(first))
    assert early.details["reasons"]
    is_exact = early.details["no_later_than"] == str(first)
    assert early.details["released"] == (str(first) if is_exact else None)
    assert str(first) in early.message
    if sure is None:
        assert release_findings(card.game, card, first) == []  # nobody knows of which day the catalogue is
        return
    for day in {first, sure - timedelta(days=1)} if sure > first else ():
        (possible,) = release_findings(card.game, card, day)
        assert (possible.severity, possible.details["legal_from"]) == (WARNING, str(sure))
        assert str(first) in possible.message
    assert release_findings(card.game, card, sure) == []


@pytest.mark.parametrize("number", ["BT32-001", "C-1"])
def test_a_card_of_a_dated_catalogue_may_not_be_out_before_the_day_of_the_catalogue(number):
    as_of, card = date(2026, 10, 1), dbs(number)
    (found,) = release_findings("dbs", card, as_of - timedelta(days=1), as_of)
    assert (found.severity, found.details["no_later_than"]) == (WARNING, "2026-10-01")
    assert release_findings("dbs", card, as_of, as_of) == []
    assert release_findings("dbs", card, as_of - timedelta(days=1), None) == []


def test_a_card_is_not_younger_than_its_entry_on_the_official_list():
    entry = shipped_lists("dbs").listed.in_force_on(date(2026, 7, 3)).singles["P-651"].entry
    bounds = shipped_lists("dbs").bounds().find_bounds(dbs("P-651"))
    assert bounds.no_later_than.day.isoformat() == entry.effective_from
    assert bounds.no_later_than.cite.document == shipped_lists("dbs").listed.title


def test_an_event_adds_its_delay_to_a_bound():
    card, week = dbs("BT13-001"), Policy(release_delay_days=7)
    assert [one.severity for one in release_findings("dbs", card, date(2021, 5, 20), policy=week)] == [ERROR]
    assert [one.severity for one in release_findings("dbs", card, date(2021, 5, 27), policy=week)] == [WARNING]
    assert release_findings("dbs", card, date(2021, 5, 28), policy=week) == []


def test_bounds_of_one_region_say_nothing_of_another():
    table = Table(RULES, optcg("P-071", block="3"), day=date(2022, 12, 10), region="jp")
    assert_legal(table.verdict({"P-071": 4}))


def test_cards_that_may_not_be_out_stand_as_one_where_people_read_them():
    cards = [dbs(f"BT19-00{place}") for place in range(1, 6)]
    table = Table("dbs-zenkai", *cards, day=date(2022, 9, 10))
    verdict = table.verdict({card.number: 1 for card in cards})
    assert verdict.legal
    assert [finding.severity for finding in verdict.findings] == [WARNING] * 5
    (found,) = merge_findings(verdict.findings)
    assert len(found.cards) == 5


@pytest.mark.slow
def test_no_card_of_a_later_set_is_legal_in_2019():
    catalogue, day = facts.catalogue("dbs"), date(2019, 12, 1)
    judge = Judge(Terms(of_game("dbs", day), day), catalogue)
    later = [card for card in catalogue if card.number.startswith(("BT1", "BT2", "BT3")) and len(card.number) == 8]
    assert len(later) > 3_000
    for card in later:
        found = [one.severity for one in judge(Deck(main=(Line(card.number, 1),))).findings if one.cards]
        assert ERROR in found, card.number


@pytest.mark.slow
@pytest.mark.parametrize("game", ["dbs", "optcg", "gundam"])
def test_every_card_has_a_day_or_bounds_that_do_not_contradict_each_other(game):
    catalogue, bounds = facts.catalogue(game), shipped_lists(game).bounds()
    (rule,) = (one for one in Judge(Terms.of_game(game, date(2026, 1, 1)), catalogue).rules if one.name == "release")
    decks = [card for card in catalogue if card.type not in ("Resource", "EX Base", "EX Resource", "Unit Token")]
    for card in decks:
        first, _, last = bounds.find_bounds(card)
        assert list(rule.waits(card)), card.number
        if not card.released:
            assert first.day <= last.day <= catalogue.as_of, card.number
