"""What a page costs beside the interface: a deck checked by `POST /` and by `POST /v1/validate`, in one run.

`python -m tests.benchmarks.pages`. Both are given the same list as text: by a server on this machine, and
bare, as WSGI calls an application.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import orjson
from flask import Flask

from api.service.settings import Settings
from api.web.app import create_app
from tests.api.processes import Running
from tests.benchmarks.application import make_call

ROUNDS = 40
POSTS = 20
EXAMPLES = Path(__file__).parents[2] / "examples"


def main() -> None:
    """Print the milliseconds of both for a legal deck and one that is not, and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        server = Running(Path(folder), ("serve", "--port", "0", "--workers", "1"))
        with server.ended():
            _compare("over HTTP (wanted: under 1.5)", partial(_make_posts, HTTPConnection(urlsplit(server.url).netloc)))
        app = create_app(Settings(data_dir=Path(folder)))
        gc.collect()
        gc.freeze()  # as the server does
        _compare("bare", partial(_make_calls, app))


def _compare(title: str, calls: Callable[[str], Iterator[Callable[[], object]]]) -> None:
    for name in ("optcg-red-zoro", "optcg-five-copies"):
        interface, page = best_times(*calls((EXAMPLES / f"{name}.txt").read_text("utf-8")))
        times = f"interface {1000 * interface:.3f} ms, page {1000 * page:.3f} ms"
        print(f"{title}, {name}: {times}, ratio {page / interface:.2f}")


def _make_posts(connection: HTTPConnection, decklist: str) -> Iterator[Callable[[], object]]:
    """Yield functions that send each request of a deck list over a connection."""
    for path, body, media_type in _requests(decklist):
        yield partial(_post, connection, path, body, media_type)


def _post(connection: HTTPConnection, path: str, body: bytes, media_type: str) -> None:
    connection.request("POST", path, body, {"Content-Type": media_type})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status


def _make_calls(app: Flask, decklist: str) -> Iterator[Callable[[], object]]:
    """Yield functions that send each request of a deck list to an application by WSGI."""
    for path, body, media_type in _requests(decklist):
        yield make_call(app, path, body, media_type)


def _requests(decklist: str) -> Iterator[tuple[str, bytes, str]]:
    """Yield the path, the body and the media type of both."""
    yield "/v1/validate", orjson.dumps({"decklist": decklist}), "application/json"
    yield "/", urlencode({"decklist": decklist}).encode(), "application/x-www-form-urlencoded"


def best_times(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Return the best time of each function over all rounds.

    They are run in turn, so that both meet the same machine.
    """
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for place, call in enumerate((first, second)):
            start = time.perf_counter()
            for _ in range(POSTS):
                call()
            best[place] = min(best[place], (time.perf_counter() - start) / POSTS)
    return best[0], best[1]


if __name__ == "__main__":
    main()
