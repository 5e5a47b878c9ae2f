"""Contents: what columns hold as their cells tell, where headings do not say it or say it wrongly."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from validator.decklists.columns import Columns, IsCard, Sample, is_card_number, part_of
from validator.decklists.headings import (
    CARD,
    COUNT,
    DECKLIST,
    FIRST,
    LAST,
    NAME_KEYS,
    NUMBER,
    PLAYER,
    PLAYER_ID,
    SECTION,
    TYPE,
    asked,
    is_nickname,
    key,
)
from validator.language import phrase
from validator.numbers import NUMBER_SHAPE

_LONGEST = 20_000  # characters of a cell that are looked at
_LONGEST_NAME = 80
_USUAL = 4  # copies of a card, at most, in nearly every deck
_MOST = 10  # copies in a column that is not called so
_ID = re.compile(r"[0-9]{8,10}", re.ASCII)  # ten digits, of which a spreadsheet program has perhaps lost the first
_NO_NAME = re.compile(r"[0-9]{3}|[@/\n{}\[\]=]|https?:|\A(?:yes|no|true|false|[A-Z]{1,3}|[0-9 .:,/-]*)\Z")
_LETTERS = re.compile(r"[^\W\d_]{1,}")


def is_list(cell: str) -> bool:
    """Tell whether a cell holds a whole deck: lines with numbers of cards, or a link or JSON that has many."""
    numbers = NUMBER_SHAPE.findall(cell[:_LONGEST])
    if len(numbers) > 2:
        return True
    lines = cell[:_LONGEST].splitlines()
    return _is_link(cell) or (len(lines) > 2 and sum(any(map(str.isdigit, line)) for line in lines) > len(lines) / 2)


def is_id(cell: str) -> bool:
    """Tell whether a cell is a player's number, of ten digits with its zeros or without."""
    return _ID.fullmatch(cell) is not None


def is_copies(cell: str) -> bool:
    """Tell whether a cell may be a number of copies."""
    return cell.isdigit() and len(cell) < 3 and 1 <= int(cell) <= _MOST


def is_name(cell: str) -> bool:
    """Tell whether a cell may be the name of a person."""
    return len(cell) <= _LONGEST_NAME and bool(_LETTERS.search(cell)) and not _NO_NAME.search(cell)


def is_full_name(cell: str) -> bool:
    """Tell whether a cell may be a person's whole name, of several words or in a script without blanks."""
    return is_name(cell) and (" " in cell.strip() or not cell.isascii())


def is_held(cell: str) -> bool:
    """Tell whether a cell has what stands under headings and is none."""
    return is_card_number(cell) or cell.replace(".", "", 1).isdigit() or is_list(cell)


def is_wording(cell: str) -> bool:
    """Tell whether a cell that stands where a name does may be one, be it a letter, a handle or a very long name."""
    return bool(_LETTERS.search(cell)) and not is_list(cell)


def tell(layout: Columns, sample: Sample, is_card: IsCard) -> dict[int, str]:
    """Correct what columns hold by what stands in them; return why, by column, as a part of a sentence."""
    told = _Contents(layout, cache(lambda at: tuple(sample(at))), is_card)
    told.find_list()
    told.free_cards()
    told.find_cards()
    told.find_id()
    told.find_player()
    layout.unknown = [at for at in layout.free() if layout.titles[at]]
    return told.why


class _Contents:
    """One header and the cells below it."""

    def __init__(self, layout: Columns, sample: Sample, is_card: IsCard) -> None:
        self.layout = layout
        self.why: dict[int, str] = {}
        self._sample = sample
        self._is_card = is_card

    def _share(self, at: int, is_so: Callable[[str], bool]) -> float:
        """Return how much of a column, from 0 to 1, is of a kind."""
        times = Counter(self._sample(at))
        return sum(of for cell, of in times.items() if is_so(cell)) / times.total() if times else 0.0

    def _free(self, *roles: str) -> list[int]:
        """Return the columns with a heading that hold nothing yet, or one of these."""
        return [at for at in self.layout.free(*roles) if self.layout.titles[at]]

    def _take(self, role: str, at: int, why: str) -> None:
        for places in self.layout.roles.values():
            if at in places:
                places.remove(at)
        self.layout.roles = {one: places for one, places in self.layout.roles.items() if places}
        self.layout.parts.pop(at, None)
        self.layout.roles[role] = [at]
        self.layout.certain += 1
        self.why[at] = why

    def find_list(self) -> None:
        """Take the column of whole lists for the list, and those of a word beside it for remarks."""
        layout = self.layout
        called = layout.first(DECKLIST)
        if called is not None and self._share(called, is_list) >= 0.5:
            called = self._written_out(called)
            self._leave_remarks(called)
            return
        if layout.has(NUMBER, CARD) and (layout.counts or any(map(self._counts, layout.places(COUNT)[:1]))):
            return
        lists = [at for at in self._with_parts() if self._share(at, is_list) >= 0.5]
        if lists:
            best = max(lists, key=lambda at: (part_of(layout.titles[at]) == "main", self._share(at, _is_text)))
            self._take(DECKLIST, best, phrase("lists stand in it"))
            self._leave_remarks(best)

    def _written_out(self, links: int) -> int:
        """Return the column of the lists themselves beside one of nothing but links; else that one."""
        if self._share(links, _is_text) or not self._share(links, _is_link):
            return links
        lists = [at for at in self._with_parts() if self._share(at, _is_text) and self._share(at, is_list) >= 0.5]
        for at in lists[:1]:
            self._take(DECKLIST, at, phrase("lists stand in it"))
        return lists[0] if lists else links

    def _counts(self, at: int) -> bool:
        return self._share(at, is_copies) >= 0.5

    def _with_parts(self) -> list[int]:
        main = [at for at, section in self.layout.parts.items() if section == "main"]
        return [at for at in self._free(DECKLIST, NUMBER, CARD, COUNT) if at not in self.layout.parts] + main

    def _leave_remarks(self, at: int) -> None:
        """Leave what is called a main deck and is a word to the player's remarks; of two Leaders keep the numbered."""
        parts = self.layout.parts
        for part, section in list(parts.items()):
            if section == "main" and self._share(part, is_list) < 0.5 and self._share(at, is_list) >= 0.5:
                del parts[part]
        leaders = sorted((-self._share(part, _has_number), part) for part in parts if parts[part] == "leader")
        for _, part in leaders[1:]:
            del parts[part]

    def free_cards(self) -> None:
        """Take no column for one of cards where each row is a deck: its number, name or count is somebody's."""
        at = self.layout.first(DECKLIST)
        if at is not None and (self.layout.is_list or self._share(at, is_list) >= 0.5):
            for role in (NUMBER, CARD, COUNT, SECTION, TYPE):
                self.layout.roles.pop(role, None)

    def find_cards(self) -> None:
        """Find the numbers, the names and the counts of cards that have a row each."""
        if self.layout.is_list:
            return
        if not self.layout.has(NUMBER, CARD):
            self._find_card(NUMBER, is_card_number, phrase("card numbers stand in it"))
            self._find_card(CARD, self._is_card, phrase("names of cards stand in it"))
        if not self.layout.has(NUMBER, CARD):
            return
        if DECKLIST in self.layout.roles:
            del self.layout.roles[DECKLIST]
        if not self.layout.has_counts:
            counts = [at for at in self._free() if self._share(at, is_copies) == 1 and self._may_count(at)]
            usual = [at for at in counts if self._share(at, _is_usual) >= 0.8]
            if len(usual) == 1:
                self._take(COUNT, usual[0], phrase("small numbers stand in it"))

    def _may_count(self, at: int) -> bool:
        """Tell whether small numbers may be copies: they vary, as a player's table does not, and are of no section."""
        return len(set(self._sample(at))) > 1 and part_of(self.layout.titles[at]) is None

    def _find_card(self, role: str, is_so: Callable[[str], bool], why: str) -> None:
        found = [at for at in self._free() if self._share(at, is_so) >= 0.5]
        if found and not self.layout.has(role):
            self._take(role, max(found, key=lambda at: self._share(at, is_so)), why)

    def find_id(self) -> None:
        """Find the players' numbers; where a column called so has none and another has, that one counts."""
        called = self.layout.first(PLAYER_ID)
        if called is not None and self._share(called, is_id) >= 0.5:
            return
        found = [at for at in self._free(PLAYER) if self._share(at, is_id) >= 0.8]
        if found:
            self._take(PLAYER_ID, found[0], phrase("numbers of players stand in it"))

    def find_player(self) -> None:
        """Find who the players are: the better of two columns, or the one that is left."""
        layout = self.layout
        if layout.has(FIRST, LAST):
            return
        called = layout.first(PLAYER)
        if called is not None and self._share(called, is_wording) >= 0.5 and not self._are_handles(called):
            return
        if not layout.is_list and not layout.has(PLAYER_ID) and called is None:
            return
        found = sorted(self._people(), reverse=True)
        if found and (called is None or found[0][0] > self._fitness(called)):
            self._take(PLAYER, found[0][2], phrase("names stand in it"))

    def _people(self) -> Iterator[tuple[float, int, int]]:
        for at in self._free():
            cells = self._sample(at)
            is_varied = len(set(cells)) > len(cells) / 2 or not self.layout.is_list
            if is_varied and self._share(at, is_name) >= 0.5 and self._share(at, self._is_card) < 0.5:
                yield self._fitness(at), -at, at

    def _fitness(self, at: int) -> float:
        """Return how well a column says who the players are, by its heading and by its cells, if there are any."""
        title = self.layout.titles[at] if self._sample(at) else ""
        hint = 2.0 if key(title) in NAME_KEYS or asked(title) == PLAYER else 0.5 if is_nickname(title) else 0.0
        return hint + self._share(at, is_name) + self._share(at, is_full_name)

    def _are_handles(self, at: int) -> bool:
        """Tell whether a column has what players log in as, and another is called a name."""
        others = (at for at in self._free() if key(self.layout.titles[at]) in NAME_KEYS)
        return self._share(at, is_full_name) < 0.2 and any(self._share(at, is_full_name) >= 0.5 for at in others)


def _is_link(cell: str) -> bool:
    return cell[:8].lower().startswith(("http://", "https://"))


def _is_text(cell: str) -> bool:
    return "\n" in cell


def _has_number(cell: str) -> bool:
    return NUMBER_SHAPE.search(cell[:200]) is not None


def _is_usual(cell: str) -> bool:
    return cell.isdigit() and int(cell) <= _USUAL
