"""Verdict labels: what is counted of a verdict."""

from __future__ import annotations

from typing import NamedTuple

from validator.judge import Verdict


class VerdictLabels(NamedTuple):
    """What is counted of a verdict."""

    ruleset: str
    legal: bool

    @classmethod
    def of(cls, verdict: Verdict) -> VerdictLabels:
        """Return what is counted of this verdict."""
        return cls(verdict.judge.terms.ruleset.id, verdict.legal)
