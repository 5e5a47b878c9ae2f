"""Strangers: requests that are refused, each of them different from all others, and large wherever it can be."""

from __future__ import annotations

import ctypes
import gc
import itertools
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple


class Request(NamedTuple):
    """A request as a test client makes it."""

    method: str
    path: str
    how: dict[str, Any]


def requests(size: int, seed: int = 7) -> Iterator[Request]:
    """Yield bad requests without end, of some `size` characters where a place takes them."""
    drawn = random.Random(seed)
    for number, make in zip(itertools.count(), itertools.cycle(_KINDS), strict=False):
        letter = drawn.choice("aé大🃏\u0301\ufdfa([4 ")
        yield make(f"{number}{letter * size}{drawn.random()}")


def _post(path: str, body: Any, **how: Any) -> Request:
    return Request("POST", path, {"data": json.dumps(body), "content_type": "application/json", **how})


def _field(path: str, key: str, **more: Any) -> Callable[[str], Request]:
    return lambda text: _post(path, {"game": "optcg", "decklist": "", **more, key: text})


_KINDS: list[Callable[[str], Request]] = [
    *(
        _field("/v1/validate", key)
        for key in ("ruleset", "game", "on", "region", "format", "policy", "deck", "explain")
    ),
    *(_field("/v1/sheets", key) for key in ("player", "player_id", "event", "date", "table", "notes", "region")),
    *(_field("/v1/swaps/validate", key, before="", after="") for key in ("region", "on", "before")),
    lambda text: _post("/v1/validate", {"game": "optcg", "decklist": "", text: 1}),
    lambda text: _post("/v1/validate", {"game": "optcg", "policy": {text: 1}, "decklist": ""}),
    lambda text: _post("/v1/validate", {"game": "optcg", "deck": {"main": [{"name": text, "count": 4}]}}),
    lambda text: _post("/v1/validate", {"game": "optcg", "deck": {"main": [{"number": text, "count": 4}]}}),
    lambda text: _post("/v1/decklists/write", {"format": text, "decklist": ""}),
    lambda text: _post("/v1/decklists/parse", {"game": text, "decklist": ""}),
    lambda text: _post("/v1/cards/optcg/collection", {"numbers": [text]}),
    lambda text: Request("POST", "/v1/validate", {"data": text.encode()[:2000], "content_type": "application/json"}),
    lambda text: Request("POST", "/v1/validate", {"data": "{}", "content_type": text.encode()[:20].hex()}),
    lambda text: Request("GET", f"/v1/cards/optcg/{text[:1000]}", {}),
    lambda text: Request("GET", f"/v1/rulesets/{text[:1000]}", {}),
    lambda text: Request("GET", f"/{text[:1000]}", {}),
    lambda text: Request("GET", "/v1/cards", {"query_string": {"game": text[:1000]}}),
    lambda text: Request("GET", "/v1/limits/optcg", {"query_string": {"region": text[:1000]}}),
    lambda text: Request("DELETE", f"/v1/jobs/{text[:1000]}", {}),
    lambda text: Request(f"M{text.encode()[:10].hex()}", "/v1/validate", {}),
    lambda text: Request(
        "POST", "/v1/workbooks", {"query_string": {"game": text[:1000]}, "data": "Player", "content_type": "text/csv"}
    ),
    lambda text: Request(
        "POST",
        "/v1/validate/batch",
        {"data": json.dumps({"game": "optcg", "region": text, "decklist": ""}), "content_type": "application/x-ndjson"},
    ),
]


def memory() -> int:
    """Return the bytes of memory that this process holds, without what it has let go and the C library still has."""
    gc.collect()
    with suppress(AttributeError):  # a C library that keeps nothing has nothing to let go
        ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
