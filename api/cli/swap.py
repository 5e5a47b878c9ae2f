"""`deckproof swap`: is the deck still legal, and still the same cards, after swapping?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from api.cli import CommandError, options
from api.cli.deck_files import complete_game, parse_deck_file, write_verdict
from validator.language import phrase

if TYPE_CHECKING:
    from validator.language import Language


@click.command()
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@options.add_terms_options
@options.JSON
@options.LANG
def command(before: str, after: str, as_json: bool, translate: Language, **terms: Any) -> None:
    """Judge a swap with the side deck.

    BEFORE and AFTER are deck lists in any common format. Ends with 0 when the deck after swapping is legal and made
    of the same cards, 1 when it is not, 2 when a file cannot be used.
    """
    from api.service.requests import RequestedTerms
    from validator.swap import judge_swap

    if before == after == "-":
        raise CommandError(phrase("Standard input holds one deck list; write the other in a file."))
    judges = options.judges()
    asked = RequestedTerms(**terms)
    decks = [parse_deck_file(name, judges, asked) for name in (before, after)]
    if decks[0].game != decks[1].game:
        raise CommandError(
            phrase(
                "{before} is a deck of {game} and {after} one of {other}.",
                before=before,
                game=decks[0].game,
                after=after,
                other=decks[1].game,
            )
        )
    judge = judges.judge(complete_game(asked, decks[0]))
    verdict = judge_swap(judge, decks[0].deck, decks[1].deck)
    raise SystemExit(write_verdict(verdict, after, as_json, translate))
