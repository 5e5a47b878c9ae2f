"""In what two editions differ, statement by statement."""

from __future__ import annotations

from itertools import permutations

import pytest

from validator.rulesets import find_ruleset, rulesets
from validator.rulesets.ruleset import ADDED, CHANGED, GONE, MOVED, amendments, statements

PAIRS = [pair for pair in permutations(rulesets().values(), 2) if pair[0].game == pair[1].game]


def amendment_kinds(before, after):
    """Return the kind of each amendment between two rulesets, by the name of its rule."""
    return {one.name: one.kind for one in amendments(find_ruleset(before), find_ruleset(after))}


def test_an_edition_that_only_repeats_another_differs_in_nothing():
    assert amendment_kinds("optcg-1.1.9", "optcg-1.2.1") == {}
    assert amendment_kinds("dbs-1.070", "dbs-1.0781") == {}


def test_a_statement_of_another_number_is_moved_and_one_of_other_words_changed():
    found = amendment_kinds("dbs-1.064", "dbs-1.070")
    assert (found["super-combo"], found["dragon-ball"]) == (MOVED, CHANGED)


def test_what_an_edition_brings_is_added_and_what_it_leaves_out_is_gone():
    found = amendments(find_ruleset("dbs-1.0781"), find_ruleset("dbs-zenkai"))
    kinds = {one.name: one.kind for one in found}
    assert (kinds["z-size"], kinds["with-side-deck.side-size"]) == (ADDED, GONE)
    for one in found:
        assert (one.before is None) == (one.kind == ADDED)
        assert (one.after is None) == (one.kind == GONE)


@pytest.mark.parametrize(("before", "after"), PAIRS, ids=lambda one: one.id)
def test_what_is_not_told_says_the_same_in_both(before, after):
    changed = {one.name for one in amendments(before, after)}
    old, new = statements(before), statements(after)
    for name in {*old, *new} - changed:
        assert (old[name].says, old[name].cite.section) == (new[name].says, new[name].cite.section)
    back = {one.name: one.kind for one in amendments(after, before)}
    assert back.keys() == changed
    turned = {ADDED: GONE, GONE: ADDED, CHANGED: CHANGED, MOVED: MOVED}
    assert all(turned[one.kind] == back[one.name] for one in amendments(before, after))


def test_an_edition_has_all_its_statements_under_names_of_their_own():
    for ruleset in rulesets().values():
        facts = list(ruleset.opening.facts()) if ruleset.opening else []
        assert len(statements(ruleset)) == len(ruleset.rules) + len(ruleset.with_side_deck) + len(facts)
