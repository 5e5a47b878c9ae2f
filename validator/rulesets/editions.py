"""Editions: the files of the rulesets, each with what it inherits, made into rulesets.

A file is called after its `id` and has `game`, `title` and, where they apply, `document` (what citations call
it, default the title), `inherits`, `from` (the first day it is in force), `note` (what is not sure of it),
`superseded_by`, `formats`, `swap` (`section` and, if another, `document`, where it stands what swapping with
the side deck may change; `one_for_one` is false where only the deck's own sizes bind), `opening.NAME` for
what is said of how a game begins, and a table `rules.NAME` for each rule: its `kind`, the sentence it `says`,
the `section` of the document where that stands, and the values of the kind.
`with_side_deck.NAME` are rules that come in if an organiser's policy gives a side deck, or a rule of the kind
`match_side_deck` among them does, by the day and the length of a match.

A table without `kind` changes only what it names: of the inherited rule, or below `with_side_deck` of the
edition's own. A rule is cited from the document that it was written for; one that gives a new `section`, from
this one. With `recite` true the edition repeats under the same numbers what it inherits, and inherited rules
are cited from it. A change of values is said anew, and has its `section` unless the edition recites.
`drop` names inherited rules that no longer hold.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from importlib.resources.abc import Traversable
from typing import Any

from validator import documents
from validator.deck import SECTIONS
from validator.documents import check_keys, check_kind, check_texts, check_word
from validator.errors import DocumentError
from validator.findings import Citation
from validator.rules import KINDS, Rule
from validator.rulesets.ruleset import Ruleset, SwapRule, parse_opening

Table = Mapping[str, Any]

_NEEDED = {"id": str, "game": str, "title": str}
_OPTIONAL = {
    "document": str,
    "inherits": str,
    "recite": bool,
    "from": date,
    "note": str,
    "superseded_by": str,
    "formats": list,
    "drop": list,
    "swap": dict,
    "opening": dict,
    "rules": dict,
    "with_side_deck": dict,
}
_CITATION = {"section": str, "document": str}
_RULE = {"kind": str, "says": str} | _CITATION
# How a file writes the values of a kind, by the type that the kind has for them.
_WRITTEN = {"int": int, "bool": bool, "str": str, "date": date, "tuple[str, ...]": list, "Citation | None": dict}
_NOTHING: Table = {"formats": ["standard"], "rules": {}, "with_side_deck": {}, "opening": {}}
_INHERITED = (*_NOTHING, "swap")
# The kinds of which an edition has one rule: the Judge and repairs ask that one, and would leave another out.
_ONCE = ("sections", "copies")


def load(folder: Traversable) -> Mapping[str, Ruleset]:
    """Return the rulesets of a folder of files by id, sorted; a DocumentError says what to mend in which file."""
    files = [file for file in folder.iterdir() if file.name.endswith(".toml")]
    sources = {file.name.removesuffix(".toml"): documents.load(file, _checked) for file in files}
    for name, source in sources.items():
        if source["id"] != name:
            raise DocumentError(f"{name}.toml: the id is {source['id']!r}; call the file and the edition alike")
        if "superseded_by" in source:
            check_word(source["superseded_by"], f"{name}, superseded_by", sources)
    rulesets = {name: _ruleset(_whole(name, sources, ())) for name in sorted(sources)}
    check_succession(rulesets)
    return rulesets


def _checked(source: Table) -> Table:
    check_keys(source, "head", _NEEDED, _OPTIONAL)
    if "recite" in source and not (source["recite"] and "inherits" in source):
        raise DocumentError("recite: write true where the edition inherits, or take it out")
    return source


def _whole(name: str, sources: Mapping[str, Table], heirs: tuple[str, ...]) -> Table:
    """Return what a file says with what it inherits, written out."""
    source = {"document": sources[name]["title"], **sources[name]}
    parent = _parent(name, sources, heirs)
    if source.get("recite"):
        parent = _recited(parent, parent["document"], source["document"])
    inherited = {key: parent[key] for key in _INHERITED if key in parent}
    whole = {**inherited, **source}
    if "swap" in source:
        whole["swap"] = _placed(source["swap"], source["document"])
    kept = _kept(name, inherited["rules"], source.get("drop", []))
    whole["rules"] = _amended(f"{name}, rule", kept, source, "rules")
    for key in ("with_side_deck", "opening"):
        whole[key] = _amended(f"{name}, {key}", inherited[key], source, key)
    return whole


def _parent(name: str, sources: Mapping[str, Table], heirs: tuple[str, ...]) -> Table:
    inherited = sources[name].get("inherits")
    if inherited is None:
        return _NOTHING
    check_word(inherited, f"{name}, inherits", sources)
    if inherited in (*heirs, name):
        raise DocumentError(f"{name}: it inherits itself by way of {inherited}; break the circle")
    return _whole(inherited, sources, (*heirs, name))


def _recited(table: Table, old: str, new: str) -> dict[str, Any]:
    """Return a table with every citation of one document made one of another."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        found[key] = _recited(value, old, new) if isinstance(value, dict) else value
        if key == "document" and value == old:
            found[key] = new
    return found


def _placed(table: Table, document: str) -> dict[str, Any]:
    """Return a table in which every section has its document, this one where no other is named."""
    found: dict[str, Any] = {"document": document} if "section" in table else {}
    for key, value in table.items():
        found[key] = _placed(value, document) if isinstance(value, dict) else value
    return found


def _kept(name: str, rules: Table, drop: list[Any]) -> Table:
    for dropped in check_texts(drop, f"{name}, drop"):
        if dropped not in rules:
            raise DocumentError(f"{name}: it drops the rule {dropped!r}, which it does not inherit; delete that word")
    return {key: rule for key, rule in rules.items() if key not in drop}


def _amended(where: str, inherited: Table, source: Table, key: str) -> Table:
    """Return inherited tables with those that the edition writes: whole ones anew, others over what they change."""
    found = dict(inherited)
    for name, table in source.get(key, {}).items():
        check_kind(table, f"{where} {name}", dict)
        old = {} if "kind" in table else inherited.get(name, {})
        new = {**old, **_placed(table, source["document"])}
        idle = [word for word in table if word != "section" and word in old and old[word] == new[word]]
        if idle or new == inherited.get(name):
            raise DocumentError(f"{where} {name}: {' and '.join(idle) or 'it'} is just as inherited; delete it here")
        if old and key != "with_side_deck":
            _check_said(f"{where} {name}", table, bool(source.get("recite")))
        found[name] = new
    return found


def _check_said(where: str, table: Table, recites: bool) -> None:
    """Refuse a change of values that leaves the sentence as it was, or is cited from where they do not stand."""
    values = [word for word, value in table.items() if word not in _RULE and not isinstance(value, dict)]
    lacking = [word for word in ("says", "section") if word not in table and not (recites and word == "section")]
    if values and lacking:
        raise DocumentError(
            f"{where}: it changes {' and '.join(values)}; write {' and '.join(lacking)}, too: what this edition says, "
            "and where it stands"
        )


def _ruleset(whole: Table) -> Ruleset:
    name = whole["id"]
    rules = {key: _rule(f"{name}, rule {key}", key, table) for key, table in whole["rules"].items()}
    ruleset = Ruleset(
        id=name,
        game=whole["game"],
        title=whole["title"],
        document=whole["document"],
        rules=rules,
        with_side_deck={},
        in_force_from=whole.get("from"),
        note=whole.get("note"),
        inherits=whole.get("inherits"),
        superseded_by=whole.get("superseded_by"),
        formats=_texts(whole["formats"], f"{name}, formats"),
        swap=_swap(f"{name}, swap", whole["swap"]) if "swap" in whole else None,
        opening=parse_opening(whole["opening"], f"{name}, opening") if whole["opening"] else None,
    )
    _check_whole(ruleset)
    return ruleset if "side" in ruleset.sections else _with_side_deck(ruleset, whole)


def _with_side_deck(ruleset: Ruleset, whole: Table) -> Ruleset:
    """Return a ruleset with the rules that come in where a policy gives a side deck."""
    found = {}
    for key, table in whole["with_side_deck"].items():
        changed = table if "kind" in table else {**whole["rules"].get(key, {}), **table}
        found[key] = _rule(f"{ruleset.id}, with_side_deck {key}", key, changed)
    ruleset = dataclasses.replace(ruleset, with_side_deck=found)
    _check_whole(ruleset.having_side_deck())
    return ruleset


def _swap(where: str, table: Table) -> SwapRule:
    check_keys(table, where, _CITATION, {"one_for_one": bool})
    return SwapRule(Citation(table["document"], table["section"]), table.get("one_for_one", True))


def _rule(where: str, name: str, table: Table) -> Rule:
    if "kind" not in table:
        raise DocumentError(f"{where}: there is no such rule to change; write its kind, one of {', '.join(KINDS)}")
    check_word(table["kind"], f"{where}, kind", KINDS)
    kind = KINDS[table["kind"]]
    fields = _fields(kind)
    needed = {key: _WRITTEN[str(one.type)] for key, one in fields.items() if _is_needed(one)}
    optional = {key: _WRITTEN[str(one.type)] for key, one in fields.items() if not _is_needed(one)}
    check_keys(table, where, _RULE | needed, optional)
    given = {fields[key].name: _value(f"{where}, {key}", table[key]) for key in fields if key in table}
    try:
        return kind(name, table["says"], Citation(table["document"], table["section"]), **given)
    except ValueError as error:
        raise DocumentError(f"{where}: {error}") from error


def _fields(kind: type[Rule]) -> dict[str, dataclasses.Field[Any]]:
    """The values that a kind of rule takes from a file, by the file's words: a section of the deck is `of` there."""
    own = [one for one in dataclasses.fields(kind) if one.compare and one.name not in ("name", "says", "cite")]
    return {"of" if one.name == "section" else one.name: one for one in own}


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _value(where: str, value: Any) -> Any:
    if isinstance(value, list):
        return _texts(value, where)
    if isinstance(value, dict):
        check_keys(value, where, _CITATION, {"is_reading": bool})
        return Citation(**value)
    if isinstance(value, int) and value < 0:
        raise DocumentError(f"{where}: {value} is below 0; write a whole number from 0")
    return value


def _texts(values: list[Any], where: str) -> tuple[str, ...]:
    if not values:
        raise DocumentError(f"{where}: the list is empty; write at least one text, or take it out")
    return check_texts(values, where)


def _check_whole(ruleset: Ruleset) -> None:
    """Refuse a ruleset whose rules do not fit together."""
    for word in _ONCE:
        if (held := len(_of_kind(ruleset, word))) != 1:
            raise DocumentError(f"{ruleset.id}: it needs one rule of the kind {word}, not {held}")
    typed = Counter(section for rule in _of_kind(ruleset, "types") for section in spoken_of(rule, "section"))
    for section in ruleset.sections:
        check_word(section, f"{ruleset.id}, rule {_of_kind(ruleset, 'sections')[0].name}", SECTIONS)
        if typed[section] != 1:
            raise DocumentError(f"{ruleset.id}: say with one rule of the kind types what {section} takes")
    if len(_of_kind(ruleset, "leader_count")) != ("leader" in ruleset.sections):
        raise DocumentError(
            f"{ruleset.id}: a section leader has a rule of the kind leader_count; write both or neither"
        )
    for name, rule in ruleset.rules.items():
        for section in spoken_of(rule, "section"):
            check_word(section, f"{ruleset.id}, rule {name}", ruleset.sections)


def _of_kind(ruleset: Ruleset, word: str) -> list[Rule]:
    return [rule for rule in ruleset.rules.values() if type(rule) is KINDS[word]]


def spoken_of(rule: Rule, what: str) -> tuple[str, ...]:
    """Return the sections, or the card types, that a rule speaks of; `what` is their word in the singular."""
    one: str | None = getattr(rule, what, None)
    several: tuple[str, ...] = getattr(rule, f"{what}s", ())
    return (*several, one) if one else several


def check_succession(rulesets: Mapping[str, Ruleset]) -> None:
    """Refuse an edition that would be in force on other days than it looks, or on none; the DocumentError says which.

    A slip here is judged by silently: the newest edition would never be asked, or be asked of the oldest days.
    """
    for ruleset in rulesets.values():
        if ruleset.inherits:
            _check_heir(ruleset, rulesets[ruleset.inherits])
    _check_first_days(ruleset for ruleset in rulesets.values() if ruleset.superseded_by is None)


def _check_heir(heir: Ruleset, parent: Ruleset) -> None:
    if heir.game != parent.game:
        raise DocumentError(
            f"{heir.id}: it is of {heir.game} and inherits {parent.id}, of {parent.game}; correct one of them"
        )
    since = parent.in_force_from
    if since and not (heir.in_force_from and heir.in_force_from > since):
        raise DocumentError(f"{heir.id}: it inherits {parent.id}, in force from {since}; write from, a later day")


def _check_first_days(successive: Iterable[Ruleset]) -> None:
    known: dict[tuple[str, date | None], str] = {}
    for one in successive:
        other = known.setdefault((one.game, one.in_force_from), one.id)
        if other != one.id:
            since = f"from {one.in_force_from}" if one.in_force_from else "without a first day"
            raise DocumentError(
                f"{other} and {one.id} are both in force {since}; correct a from, or write superseded_by in the older"
            )
