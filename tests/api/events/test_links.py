"""Personal links of many players: made anew, as JSON and as files; reminders say where to send a list."""

from __future__ import annotations

import csv
import io

import pytest

from api.events.players import player_desk
from api.events.players.player_desk import LinkDesk, PersonalLink
from api.events.rights import Permission
from tests.api.events.conftest import LEGAL


def table(answer):
    assert answer.data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))


def opens(hall, link):
    """Whether the key of a link opens its registration."""
    address, _, key = link.partition("#key=")
    return hall.visitor(key).get(f"/registrations/{address.rpartition('/')[2]}").status_code == 200


@pytest.fixture
def missing(hall):
    """A player with a list, and one without."""
    hall.register("Nami Cat", player_id="77", email="nami@example.com")
    made = hall.stranger.post("/registrations", {"player": "=Zoro Dog", "email": "zoro@example.com"}).json
    return made["id"], hall.visitor(made["key"])


def test_new_links_end_the_old_ones_of_a_group(hall, missing):
    rid, player = missing
    (made,) = hall.organiser.post("/links", {"for": "missing"}).json["links"]
    assert (made["registration"], made["player"], made["email"]) == (rid, "=Zoro Dog", "zoro@example.com")
    assert made["link"] == f"http://localhost/events/{hall.id}/registrations/{rid}#key={made['key']}"
    assert (opens(hall, made["link"]), player.get(f"/registrations/{rid}").status_code) == (True, 404)
    assert len(hall.organiser.post("/links", {"for": "all"}).json["links"]) == 2
    assert [one["player"] for one in hall.organiser.post("/links", {"for": [rid]}).json["links"]] == ["=Zoro Dog"]
    assert hall.organiser.get("/audit").json["intact"] is True


@pytest.mark.parametrize("group", ["nobody", [], ["x"], 7, None, [7]])
def test_a_group_that_is_none_gets_no_links(hall, missing, group):
    rid, player = missing
    assert hall.organiser.post("/links", {"for": group}).status_code == 422
    assert player.get(f"/registrations/{rid}").status_code == 200


def test_links_that_are_asked_for_again_are_the_same(hall, missing):
    sent = [hall.organiser.post("/links", {"for": "all"}, Idempotency_Key="new-links-only-once") for _ in range(2)]
    assert sent[0].json == sent[1].json
    assert all(opens(hall, one["link"]) for one in sent[0].json["links"])


def test_links_are_files_in_which_no_cell_is_a_formula(hall, missing):
    rows = table(hall.organiser.post("/links", {"for": "missing", "as": "csv"}))
    assert [row["Player"] for row in rows] == ["'=Zoro Dog"]
    assert opens(hall, rows[0]["Link"])
    (letter,) = table(hall.organiser.post("/links", {"for": "missing", "as": "mail-merge"}))
    assert (letter["E-mail"], letter["Link"] in letter["Message"]) == ("zoro@example.com", True)
    assert "by 2026-10-25 09:00" in letter["Message"]


def test_reminders_have_the_address_and_the_code_of_the_event(hall, missing):
    address, code = f"http://localhost/events/{hall.id}", hall.judge.get().json["code"]
    texts = [hall.judge.get("/missing").json["reminder"]]
    texts.append(hall.judge.post("/missing", {"players": ["Somebody Else"]}).json["reminder"])
    texts += [row["Message"] for row in table(hall.judge.get("/export?as=reminders"))]
    assert len(texts) == 3
    assert all(address in text and code in text and "by 2026-10-25 09:00" in text for text in texts)


def test_whoever_sent_a_list_gets_no_reminder(hall, missing):
    rid, player = missing
    player.revise(rid, decklist=LEGAL)
    assert hall.judge.get("/missing").json["reminder"] == ""


def test_the_links_of_keys_are_found_by_name(hall, missing):
    rid, player = missing
    nami = hall.organiser.post("/links", {"for": "all"}).json["links"][0]
    zoro = hall.organiser.post("/links", {"for": [rid]}).json["links"][0]
    desk = hall.client.application.extensions["deckproof"].desk
    access = desk.authorize(Permission.RENEW_LINKS, hall.id, hall.organiser.key)
    keys = [zoro["key"], nami["key"], player.key, hall.judge.key, "no key"]
    found = LinkDesk(desk).find_links(access, keys)
    assert [one._asdict() for one in found] == [
        {name: one[name] for name in PersonalLink._fields} for one in (nami, zoro)
    ]


def test_only_so_many_players_are_expected(hall, monkeypatch):
    monkeypatch.setattr(player_desk, "MOST_ENTRANTS", 2)
    players = ["Nami Cat", "Zoro Dog", "Cat, Nami", "Usopp Fox"]
    sent = [hall.organiser.put("/expected", {"players": players[:count]}).status_code for count in (2, 3, 4)]
    assert sent == [200, 200, 409]
    assert len(hall.organiser.get("/expected").json["players"]) == 2
