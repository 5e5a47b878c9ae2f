"""Gauges: metrics of the current state, read when /metrics is requested. Used by health."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time
from functools import partial
from importlib import metadata
from pathlib import Path

from prometheus_client import ProcessCollector
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from api.service.catalogues import CatalogueState
from carddb.database import ConnectionCounts
from carddb.sync.log import OK

_Sample = tuple[Sequence[str], float | None]  # label values and value; None leaves the sample out

_BY_GAME: Mapping[str, tuple[str, Callable[[CatalogueState], float | None]]] = {
    "deckproof_catalogue_age_seconds": (
        "Time since the catalogue was made, or since a sync found no change; of cards that ship, since their day.",
        lambda state: state.age,
    ),
    "deckproof_sync_timestamp_seconds": (
        "Start of the last sync.",
        lambda state: state.last_sync.begun.timestamp() if state.last_sync else None,
    ),
    "deckproof_sync_success": (
        "1 if the cards of the last sync are used, 0 if it failed, was refused or is running.",
        lambda state: float(state.last_sync.result == OK) if state.last_sync else None,
    ),
    "deckproof_sync_last_success_timestamp_seconds": (
        "Start of the last sync whose cards were used.",
        lambda state: state.last_good.begun.timestamp() if state.last_good else None,
    ),
}


def build_info() -> Metric:
    """Return a gauge that is always 1, with the versions of deckproof and Python as labels."""
    labels = [metadata.version("deckproof"), platform.python_version()]
    return _gauge("deckproof_build_info", "Version of deckproof and Python.", ["version", "python"], [(labels, 1)])


def catalogue_gauges(states: Sequence[CatalogueState]) -> Iterator[Metric]:
    """Yield gauges by game: the number of cards, the age of the catalogue, and the times and success of its last syncs.

    A game without a sync has no sample for these.
    """
    cards = [([state.catalogue.game, state.catalogue.snapshot], len(state.catalogue)) for state in states]
    yield _gauge("deckproof_catalogue_cards", "Cards in the catalogue.", ["game", "snapshot"], cards)
    for name, (description, value) in _BY_GAME.items():
        yield _gauge(name, description, ["game"], [([state.catalogue.game], value(state)) for state in states])


def list_gauges(states: Sequence[CatalogueState]) -> Iterator[Metric]:
    """Yield three gauges by game about the official limits lists.

    The first is the last day whose announcements are known, as a timestamp (no sample if it is not known). The second
    has the id of the lists as a label. The third is 1 if the current lists cannot be used, else 0.
    """
    known = [([state.lists.game], _timestamp(state.lists.listed.known_to)) for state in states]
    help_text = "Beginning of the last day whose announcements are in the limits list."
    yield _gauge("deckproof_limits_known_to_timestamp_seconds", help_text, ["game"], known)
    used = [([state.lists.game, state.lists.id], 1.0) for state in states]
    yield _gauge("deckproof_limits_lists_info", "Official lists in use.", ["game", "list"], used)
    unusable = [([state.lists.game], float(state.unusable_lists is not None)) for state in states]
    yield _gauge("deckproof_limits_unusable", "1 if the current lists cannot be used.", ["game"], unusable)


def _timestamp(day: date | None) -> float | None:
    """Return the beginning of a day in UTC as a timestamp, None for None."""
    return datetime.combine(day, time.min, UTC).timestamp() if day else None


def job_gauge(jobs: Mapping[str, int]) -> Metric:
    """Return a gauge of the number of stored jobs by status."""
    counts = [([status], count) for status, count in jobs.items()]
    return _gauge("deckproof_jobs", "Stored jobs.", ["status"], counts)


def worker_gauge(workers: int | None) -> Metric:
    """Return a gauge of the number of running job workers on all machines. None: a gauge without a value."""
    return _gauge("deckproof_workers", "Running job workers, on all machines.", [], [([], workers)])


def cache_gauges(sizes: Mapping[str, tuple[int, int]]) -> Iterator[Metric]:
    """Yield two gauges by cache of this process: its entries and its limit. `sizes` has `(entries, limit)` by name."""
    entries = [([name], size) for name, (size, _) in sizes.items()]
    yield _gauge("deckproof_cache_entries", "Entries of a cache of the answering process.", ["cache"], entries)
    limits = [([name], limit) for name, (_, limit) in sizes.items()]
    yield _gauge("deckproof_cache_entries_max", "Most entries that the cache holds.", ["cache"], limits)


def pool_gauges(pool: ConnectionCounts) -> Iterator[Metric]:
    """Yield two gauges of the database connections of this process: the open and used ones, and the limit."""
    counts = [(["open"], pool.open), (["in_use"], pool.in_use)]
    help_text = "Database connections of the answering process."
    yield _gauge("deckproof_database_connections", help_text, ["state"], counts)
    yield _gauge("deckproof_database_connections_max", "Most connections of a process.", [], [([], pool.most)])


def process_metrics(server: int) -> list[Metric]:
    """Return memory, processor time, descriptors and start time of each process of a server, by pid and role.

    `server` is the pid of the process that loaded the application. Roles are "server", "web" (its forks, which serve
    requests) and "jobs" (the job worker that it started). Empty if the system has no /proc.
    """
    families: dict[str, Metric] = {}
    for pid, role in _roles(server).items():
        for metric in ProcessCollector("deckproof", pid=partial(int, pid), registry=None).collect():
            family = families.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
            for sample in metric.samples:
                family.add_sample(sample.name, {"pid": str(pid), "role": role}, sample.value)
    return list(families.values())


def _roles(server: int) -> dict[int, str]:
    """Return the role of each process of a server, by pid. `server` is the pid of its first process.

    Roles: "server" is that process, "web" are its children. A child with another session is the job worker, "jobs".
    Only direct children are found.
    """
    roles = {server: "server"}
    for children in Path(f"/proc/{server}/task").glob("*/children"):
        with suppress(OSError):  # a process or thread may end at any time
            for pid in map(int, children.read_text().split()):
                roles[pid] = "web" if os.getsid(pid) == os.getsid(server) else "jobs"
    return roles


def _gauge(name: str, description: str, labels: Sequence[str], samples: Iterable[_Sample]) -> Metric:
    """Return a gauge with its samples `(label values, value)`. Samples with the value None are left out."""
    gauge = GaugeMetricFamily(name, description, labels=labels)
    for label_values, value in samples:
        if value is not None:
            gauge.add_metric(label_values, value)
    return gauge
