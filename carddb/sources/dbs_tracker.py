"""TCGDragonBall/dbs-tracker (github.com): Dragon Ball Super printings, tab-separated, two faces joined by ` // `."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carddb.bounds import MOST_ROWS
from carddb.errors import CardDataError, first_numbers
from carddb.sources import printed_facts
from carddb.sources.printed_facts import find_word, parse_cost, parse_power, split_list
from carddb.sources.printings import PrintedCard
from carddb.sources.records import Record, RecordFormat, parse_card_number, text_field
from validator.cards import Card
from validator.games import GAMES
from validator.language import join_phrases, phrase

GAME = "dbs"
HEADER = (
    *("number", "name", "rarity", "type", "color", "set", "power", "energy", "combo_energy", "combo_power"),
    *("character", "special_trait", "era", "skill"),
)

_FACES = re.compile(r" // ?")
_NAMES = re.compile(r" ?/ +")


def is_table(data: bytes) -> bool:
    """Return True if the first line of a file has exactly the columns of the tracker, separated by tabs."""
    head = data[:1000].removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    return head.strip().split(b"\t") == [name.encode() for name in HEADER]


def parse_records(data: bytes, name: str) -> list[Record]:
    """Return the rows of a file of the tracker by column, without the header and blank rows.

    A row that lacks its last columns has no keys for them. `name` is the name of the file in messages. Raises
    CardDataError if it is not UTF-8 or has more than MOST_ROWS lines.
    """
    try:
        lines = data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError:
        raise CardDataError(phrase("{file} is no UTF-8 text.", file=name)) from None
    if len(lines) > MOST_ROWS:
        raise CardDataError(phrase("{file} has more than {most} rows.", file=name, most=MOST_ROWS))
    return [dict(zip(HEADER, line.split("\t"), strict=False)) for line in lines[1:] if line.strip()]


def parse_card_row(record: Record, location: str) -> PrintedCard:
    """Return the printed card of a row. Raises RecordError or ValueError if a field cannot be parsed.

    `location` is the place of the row in messages. A number without a suffix is the base printing.
    """
    number, suffix = parse_card_number(GAME, text_field(record, "number"))
    card_type = find_word(GAMES[GAME].types, text_field(record, "type")) or text_field(record, "type")
    printed_cost = text_field(record, "energy").strip()
    printed_cost = "" if printed_cost == "-" else printed_cost
    front_power, back_power = _split_faces(record, "power")
    skill, back_skill = _split_faces(record, "skill")
    characters, back_characters = _split_faces(record, "character")
    traits, back_traits = _split_faces(record, "special_trait")
    name, back_name = _split_names(record, card_type)
    printed_card = Card(
        GAME,
        number,
        name,
        card_type,
        back_name=back_name or None,
        colors=_parse_colors(record, printed_cost),
        cost=parse_cost(GAME, card_type, printed_cost),
        cost_text=printed_cost or None,
        power=parse_power(front_power),
        back_power=parse_power(back_power),
        traits=split_list(traits),
        back_traits=split_list(back_traits),
        characters=split_list(characters),
        back_characters=split_list(back_characters),
        text=skill.replace(" | ", "\n"),
        back_text=back_skill.replace(" | ", "\n"),
        rarity=text_field(record, "rarity").strip() or None,
        set=number.partition("-")[0],
    )
    return PrintedCard(printed_card, number + suffix, not suffix, join_phrases([location, f" ({number}{suffix})"]))


def _split_faces(record: Record, field: str) -> tuple[str, str]:
    """Return the front and back value of a field, which are joined by " // ". "" for a dash and for a missing value."""
    front, *back = (face.strip() for face in _FACES.split(text_field(record, field), maxsplit=1))
    return front if front != "-" else "", back[0] if back and back[0] != "-" else ""


def _split_names(record: Record, card_type: str) -> tuple[str, str]:
    """Return the names of both faces, which " / " separates, "" for no back.

    Only a Leader's name is split, because other names may contain a slash.
    """
    name = text_field(record, "name").strip()
    front, *back = _NAMES.split(name, maxsplit=1) if card_type == "Leader" else [name]
    return " ".join(front.split()), " ".join(back[0].split()) if back else ""


def _parse_colors(record: Record, printed_cost: str) -> tuple[str, ...]:
    """Return the colours of a row, () if its colour is "Unknown" or missing. "/" separates colours there.

    A colour that the game does not know stays as written. The colours of a row with "Multi" are those of its printed
    cost. They are () if the cost has fewer than two colours.
    """
    color = text_field(record, "color").strip()
    if color == "Multi":
        paid = GAMES[GAME].cost_colors(printed_cost)
        return paid if len(paid) > 1 else ()
    return () if color == "Unknown" else printed_facts.spell_colors(GAME, color)


def table_remarks(records: Sequence[Record]) -> Iterator[str]:
    """Yield a notice with the cards of unknown colours, and one with the cards whose rows lack columns."""
    doubtful = [record for record in records if record.get("color") in ("Unknown", "Multi")]
    colourless = [
        text_field(record, "number") for record in doubtful if not _parse_colors(record, text_field(record, "energy"))
    ]
    if colourless:
        yield phrase("the colours are not known of {numbers}.", numbers=first_numbers(colourless))
    if short := [text_field(record, "number") for record in records if len(record) < len(HEADER)]:
        yield phrase("nothing but name, type and colour is known of {numbers}.", numbers=first_numbers(short))


FORMAT = RecordFormat(phrase("the table of dbs-tracker"), GAME, frozenset(HEADER[:6]), parse_card_row, table_remarks)
