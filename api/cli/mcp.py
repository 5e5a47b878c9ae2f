"""`deckproof mcp`: the tools for assistants."""

from __future__ import annotations

import click

from api.cli import CommandError, options
from validator.language import phrase


@click.command()
def command() -> None:
    """Serve assistants their tools (MCP).

    These are the tools of the Model Context Protocol, on standard input and output: check, repair, when, odds, card
    and rule. It needs the extra `mcp`: pip install 'deckproof[mcp]'.
    """
    try:
        from api.assistant.mcp_server import make_server
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        raise CommandError(phrase("the SDK is not installed; `pip install 'deckproof[mcp]'` installs it.")) from None
    make_server(options.library()).run()
