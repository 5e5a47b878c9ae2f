"""Documentation: the OpenAPI document has every route, and the page around it needs nobody else."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest

from api.service import requests
from api.service.problem_details import KINDS


@pytest.fixture(scope="module")
def document(client):
    answer = client.get("/openapi.json")
    assert answer.content_type == "application/json"
    return answer.json


def test_the_document_has_every_route_of_the_application_and_no_other(app, document):
    routes = {
        (re.sub("<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    documented = {
        (path, method) for path, item in document["paths"].items() for method in item if method != "parameters"
    }
    assert documented == routes
    assert len(routes) >= 14


def operations(document):
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                yield path, operation


def test_every_path_takes_the_methods_that_are_documented(client, document):
    for path, item in document["paths"].items():
        methods = {method.upper() for method in item if method != "parameters"} | {"OPTIONS"}
        methods |= {"HEAD"} if "GET" in methods else set()
        asked = re.sub("{.*?}", "nobody", path)
        assert set(client.options(asked).headers["Allow"].split(", ")) == methods, path
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - methods:
            refused = client.open(asked, method=method)
            assert refused.status_code == 405, (method, path)
            assert set(refused.headers["Allow"].split(", ")) == methods, path


def test_every_operation_says_what_it_does_and_what_it_answers(document):
    for path, operation in operations(document):
        assert operation["summary"].endswith("."), path
        assert any(status.startswith("2") for status in operation["responses"]), path


def test_every_problem_is_documented_as_one(document):
    for path, operation in operations(document):
        for status, response in operation["responses"].items():
            if status.startswith(("4", "5")) and "$ref" not in response:
                assert list(response["content"]) == ["application/problem+json"], path


def test_every_reference_leads_somewhere(document):
    def references(part):
        if isinstance(part, dict):
            if "$ref" in part:
                yield part["$ref"]
            for inner in part.values():
                yield from references(inner)
        elif isinstance(part, list):
            for inner in part:
                yield from references(inner)

    found = set(references(document))
    assert "#/components/schemas/Deck" in found
    for reference in found:
        place = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]


def examples(document):
    """Every request that carries something other than a file: its path, media type and example."""
    for path, operation in operations(document):
        for media_type, media in operation.get("requestBody", {}).get("content", {}).items():
            shape = media["schema"]
            if "$ref" in shape:
                shape = document["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
            if "example" in shape:
                yield path, media_type, shape["example"]


def test_examples_work_when_pasted(client, document):
    found = list(examples(document))
    assert {path for path, _, _ in found} >= {
        "/v1/validate",
        "/v1/validate/batch",
        "/v1/swaps/validate",
        "/v1/decklists/parse",
        "/v1/sheets",
    }
    for path, media_type, example in found:
        body = example if isinstance(example, str) else json.dumps(example)
        answer = client.post(path, data=body.encode(), content_type=media_type)
        assert answer.status_code == 200, path
        first = answer.data.partition(b"\n")[0]
        assert not re.search(rb'"legal":false|"error":|"reason":', first), path


def test_every_kind_of_problem_is_named(document):
    for kind in KINDS.values():
        assert kind.uri in document["info"]["description"]


def test_the_page_asks_nobody_else_for_anything(client):
    answer = client.get("/docs")
    assert answer.content_type == "text/html; charset=utf-8"
    page = answer.get_data(as_text=True)
    assert not re.search(r"https?://|src=|@import|url\(|//[a-z]+\.[a-z]", page)
    assert 'fetch("openapi.json")' in page


def test_the_page_finds_its_document_with_a_slash_after_its_name_too(client):
    answer = client.get("/docs/", follow_redirects=True)
    assert (answer.status_code, answer.request.path) == (200, "/docs")
    assert b"html" not in client.get("/docs/").data


@pytest.mark.parametrize("day", ["1989-12-31", "1990-01-01", "2026-11-21", "2999-12-31", "3000-01-01"])
def test_the_days_that_are_documented_are_those_that_are_read(document, day):
    schema = document["components"]["schemas"]["Validate"]["properties"]["on"]
    try:
        read = requests.day(day)
    except ValueError:
        read = None
    assert bool(re.fullmatch(schema["pattern"], day)) == bool(read)


def test_nothing_but_the_page_itself_may_run_in_it(client):
    answer = client.get("/docs")
    page, policy = answer.get_data(as_text=True), answer.headers["Content-Security-Policy"]
    for element in ("style", "script"):
        (inline,) = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
