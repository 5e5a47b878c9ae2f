"""Summaries for chat: a verdict short enough for one chat message. A finding is never cut in the middle.

Called by the writer of verdicts and by the assistant.
"""

from __future__ import annotations

from collections.abc import Iterator

from validator.account import group_findings, headline
from validator.findings import ERROR, Finding
from validator.judge import Verdict
from validator.language import ENGLISH, Language
from validator.words import cite_for_people

LONGEST = 1900  # of the 2,000 that Discord takes, so that the sender can add something


def summarise_verdict(verdict: Verdict, translate: Language = ENGLISH) -> str:
    """Return a verdict as text of at most LONGEST (1,900) characters: result, findings, last a line with the terms.

    Probable common causes (diagnoses) follow the result if they leave half of the room. Findings are merged as for
    people. A finding that does not fit loses its fix, then has only its code and rule. If that does not fit either,
    "and N more findings" stands for it and all later ones.
    """
    account, terms = group_findings(verdict, translate), _terms_line(verdict)
    texts = [headline(verdict, translate), *(diagnosis.message for diagnosis in account.diagnoses)]
    head = "\n".join(texts if _chat_length("\n".join((*texts, terms))) < LONGEST // 2 else texts[:1])
    lines: list[str] = []
    for number, finding in enumerate(account.findings, 1):
        left = len(account.findings) - number
        texts = [head, *lines, *([_more_findings(left, translate)] if left else []), terms, ""]
        room = LONGEST - _chat_length("\n".join(texts))
        finding_text = next(
            (text for text in _finding_texts(finding, number, translate) if _chat_length(text) <= room), None
        )
        if finding_text is None:
            lines.append(_more_findings(left + 1, translate))
            break
        lines.append(finding_text)
    return "\n".join([head, *lines, terms])


def _finding_texts(finding: Finding, number: int, translate: Language) -> Iterator[str]:
    """Yield three texts of a finding, the longest first: message, rule and fix, or message and rule, or code and rule.

    Each begins with `number`, the place of the finding in the list from 1. In the first two, "Warning: " is before the
    message of a finding that is no error.
    """
    message = finding.kind.message(finding, translate)
    rule = ", ".join(cite_for_people(finding, translate))
    text = message if finding.severity == ERROR else translate("Warning: {message}", message=message)
    fix = finding.kind.fix(finding, translate)
    yield f"{number}. {text}\n    {translate('Rule')}: {rule}\n    {translate('Fix')}: {fix}"
    yield f"{number}. {text}\n    {translate('Rule')}: {rule}"
    yield f"{number}. {finding.code}\n    {translate('Rule')}: {rule}"


def _more_findings(count: int, translate: Language) -> str:
    """Return "and N more findings" in a language, for the `count` findings that do not fit."""
    return translate.plural("and {count} more finding", "and {count} more findings", count)


def _terms_line(verdict: Verdict) -> str:
    """Return a line with the ruleset id, day, format, region and deck hash of a verdict. It is not translated.

    "best of N" is added if the terms have the length of a match, and "(provisional)" for data from second-hand sources.
    """
    made_with = verdict.judge.made_with
    match = f", best of {made_with['best_of']}" if "best_of" in made_with else ""
    terms = f"{made_with['on']}, {made_with['format']}, {made_with['region']}{match}"
    mark = " (provisional)" if verdict.judge.provisional else ""
    return f"{made_with['ruleset']['id']}{mark}, {terms}; {verdict.deck_hash}"


def _chat_length(text: str) -> int:
    """Return the length of a text in UTF-16 units, as chats count it.

    A character beyond U+FFFF (emoji) counts as two.
    """
    return len(text.encode("utf-16-le")) // 2
