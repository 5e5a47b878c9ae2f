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
from validator.repair.stock import CHANGE, FROM_MAIN, OUT, Cell, Counts, Piece, Plan, Stock, card_sort_key


class Conflict(NamedTuple):
    """The reason why there is no plan: the demand of `finding` contradicts the fixed cards.

    None: the search set the demand.
    """

    finding: Finding | None


class Split(NamedTuple):
    """Two caps that have common cells, so that no plan can be computed with both.

    The plan depends on how many of their common cards are kept.
    """

    first: Cap
    second: Cap


@dataclass(eq=False, slots=True)
class _Kind:
    """Cards that are equal in the flow network, because the same caps contain them in the same sections.

    `staying` are the copies that may stay in each section, `coming` those that may come to it from other sections.
    `stock` is the number of copies in the deck that are not fixed.
    """

    pieces: list[Piece] = field(default_factory=list)
    staying: dict[str, int] = field(default_factory=dict)
    coming: dict[str, int] = field(default_factory=dict)
    stock: int = 0


_Leaf = tuple[_Kind, str]
_Set = tuple[frozenset[_Leaf], int, Cap]


def plan_keeping_most(stock: Stock, demands: Demands, fixed: Counts) -> Plan | Conflict | Split:
    """Return the plan with the fewest changes that meets the demands. Cells in `fixed` keep these numbers of copies.

    A cell is a pair `(card, section)`. A fixed Leader is the only card of its section, and is in no other section.
    Returns a Conflict if there is no plan, and a Split if two caps overlap.
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
    """The computation of the plan that keeps most cards of one stock, under caps and sizes, as a flow in a network."""

    def __init__(self, stock: Stock, caps: Iterable[Cap], sizes: Mapping[str, SectionSize], fixed: Counts) -> None:
        """Group the cards of a stock into kinds. `fixed` are the copies by `(card, section)` that must not change.

        `sizes` are the sizes by section for the cards that are not fixed. Caps that need no set in the network are left
        out.
        """
        self._stock = stock
        self._sizes = sizes
        self._fixed = fixed
        self._places = {piece: self._places_of(piece) for piece in stock.pieces}
        self._caps, self._room = self._split_caps(caps)
        self._kinds = self._group_cards()

    def _places_of(self, piece: Piece) -> list[str]:
        """Return the sections in which the copies of a card may change. The leader section is none of them.

        Empty for the fixed Leader. Sections with fixed copies of the card are left out.
        """
        if (piece, "leader") in self._fixed:
            return []
        places = self._stock.places(piece)
        return [section for section in places if section != "leader" and (piece, section) not in self._fixed]

    def _split_caps(self, caps: Iterable[Cap]) -> tuple[list[Cap], dict[Cell, int]]:
        """Return the caps that need a set of their own in the network, and the room of cells that other caps limit.

        A cell is a pair of card and section, and its room the most copies. A cap without room besides fixed copies
        limits each of its cells to 0. A cap of several cells that cannot be exceeded is left out.
        """
        shared_caps: list[Cap] = []
        room: dict[Cell, int] = {}
        for cap in caps:
            cells = [cell for cell in cap.cells if cell[1] in self._places.get(cell[0], ())]
            limit = self._free_of_cap(cap)
            if len(cells) < 2 or not limit:
                room |= {cell: min(limit, room.get(cell, ANY)) for cell in cells}
            elif sum(self._count_loose(piece) for piece in {piece for piece, _ in cells}) > limit:
                shared_caps.append(cap)
        return shared_caps, room

    def _free_of_cap(self, cap: Cap) -> int:
        """Return the number of copies that a cap allows besides the fixed ones."""
        return cap.limit - sum(self._fixed.get(cell, 0) for cell in cap.cells)

    def _count_loose(self, piece: Piece) -> int:
        """Return the number of copies of a card in the deck that are not fixed."""
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
        """Add a card to a kind, with the copies that may stay in and come to each section.

        `rooms` are the most copies by section.
        """
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
        down_tree = _nest(down)
        if isinstance(down_tree, Split):
            return down_tree
        up_tree = _nest(up)
        if isinstance(up_tree, Split):
            return up_tree
        return self._build_plan(_Flow(self._kinds, down_tree, up_tree, self._sizes))

    def _cap_sets(self) -> Iterator[_Set]:
        """Yield `(leaves, limit, cap)` for each cap: the pairs of kind and section in it, and the copies it allows.

        Cards that cannot change are left out, and their copies are subtracted from the limit.
        """
        kind_of = {piece: kind for kind in self._kinds for piece in kind.pieces}
        for cap in self._caps:
            leaves = frozenset((kind_of[p], s) for p, s in cap.cells if p in kind_of and s in kind_of[p].staying)
            yield leaves, self._free_of_cap(cap), cap

    def _kind_set(self, kind: _Kind) -> _Set:
        """Return `(leaves, limit, cap)` of a kind: its pairs of kind and section, limited to its copies in the deck."""
        cells = frozenset((piece, section) for piece in kind.pieces for section in kind.staying)
        return frozenset((kind, section) for section in kind.staying), kind.stock, Cap(cells, kind.stock)

    def _section_sets(self) -> Iterator[_Set]:
        """Yield `(leaves, limit, cap)` for each section: all pairs of kind and section in it, without a limit."""
        leaves: dict[str, list[_Leaf]] = {}
        for kind in self._kinds:
            for section in kind.staying:
                leaves.setdefault(section, []).append((kind, section))
        for found in leaves.values():
            yield frozenset(found), ANY, Cap(frozenset(), ANY)

    def _build_plan(self, flow: _Flow) -> Plan:
        """Return the plan that a solved network describes.

        Cards that a section lacks for its least size are open places.
        """
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
        """Return the number of fixed copies in a section."""
        return sum(copies for cell, copies in self._fixed.items() if cell[1] == section)

    def _keep_staying(self, kind: _Kind, staying: Callable[[_Leaf], int], counts: dict[Cell, int]) -> None:
        """Add the copies of a kind that stay in their sections to `counts`, which is changed.

        Cards with most copies come first. `staying` returns the number of these copies for a pair of kind and section.
        """
        stock_counts = self._stock.counts
        for section in kind.staying:
            left = staying((kind, section))
            cells = [(piece, section) for piece in kind.pieces if (piece, section) in stock_counts]
            for cell in sorted(cells, key=lambda cell: (-stock_counts[cell], card_sort_key(cell[0]))):
                counts[cell] = min(left, stock_counts[cell], self._room.get(cell, ANY))
                left -= counts[cell]

    def _bring_coming(self, kind: _Kind, coming: Callable[[_Leaf], int], counts: dict[Cell, int]) -> None:
        """Add the copies of a kind that come from other sections to `counts`, which is changed.

        `coming` returns the number of these copies for a pair of kind and section.
        """
        for section in kind.coming:
            wanted = coming((kind, section))
            for piece in kind.pieces if wanted else ():
                cell, loose = (piece, section), self._count_loose(piece)
                here = sum(counts.get((piece, place), 0) for place in self._places[piece])
                copies = min(wanted, loose - here, self._room.get(cell, ANY) - counts.get(cell, 0))
                counts[cell] = counts.get(cell, 0) + copies
                wanted -= copies


class _Flow:
    """The network for the kinds of cards, and the cheapest flow through it, which is how many copies stay and come.

    Two families of nested sets limit the flow.
    """

    def __init__(
        self, kinds: Iterable[_Kind], down_tree: _Nested, up_tree: _Nested, sizes: Mapping[str, SectionSize]
    ) -> None:
        """Build the network and compute the cheapest flow.

        It runs down `down_tree` to each kind in each section. From there it runs up `up_tree` to the sections,
        with their sizes. A copy that stays saves the cost of a change and a removal.
        """
        self._network = net = _Network()
        self._arcs: dict[_Leaf, tuple[int, int]] = {}
        source, sink = net.add_node(), net.add_node()
        into = self._add_set_tree(down_tree, source, lambda outer, inner, limit: net.add_arc(outer, inner, limit))
        out_of = self._add_set_tree(up_tree, sink, lambda outer, inner, limit: net.add_arc(inner, outer, limit), sizes)
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
        tree: _Nested,
        root: int,
        join: Callable[[int, int, int], int],
        sizes: Mapping[str, SectionSize] | None = None,
    ) -> dict[_Leaf, int]:
        """Add the nodes and arcs of one family of nested sets. Return the node of the smallest set of each leaf.

        A leaf is a pair of kind and section. `join` adds an arc from the outer to the inner node with a limit. Sets in
        no other are joined to `root`, by `join` without `sizes`, else as sections.
        """
        nodes = [self._network.add_node() for _ in tree.sets]
        for (leaves, limit, _), node, around in zip(tree.sets, nodes, tree.around, strict=True):
            if around is not None:
                join(nodes[around], node, limit)
            elif sizes is not None:
                self._join_section(node, root, sizes.get(next(iter(leaves))[1]))
            else:
                join(root, node, limit)
        return {leaf: nodes[index] for leaf, index in tree.inmost.items()}

    def _join_section(self, node: int, sink: int, size: SectionSize | None) -> None:
        """Join the node of a section to the sink, with the section's size as the capacity. Unlimited for None.

        Each card up to the least size saves the cost of one change, since a missing card would have to be added.
        """
        if size is None:
            self._network.add_arc(node, sink, ANY)
            return
        self._network.add_arc(node, sink, size.minimum, -CHANGE)
        self._network.add_arc(node, sink, size.maximum - size.minimum)

    def count_staying(self, leaf: _Leaf) -> int:
        """Return the number of copies of a kind that stay in a section. `leaf` is the pair of kind and section."""
        return self._network.flow_through(self._arcs[leaf][0])

    def count_coming(self, leaf: _Leaf) -> int:
        """Return the number of copies of a kind that come into a section from others.

        `leaf` is the pair of kind and section.
        """
        return self._network.flow_through(self._arcs[leaf][1])


class _Nested(NamedTuple):
    """The sets of a family as a tree. Sets are named by their indexes in `sets`.

    `around` has for each set the index of the next larger set that contains it, None for a root. `inmost` has the index
    of the smallest set that contains each pair of kind and section.
    """

    sets: list[_Set]
    around: list[int | None]
    inmost: dict[_Leaf, int]


def _nest(sets: list[_Set]) -> _Nested | Split:
    """Return the tree of a family of sets, or the caps of the first two sets that cross. Larger sets come first.

    Two sets cross if they have common members although neither contains the other.

    The time grows with the sum of the sizes of the sets.
    """
    around: list[int | None] = [None] * len(sets)
    inmost: dict[_Leaf, int] = {}
    for index in sorted(range(len(sets)), key=lambda index: -len(sets[index][0])):
        leaves, _, cap = sets[index]
        found = {inmost.get(leaf) for leaf in leaves}
        if len(found) > 1:
            crossed = min(outer for outer in found if outer is not None and not leaves <= sets[outer][0])
            return Split(sets[crossed][2], cap)
        around[index] = next(iter(found), None)
        inmost |= dict.fromkeys(leaves, index)
    return _Nested(sets, around, inmost)


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
        """Add an arc from node `tail` to node `head`, with a capacity and a cost for each unit. Return its index.

        Its reverse arc has the next index.
        """
        arc = len(self._heads)
        self._heads += head, tail
        self._capacities += capacity, 0
        self._costs += cost, -cost
        self._leaving[tail].append(arc)
        self._leaving[head].append(arc + 1)
        return arc

    def flow_through(self, arc: int) -> int:
        """Return the units that flow through the arc with this index."""
        return self._capacities[arc + 1]

    def reduce_cost(self, source: int, sink: int) -> None:
        """Increase the flow from source to sink as long as that makes its total cost smaller.

        Changes the free capacities.
        """
        while path := self._cheapest_path(source, sink):
            units = min(self._capacities[arc] for arc in path)
            for arc in path:
                self._capacities[arc] -= units
                self._capacities[arc ^ 1] += units

    def _cheapest_path(self, source: int, sink: int) -> list[int]:
        """Return the arcs of the cheapest path with free capacity, in reverse order.

        Empty if no path has a negative cost.
        """
        last_arcs = self._last_arcs(source)
        arc, saved, path = last_arcs[sink], 0, []
        while arc >= 0:
            path.append(arc)
            saved += self._costs[arc]
            arc = last_arcs[self._heads[arc ^ 1]]
        return path if saved < 0 else []

    def _last_arcs(self, source: int) -> list[int]:
        """Return for each node the index of the last arc of the cheapest path with free capacity from `source` to it.

        Reverse arcs, which take back flow, are included. -1 for `source` itself, and for nodes without such a path.
        """
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
