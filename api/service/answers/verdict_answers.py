"""Verdicts as JSON: the types of answers with a verdict, and a fast writer of whole verdicts.

`Verdict.as_dict` in the validator returns the same JSON. `tests/api/service/test_verdict_answers.py` compares both with
the types here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, NotRequired, TypedDict, cast
from weakref import WeakKeyDictionary

import orjson

from api.service.answers.chat_summary import summarise_verdict
from api.service.answers.json_schema import ON_IN_TIMEZONE, JSONObject
from validator import diagnoses
from validator.cards import Card
from validator.codes import finding_codes
from validator.deck import SECTIONS, card_fingerprint, hash_sections
from validator.field_docs import DayText, doc
from validator.findings import Citation, Finding
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language


class CitationJSON(TypedDict):
    """The place of a rule in a document, as JSON."""

    document: Annotated[str, doc("A rule manual, an official list, or a card.")]
    section: Annotated[str, doc("The place in it, or the card's own words.")]


def citation_json(citation: Citation) -> CitationJSON:
    """Return the document and section of a citation as JSON."""
    return cast("CitationJSON", citation.as_dict())


class NamedJSON(TypedDict):
    """The number and name of a card as JSON. In findings, one of both is "" for an unknown card without it."""

    number: Annotated[str, doc(example="OP01-016")]
    name: Annotated[str, doc(example="Nami")]


class CopiesJSON(NamedJSON):
    """A card with a number of copies, as JSON. `count` is null if no number is meant."""

    count: int | None


class LineJSON(TypedDict):
    """A line of a deck as JSON: the card by number, by name (the other is null) or by both, and its copies."""

    number: str | None
    name: str | None
    count: int


class DeckJSON(TypedDict, total=False):
    """A deck as JSON, in the form of requests: the lines of each section. A missing section is empty.

    The OpenAPI document describes it by the marshmallow schema of requests instead of this type.
    """

    leader: list[LineJSON]
    main: list[LineJSON]
    side: list[LineJSON]
    z: list[LineJSON]
    don: list[LineJSON]
    resource: list[LineJSON]


class SizesJSON(TypedDict):
    """The number of cards in each section of a deck, unknown cards included, 0 for an empty section, as JSON.

    Lines that could not be read are not counted.
    """

    leader: int
    main: int
    side: int
    z: int
    don: int
    resource: int


class SourcedEntryJSON(TypedDict):
    """The source and the days of an entry of a limits list, as JSON, both in findings and in lists.

    Days are ISO dates. `announced` is null if it is not known, `effective_to` if the entry has no end.
    """

    source: Annotated[str, doc("The address of the list.")]
    announced: str | None
    effective_from: Annotated[str | None, doc("The first day. null if it is not known.")]
    effective_to: Annotated[str | None, doc("The last day.")]
    not_before: Annotated[str | None, doc("If the first day is not known: this day or later.")]
    no_later_than: Annotated[str | None, doc("If the first day is not known: this day or earlier.")]
    confidence: Annotated[str, doc("The confidence in the source: `high`, `medium` or `low`.")]


class EntryJSON(SourcedEntryJSON):
    """The entry of a limits list behind a finding, as JSON."""

    note: Annotated[str | None, doc("A note on the source.")]


class FixStepJSON(TypedDict):
    """Copies of a card that a fix removes or moves, as JSON. `count` is their number."""

    number: Annotated[str | None, doc("The number of the card. null for any card of the section.")]
    name: Annotated[str | None, doc("The name of the card, or a line that could not be read. null for any card.")]
    count: int


_FromTo = TypedDict("_FromTo", {"from": str, "to": str})


class FixMoveJSON(FixStepJSON, _FromTo):
    """Copies of a card that a fix moves from one section (`from`) to another (`to`), as JSON."""


class FixRemovalJSON(FixStepJSON):
    """Copies of a card that a fix removes, as JSON."""

    section: Annotated[str | None, doc("The section of the card. null for a line that could not be read.")]


class FixAdditionJSON(TypedDict):
    """The number of cards that a fix adds to a section, as JSON."""

    section: str
    count: int
    cards: Annotated[list[NamedJSON], doc("The cards. Any one of them is enough. Empty for any legal card.")]


class FixChangesJSON(TypedDict):
    """The changes of a deck that the fix of a finding consists of, as JSON. Each list may be empty."""

    remove: list[FixRemovalJSON]
    move: list[FixMoveJSON]
    add: list[FixAdditionJSON]


_JSON_TYPES = {bool: "boolean", str: "text", int: "whole number", float: "number", list: "list", dict: "object"}


def describe_details() -> str:
    """Return an English text for the OpenAPI document on the `details` of findings.

    For each finding code it has the key, JSON type and meaning of each detail. Codes without details are left out.
    """
    listed = (
        f"`{name}`: "
        + "; ".join(f"`{key}` ({_JSON_TYPES[kind]}): {meaning}" for key, (kind, meaning) in code.details.items())
        for name, code in finding_codes().items()
        if code.details
    )
    return " · ".join(listed)


class FindingJSON(TypedDict):
    """One thing that is wrong with a deck, or advice about it, as JSON.

    `section` is null if the finding is about no single section. `count`, `limit` and `minimum` are null if it is about
    no such number. `cards` may be empty.
    """

    code: Annotated[str, doc("Stable for ever.", enum=tuple(finding_codes()))]
    severity: Annotated[str, doc(enum=("error", "warning", "advice"))]
    section: str | None
    message: Annotated[str, doc("What is wrong, in a sentence.")]
    cards: list[CopiesJSON]
    count: Annotated[int | None, doc("The number in the deck.")]
    limit: Annotated[int | None, doc("The most that is allowed.")]
    minimum: Annotated[int | None, doc("The fewest that are allowed.")]
    rule: CitationJSON
    fix: Annotated[str, doc("What to do, in a sentence.")]
    details: Annotated[JSONObject, doc(f"What the sentence says, as named values. By code: {describe_details()}")]
    keyword: NotRequired[Annotated[str, doc("The keyword that the finding is about.")]]
    limits: NotRequired[Annotated[EntryJSON, doc("The entry of the limits list that the finding rests on.")]]
    suggestions: NotRequired[
        Annotated[
            list[NamedJSON],
            doc(
                "Cards that may have been meant. Of one code the first 60 findings are single; the others are"
                " merged, with all their cards and without suggestions."
            ),
        ]
    ]
    line: NotRequired[
        Annotated[int, doc("The line of the decklist, from 1. For a merged finding, the first line or absent.")]
    ]
    changes: NotRequired[
        Annotated[
            FixChangesJSON,
            doc(
                "What the fix says, for programs. The changes of all findings of a verdict are one plan: "
                "first remove and move the cards that are named, then remove any cards, then add. Absent if "
                "there is nothing more to do."
            ),
        ]
    ]


def finding_json(finding: Finding, translate: Language = ENGLISH) -> FindingJSON:
    """Return a finding as JSON, with its sentences in a language."""
    return cast("FindingJSON", finding.as_dict(translate=translate))


def understood_deck_json(verdict: Verdict) -> DeckJSON:
    """Return the deck of a verdict as JSON: in each section, the catalogue's cards for its lines.

    The number and name of an unknown card are as written. All sections are present. Unread lines are left out.
    """
    return cast("DeckJSON", {section: verdict.section(section) for section in SECTIONS})


class DiagnosisJSON(TypedDict):
    """The probable common cause of most findings of a verdict, as JSON.

    For other causes than another Leader `cards` is empty. For others than another game `game` is null.
    """

    code: Annotated[str, doc("Stable for ever.", enum=diagnoses.CODES)]
    message: Annotated[str, doc("The cause of most findings, in a sentence.")]
    fix: Annotated[str, doc("What to do, or to ask, in a sentence.")]
    cards: Annotated[list[NamedJSON], doc("The Leader, if the deck seems to be for another Leader.")]
    game: Annotated[str | None, doc("The probable game of the deck, if this server judges it.")]


class RulesetNameJSON(TypedDict):
    """The id and title of a ruleset as JSON."""

    id: Annotated[str, doc(example="optcg-1.1.9")]
    title: str


class ProvisionalJSON(TypedDict):
    """A note on data from second-hand sources, which may be wrong, as JSON."""

    reason: Annotated[str, doc("A sentence on the sources and on what may be wrong.")]
    missing: Annotated[list[str], doc("The documents that nobody has read.")]


PROVISIONAL = doc("Only if the data rests on second-hand sources.")


class EditionJSON(TypedDict):
    """The identity of a ruleset as JSON, in verdicts and in lists of rulesets."""

    id: Annotated[str, doc(example="optcg-1.1.9")]
    title: str
    in_force_from: Annotated[DayText | None, doc("The first day. null if it is not known.")]
    note: Annotated[
        str | None,
        doc("What is not sure of its text; in a verdict also that the text is of a later date than the day."),
    ]
    provisional: NotRequired[Annotated[ProvisionalJSON, PROVISIONAL]]


class SnapshotJSON(TypedDict):
    """The card catalogue of a verdict as JSON. `cards` is their number."""

    game: str
    snapshot: Annotated[str, doc("The state of the card data.")]
    cards: int
    as_of: Annotated[DayText | None, doc("The day of the card data. null if it is not known.")]
    provisional: NotRequired[Annotated[ProvisionalJSON, PROVISIONAL]]


class CheckedRuleJSON(CitationJSON):
    """The name and citation of a checked rule as JSON."""

    name: str


class CheckedJSON(TypedDict):
    """A checked rule with its result, as JSON. `says` is the rule in a sentence."""

    rule: CheckedRuleJSON
    says: str
    passed: Annotated[bool | None, doc("null if the rule only warns, because a fact that decides it is not known.")]


class KnownLimitsJSON(TypedDict):
    """The limits list that a verdict applies, and the last day that it covers, as JSON."""

    effective_from: Annotated[
        DayText | None, doc("The day of its newest change whose first day is known. null before the first one.")
    ]
    known_to: Annotated[DayText, doc("The last day whose announcements are in it.")]
    note: Annotated[str | None, doc("The gaps in the list of the region. null if nothing is missing.")]
    list: Annotated[str, doc("The id of the official lists.", example="optcg-shipped-c0bc8bca")]
    source: Annotated[
        str, doc("`shipped`, the names of the files that were added to the lists that ship, or whose own list it is.")
    ]
    provisional: NotRequired[Annotated[ProvisionalJSON, PROVISIONAL]]


class VerdictJSON(TypedDict):
    """The verdict on a deck as JSON. `on` is the day of the verdict.

    `format` and `region` are keys, with the defaults for omitted ones. `timezone` is missing if the request names the
    day.
    """

    legal: Annotated[bool, doc("True exactly when no finding is an error.")]
    ruleset: EditionJSON
    on: DayText
    timezone: NotRequired[Annotated[str, ON_IN_TIMEZONE]]
    format: str
    region: str
    best_of: NotRequired[Annotated[int, doc("The most games of a match, if the request has it.")]]
    limits: Annotated[
        KnownLimitsJSON | None, doc("The official limits list. null if it is switched off or the game has none.")
    ]
    catalogue: SnapshotJSON
    counts: Annotated[SizesJSON, doc("The cards of each section.")]
    deck_hash: Annotated[
        str, doc("A hash of the cards and their sections. Another spelling of the list does not change it.")
    ]
    findings: list[FindingJSON]
    diagnoses: NotRequired[Annotated[list[DiagnosisJSON], doc("The cause of most findings, if there is one.")]]
    deck: Annotated[DeckJSON, doc("The deck as understood.")]
    checked: NotRequired[Annotated[list[CheckedJSON], doc("With `explain`: every rule that was applied.")]]
    summary: NotRequired[Annotated[str, doc("With `summary`: all of it in at most 1,900 characters, no finding cut.")]]


class TeamDeckVerdictJSON(TypedDict):
    """The verdict on one deck of a team as JSON."""

    name: Annotated[str, doc("The name of the deck in the request.")]
    verdict: VerdictJSON


class TeamVerdictJSON(TypedDict):
    """The verdict on the decks of a team as JSON."""

    legal: Annotated[bool, doc("True exactly when every deck is legal and no finding on the team is an error.")]
    findings: Annotated[list[FindingJSON], doc("The findings on shared cards.")]
    decks: Annotated[list[TeamDeckVerdictJSON], doc("The verdict on each deck, in the order of the request.")]


class _CardLines(dict[tuple[Card, int], tuple[str, bytes]]):
    """A cache of `(fingerprint, JSON)` of a deck's line, by `(card, copies)`. Many decks have the same lines.

    The fingerprint is the part of the text that the deck's hash is made of. The JSON has number, name and count.
    """

    def __missing__(self, key: tuple[Card, int]) -> tuple[str, bytes]:
        """Return the fingerprint and the JSON of a card with its copies, and cache both.

        A full cache (65,536 entries) is cleared first.
        """
        if len(self) >= _MOST_CARD_LINES:
            self.clear()
        card, copies = key
        line = orjson.dumps({"number": card.number, "name": card.name, "count": copies})
        found = self[key] = card_fingerprint(card, copies), line
        return found


_MOST_CARD_LINES = 1 << 16  # some 20 MB
_card_line = _CardLines().__getitem__
_TERMS_JSON: WeakKeyDictionary[Judge, bytes] = WeakKeyDictionary()  # each verdict of a Judge has the same


def verdict_bytes(
    verdict: Verdict, explain: bool = False, translate: Language = ENGLISH, in_short: bool = False
) -> bytes:
    """Return a verdict as JSON text, with the entries of `Verdict.as_dict` but faster, with sentences in a language.

    `explain` adds the entry `checked` with every checked rule. `in_short` adds `summary`, a text for chats. The part
    about the terms is cached by Judge, and the lines of the deck by card and copies.
    """
    judge, facts = verdict.judge, verdict.facts
    fingerprints: list[tuple[str, Iterable[str]]] = []
    deck: list[bytes] = []
    for section in facts.used:
        if cards := facts.known_cards(section):
            card_fingerprints, lines = zip(*map(_card_line, cards.items()), strict=True)
            fingerprints.append((section, card_fingerprints))
            deck.append(b",".join(lines))
        else:
            fingerprints.append((section, facts.fingerprints(section)))
            deck.append(orjson.dumps(verdict.section(section))[1:-1])
    shown = verdict.reasons(own=False, translate=translate)
    if explain:
        shown["checked"] = verdict.checked(translate)
    if in_short:
        shown["summary"] = summarise_verdict(verdict, translate)
    return b"".join((
        b'{"legal":true,' if verdict.legal else b'{"legal":false,',
        _TERMS_JSON.get(judge) or _TERMS_JSON.setdefault(judge, orjson.dumps(judge.made_with)[1:-1]),
        b',"counts":', orjson.dumps(facts.sizes),
        b',"deck_hash":"', hash_sections(judge.catalogue.game, fingerprints).encode(), b'",',
        orjson.dumps(shown)[1:-1],
        _deck_template(facts.used) % tuple(deck),
    ))  # fmt: skip


@lru_cache(maxsize=1 << len(SECTIONS))
def _deck_template(used: tuple[str, ...]) -> bytes:
    """Return the end of a verdict's JSON text, from the comma before `deck` to the last brace, as a template.

    It has a `%b` for the lines of each section in `used`. Other sections are empty lists. The result is cached.
    """
    sections = [f'"{section}":[{"%b" if section in used else ""}]' for section in SECTIONS]
    return b',"deck":{%b}}' % ",".join(sections).encode()
