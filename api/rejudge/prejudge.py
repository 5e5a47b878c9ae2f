"""The columnar pre-judge: which of many decks a Judge has nothing to say of, found in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from api.rejudge.stored_decks import Marks, Numbers, Places, StoredDecks
from validator.cards import Card
from validator.deck import SECTIONS
from validator.judge import Judge

_AT_ONCE = 1024  # decks whose columns stay near the processor
_LEADER = SECTIONS.index("leader")
_BITS = 63 // len(SECTIONS)  # of the size of one section, so that those of all are one number
_MOST_COUNT = 15  # copies in a line, and
_MOST_LINES = ((1 << _BITS) - 1) // _MOST_COUNT  # lines, so that no size has more; the Judge is asked of what has more
_MOST_VIEWS = 1024
_MOST_SHAPES = 65_536  # and as many sets of kinds
_MOST_KINDS = 62  # each a bit
_SILENT, _SPEAKS, _UNKNOWN = range(3)  # what the Judge does when asked of a card; above, which bounds hold
_MOST_BOUNDS = 16
_MOST_BOUND = 256 - _UNKNOWN  # ways in which bounds hold of a card
_NOBODY, _NEVER, _UNSEEN = 0, -1, -2  # views: of no Leader, of none that may lead, of one that is new


class Prejudge:
    """What a Judge says of cards, their kinds and sizes, as tables; no rule is here; what it has not said it is asked.

    A deck is settled if every rule that goes by sizes or by kinds of cards takes it, each line is of a card of its
    own, the rules that speak of a card in its section under the deck's Leader let so many of such cards be, and no
    card has more copies than the rule on copies lets be: of these the Judge finds nothing. Of all others it is to be
    asked.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.cards: Sequence[Card] = tuple(judge.catalogue)
        self.unknown = len(self.cards)  # the id of no card
        self._ids = {card: id for id, card in enumerate(self.cards)}
        self._view_of = np.full(self.unknown + 1, _UNSEEN, np.int32)
        self._view_of[self.unknown] = _NEVER
        self._views: dict[object, int] = {None: _NOBODY}
        self._leaders: list[Card | None] = [None]
        self._says = self._rows(1)
        self._bounds: dict[tuple[str, int], int] = {}  # by rule and most copies, each with its bit
        self._bound: list[int] = [0] * (_UNKNOWN + 1)  # the bounds of each thing that is said, as bits
        self._shapes: dict[int, bool] = {}
        self._kinds = np.zeros((len(SECTIONS), self.unknown + 1), np.int64)  # of each card in each section, as a bit
        self._kind_bits: dict[tuple[object, ...], int] = {}
        self._of_kind: list[tuple[Card, str]] = []  # a card of each kind, and its section
        self._mixtures: dict[int, bool] = {0: True}
        self._stamps = np.zeros(_AT_ONCE * (self.unknown + 1), np.int32)

    def id(self, number: str | None) -> int:
        """Return the id of the card of a number in any spelling."""
        card = self._judge.catalogue.by_number(number) if number else None
        return self.unknown if card is None else self._ids[card]

    def settled(self, decks: StoredDecks, ids: Numbers | None = None) -> Marks:
        """Return the decks of which the Judge finds nothing, but for some that it is to be asked of after all."""
        ids = decks.map_numbers(self.id) if ids is None else ids
        found = np.zeros(len(decks), bool)
        if self._judge.asks_always:
            return found
        readable = ~(decks.unreadable | decks.named | (decks.lines > _MOST_LINES))
        for first in range(0, len(decks), _AT_ONCE):
            end = min(first + _AT_ONCE, len(decks))
            lines = slice(int(decks.starts[first]), int(decks.starts[end]))
            starts = decks.starts[first : end + 1] - decks.starts[first]
            found[first:end] = self._settled(starts, ids[lines], decks.counts[lines], decks.sections[lines])
        return found & readable

    def _settled(self, starts: Places, ids: Numbers, counts: Numbers, sections: NDArray[np.uint8]) -> Marks:
        sections = np.minimum(sections, len(SECTIONS) - 1)  # what stands in none is not readable
        deck_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        views, settled = self._led(starts, deck_of, ids, counts, sections)
        said = self._said(views[deck_of], ids, sections)
        asked = (said == _SPEAKS) | (counts > self._most[sections]) | self._repeated(deck_of, ids)
        settled[deck_of[np.flatnonzero(asked)]] = False
        self._bind(settled, deck_of, said, counts)
        return settled & self._shaped(starts, counts, sections) & self._mixed(starts, ids, sections)

    def _led(
        self, starts: Places, deck_of: Places, ids: Numbers, counts: Numbers, sections: NDArray[np.uint8]
    ) -> tuple[Numbers, Marks]:
        """Return each deck's view, and whether the deck has no Leader or the one that may lead it."""
        views = np.zeros(len(starts) - 1, np.int32)
        lines = np.flatnonzero(sections == _LEADER)
        leads = self._view_of[ids[lines]]
        if (unseen := np.flatnonzero(leads == _UNSEEN)).size:
            for id in np.unique(ids[lines[unseen]]).tolist():
                self._view_of[id] = self._view(self.cards[id])
            leads = self._view_of[ids[lines]]
        views[deck_of[lines]] = np.maximum(leads, _NOBODY)
        settled = np.bincount(deck_of[lines], minlength=len(views)) <= 1
        settled[deck_of[lines[(leads == _NEVER) | (counts[lines] > 1)]]] = False
        return views, settled

    def _view(self, leader: Card) -> int:
        """Return the view of a card in the place of a Leader."""
        if not self._judge.lets_in(leader, "leader", leader):
            return _NEVER
        alike = self._judge.leader_group_key(leader)
        if alike not in self._views:
            if len(self._leaders) >= _MOST_VIEWS:
                return _NEVER
            self._views[alike] = len(self._leaders)
            self._leaders.append(leader)
            if len(self._leaders) > len(self._says):
                self._says = np.concatenate((self._says, self._rows(len(self._says))))
        return self._views[alike]

    def _rows(self, views: int) -> NDArray[np.uint8]:
        rows = np.full((views, len(SECTIONS), self.unknown + 1), _UNKNOWN, np.uint8)
        rows[:, :, self.unknown] = _SPEAKS
        return rows

    def _said(self, views: Numbers, ids: Numbers, sections: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return what the Judge does when asked of the card of each line; it speaks of one that it does not know."""
        places = (views * len(SECTIONS) + sections) * (self.unknown + 1) + ids
        said: NDArray[np.uint8] = self._says.reshape(-1)[places]
        if (new := np.flatnonzero(said == _UNKNOWN)).size:
            for place in np.unique(places[new]).tolist():
                self._says.reshape(-1)[place] = self._asked(place)
            said = self._says.reshape(-1)[places]
        return said

    def _asked(self, place: int) -> int:
        row, id = divmod(place, self.unknown + 1)
        view, section = divmod(row, len(SECTIONS))
        said = self._told(self.cards[id], SECTIONS[section], self._leaders[view])
        if said == _SPEAKS:
            return said
        kind = self._kind(self.cards[id], SECTIONS[section])  # as the card fits into the section
        self._kinds[section, id] = max(kind, 0)
        return _SPEAKS if kind < 0 else said

    def _told(self, card: Card, section: str, leader: Card | None) -> int:
        if self._judge.lets_in(card, section, leader):
            return _SILENT
        limits = self._judge.card_limits(card, section, leader)
        return self._bounded(limits.items()) if limits and all(limits.values()) else _SPEAKS

    def _kind(self, card: Card, section: str) -> int:
        """Return the bit of a card's kind, 0 where no rule looks at it and -1 where there are too many kinds."""
        kind = self._judge.group_keys(card, section)
        if not any(kind):
            return 0
        if kind not in self._kind_bits:
            if len(self._of_kind) == _MOST_KINDS:
                return -1
            self._kind_bits[kind] = 1 << len(self._of_kind)
            self._of_kind.append((card, section))
        return self._kind_bits[kind]

    def _bounded(self, let_be: Iterable[tuple[str, int]]) -> int:
        """Return what stands for these bounds, each a rule with how many copies it lets be."""
        bits = sum(1 << self._bounds.setdefault(one, len(self._bounds)) for one in let_be)
        if len(self._bounds) > _MOST_BOUNDS or (bits not in self._bound and len(self._bound) == _MOST_BOUND):
            return _SPEAKS
        if bits not in self._bound:
            self._bound.append(bits)
        return self._bound.index(bits)

    def _bind(self, settled: Marks, deck_of: Places, said: NDArray[np.uint8], counts: Numbers) -> None:
        """Leave the decks open that have more copies of cards under a bound than it lets be."""
        lines = np.flatnonzero(said > _UNKNOWN)
        bits = np.array(self._bound)[said[lines]]
        for (_, most), place in self._bounds.items() if lines.size else ():
            own = lines[bits >> place & 1 == 1]
            settled &= np.bincount(deck_of[own], counts[own], len(settled)) <= most

    def _repeated(self, deck_of: Places, ids: Numbers) -> Marks:
        """Return lines of cards that the same deck has in another line: each is stamped, and the last stamp stays."""
        places = deck_of * (self.unknown + 1) + ids
        lines = np.arange(len(ids), dtype=np.int32)
        self._stamps[places] = lines
        marks: Marks = self._stamps[places] != lines
        return marks

    def _shaped(self, starts: Places, counts: Numbers, sections: NDArray[np.uint8]) -> Marks:
        """Return the decks whose sizes every rule takes."""
        added = np.concatenate(([0], np.cumsum(counts.astype(np.int64) << _SHIFTS[sections])))
        shapes, at = np.unique(np.diff(added[starts]), return_inverse=True)
        return np.array([self._takes(shape) for shape in shapes.tolist()], bool)[at]

    def _takes(self, shape: int) -> bool:
        if shape not in self._shapes:
            if len(self._shapes) >= _MOST_SHAPES:
                self._shapes.clear()
            sizes = {one: shape >> place * _BITS & (1 << _BITS) - 1 for place, one in enumerate(SECTIONS)}
            self._shapes[shape] = shape >= 0 and self._judge.takes(sizes)
        return self._shapes[shape]

    def _mixed(self, starts: Places, ids: Numbers, sections: NDArray[np.uint8]) -> Marks | bool:
        """Return the decks whose kinds of cards every rule takes."""
        if not self._of_kind:
            return True
        kinds = np.append(self._kinds[sections, ids], 0)
        mixtures = np.where(np.diff(starts), np.bitwise_or.reduceat(kinds, starts)[:-1], 0)
        found, at = np.unique(mixtures, return_inverse=True)
        return np.array([self._takes_kinds(mixture) for mixture in found.tolist()], bool)[at]

    def _takes_kinds(self, mixture: int) -> bool:
        if mixture not in self._mixtures:
            if len(self._mixtures) >= _MOST_SHAPES:
                self._mixtures.clear()
            cards = [card for place, card in enumerate(self._of_kind) if mixture >> place & 1]
            self._mixtures[mixture] = self._judge.takes_groups(cards)
        return self._mixtures[mixture]

    @cached_property
    def _most(self) -> Numbers:
        """The copies of a card that a line of each section may have before a rule must be checked."""
        most = map(self._judge.unchecked_copies, SECTIONS)
        return np.array([_MOST_COUNT if one is None else min(one, _MOST_COUNT) for one in most], np.int32)


_SHIFTS = np.arange(len(SECTIONS), dtype=np.int64) * _BITS
