"""`deckproof rules`: what is checked, and where it is written."""

from __future__ import annotations

from collections.abc import Iterator

import click

from api.cli import Fault
from api.cli import console
from api.cli import options
from api.cli.console import Said
from api.service import serializers
from validator.rulesets import Ruleset
from validator.rulesets import rulesets


@click.command()
@click.argument("id", required=False)
@options.JSON
def command(id: str | None, as_json: bool) -> None:
    """Show what is checked, and where it is written.

    Lists the rulesets; with an ID, the rules of one.
    """
    if id is not None and id not in rulesets():
        raise Fault(f"there is no ruleset {id[:100]!r}; there are {', '.join(rulesets())}.")
    if as_json:
        known = rulesets()
        options.write_json(
            serializers.whole_ruleset(known[id]) if id else [serializers.ruleset(one) for one in known.values()]
        )
    elif id:
        console.say(_whole(rulesets()[id]))
    else:
        rows = [(one.id, one.game, one.in_force_from or "", one.title) for one in rulesets().values()]
        console.table(["ruleset", "game", "from", "title"], rows)


def _whole(of: Ruleset) -> Iterator[Said]:
    yield Said(f"{of.title} ({of.id})", "title")
    since = f"in force from {of.in_force_from}, " if of.in_force_from else ""
    yield Said(f"{since}sections {', '.join(of.sections)}, formats {', '.join(of.formats)}", "soft", 2)
    if of.note:
        yield Said(of.note, "warning", 2)
    for rule in of.rules.values():
        yield Said("")
        yield Said(rule.says, "", 2)
        yield Said(f"{rule.cite.document}, {rule.cite.section}", "soft", 2)
