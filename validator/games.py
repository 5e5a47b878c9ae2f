"""Games: what tells one from another, said here alone; whatever differs between games asks their description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from validator.errors import UnknownGame


class Series(NamedTuple):
    """How one series of products writes its numbers: digits of the set (0: none) and of the card."""

    set: int
    card: int


@dataclass(frozen=True, slots=True)
class Game:
    """One game: what its manual and its official card list say of all its cards.

    `series`: how card numbers are written, by the code they begin with; `told_by_name`: numbers do not tell
    cards apart, names do. `two_faced`: the types whose cards have a back; `always`: those whose cards all have
    a fact ("colors", "cost"), though a source may not tell it; `costless`: those whose printed number is no
    cost but their Life. `dash`: the cost that "-" stands for; `cost_letters`: the letters of colours in a cost,
    "4(RY)". `parted`: the cards that main and side deck have where a list parts them by nothing but a blank line.
    `apart`: the section in which cards of a type lie, or "aside", where a list does not say it.
    `site`: where its publisher lists its cards and limits, "" where nobody does.
    """

    id: str
    title: str
    types: tuple[str, ...]
    colors: tuple[str, ...] = ()
    series: Mapping[str, Series] = field(default_factory=dict)
    told_by_name: bool = False
    two_faced: frozenset[str] = frozenset()
    always: Mapping[str, frozenset[str]] = field(default_factory=dict)
    costless: frozenset[str] = frozenset()
    dash: int | None = None
    cost_letters: Mapping[str, str] = field(default_factory=dict)
    parted: Mapping[str, range] = field(default_factory=dict)
    apart: Mapping[str, str] = field(default_factory=dict)
    site: str = ""

    def cost_colors(self, printed: str) -> tuple[str, ...]:
        """Return the colours of the energy in a printed cost, each once."""
        return tuple(dict.fromkeys(self.cost_letters[letter] for letter in printed if letter in self.cost_letters))


_OPTCG = Game(
    id="optcg",
    title="ONE PIECE",
    types=("Leader", "Character", "Event", "Stage", "DON!!"),  # 2-2-2
    colors=("Red", "Green", "Blue", "Purple", "Black", "Yellow"),  # 2-3
    series={
        **dict.fromkeys(("OP", "ST", "EB", "PRB"), Series(2, 3)),
        "P": Series(0, 3),
    },
    always={  # 2-3, 2-7
        "colors": frozenset({"Leader", "Character", "Event", "Stage"}),
        "cost": frozenset({"Character", "Event", "Stage"}),
    },
    costless=frozenset({"Leader"}),  # the list has its life where others have their cost
    dash=0,  # the list prints no zero
    site="https://en.onepiece-cardgame.com",
)

_DBS = Game(
    id="dbs",
    title="Dragon Ball Super",
    # 4.00, 2-1-2 and 15 to 18; tokens 1.073 10-18
    types=("Leader", "Battle", "Extra", "Unison", "Z-Leader", "Z-Battle", "Z-Extra", "Z-Unison", "Token"),
    colors=("Red", "Blue", "Green", "Yellow", "Black", "White"),  # 1.073 2-4-1-1; white since BT28
    series={
        **dict.fromkeys(("BT", "TB", "DB"), Series(1, 3)),
        **dict.fromkeys(("EB", "SD", "XD"), Series(1, 2)),
        "EX": Series(2, 2),
        "P": Series(0, 3),
    },
    two_faced=frozenset({"Leader"}),
    always={  # 1.073 2-4, 2-11
        "colors": frozenset(
            {"Leader", "Battle", "Extra", "Unison", "Z-Leader", "Z-Battle", "Z-Extra", "Z-Unison"},
        ),
        "cost": frozenset({"Battle", "Extra", "Unison", "Z-Battle", "Z-Extra", "Z-Unison"}),
    },
    cost_letters={"R": "Red", "B": "Blue", "U": "Blue", "G": "Green", "Y": "Yellow", "K": "Black", "W": "White"},
    parted={"main": range(50, 61), "side": range(1, 16)},  # 4.00, 6-1-1; the side deck is tournament policy
    site="https://www.dbs-cardgame.com",
)

_BOS = Game(
    id="bos",
    title="Battle of Souls",
    # "Game cards", "Fighter tokens"; the rule book has no colours.
    types=(
        "Warrior",
        "Elite Warrior",
        "Warlord",
        "Legendary Warrior",
        "Equipment",
        "Tactic",
        "Battlefield",
        "Token",
    ),
    told_by_name=True,  # Game cards, Fighter cards 1.a
)

_GUNDAM = Game(
    id="gundam",
    title="GUNDAM CARD GAME",
    # 3-1, and the tokens of 5-17: an EX Base is no Base card, an EX Resource no Resource card.
    types=("Unit", "Pilot", "Command", "Base", "Resource", "Unit Token", "EX Base", "EX Resource"),
    colors=("Blue", "Green", "Red", "White", "Purple"),  # 2-4-2-1
    series={
        **dict.fromkeys(("GD", "ST", "EB"), Series(2, 3)),
        **dict.fromkeys(("R", "RP", "T", "EXB", "EXBP", "EXR", "EXRP"), Series(0, 3)),
    },
    always={  # 2-4-2, 2-10
        "colors": frozenset({"Unit", "Pilot", "Command", "Base"}),
        "cost": frozenset({"Unit", "Pilot", "Command", "Base"}),
    },
    apart={"Resource": "resource", **dict.fromkeys(("Unit Token", "EX Base", "EX Resource"), "aside")},  # 6-1-2
    parted={"main": range(50, 51), "side": range(10, 11)},  # 6-1-1; BO3 Match Rules, Sideboards 1
)

# Games that are not judged, by title: a list of one is told by its numbers, so that it can be said whose they are.
UNJUDGED: Mapping[str, Mapping[str, Series]] = {
    "Dragon Ball Super Card Game Fusion World": {
        **dict.fromkeys(("FB", "SB"), Series(2, 3)),
        "FS": Series(2, 2),
        "FP": Series(0, 3),
    },
    "Digimon Card Game": {
        **dict.fromkeys(("BT", "EX", "RB", "AD"), Series(1, 3)),
        "ST": Series(1, 2),
        **dict.fromkeys(("LM", "P"), Series(0, 3)),
    },
}

GAMES: Mapping[str, Game] = {one.id: one for one in (_OPTCG, _DBS, _GUNDAM, _BOS)}
WITH_SITE = tuple(one.id for one in GAMES.values() if one.site)


def game_of(id: str) -> Game:
    """Return the game of an id; UnknownGame names the games there are."""
    if id not in GAMES:
        raise UnknownGame(id, GAMES)
    return GAMES[id]
