"""Repairs of small decks, against every deck that fewer changes lead to."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.validator.repair.small import count_fewest_by_force, draw_deck
from tests.validator.repair.small_answers import SEEDS as RECORDED_SEEDS
from tests.validator.repair.small_answers import describe_answers, read_record
from validator import Deck
from validator.repair import Fewest, count_fewest_changes, repair

SEEDS = st.integers(0, 10_000_000)


def count_changes(changes):
    """Return the number of cards that one set of changes removes, moves and adds."""
    cards = [out.card.count for out in changes.out] + [moved.card.count for moved in changes.moved]
    return sum(cards) + sum(put_in.count for put_in in changes.put_in)


def find_common_leader(judge, deck, repaired):
    """Return the Leader that a repair keeps from the deck, None if the repair plays another one or none."""
    kept = [judge.catalogue.by_number(line.number or "") for line in repaired.repairs[0].deck.leader]
    held = [judge.catalogue.by_number(line.number or "") for _, line in deck.lines()]
    return next((card for card in kept if card in held), None)


@given(SEEDS)
def test_no_deck_of_fewer_changes_is_legal(seed):
    judge, deck = draw_deck(seed)
    answer = repair(judge, deck)
    if answer.possible and answer.minimal and 0 < answer.changes <= 3:
        assert (
            count_fewest_by_force(judge, deck, min(answer.changes - 1, 1), find_common_leader(judge, deck, answer))
            is None
        )


@pytest.mark.slow
@given(SEEDS)
def test_no_deck_of_three_changes_fewer_is_legal(seed):
    judge, deck = draw_deck(seed)
    answer = repair(judge, deck)
    if answer.possible and answer.minimal and answer.changes == 3:
        assert count_fewest_by_force(judge, deck, 2, find_common_leader(judge, deck, answer)) is None


@given(SEEDS)
def test_every_repair_is_legal_has_as_many_changes_as_it_says_and_needs_no_other(seed):
    judge, deck = draw_deck(seed)
    answer = repair(judge, deck)
    for changes in (*answer.repairs, *(leader.repair for leader in answer.leaders)):
        assert judge(changes.deck).legal
        assert repair(judge, changes.deck).changes == 0
    assert {count_changes(changes) for changes in answer.repairs} <= {answer.changes}
    assert len({str(changes.sentences) for changes in answer.repairs}) == len(answer.repairs) <= 5
    assert all(0 < count_changes(leader.repair) == leader.changes < answer.changes for leader in answer.leaders)


@given(SEEDS)
def test_the_order_of_the_lines_does_not_matter(seed):
    judge, deck = draw_deck(seed)
    lines = {section: list(lines) for section, lines in deck.used()}
    for section in lines.values():
        Random(seed).shuffle(section)
    other = Deck(**{section: tuple(section_lines) for section, section_lines in lines.items()})
    assert repair(judge, other).as_dict() == repair(judge, deck).as_dict()


@given(SEEDS)
def test_a_legal_deck_needs_no_change_and_only_a_legal_one(seed):
    judge, deck = draw_deck(seed)
    answer = repair(judge, deck)
    assert (answer.changes == 0) is judge(deck).legal
    assert bool(answer.repairs) is (answer.possible and answer.changes != 0)


@given(SEEDS)
def test_a_repair_is_minimal_where_its_bound_meets_it(seed):
    judge, deck = draw_deck(seed)
    answer = repair(judge, deck)
    best = answer.leaders[0] if answer.leaders else answer
    assert count_fewest_changes(judge(deck)) == Fewest(answer.fewest, best.minimal, answer.changes)
    if answer.possible:
        assert answer.minimal is (answer.bound == answer.changes)
        assert ("may be enough" in str(answer.why)) is not answer.minimal
        assert answer.bound <= answer.changes
        assert all(each.least <= answer.bound for each in answer.bounds if answer.minimal)
    if answer.possible and answer.bound:
        led_by = find_common_leader(judge, deck, answer)
        assert count_fewest_by_force(judge, deck, min(answer.bound - 1, 1), led_by) is None


@given(SEEDS, st.data())
def test_pinned_cards_stay(seed, data):
    judge, deck = draw_deck(seed)
    written = [line.number or line.name for _, line in deck.lines()]
    pinned = data.draw(st.lists(st.sampled_from(written), max_size=2, unique=True)) if written else []
    answer = repair(judge, deck, pinned)
    for changes in answer.repairs:
        touched = [out.card for out in changes.out] + [moved.card for moved in changes.moved]
        assert not {card.number or card.name for card in touched} & set(pinned)
    if not answer.possible:
        assert answer.changes is None
        assert answer.why


def test_a_changed_answer_is_in_the_record():
    """If an answer is to change, `python -m tests.validator.repair.small_answers` records the new one."""
    record = read_record()
    assert list(record) == list(RECORDED_SEEDS)
    for seed in RECORDED_SEEDS:
        assert list(describe_answers(seed)) == record[seed]
