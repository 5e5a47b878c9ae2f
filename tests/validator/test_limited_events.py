"""Sealed and draft events: an organiser sets the size of the deck and frees the number of copies."""

from datetime import date

import pytest

from tests.validator.table import Table, assert_illegal, assert_legal, clause, dbs, names
from validator import Policy, Terms, rulesets
from validator.errors import PolicyError
from validator.repair import repair

SEALED = {"main_min": 40, "main_max": 40, "copies": False}
POLICY = "Tournament policy of this event"


@pytest.mark.parametrize(
    ("ruleset", "section"), [("dbs-4.00", "6-1-3"), ("optcg-1.2.1", "5-1-2"), ("gundam-1.9.0", "6-1-1")]
)
def test_a_sealed_deck_has_the_size_that_the_organiser_sets(ruleset, section):
    table = Table(ruleset, **SEALED)
    for size, key in ((39, "main_min"), (41, "main_max")):
        found = assert_illegal(table.verdict(names(table.game, size), fill=False), "size", "main", key, count=size)
        assert (found.rule.document, found.minimum, found.limit) == (POLICY, 40, 40)
    assert_legal(table.verdict(names(table.game, 40), fill=False))
    assert_illegal(Table(ruleset).verdict(names(table.game, 40), fill=False), "size", "main", section, count=40)


def test_what_the_organiser_leaves_open_is_cited_from_the_manual():
    table = Table("dbs-4.00", main_min=40)
    assert_legal(table.verdict(names("dbs", 40), fill=False))
    found = assert_illegal(table.verdict(names("dbs", 61), fill=False), "size", "main", "6-1-3", count=61, limit=60)
    assert found.minimum == 40
    assert_illegal(table.verdict(names("dbs", 39), fill=False), "size", "main", "main_min", count=39)


@pytest.mark.parametrize(
    ("policy", "key"),
    [({"main_min": 61}, "main_min"), ({"main_max": 49}, "main_max"), ({"main_min": 41, "main_max": 40}, "main_min")],
)
def test_sizes_that_no_deck_can_have_are_refused(policy, key):
    with pytest.raises(PolicyError) as refused:
        Terms("dbs-4.00", date(2026, 11, 1), policy=Policy(**policy))
    assert refused.value.key == key


@pytest.mark.parametrize("ruleset", sorted(rulesets()))
def test_a_policy_that_repeats_the_rules_changes_nothing(ruleset):
    size = rulesets()[ruleset].rules["main-size"]
    terms = Terms(ruleset, date(2026, 11, 1), policy=Policy(main_min=size.minimum, main_max=size.maximum))
    rule = terms.ruleset.rules["main-size"].with_policy(terms.policy)
    assert (rule, rule.maximum_cite) == (size, None)


@pytest.mark.parametrize(
    ("ruleset", "card"),
    [("dbs-4.00", "X-25"), ("optcg-1.2.1", "X-25"), ("gundam-1.9.0", "X-25"), ("bos-1.3", "Warrior 25")],
)
def test_copies_are_free_where_the_organiser_frees_them(ruleset, card):
    assert_legal(Table(ruleset, copies=False).verdict({card: 9}))
    assert Table(ruleset).verdict({card: 5}).codes == ["copies.exceeded"]


def test_what_a_card_forbids_of_itself_holds_in_sealed_too():
    single = dbs("C-1", construction=(clause("copies", "only 1", limit=1),))
    seven = dbs("C-7", construction=(clause("copies", "up to 7", limit=7),))
    table = Table("dbs-4.00", single, seven, copies=False)
    assert_legal(table.verdict({"C-1": 1, "C-7": 9}))
    assert_illegal(table.verdict({"C-1": 2}), "copies.exceeded", "main", "only 1", "C-1", count=2, limit=1)


def test_the_official_list_holds_in_sealed_too():
    main = {"BT5-038": 1, **names("dbs", 39)}
    days = date(2020, 6, 4), date(2020, 6, 5)
    tables = [Table("dbs-1.0781", dbs("BT5-038"), day=day, **SEALED) for day in days]
    assert [table.verdict(main, fill=False).codes for table in tables] == [[], ["card.banned"]]


def test_a_repair_follows_the_organiser():
    table = Table("dbs-4.00", **SEALED)
    for main, changes in ((names("dbs", 43), 3), ({"X-00": 40}, 0)):
        verdict = table.verdict(main, fill=False)
        assert repair(verdict.judge, verdict.facts.deck).changes == changes
