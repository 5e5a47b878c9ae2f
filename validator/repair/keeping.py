"""Keeping: the plan that keeps as many cards of a stock as caps and sizes allow, computed as a cheapest flow.

Caps over several sections (a number, a keyword) and caps within one section (a class, a clause, a size) are two
laminar families: any two sets of a family are disjoint or one contains the other. So each family is a tree. The flow
runs down the tree of the first family to each card in each section, and up the tree of the second one. Cards that the
same caps contain are one kind in the network.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from validator.findings import Finding
from validator.repair.demands import ANY, Cap, Demands, SectionSize
from validator.repair.stock import CHANGE, FROM_MAIN, OUT, Cell, Counts, Piece, Plan, Stock, by_number


class Conflict(NamedTuple):
    """The reason why there is no plan: the demand of this finding contradicts the fixed cards."""

    finding: Finding | None


class Split(NamedTuple):
    """Two caps that overlap, so that they fit no tree.

    The plan depends on how many of their common cards are kept.
    """

    first: Cap
    second: Cap


@dataclass(eq=False, slots=True)
class _Kind:
    """Cards that are equal in the flow network, with the copies that may stay in, or come to, each section."""

    pieces: list[Piece] = field(default_factory=list)
    staying: dict[str, int] = field(default_factory=dict)
    coming: dict[str, int] = field(default_factory=dict)
    stock: int = 0


_Leaf = tuple[_Kind, str]
_Set = tuple[frozenset[_Leaf], int, Cap]


def plan_keeping_most(stock: Stock, demands: Demands, fixed: Counts) -> Plan | Conflict | Split:
    """Return the plan with the fewest changes that meets the demands. Cells in `fixed` keep these numbers of copies.

    A fixed Leader is the only card of its section, and is in no other section. Returns a Conflict if there is no plan,
    and a Split if two caps overlap.
    """
    sizes: dict[str, SectionSize] = {}
    for section, size in demands.sizes.items():
        fixed_copies = sum(copies for cell, copies in fixed.items() if cell[1] == section)
        sizes[section] = size._replace(minimum=max(0, size.minimum - fixed_copies), maximum=size.maximum - fixed_copies)
        if sizes[section].maximum < sizes[section].minimum:
            return Conflict(size.finding)
    for cap in demands.caps.values():
        if cap.limit < sum(fixed.get(cell, 0) for cell in cap.cells):
            return Conflict(cap.finding)
    return _Keeping(stock, demands.caps.values(), sizes, fixed).plan()


class _Keeping:
    """The flow problem of one stock under caps and sizes: its kinds of cards, and the plan that results."""

    def __init__(self, stock: Stock, caps: Iterable[Cap], sizes: Mapping[str, SectionSize], fixed: Counts) -> None:
        """Group the cards of a stock for the flow problem. Cells in `fixed` keep their copies."""
        self._stock = stock
        self._sizes = sizes
        self._fixed = fixed
        self._places = {piece: self._places_of(piece) for piece in stock.pieces}
        self._room: dict[Cell, int] = {}
        self._caps = [cap for cap in caps if not self._is_room_limit(cap)]
        self._kinds = self._group_cards()

    def _places_of(self, piece: Piece) -> list[str]:
        """Return the sections in which the copies of a card may change. The leader section is none of them."""
        if (piece, "leader") in self._fixed:
            return []
        places = self._stock.places(piece)
        return [section for section in places if section != "leader" and (piece, section) not in self._fixed]

    def _is_room_limit(self, cap: Cap) -> bool:
        """Return True if a cap needs no set of its own in the network.

        That is so if it limits single cells, whose room is recorded, or if it cannot be exceeded.
        """
        cells = [cell for cell in cap.cells if cell[1] in self._places.get(cell[0], ())]
        limit = self._free_of_cap(cap)
        if len(cells) > 1 and limit:
            return sum(self._count_loose(piece) for piece in {piece for piece, _ in cells}) <= limit
        for cell in cells:
            self._room[cell] = min(limit, self._room.get(cell, ANY))
        return True

    def _free_of_cap(self, cap: Cap) -> int:
        """Return the number of copies that a cap allows besides the fixed ones."""
        return cap.limit - sum(self._fixed.get(cell, 0) for cell in cap.cells)

    def _count_loose(self, piece: Piece) -> int:
        """Return the number of copies of a card that are not fixed."""
        copies_by_section = self._stock.pieces[piece].items()
        return sum(copies for section, copies in copies_by_section if (piece, section) not in self._fixed)

    def _group_cards(self) -> list[_Kind]:
        """Return the kinds of the cards. The cards of a kind may be in the same sections, under the same caps.

        A card without a section in which its copies may be is of no kind. A card with several sections, one of which
        has limited room for the card, is a kind of its own.
        """
        about: dict[Cell, list[int]] = {}
        for cap_index, cap in enumerate(self._caps):
            for cell in cap.cells:
                about.setdefault(cell, []).append(cap_index)
        kinds: dict[object, _Kind] = {}
        for piece, places in self._places.items():
            rooms = {section: room for section in places if (room := self._room.get((piece, section), ANY))}
            if rooms:
                own = piece if len(rooms) > 1 and min(rooms.values()) < ANY else None
                key = own, tuple((section, tuple(about.get((piece, section), ()))) for section in rooms)
                self._add_to_kind(kinds.setdefault(key, _Kind()), piece, rooms)
        return list(kinds.values())

    def _add_to_kind(self, kind: _Kind, piece: Piece, rooms: Mapping[str, int]) -> None:
        """Add a card to a kind, with the copies that may stay in and come to each section."""
        copies_by_section, loose = self._stock.pieces[piece], self._count_loose(piece)
        kind.pieces.append(piece)
        kind.stock += loose
        for section, room in rooms.items():
            staying = min(room, copies_by_section.get(section, 0))
            kind.staying[section] = kind.staying.get(section, 0) + staying
            kind.coming[section] = kind.coming.get(section, 0) + min(room, loose) - staying

    def plan(self) -> Plan | Split:
        """Return the plan that keeps most cards.

        If two caps overlap so that no network can have both, return a Split of them.
        """
        down: list[_Set] = [self._kind_set(kind) for kind in self._kinds if len(kind.staying) > 1]
        up: list[_Set] = list(self._section_sets())
        for capped in self._cap_sets():
            (up if len({section for _, section in capped[0]}) == 1 else down).append(capped)
        for family in (down, up):
            found = _nest([leaves for leaves, _, _ in family])
            if isinstance(found, _Crossing):
                return Split(family[found.first][2], family[found.second][2])
        return self._build_plan(_Flow(self._kinds, down, up, self._sizes))

    def _cap_sets(self) -> Iterator[_Set]:
        """Yield the set of each cap, without the fixed cells."""
        kind_of = {piece: kind for kind in self._kinds for piece in kind.pieces}
        for cap in self._caps:
            leaves = frozenset((kind_of[p], s) for p, s in cap.cells if p in kind_of and s in kind_of[p].staying)
            yield leaves, self._free_of_cap(cap), cap

    def _kind_set(self, kind: _Kind) -> _Set:
        """Return the set of all cells of a kind, limited to its copies."""
        cells = frozenset((piece, section) for piece in kind.pieces for section in kind.staying)
        return frozenset((kind, section) for section in kind.staying), kind.stock, Cap(cells, kind.stock)

    def _section_sets(self) -> Iterator[_Set]:
        """Yield the set of all cells of each section, without a limit."""
        leaves: dict[str, list[_Leaf]] = {}
        for kind in self._kinds:
            for section in kind.staying:
                leaves.setdefault(section, []).append((kind, section))
        for found in leaves.values():
            yield frozenset(found), ANY, Cap(frozenset(), ANY)

    def _build_plan(self, flow: _Flow) -> Plan:
        """Return the plan that a solved network describes."""
        counts = dict(self._fixed)
        for kind in self._kinds:
            self._keep_staying(kind, flow.count_staying, counts)
            self._bring_coming(kind, flow.count_coming, counts)
        held: dict[str, int] = {}
        for (_, section), copies in counts.items():
            held[section] = held.get(section, 0) + copies
        wanted = {section: size.minimum + self._fixed_in(section) for section, size in self._sizes.items()}
        missing = {section: least - held.get(section, 0) for section, least in wanted.items()}
        return Plan(self._stock, counts, {section: many for section, many in missing.items() if many > 0})

    def _fixed_in(self, section: str) -> int:
        """Return the number of fixed cards of a section."""
        return sum(copies for cell, copies in self._fixed.items() if cell[1] == section)

    def _keep_staying(self, kind: _Kind, staying: Callable[[_Leaf], int], counts: dict[Cell, int]) -> None:
        """Add the copies of a kind that stay to `counts`: first the cards with the most copies."""
        stock_counts = self._stock.counts
        for section in kind.staying:
            left = staying((kind, section))
            cells = [(piece, section) for piece in kind.pieces if (piece, section) in stock_counts]
            for cell in sorted(cells, key=lambda cell: (-stock_counts[cell], by_number(cell[0]))):
                counts[cell] = min(left, stock_counts[cell], self._room.get(cell, ANY))
                left -= counts[cell]

    def _bring_coming(self, kind: _Kind, coming: Callable[[_Leaf], int], counts: dict[Cell, int]) -> None:
        """Add the copies of a kind that come from other sections to `counts`."""
        for section in kind.coming:
            wanted = coming((kind, section))
            for piece in kind.pieces if wanted else ():
                cell, loose = (piece, section), self._count_loose(piece)
                here = sum(counts.get((piece, place), 0) for place in self._places[piece])
                copies = min(wanted, loose - here, self._room.get(cell, ANY) - counts.get(cell, 0))
                counts[cell] = counts.get(cell, 0) + copies
                wanted -= copies


class _Flow:
    """The network of two families of sets over the same leaves, and the cheapest flow through it."""

    def __init__(
        self, kinds: Iterable[_Kind], down: Iterable[_Set], sets: Iterable[_Set], sizes: Mapping[str, SectionSize]
    ) -> None:
        """Build the flow network: from each kind of card, through nested sets with limits, to the sections."""
        self._network = net = _Network()
        self._arcs: dict[_Leaf, tuple[int, int]] = {}
        source, sink = net.add_node(), net.add_node()
        into = self._add_set_tree(list(down), source, lambda outer, inner, limit: net.add_arc(outer, inner, limit))
        out_of = self._add_set_tree(
            list(sets), sink, lambda outer, inner, limit: net.add_arc(inner, outer, limit), sizes
        )
        for kind in kinds:
            for section, staying in kind.staying.items():
                leaf = kind, section
                tail, head = into.get(leaf, source), out_of[leaf]
                saved = CHANGE + OUT + (FROM_MAIN if section == "main" else 0)
                self._arcs[leaf] = (
                    net.add_arc(tail, head, staying, -saved),
                    net.add_arc(tail, head, kind.coming[section], -OUT),
                )
        net.reduce_cost(source, sink)

    def _add_set_tree(
        self,
        sets: list[_Set],
        root: int,
        join: Callable[[int, int, int], int],
        sizes: Mapping[str, SectionSize] | None = None,
    ) -> dict[_Leaf, int]:
        """Add the nodes and arcs of one family, and return the node of each leaf."""
        found = _nest([leaves for leaves, _, _ in sets])
        assert not isinstance(found, _Crossing), "`plan` has checked this before"
        nodes = [self._network.add_node() for _ in sets]
        for (leaves, limit, _), node, around in zip(sets, nodes, found.around, strict=True):
            if around is not None:
                join(nodes[around], node, limit)
            elif sizes is not None:
                self._join_section(node, root, sizes.get(next(iter(leaves))[1]))
            else:
                join(root, node, limit)
        return {leaf: nodes[index] for leaf, index in found.inmost.items()}

    def _join_section(self, node: int, sink: int, size: SectionSize | None) -> None:
        """Join a section to the sink, with its size as the capacity. A card that is missing costs one change."""
        if size is None:
            self._network.add_arc(node, sink, ANY)
            return
        self._network.add_arc(node, sink, size.minimum, -CHANGE)
        self._network.add_arc(node, sink, size.maximum - size.minimum)

    def count_staying(self, leaf: _Leaf) -> int:
        """Return the number of cards of a kind that stay in a section."""
        return self._network.flow_through(self._arcs[leaf][0])

    def count_coming(self, leaf: _Leaf) -> int:
        """Return the number of cards of a kind that come into a section from others."""
        return self._network.flow_through(self._arcs[leaf][1])


class _Nested(NamedTuple):
    """The sets of a family as a tree. `around` has the index of the next larger set, None for a root."""

    around: list[int | None]
    inmost: dict[_Leaf, int]


class _Crossing(NamedTuple):
    """The indexes of two sets that overlap although neither contains the other."""

    first: int
    second: int


def _nest(sets: list[frozenset[_Leaf]]) -> _Nested | _Crossing:
    """Return the tree of a family, or the first two sets that cross.

    The time grows with the sizes of the sets.
    """
    around: list[int | None] = [None] * len(sets)
    inmost: dict[_Leaf, int] = {}
    for index in sorted(range(len(sets)), key=lambda index: -len(sets[index])):
        found = {inmost.get(leaf) for leaf in sets[index]}
        if len(found) > 1:
            return _Crossing(
                min(outer for outer in found if outer is not None and not sets[index] <= sets[outer]), index
            )
        around[index] = next(iter(found), None)
        inmost |= dict.fromkeys(sets[index], index)
    return _Nested(around, inmost)


class _Network:
    """A directed network with the cheapest flow through it, by augmenting paths.

    Every arc has a capacity and a cost for each unit. A new network must not contain a cycle.
    """

    def __init__(self) -> None:
        """Make a network without nodes."""
        self._heads: list[int] = []
        self._capacities: list[int] = []  # free capacities; every second arc is the reverse of the arc before
        self._costs: list[int] = []
        self._leaving: list[list[int]] = []

    def add_node(self) -> int:
        """Add a node to the network, and return its index."""
        self._leaving.append([])
        return len(self._leaving) - 1

    def add_arc(self, tail: int, head: int, capacity: int, cost: int = 0) -> int:
        """Add an arc with a capacity and a cost for each unit. Return its index."""
        arc = len(self._heads)
        self._heads += head, tail
        self._capacities += capacity, 0
        self._costs += cost, -cost
        self._leaving[tail].append(arc)
        self._leaving[head].append(arc + 1)
        return arc

    def flow_through(self, arc: int) -> int:
        """Return the units that flow through the arc of an index."""
        return self._capacities[arc + 1]

    def reduce_cost(self, source: int, sink: int) -> None:
        """Increase the flow from source to sink as long as that makes its total cost smaller."""
        while path := self._cheapest_path(source, sink):
            units = min(self._capacities[arc] for arc in path)
            for arc in path:
                self._capacities[arc] -= units
                self._capacities[arc ^ 1] += units

    def _cheapest_path(self, source: int, sink: int) -> list[int]:
        """Return the arcs of the cheapest path, in reverse order. Empty if no path has a negative cost."""
        last_arcs = self._last_arcs(source)
        arc, saved, path = last_arcs[sink], 0, []
        while arc >= 0:
            path.append(arc)
            saved += self._costs[arc]
            arc = last_arcs[self._heads[arc ^ 1]]
        return path if saved < 0 else []

    def _last_arcs(self, source: int) -> list[int]:
        """Return for each node the last arc of the cheapest path to it, -1 if there is no path."""
        costs: list[int | None] = [None] * len(self._leaving)
        last_arcs = [-1] * len(self._leaving)
        costs[source] = 0
        waiting, queued = deque([source]), {source}
        while waiting:
            tail = waiting.popleft()
            queued.discard(tail)
            here = costs[tail] or 0
            for arc in self._leaving[tail]:
                head = self._heads[arc]
                known = costs[head]
                if self._capacities[arc] and (known is None or here + self._costs[arc] < known):
                    costs[head], last_arcs[head] = here + self._costs[arc], arc
                    if head not in queued:
                        queued.add(head)
                        waiting.append(head)
        return last_arcs
