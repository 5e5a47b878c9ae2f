"""What a program reads in the findings of a swap: counts, limits, sections and where the rule is written."""

import pytest

from tests.validator.table import Table
from validator.swap import judge_swap

BOOK = "Battle of Souls Official Rule Book v1.3"


def swap(table, before, after):
    """Return the public findings of a swap: plain cards in place of those that are not named."""
    decks = [table.deck(main=table.fill_main(main, size), side=side) for main, side, size in (before, after)]
    return judge_swap(table.judge, *decks).as_dict()["findings"]


@pytest.mark.parametrize("policy", [{}, {"swap_one_for_one": True}, {"swap_one_for_one": False}])
def test_a_game_that_swaps_one_for_one_is_cited_whatever_the_policy(policy):
    table = Table("bos-1.3", **policy)
    (found,) = swap(
        table, ({"Warrior 28": 2}, {"Warrior 29": 3}, 42), ({"Warrior 28": 2, "Warrior 29": 1}, {"Warrior 29": 2}, 43)
    )
    assert (found["code"], found["severity"], found["section"]) == ("swap.side_size", "error", "side")
    assert (found["count"], found["limit"], found["minimum"]) == (2, 3, 3)
    assert found["rule"]["document"] == BOOK


def test_a_sideboard_of_gundam_is_swapped_one_for_one_by_the_rules_of_best_of_three():
    table = Table("gundam-1.9.0", best_of=3)
    (found,) = swap(table, ({"X-28": 4}, {"X-29": 10}, 50), ({"X-27": 4}, {"X-29": 10}, 50))[:1]
    assert found["rule"] == {"document": "BO3 Match Rules", "section": "Sideboards 5"}


def test_cards_that_were_not_there_before_are_counted_and_none_is_allowed():
    table = Table("bos-1.3")
    (found,) = swap(table, ({"Warrior 27": 2}, {"Warrior 29": 3}, 42), ({"Warrior 26": 2}, {"Warrior 29": 3}, 42))
    assert (found["code"], found["section"], found["count"], found["limit"]) == ("swap.cards_changed", "main", 4, 0)
    cards = [(card["name"], card["count"]) for card in found["cards"]]
    assert cards == [("Warrior 26", 2), ("Warrior 27", 2)]
    missing, new = ([(card["name"], card["count"]) for card in found["details"][key]] for key in ("missing", "new"))
    assert (missing, new) == ([("Warrior 27", 2)], [("Warrior 26", 2)])
