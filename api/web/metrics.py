"""Metrics: what operators watch, in the text form that Prometheus reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from api.service.catalogues import CatalogueState
from api.service.judges import VerdictKind
from api.service.ndjson import BlockAnswer
from api.service.settings import SHARED_COUNTERS
from api.web.edge.caches import Cache, caches
from carddb.sync.log import OK
from validator.judge import Verdict

MEDIA_TYPE = CONTENT_TYPE_LATEST
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_Sample = tuple[Sequence[str], float | None]  # its labels, and what there is to say
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


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


class _Gauges:
    """Gauges as they stand when somebody looks."""

    def __init__(self, *gauges: Iterable[GaugeMetricFamily]) -> None:
        self._gauges = list(chain(*gauges))

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Return the gauges."""
        return self._gauges


def _gauge(name: str, says: str, labels: Sequence[str], samples: Iterable[_Sample]) -> GaugeMetricFamily:
    """Return a gauge with the samples of which there is something to say."""
    gauge = GaugeMetricFamily(name, says, labels=labels)
    for of, value in samples:
        if value is not None:
            gauge.add_metric(of, value)
    return gauge


def _standing(states: Sequence[CatalogueState], jobs: Mapping[str, int]) -> Iterator[GaugeMetricFamily]:
    """Yield what is to be said of the catalogues, their syncs and the jobs."""
    sizes = ((one.catalogue.game, one.catalogue.snapshot, len(one.catalogue)) for one in states)
    samples = (([game, snapshot], size) for game, snapshot, size in sizes)
    yield _gauge("deckproof_catalogue_cards", "Cards in the catalogue.", ["game", "snapshot"], samples)
    for name, (says, value) in _BY_GAME.items():
        yield _gauge(name, says, ["game"], [([one.catalogue.game], value(one)) for one in states])
    counts = (([status], count) for status, count in jobs.items())
    yield _gauge("deckproof_jobs", "Jobs that are kept.", ["status"], counts)


def _remembered(kept: Sequence[Cache]) -> Iterator[GaugeMetricFamily]:
    """Yield how much each cache of this process holds, and how much it may."""
    entries = (([one.name], one.entries) for one in kept)
    yield _gauge("deckproof_cache_entries", "Results that this process keeps.", ["cache"], entries)
    most = (([one.name], one.most) for one in kept)
    yield _gauge("deckproof_cache_entries_max", "As many are kept at most.", ["cache"], most)


def verdict_kind(verdict: Verdict) -> VerdictKind:
    """Return what is counted of a verdict."""
    return verdict.judge.terms.ruleset.id, verdict.legal


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
        self._lines = Counter(
            "deckproof_batch_lines", "Lines of batches answered.", ["remembered"], registry=self._registry
        )
        self._noted: list[VerdictKind] | None = None
        # Finding a counter by its labels costs more than counting.
        self._request = lru_cache(1024)(self._requests.labels)
        self._verdict = lru_cache(1024)(self._verdicts.labels)

    def answered(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request; `path` is the route, not what a client made of it."""
        self._request(method if method in _METHODS else "other", path, status).observe(seconds)

    def judged(self, verdict: Verdict) -> None:
        """Count a verdict."""
        self.count(verdict_kind(verdict))

    def count(self, one: VerdictKind, decks: int = 1) -> None:
        """Count verdicts of which no more is known."""
        if self._noted is None:
            self._verdict(*one).inc(decks)
        else:
            self._noted += [one] * decks

    def answered_block(self, block: BlockAnswer) -> None:
        """Count the verdicts and the lines of a part of a batch."""
        for kind, decks in block.counts.items():
            if kind is not None:
                self.count(kind, decks)
        self._lines.labels(False).inc(block.counts.total() - block.remembered)
        self._lines.labels(True).inc(block.remembered)

    def noted(self) -> list[VerdictKind]:
        """Count no verdicts any more, but note them in the list that is returned: for a process whose parent counts."""
        self._noted = []
        return self._noted

    def exposition(self, states: Sequence[CatalogueState], jobs: Mapping[str, int], owners: Iterable[object]) -> bytes:
        """Return everything counted, by all worker processes where they share a folder.

        What is remembered is this process's own: in the caches of its modules, and of their owners.
        """
        registry = self._registry
        if SHARED_COUNTERS in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)
        gauges = CollectorRegistry()
        gauges.register(_Gauges(_standing(states, jobs), _remembered(list(caches(self, *owners)))))
        return generate_latest(registry) + generate_latest(gauges)
