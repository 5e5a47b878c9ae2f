"""kentan88/dbscg-api (github.com): the official Dragon Ball Super list by category, as JSON with the site's markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carddb.errors import RecordError
from carddb.sources import dragonball
from carddb.sources.pages import parsed
from carddb.sources.printed_facts import colors, cost, find_word, power, split_list
from carddb.sources.printings import PrintedCard
from carddb.sources.records import Record, RecordFormat, number_in, text
from validator.cards import Card
from validator.games import GAMES

GAME = dragonball.GAME

# What an HTML parser has made of <Trunks : Xeno>: <trunks :="" xeno="">, and </trunks> at the end of the text.
_NO_TAG = re.compile(r"<(?!/?(?:img|br)\b)(/?)([a-z][^<>]{0,80})>")


def card(record: Record, where: str) -> PrintedCard:
    """Return the card of a record. The back of a Leader has its name, its power and its skills. Raises RecordError."""
    printed = text(record, "number")
    number, suffix = number_in(GAME, printed)
    card_type = find_word(GAMES[GAME].types, text(record, "type")) or text(record, "type")
    printed_cost = _parse_markup(text(record, "energy_text"))
    printed_card = Card(
        GAME,
        number,
        _read_name(record, "title"),
        card_type,
        back_name=_read_name(record, "title_back") or None,
        colors=colors(GAME, text(record, "color")),
        cost=cost(GAME, card_type, printed_cost),
        cost_text=printed_cost or None,
        power=_parse_power(record, "power"),
        back_power=_parse_power(record, "power_back"),
        traits=split_list(text(record, "special_trait").strip("-")),
        characters=split_list(text(record, "character").strip("-")),
        text=_parse_markup(text(record, "skills_text")),
        back_text=_parse_markup(text(record, "skills_back_text")),
        rarity=dragonball.rarity(text(record, "rarity")),
        set=number.partition("-")[0],
    )
    return PrintedCard(printed_card, printed, not suffix, f"{where} ({printed})")


def _read_name(record: Record, field: str) -> str:
    return " ".join(text(record, field).split())


def _parse_markup(markup: str) -> str:
    """Return the text of markup. Raises RecordError for an unknown picture or element."""
    tree = parsed(f"<div>{_NO_TAG.sub(_escape_name, markup)}</div>")
    unknown: list[str] = []
    skill = dragonball.as_printed(tree.css("div")[0], unknown.append)
    if unknown:
        raise RecordError(unknown[0])
    return skill


def _escape_name(tag: re.Match[str]) -> str:
    """Return a name in angle brackets as escaped text, "" for a closing tag."""
    if tag[1]:
        return ""
    name = " ".join(tag[2].replace('=""', "").split()).title()
    return f"&lt;{name}&gt;"


def _parse_power(record: Record, field: str) -> int | None:
    """Return the power in a field, None for a dash. Raises RecordError."""
    try:
        return power(text(record, field).strip("-"))
    except ValueError:
        raise RecordError(f"{field} is {text(record, field)[:60]!r}, which is no power; it is a number") from None


def remarks(records: Sequence[Record]) -> Iterator[str]:
    """Yield notices on the facts that are not as printed."""
    if any(text(record, "title_back") for record in records):
        yield "the characters and traits of Leaders' backs are not in it."
    if any("limit" in record for record in records):
        yield "its field `limit` is not used; how many copies a deck may hold is read from the card's text."


_FIELDS = frozenset({"title", "number", "skills_text"})
FORMAT = RecordFormat("a file of kentan88/dbscg-api", GAME, _FIELDS, card, remarks)
