"""Metrics: what operators watch, in the text form that Prometheus reads."""

from __future__ import annotations

import os
from collections.abc import Iterable
from collections.abc import Iterator
from functools import lru_cache

from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client import CollectorRegistry
from prometheus_client import Counter
from prometheus_client import Histogram
from prometheus_client import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from api.config import SHARED_COUNTERS
from validator.cards import Catalogue
from validator.judge import Verdict

MEDIA_TYPE = CONTENT_TYPE_LATEST
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class _Catalogues:
    """How many cards each catalogue has, asked when somebody looks."""

    def __init__(self, catalogues: Iterable[Catalogue]) -> None:
        self._catalogues = catalogues

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield one gauge with a sample for each game."""
        found = GaugeMetricFamily("deckproof_catalogue_cards", "Cards in the catalogue.", labels=["game", "snapshot"])
        for catalogue in self._catalogues:
            found.add_metric([catalogue.game, catalogue.snapshot], len(catalogue))
        yield found


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

        # Finding a counter by its labels costs more than counting.
        self._request = lru_cache(1024)(self._requests.labels)
        self._verdict = lru_cache(1024)(self._verdicts.labels)

    def answered(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request; `path` is the route, not what a client made of it."""
        self._request(method if method in _METHODS else "other", path, status).observe(seconds)

    def judged(self, verdict: Verdict) -> None:
        """Count a verdict."""
        self._verdict(verdict.judge.terms.ruleset.id, verdict.legal).inc()

    def exposition(self, catalogues: Iterable[Catalogue]) -> bytes:
        """Return everything counted, by all worker processes where they share a folder."""
        registry = self._registry
        if SHARED_COUNTERS in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)
        looked = CollectorRegistry()
        looked.register(_Catalogues(catalogues))
        return generate_latest(registry) + generate_latest(looked)
