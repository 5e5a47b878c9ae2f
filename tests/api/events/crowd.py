"""A crowd: clients that register and revise all at once over HTTP, and remember every answer. All are invented."""

from __future__ import annotations

import http.client
import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from urllib.parse import urlsplit

import sqlalchemy as sa

from api.events.storage.event_tables import KeyRow, RegistrationRow, RevisionRow
from carddb.database import Database
from tests.api.events.conftest import EVENT, ILLEGAL, LEGAL
from tests.soon import DAY_BEFORE, SOON

OPEN = EVENT | {"on": SOON, "closes": f"{DAY_BEFORE}T22:00", "format": "standard"}
WAIT = 30  # seconds for an answer


class Client:
    """One of the crowd: a connection that is kept, and how long each answer took."""

    def __init__(self, url: str) -> None:
        self._at = urlsplit(url)
        self._connection = None
        self.took: list[float] = []
        self.statuses: Counter[int] = Counter()

    def __call__(self, method, path, said=None, key="", **headers):
        """Send a request; return status, body and headers. What is cut off raises OSError or HTTPException."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers |= {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        begun = time.monotonic()
        try:
            self._connection = self._connection or http.client.HTTPConnection(self._at.netloc, timeout=WAIT)
            self._connection.request(method, path, json.dumps(said) if said else None, headers)
            answer = self._connection.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        self.took.append(time.monotonic() - begun)
        self.statuses[answer.status] += 1
        return answer.status, json.loads(body) if body else None, answer.headers

    def close(self):
        """Hang up; the next request begins anew."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None


class Crowd:
    """Clients of an event: each registers, revises the own registration, and counts up one that it shares with others.

    `answered` has, by registration, the team of the last revision that was answered, `sent` of the last one that was
    sent; the team of a shared one is how often it was counted up. `cuts` has, for each client that left early, its
    number, the error and the seconds since it came.
    """

    def __init__(self, url: str, clients: int, shared: int = 4) -> None:
        self.url = url
        self.clients = [Client(url) for _ in range(clients)]
        desk = Client(url)
        _, begun, _ = desk("POST", "/v1/events", OPEN)
        self.path, self.key = f"/v1/events/{begun['id']}", begun["keys"]["judge"]
        self.organiser = begun["keys"]["organiser"]
        self.answered: dict[str, str] = {}
        self.sent: dict[str, str] = {}
        self.counted_registrations: Counter[str] = Counter()
        self.cuts: list[tuple[int, str, float]] = []
        self._lock = Lock()
        self._shared = [self._register(desk, f"Shared {number}", "0") for number in range(shared)]
        self.counted_registrations.update(dict.fromkeys((rid for rid, _ in self._shared), 0))

    def rush(self, rounds: int) -> float:
        """Let all of them register and revise at once; return the seconds that it took. Ends early where it is cut."""
        begun = time.monotonic()
        with ThreadPoolExecutor(len(self.clients)) as pool:
            list(pool.map(lambda one: self._come(*one, rounds), enumerate(self.clients)))
        return time.monotonic() - begun

    def _come(self, number, client, rounds):
        begun = time.monotonic()
        try:
            rid, key = self._register(client, f"Player {number}", "new")
            for each in range(rounds):
                self._revise(client, rid, key, f"{number}.{each}")
                self._count(client, *self._shared[number % len(self._shared)])
        except (OSError, http.client.HTTPException) as error:
            self.cuts.append((number, repr(error), time.monotonic() - begun))
        client.close()

    def _register(self, client, player, team):
        said = {"player": player, "team": team, "decklist": LEGAL}
        shown, _ = self._done(201, client("POST", f"{self.path}/registrations", said))
        self.answered[shown["id"]] = self.sent[shown["id"]] = team
        return shown["id"], shown["key"]

    def _revise(self, client, rid, key, team):
        path = f"{self.path}/registrations/{rid}"
        _, headers = self._done(200, client("GET", path, key=key))
        self.sent[rid] = team
        said = {"team": team, "decklist": ILLEGAL if team.endswith("0") else LEGAL}
        self._done(200, client("PUT", path, said, key, If_Match=headers["ETag"]))
        self.answered[rid] = team

    def _count(self, client, rid, key):
        """Count up the team of a registration, as often as somebody else was quicker."""
        path, status = f"{self.path}/registrations/{rid}", 412
        while status == 412:
            shown, headers = self._done(200, client("GET", path, key=key))
            said = {"team": str(int(shown["team"]) + 1)}
            status, *rest = client("PUT", path, said, key, If_Match=headers["ETag"])
        self._done(200, (status, *rest))
        with self._lock:
            self.counted_registrations[rid] += 1

    def _done(self, wanted, answer):
        """Return body and headers of an answer; one that says that the database is away ends a client's rush."""
        status, body, headers = answer
        if status == 503:
            raise ConnectionError
        assert status == wanted, body
        return body, headers

    @property
    def statuses(self):
        """How many answers had which status."""
        return sum((client.statuses for client in self.clients), Counter())

    @property
    def took(self):
        """How long each answer took, the shortest first."""
        return sorted(one for client in self.clients for one in client.took)

    def standing(self):
        """Return what stands now, by registration, and whether the audit is intact."""
        client = Client(self.url)
        _, listed, _ = client("GET", f"{self.path}/registrations", key=self.key)
        _, audit, _ = client("GET", f"{self.path}/audit", key=self.organiser)
        client.close()
        return {one["id"]: one for one in listed["registrations"]}, audit["intact"]


def find_half_registrations(url):
    """Return the number of registrations without key or latest revision, and of revisions without registration."""
    key = sa.select(KeyRow.id).where(KeyRow.registration_id == RegistrationRow.id)
    latest = (RevisionRow.registration_id == RegistrationRow.id, RevisionRow.number == RegistrationRow.latest)
    revision = sa.select(RevisionRow.number).where(*latest)
    lacking = sa.select(RegistrationRow.id).where(~key.exists() | ~revision.exists())
    of = sa.select(RegistrationRow.id).where(RevisionRow.registration_id == RegistrationRow.id)
    beyond = of.where(RevisionRow.number <= RegistrationRow.latest)
    with Database(url).reading() as connection:
        orphans = connection.execute(sa.select(RevisionRow.number).where(~beyond.exists())).all()
        return len(connection.execute(lacking).all()), len(orphans)
