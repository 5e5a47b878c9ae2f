"""The record of changes: what lists, editions, rotations, sets and catalogues have made new, each with its day.

It is read from dated data alone, so that whoever asks twice is told the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

from api.open_data.list_tables import announced_years
from api.service.answers.limit_answers import known_of_list
from carddb import facts
from carddb.catalogue import Catalogue
from validator import limits
from validator.games import GAMES, game_of
from validator.limits import Ruling
from validator.rulesets import successive

CHANGE_KINDS = LIMITS, RULESET, ROTATION, RELEASE, CATALOGUE = "limits", "ruleset", "rotation", "release", "catalogue"


class RecordedChange(NamedTuple):
    """One change: from which day on it holds (for certain), since when that was known, and by whose word.

    `id` stays the same; `about` says it in short; `cards` are those that a list names. `known` is the first day of a
    change whose announcement is not dated.
    """

    id: str
    kind: str
    game: str
    region: str | None
    day: date
    known: date
    title: str
    about: str
    source: str | None
    cards: tuple[dict[str, Any], ...] = ()

    @property
    def last(self) -> date:
        """The later one of its days."""
        return max(self.day, self.known)

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return self._asdict()


def changes(
    catalogues: Iterable[Catalogue], since: date | None = None, game: str | None = None
) -> list[RecordedChange]:
    """Return what became known or began on a day or later, the newest first."""
    found = [*_dated(), *_of_catalogues(catalogues)]
    kept = (one for one in found if (since is None or one.last >= since) and game in (None, one.game))
    return sorted(kept, key=lambda one: (one.last, one.known, one.id), reverse=True)


def entry_id(name: str) -> UUID:
    """Return by what a change, or what goes with the record, is known wherever it is told: always the same."""
    return uuid5(NAMESPACE_URL, f"deckproof:{name}")


@cache
def _dated() -> tuple[RecordedChange, ...]:
    return tuple(one for game in GAMES for one in _of_game(game))


def _of_game(game: str) -> Iterator[RecordedChange]:
    for region in limits.load(game).dated_regions:
        yield from _of_list(game, region)
    yield from _of_rulesets(game)
    yield from _of_rotation(game)
    yield from _of_sets(game)


def _of_list(game: str, region: str) -> Iterator[RecordedChange]:
    known = known_of_list(game, date.max, region)
    for change, rulings, _ in reversed(known.changes):
        yield RecordedChange(
            id="-".join((LIMITS, game, region, str(change.day), rulings[0].numbers[0])),
            kind=LIMITS,
            game=game,
            region=region,
            day=change.day,
            known=change.announced or change.possible,
            title=known.listed.title,
            about=(f"In best of {change.best_of} only: " if change.best_of else "") + "; ".join(_told(rulings)),
            source=change.source,
            cards=tuple(ruling.as_dict() for ruling in rulings),
        )


def _told(rulings: list[Ruling]) -> Iterator[str]:
    """Yield what a change says of each card; the many pairs of one group, all in one."""
    groups: dict[str, dict[str, None]] = {}
    for one in rulings:
        if one.group and one.limit == 0:
            groups.setdefault(one.group, {}).update(dict.fromkeys(_cards(one)))
        else:
            yield _ruled(one)
    yield from (f"only one in a deck of {', '.join(sorted(cards))}: {group}" for group, cards in groups.items())


def _cards(of: Ruling) -> list[str]:
    return [f"{number} {name}" for number, name in zip(of.numbers, of.names, strict=True)]


def _ruled(of: Ruling) -> str:
    cards = " + ".join(_cards(of))
    if of.limit is None:
        return f"{cards}: free again"
    if of.limit:
        return f"{cards}: at most {of.limit}"
    return f"{cards}: {'banned' if len(of.numbers) == 1 else 'not in one deck'}"


def _of_rulesets(game: str) -> Iterator[RecordedChange]:
    for one in successive(game):
        if first := one.in_force_from:
            about = f"{one.id} is in force."
            yield RecordedChange(f"{RULESET}-{one.id}", RULESET, game, None, first, first, one.title, about, None)


def _of_rotation(game: str) -> Iterator[RecordedChange]:
    rotation = limits.rotation(game)
    if rotation is None:
        return
    for day in announced_years(rotation):
        title, about, id = rotation.title, rotation.citation(day).section, f"{ROTATION}-{game}-{day}"
        yield RecordedChange(id, ROTATION, game, None, day, rotation.announced, title, about, rotation.source)


def _of_sets(game: str) -> Iterator[RecordedChange]:
    for code, one in limits.sets(game).by_code.items():
        for region, release in one.released.items():
            day, about = date.fromisoformat(release.day), f"{code} is on sale ({release.cite.document})."
            id = f"{RELEASE}-{game}-{code}-{region}"
            yield RecordedChange(id, RELEASE, game, region, day, day, one.label, about, None)


def _of_catalogues(catalogues: Iterable[Catalogue]) -> Iterator[RecordedChange]:
    for one in catalogues:
        if day := one.as_of or one.imported:
            known_on = f"cards known on {day}" if one.as_of else "cards of a day that is not known"
            title = f"{game_of(one.game).title}: {known_on}"
            about, id = f"{len(one):,} cards, {one.snapshot}", f"{CATALOGUE}-{one.snapshot}"
            known = facts.provenance(one.game)
            source = known.source if known and one.snapshot == facts.snapshot(one.game) else None
            yield RecordedChange(id, CATALOGUE, one.game, None, day, one.imported or day, title, about, source)
