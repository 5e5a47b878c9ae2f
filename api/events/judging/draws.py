"""Draws: the players whose decks are checked, by a printed seed that anybody can repeat, and the next one to check."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from api.events.bounds import LONGEST_SEED
from api.events.check_json import DrawnJSON, NextReasonJSON
from api.events.judging.deck_checks import CheckRecord
from api.events.players.entrant import Entrant
from api.service.errors import Invalid, Wrong
from validator.language import Language, phrase

TOP_CUT = "top-cut"
AMONG = ("all", "top-half", "not-checked", TOP_CUT)
SHARE = Fraction(1, 10)  # of all decks are checked over an event, at least (Bandai's tournament rules 4.4)


class Drawable(NamedTuple):
    """A registration that may be drawn for a deck check. `registration` is its id.

    `standing` is its place from 1, None if unknown. Several may share a place. `checks` is the number of its deck
    checks, 0 if it is unchecked. Some callers leave out checks that have not begun, or give only True or False.
    """

    registration: str
    standing: int | None = None
    checks: int = 0


@dataclass(frozen=True, slots=True)
class Draw:
    """The result of a draw: ids of registrations in the order of the seed. `of` is the number of players drawn from.

    `share` is the part of them to draw before rounding up (1 for a top cut), `among` the group of AMONG. `unchecked`:
    players with a deck check, begun or drawn, were left out, and are not in `of`.
    """

    seed: str
    share: Fraction
    among: str
    of: int
    registrations: tuple[str, ...]
    unchecked: bool = False

    @property
    def sentence(self) -> str:
        """An English sentence to print beside the draw: its numbers of players, share, group, seed and rule."""
        among = self.among.replace("-", " ") + (", not checked yet" if self.unchecked else "")
        return (
            f"{len(self.registrations)} of {self.of} ({float(100 * self.share):g} %, {among}), "
            f"seed {self.seed}: the lowest SHA-256 of seed:registration."
        )

    def as_json(self) -> DrawnJSON:
        """Return the draw as JSON, with its sentence."""
        return {
            "seed": self.seed,
            "share": float(self.share),
            "among": self.among,
            "unchecked": self.unchecked,
            "of": self.of,
            "registrations": list(self.registrations),
            "sentence": self.sentence,
        }


def draw(players: Sequence[Drawable], seed: str, share: float | Fraction, group: str, unchecked: bool = False) -> Draw:
    """Draw players of a group of AMONG for deck checks, the share rounded up. Nobody if no candidate is left.

    With the same seed, a larger share contains the smaller one. A top cut is drawn completely: `share` must be valid,
    but has no influence. `unchecked` leaves out players who were checked. Raises Invalid if a value is wrong, or the
    group needs places and none is known.
    """
    _check_terms(seed, share, group)
    share = Fraction(str(share))  # as it is written: 0.1 of ten is one
    candidates = [one for one in group_members(players, group) if not (unchecked and one.checks)]
    drawn_share = share if group != TOP_CUT else Fraction(1)
    drawn = tuple(order_by_seed(candidates, seed)[: ceil(drawn_share * len(candidates))])
    return Draw(seed, drawn_share, group, len(candidates), drawn, unchecked)


def rank_by_table(tables: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return the places, from 1, by the id of the registration. The best players sit at the table of the lowest number.

    `tables` are pairs of an id and its table. Registrations at one table share a place. The place of the next table
    comes after all of them. A registration is left out if its table has other characters than 0 to 9, or none.
    """
    seated = sorted((int(table), id) for id, table in tables if table.isascii() and table.isdecimal())
    first: dict[int, int] = {}
    for place, (table, _) in enumerate(seated, 1):
        first.setdefault(table, place)
    return {id: first[table] for table, id in seated}


def order_by_seed(players: Iterable[Drawable], seed: str) -> list[str]:
    """Return the ids of registrations in the order of a seed: by the SHA-256 of `seed:registration`."""
    return sorted((player.registration for player in players), key=lambda one: (_hash(seed, one), one))


def count_owed(players: Sequence[Drawable]) -> int:
    """Return the number of decks still to check until a tenth of all is checked, rounded up. 0 if there are enough.

    A player whose `checks` are above 0 counts as checked.
    """
    return max(ceil(SHARE * len(players)) - sum(player.checks > 0 for player in players), 0)


def _hash(seed: str, registration: str) -> str:
    """Return the SHA-256 of `seed:registration` in hex, which decides the order."""
    return hashlib.sha256(f"{seed}:{registration}".encode()).hexdigest()


def is_seed(text: str) -> bool:
    """Return True if a text can be a seed: one printable line of 1 to LONGEST_SEED characters."""
    return 0 < len(text) <= LONGEST_SEED and text.isprintable()


def _check_terms(seed: str, share: float | Fraction, group: str) -> None:
    """Raise Invalid with every wrong value: seed, share (above 0, up to 1), or group."""
    wrong = []
    if not is_seed(seed):
        wrong.append(Wrong("/seed", phrase("Write a seed of 1 to {most} characters on one line.", most=LONGEST_SEED)))
    if not 0 < share <= 1:
        wrong.append(Wrong("/share", phrase("Write a share above 0 and up to 1, such as 0.1.")))
    if group not in AMONG:
        wrong.append(Wrong("/among", phrase("Write one of {values}.", values=", ".join(AMONG))))
    if wrong:
        raise Invalid(wrong)


def group_members(players: Sequence[Drawable], group: str) -> list[Drawable]:
    """Return the players of a group, one of AMONG, in the given order.

    "not-checked" are players without checks. The top half are those with a place up to half the number of players who
    have one, rounded up. The top cut are all who have a place, as `drawable` gives places only to them. Raises Invalid
    for these two groups if no place is known.
    """
    if group == "all":
        return list(players)
    if group == "not-checked":
        return [player for player in players if not player.checks]
    placed = [player for player in players if player.standing is not None]
    if not placed:
        raise Invalid(
            [
                Wrong(
                    "/among",
                    phrase("No place is known. Send the standings, seat the players at tables, or draw among all."),
                )
            ]
        )
    if group == TOP_CUT:
        return placed
    last = ceil(len(placed) / 2)
    return [player for player in placed if (player.standing or 0) <= last]


class WantedDraw(NamedTuple):
    """A requested draw of decks to check: a share of a group of AMONG, by a seed.

    `standings` are ids of registrations, the best first. Without standings the numbers of the tables are the places.
    For a top cut both are ignored. `unchecked` leaves out players who were drawn or checked.
    """

    seed: str
    share: float
    among: str
    standings: Sequence[str] = ()
    unchecked: bool = False

    def draw(self, entrants: Iterable[Entrant], checks: Iterable[CheckRecord]) -> Draw:
        """Draw among those of `entrants` that have a list. `checks` are all deck checks of the event.

        The top cut are the registrations that are marked with `cut`. Raises Invalid, with the place in the request, if
        the group is unknown, another value is wrong, or the group needs places and none is known.
        """
        players = drawable(entrants, checks, self.among, self.standings)
        try:
            return draw(players, self.seed, self.share, self.among, self.unchecked)
        except Invalid as error:
            raise Invalid([Wrong(f"/draw{one.pointer}", one.detail) for one in error.errors]) from None


def drawable(
    entrants: Iterable[Entrant], checks: Iterable[CheckRecord], group: str, standings: Sequence[str] = ()
) -> list[Drawable]:
    """Return the registrations with a list, in the given order, each with its place and its number of `checks`.

    For the group TOP_CUT the players of the top cut have place 1, and the others none. Else `standings`, ids with the
    best first, give the places, and ids that it lacks have none. Without `standings` the tables give them.
    """
    having = [one for one in entrants if one.has_list]
    counts = Counter(check.registration for check in checks)
    if group == TOP_CUT:
        places = {one.id: 1 for one in having if one.cut}
    elif standings:
        places = {id: place for place, id in enumerate(dict.fromkeys(standings), 1)}
    else:
        places = rank_by_table((one.id, one.where.table) for one in having)
    return [Drawable(one.id, places.get(one.id), counts[one.id]) for one in having]


DRAWN, FEWEST, NOBODY = "drawn", "fewest", "nobody"  # why


class NextCheck(NamedTuple):
    """The registration to check next ("" if there is none), and the reason `why`: DRAWN, FEWEST or NOBODY.

    `of` is the number of candidates: the group for DRAWN, those checked least often for FEWEST, 0 for NOBODY. `checks`
    is the number of begun checks of the registration. `owed`: decks still to check until a tenth of all players with a
    list is checked. `seed` and `among` (a group of AMONG) are the terms.
    """

    registration: str
    why: str
    of: int
    checks: int
    owed: int
    seed: str
    among: str

    def as_json(self, translate: Language) -> NextReasonJSON:
        """Return the reason as JSON, also as a sentence, without the registration."""
        return {
            "why": self.why,
            "because": self.explain(translate),
            "of": self.of,
            "owed": self.owed,
            "seed": self.seed,
            "among": self.among,
        }

    def explain(self, translate: Language) -> str:
        """Return the reason as a sentence for judges."""
        if self.why == NOBODY:
            return translate("No deck is left to check.")
        if self.why == DRAWN:
            return translate("Drawn earlier and not checked yet.")
        if not self.checks:
            return translate("Not checked yet: first of {of} players by the seed {seed}.", of=self.of, seed=self.seed)
        return translate.plural(
            "Checked once, and no deck less often: first of {of} players by the seed {seed}.",
            "Checked {count} times, and no deck less often: first of {of} players by the seed {seed}.",
            self.checks,
            of=self.of,
            seed=self.seed,
        )


def find_next_check(players: Sequence[Drawable], draw: Sequence[str], seed: str, group: str) -> NextCheck:
    """Return the registration to check next, of a group of AMONG. "" as the registration if there is none.

    `draw` are ids that were drawn and wait. The first of them in the group is next. Without one it is the first, in the
    order of the seed, of those checked least often. Raises Invalid if the group needs places and none is known.
    """
    still_owed = count_owed(players)
    candidates = {one.registration: one for one in group_members(players, group)}
    if waiting := next((id for id in draw if id in candidates), None):
        return NextCheck(waiting, DRAWN, len(candidates), candidates[waiting].checks, still_owed, seed, group)
    fewest = min((one.checks for one in candidates.values()), default=0)
    least = [one for one in candidates.values() if one.checks == fewest]
    if not least:
        return NextCheck("", NOBODY, 0, 0, still_owed, seed, group)
    return NextCheck(order_by_seed(least, seed)[0], FEWEST, len(least), fewest, still_owed, seed, group)
