"""Metrics: counters of requests, verdicts and batches, in the text format of Prometheus."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

from api.service.judges import VerdictKind
from api.service.ndjson import BlockAnswer
from api.service.request_log import METHODS
from api.service.settings import SHARED_COUNTERS
from validator.judge import Verdict

MEDIA_TYPE = CONTENT_TYPE_LATEST
RefusalReason: TypeAlias = Literal["busy", "rate_limit", "slow_body", "too_large"]
disable_created_metrics()  # the time of the first count of each series, which nothing here reads
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class _CurrentState:
    """A collector for prometheus_client that returns metrics which were computed for one request to /metrics."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        """Read all `metrics` into a list."""
        self._metrics = list(metrics)

    def collect(self) -> Iterable[Metric]:
        """Return the metrics, as prometheus_client demands of a collector."""
        return self._metrics


def verdict_kind(verdict: Verdict) -> VerdictKind:
    """Return `(ruleset id, is legal)` of a verdict: its labels in the metrics."""
    return verdict.judge.terms.ruleset.id, verdict.legal


class Metrics:
    """The counters of one application for Prometheus. Values of labels are never texts that clients sent.

    `process` is the pid of the process that loaded the application.
    """

    def __init__(self) -> None:
        """Register all counters and histograms."""
        self.process = os.getpid()  # loads the application; the processes that serve requests are its forks
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
        fast_path = Counter(
            "deckproof_fast_path", "Requests answered without Flask.", ["path"], registry=self._registry
        )
        refused = Counter("deckproof_requests_refused", "Requests refused.", ["reason"], registry=self._registry)
        self._refused = {reason: refused.labels(reason) for reason in get_args(RefusalReason)}
        self._collected: list[VerdictKind] | None = None
        # Finding a counter by its labels costs more than counting.
        self._request = lru_cache(1024)(self._requests.labels)
        self._verdict = lru_cache(1024)(self._verdicts.labels)
        self._fast_path = lru_cache(64)(fast_path.labels)

    def count_request(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request and its `seconds`. `path` is the pattern of its route, never the path that the client sent.

        Unknown methods are counted as "other".
        """
        self._request(method if method in METHODS else "other", path, status).observe(seconds)

    def count_fast_path(self, path: str) -> None:
        """Count a request that was answered without Flask. `path` is the pattern of its route."""
        self._fast_path(path).inc()

    def count_refusal(self, reason: RefusalReason) -> None:
        """Count a request that was refused before its content was parsed, by the reason."""
        self._refused[reason].inc()

    def count_verdict(self, verdict: Verdict) -> None:
        """Count a verdict by its ruleset and whether the deck is legal."""
        self.count_verdicts(verdict_kind(verdict))

    def count_verdicts(self, kind: VerdictKind, decks: int = 1) -> None:
        """Count `decks` verdicts of one kind: a ruleset id, and whether the decks are legal.

        After `collect_verdicts` they are added to its list instead.
        """
        if self._collected is None:
            self._verdict(*kind).inc(decks)
        else:
            self._collected += [kind] * decks

    def count_block(self, block: BlockAnswer) -> None:
        """Count the verdicts and the answered lines of a block of a batch. Cached answers are counted separately.

        Lines with an error count as lines only.
        """
        for kind, decks in block.counts.items():
            if kind is not None:
                self.count_verdicts(kind, decks)
        self._lines.labels(False).inc(block.counts.total() - block.remembered)
        self._lines.labels(True).inc(block.remembered)

    def collect_verdicts(self) -> list[VerdictKind]:
        """Return a new list to which all later verdicts are added, in place of counting them.

        For a child process, which sends the list to its parent. The parent counts the verdicts.
        """
        self._collected = []
        return self._collected

    def exposition(self, current_state: Iterable[Metric]) -> bytes:
        """Return the metrics as text for Prometheus: the counters and the gauges in `current_state`.

        The counters are those of all worker processes if the environment names a shared folder, else of this process.
        """
        registry = self._registry
        if SHARED_COUNTERS in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)
        state = CollectorRegistry()
        state.register(_CurrentState(current_state))
        return generate_latest(registry) + generate_latest(state)
