"""`deckproof check`: is this deck legal?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from api.cli import ILLEGAL, LEGAL, UNUSABLE, CommandError, options, sentence
from api.service.deck_files import detect_other_file
from api.service.errors import Invalid, NotJson, Unusable
from validator.deck import has_several
from validator.language import ENGLISH, Language

if TYPE_CHECKING:
    from api.service.judges import Judges
    from api.service.requests import Asked, Validation
    from validator.decklists import Parsed
    from validator.judge import Verdict
    from validator.repair import Repair
_Judged = TypeVar("_Judged")

LARGEST_DECK = 1_000_000  # bytes of a file; the readers take fewer characters
_MANY = " `deckproof batch` judges the decks of a spreadsheet."


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options.terms
@options.JSON
@options.LANG
@click.option("--explain", is_flag=True, help="Also list every rule that was checked.")
@click.option("--fix", is_flag=True, help="Also say by which changes, the fewest, an illegal deck becomes legal.")
@click.option("--team", is_flag=True, help="The files are the decks of one team; also say what they share.")
@click.option(
    "--not-shared",
    type=click.Choice(("cards", "leaders", "colors")),
    multiple=True,
    help="With --team: what only one deck may have, by the organiser's rule.",
)
@click.option(
    "--team-copies", type=click.IntRange(0), metavar="N", help="With --team: the most copies of a card over all decks."
)
def command(
    files: tuple[str, ...],
    as_json: bool,
    explain: bool,
    fix: bool,
    say: Language,
    team: bool,
    not_shared: tuple[str, ...],
    team_copies: int | None,
    **terms: Any,
) -> None:
    """Judge deck lists.

    FILE is text in any common format, or JSON; `-` is standard input. The game is told from the cards where neither
    --ruleset nor --game says it. Each deck of a text that has several is judged by itself. --json writes the verdict
    on each file with its name as `file` and, if the file has several decks, the deck's `name`, each on a line of its
    own where the output is no terminal. Ends with 0 when every deck is legal, 1 when one is not, 2 when a file
    cannot be used.
    """
    from api.service.judges import says_game
    from api.service.requests import Asked

    judges = options.judges()
    asked = Asked(**terms)
    if says_game(asked):
        judges.judge(asked)  # what cannot be had is said once, before any file is read
    shown = Shown(as_json, explain, fix, say)
    if team:
        from api.cli.team import check_team

        raise SystemExit(check_team(files, judges, asked, (not_shared, team_copies), shown))
    if not_shared or team_copies is not None:
        raise CommandError("--not-shared and --team-copies are for decks of a team; add --team.")
    raise SystemExit(max([_check_file(name, judges, asked, shown) for name in files]))


class Shown(NamedTuple):
    """The options on the output of a verdict."""

    as_json: bool
    explain: bool = False
    fix: bool = False
    say: Language = ENGLISH


def _check_file(name: str, judges: Judges, asked: Asked, shown: Shown) -> int:
    """Print the verdict on each deck of a file, and return the worst exit code."""
    verdicts = use_file(name, lambda data: judge_each_deck(data, judges, asked))
    if verdicts is None:
        return UNUSABLE
    return max([_print_verdict(name, deck, verdict, shown) for deck, verdict in verdicts])


def _print_verdict(name: str, deck: str, verdict: Verdict, shown: Shown) -> int:
    """Print the verdict on a file, or on a named deck of the file, and return the exit code."""
    if shown.as_json:
        named = {"file": name, "name": deck} if deck else {"file": name}
        more = {"repair": _find_repair(verdict).as_dict(shown.say)} if shown.fix else {}
        options.write_json(named | verdict.as_dict(shown.explain, say=shown.say) | more)
        return LEGAL if verdict.legal else ILLEGAL
    from api.cli import console

    whole = f"{shown_name(name)}, {deck}" if deck else shown_name(name)
    console.say(console.verdict_lines(verdict, whole, shown.explain, shown.say))
    if not verdict.legal:
        console.say(
            console.repair_lines(_find_repair(verdict), shown.say)
            if shown.fix
            else console.repair_hint(verdict, shown.say)
        )
    return LEGAL if verdict.legal else ILLEGAL


def use_file(name: str, judge: Callable[[bytes], _Judged]) -> _Judged | None:
    """Return the verdicts that `judge` gives on the contents of a file.

    Returns None if the file cannot be used, and writes the reason to standard error.
    """
    try:
        return judge(read_file(name))
    except (OSError, Invalid, Unusable) as error:
        reason = f"{error.strerror or error}." if isinstance(error, OSError) else sentence(error)
        CommandError(f"{shown_name(name)}: {reason}").show()
        return None


def _find_repair(verdict: Verdict) -> Repair:
    """Return the repair of a deck."""
    from validator.repair import repair

    return repair(verdict.judge, verdict.facts.deck)


def report(verdict: Verdict, name: str, as_json: bool, say: Language = ENGLISH) -> int:
    """Print a verdict on the deck of a file, and return its exit code."""
    if as_json:
        options.write_json(verdict.as_dict(say=say))
    else:
        from api.cli import console

        console.say(console.verdict_lines(verdict, shown_name(name), say=say))
    return LEGAL if verdict.legal else ILLEGAL


def shown_name(name: str) -> str:
    """Return the name of a file in messages."""
    return "standard input" if name == "-" else name


@contextmanager
def name_file_in_errors(name: str) -> Iterator[None]:
    """Raise Unusable as a CommandError with the name of the file."""
    try:
        yield
    except Unusable as error:
        raise CommandError(f"{shown_name(name)}: {error}") from None


def read_file(name: str) -> bytes:
    """Return the content of a file, or of standard input for `-`. Raises Unusable if it cannot be a deck list."""
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
    """Judge a deck list, or a validate request in a file. The terms of the command replace those of the request."""
    if request := _read_request(data):
        return judges.verdict(_replace_terms(request, asked))
    parsed = parse_deck(data, judges, asked)
    return judges.judge(asked if asked.ruleset else asked._replace(game=parsed.game))(parsed.deck)


def judge_each_deck(data: bytes, judges: Judges, asked: Asked) -> Sequence[tuple[str, Verdict]]:
    """Judge each deck of a list. Return the deck's name, "" if the list has only one deck, with its verdict."""
    if request := _read_request(data):
        return [("", judges.verdict(_replace_terms(request, asked)))]
    parsed = parse_deck(data, judges, asked)
    judge = judges.judge(asked if asked.ruleset else asked._replace(game=parsed.game))
    if not has_several(parsed.deck):
        return [("", judge(parsed.deck))]
    each = judges.read_each(data, parsed.game)
    return [
        (parsed_deck.name or f"deck {position}", judge(parsed_deck.deck))
        for position, parsed_deck in enumerate(each, 1)
    ]


def _replace_terms(request: Validation, asked: Asked) -> Validation:
    """Return a request with the terms of the command in place of its own."""
    terms = {key: value for key, value in asked._asdict().items() if value is not None}
    return request._replace(asked=request.asked._replace(**terms))


def parse_deck(data: bytes, judges: Judges, asked: Asked) -> Parsed:
    """Parse a deck list, with its game, which is requested or found from the cards. Of several decks it is the first.

    Raises Unusable if there are no cards, if each row of a table has a deck, or if the game cannot be found.
    """
    from validator.decklists.draft import OF_A_ROW
    from validator.rulesets import rulesets

    ruleset = rulesets().get(asked.ruleset or "")
    parsed = judges.read_deck(data, ruleset.game if ruleset else asked.game)
    if any(line.reason == OF_A_ROW for line in parsed.deck.unread):
        raise Unusable("this has the decks of several players; `deckproof batch` judges them.")
    if not any(parsed.deck.lines()):
        if table := _describe_table(data):
            raise Unusable(f"this is {table}.")
        why = f" (line {parsed.deck.unread[0].at}: {parsed.deck.unread[0].reason})" if parsed.deck.unread else ""
        raise Unusable(f"no card could be read in this{why}; a line is a count and a card, such as 4 NUMBER Name.")
    if parsed.game is None:
        _refuse_unjudged(parsed)
        raise Unusable("the cards do not tell which game this is; say it with --game or --ruleset.")
    return parsed


def _refuse_unjudged(parsed: Parsed) -> None:
    """Raise Unusable if the card numbers are those of a game that is not judged."""
    from validator.games import UNJUDGED
    from validator.numbers import fitting

    fit = fitting(line.number for _, line in parsed.deck.lines() if line.number)
    if fit and (title := max(fit, key=fit.__getitem__)) in UNJUDGED:
        raise Unusable(f"these are {title} numbers; decks of that game are not judged here.")


def _describe_table(data: bytes) -> str:
    """Return a description of a table with headings but no card, "" if the file is no such table."""
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


def _read_request(data: bytes) -> Validation | None:
    """Return the validate request in a file, None if the file is none."""
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
