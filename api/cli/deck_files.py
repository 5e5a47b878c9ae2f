"""Deck files: the FILE arguments of commands, read, parsed and judged, and the output of one verdict.

`-` is standard input. A file is a deck list in any format, or a validate request as JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from api.cli import ILLEGAL, LEGAL, CommandError, options, sentence
from api.service.deck_files import detect_other_file
from api.service.errors import Invalid, NotJson, Unusable
from validator.deck import has_several
from validator.language import ENGLISH, Language

if TYPE_CHECKING:
    from api.service.judges import Judges
    from api.service.requests import Asked, Validation
    from validator.decklists import Parsed
    from validator.judge import Verdict
_Judged = TypeVar("_Judged")

LARGEST_DECK = 1_000_000  # bytes of a file; the parsers accept fewer characters
_MANY = " `deckproof batch` judges the decks of a spreadsheet."


def file_label(name: str) -> str:
    """Return the name of a file in messages."""
    return "standard input" if name == "-" else name


@contextmanager
def name_file_in_errors(name: str) -> Iterator[None]:
    """Begin the message of each Unusable error with the name of the file."""
    try:
        yield
    except Unusable as error:
        raise CommandError(f"{file_label(name)}: {error}") from None


def read_file(name: str) -> bytes:
    """Return the bytes of a file. Raises Unusable if they are too many for a deck list, or no text."""
    if name == "-":
        data = sys.stdin.buffer.read(LARGEST_DECK + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST_DECK + 1)
    if len(data) > LARGEST_DECK:
        raise Unusable(f"this has more than {LARGEST_DECK:,} bytes; no deck list is so long.")
    if found := detect_other_file(data):
        raise Unusable(found.says + _MANY * found.is_spreadsheet)
    return data


def judge_file(data: bytes, judges: Judges, asked: Asked) -> Verdict:
    """Return the verdict on a deck list or validate request. Terms in `asked` replace those of the request."""
    if request := _parse_request(data):
        return judges.verdict(_with_terms(request, asked))
    parsed = parse_deck(data, judges, asked)
    return judges.judge(asked if asked.ruleset else asked._replace(game=parsed.game))(parsed.deck)


def judge_each_deck(data: bytes, judges: Judges, asked: Asked) -> Sequence[tuple[str, Verdict]]:
    """Return the name of each deck of a list with the verdict on it. The name is "" if the list has only one deck."""
    if request := _parse_request(data):
        return [("", judges.verdict(_with_terms(request, asked)))]
    parsed = parse_deck(data, judges, asked)
    judge = judges.judge(asked if asked.ruleset else asked._replace(game=parsed.game))
    if not has_several(parsed.deck):
        return [("", judge(parsed.deck))]
    each = judges.read_each(data, parsed.game)
    return [(one.name or f"deck {place}", judge(one.deck)) for place, one in enumerate(each, 1)]


def _with_terms(request: Validation, asked: Asked) -> Validation:
    """Return a request with the terms that were given as options in place of its own."""
    terms = {key: value for key, value in asked._asdict().items() if value is not None}
    return request._replace(asked=request.asked._replace(**terms))


def parse_deck(data: bytes, judges: Judges, asked: Asked) -> Parsed:
    """Return the deck of a list, the first of several, with its game, which is asked for or inferred from the cards.

    Raises Unusable if the list has no cards or a deck in each row of a table, or if the game cannot be inferred.
    """
    from validator.decklists.draft import OF_A_ROW
    from validator.rulesets import rulesets

    ruleset = rulesets().get(asked.ruleset or "")
    parsed = judges.read_deck(data, ruleset.game if ruleset else asked.game)
    if any(line.reason == OF_A_ROW for line in parsed.deck.unread):
        raise Unusable("this has the decks of several players; `deckproof batch` judges them.")
    if not any(parsed.deck.lines()):
        if table := _table_without_cards(data):
            raise Unusable(f"this is {table}.")
        why = f" (line {parsed.deck.unread[0].at}: {parsed.deck.unread[0].reason})" if parsed.deck.unread else ""
        raise Unusable(f"no card could be read in this{why}; a line is a count and a card, such as 4 NUMBER Name.")
    if parsed.game is None:
        _refuse_unjudged(parsed)
        raise Unusable("the cards do not tell which game this is; say it with --game or --ruleset.")
    return parsed


def _refuse_unjudged(parsed: Parsed) -> None:
    """Raise Unusable that names the game if the numbers fit only a game that is not judged here."""
    from validator.games import UNJUDGED
    from validator.numbers import fitting

    fit = fitting(line.number for _, line in parsed.deck.lines() if line.number)
    if fit and (title := max(fit, key=fit.__getitem__)) in UNJUDGED:
        raise Unusable(f"these are {title} numbers; decks of that game are not judged here.")


def _table_without_cards(data: bytes) -> str:
    """Return the description of a table in which no card could be read, "" if the data is no table with headings."""
    from validator.decklists.delimiter import DELIMITERS, split
    from validator.decklists.encoding import decoded
    from validator.tables.columns import infer_columns
    from validator.tables.headings import PLAYER, PLAYER_ID

    heading, _, rows = decoded(data).text.strip().partition("\n")
    found = infer_columns(max((split(heading, delimiter) for delimiter in DELIMITERS), key=len))
    if not (found.are_headings or found.has(PLAYER, PLAYER_ID)):
        return ""
    if not rows.strip():
        return "a table of headings without a row under them"
    return (
        "a table of players in which no list could be read; `deckproof batch` judges tables of players with their lists"
    )


def _parse_request(data: bytes) -> Validation | None:
    """Return the validate request that a file contains, None if it contains something else."""
    if not data.lstrip().startswith(b"{"):
        return None
    from api.service.decoder import validation
    from api.service.requests import Asked
    from api.service.shapes import parsed
    from validator.decklists.formats.jsoncards import is_answer

    try:
        request = parsed(data)
    except NotJson:
        return None  # the readers of deck lists say what is wrong with it
    has_deck = isinstance(request.get("deck"), dict) or isinstance(request.get("decklist"), str)
    is_asked = has_deck and request.keys() & set(Asked._fields) and not is_answer(request)
    return validation(data) if is_asked else None


def use_file(name: str, judge: Callable[[bytes], _Judged]) -> _Judged | None:
    """Return the result of `judge` for the bytes of a file.

    Returns None if the file cannot be used, and writes the reason to standard error.
    """
    try:
        return judge(read_file(name))
    except (OSError, Invalid, Unusable) as error:
        reason = f"{error.strerror or error}." if isinstance(error, OSError) else sentence(error)
        CommandError(f"{file_label(name)}: {reason}").show()
        return None


def write_verdict(verdict: Verdict, name: str, as_json: bool, translate: Language = ENGLISH) -> int:
    """Write the verdict on the deck of a file, and return the exit code."""
    if as_json:
        options.write_json(verdict.as_dict(say=translate))
    else:
        from api.cli import console

        console.write(console.verdict_lines(verdict, file_label(name), translate=translate))
    return LEGAL if verdict.legal else ILLEGAL
