"""The record of changes: what lists, editions, rotations, sets and catalogues have made new, each with its day.

It is read from dated data only, so the same request always gets the same record. It is served as JSON and as an Atom
feed (RFC 4287).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import Annotated, NamedTuple, TypedDict
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from api.open_data.tables import announced_years
from api.service.answers.json_schema import doc
from api.service.answers.limit_answers import RulingJSON, known_of_list, ruling_json
from carddb import facts
from carddb.catalogue import Catalogue
from validator import limits
from validator.games import GAMES, game_of
from validator.limits import Ruling
from validator.rulesets import successive

CHANGE_KINDS = LIMITS, RULESET, ROTATION, RELEASE, CATALOGUE = "limits", "ruleset", "rotation", "release", "catalogue"
FEED_TYPE = "application/atom+xml; charset=utf-8"
_MOST_ENTRIES = 100  # of the feed
_ATOM = "http://www.w3.org/2005/Atom"
_EMPTY_SINCE = date(1970, 1, 1)


class RecordedChangeJSON(TypedDict):
    id: Annotated[str, doc("Stable.")]
    kind: Annotated[str, doc(enum=CHANGE_KINDS)]
    game: str
    region: Annotated[str | None, doc("Where it holds; null: everywhere.")]
    day: Annotated[date, doc("The first day; where that is not known, the one from which it is certain.")]
    known: Annotated[date, doc("The day of the announcement; where that is not known, the first day.")]
    title: Annotated[str, doc("What has changed.")]
    about: Annotated[str, doc("The change in short.")]
    source: Annotated[str | None, doc("Where it is written.")]
    cards: Annotated[Sequence[RulingJSON], doc("What a list has made of each card.")]


class RecordJSON(TypedDict):
    since: date | None
    changes: Annotated[list[RecordedChangeJSON], doc("The newest first.")]


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
    cards: tuple[RulingJSON, ...] = ()

    @property
    def last(self) -> date:
        """The later one of its days."""
        return max(self.day, self.known)

    def as_json(self) -> RecordedChangeJSON:
        """Return the change as JSON."""
        return {
            "id": self.id,
            "kind": self.kind,
            "game": self.game,
            "region": self.region,
            "day": self.day,
            "known": self.known,
            "title": self.title,
            "about": self.about,
            "source": self.source,
            "cards": self.cards,
        }


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
            cards=tuple(map(ruling_json, rulings)),
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


def feed(changes: Sequence[RecordedChange], address: str) -> bytes:
    """Return an Atom feed of changes, the latest known first. `address` is the address of the feed itself."""
    newest = sorted(changes, key=lambda one: (one.known, one.id), reverse=True)[:_MOST_ENTRIES]
    root = Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _text(root, "id", entry_id(address).urn)
    _text(root, "title", "deckproof: changes of lists, rules, rotations, sets and catalogues")
    _text(root, "updated", _moment(newest[0].known if newest else _EMPTY_SINCE))
    SubElement(root, "link", rel="self", href=address)
    _text(SubElement(root, "author"), "name", "deckproof")
    for one in newest:
        _add_entry(root, one)
    written: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return written


def _add_entry(root: Element, one: RecordedChange) -> None:
    entry = SubElement(root, "entry")
    where = f" ({one.region})" if one.region else ""
    _text(entry, "id", entry_id(one.id).urn)
    _text(entry, "title", f"{one.title}{where}, from {one.day}")
    _text(entry, "updated", _moment(one.known))
    SubElement(entry, "category", term=one.kind)
    SubElement(entry, "category", term=one.game)
    _text(entry, "content", one.about)
    # Atom asks for a link where an entry has no content, and a source may be words.
    if one.source and one.source.startswith("https://") and " " not in one.source:
        SubElement(entry, "link", rel="alternate", href=one.source)


def _text(under: Element, name: str, text: str) -> None:
    SubElement(under, name).text = text


def _moment(day: date) -> str:
    return f"{day}T00:00:00Z"
