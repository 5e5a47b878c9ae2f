"""The overview of an event and the ways from it, as its organiser, a judge and a player see them."""

from __future__ import annotations

import io

import pytest

from api.web.pages.events import organiser_pages
from tests.api.events.conftest import ILLEGAL, LEGAL
from tests.api.web.pages.events.guest import Guest, begun, entering, registered

GROUPS = {"Players": 5, "Judging": 2, "Output": 3, "Settings": 3}


@pytest.fixture
def run(app):
    """An event with a legal list, an illegal list and a player without a list: its organiser, its path, its keys."""
    organiser, id, keys = begun(app)
    registered(app, id, "Legal, One", decklist=LEGAL)
    registered(app, id, "Illegal, One", decklist=ILLEGAL)
    registered(app, id, "Missing, One")
    return organiser, f"/events/{id}", keys


def links(guest, part=".ways a"):
    return {one.text().strip(): one.attributes["href"] for one in guest.page.css(part)}


def test_the_organiser_lands_at_the_numbers_with_links(run):
    organiser, event, _ = run
    numbers = {
        one.css_first("b").text(): one.attributes["href"] for one in organiser.opens(event).page.css(".numbers a")
    }
    assert numbers == {
        "3": f"{event}/roster",
        "2": f"{event}/roster?state=received",
        "1": f"{event}/roster?state=illegal",
        "0": f"{event}/table",
    }
    assert links(organiser, "[aria-labelledby=next-step] a") == {"Remind players": f"{event}/missing"}


def test_a_player_without_a_key_gets_the_form_and_no_numbers(run, app):
    _, event, _ = run
    guest = Guest(app).opens(event)
    assert not guest.page.css(".numbers, #next-step")
    assert guest.page.css_first("#register")


def test_the_rules_and_the_region_of_an_event_are_shown_without_codes(run):
    organiser, event, _ = run
    facts = [one.text().strip() for one in organiser.opens(event).page.css(".facts dd")]
    assert "North America, Europe, Latin America and Oceania" in facts
    assert not [fact for fact in facts if "optcg-" in fact]


def test_a_time_in_utc_has_no_offset(app):
    organiser, id, _ = begun(app, timezone="UTC")
    assert "(UTC)" in organiser.opens(f"/events/{id}").page.css_first(".deadline").text()


def test_every_page_of_an_event_is_in_one_of_four_groups(run):
    organiser, event, _ = run
    groups = links(organiser.opens(event))
    assert list(groups) == ["Overview", *GROUPS]
    reached = []
    for group, count in GROUPS.items():
        pages = list(links(organiser.opens(groups[group]), ".ways ul + ul a").values())
        assert len(pages) == count
        reached += pages
        current = [one.attributes["aria-current"] for one in organiser.page.css(".ways [aria-current]")]
        assert current == ["true", "page"]
    assert len(set(reached)) == len(reached)


def test_a_judge_finds_no_page_that_is_not_open_to_judges(run, app):
    _, event, keys = run
    judge = entering(app, event.rpartition("/")[2], keys["judge"])
    assert judge.path == f"{event}/table"
    groups = links(judge.opens(event))
    assert list(groups) == ["Overview", "Players", "Judging", "Output"]
    for path in groups.values():
        judge.opens(path)


def test_a_judge_who_may_not_see_the_lists_lands_at_the_overview(run, app):
    organiser, event, keys = run
    organiser.opens(f"{event}/settings").sends("/settings", lists="closed")
    assert entering(app, event.rpartition("/")[2], keys["judge"]).path == event


def test_the_roster_is_sorted_by_links(run):
    organiser, event, _ = run
    organiser.opens(f"{event}/roster?sort=legal&state=received")

    def players():
        return [one.text() for one in organiser.page.css(".roster tbody a")]

    assert players() == ["Illegal, One", "Legal, One"]
    (head,) = organiser.page.css("th[aria-sort]")
    assert head.attributes["aria-sort"] == "ascending"
    organiser.opens(head.css_first("a").attributes["href"])
    assert players() == ["Legal, One", "Illegal, One"]
    organiser.sends("/roster", q="one", state="missing")
    assert players() == ["Missing, One"]
    organiser.opens(f"{event}/roster?sort=x&state=y")
    assert len(players()) == 3


def test_the_rules_of_an_event_are_those_of_its_game(run):
    organiser, event, _ = run
    organiser.opens(f"{event}/settings")
    offered = {one.attributes["value"].partition("-")[0] for one in organiser.page.css("#ruleset option")}
    assert offered == {"", "optcg"}
    regions = {one.attributes["value"] for one in organiser.page.css("#region option")}
    assert regions == {"", "en", "jp"}


def test_equal_entries_of_the_audit_are_one_row(run):
    organiser, event, _ = run
    names = "".join(f"Player {number:03}\n" for number in range(120))
    organiser.opens(f"{event}/import").sends("/import", file=(io.BytesIO(f"Player\n{names}".encode()), "players.csv"))
    organiser.sends("/import", plan=organiser.page.css_first("button[name=plan]").attributes["value"])
    organiser.opens(f"{event}/audit")
    assert len(organiser.page.css("tbody tr")) < 20
    assert any(row.text().split()[0] == "120" for row in organiser.page.css("summary"))
    assert len(organiser.page.css("details")[0].css("li")) <= 100


def test_a_long_audit_has_pages(run, monkeypatch):
    monkeypatch.setattr(organiser_pages, "_ENTRIES_SHOWN", 40)
    organiser, event, _ = run
    for number in range(20):
        organiser.opens(f"{event}/settings").sends("/settings", place=f"Hall {number}")
        organiser.opens(f"{event}/keys").sends("/keys", 201, name="A judge", role="judge")
    assert len(organiser.opens(f"{event}/audit").page.css("tbody tr")) == 40
    older = organiser.page.css_first("[rel=next]").attributes["href"]
    assert 0 < len(organiser.opens(older).page.css("tbody tr")) < 40
    assert "event begun" in organiser.says("tbody tr:last-child")
    assert organiser.opens(f"{event}/audit?page=999").page.css_first("[rel=prev]")
