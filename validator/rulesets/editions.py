"""Editions: the files of the rulesets, parsed and merged with the files that they inherit.

The name of a file is its `id`, which begins with the game: `GAME-VERSION.toml`. Each file has `game` and `title`.
Optional keys are `document` (the name in citations, default the title), `inherits`, `from` (the first day in force),
`note` (doubts about the edition), `provisional` (the `reason` and the `missing` documents, if the sources are
second-hand), `superseded_by`, `formats`, `swap`, `opening.NAME` (a statement on the start of a game) and a table
`rules.NAME` for each rule. A rule has its `kind`, the sentence `says`, the `section` of the document and the values of
the kind. `swap` has the `section` on swapping with the side deck and, if it is another one, the `document`. In `swap`,
`one_for_one` is false if only the deck's sizes limit the swap.
`with_side_deck.NAME` are rules that are added with a side deck. A side deck is allowed by an organiser's policy, or
by a rule of the kind `match_side_deck`, which depends on the day and the length of a match.

A table without `kind` changes only its own keys: of the inherited rule, or below `with_side_deck` of the
edition's own rule. A rule is cited from the document that it was written for. With a new `section` it is cited from
this document. With `recite` true the edition repeats the inherited rules under the same numbers, and they are cited
from it. A change of values needs a new sentence, and a `section` unless `recite` is true.
`drop` lists inherited rules that are no longer in force.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from datetime import date
from graphlib import CycleError, TopologicalSorter
from importlib.resources.abc import Traversable
from typing import Any

from validator import documents
from validator.deck import SECTIONS
from validator.documents import Table, check_keys, check_kind, check_texts, check_word, parse_provisional
from validator.errors import DocumentError
from validator.findings import Citation
from validator.rules import KINDS, Rule
from validator.rulesets.ruleset import Ruleset, SwapRule, parse_opening

_NEEDED = {"id": str, "game": str, "title": str}
_OPTIONAL = {
    "document": str,
    "inherits": str,
    "recite": bool,
    "from": date,
    "note": str,
    "provisional": dict,
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
# The type of a value in a file, by the type of the field.
_FILE_TYPES = {"int": int, "bool": bool, "str": str, "date": date, "tuple[str, ...]": list, "Citation | None": dict}
# What an edition has that inherits none: no rules, and the format "standard".
_NO_PARENT: Table = {"formats": ["standard"], "rules": {}, "with_side_deck": {}, "opening": {}}
_INHERITED = (*_NO_PARENT, "swap")
# The kinds with exactly one rule in each edition: the Judge and repairs use only the first rule of these kinds.
_SINGLE_KINDS = ("sections", "copies")


def load_rulesets(folder: Traversable, game: str = "") -> Mapping[str, Ruleset]:
    """Return the rulesets of the TOML files in a folder by id, sorted. Each is merged with the files that it inherits.

    With a `game`, only the files `GAME-….toml` are read. Raises DocumentError, with the file and the remedy, if a file
    is invalid or of another game, if its name is not its id, or if editions do not fit together (see
    `check_succession`).
    """
    prefix = f"{game}-" if game else ""
    files = [file for file in folder.iterdir() if file.name.startswith(prefix) and file.name.endswith(".toml")]
    sources = {file.name.removesuffix(".toml"): documents.load_document(file, _check_head) for file in files}
    for name, source in sources.items():
        if source["id"] != name:
            raise DocumentError(f"{name}.toml: the id is {source['id']!r}; call the file and the edition alike")
        if game and source["game"] != game:
            raise DocumentError(f"{name}.toml: the game is {source['game']!r}; begin the name of the file with it")
        if "superseded_by" in source:
            check_word(source["superseded_by"], f"{name}, superseded_by", sources)
    merged: dict[str, Table] = {}
    for name in _parents_first(sources):
        parent = merged.get(sources[name].get("inherits", ""), _NO_PARENT)
        merged[name] = _merge_inherited(sources[name], parent)
    rulesets = {name: _build_ruleset(merged[name]) for name in sorted(merged)}
    check_succession(rulesets)
    return rulesets


def _parents_first(sources: Mapping[str, Table]) -> list[str]:
    """Return the names of the parsed files, each after that of the file that it inherits.

    Raises DocumentError if an inherited file is unknown, or if a file inherits itself, directly or not.
    """
    parents: dict[str, list[str]] = {name: [] for name in sources}
    for name, source in sources.items():
        if "inherits" in source:
            check_word(source["inherits"], f"{name}, inherits", sources)
            parents[name].append(source["inherits"])
    try:
        return list(TopologicalSorter(parents).static_order())
    except CycleError as error:
        parent, name, *_ = error.args[1]
        raise DocumentError(f"{name}: it inherits itself by way of {parent}; break the circle") from None


def _check_head(source: Table) -> Table:
    """Return a parsed file unchanged.

    Raises DocumentError if its top level has unknown or missing keys or values of a wrong type. Also if `recite` is
    false, or is given without `inherits`.
    """
    check_keys(source, "head", _NEEDED, _OPTIONAL)
    if "recite" in source and not (source["recite"] and "inherits" in source):
        raise DocumentError("recite: write true where the edition inherits, or take it out")
    return source


def _merge_inherited(file: Table, parent: Table) -> Table:
    """Return the tables of a parsed file merged with the inherited ones, each with the document it is cited from.

    Rules, side deck rules and the opening are merged table by table. A `swap` or `formats` of the file replaces the
    inherited one. Other keys are not inherited. `parent` has the merged tables of the inherited file. Raises
    DocumentError if the tables do not fit together.
    """
    name, source = file["id"], {"document": file["title"], **file}
    if source.get("recite"):
        parent = _recite(parent, parent["document"], source["document"])
    inherited = {key: parent[key] for key in _INHERITED if key in parent}
    whole = {**inherited, **source}
    if "swap" in source:
        whole["swap"] = _add_documents(source["swap"], source["document"])
    kept = _drop_rules(name, inherited["rules"], source.get("drop", []))
    whole["rules"] = _amend_tables(f"{name}, rule", kept, source, "rules")
    for key in ("with_side_deck", "opening"):
        whole[key] = _amend_tables(f"{name}, {key}", inherited[key], source, key)
    return whole


def _recite(table: Table, old: str, new: str) -> Table:
    """Return a copy of a table, and of all tables inside it, in which the `document` `old` is replaced by `new`."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        found[key] = _recite(value, old, new) if isinstance(value, dict) else value
        if key == "document" and value == old:
            found[key] = new
    return found


def _add_documents(table: Table, document: str) -> Table:
    """Return a copy of a table in which every table with a `section` has a `document`, by default this one.

    Tables inside it are copied in the same way, but not those in lists.
    """
    found: dict[str, Any] = {"document": document} if "section" in table else {}
    for key, value in table.items():
        found[key] = _add_documents(value, document) if isinstance(value, dict) else value
    return found


def _drop_rules(name: str, rules: Table, drop: list[Any]) -> Table:
    """Return the inherited rules without those named in `drop`.

    Raises DocumentError if `drop` has other values than texts, or a name that is not inherited.
    """
    for dropped in check_texts(drop, f"{name}, drop"):
        if dropped not in rules:
            raise DocumentError(f"{name}: it drops the rule {dropped!r}, which it does not inherit; delete that word")
    return {key: rule for key, rule in rules.items() if key not in drop}


def _amend_tables(place: str, inherited: Table, source: Table, key: str) -> Table:
    """Return the inherited tables, updated with the tables under `key` of an edition's file.

    A table with a kind replaces the inherited one, others change its values. Raises DocumentError for a table that
    changes nothing, or that repeats an inherited value, except `section`. Also for the errors of `_check_sentence`,
    which is not called for side deck rules. `place` is the place in messages.
    """
    found = dict(inherited)
    for name, table in source.get(key, {}).items():
        check_kind(table, f"{place} {name}", dict)
        old = {} if "kind" in table else inherited.get(name, {})
        new = {**old, **_add_documents(table, source["document"])}
        idle = [word for word in table if word != "section" and word in old and old[word] == new[word]]
        if idle or new == inherited.get(name):
            raise DocumentError(f"{place} {name}: {' and '.join(idle) or 'it'} is just as inherited; delete it here")
        if old and key != "with_side_deck":
            _check_sentence(f"{place} {name}", table, bool(source.get("recite")))
        found[name] = new
    return found


def _check_sentence(place: str, table: Table, recites: bool) -> None:
    """Raise DocumentError if a table changes values of a rule without both a new sentence and a new section.

    With `recites` only the sentence is needed. The kind, the citation and nested tables do not count as values.
    """
    values = [word for word, value in table.items() if word not in _RULE and not isinstance(value, dict)]
    lacking = [word for word in ("says", "section") if word not in table and not (recites and word == "section")]
    if values and lacking:
        raise DocumentError(
            f"{place}: it changes {' and '.join(values)}; write {' and '.join(lacking)}, too: what this edition says, "
            "and where it stands"
        )


def _build_ruleset(tables: Table) -> Ruleset:
    """Return the ruleset of merged tables, without optional rules for a side deck if it has a side deck anyway.

    Raises DocumentError if the tables are invalid or contradict each other.
    """
    name = tables["id"]
    rules = {key: _parse_rule(f"{name}, rule {key}", key, table) for key, table in tables["rules"].items()}
    ruleset = Ruleset(
        id=name,
        game=tables["game"],
        title=tables["title"],
        document=tables["document"],
        rules=rules,
        with_side_deck={},
        in_force_from=tables.get("from"),
        note=tables.get("note"),
        inherits=tables.get("inherits"),
        superseded_by=tables.get("superseded_by"),
        formats=_parse_texts(tables["formats"], f"{name}, formats"),
        swap=_parse_swap(f"{name}, swap", tables["swap"]) if "swap" in tables else None,
        opening=parse_opening(tables["opening"], f"{name}, opening") if tables["opening"] else None,
        provisional=parse_provisional(tables, name),
    )
    _check_whole(ruleset)
    return ruleset if "side" in ruleset.sections else _with_side_deck(ruleset, tables)


def _with_side_deck(ruleset: Ruleset, tables: Table) -> Ruleset:
    """Return a copy of a ruleset with the optional rules for a side deck, parsed from `with_side_deck` of the tables.

    A table without a kind is the edition's own rule of that name with changed values. Raises DocumentError if the
    tables are invalid, or if the ruleset with these rules is not consistent.
    """
    found = {}
    for key, table in tables["with_side_deck"].items():
        changed = table if "kind" in table else {**tables["rules"].get(key, {}), **table}
        found[key] = _parse_rule(f"{ruleset.id}, with_side_deck {key}", key, changed)
    ruleset = dataclasses.replace(ruleset, with_side_deck=found)
    _check_whole(ruleset.having_side_deck())
    return ruleset


def _parse_swap(place: str, table: Table) -> SwapRule:
    """Return the rule on swapping with the side deck of a table. By default cards are swapped one for one.

    Raises DocumentError if the table is invalid.
    """
    check_keys(table, place, _CITATION, {"one_for_one": bool})
    return SwapRule(Citation(table["document"], table["section"]), table.get("one_for_one", True))


def _parse_rule(place: str, name: str, table: Table) -> Rule:
    """Return the rule `name` of a table, of the class that its `kind` names.

    Raises DocumentError if the kind or a needed key is missing, a key or the kind is unknown, or a value is invalid.
    """
    if "kind" not in table:
        raise DocumentError(f"{place}: there is no such rule to change; write its kind, one of {', '.join(KINDS)}")
    check_word(table["kind"], f"{place}, kind", KINDS)
    kind = KINDS[table["kind"]]
    fields = _fields_by_key(kind)
    types = {key: _FILE_TYPES[str(field.type)] for key, field in fields.items()}
    optional = {
        key: types[key]
        for key, field in fields.items()
        if field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
    }
    check_keys(table, place, _RULE | {key: types[key] for key in types if key not in optional}, optional)
    given = {fields[key].name: _parse_value(f"{place}, {key}", table[key]) for key in fields if key in table}
    try:
        return kind(name, table["says"], Citation(table["document"], table["section"]), **given)
    except ValueError as error:
        raise DocumentError(f"{place}: {error}") from error


def _fields_by_key(kind: type[Rule]) -> dict[str, dataclasses.Field[Any]]:
    """Return the fields of a kind of rule that a file sets, by their keys in the file.

    The field `section` has the key `of`. The name, the sentence, the citation and fields with `compare=False` are left
    out.
    """
    own = [field for field in dataclasses.fields(kind) if field.compare and field.name not in ("name", "says", "cite")]
    return {"of" if field.name == "section" else field.name: field for field in own}


def _parse_value(place: str, value: Any) -> Any:
    """Return a value of a file as the value of a rule's field: a list as tuple of texts, a table as Citation.

    Others are unchanged. Raises DocumentError for a table that is no citation, a list that is empty or has other values
    than texts, and a negative number.
    """
    if isinstance(value, list):
        return _parse_texts(value, place)
    if isinstance(value, dict):
        check_keys(value, place, _CITATION, {"is_reading": bool})
        return Citation(**value)
    if isinstance(value, int) and value < 0:
        raise DocumentError(f"{place}: {value} is below 0; write a whole number from 0")
    return value


def _parse_texts(values: list[Any], place: str) -> tuple[str, ...]:
    """Return the texts of a list. Raises DocumentError if it is empty or has other values."""
    if not values:
        raise DocumentError(f"{place}: the list is empty; write at least one text, or take it out")
    return check_texts(values, place)


def _check_whole(ruleset: Ruleset) -> None:
    """Raise DocumentError if the rules of a ruleset contradict each other or are incomplete.

    It needs exactly one rule of the kind "sections", one of "copies", and one of "types" for each section. With a
    leader section it needs one rule of the kind "leader_count", else none. Section names must be known, and rules may
    only name sections of the ruleset. Optional rules for a side deck are not checked.
    """
    for word in _SINGLE_KINDS:
        if (held := len(_rules_of_kind(ruleset, word))) != 1:
            raise DocumentError(f"{ruleset.id}: it needs one rule of the kind {word}, not {held}")
    typed = Counter(section for rule in _rules_of_kind(ruleset, "types") for section in field_values(rule, "section"))
    for section in ruleset.sections:
        check_word(section, f"{ruleset.id}, rule {_rules_of_kind(ruleset, 'sections')[0].name}", SECTIONS)
        if typed[section] != 1:
            raise DocumentError(f"{ruleset.id}: say with one rule of the kind types what {section} takes")
    if len(_rules_of_kind(ruleset, "leader_count")) != ("leader" in ruleset.sections):
        raise DocumentError(
            f"{ruleset.id}: a section leader has a rule of the kind leader_count; write both or neither"
        )
    for name, rule in ruleset.rules.items():
        for section in field_values(rule, "section"):
            check_word(section, f"{ruleset.id}, rule {name}", ruleset.sections)


def _rules_of_kind(ruleset: Ruleset, word: str) -> list[Rule]:
    """Return the rules of a ruleset whose kind has this word in KINDS. Subclasses of the kind are left out."""
    return [rule for rule in ruleset.rules.values() if type(rule) is KINDS[word]]


def field_values(rule: Rule, field_name: str) -> tuple[str, ...]:
    """Return the values of a rule's field `section` or `type`, after those of its plural. () if the rule has neither.

    `field_name` is "section" or "type".
    """
    single: str | None = getattr(rule, field_name, None)
    several: tuple[str, ...] = getattr(rule, f"{field_name}s", ())
    return (*several, single) if single else several


def check_succession(rulesets: Mapping[str, Ruleset]) -> None:
    """Raise DocumentError if two editions of a game begin on one day, or an heir does not begin after its parent.

    A parent without a first day is not compared. An heir must also be of its parent's game. Superseded editions may
    share a first day. Without this check a wrong day would have no visible effect: an edition would never be used, or
    be used for the oldest days.
    """
    for ruleset in rulesets.values():
        if ruleset.inherits:
            _check_heir(ruleset, rulesets[ruleset.inherits])
    known: dict[tuple[str, date | None], str] = {}
    for ruleset in rulesets.values():
        if ruleset.superseded_by is not None:
            continue
        other = known.setdefault((ruleset.game, ruleset.in_force_from), ruleset.id)
        if other != ruleset.id:
            since = f"from {ruleset.in_force_from}" if ruleset.in_force_from else "without a first day"
            raise DocumentError(
                f"{other} and {ruleset.id} are both in force {since}; "
                "correct a from, or write superseded_by in the older"
            )


def _check_heir(heir: Ruleset, parent: Ruleset) -> None:
    """Raise DocumentError if an edition has another game than its parent, or begins no later than a known first day."""
    if heir.game != parent.game:
        raise DocumentError(
            f"{heir.id}: it is of {heir.game} and inherits {parent.id}, of {parent.game}; correct one of them"
        )
    since = parent.in_force_from
    if since and not (heir.in_force_from and heir.in_force_from > since):
        raise DocumentError(f"{heir.id}: it inherits {parent.id}, in force from {since}; write from, a later day")
