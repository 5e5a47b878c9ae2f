"""kentan88/dbscg-api (github.com): the official Dragon Ball Super list by category, as JSON with the site's markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carddb.errors import RecordError
from carddb.sources import dragonball
from carddb.sources.pages import parse_html
from carddb.sources.printed_facts import find_word, parse_cost, parse_power, spell_colors, split_list
from carddb.sources.printings import PrintedCard
from carddb.sources.records import Record, RecordFormat, parse_card_number, text_field
from validator.cards import Card
from validator.games import GAMES
from validator.language import join_phrases, phrase

GAME = dragonball.GAME

# What an HTML parser has made of <Trunks : Xeno>: <trunks :="" xeno="">, and </trunks> at the end of the text.
_NO_TAG = re.compile(r"<(?!/?(?:img|br)\b)(/?)([a-z][^<>]{0,80})>")


def parse_card_record(record: Record, location: str) -> PrintedCard:
    """Return the card of a record. The back of a Leader has its name, its power and its skills.

    `location` is the place of the record in messages. Raises RecordError or ValueError if a field cannot be parsed.
    """
    printed = text_field(record, "number")
    number, suffix = parse_card_number(GAME, printed)
    card_type = find_word(GAMES[GAME].types, text_field(record, "type")) or text_field(record, "type")
    printed_cost = _parse_markup(text_field(record, "energy_text"))
    printed_card = Card(
        GAME,
        number,
        _read_name(record, "title"),
        card_type,
        back_name=_read_name(record, "title_back") or None,
        colors=spell_colors(GAME, text_field(record, "color")),
        cost=parse_cost(GAME, card_type, printed_cost),
        cost_text=printed_cost or None,
        power=_parse_power_field(record, "power"),
        back_power=_parse_power_field(record, "power_back"),
        traits=split_list(text_field(record, "special_trait").strip("-")),
        characters=split_list(text_field(record, "character").strip("-")),
        text=_parse_markup(text_field(record, "skills_text")),
        back_text=_parse_markup(text_field(record, "skills_back_text")),
        rarity=dragonball.rarity_code(text_field(record, "rarity")),
        set=number.partition("-")[0],
    )
    return PrintedCard(printed_card, printed, not suffix, join_phrases([location, f" ({printed})"]))


def _read_name(record: Record, field: str) -> str:
    """Return the text of a name field with single blanks, "" if the field is missing.

    Raises RecordError if it is no text.
    """
    return " ".join(text_field(record, field).split())


def _parse_markup(markup: str) -> str:
    """Return the text of the site's markup as printed, with pictures as text.

    Raises RecordError for an unknown picture or element.
    """
    tree = parse_html(f"<div>{_NO_TAG.sub(_escape_name, markup)}</div>")
    unknown: list[str] = []
    skill = dragonball.text_as_printed(tree.css("div")[0], unknown.append)
    if unknown:
        raise RecordError(unknown[0])
    return skill


def _escape_name(tag: re.Match[str]) -> str:
    """Return the escaped text `&lt;Trunks : Xeno&gt;` for a name that was parsed as a tag, "" for a closing tag."""
    if tag[1]:
        return ""
    name = " ".join(tag[2].replace('=""', "").split()).title()
    return f"&lt;{name}&gt;"


def _parse_power_field(record: Record, field: str) -> int | None:
    """Return the power in a field, None for a dash or a missing field. Raises RecordError for another text."""
    try:
        return parse_power(text_field(record, field).strip("-"))
    except ValueError:
        raise RecordError(
            phrase(
                "{field} is {value!r}, which is no power; it is a number",
                field=field,
                value=text_field(record, field)[:60],
            )
        ) from None


def markup_remarks(records: Sequence[Record]) -> Iterator[str]:
    """Yield a notice if Leaders have backs, which lack characters and traits, and one if records have a `limit`."""
    if any(text_field(record, "title_back") for record in records):
        yield phrase("the characters and traits of Leaders' backs are not in it.")
    if any("limit" in record for record in records):
        yield phrase("its field `limit` is not used; how many copies a deck may hold is read from the card's text.")


_FIELDS = frozenset({"title", "number", "skills_text"})
FORMAT = RecordFormat(phrase("a file of kentan88/dbscg-api"), GAME, _FIELDS, parse_card_record, markup_remarks)
