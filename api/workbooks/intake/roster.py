"""Rosters: the players of a sheet with a card in each row, with the cards met so far.

`shapes.card_per_row` gathers the decks of such a sheet with them.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from api.workbooks.intake.book import PlayerEntry, Who
from api.workbooks.intake.cells import NOTICE, Cell
from api.workbooks.intake.sheet_rows import SheetRows
from validator.cards import Catalogue
from validator.deck import MOST_LINES, Line
from validator.decklists.draft import Draft
from validator.language import phrase
from validator.matching import fold_text
from validator.tables.headings import PLAYER_ID
from validator.texts import shorten_value

_NOBODY = phrase("no player is named; write the player in every row, or merge the cells")


class GatheredDeck:
    """The deck of a player while its rows are read: the draft of its cards and of the rows that were not read.

    `beside` is `(row number, cell)` of a separate column of Leaders, None if that is blank.
    """

    def __init__(self, entry: PlayerEntry) -> None:
        self.entry = entry
        self.draft = Draft("workbook")
        self.beside: tuple[int, Cell] | None = None

    def remove_surplus(self) -> list[Line]:
        """Remove the lines beyond MOST_LINES, the most that a deck may have, and return them.

        Those of the last rows are removed. Earlier lines of the first such row are removed, too, but not returned.
        """
        cards = sorted(self.draft.cards, key=_row_number)
        surplus = [line for _, line in cards[MOST_LINES:]]
        if surplus:
            self.draft.cards = [card for card in cards if _row_number(card) < (surplus[0].at or 0)]
        return surplus


def _row_number(card: tuple[str | None, Line]) -> int:
    """Return the row of a card of a draft, 0 if it has none."""
    return card[1].at or 0


class Roster:
    """The players of one sheet with a card in each row, and the decks of their cards so far.

    Players are found by event and id, else by event and name. `heading` is that of the cards' column. `decks` has the
    players' decks in the order in which they were added.
    """

    def __init__(self, rows: SheetRows, heading: str) -> None:
        self.decks: list[GatheredDeck] = []
        self._rows = rows
        self._heading = heading
        self._by_id: dict[tuple[str, str], GatheredDeck] = {}
        self._by_name: dict[tuple[str, str], list[GatheredDeck]] = {}

    def add(self, player: Who, row_number: int | None) -> GatheredDeck:
        """Add a player without looking for an earlier entry, and return the new empty deck.

        `find_deck` does not find this player yet. `row_number` is the row that names the player first, None if the
        sheet does.
        """
        self.decks.append(GatheredDeck(PlayerEntry(player, self._rows.grid.sheet, row_number, heading=self._heading)))
        return self.decks[-1]

    def find_deck(self, row_number: int, row: Sequence[Cell]) -> GatheredDeck | str:
        """Return the deck of the player in a row, a new one for a new player.

        Return the reason as text if there is none. The reason is that nobody is named, or that several players have the
        name. Adds the faults of the row's player cells to the book, and a notice if an id has two names. An id, a name
        or texts of other columns that the player's entry lacked are added to it.
        """
        who, faults = self._rows.find_player(row_number, row)
        self._rows.book.faults += faults
        if not (who.name or who.id):
            return _NOBODY
        key = fold_text(who.event), fold_text(who.id)
        met = self._by_id.get(key)
        deck = met or self._find_namesake(row_number, who)
        if isinstance(deck, str):
            return deck
        if met is not None:
            self._compare_names(row_number, who, met.entry)
        known = deck.entry.who
        deck.entry.who = Who(known.name or who.name, known.id or who.id, who.event)
        deck.entry.aside = deck.entry.aside or self._rows.extra_texts(row)
        if who.id:
            self._by_id[key] = deck
        return deck

    def _find_namesake(self, row_number: int, player: Who) -> GatheredDeck | str:
        """Return the deck for a player whose id was not met before: that of the only namesake, or a new one.

        The namesake's deck is used if either player has no id. A new deck is added to the roster under the player's
        name. Return the reason as text if the player has no id and several players have the name.
        """
        namesakes = (
            self._by_name.setdefault((fold_text(player.event), fold_text(player.name)), []) if player.name else []
        )
        if len(namesakes) > 1 and not player.id:
            return phrase("several players are called “{name}”; write the id too", name=shorten_value(player.name))
        if len(namesakes) == 1 and not (player.id and namesakes[0].entry.who.id):
            return namesakes[0]
        namesakes.append(self.add(player, row_number))
        return namesakes[-1]

    def _compare_names(self, row_number: int, player: Who, entry: PlayerEntry) -> None:
        """Add a notice to the book if a row has the id of `entry` and another name. Letter case is ignored."""
        if player.name and entry.who.name and fold_text(player.name) != fold_text(entry.who.name):
            detail = phrase(
                "the id {id} is that of “{first}” in row {row}, and of “{second}” here",
                id=player.id,
                first=shorten_value(entry.who.name),
                row=entry.row,
                second=shorten_value(player.name),
            )
            fault = self._rows.fault(row_number, self._rows.columns.first(PLAYER_ID), detail, severity=NOTICE)
            self._rows.book.faults.append(fault)


def split_decks(deck: GatheredDeck, catalogue: Catalogue | None) -> Sequence[GatheredDeck]:
    """Split the gathered rows of a player into decks: one for each block of successive rows.

    A deck that was sent in again is such a block. If any block has no Leader, or any has several lines of Leaders, the
    list has only `deck` itself. Each new deck has a copy of the entry, with the first row of its block.
    """
    starts = _block_starts(deck.draft)
    if len(starts) < 2:
        return [deck]
    leaders = Counter(bisect(starts, line.at or 0) for line in deck.draft.find_leaders(catalogue))
    if len(leaders) < len(starts) or leaders.total() > len(starts):
        return [deck]
    parts = [GatheredDeck(replace(deck.entry, row=start)) for start in starts]
    for card in deck.draft.cards:
        parts[bisect(starts, _row_number(card)) - 1].draft.cards.append(card)
    for unread in deck.draft.unread:
        parts[max(bisect(starts, unread.at) - 1, 0)].draft.unread.append(unread)
    return parts


def _block_starts(draft: Draft) -> Sequence[int]:
    """Return the first row of each block of successive rows, in order. Unread rows are part of a block.

    A block of only unread rows is left out.
    """
    cards = set(map(_row_number, draft.cards))
    rows = sorted(cards.union(unread.at for unread in draft.unread))
    starts = [at for before, at in pairwise([-1, *rows]) if at > before + 1]
    return [starts[block - 1] for block in sorted({bisect(starts, at) for at in cards})]
