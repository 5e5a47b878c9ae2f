"""punk-records (github.com/buhbbl/punk-records): the English ONE PIECE list as JSON, a file per pack or one index."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from carddb.sources.printings import PrintedCard
from carddb.sources.records import Record, RecordFormat, number_field, parse_card_number, text_field, texts_field
from validator.cards import Card
from validator.language import join_phrases, phrase
from validator.limits import shipped_lists

GAME = "optcg"

# The official codes of the words that the project has for them.
_RARITIES = {
    "Common": "C",
    "Uncommon": "UC",
    "Rare": "R",
    "SuperRare": "SR",
    "SecretRare": "SEC",
    "Leader": "L",
    "Special": "SP CARD",
    "TreasureRare": "TR",
    "Promo": "P",
}
_BREAK = re.compile(r"<br\s{0,5}/?>")
# Of texts with "<Slash>" in them only the beginning is left, and sometimes the end of a tag that nobody opened.
_LOST = re.compile(r"</[a-z]{1,40}>")
_WHOLE = re.compile(r"[.!?)\]\"”’]\Z")


def parse_pack_record(record: Record, location: str) -> PrintedCard:
    """Return the card of a record: of a pack's file, or of the index, which has no texts.

    `location` is the place of the record in messages. A card without the suffix of a printing is the base printing.
    Raises RecordError if a field has a wrong type or the number is no card number.
    """
    printed = text_field(record, "id") or text_field(record, "card_id")
    card_number, suffix = parse_card_number(GAME, printed)
    card_type = text_field(record, "category")
    printed_number = number_field(record, "cost")
    cost = None if card_type == "Leader" else printed_number or 0
    rarity = text_field(record, "rarity")
    printed_card = Card(
        GAME,
        card_number,
        _strip_markup(text_field(record, "name")),
        card_type,
        colors=texts_field(record, "colors"),
        cost=cost,
        # As the official list prints it: no zero.
        cost_text=None if cost is None else str(cost or "-"),
        life=printed_number if card_type == "Leader" else None,
        power=_parse_power(record, card_type),
        traits=texts_field(record, "types"),
        attributes=_parse_attributes(record),
        text=_join_skills(record),
        rarity=_RARITIES.get(rarity, rarity) or None,
        set=card_number.partition("-")[0],
        block=str(number_field(record, "block_number") or "") or None,
        released=shipped_lists(GAME).sets.first_english_day(card_number, [text_field(record, "pack_id")]),
    )
    return PrintedCard(printed_card, printed, not suffix, join_phrases([location, f" ({printed})"]))


def _parse_power(record: Record, card_type: str) -> int | None:
    """Return the power of a record. A Character without a power has 0, any other card None.

    Raises RecordError if the power is no number.
    """
    power = number_field(record, "power")
    return 0 if power is None and card_type == "Character" else power


def _parse_attributes(record: Record) -> tuple[str, ...]:
    """Return the attributes of a record, with "Unknown" as "?". Raises RecordError if they are no list of texts."""
    return tuple("?" if attribute == "Unknown" else attribute for attribute in texts_field(record, "attributes"))


def _join_skills(record: Record) -> str:
    """Return the effect and the trigger of a record without markup, one per line. Empty ones are left out.

    Raises RecordError if one is no text.
    """
    return "\n".join(filter(None, (_strip_markup(text_field(record, field)) for field in ("effect", "trigger"))))


def _strip_markup(markup: str) -> str:
    """Return the text of HTML markup, with a line break for `<br>`. "" for a dash, which stands for no text.

    Only `<br>` and closing tags are removed. Character references are resolved.
    """
    skill = html.unescape(_LOST.sub("", _BREAK.sub("\n", markup))).strip()
    return "" if skill == "-" else skill


def effect_remarks(records: Sequence[Record]) -> Iterator[str]:
    """Yield a notice if the records are those of the index, and one with the cards whose texts are cut off."""
    if any("card_id" in record for record in records):
        yield phrase("the index has no card texts and no blocks; import the folder of packs to judge decks with.")
    if cut := [text_field(record, "id") for record in records if _is_cut(text_field(record, "effect"))]:
        yield phrase("the texts of {cards} stop before a word in angle brackets.", cards=", ".join(cut))


def _is_cut(effect: str) -> bool:
    """Return True if an effect seems to be cut: it has a closing tag, or its text does not end like a sentence.

    A sentence ends with ".", "!", "?", a closing bracket or a quotation mark. Without a closing tag, False for "" and
    "-".
    """
    skill = _strip_markup(effect)
    return bool(_LOST.search(effect) or (skill and not _WHOLE.search(skill)))


_IN_PACKS = frozenset({"id", "category", "block_number", "pack_id"})
_IN_INDEX = frozenset({"card_id", "category", "pack_id"})
PACK = RecordFormat(phrase("a pack of punk-records"), GAME, _IN_PACKS, parse_pack_record, effect_remarks)
INDEX = RecordFormat(phrase("the index of punk-records"), GAME, _IN_INDEX, parse_pack_record, effect_remarks)
