"""`deckproof odds`: how likely is it to draw what this deck is meant to draw?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from api.cli import options
from validator import words

if TYPE_CHECKING:
    from api.cli.console import OutputLine
    from api.service.answers.odds_answers import ChanceJSON, CurveJSON, OddsAnswerJSON, SearchJSON, WishesJSON
    from api.service.requests import Asked, OddsRequest
    from validator.language import Language

_CARDS = "CARD[/CARD...]"


@click.command()
@click.argument("file", metavar="FILE")
@options.terms
@click.option("--want", "wants", multiple=True, metavar=_CARDS, help="See one of these; given twice, one of each.")
@click.option("--turn", default=5, show_default=True, help="The turn to which odds are told.")
@click.option("--look", type=int, help="How many cards of the top of the deck a search looks at.")
@click.option("--targets", metavar=f"{_CARDS}|N", help="What the search looks for, or how many there are.")
@click.option("--searcher", metavar="CARD", help="The card that searches.")
@click.option("--life", type=int, help="How many Life cards there are, where the Leader is not known.")
@options.JSON
@options.LANG
def command(file: str, as_json: bool, say: Language, **given: Any) -> None:
    """Tell what a deck draws, exactly.

    FILE is a deck list in any common format; `-` is standard input. A CARD is a number or a name of the deck. First
    hands are redrawn as the game's rules allow; nothing is simulated, and what is not modelled is said. Ends
    with 0 whether the deck is legal or not, with 2 when the file cannot be used.
    """
    from api.service.answers.odds_answers import odds
    from api.service.requests import Asked

    judges = options.judges()
    asked = Asked(**{key: given.pop(key) for key in Asked._fields if key in given})
    found = odds(judges, _request(file, judges, asked, **given), say)
    if as_json:
        options.write_json(found)
        return
    from api.cli import console

    console.say(_told(found, say))
    console.table(_headings(found, say), _rows(found))
    console.say(_more(found, say))


def _request(
    file: str, judges: Any, asked: Asked, wants: tuple[str, ...], targets: str | None, **more: Any
) -> OddsRequest:
    """Return what the options ask for, read as the interface reads its requests."""
    from api.cli.check import contents, of_a_game, of_file
    from api.service.shapes import OddsShape, loaded

    with of_file(file):
        found = of_a_game(contents(file), judges, asked)
    body: dict[str, Any] = {key: value for key, value in more.items() if value is not None}
    if wants:
        body["wishes"] = [{"cards": _split(one)} for one in wants]
    if targets is not None:
        body["targets"] = int(targets) if targets.isdecimal() and len(targets) < 10 else _split(targets)
    with options.mistakes_told():
        read: OddsRequest = loaded(OddsShape(), {"game": found.game, "deck": {}, **body})
    return read._replace(asked=asked if asked.ruleset else asked._replace(game=found.game), deck=found.deck)


def _split(cards: str) -> list[str]:
    return [card.strip() for card in cards.split("/") if card.strip()]


def _percent(of: ChanceJSON | None) -> str:
    return f"{of['chance']:.1%}" if of else ""


def _told(found: OddsAnswerJSON, say: Language) -> Iterator[OutputLine]:
    from api.cli.console import OutputLine

    yield OutputLine(say("{deck} cards, a first hand of {hand}", deck=found["deck"], hand=found["hand"]), "title")
    for rule in found["rules"]:
        yield OutputLine(f"{rule['says']} ({rule['document']}, {rule['section']})", "soft", 2, f"{rule['fact']:<7}")
    yield OutputLine("")


def _headings(found: OddsAnswerJSON, say: Language) -> tuple[str, ...]:
    turn = say("Turn {turn}, first", turn=found["turn"])
    return say("Card"), say("Copies"), say("First hand"), turn, say("second"), say("In Life")


def _rows(found: OddsAnswerJSON) -> Iterator[tuple[object, ...]]:
    for card in found["cards"]:
        turn = card["by_turn"]
        life = _percent(card["life"] and card["life"]["some"])
        named = f"{card['number']} {card['name']}".strip()
        seen = map(_percent, (card["first_hand"], turn["first"], turn["second"]))
        yield (named, card["copies"], *seen, life)


def _more(found: OddsAnswerJSON, say: Language) -> Iterator[OutputLine]:
    """Yield wishes, search and curve, and what is not modelled."""
    from api.cli.console import OutputLine

    wishes, search, curve = found["wishes"], found["search"], found["curve"]
    if wishes:
        yield from _wishes(wishes, say)
    if search:
        yield from _search(search, say)
    if curve:
        yield from _curve(curve, say)
    yield OutputLine("")
    parts = (*found["cards"][:1], wishes, search, curve)
    for what in dict.fromkeys(what for part in parts if part for what in part["leaves_out"]):
        yield OutputLine(what, "soft", 2)
    yield OutputLine("")


def _wishes(of: WishesJSON, say: Language) -> Iterator[OutputLine]:
    from api.cli.console import OutputLine

    wanted = [
        say("{least} of {cards} ({copies})", least=one["least"], cards=", ".join(one["cards"]), copies=one["copies"])
        for one in of["of"]
    ]
    hand = say(
        "{hand} in the first hand; as dealt {dealt}", hand=_percent(of["first_hand"]), dealt=_percent(of["as_dealt"])
    )
    yield OutputLine(hand, "title", 2, f"{words.joined(wanted, say)}: ")
    turn = of["by_turn"]
    first, second = _percent(turn["first"]), _percent(turn["second"])
    seen = say("{first} going first, {second} going second", first=first, second=second)
    yield OutputLine(seen, "", 5, say("By turn {turn}", turn=turn["turn"]) + "  ")


def _search(of: SearchJSON, say: Language) -> Iterator[OutputLine]:
    from api.cli.console import OutputLine

    chance, targets, enough = _percent(of), of["targets"], of["enough"]
    hit = say(
        "{chance} with {targets} targets; {enough} are enough for 80%", chance=chance, targets=targets, enough=enough
    )
    yield OutputLine(hit, "title", 2, say("Looking at {look} of {of}: ", look=of["look"], of=of["of"]))


def _curve(of: CurveJSON, say: Language) -> Iterator[OutputLine]:
    from api.cli.console import OutputLine

    players = (
        (say("A card of just what there is to pay with, going first:"), of["first"]),
        (say("A card of just what there is to pay with, going second:"), of["second"]),
    )
    for heading, turns in players:
        yield OutputLine(heading, "", 2)
        paid = [
            say(
                "turn {turn}, {energy}: {chance}", turn=one["turn"], energy=one["energy"], chance=_percent(one["exact"])
            )
            for one in turns
        ]
        yield OutputLine("; ".join(paid), "", 5)
