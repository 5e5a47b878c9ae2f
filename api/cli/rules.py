"""`deckproof rules`: what is checked, and where it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from api.cli import CommandError, console, options
from api.cli.console import OutputLine
from api.service.answers.ruleset_answers import ruleset_json, whole_ruleset_json
from validator.rules import Rule
from validator.rulesets import Ruleset, rulesets


@click.command()
@click.argument("id", required=False, shell_complete=options.RULESETS)
@options.JSON
def command(id: str | None, as_json: bool) -> None:
    """Show what is checked, and where it is written.

    Lists the rulesets; with an ID, the rules of one.
    """
    known = rulesets()
    if id is not None and id not in known:
        raise CommandError(f"there is no ruleset {id[:100]!r}; there are {', '.join(known)}.")
    if as_json and id:
        options.write_json(whole_ruleset_json(known[id]))
    elif as_json:
        options.write_json(list(map(ruleset_json, known.values())))
    elif id:
        console.say(_ruleset_lines(known[id]))
    else:
        rows = [(ruleset.id, ruleset.game, ruleset.in_force_from or "", ruleset.title) for ruleset in known.values()]
        console.table(["ruleset", "game", "from", "title"], rows)


def _ruleset_lines(ruleset: Ruleset) -> Iterator[OutputLine]:
    """Yield the lines of a ruleset with all its rules."""
    yield OutputLine(f"{ruleset.title} ({ruleset.id})", "title")
    since = f"in force from {ruleset.in_force_from}, " if ruleset.in_force_from else ""
    yield OutputLine(f"{since}sections {', '.join(ruleset.sections)}, formats {', '.join(ruleset.formats)}", "soft", 2)
    if ruleset.note:
        yield OutputLine(ruleset.note, "warning", 2)
    yield from _rule_lines(ruleset.rules.values())
    if ruleset.with_side_deck:
        yield OutputLine("")
        yield OutputLine("Where a policy (side_max) or the length of a match gives a side deck, also:", "title")
        yield from _rule_lines(ruleset.with_side_deck.values())


def _rule_lines(rules: Iterable[Rule]) -> Iterator[OutputLine]:
    """Yield the lines of rules."""
    for rule in rules:
        yield OutputLine("")
        yield OutputLine(rule.says, "", 2)
        yield OutputLine(f"{rule.cite.document}, {rule.cite.section}", "soft", 2)
