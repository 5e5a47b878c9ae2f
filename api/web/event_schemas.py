"""Event schemas: what requests and answers of events look like."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import marshmallow as ma
from marshmallow import fields, validate

from api.events.exports.event_files import EXPORTS, SHOWN_LISTS
from api.events.exports.flyer import FLYERS
from api.events.join_codes import LONGEST_CODE as LONGEST_JOIN
from api.events.judging.deck_checks import OUTCOMES
from api.events.judging.draws import AMONG, LONGEST_SEED, SHARE
from api.events.judging.penalties import INFRACTIONS, LADDER
from api.events.list_desk import MOST_STREAMED
from api.events.moments import PATTERN
from api.events.registration_desk import MOST_ENTRANTS
from api.events.sheet_codes import LONGEST_CODE
from api.events.storage.event_keys import JUDGE, ORGANISER
from api.events.tournament import MOST_DAYS_KEPT, ROSTERS, STAGES
from api.events.whereabouts import ADDRESS, LONGEST_EMAIL, email
from api.service.shapes import (
    DAY,
    LONGEST_DECKLIST,
    LONGEST_TEXT,
    DayField,
    DeckShape,
    GivenShape,
    PolicyShape,
    Shape,
    Whole,
    Writable,
    YesNo,
    about,
)
from api.sheets.person_names import cleaned
from api.sheets.registration import LONGEST
from api.sheets.sheet_files import ORDERS, PAPERS
from api.web.schemas import (
    EXAMPLE_TEXT,
    KnownLimitsShape,
    NamedShape,
    PlayerShape,
    SizesShape,
    SnapshotShape,
    VerdictShape,
)
from validator.deck import MOST_COPIES, SECTIONS
from validator.games import GAMES
from validator.language import CODES
from validator.texts import LONGEST_NAME

_MOMENT = f"^{PATTERN}$"
_MOST_REASON = 500


class CleanText(fields.String):
    """A text on one line, without what nobody sees, of a bounded length."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **how: Any) -> str:
        return cleaned(super()._deserialize(value, attr, data, **how))


def _text(description: str, longest: int, least: int = 0, **more: Any) -> fields.Field[Any]:
    wrong = f"Write a text of {least} to {longest} characters."
    return CleanText(
        required=more.pop("required", False),
        validate=validate.Length(least, longest, error=wrong),
        error_messages=dict.fromkeys(("required", "null", "invalid"), wrong),
        metadata=about(description, **more),
    )


def _word(description: str, **more: Any) -> fields.Field[Any]:
    return fields.String(allow_none=True, validate=Writable(1, LONGEST_TEXT), metadata=about(description, **more))


def _moment(description: str, example: str = "2026-11-20T22:00") -> fields.Field[Any]:
    return fields.String(
        allow_none=True,
        validate=validate.Length(max=40),
        metadata=about(
            f"{description} As in RFC 3339, to the microsecond; without an offset in the event's time zone.",
            pattern=_MOMENT,
            example=example,
        ),
    )


def _reason(description: str) -> fields.Field[Any]:
    return _text(description, _MOST_REASON)


class EmailField(fields.String):
    """An address to write to."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **how: Any) -> str:
        written = super()._deserialize(value, attr, data, **how)
        try:
            return email(written[: 4 * LONGEST_EMAIL])
        except ValueError as error:
            raise ma.ValidationError(str(error)) from None


def _table() -> fields.Field[Any]:
    return _text("The table that the player sits at.", LONGEST["table"], example="12")


def _email() -> fields.Field[Any]:
    says = "Where the player is written to, which the player and those who run the event alone see; empty deletes it."
    return EmailField(
        metadata=about(says, maxLength=LONGEST_EMAIL, pattern=f"^({ADDRESS})?$", example="name@example.com")
    )


class VisibilityShape(Shape):
    lists = fields.String(
        validate=validate.OneOf(STAGES),
        metadata=about(
            "Who sees the lists besides their players and the organiser: `closed` nobody, `judges` they, `cut` also "
            "the players of the top cut those of each other, `public` everyone. Default: `judges`."
        ),
    )
    public_from = _moment("From when everyone sees them.")
    roster = fields.String(
        validate=validate.OneOf(ROSTERS),
        metadata=about("Who sees the roster, without lists: `judges`, `players` (the default) or `public`."),
    )


class StageOrVisibility(fields.Field[Any]):
    """Who sees what: a stage alone, or an object."""

    default_error_messages = dict.fromkeys(  # as the library has it
        ("required", "null", "invalid"), f"Write one of {', '.join(STAGES)}, or an object that says more."
    )
    _object: ClassVar[VisibilityShape] = VisibilityShape()

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
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
            },
        },
    ]
}


class DescribedShape(Shape):
    on = DayField(metadata=about("The day that is played on, which decks are judged for.", **DAY, example="2026-11-21"))
    name = _text("What it is called.", LONGEST["event"], 1, example="Example Regional")
    timezone = fields.String(
        validate=validate.Length(max=60),
        metadata=about("Where it is, as the IANA names time zones; default: `UTC`.", example="Europe/Berlin"),
    )
    opens = _moment("From when whoever knows the event's id may register; null is at once.", "2026-11-01T00:00")
    closes = _moment("When registration closes and lists are locked, names with them; null is never.")
    ruleset = _word("The ruleset to judge by; null is the one in force on the day.")
    format = _word("The format; null is the game's standard one.", example="standard")
    region = _word("Whose limits lists hold; null is `en`.", example="en")
    policy = fields.Nested(PolicyShape, allow_none=True, metadata=about("What the organiser decides."))
    visibility = StageOrVisibility(metadata=about("Who sees the lists, and the roster.", **_VISIBILITY_DOCUMENT))
    place = _text("Where it is.", LONGEST["place"], example="Example Hall")
    best_of = Whole(1, 9, allow_none=True, metadata=about("How many games a match has at most; null: not known."))
    consent = YesNo(metadata=about("Whether a list is shown to others only with its player's consent; default: false."))
    purge_days = Whole(1, MOST_DAYS_KEPT, metadata=about("Days after its day for which anything of it is kept."))


class EventShape(DescribedShape):
    game = fields.String(required=True, validate=validate.OneOf(GAMES), metadata=about("The game.", example="optcg"))
    name = _text("What it is called.", LONGEST["event"], 1, required=True, example="Example Regional")
    on = DayField(
        required=True,
        metadata=about("The day that is played on, which decks are judged for.", **DAY, example="2026-11-21"),
    )


class EventChangeShape(DescribedShape):
    reason = _reason("Why; the audit has a hash of it.")


class ConsentShape(Shape):
    publish = YesNo(metadata=about("Whether the list may be shown to others when the event's lists are."))
    stream = YesNo(metadata=about("Whether it may be shown in a stream."))


class RevisionShape(GivenShape, PlayerShape):
    team = _text("The player's team.", LONGEST["format_name"], example="Team of three")
    table = _table()
    email = _email()
    consent = fields.Nested(ConsentShape, metadata=about("What may be done with the list; default: neither."))
    reason = _reason("Why a judge changes this; needed after the deadline.")

    @ma.validates_schema(skip_on_field_errors=False, pass_original=True)
    def _check_one(self, data: Any, original: Any, **_: Any) -> None:
        """Let there be no deck yet."""
        if "deck" in original and "decklist" in original:
            raise ma.ValidationError("Give deck or decklist, not both.", "decklist")


class RegistrationShape(RevisionShape):
    pass


_NOT_BOTH = {"not": {"required": ["deck", "decklist"]}}
_PLAYER = {"player": "Last, First", "player_id": "0012345678", "decklist": EXAMPLE_TEXT}
# What is said of an object as a whole, as `api.web.schemas.WHOLE` has it.
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
    "Registration": _NOT_BOTH | {"example": _PLAYER},
    "Revision": _NOT_BOTH | {"example": {"decklist": EXAMPLE_TEXT}},
}


class SettlingShape(Shape):
    until = _moment("The player's own deadline, until which the list may be changed; null is that of the event.")
    cut = YesNo(metadata=about("Whether the player is in the top cut."))
    table = _table()
    email = _email()
    reason = _reason("Why; the audit has a hash of it.")


class ComparisonShape(Shape):
    players = fields.List(
        fields.String(validate=validate.Length(1, LONGEST_TEXT)),
        required=True,
        validate=validate.Length(1, MOST_ENTRANTS, error="Write {min} to {max} names."),
        metadata=about("The names of those who are expected.", example=["Last, First"]),
    )


class ExpectingShape(Shape):
    players = fields.List(
        _text("A player's name.", LONGEST["player"]),
        required=True,
        validate=validate.Length(max=MOST_ENTRANTS, error="Write at most {max} names."),
        metadata=about("The names of those who are expected.", example=["Last, First"]),
    )


class NewKeyShape(Shape):
    name = _text(
        "What the key is called, such as whose it is; it stands in no log.", 100, 1, required=True, example="Table 1"
    )
    role = fields.String(
        load_default=JUDGE,
        validate=validate.OneOf((JUDGE, ORGANISER)),
        metadata=about("What the key may do; default: `judge`."),
    )


class ImpactQuery(Shape):
    before = DayField(metadata=about("The one day; default: today.", **DAY, example="2026-10-01"))
    after = DayField(metadata=about("The other day; default: that of the event.", **DAY, example="2026-11-21"))
    lang = fields.String(validate=validate.OneOf(CODES), metadata=about("The language of the sentences."))


class BookQuery(Shape):
    name = fields.String(metadata=about("What the file is called, where the request does not say.", example="p.xlsx"))


class BookForm(BookQuery):
    file = fields.Raw(required=True, metadata=about("The spreadsheet.", type="string", format="binary"))


class PlayersQuery(BookQuery):
    reason = _reason("Why players are taken in after the deadline.")


class PlayersForm(PlayersQuery):
    file = fields.Raw(required=True, metadata=about("The spreadsheet.", type="string", format="binary"))


class CheckNotesShape(Shape):
    table = _text("The table.", LONGEST["table"], example="12")
    round = _text("The round.", 20, example="3")
    judge = _text("Who checks, for the log; default: what the key is called.", 100, example="Table judge")
    started = _moment("When the check began; default: now.", "2026-11-21T14:02")


class DrawShape(Shape):
    seed = _text(
        "What is drawn by: print it, and everybody can draw again.", LONGEST_SEED, 1, required=True, example="7"
    )
    share = fields.Float(
        load_default=float(SHARE),
        validate=validate.Range(0, 1, min_inclusive=False, error="Write a share above 0 and up to 1, such as 0.1."),
        metadata=about("Of how many; default: 0.1. The top cut is drawn whole."),
    )
    among = fields.String(
        load_default=AMONG[0],
        validate=validate.OneOf(AMONG),
        metadata=about(
            "Among whom; `top-half` needs `standings` or tables, `not-checked` are neither drawn nor checked."
        ),
    )
    unchecked = YesNo(
        load_default=False, metadata=about("Whether to leave those out who were drawn or checked before.")
    )
    standings = fields.List(
        fields.String(validate=validate.Length(1, 40)),
        load_default=(),
        validate=validate.Length(max=MOST_ENTRANTS, error="Write at most {max} registrations."),
        metadata=about("The ids of registrations as players stand, the first one first."),
    )


class NewChecksShape(CheckNotesShape):
    registration = fields.String(validate=validate.Length(1, 40), metadata=about("Whose deck is checked."))
    code = fields.String(
        validate=validate.Length(1, LONGEST_CODE),
        metadata=about("What was scanned from the player's registration sheet: an address, or a deck's hash."),
    )
    draw = fields.Nested(DrawShape, metadata=about("How it is drawn whose decks are checked."))

    @ma.validates_schema
    def _check_one(self, data: Any, **_: Any) -> None:
        if sum(name in data for name in ("registration", "code", "draw")) != 1:
            raise ma.ValidationError("Write one of whose deck is checked, a sheet's code, and a draw.", "registration")


class NextCheckQuery(Shape):
    among = fields.String(
        load_default=AMONG[0], validate=validate.OneOf(AMONG), metadata=about("Among whom; default: all.")
    )
    seed = _text(
        "What is drawn by; default: one of the event's own, which players cannot know.", LONGEST_SEED, 1, example="7"
    )
    lang = fields.String(validate=validate.OneOf(CODES), metadata=about("The language of the reason."))


class TallyField(fields.Field[Any]):
    """How many of each card were counted, by section; which cards and how many there may be is said elsewhere."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> dict[str, dict[str, int]]:
        if not isinstance(value, dict) or not all(isinstance(cards, dict) for cards in value.values()):
            raise ma.ValidationError("Write an object of sections, each with its cards and how many of each there are.")
        for section, cards in value.items():
            for card, count in cards.items():
                if type(count) is not int:
                    raise ma.ValidationError({section: {card: [f"Write a number from 0 to {MOST_COPIES}."]}})
        return value


_CARDS = {
    "type": "object",
    "propertyNames": {"minLength": 1, "maxLength": LONGEST_NAME},
    "additionalProperties": {"type": "integer", "minimum": 0, "maximum": MOST_COPIES},
}


class CheckedBoxShape(CheckNotesShape):
    tally = TallyField(
        metadata=about(
            "What lies in the box, by section and card, a card by its number or name; sections that are left out were "
            "not looked at. This or `decklist`.",
            type="object",
            additionalProperties=False,
            properties=dict.fromkeys(SECTIONS, _CARDS),
            example={"main": {"OP01-016": 3}},
        ),
    )
    decklist = fields.String(validate=validate.Length(1, LONGEST_DECKLIST), metadata=about("The same as text."))
    ended = _moment("When the check ended; null while it goes on.", "2026-11-21T14:09")
    grace = Whole(0, 60, metadata=about("Minutes that are given back besides those taken; default: 3."))
    between_games = YesNo(metadata=about("Whether cards may have changed places, as they do between games."))
    outcome = fields.String(validate=validate.OneOf(("", *OUTCOMES)), metadata=about("What came of it."))
    infraction = fields.String(
        validate=validate.OneOf(("", *INFRACTIONS)), metadata=about("What was done wrong; a penalty needs it.")
    )
    penalty = fields.String(validate=validate.OneOf(("", *LADDER)), metadata=about("What the judge gives for it."))
    reason = _reason("Why, for the log.")
    note = _reason("Whatever is to be noted.")

    @ma.validates_schema
    def _check_box(self, data: Any, **_: Any) -> None:
        if "tally" in data and "decklist" in data:
            raise ma.ValidationError("Give tally or decklist, not both.", "decklist")


class ExportQuery(Shape):
    kind = fields.String(
        data_key="as",
        load_default="xlsx",
        validate=validate.OneOf(tuple(EXPORTS)),
        metadata=about(
            "`xlsx` the workbook of the event, `pdf` all registration sheets, `csv` the summary, `zip` a text a "
            "player, `json` all of it, `mail-merge` what to write to each player, as CSV, `reminders` what to write to "
            "those who are missing, as CSV; default: `xlsx`."
        ),
    )
    paper = fields.String(
        load_default=PAPERS[0], validate=validate.OneOf(PAPERS), metadata=about("What it is printed on.")
    )
    order = fields.String(load_default=ORDERS[0], validate=validate.OneOf(ORDERS), metadata=about("Of the sheets."))
    lang = fields.String(validate=validate.OneOf(CODES), metadata=about("The language of the reminders."))


class CodeQuery(Shape):
    code = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST_JOIN),
        metadata=about("The event's code, two words such as lusab-babad, or three."),
    )
    lang = fields.String(validate=validate.OneOf(CODES), metadata=about("The language of the sentences."))


class FlyerQuery(Shape):
    kind = fields.String(
        data_key="as", load_default="pdf", validate=validate.OneOf(tuple(FLYERS)), metadata=about("Default: `pdf`.")
    )
    paper = fields.String(
        load_default=PAPERS[0], validate=validate.OneOf(PAPERS), metadata=about("What it is printed on.")
    )
    lang = fields.String(validate=validate.OneOf(CODES), metadata=about("The language of the flyer."))


class ListsQuery(Shape):
    kind = fields.String(
        data_key="as",
        load_default="json",
        validate=validate.OneOf(tuple(SHOWN_LISTS)),
        metadata=about(
            "`json` (the default), `csv` a row a card, `text` lists that are read again, `zip` a text a player."
        ),
    )


class StreamQuery(ListsQuery):
    players = fields.String(
        validate=validate.Length(1, MOST_STREAMED * 31),
        metadata=about("The ids of the players' registrations, with commas between. This or `table`."),
    )
    table = _text("The table that they sit at.", LONGEST["table"], 1, example="1")

    @ma.validates_schema
    def _check_one(self, data: Any, **_: Any) -> None:
        if ("players" in data) == ("table" in data):
            raise ma.ValidationError("Write either players or a table.", "players")


# Answers


def _given(field: Callable[..., fields.Field[Any]], says: str = "", null: bool = False) -> fields.Field[Any]:
    return field(required=True, allow_none=null, metadata=about(says) if says else {})


_str = partial(_given, fields.String)
_int = partial(_given, fields.Integer)
_bool = partial(_given, fields.Boolean)
_strings = partial(_given, partial(fields.List, fields.String))


def _of(shape: type[ma.Schema], says: str = "", null: bool = False) -> fields.Field[Any]:
    return _given(partial(fields.Nested, shape), says, null)


def _all(shape: type[ma.Schema], says: str = "", null: bool = False) -> fields.Field[Any]:
    return _given(partial(fields.List, fields.Nested(shape)), says, null)


class DeadlineShape(Shape):
    until = _str("In the event's time zone.", null=True)
    timezone = _str()
    own = _bool("Whether it is the player's own.")
    open = _bool()
    seconds_left = _int(null=True)
    changes_left = _int()
    says = _str("Until when and how often a list may be changed, and which one counts.")


class ShownVisibilityShape(VisibilityShape):
    now = _str("Who sees the lists at this moment: one of the stages.")


class ShownEventShape(EventShape):
    id = _str("Whoever knows it may register.")
    code = _str("The join code, to be read out and typed: two words, three if everyone sees who plays; never changes.")
    visibility: Any = _of(ShownVisibilityShape)
    version = _int()
    verified = _bool("False if the event was imported and nothing proved that its file was unchanged.")
    purged = _str("The day on which all of it is deleted.")
    now = _str("The server's time, in the event's time zone.")
    deadline = _of(DeadlineShape)
    role = fields.String(metadata=about("Who asks: `anyone`, `player`, `judge`, `organiser` or `admin`."))


class EventKeysShape(Shape):
    organiser = _str()
    judge = _str()


class BegunEventShape(ShownEventShape):
    keys = _of(EventKeysShape, "Shown now and never again.")


class CountingShape(Shape):
    revision = _int("The one that counts.")
    at = _str()
    at_deadline = _int("The one that stood at the deadline, once that is over.", null=True)


class ShownListShape(Shape):
    id = _str()
    event = _str()
    player = _str()
    team = _str()
    revision = _int()
    received = _bool("Whether there is a list.")
    deck = _of(DeckShape, "The deck as written.", null=True)
    legal = _bool(null=True)


class ShownRegistrationShape(ShownListShape):
    player_id = fields.String()
    table = fields.String()
    email = fields.String()
    notes = fields.String()
    decklist = fields.String(allow_none=True, metadata=about("The text that the deck came as."))
    consent = fields.Nested(ConsentShape)
    cut = fields.Boolean(metadata=about("Whether the player is in the top cut."))
    created = fields.String()
    updated = fields.String()
    counts = fields.Nested(CountingShape)
    deadline = fields.Nested(DeadlineShape)
    receipt = fields.String(metadata=about("What was received when, and whether it counts."))
    verdict = fields.Nested(VerdictShape, allow_none=True, metadata=about("Made anew each time."))


class RegisteredShape(ShownRegistrationShape):
    key = _str("The player's own, shown now and never again.")


class ListedRegistrationShape(Shape):
    """To judges; to others a registration is listed as it is shown to them."""

    id = _str()
    player = _str()
    team = _str()
    revision = _int()
    received = _bool()
    legal = _bool(null=True)
    player_id = fields.String()
    table = fields.String()
    email = fields.String()
    at = fields.String()
    until = fields.String(allow_none=True)
    cut = fields.Boolean()
    codes = fields.List(fields.String(), metadata=about("The codes of the verdict's findings."))
    deck_hash = fields.String(allow_none=True)
    same_id = fields.List(fields.String(), metadata=about("Other registrations with this player's id."))
    event = fields.String()
    deck = fields.Nested(DeckShape)


class MadeWithShape(Shape):
    ruleset = _given(fields.Dict)
    on = _str()
    format = _str()
    region = _str()
    limits = _of(KnownLimitsShape, null=True)
    catalogue = _of(SnapshotShape)


class RegistrationsShape(Shape):
    event = _str()
    made_with = _of(MadeWithShape, "What all verdicts were made with.")
    registrations = _all(ListedRegistrationShape)


class DifferingShape(NamedShape):
    section = _str()
    count = _int()


class ShownRevisionShape(Shape):
    number = _int()
    at = _str()
    by = _str("A role and the id of a key.")
    reason = _str()
    commitment = _str()
    player = _str()
    player_id = _str()
    team = _str()
    notes = _str()
    decklist = _str(null=True)
    consent = _of(ConsentShape)
    deck = _of(DeckShape, null=True)
    counts = _bool()
    at_deadline = _bool()
    added = _all(DifferingShape)
    removed = _all(DifferingShape)
    legal = _bool(null=True)


class RevisionsShape(Shape):
    registration = _str()
    revisions = _all(ShownRevisionShape)


class AuditEntryShape(Shape):
    number = _int()
    at = _str()
    by = _str("A role and the id of a key.")
    action = _str()
    about = _str("The id of a registration or a key.")
    digest = _str("A hash of what was written.")
    hash = _str("A hash of this entry and the one before it.")


class AuditShape(Shape):
    intact = _bool("Whether all of it stands as it was written.")
    verified = _bool("False if the event was imported and nothing proved that its file was unchanged.")
    broken_at = _int("The first entry that does not.", null=True)
    head = _str()
    entries = _all(AuditEntryShape)


class ListedKeyShape(Shape):
    id = _str()
    role = _str()
    name = _str()
    created = _str()
    revoked = _str(null=True)


class KeysShape(Shape):
    keys = _all(ListedKeyShape)


class MadeKeyShape(Shape):
    id = _str()
    role = _str()
    name = _str()
    key = _str("Shown now and never again.")


class PlayerKeyShape(Shape):
    registration = _str()
    key = _str("Shown now and never again.")


class PlayersKeyShape(Shape):
    id = _str()
    created = _str()
    revoked = _str(null=True)


class PlayerDataShape(RevisionsShape):
    registration = _of(ShownRegistrationShape)
    keys = _all(PlayersKeyShape)
    audit = _all(AuditEntryShape)
    checks = _given(partial(fields.List, fields.Dict), "The checks of the player's deck.")


class LeaderShape(NamedShape):
    colors = _strings()


class PublishedListShape(Shape):
    player = _str()
    leader = _of(LeaderShape, null=True)
    counts = _of(SizesShape)
    deck = _of(DeckShape)
    text = _str("The list as text that is read again.")


class PublishedListsShape(Shape):
    event = _str()
    date = _str()
    place = _str()
    lists = _all(PublishedListShape)


class OccasionShape(Shape):
    event = _str()
    date = _str()
    place = _str()
    format_name = _str()


class ExportedPlayerShape(Shape):
    registration = _str()
    player = _str()
    player_id = _str()
    team = _str()
    table = _str()
    email = _str()
    notes = _str()
    received = _str(null=True)
    revision = _int()
    legal = _bool(null=True)
    codes = _strings("The codes of the verdict's findings.")
    deck_hash = _str(null=True)
    deck = _of(DeckShape, null=True)


class NamedPlayerShape(Shape):
    id = _str()
    player = _str()


class MissingShape(Shape):
    missing = _all(NamedPlayerShape, "Who registered and has sent no list.")
    not_registered = _strings("Who is expected and has not registered.")
    reminder = _str("What to write to all of them.")


class AwaitedPlayerShape(Shape):
    player = _str()
    player_id = _str()
    email = _str()


class ExpectedPlayerShape(AwaitedPlayerShape):
    registered = _bool()


class ExpectedShape(Shape):
    expected = _int()
    players = _all(ExpectedPlayerShape)


class ExportedEventShape(MadeWithShape):
    event = _of(OccasionShape)
    players = _all(ExportedPlayerShape)
    expected = _all(AwaitedPlayerShape)
    checks = _given(partial(fields.List, fields.Dict), "All deck checks.")
    penalties = _given(partial(fields.List, fields.Dict), "All penalties.")


class ComparedShape(Shape):
    expected = _int()
    received = _all(NamedPlayerShape)
    without_list = _all(NamedPlayerShape)
    not_registered = _strings()
    missing = _strings("Those without a list and those who did not register.")
    not_expected = _all(NamedPlayerShape)
    reminder = _str("What to write to those who are missing.")


class RosteredShape(Shape):
    player = _str()
    team = _str()
    received = _bool()
    at = _str(null=True)
    id = fields.String()
    revision = fields.Integer()
    until = fields.String(allow_none=True)
    cut = fields.Boolean()
    table = fields.String()
    legal = fields.Boolean(allow_none=True)


class RosterShape(Shape):
    event = _str()
    name = _str()
    registered = _int()
    received = _int()
    missing = _int()
    players = _all(RosteredShape)


class ImpactDayShape(Shape):
    on = _str()
    ruleset = _given(fields.Dict)
    limits = _of(KnownLimitsShape, null=True)
    catalogue = _of(SnapshotShape)


class ReasonShape(Shape):
    code = _str()
    message = _str()
    cards = _all(NamedShape)


class AffectedShape(NamedPlayerShape):
    because = _all(ReasonShape)


class ImpactShape(Shape):
    before = _of(ImpactDayShape)
    after = _of(ImpactDayShape)
    lists = _int("How many were judged.")
    illegal = _all(AffectedShape, "Who is legal before and not after.")
    legal = _all(AffectedShape, "Who is legal after and not before.")


class CommitmentShape(Shape):
    registration = _str()
    revision = _int()
    commitment = _str("The SHA-256 of the salt, the event, the registration, the game, the format and the list.")
    player_commitment = _str("The SHA-256 of the salt, the event, the registration and the player's name.")


class OpenedListShape(CommitmentShape):
    salt = _str()
    player = _str()
    list = _str("A line for each card: section, count, number and name, with tabs between.")


class CommitmentFileShape(Shape):
    kind = _str("`deckproof-commitments` or `deckproof-opened-lists`.")
    version = _int("2; files of version 1 have neither `kind` nor `version`.")
    hash = _str("`sha-256`.")
    event = _str()
    game = _str()
    format = _str("Empty if the event has none.")


class CommitmentsShape(CommitmentFileShape):
    commitments = _all(CommitmentShape)


class OpenedListsShape(CommitmentFileShape):
    lists = _all(OpenedListShape)


class PlayerRowShape(Shape):
    player = _str()
    player_id = _str()
    sheet = _str()
    row = _int(null=True)
    received = _bool()
    id = fields.String()
    key = fields.String(metadata=about("The player's own, shown now and never again."))


class RowFaultShape(Shape):
    sheet = _str()
    row = _int(null=True)
    column = _str(null=True)
    value = _str()
    detail = _str()
    severity = _str()
    cell = _str()
    message = _str()


class RepeatedPlayerShape(Shape):
    player = _str()
    player_id = _str()
    sheet = _str()
    row = _int(null=True)
    first_sheet = fields.String()
    first_row = fields.Integer(allow_none=True)
    id = fields.String()
    received = fields.Boolean()


class UnreadRowsShape(Shape):
    faults = _all(RowFaultShape, "What could not be read, by row and column.")
    duplicates = _all(RepeatedPlayerShape, "Who stands there again; the first counts.")


class ImportedShape(UnreadRowsShape):
    registered = _all(PlayerRowShape)
    updated = _all(PlayerRowShape)
    unchanged = _all(PlayerRowShape)


class ExpectedBookShape(ExpectedShape, UnreadRowsShape):
    pass


class DrawnShape(Shape):
    seed = _str()
    share = _given(fields.Float)
    among = _str()
    unchecked = _bool("Whether those were left out who were drawn or checked before.")
    of = _int("Among how many was drawn.")
    registrations = _strings("Those drawn, in the order of the seed.")
    sentence = _str("How it was drawn, to print beside it.")


class SeatedPlayerShape(NamedPlayerShape):
    table = _str()


class NextCheckShape(Shape):
    event = _str()
    registration = _of(SeatedPlayerShape, "Whose deck; null where there is nobody's.", null=True)
    check = _str("The check that was drawn and has not begun, to be written; null: begin one.", null=True)
    why = _str("`drawn`, `fewest` or `nobody`.")
    because = _str("The reason in a sentence.")
    of = _int("Of how many players.")
    owed = _int("How many decks are still to be checked for a tenth of all.")
    seed = _str()
    among = _str()


class SuggestedShape(Shape):
    infraction = _str()
    penalty = _str()
    most = _str("Up to which penalty a judge may go.")
    because = _str()
    fix = _str("What is done about the game.")
    head_judge = _bool("Whether it goes through the head judge.")
    decided = _bool("Always false: a judge decides.")
    rules = _given(partial(fields.List, fields.Dict))


class CountedShape(NamedShape):
    count = _int()


_COUNTED = partial(_given, partial(fields.Dict, fields.String, fields.List(fields.Nested(CountedShape))))


class ListedCheckShape(Shape):
    id = _str()
    version = _int()
    registration = _str()
    player = _str()
    revision = _int("Which one the box is compared with: the one that counted then.")
    judge = _str()
    table = _str()
    round = _str()
    started = _str("In the event's time zone; null where it was drawn and has not begun.", null=True)
    ended = _str(null=True)
    grace = _int()
    extension = _int(
        "The minutes that the table gets, 0 where a game is lost; null while the check goes on.", null=True
    )
    outcome = _str(null=True)
    infraction = _str(null=True)
    penalty = _str(null=True)
    reason = _str()
    note = _str()
    between_games = _bool("Whether cards may have changed places.")
    agrees = _bool(
        "Whether box and list are the same, between games as a whole; null before the box is counted.", null=True
    )
    same_cards = _bool("Whether deck and side deck together are, as between games.", null=True)
    missing = _COUNTED("By section, what is registered and does not lie there.")
    extra = _COUNTED("By section, what lies there and is not registered.")
    unread = _strings("Lines that could not be read, and were not compared.")
    suggested = _of(SuggestedShape, "What the policy says, a repeat one step higher.", null=True)
    earlier = _strings("The player's earlier penalties.")
    log = _str("The penalty on one line: player, infraction, penalty, reason, judge.", null=True)


class ShownCheckShape(ListedCheckShape):
    cards = _all(DifferingShape, "The registered list, to be counted card by card.")
    box = _all(DifferingShape, "What lay in the box; null before it is counted.", null=True)


class BegunChecksShape(Shape):
    id = _str("Of the check, where one was begun.", null=True)
    draw = _of(DrawnShape, null=True)
    checks = _all(ListedCheckShape)


class ChecksShape(Shape):
    event = _str()
    owed = _int("How many decks are still to be checked for a tenth of all.")
    checks = _all(ListedCheckShape)
