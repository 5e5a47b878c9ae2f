"""Schemas: what answers look like, and the requests of single endpoints.

What a request asks of a deck is described in `api.service.shapes`.
"""

from __future__ import annotations

import json
from typing import Any

import marshmallow as ma
from marshmallow import fields
from marshmallow import validate

from api.jobs.store import STATUSES
from api.service.shapes import AFTER
from api.service.shapes import BEFORE
from api.service.shapes import DAY
from api.service.shapes import LONGEST_DECKLIST
from api.service.shapes import LONGEST_TEXT
from api.service.shapes import Day
from api.service.shapes import DeckOrText
from api.service.shapes import DeckShape
from api.service.shapes import GivenShape
from api.service.shapes import JudgedShape
from api.service.shapes import Shape
from api.service.shapes import TermsShape
from api.service.shapes import example_deck
from api.service.shapes import said
from api.sheets.files import KINDS as SHEETS
from api.sheets.files import PAPERS
from api.sheets.registration import LONGEST
from api.workbooks.checking import KINDS as RESULTS
from validator.codes import codes
from validator.games import GAMES

MOST_NUMBERS = 1000  # of one collection request
MOST_PAGE = 200


EXAMPLE_TEXT = "Leader\n1 ST21-001 Monkey.D.Luffy\n\nMain\n4 OP01-016 Nami\n4x ST21-002\n"


def deck_or_text(converter: Any, field: fields.Field[Any], **_: Any) -> dict[str, Any]:
    """Return what the OpenAPI document says of a field besides the usual: of a DeckOrText, both that it may be."""
    if not isinstance(field, DeckOrText):
        return {}
    return {"anyOf": [converter.resolve_nested_schema(DeckShape), {"type": "string"}]}


def _written(field: str, description: str, example: str) -> fields.Field[Any]:
    return fields.Raw(
        allow_none=True, metadata=said(description, type="string", maxLength=LONGEST[field], example=example)
    )


class SheetShape(JudgedShape):
    player = _written("player", "The player's name in one. This or `last_name`.", "Last, First")
    last_name = _written("last_name", "The name that lists are filed by.", "Last")
    first_name = _written("first_name", "The rest of the name.", "First")
    player_id = _written("player_id", "The player's number or other sign; zeros before it are kept.", "0012345678")
    event = _written("event", "What the event is called.", "Example Regional")
    date = fields.Raw(
        allow_none=True,
        metadata=said(
            "The day of the event, which may be empty; it is also judged for where `on` is left out.",
            anyOf=[{"type": "string", **DAY}, {"type": ["string", "null"], "maxLength": 0}],
            example="2026-11-21",
        ),
    )
    place = _written("place", "Where the event is.", "Example Hall")
    table = _written("table", "The player's table.", "42")
    notes = _written("notes", "Whatever the judges should know.", "Leaves at six")


class SheetQuery(Shape):
    kind = fields.String(
        data_key="as",
        validate=validate.OneOf(tuple(SHEETS)),
        metadata=said("The file to get; default: what `Accept` says, else `pdf`.", example="pdf"),
    )
    paper = fields.String(
        load_default="a4",
        validate=validate.OneOf(PAPERS),
        metadata=said("The paper to print on; default: `a4`.", example="letter"),
    )


_BY_RULESET_OR_GAME = {"anyOf": [{"required": ["ruleset"]}, {"required": ["game"]}]}
_DECK_OR_DECKLIST = {"oneOf": [{"required": ["deck"]}, {"required": ["decklist"]}]}
_PLAYER_OR_LAST_NAME = {"oneOf": [{"required": ["player"]}, {"required": ["last_name"]}]}
_EXAMPLE = {"game": "optcg", "on": "2026-11-21", "deck": example_deck()}
EXAMPLE_LINES = "".join(f"{json.dumps(one)}\n" for one in (_EXAMPLE, {"game": "optcg", "decklist": EXAMPLE_TEXT}))
# What is said of an object as a whole, for which fields have no words, by name in the OpenAPI document: which entries
# must be together, and a request that works as it stands.
WHOLE = {
    "Line": {"anyOf": [{"required": [one], "properties": {one: {"type": "string"}}} for one in ("number", "name")]},
    "Write": _DECK_OR_DECKLIST | {"example": {"format": "text", "game": "optcg", "deck": example_deck()}},
    "Validate": {"allOf": [_BY_RULESET_OR_GAME, _DECK_OR_DECKLIST], "example": _EXAMPLE},
    "Sheet": {
        "allOf": [_BY_RULESET_OR_GAME, _DECK_OR_DECKLIST, _PLAYER_OR_LAST_NAME],
        "example": _EXAMPLE | {"player": "Last, First", "player_id": "0012345678", "event": "Example Regional"},
    },
    "Swap": _BY_RULESET_OR_GAME | {"example": {"game": "bos", "before": BEFORE, "after": AFTER}},
}


class CitationShape(Shape):
    document = fields.String(required=True, metadata=said("A rule manual, an official list, or a card."))
    section = fields.String(required=True, metadata=said("The place in it, or the card's own words."))


class NamedShape(Shape):
    number = fields.String(required=True, metadata=said("", example="OP01-016"))
    name = fields.String(required=True, metadata=said("", example="Nami"))


class CopiesShape(NamedShape):
    count = fields.Integer(required=True, allow_none=True)


class EntryShape(Shape):
    source = fields.String(required=True, metadata=said("Where the list says it."))
    announced = fields.String(required=True, allow_none=True)
    effective_from = fields.String(required=True, allow_none=True, metadata=said("The first day, where it is known."))
    effective_to = fields.String(required=True, allow_none=True, metadata=said("The last day."))
    not_before = fields.String(
        required=True, allow_none=True, metadata=said("Where the first day is not known: it is this one or later.")
    )
    no_later_than = fields.String(
        required=True, allow_none=True, metadata=said("Where the first day is not known: it is this one or earlier.")
    )


_JSON_TYPES = {str: "text", int: "whole number", float: "number", list: "list", dict: "object"}


def _details_by_code() -> str:
    """Return which details the findings of each code have."""
    told = (
        f"`{name}`: "
        + "; ".join(f"`{key}` ({_JSON_TYPES[kind]}): {said}" for key, (kind, said) in code.details.items())
        for name, code in codes().items()
        if code.details
    )
    return " · ".join(told)


class FindingShape(Shape):
    code = fields.String(required=True, validate=validate.OneOf(tuple(codes())), metadata=said("Stable for ever."))
    severity = fields.String(required=True, validate=validate.OneOf(("error", "warning", "advice")))
    section = fields.String(required=True, allow_none=True)
    message = fields.String(required=True, metadata=said("What is wrong, in a sentence."))
    cards = fields.List(fields.Nested(CopiesShape), required=True)
    count = fields.Integer(required=True, allow_none=True, metadata=said("What the deck has."))
    limit = fields.Integer(required=True, allow_none=True, metadata=said("The most that is allowed."))
    minimum = fields.Integer(required=True, allow_none=True, metadata=said("The fewest that are allowed."))
    rule = fields.Nested(CitationShape, required=True)
    fix = fields.String(required=True, metadata=said("What to do, in a sentence."))
    details = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata=said(f"What the sentence says, as named values. By code: {_details_by_code()}"),
    )
    keyword = fields.String(metadata=said("The keyword that the finding is about."))
    limits = fields.Nested(EntryShape, metadata=said("The entry of the limits list that the finding rests on."))
    suggestions = fields.List(fields.Nested(NamedShape), metadata=said("Cards that may have been meant."))
    line = fields.Integer(metadata=said("The line of the decklist, from 1."))


class EditionShape(Shape):
    id = fields.String(required=True, metadata=said("", example="optcg-1.1.9"))
    title = fields.String(required=True)
    in_force_from = fields.Date(
        required=True, allow_none=True, metadata=said("Its first day; null where that is not known.")
    )
    note = fields.String(
        required=True,
        allow_none=True,
        metadata=said("What is not sure of its text; in a verdict also that the text is of a later date than the day."),
    )


class SnapshotShape(Shape):
    game = fields.String(required=True)
    snapshot = fields.String(required=True, metadata=said("Which state of the card data was asked."))
    cards = fields.Integer(required=True)


class SizesShape(Shape):
    leader = fields.Integer(required=True)
    main = fields.Integer(required=True)
    side = fields.Integer(required=True)
    z = fields.Integer(required=True)
    don = fields.Integer(required=True)


class CheckedRuleShape(CitationShape):
    name = fields.String(required=True)


class CheckedShape(Shape):
    rule = fields.Nested(CheckedRuleShape, required=True)
    says = fields.String(required=True)
    passed = fields.Boolean(required=True)


class KnownLimitsShape(Shape):
    effective_from = fields.Date(
        required=True, allow_none=True, metadata=said("The day of its newest change; null before the first.")
    )
    known_to = fields.Date(required=True, metadata=said("The last day whose announcements are in it."))


class VerdictShape(Shape):
    legal = fields.Boolean(required=True, metadata=said("True exactly when no finding is an error."))
    ruleset = fields.Nested(EditionShape, required=True)
    on = fields.Date(required=True)
    format = fields.String(required=True)
    region = fields.String(required=True)
    limits = fields.Nested(
        KnownLimitsShape,
        required=True,
        allow_none=True,
        metadata=said("The official limits list; null where it was left out or the game has none."),
    )
    catalogue = fields.Nested(SnapshotShape, required=True)
    counts = fields.Nested(SizesShape, required=True, metadata=said("The cards of each section."))
    deck_hash = fields.String(
        required=True, metadata=said("The same for the same cards in the same sections, however written.")
    )
    findings = fields.List(fields.Nested(FindingShape), required=True)
    deck = fields.Nested(DeckShape, required=True, metadata=said("The deck as understood."))
    checked = fields.List(fields.Nested(CheckedShape), metadata=said("With `explain`: every rule that was applied."))


class WrongShape(Shape):
    pointer = fields.String(required=True, metadata=said("Where: a JSON pointer.", example="/deck/main/0/count"))
    detail = fields.String(required=True, metadata=said("What is wrong, in a sentence."))


class ProblemShape(Shape):
    type = fields.String(required=True, metadata=said("Stable for ever.", example="urn:deckproof:problem:invalid"))
    title = fields.String(required=True, metadata=said("", example="Well-formed but wrong"))
    status = fields.Integer(required=True, metadata=said("", example=422))
    detail = fields.String(required=True, metadata=said("What happened, in a sentence."))
    errors = fields.List(fields.Nested(WrongShape), metadata=said("Every bad field."))
    instance = fields.String(metadata=said("What the server's log calls this one problem.", format="uri"))


class ParseShape(Shape):
    decklist = fields.String(
        required=True,
        validate=validate.Length(max=LONGEST_DECKLIST),
        metadata=said("The list as somebody wrote it.", example=EXAMPLE_TEXT),
    )
    game = fields.String(validate=validate.OneOf(GAMES), metadata=said("The game, where it is known."))


class WriteShape(GivenShape):
    format = fields.String(
        required=True, metadata=said("The format to write, one of `/v1/decklists/formats`.", example="optcgsim")
    )
    game = fields.String(validate=validate.OneOf(GAMES), metadata=said("The game, where it is known."))


class UnreadShape(FindingShape):
    text = fields.String(required=True, metadata=said("The line as it was written."))
    reason = fields.String(required=True, metadata=said("Why it could not be read."))


class ParsedShape(Shape):
    format = fields.String(required=True, metadata=said("The format that was recognised."))
    game = fields.String(required=True, allow_none=True)
    deck = fields.Nested(DeckShape, required=True)
    findings = fields.List(fields.Nested(UnreadShape), required=True, metadata=said("A finding per line not read."))


class WrittenShape(Shape):
    format = fields.String(required=True)
    game = fields.String(required=True, allow_none=True)
    decklist = fields.String(required=True, metadata=said("The deck as text.", example="1xST21-001\n4xOP01-016"))
    findings = fields.List(
        fields.Nested(UnreadShape), required=True, metadata=said("A finding per line that was not read.")
    )


class FormatShape(Shape):
    name = fields.String(required=True, metadata=said("", example="optcgsim"))
    title = fields.String(required=True, metadata=said("What it looks like."))
    sections = fields.List(fields.String(), required=True, metadata=said("The sections that it can carry."))
    written = fields.Boolean(required=True, metadata=said("Whether decks are written in it, too."))


class FormatsShape(Shape):
    formats = fields.List(fields.Nested(FormatShape), required=True)


class RuleShape(Shape):
    name = fields.String(required=True)
    kind = fields.String(required=True)
    says = fields.String(required=True)
    parameters = fields.Dict(required=True, metadata=said("The values of this kind of rule."))
    rule = fields.Nested(CitationShape, required=True)


class RulesetShape(EditionShape):
    game = fields.String(required=True)
    inherits = fields.String(required=True, allow_none=True)
    superseded_by = fields.String(required=True, allow_none=True)
    sections = fields.List(fields.String(), required=True)
    formats = fields.List(fields.String(), required=True)
    policy = fields.Dict(required=True, metadata=said("What an organiser may decide, with what holds otherwise."))


class WholeRulesetShape(RulesetShape):
    document = fields.String(required=True, metadata=said("What citations call it."))
    rules = fields.List(fields.Nested(RuleShape), required=True)
    with_side_deck = fields.List(
        fields.Nested(RuleShape),
        required=True,
        metadata=said("The rules that come in where a policy gives a side deck (`side_max`) that the edition has not."),
    )


class RulesetsShape(Shape):
    rulesets = fields.List(fields.Nested(RulesetShape), required=True)


class DayQuery(Shape):
    on = Day(metadata=said("The day; default: today.", **DAY, example="2026-04-01"))
    region = fields.String(load_default="en", metadata=said("The region; default: `en`.", example="en"))


class WorkbookQuery(TermsShape):
    name = fields.String(
        metadata=said("What the file is called, where the request does not say.", example="decks.xlsx")
    )
    kind = fields.String(
        data_key="as",
        validate=validate.OneOf(RESULTS),
        metadata=said(
            "The file to get; default: what `Accept` says, else `xlsx`. `csv` is the summary alone, `pdf` has the "
            "registration sheets of all players.",
            example="xlsx",
        ),
    )
    deck_sheets = fields.Boolean(metadata=said("Also a sheet for each deck in an `xlsx`.", example=False))
    paper = fields.String(
        validate=validate.OneOf(PAPERS), metadata=said("The paper of a `pdf`; default: `a4`.", example="a4")
    )
    job = fields.Boolean(
        metadata=said("`true` always makes a job, `false` never; default: as large as the file is.", example=True)
    )


class WorkbookForm(WorkbookQuery):
    file = fields.Raw(required=True, metadata={"type": "string", "format": "binary", **said("The spreadsheet.")})


class LinksShape(Shape):
    self = fields.String(required=True, metadata=said("This job."))
    result = fields.String(required=True, allow_none=True, metadata=said("Its result, once it is done."))


class JobShape(Shape):
    id = fields.String(required=True, metadata=said("A secret: who knows it has the job and its result."))
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    name = fields.String(required=True, metadata=said("What the file is called."))
    done = fields.Integer(required=True, metadata=said("How much is done."))
    of = fields.Integer(required=True, allow_none=True, metadata=said("Of how much; `null` until that is known."))
    created = fields.DateTime(required=True)
    started = fields.DateTime(required=True, allow_none=True)
    ended = fields.DateTime(required=True, allow_none=True)
    expires = fields.DateTime(required=True, allow_none=True, metadata=said("Until when what came of it is kept."))
    problem = fields.Nested(ProblemShape, required=True, allow_none=True, metadata=said("Why it failed."))
    links = fields.Nested(LinksShape, required=True)


class ListedShape(EntryShape, NamedShape):
    limit = fields.Integer(required=True, metadata=said("The most copies; 0: banned."))
    severity = fields.String(
        required=True, metadata=said("`warning` while it is not certain that the entry was in force yet.")
    )
    note = fields.String(required=True)
    bounds = fields.String(required=True, metadata=said("Why the first day, if not known, lies between those two."))


class ListedPairShape(EntryShape):
    cards = fields.List(fields.Nested(NamedShape), required=True)
    severity = fields.String(required=True)
    note = fields.String(required=True)
    bounds = fields.String(required=True)


class RotationShape(Shape):
    format = fields.String(required=True)
    blocks = fields.List(fields.String(), required=True, metadata=said("The blocks that the format takes."))
    source = fields.String(required=True)


class LimitsShape(Shape):
    game = fields.String(required=True)
    region = fields.String(required=True)
    on = fields.Date(required=True)
    title = fields.String(required=True)
    effective_from = fields.String(required=True, allow_none=True)
    known_to = fields.String(
        required=True, allow_none=True, metadata=said("The last day whose announcements are known.")
    )
    cards = fields.List(fields.Nested(ListedShape), required=True)
    pairs = fields.List(fields.Nested(ListedPairShape), required=True)
    sources = fields.List(fields.String(), required=True)
    rotation = fields.Nested(RotationShape, required=True, allow_none=True)


class ClauseShape(Shape):
    kind = fields.String(required=True, metadata=said("", example="copies"))
    text = fields.String(required=True, metadata=said("The clause that it was read from."))

    class Meta:
        unknown = ma.INCLUDE


class CardShape(Shape):
    game = fields.String(required=True)
    number = fields.String(required=True)
    name = fields.String(required=True)
    back_name = fields.String(required=True, allow_none=True)
    type = fields.String(required=True)
    colors = fields.List(fields.String(), required=True)
    cost = fields.Integer(required=True, allow_none=True)
    power = fields.Integer(required=True, allow_none=True)
    traits = fields.List(fields.String(), required=True)
    characters = fields.List(fields.String(), required=True)
    keywords = fields.List(fields.String(), required=True)
    text = fields.String(required=True)
    back_text = fields.String(required=True)
    rarity = fields.String(required=True, allow_none=True)
    set = fields.String(required=True, allow_none=True)
    block = fields.String(required=True, allow_none=True)
    released = fields.Date(required=True, allow_none=True)
    printings = fields.List(fields.String(), required=True)
    construction = fields.List(
        fields.Nested(ClauseShape), required=True, metadata=said("What the text says of deck construction.")
    )
    unknown_facts = fields.List(
        fields.String(validate=validate.OneOf(("type", "colors", "cost"))),
        required=True,
        data_key="unknown",
        attribute="unknown",
        metadata=said("The facts that the card has and its source does not tell."),
    )


class CardsQuery(Shape):
    game = fields.String(required=True, validate=validate.OneOf(GAMES), metadata=said("The game.", example="optcg"))
    q = fields.String(
        validate=validate.Length(max=LONGEST_TEXT),
        metadata=said("Words of the number or name.", example="nami"),
    )
    color = fields.String(metadata=said("A colour the card has.", example="Red"))
    type = fields.String(metadata=said("The card's type.", example="Leader"))
    page = fields.Integer(load_default=1, validate=validate.Range(1, 100_000), metadata=said("The page, from 1."))
    page_size = fields.Integer(load_default=50, validate=validate.Range(1, MOST_PAGE), metadata=said("Cards a page."))


class CardsShape(Shape):
    cards = fields.List(fields.Nested(CardShape), required=True)
    page = fields.Integer(required=True)
    page_size = fields.Integer(required=True)
    total = fields.Integer(required=True)


class CollectionQuery(Shape):
    numbers = fields.List(
        fields.String(validate=validate.Length(1, LONGEST_TEXT)),
        required=True,
        validate=validate.Length(max=MOST_NUMBERS),
        metadata=said("Card numbers, of any printing, in any spelling.", example=["OP01-016_p1", "op01-999"]),
    )


class CollectionShape(Shape):
    cards = fields.List(fields.Nested(CardShape), required=True, metadata=said("Each card once, in the order asked."))
    not_found = fields.List(fields.String(), required=True, metadata=said("The numbers that no card has."))


class SyncShape(Shape):
    begun = fields.DateTime(required=True)
    ended = fields.DateTime(required=True, allow_none=True, metadata=said("`null` while it runs; or it was killed."))
    result = fields.String(
        required=True,
        validate=validate.OneOf(("running", "ok", "refused", "failed")),
        metadata=said("`refused`: what was found looks wrong, and is kept aside."),
    )
    why = fields.String(required=True, metadata=said("What failed, or what looks wrong."))
    snapshot = fields.String(required=True, allow_none=True)


class CatalogueShape(SnapshotShape):
    source = fields.String(required=True, metadata=said("What the cards were read from."))
    created = fields.DateTime(required=True, allow_none=True, metadata=said("When the snapshot was made."))
    age_seconds = fields.Integer(
        required=True,
        allow_none=True,
        metadata=said("Since the snapshot was made, or since a sync found that it still holds."),
    )
    last_sync = fields.Nested(SyncShape, required=True, allow_none=True)


class ReadyShape(Shape):
    status = fields.String(required=True)
    catalogues = fields.List(fields.Nested(CatalogueShape), required=True)
    workers = fields.Integer(required=True, metadata=said("How many workers are at work on jobs."))
    jobs = fields.Dict(
        keys=fields.String(validate=validate.OneOf(STATUSES)),
        values=fields.Integer(),
        required=True,
        metadata=said("How many jobs there are of each status."),
    )


class AliveShape(Shape):
    status = fields.String(required=True)
