"""A revoked key writes nothing any more, not even a request that was being answered. All players are invented."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from api.events.registration_desk import RegistrationChange
from api.events.rights import Permission
from api.service.errors import NoAccess
from tests.api.events.conftest import LEGAL, Hall, in_shared_memory
from tests.api.events.test_rush import postgresql, sqlite
from tests.api.processes import Running
from tests.soon import SOON

CLIENTS = 6


def test_a_request_that_waits_while_its_key_is_revoked_writes_nothing(anywhere):
    hall = Hall(anywhere.test_client())
    rid, _ = hall.register("Nami Cat")
    here = anywhere.extensions["deckproof"]
    waiting = here.desk.authorize(Permission.REGISTER_PLAYER, hall.id, hall.judge.key)
    (judges_key,) = (key["id"] for key in hall.organiser.get("/keys").json["keys"] if key["role"] == "judge")
    assert hall.organiser.delete(f"/keys/{judges_key}").status_code == 204
    length = len(hall.organiser.get("/audit").json["entries"])
    with pytest.raises(NoAccess):
        here.desk.register(waiting, RegistrationChange({"player": "Zoro Late"}), None)
    with pytest.raises(NoAccess):
        here.desk.change_settings(waiting, rid, {"table": "12"}, "", None)
    assert len(hall.organiser.get("/audit").json["entries"]) == length


class Site:
    """A server that is asked over its socket."""

    def __init__(self, url):
        self.url = url

    def ask(self, method, path, key="", body=None):
        """Return the status and the answer, None if there is none."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        request = Request(self.url + path, None if body is None else json.dumps(body).encode(), headers, method=method)
        try:
            with urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except HTTPError as error:
            with error:
                return error.code, None


def write_until(site, path, key, registration, revoked):
    """Begin deck checks until the key is revoked, and one more time. Return the statuses after the revocation."""
    statuses = []
    while not statuses:
        is_over = revoked.is_set()
        status, _ = site.ask("POST", f"{path}/checks", key, {"registration": registration})
        if is_over:
            statuses.append(status)
    return statuses


@pytest.mark.slow
@pytest.mark.parametrize("database", [sqlite, postgresql], ids=["SQLite", "PostgreSQL"])
def test_no_entry_of_a_key_follows_its_revocation(database):
    with in_shared_memory() as folder, in_shared_memory() as place, database(place) as url:
        server = Running(folder, DECKPROOF_DATABASE_URL=url)
        with server.ended():
            site = Site(server.url)
            _, event = site.ask("POST", "/v1/events", body={"name": "Example Cup", "game": "optcg", "on": SOON})
            path, organiser = f"/v1/events/{event['id']}", event["keys"]["organiser"]
            _, player = site.ask("POST", f"{path}/registrations", body={"player": "Nami Cat", "decklist": LEGAL})
            _, made = site.ask("POST", f"{path}/keys", organiser, {"role": "judge", "name": "Table 1"})
            revoked = Event()
            with ThreadPoolExecutor(CLIENTS) as pool:
                clients = [
                    pool.submit(write_until, site, path, made["key"], player["id"], revoked) for _ in range(CLIENTS)
                ]
                revoked.wait(0.5)  # seconds in which all of them write
                assert site.ask("DELETE", f"{path}/keys/{made['id']}", organiser)[0] == 204
                revoked.set()
                assert {status for client in clients for status in client.result()} == {404}
            _, audit = site.ask("GET", f"{path}/audit", organiser)
    place_of_end = next(entry["number"] for entry in audit["entries"] if entry["action"] == "key revoked")
    assert audit["intact"]
    assert not [entry for entry in audit["entries"][place_of_end:] if made["id"] in entry["by"]]
