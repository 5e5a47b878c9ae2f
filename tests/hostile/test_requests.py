"""Requests that are made to hurt are answered in a second, and never with an error of the server."""

from __future__ import annotations

import io
import random

import pytest

from api.service.settings import Settings
from api.web.app import create_app
from tests.cost import MOST, seconds
from tests.hostile import attacks

pytestmark = pytest.mark.slow

UNITS = 8  # of each place


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("data"))).test_client()


def _sheet(client, **entries):
    body = {"game": "optcg", "decklist": "4 OP01-016", "player": "Zoro", **entries}
    return client.post("/v1/sheets?as=csv", json=body)


def _upload(client, name):
    form = {"game": "optcg", "file": (io.BytesIO(b"Player,Decklist\nZoro,4 OP01-016\n"), name)}
    return client.post("/v1/workbooks", data=form, content_type="multipart/form-data")


PLACES = {
    "card": lambda client, text: client.post(
        "/v1/validate", json={"game": "optcg", "deck": {"main": [{"name": text[:200], "count": 4}] * 900}}
    ),
    "number": lambda client, text: client.post(
        "/v1/validate", json={"game": "optcg", "deck": {"main": [{"number": text[:200], "count": 4}] * 900}}
    ),
    "decklist": lambda client, text: client.post("/v1/decklists/parse", json={"decklist": text * 20}),
    "pinned": lambda client, text: client.post(
        "/v1/repair", json={"game": "optcg", "decklist": "4 OP01-016", "pinned": [text[:200]] * 100}
    ),
    "repair": lambda client, text: client.post("/v1/repair", json={"game": "optcg", "decklist": text * 20}),
    "swap": lambda client, text: client.post(
        "/v1/swaps/validate", json={"game": "optcg", "before": text * 10, "after": text * 10}
    ),
    "player": lambda client, text: _sheet(client, player=text[:390]),
    "event": lambda client, text: _sheet(client, event=text[:470]),
    "notes": lambda client, text: _sheet(client, notes=text[:1_190]),
    "long player": lambda client, text: _sheet(client, player=text * 20),
    "region": lambda client, text: client.post("/v1/validate", json={"game": "optcg", "deck": {}, "region": text}),
    "search": lambda client, text: client.get("/v1/cards", query_string={"game": "optcg", "q": text[:900]}),
    "card in the path": lambda client, text: client.get("/v1/cards/optcg/" + text[:200].replace("/", "")),
    "collection": lambda client, text: client.post("/v1/cards/optcg/collection", json={"numbers": [text[:200]] * 900}),
    "file name": lambda client, text: _upload(client, f"{text[:900]}.csv"),
}
NAMES = list(PLACES)


@pytest.mark.parametrize("name", NAMES)
def test_whatever_stands_somewhere_is_answered_in_a_second(client, name):
    for unit in attacks.part_of_units(NAMES.index(name), len(NAMES), UNITS):
        text = attacks.repeat_unit(unit, 8_000).encode("utf-8", "replace").decode()
        took = seconds(lambda text=text: _post_text(client, name, text), MOST)
        assert took <= MOST, f"{took:.2f} s for {unit!r} again and again"


def _post_text(client, name, text):
    """Send a text to one of PLACES, and return the answer. Asserts that it is no server error."""
    answer = PLACES[name](client, text)
    assert answer.status_code < 500, answer.text
    return answer


def test_any_text_anywhere_is_answered(client):
    chance = random.Random(attacks.SEED)
    for _ in range(attacks.DRAWN // 8):
        text = attacks.mix_pieces(chance, chance.choice((5, 40, 300))).encode("utf-8", "replace").decode()
        _post_text(client, chance.choice(NAMES), text)
