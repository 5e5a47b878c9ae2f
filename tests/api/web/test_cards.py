"""Cards over HTTP: one, many, and searched."""

from __future__ import annotations

import pytest

CARD = {
    "game",
    "number",
    "name",
    "back_name",
    "type",
    "colors",
    "cost",
    "life",
    "power",
    "traits",
    "characters",
    "keywords",
    "text",
    "back_text",
    "rarity",
    "set",
    "block",
    "released",
    "printings",
    "names",
    "official_page",
    "construction",
    "unknown",
}


@pytest.mark.parametrize("spelled", ["OP01-016", "op01-016", "OP01-016_p1", " OP01-016 ", "OP-01-016"])
def test_a_card_is_found_by_any_spelling_of_its_number(client, spelled):
    answer = client.get(f"/v1/cards/optcg/{spelled}")
    assert answer.status_code == 200
    assert set(answer.json) == CARD
    assert (answer.json["number"], answer.json["name"], answer.json["colors"]) == ("OP01-016", "Nami", ["Red"])
    assert "OP01-016_p1" in answer.json["printings"]


def test_a_card_has_its_names_in_other_languages_where_they_are_known(client):
    assert client.get("/v1/cards/optcg/OP01-016").json["names"]["ja"] == "ナミ"
    assert client.get("/v1/cards/dbs/BT1-001").json["names"] == {}


def test_a_card_of_a_game_without_numbers_is_found_by_name(client):
    answer = client.get("/v1/cards/bos/mill guard")
    assert answer.json["name"] == "Mill Guard"


def test_what_a_card_says_of_construction_is_typed(client):
    (clause,) = client.get("/v1/cards/dbs/BT5-117").json["construction"]
    assert clause["kind"] in ("copies", "keyword")
    assert clause["text"]


def test_a_card_that_there_is_not_brings_the_likeliest(client):
    answer = client.get("/v1/cards/optcg/OP01-216")
    assert answer.status_code == 404
    assert "OP01-016" in answer.json["detail"]


@pytest.mark.slow
def test_a_search_is_paged(client):
    first = client.get("/v1/cards?game=optcg&page_size=10").json
    assert set(first) == {"cards", "page", "page_size", "total"}
    assert (first["page"], first["page_size"], len(first["cards"])) == (1, 10, 10)
    pages = -(-first["total"] // 10)
    found = [
        card["number"]
        for page in range(1, pages + 2)
        for card in client.get(f"/v1/cards?game=optcg&page_size=10&page={page}").json["cards"]
    ]
    assert len(found) == len(set(found)) == first["total"]


def test_a_search_that_finds_nothing_suggests_cards_by_parts_of_their_names(client):
    found = client.get("/v1/cards?game=optcg&q=lufy").json
    assert (found["cards"], found["total"]) == ([], 0)
    assert found["suggestions"][0]["name"] == "Monkey.D.Luffy"
    assert client.get("/v1/cards?game=optcg&q=xyzzyxyzzy").json["suggestions"] == []
    assert "suggestions" not in client.get("/v1/cards?game=optcg&q=luffy").json
    assert "Monkey.D.Luffy" in client.get("/v1/cards/optcg/lufy").json["detail"]


def test_a_search_takes_words_colour_and_type(client):
    found = client.get("/v1/cards?game=optcg&q=nami&color=red&type=Character").json["cards"]
    assert found
    assert all("Nami" in card["name"] and "Red" in card["colors"] for card in found)
    assert client.get("/v1/cards?game=optcg&q=nami&type=Stage").json["cards"] == []


def test_a_search_takes_block_set_and_what_cards_say(client):
    found = client.get("/v1/cards?game=optcg&set=op-01&block=1&text=straw hat").json
    assert found["total"] > 10
    assert all((card["set"], card["block"]) == ("OP01", "1") for card in found["cards"])
    assert all("Straw Hat Crew" in card["traits"] for card in found["cards"])


@pytest.mark.parametrize(
    ("query", "pointers"),
    [
        ("", ["/game"]),
        ("game=chess", ["/game"]),
        ("game=optcg&page=0", ["/page"]),
        ("game=optcg&page=x&page_size=1000", ["/page", "/page_size"]),
        ("game=optcg&colour=red", ["/colour"]),
        (f"game=optcg&q={'x' * 201}", ["/q"]),
    ],
)
def test_a_search_points_at_what_is_wrong_with_it(client, query, pointers):
    answer = client.get(f"/v1/cards?{query}")
    assert answer.status_code == 422
    assert sorted(one["pointer"] for one in answer.json["errors"]) == pointers


def test_many_cards_are_found_at_once_drop_repeated_and_in_order(client):
    numbers = ["ST21-001", "OP01-016_p1", "nope", "op01-016", "OP01-001"]
    answer = client.post("/v1/cards/optcg/collection", json={"numbers": numbers})
    assert answer.status_code == 200
    assert [card["number"] for card in answer.json["cards"]] == ["ST21-001", "OP01-016", "OP01-001"]
    assert answer.json["not_found"] == ["nope"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/numbers"),
        ({"numbers": "OP01-016"}, "/numbers"),
        ({"numbers": ["OP01-016", 5]}, "/numbers/1"),
        ({"numbers": ["x" * 201]}, "/numbers/0"),
        ({"numbers": ["OP01-016"] * 1001}, "/numbers"),
        ({"numbers": [], "names": []}, "/names"),
        ([], ""),
    ],
)
def test_a_collection_points_at_what_is_wrong_with_it(client, body, pointer):
    answer = client.post("/v1/cards/optcg/collection", json=body)
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json["errors"]] == [pointer]


def test_a_card_tells_how_many_may_be_played_and_why(client):
    standing = client.get("/v1/cards/optcg/op05-041/standing?on=2024-07-01").json
    assert (standing["number"], standing["on"], standing["block"]["block"]) == ("OP05-041", "2024-07-01", "2")
    assert {(one["region"], one["format"]): one["most"] for one in standing["allowances"]} == {
        ("en", "standard"): 0, ("en", "extra"): 0, ("jp", "standard"): 1, ("jp", "extra"): 1
    }  # fmt: skip
    (reason,) = standing["allowances"][0]["because"]
    assert (reason["code"], reason["limit"], reason["rule"]["section"]) == ("card.banned", 0, "Banned Cards")
    assert reason["source"].startswith("https://en.onepiece-cardgame.com/")
    assert [(one["effective_from"], one["before"], one["limit"]) for one in standing["history"]] == [
        ("2024-06-21", None, 0), ("2025-08-30", 0, None)
    ]  # fmt: skip
    assert [(one["region"], one["released"]) for one in standing["releases"]] == [("en", "2023-12-08"), ("jp", None)]


def test_a_card_without_a_release_day_has_its_first_and_last_possible_day(client):
    standing = client.get("/v1/cards/dbs/BT19-001/standing?on=2020-01-01").json
    (release,) = standing["releases"]
    assert (release["released"], release["rule"]) == (None, None)
    assert (release["not_before"]["day"], release["no_later_than"]["day"]) == ("2022-09-09", "2023-06-30")
    assert release["not_before"]["reason"]
    assert {one["most"] for one in standing["allowances"]} == {0}
    assert {one["code"] for one in standing["allowances"][0]["because"]} == {"card.unreleased"}
    page = client.get("/cards/dbs/BT19-001").text
    assert all(one["day"] in page for one in (release["not_before"], release["no_later_than"]))


@pytest.mark.parametrize(("day", "passed"), [("2022-09-08", False), ("2022-09-09", None), ("2022-11-03", True)])
def test_a_rule_that_cannot_be_decided_is_neither_passed_nor_failed(client, day, passed):
    body = {"game": "dbs", "on": day, "explain": True, "deck": {"main": [{"number": "BT19-001", "count": 4}]}}
    verdict = client.post("/v1/validate", json=body).json
    (rule,) = (one for one in verdict["checked"] if one["rule"]["name"] == "release")
    assert rule["passed"] is passed
    found = [one["severity"] for one in verdict["findings"] if one["code"] == "card.unreleased"]
    assert found == {False: ["error"], None: ["warning"], True: []}[passed]


def test_every_change_of_a_list_is_told_with_its_state_on_the_day(client):
    changes = client.get("/v1/limits/optcg/changes?on=2026-10-01").json["changes"]
    assert (changes[0]["state"], changes[0]["rulings"][0]["cards"][0]["number"]) == ("announced", "OP14-020")
    assert {one["state"] for one in changes[1:]} == {"in force"}
    assert sum(len(one["rulings"]) for one in changes) == 39
    answer = client.get("/v1/limits/optcg/changes?region=mars")
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/region")


def test_two_editions_are_compared(client):
    found = client.get("/v1/rulesets/dbs-4.00/differences?against=dbs-zenkai").json
    kinds = {one["name"]: one["kind"] for one in found["differences"]}
    assert (found["against"], kinds["z-size"], kinds["sections"]) == ("dbs-zenkai", "changed", "moved")
    for against in ("optcg-1.1.9", "chess"):
        answer = client.get(f"/v1/rulesets/dbs-4.00/differences?against={against}")
        assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/against")
