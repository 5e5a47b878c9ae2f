"""What a rule looks at: which decks it is checked for, and that a rule that finds nothing wrong changes no repair."""

import json
from dataclasses import replace
from datetime import date
from functools import cache

import pytest

from carddb import facts
from tests.shared import shared_path
from tests.validator.added_rules import CITE, Silent, Warns, with_rule
from tests.validator.table import Table
from validator import Deck, Judge, Line, Policy, Terms
from validator.deck import SECTIONS
from validator.findings import ERROR
from validator.repair import repair
from validator.rules import Scope

TERMS = {
    "optcg": Terms("optcg-1.1.9", date(2026, 11, 21)),
    "dbs": Terms("dbs-4.00", date(2021, 1, 1), policy=Policy(limits=False, release=False)),
    "bos": Terms("bos-1.3", date(2026, 11, 21)),
}
ADDED = {
    "silent": Silent("added", "says", CITE),
    "warning": Warns("added", "says", CITE),
    "side deck": Warns("added", "says", CITE, Scope(("side",))),
    "main deck": Warns("added", "says", CITE, Scope(("main", "z"))),
}


@cache
def judge_of(game):
    return Judge(TERMS[game], facts.catalogue(game))


@cache
def real_decks(game, step):
    """Return every `step`th of the real decks of a game."""
    known = facts.catalogue(game)
    found = []
    for text in shared_path(f"decks/{game}_decks.jsonl").read_text("utf-8").splitlines()[::step]:
        sections = {}
        for line in json.loads(text)["lines"]:
            card = known.by_number(line["number"])
            section = line.get("section") or ("leader" if card and card.type == "Leader" else "main")
            sections.setdefault(section, []).append(Line(line["number"], line["count"], card and card.name))
        found.append(Deck(**{section: tuple(lines) for section, lines in sections.items()}))
    return found


def altered_decks(deck):
    """Yield a deck, the deck with too few cards, with a fifth copy, and without its Leader."""
    yield deck
    yield replace(deck, main=deck.main[3:])
    yield replace(deck, main=(deck.main[0]._replace(count=5), *deck.main[1:]))
    yield replace(deck, leader=())


@cache
def repairs(game):
    judge = judge_of(game)
    decks = [one for deck in real_decks(game, 200 if game == "optcg" else 50) for one in altered_decks(deck)]
    return [(deck, judge(deck), repair(judge, deck).as_dict()) for deck in decks]


@pytest.mark.parametrize("rule", ADDED.values(), ids=ADDED.keys())
@pytest.mark.parametrize("game", ["optcg", pytest.param("dbs", marks=pytest.mark.slow)])
def test_a_rule_that_finds_nothing_wrong_leaves_repairs_and_fixes_as_they_were(game, rule):
    judge = with_rule(judge_of(game), rule)
    assert {verdict.legal for _, verdict, _ in repairs(game)} == {True, False}
    for deck, before, repaired in repairs(game):
        after = judge(deck)
        own = [finding.as_dict() for finding in after.findings if finding.rule is not CITE]
        assert own == [finding.as_dict() for finding in before.findings]
        assert repair(judge, deck).as_dict() == repaired


def test_the_chances_of_a_first_hand_leave_the_cards_of_a_repair_as_they_are():
    judge = judge_of("bos")
    edition = judge.terms.ruleset
    without = {name: rule for name, rule in edition.rules.items() if name != "mulligan"}
    bare = Judge(replace(judge.terms, ruleset=replace(edition, rules=without)), judge.catalogue)
    assert len(without) == len(edition.rules) - 1
    warriors = [card for card in judge.catalogue if card.type == "Warrior"]
    deck = Deck(main=tuple(Line(None, 4, card.name) for card in warriors[:9]))
    answer = repair(judge, deck)
    assert answer.possible
    assert answer.as_dict() == repair(bare, deck).as_dict()


@pytest.mark.parametrize("section", SECTIONS)
def test_a_rule_on_a_section_is_checked_for_the_decks_that_use_it(section):
    table = Table("dbs-4.00")
    rule = Warns("added", "says", CITE, Scope((section,)))
    judge = with_rule(table.judge, rule)
    for used in SECTIONS:
        deck = Deck(**{used: (Line("X-01", 1),)})
        for _ in range(2):
            assert ("line.unread" in judge(deck).codes) is (used == section)
    assert "line.unread" not in judge(Deck()).codes


def test_a_rule_of_any_scope_is_checked_where_its_scope_chooses():
    table = Table("dbs-4.00")
    leader, one, two = {"X-LEADER": 1}, table.fill_main({"X-01": 4, "X-02": 1}), table.fill_main({"X-01": 4}, 48)
    two = {number: copies for number, copies in two.items() if number != "X-02"}
    scopes = {
        Scope(("main",), cards=lambda card, section, leader: card.number == "X-02"): (True, False),
        Scope(("side",), cards=lambda card, section, leader: card.number == "X-02"): (False, False),
        Scope(("main",), listed=lambda card: True if card.number == "X-02" else None): (True, False),
        Scope(("main",), most_copies=3): (True, True),
        Scope(("main",), most_copies=4): (False, False),
        Scope(has_sizes_only=True): (True, True),
        Scope(("main",), group_key=lambda card: card.colors): (True, True),
        Scope(): (True, True),
    }
    for scope, expected in scopes.items():
        judge = with_rule(table.judge, Warns("added", "says", CITE, scope, ERROR))
        verdicts = [judge(table.deck(leader=leader, main=main)) for main in (one, two)]
        assert tuple("line.unread" in verdict.codes for verdict in verdicts) == expected


def test_a_scope_that_chooses_in_two_ways_is_refused():
    with pytest.raises(ValueError, match="only one"):
        Scope(has_sizes_only=True, group_key=lambda card: card.colors)


@pytest.mark.parametrize("sections", ["main", ("main", "sideboard")])
def test_a_scope_of_an_unknown_section_is_refused(sections):
    with pytest.raises(ValueError, match="no section"):
        Scope(sections)


def respelled_decks(deck):
    """Yield a deck as written, by names only, by numbers in small letters, and with another name for each Leader."""
    yield deck
    for change in (lambda line: line._replace(number=None), lambda line: line._replace(number=line.number.lower())):
        yield replace(deck, leader=tuple(map(change, deck.leader)), main=tuple(map(change, deck.main)))
    yield replace(deck, leader=tuple(line._replace(name=deck.main[0].name) for line in deck.leader))


@pytest.mark.parametrize("game", ["optcg", "dbs"])
def test_a_judge_that_has_judged_other_decks_finds_the_same(game):
    warm = judge_of(game)
    decks = [one for deck in real_decks(game, 50) for one in respelled_decks(deck)]
    cold = [Judge(warm.terms, warm.catalogue)(deck).as_dict() for deck in decks]
    assert "card.mismatch" in {finding["code"] for verdict in cold for finding in verdict["findings"]}
    for _ in range(2):
        for deck, expected in zip(decks, cold, strict=True):
            assert warm(deck).as_dict() == expected
