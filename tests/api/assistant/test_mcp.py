"""`deckproof mcp`, driven by the official client as an assistant drives it: a process, and its two streams."""

from __future__ import annotations

import json
import os

import pytest

from api.assistant import DeckTools
from api.service.errors import Invalid
from carddb.library import Library
from tests.api.conftest import EXAMPLES
from tests.api.processes import COMMAND

FIVE = (EXAMPLES / "optcg-five-copies.txt").read_text("utf-8")
DAY = "2026-11-21"


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What a client is answered that asks one process for everything."""
    import anyio  # here, for they take a second of every run
    from mcp import Client, StdioServerParameters, stdio_client

    environment = os.environ | {"DECKPROOF_DATA_DIR": str(tmp_path_factory.mktemp("data"))}
    asked = {
        "check": {"decklist": FIVE, "on": DAY},
        "repair": {"decklist": FIVE, "on": DAY, "pinned": ["ST21-015"]},
        "when": {"decklist": FIVE, "on": DAY},
        "odds": {"decklist": FIVE, "wishes": [["OP01-016"]], "on": DAY},
        "card": {"game": "optcg", "number": "op01-016_p1", "on": DAY},
        "rule": {"game": "optcg", "words": "copies", "on": DAY},
    }
    wrong = {"check": {"decklist": FIVE, "ruleset": "chess-1"}, "card": {"game": "optcg", "number": "Namy"}}

    async def talk():
        parameters = StdioServerParameters(command=str(COMMAND), args=["mcp"], env=environment)
        async with Client(stdio_client(parameters)) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            told = {name: await client.call_tool(name, body) for name, body in asked.items()}
            refused = {name: await client.call_tool(name, body) for name, body in wrong.items()}
            return tools, told, refused

    return anyio.run(talk)


def said(result):
    assert not result.is_error, result.content[0].text
    return json.loads(result.content[0].text)


@pytest.mark.slow
def test_every_tool_says_what_it_does_and_changes_nothing(answers):
    tools, told, _ = answers
    assert set(tools) == set(told)
    assert all(tool.description and tool.annotations.read_only_hint for tool in tools.values())
    assert tools["check"].input_schema["required"] == ["decklist"]


@pytest.mark.slow
def test_a_verdict_cites_its_rules(answers):
    verdict = said(answers[1]["check"])
    assert not verdict["legal"]
    assert {finding["code"] for finding in verdict["findings"]} == {"color.mismatch", "copies.exceeded", "size"}
    assert "5-1-2-3" in verdict["summary"]


@pytest.mark.slow
def test_a_repair_keeps_what_is_pinned(answers):
    repaired = said(answers[1]["repair"])
    assert repaired["changes"] > 0
    assert "ST21-015" not in [one["number"] for one in repaired["repairs"][0]["remove"]]


@pytest.mark.slow
def test_days_odds_a_card_and_a_rule_are_told(answers):
    told = answers[1]
    assert said(told["when"])["intervals"]
    assert said(told["odds"])["wishes"]["first_hand"]["chance"] > 0
    card = said(told["card"])
    assert (card["number"], card["standing"]["allowances"][0]["most"]) == ("OP01-016", 4)
    assert [rule["rule"]["section"] for rule in said(told["rule"])["rules"]] == ["5-1-2-3"]


@pytest.mark.slow
def test_what_is_wrong_is_said(answers):
    refused = answers[2]
    assert all(result.is_error for result in refused.values())
    assert "optcg-1.2.1" in refused["check"].content[0].text
    assert "ST01-007 Nami" in refused["card"].content[0].text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("check", {"decklist": "1 x" * 100_000}),
        ("check", {"decklist": FIVE, "on": "tomorrow"}),
        ("odds", {"decklist": FIVE, "turn": 0}),
        ("card", {"game": "optcg", "number": "x" * 100_000}),
        ("rule", {}),
    ],
)
def test_what_cannot_be_meant_is_refused(tool, arguments):
    tools = DeckTools(Library("sqlite:////nowhere/deckproof.db"))
    with pytest.raises(Invalid):
        getattr(tools, tool)(**arguments)


@pytest.mark.parametrize(("tool", "argument"), [("rule", "ruleset"), ("rule", "game"), ("card", "game")])
def test_what_is_refused_is_not_said_back_at_length(tool, argument):
    tools = DeckTools(Library("sqlite:////nowhere/deckproof.db"))
    with pytest.raises(ValueError, match="There is no") as refused:
        getattr(tools, tool)(**{"number": "x"} if tool == "card" else {}, **{argument: "x" * 100_000})
    assert len(str(refused.value)) < 1_000


def test_a_part_of_a_name_with_a_typo_brings_suggestions():
    tools = DeckTools(Library("sqlite:////nowhere/deckproof.db"))
    with pytest.raises(Invalid) as refused:
        tools.card("optcg", "lufy")
    assert "Monkey.D.Luffy" in refused.value.errors[0].detail


OWN_LIST = """document = "House list"
[[change]]
effective_from = 2026-01-01
region = "en"
source = "https://example.com/house-list"
ban.OP01-016 = "Nami"
"""


def test_an_organisers_own_list_is_applied_by_every_tool_that_judges(tmp_path):
    tools = DeckTools(Library(f"sqlite:///{tmp_path / 'cards.db'}"))
    legal = (EXAMPLES / "optcg-red-zoro.txt").read_text("utf-8")
    asked = {"decklist": legal, "on": DAY, "limits_list": OWN_LIST}
    assert tools.check(legal, on=DAY)["legal"]
    assert [finding["rule"]["document"] for finding in tools.check(**asked)["findings"]] == ["House list"]
    assert {change["number"] for change in tools.repair(**asked)["repairs"][0]["remove"]} == {"OP01-016"}
    assert not tools.when(**asked)["intervals"][-1]["legal"]
    assert tools.odds(**asked)
    for tool in (tools.check, tools.repair, tools.when, tools.odds):
        with pytest.raises(Invalid, match="no changes"):
            tool(legal, on=DAY, limits_list="x = 1")
