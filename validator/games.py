"""Games: the descriptions of the games. Code that differs between games reads it from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from validator.errors import UnknownGame


class Series(NamedTuple):
    """The form of the numbers of one product series: the number of digits of the set (0: no set) and of the card.

    "OP01-016" has the form (2, 3).
    """

    set: int
    card: int


@dataclass(frozen=True, slots=True)
class Game:
    """One game: facts of its manual and its official card list that hold for all its cards.

    `series`: the form of card numbers, by the code with which they begin. `told_by_name`: cards are identified by name
    and not by number. `two_faced`: the types of cards with a back. `always`: the types whose cards always have a fact
    ("colors", "cost"), even if a source lacks the fact. `costless`: the types whose printed number is their Life and no
    cost. `dash`: the cost that "-" means, None for no cost. `cost_letters`: the colours by their letters in a cost,
    "4(RY)". `parted`: the sizes of main and side deck in lists that separate the decks only by a blank line. `apart`:
    the section for cards of a type, or "aside", if a list names none. `typed_series`: the type of all cards of a
    series, by its code, also of cards that a catalogue lacks. `site`: the publisher's site with its cards and limits,
    "" if there is none.
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
    typed_series: Mapping[str, str] = field(default_factory=dict)
    site: str = ""

    def cost_colors(self, printed: str) -> tuple[str, ...]:
        """Return the colours of the letters in a printed cost, without duplicates: "4(RY)" has Red and Yellow.

        Other characters are ignored.
        """
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
    costless=frozenset({"Leader"}),  # the list has its Life in the place of the cost
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

_FUSION = Game(
    id="fusion",
    title="Dragon Ball Super Card Game Fusion World",
    types=("Leader", "Battle", "Extra", "Energy Marker"),  # Rule Manual, Types of cards, Areas
    colors=("Red", "Blue", "Green", "Yellow", "Black"),
    series={
        **dict.fromkeys(("FB", "SB", "ST"), Series(2, 3)),
        "FS": Series(2, 2),
        "FP": Series(0, 3),
        "E": Series(0, 2),
    },
    two_faced=frozenset({"Leader"}),
    always={
        "colors": frozenset({"Leader", "Battle", "Extra"}),
        "cost": frozenset({"Battle", "Extra"}),
    },
    apart={"Energy Marker": "aside"},  # one is beside the deck for the player going second
    typed_series={"E": "Energy Marker"},
)

# Games that are not judged, by title. Their numbers are known, so that a diagnosis can name the game.
UNJUDGED: Mapping[str, Mapping[str, Series]] = {
    "Digimon Card Game": {
        **dict.fromkeys(("BT", "EX", "RB", "AD"), Series(1, 3)),
        "ST": Series(1, 2),
        **dict.fromkeys(("LM", "P"), Series(0, 3)),
    },
}

GAMES: Mapping[str, Game] = {game.id: game for game in (_OPTCG, _DBS, _FUSION, _GUNDAM, _BOS)}
WITH_SITE = tuple(game.id for game in GAMES.values() if game.site)


def game_of(id: str) -> Game:
    """Return the game of an id. Raises UnknownGame, which names the known games."""
    if id not in GAMES:
        raise UnknownGame(id, GAMES)
    return GAMES[id]
