"""Serializers: the public JSON of verdicts, cards, rulesets, limits lists, decks as they were read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import orjson

from api.service.answers.chat_summary import summary
from carddb import foreign_names
from validator import limits, names, unresolved
from validator.cards import Card, Catalogue
from validator.deck import SECTIONS, Deck, Unread, fingerprint, hashed
from validator.decklists.format import Format
from validator.finding_lists import bounded
from validator.findings import Citation, Finding, NamedCard
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language
from validator.limits import Limit, PairBan, Rotation
from validator.paraphrase import said
from validator.rules import KINDS, Policy, Rule
from validator.rules.copies import CopyLimit
from validator.rules.size import Size
from validator.rulesets import Ruleset

MOST_SUGGESTED = 20  # lines of one list; looking for likeness is slow
_KIND_OF = {kind: word for word, kind in KINDS.items()}


# The facts of a card and of a ruleset that are public as they are.
_OF_CARD = (
    *("game", "number", "name", "back_name", "type", "colors", "cost", "life", "power", "traits", "characters"),
    *("keywords", "text", "back_text", "rarity", "set", "block", "released", "printings", "unknown"),
)
_OF_RULESET = ("id", "title", "game", "in_force_from", "note", "inherits", "superseded_by", "sections", "formats")
_OF_LIMIT = ("number", "name", "limit")
_OF_ENTRY = ("severity", "note", "bounds", "confidence")


def facts(of: object, names: Iterable[str]) -> dict[str, Any]:
    """Return some facts of anything, by their names."""
    return {name: getattr(of, name) for name in names}


def card(of: Card) -> dict[str, Any]:
    """Return the public form of a card."""
    clauses = [clause.as_dict() | {"text": said(clause)} for clause in of.construction]
    return facts(of, _OF_CARD) | {"names": foreign_names.of(of), "construction": clauses}


def ruleset(of: Ruleset) -> dict[str, Any]:
    """Return what a ruleset is, without its rules."""
    return facts(of, _OF_RULESET) | {"policy": policy(of)}


def whole_ruleset(of: Ruleset) -> dict[str, Any]:
    """Return a ruleset with every rule, its values and its citation."""
    return ruleset(of) | {
        "document": of.document,
        "rules": [rule(one) for one in of.rules.values()],
        "with_side_deck": [rule(one) for one in of.with_side_deck.values()],
        "opening": opening(of),
    }


def opening(of: Ruleset, say: Language = ENGLISH) -> list[dict[str, Any]]:
    """Return what a ruleset says of how a game begins, each statement with its place."""
    found = of.opening.facts() if of.opening else ()
    return [{"fact": name, "says": say.template(fact.says), **fact.cite.as_dict()} for name, fact in found]


def rule(of: Rule) -> dict[str, Any]:
    """Return one rule: its name and kind, what it says, its values, and where it is written."""
    return {
        "name": of.name,
        "kind": _KIND_OF[type(of)],
        "says": of.says,
        "parameters": {key: _value(value) for key, value in of.parameters().items()},
        "rule": of.cite.as_dict(),
    }


def _value(value: object) -> object:
    return value.as_dict() if isinstance(value, Citation) else value


def policy(of: Ruleset) -> dict[str, Any]:
    """Return what an organiser may decide under a ruleset, with what holds where nobody does."""
    default = Policy()
    choices: dict[str, Any] = {}
    played = of.having_side_deck()
    has_side = "side" in of.sections or of.match_side_deck is not None
    for one in of.rules.values():
        if isinstance(one, Size) and one.section == "main":
            choices |= {"main_min": one.minimum, "main_max": one.maximum}
    for one in played.rules.values() if "side" in played.sections else ():
        if isinstance(one, Size) and one.section == "side":
            choices["side_max"] = one.maximum if has_side else 0
        if isinstance(one, CopyLimit):
            choices["copies_across_side"] = one.across
    if of.swap and not of.swap.one_for_one:
        choices["swap_one_for_one"] = default.swap_one_for_one
    return choices | facts(default, ("copies", "release_delay_days", "release", "limits"))


def limits_list(game: str, on: date, region: str, best_of: int | None = None) -> dict[str, Any]:
    """Return the list in force on a day, in matches of `best_of` games; a ValueError names the known regions."""
    whole = limits.load(game)
    listed = whole.on(on, region, best_of)
    return {
        "game": game,
        "region": region,
        "on": on,
        "title": listed.title,
        "effective_from": listed.effective_from,
        "known_to": whole.known_to,
        "note": listed.note or None,
        "cards": [_limit(one) for one in listed.singles.values()],
        "pairs": [_pair(one) for one in listed.pairs],
        "sources": listed.sources,
        "rotation": _rotation(limits.rotation(game), on),
    }


def _limit(of: Limit) -> dict[str, Any]:
    return of.entry.as_dict() | facts(of, _OF_LIMIT + _OF_ENTRY)


def _pair(of: PairBan) -> dict[str, Any]:
    cards = [{"number": number, "name": name} for number, name in zip(of.numbers, of.names, strict=True)]
    return {"cards": cards, "group": of.group or None} | of.entry.as_dict() | facts(of, _OF_ENTRY)


def _rotation(of: Rotation | None, on: date) -> dict[str, Any] | None:
    blocks = None if of is None else of.allowed(of.rotates, on)
    if of is None or blocks is None:
        return None
    return {"format": of.rotates, "blocks": sorted(blocks), "source": of.source}


def deck(of: Deck) -> dict[str, list[dict[str, Any]]]:
    """Return a deck as it was written, in the form in which requests carry it."""
    return {section: [facts(line, ("number", "name", "count")) for line in of.section(section)] for section in SECTIONS}


def list_format(of: Format) -> dict[str, Any]:
    """Return what a format of decklists is: what it looks like, what it can carry, and whether it is written."""
    return {"name": of.name, "title": of.title, "sections": of.carries, "written": of.write is not None}


def unread(of: Deck, catalogue: Catalogue | None, say: Language = ENGLISH) -> Iterator[Mapping[str, Any]]:
    """Yield the findings of the lines that could not be read and of those that name another card.

    The first have suggestions. Very many lines that could not be read are merged into one finding at the end.
    """
    findings = [_unread_line(line, catalogue if at < MOST_SUGGESTED else None) for at, line in enumerate(of.unread)]
    lines = {id(finding): line for finding, line in zip(findings, of.unread, strict=True)}
    for finding in bounded(findings):
        line = lines.get(id(finding))
        text, reason = (line.text, line.reason) if line else (finding.details["text"], finding.details["reason"])
        yield {**finding.as_dict(say=say), "text": text, "reason": say.of(reason)}
    for finding in names.of(catalogue).mismatches(of.used()) if catalogue is not None else ():
        told = finding.as_dict(say=say)
        yield {**told, "text": finding.details["written"], "reason": told["message"]}


def _unread_line(line: Unread, catalogue: Catalogue | None) -> Finding:
    near = catalogue.suggest(line.text) if catalogue is not None else ()
    return replace(unresolved.unread(line), suggestions=tuple(map(NamedCard.of, near)))


class _Written(dict[tuple[Card, int], tuple[str, bytes]]):
    """Each card with its copies, as the fingerprint of a deck has it and as its verdict: each comes with many decks."""

    def __missing__(self, held: tuple[Card, int]) -> tuple[str, bytes]:
        if len(self) >= _MOST_WRITTEN:
            self.clear()
        card, copies = held
        line = orjson.dumps({"number": card.number, "name": card.name, "count": copies})
        found = self[held] = fingerprint(card, copies), line
        return found


_MOST_WRITTEN = 1 << 16  # some 20 MB
_written = _Written().__getitem__
_MADE_WITH: WeakKeyDictionary[Judge, bytes] = WeakKeyDictionary()  # the same with every verdict of a Judge


def written(verdict: Verdict, explain: bool = False, say: Language = ENGLISH, in_short: bool = False) -> bytes:
    """Return a verdict as the JSON of its public form (`Verdict.as_dict`), quicker than by way of it."""
    judge, facts = verdict.judge, verdict.facts
    told: list[tuple[str, Iterable[str]]] = []
    deck: list[bytes] = []
    for section in facts.used:
        if cards := facts.alone(section):
            named, lines = zip(*map(_written, cards.items()), strict=True)
            told.append((section, named))
            deck.append(b",".join(lines))
        else:
            told.append((section, facts.fingerprints(section)))
            deck.append(orjson.dumps(verdict.section(section))[1:-1])
    shown = verdict.reasons(own=False, say=say)
    if explain:
        shown["checked"] = verdict.checked(say)
    if in_short:
        shown["summary"] = summary(verdict, say)
    return b"".join((
        b'{"legal":true,' if verdict.legal else b'{"legal":false,',
        _MADE_WITH.get(judge) or _MADE_WITH.setdefault(judge, orjson.dumps(judge.made_with)[1:-1]),
        b',"counts":', orjson.dumps(facts.sizes),
        b',"deck_hash":"', hashed(judge.catalogue.game, told).encode(), b'",',
        orjson.dumps(shown)[1:-1],
        _deck(facts.used) % tuple(deck),
    ))  # fmt: skip


@lru_cache(maxsize=1 << len(SECTIONS))
def _deck(used: tuple[str, ...]) -> bytes:
    """Return the deck at the end of a verdict, with a place for the lines of each section that holds any."""
    sections = [f'"{section}":[{"%b" if section in used else ""}]' for section in SECTIONS]
    return b',"deck":{%b}}' % ",".join(sections).encode()
