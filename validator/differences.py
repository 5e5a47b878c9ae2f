"""Differences: the cards on which two Judges may disagree, and fingerprints of a Judge's decisions."""

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
from validator.rulesets.ruleset import statement_values

_FACTS = attrgetter(*(fact.name for fact in fields(Card)))
_CODE = ".py"
_SIZE = 12  # bytes of a fingerprint
# Values that are ignored: the sentence, and the official list's limits in the rule on copies.
_WORDS = ("says", "restricted")
_Listed = Mapping[str, Mapping[str, object]]


def fingerprint(judge: Judge) -> str:
    """Return a text that is equal for two Judges only if they make the same findings in every deck.

    It is a hash of the code, the catalogue's snapshot, the rules, and the entries of dated lists.
    """
    parts = [version(_CODE), judge.catalogue.snapshot]
    for name, numbers in _entries_by_number(judge).items():
        parts += [name, *sorted(f"{number}\t{entry}" for number, entry in numbers.items())]
    parts += map(repr, _unlisted_rules(judge))
    return _hash_bytes("\n".join(parts).encode())


def numbers_between(before: Judge, after: Judge) -> frozenset[str] | None:
    """Return the numbers of the cards on which two Judges may disagree, None if it may be any card.

    These are cards with other entries on dated lists, or with other facts. It is any card if another rule differs. The
    result is valid for decks whose lines are spelled as in the second one's catalogue, without names.
    """
    if _unlisted_rules(before) != _unlisted_rules(after):
        return None
    old_entries, new_entries = _entries_by_number(before), _entries_by_number(after)
    entries = {
        name: (old_entries.get(name) or {}, new_entries.get(name) or {})
        for name in old_entries.keys() | new_entries.keys()
    }
    changed = {
        number
        for old, new in entries.values()
        for number in old.keys() | new.keys()
        if old.get(number) != new.get(number)
    }
    return frozenset(changed | _numbers_changed(before.catalogue, after.catalogue))


def _unlisted_rules(judge: Judge) -> list[tuple[type, object]]:
    """Return `(class, values)`, as `_comparable_rule` does, of each rule that is no dated list of card numbers."""
    return [_comparable_rule(rule) for rule in judge.rules if rule.scope().listed is None]


def _comparable_rule(rule: Rule) -> tuple[type, object]:
    """Return `(class, values)` of a rule, for comparison.

    The values lack the sentence, the citation, and the official list's limits on copies.
    """
    kind, values = statement_values(rule)
    return kind, [pair for pair in values.items() if pair[0] not in _WORDS]


def _entries_by_number(judge: Judge) -> _Listed:
    """Return the entries of each dated list, by the name of its rule and then by the number of a card of the catalogue.

    Cards without an entry are left out.
    """
    found = {}
    for rule in judge.rules:
        if listed := rule.scope().listed:
            entries = ((card.number, listed(card)) for card in judge.catalogue)
            found[rule.name] = {number: entry for number, entry in entries if entry is not None}
    return found


def _numbers_changed(before: Catalogue, after: Catalogue) -> set[str]:
    """Return the numbers of the cards that are in only one catalogue, or have other facts or spellings.

    The result is empty for the same object twice.
    """
    if before is after:
        return set()
    both = before.index.keys() | after.index.keys()
    pairs = ((before.index.get(spelling), after.index.get(spelling)) for spelling in both)
    return {card.number for old, new in pairs if _card_facts(old) != _card_facts(new) for card in (old, new) if card}


def _card_facts(card: Card | None) -> object:
    """Return all facts of a card as a tuple that can be compared, None for None."""
    return card and _FACTS(card)


@lru_cache(maxsize=2)  # for all files, and for the code only
def version(*suffixes: str) -> str:
    """Return a fingerprint of the contents of the files in the package validator whose names end in these suffixes.

    Without suffixes these are all files of code, rules and lists (.py and .toml). The result is cached.
    """
    found = _find_files(resources.files("validator"), suffixes or (_CODE, ".toml"))
    return _hash_bytes(b"".join(file.read_bytes() for file in found))


def _find_files(folder: Traversable, suffixes: tuple[str, ...]) -> list[Traversable]:
    """Return all files of a folder and its subfolders whose names end in one of the suffixes. Each folder is sorted."""
    children = sorted(folder.iterdir(), key=lambda file: file.name)
    matching = [file for file in children if file.name.endswith(suffixes)]
    return matching + [inner for file in children if file.is_dir() for inner in _find_files(file, suffixes)]


def _hash_bytes(content: bytes) -> str:
    """Return the hash of bytes, as 24 hexadecimal digits."""
    return hashlib.blake2b(content, digest_size=_SIZE).hexdigest()
