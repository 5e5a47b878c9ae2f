"""Answer sizes: a hostile list gets a few times its own size back, with every line and card of it."""

from __future__ import annotations

import json

import pytest

from validator.bounds import MOST_SINGLE

pytestmark = pytest.mark.slow

TIMES = 12  # a card is in the deck, in its finding and in the changes, each as a JSON object
CONSTANT = 80_000  # bytes: the single findings of each code
DAY = "on=2026-11-21&game=optcg"


@pytest.fixture(scope="module")
def names(app):
    cards = app.extensions["deckproof"].library.catalogue("optcg")
    return sorted({card.name for card in cards})


def lists(names):
    """Hostile lists by what is wrong with each of their lines."""
    return {
        "unknown numbers": [f"1 OP{at % 12 + 1:02}-{at + 130:03}" for at in range(950)],
        "near names": [f"1 {name[:3]}q{name[4:]}" for name in names[:900]],
        "near numbers": [f"1 OP0{at % 9 + 1}-0{at // 9 % 90 + 10}{'XYZ'[at % 3]}" for at in range(900)],
        "names of several cards": [f"1 {name}" for name in names if name.isascii()][:900],
        "lines that are none": [f"?? {at}" for at in range(1_000)],
    }


KINDS = list(lists([]))


@pytest.fixture(params=KINDS)
def hostile(request, names):
    return lists(names)[request.param]


def check_size(answer, sent):
    assert answer.status_code == 200
    assert len(answer.data) <= TIMES * len(sent) + CONSTANT


def test_a_verdict_is_a_few_times_the_size_of_its_list(client, hostile):
    body = "\n".join(hostile)
    answer = client.post(f"/v1/validate?{DAY}", data=body.encode(), content_type="text/plain")
    check_size(answer, body)


def test_a_parsed_list_is_a_few_times_its_size(client, hostile):
    body = "\n".join(hostile)
    check_size(client.post("/v1/decklists/parse?game=optcg", data=body.encode(), content_type="text/plain"), body)


def test_a_repair_is_a_few_times_the_size_of_its_list(client, hostile):
    body = json.dumps({"game": "optcg", "on": "2026-11-21", "decklist": "\n".join(hostile)})
    check_size(client.post("/v1/repair", data=body, content_type="application/json"), body)


@pytest.mark.parametrize("path", [f"/v1/validate?{DAY}", "/v1/decklists/parse?game=optcg"])
def test_every_line_that_could_not_be_read_is_in_the_answer(client, path):
    lines = [f"?? {at}" for at in range(1_000)]
    answer = client.post(path, data="\n".join(lines).encode(), content_type="text/plain")
    unread = [one["details"] for one in answer.json["findings"] if one["code"] == "line.unread"]
    told = [one["text"] for details in unread for one in (details, *details["more"])]
    assert (sorted(told), len(unread)) == (sorted(lines), MOST_SINGLE + 1)
    assert {one["line"] for one in unread[-1]["more"]} == set(range(MOST_SINGLE + 2, 1_001))


def test_every_unknown_card_is_in_the_answer_with_its_copies_and_its_change(client):
    numbers = [f"OP{at % 12 + 1:02}-{at + 130:03}" for at in range(800)]
    body = "\n".join(f"2 {number}" for number in numbers)
    findings = client.post(f"/v1/validate?{DAY}", data=body.encode(), content_type="text/plain").json["findings"]
    unknown = [one for one in findings if one["code"] == "card.unknown"]
    cards = [card for one in unknown for card in one["cards"]]
    assert {card["number"] for card in cards} == set(numbers)
    assert {card["count"] for card in cards} == {2}
    assert sum(one["count"] for one in unknown) == 1_600
    removed = [change for one in findings for change in one.get("changes", {}).get("remove", ())]
    assert set(numbers) <= {change["number"] for change in removed}


def test_every_name_of_several_cards_is_in_the_answer(client, names):
    body = "\n".join(f"1 {name}" for name in names if name.isascii())[:20_000].rpartition("\n")[0]
    findings = client.post(f"/v1/validate?{DAY}", data=body.encode(), content_type="text/plain").json["findings"]
    ambiguous = [one for one in findings if one["code"] == "card.ambiguous"]
    assert len(ambiguous) <= MOST_SINGLE + 1
    assert sum(len(one["cards"]) for one in ambiguous) > MOST_SINGLE
    assert all(one["suggestions"] for one in ambiguous[:MOST_SINGLE])


def test_a_deck_of_sixty_unknown_cards_has_a_finding_for_each(client):
    body = "\n".join(f"1 OP01-{at + 500}" for at in range(MOST_SINGLE))
    findings = client.post(f"/v1/validate?{DAY}", data=body.encode(), content_type="text/plain").json["findings"]
    lines = [one["line"] for one in findings if one["code"] == "card.unknown"]
    assert sorted(lines) == list(range(1, MOST_SINGLE + 1))
