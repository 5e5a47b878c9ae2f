"""The services: what a running application has at hand, and how a view reaches it."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import BoundedSemaphore

import orjson
from flask import Flask, Response, current_app

from api.jobs.job_store import Jobs
from api.jobs.queue import Queue
from api.service.child_processes import ChildProcesses
from api.service.judges import Judges
from api.service.settings import Settings
from api.web.metrics import Metrics
from carddb.library import Library

_NAME = "deckproof"
_TURNS = 2


@dataclass(frozen=True)
class Services:
    """The settings, the cards, the judges, the counters, the jobs and the children of one application."""

    settings: Settings
    library: Library
    judges: Judges
    metrics: Metrics
    jobs: Jobs
    queue: Queue
    children: ChildProcesses
    # Taken by what draws: many connections wait side by side, few files are made so.
    turns: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(_TURNS))

    def provide(self, app: Flask) -> None:
        """Give them to an application."""
        app.extensions[_NAME] = self


def services() -> Services:
    """Return the services of the application that answers the current request."""
    provided: Services = current_app.extensions[_NAME]
    return provided


def answer(content: object, status: int = 200) -> Response:
    """Return something as the JSON body of a response."""
    return ready(orjson.dumps(content), status)


def ready(body: bytes, status: int = 200) -> Response:
    """Return JSON that is already written as the body of a response."""
    return Response(body, status, mimetype="application/json")
