"""Shapes: marshmallow schemas of the JSON of requests. They document it, parse it and explain its errors.

A shape loads as the value of `api.service.requests` that it describes. `decoder` derives a fast path from the shapes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar

import marshmallow as ma
import orjson
from marshmallow import fields, validate

from api.service.answers.json_schema import JSONObject
from api.service.bounds import LONGEST_LIMITS_LIST, LONGEST_TEXT, MOST_DELAY, MOST_NAMED, MOST_PINNED, MOST_SIZE
from api.service.clock import timezones
from api.service.errors import Invalid, NotJson, Wrong
from api.service.requests import (
    OddsRequest,
    RepairRequest,
    RequestedTerms,
    SwapRequest,
    TeamDeckRequest,
    TeamRequest,
    TimelineRequest,
    Validation,
    day,
)
from api.service.schema_messages import make_translatable
from validator import words
from validator.bounds import (
    LONGEST_LIST,
    MOST_LEAST,
    MOST_LIFE,
    MOST_LOOKED_AT,
    MOST_TEAM_DECKS,
    MOST_TURNS,
    MOST_WISHES,
)
from validator.calendar import LAST_DAY
from validator.deck import MOST_COPIES, MOST_LINES, SECTIONS, UNLISTED, Deck, Line
from validator.decklists.source import unique_mapping
from validator.errors import RepeatedKey, error_text
from validator.games import GAMES
from validator.judge import BEST_OF
from validator.language import ENGLISH, phrase
from validator.odds import Wish
from validator.rules import Policy
from validator.team import TeamRule
from validator.texts import doubt

Loaded = dict[str, Any]  # the values that a schema has loaded, by field

MOST_TARGETS = MOST_COPIES * MOST_LINES
_MOST_UNKNOWN = 10  # unknown entries of one object in the message; marshmallow is slow with each

# Control characters and lone surrogates. People do not type them, and they break logs and sheets.
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_SHORT_TEXT = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$"
# The format of a day, with the allowed years.
DAY = {"format": "date", "pattern": "^(199[0-9]|2[0-9]{3})-[0-9]{2}-[0-9]{2}$"}
_KNOWN_DAY = {"format": "date", "pattern": "^(199[0-9]|20[0-4][0-9])-[0-9]{2}-[0-9]{2}$"}  # to LAST_DAY


def parse_json(body: bytes | str) -> Any:
    """Return the value of a JSON text (UTF-8).

    Raises NotJson with the reason and the place of the error, or with the key that is twice in one object.
    """
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        from carddb.system_messages import system_reason

        raise NotJson(phrase("This is not JSON: {reason}.", reason=system_reason(str(error)))) from None
    try:
        json.loads(body, object_pairs_hook=unique_mapping)  # orjson keeps the last value of a repeated key
    except RecursionError:
        raise NotJson(phrase("This is not JSON: {reason}.", reason=phrase("the JSON is nested too deeply"))) from None
    except RepeatedKey as error:
        raise NotJson(phrase("This is not JSON: {reason}.", reason=error_text(error))) from None
    return value


def load_with(schema: ma.Schema, data: Any) -> Any:
    """Return the value that a marshmallow schema loads from data of JSON.

    Raises Invalid with the errors of all fields, each with its JSON pointer.
    """
    try:
        return schema.load(data)
    except ma.ValidationError as error:
        raise Invalid(flatten_messages(error.normalized_messages())) from None


def flatten_messages(messages: Any, pointer: str = "") -> list[Wrong]:
    """Return the nested error messages of a marshmallow schema as a flat list, each with its JSON pointer.

    `messages` is a list of messages, or a dict of such values by field name or list index. `pointer` is its place, ""
    for the whole body. Text keys are sorted, list indexes keep their order. Messages of marshmallow itself become
    translatable.
    """
    if isinstance(messages, dict):
        keys = sorted(messages, key=lambda key: key if isinstance(key, str) else "")  # numbers come in order
        return [error for key in keys for error in flatten_messages(messages[key], pointer + step(key))]
    return [Wrong(pointer, make_translatable(message)) for message in messages]


def step(key: Any) -> str:
    """Return a key as a step of a JSON pointer (RFC 6901): `a/b` → `/a~1b`.

    "" for "_schema", the errors of a whole object. The key is cut after LONGEST_TEXT characters, and unprintable
    characters are replaced by "�".
    """
    if key == "_schema":
        return ""
    return "/" + _UNWRITABLE.sub("�", str(key)[:LONGEST_TEXT]).replace("~", "~0").replace("/", "~1")


def field_metadata(description: str, **more: Any) -> JSONObject:
    """Return the metadata of a field for the OpenAPI document: its description and further keywords of JSON schema."""
    return {"description": description, **more}


class Shape(ma.Schema):
    """A marshmallow schema of a JSON object. Unknown entries are refused, and the error lists all known ones.

    Errors about a value of another type list them, too.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        names = ", ".join(sorted(field.data_key or name for name, field in self.load_fields.items()))
        self.error_messages |= {
            "type": phrase("Write an object with entries of {names}.", names=names),
            "unknown": phrase("There is no such entry here; there are {names}.", names=names),
        }

    @ma.pre_load
    def _check_object(self, data: Any, **_: Any) -> Any:
        """Return the data.

        Raises ValidationError if it is no object, or has over 10 entries more than the schema has fields. Other unknown
        entries are left to marshmallow, which has an error for each.
        """
        if not isinstance(data, Mapping) or len(data) > len(self.load_fields) + _MOST_UNKNOWN:
            raise ma.ValidationError(self.error_messages["type"])
        return data


def _single_message(sentence: str) -> JSONObject:
    """Return marshmallow's error messages "required", "null" and "invalid" of a field, all with the same sentence."""
    return dict.fromkeys(("required", "null", "invalid"), sentence)


def unwritable(text: str) -> str:
    """Return the reason why a short text is refused, as a sentence. "" if the text is accepted.

    A text is refused if it is blank, longer than LONGEST_TEXT (also after Unicode expansion, NFKC), has too many
    accents on one letter, or has a control character or lone surrogate.
    """
    if not text.strip():
        return phrase("This is empty; write something or leave it out.")
    if wrong := doubt(text, LONGEST_TEXT):
        return phrase("This {wrong}.", wrong=wrong)
    if not text.isprintable() and (unprintable := _UNWRITABLE.search(text)):
        return phrase(
            "This has the unprintable character {character}; take it out.", character=f"U+{ord(unprintable[0]):04X}"
        )
    return ""


class Writable(validate.Length):
    """A validator that refuses a text as `unwritable` does. It ignores the length bounds that it is made with.

    They are only for the OpenAPI document and for the fast decoder.
    """

    def __call__(self, value: Any) -> Any:
        """Return the text. Raises ValidationError if it is refused."""
        if wrong := unwritable(value):
            raise ma.ValidationError(wrong)
        return value


def _short_text_field(
    description: str, allow_none: bool = False, required: bool = False, **more: Any
) -> fields.Field[Any]:
    """Return a field for a text of 1 to LONGEST_TEXT characters that `unwritable` accepts.

    `required`: the field must be present. `allow_none`: null is accepted. `more` are further keywords of JSON schema.
    """
    return fields.String(
        allow_none=allow_none,
        required=required,
        validate=Writable(1, LONGEST_TEXT),
        error_messages=_single_message(phrase("Write a text.")),
        metadata=field_metadata(description, pattern=_SHORT_TEXT, **more),
    )


class Whole(fields.Integer):
    """A field for a whole number from `least` to `most`. 4.0 is accepted as 4. Texts and bools are refused."""

    def __init__(self, least: int, most: int, **more: Any) -> None:
        wanted = phrase("Write a whole number from {least:,} to {most:,}.", least=least, most=most)
        super().__init__(
            error_messages=_single_message(wanted), validate=validate.Range(least, most, error=wanted), **more
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> int:
        """Return the value as int. Raises ValidationError unless it is an int, or a float such as 4.0.

        Bools are refused. The bounds are checked later, by the validator of the field.
        """
        whole = int(value) if type(value) is float and value.is_integer() else value
        if type(whole) is int:
            return whole
        raise self.make_error("invalid")


class YesNo(fields.Boolean):
    """A field for true or false. Other values, such as 1 or "yes", are refused."""

    default_error_messages = _single_message(phrase("Write true or false."))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> bool:
        """Return the value if it is a bool. Raises ValidationError for any other value."""
        if type(value) is bool:
            return value
        raise self.make_error("invalid")


class DayField(fields.String):
    """A field for a day of the years 1990 to 2999, written as 2026-01-15. It loads as a date."""

    default_error_messages = _single_message(phrase("Write a date as 2026-01-15."))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        """Return the day of an ISO date as `date`.

        Raises ValidationError for other values, and for years before 1990 or after 2999.
        """
        try:
            return day(value)
        except TypeError:
            raise self.make_error("invalid") from None
        except ValueError as error:
            raise ma.ValidationError(error_text(error)) from None


class LineShape(Shape):
    """The JSON of a line of a deck. It loads as a Line. The card is named by number, by name, or by both.

    No card is looked up.
    """

    number = _short_text_field(
        "The card's number, of any printing, in any spelling.", allow_none=True, example="OP01-016"
    )
    name = _short_text_field("The card's name. Required if there is no number.", allow_none=True, example="Nami")
    count = Whole(
        1,
        MOST_COPIES,
        required=True,
        metadata=field_metadata("The number of copies. Lines of one card add up.", example=4),
    )

    @ma.validates_schema(skip_on_field_errors=False, pass_original=True)
    def _check_card_names(self, data: Any, original: Any, **_: Any) -> None:
        """Raise a ValidationError if the original object of a line has neither a number nor a name.

        None counts as missing.
        """
        if original.get("number") is None and original.get("name") is None:
            raise ma.ValidationError(phrase("Name the card of this line by number or by name."))

    @ma.post_load
    def _make_line(self, data: Loaded, **_: Any) -> Line:
        """Return the Line of a validated object: number, count and name. A missing number or name is None."""
        return Line(data.get("number"), data["count"], data.get("name"))


def _section_field(description: str) -> fields.Field[Any]:
    """Return a field for the lines of a section of a deck: a list of LineShape objects.

    Their largest number, MOST_LINES, is only documented here. DeckShape checks it.
    """
    line = fields.Nested(
        LineShape, error_messages=_single_message(phrase('Write a line as {{"number": …, "count": …}}.'))
    )
    more = field_metadata(description, maxItems=MOST_LINES)
    return fields.List(line, error_messages=_single_message(phrase("Write a list of lines.")), metadata=more)


def _section_description(name: str) -> str:
    """Return the description of a section for the OpenAPI document, with its English title.

    `name` is a key of SECTIONS. For sections that lists usually omit (UNLISTED), it adds that they are then assumed
    legal.
    """
    assumption = ". A section that is left out is assumed to be legal" if name in UNLISTED else ""
    return f"The {ENGLISH.text(words.SECTION_TITLES[name])}, in games that have one{assumption}."


_NO_DECK = phrase(
    'A deck is an object of the sections {sections}. Write a list as text in "decklist".', sections=", ".join(SECTIONS)
)


class DeckShape(Shape):
    """The JSON of a deck: a list of lines for each section. It loads as a Deck.

    All sections together have at most MOST_LINES lines.
    """

    class Meta(Shape.Meta):
        include: ClassVar = {name: _section_field(_section_description(name)) for name in SECTIONS}

    @ma.pre_load
    def _check_object(self, data: Any, **_: Any) -> Any:
        """Return the data of a deck.

        Raises ValidationError as Shape does, and for more than MOST_LINES lines in all sections together. This is
        checked before the lines are parsed.
        """
        if not isinstance(data, Mapping):
            raise ma.ValidationError(_NO_DECK)
        data = super()._check_object(data)
        if sum(len(items) for items in data.values() if type(items) is list) > MOST_LINES:
            raise ma.ValidationError(phrase("A deck has at most {most:,} lines.", most=MOST_LINES))
        return data

    @ma.post_load
    def _make_deck(self, data: Loaded, **_: Any) -> Deck:
        """Return the Deck of validated sections. A missing section is empty."""
        return Deck(**{section: tuple(lines) for section, lines in data.items()})


def _deck_field(description: str, **more: Any) -> fields.Field[Any]:
    """Return a field for a deck as a JSON object of sections (DeckShape).

    `more` are further keywords of JSON schema.
    """
    return fields.Nested(
        DeckShape, error_messages=_single_message(_NO_DECK), metadata=field_metadata(description, **more)
    )


def _decklist_field(**options: Any) -> fields.Field[Any]:
    """Return a field for a decklist as text of at most LONGEST_LIST characters. "" is accepted.

    `options` are passed on to the marshmallow field.
    """
    return fields.String(
        validate=validate.Length(
            max=LONGEST_LIST, error=phrase("At most {most:,} characters are read.", most=LONGEST_LIST)
        ),
        error_messages=_single_message(phrase("Write the decklist as a text.")),
        **options,
    )


class DeckOrText(fields.Field[Any]):
    """A field for a deck: either a JSON object of sections, or a decklist as text."""

    default_error_messages = _single_message(phrase("Give the deck, or its decklist as text."))
    _either: ClassVar[Mapping[bool, fields.Field[Any]]] = {True: _decklist_field(), False: _deck_field("")}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        """Return a string unchanged, and the Deck of a JSON object.

        Raises ValidationError for other values, a text of over LONGEST_LIST characters, and a wrong object.
        """
        if not isinstance(value, str | Mapping):
            raise self.make_error("invalid")
        return self._either[isinstance(value, str)].deserialize(value)


class PolicyShape(Shape):
    """The JSON of an organiser's choices that differ from the ruleset. It loads as a Policy."""

    side_max = Whole(
        0,
        MOST_COPIES,
        metadata=field_metadata("The most cards of a side deck. More than 0 is refused if the game has no side deck."),
    )
    main_min = Whole(
        0, MOST_SIZE, metadata=field_metadata("The fewest cards of the deck, as in sealed and draft.", example=40)
    )
    main_max = Whole(0, MOST_SIZE, metadata=field_metadata("The most cards of the deck.", example=60))
    copies = YesNo(
        metadata=field_metadata(
            "`false` allows any number of copies of a card, as in sealed and draft. The official list still applies.",
            example=True,
        )
    )
    copies_across_side = YesNo(
        metadata=field_metadata(
            "True if copies in deck and side deck count together. Refused if the game has no side deck."
        )
    )
    release_delay_days = Whole(
        0, MOST_DELAY, metadata=field_metadata("Days from a card's release to its first day at this event.")
    )
    swap_one_for_one = YesNo(
        metadata=field_metadata(
            "True if the side deck must keep its size in a swap. Only for rules that leave this to the organiser."
        )
    )
    release = YesNo(metadata=field_metadata("`false` lets cards be played before their release.", example=True))
    limits = YesNo(metadata=field_metadata("`false` ignores the official limits lists.", example=True))

    @ma.post_load
    def _make_policy(self, data: Loaded, **_: Any) -> Policy:
        """Return the Policy of a validated object. Missing fields have the defaults of Policy."""
        return Policy(**data)


class MatchLength(Whole):
    """A field for the most games of a match (`best_of`). Only the numbers in BEST_OF are accepted."""

    def __init__(self, **more: Any) -> None:
        super().__init__(BEST_OF[0], BEST_OF[-1], **more)
        wanted = phrase("Write one of {values}.", values=", ".join(map(str, BEST_OF)))
        self.error_messages |= _single_message(wanted)
        self.validators = [validate.OneOf(BEST_OF, error=wanted)]


class WrittenMatchLength(MatchLength):
    """A field for `best_of` in a query or a form, which contain only texts: "3" is accepted as 3."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> int:
        """Return the number of games of a match. A text of one digit becomes its number.

        Raises ValidationError for other texts. The validator of the field checks later if the number is in BEST_OF.
        """
        is_number = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) == 1
        return super()._deserialize(int(value) if is_number else value, attr, data, **more)


_BEST_OF = field_metadata("The most games of a match. Some rules and lists apply to one length only.", example=3)


def _check_timezone(name: str) -> None:
    """Raise ValidationError if no time zone has this name.

    This is no OneOf validator, because the OpenAPI document would then list 600 names.
    """
    if name not in timezones():
        raise ma.ValidationError(phrase("There is no such time zone. Write one such as Asia/Tokyo."))


class TimezoneField(fields.String):
    """A field for the name of the time zone in which the current day counts. Unknown names are refused."""

    def __init__(self, **more: Any) -> None:
        """Prepare the field with its check, its message and its documentation."""
        super().__init__(
            validate=_check_timezone,
            error_messages=_single_message(phrase("Write a time zone, such as Asia/Tokyo.")),
            metadata=field_metadata(
                "The time zone of the current day, for requests without `on`. Default: that of the region, else UTC.",
                example="Asia/Tokyo",
            ),
            **more,
        )


class TermsShape(Shape):
    """The JSON of the terms of a verdict. All are optional. `load_terms` makes RequestedTerms of the loaded dict."""

    ruleset = _short_text_field("The ruleset to judge by, one of `/v1/rulesets`.", example="optcg-1.1.9")
    game = fields.String(
        validate=validate.OneOf(
            GAMES, error=phrase("There is no such game; there are {games}.", games=", ".join(GAMES))
        ),
        error_messages=_single_message(phrase("Write one of {values}.", values=", ".join(GAMES))),
        metadata=field_metadata(
            "The game, judged by its ruleset in force on the day. Default: the game of the cards.", example="optcg"
        ),
    )
    on = DayField(metadata=field_metadata("The day of the verdict. Default: today.", **DAY, example="2026-01-15"))
    region = _short_text_field("The region of the limits lists. Default: `en`.", example="en")
    format = _short_text_field("The format. Default: the standard format of the game.", example="standard")
    best_of = MatchLength(metadata=_BEST_OF)
    timezone = TimezoneField()


class WrittenTermsShape(TermsShape):
    """The terms in a query or a form, which contain only texts: `best_of` may be the text "3"."""

    best_of = WrittenMatchLength(metadata=_BEST_OF)


def load_terms(data: Mapping[str, Any]) -> RequestedTerms:
    """Return the terms among the loaded values of a schema, also its policy and own limits list.

    Keys that are no field of RequestedTerms are ignored, missing terms are left open (None). A time zone beside a day
    (`on`) is left out, because it has no effect.
    """
    terms = RequestedTerms(**{key: data[key] for key in RequestedTerms._fields if key in data})
    return terms if terms.on is None else terms._replace(timezone=None)


def limits_list_field(description: str, **options: Any) -> fields.Field[Any]:
    """Return a field for the TOML text of an organiser's own limits list, of 1 to LONGEST_LIMITS_LIST characters.

    The TOML is not parsed here. `options` are passed on to the marshmallow field.
    """
    return fields.String(
        validate=validate.Length(
            1,
            LONGEST_LIMITS_LIST,
            error=phrase("Write the text of a limits list, of 1 to {most:,} characters.", most=LONGEST_LIMITS_LIST),
        ),
        error_messages=_single_message(phrase("Write the limits list as a text in TOML.")),
        metadata=field_metadata(description, example=_LIMITS_LIST),
        **options,
    )


_LIMITS_LIST = """document = "House list"

[[change]]
effective_from = 2026-01-01
region = "en"
source = "https://example.com/house-list"
restrict.OP01-016 = {limit = 2, name = "Nami"}
"""


class OrganiserTermsShape(TermsShape):
    """The JSON of the terms of a verdict, with an organiser's policy and own limits list. All are optional."""

    policy = fields.Nested(
        PolicyShape,
        error_messages=_single_message(phrase("Write an object.")),
        metadata=field_metadata("The choices of the organiser that differ from the ruleset."),
    )
    limits_list = limits_list_field(
        "The organiser's own limits list as the text of a TOML file, which is added to the official list. It has "
        "`[[change]]` tables as in the lists that ship. Findings cite its `document`."
    )


_EXPLAIN = YesNo(metadata=field_metadata("Adds every checked rule, and whether it passed."))
_SUMMARY = YesNo(metadata=field_metadata("Adds a summary of at most 1,900 characters, for a chat."))


def example_deck() -> dict[str, list[dict[str, object]]]:
    """Return an OPTCG deck as JSON, for the documentation: lines (number or name, and count) by section.

    It is legal, with cards that ship.
    """
    fours = (
        "OP01-016 OP10-011 OP11-016 OP14-013 OP14-015 ST01-011 ST21-002 ST21-003 ST21-015 ST31-002 ST31-004 ST31-005"
    )
    main: list[dict[str, object]] = [{"number": number, "count": 4} for number in fours.split()]
    return {
        "leader": [{"number": "ST21-001", "count": 1}],
        "main": [*main, {"name": "Bad Manners Kick Course", "count": 2}],
    }


# A deck with a side deck, of the invented cards that ship.
_SIDED = (
    "Main\n4 Lantern Levy\n4 Ford Watcher\n4 Hill Runner\n4 Reed Archer\n4 Lantern Captain\n4 Ford Warden\n"
    "4 Ash Spear\n4 Feigned Retreat\n3 Marshal of the Fords\n4 Broken Bridge\n1 {}\n\nSide\n1 {}\n"
)
BEFORE = _SIDED.format("Oiled Cloak", "Night Crossing")
AFTER = _SIDED.format("Night Crossing", "Oiled Cloak")


class OptionalDeckShape(Shape):
    """The JSON of a deck: an object (`deck`), a text (`decklist`), or neither of them. Both are refused."""

    deck = _deck_field("The deck. This or `decklist`.", example=example_deck())
    decklist = _decklist_field(
        metadata=field_metadata("The deck as text, in any format that `/v1/decklists/parse` reads.")
    )

    @ma.validates_schema(skip_on_field_errors=False, pass_original=True)
    def _check_not_both(self, data: Any, original: Any, **_: Any) -> None:
        """Raise a ValidationError if the original object has both keys. A key with the value null also counts."""
        if "deck" in original and "decklist" in original:
            raise ma.ValidationError(phrase('Give "deck" or "decklist", not both.'), "decklist")


class DeckOrDecklistShape(OptionalDeckShape):
    """The JSON of a deck: an object (`deck`) or a text (`decklist`), exactly one of them."""

    @ma.validates_schema(skip_on_field_errors=False, pass_original=True)
    def _check_any(self, data: Any, original: Any, **_: Any) -> None:
        """Raise a ValidationError if the original object has neither `deck` nor `decklist`."""
        if "deck" not in original and "decklist" not in original:
            raise ma.ValidationError(phrase('Give "deck" as an object of sections, or "decklist" as a text.'), "deck")


class DeckAndTermsShape(DeckOrDecklistShape, OrganiserTermsShape):
    """The JSON of a deck and its terms. It loads as a Validation. Schemas derived from it add the options."""

    @ma.post_load
    def _make_validation(self, data: Loaded, **_: Any) -> Validation:
        """Return the validate request of a validated body.

        `explain` and `summary` are False if they are missing, as in schemas without these fields.
        """
        options = (data.get(key, False) for key in ("explain", "summary"))
        return Validation(load_terms(data), data.get("deck"), data.get("decklist"), *options)


class ValidateShape(DeckAndTermsShape):
    """The JSON of a validate request: a deck, its terms, and the options of the verdict. It loads as a Validation."""

    explain = _EXPLAIN
    summary = _SUMMARY


class RepairShape(DeckOrDecklistShape, OrganiserTermsShape):
    """The JSON of a repair request: a deck, its terms, and the cards that must not change.

    It loads as a RepairRequest.
    """

    pinned = fields.List(
        _short_text_field("A card's number or name."),
        validate=validate.Length(
            max=MOST_PINNED, error=phrase("At most {most:,} cards are kept as they are.", most=MOST_PINNED)
        ),
        error_messages=_single_message(phrase("Write a list of card numbers or names.")),
        metadata=field_metadata("Cards that must not change, by number or name.", example=["OP01-016"]),
    )

    @ma.post_load
    def _make_repair(self, data: Loaded, **_: Any) -> RepairRequest:
        """Return the repair request of a validated body. `pinned` is empty if it is missing."""
        validation = Validation(load_terms(data), data.get("deck"), data.get("decklist"), False)
        return RepairRequest(validation, tuple(data.get("pinned", ())))


class SwapShape(OrganiserTermsShape):
    """The JSON of a deck before and after cards were swapped with the side deck. It loads as a SwapRequest."""

    before = DeckOrText(
        required=True, metadata=field_metadata("The deck before swapping, or its text.", example=BEFORE)
    )
    after = DeckOrText(required=True, metadata=field_metadata("The deck after swapping, or its text.", example=AFTER))
    explain = _EXPLAIN
    summary = _SUMMARY

    @ma.post_load
    def _make_swap(self, data: Loaded, **_: Any) -> SwapRequest:
        """Return the swap request of a validated body. `explain` and `summary` are False if they are missing."""
        options = (data.get(key, False) for key in ("explain", "summary"))
        return SwapRequest(load_terms(data), data["before"], data["after"], *options)


class TeamDeckShape(DeckOrDecklistShape):
    """The JSON of one deck of a team, with a name. It loads as a TeamDeckRequest."""

    name = _short_text_field(
        "The name of the deck, for example its player. Each name once.", required=True, example="Anna"
    )

    @ma.post_load
    def _make_team_deck(self, data: Loaded, **_: Any) -> TeamDeckRequest:
        """Return the name, and the deck or decklist, of a validated object of a team's deck."""
        return TeamDeckRequest(data["name"], data.get("deck"), data.get("decklist"))


class TeamRuleShape(Shape):
    """The JSON of the limits on cards that the decks of a team share. It loads as a TeamRule."""

    copies = Whole(
        0, MOST_TARGETS, metadata=field_metadata("The most copies of a card number over all decks.", example=4)
    )
    unique_cards = YesNo(metadata=field_metadata("True if only one deck may have a card number.", example=True))
    unique_leaders = YesNo(metadata=field_metadata("True if only one deck may have a Leader.", example=True))
    unique_colors = YesNo(metadata=field_metadata("True if only one deck may have a colour.", example=False))

    @ma.post_load
    def _make_team_rule(self, data: Loaded, **_: Any) -> TeamRule:
        """Return the rule about cards that decks of a team share. Missing fields have the defaults of TeamRule."""
        return TeamRule(**data)


class TeamShape(OrganiserTermsShape):
    """The JSON of a request about the decks of a team, 2 to MOST_TEAM_DECKS. It loads as a TeamRequest."""

    decks = fields.List(
        fields.Nested(
            TeamDeckShape, error_messages=_single_message(phrase('Write a deck as {{"name": …, "decklist": …}}.'))
        ),
        required=True,
        validate=validate.Length(
            2, MOST_TEAM_DECKS, error=phrase("A team has 2 to {most} decks.", most=MOST_TEAM_DECKS)
        ),
        error_messages=_single_message(phrase("Write a list of decks.")),
        metadata=field_metadata("The decks of the team, all of one game."),
    )
    team = fields.Nested(
        TeamRuleShape,
        error_messages=_single_message(phrase("Write an object.")),
        metadata=field_metadata(
            "The rule about shared cards. Without it, shared cards and Leaders are reported as advice."
        ),
    )
    explain = _EXPLAIN

    @ma.validates_schema
    def _check_names(self, data: Any, **_: Any) -> None:
        """Raise a ValidationError at the first deck whose name an earlier deck of the team has."""
        names = [deck.name for deck in data["decks"]]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise ma.ValidationError({"decks": {index: {"name": [phrase("Another deck has this name.")]}}})

    @ma.post_load
    def _make_team(self, data: Loaded, **_: Any) -> TeamRequest:
        """Return the team request of a validated body.

        A missing `team` is a rule without limits. A missing `explain` is False.
        """
        rule = data.get("team", TeamRule())
        return TeamRequest(load_terms(data), tuple(data["decks"]), rule, data.get("explain", False))


class TimelineShape(DeckOrDecklistShape, OrganiserTermsShape):
    """The JSON of a deck, its terms, and a range of days (`from`, `until`). It loads as a TimelineRequest."""

    first = DayField(
        data_key="from",
        metadata=field_metadata(
            "The first day. Default: the first known day of the game, or an earlier `on` or `until`.", **_KNOWN_DAY
        ),
    )
    last = DayField(
        data_key="until",
        metadata=field_metadata(
            f"The last day, {LAST_DAY} at most. Default: two years after `on` or `from`, the later one.", **_KNOWN_DAY
        ),
    )

    @ma.post_load
    def _make_timeline(self, data: Loaded, **_: Any) -> TimelineRequest:
        """Return the timeline request of a validated body. A missing `from` or `until` is None."""
        days = data.get("first"), data.get("last")
        return TimelineRequest(load_terms(data), data.get("deck"), data.get("decklist"), *days)


def _card_names_field(description: str, **options: Any) -> fields.Field[Any]:
    """Return a field for a list of 1 to MOST_NAMED cards, each a text with its number or name.

    Here cards are not looked up. `options` are passed on to the marshmallow field.
    """
    return fields.List(
        _short_text_field("A card of the deck, by number or by name.", example="OP01-016"),
        validate=validate.Length(1, MOST_NAMED, error=phrase("Name 1 to {most} cards.", most=MOST_NAMED)),
        error_messages=_single_message(phrase("Write a list of cards.")),
        metadata=field_metadata(description),
        **options,
    )


class WishShape(Shape):
    """The JSON of a wish of the odds: the fewest copies of some cards, together, that shall be seen.

    It loads as a Wish.
    """

    cards = _card_names_field("Any of these cards.", required=True)
    least = Whole(1, MOST_LEAST, metadata=field_metadata("The least number of these cards. Default: 1.", example=1))

    @ma.post_load
    def _make_wish(self, data: Loaded, **_: Any) -> Wish:
        """Return the Wish of a validated object: at least `least` (default 1) cards, counted over all named cards."""
        return Wish(tuple(data["cards"]), data.get("least", 1))


class Targets(fields.Field[Any]):
    """A field for the targets of a search in the deck: a list of cards, or their number."""

    default_error_messages = _single_message(phrase("Write a list of cards, or how many there are."))
    _either: ClassVar[Mapping[bool, fields.Field[Any]]] = {True: _card_names_field(""), False: Whole(0, MOST_TARGETS)}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:
        """Return the number of targets (from 0 to MOST_TARGETS), or a Wish for at least one of 1 to MOST_NAMED cards.

        Raises ValidationError for other values.
        """
        if not isinstance(value, list | int | float):
            raise self.make_error("invalid")
        targets = self._either[isinstance(value, list)].deserialize(value)
        return Wish(tuple(targets)) if isinstance(targets, list) else targets


class OddsShape(DeckOrDecklistShape, OrganiserTermsShape):
    """The JSON of a request for the odds of drawing cards of a deck. It loads as an OddsRequest."""

    wishes = fields.List(
        fields.Nested(
            WishShape, error_messages=_single_message(phrase('Write a wish as {{"cards": […], "least": 1}}.'))
        ),
        validate=validate.Length(1, MOST_WISHES, error=phrase("Write 1 to {most} wishes.", most=MOST_WISHES)),
        error_messages=_single_message(phrase("Write a list of wishes.")),
        metadata=field_metadata("The cards to be seen, all wishes together."),
    )
    turn = Whole(1, MOST_TURNS, metadata=field_metadata("The player's own turn for the odds. Default: 5."))
    look = Whole(
        1, MOST_LOOKED_AT, metadata=field_metadata("The number of cards of the top of the deck that a search looks at.")
    )
    targets = Targets(
        metadata=field_metadata(
            "The targets of the search: cards of the deck, or their number.",
            anyOf=[
                {"type": "integer", "minimum": 0, "maximum": MOST_TARGETS},
                {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": MOST_NAMED,
                    "items": {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT, "pattern": _SHORT_TEXT},
                },
            ],
        )
    )
    searcher = _short_text_field("The card that searches. It is not in the deck any more.", example="OP01-016")
    life = Whole(1, MOST_LIFE, metadata=field_metadata("The number of Life cards. Default: the Life of the Leader."))

    @ma.post_load
    def _make_odds(self, data: Loaded, **_: Any) -> OddsRequest:
        """Return the odds request of a validated body. Missing options and wishes have the defaults of OddsRequest."""
        own = {key: data[key] for key in ("turn", "look", "targets", "searcher", "life") if key in data}
        deck = data.get("deck"), data.get("decklist")
        return OddsRequest(load_terms(data), *deck, tuple(data.get("wishes", ())), **own)
