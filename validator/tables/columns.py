"""Columns: the role of each column of a table, from one score of its heading, its cells and the columns beside it.

A table has a row for each card or a row for each deck. Each column is scored for the roles of both, and the reading
with the better evidence counts. In it the best pair of column and role is taken first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from validator.tables import cell_kinds
from validator.tables.column_samples import NO_ROWS, Column, IsCard, RowSample, Sample
from validator.tables.column_scores import LEAST, SOMEBODY, Scores
from validator.tables.headings import (
    CARD,
    COUNT,
    DECKLIST,
    EVENT,
    LAST,
    NOMBRE,
    NUMBER,
    PLAYER,
    PLAYER_ID,
    SECTION,
    SIDE,
    TYPE,
)

WHO = (*SOMEBODY, PLAYER_ID, EVENT)
_ROLES_OF_CARDS = (NUMBER, CARD, COUNT, SECTION, SIDE, TYPE, *WHO)
_ROLES_OF_DECKS = (DECKLIST, *WHO)


@dataclass
class Columns:
    """The columns of a table by position from 0, with their roles and all headings ("" for a column without one).

    `roles` has the positions of each role, from left to right. `parts` has the section of each column that holds the
    cards of one section beside the deck list, or the Leader beside the cards. `counts` has the section of each column
    that counts the copies of one section. The role COUNT beside them is their sum. `unknown` are columns with a heading
    and without a role. `certain` is the number of roles that headings name. `from_cells` are the columns with a role
    that only their cells show.
    """

    titles: Sequence[str]
    roles: dict[str, list[int]] = field(default_factory=dict)
    parts: dict[int, str] = field(default_factory=dict)
    counts: dict[int, str] = field(default_factory=dict)
    unknown: list[int] = field(default_factory=list)
    certain: int = 0
    from_cells: set[int] = field(default_factory=set)

    def has(self, *roles: str) -> bool:
        """Return True if at least one column has one of these roles."""
        return any(role in self.roles for role in roles)

    def first(self, role: str) -> int | None:
        """Return the leftmost position of a role. None if no column has the role."""
        return self.roles[role][0] if role in self.roles else None

    def free(self, *roles: str) -> list[int]:
        """Return the positions of columns that are available for a role, from left to right.

        They have no role, or the type of a card, or one of the given roles. Columns in `parts` and `counts` are not
        available.
        """
        taken = {at for role, places in self.roles.items() if role not in (TYPE, *roles) for at in places}
        return [at for at in range(len(self.titles)) if at not in taken | self.parts.keys() | self.counts.keys()]

    def places(self, *roles: str) -> list[int]:
        """Return the positions of all columns of these roles, role by role in the given order."""
        return [at for role in roles for at in self.roles.get(role, ())]

    @property
    def has_counts(self) -> bool:
        """True if a column counts copies, in all sections or in one."""
        return COUNT in self.roles or bool(self.counts)

    @property
    def is_list(self) -> bool:
        """True if each row is a deck: a column has deck lists, and no two other columns have cards and their counts."""
        return DECKLIST in self.roles and not (self.has(NUMBER, CARD) and self.has_counts)

    @property
    def are_headings(self) -> bool:
        """True if these can be the headings of a table of decks.

        Such a table has deck lists with players, or cards with counts, players or sections.
        """
        if DECKLIST in self.roles:
            return self.has(PLAYER, PLAYER_ID, LAST)
        return self.has(NUMBER, CARD) and (self.has_counts or self.has(PLAYER, PLAYER_ID, LAST, SECTION, SIDE))

    @property
    def are_named(self) -> bool:
        """True if the headings suffice, without cells, to recognise the headings of a table of decks.

        Card numbers and sections may be known only from cells, if headings name two roles and one is for card names or
        counts.
        """
        named = {role: places for role, places in self.roles.items() if not self.from_cells.issuperset(places)}
        is_of_cards = CARD in named or COUNT in named or self.counts
        if is_of_cards and self.certain > 1:
            named |= {role: self.roles[role] for role in (NUMBER, SECTION) if role in self.roles}
        return Columns(self.titles, named, counts=self.counts).are_headings


def infer_columns(
    titles: Sequence[str],
    sample: Sample = lambda column: (),
    is_card: IsCard = lambda name: False,
    row_sample: RowSample = NO_ROWS,
) -> Columns:
    """Return the roles of columns with these headings. A heading is "" if there is none.

    `sample` returns some cells of a position without blank ones, and `row_sample` has their rows. `is_card` tests the
    name of a card. Small numbers under an unknown heading are not enough for counts, see
    `validator.decklists.titled_columns`.
    """
    scores = Scores(titles, sample, is_card, row_sample)
    rows_are_decks = scores.deck_points() >= max(scores.card_points(), 0.1)
    layout = Columns(titles)
    if not rows_are_decks:
        layout.counts = dict(scores.counts)
    _assign(layout, scores, rows_are_decks)
    if rows_are_decks:
        layout.parts = dict(_find_parts(layout, scores))
    elif layout.has(NUMBER, CARD):
        layout.parts = dict(_find_leader(layout, scores))
    layout.certain = scores.certain
    layout.unknown = [at for at in layout.free() if titles[at]]
    return layout


def _assign(layout: Columns, scores: Scores, rows_are_decks: bool) -> None:
    """Assign roles to columns in `layout.roles` and `layout.from_cells`, the pair with the most points first.

    A pair of column and role needs at least 1 point, and the leftmost of equal columns is first. A column gets one
    role. A role gets further columns only if their headings repeat the first one's (`_joins`). In a table of cards,
    columns of totals have the role COUNT, and columns that count one section get no role.
    """
    pairs: list[tuple[float, int, str, float]] = []
    roles = _ROLES_OF_DECKS if rows_are_decks else _ROLES_OF_CARDS
    for column in scores.columns if rows_are_decks else scores.open:
        for role in roles:
            named, held = scores.score(column, role, rows_are_decks)
            if named + held >= LEAST:
                pairs.append((named + held, -column.position, role, named))
    taken: set[int] = set()
    if scores.totals and not rows_are_decks:
        layout.roles[COUNT] = list(scores.totals)
    for _, position, role, named in sorted(pairs, key=lambda pair: (-pair[0], -pair[1])):
        column = scores.columns[-position]
        if column.position in taken or (role in layout.roles and not _joins(layout, scores, column, role)):
            continue
        layout.roles.setdefault(role, []).append(column.position)
        layout.roles[role].sort()
        taken.add(column.position)
        if not named:
            layout.from_cells.add(column.position)


def _joins(layout: Columns, scores: Scores, column: Column, role: str) -> bool:
    """Return True if a column may have a role in addition to the columns that `layout` lists for the role.

    That is so if both headings are wordings for the role of the same rank, or are both counts such as "Deck Qty" and
    "Qty in deck". Counts "Nombre" are joined only with each other. Columns "Name" are joined if most cells are cards.
    """
    first = scores.columns[layout.roles[role][0]].heading
    own = column.heading
    if role == COUNT and NOMBRE in (first.key, own.key):
        return own.key == first.key or own.called == first.called
    if role == CARD and own.is_name and own.key == first.key:
        return column.share(scores.is_any_card) > 0.5
    if role == COUNT and own.counts_copies and first.counts_copies and not own.role and not first.role:
        return True
    return own.called == first.called == role and own.rank == first.rank


def _find_parts(layout: Columns, scores: Scores) -> Iterator[tuple[int, str]]:
    """Yield `(position, section)` of free columns whose headings name a section, in a table with a deck in each row.

    Columns whose cells are all digits are skipped. If the deck list column holds lists, so are columns "Main deck"
    without lists. Then only the Leader column with the most card numbers is included.
    """
    are_lists = any(scores.columns[at].holds_lists for at in layout.roles.get(DECKLIST, ()))
    parts = [column for column in scores.columns if column.heading.part and column.position in layout.free()]
    parts = [column for column in parts if column.share(str.isdigit) < 1]
    leaders = [column for column in parts if column.heading.part == "leader"]
    leader = max(leaders, key=lambda column: column.share(cell_kinds.has_card_number), default=None)
    for column in parts:
        is_remark = (
            column is not leader if column in leaders else column.heading.part == "main" and not column.holds_lists
        )
        if column.heading.part and not (are_lists and is_remark):
            yield column.position, column.heading.part


def _find_leader(layout: Columns, scores: Scores) -> Iterator[tuple[int, str]]:
    """Yield `(position, "leader")` of the first free column with Leaders, in a table with a card in each row.

    Its heading names the Leader, and more than half of its cells are cards. At most one column is yielded.
    """
    for at in layout.free():
        column = scores.columns[at]
        if column.heading.part == "leader" and column.share(scores.is_any_card) > 0.5:
            yield at, "leader"
            return
