"""Summaries for chat: a verdict short enough for one chat message. A finding is never cut in the middle.

Called by the writer of verdicts and by the assistant.
"""

from __future__ import annotations

from collections.abc import Iterator

from validator.account import group_findings, headline
from validator.findings import ERROR, Finding
from validator.judge import Verdict
from validator.language import ENGLISH, Language

LONGEST = 1900  # of the 2,000 that Discord takes, so that the sender can add something


def summary(verdict: Verdict, say: Language = ENGLISH) -> str:
    """Return a verdict as text of at most LONGEST characters, with as many whole findings as fit.

    A finding that does not fit is shortened to its code and its rule. The number of findings left out is added.
    """
    account, terms = group_findings(verdict, say), _terms_line(verdict)
    texts = [headline(verdict, say), *(diagnosis.message for diagnosis in account.diagnoses)]
    head = "\n".join(texts if _chat_length("\n".join((*texts, terms))) < LONGEST // 2 else texts[:1])
    lines: list[str] = []
    for number, finding in enumerate(account.findings, 1):
        left = len(account.findings) - number
        texts = [head, *lines, *([_more_findings(left, say)] if left else []), terms, ""]
        room = LONGEST - _chat_length("\n".join(texts))
        finding_text = next((text for text in _finding_texts(finding, number, say) if _chat_length(text) <= room), None)
        if finding_text is None:
            lines.append(_more_findings(left + 1, say))
            break
        lines.append(finding_text)
    return "\n".join([head, *lines, terms])


def _finding_texts(finding: Finding, number: int, say: Language) -> Iterator[str]:
    """Yield the text of a finding, the longest one first."""
    message, rule = finding.kind.message(finding, say), f"{finding.rule.document}, {finding.rule.section}"
    text = message if finding.severity == ERROR else say("Warning: {message}", message=message)
    yield f"{number}. {text}\n    {say('Rule')}: {rule}\n    {say('Fix')}: {finding.kind.fix(finding, say)}"
    yield f"{number}. {text}\n    {say('Rule')}: {rule}"
    yield f"{number}. {finding.code}\n    {say('Rule')}: {rule}"


def _more_findings(count: int, say: Language) -> str:
    """Return the sentence about findings that do not fit."""
    return say.plural("and {count} more finding", "and {count} more findings", count)


def _terms_line(verdict: Verdict) -> str:
    """Return the ruleset, the terms and the deck hash of a verdict in one line."""
    made_with = verdict.judge.made_with
    match = f", best of {made_with['best_of']}" if "best_of" in made_with else ""
    terms = f"{made_with['on']}, {made_with['format']}, {made_with['region']}{match}"
    return f"{made_with['ruleset']['id']}, {terms}; {verdict.deck_hash}"


def _chat_length(text: str) -> int:
    """Return the length of a text as chats count it. A character beyond the first plane counts as two."""
    return len(text.encode("utf-16-le")) // 2
