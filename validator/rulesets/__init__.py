"""The rule manuals as data: one TOML file an edition; editions inherit by name and override by rule name.

A file has `id`, `game`, `title` and, where they apply, `document` (what citations call it, default the
title), `inherits`, `from` (the first day it is in force), `superseded_by`, `formats`, `drop` (inherited
rules that no longer hold), `swap` (where it stands what swapping with the side deck may change: `section`
and, if another, `document`; `one_for_one` is false where only the deck's own sizes bind), and a table
`rules.NAME` for each rule: its `kind`, the sentence it `says`, the `section` of the document where that
stands, and the values of the kind.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Any
from typing import NamedTuple

from validator.deck import SECTIONS
from validator.findings import Citation
from validator.rules import KINDS
from validator.rules import Rule
from validator.rules.size import Sections
from validator.rules.types import Types


class RulesetError(ValueError):
    """A ruleset file is wrong; the message says where and how to mend it."""


class Swap(NamedTuple):
    """What an edition says of swapping with the side deck: where, and whether cards are swapped one for one."""

    cite: Citation
    one_for_one: bool


@dataclass(frozen=True)
class Ruleset:
    """One edition of a game's rules, ready to be compiled into a Judge."""

    id: str
    game: str
    title: str
    document: str
    rules: Mapping[str, Rule]
    in_force_from: date | None
    inherits: str | None
    superseded_by: str | None
    formats: tuple[str, ...]
    swap: Swap | None

    @property
    def types(self) -> dict[str, tuple[str, ...]]:
        """The card types that each section takes."""
        return {rule.section: rule.types for rule in self.rules.values() if isinstance(rule, Types)}

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that decks of this edition have."""
        return next(rule.sections for rule in self.rules.values() if isinstance(rule, Sections))


_EDITION = frozenset(
    ("id", "game", "title", "document", "inherits", "from", "superseded_by", "formats", "drop", "swap", "rules")
)
_RULE = {"kind", "says", "section", "document"}
_SWAP = {"section", "document", "one_for_one"}


@cache
def rulesets() -> Mapping[str, Ruleset]:
    """Return every ruleset that ships, by id, sorted."""
    folder = resources.files("validator.rulesets")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return compiled([tomllib.loads(file.read_text("utf-8")) for file in files])


def compiled(editions: Iterable[Mapping[str, Any]]) -> Mapping[str, Ruleset]:
    """Check edition documents and return their rulesets by id; a RulesetError says what to mend."""
    sources: dict[str, Mapping[str, Any]] = {}
    for source in editions:
        name = str(source.get("id", "a ruleset without an id"))
        _check_edition(name, source)
        if name in sources:
            raise RulesetError(f"{name}: two files have this id; rename one")
        sources[name] = source
    return {name: _ruleset(name, sources, ()) for name in sorted(sources)}


def of_game(game: str, on: date) -> Ruleset:
    """Return the ruleset of a game that is in force on a day (the first one on days before it).

    A ValueError names the games there are.
    """
    known = [one for one in rulesets().values() if one.game == game and one.superseded_by is None]
    if not known:
        raise ValueError(f"unknown game {game!r}; the games are {', '.join(games())}")
    known.sort(key=lambda one: one.in_force_from or date.min)
    past = [one for one in known if (one.in_force_from or date.min) <= on]
    return (past or known[:1])[-1]


def games() -> tuple[str, ...]:
    """Return the games that have rulesets."""
    return tuple(sorted({one.game for one in rulesets().values()}))


def _check_edition(name: str, source: Mapping[str, Any]) -> None:
    if unknown := set(source) - _EDITION:
        raise RulesetError(f"{name}: unknown entry {_listed(unknown)}; a ruleset file has {_listed(_EDITION)}")
    for key in ("id", "game", "title"):
        if not isinstance(source.get(key), str):
            raise RulesetError(f"{name}: write its {key} as a text")
    if not isinstance(source.get("from"), date | None):
        raise RulesetError(f"{name}: write `from` as a date, such as 2019-01-25")


def _ruleset(name: str, sources: Mapping[str, Mapping[str, Any]], heirs: tuple[str, ...]) -> Ruleset:
    source = sources[name]
    parent = _parent(name, sources, heirs)
    rules = _rules(name, source, parent)
    ruleset = Ruleset(
        id=name,
        game=source["game"],
        title=source["title"],
        document=source.get("document", source["title"]),
        rules=rules,
        in_force_from=source.get("from"),
        inherits=source.get("inherits"),
        superseded_by=source.get("superseded_by"),
        formats=tuple(source.get("formats", parent.formats if parent else ("standard",))),
        swap=_swap(name, source) or (parent.swap if parent else None),
    )
    _check_whole(ruleset, sources)
    return ruleset


def _parent(name: str, sources: Mapping[str, Mapping[str, Any]], heirs: tuple[str, ...]) -> Ruleset | None:
    inherited = sources[name].get("inherits")
    if inherited is None:
        return None
    if inherited not in sources:
        raise RulesetError(f"{name}: it inherits {inherited!r}, which does not exist; there are {_listed(sources)}")
    if inherited in (*heirs, name):
        raise RulesetError(f"{name}: it inherits itself by way of {inherited}; break the circle")
    return _ruleset(inherited, sources, (*heirs, name))


def _swap(name: str, source: Mapping[str, Any]) -> Swap | None:
    entry = source.get("swap")
    if entry is None:
        return None
    if (
        not isinstance(entry, Mapping)
        or set(entry) - {"section", "document", "one_for_one"}
        or not entry.get("section")
    ):
        raise RulesetError(
            f"{name}, swap: write `section`, where it stands, if another its `document`, and `one_for_one`"
        )
    cite = Citation(entry.get("document", source.get("document", source["title"])), entry["section"])
    return Swap(cite, _value(f"{name}, swap, one_for_one", entry.get("one_for_one", True), "bool"))


def _rules(name: str, source: Mapping[str, Any], parent: Ruleset | None) -> dict[str, Rule]:
    rules = dict(parent.rules) if parent else {}
    for dropped in source.get("drop", ()):
        if rules.pop(dropped, None) is None:
            raise RulesetError(f"{name}: it drops the rule {dropped!r}, which it does not inherit; delete that word")
    document = source.get("document", source["title"])
    for rule_name, entry in source.get("rules", {}).items():
        rule = _rule(f"{name}, rule {rule_name}", rule_name, entry, document)
        if rules.get(rule_name) == rule:
            raise RulesetError(f"{name}, rule {rule_name}: it is just what {parent and parent.id} says; delete it here")
        rules[rule_name] = rule
    return rules


def _rule(where: str, name: str, entry: Mapping[str, Any], document: str) -> Rule:
    kind = KINDS.get(entry.get("kind", ""))
    if kind is None:
        raise RulesetError(f"{where}: unknown kind {entry.get('kind')!r}; the kinds are {_listed(KINDS)}")
    for key in ("says", "section"):
        if not isinstance(entry.get(key), str) or not entry[key]:
            raise RulesetError(f"{where}: write `{key}`: {'the sentence' if key == 'says' else 'where it stands'}")
    values = {("section" if key == "of" else key): value for key, value in entry.items() if key not in _RULE}
    fields = _fields(kind)
    if unknown := set(values) - set(fields):
        raise RulesetError(f"{where}: {entry['kind']} has no {_listed(unknown)}; it has {_listed(fields)}")
    given = {key: _value(f"{where}, {key}", value, fields[key]) for key, value in values.items()}
    try:
        return kind(name, entry["says"], Citation(entry.get("document", document), entry["section"]), **given)
    except (TypeError, ValueError) as error:
        raise RulesetError(f"{where}: {_plain(error)}") from error


def _fields(kind: type[Rule]) -> dict[str, str]:
    """The values a kind of rule takes from a file, with their types as they are written."""
    own = dataclasses.fields(kind)
    return {one.name: str(one.type) for one in own if one.compare and one.name not in ("name", "says", "cite")}


def _value(where: str, value: Any, wanted: str) -> Any:
    if wanted.startswith("tuple"):
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise RulesetError(f"{where}: write a list of texts, not {value!r}")
        return tuple(value)
    kind: type = {"int": int, "bool": bool, "str": str}[wanted]
    if type(value) is not kind or (type(value) is int and value < 0):
        words = {"int": "a whole number from 0", "bool": "true or false", "str": "a text"}[wanted]
        raise RulesetError(f"{where}: write {words}, not {value!r}")
    return value


def _check_whole(ruleset: Ruleset, sources: Mapping[str, Any]) -> None:
    """Refuse a ruleset whose rules do not fit together."""
    counted = [rule for rule in ruleset.rules.values() if isinstance(rule, Sections)]
    if len(counted) != 1:
        raise RulesetError(f"{ruleset.id}: it needs one rule of the kind sections, not {len(counted)}")
    if foreign := set(ruleset.sections) - set(SECTIONS):
        raise RulesetError(f"{ruleset.id}: no deck has a section {_listed(foreign)}; there are {_listed(SECTIONS)}")
    if untyped := set(ruleset.sections) - set(ruleset.types):
        raise RulesetError(f"{ruleset.id}: say with a rule of the kind types what {_listed(untyped)} takes")
    for name, rule in ruleset.rules.items():
        if missing := set(_used(rule)) - set(ruleset.sections):
            raise RulesetError(f"{ruleset.id}, rule {name}: the ruleset has no section {_listed(missing)}")
    if ruleset.superseded_by is not None and ruleset.superseded_by not in sources:
        raise RulesetError(f"{ruleset.id}: it is superseded by {ruleset.superseded_by!r}, which does not exist")


def _used(rule: Rule) -> tuple[str, ...]:
    """The sections that a rule speaks of."""
    one: str | None = getattr(rule, "section", None)
    several: tuple[str, ...] = getattr(rule, "sections", ())
    return (*several, one) if one else several


def _plain(error: Exception) -> str:
    words = str(error)
    if "missing" in words and "argument" in words:
        return f"a value is missing: {words.partition(':')[2].strip() or words}; write it"
    return words


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))
