"""The tables of the open data: the rulesets and their rules, the official lists over time, the rotations, the sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from api.open_data.data_table import DataTable, Row, public_fields
from api.service.answers.ruleset_answers import days_in_force, rule_json
from validator import limits
from validator.games import GAMES
from validator.limits import Rotation
from validator.rules import Rule
from validator.rulesets import Ruleset, rulesets

_EXCEPTION_FIELDS = ("number", "name", "block", "section", "list_updated", "source", "confidence", "note")
_RULESET_FIELDS = ("game", "id", "title", "document", "inherits", "superseded_by", "sections", "formats", "note")


def limits_rows() -> Iterator[Row]:
    """Yield a row for each card or pair that a change of a list names."""
    for game in GAMES:
        listed = limits.load(game)
        for region in listed.dated_regions:
            for ruling in listed.rulings(region):
                number, other_number = (*ruling.numbers, None)[:2]
                name, other_name = (*ruling.names, None)[:2]
                yield ruling.change.as_dict() | {
                    "game": game,
                    "number": number,
                    "name": name,
                    "other_number": other_number,
                    "other_name": other_name,
                    "before": ruling.before,
                    "limit": ruling.limit,
                    "group": ruling.group or None,
                    "spared": listed.spared.get("+".join(ruling.numbers)),
                }


def rotations_rows() -> Iterator[Row]:
    """Yield a row for each format and, of the one that rotates, for each year that is announced."""
    for rotation in _rotations():
        for format, title in rotation.formats.items():
            said = {"game": rotation.game, "format": format, "title": title}
            if format == rotation.rotates:
                yield from ({**said, **year} for year in _years(rotation))
            else:
                everything = {"from": None, "until": None, "blocks": None}
                yield said | everything | {"announced": rotation.announced, "source": rotation.source}


def announced_years(rotation: Rotation) -> list[date]:
    """Return the first days of the years in which a block that the announcement names is taken."""
    first = rotation.first_day
    return [first.replace(year=first.year + years) for years in range(len(rotation.blocks))]


def _years(rotation: Rotation) -> Iterator[Row]:
    for day in announced_years(rotation):
        entry, blocks = rotation.entry(day), rotation.allowed(rotation.rotates, day) or ()
        yield {
            "from": entry.effective_from,
            "until": entry.effective_to,
            "blocks": sorted(blocks),
            "announced": entry.announced,
            "source": entry.source,
        }


def blocks_rows() -> Iterator[Row]:
    """Yield a row for each card that an official list gives another block than its set's."""
    for rotation in _rotations():
        for exceptions in rotation.exceptions.values():
            for one in exceptions:
                yield public_fields(one, _EXCEPTION_FIELDS) | {
                    "game": rotation.game,
                    "from": None if one.legal_from == date.min else one.legal_from,
                    "until": None if one.legal_to == date.max else one.legal_to,
                }


def sets_rows() -> Iterator[Row]:
    """Yield a row for each set and region with a known first day. A set without any has one row without a region."""
    for game in GAMES:
        for one in limits.sets(game).by_code.values():
            about = {"game": game} | public_fields(one, ("code", "label", "block"))
            unknown: Row = {"region": None, "released": None, "document": None, "section": None}
            days: list[Row] = [
                {"region": region, "released": release.day, **release.cite.as_dict()}
                for region, release in one.released.items()
            ]
            yield from ({**about, **day} for day in days or [unknown])


def _rotations() -> Iterator[Rotation]:
    found = (limits.rotation(game) for game in GAMES)
    return (rotation for rotation in found if rotation)


def rulesets_rows() -> Iterator[Row]:
    """Yield a row for each edition."""
    for one in rulesets().values():
        days = days_in_force(one)
        yield public_fields(one, _RULESET_FIELDS) | {"in_force_from": days.first, "in_force_until": days.last}


def rules_rows() -> Iterator[Row]:
    """Yield a row for each rule of each edition. Rules that need a policy with a side deck come last."""
    for ruleset in rulesets().values():
        for rule in ruleset.rules.values():
            yield _rule_row(ruleset, rule, always=True)
        for rule in ruleset.with_side_deck.values():
            yield _rule_row(ruleset, rule, always=False)


def _rule_row(ruleset: Ruleset, rule: Rule, always: bool) -> dict[str, Any]:
    shown = rule_json(rule)
    return {**shown, **shown["rule"], "game": ruleset.game, "ruleset": ruleset.id, "always": always}


TABLES: Mapping[str, DataTable] = {
    table.name: table
    for table in (
        DataTable("rulesets", rulesets_rows),
        DataTable("rules", rules_rows),
        DataTable("limits", limits_rows),
        DataTable("rotations", rotations_rows),
        DataTable("blocks", blocks_rows),
        DataTable("sets", sets_rows),
    )
}
