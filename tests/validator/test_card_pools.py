"""Card pools: an organiser's list that allows only some sets and single cards."""

from datetime import date, timedelta

import pytest

from tests.validator.table import TODAY, Table, assert_illegal, assert_legal, dbs, optcg
from validator import Card, Judge, Terms, limits
from validator.calendar import Calendar
from validator.differences import fingerprint, numbers_between
from validator.errors import DocumentError
from validator.language import ENGLISH
from validator.limits import list_parser, proposals, shipped_lists
from validator.limits.cardsets import CardSet, Sets
from validator.repair import repair
from validator.timeline import timeline

FIRST = date(2026, 3, 1)
CARDS = [optcg("AB01-001"), optcg("AB02-001"), optcg("AB03-001"), optcg("AB03-002"), optcg("AB03-009", "Leader")]


def change(day=FIRST, **words):
    return {"effective_from": day, "region": "en", "source": "https://example.com/list", **words}


def own_list(*changes, game="optcg"):
    document = {"document": "House list", "change": list(changes)}
    return proposals.own_list(game, shipped_lists(game).documents["limits"], document).listed


def table(*changes, cards=CARDS, day=TODAY, game="optcg", rules="optcg-1.2.1", **policy):
    """A table at which the plain cards (set X) and those of the changes are allowed."""
    made = Table(rules, *cards, day=day, **policy)
    terms = made.judge.terms
    lists = terms.lists.with_list(own_list(*changes, game=game), "own", "House list", "House list")
    ruleset = made.judge.terms.ruleset
    made.judge = Judge(Terms(ruleset, day, policy=terms.policy, lists=lists), made.catalogue)
    return made


POOL = change(allowed_sets=["X", "AB01"], allowed_cards={"AB03-002": "Two"})


def test_only_cards_of_the_sets_and_the_single_cards_are_allowed():
    assert_legal(table(POOL).verdict({"AB01-001": 4, "AB03-002": 4}))
    found = assert_illegal(
        table(POOL).verdict({"AB02-001": 3}), "card.not_in_pool", "main", "Allowed cards", "AB02-001", count=3, limit=0
    )
    assert found.rule.document == "House list"
    assert (found.limits.source, found.limits.effective_from) == ("https://example.com/list", "2026-03-01")
    assert found.message == "AB02-001 Pirate AB02-001 is not in the card pool (X and AB01; 1 single card)."
    assert found.as_dict()["details"] == {"sets": ["X", "AB01"], "cards": 1}


def test_the_leader_counts_and_may_be_the_only_thing_wrong():
    verdict = table(POOL).verdict(leader={"AB03-009": 1})
    assert_illegal(verdict, "card.not_in_pool", "leader", "Allowed cards", "AB03-009")


def test_a_pool_of_single_cards_allows_no_other():
    verdict = table(change(allowed_cards={"AB01-001": "One"})).verdict({"AB01-001": 4, "AB03-001": 4}, fill=False)
    foreign = [finding for finding in verdict.findings if finding.code == "card.not_in_pool"]
    assert [finding.cards[0].number for finding in foreign] == ["X-LEADER", "AB03-001"]


def test_a_later_pool_replaces_an_earlier_one_from_its_first_day_on():
    later = change(FIRST + timedelta(days=30), allowed_sets=["X", "AB02"])
    before = table(POOL, later, day=FIRST + timedelta(days=29))
    after = table(POOL, later, day=FIRST + timedelta(days=30))
    assert_legal(before.verdict({"AB01-001": 4}))
    found = assert_illegal(before.verdict({"AB02-001": 4}), "card.not_in_pool", "main", "Allowed cards", "AB02-001")
    assert found.limits.effective_to == "2026-03-30"
    assert_legal(after.verdict({"AB02-001": 4}))
    assert_illegal(after.verdict({"AB01-001": 4}), "card.not_in_pool", "main", "Allowed cards", "AB01-001")
    assert_legal(table(POOL, day=FIRST - timedelta(days=1)).verdict({"AB02-001": 4}))


def test_a_pool_of_another_region_is_not_in_force():
    assert_legal(table({**POOL, "region": "jp"}).verdict({"AB02-001": 4}))


def test_a_policy_without_limits_lists_has_no_pool():
    assert_legal(table(POOL, limits=False).verdict({"AB02-001": 4}))


def test_a_reprint_is_in_the_set_of_each_of_its_printings():
    reprinted = Card("dbs", "BT1-001", "One", "Battle", colors=("Red",), cost=2, printings=("BT1-001", "EX03-001"))
    pool = change(allowed_sets=["X", "EX03"])
    made = table(pool, cards=[reprinted, dbs("BT1-002")], game="dbs", rules="dbs-4.00")
    assert_legal(made.verdict({"BT1-001": 4}))
    assert_illegal(made.verdict({"BT1-002": 4}), "card.not_in_pool", "main", "Allowed cards", "BT1-002")


def test_a_repair_takes_cards_of_the_pool_only():
    made = table(POOL, cards=[optcg("AB02-001"), optcg("AB02-002"), optcg("AB01-001")])
    found = repair(made.judge, made.deck(leader={"X-LEADER": 1}, main=made.fill_main({"AB02-001": 4, "AB02-002": 2})))
    assert (found.possible, found.changes) == (True, 12)
    shown = found.as_dict()["repairs"]
    for plan in shown:
        assert {each["number"]: each["count"] for each in plan["remove"]} == {"AB02-001": 4, "AB02-002": 2}
    added = [each for plan in shown for each in plan["add"]]
    assert {each["says"] for each in added} == {
        "Add 6 cards to the deck: any Red Character, Event or Stage card of the blocks 2, 3, 4, 5 or X that is in the "
        "card pool."
    }
    assert added[0]["fits"]["pool"] == ["House list"]
    assert not any("AB02" in str(each) for each in added)


def test_a_timeline_names_the_day_on_which_a_pool_begins():
    made = table(POOL, cards=[optcg("AB02-001")])
    calendar = Calendar("optcg", edition="optcg-1.2.1", lists=made.judge.terms.lists)
    deck = made.deck(leader={"X-LEADER": 1}, main=made.fill_main({"AB02-001": 4}))

    def judge_on(day):
        return Judge(calendar.terms(day), made.catalogue)

    found = timeline(deck, calendar, judge_on, FIRST - timedelta(days=5), FIRST + timedelta(days=5))
    assert [(one.first, one.legal) for one in found.intervals] == [(FIRST - timedelta(days=5), True), (FIRST, False)]
    (begun,) = found.intervals[-1].changes
    assert (begun.code, begun.event.cause) == ("card.not_in_pool", "limits")
    assert begun.render(ENGLISH) == "AB02-001 Pirate AB02-001 is not in the card pool"


def test_a_stored_verdict_is_judged_again_if_the_pool_changed():
    first, second = table(POOL), table(change(allowed_sets=["X", "AB02"]))
    assert numbers_between(first.judge, second.judge) == {"AB01-001", "AB02-001", "AB03-002"}
    assert fingerprint(first.judge) != fingerprint(second.judge)


@pytest.mark.parametrize(
    ("words", "correction"),
    [
        ({"allowed_sets": []}, "write a set in allowed_sets"),
        ({"allowed_sets": ["AB-01"]}, "'AB-01' is no code of a set; write it as card numbers begin, such as AB01"),
        ({"allowed_sets": ["ab01"]}, "no code of a set"),
        ({"allowed_sets": [1]}, "1 should be a text in quotes"),
        ({"allowed_sets": "AB01"}, "should be a list in [brackets]"),
        ({"allowed_cards": {"AB1": "One"}}, "'AB1' is no card number"),
        ({"allowed_cards": {"AB01-001": 3}}, "should be a text in quotes"),
        ({"allowed_cards": ["AB01-001"]}, "should be a table"),
        ({"allowed_sets": ["AB01"], "best_of": 1}, "leave out best_of"),
    ],
)
def test_a_wrong_pool_is_refused_with_its_correction(words, correction):
    with pytest.raises(DocumentError) as error:
        own_list(change(**words))
    assert correction in str(error.value)


def test_a_card_pool_needs_a_first_day_of_its_own():
    bounded = {"not_before": FIRST, "no_later_than": TODAY, "bounds": "Invented."}
    unknown = {key: value for key, value in change(allowed_sets=["AB01"]).items() if key != "effective_from"}
    with pytest.raises(DocumentError, match="need effective_from"):
        own_list({**unknown, **bounded})
    with pytest.raises(DocumentError, match="has a card pool twice; join the two"):
        own_list(POOL, change(allowed_sets=["AB02"]))


def test_an_official_list_has_no_pool():
    official = shipped_lists("optcg").documents
    document = {**official["limits"], "change": [*official["limits"]["change"], change(TODAY, allowed_sets=["AB01"])]}
    assert list_parser.parse(document).pools
    with pytest.raises(DocumentError, match="only an organiser's own list may have"):
        limits.parse_documents("optcg", {**official, "limits": document})


def test_a_set_without_cards_is_refused_unless_it_is_announced():
    catalogue = Table("optcg-1.2.1", *CARDS).catalogue
    listed = own_list(change(allowed_sets=["AB01", "AB04"]))
    with pytest.raises(DocumentError, match="begins with AB04; write one of AB01, AB02, AB03"):
        proposals.check_sets(listed, Sets("optcg"), catalogue)
    proposals.check_sets(listed, Sets("optcg", {"AB04": CardSet("AB04", "Announced")}), catalogue)


@pytest.mark.parametrize(("code", "known"), [("AB09", "AB01, AB02, AB03"), ("ZZ09", "AB01, AB02, AB03, X")])
def test_a_pool_of_a_set_without_cards_is_refused_with_sets_of_that_series_else_with_all(code, known):
    catalogue = table(POOL).catalogue
    with pytest.raises(DocumentError, match=f"begins with {code}; write one of {known}$"):
        proposals.check_sets(own_list(change(allowed_sets=["AB01", code])), Sets("optcg"), catalogue)
    proposals.check_sets(own_list(POOL), Sets("optcg"), catalogue)


def test_a_stored_verdict_is_judged_again_if_the_catalogue_changed():
    first, second = (Table("optcg-1.1.9", *cards) for cards in (CARDS[:3], [optcg("AB01-001", cost=9), *CARDS[2:4]]))
    assert numbers_between(first.judge, second.judge) == {"AB01-001", "AB02-001", "AB03-002"}
    assert numbers_between(first.judge, first.judge) == frozenset()
