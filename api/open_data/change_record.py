"""The record of changes: what lists, editions, rotations, sets and catalogues have made new, each with its day.

It is read from dated data only, so the same request always gets the same record. It is served as JSON and as an Atom
feed (RFC 4287).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Annotated, NamedTuple, TypedDict
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from api.open_data.tables import announced_years
from api.service.answers.limit_answers import describe_list
from carddb import facts
from carddb.catalogue import Catalogue
from validator.field_docs import doc
from validator.games import GAMES, game_of
from validator.limits import GameLists, Rotation, Ruling, Sets
from validator.limits.lists import RulingJSON
from validator.rulesets import successive

CHANGE_KINDS = LIMITS, RULESET, ROTATION, RELEASE, CATALOGUE = "limits", "ruleset", "rotation", "release", "catalogue"
FEED_TYPE = "application/atom+xml; charset=utf-8"
_MOST_ENTRIES = 100  # of the feed
_ATOM = "http://www.w3.org/2005/Atom"
_EMPTY_SINCE = date(1970, 1, 1)


class RecordedChangeJSON(TypedDict):
    """A dated change of a limits list, ruleset, rotation, set or catalogue (`kind`) as JSON.

    `cards` is empty if it is no change of a limits list.
    """

    id: Annotated[str, doc("Stable.")]
    kind: Annotated[str, doc(enum=CHANGE_KINDS)]
    game: str
    region: Annotated[str | None, doc("Where it holds; null: everywhere.")]
    day: Annotated[date, doc("The first day; where that is not known, the one from which it is certain.")]
    known: Annotated[date, doc("The day of the announcement; where that is not known, the first possible day.")]
    title: Annotated[str, doc("What has changed.")]
    about: Annotated[str, doc("The change in short.")]
    source: Annotated[str | None, doc("Where it is written.")]
    cards: Annotated[Sequence[RulingJSON], doc("What a list has made of each card.")]


class RecordJSON(TypedDict):
    """The dated changes of the data since a day (null: all), as JSON."""

    since: date | None
    changes: Annotated[list[RecordedChangeJSON], doc("The newest first.")]


class RecordedChange(NamedTuple):
    """A change of a limits list, ruleset, rotation, set or catalogue (`kind`), with its days and its source.

    `day` is the first day on which it is certainly in force. `known` is the day of its announcement. If that is not
    known, it is the first possible day. For a catalogue these are the day of its data and of its import, one for both
    if the other is not known. `region` None is everywhere. `title` and `about` are English texts. `source` is an
    address, a text, or None. `cards` has the effects of a list's change on cards, and is empty for others.
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
        """The later one of the days `day` and `known`."""
        return max(self.day, self.known)

    def as_json(self) -> RecordedChangeJSON:
        """Return the change as JSON, with all its fields."""
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
    catalogues: Iterable[Catalogue],
    lists: Iterable[GameLists],
    since: date | None = None,
    game: str | None = None,
) -> list[RecordedChange]:
    """Return the dated changes of lists, rulesets, rotations, sets and catalogues, the newest first.

    The later one of the days `day` and `known` decides the order. With `since`, only changes are returned for which it
    is that day or later. With `game`, only those of that game. `lists` has the official lists of each game.
    """
    found = [*(change for one in lists for change in _game_changes(one)), *_catalogue_changes(catalogues)]
    matching = (change for change in found if (since is None or change.last >= since) and game in (None, change.game))
    return sorted(matching, key=lambda change: (change.last, change.known, change.id), reverse=True)


def entry_id(name: str) -> UUID:
    """Return the stable UUID of a change or of a feed. It depends only on `name`, the change's id or feed's address."""
    return uuid5(NAMESPACE_URL, f"deckproof:{name}")


@lru_cache(maxsize=len(GAMES))
def _game_changes(lists: GameLists) -> tuple[RecordedChange, ...]:
    """Return the dated changes of a game's limits list, rulesets, block rotation and sets, not sorted.

    Changes of the limits list are only given for regions with days of their own. The others have those of another
    region. The result is cached by the lists.
    """
    of_regions = (change for region in lists.listed.dated_regions for change in _list_changes(lists, region))
    return (
        *of_regions,
        *_ruleset_changes(lists.game),
        *_rotation_changes(lists.rotation),
        *_set_changes(lists.sets),
    )


def _list_changes(lists: GameLists, region: str) -> Iterator[RecordedChange]:
    """Yield the changes of the limits list in a region, the oldest first, each with its effects on cards in `cards`.

    Changes without an effect on a card are left out.
    """
    game, known = lists.game, describe_list(lists, date.max, region)
    for change, rulings, _ in reversed(known.changes):
        yield RecordedChange(
            id="-".join((LIMITS, game, region, str(change.day), rulings[0].numbers[0])),
            kind=LIMITS,
            game=game,
            region=region,
            day=change.day,
            known=change.announced or change.possible,
            title=known.listed.title,
            about=(f"In best of {change.best_of} only: " if change.best_of else "") + "; ".join(_ruling_texts(rulings)),
            source=change.source,
            cards=tuple(ruling.as_dict() for ruling in rulings),
        )


def _ruling_texts(rulings: list[Ruling]) -> Iterator[str]:
    """Yield an English text for each effect of a list's change, such as "OP01-001 Name: banned".

    All banned pairs of one group have one text together, after the others: "only one in a deck of A, B, C: GROUP".
    """
    groups: dict[str, dict[str, None]] = {}
    for ruling in rulings:
        if ruling.group and ruling.limit == 0:
            groups.setdefault(ruling.group, {}).update(dict.fromkeys(_card_labels(ruling)))
        else:
            yield _ruling_text(ruling)
    yield from (f"only one in a deck of {', '.join(sorted(cards))}: {group}" for group, cards in groups.items())


def _card_labels(ruling: Ruling) -> list[str]:
    """Return "number name" for each card of a ruling: one card, or the two of a pair."""
    return [f"{number} {name}" for number, name in zip(ruling.numbers, ruling.names, strict=True)]


def _ruling_text(ruling: Ruling) -> str:
    """Return the cards of a ruling and its effect in English: "free again", "at most N" or "banned".

    The effect of a banned pair is "not in one deck".
    """
    cards = " + ".join(_card_labels(ruling))
    if ruling.limit is None:
        return f"{cards}: free again"
    if ruling.limit:
        return f"{cards}: at most {ruling.limit}"
    return f"{cards}: {'banned' if len(ruling.numbers) == 1 else 'not in one deck'}"


def _ruleset_changes(game: str) -> Iterator[RecordedChange]:
    """Yield a change for each ruleset of a game with a known first day. `known` is also that day.

    Rulesets that another one supersedes are left out.
    """
    for edition in successive(game):
        if first := edition.in_force_from:
            about = f"{edition.id} is in force."
            yield RecordedChange(
                f"{RULESET}-{edition.id}", RULESET, game, None, first, first, edition.title, about, None
            )


def _rotation_changes(rotation: Rotation | None) -> Iterator[RecordedChange]:
    """Yield a change for the first day of each announced year of the block rotation.

    Yield nothing if blocks do not rotate (None).
    """
    if rotation is None:
        return
    game = rotation.game
    for day in announced_years(rotation):
        title, about, id = rotation.title, rotation.citation(day).section, f"{ROTATION}-{game}-{day}"
        yield RecordedChange(id, ROTATION, game, None, day, rotation.announced, title, about, rotation.source)


def _set_changes(sets: Sets) -> Iterator[RecordedChange]:
    """Yield a change for each set and region with a known release day. `known` is also that day, `source` is None."""
    game = sets.game
    for code, card_set in sets.by_code.items():
        for region, release in card_set.released.items():
            day, about = date.fromisoformat(release.day), f"{code} is on sale ({release.cite.document})."
            id = f"{RELEASE}-{game}-{code}-{region}"
            yield RecordedChange(id, RELEASE, game, region, day, day, card_set.label, about, None)


def _catalogue_changes(catalogues: Iterable[Catalogue]) -> Iterator[RecordedChange]:
    """Yield a change for each catalogue, on the day of its data, else on the day of its import.

    `known` is the day of the import, without one the day of the data. A catalogue without both days is skipped. The
    source is only given for the cards that ship.
    """
    for catalogue in catalogues:
        if day := catalogue.as_of or catalogue.imported:
            known_on = f"cards known on {day}" if catalogue.as_of else "cards of a day that is not known"
            title = f"{game_of(catalogue.game).title}: {known_on}"
            about, id = f"{len(catalogue):,} cards, {catalogue.snapshot}", f"{CATALOGUE}-{catalogue.snapshot}"
            known = facts.provenance(catalogue.game)
            source = known.source if known and catalogue.snapshot == facts.snapshot(catalogue.game) else None
            yield RecordedChange(
                id, CATALOGUE, catalogue.game, None, day, catalogue.imported or day, title, about, source
            )


def feed(changes: Sequence[RecordedChange], address: str) -> bytes:
    """Return an Atom feed (XML) of the 100 changes with the latest days `known`, the latest first.

    `address` is the address of the feed itself, from which its id is made. "updated" of the feed is the latest of these
    days, 1970-01-01 if there are no changes.
    """
    newest = sorted(changes, key=lambda change: (change.known, change.id), reverse=True)[:_MOST_ENTRIES]
    root = Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _text(root, "id", entry_id(address).urn)
    _text(root, "title", "deckproof: changes of lists, rules, rotations, sets and catalogues")
    _text(root, "updated", _moment(newest[0].known if newest else _EMPTY_SINCE))
    SubElement(root, "link", rel="self", href=address)
    _text(SubElement(root, "author"), "name", "deckproof")
    for change in newest:
        _add_entry(root, change)
    document: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return document


def _add_entry(root: Element, change: RecordedChange) -> None:
    """Append a change to the root of the Atom feed as an entry, "updated" on its day `known`.

    A link is added if the source is an https address.
    """
    entry = SubElement(root, "entry")
    where = f" ({change.region})" if change.region else ""
    _text(entry, "id", entry_id(change.id).urn)
    _text(entry, "title", f"{change.title}{where}, from {change.day}")
    _text(entry, "updated", _moment(change.known))
    SubElement(entry, "category", term=change.kind)
    SubElement(entry, "category", term=change.game)
    _text(entry, "content", change.about)
    # Atom asks for a link where an entry has no content, and a source may be words.
    if change.source and change.source.startswith("https://") and " " not in change.source:
        SubElement(entry, "link", rel="alternate", href=change.source)


def _text(parent: Element, name: str, text: str) -> None:
    """Append a child element with this name and text to an XML element."""
    SubElement(parent, name).text = text


def _moment(day: date) -> str:
    """Return the start of a day in UTC, as Atom writes it: 2026-01-15T00:00:00Z."""
    return f"{day}T00:00:00Z"
