"""Cards as JSON, and the facts of one card on a day: copies allowed, history on the lists, block, release days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from operator import itemgetter
from typing import Annotated, NamedTuple, NotRequired, TypedDict, TypeVar, cast

from carddb import foreign_names
from carddb.library import Library
from carddb.official_pages import official_page
from validator.calendar import LAST_DAY
from validator.cards import Card, Catalogue, Clause
from validator.field_docs import DayText, doc
from validator.findings import CitationJSON, NamedJSON
from validator.games import GAMES
from validator.judge import ON_IN_TIMEZONE
from validator.legalities import Allowance, AllowanceJSON, allowances
from validator.limits import Binding, BlockException, DayLimit, GameLists, Release, ReleaseBounds, Rotation, Ruling
from validator.limits.lists import ListChangeJSON, RulingJSON
from validator.paraphrase import clause_text, paraphrase_clause

_Entry = TypeVar("_Entry", Ruling, Binding)


class ClauseJSON(TypedDict):
    """A clause about deck construction in a card text, as JSON. Further entries, not declared here, depend on `kind`.

    `kind` is a key. `text` is the wording on the card, or a paraphrase in English if the catalogue does not contain it.
    """

    kind: Annotated[str, doc(example="copies")]
    text: Annotated[str, doc("The clause that it was read from.")]


class CardJSON(TypedDict):
    """A card of a catalogue as JSON. Attributes, and facts of the back except its name and text, are left out.

    A fact that the card does not have, or that is not known, is null or empty. `cost` is also null for a printed X.
    `set` is the set's code or name as in the source, `block` the printed mark for rotation. `released` is the day of
    the English release. `printings` are the numbers of all printings, `number` among them.
    """

    game: str
    number: str
    name: str
    back_name: str | None
    type: str
    colors: Sequence[str]
    cost: int | None
    life: Annotated[int | None, doc("The Life of a Leader. null if the game has no Life.")]
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
    names: Annotated[Mapping[str, str], doc("The known names in other languages, by language code.")]
    official_page: Annotated[str | None, doc("The page of the official card list with the set of the card.")]
    construction: Annotated[list[ClauseJSON], doc("The clauses of the text about deck construction.")]
    unknown: Annotated[
        Sequence[Annotated[str, doc(enum=("type", "colors", "cost"))]],
        doc("The facts that are missing in the source of the card."),
    ]


class CardsJSON(TypedDict):
    """A page of the cards that a search found, as JSON. `total` is the number of found cards on all pages.

    `page` counts from 1, `page_size` is the most cards of a page. `suggestions` is missing if a card was found.
    """

    cards: list[CardJSON]
    page: int
    page_size: int
    total: int
    suggestions: NotRequired[
        Annotated[list[NamedJSON], doc("Cards of similar names or numbers, if no card was found.")]
    ]


class CollectionJSON(TypedDict):
    """The cards with the numbers of a request, and those of the numbers that no card has, as JSON."""

    cards: Annotated[list[CardJSON], doc("Each card once, in the order asked.")]
    not_found: Annotated[list[str], doc("The numbers that no card has.")]


class RuledCardJSON(ListChangeJSON, RulingJSON):
    """A change of an official list with its effect on one card or one banned pair, as JSON, in a single object."""


class FormatDaysJSON(TypedDict):
    """A format, and the days on which it takes a block, as JSON. `until` is also null if its blocks do not rotate."""

    format: str
    title: str
    takes: Annotated[bool, doc("Whether the format takes the block on the day.")]
    until: Annotated[
        date | None, doc("The last day on which the format takes the block. null if no such day is known.")
    ]


class CardBlockJSON(TypedDict):
    """The block of a card, and every format of the game with its `takes` (true or false), as JSON.

    `block` is that on the day of the answer: official lists may treat a card as if it had another block.
    """

    block: str
    formats: list[FormatDaysJSON]


class DayLimitJSON(TypedDict):
    """The earliest or latest possible day of an unknown release, as JSON."""

    day: DayText
    reason: Annotated[str, doc("Why the release lies on this side of the day, in English.")]
    rule: CitationJSON


class CardReleaseJSON(TypedDict):
    """The release of a card in a region, as JSON. `rule` is the source of a known day, else null.

    `not_before` and `no_later_than` are null if the day is known, or if there is no such limit.
    """

    region: str
    released: Annotated[DayText | None, doc("null if it is not known.")]
    rule: CitationJSON | None
    not_before: Annotated[DayLimitJSON | None, doc("The first possible day of an unknown release.")]
    no_later_than: Annotated[DayLimitJSON | None, doc("The last possible day of an unknown release.")]


class StandingJSON(NamedJSON):
    """The legality of a card on a day, with its history on the official lists, as JSON.

    `timezone` is missing if the request names the day. `block` is also null if the card has none.
    """

    game: str
    on: date
    timezone: NotRequired[Annotated[str, ON_IN_TIMEZONE]]
    allowances: Annotated[list[AllowanceJSON], doc("The copies that may be played, by region and format.")]
    history: Annotated[list[RuledCardJSON], doc("The changes of the official lists about the card, by region and day.")]
    block: Annotated[CardBlockJSON | None, doc("null if blocks do not rotate.")]
    releases: list[CardReleaseJSON]


def card_json(card: Card) -> CardJSON:
    """Return a card of a catalogue as JSON, with its names in other languages and its construction clauses.

    Sequences and mappings are shared with the card, so they must not be changed.
    """
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
        "names": foreign_names.foreign_names_of(card),
        "official_page": official_page(card),
        "construction": [
            cast("ClauseJSON", clause.as_dict() | {"text": clause_text(clause)}) for clause in card.construction
        ],
    }


class CardBlock(NamedTuple):
    """The block of a card on a day, each format of the game with its days, and the official exceptions for the card.

    An exception gives the card another `block` for some days. `exceptions` are those of all days. Empty if there are
    none.
    """

    block: str
    formats: list[FormatDaysJSON]
    exceptions: tuple[BlockException, ...]

    def as_json(self) -> CardBlockJSON:
        """Return the block and the days of each format as JSON. The exceptions are left out."""
        return {"block": self.block, "formats": self.formats}


class CardClause(NamedTuple):
    """One clause of a card text about deck construction. `meaning` is its paraphrase in English.

    `text` is its wording on the card, "" if the catalogue does not contain the card text.
    """

    kind: str
    meaning: str
    text: str

    @classmethod
    def from_clause(cls, clause: Clause) -> CardClause:
        """Return the kind of a clause, its paraphrase in English, and its wording on the card ("" if unknown)."""
        return cls(clause.kind, paraphrase_clause(clause), clause.text)


class CardRelease(NamedTuple):
    """The release of a card in a region. `release` is None if its day is not known.

    `bounds` has then the first and the last possible day, each None if there is no such limit, and an estimate of the
    day, which is in no JSON. If the day is known, all are None.
    """

    release: Release | None
    bounds: ReleaseBounds = ReleaseBounds()

    def as_json(self, region: str) -> CardReleaseJSON:
        """Return the release, or the limits of its unknown day, as JSON. `region` is only copied into the JSON."""
        first, _, last = self.bounds
        return {
            "region": region,
            "released": self.release.day if self.release else None,
            "rule": self.release.cite.as_dict() if self.release else None,
            "not_before": _day_limit_json(first),
            "no_later_than": _day_limit_json(last),
        }


def _day_limit_json(limit: DayLimit | None) -> DayLimitJSON | None:
    """Return a limit of an unknown release day, with its English reason and its citation, as JSON.

    None if `limit` is None.
    """
    if limit is None:
        return None
    return {"day": limit.day.isoformat(), "reason": str(limit.reason), "rule": limit.cite.as_dict()}


class CardAnswer(NamedTuple):
    """The facts of a card on the day `on`, by the official `lists` of its game.

    `allowances` has the most copies in each region and format. By the code of the region are `history` (changes of the
    official list about the card, of all days, the oldest first), `pairs` (banned pairs with the card that are, or may
    be, in force on the day) and `releases`. Regions that follow the dates of another region are only in `pairs`.
    `block` is None if blocks do not rotate or the card has none.
    """

    card: Card
    lists: GameLists
    on: date
    allowances: list[Allowance]
    clauses: list[CardClause]
    history: dict[str, list[Ruling]]
    pairs: dict[str, list[Binding]]
    block: CardBlock | None
    releases: dict[str, CardRelease]

    def as_json(self) -> StandingJSON:
        """Return the facts as JSON: allowances, history of all regions in one list, block and releases.

        Banned pairs, clauses and the time zone are left out.
        """
        every_ruling = (ruling for rulings in self.history.values() for ruling in rulings)
        return {
            "game": self.card.game,
            "number": self.card.number,
            "name": self.card.name,
            "on": self.on,
            "allowances": [allowance.as_dict() for allowance in self.allowances],
            "history": [{**ruling.change.as_dict(), **ruling.as_dict()} for ruling in every_ruling],
            "block": self.block.as_json() if self.block else None,
            "releases": [release.as_json(region) for region, release in self.releases.items()],
        }

    @property
    def regions(self) -> Mapping[str, str]:
        """The places of each region of the lists as an English text, by the region's code."""
        return self.lists.listed.regions

    @property
    def formats(self) -> Mapping[str, str]:
        """The official title of each format by its name. Empty if blocks of the game do not rotate."""
        return self.lists.rotation.formats if self.lists.rotation else {}


class FoundCards(NamedTuple):
    """One page of the cards that a search found in one game or in all games. `total` is the number of all found cards.

    `cards` are only those of the page. `near`: up to five cards of each game with a number or name similar to the
    search if `total` is 0, else empty.
    """

    cards: list[Card]
    total: int
    near: list[Card]


def find_card(catalogue: Catalogue, number_or_name: str) -> Card | None:
    """Return the card with a number in any spelling, else the only card with this name.

    None if there is none, or if several cards have the name.
    """
    if card := catalogue.by_number(number_or_name):
        return card
    cards = catalogue.by_name(number_or_name)
    return cards[0] if len(cards) == 1 else None


def describe_card(card: Card, asked_day: date, catalogue: Catalogue, lists: GameLists) -> CardAnswer:
    """Return the facts of a card on a day: allowances, clauses, history on the lists, banned pairs, block, releases.

    Allowances and the block are those of LAST_DAY if the day is later. Releases are only for regions with days of their
    own.
    """
    listed = lists.listed
    day = min(asked_day, LAST_DAY)
    return CardAnswer(
        card,
        lists,
        asked_day,
        allowances(card, day, catalogue, lists),
        list(map(CardClause.from_clause, card.construction)),
        {region: _entries_of_card(card, listed.rulings(region)) for region in listed.dated_regions},
        {region: _entries_of_card(card, listed.in_force_on(asked_day, region).pairs) for region in listed.regions},
        _card_block(card, day, lists.rotation),
        {region: _card_release(card, region, lists) for region in listed.regions if region not in listed.follows},
    )


def _card_release(card: Card, region: str, lists: GameLists) -> CardRelease:
    """Return the release of a card in a region. If its day is not known, return the limits of that day."""
    release = lists.sets.release(card.number, region, card.released)
    return CardRelease(release) if release else CardRelease(None, lists.bounds(region).find_bounds(card))


def search(
    library: Library, game: str | None, terms: Mapping[str, str], offset: int = 0, limit: int = 50
) -> FoundCards:
    """Return up to `limit` cards from `offset` on that match a search, and the total number of matches.

    `game` None is all games: the cards come game by game, in the order of GAMES. `terms` are keyword arguments of
    `Catalogue.search`. If nothing matches, `near` of the result has cards similar to the text `q` of `terms`.
    """
    cards: list[Card] = []
    total = 0
    catalogues = [library.catalogue(name) for name in ((game,) if game else GAMES)]
    for catalogue in catalogues:
        page = catalogue.search(**terms, offset=max(0, offset - total), limit=limit - len(cards))
        total += page.total
        cards.extend(page.cards)
    return FoundCards(cards, total, [] if total else similar_cards(catalogues, terms.get("q", "")))


def similar_cards(catalogues: Iterable[Catalogue], text: str) -> list[Card]:
    """Return up to five cards of each catalogue with a number or name similar to a text.

    Cards of the catalogue whose best match has the fewest typos come first. A catalogue without a similar one is
    skipped.
    """
    found = [(similar[0].typos, catalogue) for catalogue in catalogues if (similar := catalogue.similar(text))]
    found.sort(key=itemgetter(0))
    return [card for _, catalogue in found for card in catalogue.suggest(text)]


def _entries_of_card(card: Card, entries: Iterable[_Entry]) -> list[_Entry]:
    """Return those changes or banned pairs of `entries` that name the number of a card, in the same order."""
    return [entry for entry in entries if card.number in entry.numbers]


def _card_block(card: Card, day: date, rotation: Rotation | None) -> CardBlock | None:
    """Return the block of a card on a day, with each format of the game: if it takes the block then, and until when.

    None if blocks of the game do not rotate (`rotation` is None) or the card has no block.
    """
    block = rotation.block_of(card.number, card.block, day) if rotation else None
    if rotation is None or block is None:
        return None
    formats: list[FormatDaysJSON] = [
        {
            "format": format,
            "title": title,
            "takes": (allowed := rotation.legal_blocks(format, day)) is None or block in allowed,
            "until": rotation.last_day(block) if format == rotation.rotates else None,
        }
        for format, title in rotation.formats.items()
    ]
    return CardBlock(block, formats, rotation.exceptions.get(card.number, ()))
