"""Serializers: the public JSON of verdicts, cards, rulesets, limits lists, decks as they were read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import starmap
from typing import Any

import orjson

from validator import limits, names, unresolved
from validator.cards import Card, Catalogue
from validator.deck import SECTIONS, Deck
from validator.decklists.format import Format
from validator.findings import Citation, NamedCard
from validator.judge import Verdict
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
_OF_ENTRY = ("severity", "note", "bounds")


def facts(of: object, names: Iterable[str]) -> dict[str, Any]:
    """Return some facts of anything, by their names."""
    return {name: getattr(of, name) for name in names}


def card(of: Card) -> dict[str, Any]:
    """Return the public form of a card."""
    clauses = [clause.as_dict() | {"text": said(clause)} for clause in of.construction]
    return facts(of, _OF_CARD) | {"construction": clauses}


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
    for one in played.rules.values() if "side" in played.sections else ():
        if isinstance(one, Size) and one.section == "side":
            choices["side_max"] = one.maximum if "side" in of.sections else 0
        if isinstance(one, CopyLimit):
            choices["copies_across_side"] = one.across
    if of.swap and not of.swap.one_for_one:
        choices["swap_one_for_one"] = default.swap_one_for_one
    return choices | facts(default, ("release_delay_days", "release", "limits"))


def limits_list(game: str, on: date, region: str) -> dict[str, Any]:
    """Return the list in force on a day; a ValueError names the known regions."""
    whole = limits.load(game)
    listed = whole.on(on, region)
    return {
        "game": game,
        "region": region,
        "on": on,
        "title": listed.title,
        "effective_from": listed.effective_from,
        "known_to": whole.known_to,
        "cards": [_limit(one) for one in listed.singles.values()],
        "pairs": [_pair(one) for one in listed.pairs],
        "sources": listed.sources,
        "rotation": _rotation(limits.rotation(game), on),
    }


def _limit(of: Limit) -> dict[str, Any]:
    return facts(of, _OF_LIMIT + _OF_ENTRY) | of.entry.as_dict()


def _pair(of: PairBan) -> dict[str, Any]:
    cards = [{"number": number, "name": name} for number, name in zip(of.numbers, of.names, strict=True)]
    return {"cards": cards} | facts(of, _OF_ENTRY) | of.entry.as_dict()


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
    """Yield a finding for each line that could not be read, the first with suggestions, or names another card."""
    for at, line in enumerate(of.unread):
        near = catalogue.suggest(line.text) if catalogue is not None and at < MOST_SUGGESTED else ()
        finding = replace(unresolved.unread(line), suggestions=tuple(map(NamedCard.of, near)))
        yield {**finding.as_dict(say=say), "text": line.text, "reason": say.of(line.reason)}
    for finding in names.of(catalogue).mismatches(of.used()) if catalogue is not None else ():
        told = finding.as_dict(say=say)
        yield {**told, "text": finding.details["written"], "reason": told["message"]}


_EMPTY: dict[str, object] = {section: [] for section in SECTIONS}


# The same cards come with every deck; some 10 MB.
@lru_cache(maxsize=1 << 16)
def _card_line(card: Card, copies: int) -> bytes:
    return orjson.dumps({"number": card.number, "name": card.name, "count": copies})


def written(verdict: Verdict, explain: bool = False, say: Language = ENGLISH) -> bytes:
    """Return a verdict as the JSON of its public form (`Verdict.as_dict`), quicker than by way of it."""
    shown = verdict.as_dict(explain, own=False, say=say)
    shown["deck"] = deck = _EMPTY.copy()
    for section, _ in verdict.facts.used:
        deck[section] = _section(verdict, section)
    return orjson.dumps(shown)


def _section(verdict: Verdict, section: str) -> orjson.Fragment | list[dict[str, object]]:
    cards = verdict.facts.alone.get(section)
    if cards is None:
        return verdict.section(section)
    return orjson.Fragment(b"[%b]" % b",".join(starmap(_card_line, cards.items())))
