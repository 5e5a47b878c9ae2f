"""The columnar pre-judge: finds many decks at once for which a Judge has no finding."""

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
_MOST_COUNT = 15  # copies in a line
_MOST_LINES = ((1 << _BITS) - 1) // _MOST_COUNT  # lines, so that each size fits its bits; the Judge judges larger decks
_MOST_VIEWS = 1024
_MOST_SHAPES = 65_536  # also of sets of groups
_MOST_GROUPS = 62  # each is a bit
_PASSES, _OPEN, _UNKNOWN = range(
    3
)  # states of a card: no rule applies, the Judge must judge, not yet looked up; above: a set of bounds
_MOST_BOUNDS = 16
_MOST_BOUND_SETS = 256 - _UNKNOWN
_NO_LEADER, _NOT_ALLOWED, _UNSEEN = 0, -1, -2  # views: without a Leader, of a card that may not be one, of a new card


class Prejudge:
    """Finds clean decks, for which a Judge has no finding, with tables of the Judge's results.

    It contains no rule itself. The tables are for cards, groups of cards and section sizes. A table entry is filled in
    from the Judge at first use. A deck is clean if all rules accept its sizes and its groups of cards, and each line
    has a different card. Also, no rule may have more of its cards than always pass, and no card more copies than always
    pass. The Judge must judge the others. `cards` are those of the catalogue, with their index as id. `unknown` is the
    id of any other card.
    """

    def __init__(self, judge: Judge) -> None:
        """Prepare the tables of a Judge. Their states are computed when they are first needed."""
        self._judge = judge
        self.cards: Sequence[Card] = tuple(judge.catalogue)
        self.unknown = len(self.cards)  # the id of no card
        self._ids = {card: id for id, card in enumerate(self.cards)}
        self._view_of = np.full(self.unknown + 1, _UNSEEN, np.int32)
        self._view_of[self.unknown] = _NOT_ALLOWED
        self._views: dict[object, int] = {None: _NO_LEADER}
        self._leaders: list[Card | None] = [None]
        self._states = self._make_state_table(1)
        self._bounds: dict[tuple[str, int], int] = {}  # the bit of each rule with its number of copies
        self._bound: list[int] = [0] * (_UNKNOWN + 1)  # the bounds of each state, as bits
        self._shapes: dict[int, bool] = {}
        self._card_groups = np.zeros(
            (len(SECTIONS), self.unknown + 1), np.int64
        )  # the group bit of each card in each section
        self._group_bits: dict[tuple[object, ...], int] = {}
        self._group_cards: list[tuple[Card, str]] = []  # a card of each group, and its section
        self._mixtures: dict[int, bool] = {0: True}
        self._stamps = np.zeros(_AT_ONCE * (self.unknown + 1), np.int32)

    def card_id(self, number: str | None) -> int:
        """Return the id of the card of a number in any spelling. `unknown` for another number and for None."""
        card = self._judge.catalogue.by_number(number) if number else None
        return self.unknown if card is None else self._ids[card]

    def find_clean_decks(self, decks: StoredDecks) -> Marks:
        """Return an array with True for each clean deck, for which the Judge surely has no finding.

        Some decks without a finding are False too: the Judge must judge them. All are False if a rule must always be
        checked.
        """
        ids = decks.map_numbers(self.card_id)
        found = np.zeros(len(decks), bool)
        if self._judge.asks_always:
            return found
        readable = ~(decks.unreadable | decks.with_names | (decks.lines > _MOST_LINES))
        for first in range(0, len(decks), _AT_ONCE):
            end = min(first + _AT_ONCE, len(decks))
            lines = slice(int(decks.starts[first]), int(decks.starts[end]))
            starts = decks.starts[first : end + 1] - decks.starts[first]
            found[first:end] = self._find_clean_in_columns(
                starts, ids[lines], decks.counts[lines], decks.sections[lines]
            )
        return found & readable

    def _find_clean_in_columns(
        self, starts: Places, ids: Numbers, counts: Numbers, sections: NDArray[np.uint8]
    ) -> Marks:
        """Return an array with True for each clean deck of at most 1,024 decks.

        The lines of all decks are columns: deck i has the lines from `starts[i]` to `starts[i + 1]`.
        """
        sections = np.minimum(sections, len(SECTIONS) - 1)  # a deck with a line in no section is unreadable
        deck_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        views, clean = self._find_leader_views(starts, deck_of, ids, counts, sections)
        states = self._find_states(views[deck_of], ids, sections)
        is_open = (states == _OPEN) | (counts > self._most_copies[sections]) | self._find_repeated_cards(deck_of, ids)
        clean[deck_of[np.flatnonzero(is_open)]] = False
        self._unmark_exceeded_bounds(clean, deck_of, states, counts)
        return clean & self._find_legal_sizes(starts, counts, sections) & self._find_legal_groups(starts, ids, sections)

    def _find_leader_views(
        self, starts: Places, deck_of: Places, ids: Numbers, counts: Numbers, sections: NDArray[np.uint8]
    ) -> tuple[Numbers, Marks]:
        """Return `(view of each deck, array of True for each deck with no Leader or one legal Leader)`.

        A view is the index of the table rows for a Leader, or for decks without one. A Leader with several copies is
        not legal. `deck_of` is the deck of each line.
        """
        views = np.zeros(len(starts) - 1, np.int32)
        lines = np.flatnonzero(sections == _LEADER)
        leader_views = self._view_of[ids[lines]]
        if (unseen := np.flatnonzero(leader_views == _UNSEEN)).size:
            for id in np.unique(ids[lines[unseen]]).tolist():
                self._view_of[id] = self._find_view(self.cards[id])
            leader_views = self._view_of[ids[lines]]
        views[deck_of[lines]] = np.maximum(leader_views, _NO_LEADER)
        clean = np.bincount(deck_of[lines], minlength=len(views)) <= 1
        clean[deck_of[lines[(leader_views == _NOT_ALLOWED) | (counts[lines] > 1)]]] = False
        return views, clean

    def _find_view(self, leader: Card) -> int:
        """Return the view of a card as a Leader: the index of its table rows.

        Leaders that all rules treat alike share one. Return _NOT_ALLOWED if a rule may have a finding about the card as
        a Leader, or there are 1,024 views. Adds rows for a new view.
        """
        if not self._judge.lets_in(leader, "leader", leader):
            return _NOT_ALLOWED
        group = self._judge.leader_group_key(leader)
        if group not in self._views:
            if len(self._leaders) >= _MOST_VIEWS:
                return _NOT_ALLOWED
            self._views[group] = len(self._leaders)
            self._leaders.append(leader)
            if len(self._leaders) > len(self._states):
                self._states = np.concatenate((self._states, self._make_state_table(len(self._states))))
        return self._views[group]

    def _make_state_table(self, views: int) -> NDArray[np.uint8]:
        """Return a table of states by view, section and card id.

        All are _UNKNOWN, but those of unknown cards are _OPEN.
        """
        rows = np.full((views, len(SECTIONS), self.unknown + 1), _UNKNOWN, np.uint8)
        rows[:, :, self.unknown] = _OPEN
        return rows

    def _find_states(self, views: Numbers, ids: Numbers, sections: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the state of the card of each line, under the view of its deck. States that are missing are looked up.

        _OPEN is for cards that the Judge must judge, such as unknown ones, _PASSES for cards without a rule. Higher
        numbers are sets of bounds on copies.
        """
        places = (views * len(SECTIONS) + sections) * (self.unknown + 1) + ids
        states: NDArray[np.uint8] = self._states.reshape(-1)[places]
        if (new := np.flatnonzero(states == _UNKNOWN)).size:
            for place in np.unique(places[new]).tolist():
                self._states.reshape(-1)[place] = self._find_state(place)
            states = self._states.reshape(-1)[places]
        return states

    def _find_state(self, table_index: int) -> int:
        """Return the state at an index of the flat state table: of a card in a section under a Leader.

        Also stores the card's group for the section, unless the state is _OPEN.
        """
        row, id = divmod(table_index, self.unknown + 1)
        view, section = divmod(row, len(SECTIONS))
        state = self._find_rule_state(self.cards[id], SECTIONS[section], self._leaders[view])
        if state == _OPEN:
            return state
        group = self._find_group_bit(self.cards[id], SECTIONS[section])  # as the card fits into the section
        self._card_groups[section, id] = max(group, 0)
        return _OPEN if group < 0 else state

    def _find_rule_state(self, card: Card, section: str, leader: Card | None) -> int:
        """Return the state of a card by the rules on single cards. _PASSES if no rule applies to the card.

        If each rule that applies lets some copies pass, the state is that of these bounds. Else it is _OPEN.
        """
        if self._judge.lets_in(card, section, leader):
            return _PASSES
        limits = self._judge.card_limits(card, section, leader)
        return self._find_bound_state(limits.items()) if limits and all(limits.values()) else _OPEN

    def _find_group_bit(self, card: Card, section: str) -> int:
        """Return the bit of a card's group in a section, a new one for a new group.

        Cards with the same group keys share one. Return 0 if no rule groups the card, -1 if a new group would be the
        63rd.
        """
        keys = self._judge.group_keys(card, section)
        if not any(keys):
            return 0
        if keys not in self._group_bits:
            if len(self._group_cards) == _MOST_GROUPS:
                return -1
            self._group_bits[keys] = 1 << len(self._group_cards)
            self._group_cards.append((card, section))
        return self._group_bits[keys]

    def _find_bound_state(self, limits: Iterable[tuple[str, int]]) -> int:
        """Return the state of a card with these bounds, a new one for a new set.

        A bound is (rule, copies that always pass). Return _OPEN if there are more than 16 bounds or too many sets of
        them.
        """
        bits = sum(1 << self._bounds.setdefault(bound, len(self._bounds)) for bound in limits)
        if len(self._bounds) > _MOST_BOUNDS or (bits not in self._bound and len(self._bound) == _MOST_BOUND_SETS):
            return _OPEN
        if bits not in self._bound:
            self._bound.append(bits)
        return self._bound.index(bits)

    def _unmark_exceeded_bounds(
        self, clean: Marks, deck_of: Places, states: NDArray[np.uint8], counts: Numbers
    ) -> None:
        """Set `clean` to False for each deck that has more copies of cards under a bound than always pass.

        `deck_of` is the deck of each line, and `states` the state of its card.
        """
        lines = np.flatnonzero(states > _UNKNOWN)
        bits = np.array(self._bound)[states[lines]]
        for (_, most), place in self._bounds.items() if lines.size else ():
            own = lines[bits >> place & 1 == 1]
            clean &= np.bincount(deck_of[own], counts[own], len(clean)) <= most

    def _find_repeated_cards(self, deck_of: Places, ids: Numbers) -> Marks:
        """Return an array with True for each line whose card is also on a later line of the deck.

        Each line writes its number to a place for its deck and card, where a later line overwrites it.
        """
        places = deck_of * (self.unknown + 1) + ids
        lines = np.arange(len(ids), dtype=np.int32)
        self._stamps[places] = lines
        marks: Marks = self._stamps[places] != lines
        return marks

    def _find_legal_sizes(self, starts: Places, counts: Numbers, sections: NDArray[np.uint8]) -> Marks:
        """Return an array with True for each deck whose section sizes all rules accept."""
        added = np.concatenate(([0], np.cumsum(counts.astype(np.int64) << _SHIFTS[sections])))
        shapes, indices = np.unique(np.diff(added[starts]), return_inverse=True)
        return np.array([self._accepts_sizes(shape) for shape in shapes.tolist()], bool)[indices]

    def _accepts_sizes(self, shape: int) -> bool:
        """Return True if the rules allow these section sizes. The result is cached.

        `shape` has all sizes packed into one number, 10 bits for each of SECTIONS from the lowest on. A negative one is
        False.
        """
        if shape not in self._shapes:
            if len(self._shapes) >= _MOST_SHAPES:
                self._shapes.clear()
            sizes = {section: shape >> place * _BITS & (1 << _BITS) - 1 for place, section in enumerate(SECTIONS)}
            self._shapes[shape] = shape >= 0 and self._judge.takes(sizes)
        return self._shapes[shape]

    def _find_legal_groups(self, starts: Places, ids: Numbers, sections: NDArray[np.uint8]) -> Marks | bool:
        """Return an array with True for each deck whose groups of cards all rules accept.

        Return the single value True if no card so far has a group.
        """
        if not self._group_cards:
            return True
        groups = np.append(self._card_groups[sections, ids], 0)
        mixtures = np.where(np.diff(starts), np.bitwise_or.reduceat(groups, starts)[:-1], 0)
        found, indices = np.unique(mixtures, return_inverse=True)
        return np.array([self._accepts_groups(mixture) for mixture in found.tolist()], bool)[indices]

    def _accepts_groups(self, mixture: int) -> bool:
        """Return True if the rules allow cards of all these groups in one deck. The result is cached.

        `mixture` has one bit for each group.
        """
        if mixture not in self._mixtures:
            if len(self._mixtures) >= _MOST_SHAPES:
                self._mixtures.clear()
            cards = [card for place, card in enumerate(self._group_cards) if mixture >> place & 1]
            self._mixtures[mixture] = self._judge.takes_groups(cards)
        return self._mixtures[mixture]

    @cached_property
    def _most_copies(self) -> Numbers:
        """The copies of a card that a line of each section may have before a rule must be checked, at most 15."""
        most = map(self._judge.unchecked_copies, SECTIONS)
        return np.array([_MOST_COUNT if copies is None else min(copies, _MOST_COUNT) for copies in most], np.int32)


_SHIFTS = np.arange(len(SECTIONS), dtype=np.int64) * _BITS
