"""What a page costs beside the interface: a deck checked by `POST /` and by `POST /v1/validate`, in one run.

`python -m tests.benchmarks.pages`. Both are given the same list as text, through Flask's test client and bare.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import orjson
from flask import Flask

from api.service.settings import Settings
from api.web.app import create_app
from tests.benchmarks.http import called

ROUNDS = 30
POSTS = 30
EXAMPLES = Path(__file__).parents[2] / "examples"


def main() -> None:
    """Print the milliseconds of both for a legal deck and one that is not, and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder)))
        gc.collect()
        gc.freeze()  # as the server does
        for name in ("optcg-red-zoro", "optcg-five-copies"):
            text = (EXAMPLES / f"{name}.txt").read_text("utf-8")
            for title, calls in (("through the test client (wanted: under 1.5)", _posted), ("bare", _called)):
                interface, page = paired(*calls(app, text))
                ratio = f"ratio {page / interface:.2f}"
                print(f"{name}, {title}: interface {1000 * interface:.3f} ms, page {1000 * page:.3f} ms, {ratio}")


def _posted(app: Flask, decklist: str) -> Iterator[Callable[[], object]]:
    client = app.test_client()
    for path, body, media_type in _requests(decklist):
        yield partial(client.post, path, data=body, content_type=media_type)


def _called(app: Flask, decklist: str) -> Iterator[Callable[[], object]]:
    for path, body, media_type in _requests(decklist):
        yield called(app, path, body, media_type)


def _requests(decklist: str) -> Iterator[tuple[str, bytes, str]]:
    """Yield the path, the body and the media type of both."""
    yield "/v1/validate", orjson.dumps({"decklist": decklist}), "application/json"
    yield "/", urlencode({"decklist": decklist}).encode(), "application/x-www-form-urlencoded"


def paired(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that each takes, the best of all rounds in turn, so that both meet the same machine."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for place, call in enumerate((first, second)):
            start = time.thread_time()
            for _ in range(POSTS):
                call()
            best[place] = min(best[place], (time.thread_time() - start) / POSTS)
    return best[0], best[1]


if __name__ == "__main__":
    main()
