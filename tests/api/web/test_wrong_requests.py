"""Wrong requests: whatever stands in any entry of any request that is documented, the answer says what is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator

import pytest

from api.web.components import parameters_of
from tests.api.events.conftest import Hall
from tests.soon import SOON

pytestmark = pytest.mark.slow

UNKNOWN = "no such entry"
# Beside what is of another type alone, null, true, [] and {}: contract.py sends that everywhere.
WRONG = [
    *(0, -1, 1.5, 4.0, 1e300, 10**30, "4", "", " ", "x" * 100, "x" * 10_000, "2026-02-30", "0001-01-01"),
    *("\x00", "\n[ERROR]", "\x1b[2J", "\ud800", "\u202e", "\ufdfa" * 50, "a" + "\u0301" * 99, "=1+1", "_schema"),
    *([[]], [{}], [None], {"": ""}, {"main": [{}]}, {"main": [{"nmae": []}]}, {"number": {"number": {}}}),
    json.loads("[" * 200 + "]" * 200),
]
BODIES = [
    *(b"", b"{", b"null", b"[]", b"{}", b'"x"', b"4", b"NaN", b"\xff", b"\xef\xbb\xbf{}", b"[" * 9_000),
    *(b'{"_schema": 1}', b'{"deck": {}, "deck": []}', b'{"decklist": "\\ud800"}', b'{"\\u0000\\n": 1}'),
    b'{"%b": 1}' % (b"x" * 1000),
]


@pytest.fixture(scope="module")
def document(client):
    return client.get("/openapi.json").json


@pytest.fixture(scope="module")
def send(client):
    """Send a request, as the organiser of an event in which a player is registered where it is about an event.

    Each operation has an event of its own: what is sent to one may close it.
    """
    halls = {}

    def sent(path, method, **how):
        if (path, method) not in halls:
            hall = Hall(client, on=SOON, closes=None)
            rid = hall.register("Nami Cat")[0]
            cid = hall.judge.post("/checks", {"registration": rid}).json["id"]
            halls[path, method] = hall, {"id": hall.id, "rid": rid, "cid": cid, "iid": "nobody"}
        hall, ids = halls[path, method]
        headers = {"Authorization": f"Bearer {hall.organiser.key}", "If-Match": "*"}
        return client.open(path.format(game="optcg", **ids), method=method, headers=headers, **how)

    return sent


# The operations on a second registration or an import: the document has no example of these.
NEED_MORE = {"/merge": (422,), "/separate": (422,), ":undo": (404,)}


def operations(document):
    for path, item in document["paths"].items():
        for method in item.keys() - {"parameters"}:
            yield method.upper(), path, item[method], parameters_of(document, item)


def resolved(document, schema):
    """A schema, with what it refers to in it."""
    for alternative in schema.get("anyOf", []):
        if "$ref" in alternative:
            schema = alternative
    if "$ref" in schema:
        return document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def json_requests(document):
    """Every operation that takes JSON, with the schema of its body and a request that works."""
    for method, path, operation, _ in operations(document):
        media = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if media:
            schema = resolved(document, media["schema"])
            entries = {name: of["example"] for name, of in schema["properties"].items() if "example" in of}
            yield method, path, operation, schema, schema.get("example", entries)


def places(document, schema, value, above=(), seen=None) -> Iterator[tuple]:
    """Where something may stand in a request: every documented entry, one that is not, and the first of each list.

    What a shape has that stands in several places, a deck or a line, is looked at in the first of them.
    """
    schema, seen = resolved(document, schema), set() if seen is None else seen
    if "properties" in schema and isinstance(value, dict):
        if id(schema) in seen:
            return
        seen.add(id(schema))
        yield (*above, UNKNOWN)
        for name, of in schema["properties"].items():
            yield (*above, name)
            if name in value:
                yield from places(document, of, value[name], (*above, name), seen)
    elif "items" in schema and value:
        yield (*above, 0)
        yield from places(document, schema["items"], value[0], (*above, 0), seen)


def changes(request, place):
    """A request with everything that is wrong in one place, and without that place."""
    for wrong in WRONG:
        changed = copy.deepcopy(request)
        around(changed, place)[place[-1]] = wrong
        yield changed
    changed = copy.deepcopy(request)
    if isinstance(around(changed, place), list) or place[-1] in around(changed, place):
        del around(changed, place)[place[-1]]
        yield changed


def around(request, place):
    """The object or list that a place is in."""
    for step in place[:-1]:
        request = request[step]
    return request


def assert_answered(answer, operation, sent):
    """An answer of an operation is a documented one, and says what is wrong and where in what was sent."""
    status = answer.status_code
    assert str(status) in operation["responses"]
    assert status < 500
    if status < 400:
        return
    said = answer.json
    assert answer.content_type == "application/problem+json"
    assert said["status"] == status
    assert all(said[key] and isinstance(said[key], str) for key in ("type", "title", "detail"))
    if status == 422:
        assert said["errors"]
        for error in said["errors"]:
            assert error["detail"]
            assert points_into(error["pointer"], sent), error


def points_into(pointer, sent):
    """Whether a pointer leads to something that was sent, or to where something was to stand."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    for step in steps[:-1]:
        if isinstance(sent, list):
            sent = sent[int(step)]
        elif isinstance(sent, dict) and step in sent:
            sent = sent[step]
        else:
            return False
    return isinstance(sent, dict | list) if steps else True


def test_every_entry_may_hold_anything(send, document):
    sent = 0
    for method, path, operation, schema, request in json_requests(document):
        query = {"as": "csv"} if path == "/v1/sheets" else {}  # a PDF takes a hundred times longer

        def answered(body, path=path, method=method, query=query):
            return send(path, method=method, query_string=query, data=body, content_type="application/json")

        works = NEED_MORE.get(path.rpartition("}")[2], (200, 201))
        assert answered(json.dumps(request)).status_code in works, path
        for place in places(document, schema, request):
            for body in changes(request, place):
                assert_answered(answered(json.dumps(body)), operation, body)
                sent += 1
    assert sent > 3000


def test_every_body_may_be_anything(send, document):
    for method, path, operation, _ in operations(document):
        for media_type in operation.get("requestBody", {}).get("content", {}):
            for body in BODIES:
                answer = send(path, method=method, data=body, content_type=media_type)
                is_read = media_type == "application/json" and answer.status_code == 422
                assert_answered(answer, operation, json.loads(body) if is_read else {})


def test_every_parameter_may_be_anything(client, document):
    texts = [wrong for wrong in WRONG if isinstance(wrong, str) and wrong.isprintable()] + ["\x00", "\n", "%ff", "\x1b"]
    for method, path, operation, shared in operations(document):
        for parameter in [*shared, *parameters_of(document, operation)]:
            for text in texts:
                query, address = {}, path
                if parameter["in"] == "query":
                    query = {parameter["name"]: text, UNKNOWN: text}
                else:
                    address = path.replace(f"{{{parameter['name']}}}", text)
                ids = dict.fromkeys(("id", "rid", "kid", "cid", "iid"), "nobody")
                address = address.format(game="optcg", number="OP01-016", file="limits.json", **ids)
                answer = client.open(address, method=method, query_string=query, json={} if method == "POST" else None)
                if answer.status_code not in (404, 405):  # the text made another path of it
                    assert_answered(answer, operation, query)
