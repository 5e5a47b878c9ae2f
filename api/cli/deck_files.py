"""Deck files: the FILE arguments of commands, read, parsed and judged, and the output of one verdict.

`-` is standard input. A file is a deck list in any format, or a validate request as JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from api.cli import ILLEGAL, LEGAL, CommandError, current_language, options, sentence
from api.service.errors import Invalid, NotJson, Unusable
from api.service.other_files import detect_other_file
from validator.deck import has_several
from validator.language import ENGLISH, Language, phrase

if TYPE_CHECKING:
    from api.service.judges import Judges
    from api.service.requests import RequestedTerms, Validation
    from validator.decklists import Parsed
    from validator.judge import Verdict
_Judged = TypeVar("_Judged")

LARGEST_DECK = 1_000_000  # bytes of a file; the parsers accept fewer characters


def file_label(name: str) -> str:
    """Return a file name for messages: "-" becomes "standard input" in the language of the command."""
    return current_language()("standard input") if name == "-" else name


def _about_file(name: str, text: str) -> str:
    """Return `file name: text` in the language of the command. "-" becomes "standard input"."""
    return current_language()("{place}: {problem}", place=file_label(name), problem=text)


@contextmanager
def name_file_in_errors(name: str) -> Iterator[None]:
    """Raise CommandError for an Unusable error of the `with` block, with the name of the file before its message.

    Other errors are not changed.
    """
    try:
        yield
    except Unusable as error:
        raise CommandError(_about_file(name, sentence(error))) from None


def read_file(name: str) -> bytes:
    """Return the bytes of a file, or of standard input for "-".

    Raises Unusable for over LARGEST_DECK bytes, and for data that is not text, such as a picture. Raises OSError if the
    file cannot be read.
    """
    if name == "-":
        data = sys.stdin.buffer.read(LARGEST_DECK + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST_DECK + 1)
    if len(data) > LARGEST_DECK:
        raise Unusable(
            phrase("this has more than {most:,} bytes, which is too long for a deck list.", most=LARGEST_DECK)
        )
    if found := detect_other_file(data):
        raise Unusable(found.says)
    return data


def judge_file(data: bytes, judges: Judges, requested_terms: RequestedTerms) -> Verdict:
    """Return the verdict on a deck list, or on a validate request as JSON. Only the first of several decks is judged.

    `requested_terms` that are not None replace terms of the request. Without game and ruleset, the cards determine the
    game. Raises Unusable if no deck or game can be found in a list, Invalid for a wrong request or wrong terms.
    """
    if request := _parse_request(data):
        return judges.verdict(_with_terms(request, requested_terms))
    parsed = parse_deck(data, judges, requested_terms)
    return judges.judge(complete_game(requested_terms, parsed))(parsed.deck)


def judge_each_deck(data: bytes, judges: Judges, requested_terms: RequestedTerms) -> Sequence[tuple[str, Verdict]]:
    """Return `(deck name, verdict)` for each deck of a list. The name is "" if the list has only one deck.

    Of several decks, one without a name is "deck N", N being its place, in the language of the command. A validate
    request as JSON has one deck. `requested_terms` are as in `judge_file`. Raises Unusable or Invalid as `judge_file`
    does.
    """
    if request := _parse_request(data):
        return [("", judges.verdict(_with_terms(request, requested_terms)))]
    parsed = parse_deck(data, judges, requested_terms)
    judge = judges.judge(complete_game(requested_terms, parsed))
    if not has_several(parsed.deck):
        return [("", judge(parsed.deck))]
    each = judges.read_each(data, judge.terms.ruleset.game)
    translate = current_language()
    return [(one.name or translate("deck {place}", place=place), judge(one.deck)) for place, one in enumerate(each, 1)]


def complete_game(requested_terms: RequestedTerms, parsed: Parsed) -> RequestedTerms:
    """Return the terms of the command's options with the game of a parsed deck. A ruleset has its own game."""
    return requested_terms if requested_terms.ruleset else requested_terms._replace(game=parsed.game)


def _with_terms(request: Validation, requested_terms: RequestedTerms) -> Validation:
    """Return a request in which the terms of the command's options (`requested_terms`) replace its own.

    Those that are None replace nothing. `is_stored_list` is always replaced.
    """
    terms = {key: value for key, value in requested_terms._asdict().items() if value is not None}
    return request._replace(asked=request.asked._replace(**terms))


def parse_deck_file(name: str, judges: Judges, requested_terms: RequestedTerms) -> Parsed:
    """Return the deck parsed from a file, or from standard input for "-", with the game of the terms or of its cards.

    Raises CommandError, with the file name, if the file holds no usable deck list. Raises OSError if it cannot be read.
    """
    with name_file_in_errors(name):
        return parse_deck(read_file(name), judges, requested_terms)


def parse_deck(data: bytes, judges: Judges, requested_terms: RequestedTerms) -> Parsed:
    """Return the deck of a list, the first of several, with its game.

    The game is that of the ruleset or game in `requested_terms`, else that of the cards. Other terms have no influence.
    Raises Unusable if no card could be read, if the list is a table of several players' decks, or if the game is not
    clear from the cards. Raises Invalid for a text that cannot be read at all.
    """
    from validator.decklists.draft import OF_A_ROW
    from validator.rulesets import rulesets

    ruleset = rulesets().get(requested_terms.ruleset) if requested_terms.ruleset else None
    parsed = judges.read_deck(data, ruleset.game if ruleset else requested_terms.game)
    if any(line.reason == OF_A_ROW for line in parsed.deck.unread):
        raise Unusable(phrase("this has the decks of several players; `deckproof batch` judges them."))
    if not any(parsed.deck.lines()):
        if table := _table_without_cards(data):
            raise Unusable(table)
        if parsed.deck.unread:
            first = parsed.deck.unread[0]
            raise Unusable(
                phrase(
                    "no card could be read in this (line {line}: {reason}); a line is a count and a card, such as 4 "
                    "NUMBER Name.",
                    line=first.at,
                    reason=first.reason,
                )
            )
        raise Unusable(phrase("no card could be read in this; a line is a count and a card, such as 4 NUMBER Name."))
    if parsed.game is None:
        _refuse_unjudged(parsed)
        raise Unusable(phrase("the game is not clear from the cards; name it with --game or --ruleset."))
    return parsed


def _refuse_unjudged(parsed: Parsed) -> None:
    """Raise Unusable if the game that fits the most card numbers of a deck is one that deckproof does not judge.

    Do nothing if deckproof judges it, or if the numbers fit no game.
    """
    from validator.games import UNJUDGED
    from validator.numbers import count_by_game

    fit = count_by_game(line.number for _, line in parsed.deck.lines() if line.number)
    if fit and (title := max(fit, key=fit.__getitem__)) in UNJUDGED:
        raise Unusable(phrase("these are {game} numbers; decks of that game are not judged here.", game=title))


def _table_without_cards(data: bytes) -> str:
    """Return an error message for a table in which no card could be read. "" if the first line has no known headings.

    The message says that the table has only headings, else that it is one of players without readable lists.
    """
    from validator.decklists.delimiter import DELIMITERS, split_cells
    from validator.decklists.encoding import decode_text
    from validator.tables.columns import infer_columns
    from validator.tables.headings import PLAYER, PLAYER_ID

    heading, _, rows = decode_text(data).text.strip().partition("\n")
    found = infer_columns(max((split_cells(heading, delimiter) for delimiter in DELIMITERS), key=len))
    if not (found.are_headings or found.has(PLAYER, PLAYER_ID)):
        return ""
    if not rows.strip():
        return phrase("this is a table of headings without a row under them.")
    return phrase(
        "this is a table of players in which no list could be read; `deckproof batch` judges tables of players with "
        "their lists."
    )


def _parse_request(data: bytes) -> Validation | None:
    """Return the validate request that a file contains as JSON. None if the file contains something else.

    It is a request if it has a deck (object) or decklist (text) and at least one term, and is no verdict of deckproof.
    Raises Invalid if such a request is wrong.
    """
    if not data.lstrip().startswith(b"{"):
        return None
    from api.service.decoder import parse_validation
    from api.service.requests import RequestedTerms
    from api.service.shapes import parse_json
    from validator.decklists.formats.jsoncards import is_answer

    try:
        request = parse_json(data)
    except NotJson:
        return None  # the readers of deck lists say what is wrong with it
    has_deck = isinstance(request.get("deck"), dict) or isinstance(request.get("decklist"), str)
    is_asked = has_deck and request.keys() & set(RequestedTerms._fields) and not is_answer(request)
    return parse_validation(data) if is_asked else None


def use_file(name: str, judge: Callable[[bytes], _Judged]) -> _Judged | None:
    """Return the result of `judge` for the bytes of a file. "-" is standard input.

    If the file cannot be read or used (OSError, Invalid, Unusable), print the reason to standard error and return None.
    """
    try:
        return judge(read_file(name))
    except (OSError, Invalid, Unusable) as error:
        CommandError(_about_file(name, _reason_text(error))).show()
        return None


def _reason_text(error: Exception) -> str:
    """Return the reason of an error in the language of the command. For an OSError the file is left out."""
    if not isinstance(error, OSError):
        return sentence(error)
    from carddb.system_messages import system_reason

    reason = system_reason(str(error.strerror or error))
    return current_language().text(phrase("{sentence}.", sentence=reason))


def write_verdict(verdict: Verdict, name: str, as_json: bool, translate: Language = ENGLISH) -> int:
    """Write the verdict on the deck of a file to standard output, as JSON or text. Return LEGAL or ILLEGAL.

    `name` is the file in the headline of the text. JSON does not have it.
    """
    if as_json:
        options.write_json(verdict.as_dict(translate=translate))
    else:
        from api.cli import console

        console.write(console.verdict_lines(verdict, file_label(name), translate=translate))
    return LEGAL if verdict.legal else ILLEGAL
