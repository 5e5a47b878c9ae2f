"""The infraction of each kind of finding, and what a game's official guide suggests. All players are invented."""

import tomllib
from importlib.resources import files

import pytest

from api.events.judging.penalties import INFRACTIONS, LADDER, find_infractions, guides, parse_guides
from tests.api.events.conftest import ILLEGAL, LEGAL, Hall
from validator.codes import finding_codes
from validator.errors import DocumentError
from validator.games import GAMES


@pytest.fixture
def document():
    text = files("api.events.judging").joinpath("infractions.toml").read_text("utf-8")
    return tomllib.loads(text)


def test_every_kind_of_finding_is_an_infraction_or_none(document):
    assert set(document["findings"]) == set(finding_codes())
    assert set(document["findings"].values()) - {"none"} == set(guides().infractions.values()) <= set(INFRACTIONS)


def test_every_game_has_a_guide_or_is_listed_without(document):
    assert {*document["guides"], *document["without_guide"]} == set(GAMES)
    for places in guides().sources.values():
        assert all(place["document"] and place["section"] for place in places.values())


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda d: d["findings"].pop("size"), "size"),
        (lambda d: d["findings"].update({"no.such": "none"}), "no.such"),
        (lambda d: d["findings"].update({"size": "theft"}), "theft"),
        (lambda d: d["without_guide"].remove("bos"), "bos"),
        (lambda d: d["guides"]["gundam"].pop("document"), "document"),
        (lambda d: d["guides"]["gundam"]["sections"].pop("wrong-count"), "wrong-count"),
        (lambda d: d["guides"]["gundam"]["sections"].update({"wrong-count": 7}), "wrong-count"),
    ],
)
def test_a_table_with_a_gap_or_an_unknown_name_is_refused_with_its_place(document, change, place):
    change(document)
    with pytest.raises(DocumentError, match=place):
        parse_guides(document)


@pytest.mark.slow
def test_a_check_has_the_infractions_of_the_registered_list(hall):
    rid, _ = hall.register("Ann One", decklist=ILLEGAL)
    legal, _ = hall.register("Ben Two", decklist=LEGAL)
    (check,) = hall.judge.post("/checks", {"registration": rid}).json["checks"]
    (found,) = check["infractions"]
    assert (found["code"], found["infraction"]) == ("size", "wrong-count")
    assert (found["suggested_penalty"], found["source"]) == (None, None)  # the game has no guide here
    assert hall.judge.post("/checks", {"registration": legal}).json["checks"][0]["infractions"] == []
    exported = {one["registration"]: one for one in hall.judge.get("/export?as=json").json["players"]}
    assert [one["code"] for one in exported[rid]["infractions"]] == ["size"]


@pytest.mark.slow
def test_a_guide_is_cited_and_a_repeat_goes_up_one_step(anywhere):
    hall = Hall(anywhere.test_client(), game="gundam")
    rid, _ = hall.register("Ann One", decklist="4 GD01-001\n")
    first = hall.judge.post("/checks", {"registration": rid}).json["checks"][0]
    found = next(one for one in first["infractions"] if one["infraction"] == "wrong-count")
    assert found["suggested_penalty"] == "Game Loss"
    assert (found["source"]["section"], found["source"]["page"]) == ("7.4.2-5", None)
    given = {"infraction": "wrong-count", "penalty": "Game Loss", "reason": "46 cards missing"}
    assert hall.judge.put(f"/checks/{first['id']}", given, '"1"').status_code == 200
    later = hall.judge.post("/checks", {"registration": rid}).json["checks"][0]
    again = next(one for one in later["infractions"] if one["infraction"] == "wrong-count")
    assert LADDER.index(again["suggested_penalty"]) == LADDER.index("Game Loss") + 1


def test_no_verdict_has_no_infractions():
    assert find_infractions(None, "gundam") == []
