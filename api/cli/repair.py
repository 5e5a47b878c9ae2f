"""`deckproof repair`: how does this deck become legal?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from api.cli import ILLEGAL, LEGAL, CommandError, options, sentence
from api.cli.deck_files import judge_file, name_file_in_errors, read_file

if TYPE_CHECKING:
    from validator.language import Language


@click.command()
@click.argument("file", metavar="FILE")
@options.add_terms_options
@click.option("--pin", "pinned", multiple=True, metavar="CARD", help="A card that stays as it is, by number or name.")
@options.JSON
@options.LANG
def command(file: str, pinned: tuple[str, ...], as_json: bool, translate: Language, **terms: Any) -> None:
    """Find the fewest changes that make a deck legal.

    FILE is a deck list, as for `deckproof check`. Exits with 0 if the deck is legal, 1 if it is not, 2 if the file
    cannot be used.

    \b
    deckproof repair deck.txt --pin OP01-016
    """
    from api.service.requests import RequestedTerms
    from validator.errors import PinError
    from validator.repair import repair

    with name_file_in_errors(file):
        verdict = judge_file(read_file(file), options.judges(), RequestedTerms(**terms))
    try:
        answer = repair(verdict.judge, verdict.facts.deck, pinned)
    except PinError as error:
        raise CommandError(f"--pin: {sentence(error)}.") from None
    if as_json:
        options.write_json(answer.as_dict(translate))
    else:
        from api.cli import console

        console.write(console.repair_lines(answer, translate))
    raise SystemExit(LEGAL if verdict.legal else ILLEGAL)
