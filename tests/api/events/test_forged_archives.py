"""Archives that somebody changed: on the server that wrote them, and on others; all values, one after another."""

import hashlib
import json

import orjson
import pytest

from api.events.storage import event_archive
from api.service.errors import Unusable
from tests.api.events.archives import (
    ELSEWHERE,
    HERE,
    OF_THE_FIRST_VERSION,
    attempt,
    exported,
    filled,
    forged,
    parse_forgery,
    store_of,
    verify_forgery,
)
from tests.api.events.conftest import ILLEGAL, Clock, Hall, emptied


@pytest.fixture(scope="module")
def export(used):
    app = emptied(used, Clock("2026-10-20T12:00+02:00"))
    return exported(app, filled(app))


def other_values(value):
    """Values that somebody might write in place of one, of its own type and of others."""
    if isinstance(value, bool):
        return [not value, int(value), str(value), None]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, value + 0.5, str(value), None]
    if isinstance(value, str) and value[10:11] == "T":
        return [f"{value[:11]}01{value[13:]}", "", None, 7]
    if isinstance(value, str):
        return [value + "a", ("b" if value[:1] == "a" else "a") + value[1:], "", value.swapcase(), 7, None, [value]]
    return ["2026-10-25T07:30:00+00:00", "a", 1, True, []]


def other_lists(value):
    """A list with one element less, twice or more, with two elements in the other order, or all of them."""
    for place in range(len(value)):
        yield value[:place] + value[place + 1 :]
        yield value[: place + 1] + value[place:]
        if place:
            yield [*value[: place - 1], value[place], value[place - 1], *value[place + 1 :]]
    yield value[::-1]
    yield [*value, None]
    yield [*value, {}]


def changes(value, path=()):
    """Each value with one change in it, and the path to the change."""
    if isinstance(value, dict):
        yield path, value | {"more": 1}
        for name in value:
            yield path, {key: each for key, each in value.items() if key != name}
            yield from ((where, value | {name: each}) for where, each in changes(value[name], (*path, name)))
    elif isinstance(value, list):
        yield from ((path, each) for each in other_lists(value))
        for place, element in enumerate(value):
            for where, each in changes(element, (*path, place)):
                yield where, [*value[:place], each, *value[place + 1 :]]
    else:
        yield from ((path, each) for each in other_values(value))


def forgeries(said):
    """Yield the file of each changed archive as it is, and with a chain and digests that fit it again if possible."""
    for path, one_changed in changes(said):
        file = orjson.dumps(one_changed)
        if one_changed != said:
            yield path, file
        try:
            fitting = forged(orjson.loads(file))  # a copy, faster than deepcopy
        except (KeyError, TypeError, AttributeError, IndexError):
            continue  # a part is missing that a chain is made of
        if fitting != said:
            yield path, orjson.dumps(fitting)


def members(value, path=()):
    """The path to each member of an object, at any depth."""
    if isinstance(value, dict):
        for name in value:
            yield (*path, name)
            yield from members(value[name], (*path, name))
    elif isinstance(value, list):
        for place, element in enumerate(value):
            yield from members(element, (*path, place))


def written(value, twice, path=()):
    """JSON in which the member at the path `twice` is there two times: first without content, then as it was."""
    if isinstance(value, dict):
        named = [(json.dumps(name), written(value[name], twice, (*path, name)), (*path, name)) for name in value]
        doubled = (f"{name}:null,{name}:{text}" if here == twice else f"{name}:{text}" for name, text, here in named)
        return "{" + ",".join(doubled) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(each, twice, (*path, place)) for place, each in enumerate(value)) + "]"
    return json.dumps(value)


@pytest.mark.slow
def test_no_name_is_twice_in_an_object_of_the_text(export):
    said = json.loads(export.data)
    assert event_archive.read(written(said, None).encode(), HERE).is_verified
    paths = list(members(said))
    for path in paths:
        for key in (HERE, ELSEWHERE):
            with pytest.raises(Unusable):
                event_archive.read(written(said, path).encode(), key, allow_unverified=True)
    assert len(paths) > 300


@pytest.mark.slow
def test_no_change_of_a_file_gets_past_a_server(export):
    """Neither the server that wrote it, nor another one. The MAC is no part of an event: another does not look at it.

    A file is parsed without a key or a head, so that one that cannot be parsed is refused by all servers.
    """
    rows = event_archive.read(export.data, ELSEWHERE, export.audit_head).rows
    tried = 0
    for path, file in forgeries(json.loads(export.data)):
        tried += 1
        forgery = parse_forgery(file)
        assert verify_forgery(forgery, HERE) is None, path
        unverified = verify_forgery(forgery, HERE, allow_unverified=True)
        assert unverified is None or (path == ("server",) and not unverified.is_verified), path

        found = verify_forgery(forgery, ELSEWHERE, export.audit_head)
        assert found is None or (path == ("mac",) and found.rows == rows), path
        unverified = verify_forgery(forgery, ELSEWHERE, allow_unverified=True)
        assert unverified is None or not unverified.is_verified, path
        assert verify_forgery(forgery, ELSEWHERE) is None, path
    assert tried > 4000


def test_another_server_needs_the_head_of_the_audit(export):
    assert attempt(json.loads(export.data), ELSEWHERE) is None
    assert attempt(json.loads(export.data), ELSEWHERE, head="0" * 64) is None
    assert event_archive.read(export.data, ELSEWHERE, export.audit_head).is_verified
    earlier = json.loads(export.data)["rows"]["audit"][-2]["hash"]
    with pytest.raises(Unusable, match="entry"):
        event_archive.read(export.data, ELSEWHERE, earlier)


def test_an_unverified_event_is_marked_for_good(app, clock):
    hall = filled(app)
    export = exported(app, hall)
    hall.organiser.delete("?now=true")
    event_archive.import_event(
        store_of(app), event_archive.read(export.data, ELSEWHERE, allow_unverified=True), clock()
    )
    assert hall.stranger.get().json["verified"] is False
    assert hall.organiser.patch("", place="Hall 7").json["verified"] is False
    audit = hall.organiser.get("/audit").json
    assert (audit["intact"], audit["verified"]) == (True, False)
    assert [entry["action"] for entry in audit["entries"]][-2:] == ["imported unverified", "event changed"]
    assert 'class="notice bad"' in app.test_client().get(f"/events/{hall.id}").text
    again = exported(app, hall)
    assert event_archive.read(again.data, HERE).rows["event"][0]["details"]["verified"] is False
    said = json.loads(again.data)
    said["rows"]["event"][0]["details"]["verified"] = True
    assert attempt(forged(said), ELSEWHERE, allow_unverified=True) is None


def late(app, clock):
    """The export of an event at which a judge changed a list after the deadline."""
    hall = Hall(app.test_client())
    rid, _ = hall.register("Nami Cat")
    clock.set("2026-10-25T11:00+02:00")
    assert hall.judge.revise(rid, decklist=ILLEGAL, reason="card lost").status_code == 200
    return exported(app, hall)


@pytest.mark.parametrize("more", [{"by": "anyone"}, {"reason": ""}, {"at": None}, {"at": None, "by": "anyone"}])
def test_a_late_list_is_not_moved_before_the_deadline(app, clock, more):
    export = late(app, clock)
    said = json.loads(export.data)
    first, second = said["rows"]["revisions"]
    second |= more | ({"at": first["at"]} if "at" in more else {})
    for key in (HERE, ELSEWHERE):
        with pytest.raises(Unusable, match=r"revisions\[1\]"):
            event_archive.read(json.dumps(forged(said)).encode(), key, allow_unverified=True)


def test_a_late_list_whose_audit_was_forged_too_is_not_verified(app, clock):
    export = late(app, clock)
    said = json.loads(export.data)
    first, second = said["rows"]["revisions"]
    second["at"] = first["at"]
    next(entry for entry in said["rows"]["audit"] if entry["action"] == "revised")["at"] = first["at"]
    forgery = forged(said)
    assert attempt(forgery, HERE, allow_unverified=True) is None
    assert attempt(forgery, ELSEWHERE, head=export.audit_head) is None
    assert attempt(forgery, ELSEWHERE, allow_unverified=True).is_verified is False


@pytest.mark.parametrize(("table", "left"), [("checks", 0), ("checks", 1), ("registrations", 1), ("keys", 1)])
def test_rows_that_the_audit_has_are_not_left_out(export, table, left):
    said = json.loads(export.data)
    rows = said["rows"][table]
    gone, said["rows"][table] = rows[left:], rows[:left]
    if table == "registrations":
        ids = [row["id"] for row in gone]
        for other in ("keys", "revisions", "checks", "imported"):
            rows = said["rows"][other]
            said["rows"][other] = [row for row in rows if row["registration_id"] not in ids]
    with pytest.raises(Unusable, match=rf"rows\.{table}"):
        event_archive.read(json.dumps(forged(said)).encode(), ELSEWHERE, allow_unverified=True)


def test_an_archive_of_the_version_before_is_unverified(app, clock):
    head = json.loads(OF_THE_FIRST_VERSION)["rows"]["event"][0]["audit_head"]
    for key in (HERE, ELSEWHERE):
        assert attempt(json.loads(OF_THE_FIRST_VERSION), key) is None
        assert attempt(json.loads(OF_THE_FIRST_VERSION), key, head=head) is None
    read = event_archive.read(OF_THE_FIRST_VERSION, HERE, allow_unverified=True)
    id = event_archive.import_event(store_of(app), read, clock())
    assert app.test_client().get(f"/v1/events/{id}").json["verified"] is False
    again = event_archive.export_event(store_of(app), id, HERE, clock())
    assert event_archive.read(again.data, HERE).is_verified


@pytest.mark.slow
def test_no_change_of_an_archive_of_the_version_before_is_verified():
    for path, file in forgeries(json.loads(OF_THE_FIRST_VERSION)):
        forgery = orjson.loads(file)
        if "sha256" in forgery and "rows" in forgery:
            forgery["sha256"] = hashlib.sha256(event_archive._encode(forgery["rows"])).hexdigest()
        archive = parse_forgery(orjson.dumps(forgery))
        assert verify_forgery(archive, HERE) is None, path
        found = verify_forgery(archive, HERE, allow_unverified=True)
        assert found is None or not found.is_verified, path
