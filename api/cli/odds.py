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
    found = odds(judges, _read_request(file, judges, asked, **given), say)
    if as_json:
        options.write_json(found)
        return
    from api.cli import console

    console.say(_intro_lines(found, say))
    console.table(_table_headings(found, say), _table_rows(found))
    console.say(_detail_lines(found, say))


def _read_request(
    file: str, judges: Any, asked: Asked, wants: tuple[str, ...], targets: str | None, **more: Any
) -> OddsRequest:
    """Return the request of the options, parsed like a request of the HTTP interface. Raises CommandError."""
    from api.cli.check import name_file_in_errors, parse_deck, read_file
    from api.service.shapes import OddsShape, loaded

    with name_file_in_errors(file):
        found = parse_deck(read_file(file), judges, asked)
    body: dict[str, Any] = {key: value for key, value in more.items() if value is not None}
    if wants:
        body["wishes"] = [{"cards": _split_cards(cards)} for cards in wants]
    if targets is not None:
        body["targets"] = int(targets) if targets.isdecimal() and len(targets) < 10 else _split_cards(targets)
    with options.name_options_in_errors():
        request: OddsRequest = loaded(OddsShape(), {"game": found.game, "deck": {}, **body})
    return request._replace(asked=asked if asked.ruleset else asked._replace(game=found.game), deck=found.deck)


def _split_cards(cards: str) -> list[str]:
    """Return the cards of a list written with "/"."""
    return [card.strip() for card in cards.split("/") if card.strip()]


def _as_percent(chance: ChanceJSON | None) -> str:
    """Return a chance in percent, "" for None."""
    return f"{chance['chance']:.1%}" if chance else ""


def _intro_lines(found: OddsAnswerJSON, say: Language) -> Iterator[OutputLine]:
    """Yield the heading with the sizes of deck and hand, and a line for each rule used."""
    from api.cli.console import OutputLine

    yield OutputLine(say("{deck} cards, a first hand of {hand}", deck=found["deck"], hand=found["hand"]), "title")
    for rule in found["rules"]:
        yield OutputLine(f"{rule['says']} ({rule['document']}, {rule['section']})", "soft", 2, f"{rule['fact']:<7}")
    yield OutputLine("")


def _table_headings(found: OddsAnswerJSON, say: Language) -> tuple[str, ...]:
    """Return the headings of the table of cards."""
    turn = say("Turn {turn}, first", turn=found["turn"])
    return say("Card"), say("Copies"), say("First hand"), turn, say("second"), say("In Life")


def _table_rows(found: OddsAnswerJSON) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the table of cards."""
    for card in found["cards"]:
        turn = card["by_turn"]
        life = _as_percent(card["life"] and card["life"]["some"])
        named = f"{card['number']} {card['name']}".strip()
        seen = map(_as_percent, (card["first_hand"], turn["first"], turn["second"]))
        yield (named, card["copies"], *seen, life)


def _detail_lines(found: OddsAnswerJSON, say: Language) -> Iterator[OutputLine]:
    """Yield the lines of wishes, search and curve, and what the calculation leaves out."""
    from api.cli.console import OutputLine

    wishes, search, curve = found["wishes"], found["search"], found["curve"]
    if wishes:
        yield from _wish_lines(wishes, say)
    if search:
        yield from _search_lines(search, say)
    if curve:
        yield from _curve_lines(curve, say)
    yield OutputLine("")
    parts = (*found["cards"][:1], wishes, search, curve)
    for what in dict.fromkeys(what for part in parts if part for what in part["leaves_out"]):
        yield OutputLine(what, "soft", 2)
    yield OutputLine("")


def _wish_lines(answer: WishesJSON, say: Language) -> Iterator[OutputLine]:
    """Yield the lines on the chance to draw the wished cards."""
    from api.cli.console import OutputLine

    wanted = [
        say("{least} of {cards} ({copies})", least=wish["least"], cards=", ".join(wish["cards"]), copies=wish["copies"])
        for wish in answer["of"]
    ]
    hand = say(
        "{hand} in the first hand; as dealt {dealt}",
        hand=_as_percent(answer["first_hand"]),
        dealt=_as_percent(answer["as_dealt"]),
    )
    yield OutputLine(hand, "title", 2, f"{words.joined(wanted, say)}: ")
    turn = answer["by_turn"]
    first, second = _as_percent(turn["first"]), _as_percent(turn["second"])
    seen = say("{first} going first, {second} going second", first=first, second=second)
    yield OutputLine(seen, "", 5, say("By turn {turn}", turn=turn["turn"]) + "  ")


def _search_lines(answer: SearchJSON, say: Language) -> Iterator[OutputLine]:
    """Yield the line on the chance that a search finds a target."""
    from api.cli.console import OutputLine

    chance, targets, enough = _as_percent(answer), answer["targets"], answer["enough"]
    hit = say(
        "{chance} with {targets} targets; {enough} are enough for 80%", chance=chance, targets=targets, enough=enough
    )
    yield OutputLine(hit, "title", 2, say("Looking at {look} of {of}: ", look=answer["look"], of=answer["of"]))


def _curve_lines(answer: CurveJSON, say: Language) -> Iterator[OutputLine]:
    """Yield the lines on the chance to have a card of exactly the cost that can be paid, by turn."""
    from api.cli.console import OutputLine

    players = (
        (say("A card of just what there is to pay with, going first:"), answer["first"]),
        (say("A card of just what there is to pay with, going second:"), answer["second"]),
    )
    for heading, turns in players:
        yield OutputLine(heading, "", 2)
        paid = [
            say(
                "turn {turn}, {energy}: {chance}",
                turn=turn["turn"],
                energy=turn["energy"],
                chance=_as_percent(turn["exact"]),
            )
            for turn in turns
        ]
        yield OutputLine("; ".join(paid), "", 5)
