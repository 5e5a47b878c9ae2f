"""The pages of the documentation site that are made from the code, the rulesets, the lists and files beside docs/.

mkdocs calls `on_files` (a hook in mkdocs.yml); `make site` builds the site.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click
from http_examples import http_api_page  # beside this file, where mkdocs finds it
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from api.cli import cli
from api.open_data.tables import limits_rows
from api.service.answers.ruleset_answers import whole_ruleset_json
from validator import limits
from validator.decklists import FORMATS
from validator.games import GAMES
from validator.rulesets import rulesets

ROOT = Path(__file__).parents[1]
_SITE_LINKS = {
    "](docs/": "](",
    "](CHANGELOG.md": "](changes.md",
    "](CONTRIBUTING.md": "](contributing.md",
    "](SECURITY.md": "](security.md",
}
_FORMATS = """# Deck list formats

Every command, endpoint and page that takes a deck list reads all of these formats and recognises the format by itself.
`deckproof convert FILE --to FORMAT` and `POST /v1/decklists/write` write those marked "yes".
[How lists are read](http.md#deck-lists) has the rules that hold for all of them.

| format | looks like | sections | written |
|---|---|---|---|
"""
_COMMANDS = """# Commands

Each command prints this text with `--help`. [Exit codes](interface.md#commands) are the same for all commands.
`python -m deckproof` runs the same command if `deckproof` is not on the path.

A shell completes commands, options, games, rulesets, formats and regions after one of these lines:

```sh
eval "$(_DECKPROOF_COMPLETE=bash_source deckproof)"     # bash; zsh_source in zsh
_DECKPROOF_COMPLETE=fish_source deckproof | source      # fish
```
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to the files of the site. mkdocs calls this hook."""
    for name, make in PAGES.items():
        files.append(File.generated(config, name, content=make()))
    return files


def beside(name: str) -> str:
    """Return a Markdown file of the project folder, with its links changed to pages of the site."""
    text = (ROOT / name).read_text("utf-8")
    for link, page in _SITE_LINKS.items():
        text = text.replace(link, page)
    return text


def commands() -> str:
    """Return the page with the help text of every command."""
    return "\n".join([_COMMANDS, *_help_texts(cli, ())])


def _help_texts(group: click.Group, parents: tuple[str, ...]) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        words = (*parents, name)
        command = group.get_command(context, name)
        assert command, words
        path = " ".join(("deckproof", *words))
        text = command.get_help(click.Context(command, info_name=path, max_content_width=100))
        yield f"\n## {path}\n\n```text\n{text}\n```\n"
        if isinstance(command, click.Group):
            yield from _help_texts(command, words)


def formats() -> str:
    """Return the page with a row for each format of deck lists."""
    rows = (
        f"| `{name}` | {_cell(form.title)} | {', '.join(form.carries)} | {'yes' if form.write else 'no'} |"
        for name, form in FORMATS.items()
    )
    return "\n".join([_FORMATS.rstrip("\n"), *rows, ""])


def rules() -> str:
    """Return the page with every rule of every edition and its place in the manual."""
    return "\n".join(["# Rules", *(part for ruleset_id in rulesets() for part in _edition(ruleset_id))])


def _edition(ruleset_id: str) -> Iterator[str]:
    edition = whole_ruleset_json(rulesets()[ruleset_id])
    since = f"In force from {edition['in_force_from']}. " if edition["in_force_from"] else ""
    yield f"\n## {edition['title']} {{#{ruleset_id}}}\n\n`{ruleset_id}`. {since}{edition['note'] or ''}\n"
    yield "| rule | text | place |\n|---|---|---|"
    for rule in [*edition["rules"], *edition["with_side_deck"]]:
        place = f"{rule['rule']['document']}, {rule['rule']['section']}"
        yield f"| {rule['name']} | {_cell(rule['says'])} | {_cell(place)} |"


def lists() -> str:
    """Return the page with every change of the official lists and its source."""
    return "\n".join(["# Official lists", *(part for game in GAMES for part in _history(game))])


def _history(game: str) -> Iterator[str]:
    rows = [*limits_rows((limits.shipped_lists(game),))]
    if rows:
        yield f"\n## {GAMES[game].title}\n\n| region | from | card | copies | source |\n|---|---|---|---|---|"
    for row in rows:
        pair = f" + {row['other_number']} {row['other_name']}" if row["other_number"] else ""
        card = _cell(f"{row['number']} {row['name']}{pair}")
        day = row["effective_from"] or f"{row['not_before']} to {row['no_later_than']}"
        limit = "free" if row["limit"] is None else row["limit"]
        yield f"| {row['region']} | {day} | {card} | {limit} | <{row['source']}> |"


def _cell(text: str) -> str:
    return re.sub(r"([|*_`<\[])", r"\\\1", text)


PAGES: Mapping[str, Callable[[], str]] = {
    "index.md": lambda: beside("README.md"),
    "reference/http-api.md": http_api_page,
    "reference/commands.md": commands,
    "reference/formats.md": formats,
    "reference/rules.md": rules,
    "reference/lists.md": lists,
    "changes.md": lambda: beside("CHANGELOG.md"),
    "contributing.md": lambda: beside("CONTRIBUTING.md"),
    "security.md": lambda: beside("SECURITY.md"),
}
