"""Serializers: the public JSON of what is no verdict: cards, rulesets, limits lists, decks as they were read."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from validator import limits
from validator import unresolved
from validator.cards import Card
from validator.cards import Catalogue
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.decklists.format import Format
from validator.findings import Citation
from validator.findings import Copies as Named
from validator.limits import Limit
from validator.limits import PairBan
from validator.limits import Rotation
from validator.rules import KINDS
from validator.rules import Policy
from validator.rules import Rule
from validator.rules.copies import Copies
from validator.rules.size import Size
from validator.rulesets import Ruleset

MOST_SUGGESTED = 20  # lines of one list; looking for likeness is slow
_KIND_OF = {kind: word for word, kind in KINDS.items()}


def card(of: Card) -> dict[str, Any]:
    """Return the public form of a card (CONTRACT "A card")."""
    return {
        "game": of.game,
        "number": of.number,
        "name": of.name,
        "back_name": of.back_name,
        "type": of.type,
        "colors": of.colors,
        "cost": of.cost,
        "power": of.power,
        "traits": of.traits,
        "characters": of.characters,
        "keywords": of.keywords,
        "text": of.text,
        "back_text": of.back_text,
        "rarity": of.rarity,
        "set": of.set,
        "block": of.block,
        "released": of.released,
        "printings": of.printings,
        "construction": [clause.as_dict() for clause in of.construction],
        "unknown": of.unknown,
    }


def ruleset(of: Ruleset) -> dict[str, Any]:
    """Return what a ruleset is, without its rules."""
    return {
        "id": of.id,
        "title": of.title,
        "game": of.game,
        "in_force_from": of.in_force_from,
        "note": of.note,
        "inherits": of.inherits,
        "superseded_by": of.superseded_by,
        "sections": of.sections,
        "formats": of.formats,
        "policy": policy(of),
    }


def whole_ruleset(of: Ruleset) -> dict[str, Any]:
    """Return a ruleset with every rule, its values and its citation."""
    return ruleset(of) | {
        "document": of.document,
        "rules": [rule(one) for one in of.rules.values()],
        "with_side_deck": [rule(one) for one in of.with_side_deck.values()],
    }


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
    found: dict[str, Any] = {}
    played = of.having_side_deck()
    for one in played.rules.values() if "side" in played.sections else ():
        if isinstance(one, Size) and one.section == "side":
            found["side_max"] = one.maximum if "side" in of.sections else 0
        if isinstance(one, Copies):
            found["copies_across_side"] = one.across
    if of.swap and not of.swap.one_for_one:
        found["swap_one_for_one"] = default.swap_one_for_one
    return found | {name: getattr(default, name) for name in ("release_delay_days", "release", "limits")}


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
    return {
        "number": of.number,
        "name": of.name,
        "limit": of.limit,
        "severity": of.severity,
        "note": of.note,
        "bounds": of.bounds,
        **of.entry.as_dict(),
    }


def _pair(of: PairBan) -> dict[str, Any]:
    cards = [{"number": of.a, "name": of.a_name}, {"number": of.b, "name": of.b_name}]
    return {
        "cards": cards,
        "severity": of.severity,
        "note": of.note,
        "bounds": of.bounds,
        **of.entry.as_dict(),
    }


def _rotation(of: Rotation | None, on: date) -> dict[str, Any] | None:
    blocks = None if of is None else of.allowed(of.rotates, on)
    if of is None or blocks is None:
        return None
    return {"format": of.rotates, "blocks": sorted(blocks), "source": of.source}


def deck(of: Deck) -> dict[str, list[dict[str, Any]]]:
    """Return a deck as it was written, in the form in which requests carry it."""
    return {
        section: [{"number": line.number, "name": line.name, "count": line.count} for line in of.section(section)]
        for section in SECTIONS
    }


def list_format(of: Format) -> dict[str, Any]:
    """Return what a format of decklists is: what it looks like, what it can carry, and whether it is written."""
    return {"name": of.name, "title": of.title, "sections": of.carries, "written": of.write is not None}


def unread(of: Deck, catalogue: Catalogue | None) -> Iterator[Mapping[str, Any]]:
    """Yield a finding for each line of a decklist that could not be read, the first with suggestions."""
    for at, line in enumerate(of.unread):
        near = catalogue.suggest(line.text) if catalogue is not None and at < MOST_SUGGESTED else ()
        finding = replace(unresolved.unread(line), suggestions=tuple(map(Named.of, near)))
        yield {**finding.as_dict(), "text": line.text, "reason": line.reason}
