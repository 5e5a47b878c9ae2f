"""The server of the Model Context Protocol, over standard input and output, by the official SDK."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import metadata
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from api.assistant.deck_tools import Answer, DeckTools
from carddb.errors import CardDataError
from carddb.library import Library
from validator.games import GAMES

_ABOUT = """deckproof tells whether a trading-card deck is tournament-legal and cites the rule that says so.
Games: {games}. Never decide by yourself whether a deck is legal: ask `check`, and pass on the rule that it cites."""


def make_server(cards: Library) -> MCPServer:
    """Return an MCP server with the tools of DeckTools for the cards of a library. All tools are marked as read-only.

    The server does not run yet.
    """
    games = ", ".join(f"{game.id} ({game.title})" for game in GAMES.values())
    mcp = MCPServer("deckproof", version=metadata.version("deckproof"), instructions=_ABOUT.format(games=games))
    for tool in DeckTools(cards).tools:
        mcp.add_tool(
            _with_error_messages(tool), annotations=ToolAnnotations(read_only_hint=True), structured_output=False
        )
    return mcp


def _with_error_messages(tool: Callable[..., Answer]) -> Callable[..., Answer]:
    """Return a tool that raises ToolError instead of ValueError and CardDataError, with the same message.

    Name, signature and docstring stay. The SDK hides the messages of all errors but ToolError from the assistant.
    """

    @wraps(tool)
    def run(*args: Any, **kwargs: Any) -> Answer:
        """Return the answer of the tool. Raises ToolError if the tool raises ValueError or CardDataError."""
        try:
            return tool(*args, **kwargs)
        except (ValueError, CardDataError) as error:
            raise ToolError(str(error)) from error

    return run
