"""An organiser imports a spreadsheet: preview, import, links as files, and undo. Players are invented."""

from __future__ import annotations

import csv
import io

import pytest

from tests.api.events.conftest import ILLEGAL, LEGAL
from tests.api.web.pages.events.guest import begun, entering, imported, registered

HEAD = "Player,Player ID,Decklist,E-mail"
ROWS = f'"Last, First",1,"{LEGAL}",\nNew One,2,,new@example.com\nNew One,2,,\nBad Id,<>,,\n'
TABLE = f"{HEAD}\n{ROWS}"


@pytest.fixture
def hall(app):
    """An event with a player whose list is not legal; its organiser, and the path of the event."""
    organiser, id, _ = begun(app)
    registered(app, id, "Last, First", decklist=ILLEGAL)
    return organiser, f"/events/{id}"


def file(text, name="players.csv"):
    return io.BytesIO(text.encode()), name


def players(app, event):
    return app.test_client().get(f"/v1{event}/roster").json


def previewed(organiser, event, **said):
    return organiser.opens(f"{event}/import").sends("/import", file=file(TABLE), **said)


def plan(organiser):
    return organiser.page.css_first("button[name=plan]").attributes["value"]


def rows(answer):
    return list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_a_preview_shows_roles_and_rows_and_writes_nothing(hall, app):
    organiser, event = hall
    previewed(organiser, event)
    assert "1 new · 1 to change · 0 unchanged" in organiser.says(".notice")
    assert "Player ← A" in organiser.says(".readings")
    assert [len(one.css("li")) for one in organiser.page.css("details .names")] == [1, 1, 1]
    assert not organiser.page.css("table.players")
    assert "New One" not in organiser.opens(f"{event}/roster").says()


def test_an_import_is_what_was_previewed(hall, app):
    organiser, event = hall
    imported(organiser, event, TABLE)
    assert "1 registered · 1 changed · 0 unchanged" in organiser.says(".notice")
    name, _, link = organiser.page.css_first("#links").text().strip().partition("\t")
    assert name == "New One"
    assert "New One" in entering(app, event.rpartition("/")[2], link.partition("#key=")[2]).says("h1")


def test_what_changed_since_the_preview_is_previewed_again(hall, app):
    organiser, event = hall
    previewed(organiser, event)
    registered(app, event.rpartition("/")[2], "New One")
    organiser.sends("/import", 412, plan=plan(organiser))
    assert "0 new · 2 to change" in organiser.says(".notice")
    organiser.sends("/import", plan=plan(organiser))
    assert "0 registered · 2 changed" in organiser.says(".notice")


def test_a_form_that_comes_twice_imports_once(hall):
    organiser, event = hall
    previewed(organiser, event)
    page, said = organiser.page, {"plan": plan(organiser)}
    first = organiser.sends("/import", **said).page.css_first("#links").text()
    organiser.page = page
    assert organiser.sends("/import", **said).page.css_first("#links").text() == first


def test_other_columns_are_chosen_without_choosing_the_file_again(hall):
    organiser, event = hall
    organiser.opens(f"{event}/import").sends("/import", file=file("Who,Also\nNami Cat,Zoro Dog\n"), player_column="A")
    assert "Nami Cat" in organiser.says("details .names")
    organiser.sends("/import", player_column="B")
    assert "Zoro Dog" in organiser.says("details .names")
    assert organiser.page.css_first("#player_column option[selected]").attributes["value"] == "B"


def test_links_are_saved_as_files_and_other_keys_are_in_none(hall):
    organiser, event = hall
    imported(organiser, event, TABLE)
    page = organiser.page
    (link,) = rows(organiser.sends("/links/file", **{"as": "csv"}).answer)
    assert (link["Player"], link["Player ID"], link["E-mail"]) == ("New One", "2", "new@example.com")
    organiser.page = page
    (letter,) = rows(organiser.sends("/links/file", **{"as": "mail-merge"}).answer)
    assert link["Link"] in letter["Message"]
    assert organiser.answer.headers["Cache-Control"] == "private, no-store"
    organiser.page = page
    assert rows(organiser.sends("/links/file", keys="x" * 43, **{"as": "csv"}).answer) == []


def test_an_import_is_undone_at_the_page(hall):
    organiser, event = hall
    imported(organiser, event, TABLE)
    organiser.opens(f"{event}/import").sends("/undo")
    assert "1 registrations deleted · 1 restored · 0 unchanged" in organiser.says(".notice")
    assert "New One" not in organiser.opens(f"{event}/roster").says()
    assert not organiser.opens(f"{event}/import").page.css("form[action$=undo]")


def test_new_links_are_made_for_those_without_a_list_once_that_is_confirmed(hall, app):
    organiser, event = hall
    _, _, old = registered(app, event.rpartition("/")[2], "Without List")
    organiser.opens(f"{event}/links").sends("/links", 422)
    assert organiser.faults() == ["sure"]
    organiser.sends("/links", sure="true")
    (line,) = organiser.page.css_first("#links").text().split("\n")[1:-1] or [organiser.page.css_first("#links").text()]
    assert "Without List" in line
    client = app.test_client()
    own = f"/v1{event}/registrations/{line.partition('#key=')[0].rpartition('/')[2]}"
    for key, status in ((old, 404), (line.partition("#key=")[2].strip(), 200)):
        assert client.get(own, headers={"Authorization": f"Bearer {key}"}).status_code == status


@pytest.mark.slow
@pytest.mark.parametrize("sent", [None, file(""), file("\0\1\2", "x.xlsx")])
def test_a_file_that_is_none_is_not_previewed(hall, sent):
    organiser, event = hall
    organiser.opens(f"{event}/import").sends("/import", 422, file=sent)
    assert organiser.faults() == ["file"]


def test_after_the_deadline_a_spreadsheet_needs_a_reason(hall, clock):
    organiser, event = hall
    clock.set("2026-10-25T09:30+01:00")
    organiser.opens(f"{event}/import").sends("/import", 403, file=file("Player\nLate One\n"))
    imported(organiser, event, "Player\nLate One\n", reason="paper lists")
    assert "1 registered" in organiser.says(".notice")
