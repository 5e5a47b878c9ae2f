"""A fast writer of whole verdicts as JSON text.

`Verdict.as_dict` in the validator returns the same JSON. `tests/api/service/test_verdict_answers.py` compares both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from weakref import WeakKeyDictionary

import orjson

from api.service.answers.chat_summary import summarise_verdict
from validator.cards import Card
from validator.deck import SECTIONS, card_fingerprint, hash_sections
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language


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
