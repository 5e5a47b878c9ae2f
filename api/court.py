"""The court: what a running application has at hand, and how a view reaches it."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field
from threading import BoundedSemaphore

import orjson
from flask import Flask
from flask import Response
from flask import current_app

from api.bench import Bench
from api.children import Children
from api.config import Settings
from api.jobs.queue import Queue
from api.jobs.store import Jobs
from api.metrics import Metrics
from carddb.library import Library

_NAME = "deckproof"
_TURNS = 2


@dataclass(frozen=True)
class Court:
    """The settings, the cards, the judges, the counters, the jobs and the children of one application."""

    settings: Settings
    library: Library
    bench: Bench
    metrics: Metrics
    jobs: Jobs
    queue: Queue
    children: Children
    # Taken by what draws: many connections wait side by side, few files are made so.
    turns: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(_TURNS))

    def sit(self, app: Flask) -> None:
        """Take a seat in an application."""
        app.extensions[_NAME] = self


def court() -> Court:
    """Return the court of the application that answers the current request."""
    found: Court = current_app.extensions[_NAME]
    return found


def answer(found: object, status: int = 200) -> Response:
    """Return something as the JSON body of a response."""
    return ready(orjson.dumps(found), status)


def ready(body: bytes, status: int = 200) -> Response:
    """Return JSON that is already written as the body of a response."""
    return Response(body, status, mimetype="application/json")
