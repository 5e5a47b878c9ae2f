"""Who is expected, on pages: a kept list, pasted or of a spreadsheet, and a reminder to exactly those missing."""

from __future__ import annotations

import io

import pytest

from api.events.bounds import MOST_ENTRANTS
from api.web.pages.events import roster_pages
from tests.api.events.conftest import LEGAL
from tests.api.web.pages.events.guest import begun, entering, registered


@pytest.fixture
def expecting(app):
    """An event with two players, one without a list; its organiser on the page of who is expected."""
    organiser, id, keys = begun(app)
    registered(app, id, "Last, First", decklist=LEGAL)
    registered(app, id, "No List")
    return organiser.opens(f"/events/{id}/expected"), f"/events/{id}", keys


@pytest.mark.slow
def test_who_is_expected_is_missing_until_registered(expecting, app):
    organiser, event, _ = expecting
    organiser.sends("/expected", players="First Last\r\nNobody, Known\r\n\r\nNobody, Known\r\n")
    assert organiser.value("players").split("\n") == ["First Last", "Nobody, Known"]
    reminder = organiser.opens(f"{event}/missing").page.css_first("#reminder").text()
    assert "No List; Nobody, Known" in reminder
    assert "First" not in reminder
    registered(app, event.rpartition("/")[2], "Nobody, Known", decklist=LEGAL)
    assert "Nobody" not in organiser.opens(f"{event}/missing").says()


def test_a_spreadsheet_says_who_is_expected_and_what_of_it_was_not_read(expecting, app):
    organiser, event, keys = expecting
    table = "Player,Player ID,E-Mail\nNobody Known,7,a@example.com\nBad Id,<>,\n"
    organiser.sends("/expected/import", file=(io.BytesIO(table.encode()), "p.csv"))
    assert "row 3" in organiser.says(".notice.warn").lower()
    organiser.opens(f"{event}/expected").sends("/expected", players="Somebody Else\r\nNobody Known")
    bearer = {"Authorization": f"Bearer {keys['judge']}"}
    kept = app.test_client().get(f"/v1{event}/expected", headers=bearer).json["players"]
    assert [(one["player"], one["player_id"], one["email"]) for one in kept] == [
        ("Somebody Else", "", ""),
        ("Nobody Known", "7", "a@example.com"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("players", ["x" * 101, "\r\n".join(f"Player {n}" for n in range(MOST_ENTRANTS + 1))])
def test_a_list_that_is_too_long_changes_nothing(expecting, players):
    organiser, event, _ = expecting
    organiser.sends("/expected", players="Nobody, Known")
    organiser.sends("/expected", 422 if len(players) < 1000 else 409, players=players)
    assert organiser.page.css_first("#players").text().strip().replace("\n", "\r\n") == players
    assert "Nobody" in organiser.opens(f"{event}/expected").says(".names")


@pytest.mark.parametrize(("names", "status"), [([], 422), (["A"], 200), (["A", "B"], 200), (["A", "B", "C"], 422)])
def test_one_name_to_as_many_as_an_event_has_players_are_compared(expecting, monkeypatch, names, status):
    monkeypatch.setattr(roster_pages, "MOST_ENTRANTS", 2)
    organiser, event, _ = expecting
    organiser.opens(f"{event}/missing").sends("/missing", status, players="\r\n".join(names))
    assert organiser.faults() == ([] if status == 200 else ["players"])


@pytest.mark.parametrize("sent", [None, (io.BytesIO(b""), "p.csv")])
def test_no_spreadsheet_changes_nothing(expecting, sent):
    organiser, _, _ = expecting
    organiser.sends("/expected/import", 422, file=sent)
    assert organiser.faults() == ["file"]


def test_a_judge_sees_who_is_expected_and_changes_nothing(expecting, app):
    organiser, event, keys = expecting
    organiser.sends("/expected", players="Nobody, Known")
    judge = entering(app, event.rpartition("/")[2], keys["judge"]).opens(f"{event}/expected")
    assert "Nobody" in judge.says(".names")
    assert judge.page.css_first("#expected") is None
