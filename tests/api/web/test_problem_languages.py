"""Problems in the language of the request: what is translated, what stays, and that no sentence stays English."""

import orjson
import pytest

from api.service.answers.problem_details import MEDIA_TYPE, PROBLEM_TYPES
from api.service.languages import language
from api.service.settings import Settings
from api.web.app import create_app
from tests import catalogs

LINE = {"number": "OP01-016", "count": 4}
# A request that is refused, by what is sent: method, path and JSON.
REFUSED = {
    "no such path": ("GET", "/v1/nowhere", None),
    "no such method": ("DELETE", "/v1/validate", None),
    "no such card": ("GET", "/v1/cards/optcg/OP99-999", None),
    "no such ruleset": ("GET", "/v1/rulesets/nope", None),
    "no such game": ("GET", "/v1/limits/chess", None),
    "no such region": ("GET", "/v1/limits/optcg?region=mars", None),
    "no such day": ("GET", "/v1/limits/optcg?on=2026-02-31", None),
    "no such parameter": ("GET", "/v1/limits/optcg?regoin=en", None),
    "a wrong media type": ("POST", "/v1/sheets", None),
    "no such job": ("GET", "/v1/jobs/nobody", None),
    "no such event": ("GET", "/v1/events/nobody", None),
    "a wrong count": ("POST", "/v1/validate", {"game": "optcg", "deck": {"main": [LINE | {"count": 0}]}}),
    "an unknown entry": ("POST", "/v1/validate", {"game": "optcg", "deck": {"mian": []}}),
    "an empty number": ("POST", "/v1/validate", {"game": "optcg", "deck": {"main": [LINE | {"number": ""}]}}),
    "no deck": ("POST", "/v1/validate", {"game": "optcg"}),
    "two mistakes": ("POST", "/v1/validate", {"game": "chess", "on": "never", "deck": {}}),
    "a format that is not there": ("POST", "/v1/validate", {"game": "optcg", "format": "vintage", "deck": {}}),
    "no JSON": ("POST", "/v1/validate", b"{"),
    "wrong odds": ("POST", "/v1/odds", {"game": "optcg", "deck": {"main": [LINE]}}),
    "an event without fields": ("POST", "/v1/events", {}),
}


@pytest.fixture(params=catalogs.TRANSLATED)
def code(request):
    return request.param


def send(client, case, **how):
    method, path, body = REFUSED[case]
    data = body if isinstance(body, bytes | None) else orjson.dumps(body)
    return client.open(path, method=method, data=data, content_type="application/json" if body else None, **how)


def sentences(document):
    return [document["title"], document["detail"], *(wrong["detail"] for wrong in document.get("errors", ()))]


@pytest.mark.parametrize("case", REFUSED)
def test_a_problem_is_in_the_language_and_its_type_stays(client, case, code):
    english, found = send(client, case), send(client, case, headers={"Accept-Language": code})
    assert found.content_type == MEDIA_TYPE
    assert found.status_code == english.status_code >= 400
    assert (found.headers["Content-Language"], english.headers["Content-Language"]) == (code, "en")
    assert "Accept-Language" in found.vary
    assert {key: found.json[key] for key in ("type", "status")} == {
        key: english.json[key] for key in ("type", "status")
    }
    pointers = [wrong["pointer"] for wrong in english.json.get("errors", ())]
    assert [wrong["pointer"] for wrong in found.json.get("errors", ())] == pointers
    pairs = zip(sentences(found.json), sentences(english.json), strict=True)
    assert [text for text, original in pairs if text == original and (code, text) != ("fr", "Conflict")] == []


def test_the_query_goes_before_the_header(client):
    found = client.get("/v1/limits/optcg?region=mars&lang=it", headers={"Accept-Language": "de"})
    assert (found.headers["Content-Language"], found.json["title"]) == ("it", "Leggibile ma errato")


def test_a_wrong_language_is_refused_in_the_preferred_one(client):
    request = {"game": "optcg", "deck": {"main": [LINE]}}
    found = client.post("/v1/validate?lang=tlh", json=request, headers={"Accept-Language": "de"})
    assert (found.status_code, found.json["errors"][0]["pointer"]) == (422, "/lang")
    assert found.json["errors"][0]["detail"].startswith("Diese Sprache gibt es hier nicht.")


def test_every_title_is_translated(code):
    for kind in PROBLEM_TYPES.values():
        assert language(code).text(kind.title) != kind.title


def test_a_wrong_line_of_a_batch_is_in_the_language(client, code):
    found = client.post(
        f"/v1/validate/batch?lang={code}", data=b'{"game": "chess"}\n', content_type="application/x-ndjson"
    )
    [line] = map(orjson.loads, found.data.splitlines())
    assert line["error"]["title"] == language(code).text(PROBLEM_TYPES[422].title)
    assert line["error"]["type"] == PROBLEM_TYPES[422].uri


def test_a_page_has_the_problem_in_its_language(client, code):
    page = client.get(f"/nothing?lang={code}", headers={"Accept": "text/html"}).get_data(as_text=True)
    assert language(code).text(PROBLEM_TYPES[404].title) in page
    assert "There is nothing" not in page


def test_a_large_body_is_refused_with_its_limit_as_the_language_writes_it(tmp_path):
    client = create_app(Settings(data_dir=tmp_path, max_body=1234)).test_client()
    refused = client.post("/v1/validate?lang=de", data=b"x" * 5000, content_type="application/json")
    assert (refused.status_code, "1.234" in refused.json["detail"]) == (413, True)
