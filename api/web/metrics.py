"""Metrics: what operators watch, in the text form that Prometheus reads."""

from __future__ import annotations

import os
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client import CollectorRegistry
from prometheus_client import Counter
from prometheus_client import Histogram
from prometheus_client import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from api.service.catalogues import CatalogueState
from api.service.settings import SHARED_COUNTERS
from api.web.caches import caches
from carddb.sync.log import OK
from validator.judge import Verdict

MEDIA_TYPE = CONTENT_TYPE_LATEST
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class _Looked:
    """The catalogues, their syncs and the jobs, as they are when somebody looks."""

    def __init__(self, states: Iterable[CatalogueState], jobs: Mapping[str, int]) -> None:
        self._states = list(states)
        self._jobs = jobs

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges, with a sample for each game and status of which there is something to say."""
        found = GaugeMetricFamily("deckproof_catalogue_cards", "Cards in the catalogue.", labels=["game", "snapshot"])
        for one in self._states:
            found.add_metric([one.catalogue.game, one.catalogue.snapshot], len(one.catalogue))
        yield found
        for name, (says, value) in _BY_GAME.items():
            gauge = GaugeMetricFamily(name, says, labels=["game"])
            for one in self._states:
                if (said := value(one)) is not None:
                    gauge.add_metric([one.catalogue.game], said)
            yield gauge
        jobs = GaugeMetricFamily("deckproof_jobs", "Jobs that are kept.", labels=["status"])
        for status, count in self._jobs.items():
            jobs.add_metric([status], count)
        yield jobs


class _Remembered:
    """The caches of this process, as they are when somebody looks."""

    def __init__(self, owners: Iterable[object]) -> None:
        self._owners = owners

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield how much each cache of the process holds, and how much it may."""
        entries = GaugeMetricFamily("deckproof_cache_entries", "Results that this process keeps.", labels=["cache"])
        most = GaugeMetricFamily("deckproof_cache_entries_max", "As many are kept at most.", labels=["cache"])
        for one in caches(*self._owners):
            entries.add_metric([one.name], one.entries)
            if one.most is not None:
                most.add_metric([one.name], one.most)
        yield entries
        yield most


_BY_GAME: dict[str, tuple[str, Callable[[CatalogueState], float | None]]] = {
    "deckproof_catalogue_age_seconds": (
        "Time since the catalogue was made, or since a sync found that it still holds.",
        lambda one: one.age,
    ),
    "deckproof_sync_timestamp_seconds": (
        "When the last sync was begun.",
        lambda one: one.last_sync.begun.timestamp() if one.last_sync else None,
    ),
    "deckproof_sync_success": (
        "1 where the cards of the last sync are used, 0 where it failed, was refused or still runs.",
        lambda one: float(one.last_sync.result == OK) if one.last_sync else None,
    ),
    "deckproof_sync_last_success_timestamp_seconds": (
        "When the last sync was begun whose cards were used.",
        lambda one: one.last_good.begun.timestamp() if one.last_good else None,
    ),
}


class Judged(NamedTuple):
    """What is counted of a verdict."""

    ruleset: str
    legal: bool

    @classmethod
    def of(cls, verdict: Verdict) -> Judged:
        """Return what is counted of this verdict."""
        return cls(verdict.judge.terms.ruleset.id, verdict.legal)


class Metrics:
    """The counters of one application."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Histogram(
            "deckproof_request_seconds",
            "Time to answer a request.",
            ["method", "path", "status"],
            registry=self._registry,
            buckets=_SECONDS,
        )
        self._verdicts = Counter("deckproof_verdicts", "Decks judged.", ["ruleset", "legal"], registry=self._registry)

        self._noted: list[Judged] | None = None
        # Finding a counter by its labels costs more than counting.
        self._request = lru_cache(1024)(self._requests.labels)
        self._verdict = lru_cache(1024)(self._verdicts.labels)

    def answered(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request; `path` is the route, not what a client made of it."""
        self._request(method if method in _METHODS else "other", path, status).observe(seconds)

    def judged(self, verdict: Verdict) -> None:
        """Count a verdict."""
        self.count(Judged.of(verdict))

    def count(self, one: Judged) -> None:
        """Count a verdict of which no more is known."""
        if self._noted is None:
            self._verdict(*one).inc()
        else:
            self._noted.append(one)

    def noted(self) -> list[Judged]:
        """Count no verdicts any more, but note them in the list that is returned: for a process whose parent counts."""
        self._noted = []
        return self._noted

    def exposition(self, states: Iterable[CatalogueState], jobs: Mapping[str, int], owners: Iterable[object]) -> bytes:
        """Return everything counted, by all worker processes where they share a folder.

        What is remembered is this process's own: in the caches of its modules, and of their owners.
        """
        registry = self._registry
        if SHARED_COUNTERS in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)
        looked = CollectorRegistry()
        looked.register(_Looked(states, jobs))
        looked.register(_Remembered([self, *owners]))
        return generate_latest(registry) + generate_latest(looked)
