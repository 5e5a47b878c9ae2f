"""Schemas of requests: the bodies and queries of single endpoints.

`api.service.shapes` has the requests about decks. The types of answers are next to the functions that return them.
"""

from __future__ import annotations

import json
from typing import Any

from marshmallow import fields, validate

from api.service.answers.json_schema import JSONSchema
from api.service.bounds import LONGEST_TEXT
from api.service.shapes import (
    AFTER,
    BEFORE,
    DAY,
    DayField,
    DeckAndTermsShape,
    DeckOrDecklistShape,
    DeckOrText,
    DeckShape,
    Shape,
    TimezoneField,
    WrittenMatchLength,
    WrittenTermsShape,
    example_deck,
    field_metadata,
)
from api.sheets.registration import LONGEST
from api.sheets.sheet_files import BLANK, ORDERS, PAPERS
from api.sheets.sheet_files import KINDS as SHEETS
from api.workbooks.checking import KINDS as RESULTS
from carddb import foreign_names
from validator.bounds import LONGEST_LIST
from validator.games import GAMES

MOST_NUMBERS = 1000  # of one collection request
MOST_PAGE = 200


EXAMPLE_TEXT = "Leader\n1 ST21-001 Monkey.D.Luffy\n\nMain\n4 OP01-016 Nami\n4x ST21-002\n"


def deck_or_text(converter: Any, field: fields.Field[Any], **_: Any) -> JSONSchema:
    """Return the additional OpenAPI entries of a DeckOrText field: a deck or a string. Empty for other fields.

    apispec calls it for each field, with its converter.
    """
    if not isinstance(field, DeckOrText):
        return {}
    return {"anyOf": [converter.resolve_nested_schema(DeckShape), {"type": "string"}]}


def _written_field(field: str, description: str, example: str) -> fields.Field[Any]:
    """Return a field for a text of a registration sheet that takes any value. `Registration.read` checks it later.

    `field` is a key of LONGEST, the maximum length that is documented.
    """
    return fields.Raw(
        allow_none=True, metadata=field_metadata(description, type="string", maxLength=LONGEST[field], example=example)
    )


def _shown_field(field: str, description: str, example: str) -> fields.Field[Any]:
    """Return a field for a text of a registration sheet. A text longer than LONGEST[field] is refused."""
    return fields.String(
        validate=validate.Length(max=LONGEST[field]), metadata=field_metadata(description, example=example)
    )


def game_field(description: str, *, is_required: bool = False, **entries: Any) -> fields.Field[Any]:
    """Return a field for the id of a game. `entries` are further entries of its documentation."""
    return fields.String(
        required=is_required, validate=validate.OneOf(GAMES), metadata=field_metadata(description, **entries)
    )


_GAME_IF_KNOWN = game_field("The game, if it is known.")


class PlayerShape(Shape):
    """The player's name, ID and notes, as base of a body. `Registration.read` checks the values, not this schema."""

    player = _written_field("player", "The player's whole name. This or `last_name`.", "Last, First")
    last_name = _written_field("last_name", "The name that lists are filed by.", "Last")
    first_name = _written_field("first_name", "The first names.", "First")
    player_id = _written_field("player_id", "The player's ID. Leading zeros are kept.", "0012345678")
    notes = _written_field("notes", "Notes for the judges.", "Leaves at six")


class SheetShape(DeckAndTermsShape, PlayerShape):
    """The body of POST /v1/sheets: a deck with its terms, the player and the event. It loads a Validation.

    The values of player and event are checked by `Registration.read`.
    """

    event = _written_field("event", "The name of the event.", "Example Regional")
    date = fields.Raw(
        allow_none=True,
        metadata=field_metadata(
            "The day of the event, which may be empty. It is the default of `on`.",
            anyOf=[{"type": "string", **DAY}, {"type": ["string", "null"], "maxLength": 0}],
            example="2026-11-21",
        ),
    )
    place = _written_field("place", "The place of the event.", "Example Hall")
    table = _written_field("table", "The player's table.", "42")
    format_name = _written_field(
        "format_name", "The name of the format at the event, printed beside the event.", "Team of three"
    )


class SheetQuery(Shape):
    """The query parameters of all registration sheets: `as` (the kind of file, loaded as `kind`) and `paper`."""

    kind = fields.String(
        data_key="as",
        validate=validate.OneOf(tuple(SHEETS)),
        metadata=field_metadata("The kind of file. Default: that of `Accept`, else `pdf`.", example="pdf"),
    )
    paper = fields.String(
        load_default="a4",
        validate=validate.OneOf(PAPERS),
        metadata=field_metadata("The paper size. Default: `a4`.", example="letter"),
    )


class FilledSheetQuery(SheetQuery):
    """The query of POST /v1/sheets. `names` is a language whose card names are printed too, "" for none."""

    names = fields.String(
        load_default="",
        validate=validate.OneOf(("", *foreign_names.languages())),
        metadata=field_metadata("Adds the known names of cards in this language.", example="ja"),
    )


class BlankSheetQuery(SheetQuery):
    """The query of GET /v1/sheets/blank: the game, and the event that is printed on the sheet."""

    game = game_field("The game.", is_required=True, example="optcg")
    kind = fields.String(
        data_key="as",
        validate=validate.OneOf(BLANK),
        metadata=field_metadata("The kind of file. Default: that of `Accept`, else `pdf`.", example="pdf"),
    )
    event = _shown_field("event", "The name of the event.", "Example Regional")
    date = fields.String(metadata=field_metadata("The day of the event.", **DAY, example="2026-11-21"))
    place = _shown_field("place", "The place of the event.", "Example Hall")
    format_name = _shown_field("format_name", "The name of the format at the event.", "Team of three")


class ListQuery(WrittenTermsShape):
    """The query beside a decklist sent as plain text to POST /v1/validate: the terms, `explain` and `summary`.

    Its fields have no examples, because the documentation would send these beside a JSON body, too.
    """

    def __init__(self, **how: Any) -> None:
        """Create the schema, and remove the examples from the documentation of its fields.

        `how` are marshmallow's options.
        """
        super().__init__(**how)
        for field in self.fields.values():
            field.metadata = {name: says for name, says in field.metadata.items() if name != "example"}

    explain = fields.Boolean(
        load_default=False, metadata=field_metadata("Adds every checked rule, and whether it passed.")
    )
    summary = fields.Boolean(
        load_default=False, metadata=field_metadata("Adds a summary of at most 1,900 characters, for a chat.")
    )


class GameQuery(Shape):
    """The query beside a decklist sent as plain text to POST /v1/decklists/parse: an optional `game`."""

    game = game_field("The game of a plain text, if it is known.")


_DECK_OR_DECKLIST = {"oneOf": [{"required": ["deck"]}, {"required": ["decklist"]}]}
_PLAYER_OR_LAST_NAME = {"oneOf": [{"required": ["player"]}, {"required": ["last_name"]}]}
_EXAMPLE = {"game": "optcg", "on": "2026-11-21", "deck": example_deck()}
EXAMPLE_LINES = "".join(
    f"{json.dumps(request)}\n" for request in (_EXAMPLE, {"game": "optcg", "decklist": EXAMPLE_TEXT})
)
EXAMPLE_DECKLIST = "".join(
    f"{line['count']} {line.get('number') or line['name']}\n" for lines in example_deck().values() for line in lines
)
# Entries of whole objects in the OpenAPI document, by name: the fields that must be together, and a complete example.
WHOLE = {
    "Line": {"anyOf": [{"required": [key], "properties": {key: {"type": "string"}}} for key in ("number", "name")]},
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


class ParseShape(Shape):
    """The JSON body of POST /v1/decklists/parse: the text `decklist`, and an optional `game`."""

    decklist = fields.String(
        required=True,
        validate=validate.Length(max=LONGEST_LIST),
        metadata=field_metadata("The decklist as text.", example=EXAMPLE_TEXT),
    )
    game = _GAME_IF_KNOWN


class WriteShape(DeckOrDecklistShape):
    """The body of POST /v1/decklists/write: a deck or a decklist, the format to write, and an optional `game`."""

    format = fields.String(
        required=True,
        metadata=field_metadata("The format to write, one of `/v1/decklists/formats`.", example="optcgsim"),
    )
    game = _GAME_IF_KNOWN


class CompareShape(Shape):
    """The body of POST /v1/decklists/compare: two decks or their texts, and an optional `game`."""

    before = DeckOrText(required=True, metadata=field_metadata("The first deck, or its text.", example=BEFORE))
    after = DeckOrText(required=True, metadata=field_metadata("The second deck, or its text.", example=AFTER))
    game = _GAME_IF_KNOWN


class AgainstQuery(Shape):
    """The query of GET /v1/rulesets/<id>/differences: `against` is the id of the other ruleset."""

    against = fields.String(required=True, metadata=field_metadata("The other edition.", example="optcg-1.1.9"))


class StandingQuery(Shape):
    """The query of GET /v1/cards/…/standing (the allowed copies of a card): the day, or the time zone of today."""

    on = DayField(metadata=field_metadata("The day. Default: today.", **DAY, example="2026-04-01"))
    timezone = TimezoneField()


class DayQuery(StandingQuery):
    """The query of the changes of a limits list: the day `on`, the time zone of today, and the region."""

    region = fields.String(load_default="en", metadata=field_metadata("The region. Default: `en`.", example="en"))


class LimitsQuery(DayQuery):
    """The query of GET /v1/limits/<game>: a day, a region, and `best_of`, the most games of a match.

    `best_of` None leaves out the entries that only apply to short matches.
    """

    best_of = WrittenMatchLength(
        load_default=None,
        metadata=field_metadata(
            "Adds the entries that only apply to matches of at most this number of games.", example=1
        ),
    )


def _column(content: str) -> fields.String:
    """Return an optional field for a spreadsheet column by its letters or heading, a text of 1 to 200 characters.

    `content` describes the content of the column in words, for the documentation.
    """
    return fields.String(
        validate=validate.Length(min=1, max=200),
        metadata=field_metadata(
            f"The column with {content}, by its letters or its heading. Default: found by the headings."
        ),
    )


class ChosenColumnsShape(Shape):
    """The columns of a spreadsheet that a user chose by letters or heading, one optional field for each role."""

    player_column = _column("the player's name")
    id_column = _column("the player's ID")
    list_column = _column("the deck list")
    number_column = _column("the card's number")
    count_column = _column("the count")
    name_column = _column("the card's name")


class WorkbookQuery(WrittenTermsShape, ChosenColumnsShape):
    """The query of POST /v1/workbooks and its `/columns`: terms, chosen columns, and the file of results to make.

    `job` true or false forces a job or an answer at once.
    """

    name = fields.String(
        metadata=field_metadata("The name of the file, if the request has no other.", example="decks.xlsx")
    )
    kind = fields.String(
        data_key="as",
        validate=validate.OneOf(RESULTS),
        metadata=field_metadata(
            "The kind of file. Default: that of `Accept`, else `xlsx`. `csv` is only the summary, `pdf` has the "
            "registration sheets of all players.",
            example="xlsx",
        ),
    )
    deck_sheets = fields.Boolean(metadata=field_metadata("Adds a sheet for each deck to an `xlsx`.", example=False))
    paper = fields.String(
        validate=validate.OneOf(PAPERS), metadata=field_metadata("The paper size. Default: `a4`.", example="a4")
    )
    order = fields.String(
        validate=validate.OneOf(ORDERS),
        metadata=field_metadata(
            "The order of registration sheets, by last name or by table. Default: `name`.", example="table"
        ),
    )
    mail_merge = fields.Boolean(
        metadata=field_metadata(
            "True for a `csv` with a letter to each player, in place of the summary.", example=False
        )
    )
    event = _shown_field("event", "The name of the event, if it is not in the spreadsheet.", "Example Regional")
    date = fields.String(
        metadata=field_metadata("The day of the event. It is the default of `on`.", **DAY, example="2026-11-21")
    )
    place = _shown_field("place", "The place of the event, if it is not in the spreadsheet.", "Example Hall")
    format_name = _shown_field("format_name", "The name of the format at the event.", "Team of three")
    job = fields.Boolean(
        metadata=field_metadata(
            "`true` always makes a job, `false` never. Default: by the size of the file.", example=True
        )
    )


class WorkbookForm(WorkbookQuery):
    """The documentation of a form with a spreadsheet `file` and the fields of WorkbookQuery. It loads no request."""

    file = fields.Raw(
        required=True, metadata={"type": "string", "format": "binary", **field_metadata("The spreadsheet.")}
    )


class DataQuery(Shape):
    """The query of a file of the open data: `v` is the digest of its content."""

    v = fields.String(
        validate=validate.Length(max=LONGEST_TEXT),
        metadata=field_metadata("The digest of the content, as in the index. A file with it may be cached forever."),
    )


class ChangesQuery(Shape):
    """The query of GET /v1/changes and its Atom feed: the first day `since`, and a game.

    Without them all changes are meant.
    """

    since = DayField(
        metadata=field_metadata("The first day of the changes. Default: all changes.", **DAY, example="2026-10-01")
    )
    game = game_field("The game. Default: all games.", example="optcg")


class CardsQuery(Shape):
    """The query of GET /v1/cards: the game, search words by the property of a card, and the page."""

    game = game_field("The game.", is_required=True, example="optcg")
    q = fields.String(
        validate=validate.Length(max=LONGEST_TEXT),
        metadata=field_metadata("Words of the number or name.", example="luffy"),
    )
    text = fields.String(
        validate=validate.Length(max=LONGEST_TEXT),
        metadata=field_metadata(
            "Words of traits, characters, keywords, or texts if the catalogue has them.", example="crew"
        ),
    )
    color = fields.String(metadata=field_metadata("A colour the card has.", example="Red"))
    type = fields.String(metadata=field_metadata("The card's type.", example="Leader"))
    block = fields.String(metadata=field_metadata("The card's block, as it is printed.", example="1"))
    set = fields.String(
        validate=validate.Length(max=LONGEST_TEXT),
        metadata=field_metadata(
            "The card's set, by the beginning of its number or by its name in the catalogue.", example="OP01"
        ),
    )
    page = fields.Integer(
        load_default=1, validate=validate.Range(1, 100_000), metadata=field_metadata("The page, from 1.")
    )
    page_size = fields.Integer(
        load_default=50, validate=validate.Range(1, MOST_PAGE), metadata=field_metadata("Cards a page.")
    )


class CollectionQuery(Shape):
    """The body of POST /v1/cards/<game>/collection: up to 1,000 card numbers."""

    numbers = fields.List(
        fields.String(validate=validate.Length(1, LONGEST_TEXT)),
        required=True,
        validate=validate.Length(max=MOST_NUMBERS),
        metadata=field_metadata("Card numbers, of any printing, in any spelling.", example=["OP01-016_p1", "op01-999"]),
    )
