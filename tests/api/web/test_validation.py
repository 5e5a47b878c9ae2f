"""Validation over HTTP: the verdict's envelope, what is refused, and batches."""

from __future__ import annotations

import io
import itertools
import json
import re
import tracemalloc

import pytest

from api.service.bounds import LONGEST_LINE
from tests.api.conftest import EXAMPLES
from validator import finding_codes

DAY = "2026-11-01"
PROBLEM = "application/problem+json"
NDJSON = "application/x-ndjson"


def ask(client, **request):
    return client.post("/v1/validate", json=request)


def test_a_legal_deck_gets_a_whole_verdict(client, zoro):
    answer = ask(client, ruleset="optcg-1.1.9", on=DAY, deck=zoro)
    assert answer.status_code == 200
    assert answer.content_type == "application/json"
    verdict = answer.json
    assert list(verdict) == [
        "legal",
        "ruleset",
        "on",
        "format",
        "region",
        "limits",
        "catalogue",
        "counts",
        "deck_hash",
        "findings",
        "deck",
    ]
    assert verdict["legal"] is True
    assert verdict["ruleset"] == {
        "id": "optcg-1.1.9",
        "title": "ONE PIECE CARD GAME Comprehensive Rules 1.1.9",
        "in_force_from": "2025-10-17",
        "note": None,
    }
    assert (verdict["on"], verdict["format"], verdict["region"]) == (DAY, "standard", "en")
    assert verdict["catalogue"] == {
        "game": "optcg",
        "snapshot": "optcg-facts-2026-08-21",
        "cards": 2784,
        "as_of": "2026-08-21",
    }
    assert verdict["counts"] == {"leader": 1, "main": 50, "side": 0, "z": 0, "don": 0, "resource": 0}
    assert verdict["findings"] == []
    assert list(verdict["deck"]) == ["leader", "main", "side", "z", "don", "resource"]
    assert verdict["deck"]["main"][0] == {"number": "OP01-016", "name": "Nami", "count": 4}


@pytest.mark.parametrize(
    ("asked", "limits"),
    [
        (
            {"game": "optcg", "on": "2026-05-01"},
            {"effective_from": "2026-04-10", "known_to": "2026-10-04", "note": None},
        ),
        (
            {"game": "dbs", "on": "2026-06-19"},
            {"effective_from": "2025-09-01", "known_to": "2026-06-19", "note": None},
        ),
        ({"game": "optcg", "policy": {"limits": False}}, None),
        ({"game": "bos"}, None),
    ],
)
def test_a_verdict_says_which_limits_list_it_knows_and_up_to_when(client, asked, limits):
    found = ask(client, deck={"main": []}, **asked).json["limits"]
    assert (found and {name: found[name] for name in limits}) == limits


def test_a_verdict_of_a_region_whose_list_is_known_in_part_says_so(client):
    """Bans of Japan are missing: a deck that breaks none of those that are known may be illegal there."""
    limits = ask(client, deck={"main": []}, game="optcg", on="2026-05-01", region="jp").json["limits"]
    assert "Only part" in limits["note"]


def test_an_illegal_deck_is_answered_too_and_each_finding_cites_its_rule(client, zoro):
    deck = zoro | {"main": [{"number": "OP01-016", "count": 5}, *zoro["main"][1:]]}
    answer = ask(client, game="optcg", on=DAY, deck=deck)
    assert answer.status_code == 200
    verdict = answer.json
    assert verdict["legal"] is False
    assert [finding["code"] for finding in verdict["findings"]] == ["copies.exceeded", "size"]
    copies = verdict["findings"][0]
    assert set(copies) == {
        "code",
        "severity",
        "section",
        "message",
        "cards",
        "count",
        "limit",
        "minimum",
        "rule",
        "fix",
        "details",
        "changes",
    }
    assert copies["cards"] == [{"number": "OP01-016", "name": "Nami", "count": 5}]
    assert (copies["severity"], copies["section"]) == ("error", "main")
    assert (copies["count"], copies["limit"], copies["minimum"]) == (5, 4, None)
    assert copies["rule"] == {
        "document": "ONE PIECE CARD GAME Comprehensive Rules 1.2.1",
        "section": "5-1-2-3",
    }
    assert copies["fix"] == "Remove 1 copy of OP01-016 Nami."


def test_an_unknown_card_brings_suggestions_and_never_passes(client, zoro):
    deck = zoro | {"main": [{"name": "Namy", "count": 4}, *zoro["main"][1:]]}
    verdict = ask(client, game="optcg", on=DAY, deck=deck).json
    assert not verdict["legal"]
    (unknown,) = verdict["findings"]
    assert unknown["code"] == "card.unknown"
    assert {"number": "OP01-016", "name": "Nami"} in unknown["suggestions"]


def test_who_asks_for_an_explanation_gets_every_rule_that_was_applied(client, zoro):
    deck = zoro | {"main": zoro["main"][1:]}
    checked = ask(client, game="optcg", on=DAY, deck=deck, explain=True).json["checked"]
    assert {"rule", "says", "passed"} == set(checked[0])
    failed = [one["rule"]["name"] for one in checked if not one["passed"]]
    assert failed == ["main-size"]
    assert {"name", "document", "section"} == set(checked[0]["rule"])
    assert len(checked) > 10


@pytest.mark.parametrize(
    ("example", "codes"),
    [
        ("optcg-red-zoro.txt", []),
        ("optcg-prisoners.json", []),
        ("dbs-broly.txt", []),
        ("dbs-dragon-balls.json", []),
        ("bos-fords.json", []),
        ("bos-five-levies.txt", ["class.exceeded", "copies.exceeded"]),
    ],
)
def test_a_decklist_may_stand_for_the_deck(client, example, codes):
    game = example.partition("-")[0]
    verdict = ask(client, game=game, on=DAY, decklist=(EXAMPLES / example).read_text("utf-8")).json
    assert [one["code"] for one in verdict["findings"] if one["severity"] == "error"] == codes


def test_lines_that_cannot_be_read_are_found_with_their_number(client):
    verdict = ask(client, game="optcg", decklist="1 ST21-001\n4 of something nobody knows 12\n").json
    unread = [one for one in verdict["findings"] if one.get("line") == 2]
    assert unread
    assert unread[0]["code"] in finding_codes()


def test_the_day_picks_the_ruleset_of_a_game(client):
    days = {"2018-01-01": "dbs-launch", "2019-02-01": "dbs-1.073", "2021-01-01": "dbs-zenkai", "2026-01-01": "dbs-4.00"}
    for day, ruleset in days.items():
        assert ask(client, game="dbs", on=day, deck={}).json["ruleset"]["id"] == ruleset


def test_policy_overrides_what_the_organiser_may_decide(client):
    side = {"side": [{"number": "BT1-005", "count": 4}]}
    strict = ask(client, ruleset="dbs-4.00", on=DAY, deck=side, policy={"side_max": 3}).json
    sizes = {one["section"]: one["limit"] for one in strict["findings"] if one["code"] == "size"}
    assert sizes["side"] == 3


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"ruleset": "optcg-9"}, "/ruleset"),
        ({"game": "chess"}, "/game"),
        ({"ruleset": "optcg-1.1.9", "game": "dbs"}, "/game"),
        ({"region": "moon"}, "/region"),
        ({"format": "modern"}, "/format"),
        ({"policy": {"sides": 5}}, "/policy/sides"),
        ({"policy": {"side_max": 5}}, "/policy/side_max"),
        ({"policy": {"copies_across_side": False}}, "/policy/copies_across_side"),
        ({"on": "tomorrow"}, "/on"),
        ({"deck": {"main": [{"number": "OP01-016", "count": 0}]}}, "/deck/main/0/count"),
    ],
)
def test_terms_that_cannot_be_had_are_pointed_at(client, change, pointer):
    answer = ask(client, **({"game": "optcg", "on": DAY, "deck": {}} | change))
    assert answer.status_code == 422
    assert answer.content_type == PROBLEM
    assert set(answer.json) == {"type", "title", "status", "detail", "errors"}
    assert answer.json["type"] == "urn:deckproof:problem:invalid"
    assert [one["pointer"] for one in answer.json["errors"]] == [pointer]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b"\xff",
        b'{"game": NaN}',
        b'{"game": "\\ud800"}',
        b'{"game": "optcg", "deck": {"main": [{"number": "OP01-016", "count": 4}], "main": []}}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"deck": {"main": [' + b"[" * 100_000,
        b'{"policy": ' * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_what_is_not_json_is_400(client, body):
    answer = client.post("/v1/validate", data=body, content_type="application/json")
    assert (answer.status_code, answer.content_type) == (400, PROBLEM)
    assert answer.json["type"] == "urn:deckproof:problem:malformed"


@pytest.mark.parametrize("body", [b"[]", b'"deck"', b"4", b"null", b"true"])
def test_json_that_is_no_object_is_422(client, body):
    answer = client.post("/v1/validate", data=body, content_type="application/json")
    assert (answer.status_code, answer.content_type) == (422, PROBLEM)
    assert [one["pointer"] for one in answer.json["errors"]] == [""]


@pytest.mark.parametrize("body", [{"game": "optcg"}, {"deck": "4 OP01-016"}, {"deck": None}, {"deck": 4}])
def test_a_request_without_a_deck_names_the_key_for_a_text(client, body):
    answer = client.post("/v1/validate", json=body)
    [error] = answer.json["errors"]
    assert (answer.status_code, error["pointer"]) == (422, "/deck")
    assert '"decklist"' in error["detail"]


@pytest.mark.parametrize("media_type", [None, "text/html", "application/x-www-form-urlencoded", "text/json5"])
def test_another_media_type_is_415(client, media_type):
    answer = client.post("/v1/validate", data=b"{}", content_type=media_type)
    assert (answer.status_code, answer.content_type) == (415, PROBLEM)


def test_a_compressed_body_is_415(client):
    answer = client.post(
        "/v1/validate", data=b"{}", content_type="application/json", headers={"Content-Encoding": "gzip"}
    )
    assert answer.status_code == 415


def test_a_plain_text_is_judged_by_the_terms_of_its_query(client):
    text = (EXAMPLES / "optcg-rotated-zoro.txt").read_bytes()

    def send(**query):
        return client.post("/v1/validate", query_string=query, data=text, content_type="text/plain; charset=utf-8").json

    assert not send(on=DAY)["legal"]
    verdict = send(on=DAY, format="extra", explain="true")
    assert (verdict["legal"], verdict["on"], verdict["format"]) == (True, DAY, "extra")
    assert verdict["checked"]
    assert verdict["deck"] == ask(client, on=DAY, decklist=text.decode()).json["deck"]


def test_a_plain_text_may_be_of_any_encoding(client):
    text = "1 ST21-001\n4 Bad Manners Kick Course\n".encode("utf-16")
    assert client.post("/v1/validate", data=text, content_type="text/plain").json["counts"]["main"] == 4


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/decklists/parse"])
def test_beside_json_nothing_is_read_from_the_query(client, path):
    answer = client.post(path, query_string={"game": "optcg"}, json={"decklist": "4 OP01-016"})
    assert (answer.status_code, [one["pointer"] for one in answer.json["errors"]]) == (422, ["/game"])


@pytest.mark.parametrize("media_type", ["application/json; charset=utf-8", "application/vnd.deck+json"])
def test_json_by_other_names_is_json(client, media_type):
    answer = client.post("/v1/validate", data=b'{"game": "optcg", "deck": {}}', content_type=media_type)
    assert answer.status_code == 200


def test_a_body_over_the_bound_is_413(client, settings):
    answer = client.post("/v1/validate", data=b" " * (settings.max_body + 1), content_type="application/json")
    assert (answer.status_code, answer.content_type) == (413, PROBLEM)


def lines(*requests):
    return b"".join(one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in requests)


def batch(client, body):
    answer = client.post("/v1/validate/batch", data=body, content_type=NDJSON)
    assert (answer.status_code, answer.content_type) == (200, NDJSON)
    return [json.loads(line) for line in answer.get_data().splitlines()]


def test_a_batch_is_answered_line_by_line_in_its_order(client, zoro):
    decks = [zoro | {"main": zoro["main"][:size]} for size in (13, 3, 13, 0, 7)]
    answers = batch(client, lines(*({"game": "optcg", "on": DAY, "deck": deck} for deck in decks)))
    assert [answer["counts"]["main"] for answer in answers] == [50, 12, 50, 0, 28]
    assert [answer["legal"] for answer in answers] == [True, False, True, False, False]


def test_a_verdict_of_a_batch_is_the_verdict_of_the_deck(client, zoro):
    request = {"game": "optcg", "on": DAY, "deck": zoro, "explain": True}
    assert batch(client, lines(request)) == [ask(client, **request).json]


def test_a_bad_line_gets_its_error_and_the_rest_go_on(client, zoro):
    good = {"game": "optcg", "on": DAY, "deck": zoro}
    body = lines(b"\n", good, b"  \r\n", b"{bad\n", {"game": "chess", "deck": {}}, b"[]\n", b"\xff\n", good)
    answers = batch(client, body)
    assert [answer.get("line") for answer in answers] == [None, 4, 5, 6, 7, None]
    assert [answer["error"]["status"] for answer in answers if "error" in answer] == [400, 422, 422, 400]
    assert answers[2]["error"]["errors"][0]["pointer"] == "/game"
    assert answers[0]["legal"]
    assert answers[-1]["legal"]


def test_lines_of_batches_are_counted_and_those_that_were_remembered(client, zoro):
    def counted():
        text = client.get("/metrics").text
        return [float(re.search(rf'batch_lines_total{{remembered="{one}"}} (\S+)', text)[1]) for one in (True, False)]

    line = json.dumps({"game": "optcg", "on": "2026-11-03", "deck": zoro}).encode() + b"\n"
    client.post("/v1/validate/batch", data=line, content_type="application/x-ndjson")
    before = counted()
    client.post("/v1/validate/batch", data=3 * line, content_type="application/x-ndjson")
    assert [now - then for now, then in zip(counted(), before, strict=True)] == [2, 1]


def test_a_batch_may_be_empty_and_need_not_end_its_last_line(client, zoro):
    assert batch(client, b"") == []
    assert batch(client, b"\n\n") == []
    last = json.dumps({"game": "optcg", "on": DAY, "deck": zoro}).encode()
    assert len(batch(client, b"\xef\xbb\xbf" + last)) == 1


def test_a_line_that_is_too_long_is_passed_over(client, zoro):
    long = b'{"game": "optcg", "decklist": "' + b"x" * (LONGEST_LINE * 2) + b'"}\n'
    answers = batch(client, lines(long, {"game": "optcg", "on": DAY, "deck": zoro}))
    assert (answers[0]["line"], answers[0]["error"]["status"]) == (1, 413)
    assert answers[1]["legal"]


def test_a_batch_is_ndjson(client):
    answer = client.post("/v1/validate/batch", data=b"{}", content_type="application/json")
    assert (answer.status_code, answer.content_type) == (415, PROBLEM)


def test_a_batch_that_says_it_is_too_large_is_413(client, settings):
    answer = client.post(
        "/v1/validate/batch",
        content_type=NDJSON,
        environ_overrides={"CONTENT_LENGTH": str(settings.max_batch + 1)},
    )
    assert (answer.status_code, answer.content_type) == (413, PROBLEM)


class Endless(io.RawIOBase):
    """A body of many equal lines that is never in memory as a whole."""

    def __init__(self, line, count):
        self._pieces = itertools.repeat(line, count)

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = next(self._pieces, b"")
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.mark.slow
def test_a_batch_is_streamed_and_memory_stays_bounded(client, zoro):
    count = 3000
    line = lines({"game": "optcg", "on": DAY, "deck": zoro})
    batch(client, line)  # what is kept for good is kept now
    tracemalloc.start()
    answer = client.post(
        "/v1/validate/batch",
        content_type=NDJSON,
        environ_overrides={"wsgi.input": Endless(line, count), "wsgi.input_terminated": True},
        buffered=False,
    )
    assert sum(piece.count(b"\n") for piece in answer.response) == count
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000 < count * len(line)
