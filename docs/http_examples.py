"""The page of the HTTP API: each operation with a request and the answer of a running server.

docs/site_pages.py calls `http_api_page` when the site is built. The page lists every operation of the OpenAPI document.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

DECK = "1 ST21-001\n4 OP01-016 Nami"
FULL_DECK = (Path(__file__).parents[1] / "examples/optcg-red-zoro.txt").read_text("utf-8")
TABLE = "Player,Player ID,Decklist\nAnn Example,0001,1 ST21-001 4 OP01-016\n"
DAY = "2026-11-21"
_START = 60  # seconds in which the server starts, on a busy machine
_LIST_LENGTH = 1  # entries of a list that the page shows
_TEXT_LENGTH = 240  # characters of a text that the page shows
_KEY_LENGTH = 30  # characters that a key has at least
_LINES = 12  # lines of a file that the page shows
_JSON_LINES = 60  # lines of JSON that the page shows
_DEPTH = 4  # levels of JSON that the page shows
_SHOWN_HEADERS = ("Content-Type", "Location", "ETag", "Link", "Deckproof-Legal", "Deckproof-Problems")
_OPEN = urllib.request.build_opener(urllib.request.ProxyHandler({})).open  # the server is on this machine
_INTRO = """# HTTP API

Each operation with a request and its answer. A running server gave these answers when this site was built.
`…` marks what is left out. Words in capitals, such as `EVENT` and `KEY`, stand for ids and keys.
[HTTP rules and limits](http.md) has what holds for all operations: terms, errors, headers, languages and limits.
`deckproof serve` serves the OpenAPI document at `/openapi.json`, and at `/docs` a page that works offline.
"""


class Example(NamedTuple):
    """A request and its answer. `operation` is the method and the path of the OpenAPI document."""

    operation: tuple[str, str]
    request: str
    answer: str


class Recorder:
    """Sends requests to a server and records them as examples. `names` maps each secret or id to its placeholder."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.names: dict[str, str] = {urlsplit(url).netloc: "localhost:8000"}
        self.examples: list[Example] = []

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: str = "",
        key: str = "",
        media: str = "application/json",
        headers: Mapping[str, str] | None = None,
        **values: str,
    ) -> Any:
        """Send a request, record the example, and return the answer: parsed JSON with its `ETag`, else None.

        `values` fill the parts of the path that stand in braces.
        """
        target = re.sub(r"{(\w+)}", lambda part: values[part[1]], path) + query
        sent = dict(headers or {})
        if key:
            sent["Authorization"] = f"Bearer {key}"
        data = None
        if body is not None:
            data = (json.dumps(body) if media == "application/json" else body).encode()
            sent["Content-Type"] = media
        request = urllib.request.Request(self.url + target, data, sent, method=method)
        try:
            with _OPEN(request, timeout=_START) as response:
                status, got, content = response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {target}: {error.code} {error.read().decode()}") from error
        answer = json.loads(content) if got.get_content_type() == "application/json" else None
        self._name(answer)
        shown = (f"{name}: {sent[name]}" for name in ("Authorization", "Content-Type", "If-Match") if name in sent)
        head = (f"{name}: {got[name]}" for name in _SHOWN_HEADERS if got[name])
        self.examples.append(
            Example(
                (method, path),
                self._hide(
                    "\n".join([f"{method} {target}", *shown, *(["", _format_body(body)] if body is not None else [])])
                ),
                self._hide("\n".join([str(status), *head, "", _format_content(answer, content, got)]).strip()),
            )
        )
        return {**answer, "etag": got["ETag"]} if isinstance(answer, dict) else None

    def _name(self, part: Any) -> None:
        """Remember the keys in an answer, so that the page shows a placeholder for each."""
        for inner in part if isinstance(part, list) else ():
            self._name(inner)
        for name, inner in part.items() if isinstance(part, dict) else ():
            if name in ("key", "organiser", "judge") and isinstance(inner, str) and len(inner) >= _KEY_LENGTH:
                self.names[inner] = "KEY"
            self._name(inner)

    def _hide(self, text: str) -> str:
        for secret, name in self.names.items():
            text = text.replace(secret, name)
        return text


def http_api_page() -> str:
    """Return the Markdown page of all operations, in the order of the OpenAPI document."""
    with _server() as url:
        recorder = Recorder(url)
        with _OPEN(f"{url}/openapi.json") as response:
            document = json.load(response)
        _judge(recorder)
        _look_up(recorder)
        _make_files(recorder)
        _run_event(recorder)
        _operate(recorder)
    return _INTRO + "\n".join(_sections(document, recorder.examples))


def _sections(document: dict[str, Any], examples: list[Example]) -> Iterator[str]:
    by_operation = {example.operation: example for example in reversed(examples)}
    tag = ""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            if operation["tags"][0] != tag:
                tag = operation["tags"][0]
                yield f"\n## {tag.capitalize()}"
            example = by_operation[method.upper(), path]
            yield f"\n### {method.upper()} {path} {{#{operation['operationId']}}}\n"
            yield f"**{operation['summary']}** {operation.get('description', '')}\n"
            yield from _parameters(document, [*item.get("parameters", ()), *operation.get("parameters", ())])
            yield f'```text title="Request"\n{example.request}\n```\n'
            yield f'```text title="Answer"\n{example.answer}\n```\n'


def _parameters(document: dict[str, Any], parameters: list[dict[str, Any]]) -> Iterator[str]:
    resolved = [_resolved(document, parameter) for parameter in parameters]
    rows = [one for one in resolved if one["in"] == "query" and one["name"] != "lang"]
    if rows:
        yield "| parameter | meaning |\n|---|---|"
        yield from (f"| `{one['name']}` | {' '.join(one.get('description', '').split())} |" for one in rows)
        yield ""


def _resolved(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    for name in part.get("$ref", "#").split("/")[1:]:
        document = document[name]
    return document if "$ref" in part else part


@contextmanager
def _server() -> Iterator[str]:
    """Run `deckproof serve` with a database of its own, and yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        command = [Path(sys.executable).with_name("deckproof"), "serve", "--port", "0", "--workers", "1"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("DECKPROOF_")}
        environment["DECKPROOF_DATA_DIR"] = folder
        with log.open("wb") as output:
            server = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
        try:
            yield _address(server, log)
        finally:
            server.terminate()
            server.wait(timeout=_START)


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    until = time.monotonic() + _START
    while time.monotonic() < until and server.poll() is None:
        if found := re.search(r"Check decks at (http://[^:]+:\d+)", log.read_text("utf-8")):
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(f"deckproof serve did not start: {log.read_text('utf-8')}")


def _judge(recorder: Recorder) -> None:
    send = recorder.send
    asked = {"game": "optcg", "on": DAY, "decklist": DECK}
    send("POST", "/v1/validate", asked)
    send("POST", "/v1/validate/team", {"game": "optcg", "on": DAY, "team": {"unique_leaders": True},
         "decks": [{"name": "A", "decklist": FULL_DECK}, {"name": "B", "decklist": FULL_DECK}]})  # fmt: skip
    lines = "\n".join(json.dumps(line) for line in (asked, {"game": "optcg"}))
    send("POST", "/v1/validate/batch", f"{lines}\n", media="application/x-ndjson")
    send("POST", "/v1/repair", {**asked, "pinned": ["OP01-016"]})
    before = {"leader": [{"number": "BT1-030", "count": 1}], "main": [{"number": "BT1-031", "count": 4}]}
    send("POST", "/v1/swaps/validate", {"game": "dbs", "on": DAY, "before": before, "after": before})
    send("POST", "/v1/timeline", {"game": "optcg", "decklist": FULL_DECK, "from": "2026-01-01", "until": "2026-12-31"})
    send("POST", "/v1/odds", {"game": "optcg", "on": DAY, "decklist": FULL_DECK, "wishes": [{"cards": ["OP01-016"]}]})
    send("POST", "/v1/decklists/parse", {"decklist": "1 ST21-001\n4 Nami\nand some more"})
    send("POST", "/v1/decklists/write", {"decklist": DECK, "format": "optcgsim"})
    send("POST", "/v1/decklists/compare", {"before": "4 OP01-016 Nami", "after": "2 OP01-016 Nami\n2 OP01-025"})
    send("GET", "/v1/decklists/formats")


def _look_up(recorder: Recorder) -> None:
    send = recorder.send
    send("GET", "/v1/rulesets")
    send("GET", "/v1/rulesets/{id}", id="optcg-1.2.1")
    send("GET", "/v1/rulesets/{id}/differences", query="?against=optcg-1.1.9", id="optcg-1.2.1")
    send("GET", "/v1/limits/{game}", query=f"?on={DAY}&region=en", game="optcg")
    send("GET", "/v1/limits/{game}/changes", query=f"?on={DAY}", game="optcg")
    send("GET", "/v1/cards", query="?game=optcg&q=nami&color=Red")
    send("GET", "/v1/cards/{game}/{number}", game="optcg", number="OP01-016")
    send("GET", "/v1/cards/{game}/{number}/standing", query=f"?on={DAY}", game="optcg", number="OP01-016")
    send("POST", "/v1/cards/{game}/collection", {"numbers": ["OP01-016", "OP99-999"]}, game="optcg")
    send("GET", "/v1/data")
    send("GET", "/v1/data/{file}", file="sets.csv")
    send("GET", "/v1/changes", query="?since=2026-10-01&game=optcg")
    send("GET", "/v1/changes.atom", query="?since=2026-10-01&game=optcg")


def _make_files(recorder: Recorder) -> None:
    send = recorder.send
    player = {"player": "Last, First", "player_id": "0012345678"}
    send("POST", "/v1/sheets", {"game": "optcg", "on": DAY, "decklist": DECK, **player}, query="?as=csv")
    send("GET", "/v1/sheets/blank", query="?game=optcg")
    send("POST", "/v1/workbooks/columns", TABLE, query="?game=optcg&name=decks.csv", media="text/csv")
    send("GET", "/v1/workbooks/template.xlsx")
    asked = f"?game=optcg&on={DAY}&as=csv&name=decks.csv"
    send("POST", "/v1/workbooks", TABLE, query=asked, media="text/csv")
    job = recorder.send("POST", "/v1/workbooks", TABLE, query=f"{asked}&job=true", media="text/csv")
    recorder.names[job["id"]] = "JOB"
    until = time.monotonic() + _START
    while recorder.send("GET", "/v1/jobs/{id}", id=job["id"])["status"] != "done":
        recorder.examples.pop()
        if time.monotonic() > until:
            raise RuntimeError("The worker did not finish the job.")
        time.sleep(0.2)
    send("GET", "/v1/jobs/{id}/result", id=job["id"])
    send("DELETE", "/v1/jobs/{id}", id=job["id"])


def _run_event(recorder: Recorder) -> None:
    day = datetime.now(UTC).date() + timedelta(days=30)
    deadline = f"{day - timedelta(days=1)}T22:00"
    event = {"name": "Example Regional", "game": "optcg", "on": day.isoformat(), "timezone": "Europe/Berlin"}
    begun = recorder.send("POST", "/v1/events", {**event, "closes": deadline, "visibility": {"roster": "public"}})
    recorder.names |= {begun["id"]: "EVENT", begun["code"]: "EVENT-CODE"}
    staff = {"id": begun["id"], "key": begun["keys"]["organiser"]}
    _set_up(recorder, staff, begun["code"])
    registration = _register(recorder, staff)
    _import(recorder, staff)
    _check_decks(recorder, staff, registration)
    _publish(recorder, staff, registration, (day + timedelta(days=7)).isoformat())
    recorder.send("DELETE", "/v1/events/{id}/registrations/{rid}", rid=registration, **staff)
    recorder.send("DELETE", "/v1/events/{id}", **staff)
    recorder.send("POST", "/v1/events/{id}/restore", **staff)


def _set_up(recorder: Recorder, staff: dict[str, str], code: str) -> None:
    send = recorder.send
    send("GET", "/v1/events", query=f"?code={code}")
    send("GET", "/v1/events/{id}", id=staff["id"])
    send("PATCH", "/v1/events/{id}", {"place": "Hall 3"}, **staff)
    send("GET", "/v1/events/{id}/flyer", query="?as=svg", id=staff["id"])
    made = send("POST", "/v1/events/{id}/keys", {"name": "Second judge", "role": "judge"}, **staff)
    recorder.names[made["id"]] = "KID"
    send("GET", "/v1/events/{id}/keys", **staff)
    send("DELETE", "/v1/events/{id}/keys/{kid}", kid=made["id"], **staff)
    send("PUT", "/v1/events/{id}/expected", {"players": ["Ann Example", "Ben Example"]}, **staff)
    expected = "Player,Player ID\nAnn Example,0001\nBen Example,0002\n"
    send("POST", "/v1/events/{id}/expected:import", expected, query="?name=e.csv", media="text/csv", **staff)
    send("GET", "/v1/events/{id}/expected", **staff)


def _register(recorder: Recorder, staff: dict[str, str]) -> str:
    """Register two players, who are duplicates until they are separated, and return the first one's id."""
    send, event = recorder.send, staff["id"]
    path = "/v1/events/{id}/registrations"
    player = {"player": "Last, First", "player_id": "0012345678", "consent": {"stream": True}}
    first = send("POST", path, {**player, "decklist": DECK}, id=event)
    others = [send("POST", path, {**player, "decklist": FULL_DECK}, id=event) for _ in range(2)]
    recorder.names |= {first["id"]: "REGISTRATION", others[0]["id"]: "OTHER", others[1]["id"]: "OTHER"}
    one = {"rid": first["id"], **staff}
    send("GET", f"{path}/{{rid}}", rid=first["id"], id=event, key=first["key"])
    send("GET", path, **staff)
    send("GET", "/v1/events/{id}/duplicates", **staff)
    send("POST", f"{path}/{{rid}}/merge", {"other": others[0]["id"], "list": "other"}, **one)
    send("POST", f"{path}/{{rid}}/separate", {"other": others[1]["id"]}, **one)
    shown = send("GET", f"{path}/{{rid}}", **one)
    changed = {"decklist": FULL_DECK, "reason": "The player asked for it."}
    send("PUT", f"{path}/{{rid}}", changed, headers={"If-Match": shown["etag"]}, **one)
    send("PATCH", f"{path}/{{rid}}", {"table": "12"}, **one)
    send("GET", f"{path}/{{rid}}/revisions", **one)
    send("GET", f"{path}/{{rid}}/data", **one)
    send("POST", f"{path}/{{rid}}/key", **one)
    return str(first["id"])


def _import(recorder: Recorder, staff: dict[str, str]) -> None:
    send = recorder.send
    path = "/v1/events/{id}/registrations:import"
    send("POST", path, TABLE, query="?name=decks.csv", media="text/csv", **staff)
    imports = send("GET", "/v1/events/{id}/imports", **staff)
    recorder.names[imports["imports"][0]["id"]] = "IMPORT"
    send("POST", "/v1/events/{id}/imports/{iid}:undo", {}, iid=imports["imports"][0]["id"], **staff)
    send("POST", path, TABLE, query="?name=decks.csv", media="text/csv", **staff)
    send("POST", "/v1/events/{id}/links", {"for": "all"}, **staff)
    send("GET", "/v1/events/{id}/missing", **staff)
    send("POST", "/v1/events/{id}/missing", {"players": ["Ann Example", "Cleo Example"]}, **staff)
    send("GET", "/v1/events/{id}/roster", **staff)
    send("GET", "/v1/events/{id}/overview", **staff)


def _check_decks(recorder: Recorder, staff: dict[str, str], registration: str) -> None:
    send = recorder.send
    send("GET", "/v1/events/{id}/checks:next", **staff)
    send("POST", "/v1/events/{id}/checks:seed", {"seed": "42"}, **staff)
    begun = send("POST", "/v1/events/{id}/checks", {"registration": registration, "judge": "Jo"}, **staff)
    check = begun["checks"][0]["id"]
    recorder.names[check] = "CHECK"
    send("GET", "/v1/events/{id}/checks", **staff)
    shown = send("GET", "/v1/events/{id}/checks/{cid}", cid=check, **staff)
    counted = {"decklist": DECK, "note": "46 cards are missing."}
    send("PUT", "/v1/events/{id}/checks/{cid}", counted, headers={"If-Match": shown["etag"]}, cid=check, **staff)


def _publish(recorder: Recorder, staff: dict[str, str], registration: str, later: str) -> None:
    send = recorder.send
    send("GET", "/v1/events/{id}/lists", **staff)
    send("GET", "/v1/events/{id}/stream", query=f"?players={registration}", **staff)
    send("GET", "/v1/events/{id}/impact", query=f"?after={later}", **staff)
    send("POST", "/v1/events/{id}/impact", {"lines": "OP01-016 banned"}, **staff)
    send("GET", "/v1/events/{id}/commitments", id=staff["id"])
    send("GET", "/v1/events/{id}/opened-lists", **staff)
    send("GET", "/v1/events/{id}/export", query="?as=csv", **staff)
    send("GET", "/v1/events/{id}/audit", query="?limit=2", **staff)
    copy = {"name": "Next Regional", "on": later, "players": True}
    begun = send("POST", "/v1/events/{id}/copies", copy, **staff)
    recorder.names[begun["id"]] = "NEXT-EVENT"


def _operate(recorder: Recorder) -> None:
    send = recorder.send
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/llms.txt", "/docs"):
        send("GET", path)
    send("GET", "/docs/{name}", name="page.js")


def _format_body(value: Any) -> str:
    """Return a request or an answer as text of at most _JSON_LINES lines."""
    if isinstance(value, str):
        return value.rstrip("\n")
    lines = json.dumps(_shorten(value), indent=1, ensure_ascii=False).splitlines()
    return "\n".join([*lines[:_JSON_LINES], *(["…"] if len(lines) > _JSON_LINES else [])])


def _format_content(answer: Any, content: bytes, headers: Mapping[str, str]) -> str:
    """Return the body of an answer as the page shows it: shortened, or the size of a file that is no text."""
    if answer is not None:
        return _format_body(answer)
    if not re.match(r"text/|application/(atom|x-ndjson|schema)|image/svg", headers.get("Content-Type", "")):
        return f"({len(content):,} bytes)" if content else ""
    lines = [_cut(line) for line in content.decode("utf-8-sig").splitlines()]
    return "\n".join([*lines[:_LINES], *(["…"] if len(lines) > _LINES else [])])


def _shorten(value: Any, depth: int = _DEPTH) -> Any:
    """Return a JSON value with long lists, long texts and deep parts cut."""
    if isinstance(value, dict | list) and value and not depth:
        return "…"
    if isinstance(value, dict):
        return {name: _shorten(part, depth - 1) for name, part in value.items()}
    if isinstance(value, list):
        first = [_shorten(part, depth - 1) for part in value[:_LIST_LENGTH]]
        return [*first, *(["…"] if len(value) > _LIST_LENGTH else [])]
    return _cut(value) if isinstance(value, str) else value


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT_LENGTH else f"{text[:_TEXT_LENGTH]}…"
