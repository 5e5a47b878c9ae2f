"""Differences: of which cards two Judges may say different things, and whether a verdict is still what a Judge says."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from operator import attrgetter

from validator.cards import Card, Catalogue
from validator.judge import Judge
from validator.rules import Rule
from validator.rulesets.ruleset import stated

_FACTS = attrgetter(*(one.name for one in fields(Card)))
_CODE = ".py"
_SIZE = 12  # bytes of a fingerprint
# The sentence of a rule; and what the rule on copies knows of the official list, which goes by numbers.
_WORDS = ("says", "restricted")
_Listed = Mapping[str, Mapping[str, object]]


def fingerprint(judge: Judge) -> str:
    """Return a text that two Judges share if they find the same codes of the same cards in every deck."""
    told = [version(_CODE), judge.catalogue.snapshot]
    for name, numbers in _by_number(judge).items():
        told += [name, *sorted(f"{number}\t{said}" for number, said in numbers.items())]
    told += map(repr, _others(judge))
    return _digest("\n".join(told).encode())


def numbers_between(before: Judge, after: Judge) -> frozenset[str] | None:
    """Return the numbers of the cards of which two Judges may find other things, None where it may be any card.

    That is of decks whose lines are all spelled as the second one's catalogue spells them, and have no names.
    """
    if _others(before) != _others(after):
        return None
    was, now = _by_number(before), _by_number(after)
    said = {name: (was.get(name) or {}, now.get(name) or {}) for name in was.keys() | now.keys()}
    changed = {
        number for old, new in said.values() for number in old.keys() | new.keys() if old.get(number) != new.get(number)
    }
    return frozenset(changed | _numbers_changed(before.catalogue, after.catalogue))


def _others(judge: Judge) -> list[tuple[type, object]]:
    """Return what the rules that do not go by single numbers demand, wherever that is written."""
    return [_demanded(rule) for rule in judge.rules if rule.scope().listed is None]


def _demanded(rule: Rule) -> tuple[type, object]:
    kind, values = stated(rule)
    return kind, [one for one in values.items() if one[0] not in _WORDS]


def _by_number(judge: Judge) -> _Listed:
    """Return the entries of dated lists about the cards of the catalogue, by rule and number."""
    found = {}
    for rule in judge.rules:
        if listed := rule.scope().listed:
            entries = ((card.number, listed(card)) for card in judge.catalogue)
            found[rule.name] = {number: entry for number, entry in entries if entry is not None}
    return found


def _numbers_changed(before: Catalogue, after: Catalogue) -> set[str]:
    """Return the numbers of the cards that are in one catalogue alone, or have other facts or spellings there."""
    if before is after:
        return set()
    both = before.index.keys() | after.index.keys()
    pairs = ((before.index.get(spelling), after.index.get(spelling)) for spelling in both)
    return {card.number for old, new in pairs if _told(old) != _told(new) for card in (old, new) if card}


def _told(card: Card | None) -> object:
    return card and _FACTS(card)


@lru_cache(maxsize=2)  # it is asked of all of them, and of the code alone
def version(*suffixes: str) -> str:
    """Return a fingerprint of the files that decide, those of rules and lists too, or of those with some suffixes."""
    found = _files(resources.files("validator"), suffixes or (_CODE, ".toml"))
    return _digest(b"".join(file.read_bytes() for file in found))


def _files(folder: Traversable, suffixes: tuple[str, ...]) -> list[Traversable]:
    within = sorted(folder.iterdir(), key=lambda one: one.name)
    own = [one for one in within if one.name.endswith(suffixes)]
    return own + [file for one in within if one.is_dir() for file in _files(one, suffixes)]


def _digest(told: bytes) -> str:
    return hashlib.blake2b(told, digest_size=_SIZE).hexdigest()
