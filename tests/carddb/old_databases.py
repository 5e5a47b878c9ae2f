"""Databases of each revision of the schema, with rows in every table. All people in them are invented.

The rows are written by SQL, as the versions of that time wrote them, so they do not change with today's code.
"""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import orjson
import sqlalchemy as sa

from carddb import migrations

KEY = "an organiser's key of an old version, forty-three"  # of which the database has the hash
EVENT, REGISTRATION, CHECK = ("e" * 30, "f" * 30, "c" * 30)
SNAPSHOT, OTHER_SNAPSHOT = "optcg-20250101-older", "optcg-20250102-newer"
_THEN = "2025-01-02T03:04:05.000006+00:00"
_CARDS = (
    ("OP01-001", "Roronoa Zoro", "Leader", {"colors": ["Red"], "cost": 5, "power": 5000}),
    ("OP01-016", "Nami", "Character", {"colors": ["Red"], "cost": 1, "text": "Invented.", "keywords": ["Invented"]}),
)
_DETAILS = {
    "name": "Example Regional",
    "game": "optcg",
    "on": "2090-12-25",
    "timezone": "Europe/Berlin",
    "opens": None,
    "closes": "2090-12-25T08:00:00+00:00",
    "ruleset": None,
    "format": None,
    "region": None,
    "policy": None,
    "visibility": {"lists": "judges", "public_from": None, "roster": "players"},
    "place": "",
    "best_of": 1,
    "consent": False,
    "purge_days": 90,
}
_NOTES = {
    **dict.fromkeys(("judge", "table", "round", "outcome", "infraction", "penalty", "reason", "note"), ""),
    **dict.fromkeys(("started", "ended", "given")),
    "grace": 180,
    "looked_at": ["leader", "main", "side", "z", "don", "resource"],
}
_DECK = b'[[["OP01-001",1,null,1,"1 OP01-001"]],[["OP01-016",4,null,2,"4 OP01-016"]],[],[],[],[],[]]'
# What later revisions added to tables that were there.
_LATER: Mapping[str, tuple[str, dict[str, Any]]] = {
    "0005": ("snapshot", {"doubts": "[]"}),
    "0006": ("job", {"problems": 3}),
    "0009": ("event_registration", {"table": "7", "email": "invented@example.org"}),
    "0011": ("snapshot", {"as_of": "2024-12-31", "as_of_basis": "given"}),
}
# Tables, and the revision since which they are gone.
_DROPPED = {"card": "0015", "webhook": "0017", "webhook_told": "0017"}


@contextmanager
def begin_transaction(url: str) -> Iterator[sa.Connection]:
    """Yield a connection in a transaction, to a database of any revision."""
    found = sa.make_url(url)
    engine = sa.create_engine(found.set(drivername="postgresql+psycopg") if found.host else found)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def make_old(url: str, revision: str) -> dict[str, list[tuple[Any, ...]]]:
    """Make the tables of a revision with rows in each, and return all rows by table."""
    with begin_transaction(url) as connection:
        migrations.migrate(connection, revision)
        for table, row in _rows(revision):
            columns = ", ".join(f'"{name}"' for name in row)
            values = ", ".join(f":{name}" for name in row)
            connection.execute(sa.text(f'insert into "{table}" ({columns}) values ({values})'), row)
        return all_rows(connection)


def all_rows(connection: sa.Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of each table as (column, value) pairs, in an order of their own."""
    found = {}
    for table in sa.inspect(connection).get_table_names():
        rows = connection.execute(sa.text(f'select * from "{table}"')).mappings()
        found[table] = sorted((tuple(sorted(row.items())) for row in rows), key=repr)
    return found


def _content(cards: tuple[tuple[str, str, str, dict[str, Any]], ...]) -> str:
    hashed = []
    for number, name, kind, facts in cards:
        read_again = ("keywords", "construction") if "text" in facts else ()
        kept = {key: value for key, value in facts.items() if key not in read_again}
        card = {"number": number, "name": name, "type": kind, **kept}
        hashed.append(orjson.dumps(card, option=orjson.OPT_SORT_KEYS))
    return hashlib.sha256(b"\n".join([b"optcg", *sorted(hashed)])).hexdigest()


def _rows(revision: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of the tables that a revision has, those first to which others refer."""
    for since, table, row in (*_card_rows(), *_job_rows(), *_event_rows(), *_webhook_rows()):
        if since <= revision < _DROPPED.get(table, "9999"):
            later = (more for first, (of, more) in _LATER.items() if of == table and first <= revision)
            yield table, {**row, **{name: value for more in later for name, value in more.items()}}


def _card_rows() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for snapshot, cards in ((SNAPSHOT, _CARDS[:1]), (OTHER_SNAPSHOT, _CARDS)):
        known = {"id": snapshot, "game": "optcg", "content": _content(cards), "created": _THEN}
        yield "0001", "snapshot", {**known, "source": "invented.csv", "reader_version": 1, "cards": len(cards)}
        for position, (number, name, kind, facts) in enumerate(cards):
            card = {"number": number, "name": name, "type": kind, "facts": orjson.dumps(facts).decode()}
            yield "0001", "card", {"snapshot_id": snapshot, "position": position, **card}
        rows = zlib.compress(b"\n".join(map(orjson.dumps, cards)))
        checksum = hashlib.sha256(f"{_content(cards)} {len(cards)}\n".encode() + rows).hexdigest()
        yield "0015", "snapshot_cards", {"snapshot_id": snapshot, "checksum": checksum, "data": rows}
    yield "0001", "current", {"game": "optcg", "snapshot_id": SNAPSHOT}
    sync = {"game": "optcg", "begun": _THEN, "ended": _THEN, "result": "ok", "why": "", "snapshot_id": SNAPSHOT}
    yield "0002", "sync", {"id": 1, **sync}


def _job_rows() -> Iterator[tuple[str, str, dict[str, Any]]]:
    yield "0003", "worker", {"host": "invented.example", "pid": 7, "seen": _THEN}
    job = {"id": "j" * 40, "status": "done", "task": "{}", "done": 1, "of": 1, "tries": 1, "created": _THEN, "size": 3}
    yield "0004", "job", job
    yield "0004", "job_piece", {"job_id": "j" * 40, "position": 0, "data": b"abc"}


def _event_rows() -> Iterator[tuple[str, str, dict[str, Any]]]:
    audit = list(_audit())
    event = {"id": EVENT, "version": 1, "created": _THEN, "purged": "2091-03-25"}
    event |= {"size": 112, "audited": len(audit), "audit_head": audit[-1]["hash"]}
    yield "0007", "event", {**event, "details": orjson.dumps(_DETAILS).decode()}
    key = {"id": "a" * 30, "event_id": EVENT, "hash": hashlib.sha256(KEY.encode()).hexdigest(), "role": "organiser"}
    yield "0007", "event_key", {**key, "name": "organiser", "created": _THEN}
    registration = {"id": REGISTRATION, "event_id": EVENT, "version": 1, "latest": 1, "cut": False, "created": _THEN}
    yield "0007", "event_registration", registration
    revision = {"registration_id": REGISTRATION, "number": 1, "at": _THEN, "by": f"organiser {'a' * 30}", "reason": ""}
    revision |= {"player": "Invented Player", **dict.fromkeys(("player_id", "team", "notes"), "")}
    revision |= {"publish": False, "stream": False, "deck": _DECK, "decklist": "1 OP01-001\n4 OP01-016\n"}
    yield "0007", "event_revision", {**revision, "salt": "5" * 32}
    for entry in audit:
        yield "0007", "event_audit", entry
    answer = {"id": "1" * 64, "event_id": EVENT, "at": _THEN, "content": "2" * 64, "salt": "3" * 32, "sealed": b"abc"}
    yield "0007", "event_answer", answer
    check = {"id": CHECK, "event_id": EVENT, "registration_id": REGISTRATION, "version": 1, "revision": 1}
    yield "0008", "event_check", {**check, "created": _THEN, "notes": orjson.dumps(_NOTES).decode(), "box": _DECK}
    expected = {"event_id": EVENT, "place": 0, "player": "Another Invention", "player_id": "7", "email": ""}
    yield "0009", "event_expected", expected


def _audit() -> Iterator[dict[str, Any]]:
    """Yield a chain of audit entries."""
    previous = "0" * 64
    begun, registered = ("event begun", ""), ("registered", REGISTRATION)
    for number, (action, about) in enumerate((begun, registered), start=1):
        entry = (_THEN, f"organiser {'a' * 30}", action, about, "d" * 64)
        previous = hashlib.sha256(orjson.dumps([previous, EVENT, number, *entry])).hexdigest()
        columns = ("at", "by", "action", "about", "digest")
        yield {"event_id": EVENT, "number": number, **dict(zip(columns, entry, strict=True)), "hash": previous}


def _webhook_rows() -> Iterator[tuple[str, str, dict[str, Any]]]:
    webhook = {"id": "w" * 30, "url": "https://example.org/", "games": "[]", "kinds": "[]", "since": "2025-01-01"}
    yield "0010", "webhook", {**webhook, "fingerprint": "f" * 64, "created": _THEN, "failures": 0, "problem": ""}
    yield "0010", "webhook_told", {"webhook_id": "w" * 30, "change_id": "an invented change"}
