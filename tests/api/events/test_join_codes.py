"""Join codes: words for an event that are read out, typed, and found."""

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import pytest
import requests

from api.events.storage.event_keys import new_id
from api.events.tournament import LONG_CODE, SHORT_CODE, UNIQUE_DIGITS, id_prefix, join_code
from tests.api.events.conftest import EVENT, Hall, made
from tests.api.processes import Running
from tests.soon import SOON

WORD = "([bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]"
LOOK_ALIKES = ("il1", "o0", "uv", "s5", "z2", "b8", "g9")


@pytest.mark.parametrize(("words", "bits"), [(SHORT_CODE, 32), (LONG_CODE, 48)])
def test_a_code_is_words_that_are_spoken_and_means_the_event(words, bits):
    for _ in range(200):
        id = new_id()
        code = join_code(id, words)
        assert re.fullmatch("-".join([WORD] * words), code)
        assert id_prefix(code) == id[: bits // 4]
    assert join_code("7f000001" + "0" * 22) == "lusab-babad"  # as its inventor has it
    assert UNIQUE_DIGITS == 32 // 4


def test_no_place_of_a_code_has_letters_that_look_alike():
    at_places = [set() for _ in "lusab"]
    for number in range(0, 1 << 16, 7):
        for letters, letter in zip(at_places, join_code(f"{number:04x}0000")[:5], strict=True):
            letters.add(letter)
    assert [len(letters) for letters in at_places] == [16, 4, 16, 4, 16]
    assert not [group for group in LOOK_ALIKES for letters in at_places if len(letters.intersection(group)) > 1]


@pytest.mark.parametrize("written", ["LUSAB-BABAD", " lusab babad\n", "lusabbabad"])
def test_a_code_is_read_as_people_type_it(written):
    assert id_prefix(written) == "7f000001"


@pytest.mark.parametrize("written", ["LUSAB-BABAD-GUTIH", " lusab babad gutih\n", "lusabbabadgutih"])
def test_a_long_code_is_read_as_people_type_it(written):
    assert join_code(id_prefix(written), LONG_CODE) == "lusab-babad-gutih"


@pytest.mark.parametrize(
    "written", ["", "lusab", "lusab-babae", "lusab_babad", "x" * 10_000, "lusab-babad-babad-babad", "lusab-babad-"]
)
def test_what_is_no_code_is_none(written):
    assert id_prefix(written) == ""


def test_an_event_is_found_by_its_code(anywhere):
    client = anywhere.test_client()
    halls = [Hall(client) for _ in range(3)]
    for hall in halls:
        code = hall.begun.json["code"]
        assert client.get(f"/v1/events?code={code.upper()}").json["id"] == hall.id
    halls[0].organiser.delete()
    for code in (halls[0].begun.json["code"], "lusab-babad", "nothing"):
        assert client.get(f"/v1/events?code={code}").status_code == 404
    assert client.get("/v1/events").status_code == 422


@pytest.mark.parametrize(
    ("visibility", "words"),
    [
        ("judges", 2),
        ({"roster": "players"}, 2),
        ({"roster": "public"}, 3),
        ("public", 3),
        ({"public_from": "2026-10-26T09:00"}, 3),
    ],
)
def test_an_event_whose_players_everyone_sees_has_a_longer_code(anywhere, visibility, words):
    client = anywhere.test_client()
    hall = Hall(client, visibility=visibility)
    code = hall.begun.json["code"]
    assert code == join_code(hall.id, words) == hall.stranger.get().json["code"]
    found = {one: client.get(f"/v1/events?code={join_code(hall.id, one)}").status_code for one in (2, 3)}
    assert found == {words: 200, 5 - words: 404}


@pytest.mark.parametrize(("before", "after"), [("judges", "public"), ("public", "judges")])
def test_the_code_of_a_flyer_stays_valid_when_others_may_see_the_players(app, before, after):
    client = app.test_client()
    hall = Hall(client, visibility={"lists": "judges", "roster": before})
    code = hall.begun.json["code"]
    assert hall.organiser.patch("", visibility={"roster": after}).json["code"] == code
    assert client.get(f"/v1/events?code={code}").json["id"] == hall.id


def test_after_too_many_wrong_codes_the_right_one_is_refused_too(folder, clock):
    client = made(clock, data_dir=folder, key_attempts="2/minute").test_client()
    code = Hall(client).begun.json["code"]
    found = [client.get(f"/v1/events?code={one}").status_code for one in (code, *["lusab-babad"] * 3, code)]
    assert found == [200, 404, 404, 429, 429]
    other = client.get(f"/v1/events?code={code}", environ_base={"REMOTE_ADDR": "192.0.2.8"})
    assert other.status_code == 200


@pytest.mark.slow
def test_after_the_limit_every_code_is_refused_by_every_worker(folder):
    """Without Redis each of two workers counts its own. Each request has a connection of its own."""
    server, tries, workers = Running(folder, DECKPROOF_KEY_ATTEMPTS="5/hour"), 5, 2
    with server.ended():
        begun = requests.post(f"{server.url}/v1/events", json=EVENT | {"on": SOON, "closes": None}, timeout=30).json()
        places = cycle((f"{server.url}/v1/events", f"{server.url}/events"))

        def look_up(code):
            return requests.get(next(places), {"code": code}, timeout=30, allow_redirects=False)

        wrong = []
        while wrong.count(404) < tries * workers:
            wrong.append(look_up("lusab-babad").status_code)
            assert len(wrong) < 1000
        assert set(wrong) <= {404, 429}
        # A worker refuses right codes from its first 429 on. Requests at the same time reach both workers.
        with ThreadPoolExecutor(8) as pool:
            refusals = pool.map(look_up, ["lusab-babad"] * 100)
        assert {refused.status_code for refused in refusals} == {429}
        for code in [begun["code"], "lusab-babad"] * 10:
            refused = look_up(code)
            assert refused.status_code == 429
            assert int(refused.headers["Retry-After"]) > 3000
            assert begun["id"] not in refused.text
        organiser = {"Authorization": f"Bearer {begun['keys']['organiser']}"}
        assert requests.get(f"{server.url}/v1/events/{begun['id']}", headers=organiser, timeout=30).status_code == 200
