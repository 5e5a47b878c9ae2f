"""Schemas of requests about events: bodies and queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import marshmallow as ma
from marshmallow import fields, validate

from api.events.bounds import (
    LONGEST_EMAIL,
    LONGEST_FILE,
    LONGEST_JOIN_CODE,
    LONGEST_KEY,
    LONGEST_LINES,
    LONGEST_REASON,
    LONGEST_SEED,
    LONGEST_SHEET_CODE,
    MOST_DAYS_KEPT,
    MOST_ENTRANTS,
    MOST_ENTRIES,
    MOST_STREAMED,
)
from api.events.exports.event_files import EXPORTS, SHOWN_LISTS
from api.events.exports.event_reports import LINK_FILES
from api.events.exports.flyer import FLYERS
from api.events.judging.deck_checks import OUTCOMES
from api.events.judging.draws import AMONG, SHARE
from api.events.judging.penalties import INFRACTIONS, LADDER
from api.events.moments import PATTERN
from api.events.players.attendance import SORTS
from api.events.players.attendance import STATES as ROSTER_STATES
from api.events.players.duplicate_desk import CHOICES
from api.events.players.entrant import ADDRESS, parse_email
from api.events.players.player_desk import GROUPS
from api.events.storage.event_keys import JUDGE, ORGANISER
from api.events.tournament import ROSTERS, STAGES
from api.service.bounds import LONGEST_TEXT
from api.service.shapes import (
    DAY,
    DayField,
    OptionalDeckShape,
    PolicyShape,
    Shape,
    Whole,
    Writable,
    YesNo,
    field_metadata,
    limits_list_field,
)
from api.sheets.person_names import clean_text
from api.sheets.registration import LONGEST
from api.sheets.sheet_files import ORDERS, PAPERS
from api.web.schemas import EXAMPLE_TEXT, ChosenColumnsShape, PlayerShape, game_field
from validator.bounds import LONGEST_LIST
from validator.deck import MOST_COPIES, SECTIONS
from validator.errors import error_text
from validator.language import CODES, phrase
from validator.texts import LONGEST_NAME

_MOMENT = f"^{PATTERN}$"
_LONGEST_ID = 40  # characters


def _one_of_or_blank(values: Iterable[str]) -> validate.OneOf:
    """Return a validator for one of some values or "". Its message shows the blank one as `""`."""
    return validate.OneOf(("", *values), error=f'Must be one of: "", {", ".join(values)}.')


class CleanText(fields.String):
    """A text on one line of limited length. Invisible characters are removed before its length is checked."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **how: Any) -> str:
        """Return a text on one line, without invisible characters. Raises ValidationError if the value is no text."""
        return clean_text(super()._deserialize(value, attr, data, **how))


def _text(description: str, longest: int, least: int = 0, **more: Any) -> fields.Field[Any]:
    """Return a field for a text on one line of `least` to `longest` characters. Invisible characters are removed.

    `more` are further OpenAPI entries, such as `example`. Only `required=True` in it makes the field required.
    """
    wrong = phrase("Write a text of {least:,} to {most:,} characters.", least=least, most=longest)
    return CleanText(
        required=more.pop("required", False),
        validate=validate.Length(least, longest, error=wrong),
        error_messages=dict.fromkeys(("required", "null", "invalid"), wrong),
        metadata=field_metadata(description, **more),
    )


def _word(description: str, **more: Any) -> fields.Field[Any]:
    """Return an optional field for a text of 1 to LONGEST_TEXT printable characters, or null.

    `more` are further OpenAPI entries.
    """
    return fields.String(
        allow_none=True, validate=Writable(1, LONGEST_TEXT), metadata=field_metadata(description, **more)
    )


def _moment_field(description: str, example: str = "2026-11-20T22:00") -> fields.Field[Any]:
    """Return a field for a time as in RFC 3339, or null. It loads the text, which `parse_event_fields` parses later.

    Only the length is checked here: at most 40 characters. A sentence about the format is added to `description`.
    """
    return fields.String(
        allow_none=True,
        validate=validate.Length(max=40),
        metadata=field_metadata(
            f"{description} As in RFC 3339, to the microsecond; without an offset in the event's time zone.",
            pattern=_MOMENT,
            example=example,
        ),
    )


def _reason_field(description: str) -> fields.Field[Any]:
    """Return an optional field for the reason of a change, a text of at most 500 characters. "" is no reason."""
    return _text(description, LONGEST_REASON)


class EmailField(fields.String):
    """An e-mail address, or "" to delete the address."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **how: Any) -> str:
        """Return a normalised e-mail address, "" for "". Raises ValidationError with the reason if it is no address."""
        written = super()._deserialize(value, attr, data, **how)
        try:
            return parse_email(written[: 4 * LONGEST_EMAIL])
        except ValueError as error:
            raise ma.ValidationError(error_text(error)) from None


def _table_field() -> fields.Field[Any]:
    """Return an optional field for the table at which a player sits, on one line."""
    return _text("The table that the player sits at.", LONGEST["table"], example="12")


def _email_field() -> fields.Field[Any]:
    """Return an optional field for the player's e-mail address. "" deletes the address."""
    says = "Where the player is written to, which the player and those who run the event alone see; empty deletes it."
    return EmailField(
        metadata=field_metadata(says, maxLength=LONGEST_EMAIL, pattern=f"^({ADDRESS})?$", example="name@example.com")
    )


class VisibilityShape(Shape):
    """The detailed visibility of an event: who sees the players' lists, from when, the roster, and the verdicts."""

    lists = fields.String(
        validate=validate.OneOf(STAGES),
        metadata=field_metadata(
            "Who sees the lists besides their players and the organiser: `closed` nobody, `judges` they, `cut` also "
            "the players of the top cut those of each other, `public` everyone. Default: `judges`."
        ),
    )
    public_from = _moment_field("From when everyone sees them.")
    roster = fields.String(
        validate=validate.OneOf(ROSTERS),
        metadata=field_metadata("Who sees the roster, without lists: `judges`, `players` (the default) or `public`."),
    )
    verdicts = YesNo(
        metadata=field_metadata(
            "Whether everyone who sees a list sees if it is legal; default: false. Staff always see it."
        )
    )


class StageOrVisibility(fields.Field[Any]):
    """The visibility of an event: a stage of the lists, one of STAGES, or an object as in VisibilityShape."""

    default_error_messages = dict.fromkeys(  # as the library has it
        ("required", "null", "invalid"),
        phrase("Write one of {values}, or an object with details.", values=", ".join(STAGES)),
    )
    _object: ClassVar[VisibilityShape] = VisibilityShape()

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        """Return the fields of VisibilityShape. The text "public" is `{"lists": "public"}`.

        Raises ValidationError for an unknown stage or a wrong object.
        """
        if isinstance(value, str):
            if value not in STAGES:
                raise self.make_error("invalid")
            return {"lists": value}
        return self._object.load(value)


_VISIBILITY_DOCUMENT = {
    "anyOf": [
        {"type": "string", "enum": list(STAGES)},
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "lists": {"type": "string", "enum": list(STAGES)},
                "public_from": {"type": ["string", "null"], "pattern": _MOMENT},
                "roster": {"type": "string", "enum": list(ROSTERS)},
                "verdicts": {"type": "boolean"},
            },
        },
    ]
}


def _confirm_field() -> YesNo:
    """Return the field `confirm`: true if the caller means a day in the past.

    Without it such a day is refused with 422.
    """
    return YesNo(metadata=field_metadata("True if a day in the past is meant; without this it is 422."))


class DescribedShape(Shape):
    """The settings of an event, all optional. Base of the bodies that create and change an event."""

    on = DayField(
        metadata=field_metadata("The day that is played on, which decks are judged for.", **DAY, example="2027-03-20")
    )
    name = _text("What it is called.", LONGEST["event"], 1, example="Example Regional")
    timezone = fields.String(
        validate=validate.Length(max=60),
        metadata=field_metadata("Where it is, as the IANA names time zones; default: `UTC`.", example="Europe/Berlin"),
    )
    opens = _moment_field("From when whoever knows the event's id may register; null is at once.", "2026-11-01T00:00")
    closes = _moment_field("When registration closes and lists are locked, names with them; null is never.")
    ruleset = _word("The ruleset to judge by; null is the one in force on the day.")
    format = _word("The format; null is the game's standard one.", example="standard")
    region = _word("Whose limits lists hold; null is `en`.", example="en")
    policy = fields.Nested(PolicyShape, allow_none=True, metadata=field_metadata("What the organiser decides."))
    limits_list = limits_list_field(
        "The organiser's own limits list as the text of a TOML file, which is added to the official list. All decks of "
        "the event are judged with it. Null: none.",
        allow_none=True,
    )
    visibility = StageOrVisibility(
        metadata=field_metadata("Who sees the lists, and the roster.", **_VISIBILITY_DOCUMENT)
    )
    place = _text("Where it is.", LONGEST["place"], example="Example Hall")
    best_of = Whole(
        1, 9, allow_none=True, metadata=field_metadata("How many games a match has at most; null: not known.")
    )
    consent = YesNo(
        metadata=field_metadata("Whether a list is shown to others only with its player's consent; default: false.")
    )
    purge_days = Whole(
        1,
        MOST_DAYS_KEPT,
        metadata=field_metadata(
            "Days after its day, its creation or its last change, whichever is the latest, for which anything of it is "
            "kept. At most 365 "
            "if it was created without the admin key of a server that has one."
        ),
    )


class EventShape(DescribedShape):
    """The body of POST /v1/events: all settings of a new event. Game, name and day are required."""

    confirm = _confirm_field()
    game = game_field("The game.", is_required=True, example="optcg")
    name = _text("What it is called.", LONGEST["event"], 1, required=True, example="Example Regional")
    on = DayField(
        required=True,
        metadata=field_metadata("The day that is played on, which decks are judged for.", **DAY, example="2027-03-20"),
    )


class EventCopyShape(Shape):
    """The body of POST /v1/events/<id>/copies: day, name and deadlines of the new event, and the admin key.

    `players`: True copies the players as expected players. `confirm`: True accepts a day in the past.
    """

    on = DayField(required=True, metadata=field_metadata("The day of the new event.", **DAY, example="2027-04-17"))
    name = _text("The name; default: that of the earlier event.", LONGEST["event"], 1, example="Example Regional 2")
    opens = _moment_field("When registration opens; default: at once.", "2027-04-01T00:00")
    closes = _moment_field("When registration closes; default: never.", "2027-04-16T22:00")
    players = YesNo(
        load_default=False, metadata=field_metadata("Whether the players are expected at the new event too.")
    )
    admin_key = _text("The admin's key, if the server requires it for new events.", LONGEST_KEY)
    confirm = _confirm_field()


class EventChangeShape(DescribedShape):
    """The body of PATCH /v1/events/<id>: the settings to change, and a reason. The game cannot be changed."""

    confirm = _confirm_field()
    reason = _reason_field("Why; the audit has a hash of it.")


class ConsentShape(Shape):
    """A player's consent, in the body of a registration: to publish the list, and to show it in a stream."""

    publish = YesNo(metadata=field_metadata("Whether the list may be shown to others when the event's lists are."))
    stream = YesNo(metadata=field_metadata("Whether it may be shown in a stream."))


class RevisionShape(OptionalDeckShape, PlayerShape):
    """The body of PUT /v1/events/<id>/registrations/<rid>: what changes in a registration. All fields are optional.

    The player's name and ID are checked by `Registration.read`.
    """

    team = _text("The player's team.", LONGEST["format_name"], example="Team of three")
    table = _table_field()
    email = _email_field()
    consent = fields.Nested(ConsentShape, metadata=field_metadata("What may be done with the list; default: neither."))
    reason = _reason_field("Why a judge changes this; needed after the deadline.")


class RegistrationShape(RevisionShape):
    """The body of POST /v1/events/<id>/registrations, with the fields of RevisionShape. The view requires a name."""

    pass


_NOT_BOTH = {"not": {"required": ["deck", "decklist"]}}
_PLAYER = {"player": "Last, First", "player_id": "0012345678", "decklist": EXAMPLE_TEXT}
# Further OpenAPI entries of a schema as a whole, like `api.web.schemas.WHOLE`.
WHOLE_OF_EVENTS = {
    "EventChange": {"example": {"place": "Example Hall", "reason": "The other hall is too small"}},
    "NewChecks": {
        "oneOf": [{"required": ["registration"]}, {"required": ["code"]}, {"required": ["draw"]}],
        "example": {"draw": {"share": 0.1, "seed": "7", "among": "all"}},
    },
    "CheckedBox": {
        "not": {"required": ["tally", "decklist"]},
        "example": {"tally": {"main": {"OP01-016": 3}}, "outcome": "deck differs", "table": "12"},
    },
    "Proposal": {
        "oneOf": [{"required": ["lines"]}, {"required": ["file"]}],
        "example": {"lines": "OP01-016 banned\nOP04-016 1"},
    },
    "Registration": _NOT_BOTH | {"example": _PLAYER},
    "Revision": _NOT_BOTH | {"example": {"decklist": EXAMPLE_TEXT}},
}


class SettlingShape(Shape):
    """The body of PATCH /v1/events/<id>/registrations/<rid>: a player's own deadline, top cut, table and e-mail."""

    until = _moment_field("The player's own deadline, until which the list may be changed; null is that of the event.")
    cut = YesNo(metadata=field_metadata("Whether the player is in the top cut."))
    table = _table_field()
    email = _email_field()
    reason = _reason_field("Why; the audit has a hash of it.")


def _other_registration_field(says: str) -> fields.Field[Any]:
    """Return a required field for the id of another registration. `says` is its description in the OpenAPI document."""
    return _text(says, _LONGEST_ID, 1, required=True)


class MergeShape(Shape):
    """The body of POST …/registrations/<rid>/merge: the `other` registration, whose `list` to keep, and a reason.

    The registration in the path stays. `list` is one of CHOICES: `own` keeps its list, `other` that of the other one.
    """

    other = _other_registration_field("The id of the registration that is merged into this one and then removed.")
    list = fields.String(
        load_default=CHOICES[0],
        validate=validate.OneOf(CHOICES),
        metadata=field_metadata("Whose list to keep; default: `own`."),
    )
    reason = _reason_field("Why; it is in the revision.")


class SeparationShape(Shape):
    """The body of POST …/registrations/<rid>/separate: the `other` registration, of another player, and a reason."""

    other = _other_registration_field(
        "The id of a registration that looks like a duplicate of this one and is of another player."
    )
    reason = _reason_field("Why; the audit has a hash of it.")


class ComparisonShape(Shape):
    """The body of POST /v1/events/<id>/missing: 1 or more names of players to compare with the registrations."""

    players = fields.List(
        fields.String(validate=validate.Length(1, LONGEST_TEXT)),
        required=True,
        validate=validate.Length(1, MOST_ENTRANTS, error=phrase("Write 1 to {most:,} names.", most=MOST_ENTRANTS)),
        metadata=field_metadata("The names of those who are expected.", example=["Last, First"]),
    )


class ExpectingShape(Shape):
    """The body of PUT /v1/events/<id>/expected: the names of all expected players. An empty list deletes the list."""

    players = fields.List(
        _text("A player's name.", LONGEST["player"]),
        required=True,
        validate=validate.Length(max=MOST_ENTRANTS, error=phrase("Write at most {most:,} names.", most=MOST_ENTRANTS)),
        metadata=field_metadata("The names of those who are expected.", example=["Last, First"]),
    )


class ProposalShape(Shape):
    """The body of POST /v1/events/<id>/impact: an unpublished limits list, as `lines` or as the text of a TOML `file`.

    `first_day`: from which the lines hold. `on`: the day to compare.
    """

    lines = fields.String(
        validate=validate.Length(1, LONGEST_LINES),
        metadata=field_metadata(
            "A change for each line: a card number and `banned`, 1, 2, 3 or `free`; two numbers for a pair.",
            example="OP01-001 banned\nOP02-002 2",
        ),
    )
    file = fields.String(
        validate=validate.Length(1, LONGEST_FILE),
        metadata=field_metadata("The text of a TOML file in the format of the lists that ship."),
    )
    first_day = DayField(
        metadata=field_metadata("The day from which the lines hold; default: `on`.", **DAY, example="2026-11-20")
    )
    on = DayField(
        metadata=field_metadata("The day that is checked; default: that of the event.", **DAY, example="2027-03-20")
    )

    @ma.validates_schema
    def _check_one(self, data: Any, **_: Any) -> None:
        """Raise a ValidationError unless exactly one of `lines` and `file` is given."""
        if bool(data.get("lines")) == bool(data.get("file")):
            raise ma.ValidationError(phrase("Give either lines or file."), "lines")


class NewKeyShape(Shape):
    """The body of POST /v1/events/<id>/keys: the name of a new key, and its role (judge or organiser)."""

    name = _text(
        "What the key is called, such as whose it is; it stands in no log.", 100, 1, required=True, example="Table 1"
    )
    role = fields.String(
        load_default=JUDGE,
        validate=validate.OneOf((JUDGE, ORGANISER)),
        metadata=field_metadata("What the key may do; default: `judge`."),
    )


class RosterQuery(Shape):
    """The query of GET /v1/events/<id>/roster: the column to `sort` by, and the `state` of the players to list."""

    sort = fields.String(
        validate=validate.OneOf(SORTS), metadata=field_metadata("The column to sort by; - before it is descending.")
    )
    state = fields.String(
        validate=validate.OneOf(ROSTER_STATES), metadata=field_metadata("Which players are listed; all by default.")
    )


class DeletionQuery(Shape):
    """The query of DELETE /v1/events/<id>: `now` is the text "true" or "false" (the default)."""

    now = fields.String(
        load_default="false",
        validate=validate.OneOf(("true", "false")),
        metadata=field_metadata("`true` removes the event at once, for ever."),
    )


class AuditQuery(Shape):
    """The query of GET /v1/events/<id>/audit: entries `after` a number, at most `limit`."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, 2**31 - 1),
        metadata=field_metadata("List only entries after this number."),
    )
    limit = fields.Integer(
        load_default=MOST_ENTRIES,
        validate=validate.Range(1, MOST_ENTRIES),
        metadata=field_metadata("The most entries to list."),
    )


class ImpactQuery(Shape):
    """The query of GET /v1/events/<id>/impact: the two days to compare, and the language."""

    before = DayField(metadata=field_metadata("The one day; default: today.", **DAY, example="2026-10-01"))
    after = DayField(metadata=field_metadata("The other day; default: that of the event.", **DAY, example="2027-03-20"))
    lang = fields.String(validate=validate.OneOf(CODES), metadata=field_metadata("The language of the sentences."))


class BookQuery(Shape):
    """The query beside an uploaded spreadsheet of expected players: the `name` of the file."""

    name = fields.String(
        metadata=field_metadata("What the file is called, where the request does not say.", example="p.xlsx")
    )


class BookForm(BookQuery):
    """The documentation of a form with a spreadsheet `file` of expected players. It loads no request."""

    file = fields.Raw(required=True, metadata=field_metadata("The spreadsheet.", type="string", format="binary"))


class PlayersQuery(BookQuery, ChosenColumnsShape):
    """The query beside an imported spreadsheet of players: chosen columns, reason, `plan` and `dry_run`."""

    reason = _reason_field("The reason for an import after the deadline.")
    plan = fields.String(
        validate=validate.Length(max=64),
        metadata=field_metadata("The `plan` of a dry run: the import is refused (412) if it would do anything else."),
    )
    dry_run = fields.Boolean(
        load_default=False, metadata=field_metadata("True for the answer only: nothing is written.")
    )


class PlayersForm(PlayersQuery):
    """The documentation of a form with a spreadsheet `file` and the fields of PlayersQuery. It loads no request."""

    file = fields.Raw(required=True, metadata=field_metadata("The spreadsheet.", type="string", format="binary"))


class CheckNotesShape(Shape):
    """The table, round, judge and begin of a deck check, all optional. Base of the bodies of deck checks."""

    table = _text("The table.", LONGEST["table"], example="12")
    round = _text("The round.", 20, example="3")
    judge = _text("Who checks, for the log; default: what the key is called.", 100, example="Table judge")
    started = _moment_field("When the check began; default: now.", "2027-03-20T14:02")


class DrawShape(Shape):
    """A draw of players for deck checks, in the body of POST …/checks: the seed, the share, and among whom to draw.

    `standings` are registration ids in the order of the tournament, needed only by some groups in `among`.
    """

    seed = _text(
        "What is drawn by: print it, and everybody can draw again.", LONGEST_SEED, 1, required=True, example="7"
    )
    share = fields.Float(
        load_default=float(SHARE),
        validate=validate.Range(
            0, 1, min_inclusive=False, error=phrase("Write a share above 0 and up to 1, such as 0.1.")
        ),
        metadata=field_metadata("Of how many; default: 0.1. The top cut is drawn whole."),
    )
    among = fields.String(
        load_default=AMONG[0],
        validate=validate.OneOf(AMONG),
        metadata=field_metadata(
            "Among whom; `top-half` needs `standings` or tables, `not-checked` are neither drawn nor checked."
        ),
    )
    unchecked = YesNo(
        load_default=False, metadata=field_metadata("Whether to leave those out who were drawn or checked before.")
    )
    standings = fields.List(
        fields.String(validate=validate.Length(1, 40)),
        load_default=(),
        validate=validate.Length(
            max=MOST_ENTRANTS, error=phrase("Write at most {most:,} registrations.", most=MOST_ENTRANTS)
        ),
        metadata=field_metadata("The ids of registrations as players stand, the first one first."),
    )


class NewChecksShape(CheckNotesShape):
    """The body of POST /v1/events/<id>/checks: a `registration`, the `code` scanned from a sheet, or a `draw`."""

    registration = fields.String(validate=validate.Length(1, 40), metadata=field_metadata("Whose deck is checked."))
    code = fields.String(
        validate=validate.Length(1, LONGEST_SHEET_CODE),
        metadata=field_metadata("What was scanned from the player's registration sheet: an address, or a deck's hash."),
    )
    draw = fields.Nested(DrawShape, metadata=field_metadata("How it is drawn whose decks are checked."))

    @ma.validates_schema
    def _check_one(self, data: Any, **_: Any) -> None:
        """Raise a ValidationError unless exactly one of `registration`, `code` and `draw` is given."""
        if sum(name in data for name in ("registration", "code", "draw")) != 1:
            raise ma.ValidationError(
                phrase("Write one of these: the registration, the code of a sheet, or a draw."), "registration"
            )


class NextCheckQuery(Shape):
    """The query of GET /v1/events/<id>/checks:next: among whom, the seed of the order, and the language."""

    among = fields.String(
        load_default=AMONG[0], validate=validate.OneOf(AMONG), metadata=field_metadata("Among whom; default: all.")
    )
    seed = _text(
        "What is drawn by; default: one of the event's own, which players cannot know.", LONGEST_SEED, 1, example="7"
    )
    lang = fields.String(validate=validate.OneOf(CODES), metadata=field_metadata("The language of the reason."))


class NewSeedShape(Shape):
    """The body of POST /v1/events/<id>/checks:seed: the new seed. A missing seed is loaded as "", for a random one."""

    seed = CleanText(
        load_default="",
        validate=validate.Length(
            1,
            LONGEST_SEED,
            error=phrase("Write a text of {least:,} to {most:,} characters.", least=1, most=LONGEST_SEED),
        ),
        metadata=field_metadata("The new seed; default: a random one.", example="7"),
    )


class TallyField(fields.Field[Any]):
    """The counted copies by section and card, such as `{"main": {"OP01-016": 3}}`.

    Only its structure is checked. The desk of deck checks validates the cards and the counts.
    """

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> dict[str, dict[str, int]]:
        """Return the value unchanged.

        Raises ValidationError unless it is counts by section and card, and all are integers.
        """
        if not isinstance(value, dict) or not all(isinstance(cards, dict) for cards in value.values()):
            raise ma.ValidationError(phrase("Write an object of sections, each with its cards and their counts."))
        for section, cards in value.items():
            for card, count in cards.items():
                if type(count) is not int:
                    raise ma.ValidationError(
                        {
                            section: {
                                card: [
                                    phrase(
                                        "Write a whole number from {least:,} to {most:,}.", least=0, most=MOST_COPIES
                                    )
                                ]
                            }
                        }
                    )
        return value


_CARDS = {
    "type": "object",
    "propertyNames": {"minLength": 1, "maxLength": LONGEST_NAME},
    "additionalProperties": {"type": "integer", "minimum": 0, "maximum": MOST_COPIES},
}


class CheckedBoxShape(CheckNotesShape):
    """The body of PUT /v1/events/<id>/checks/<cid>: the counted deck, the times, the outcome and the penalty.

    All fields are optional, but `tally` and `decklist` exclude each other.
    """

    tally = TallyField(
        metadata=field_metadata(
            "What lies in the box, by section and card, a card by its number or name; sections that are left out were "
            "not looked at. This or `decklist`.",
            type="object",
            additionalProperties=False,
            properties=dict.fromkeys(SECTIONS, _CARDS),
            example={"main": {"OP01-016": 3}},
        ),
    )
    decklist = fields.String(validate=validate.Length(1, LONGEST_LIST), metadata=field_metadata("The same as text."))
    ended = _moment_field("When the check ended; null while it goes on.", "2027-03-20T14:09")
    grace = Whole(0, 60, metadata=field_metadata("Minutes that are given back besides those taken; default: 3."))
    between_games = YesNo(metadata=field_metadata("Whether cards may have changed places, as they do between games."))
    outcome = fields.String(validate=_one_of_or_blank(OUTCOMES), metadata=field_metadata("What came of it."))
    infraction = fields.String(
        validate=_one_of_or_blank(INFRACTIONS), metadata=field_metadata("What was done wrong; a penalty needs it.")
    )
    penalty = fields.String(validate=_one_of_or_blank(LADDER), metadata=field_metadata("What the judge gives for it."))
    reason = _reason_field("Why, for the log.")
    note = _reason_field("Whatever is to be noted.")

    @ma.validates_schema
    def _check_box(self, data: Any, **_: Any) -> None:
        """Raise a ValidationError if both `tally` and `decklist` are given. Both may be missing."""
        if "tally" in data and "decklist" in data:
            raise ma.ValidationError(phrase("Give tally or decklist, not both."), "decklist")


class ExportQuery(Shape):
    """The query of GET /v1/events/<id>/export: `as` (the kind of file, loaded as `kind`), paper, order and language."""

    kind = fields.String(
        data_key="as",
        load_default="xlsx",
        validate=validate.OneOf(tuple(EXPORTS)),
        metadata=field_metadata(
            "`xlsx` the workbook of the event, `pdf` all registration sheets, `csv` the summary, `zip` a text a "
            "player, `json` all of it, `mail-merge` what to write to each player, as CSV, `reminders` what to write to "
            "those who are missing, as CSV; for other tools the players as `melee`, `limitless` or `sharly` (CSV) or "
            "`tom` (`.tdf`); default: `xlsx`."
        ),
    )
    paper = fields.String(
        load_default=PAPERS[0], validate=validate.OneOf(PAPERS), metadata=field_metadata("What it is printed on.")
    )
    order = fields.String(
        load_default=ORDERS[0], validate=validate.OneOf(ORDERS), metadata=field_metadata("Of the sheets.")
    )
    lang = fields.String(validate=validate.OneOf(CODES), metadata=field_metadata("The language of the reminders."))


class CodeQuery(Shape):
    """The query of GET /v1/events: the join code of an event, and the language."""

    code = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST_JOIN_CODE),
        metadata=field_metadata("The event's code, two words such as lusab-babad, or three."),
    )
    lang = fields.String(validate=validate.OneOf(CODES), metadata=field_metadata("The language of the sentences."))


class FlyerQuery(Shape):
    """The query of GET /v1/events/<id>/flyer: `as` (the kind of file, loaded as `kind`), paper and language."""

    kind = fields.String(
        data_key="as",
        load_default="pdf",
        validate=validate.OneOf(tuple(FLYERS)),
        metadata=field_metadata("Default: `pdf`."),
    )
    paper = fields.String(
        load_default=PAPERS[0], validate=validate.OneOf(PAPERS), metadata=field_metadata("What it is printed on.")
    )
    lang = fields.String(validate=validate.OneOf(CODES), metadata=field_metadata("The language of the flyer."))


class ListsQuery(Shape):
    """The query of GET /v1/events/<id>/lists: `as` (the kind of file, loaded as `kind`)."""

    kind = fields.String(
        data_key="as",
        load_default="json",
        validate=validate.OneOf(tuple(SHOWN_LISTS)),
        metadata=field_metadata(
            "`json` (the default), `csv` a row a card, `text` lists that are read again, `zip` a text a player."
        ),
    )


class StreamQuery(ListsQuery):
    """The query of GET /v1/events/<id>/stream: `players` (ids with commas) or a `table`, and the kind of file."""

    players = fields.String(
        validate=validate.Length(1, MOST_STREAMED * 31),
        metadata=field_metadata("The ids of the players' registrations, with commas between. This or `table`."),
    )
    table = _text("The table that they sit at.", LONGEST["table"], 1, example="1")

    @ma.validates_schema
    def _check_one(self, data: Any, **_: Any) -> None:
        """Raise a ValidationError unless exactly one of `players` and `table` is given."""
        if ("players" in data) == ("table" in data):
            raise ma.ValidationError(phrase("Write either players or a table."), "players")


class GroupField(fields.Field[Any]):
    """The name of a group of players, one of GROUPS, or a list of registration ids."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **how: Any) -> str | list[str]:
        """Return the name of a group, or the list of ids unchanged.

        Ids are only checked to be texts, 1 to MOST_ENTRANTS. Raises ValidationError for all other values.
        """
        if value in GROUPS:
            return str(value)
        if isinstance(value, list) and 0 < len(value) <= MOST_ENTRANTS and all(isinstance(one, str) for one in value):
            return value
        raise ma.ValidationError(phrase("Write `missing`, `all`, or the ids of registrations."))


class NewLinksShape(Shape):
    """The body of POST /v1/events/<id>/links: the players to get new links, and the form of the answer.

    `for` is loaded as `whom`, `as` as `kind`.
    """

    whom = GroupField(
        data_key="for",
        required=True,
        metadata=field_metadata(
            "The players who get new links: `missing` (without a list), `all`, or the ids of registrations.",
            example="missing",
            oneOf=[
                {"type": "string", "enum": list(GROUPS)},
                {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST_ENTRANTS},
            ],
        ),
    )
    kind = fields.String(
        data_key="as",
        load_default="json",
        validate=validate.OneOf(("json", *LINK_FILES)),
        metadata=field_metadata("The form of the answer; default: `json`.", example="json"),
    )


class UndoShape(Shape):
    """The body of POST /v1/events/<id>/imports/<iid>:undo: an optional reason."""

    reason = _reason_field("The reason; needed after the deadline.")
