"""Judges compare two registrations of one player side by side, and merge or separate them. Players are invented."""

from __future__ import annotations

import pytest

from tests.api.events.conftest import ILLEGAL, LEGAL
from tests.api.web.pages.events.guest import begun, entering, registered


@pytest.fixture
def event(app):
    """The organiser on the page of duplicates, the id of the event, its keys, and two registrations of one player.

    A registration is the player's guest, the path of the receipt, and the key.
    """
    organiser, id, keys = begun(app)
    first = registered(app, id, player_id="0012", decklist=LEGAL)
    second = registered(app, id, player_id="12", decklist=ILLEGAL, team="Reds")
    return organiser.opens(f"/events/{id}/duplicates"), id, keys, first, second


def id_of(registration):
    return registration[1].rpartition("/")[2]


def test_both_registrations_are_shown_with_what_differs(event):
    organiser, id, *_ = event
    assert len(organiser.page.css(".two .panel")) == 2
    assert "1 OP04-016" in organiser.says(".changes")
    roster = organiser.opens(f"/events/{id}/roster")
    assert len(roster.page.css("tbody a[href$='/duplicates']")) == 2
    assert roster.page.css_first(".tally a[href$='/duplicates']")


def test_a_merge_with_a_long_reason_is_refused_and_changes_nothing(event):
    organiser, *_, first, _ = event
    organiser.sends("/merge", 422, list=id_of(first), reason="r" * 501)
    assert organiser.page.css_first(".notice.bad")
    assert len(organiser.page.css(".two .panel")) == 2


@pytest.mark.parametrize("chosen", [0, 1])
def test_a_merge_keeps_the_chosen_list_and_leads_both_links_to_it(app, event, chosen):
    organiser, id, _, *registrations = event
    kept, other = registrations[chosen], registrations[1 - chosen]
    organiser.sends("/merge", list=id_of(kept), reason="came twice")
    assert organiser.path.endswith("/duplicates")
    assert organiser.page.css_first(".two .panel") is None
    organiser.opens(other[1], 404)
    assert bool(organiser.opens(kept[1]).page.css_first(".notice.good")) == (chosen == 0)
    # The device of the other registration's player is signed in.
    assert other[0].client.get(other[1], base_url=other[0].base).headers["Location"] == kept[1]
    for _, receipt, key in registrations:
        door = entering(app, id, key)
        assert door.path == kept[1]
        assert door.opens(f"/events/{id}").sends("/key", to=receipt.partition(id)[2], key=key).path == kept[1]


def test_the_checked_registration_is_kept_with_the_list_that_was_chosen(app, event):
    organiser, id, keys, first, second = event
    checked = {"registration": id_of(first)}
    bearer = {"Authorization": f"Bearer {keys['judge']}"}
    assert app.test_client().post(f"/v1/events/{id}/checks", json=checked, headers=bearer).status_code == 201
    organiser.sends("/merge", list=id_of(second))
    assert organiser.opens(first[1]).page.css_first(".notice.bad")
    organiser.opens(second[1], 404)


def test_two_players_are_kept_apart(event):
    organiser, _, _, first, second = event
    organiser.sends("/separate")
    assert organiser.page.css_first(".two .panel") is None
    for _, receipt, _ in (first, second):
        assert organiser.opens(receipt).page.css_first("a[href$='/duplicates']") is None


def test_a_registration_that_is_gone_meanwhile_is_no_error_of_the_server(event):
    organiser, *_, second = event
    page = organiser.page
    organiser.sends("/merge", list=id_of(second))
    organiser.page = page
    organiser.sends("/merge", 422, list=id_of(second), reason="again")
    organiser.page = page
    organiser.sends("/merge", 404, list="0" * 30)
