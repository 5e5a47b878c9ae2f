"""`deckproof check`: is this deck legal?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any

import click

from api.cli import ILLEGAL
from api.cli import LEGAL
from api.cli import UNUSABLE
from api.cli import Fault
from api.cli import options
from api.cli import sentence
from api.service.errors import Invalid
from api.service.errors import NotJson
from api.service.errors import Unusable

if TYPE_CHECKING:
    from api.service.judges import Judges
    from api.service.requests import Asked
    from api.service.requests import Validation
    from validator.decklists import Parsed
    from validator.judge import Verdict

LARGEST_DECK = 1_000_000  # bytes of a file; the readers take fewer characters
# What people give instead of a list, by how such a file begins, and what to do with it.
_NO_TEXT = {
    b"PK\x03\x04": "a spreadsheet or an archive; `deckproof batch` judges the decks of a spreadsheet",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet; save it as .xlsx, whose decks `deckproof batch` judges",
    b"%PDF": "a PDF; copy the list out of it into a text file",
    b"\x89PNG": "a picture; write the list down as text",
    b"\xff\xd8\xff": "a picture; write the list down as text",
}


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options.terms
@options.JSON
@click.option("--explain", is_flag=True, help="Also list every rule that was checked.")
def command(files: tuple[str, ...], as_json: bool, explain: bool, **terms: Any) -> None:
    """Judge deck lists.

    FILE is text in any common format, or JSON; `-` is standard input. The game is told from the cards where neither
    --ruleset nor --game says it. Ends with 0 when every deck is legal, 1 when one is not, 2 when a file cannot be used.
    """
    from api.service.requests import Asked

    judges = options.judges()
    asked = Asked(**terms)
    if asked.ruleset or asked.game:
        judges.judge(asked)  # what cannot be had is said once, before any file is read
    codes = [_check(name, judges, asked, as_json, explain, named=len(files) > 1) for name in files]
    raise SystemExit(max(codes))


def _check(name: str, judges: Judges, asked: Asked, as_json: bool, explain: bool, named: bool) -> int:
    try:
        verdict = judged(contents(name), judges, asked)
    except OSError as error:
        Fault(f"{_shown(name)}: {error.strerror or error}.").show()
        return UNUSABLE
    except (Invalid, Unusable) as error:
        Fault(f"{_shown(name)}: {sentence(error)}").show()
        return UNUSABLE
    return report(verdict, name, as_json, explain, named)


def report(verdict: Verdict, name: str, as_json: bool, explain: bool = False, named: bool = False) -> int:
    """Write a verdict on the deck of a file, and return the exit code that it means."""
    if as_json:
        shown = {"file": name} if named else {}
        options.write_json(shown | verdict.as_dict(explain))
    else:
        from api.cli import console

        console.say(console.verdict(verdict, _shown(name), explain))
    return LEGAL if verdict.legal else ILLEGAL


def _shown(name: str) -> str:
    return "standard input" if name == "-" else name


def contents(name: str) -> bytes:
    """Return what a file holds, or standard input for `-`; Unusable if it is too long for a deck list, or no text."""
    if name == "-":
        data = sys.stdin.buffer.read(LARGEST_DECK + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST_DECK + 1)
    if len(data) > LARGEST_DECK:
        raise Unusable(f"this has more than {LARGEST_DECK:,} bytes; no deck list is so long.")
    for beginning, what in _NO_TEXT.items():
        if data.startswith(beginning):
            raise Unusable(f"this is {what}.")
    return data


def judged(data: bytes, judges: Judges, asked: Asked) -> Verdict:
    """Judge a deck list, or the validate request that a file holds; what was asked goes before what it says."""
    if request := _request(data):
        said = request.asked._replace(**{key: value for key, value in asked._asdict().items() if value is not None})
        return judges.verdict(request._replace(asked=said))
    found = told_game(data, judges, asked)
    return judges.judge(asked if asked.ruleset else asked._replace(game=found.game))(found.deck)


def told_game(data: bytes, judges: Judges, asked: Asked) -> Parsed:
    """Return the deck of a list with its game, which is asked for or told from the cards.

    Unusable says that there are no cards or those of several players, or that they do not tell the game.
    """
    from validator.decklists.reading import OF_SEVERAL
    from validator.rulesets import rulesets

    ruleset = rulesets().get(asked.ruleset or "")
    found = judges.read(data, ruleset.game if ruleset else asked.game)
    if any(line.reason in OF_SEVERAL for line in found.deck.unread):
        raise Unusable("this has the decks of several players; `deckproof batch` judges them.")
    if not any(found.deck.lines()):
        why = f" (line {found.deck.unread[0].at}: {found.deck.unread[0].reason})" if found.deck.unread else ""
        raise Unusable(f"no card could be read in this{why}; a line is a count and a card, such as 4 NUMBER Name.")
    if found.game is None:
        raise Unusable("the cards do not tell which game this is; say it with --game or --ruleset.")
    return found


def _request(data: bytes) -> Validation | None:
    if not data.lstrip().startswith(b"{"):
        return None
    from api.service.decoder import validation
    from api.service.shapes import parsed

    try:
        found = parsed(data)
    except NotJson:
        return None  # the readers of deck lists say what is wrong with it
    has_deck = isinstance(found.get("deck"), dict) or isinstance(found.get("decklist"), str)
    return validation(data) if has_deck and found.keys() & {"ruleset", "game"} else None
