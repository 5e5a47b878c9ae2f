"""The ratio of the time of an application with judging to that without: `python -m tests.benchmarks.application`.

One endpoint of the application judges. Another one, added here, only reads the same JSON and answers a constant. Both
are called through Flask's test client, which stands for the server around them, and directly by WSGI.
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
from flask import Flask, Response

from api.service.settings import Settings
from api.web.app import create_app
from api.web.bodies import json_body
from api.web.responses import answer
from api.web.services import services
from tests.benchmarks import judge
from validator import SECTIONS, Deck

ROUNDS = 10
CONSTANT = "/constant"


def main() -> None:
    """Print requests a second for the constant answer and for verdicts, and their ratio."""
    catalogue, decks = judge.real_decks() if judge.SHARED.exists() else judge.invented_decks()
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder)))
        app.add_url_rule(CONSTANT, view_func=constant, methods=["POST"])
        with app.app_context():
            services().library.store().import_cards("optcg", list(catalogue), "benchmark")
        bodies = [orjson.dumps(request_of(deck)) for deck in decks]
        print(f"{len(bodies)} decks of {len(catalogue)} cards, best of {ROUNDS} rounds in turn, one thread")
        for title, calls in (("through the test client (wanted: at least 0.6)", _posts), ("bare", _calls)):
            plain, judged = _best_times(calls(app, CONSTANT, bodies), calls(app, "/v1/validate", bodies))
            rates = f"constant {len(bodies) / plain:,.0f}/s, verdicts {len(bodies) / judged:,.0f}/s"
            print(f"{title}: {rates}, ratio {plain / judged:.2f}")


def constant() -> Response:
    """Read the JSON and say nothing of it."""
    json_body()
    return answer({"legal": True})


def request_of(deck: Deck) -> dict[str, Any]:
    """Return the request for the verdict on a deck, by its numbers."""
    sections = {
        section: [{"number": line.number, "count": line.count} for line in deck.section(section)]
        for section in SECTIONS
        if deck.section(section)
    }
    return {"ruleset": "optcg-1.1.9", "on": "2026-11-01", "format": "extra", "deck": sections}


def _posts(app: Flask, path: str, bodies: Sequence[bytes]) -> Callable[[], None]:
    client = app.test_client()

    def run() -> None:
        for body in bodies:
            assert client.post(path, data=body, content_type="application/json").status_code == 200

    return run


def _calls(app: Flask, path: str, bodies: Sequence[bytes]) -> Callable[[], None]:
    calls = [make_call(app, path, body) for body in bodies]

    def run() -> None:
        for call in calls:
            call()

    return run


def make_call(app: Flask, path: str, body: bytes, media_type: str = "application/json") -> Callable[[], None]:
    """Return a function that sends one body to a path, as WSGI calls an application."""
    base = {
        "REQUEST_METHOD": "POST", "PATH_INFO": path, "SCRIPT_NAME": "", "QUERY_STRING": "",
        "CONTENT_TYPE": media_type, "SERVER_NAME": "localhost", "SERVER_PORT": "80",
        "HTTP_HOST": "localhost", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "http", "wsgi.errors": io.StringIO(), "wsgi.version": (1, 0),
    }  # fmt: skip

    def run() -> None:
        environ = {**base, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}
        for _ in app(environ, _start_response):
            pass

    return run


def _start_response(status: str, headers: Any, error: Any = None) -> Callable[[bytes], object]:
    """Assert the status 200. WSGI calls this function for each response."""
    assert status.startswith("200"), status
    return lambda data: None


def _best_times(first: Callable[[], None], second: Callable[[], None]) -> tuple[float, float]:
    """Return the best time of each function. They are run in turn, so that both meet the same state of the machine."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for place, call in enumerate((first, second)):
            start = time.perf_counter()
            call()
            best[place] = min(best[place], time.perf_counter() - start)
    return best[0], best[1]


if __name__ == "__main__":
    main()
