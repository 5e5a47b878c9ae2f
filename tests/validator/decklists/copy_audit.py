"""The audit of a reading: are all copies that a text lists in the deck as understood, or reported?"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache

from tests.validator.decklists.drawn_decks import catalogue
from tests.validator.decklists.written_lists import Copies, WrittenList
from validator import Judge, Terms, decklists
from validator.cards import Card
from validator.deck import Unread
from validator.judge import Verdict
from validator.matching import fold_text
from validator.rulesets import of_game

_DAY = date(2026, 11, 20)
Held = Counter[tuple[str, str]]  # copies by section and card: its number, or its folded name if that is all there is


@cache
def _judge(game: str) -> Judge:
    return Judge(Terms(of_game(game, _DAY), _DAY), catalogue(game))


def audit(written: WrittenList) -> list[str]:
    """Return what is wrong with the reading of a list, a sentence each; [] if no copy is lost silently."""
    parsed = decklists.parse(written.text, written.game, catalogue(written.game))
    verdict = _judge(written.game)(parsed.deck)
    faults = [*_unreported_lines(verdict)]
    if written.decks > 1:
        return faults + _several_faults(written, verdict)
    faults += _copy_faults(written, written.copies, verdict)
    faults += _total_faults(written, verdict)
    return faults


def _unreported_lines(verdict: Verdict) -> Iterator[str]:
    """Yield the lines that no reader understood and no finding names."""
    named = {finding.line for finding in verdict.findings}
    for finding in verdict.findings:
        named.update(more["line"] for more in (finding.details or {}).get("more", ()))
    for line in verdict.facts.deck.unread:
        if line.at not in named:
            yield f"line {line.at} is unread and no finding names it: {line.text[:80]!r}"


def _copy_faults(written: WrittenList, copies: Sequence[Copies], verdict: Verdict) -> list[str]:
    left = list(copies)
    faults = _take_unknown(left, verdict)
    reported = [one for one in left if _is_reported(one, left, verdict)]
    listed = _held((one for one in left if not one.is_aside), written.game)
    understood, maybe = _understood(verdict), _held(reported, written.game)
    if "section.supposed" in verdict.codes:
        listed, understood, maybe = map(_without_sections, (listed, understood, maybe))
    for card in understood.keys() | listed.keys():
        have, want = understood[card], listed[card]
        if have > want:
            faults.append(f"{have} of {card}, and the text has {want}")
        is_one_each = have > 0 and "table.no_counts" in verdict.codes
        if want - have > maybe[card] and not is_one_each:
            faults.append(f"{want - have} of {want} {card} are lost without a finding")
    for one in left:
        if one.is_aside and one not in reported:
            faults.append(f"{one.count} {one.number or one.name} on line {one.line} are aside without a finding")
    faults += _twice(left, verdict)
    return faults


def _is_reported(one: Copies, copies: Sequence[Copies], verdict: Verdict) -> bool:
    """Return True if a finding reports these copies. A text of which nothing is understood is reported as a whole."""
    deck = verdict.facts.deck
    if not any(deck.lines()):
        return any(line.may_be_card for line in deck.unread)
    is_unread = any(_is_about(line, one, copies) for line in deck.unread if not line.section)
    return is_unread or _is_in_unknown(verdict, one)


def _without_sections(held: Held) -> Held:
    cards: Held = Counter()
    for (_, card), count in held.items():
        cards["", card] += count
    return cards


def _understood(verdict: Verdict) -> Held:
    held: Held = Counter()
    for section, lines in verdict.facts.resolved_lines.items():
        for line, card in lines:
            if card is not None:
                held[section, card.number] += line.count
    return held


def _take_unknown(left: list[Copies], verdict: Verdict) -> list[str]:
    """Take out the copies whose card is unknown or ambiguous: a finding names each. Return what the text lacks."""
    faults = []
    for section, lines in verdict.facts.resolved_lines.items():
        for line, card in lines:
            if card is None and not _take(left, section, line.written, line.at, line.count):
                faults.append(f"{line.count} of the unknown {line.written!r} in {section}: not in the text")
    return faults


def _take(left: list[Copies], section: str, written: str, at: int | None, count: int) -> bool:
    """Take copies out of those in the text, of the card that is written or on the line."""
    same = [
        one
        for one in left
        if _plain(one.name) in _plain(written)
        or _plain(written) in _plain(one.name)
        or (one.number and _plain(one.number) in _plain(written))
    ]
    same.sort(key=lambda one: (one.line != at, one.section != section, one.count < count, one.count))
    for one in same:
        taken = min(one.count, count)
        at_place = left.index(one)
        left[at_place : at_place + 1] = [one._replace(count=one.count - taken)] if one.count > taken else []
        count -= taken
        if not count:
            return True
    return False


def _held(copies: Iterator[Copies] | Sequence[Copies], game: str) -> Held:
    held: Held = Counter()
    for one in copies:
        held[one.section, _card(one, game)] += one.count
    return held


def _card(one: Copies, game: str) -> str:
    """Return the number of a card, or its name if that is all that is written and several cards have it."""
    if one.number:
        card = catalogue(game).by_number(one.number)
        return card.number if isinstance(card, Card) else one.number
    named = catalogue(game).by_name(one.name)
    return named[0].number if len(named) == 1 else fold_text(one.name)


def _is_about(line: Unread, one: Copies, copies: Sequence[Copies]) -> bool:
    """Return True if an unread line has these copies in it; a line of several cards may be unread in part."""
    if one.line and line.at != one.line:
        return False
    alone = one.line and sum(other.line == one.line for other in copies) == 1
    text = _plain(line.text)
    return bool(alone or (one.number and _plain(one.number) in text) or _plain(one.name) in text)


def _is_in_unknown(verdict: Verdict, one: Copies) -> bool:
    """Return True if a card that a finding names as unknown has these copies in its name."""
    lost = (line for lines in verdict.facts.resolved_lines.values() for line, card in lines if card is None)
    return any(one.line in (0, line.at) and _plain(one.name) in _plain(line.written) for line in lost)


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, text))


def _twice(copies: Sequence[Copies], verdict: Verdict) -> Iterator[str]:
    """Yield the lines of one card that are in the deck and unread at once."""
    on_line = Counter(one.line for one in copies)
    deck = verdict.facts.deck
    read = {line.at for _, line in deck.lines()}
    for line in deck.unread:
        if line.at in read and on_line[line.at] == 1 and not line.section:
            yield f"line {line.at} is in the deck and unread: {line.text[:80]!r}"


def _total_faults(written: WrittenList, verdict: Verdict) -> Iterator[str]:
    """Yield that a total is contradicted although it is right, or not contradicted although it is wrong."""
    is_told = "list.total" in verdict.codes
    if is_told and written.total != "wrong":
        yield "list.total, and no total is wrong"
    if written.total == "wrong" and not is_told:
        yield "no list.total, and the stated total is wrong"


def _several_faults(written: WrittenList, verdict: Verdict) -> list[str]:
    """Return what is wrong with a text of several decks: they are reported, and those understood are whole."""
    if not {"list.several", "leader.count"} & set(verdict.codes):
        return ["several decks, and no list.several"]
    faults = []
    for deck in (*range(written.decks), None):
        copies = [one for one in written.copies if deck is None or one.deck == deck]
        faults = _copy_faults(written, copies, verdict)
        if not faults:
            return []
    return [f"several decks, and what is understood is none of them: {faults[0]}"]
