"""What is to be known of one card on a day: how many may be played, its history on the lists, its block, its days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from carddb.library import Library
from validator import limits
from validator.allowances import Allowance, allowances
from validator.calendar import LAST_DAY
from validator.cards import Card, Catalogue, Clause
from validator.games import GAMES
from validator.limits import BlockException, DayLimit, PairBan, Release, ReleaseBounds, Ruling
from validator.paraphrase import paraphrased

_Entry = TypeVar("_Entry", Ruling, PairBan)


class FormatDays(NamedTuple):
    """Whether a format takes a block on the day that counts, and the last day on which it does, None for ever."""

    format: str
    title: str
    takes: bool
    until: date | None


class CardBlock(NamedTuple):
    """The block of a card on a day, which formats take it, and the official exceptions that name the card."""

    block: str
    formats: tuple[FormatDays, ...]
    exceptions: tuple[BlockException, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {"block": self.block, "formats": [one._asdict() for one in self.formats]}


class CardClause(NamedTuple):
    """One thing that a card's text says of construction: as it was read, and in the text's own words, if at hand."""

    kind: str
    meaning: str
    text: str

    @classmethod
    def of(cls, clause: Clause) -> CardClause:
        """Say what a clause does."""
        return cls(clause.kind, paraphrased(clause), clause.text)


class CardRelease(NamedTuple):
    """The release of a card in a region, None if it is not known, and its bounds, which are empty if it is known."""

    release: Release | None
    bounds: ReleaseBounds = ReleaseBounds()

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        first, _, last = self.bounds
        return {
            "released": self.release.day if self.release else None,
            "rule": self.release.cite.as_dict() if self.release else None,
            "not_before": _limit(first),
            "no_later_than": _limit(last),
        }


def _limit(limit: DayLimit | None) -> dict[str, Any] | None:
    """Return the public form of a limit of a release day."""
    if limit is None:
        return None
    return {"day": limit.day.isoformat(), "reason": str(limit.reason), "rule": limit.cite.as_dict()}


class CardAnswer(NamedTuple):
    """All that is to be known of a card on the day `on`; what hangs on a region is by its code."""

    card: Card
    on: date
    allowances: list[Allowance]
    clauses: list[CardClause]
    history: dict[str, list[Ruling]]
    pairs: dict[str, list[PairBan]]
    block: CardBlock | None
    releases: dict[str, CardRelease]

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        ruled = (one for rulings in self.history.values() for one in rulings)
        return {
            **{"game": self.card.game, "number": self.card.number, "name": self.card.name, "on": self.on},
            "allowances": [one.as_dict() for one in self.allowances],
            "history": [one.change.as_dict() | one.as_dict() for one in ruled],
            "block": self.block.as_dict() if self.block else None,
            "releases": [{"region": region, **one.as_dict()} for region, one in self.releases.items()],
        }

    @property
    def regions(self) -> Mapping[str, str]:
        """The places that each region stands for."""
        return limits.load(self.card.game).regions

    @property
    def formats(self) -> Mapping[str, str]:
        """The official titles of the formats, where they have any."""
        rotation = limits.rotation(self.card.game)
        return rotation.formats if rotation else {}


class FoundCards(NamedTuple):
    """Some of the cards that a search found in one game or in all, and how many it found.

    Where it found none, `near` are cards whose number or name is like the one asked for.
    """

    cards: list[Card]
    total: int
    near: list[Card]


def card_of(catalogue: Catalogue, named: str) -> Card | None:
    """Return the card of a number in any spelling, or of a name that only one card has."""
    if card := catalogue.by_number(named):
        return card
    cards = catalogue.by_name(named)
    return cards[0] if len(cards) == 1 else None


def known_of(card: Card, on: date, catalogue: Catalogue) -> CardAnswer:
    """Return what is to be known of a card of a catalogue on a day."""
    listed = limits.load(card.game)
    day = min(on, LAST_DAY)
    return CardAnswer(
        card,
        on,
        allowances(card, day, catalogue),
        list(map(CardClause.of, card.construction)),
        {region: _naming(card, listed.rulings(region)) for region in listed.dated_regions},
        {region: _naming(card, listed.on(on, region).pairs) for region in listed.regions},
        _block(card, day),
        {region: _release(card, region) for region in listed.regions if region not in listed.follows},
    )


def _release(card: Card, region: str) -> CardRelease:
    release = limits.sets(card.game).release(card.number, region, card.released)
    return CardRelease(release) if release else CardRelease(None, limits.bounds(card.game, region).of(card))


def search(
    library: Library, game: str | None, asked: Mapping[str, str], offset: int = 0, limit: int = 50
) -> FoundCards:
    """Return some of the cards of a game, or of every game after the other, that a search asks for."""
    cards: list[Card] = []
    total = 0
    catalogues = [library.catalogue(one) for one in ((game,) if game else GAMES)]
    for catalogue in catalogues:
        page = catalogue.search(**asked, offset=max(0, offset - total), limit=limit - len(cards))
        total += page.total
        cards.extend(page.cards)
    return FoundCards(cards, total, [] if total else similar_cards(catalogues, asked.get("q", "")))


def similar_cards(catalogues: Iterable[Catalogue], text: str) -> list[Card]:
    """Return a few cards of each catalogue whose number or name is similar to a text.

    Those of the catalogues with the fewest typos come first.
    """
    found = [(similar[0].typos, one) for one in catalogues if (similar := one.similar(text))]
    found.sort(key=itemgetter(0))
    return [card for _, one in found for card in one.suggest(text)]


def _naming(card: Card, entries: Iterable[_Entry]) -> list[_Entry]:
    return [entry for entry in entries if card.number in entry.numbers]


def _block(card: Card, on: date) -> CardBlock | None:
    rotation = limits.rotation(card.game)
    block = rotation.block_of(card.number, card.block, on) if rotation else None
    if rotation is None or block is None:
        return None
    formats = tuple(
        FormatDays(
            format,
            title,
            (allowed := rotation.allowed(format, on)) is None or block in allowed,
            rotation.last_day(block) if format == rotation.rotates else None,
        )
        for format, title in rotation.formats.items()
    )
    return CardBlock(block, formats, rotation.exceptions.get(card.number, ()))
