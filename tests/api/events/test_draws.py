"""Draws: who is checked, the same for everybody who draws again by the printed seed."""

import hashlib
from datetime import UTC, datetime

import pytest

from api.events.bounds import LONGEST_SEED
from api.events.judging import draws
from api.events.judging.deck_checks import CheckNotes, CheckRecord
from api.events.judging.draws import Drawable
from api.events.players.entrant import Entrant, RegistrationContent, Revision, Whereabouts
from api.service.errors import Invalid

NOON = datetime(2026, 10, 25, 12, tzinfo=UTC)
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


def make_entrant(id, table="", cut=False, has_list=True):
    content = RegistrationContent(id, deck=b"" if has_list else None)
    return Entrant(id, 1, None, cut, NOON, Revision(1, NOON, "player", "", content, ""), Whereabouts(table))


def test_who_may_be_drawn_has_a_list_its_place_and_its_checks():
    players = [
        make_entrant("a", "2"),
        make_entrant("b", "1", cut=True),
        make_entrant("c"),
        make_entrant("d", "1", has_list=False),
    ]
    checks = [CheckRecord("c1", 1, "a", "", 1, NOON, None, None, CheckNotes())] * 2
    for group, standings, places in [
        ("all", (), {"a": 2, "b": 1, "c": None}),
        ("top-half", ("c", "d", "c", "a"), {"c": 1, "a": 3, "b": None}),
        ("top-cut", ("c",), {"a": None, "b": 1, "c": None}),
    ]:
        found = draws.drawable(players, checks, group, standings)
        assert {one.registration: one.standing for one in found} == places
        assert [one.checks for one in found] == [2, 0, 0]
    drawn = draws.WantedDraw("s", 1, "all", unchecked=True).draw(players, checks)
    assert (set(drawn.registrations), drawn.of, drawn.as_json()["unchecked"]) == ({"b", "c"}, 2, True)
    with pytest.raises(Invalid) as caught:
        draws.WantedDraw("", 1, "all").draw(players, checks)
    assert [one.pointer for one in caught.value.errors] == ["/draw/seed"]


@pytest.mark.parametrize(
    ("checks", "waiting", "group", "found"),
    [
        ({"a": 0, "b": 0}, ["b"], "all", ("b", "drawn", 2, 0)),
        ({"a": 1, "b": 0}, ["a"], "not-checked", ("b", "fewest", 1, 0)),  # who was drawn is not in the group
        ({"a": 1, "b": 1}, ["gone", "b", "a"], "all", ("b", "drawn", 2, 1)),
        ({"a": 2, "b": 1, "c": 2}, [], "all", ("b", "fewest", 1, 1)),
        ({"a": 1, "b": 1}, [], "not-checked", ("", "nobody", 0, 0)),
        ({}, [], "all", ("", "nobody", 0, 0)),
    ],
)
def test_next_is_who_was_drawn_else_who_was_checked_least_often(checks, waiting, group, found):
    players = [Drawable(id, checks=count) for id, count in checks.items()]
    next_check = draws.find_next_check(players, waiting, "7", group)
    assert (next_check.registration, next_check.why, next_check.of, next_check.checks) == found
    assert (next_check.seed, next_check.among) == ("7", group)


def test_of_those_checked_least_often_the_seed_decides():
    order = draws.order_by_seed(PLAYERS, "7")
    unchecked = [id for id in order if int(id[1:]) % 4]
    found = draws.find_next_check(PLAYERS, [], "7", "all")
    assert (found.registration, found.of, found.owed) == (unchecked[0], 150, 0)


@pytest.mark.parametrize(
    ("players", "checked", "owed"), [(0, 0, 0), (1, 0, 1), (10, 0, 1), (11, 1, 1), (20, 1, 1), (9, 3, 0)]
)
def test_a_tenth_is_owed_rounded_up_less_those_checked(players, checked, owed):
    table = [Drawable(str(at), checks=2 * (at < checked)) for at in range(players)]
    assert draws.count_owed(table) == owed
