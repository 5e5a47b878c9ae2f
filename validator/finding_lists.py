"""Finding lists: the findings of one answer, so that a hostile list does not get many times its own size back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from validator.bounds import MOST_SINGLE
from validator.findings import ERROR, Finding, merge_findings
from validator.unresolved import LINE_UNREAD, merge_unread


def limit_findings(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Return the findings of an answer. If a code has more than MOST_SINGLE findings, the later ones are merged.

    Findings of a code with `together` are merged by their reasons. They lose their suggestions, and `cards` has every
    card. Findings on unread lines are merged into one whose `details` have every line.
    """
    if len(findings) <= MOST_SINGLE:
        return findings
    counts: Counter[str] = Counter()
    single: list[Finding] = []
    later: list[Finding] = []
    unread: list[Finding] = []
    for finding in findings:
        counts[finding.code] += 1
        if counts[finding.code] <= MOST_SINGLE:
            single.append(finding)
        elif finding.kind is LINE_UNREAD and finding.severity == ERROR:
            unread.append(finding)
        elif finding.kind.together is not None:
            later.append(replace(finding, suggestions=None if finding.suggestions is None else ()))
        else:
            single.append(finding)
    return [*single, *merge_findings(later), *([merge_unread(unread)] if unread else [])]
