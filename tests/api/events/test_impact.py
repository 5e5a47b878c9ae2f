"""Impact of a ban list that is not published yet: typed or as a file, and never stored."""

from __future__ import annotations

import pytest

from tests.api.events.conftest import ILLEGAL

NAMI, MINE = "OP01-016", "OP04-016"  # 4 and 2 copies are in LEGAL
CHANGES = '[[change]]\neffective_from = 2026-10-01\nregion = "en"\nsource = "https://example.org/"\n'


@pytest.fixture
def players(hall):
    """A player with 4 copies of Nami, and one whose list is illegal anyway."""
    return hall.register("Nami Cat")[0], hall.register("Zoro Dog", decklist=ILLEGAL)[0]


def try_proposal(hall, **proposal):
    answer = hall.judge.post("/impact", proposal)
    assert answer.status_code == 200, answer.json
    return answer.json


def wrong_pointers(hall, **proposal):
    answer = hall.judge.post("/impact", proposal)
    assert answer.status_code == 422
    return [one["pointer"] for one in answer.json["errors"]]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (f"{NAMI} banned", "card.banned"),
        (f"ban {NAMI.lower()}", "card.banned"),
        (f"# invented\n\n{NAMI}: 2", "card.restricted"),
        (f"{NAMI} + ST21-001", "pair.banned"),
    ],
)
def test_typed_changes_name_the_players_whose_decks_become_illegal(hall, players, lines, code):
    found = try_proposal(hall, lines=lines)
    assert [one["id"] for one in found["illegal"]] == [players[0]]
    assert {one["code"] for one in found["illegal"][0]["because"]} == {code}
    assert (found["lists"], found["legal"], len(found["changes"])) == (2, [], 1)


def test_a_proposal_is_compared_on_one_day_from_its_first_day_on(hall, players):
    found = try_proposal(hall, lines=f"{NAMI} banned", first_day="2026-11-01", on="2026-11-02")
    assert (found["before"]["on"], found["after"]["on"]) == ("2026-11-02", "2026-11-02")
    assert found["changes"] == [{"cards": [{"number": NAMI, "name": "Nami"}], "before": None, "limit": 0}]
    assert wrong_pointers(hall, lines=f"{NAMI} banned", first_day="2026-11-03", on="2026-11-02") == ["/first_day"]


def test_nothing_of_a_proposal_is_kept(hall, players):
    audit = hall.organiser.get("/audit").json
    try_proposal(hall, lines=f"{NAMI} banned")
    assert hall.organiser.get("/audit").json == audit
    assert hall.judge.get("/impact?before=2026-10-25").json["illegal"] == []
    assert hall.judge.get(f"/registrations/{players[0]}").json["legal"]


def test_a_file_adds_changes_or_is_the_whole_list(hall, players):
    changes = f'{CHANGES}restrict.{NAMI} = {{limit = 1, name = "Nami"}}\n'
    assert [one["id"] for one in try_proposal(hall, file=changes)["illegal"]] == [players[0]]
    whole = (
        'game = "optcg"\ntitle = "Invented"\nformats = ["standard"]\nknown_to = 2026-10-01\nnotes = []\n'
        '[regions]\nen = "Here"\n[sections]\nban = "Banned"\nrestrict = "Restricted"\n'
        f'{CHANGES}ban.{MINE} = "Invented"\n'
    )
    found = try_proposal(hall, file=whole)
    assert [one["id"] for one in found["illegal"]] == [players[0]]
    assert any(change["limit"] is None for change in found["changes"])  # what ships is not in it


@pytest.mark.parametrize(
    "proposal",
    [
        {"lines": "OP99-999 banned"},
        {"lines": f"{NAMI} perhaps"},
        {"lines": f"{NAMI} 9"},
        {"lines": f"{NAMI} + {NAMI}"},
        {"lines": f"{NAMI} banned\n{NAMI} 2"},
        {"lines": f"{NAMI} free"},  # it is not on the list
        {"lines": "Nami"},
        {"lines": "# nothing"},
        {"lines": "x" * 20_001},
        {},
        {"lines": f"{NAMI} banned", "file": CHANGES},
    ],
)
def test_wrong_lines_are_refused(hall, proposal):
    assert wrong_pointers(hall, **proposal) == ["/lines"]


@pytest.mark.parametrize(
    "file",
    [
        "no toml",
        "game = 1",
        'game = "dbs"\n' + CHANGES + 'ban.X = "x"',
        CHANGES,  # names no card
        CHANGES + 'ban.nothing = "x"',
        CHANGES + f"ban.{NAMI} = 1",
        CHANGES.replace("https", "http") + f'ban.{NAMI} = "Nami"',
        'title = "more"\n' + CHANGES + f'ban.{NAMI} = "Nami"',
        "change = [1]",
        "change = {}",
        CHANGES + f'restrict.{NAMI} = 1\nban = "x"',
        "a = " + "[" * 5000,
        CHANGES + "\n".join(f'ban.OP01-{number:03} = "x"' for number in range(2001)),
        CHANGES.replace("2026-10-01", "2026-10-01T00:00:00") + f'ban.{NAMI} = "Nami"',
        'game = "optcg"\nfollows = {en = {}}\n' + CHANGES,
        'game = "optcg"\ntitle = "x"\nformats = []\nknown_to = 2026-10-01\nnotes = []\nfollows = {en = {}}\n'
        '[regions]\nen = "Here"\n[sections]\nban = "x"\nrestrict = "x"\n' + CHANGES + f'ban.{NAMI} = "Nami"',
        'game = "optcg"\ntitle = "x"\nformats = []\nknown_to = 2026-10-01\nnotes = []\n'
        '[regions]\njp = "There"\n[sections]\nban = "x"\nrestrict = "x"\n'
        + CHANGES.replace('"en"', '"jp"')
        + f'ban.{NAMI} = "Nami"',
    ],
)
def test_wrong_files_are_refused(hall, file):
    assert wrong_pointers(hall, file=file) == ["/region" if '"jp"' in file else "/file"]


def test_a_file_may_have_so_many_cards_in_groups(hall):
    cards = ", ".join(f'OP01-{number:03} = "x"' for number in range(201))
    assert wrong_pointers(hall, file=f"{CHANGES}ban_among.g = {{{cards}}}\n") == ["/file"]
