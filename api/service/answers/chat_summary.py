"""Summaries for chat: a verdict in so few characters that a chat takes it, whole finding by whole finding."""

from __future__ import annotations

from collections.abc import Iterator

from validator.account import group_findings, headline
from validator.findings import ERROR, Finding
from validator.judge import Verdict
from validator.language import ENGLISH, Language

LONGEST = 1900  # of the 2,000 that Discord takes, so that the sender can add something


def summary(verdict: Verdict, say: Language = ENGLISH) -> str:
    """Return a verdict in at most LONGEST characters, with as many whole findings as fit.

    A finding that is too long by itself is shortened to its code and its rule.
    """
    account, terms = group_findings(verdict, say), _terms(verdict)
    texts = [headline(verdict, say), *(diagnosis.message for diagnosis in account.diagnoses)]
    head = "\n".join(texts if _size("\n".join((*texts, terms))) < LONGEST // 2 else texts[:1])
    lines: list[str] = []
    for number, finding in enumerate(account.findings, 1):
        left = len(account.findings) - number
        texts = [head, *lines, *([_more(left, say)] if left else []), terms, ""]
        room = LONGEST - _size("\n".join(texts))
        shortened = next((text for text in _variants(finding, number, say) if _size(text) <= room), None)
        if shortened is None:
            lines.append(_more(left + 1, say))
            break
        lines.append(shortened)
    return "\n".join([head, *lines, terms])


def _variants(finding: Finding, number: int, say: Language) -> Iterator[str]:
    """Yield the text of a finding, and shorter ones."""
    message, rule = finding.kind.message(finding, say), f"{finding.rule.document}, {finding.rule.section}"
    text = message if finding.severity == ERROR else say("Warning: {message}", message=message)
    yield f"{number}. {text}\n    {say('Rule')}: {rule}\n    {say('Fix')}: {finding.kind.fix(finding, say)}"
    yield f"{number}. {text}\n    {say('Rule')}: {rule}"
    yield f"{number}. {finding.code}\n    {say('Rule')}: {rule}"


def _more(count: int, say: Language) -> str:
    return say.plural("and {count} more finding", "and {count} more findings", count)


def _terms(verdict: Verdict) -> str:
    made_with = verdict.judge.made_with
    match = f", best of {made_with['best_of']}" if "best_of" in made_with else ""
    where = f"{made_with['on']}, {made_with['format']}, {made_with['region']}{match}"
    return f"{made_with['ruleset']['id']}, {where}; {verdict.deck_hash}"


def _size(text: str) -> int:
    """Return the characters of a text as chats count them: those beyond the first plane are two."""
    return len(text.encode("utf-16-le")) // 2
