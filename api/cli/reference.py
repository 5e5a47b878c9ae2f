"""`deckproof rules` and `data`: what is checked and where it is written, and the open data as files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from api.cli import CommandError, console, options
from api.cli.console import OutputLine
from api.service.answers.ruleset_answers import ruleset_json, whole_ruleset_json
from validator import words
from validator.games import GAMES
from validator.language import Language
from validator.rules import Rule
from validator.rulesets import Ruleset, rulesets


@click.command()
@click.argument("id", required=False, shell_complete=options.RULESETS)
@options.JSON
@options.LANG
def rules_command(id: str | None, as_json: bool, translate: Language) -> None:
    """Show what is checked, and where it is written.

    Lists the rulesets; with an ID, the rules of one.
    """
    known = rulesets()
    if id is not None and id not in known:
        raise CommandError(translate("There is no ruleset {id!r}; there are {ids}.", id=id[:100], ids=", ".join(known)))
    if as_json and id:
        options.write_json(whole_ruleset_json(known[id]))
    elif as_json:
        options.write_json(list(map(ruleset_json, known.values())))
    elif id:
        console.write(_ruleset_lines(known[id], translate))
    else:
        rows = [
            (one.id, one.game, translate.day(one.in_force_from) if one.in_force_from else "", one.title)
            for one in known.values()
        ]
        headings = (translate("ruleset"), translate("game"), translate("from"), translate("title"))
        console.table(headings, rows)


def _ruleset_lines(ruleset: Ruleset, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines of a ruleset: title, first day, sections, formats, notes and rules.

    The rules that only a side deck adds are last, below a heading.
    """
    yield OutputLine(f"{ruleset.title} ({ruleset.id})", "title")
    parts = [translate("in force from {day}", day=ruleset.in_force_from)] if ruleset.in_force_from else []
    sections = [words.section_name(section, translate) for section in ruleset.sections]
    formats = [words.format_name(format, translate) for format in ruleset.formats]
    parts.append(translate("sections: {sections}", sections=words.join_with_commas(sections, translate)))
    parts.append(translate("formats: {formats}", formats=words.join_with_commas(formats, translate)))
    yield OutputLine("; ".join(parts), "soft", 2)
    if ruleset.note:
        yield OutputLine(translate.template(ruleset.note), "warning", 2)
    if ruleset.provisional:
        yield OutputLine(ruleset.provisional.describe(translate), "warning", 2)
    yield from _rule_lines(ruleset.rules.values(), translate)
    if ruleset.with_side_deck:
        yield OutputLine("")
        title = translate("Also, if a policy (side_max) or the length of a match allows a side deck:")
        yield OutputLine(title, "title")
        yield from _rule_lines(ruleset.with_side_deck.values(), translate)


def _rule_lines(rules: Iterable[Rule], translate: Language) -> Iterator[OutputLine]:
    """Yield for each rule a blank line, its sentence in a language, and its citation as in the document."""
    for rule in rules:
        yield OutputLine("")
        yield OutputLine(translate.template(rule.says), "", 2)
        yield OutputLine(f"{rule.cite.document}, {rule.cite.section}", "soft", 2)


@click.group()
def data_command() -> None:
    """Write the rulesets, lists, rotations and sets as open data."""


@data_command.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@options.LANG
def export_data(folder: Path, translate: Language) -> None:
    """Write every table into FOLDER.

    Each is written as JSON and as CSV, with its JSON Schema.
    """
    from api.open_data.tables import export_files

    for file in export_files(tuple(map(options.library().lists, GAMES)), folder):
        console.write([console.OutputLine(str(file))])
