"""The pages of the documentation site that are made of the code, of the rulesets and lists, and of files beside docs/.

mkdocs calls `on_files` (a hook in mkdocs.yml); `make site` builds the site.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from api.cli import cli
from api.open_data.tables import TABLES
from api.service.answers.ruleset_answers import whole_ruleset_json
from api.service.settings import Settings
from validator.games import GAMES
from validator.rulesets import rulesets

ROOT = Path(__file__).parents[1]
_LIBRARY = """# Library

`pip install deckproof` brings three packages, all of them typed: `validator` decides and needs the standard library
alone, `carddb` knows the cards, `api` is what speaks. This is what programs begin with.

"""
_SHOWN = (
    "validator.judge.Judge",
    "validator.judge.Terms",
    "validator.judge.Verdict",
    "validator.findings.Finding",
    "validator.rules.Policy",
    "validator.deck.Deck",
    "validator.decklists.parse",
    "validator.repair.repair",
    "validator.limits.load",
    "validator.rulesets.of_game",
    "carddb.library.Library",
    "carddb.catalogue.Catalogue",
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, as mkdocs asks for them."""
    for name, make in PAGES.items():
        files.append(File.generated(config, name, content=make()))
    return files


def readme() -> str:
    """Return the README, whose links lead to pages of the site."""
    return (ROOT / "README.md").read_text("utf-8").replace("](docs/", "](")


def commands() -> str:
    """Return what every command says of itself."""
    return "\n".join(["# Commands", *_helps(cli, ())])


def _helps(group: click.Group, above: tuple[str, ...]) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        words = (*above, name)
        command = group.get_command(context, name)
        assert command, words
        path = " ".join(("deckproof", *words))
        told = command.get_help(click.Context(command, info_name=path, max_content_width=100))
        yield f"\n## {path}\n\n```text\n{told}\n```\n"
        if isinstance(command, click.Group):
            yield from _helps(command, words)


def settings() -> str:
    """Return the settings of the environment."""
    rows = (
        f"| `{one.env}` | {f'`{one.default}`' if one.default else ''} | {one.description} |"
        for one in Settings.documented()
    )
    return "\n".join(["# Settings\n", "| setting | default | what it is |", "|---|---|---|", *rows, ""])


def library() -> str:
    """Return the reference of what programs begin with; mkdocstrings fills it in from the docstrings."""
    return _LIBRARY + "\n".join(f"::: {name}\n" for name in _SHOWN)


def rules() -> str:
    """Return every statement of every edition with its place."""
    return "\n".join(["# Rules", *(part for one in rulesets() for part in _edition(one))])


def _edition(id: str) -> Iterator[str]:
    of = whole_ruleset_json(rulesets()[id])
    since = f"In force from {of['in_force_from']}. " if of["in_force_from"] else ""
    yield f"\n## {of['title']} {{#{id}}}\n\n`{id}`. {since}{of['note'] or ''}\n"
    yield "| rule | what it says | where it is written |\n|---|---|---|"
    for rule in [*of["rules"], *of["with_side_deck"]]:
        place = f"{rule['rule']['document']}, {rule['rule']['section']}"
        yield f"| {rule['name']} | {_cell(rule['says'])} | {_cell(place)} |"


def lists() -> str:
    """Return every change of the official lists with its source."""
    return "\n".join(["# Lists", *(part for game in GAMES for part in _history(game))])


def _history(game: str) -> Iterator[str]:
    rows = [row for row in TABLES["limits"].rows if row["game"] == game]
    if rows:
        yield f"\n## {GAMES[game].title}\n\n| region | from | card | copies | source |\n|---|---|---|---|---|"
    for row in rows:
        pair = f" + {row['other_number']} {row['other_name']}" if row["other_number"] else ""
        card = _cell(f"{row['number']} {row['name']}{pair}")
        day = row["effective_from"] or f"{row['not_before']} to {row['no_later_than']}"
        limit = "free" if row["limit"] is None else row["limit"]
        yield f"| {row['region']} | {day} | {card} | {limit} | <{row['source']}> |"


def _cell(text: str) -> str:
    return re.sub(r"([|*_`<])", r"\\\1", text)


PAGES: Mapping[str, Callable[[], str]] = {
    "index.md": readme,
    "commands.md": commands,
    "settings.md": settings,
    "library.md": library,
    "rules.md": rules,
    "lists.md": lists,
    "changes.md": (ROOT / "CHANGELOG.md").read_text,
    "contributing.md": (ROOT / "CONTRIBUTING.md").read_text,
}
