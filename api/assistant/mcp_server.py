"""The server of the Model Context Protocol, over standard input and output, by the official SDK."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import metadata
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from api.assistant.deck_tools import DeckTools
from carddb.errors import CardDataError
from carddb.library import Library
from validator.games import GAMES

_ABOUT = """deckproof tells whether a trading-card deck is tournament-legal and cites the rule that says so.
Games: {games}. Never decide by yourself whether a deck is legal: ask `check`, and pass on the rule that it cites."""


def server(cards: Library) -> MCPServer:
    """Return a server whose tools ask these cards; none of them changes anything."""
    games = ", ".join(f"{one.id} ({one.title})" for one in GAMES.values())
    made = MCPServer("deckproof", version=metadata.version("deckproof"), instructions=_ABOUT.format(games=games))
    for tool in DeckTools(cards).all:
        made.add_tool(_saying(tool), annotations=ToolAnnotations(read_only_hint=True), structured_output=False)
    return made


def _saying(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return a tool that says what is wrong with what it was asked; of other errors the SDK tells nothing."""

    @wraps(tool)
    def told(*args: Any, **kwargs: Any) -> Any:
        try:
            return tool(*args, **kwargs)
        except (ValueError, CardDataError) as error:
            raise ToolError(str(error)) from error

    return told
