"""Schemas: what answers look like, and the requests of single endpoints.

What a request asks of a deck is described in `api.service.shapes`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import marshmallow as ma
from marshmallow import fields, validate

from api.jobs.job_store import STATUSES
from api.open_data.change_record import CHANGE_KINDS
from api.service.answers.limit_answers import STATES
from api.service.shapes import (
    AFTER,
    BEFORE,
    DAY,
    LONGEST_DECKLIST,
    LONGEST_TEXT,
    DayField,
    DeckOrText,
    DeckShape,
    GivenShape,
    JudgedShape,
    Shape,
    WrittenMatchLength,
    WrittenTermsShape,
    about,
    example_deck,
)
from api.sheets.registration import LONGEST
from api.sheets.sheet_files import BLANK, ORDERS, PAPERS
from api.sheets.sheet_files import KINDS as SHEETS
from api.workbooks.checking import KINDS as RESULTS
from carddb import foreign_names
from validator import diagnoses
from validator.calendar import CAUSES
from validator.codes import codes
from validator.deck import SECTIONS
from validator.games import GAMES
from validator.rulesets.amendments import AMENDED

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
        allow_none=True, metadata=about(description, type="string", maxLength=LONGEST[field], example=example)
    )


def _shown(field: str, description: str, example: str) -> fields.Field[Any]:
    return fields.String(validate=validate.Length(max=LONGEST[field]), metadata=about(description, example=example))


class PlayerShape(Shape):
    """Who a list is of, as a sheet has it and a registration."""

    player = _written("player", "The player's name in one. This or `last_name`.", "Last, First")
    last_name = _written("last_name", "The name that lists are filed by.", "Last")
    first_name = _written("first_name", "The rest of the name.", "First")
    player_id = _written("player_id", "The player's number or other sign; zeros before it are kept.", "0012345678")
    notes = _written("notes", "Whatever the judges should know.", "Leaves at six")


class SheetShape(JudgedShape, PlayerShape):
    event = _written("event", "What the event is called.", "Example Regional")
    date = fields.Raw(
        allow_none=True,
        metadata=about(
            "The day of the event, which may be empty; it is also judged for where `on` is left out.",
            anyOf=[{"type": "string", **DAY}, {"type": ["string", "null"], "maxLength": 0}],
            example="2026-11-21",
        ),
    )
    place = _written("place", "Where the event is.", "Example Hall")
    table = _written("table", "The player's table.", "42")
    format_name = _written(
        "format_name", "What the event calls its format; it stands beside the event.", "Team of three"
    )


class SheetQuery(Shape):
    kind = fields.String(
        data_key="as",
        validate=validate.OneOf(tuple(SHEETS)),
        metadata=about("The file to get; default: what `Accept` says, else `pdf`.", example="pdf"),
    )
    paper = fields.String(
        load_default="a4",
        validate=validate.OneOf(PAPERS),
        metadata=about("The paper to print on; default: `a4`.", example="letter"),
    )


class FilledSheetQuery(SheetQuery):
    names = fields.String(
        load_default="",
        validate=validate.OneOf(("", *foreign_names.languages())),
        metadata=about("Also the names of cards in this language, where they are known.", example="ja"),
    )


class BlankSheetQuery(SheetQuery):
    game = fields.String(required=True, validate=validate.OneOf(GAMES), metadata=about("The game.", example="optcg"))
    kind = fields.String(
        data_key="as",
        validate=validate.OneOf(BLANK),
        metadata=about("The file to get; default: what `Accept` says, else `pdf`.", example="pdf"),
    )
    event = _shown("event", "What the event is called.", "Example Regional")
    date = fields.String(metadata=about("The day of the event.", **DAY, example="2026-11-21"))
    place = _shown("place", "Where the event is.", "Example Hall")
    format_name = _shown("format_name", "What the event calls its format.", "Team of three")


class ListQuery(WrittenTermsShape):
    """The terms beside a plain text; without examples, which the documentation would send beside JSON as well."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        for field in self.fields.values():
            field.metadata = {name: says for name, says in field.metadata.items() if name != "example"}

    explain = fields.Boolean(
        load_default=False, metadata=about("Also say every rule that was checked, and whether it passed.")
    )
    summary = fields.Boolean(
        load_default=False, metadata=about("Also say all of it in at most 1,900 characters, for a chat.")
    )


class GameQuery(Shape):
    game = fields.String(validate=validate.OneOf(GAMES), metadata=about("The game of a plain text, where it is known."))


_DECK_OR_DECKLIST = {"oneOf": [{"required": ["deck"]}, {"required": ["decklist"]}]}
_PLAYER_OR_LAST_NAME = {"oneOf": [{"required": ["player"]}, {"required": ["last_name"]}]}
_EXAMPLE = {"game": "optcg", "on": "2026-11-21", "deck": example_deck()}
EXAMPLE_LINES = "".join(f"{json.dumps(one)}\n" for one in (_EXAMPLE, {"game": "optcg", "decklist": EXAMPLE_TEXT}))
EXAMPLE_DECKLIST = "".join(
    f"{line['count']} {line.get('number') or line['name']}\n" for lines in example_deck().values() for line in lines
)
# What is said of an object as a whole, for which fields have no words, by name in the OpenAPI document: which entries
# must be together, and a request that works as it stands.
WHOLE = {
    "Line": {"anyOf": [{"required": [one], "properties": {one: {"type": "string"}}} for one in ("number", "name")]},
    "Write": _DECK_OR_DECKLIST | {"example": {"format": "text", "game": "optcg", "deck": example_deck()}},
    "Validate": _DECK_OR_DECKLIST | {"example": _EXAMPLE},
    "Repair": _DECK_OR_DECKLIST | {"example": _EXAMPLE},
    "Timeline": _DECK_OR_DECKLIST | {"example": _EXAMPLE | {"from": "2026-07-31", "until": "2027-12-31"}},
    "Odds": _DECK_OR_DECKLIST
    | {"example": _EXAMPLE | {"wishes": [{"cards": ["OP01-016"]}], "look": 5, "targets": ["OP10-011", "OP11-016"]}},
    "Sheet": {
        "allOf": [_DECK_OR_DECKLIST, _PLAYER_OR_LAST_NAME],
        "example": _EXAMPLE | {"player": "Last, First", "player_id": "0012345678", "event": "Example Regional"},
    },
    "Team": {
        "example": {
            "game": "optcg",
            "decks": [{"name": name, "deck": example_deck()} for name in ("Anna", "Ben")],
            "team": {"copies": 8},
        }
    },
    "TeamDeck": _DECK_OR_DECKLIST,
    "Swap": {"example": {"game": "bos", "before": BEFORE, "after": AFTER}},
}


def _needed(
    field: Callable[..., fields.Field[Any]], says: str = "", *, null: bool = False, example: Any = None, **how: Any
) -> fields.Field[Any]:
    """Return a field that is always there, though what it holds may be null."""
    parts = {"description": says, "example": example}
    metadata = {name: words for name, words in parts.items() if words}
    return field(required=True, allow_none=null, metadata=metadata, **how)


_text = partial(_needed, fields.String)
_whole = partial(_needed, fields.Integer)
_flag = partial(_needed, fields.Boolean)
_day = partial(_needed, fields.Date)
_moment = partial(_needed, fields.DateTime)
_mapping = partial(_needed, fields.Dict)
_texts = partial(_needed, partial(fields.List, fields.String))


def _nested(shape: type[ma.Schema], says: str = "", null: bool = False) -> fields.Field[Any]:
    return _needed(partial(fields.Nested, shape), says, null=null)


def _listed(shape: type[Shape], says: str = "") -> fields.Field[Any]:
    return _needed(partial(fields.List, fields.Nested(shape)), says)


class CitationShape(Shape):
    document = _text("A rule manual, an official list, or a card.")
    section = _text("The place in it, or the card's own words.")


class NamedShape(Shape):
    number = _text(example="OP01-016")
    name = _text(example="Nami")


class CopiesShape(NamedShape):
    count = _whole(null=True)


class EntryShape(Shape):
    source = _text("Where the list says it.")
    announced = _text(null=True)
    effective_from = _text("The first day, where it is known.", null=True)
    effective_to = _text("The last day.", null=True)
    not_before = _text("Where the first day is not known: it is this one or later.", null=True)
    no_later_than = _text("Where the first day is not known: it is this one or earlier.", null=True)
    confidence = _text("How sure the source is: `high`, `medium` or `low`.")
    note = _text("What is to be said of the source.", null=True)


_JSON_TYPES = {bool: "boolean", str: "text", int: "whole number", float: "number", list: "list", dict: "object"}


def _details_by_code() -> str:
    """Return which details the findings of each code have."""
    listed = (
        f"`{name}`: "
        + "; ".join(f"`{key}` ({_JSON_TYPES[kind]}): {meaning}" for key, (kind, meaning) in code.details.items())
        for name, code in codes().items()
        if code.details
    )
    return " · ".join(listed)


class FixStepShape(Shape):
    number = _text("The card; null for any card of the section.", null=True)
    name = _text("Its name, or a line that could not be read; null for any card.", null=True)
    count = _whole()


FixMoveShape = cast("type[Shape]", FixStepShape.from_dict({"from": _text(), "to": _text()}, name="FixMoveShape"))


class FixRemovalShape(FixStepShape):
    section = _text("Where it goes from; null for a line that could not be read.", null=True)


class FixAdditionShape(Shape):
    section = _text()
    count = _whole()
    cards = _listed(NamedShape, "The cards of which any one will do; none for any legal card.")


class FixChangesShape(Shape):
    remove = _listed(FixRemovalShape)
    move = _listed(FixMoveShape)
    add = _listed(FixAdditionShape)


class FindingShape(Shape):
    code = _text("Stable for ever.", validate=validate.OneOf(tuple(codes())))
    severity = _text(validate=validate.OneOf(("error", "warning", "advice")))
    section = _text(null=True)
    message = _text("What is wrong, in a sentence.")
    cards = _listed(CopiesShape)
    count = _whole("What the deck has.", null=True)
    limit = _whole("The most that is allowed.", null=True)
    minimum = _whole("The fewest that are allowed.", null=True)
    rule = _nested(CitationShape)
    fix = _text("What to do, in a sentence.")
    details = _mapping(f"What the sentence says, as named values. By code: {_details_by_code()}", keys=fields.String())
    keyword = fields.String(metadata=about("The keyword that the finding is about."))
    limits = fields.Nested(EntryShape, metadata=about("The entry of the limits list that the finding rests on."))
    suggestions = fields.List(
        fields.Nested(NamedShape),
        metadata=about(
            "Cards that may have been meant. Of one code the first 60 findings are single; the others are merged, with "
            "all their cards and without suggestions."
        ),
    )
    line = fields.Integer(metadata=about("The line of the decklist, from 1; of a merged finding, absent or the first."))
    changes = fields.Nested(
        FixChangesShape,
        metadata=about(
            "What the fix says, for programs. The changes of all findings of a verdict are one plan: first remove and "
            "move the cards that are named, then remove any cards, then add. Absent if there is nothing more to do."
        ),
    )


class DiagnosisShape(Shape):
    code = _text("Stable for ever.", validate=validate.OneOf(diagnoses.CODES))
    message = _text("What explains most findings, in a sentence.")
    fix = _text("What to do, or to ask, in a sentence.")
    cards = _listed(NamedShape, "The Leader, where the deck seems to be that of another.")
    game = _text("The game that the deck seems to be of, where it is judged.", null=True)


class EditionShape(Shape):
    id = _text(example="optcg-1.1.9")
    title = _text()
    in_force_from = _day("Its first day; null where that is not known.", null=True)
    note = _text(
        "What is not sure of its text; in a verdict also that the text is of a later date than the day.", null=True
    )


class SnapshotShape(Shape):
    game = _text()
    snapshot = _text("Which state of the card data was asked.")
    cards = _whole()
    as_of = _day("The day that its cards are known of; null where they are invented.", null=True)


SizesShape = Shape.from_dict({section: _whole() for section in SECTIONS}, name="SizesShape")


class CheckedRuleShape(CitationShape):
    name = _text()


class CheckedShape(Shape):
    rule = _nested(CheckedRuleShape)
    says = _text()
    passed = _flag("null if the rule only warns, because a fact that decides it is not known.", null=True)


class KnownLimitsShape(Shape):
    effective_from = _day("The day of its newest change; null before the first.", null=True)
    known_to = _day("The last day whose announcements are in it.")
    note = _text("What is not known of the region's list; null where nothing is missing.", null=True)


class VerdictShape(Shape):
    legal = _flag("True exactly when no finding is an error.")
    ruleset = _nested(EditionShape)
    on = _day()
    format = _text()
    region = _text()
    best_of = fields.Integer(metadata=about("How many games a match has at most, if the request names it."))
    limits = _nested(
        KnownLimitsShape, "The official limits list; null where it was left out or the game has none.", null=True
    )
    catalogue = _nested(SnapshotShape)
    counts = _nested(SizesShape, "The cards of each section.")
    deck_hash = _text("The same for the same cards in the same sections, however written.")
    findings = _listed(FindingShape)
    diagnoses = fields.List(
        fields.Nested(DiagnosisShape), metadata=about("What explains most of the findings, if one thing does.")
    )
    deck = _nested(DeckShape, "The deck as understood.")
    checked = fields.List(fields.Nested(CheckedShape), metadata=about("With `explain`: every rule that was applied."))
    summary = fields.String(metadata=about("With `summary`: all of it in at most 1,900 characters, no finding cut."))


class TeamDeckVerdictShape(Shape):
    name = _text("What the request calls the deck.")
    verdict = _nested(VerdictShape)


class TeamVerdictShape(Shape):
    legal = _flag("True exactly when every deck is legal and no finding on the team is an error.")
    findings = _listed(FindingShape, "What the decks share and may not.")
    decks = _listed(TeamDeckVerdictShape, "The verdict on each deck, in the order of the request.")


class BecauseShape(CopiesShape):
    because = _text("The code of the finding that asks for it.", null=True)
    rule = _nested(CitationShape, "Where that is written.", null=True)
    says = _text("The change, in a sentence.")


class RemovedShape(BecauseShape):
    rule = _nested(CitationShape, "Where that is written; null after the first 60 cards of a repair.", null=True)
    section = _text("Where it goes from; null for a line that could not be read.", null=True)


MovedShape = cast("type[Shape]", BecauseShape.from_dict({"from": _text(), "to": _text()}, name="MovedShape"))


class AddedShape(Shape):
    section = _text()
    count = _whole()
    of = _text("What it may be, in words.")
    fits = _mapping("What it must be: `types`, `colors`, `blocks`.", keys=fields.String())
    cards = _listed(CopiesShape, "Some that make the deck legal, as the repaired deck has them; of Leaders, any.")
    own = _listed(CopiesShape, "Cards of the deck of which it may have so many more.")
    again = _listed(CopiesShape, "Cards of the same name as one that goes.")
    because = _text("The code of the finding that asks for it.", null=True)
    rule = _nested(CitationShape, "Where that is written.", null=True)
    says = _text("The change, in a sentence.")


class ChangesShape(Shape):
    remove = _listed(RemovedShape)
    move = _listed(MovedShape)
    add = _listed(AddedShape)
    deck = _nested(DeckShape, "The deck after these changes, which was judged legal.")


class OtherLeaderShape(ChangesShape):
    leaders = _listed(NamedShape, "The Leaders, any of which will do.")
    changes = _whole("How many changes there are under it.")
    minimal = _flag()


class BoundShape(Shape):
    because = _text("The code of a finding.")
    least = _whole("The fewest changes that it alone asks for.")
    section = _text(null=True)
    cards = _listed(CopiesShape)
    rule = _nested(CitationShape)


class RepairedShape(Shape):
    legal = _flag("Whether the deck is legal as it is.")
    possible = _flag("Whether a repair was found.")
    changes = _whole("How many cards are taken out, moved or put in; null where no repair was found.", null=True)
    fewest = _whole("The fewest of `changes` and of those under another of `leaders`.", null=True)
    minimal = _flag("Whether it is proved that there are no fewer: `bound` meets `changes`.")
    why = _text("Why there are no fewer changes, why that is not sure, or why there is no repair.")
    repairs = _listed(ChangesShape, "Up to five that have so many changes, not always all that there are.")
    bound = _whole("How many changes it is proved that there are at least; null where no repair was found.", null=True)
    bounds = _listed(BoundShape, "What each finding alone asks for.")
    leaders = _listed(OtherLeaderShape, "Another kind of answer: other Leaders, under which half the changes do.")
    pinned = _listed(NamedShape, "The cards of the deck that stay as they are.")


class WrongShape(Shape):
    pointer = _text("Where: a JSON pointer.", example="/deck/main/0/count")
    detail = _text("What is wrong, in a sentence.")


class ProblemShape(Shape):
    type = _text("Stable for ever.", example="urn:deckproof:problem:invalid")
    title = _text(example="Well-formed but wrong")
    status = _whole(example=422)
    detail = _text("What happened, in a sentence.")
    errors = fields.List(fields.Nested(WrongShape), metadata=about("Every bad field."))
    instance = fields.String(metadata=about("What the server's log calls this one problem.", format="uri"))
    request_id = fields.String(metadata=about("The `X-Request-Id` of the response, which entries of the log have too."))


class ParseShape(Shape):
    decklist = _text(
        "The list as somebody wrote it.", example=EXAMPLE_TEXT, validate=validate.Length(max=LONGEST_DECKLIST)
    )
    game = fields.String(validate=validate.OneOf(GAMES), metadata=about("The game, where it is known."))


class WriteShape(GivenShape):
    format = _text("The format to write, one of `/v1/decklists/formats`.", example="optcgsim")
    game = fields.String(validate=validate.OneOf(GAMES), metadata=about("The game, where it is known."))


class UnreadShape(FindingShape):
    text = _text("The line as it was written.")
    reason = _text("Why it could not be read.")


class ParsedShape(Shape):
    format = _text("The format that was recognised.")
    game = _text(null=True)
    deck = _nested(DeckShape)
    findings = _listed(UnreadShape, "A finding per line not read.")


class WrittenShape(Shape):
    format = _text()
    game = _text(null=True)
    decklist = _text("The deck as text.", example="1xST21-001\n4xOP01-016")
    findings = _listed(UnreadShape, "A finding per line that was not read.")


class FormatShape(Shape):
    name = _text(example="optcgsim")
    title = _text("What it looks like.")
    sections = _texts("The sections that it can carry.")
    written = _flag("Whether decks are written in it, too.")


class FormatsShape(Shape):
    formats = _listed(FormatShape)


class RuleShape(Shape):
    name = _text()
    kind = _text()
    says = _text()
    parameters = _mapping("The values of this kind of rule.")
    rule = _nested(CitationShape)


class RulesetShape(EditionShape):
    game = _text()
    inherits = _text(null=True)
    superseded_by = _text(null=True)
    sections = _texts()
    formats = _texts()
    policy = _mapping("What an organiser may decide, with what holds otherwise.")


class OpeningShape(CitationShape):
    fact = _text(example="redraw")
    says = _text()


class WholeRulesetShape(RulesetShape):
    document = _text("What citations call it.")
    rules = _listed(RuleShape)
    with_side_deck = _listed(
        RuleShape,
        "The rules that come in if a policy (`side_max`) or the length of a match gives a side deck "
        "that the edition has not.",
    )
    opening = _listed(OpeningShape, "How a game begins: first hand, redraw, Life, draws, energy.")


class StatementShape(Shape):
    says = _text()
    rule = _nested(CitationShape)


class AmendmentShape(Shape):
    name = _text()
    kind = _text("`moved`: the same under another number.", validate=validate.OneOf(AMENDED))
    before = _nested(StatementShape, "What the other edition says.", null=True)
    after = _nested(StatementShape, "What this one says.", null=True)


class DifferencesShape(Shape):
    ruleset = _text()
    against = _text()
    differences = _listed(AmendmentShape)


class AgainstQuery(Shape):
    against = fields.String(required=True, metadata=about("The other edition.", example="optcg-1.1.9"))


class RulesetsShape(Shape):
    rulesets = _listed(RulesetShape)


class DayQuery(Shape):
    on = DayField(metadata=about("The day; default: today.", **DAY, example="2026-04-01"))
    region = fields.String(load_default="en", metadata=about("The region; default: `en`.", example="en"))


class LimitsQuery(DayQuery):
    best_of = WrittenMatchLength(
        load_default=None, metadata=about("Also what binds in matches of at most so many games only.", example=1)
    )


def _column(what: str) -> fields.String:
    return fields.String(
        validate=validate.Length(min=1, max=200),
        metadata=about(f"The column that has {what}: its letters or its heading; default: the one that is found."),
    )


class WorkbookQuery(WrittenTermsShape):
    name = fields.String(
        metadata=about("What the file is called, where the request does not say.", example="decks.xlsx")
    )
    kind = fields.String(
        data_key="as",
        validate=validate.OneOf(RESULTS),
        metadata=about(
            "The file to get; default: what `Accept` says, else `xlsx`. `csv` is the summary alone, `pdf` has the "
            "registration sheets of all players.",
            example="xlsx",
        ),
    )
    deck_sheets = fields.Boolean(metadata=about("Also a sheet for each deck in an `xlsx`.", example=False))
    paper = fields.String(
        validate=validate.OneOf(PAPERS), metadata=about("The paper to print on; default: `a4`.", example="a4")
    )
    order = fields.String(
        validate=validate.OneOf(ORDERS),
        metadata=about("Registration sheets by last name or by table; default: `name`.", example="table"),
    )
    mail_merge = fields.Boolean(
        metadata=about("A `csv` is what to write to each player, not the summary.", example=False)
    )
    event = _shown("event", "What the event is called, where the spreadsheet does not say.", "Example Regional")
    date = fields.String(
        metadata=about("The day of the event; also judged for where `on` is left out.", **DAY, example="2026-11-21")
    )
    place = _shown("place", "Where the event is, where the spreadsheet does not say.", "Example Hall")
    format_name = _shown("format_name", "What the event calls its format.", "Team of three")
    player_column = _column("the player's name")
    id_column = _column("the player's ID")
    list_column = _column("the deck list")
    number_column = _column("the card's number")
    count_column = _column("the count")
    name_column = _column("the card's name")
    job = fields.Boolean(
        metadata=about("`true` always makes a job, `false` never; default: as large as the file is.", example=True)
    )


class WorkbookForm(WorkbookQuery):
    file = fields.Raw(required=True, metadata={"type": "string", "format": "binary", **about("The spreadsheet.")})


class TakenColumnShape(Shape):
    role = _text("What the column was taken for.")
    column = _text("Its letters.")
    heading = _text("What it is called.")
    why = _text("Why, where its cells told it or it was chosen.")
    message = _text("All of it as a sentence.")


class SheetReadingShape(Shape):
    sheet = _text("What the sheet is called.")
    read_as = _text("Its shape.")
    columns = _listed(TakenColumnShape)


class PreviewedPlayerShape(Shape):
    player = _text("The name.")
    player_id = _text("The ID.")
    event = _text("The event.")
    cards = _whole("How many cards the deck has.")


class PreviewShape(Shape):
    file = _text("What the file is called.")
    sheets = _listed(SheetReadingShape)
    decks = _whole("How many decks there are.")
    players = _listed(PreviewedPlayerShape)
    problems = _texts("What was not read, the first of it.")


class LinksShape(Shape):
    self = _text("This job.")
    result = _text("Its result, once it is done.", null=True)


class JobShape(Shape):
    id = _text("A secret: who knows it has the job and its result.")
    status = _text(validate=validate.OneOf(STATUSES))
    name = _text("What the file is called.")
    done = _whole("How much is done.")
    of = _whole("Of how much; `null` until that is known.", null=True)
    created = _moment()
    started = _moment(null=True)
    ended = _moment(null=True)
    expires = _moment("Until when what came of it is kept.", null=True)
    problem = _nested(ProblemShape, "Why it failed.", null=True)
    links = _nested(LinksShape)


class ListedShape(EntryShape, NamedShape):
    limit = _whole("The most copies; 0: banned.")
    severity = _text("`warning` while it is not certain that the entry was in force yet.")
    note = _text()
    bounds = _text("Why the first day, if not known, lies between those two.")


class ListedPairShape(EntryShape):
    cards = _listed(NamedShape)
    group = _text("What both cards are, where any two cards that are so make a pair.", null=True)
    severity = _text()
    note = _text()
    bounds = _text()


class RotationShape(Shape):
    format = _text()
    blocks = _texts("The blocks that the format takes.")
    source = _text()


class LimitsShape(Shape):
    game = _text()
    region = _text()
    on = _day()
    title = _text()
    effective_from = _text(null=True)
    known_to = _text("The last day whose announcements are known.", null=True)
    note = _text("What is not known of the region's list; null where nothing is missing.", null=True)
    cards = _listed(ListedShape)
    pairs = _listed(ListedPairShape)
    sources = _texts()
    rotation = _nested(RotationShape, null=True)


class RulesetNameShape(Shape):
    id = _text(example="optcg-1.1.9")
    title = _text()


class RulingShape(Shape):
    cards = _listed(NamedShape, "The card, or the pair.")
    before = _whole("The most copies before the change; null where the list said nothing of it.", null=True)
    limit = _whole("The most copies from then on; null where it is free again.", null=True)
    group = _text("What both cards of the pair are, where any two that are so make one.", null=True)


class ListChangeShape(Shape):
    region = _text()
    source = _text("Where the list says it.")
    announced = _day(null=True)
    effective_from = _day("The first day, where it is known.", null=True)
    not_before = _day("Where the first day is not known: it is this one or later.", null=True)
    no_later_than = _day("Where the first day is not known: it is this one or earlier.", null=True)
    stated = _text("The first day in the list's own words.")
    bounds = _text("Why the first day, if not known, lies between those two.")
    confidence = _text()
    note = _text()
    best_of = _whole("1 if it binds in best-of-one matches only.", null=True)


class RuledChangeShape(ListChangeShape):
    state = _text(
        "What it is on the day: `perhaps` while it is not certain that it is in force yet.",
        validate=validate.OneOf(STATES),
    )
    rulings = _listed(RulingShape)


class ListChangesShape(Shape):
    game = _text()
    region = _text()
    on = _day()
    known_to = _day("The last day whose announcements are known.", null=True)
    changes = _listed(RuledChangeShape, "The newest first.")


class DataTableShape(Shape):
    name = _text(example="limits")
    title = _text()
    description = _text()
    version = _text("Another whenever a row is.")
    licence = _text()
    rows = _whole("How many there are.")
    json = _text("Where it is as JSON.")
    csv = _text("Where it is as CSV.")
    schema = _text("Where its JSON Schema is.")


class DataIndexShape(Shape):
    tables = _listed(DataTableShape)


class DataQuery(Shape):
    v = fields.String(
        validate=validate.Length(max=LONGEST_TEXT),
        metadata=about("The content's name, as the index has it: what is there may be kept for ever."),
    )


class ChangesQuery(Shape):
    since = DayField(metadata=about("The day; default: from the beginning.", **DAY, example="2026-10-01"))
    game = fields.String(validate=validate.OneOf(GAMES), metadata=about("The game; default: all.", example="optcg"))


class RecordedChangeShape(Shape):
    id = _text("Stable.")
    kind = _text(validate=validate.OneOf(CHANGE_KINDS))
    game = _text()
    region = _text("Where it holds; null: everywhere.", null=True)
    day = _day("The first day; where that is not known, the one from which it is certain.")
    known = _day("The day of the announcement; where that is not known, the first day.")
    title = _text("What has changed.")
    about = _text("The change in short.")
    source = _text("Where it is written.", null=True)
    cards = _listed(RulingShape, "What a list has made of each card.")


class RecordShape(Shape):
    since = _day(null=True)
    changes = _listed(RecordedChangeShape, "The newest first.")


class ClauseShape(Shape):
    kind = _text(example="copies")
    text = _text("The clause that it was read from.")

    class Meta:
        unknown = ma.INCLUDE


class CardShape(Shape):
    game = _text()
    number = _text()
    name = _text()
    back_name = _text(null=True)
    type = _text()
    colors = _texts()
    cost = _whole(null=True)
    life = _whole("The Life that a Leader gives, where the game has that.", null=True)
    power = _whole(null=True)
    traits = _texts()
    characters = _texts()
    keywords = _texts()
    text = _text()
    back_text = _text()
    rarity = _text(null=True)
    set = _text(null=True)
    block = _text(null=True)
    released = _day(null=True)
    printings = _texts()
    names = _mapping("What it is called in other languages, as far as is known, by their codes.", keys=fields.String())
    construction = _listed(ClauseShape, "What the text says of deck construction.")
    unknown_facts = fields.List(
        fields.String(validate=validate.OneOf(("type", "colors", "cost"))),
        required=True,
        data_key="unknown",
        attribute="unknown",
        metadata=about("The facts that the card has and its source does not tell."),
    )


class AllowanceRuleShape(Shape):
    code = _text("Of the finding that a deck with more copies has.", validate=validate.OneOf(tuple(codes())))
    limit = _whole("The most copies by this rule.")
    severity = _text("`warning`: it may not hold yet, and does not count.")
    rule = _nested(CitationShape)
    source = _text("The page of the official list, where it is that.", null=True)


class AllowanceShape(Shape):
    region = _text()
    format = _text()
    ruleset = _nested(RulesetNameShape)
    section = _text("The section that takes the card; null where none does.", null=True)
    most = _whole("The most copies.")
    because = _listed(AllowanceRuleShape, "The rules that more copies would break.")


class RuledCardShape(ListChangeShape, RulingShape):
    pass


class FormatDaysShape(Shape):
    format = _text()
    title = _text()
    takes = _flag("Whether the format takes the block on the day.")
    until = _day("The last day on which it does; null where none is known.", null=True)


class CardBlockShape(Shape):
    block = _text()
    formats = _listed(FormatDaysShape)


class DayLimitShape(Shape):
    day = _day()
    reason = _text("Why the release lies on this side of the day, in English.")
    rule = _nested(CitationShape)


class CardReleaseShape(Shape):
    region = _text()
    released = _day("null if it is not known.", null=True)
    rule = _nested(CitationShape, null=True)
    not_before = _nested(DayLimitShape, "The first possible day of an unknown release.", null=True)
    no_later_than = _nested(DayLimitShape, "The last possible day of an unknown release.", null=True)


class StandingShape(NamedShape):
    game = _text()
    on = _day()
    allowances = _listed(AllowanceShape, "How many may be played, by region and format.")
    history = _listed(RuledCardShape, "What the official lists have made of it, by region and day.")
    block = _nested(CardBlockShape, "null where blocks do not rotate.", null=True)
    releases = _listed(CardReleaseShape)


class StandingQuery(Shape):
    on = DayField(metadata=about("The day; default: today.", **DAY, example="2026-04-01"))


class CardsQuery(Shape):
    game = _text("The game.", example="optcg", validate=validate.OneOf(GAMES))
    q = fields.String(
        validate=validate.Length(max=LONGEST_TEXT),
        metadata=about("Words of the number or name.", example="luffy"),
    )
    text = fields.String(
        validate=validate.Length(max=LONGEST_TEXT),
        metadata=about(
            "Words of its texts, where the catalogue has any, traits, characters or keywords.", example="crew"
        ),
    )
    color = fields.String(metadata=about("A colour the card has.", example="Red"))
    type = fields.String(metadata=about("The card's type.", example="Leader"))
    block = fields.String(metadata=about("The card's block, as it is printed.", example="1"))
    set = fields.String(
        validate=validate.Length(max=LONGEST_TEXT),
        metadata=about("The card's set, as its number begins or as the catalogue calls it.", example="OP01"),
    )
    page = fields.Integer(load_default=1, validate=validate.Range(1, 100_000), metadata=about("The page, from 1."))
    page_size = fields.Integer(load_default=50, validate=validate.Range(1, MOST_PAGE), metadata=about("Cards a page."))


class CardsShape(Shape):
    cards = _listed(CardShape)
    page = _whole()
    page_size = _whole()
    total = _whole()
    suggestions = fields.List(
        fields.Nested(NamedShape), metadata=about("Cards of similar names or numbers, if no card was found.")
    )


class CollectionQuery(Shape):
    numbers = fields.List(
        fields.String(validate=validate.Length(1, LONGEST_TEXT)),
        required=True,
        validate=validate.Length(max=MOST_NUMBERS),
        metadata=about("Card numbers, of any printing, in any spelling.", example=["OP01-016_p1", "op01-999"]),
    )


class CollectionShape(Shape):
    cards = _listed(CardShape, "Each card once, in the order asked.")
    not_found = _texts("The numbers that no card has.")


class SyncShape(Shape):
    begun = _moment()
    ended = _moment("`null` while it runs; or it was killed.", null=True)
    result = _text(
        "`refused`: what was found looks wrong, and is kept aside.",
        validate=validate.OneOf(("running", "ok", "refused", "failed")),
    )
    why = _text("What failed, or what looks wrong.")
    snapshot = _text(null=True)


class CatalogueShape(SnapshotShape):
    source = _text("What the cards were read from.")
    created = _moment("When the snapshot was made.", null=True)
    age_seconds = _whole("Since the snapshot was made, or since a sync found that it still holds.", null=True)
    last_sync = _nested(SyncShape, null=True)


class ReadyShape(Shape):
    status = _text("The other fields are left out if the server has a separate address for operations.")
    catalogues = fields.List(fields.Nested(CatalogueShape))
    workers = fields.Integer(metadata=about("Number of running job workers."))
    jobs = fields.Dict(
        keys=fields.String(validate=validate.OneOf(STATUSES)),
        values=fields.Integer(),
        metadata=about("Number of jobs by status."),
    )


class AliveShape(Shape):
    status = _text()


class ChangeShape(Shape):
    on = _day()
    cause = _text(validate=validate.OneOf(CAUSES))
    code = _text("The code of the findings that begin or end.")
    begins = _flag("True where findings begin, false where they end.")
    says = _text("The change, in a sentence.")
    cards = _listed(NamedShape)
    rule = _nested(CitationShape)
    source = _text("The address of the announcement.", null=True)
    announced = _day("The day of the announcement.", null=True)


class IntervalShape(Shape):
    first = _day("The first day.", data_key="from")
    last = _day("The last day, included.", data_key="until")
    legal = _flag()
    codes = _texts("The codes of all findings, each once.")
    because = _text("Why the interval begins; of the first, what is wrong from the beginning.")
    changes = _listed(ChangeShape, "What changes on its first day.")


class LegalityShape(Shape):
    region = _text()
    format = _text()
    ruleset = _nested(RulesetNameShape)
    legal = _flag()
    codes = _texts()
    note = _text("What is not known of the region's official list; null where nothing is missing.", null=True)


class TimelineAnswerShape(Shape):
    headline = _text("How long the deck is legal, and what ends that.")
    on = _day("The day from which one looks.")
    ahead = _listed(ChangeShape, "What changes after that day, as far as is known.")
    intervals = _listed(IntervalShape, "All days of the range, without a gap.")
    where = _listed(LegalityShape, "Every region and format of the game on that day, by the edition of the day.")
    ruleset = _text("The edition that was asked for; null: each on its own days.", null=True)
    format = _text()
    region = _text()
    best_of = fields.Integer(metadata=about("How many games a match has at most, if the request names it."))
    known_to = _day("The last day whose announcements are in the limits list.", null=True)
    catalogue = _nested(SnapshotShape)
    deck_hash = _text()


_chance = partial(_needed, fields.Float)
_LEFT_OUT = "What is not modelled."


class ChanceShape(Shape):
    exact = _text("The chance as a fraction.", example="2323/6580")
    chance = _chance("The chance, from 0 to 1.", example=0.353)


class ByTurnShape(Shape):
    turn = _whole()
    first = _nested(ChanceShape, "Going first.")
    second = _nested(ChanceShape, "Going second.")


class AmongShape(ChanceShape):
    copies = _whole()


class AmongLifeShape(Shape):
    each = _listed(AmongShape, "The chance of just so many copies.")
    some = _nested(ChanceShape, "The chance of one or more.")
    leaves_out = _texts(_LEFT_OUT)


class SeenShape(Shape):
    first_hand = _nested(ChanceShape, "To have it in the first hand, redrawn as the rules allow.")
    as_dealt = _nested(ChanceShape, "To have it in the first hand as it comes.")
    by_turn = _nested(ByTurnShape, "To have seen it by the turn.")
    leaves_out = _texts(_LEFT_OUT)


class CardOddsShape(SeenShape, NamedShape):
    copies = _whole()
    life = _nested(AmongLifeShape, null=True)


class WishedShape(Shape):
    cards = _texts()
    least = _whole()
    copies = _whole("How many cards of the deck it is for.")


class WishesShape(SeenShape):
    of = _listed(WishedShape)
    life = _needed(partial(fields.List, fields.Nested(AmongLifeShape)), "Of each wish by itself.", null=True)


class SearchShape(ChanceShape):
    look = _whole()
    of = _whole("The cards that those are the top of.")
    targets = _whole()
    enough = _whole("The fewest targets that are found four times in five.")
    leaves_out = _texts(_LEFT_OUT)


class TurnShape(Shape):
    turn = _whole()
    seen = _whole("How many cards have been seen.")
    energy = _whole("How much there is to pay with.")
    exact = _nested(ChanceShape, "To have seen a card of just that cost.")
    playable = _nested(ChanceShape, "To have seen a card of that cost or less.")


class CurveShape(Shape):
    first = _listed(TurnShape, "Going first.")
    second = _listed(TurnShape, "Going second.")
    without_cost = _whole("How many cards have no cost that is known.")
    leaves_out = _texts(_LEFT_OUT)


class OddsAnswerShape(Shape):
    ruleset = _nested(RulesetNameShape)
    catalogue = _nested(SnapshotShape)
    deck = _whole("The cards of the deck.")
    hand = _whole("The cards of a first hand.")
    life = _whole("The Life cards; null where it is not known.", null=True)
    turn = _whole()
    cards = _listed(CardOddsShape)
    wishes = _nested(WishesShape, null=True)
    search = _nested(SearchShape, null=True)
    curve = _nested(CurveShape, "null in a game where cards cost nothing.", null=True)
    rules = _listed(OpeningShape, "How the game begins.")
