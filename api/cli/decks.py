"""`deckproof check`, `repair` and `swap`: is this deck legal, how does it become legal, is it legal after swapping?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from api.cli import ILLEGAL, LEGAL, UNUSABLE, CommandError, options, sentence
from api.cli.deck_files import (
    complete_game,
    file_label,
    judge_each_deck,
    judge_file,
    name_file_in_errors,
    parse_deck_file,
    read_file,
    use_file,
    write_verdict,
)
from validator.language import ENGLISH, Language, phrase

if TYPE_CHECKING:
    from api.cli.console import OutputLine
    from api.service.judges import Judges
    from api.service.requests import RequestedTerms
    from validator.judge import Verdict
    from validator.repair import Repair
    from validator.team import TeamVerdict


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options.add_terms_options
@click.option(
    "--list",
    "own_list",
    type=click.File("rb"),
    metavar="FILE",
    help="The organiser's own limits list (TOML), which is added to the official one.",
)
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
def check_command(
    files: tuple[str, ...],
    as_json: bool,
    explain: bool,
    fix: bool,
    translate: Language,
    team: bool,
    not_shared: tuple[str, ...],
    team_copies: int | None,
    own_list: BinaryIO | None,
    **terms: Any,
) -> None:
    """Check if deck lists are legal.

    FILE is a text in any common format, or JSON. `-` is standard input. Without --ruleset and --game, the cards show
    the game. Each deck of a text with several decks is judged by itself. --json writes one verdict per deck, with the
    file's name as `file` and, for several decks, the deck's `name`. Exits with 0 if every deck is legal, 1 if one is
    not, 2 if a file cannot be used.

    \b
    deckproof check deck.txt
    deckproof check --game optcg --on 2026-01-15 deck.txt
    """
    from api.service.judges import names_game
    from api.service.requests import RequestedTerms

    judges = options.judges()
    asked = RequestedTerms(**terms, limits_list=_read_own_list(own_list) if own_list else None)
    if names_game(asked):
        judges.judge(asked)  # an error is raised once, before any file is read
    display = Display(as_json, explain, fix, translate)
    if team:
        raise SystemExit(_check_team(files, judges, asked, (not_shared, team_copies), display))
    if not_shared or team_copies is not None:
        raise CommandError(phrase("--not-shared and --team-copies are for decks of a team; add --team."))
    raise SystemExit(max([_check_file(name, judges, asked, display) for name in files]))


def _read_own_list(file: BinaryIO) -> str:
    """Return the text of an organiser's limits list, unparsed, with line feeds for CRLF and without byte order mark.

    Raises CommandError if the file has more than LARGEST_LIST_FILE bytes or is not UTF-8.
    """
    from carddb.bounds import LARGEST_LIST_FILE

    content = file.read(LARGEST_LIST_FILE + 1)
    if len(content) > LARGEST_LIST_FILE:
        raise CommandError(
            phrase(
                "{file}: the file has more than {most:,} bytes; use a smaller one.",
                file=file.name,
                most=LARGEST_LIST_FILE,
            )
        )
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise CommandError(phrase("{file}: the file is not UTF-8; save it as UTF-8.", file=file.name)) from None


class Display(NamedTuple):
    """The options for writing verdicts: as JSON or text, with every checked rule, with a repair, in a language.

    `explain` adds the rules, `fix` the repair. `translate` is the language.
    """

    as_json: bool
    explain: bool = False
    fix: bool = False
    translate: Language = ENGLISH


def _check_file(name: str, judges: Judges, requested_terms: RequestedTerms, display: Display) -> int:
    """Write the verdict on each deck of a file to standard output. Return ILLEGAL if one is illegal, else LEGAL.

    If the file cannot be used, print the reason to standard error and return UNUSABLE. "-" is standard input.
    """
    verdicts = use_file(name, lambda data: judge_each_deck(data, judges, requested_terms))
    if verdicts is None:
        return UNUSABLE
    return max([_write_verdict(name, deck, verdict, display) for deck, verdict in verdicts])


def _write_verdict(name: str, deck: str, verdict: Verdict, display: Display) -> int:
    """Write the verdict on a deck to standard output, with its repair if requested. Return LEGAL or ILLEGAL.

    `deck` is the name of the deck within the file `name`, "" for its only deck. JSON has the repair also for a legal
    deck, text only for an illegal one. Text on an illegal deck without a repair has a hint with the number of changes.
    """
    if display.as_json:
        named = {"file": name, "name": deck} if deck else {"file": name}
        more = {"repair": _find_repair(verdict).as_dict(display.translate)} if display.fix else {}
        options.write_json(named | verdict.as_dict(display.explain, translate=display.translate) | more)
        return LEGAL if verdict.legal else ILLEGAL
    from api.cli import console

    whole = f"{file_label(name)}, {deck}" if deck else file_label(name)
    console.write(console.verdict_lines(verdict, whole, display.explain, display.translate))
    if not verdict.legal:
        console.write(
            console.repair_lines(_find_repair(verdict), display.translate)
            if display.fix
            else console.hint_lines(verdict, display.translate)
        )
    return LEGAL if verdict.legal else ILLEGAL


def _find_repair(verdict: Verdict) -> Repair:
    """Return the repair of a verdict's deck: the fewest changes that make it legal. This may take seconds."""
    from validator.repair import repair

    return repair(verdict.judge, verdict.facts.deck)


def _check_team(
    files: Sequence[str],
    judges: Judges,
    requested_terms: RequestedTerms,
    rule: tuple[Sequence[str], int | None],
    display: Display,
) -> int:
    """Judge the decks of a team, one per file, and write their verdicts and the findings on shared cards.

    `rule`: the kinds that only one deck may have ("cards", "leaders", "colors"), and the most copies of a card over all
    decks (None: no limit). Return LEGAL or ILLEGAL. At the first file that cannot be used, print the reason, write no
    verdict and return UNUSABLE. Raises CommandError for a wrong number of files, for a file given twice, or for decks
    of several games.
    """
    from api.cli import console
    from validator.bounds import MOST_TEAM_DECKS
    from validator.team import TeamDeck, TeamRule, judge_team

    if not 2 <= len(files) <= MOST_TEAM_DECKS or len(set(files)) < len(files):
        raise CommandError(phrase("A team has 2 to {most} decks, each in a file of its own.", most=MOST_TEAM_DECKS))
    unique, copies = rule
    decks = []
    for file in files:
        found = use_file(file, lambda data: judge_file(data, judges, requested_terms))
        if found is None:
            return UNUSABLE
        decks.append(TeamDeck(file_label(file), found))
    if len(games := {one.verdict.judge.terms.ruleset.game for one in decks}) > 1:
        raise CommandError(
            phrase("The decks of a team are of one game, not of {games}.", games=", ".join(sorted(games)))
        )
    team = judge_team(decks, TeamRule(copies, *(one in unique for one in ("cards", "leaders", "colors"))))
    if display.as_json:
        options.write_json(team.as_dict(display.explain, display.translate))
    else:
        for one in team.decks:
            console.write(console.verdict_lines(one.verdict, one.name, display.explain, display.translate))
        console.write(_team_lines(team, display.translate))
    return LEGAL if team.legal else ILLEGAL


def _team_lines(team: TeamVerdict, translate: Language) -> Iterator[OutputLine]:
    """Yield the headline of a team, the names of illegal decks, and the findings on shared cards with rule and fix.

    Without such findings a line says that the rule of the team is kept. A blank line is last.
    """
    from api.cli.console import OutputLine
    from validator import words
    from validator.findings import ERROR

    headline = translate("LEGAL") if team.legal else translate("NOT LEGAL")
    style = "legal" if team.legal else "illegal"
    yield OutputLine(f"{headline}  {translate('The team of {count} decks', count=len(team.decks))}", style)
    for one in team.decks:
        if not one.verdict.legal:
            yield OutputLine(translate("{name} is not legal by itself.", name=one.name), "illegal", 2)
    for finding in team.findings:
        style = "illegal" if finding.severity == ERROR else "warning"
        yield OutputLine(finding.kind.message(finding, translate), style, 2)
        yield OutputLine(", ".join(words.cite_for_people(finding, translate)), "soft", 4)
        yield OutputLine(finding.kind.fix(finding, translate), "fix", 4)
    if not team.findings:
        yield OutputLine(translate("The decks keep the rule of the team."), "", 2)
    yield OutputLine("")


@click.command()
@click.argument("file", metavar="FILE")
@options.add_terms_options
@click.option("--pin", "pinned", multiple=True, metavar="CARD", help="A card that stays as it is, by number or name.")
@options.JSON
@options.LANG
def repair_command(file: str, pinned: tuple[str, ...], as_json: bool, translate: Language, **terms: Any) -> None:
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


@click.command()
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@options.add_terms_options
@options.JSON
@options.LANG
def swap_command(before: str, after: str, as_json: bool, translate: Language, **terms: Any) -> None:
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
