"""Verdicts as answers: whole as JSON text, by a fast writer, and as a short text for chats.

`Verdict.as_dict` in the validator returns the same JSON. `tests/api/service/test_verdict_answers.py` compares both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from weakref import WeakKeyDictionary

import orjson

from validator.account import group_findings, headline
from validator.cards import Card
from validator.deck import SECTIONS, card_fingerprint, hash_sections
from validator.findings import ERROR, Finding
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language
from validator.words import cite_for_people

LONGEST_SUMMARY = 1900  # of the 2,000 that Discord takes, so that the sender can add something


class _CardLines(dict[tuple[Card, int], tuple[str, bytes]]):
    """A cache of `(fingerprint, JSON)` of a deck's line, by `(card, copies)`. Many decks have the same lines.

    The fingerprint is the part of the text that the deck's hash is made of. The JSON has number, name and count.
    """

    def __missing__(self, key: tuple[Card, int]) -> tuple[str, bytes]:
        """Return the fingerprint and the JSON of a card with its copies, and cache both.

        A full cache (65,536 entries) is cleared first.
        """
        if len(self) >= _MOST_CARD_LINES:
            self.clear()
        card, copies = key
        line = orjson.dumps({"number": card.number, "name": card.name, "count": copies})
        found = self[key] = card_fingerprint(card, copies), line
        return found


_MOST_CARD_LINES = 1 << 16  # some 20 MB
_card_line = _CardLines().__getitem__
_TERMS_JSON: WeakKeyDictionary[Judge, bytes] = WeakKeyDictionary()  # each verdict of a Judge has the same


def verdict_bytes(
    verdict: Verdict, explain: bool = False, translate: Language = ENGLISH, in_short: bool = False
) -> bytes:
    """Return a verdict as JSON text, with the entries of `Verdict.as_dict` but faster, with sentences in a language.

    `explain` adds the entry `checked` with every checked rule. `in_short` adds `summary`, a text for chats. The part
    about the terms is cached by Judge, and the lines of the deck by card and copies.
    """
    judge, facts = verdict.judge, verdict.facts
    fingerprints: list[tuple[str, Iterable[str]]] = []
    deck: list[bytes] = []
    for section in facts.used:
        if cards := facts.known_cards(section):
            card_fingerprints, lines = zip(*map(_card_line, cards.items()), strict=True)
            fingerprints.append((section, card_fingerprints))
            deck.append(b",".join(lines))
        else:
            fingerprints.append((section, facts.fingerprints(section)))
            deck.append(orjson.dumps(verdict.section(section))[1:-1])
    shown: Mapping[str, object] = verdict.reasons(own=False, translate=translate)
    if explain:
        shown = {**shown, "checked": verdict.checked(translate)}
    if in_short:
        shown = {**shown, "summary": summarise_verdict(verdict, translate)}
    return b"".join((
        b'{"legal":true,' if verdict.legal else b'{"legal":false,',
        _TERMS_JSON.get(judge) or _TERMS_JSON.setdefault(judge, orjson.dumps(judge.made_with)[1:-1]),
        b',"counts":', orjson.dumps(facts.sizes),
        b',"deck_hash":"', hash_sections(judge.catalogue.game, fingerprints).encode(), b'",',
        orjson.dumps(shown)[1:-1],
        _deck_template(facts.used) % tuple(deck),
    ))  # fmt: skip


@lru_cache(maxsize=1 << len(SECTIONS))
def _deck_template(used: tuple[str, ...]) -> bytes:
    """Return the end of a verdict's JSON text, from the comma before `deck` to the last brace, as a template.

    It has a `%b` for the lines of each section in `used`. Other sections are empty lists. The result is cached.
    """
    sections = [f'"{section}":[{"%b" if section in used else ""}]' for section in SECTIONS]
    return b',"deck":{%b}}' % ",".join(sections).encode()


def summarise_verdict(verdict: Verdict, translate: Language = ENGLISH) -> str:
    """Return a verdict as text of at most LONGEST_SUMMARY characters: result, findings, last a line with the terms.

    Probable common causes (diagnoses) follow the result if they leave half of the room. Findings are merged as for
    people. A finding that does not fit loses its fix, then has only its code and rule. If that does not fit either,
    "and N more findings" stands for it and all later ones.
    """
    account, terms = group_findings(verdict, translate), _terms_line(verdict)
    texts = [headline(verdict, translate), *(diagnosis.message for diagnosis in account.diagnoses)]
    head = "\n".join(texts if _chat_length("\n".join((*texts, terms))) < LONGEST_SUMMARY // 2 else texts[:1])
    lines: list[str] = []
    for number, finding in enumerate(account.findings, 1):
        left = len(account.findings) - number
        texts = [head, *lines, *([_more_findings(left, translate)] if left else []), terms, ""]
        room = LONGEST_SUMMARY - _chat_length("\n".join(texts))
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
