"""The limits' pages: what is in force on a day, every change, and what two days have other."""

from __future__ import annotations

from datetime import date

import pytest

from tests.api.web.pages.look_ups import Reader
from validator.games import GAMES
from validator.limits import shipped_lists

LISTS = [(game, region) for game in GAMES for region in shipped_lists(game).listed.regions]


@pytest.fixture
def read(client):
    return lambda address, **headers: Reader(client, address, **headers)


def numbers(page, selector):
    return [path.rpartition("/")[2] for path, _ in page.addresses(selector)]


def test_every_game_is_led_to(read):
    page = read("/limits")
    assert [path for path, _ in page.addresses("main a")] == [f"/limits/{game}" for game in GAMES]


@pytest.mark.parametrize(("game", "region"), LISTS)
def test_what_is_in_force_and_every_change_are_those_of_the_list(read, game, region):
    listed = shipped_lists(game).listed
    for day in (date(2023, 5, 1), date(2026, 11, 22)):
        page = read(f"/limits/{game}?on={day}&region={region}")
        entries = listed.in_force_on(day, region).entries
        assert page.status == 200
        of_groups = {number for one in entries.values() if one.group for number in one.numbers}
        alone = [number for one in entries.values() if not one.group for number in one.numbers]
        assert sorted(numbers(page, "[aria-labelledby=force] .cards .card-link")) == sorted([*alone, *of_groups])
        rulings = list(listed.rulings(region))
        groups = {(one.change, one.group) for one in rulings if one.group}
        assert len(page.tree.css(".timeline > li li")) == sum(not one.group for one in rulings) + len(groups)
        sources = {node.attributes["href"] for node in page.tree.css(".timeline .soft a")}
        assert sources == {one.change.source for one in rulings}


@pytest.mark.parametrize(("game", "region"), LISTS)
def test_every_entry_has_the_numbers_and_the_names_of_its_cards(read, game, region):
    entries = shipped_lists(game).listed.in_force_on(date(2026, 11, 22), region).entries.values()
    links = read(f"/limits/{game}?on=2026-11-22&region={region}").texts("[aria-labelledby=force] .cards .card-link")
    cards = {card for one in entries for card in zip(one.numbers, one.names, strict=True)}
    assert set(links) == {f"{number} {name}" for number, name in cards}


def test_a_change_to_come_is_told_from_its_announcement_on(read):
    states = {
        day: read(f"/limits/optcg?on={day}").texts(".timeline > li:first-child .badge")
        for day in ("2026-09-23", "2026-09-24", "2026-10-11", "2026-10-12")
    }
    assert [said for (said,) in states.values()] == ["→ later", "→ announced", "→ announced", "✓ took effect"]
    perhaps = read("/limits/optcg?on=2023-05-01")
    assert "! may already apply" in perhaps.texts(".timeline .badge")


def test_two_days_are_compared(read):
    page = read("/limits/optcg?from=2026-03-31&to=2026-04-01")
    assert numbers(page, "[aria-labelledby=compared] .card-link") == [
        "EB01-059", "OP02-024", "OP02-117", "OP03-098", "OP06-047", "OP07-045", "ST06-015"
    ]  # fmt: skip
    assert read("/limits/optcg?from=2026-04-02&to=2026-04-03").texts("[aria-labelledby=compared] p")
    alone = read("/limits/optcg?on=2026-11-22&from=2026-10-11")
    assert numbers(alone, "[aria-labelledby=compared] .card-link") == ["OP14-020"]


def test_a_game_without_a_list_says_so(read):
    page = read("/limits/bos")
    assert (page.status, len(page.tree.css(".notice")), page.tree.css(".timeline")) == (200, 1, [])


@pytest.mark.parametrize(
    ("query", "faults"),
    [
        ("on=x", ["on"]),
        ("region=mars", ["region"]),
        ("from=2026-13-01&to=1", ["from", "to"]),
        ("on=%3Cscript%3E&region=%3Cscript%3E", ["on", "region"]),
    ],
)
def test_what_is_wrong_is_told_beside_the_field(read, query, faults):
    page = read(f"/limits/optcg?{query}")
    assert page.status == 422
    assert [node.attributes["id"] for node in page.tree.css(".fault")] == [f"{name}-fault" for name in faults]
    assert page.tree.css("main script") == []


def test_a_game_that_there_is_not_is_a_page_that_says_so(read):
    page = read("/limits/chess")
    assert page.status == 404
    assert "optcg" in page.text("main")


def test_links_keep_the_language(read):
    page = read("/limits/optcg?lang=fr")
    assert {query.get("lang") for _, query in page.addresses("main a")} == {"fr"}
    assert page.tree.css("[name=lang]")[0].attributes["value"] == "fr"


def test_a_script_gets_the_result_alone(read):
    page = read("/limits/optcg", **{"HX-Request": "true"})
    assert page.tree.css("form, header, h1") == []
    assert page.tree.css(".timeline")


def test_an_entry_whose_source_is_not_certain_is_marked(read):
    for day, is_marked in (("2023-07-27", False), ("2023-07-28", True)):
        page = read(f"/limits/optcg?on={day}")
        shown = "".join(node.text() for node in page.tree.css("section[aria-labelledby=force] ul.cards"))
        assert ("not certain" in shown) is is_marked


def test_a_past_day_says_that_the_history_is_known_in_part(read):
    note = shipped_lists("dbs").listed.in_force_on(date(2019, 6, 10)).note
    assert note in read("/limits/dbs?on=2019-06-10").text("section[aria-labelledby=force]")
    assert note not in read("/limits/dbs?on=2026-06-19").text("section[aria-labelledby=force]")
