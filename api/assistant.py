"""The Model Context Protocol: a server on standard input and output, by the official SDK, and its tools.

Called by `deckproof mcp`. It needs the extra `mcp`. The tools return the JSON of the HTTP interface.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import wraps
from importlib import metadata
from typing import TYPE_CHECKING, Any

from api.service.answers.card_answers import card_json, describe_card, find_card
from api.service.answers.odds_answers import odds as odds_of
from api.service.answers.ruleset_answers import RuleJSON, whole_ruleset_json
from api.service.answers.timeline_answers import outlook
from api.service.answers.verdict_answers import summarise_verdict
from api.service.bounds import LONGEST_TEXT
from api.service.errors import Invalid, Wrong
from api.service.judges import Judges
from api.service.requests import day
from api.service.shapes import OddsShape, RepairShape, TimelineShape, ValidateShape, load_with
from carddb.errors import CardDataError
from carddb.library import Library
from validator.games import GAMES, game_of
from validator.rulesets import find_ruleset, of_game

if TYPE_CHECKING:
    from mcp.server import MCPServer

Answer = Mapping[str, object]  # as JSON


class DeckTools:
    """The tools of the Model Context Protocol, with the cards of a library. Answers are JSON as of the HTTP interface.

    A deck list is text in any format that deckproof reads. Wrong arguments raise Invalid or another ValueError. Cards
    that cannot be read raise CardDataError.
    """

    def __init__(self, cards: Library) -> None:
        self._cards = cards
        self._judges = Judges(cards)

    @property
    def tools(self) -> tuple[Callable[..., Answer], ...]:
        """The tools as bound methods. Their names and docstrings are their names and descriptions in the protocol."""
        return (self.check, self.repair, self.when, self.odds, self.card, self.rule)

    def check(
        self,
        decklist: str,
        game: str | None = None,
        on: str | None = None,
        format: str | None = None,
        region: str | None = None,
        ruleset: str | None = None,
        best_of: int | None = None,
        limits_list: str | None = None,
    ) -> Answer:
        """Judge a deck: is it tournament-legal, what is wrong, by which rule, and what to do.

        `on` is the day that counts, as 2026-01-15 (default: today). `summary` in the answer says all of it in short.
        `limits_list` is the text (TOML) of an organiser's own ban list, which is added to the official list.
        """
        verdict = self._judges.verdict(load_with(ValidateShape(), _arguments(locals())))
        return verdict.as_dict() | {"summary": summarise_verdict(verdict)}

    def repair(
        self,
        decklist: str,
        pinned: list[str] | None = None,
        game: str | None = None,
        on: str | None = None,
        format: str | None = None,
        region: str | None = None,
        ruleset: str | None = None,
        best_of: int | None = None,
        limits_list: str | None = None,
    ) -> Answer:
        """Find the fewest changes that make a deck legal. `pinned` are cards that stay, by number or name.

        `limits_list` is the text (TOML) of an organiser's own ban list, which is added to the official list.
        """
        return self._judges.repair(load_with(RepairShape(), _arguments(locals()))).as_dict()

    def when(
        self,
        decklist: str,
        game: str | None = None,
        on: str | None = None,
        format: str | None = None,
        region: str | None = None,
        best_of: int | None = None,
        limits_list: str | None = None,
    ) -> Answer:
        """Return the days on which a deck is legal, with reasons, and the terms of its legality on the day `on`.

        `limits_list` is the text (TOML) of an organiser's own ban list, which is added to the official list.
        """
        return outlook(self._judges, load_with(TimelineShape(), _arguments(locals()))).as_json()

    def odds(
        self,
        decklist: str,
        wishes: list[list[str]] | None = None,
        turn: int | None = None,
        look: int | None = None,
        targets: list[str] | None = None,
        game: str | None = None,
        on: str | None = None,
        limits_list: str | None = None,
    ) -> Answer:
        """Calculate the exact odds of drawing cards: in the first hand, by a turn, in Life, by a search.

        Each of `wishes` is a list of cards of which one is needed. All wishes have to be met together. A search looks
        at `look` cards for `targets`. Cards are numbers or names of the deck. `limits_list` is an organiser's own ban
        list (TOML).
        """
        body = _arguments(locals())
        if wishes:
            body["wishes"] = [{"cards": cards} for cards in wishes]
        return odds_of(self._judges, load_with(OddsShape(), body))

    def card(self, game: str, number: str, on: str | None = None) -> Answer:
        """Return a card by its number or name: facts, legal copies on a day, its changes on the official lists."""
        game = game_of(game[:LONGEST_TEXT]).id
        catalogue, lists = self._cards.catalogue(game), self._cards.lists(game)
        if found := find_card(catalogue, number[:LONGEST_TEXT]):
            return {**card_json(found)} | {"standing": describe_card(found, self._day(on), catalogue, lists).as_json()}
        near = ", ".join(card.label for card in catalogue.suggest(number[:LONGEST_TEXT]))
        raise Invalid([Wrong("/number", f"There is no such card. Near it: {near or 'none'}.")])

    def rule(
        self, ruleset: str | None = None, game: str | None = None, words: str = "", on: str | None = None
    ) -> Answer:
        """Return the statements of an edition of the rules about deck construction, each with its place.

        Name a `ruleset`, or a `game` to get its edition of the day. With `words`, only statements that contain all of
        these words are returned.
        """
        if not ruleset and not game:
            raise Invalid([Wrong("/ruleset", "Name a ruleset, or a game.")])
        edition = (
            find_ruleset(ruleset[:LONGEST_TEXT]) if ruleset else of_game((game or "")[:LONGEST_TEXT], self._day(on))
        )
        wanted = words.casefold().split()
        rules = whole_ruleset_json(edition)["rules"]
        found = [rule for rule in rules if all(word in _searched_text(rule) for word in wanted)]
        return {"ruleset": edition.id, "title": edition.title, "rules": found}

    def _day(self, text: str | None) -> date:
        """Return the day of a text such as 2026-01-15. None or "" is the current day in the default zone (UTC).

        Raises ValueError if the text is no such day.
        """
        return day(text) if text else self._judges.today().day


def _searched_text(rule: RuleJSON) -> str:
    """Return the name, kind, sentence and cited section of a rule as one case-folded text, in which words are found."""
    return f"{rule['name']} {rule['kind']} {rule['says']} {rule['rule']['section']}".casefold()


def _arguments(local_variables: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments of a tool by name: its local variables without `self` and without those that are None."""
    return {name: value for name, value in local_variables.items() if name != "self" and value is not None}


_ABOUT = """deckproof tells whether a trading-card deck is tournament-legal and cites the rule that says so.
Games: {games}. Never decide by yourself whether a deck is legal: ask `check`, and pass on the rule that it cites."""


def make_server(cards: Library) -> MCPServer:
    """Return an MCP server with the tools of DeckTools for the cards of a library. All tools are marked as read-only.

    The server does not run yet. Raises ModuleNotFoundError without the SDK, which is imported only here because that
    takes longer than everything else.
    """
    from mcp.server import MCPServer
    from mcp.types import ToolAnnotations

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
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def run(*args: Any, **kwargs: Any) -> Answer:
        """Return the answer of the tool. Raises ToolError if the tool raises ValueError or CardDataError."""
        try:
            return tool(*args, **kwargs)
        except (ValueError, CardDataError) as error:
            raise ToolError(str(error)) from error

    return run
