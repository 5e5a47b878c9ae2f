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
    from api.service.requests import OddsRequest, RequestedTerms
    from validator.language import Language

_CARDS = "CARD[/CARD...]"


@click.command()
@click.argument("file", metavar="FILE")
@options.add_terms_options
@click.option("--want", "wants", multiple=True, metavar=_CARDS, help="See one of these; given twice, one of each.")
@click.option("--turn", default=5, show_default=True, help="The turn to which odds are told.")
@click.option("--look", type=int, help="How many cards of the top of the deck a search looks at.")
@click.option("--targets", metavar=f"{_CARDS}|N", help="What the search looks for, or how many there are.")
@click.option("--searcher", metavar="CARD", help="The card that searches.")
@click.option("--life", type=int, help="How many Life cards there are, where the Leader is not known.")
@options.JSON
@options.LANG
def odds_command(file: str, as_json: bool, translate: Language, **given: Any) -> None:
    """Compute the exact odds of a deck's draws.

    FILE is a deck list in any common format. `-` is standard input. A CARD is a number or a name of the deck. First
    hands are redrawn as the game's rules allow. Nothing is simulated, and the output names what is not modelled. Exits
    with 0 for legal and illegal decks, with 2 if the file cannot be used.

    \b
    deckproof odds deck.txt --want OP01-016 --turn 3
    """
    from api.service.answers.odds_answers import odds
    from api.service.requests import RequestedTerms

    judges = options.judges()
    asked = RequestedTerms(**{key: given.pop(key) for key in RequestedTerms._fields if key in given})
    found = odds(judges, _parse_request(file, judges, asked, **given), translate)
    if as_json:
        options.write_json(found)
        return
    from api.cli import console

    console.write(_opening_lines(found, translate))
    console.table(_headings(found, translate), _card_rows(found))
    console.write(_other_lines(found, translate))


def _parse_request(
    file: str, judges: Any, requested_terms: RequestedTerms, wants: tuple[str, ...], targets: str | None, **more: Any
) -> OddsRequest:
    """Return the odds request that the options describe, with the deck parsed from the file ("-": standard input).

    Each of `wants` is a wish: cards separated by "/", of which one is enough. `targets` has such cards, or their
    number. `more` are further options by field of OddsRequest. None is an omitted option. Raises CommandError for an
    unusable file or wrong option, OSError if the file cannot be read.
    """
    from api.cli.deck_files import complete_game, parse_deck_file
    from api.service.shapes import OddsShape, load_with

    found = parse_deck_file(file, judges, requested_terms)
    body: dict[str, Any] = {key: value for key, value in more.items() if value is not None}
    if wants:
        body["wishes"] = [{"cards": _split_cards(one)} for one in wants]
    if targets is not None:
        body["targets"] = int(targets) if targets.isdecimal() and len(targets) < 10 else _split_cards(targets)
    with options.name_options_in_errors():
        read: OddsRequest = load_with(OddsShape(), {"game": found.game, "deck": {}, **body})
    return read._replace(asked=complete_game(requested_terms, found), deck=found.deck)


def _split_cards(cards: str) -> list[str]:
    """Return the cards of an option, which are separated by "/". Blanks around them and empty parts are dropped."""
    return [card.strip() for card in cards.split("/") if card.strip()]


def _percent(chance: ChanceJSON | None) -> str:
    """Return a chance in percent with one decimal place, "" for None."""
    return f"{chance['chance']:.1%}" if chance else ""


def _opening_lines(answer: OddsAnswerJSON, translate: Language) -> Iterator[OutputLine]:
    """Yield the numbers of cards of deck and first hand, each rule on the beginning of a game, and a blank line."""
    from api.cli.console import OutputLine

    yield OutputLine(
        translate("{deck} cards, a first hand of {hand}", deck=answer["deck"], hand=answer["hand"]), "title"
    )
    for rule in answer["rules"]:
        yield OutputLine(f"{rule['says']} ({rule['document']}, {rule['section']})", "soft", 2, f"{rule['fact']:<7}")
    yield OutputLine("")


def _headings(answer: OddsAnswerJSON, translate: Language) -> tuple[str, ...]:
    """Return the headings of the table of odds in a language. They have the turn of the answer."""
    turn = translate("Turn {turn}, first", turn=answer["turn"])
    return (
        translate("Card"),
        translate("Copies"),
        translate("First hand"),
        turn,
        translate("second"),
        translate("In Life"),
    )


def _card_rows(answer: OddsAnswerJSON) -> Iterator[tuple[object, ...]]:
    """Yield the table row of each card: number and name, copies, and chances in percent.

    They are those in the first hand, by the turn going first and second, and of a copy in Life ("" if unknown).
    """
    for card in answer["cards"]:
        turn = card["by_turn"]
        life = _percent(card["life"] and card["life"]["some"])
        named = f"{card['number']} {card['name']}".strip()
        seen = map(_percent, (card["first_hand"], turn["first"], turn["second"]))
        yield (named, card["copies"], *seen, life)


def _other_lines(answer: OddsAnswerJSON, translate: Language) -> Iterator[OutputLine]:
    """Yield the odds of wishes, search and cost curve that the answer has, then the simplifications of the model.

    Each simplification is yielded once. Those of the odds of Life are left out.
    """
    from api.cli.console import OutputLine

    wishes, search, curve = answer["wishes"], answer["search"], answer["curve"]
    if wishes:
        yield from _wish_lines(wishes, translate)
    if search:
        yield from _search_lines(search, translate)
    if curve:
        yield from _curve_lines(curve, translate)
    yield OutputLine("")
    parts = (*answer["cards"][:1], wishes, search, curve)
    for what in dict.fromkeys(what for part in parts if part for what in part["leaves_out"]):
        yield OutputLine(what, "soft", 2)
    yield OutputLine("")


def _wish_lines(wishes: WishesJSON, translate: Language) -> Iterator[OutputLine]:
    """Yield two lines with the odds of all wishes together: in the first hand with and without a redraw, by the turn.

    The label of the first line has the cards of each wish, and their copies in the deck.
    """
    from api.cli.console import OutputLine

    wanted = [
        translate(
            "{least} of {cards} ({copies})", least=one["least"], cards=", ".join(one["cards"]), copies=one["copies"]
        )
        for one in wishes["of"]
    ]
    hand = translate(
        "{hand} in the first hand, {dealt} without a redraw",
        hand=_percent(wishes["first_hand"]),
        dealt=_percent(wishes["as_dealt"]),
    )
    yield OutputLine(hand, "title", 2, f"{words.join_with_and(wanted, translate)}: ")
    turn = wishes["by_turn"]
    first, second = _percent(turn["first"]), _percent(turn["second"])
    seen = translate("{first} going first, {second} going second", first=first, second=second)
    yield OutputLine(seen, "", 5, translate("By turn {turn}", turn=turn["turn"]) + "  ")


def _search_lines(search: SearchJSON, translate: Language) -> Iterator[OutputLine]:
    """Yield one line with the chance of a search, its number of targets, and the number that is enough for 80 %."""
    from api.cli.console import OutputLine

    chance, targets, enough = _percent(search), search["targets"], search["enough"]
    hit = translate(
        "{chance} with {targets} targets ({enough} are enough for 80%)", chance=chance, targets=targets, enough=enough
    )
    yield OutputLine(hit, "title", 2, translate("Looking at {look} of {of}: ", look=search["look"], of=search["of"]))


def _curve_lines(curve: CurveJSON, translate: Language) -> Iterator[OutputLine]:
    """Yield a heading and a line for going first, then for going second.

    The line has the chance of each turn to have seen a card that costs exactly the energy of the turn.
    """
    from api.cli.console import OutputLine

    players = (
        (translate("A card to play with the energy of each turn, going first:"), curve["first"]),
        (translate("A card to play with the energy of each turn, going second:"), curve["second"]),
    )
    for heading, turns in players:
        yield OutputLine(heading, "", 2)
        paid = [
            translate(
                "turn {turn}, {energy}: {chance}", turn=one["turn"], energy=one["energy"], chance=_percent(one["exact"])
            )
            for one in turns
        ]
        yield OutputLine("; ".join(paid), "", 5)
