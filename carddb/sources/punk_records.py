"""punk-records (github.com/buhbbl/punk-records): the English ONE PIECE list as JSON, a file per pack or one index."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from collections.abc import Sequence

from carddb.errors import RecordError
from carddb.sources.community import Format
from carddb.sources.community import Record
from carddb.sources.community import text
from carddb.sources.community import texts
from carddb.sources.community import whole
from carddb.sources.printings import Found
from validator import limits
from validator.cards import Card
from validator.numbers import OFFICIAL
from validator.numbers import normal

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


def card(record: Record, where: str) -> Found:
    """Return the card of a record: of a pack's file, or of the index, which has no texts."""
    printed = text(record, "id") or text(record, "card_id")
    number, suffix = normal(printed, GAME)
    if not OFFICIAL[GAME].fullmatch(number):
        raise RecordError(f"{printed[:60]!r} is no card number")
    kind = text(record, "category")
    leads = kind == "Leader"
    cost = None if leads else whole(record, "cost") or 0
    power = whole(record, "power")
    found = Card(
        GAME,
        number,
        _plain(text(record, "name")),
        kind,
        colors=texts(record, "colors"),
        cost=cost,
        # As the official list prints it: no zero.
        cost_text=None if leads else str(cost or "-"),
        power=0 if power is None and kind == "Character" else power,
        traits=texts(record, "types"),
        attributes=tuple("?" if one == "Unknown" else one for one in texts(record, "attributes")),
        text="\n".join(filter(None, (_plain(text(record, field)) for field in ("effect", "trigger")))),
        rarity=_RARITIES.get(text(record, "rarity"), text(record, "rarity")) or None,
        set=number.partition("-")[0],
        block=str(whole(record, "block_number") or "") or None,
        released=limits.sets(GAME).released(number, [text(record, "pack_id")]),
    )
    return Found(found, printed, not suffix, f"{where} ({printed})")


def _plain(said: str) -> str:
    said = html.unescape(_LOST.sub("", _BREAK.sub("\n", said))).strip()
    return "" if said == "-" else said


def remarks(records: Sequence[Record]) -> Iterator[str]:
    """Yield what of the cards is not as printed."""
    if any("card_id" in record for record in records):
        yield "the index has no card texts and no blocks; import the folder of packs to judge decks with."
    if cut := [text(record, "id") for record in records if _is_cut(text(record, "effect"))]:
        yield f"the texts of {', '.join(cut)} stop before a word in angle brackets."


def _is_cut(effect: str) -> bool:
    said = _plain(effect)
    return bool(_LOST.search(effect) or (said and not _WHOLE.search(said)))


PACK = Format("a pack of punk-records", GAME, frozenset({"id", "category", "block_number", "pack_id"}), card, remarks)
INDEX = Format("the index of punk-records", GAME, frozenset({"card_id", "category", "pack_id"}), card, remarks)
