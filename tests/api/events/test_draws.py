"""Draws: who is checked, the same for everybody who draws again by the printed seed."""

import hashlib

import pytest

from api.events.bounds import LONGEST_SEED
from api.events.judging import draws
from api.events.judging.draws import Drawable
from api.service.errors import Invalid

PLAYERS = [Drawable(f"r{n:03}", standing=n, checks=int(n % 4 == 0)) for n in range(1, 201)]


def drawn(among="all", share=0.1, seed="hall-1", players=PLAYERS):
    return draws.draw(players, seed, share, among).registrations


def test_a_tenth_is_drawn_and_nobody_twice():
    assert len(set(drawn())) == 20


def test_anybody_draws_the_same_by_hand():
    by_hand = sorted(PLAYERS, key=lambda one: hashlib.sha256(f"hall-1:{one.registration}".encode()).hexdigest())
    assert drawn() == tuple(one.registration for one in by_hand[:20])
    assert drawn(players=PLAYERS[::-1]) == drawn()
    assert drawn(seed="hall-2") != drawn()


def test_a_larger_share_holds_the_smaller():
    assert drawn(share=0.3)[:20] == drawn()


@pytest.mark.parametrize(
    ("players", "share", "count"), [(10, 0.1, 1), (11, 0.1, 2), (1, 0.1, 1), (0, 0.1, 0), (10, 1, 10)]
)
def test_a_share_is_counted_up_to_whole_players(players, share, count):
    assert len(drawn(players=PLAYERS[:players], share=share)) == count


def test_the_top_half_is_those_of_the_better_places():
    half = {f"r{n:03}" for n in range(1, 101)}
    assert set(drawn("top-half", share=1)) == half
    assert len(drawn("top-half")) == 10


def test_who_has_no_place_is_in_no_top_half():
    players = [*PLAYERS[:3], Drawable("dropped")]
    assert set(drawn("top-half", share=1, players=players)) == {"r001", "r002"}


def test_among_those_not_checked_yet_nobody_is_drawn_twice():
    assert not {one.registration for one in PLAYERS if one.checks} & set(drawn("not-checked", share=1))
    assert len(drawn("not-checked", share=1)) == 150


def test_the_top_cut_is_drawn_whole():
    cut, others = [Drawable(f"c{n}", standing=1) for n in range(8)], [Drawable(f"o{n}") for n in range(8)]
    assert set(drawn("top-cut", players=[*others, *cut])) == {one.registration for one in cut}


def test_how_many_are_owed_for_a_tenth_of_all():
    assert draws.count_owed(PLAYERS) == 0
    assert draws.count_owed([one._replace(checks=0) for one in PLAYERS]) == 20


def test_what_was_drawn_says_how():
    found = draws.draw(PLAYERS, "hall-1", 0.1, "top-half").as_json()
    assert (found["of"], found["share"], found["seed"], len(found["registrations"])) == (100, 0.1, "hall-1", 10)
    assert found["sentence"] == "10 of 100 (10 %, top half), seed hall-1: the lowest SHA-256 of seed:registration."


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"seed": ""}, "/seed"),
        ({"seed": "a\nb"}, "/seed"),
        ({"seed": "x" * 101}, "/seed"),
        ({"share": 0}, "/share"),
        ({"share": 1.5}, "/share"),
        ({"share": float("nan")}, "/share"),
        ({"among": "bottom"}, "/among"),
        ({"among": "top-cut", "players": [Drawable("r1")]}, "/among"),
        ({"among": "top-half", "players": [Drawable("r1")]}, "/among"),
    ],
)
def test_a_draw_that_cannot_be_made_says_why(wrong, pointer):
    with pytest.raises(Invalid) as caught:
        drawn(**wrong)
    assert [one.pointer for one in caught.value.errors] == [pointer]


@pytest.mark.parametrize(
    ("seed", "is_seed"),
    [
        ("s", True),
        ("s" * LONGEST_SEED, True),
        ("s" * (LONGEST_SEED + 1), False),
        ("", False),
        ("a\nb", False),
    ],
)
def test_a_seed_is_one_line_of_some_characters(seed, is_seed):
    assert draws.is_seed(seed) == is_seed


@pytest.mark.parametrize(
    ("share", "is_refused"), [(0, True), (-0.1, True), (0.0001, False), (1, False), (1.0001, True)]
)
def test_a_share_is_above_nothing_and_up_to_all(share, is_refused):
    if is_refused:
        with pytest.raises(Invalid):
            drawn(share=share)
    else:
        assert drawn(share=share)


def test_places_by_table_are_numbers_and_shared_by_a_table():
    tables = [("a", "2"), ("b", "10"), ("c", "2"), ("d", ""), ("e", "B9"), ("f", "1"), ("g", "²")]
    assert draws.rank_by_table(tables) == {"f": 1, "a": 2, "c": 2, "b": 4}


def test_of_an_odd_number_the_top_half_is_the_larger_half():
    assert {one.registration for one in draws.group_members(PLAYERS[:5], "top-half")} == {"r001", "r002", "r003"}
