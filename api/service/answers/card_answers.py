"""Cards as JSON, and what is to be known of one on a day: copies allowed, history on the lists, block, release days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from operator import itemgetter
from typing import Annotated, NamedTuple, NotRequired, TypedDict, TypeVar, cast

from api.service.answers.json_schema import ON_IN_TIMEZONE, DayText, doc
from api.service.answers.limit_answers import ListChangeJSON, RulingJSON
from api.service.answers.verdict_answers import CitationJSON, NamedJSON, RulesetNameJSON, citation_json
from carddb import foreign_names
from carddb.library import Library
from validator import limits
from validator.calendar import LAST_DAY
from validator.cards import Card, Catalogue, Clause
from validator.codes import codes
from validator.games import GAMES
from validator.legalities import Allowance, allowances
from validator.limits import BlockException, DayLimit, PairBan, Release, ReleaseBounds, Ruling
from validator.paraphrase import paraphrased, said

_Entry = TypeVar("_Entry", Ruling, PairBan)


class ClauseJSON(TypedDict):
    """What a card text says of deck construction. The other entries depend on the kind."""

    kind: Annotated[str, doc(example="copies")]
    text: Annotated[str, doc("The clause that it was read from.")]


class CardJSON(TypedDict):
    game: str
    number: str
    name: str
    back_name: str | None
    type: str
    colors: Sequence[str]
    cost: int | None
    life: Annotated[int | None, doc("The Life that a Leader gives, where the game has that.")]
    power: int | None
    traits: Sequence[str]
    characters: Sequence[str]
    keywords: Sequence[str]
    text: str
    back_text: str
    rarity: str | None
    set: str | None
    block: str | None
    released: DayText | None
    printings: Sequence[str]
    names: Annotated[
        Mapping[str, str], doc("What it is called in other languages, as far as is known, by their codes.")
    ]
    construction: Annotated[list[ClauseJSON], doc("What the text says of deck construction.")]
    unknown: Annotated[
        Sequence[Annotated[str, doc(enum=("type", "colors", "cost"))]],
        doc("The facts that the card has and its source does not tell."),
    ]


class CardsJSON(TypedDict):
    cards: list[CardJSON]
    page: int
    page_size: int
    total: int
    suggestions: NotRequired[
        Annotated[list[NamedJSON], doc("Cards of similar names or numbers, if no card was found.")]
    ]


class CollectionJSON(TypedDict):
    cards: Annotated[list[CardJSON], doc("Each card once, in the order asked.")]
    not_found: Annotated[list[str], doc("The numbers that no card has.")]


class AllowanceRuleJSON(TypedDict):
    code: Annotated[str, doc("Of the finding that a deck with more copies has.", enum=tuple(codes()))]
    limit: Annotated[int, doc("The most copies by this rule.")]
    severity: Annotated[str, doc("`warning`: it may not hold yet, and does not count.")]
    rule: CitationJSON
    source: Annotated[str | None, doc("The page of the official list, where it is that.")]


class AllowanceJSON(TypedDict):
    region: str
    format: str
    ruleset: RulesetNameJSON
    section: Annotated[str | None, doc("The section that takes the card; null where none does.")]
    most: Annotated[int, doc("The most copies.")]
    because: Annotated[list[AllowanceRuleJSON], doc("The rules that more copies would break.")]


class RuledCardJSON(ListChangeJSON, RulingJSON):
    pass


class FormatDaysJSON(TypedDict):
    format: str
    title: str
    takes: Annotated[bool, doc("Whether the format takes the block on the day.")]
    until: Annotated[date | None, doc("The last day on which it does; null where none is known.")]


class CardBlockJSON(TypedDict):
    block: str
    formats: list[FormatDaysJSON]


class DayLimitJSON(TypedDict):
    day: DayText
    reason: Annotated[str, doc("Why the release lies on this side of the day, in English.")]
    rule: CitationJSON


class CardReleaseJSON(TypedDict):
    region: str
    released: Annotated[DayText | None, doc("null if it is not known.")]
    rule: CitationJSON | None
    not_before: Annotated[DayLimitJSON | None, doc("The first possible day of an unknown release.")]
    no_later_than: Annotated[DayLimitJSON | None, doc("The last possible day of an unknown release.")]


class StandingJSON(NamedJSON):
    game: str
    on: date
    timezone: NotRequired[Annotated[str, ON_IN_TIMEZONE]]
    allowances: Annotated[list[AllowanceJSON], doc("How many may be played, by region and format.")]
    history: Annotated[list[RuledCardJSON], doc("What the official lists have made of it, by region and day.")]
    block: Annotated[CardBlockJSON | None, doc("null where blocks do not rotate.")]
    releases: list[CardReleaseJSON]


def card_json(card: Card) -> CardJSON:
    """Return a card as JSON."""
    return {
        "game": card.game,
        "number": card.number,
        "name": card.name,
        "back_name": card.back_name,
        "type": card.type,
        "colors": card.colors,
        "cost": card.cost,
        "life": card.life,
        "power": card.power,
        "traits": card.traits,
        "characters": card.characters,
        "keywords": card.keywords,
        "text": card.text,
        "back_text": card.back_text,
        "rarity": card.rarity,
        "set": card.set,
        "block": card.block,
        "released": card.released,
        "printings": card.printings,
        "unknown": card.unknown,
        "names": foreign_names.of(card),
        "construction": [cast("ClauseJSON", clause.as_dict() | {"text": said(clause)}) for clause in card.construction],
    }


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

    def as_json(self) -> CardBlockJSON:
        """Return the block as JSON."""
        formats: list[FormatDaysJSON] = [
            {"format": one.format, "title": one.title, "takes": one.takes, "until": one.until} for one in self.formats
        ]
        return {"block": self.block, "formats": formats}


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

    def as_json(self, region: str) -> CardReleaseJSON:
        """Return the release as JSON."""
        first, _, last = self.bounds
        return {
            "region": region,
            "released": self.release.day if self.release else None,
            "rule": citation_json(self.release.cite) if self.release else None,
            "not_before": _day_limit_json(first),
            "no_later_than": _day_limit_json(last),
        }


def _day_limit_json(limit: DayLimit | None) -> DayLimitJSON | None:
    """Return a limit of a release day as JSON, None if there is no limit."""
    if limit is None:
        return None
    return {"day": limit.day.isoformat(), "reason": str(limit.reason), "rule": citation_json(limit.cite)}


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

    def as_json(self) -> StandingJSON:
        """Return the answer as JSON."""
        ruled = (one for rulings in self.history.values() for one in rulings)
        return {
            "game": self.card.game,
            "number": self.card.number,
            "name": self.card.name,
            "on": self.on,
            "allowances": [cast("AllowanceJSON", one.as_dict()) for one in self.allowances],
            "history": [cast("RuledCardJSON", one.change.as_dict() | one.as_dict()) for one in ruled],
            "block": self.block.as_json() if self.block else None,
            "releases": [release.as_json(region) for region, release in self.releases.items()],
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
