"""The services of a running application, for its views."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask import Flask, current_app

from api.events.event_desk import EventDesk
from api.events.registration_desk import RegistrationDesk
from api.jobs.job_store import Jobs
from api.jobs.queue import Queue
from api.service.child_processes import ChildProcesses, WorkTurns
from api.service.judges import Judges
from api.service.local_network import HallAddresses
from api.service.ndjson import RememberedLines
from api.service.settings import Settings
from api.web.operations.metrics import Metrics
from carddb.library import Library

_NAME = "deckproof"
_AT_A_TIME, _WAITING = 2, 20  # a limit that keeps other threads for small requests


@dataclass(frozen=True)
class Services:
    """The objects that the views of one application share.

    `library` has the cards, `judges` the cached rules, `jobs` and `queue` the work in the background, `children` the
    child processes. `desk` reads and writes events. `turns` limits the views that make files or show many lists to two
    at a time. `remembered` caches lines of batches. `hall` is None unless the server serves a local network.
    """

    settings: Settings
    library: Library
    judges: Judges
    metrics: Metrics
    jobs: Jobs
    queue: Queue
    children: ChildProcesses
    desk: RegistrationDesk
    # For views that draw files or show many lists. Memory is enough for only a few at a time.
    turns: WorkTurns = field(default_factory=lambda: WorkTurns(_AT_A_TIME, _WAITING))
    remembered: RememberedLines = field(default_factory=RememberedLines)
    hall: HallAddresses | None = None  # None unless the server serves a local network

    @property
    def events(self) -> EventDesk:
        """The desk for events as a whole (create, change, copy, delete), a new object on each access."""
        return EventDesk(self.desk)

    def provide(self, app: Flask) -> None:
        """Store these services in an application, so that `services()` returns them in its views."""
        app.extensions[_NAME] = self


def services() -> Services:
    """Return the Services of the current Flask application."""
    provided: Services = current_app.extensions[_NAME]
    return provided
