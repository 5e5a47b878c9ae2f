"""Cards: the facts that rules use, and the interface of a catalogue."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Protocol

_PLAIN = (str, int, float, type(None))
# The tests that a card must pass, by name. `validator.matching` has the tests and the type of each value: mostly a list
# of texts, bounds for "cost", another match for "not", and a list of matches for "any" and "all".
Match = Mapping[str, Any]


def to_plain_json(value: Any) -> Any:
    """Return a copy of a value as JSON values, at all depths: mappings as dicts, other collections as lists.

    Texts, numbers, bools and None stay the same. The caller may change the copy.
    """
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Mapping):
        return {key: to_plain_json(part) for key, part in value.items()}
    return [to_plain_json(part) for part in value]


# The kinds of clauses on construction, and the details of each kind. All have `text`, too.
CLAUSE_KINDS: Mapping[str, frozenset[str]] = {
    "copies": frozenset({"limit", "section"}),
    "keyword": frozenset({"keyword"}),
    "forbid": frozenset({"match", "section"}),
    "pool": frozenset({"match", "limit", "section"}),
    "alias": frozenset({"names", "characters", "traits", "colors", "keywords", "types", "match"}),
    "don_size": frozenset({"size"}),
    "event_only": frozenset(),
    "unread": frozenset(),
    "unseen": frozenset({"keywords"}),
}
ALIASES = ("names", "characters", "traits", "colors", "keywords", "types")


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement of a card's text about deck construction. `kind` is one of CLAUSE_KINDS, such as "copies".

    `text` is printed, or "". `match` (see `validator.matching`) describes the cards that the clause applies to, None
    for the card itself. `when` describes the Leader with which it holds, None for any. `section` is the section that
    "your deck" means: `main`, or `z` for a Z-Deck. `limit` is a number of copies or cards, None for any number. `names`
    to `types` are facts that the clause adds to cards. A clause `unread` is a sentence that could not be parsed.
    `unseen` is for a text that nobody has read. Its `keywords` are only possible, also among the card's own.
    """

    kind: str
    text: str = ""
    limit: int | None = None
    keyword: str | None = None
    match: Match | None = None
    when: Match | None = None
    section: str = "main"
    size: int | None = None
    names: tuple[str, ...] = ()
    characters: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Clause:
        """Return the clause of the form that `as_dict` returns.

        Raises ValueError for an unknown kind, and for a key that the kind does not have. The values are not checked.
        """
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in CLAUSE_KINDS:
            raise ValueError(f"unknown clause kind {kind!r}; known are {', '.join(CLAUSE_KINDS)}")
        known = CLAUSE_KINDS[kind] | {"kind", "text", "when"}
        if unknown := set(data) - known:
            raise ValueError(f"a {kind} clause has no {', '.join(sorted(map(str, unknown)))}")
        fields: dict[str, Any] = {key: tuple(value) if key in ALIASES else value for key, value in data.items()}
        return cls(**fields)

    def as_dict(self) -> dict[str, Any]:
        """Return the public form: the kind, the details of the kind, `section`, `when` and the text.

        Empty details are left out, except for `limit` of the kind "copies". `section` is left out if it is "main",
        `when` if it is None. The result is a copy that the caller may change.
        """
        found: dict[str, Any] = {"kind": self.kind}
        for key in ("limit", "keyword", "match", "size", *ALIASES):
            value = getattr(self, key)
            if key not in CLAUSE_KINDS[self.kind]:
                continue
            if value not in (None, ()) or (key == "limit" and self.kind == "copies"):
                found[key] = to_plain_json(value)
        if self.section != "main":
            found["section"] = self.section
        if self.when is not None:
            found["when"] = to_plain_json(self.when)
        found["text"] = self.text
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card number with the facts that rules use. In games that count by name, it is one name, and `number` is "".

    `type` is spelled as in the manuals: "Z-Battle". `cost` is the number of the printed `cost_text`, None if there is
    none or it is X. `life` is that of a Leader. `block` is the printed icon. `keywords` are those for deck
    construction. `released` is the first ISO date of the English-language release. `printings` are the numbers of all
    printings. `unknown` names the facts ("type", "colors", "cost") that a card of its type has and the source lacks.
    Any other empty fact is one that the card lacks. A catalogue has one object for each card, compared by identity.
    """

    game: str
    number: str
    name: str
    type: str
    back_name: str | None = None
    colors: tuple[str, ...] = ()
    cost: int | None = None
    cost_text: str | None = None
    life: int | None = None
    power: int | None = None
    back_power: int | None = None
    traits: tuple[str, ...] = ()
    back_traits: tuple[str, ...] = ()
    characters: tuple[str, ...] = ()
    back_characters: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    text: str = ""
    back_text: str = ""
    rarity: str | None = None
    set: str | None = None
    block: str | None = None
    released: str | None = None
    printings: tuple[str, ...] = ()
    construction: tuple[Clause, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def unseen(self) -> Clause | None:
        """The clause of a card with an unread text, None for all other cards."""
        return next((clause for clause in self.construction if clause.kind == "unseen"), None)

    @property
    def label(self) -> str:
        """The card's number and name, or only the name, for sentences."""
        return f"{self.number} {self.name}".strip()


class SimilarName(NamedTuple):
    """The cards of one name, or of one number, that is similar to a text.

    `typos` is the number of typos between the two.
    """

    typos: int
    cards: Sequence[Card]


class Catalogue(Hashable, Protocol):
    """The interface of a catalogue: the cards of one game, all of one snapshot.

    `snapshot` is the id of the snapshot. `as_of` is the day on which the card data was collected, None if it is not
    known. `index` has the cards by the numbers of all their printings, as the source spells them.
    """

    game: str
    snapshot: str
    # The day on which the card data was collected, None if it is not known.
    as_of: date | None
    # Every number and printing in the source's spelling, for a fast look-up of clean input.
    index: Mapping[str, Card]

    def __len__(self) -> int:
        """Return the number of cards."""

    def __iter__(self) -> Iterator[Card]:
        """Return an iterator over the cards."""

    def by_number(self, number: str) -> Card | None:
        """Return the card of a number in any spelling, of any printing. None if there is none."""

    def by_name(self, name: str) -> Sequence[Card]:
        """Return the cards of exactly this name, front or back, in any language. Case and blanks are ignored."""

    def similar(self, text: str) -> Sequence[SimilarName]:
        """Return the card numbers, or else the card names, that are similar to a text, the likeliest first."""

    def suggest(self, text: str, most: int = 5) -> Sequence[Card]:
        """Return at most `most` cards with a number or name similar to a text.

        The first cards are one of each name, then others follow.
        """
