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
    """Mend a deck list by the fewest changes.

    FILE is a deck list as `deckproof check` reads it. Ends with 0 when the deck is legal, 1 when it is not, 2 when the
    file cannot be used.
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
