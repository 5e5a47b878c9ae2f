"""Summaries for chat: a verdict in so few characters that a chat takes it, whole finding by whole finding."""

from __future__ import annotations

from collections.abc import Iterator

from validator.account import group_findings, headline
from validator.findings import ERROR, Finding
from validator.judge import Verdict
from validator.language import ENGLISH, Language

LONGEST = 1900  # of the 2,000 that Discord takes, so that whoever sends it may add something


def summary(of: Verdict, say: Language = ENGLISH) -> str:
    """Return a verdict in at most LONGEST characters: as many findings as fit, none of them in parts.

    One that is too long by itself is said by its code and its rule.
    """
    told, terms = group_findings(of, say), _terms(of)
    texts = [headline(of, say), *(diagnosis.message for diagnosis in told.diagnoses)]
    head = "\n".join(texts if _size("\n".join((*texts, terms))) < LONGEST // 2 else texts[:1])
    kept: list[str] = []
    for at, finding in enumerate(told.findings, 1):
        left = len(told.findings) - at
        texts = [head, *kept, *([_more(left, say)] if left else []), terms, ""]
        room = LONGEST - _size("\n".join(texts))
        written = next((text for text in _ways(finding, at, say) if _size(text) <= room), None)
        if written is None:
            kept.append(_more(left + 1, say))
            break
        kept.append(written)
    return "\n".join([head, *kept, terms])


def _ways(finding: Finding, at: int, say: Language) -> Iterator[str]:
    """Yield a finding as it is said, and in fewer characters."""
    message, rule = finding.kind.message(finding, say), f"{finding.rule.document}, {finding.rule.section}"
    said = message if finding.severity == ERROR else say("Warning: {message}", message=message)
    yield f"{at}. {said}\n    {say('Rule')}: {rule}\n    {say('Fix')}: {finding.kind.fix(finding, say)}"
    yield f"{at}. {said}\n    {say('Rule')}: {rule}"
    yield f"{at}. {finding.code}\n    {say('Rule')}: {rule}"


def _more(count: int, say: Language) -> str:
    return say.plural("and {count} more finding", "and {count} more findings", count)


def _terms(of: Verdict) -> str:
    judged = of.judge.made_with
    match = f", best of {judged['best_of']}" if "best_of" in judged else ""
    where = f"{judged['on']}, {judged['format']}, {judged['region']}{match}"
    return f"{judged['ruleset']['id']}, {where}; {of.deck_hash}"


def _size(text: str) -> int:
    """Return the characters of a text as chats count them: those beyond the first plane are two."""
    return len(text.encode("utf-16-le")) // 2
