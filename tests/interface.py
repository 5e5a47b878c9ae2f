"""The tables of docs/reference/interface.md and settings.md, made from the code.

`python -m tests.interface` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

import click

from api.cli import cli
from api.service.answers.problem_details import PROBLEM_TYPES
from api.service.settings import Settings, default_text, variable_name
from api.web.components import Document, parameters_of
from tests import openapi
from tests.schema_notation import describe_choices, describe_fields, describe_type
from validator import finding_codes

REFERENCE = Path(__file__).parents[1] / "docs/reference"
PAGES = {"All settings": REFERENCE / "settings.md"}  # of the tables that are not in interface.md


def tables() -> dict[str, list[str]]:
    """Return the rows of every table, by the heading above it."""
    document = openapi.document()
    return {
        "Endpoints": endpoints(document),
        "Shapes": shapes(document),
        "Findings": findings(),
        "Problems": problems(),
        "Commands and options": commands(),
        "All settings": settings(),
    }


def page(heading: str) -> Path:
    """Return the page that has the table under a heading."""
    return PAGES.get(heading, REFERENCE / "interface.md")


def endpoints(document: Document) -> list[str]:
    """Return a row for each operation: path, name, parameters, bodies, answers, and the problems that not all have."""
    operations = [
        (f"`{method.upper()} {path}`", operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]
    common = set.intersection(*(set(operation["responses"]) for _, operation in operations))
    return [
        f"| {path} | `{operation['operationId']}` | {_parameters(operation, document)} "
        f"| {_media(operation.get('requestBody', {}))} | {_answers(operation)} | {_error_statuses(operation, common)} |"
        for path, operation in operations
    ]


def shapes(document: Document) -> list[str]:
    """Return a row for each shape: its fields with their types. `?` marks an optional field."""
    return [
        f"| {name} | {describe_fields(schema) or describe_type(schema)} | {describe_choices(schema)} |"
        for name, schema in document["components"]["schemas"].items()
    ]


def findings() -> list[str]:
    """Return a row for each code of a finding: what it means, and what is in its details."""
    return [f"| `{name}` | {code.means} | {', '.join(code.details)} |" for name, code in finding_codes().items()]


def problems() -> list[str]:
    """Return a row for each type of problem."""
    return [f"| {status} | `{kind.uri}` | {kind.says} |" for status, kind in PROBLEM_TYPES.items()]


def commands() -> list[str]:
    """Return a row for each command and its options."""
    return [f"| `{name}` | {', '.join(f'`{option}`' for option in options)} |" for name, options in _commands(cli, ())]


class DocumentedSetting(NamedTuple):
    """A setting as the documentation lists it: its environment variable, its default ("": none), a description."""

    env: str
    default: str
    description: str


def documented_settings() -> list[DocumentedSetting]:
    """Return each setting, in the order of the fields of Settings."""
    return [
        DocumentedSetting(variable_name(setting.name), default_text(setting.default), setting.metadata["description"])
        for setting in fields(Settings)
    ]


def settings() -> list[str]:
    """Return a row for each setting: its default and its meaning."""
    return [
        f"| `{setting.env}` | {f'`{setting.default}`' if setting.default else ''} | {setting.description} |"
        for setting in documented_settings()
    ]


def _commands(group: click.Group, above: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        words = (*above, name)
        if isinstance(command, click.Group):
            yield from _commands(command, words)
        elif command and not command.hidden:
            arguments = [one.make_metavar(context) for one in command.params if isinstance(one, click.Argument)]
            options = [max(one.opts, key=len) for one in command.params if isinstance(one, click.Option)]
            yield " ".join(["deckproof", *words, *arguments]), options


def _parameters(operation: Document, document: Document) -> str:
    """Return the queries and headers of an operation with their types. `?` marks an optional one."""
    found = [parameter for parameter in parameters_of(document, operation) if parameter["in"] != "path"]
    return ", ".join(
        f"`{one['name']}`{'' if one.get('required') else '?'} {describe_type(one['schema'])}" for one in found
    )


def _media(body: Document) -> str:
    return ", ".join(
        media.get("schema", {}).get("$ref", "").rpartition("/")[2] or f"`{media_type}`"
        for media_type, media in body.get("content", {}).items()
    )


def _answers(operation: Document) -> str:
    good = {status: answer for status, answer in operation["responses"].items() if status[0] == "2"}
    return "; ".join(f"{status} {_media(answer)}".strip() for status, answer in sorted(good.items()))


def _error_statuses(operation: Document, common: set[str]) -> str:
    """Return the statuses of an operation, as a text, without successes and those that all operations have."""
    return ", ".join(sorted(status for status in operation["responses"] if status[0] != "2" and status not in common))


def main() -> None:
    """Write each table into its page."""
    for heading, rows in tables().items():
        table = re.compile(rf"(\n## {heading}\n.*?\n\|(?:---\|)+\n)(?:\|[^\n]*\n)*", re.DOTALL)
        text = page(heading).read_text("utf-8")
        text = table.sub(lambda found, rows=rows: found[1] + "".join(f"{row}\n" for row in rows), text)
        page(heading).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
