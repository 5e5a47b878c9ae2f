"""Tables of the official lists over all their days, of the rotations, and of the sets."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from api.open_data.data_table import Row
from api.service.answers import serializers
from validator import limits
from validator.games import GAMES
from validator.limits import Rotation

_OF_EXCEPTION = ("number", "name", "block", "section", "list_updated", "source", "confidence", "note")


def limits_rows() -> Iterator[Row]:
    """Yield a row for what each change of a list has made of each card or pair."""
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
                yield serializers.facts(one, _OF_EXCEPTION) | {
                    "game": rotation.game,
                    "from": None if one.legal_from == date.min else one.legal_from,
                    "until": None if one.legal_to == date.max else one.legal_to,
                }


def sets_rows() -> Iterator[Row]:
    """Yield a row for each set in each region whose first day is known, and one for a set of which none is."""
    for game in GAMES:
        for one in limits.sets(game).by_code.values():
            about = {"game": game} | serializers.facts(one, ("code", "label", "block"))
            unknown: Row = {"region": None, "released": None, "document": None, "section": None}
            days: list[Row] = [
                {"region": region, "released": release.day, **release.cite.as_dict()}
                for region, release in one.released.items()
            ]
            yield from ({**about, **day} for day in days or [unknown])


def _rotations() -> Iterator[Rotation]:
    found = (limits.rotation(game) for game in GAMES)
    return (rotation for rotation in found if rotation)
