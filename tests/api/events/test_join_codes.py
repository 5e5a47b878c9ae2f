"""Join codes: two words for an event, that are read out, typed, and found."""

import re

import pytest

from api.events.join_codes import BEGINNING, beginning, join_code
from api.events.storage.event_keys import new_id
from tests.api.events.conftest import Hall


def test_a_code_is_two_words_that_are_spoken_and_means_the_event():
    for _ in range(200):
        id = new_id()
        code = join_code(id)
        assert re.fullmatch("([bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]-([bdfghjklmnprstvz][aiou]){2}[a-z]", code)
        assert beginning(code) == id[:BEGINNING]
    assert join_code("7f000001" + "0" * 22) == "lusab-babad"  # as its inventor has it


@pytest.mark.parametrize("written", ["LUSAB-BABAD", " lusab babad\n", "lusabbabad"])
def test_a_code_is_read_as_people_type_it(written):
    assert beginning(written) == "7f000001"


@pytest.mark.parametrize("written", ["", "lusab", "lusab-babae", "lusab_babad", "x" * 10_000, "lusab-babad-babad"])
def test_what_is_no_code_is_none(written):
    assert beginning(written) == ""


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
