"""Teams on the command line: the decks of team mates, and what they share. `deckproof check --team` calls it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from api.cli import ILLEGAL, LEGAL, UNUSABLE, CommandError, console, options
from api.cli.check import Shown, judge_file, shown_name, use_file
from api.cli.console import OutputLine
from validator.bounds import MOST_TEAM_DECKS
from validator.findings import ERROR
from validator.language import Language
from validator.team import TeamDeck, TeamRule, TeamVerdict, judge_team

if TYPE_CHECKING:
    from api.service.judges import Judges
    from api.service.requests import Asked


def check_team(
    files: Sequence[str], judges: Judges, asked: Asked, rule: tuple[Sequence[str], int | None], shown: Shown
) -> int:
    """Judge the decks of a team, write the verdicts and what the decks share, and return the exit code.

    `rule` is what only one deck may have, and the most copies of a card over all decks.
    """
    if not 2 <= len(files) <= MOST_TEAM_DECKS or len(set(files)) < len(files):
        raise CommandError(f"A team has 2 to {MOST_TEAM_DECKS} decks, each in a file of its own.")
    unique, copies = rule
    decks = []
    for file in files:
        found = use_file(file, lambda data: judge_file(data, judges, asked))
        if found is None:
            return UNUSABLE
        decks.append(TeamDeck(shown_name(file), found))
    if len(games := {one.verdict.judge.terms.ruleset.game for one in decks}) > 1:
        raise CommandError(f"The decks of a team are of one game, not of {', '.join(sorted(games))}.")
    team = judge_team(decks, TeamRule(copies, *(one in unique for one in ("cards", "leaders", "colors"))))
    if shown.as_json:
        options.write_json(team.as_dict(shown.explain, shown.say))
    else:
        for one in team.decks:
            console.say(console.verdict_lines(one.verdict, one.name, shown.explain, shown.say))
        console.say(_team_lines(team, shown.say))
    return LEGAL if team.legal else ILLEGAL


def _team_lines(team: TeamVerdict, say: Language) -> Iterator[OutputLine]:
    """Yield the lines of a team verdict: legal or not, and each finding on the cards that its decks share."""
    headline = say("LEGAL") if team.legal else say("NOT LEGAL")
    style = "legal" if team.legal else "illegal"
    yield OutputLine(f"{headline}  {say('The team of {count} decks', count=len(team.decks))}", style)
    for deck in team.decks:
        if not deck.verdict.legal:
            yield OutputLine(say("{name} is not legal by itself.", name=deck.name), "illegal", 2)
    for finding in team.findings:
        style = "illegal" if finding.severity == ERROR else "warning"
        yield OutputLine(finding.kind.message(finding, say), style, 2)
        yield OutputLine(f"{finding.rule.document}, {finding.rule.section}", "soft", 4)
        yield OutputLine(finding.kind.fix(finding, say), "fix", 4)
    if not team.findings:
        yield OutputLine(say("The decks share nothing that they may not."), "", 2)
    yield OutputLine("")
