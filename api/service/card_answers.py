"""What is to be known of one card on a day: how many may be played, its history on the lists, its block, its days."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from api.service.judges import Judges
from carddb.library import Library
from validator import limits
from validator.allowances import Allowance, allowances
from validator.calendar import LAST_DAY
from validator.cards import Card, Clause
from validator.games import GAMES
from validator.limits import BlockException, PairBan, Release, Ruling
from validator.paraphrase import paraphrased


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


class CardClause(NamedTuple):
    """One thing that a card's text says of construction: as it was read, and in the text's own words, if at hand."""

    kind: str
    meaning: str
    text: str

    @classmethod
    def of(cls, clause: Clause) -> CardClause:
        """Say what a clause does."""
        return cls(clause.kind, paraphrased(clause), clause.text)


class CardAnswer(NamedTuple):
    """All that is to be known of a card on the day `on`; what hangs on a region is by its code."""

    card: Card
    on: date
    allowances: list[Allowance]
    clauses: list[CardClause]
    history: dict[str, list[Ruling]]
    pairs: dict[str, list[PairBan]]
    block: CardBlock | None
    releases: dict[str, Release | None]


class FoundCards(NamedTuple):
    """One page of the cards that a search found in one game or in all, and how many it found."""

    cards: list[Card]
    total: int


def known_of(judges: Judges, card: Card, on: date) -> CardAnswer:
    """Return what is to be known of a card on a day."""
    listed, sets = limits.load(card.game), limits.sets(card.game)
    day = min(on, LAST_DAY)
    return CardAnswer(
        card,
        on,
        allowances(card, day, judges.of_day),
        list(map(CardClause.of, card.construction)),
        {region: _ruled(card, listed.rulings(region)) for region in listed.regions},
        {region: _paired(card, listed.on(on, region).pairs) for region in listed.regions},
        _block(card, day),
        {region: sets.release(card.number, region, card.released) for region in listed.regions},
    )


def search(library: Library, game: str | None, asked: dict[str, str], offset: int, limit: int) -> FoundCards:
    """Return the cards of a game, or of every game after the other, that a search asks for; some of them."""
    found, total = FoundCards([], 0), 0
    for one in (game,) if game else GAMES:
        skipped, wanted = max(0, offset - total), limit - len(found.cards)
        page = library.catalogue(one).search(**asked, offset=skipped, limit=wanted)
        total += page.total
        found.cards.extend(page.cards)
    return found._replace(total=total)


def _ruled(card: Card, rulings: list[Ruling]) -> list[Ruling]:
    return [ruling for ruling in rulings if card.number in ruling.numbers]


def _paired(card: Card, pairs: tuple[PairBan, ...]) -> list[PairBan]:
    return [pair for pair in pairs if card.number in (pair.a, pair.b)]


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
