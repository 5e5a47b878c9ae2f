"""Documentation: the OpenAPI document has every route, and the page around it needs nobody else."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from api.service import requests
from api.service.answers.problem_details import PROBLEM_TYPES
from api.web.components import parameters_of
from api.web.pages import PAGES
from tests import openapi
from tests.api.processes import Running
from validator.games import GAMES

FOR_PEOPLE = {"static_files", "hall_page", *(page.blueprint.name for page in PAGES)}
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def document(client):
    answer = client.get("/openapi.json")
    assert answer.content_type == "application/json"
    return answer.json


def test_the_document_is_written_into_a_file_as_it_is_served(tmp_path, monkeypatch):
    file = tmp_path / "build/openapi.json"
    monkeypatch.setattr("sys.argv", ["tests.openapi", str(file)])
    openapi.main()
    assert json.loads(file.read_text("utf-8")) == openapi.document()


def test_the_document_has_every_route_of_the_application_and_no_other(app, document):
    routes = {
        (re.sub("<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.endpoint.partition(".")[0] not in FOR_PEOPLE
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


def test_every_parameter_of_a_path_is_described(document):
    for path, item in document["paths"].items():
        parameters = parameters_of(document, item)
        described = [one["name"] for one in parameters if one["in"] == "path" and one["description"]]
        assert described == re.findall("{(.*?)}", path), path


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


def test_every_operation_has_a_name_of_its_own(document):
    names = [operation["operationId"] for _, operation in operations(document)]
    assert len(set(names)) == len(names)
    assert {"validateDeck", "registerDeck"} <= set(names)
    assert all(re.fullmatch("[a-z]+([A-Z][a-z]*)+", name) for name in names)


def test_the_games_are_one_component(document):
    schemas = document["components"]["schemas"]
    assert schemas["Game"]["enum"] == list(GAMES)
    assert schemas["Validate"]["properties"]["game"]["$ref"] == "#/components/schemas/Game"


def test_what_several_operations_have_is_one_component(document):
    queries = [one for _, operation in operations(document) for one in operation.get("parameters", [])]
    inline = [json.dumps(one) for one in queries if "$ref" not in one]
    assert len(set(inline)) == len(inline)
    shared = [json.dumps(one) for one in document["components"]["parameters"].values()]
    assert len(set(shared)) == len(shared)
    assert not set(shared) & set(inline)
    answers = [one for _, operation in operations(document) for one in operation["responses"].items()]
    assert all("$ref" in answer for status, answer in answers if not status.startswith("2") and status != "308")


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
    """Every request that carries something other than a file, of no secret's path: its path, media type and example."""
    for path, operation in operations(document):
        if "{id}" in path:
            continue
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
        "/v1/repair",
        "/v1/swaps/validate",
        "/v1/decklists/parse",
        "/v1/sheets",
    }
    for path, media_type, example in found:
        body = example if isinstance(example, str) else json.dumps(example)
        answer = client.post(path, data=body.encode(), content_type=media_type)
        assert answer.status_code == (201 if path == "/v1/events" else 200), path
        first = answer.data.partition(b"\n")[0]
        assert not re.search(rb'"legal":false|"error":|"text":"[^"]*","reason":', first), path


def filled_in(document):
    """Every operation whose parameters in the path have examples: its method, its path and its query, filled in."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            parameters = [*parameters_of(document, item), *parameters_of(document, operation)]
            values = {one["in"]: {} for one in parameters} | {"path": {}, "query": {}}
            for one in parameters:
                schema = one["schema"]
                if "example" in schema or one["in"] == "path" or one.get("required"):
                    values[one["in"]][one["name"]] = schema.get("example", next(iter(schema.get("enum", [])), None))
            if None not in (*values["path"].values(), *values["query"].values()):
                yield method, path.format(**values["path"]), values["query"]


def test_every_path_answers_its_own_examples(client, document):
    """As the page sends them when nothing is changed; the ids of jobs and events are secrets, and have no example."""
    asked = {path: query for method, path, query in filled_in(document) if method == "get"}
    for path, query in asked.items():
        answer = client.get(path, query_string=query, follow_redirects=True)
        assert answer.status_code == 200, (path, query, answer.data)
    paths = {path for path, item in document["paths"].items() if "get" in item}
    secret = {path for path in paths if path.startswith(("/v1/jobs/{id}", "/v1/events"))}
    assert len(asked) == len(paths - secret)
    assert {path for path, query in asked.items() if query} >= {"/v1/cards", "/v1/limits/optcg"}


@pytest.mark.slow
def test_what_is_sent_works_with_the_examples_of_its_query_too(client, document):
    queries = {path: query for method, path, query in filled_in(document) if method == "post"}
    assert queries["/v1/sheets"]
    for path, media_type, example in examples(document):
        body = example if isinstance(example, str) else json.dumps(example)
        answer = client.post(path, query_string=queries[path], data=body.encode(), content_type=media_type)
        assert answer.status_code == (201 if path == "/v1/events" else 200), (path, answer.data)


def test_every_kind_of_problem_is_named(document):
    for kind in PROBLEM_TYPES.values():
        assert kind.uri in document["info"]["description"]


_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def test_the_page_asks_nobody_else_for_anything(client):
    answer = client.get("/docs")
    assert answer.content_type == "text/html; charset=utf-8"
    parts = re.findall(
        r'<(?:script|link)[^>]* (?:src|href)="/((?:docs|static)/[^"]+)"', page := answer.get_data(as_text=True)
    )
    assert len(parts) == len(re.findall("<script|<link", page))
    assert not re.search(r"https?:|@import|url\(|//[a-z]", page)
    for part in parts:
        got = client.get(f"/{part}")
        assert (got.status_code, got.mimetype) == (200, _TYPES[part.partition("?")[0].rpartition(".")[2]]), part
        assert client.get(f"/{part}", headers={"If-None-Match": got.headers["ETag"]}).status_code == 304
    assert b'url: "openapi.json"' in client.get("/docs/page.js").data


def test_the_page_is_in_the_dress_and_the_language_of_all(client):
    answer = client.get("/docs?lang=de")
    page = answer.get_data(as_text=True)
    assert answer.headers["Content-Language"] == "de"
    assert 'href="/cards?lang=de"' in page
    assert '<div id="interface" lang="en">' in page


@pytest.mark.parametrize("name", ["nothing.js", "swagger-ui.js", "__init__.py", "..%2Fpage.html"])
def test_the_page_has_no_other_parts(client, name):
    assert client.get(f"/docs/{name}").status_code == 404


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


def test_nothing_runs_in_the_page_but_the_files_of_its_own_server(client):
    answer = client.get("/docs")
    assert not re.search(r"<style|<script>|\son[a-z]+=|\sstyle=", answer.get_data(as_text=True))
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy.pop("img-src") == "'self' data:"
    assert {name: policy.pop(name) for name in ("script-src", "style-src", "connect-src")} == {
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
    }
    assert set(policy) >= {"default-src", "base-uri", "form-action", "frame-ancestors"}
    assert set(policy.values()) == {"'none'"}


@pytest.mark.slow
@pytest.mark.skipif(not BROWSER, reason="Chromium is not installed")
def test_a_browser_shows_every_operation_and_complains_of_nothing(tmp_path, document):
    server = Running(tmp_path, ("serve", "--port", "0", "--workers", "1"))
    quiet = "--headless --no-sandbox --disable-gpu --enable-logging=stderr --virtual-time-budget=20000"
    with server.ended():
        shown = subprocess.run(
            [BROWSER, *f"{quiet} --user-data-dir={tmp_path} --dump-dom {server.url}/docs".split()],
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert "CONSOLE" not in shown.stderr
    shown_operations = shown.stdout.count('class="opblock opblock-')
    assert shown_operations == len(list(operations(document)))
