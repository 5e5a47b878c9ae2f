"""A list that shrinks, or whose cards lose what they had, is doubted; one that grows is not."""

from dataclasses import replace

import pytest

from carddb.sanity import doubts
from tests.carddb import real
from tests.carddb.cards import card
from tests.carddb.cards import some
from validator.cards import Clause


def onepiece(count, code="OP01", **facts):
    facts = {"colors": ("Red",), "block": "1", "traits": ("Crew",)} | facts
    return [card(f"{code}-{at:03d}", f"Card {at}", "Character", **facts) for at in range(1, count + 1)]


@pytest.mark.parametrize("game", ["optcg", "dbs"])
def test_the_real_cards_are_sane(game):
    cards = real.cards(game)
    assert doubts(game, cards) == []
    assert doubts(game, cards, cards) == []


def test_more_cards_and_more_sets_are_welcome():
    assert doubts("optcg", [*onepiece(100), *onepiece(50, "OP02")], onepiece(90)) == []


@pytest.mark.parametrize(("left", "doubted"), [(1000, False), (980, False), (979, True)])
def test_two_in_a_hundred_may_go(left, doubted):
    before = [one for code in range(1, 11) for one in onepiece(100, f"OP{code:02d}")]
    gone = {one.number for one in before[:: 1000 // (1000 - left)][: 1000 - left]} if left < 1000 else set()
    found = doubts("optcg", [one for one in before if one.number not in gone], before)
    assert bool(found) is doubted
    if doubted:
        assert "1,000" in found[0]
        assert "OP01-001" in found[0]


def test_a_set_that_vanishes_or_shrinks_is_named():
    before = [*onepiece(1000), *onepiece(10, "ST01")]
    assert doubts("optcg", before[:-10], before) == ["Set ST01 has vanished; it had 10 cards."]
    assert doubts("optcg", before[:-2], before) == ["Set ST01 has 8 cards where it had 10."]
    assert doubts("optcg", before[:-1], before) == []


def test_one_card_is_one_card():
    before = [*onepiece(1000), *onepiece(1, "ST01"), *onepiece(3, "ST02")]
    assert doubts("optcg", [*before[:1000], *before[1001:]], before) == ["Set ST01 has vanished; it had 1 card."]
    assert "Set ST02 has 1 card where it had 3." in doubts("optcg", before[:-2], before)
    nameless = replace(before[0], name="")
    assert doubts("optcg", [nameless, *before[1:]]) == ["1 card has no name: OP01-001."]


@pytest.mark.parametrize("lost", [{"name": ""}, {"type": ""}])
def test_a_card_without_name_or_type_is_named(lost):
    cards = onepiece(10)
    cards[3] = replace(cards[3], **lost)
    assert any("OP01-004" in doubt for doubt in doubts("optcg", cards))


@pytest.mark.parametrize(("facts", "word"), [({"block": "77"}, "77"), ({"colors": ("Pink",)}, "Pink")])
def test_what_the_game_does_not_know_is_named(facts, word):
    (doubt,) = doubts("optcg", [*onepiece(3), *onepiece(3, "OP02", **facts)])
    assert repr(word) in doubt
    assert "OP02-001" in doubt


def test_reprints_that_vanish_are_named():
    before = onepiece(100, printings=("A",)) + onepiece(2, "OP02", printings=tuple(map(str, range(100))))
    after = [*before[:-2], *onepiece(2, "OP02", printings=tuple(map(str, range(90))))]
    assert "91 printings where there were 101; missing are 90, 91" in doubts("optcg", after, before)[0]
    assert doubts("optcg", [replace(one, printings=()) for one in before], before) == [
        "102 of 102 cards have lost their printings: OP01-001, OP01-002, OP01-003, OP01-004, OP01-005 and 97 more."
    ]


def test_clauses_that_vanish_are_named():
    before = onepiece(40, construction=(Clause("copies"),))
    (doubt,) = doubts("optcg", onepiece(40), before)
    assert "40 of 40 cards have lost their clauses on deck construction" in doubt


@pytest.mark.parametrize("fact", ["block", "traits", "colors"])
def test_a_fact_that_most_cards_lose_is_named(fact):
    before = onepiece(40)
    empty = None if fact == "block" else ()
    assert fact in doubts("optcg", onepiece(40, **{fact: empty}), before)[0]
    few = [replace(one, **{fact: empty}) if at < 3 else one for at, one in enumerate(before)]
    assert doubts("optcg", few, before) == []


def test_leaders_of_one_face_are_named():
    lone = [card(f"BT1-{at:03d}", "Leader", "Leader", "dbs", colors=("Red",)) for at in range(1, 5)]
    assert "4 of 4 Leaders" in doubts("dbs", [*some(5, "dbs"), *lone])[0]
    both = [replace(one, back_name="Back") for one in lone]
    assert doubts("dbs", both) == []
