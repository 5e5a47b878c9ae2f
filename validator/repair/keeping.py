"""Keeping: the most of a stock that its caps and sizes let stay, as a cheapest flow.

Caps over several sections (a number, a keyword) and caps within one (a class, a clause, a size) are two laminar
families: sets of which any two are apart or one within the other, and so a tree. The flow runs down the tree of the one
to each card in each section, and up the tree of the other. Cards that the same caps are about are one kind to it.
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
    """Why there is no plan: what this finding asks cannot be done while certain cards stay as they are."""

    finding: Finding | None


class Split(NamedTuple):
    """Two caps that no tree has both of: the plan depends on how much of what they share is kept."""

    one: Cap
    other: Cap


@dataclass(eq=False, slots=True)
class _Kind:
    """Cards that are one to the flow: how many of them stand and may come to stand in each section."""

    pieces: list[Piece] = field(default_factory=list)
    staying: dict[str, int] = field(default_factory=dict)
    coming: dict[str, int] = field(default_factory=dict)
    stock: int = 0


_Leaf = tuple[_Kind, str]
_Set = tuple[frozenset[_Leaf], int, Cap]


def kept(stock: Stock, demands: Demands, fixed: Counts) -> Plan | Conflict | Split:
    """Return the plan with the fewest changes that does what is demanded; `fixed` cells are as they are to be.

    A fixed Leader is the one card of its section, and stands nowhere else.
    """
    sizes: dict[str, SectionSize] = {}
    for section, size in demands.sizes.items():
        held = sum(copies for cell, copies in fixed.items() if cell[1] == section)
        sizes[section] = size._replace(minimum=max(0, size.minimum - held), maximum=size.maximum - held)
        if sizes[section].maximum < sizes[section].minimum:
            return Conflict(size.finding)
    for cap in demands.caps.values():
        if cap.limit < sum(fixed.get(cell, 0) for cell in cap.cells):
            return Conflict(cap.finding)
    return _Keeping(stock, demands.caps.values(), sizes, fixed).plan()


class _Keeping:
    """The flow of one stock under caps and sizes: its kinds of cards, its network, and what comes of it."""

    def __init__(self, stock: Stock, caps: Iterable[Cap], sizes: Mapping[str, SectionSize], fixed: Counts) -> None:
        self._stock = stock
        self._sizes = sizes
        self._fixed = fixed
        self._places = {piece: self._places_of(piece) for piece in stock.pieces}
        self._room: dict[Cell, int] = {}
        self._caps = [cap for cap in caps if not self._is_room(cap)]
        self._kinds = self._sorted()

    def _places_of(self, piece: Piece) -> list[str]:
        if (piece, "leader") in self._fixed:
            return []
        places = self._stock.places(piece)
        return [section for section in places if section != "leader" and (piece, section) not in self._fixed]

    def _is_room(self, cap: Cap) -> bool:
        """Tell whether a cap comes to how much room there is in single cells, and note it."""
        cells = [cell for cell in cap.cells if cell[1] in self._places.get(cell[0], ())]
        limit = self._left(cap)
        if len(cells) > 1 and limit:
            return sum(self._loose(piece) for piece in {piece for piece, _ in cells}) <= limit
        for cell in cells:
            self._room[cell] = min(limit, self._room.get(cell, ANY))
        return True

    def _left(self, cap: Cap) -> int:
        """Return how many copies a cap leaves beside those that are fixed."""
        return cap.limit - sum(self._fixed.get(cell, 0) for cell in cap.cells)

    def _loose(self, piece: Piece) -> int:
        """Return how many copies of a card there are that are not fixed."""
        held = self._stock.pieces[piece].items()
        return sum(copies for section, copies in held if (piece, section) not in self._fixed)

    def _sorted(self) -> list[_Kind]:
        """Return the cards by kinds: those of the same sections that the same caps are about."""
        about: dict[Cell, list[int]] = {}
        for at, cap in enumerate(self._caps):
            for cell in cap.cells:
                about.setdefault(cell, []).append(at)
        kinds: dict[object, _Kind] = {}
        for piece, places in self._places.items():
            rooms = {section: room for section in places if (room := self._room.get((piece, section), ANY))}
            if rooms:
                own = piece if len(rooms) > 1 and min(rooms.values()) < ANY else None
                key = own, tuple((section, tuple(about.get((piece, section), ()))) for section in rooms)
                self._join(kinds.setdefault(key, _Kind()), piece, rooms)
        return list(kinds.values())

    def _join(self, kind: _Kind, piece: Piece, rooms: Mapping[str, int]) -> None:
        held, loose = self._stock.pieces[piece], self._loose(piece)
        kind.pieces.append(piece)
        kind.stock += loose
        for section, room in rooms.items():
            staying = min(room, held.get(section, 0))
            kind.staying[section] = kind.staying.get(section, 0) + staying
            kind.coming[section] = kind.coming.get(section, 0) + min(room, loose) - staying

    def plan(self) -> Plan | Split:
        """Return the plan, or the caps that are no two trees."""
        down: list[_Set] = [self._whole(kind) for kind in self._kinds if len(kind.staying) > 1]
        up: list[_Set] = list(self._by_section())
        for capped in self._capped():
            (up if len({section for _, section in capped[0]}) == 1 else down).append(capped)
        for family in (down, up):
            found = _nest([leaves for leaves, _, _ in family])
            if isinstance(found, _Crossing):
                return Split(family[found.one][2], family[found.other][2])
        return self._planned(_Flow(self._kinds, down, up, self._sizes))

    def _capped(self) -> Iterator[_Set]:
        """Yield the set of each cap, less what is fixed."""
        kind_of = {piece: kind for kind in self._kinds for piece in kind.pieces}
        for cap in self._caps:
            leaves = frozenset((kind_of[p], s) for p, s in cap.cells if p in kind_of and s in kind_of[p].staying)
            yield leaves, self._left(cap), cap

    def _whole(self, kind: _Kind) -> _Set:
        """Return the set of all that there is of a kind."""
        cells = frozenset((piece, section) for piece in kind.pieces for section in kind.staying)
        return frozenset((kind, section) for section in kind.staying), kind.stock, Cap(cells, kind.stock)

    def _by_section(self) -> Iterator[_Set]:
        leaves: dict[str, list[_Leaf]] = {}
        for kind in self._kinds:
            for section in kind.staying:
                leaves.setdefault(section, []).append((kind, section))
        for found in leaves.values():
            yield frozenset(found), ANY, Cap(frozenset(), ANY)

    def _planned(self, flow: _Flow) -> Plan:
        counts = dict(self._fixed)
        for kind in self._kinds:
            self._keep(kind, flow.staying, counts)
            self._bring(kind, flow.coming, counts)
        held: dict[str, int] = {}
        for (_, section), copies in counts.items():
            held[section] = held.get(section, 0) + copies
        wanted = {section: size.minimum + self._fixed_in(section) for section, size in self._sizes.items()}
        missing = {section: least - held.get(section, 0) for section, least in wanted.items()}
        return Plan(self._stock, counts, {section: many for section, many in missing.items() if many > 0})

    def _fixed_in(self, section: str) -> int:
        return sum(copies for cell, copies in self._fixed.items() if cell[1] == section)

    def _keep(self, kind: _Kind, staying: Callable[[_Leaf], int], counts: dict[Cell, int]) -> None:
        """Let as many cards of a kind stay as may: rather those of which there are most."""
        held = self._stock.counts
        for section in kind.staying:
            left = staying((kind, section))
            cells = [(piece, section) for piece in kind.pieces if (piece, section) in held]
            for cell in sorted(cells, key=lambda cell: (-held[cell], by_number(cell[0]))):
                counts[cell] = min(left, held[cell], self._room.get(cell, ANY))
                left -= counts[cell]

    def _bring(self, kind: _Kind, coming: Callable[[_Leaf], int], counts: dict[Cell, int]) -> None:
        """Let as many others come as are to: of those that do not stay elsewhere."""
        for section in kind.coming:
            wanted = coming((kind, section))
            for piece in kind.pieces if wanted else ():
                cell, all_of_it = (piece, section), self._loose(piece)
                here = sum(counts.get((piece, one), 0) for one in self._places[piece])
                copies = min(wanted, all_of_it - here, self._room.get(cell, ANY) - counts.get(cell, 0))
                counts[cell] = counts.get(cell, 0) + copies
                wanted -= copies


class _Flow:
    """The network of two families of sets over the same leaves, and the cheapest flow through it."""

    def __init__(
        self, kinds: Iterable[_Kind], down: Iterable[_Set], up: Iterable[_Set], sizes: Mapping[str, SectionSize]
    ) -> None:
        self._network = net = _Network()
        self._arcs: dict[_Leaf, tuple[int, int]] = {}
        source, sink = net.node(), net.node()
        into = self._tree(list(down), source, lambda outer, inner, limit: net.arc(outer, inner, limit))
        out_of = self._tree(list(up), sink, lambda outer, inner, limit: net.arc(inner, outer, limit), sizes)
        for kind in kinds:
            for section, staying in kind.staying.items():
                leaf = kind, section
                tail, head = into.get(leaf, source), out_of[leaf]
                saved = CHANGE + OUT + (FROM_MAIN if section == "main" else 0)
                self._arcs[leaf] = (
                    net.arc(tail, head, staying, -saved),
                    net.arc(tail, head, kind.coming[section], -OUT),
                )
        net.run(source, sink)

    def _tree(
        self,
        sets: list[_Set],
        root: int,
        join: Callable[[int, int, int], int],
        sizes: Mapping[str, SectionSize] | None = None,
    ) -> dict[_Leaf, int]:
        """Add the nodes and arcs of one family, and return the node where each leaf hangs."""
        found = _nest([leaves for leaves, _, _ in sets])
        assert not isinstance(found, _Crossing), "this was looked at before"
        nodes = [self._network.node() for _ in sets]
        for (leaves, limit, _), node, around in zip(sets, nodes, found.around, strict=True):
            if around is not None:
                join(nodes[around], node, limit)
            elif sizes is not None:
                self._top(node, root, sizes.get(next(iter(leaves))[1]))
            else:
                join(root, node, limit)
        return {leaf: nodes[at] for leaf, at in found.inmost.items()}

    def _top(self, node: int, sink: int, size: SectionSize | None) -> None:
        """Let a section hold what it may; whatever it lacks is one more change."""
        if size is None:
            self._network.arc(node, sink, ANY)
            return
        self._network.arc(node, sink, size.minimum, -CHANGE)
        self._network.arc(node, sink, size.maximum - size.minimum)

    def staying(self, leaf: _Leaf) -> int:
        """Return how many cards of a kind stay in a section."""
        return self._network.flow(self._arcs[leaf][0])

    def coming(self, leaf: _Leaf) -> int:
        """Return how many come into it from others."""
        return self._network.flow(self._arcs[leaf][1])


class _Nested(NamedTuple):
    """The sets of a family as a tree, each with the place of the one around it, None at the top."""

    around: list[int | None]
    inmost: dict[_Leaf, int]


class _Crossing(NamedTuple):
    """Two sets, by their places, that have something in common and neither is within the other."""

    one: int
    other: int


def _nest(sets: list[frozenset[_Leaf]]) -> _Nested | _Crossing:
    """Return the tree of a family, or the first two sets that cross; the work grows with the sizes of the sets."""
    around: list[int | None] = [None] * len(sets)
    inmost: dict[_Leaf, int] = {}
    for at in sorted(range(len(sets)), key=lambda at: -len(sets[at])):
        found = {inmost.get(leaf) for leaf in sets[at]}
        if len(found) > 1:
            return _Crossing(min(one for one in found if one is not None and not sets[at] <= sets[one]), at)
        around[at] = next(iter(found), None)
        inmost |= dict.fromkeys(sets[at], at)
    return _Nested(around, inmost)


class _Network:
    """A directed network with the cheapest flow through it, by augmenting paths.

    Every arc has a capacity and a cost for each unit. At first there is no circle.
    """

    def __init__(self) -> None:
        self._heads: list[int] = []
        self._left: list[int] = []  # what an arc can still take; every second one is the way back
        self._costs: list[int] = []
        self._leaving: list[list[int]] = []

    def node(self) -> int:
        """Add a node."""
        self._leaving.append([])
        return len(self._leaving) - 1

    def arc(self, tail: int, head: int, capacity: int, cost: int = 0) -> int:
        """Add an arc and return what `flow` knows it by."""
        arc = len(self._heads)
        self._heads += head, tail
        self._left += capacity, 0
        self._costs += cost, -cost
        self._leaving[tail].append(arc)
        self._leaving[head].append(arc + 1)
        return arc

    def flow(self, arc: int) -> int:
        """Return the flow through an arc."""
        return self._left[arc + 1]

    def run(self, source: int, sink: int) -> None:
        """Let flow from source to sink whatever makes the costs of all the flow smaller."""
        while path := self._cheapest(source, sink):
            units = min(self._left[arc] for arc in path)
            for arc in path:
                self._left[arc] -= units
                self._left[arc ^ 1] += units

    def _cheapest(self, source: int, sink: int) -> list[int]:
        """Return the arcs of the cheapest path that saves anything, none if no path does."""
        came = self._reached(source)
        arc, saved, path = came[sink], 0, []
        while arc >= 0:
            path.append(arc)
            saved += self._costs[arc]
            arc = came[self._heads[arc ^ 1]]
        return path if saved < 0 else []

    def _reached(self, source: int) -> list[int]:
        """Return for each node the last arc of the cheapest way to it, -1 where there is none."""
        costs: list[int | None] = [None] * len(self._leaving)
        came = [-1] * len(self._leaving)
        costs[source] = 0
        waiting, queued = deque([source]), {source}
        while waiting:
            tail = waiting.popleft()
            queued.discard(tail)
            here = costs[tail] or 0
            for arc in self._leaving[tail]:
                head = self._heads[arc]
                known = costs[head]
                if self._left[arc] and (known is None or here + self._costs[arc] < known):
                    costs[head], came[head] = here + self._costs[arc], arc
                    if head not in queued:
                        queued.add(head)
                        waiting.append(head)
        return came
