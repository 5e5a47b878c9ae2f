"""An organiser's own limits list in a request: its entries count beside those of the official list."""

import json

import pytest

from api.service.bounds import LONGEST_LIMITS_LIST
from api.service.settings import Settings
from api.web.app import create_app
from api.web.fast_answers import FastAnswers
from tests.api.conftest import EXAMPLES

ON = "2026-11-21"
LEGAL = (EXAMPLES / "optcg-red-zoro.txt").read_text("utf-8")
BANNED = LEGAL.replace("4 OP01-016", "4 OP06-086")
_HEAD = """document = "House list"
[[change]]
effective_from = 2026-01-01
region = "en"
source = "https://example.com/house-list"
"""
RESTRICTION = _HEAD + 'restrict.OP01-016 = {limit = 2, name = "Nami"}\n'
LIFT = _HEAD + 'lift.OP06-086 = "Gecko Moria"\n'


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def client(app):
    return app.test_client()


def body(limits_list=None, decklist=LEGAL, **more):
    own = {} if limits_list is None else {"limits_list": limits_list}
    return {"game": "optcg", "on": ON, "decklist": decklist} | own | more


def validate(client, *request):
    answer = client.post("/v1/validate", json=body(*request))
    assert answer.status_code == 200, answer.text
    return answer.json


def codes(verdict):
    return [
        (finding["code"], finding["rule"]["document"])
        for finding in verdict["findings"]
        if finding["severity"] == "error"
    ]


def test_an_entry_is_cited_under_the_name_of_the_list(client):
    verdict = validate(client, RESTRICTION)
    assert codes(verdict) == [("card.restricted", "House list")]
    assert verdict["limits"]["source"] == "House list"
    assert validate(client)["legal"]


def test_a_list_lifts_an_official_ban(client):
    official, lifted = (dict(codes(validate(client, own, BANNED))) for own in (None, LIFT))
    assert official["card.banned"].startswith("ONE PIECE CARD GAME official limits list")
    assert official.keys() - lifted.keys() == {"card.banned"}


def test_each_line_of_a_batch_has_its_own_list(client):
    lines = [body(RESTRICTION), body(), body("x = 1"), body(RESTRICTION)]
    answer = client.post("/v1/validate/batch", data="\n".join(map(json.dumps, lines)), mimetype="application/x-ndjson")
    first, second, third, fourth = map(json.loads, answer.text.splitlines())
    assert (first["legal"], second["legal"], fourth) == (False, True, first)
    assert third["error"]["errors"][0]["pointer"] == "/limits_list"


def test_a_fast_answer_has_the_same_verdict(app, client):
    deck = validate(client)["deck"]
    lines = {name: [{"number": line["number"], "count": line["count"]} for line in deck[name]] for name in deck}
    for own in ({"limits_list": RESTRICTION}, {}):
        request = {"game": "optcg", "on": ON, "deck": lines} | own
        slow = client.post("/v1/validate", json=request).json
        fast = FastAnswers(app.extensions["deckproof"]).verdict(json.dumps(request).encode())
        assert fast is not None
        assert fast.verdict.legal is slow["legal"] is not bool(own)


def test_a_repair_keeps_the_list(client):
    answer = client.post("/v1/repair", json=body(RESTRICTION)).json
    assert (answer["legal"], answer["changes"]) == (False, 4)  # two cards out, two in
    (removed,) = answer["repairs"][0]["remove"]
    assert (removed["number"], removed["count"], removed["because"]) == ("OP01-016", 2, "card.restricted")


POOL = _HEAD + 'allowed_sets = ["OP10", "OP11", "OP14", "OP15", "ST01", "ST21", "ST31"]\n'


def test_every_answer_applies_the_card_pool(client):
    numbers = {"OP01-016", "OP04-016"}
    verdict = validate(client, POOL)
    assert codes(verdict) == [("card.not_in_pool", "House list")] * 2
    assert {finding["cards"][0]["number"] for finding in verdict["findings"]} == numbers
    assert verdict["findings"][0]["limits"]["source"] == "https://example.com/house-list"
    (repair, *_) = client.post("/v1/repair", json=body(POOL)).json["repairs"]
    assert {(change["number"], change["because"]) for change in repair["remove"]} == {
        (number, "card.not_in_pool") for number in numbers
    }
    (added,) = repair["add"]
    offered = {card["number"][:4] for key in ("cards", "own", "again") for card in added[key]}
    assert offered
    assert offered <= {"OP10", "OP11", "OP14", "OP15", "ST01", "ST21", "ST31"}
    timeline = client.post("/v1/timeline", json=body(POOL, **{"from": ON, "until": "2026-12-31"})).json
    assert timeline["intervals"][0]["codes"] == ["card.not_in_pool"]
    assert client.post("/v1/odds", json=body(POOL)).status_code == 200


def test_a_swap_and_a_team_are_judged_by_the_card_pool(client):
    asked = {"game": "optcg", "on": ON, "limits_list": POOL}
    swapped = client.post("/v1/swaps/validate", json=asked | {"before": LEGAL, "after": LEGAL})
    assert {code for code, _ in codes(swapped.json)} >= {"card.not_in_pool"}
    decks = [{"name": name, "decklist": LEGAL} for name in ("Anna", "Berta")]
    team = client.post("/v1/validate/team", json=asked | {"decks": decks})
    assert [codes(deck["verdict"]) for deck in team.json["decks"]] == [[("card.not_in_pool", "House list")] * 2] * 2


@pytest.mark.parametrize(
    ("sets", "correction"),
    [
        ('["OP91"]', "no card number begins with OP91; write one of OP01"),
        ('["OP-01"]', "write it as card numbers begin, such as AB01"),
        ("[]", "write a set in allowed_sets"),
    ],
)
def test_a_wrong_card_pool_is_refused_with_its_correction(client, sets, correction):
    answer = client.post("/v1/validate", json=body(f"{_HEAD}allowed_sets = {sets}"))
    assert answer.status_code == 422
    assert correction in answer.json["errors"][0]["detail"]


def test_a_timeline_changes_on_the_first_day_of_the_list(client):
    later = RESTRICTION.replace("2026-01-01", "2026-12-01")
    days = {"from": ON, "until": "2026-12-31"}
    intervals = client.post("/v1/timeline", json=body(later, **days)).json["intervals"]
    assert [(one["from"], one["legal"]) for one in intervals] == [(ON, True), ("2026-12-01", False)]


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/repair", "/v1/timeline"])
@pytest.mark.parametrize(
    "wrong",
    [
        3,
        None,
        "",
        "x" * (LONGEST_LIMITS_LIST + 1),
        "x = 1",
        "x =",
        f'game = "dbs"\n{_HEAD}',
        f"game = 0x{'f' * 5000}\n{RESTRICTION}",
        RESTRICTION.replace('"House list"', "3"),
        RESTRICTION.replace("House list", "x" * 201),
        RESTRICTION.replace("House list", r"House\u0007list"),
        RESTRICTION.replace('"en"', '"mars"'),
        f"{'.'.join('a' * 40_000)} = 1\n{RESTRICTION}",
        f"a = {'[' * 5000}",
    ],
    ids=range(14),
)
def test_a_wrong_list_is_refused_with_its_place(client, path, wrong):
    answer = client.post(path, json=body() | {"limits_list": wrong})
    assert answer.status_code == 422
    (error,) = answer.json["errors"]
    assert error["pointer"] == "/limits_list"
    assert error["detail"]


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/repair", "/v1/timeline"])
@pytest.mark.parametrize(
    ("entry", "named"),
    [
        ('ban.OP01-016 = "Roronoa Zoro"', ["OP01-016", "Nami", "OP01-025"]),
        ('ban.OP01-160 = "Nami"', ["OP01-160"]),
        ('allowed_cards.OP01-160 = "Nami"', ["OP01-160"]),
    ],
)
def test_a_number_of_another_card_or_of_none_is_refused(client, path, entry, named):
    refused = client.post(path, json=body(_HEAD + entry))
    (fault,) = refused.json["errors"]
    assert (refused.status_code, fault["pointer"]) == (422, "/limits_list")
    assert [word for word in named if word not in fault["detail"]] == []


def test_a_list_without_effect_is_refused(client):
    answer = client.post("/v1/validate", json=body(RESTRICTION, policy={"limits": False}))
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json["errors"]] == ["/limits_list"]


def test_many_lists_fill_no_cache_of_rulesets(app, client):
    validate(client, RESTRICTION)
    before = app.extensions["deckproof"].judges.cache_sizes()
    for number in range(10):
        validate(client, RESTRICTION.replace("House", f"House {number}"))
    after = app.extensions["deckproof"].judges.cache_sizes()
    assert after["rulesets"] == before["rulesets"]
    assert after["judges"][0] <= after["judges"][1]
