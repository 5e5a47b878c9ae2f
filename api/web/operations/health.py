"""Health: whether the process is alive and ready, and its metrics, for those who run the server.

With DECKPROOF_OPERATIONS_ADDRESS only requests that came in there get the metrics and the details of readiness, and
they get nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NotRequired, TypedDict

from flask import Flask, Response, request
from prometheus_client.metrics_core import Metric
from werkzeug.exceptions import NotFound

from api.events.storage.retention import RetentionClock
from api.jobs.heartbeats import Heartbeats
from api.service.answers.json_schema import Moment
from api.service.catalogues import CatalogueState, catalogue_states
from api.service.installed_release import installed_release
from api.service.setting_parsers import ListenAddress
from api.web.blueprints import Blueprint
from api.web.operations import gauges
from api.web.operations.metrics import MEDIA_TYPE
from api.web.responses import answer
from api.web.services import Services, services
from carddb.errors import CardDataError
from carddb.sync.log import Sync
from validator.field_docs import doc
from validator.games import GAMES
from validator.judge import SnapshotJSON
from validator.language import phrase

blueprint = Blueprint("operations", __name__, description="For those who run the server.")


def separate_operations(app: Flask, address: ListenAddress) -> None:
    """Register a hook that answers 404 at the operators' address to all requests but health, readiness and metrics."""

    @app.before_request
    def refuse_others() -> None:
        """Raise NotFound if a request at the operators' address is for anything but health, readiness and metrics."""
        if _is_at_address(address) and request.blueprint != blueprint.name:
            raise NotFound(phrase("This address serves /healthz, /readyz and /metrics only."))


def _is_at_address(address: ListenAddress) -> bool:
    """Return True if the current request came in at the port of an address. The host is not compared."""
    return request.environ.get("SERVER_PORT") == str(address.port)  # the port of the socket, not of the headers


def _is_for_operators() -> bool:
    """Return True if the current request came in at the separate address for operators, or if none is set."""
    address = services().settings.operations_address
    return address is None or _is_at_address(address)


class SyncJSON(TypedDict):
    """A sync of a catalogue, an attempt to get newer cards: its times, its result and the reason of a failure.

    `snapshot` is the id of the snapshot that it stored, null if there is none.
    """

    begun: Moment
    ended: Annotated[Moment | None, doc("`null` while it runs; or it was killed.")]
    result: Annotated[
        str,
        doc("`refused`: what was found looks wrong, and is kept aside.", enum=("running", "ok", "refused", "failed")),
    ]
    why: Annotated[str, doc("What failed, or what looks wrong.")]
    snapshot: str | None


class CatalogueJSON(SnapshotJSON):
    """The catalogue of a game in the answer of /readyz: its snapshot, source, age and last sync."""

    source: Annotated[str, doc("What the cards were read from.")]
    created: Annotated[Moment | None, doc("When the snapshot was made.")]
    age_seconds: Annotated[
        int | None,
        doc(
            "Since the snapshot was made, or since a sync found that it still holds. Of the cards that ship: since the "
            "day on which they were collected."
        ),
    ]
    last_sync: SyncJSON | None
    damaged: Annotated[str | None, doc("The current snapshot, if it is damaged: this is the last good one then.")]


class OfficialListsJSON(TypedDict):
    """The official limits lists of a game in the answer of /readyz."""

    game: str
    list: Annotated[str, doc("The id of the official lists that are used.")]
    source: Annotated[str, doc("`shipped`, or the names of the files that were added to the lists that ship.")]
    known_to: Annotated[str | None, doc("The last day whose announcements are known. null if there is no limits list.")]
    unusable: Annotated[str | None, doc("Why the current lists cannot be used, if so. These are others then.")]


class ReleaseJSON(TypedDict):
    """The installed release in the answer of /readyz."""

    version: Annotated[str, doc("The version of deckproof.")]
    schema: Annotated[str, doc("The revision of the database schema.", example="0014")]
    commit: Annotated[str, doc('The commit, with "-dirty" if files were changed since. Empty if it is not known.')]


class RetentionJSON(TypedDict):
    """The state of the deletion of old events in the answer of /readyz. All times are ISO moments in UTC."""

    paused: Annotated[bool, doc("True while no event is deleted, as the clock may be wrong.")]
    clock: Annotated[str | None, doc("The last look at the clock; null if there was none.")]
    trusted: Annotated[str | None, doc("The last time that was trusted.")]
    resumes: Annotated[str | None, doc("When deletion resumes if the clock makes no jump; null if it is not paused.")]


class ReadyJSON(TypedDict):
    """The answer of /readyz. If the server has an address for operators, clients elsewhere get only `status`."""

    status: Annotated[
        str,
        doc(
            "`ready`, or `degraded` if the current snapshot of a game is damaged or its current lists cannot be used. "
            "The other fields are left out if the server has a separate address for operations.",
            enum=("ready", "degraded"),
        ),
    ]
    release: NotRequired[ReleaseJSON]
    catalogues: NotRequired[list[CatalogueJSON]]
    lists: NotRequired[Annotated[list[OfficialListsJSON], doc("The official lists of each game.")]]
    workers: NotRequired[Annotated[int, doc("Number of running job workers.")]]
    jobs: NotRequired[Annotated[dict[str, int], doc("Number of jobs by status.")]]
    retention: NotRequired[
        Annotated[RetentionJSON, doc("Whether events whose time is over are deleted, by the last look at the clock.")]
    ]


class AliveJSON(TypedDict):
    """The answer of /healthz. `status` is always "ok"."""

    status: str


@blueprint.route("/healthz")
@blueprint.response(200, AliveJSON)
def show_liveness() -> Response:
    """Answer as long as the process is alive."""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.response(200, ReadyJSON)
def show_readiness() -> Response:
    """Answer if requests can be answered: the database is reached, and every catalogue loaded.

    A sync that failed is shown, but the server is ready with the cards that it has. The status is `degraded` if the
    current snapshot of a game is damaged, or its current lists cannot be used: the server then uses the last good ones.
    The details are for the address for operations, if there is one.
    """
    here = services()
    states = list(catalogue_states(here.library))
    is_degraded = any(state.damaged or state.unusable_lists for state in states)
    shown: ReadyJSON = {"status": "degraded" if is_degraded else "ready"}
    if _is_for_operators():
        release = installed_release()
        shown["release"] = {"version": release.version, "schema": release.schema, "commit": release.commit}
        shown["catalogues"] = list(map(_catalogue_json, states))
        shown["lists"] = list(map(_lists_json, states))
        shown["workers"] = _count_workers(here)
        shown["jobs"] = here.jobs.counts()
        shown["retention"] = _retention_json(here)
    return answer(shown)


def _count_workers(services: Services) -> int:
    """Return the number of running job workers, on all machines, by their heartbeats in the database."""
    return len(Heartbeats(services.library.store().database).present())


def _retention_json(services: Services) -> RetentionJSON:
    """Return the state of the deletion of old events as JSON, by the last look at the clock in the database.

    Deletion is paused if the clock made a jump. `resumes` is the end of the pause, None if it is not paused. All times
    are None if there was no look yet.
    """
    look = RetentionClock(services.library.store().database).last_look()
    is_paused = look is not None and not look.is_trusted
    return {
        "paused": is_paused,
        "clock": look.seen.isoformat(timespec="seconds") if look else None,
        "trusted": look.trusted.isoformat(timespec="seconds") if look else None,
        "resumes": look.trusted_from.isoformat(timespec="seconds") if look and is_paused else None,
    }


def _catalogue_json(state: CatalogueState) -> CatalogueJSON:
    """Return the catalogue of a game as JSON, with its snapshot, its age in seconds and its last sync.

    Without a snapshot the cards are those that ship with deckproof.
    """
    catalogue, snapshot = state.catalogue, state.snapshot
    return {
        "game": catalogue.game,
        "snapshot": catalogue.snapshot,
        "cards": len(catalogue),
        "as_of": catalogue.as_of.isoformat() if catalogue.as_of else None,
        "source": snapshot.source if snapshot else "the facts that ship",
        "created": snapshot.created if snapshot else None,
        "age_seconds": None if state.age is None else round(state.age),
        "damaged": state.damaged,
        "last_sync": _sync_json(state.last_sync) if state.last_sync else None,
    }


def _sync_json(sync: Sync) -> SyncJSON:
    """Return the times, the result, the reason and the snapshot of a sync as JSON."""
    return {
        "begun": sync.begun,
        "ended": sync.ended,
        "result": sync.result,
        "why": sync.why,
        "snapshot": sync.snapshot,
    }


def _lists_json(state: CatalogueState) -> OfficialListsJSON:
    """Return the official limits lists of a game as JSON: id, source and last known day.

    `unusable` is the reason why the current lists cannot be used, None if they are used.
    """
    lists = state.lists
    known_to = lists.listed.known_to
    return {
        "game": lists.game,
        "list": lists.id,
        "source": lists.source,
        "known_to": known_to.isoformat() if known_to else None,
        "unusable": state.unusable_lists,
    }


def _state_in_memory(services: Services, game: str) -> CatalogueState:
    """Return the state of a game from the catalogue and lists in memory. Snapshot and syncs are None."""
    return CatalogueState(services.library.catalogue(game), services.library.lists(game), None, None, None)


@blueprint.route("/metrics")
@blueprint.response(200, {"type": "string"}, content_type="text/plain", description="Prometheus text format.")
def get_metrics() -> Response:
    """Get the metrics. With a separate address for operations, only there."""
    if not _is_for_operators():
        raise NotFound(phrase("The metrics are on the address for operations only."))
    here = services()
    return Response(here.metrics.exposition(_current_state(here)), content_type=MEDIA_TYPE)


def _current_state(services: Services) -> Iterator[Metric]:
    """Yield all gauges for /metrics. If the card database fails, they lack the jobs, the workers and the syncs."""
    workers: int | None
    try:
        states, jobs, workers = (
            list(catalogue_states(services.library)),
            services.jobs.counts(),
            _count_workers(services),
        )
    except CardDataError:
        states = [_state_in_memory(services, game) for game in GAMES]
        jobs, workers = {}, None
    yield gauges.build_info()
    yield from gauges.catalogue_gauges(states)
    yield from gauges.list_gauges(states)
    yield gauges.job_gauge(jobs)
    yield gauges.worker_gauge(workers)
    yield from gauges.cache_gauges(services.judges.cache_sizes() | services.remembered.cache_size())
    yield from gauges.pool_gauges(services.library.store().database.connection_counts())
    yield from gauges.process_metrics(services.metrics.process)
