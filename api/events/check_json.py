"""Answers about deck checks as JSON: draws, checks, infractions, penalties that are suggested, seeds."""

from __future__ import annotations

from typing import Annotated, TypedDict

from api.events.event_json import NamedPlayerJSON
from api.events.players.entrant import DifferingJSON
from api.service.answers.json_schema import doc
from api.service.answers.verdict_answers import CitationJSON, CopiesJSON, NamedJSON


class SourceJSON(TypedDict):
    document: str
    section: str
    page: Annotated[int | None, doc("null if the page is not known.")]


class InfractionJSON(TypedDict):
    code: Annotated[str, doc("The code of the finding.")]
    infraction: Annotated[str, doc("The infraction of the tournament rules.")]
    title: Annotated[str, doc("The infraction in words.")]
    suggested_penalty: Annotated[
        str | None, doc("What the game's official penalty guide has for it, null without a guide.")
    ]
    source: Annotated[SourceJSON | None, doc("Where the guide has it, null without a guide.")]
    note: Annotated[str, doc("Who decides, in a sentence.")]


class InfractionKindJSON(TypedDict):
    key: str
    title: str
    penalty: str
    fix: Annotated[str, doc("What is done about the game.")]
    most: Annotated[str, doc("Up to which penalty a judge may go.")]
    rule: CitationJSON


class GivenPenaltyJSON(TypedDict):
    player: str
    infraction: str
    penalty: str
    reason: str
    judge: str
    line: Annotated[str, doc("The penalty on one line: player, infraction, penalty, reason, judge.")]
    registration: str
    at: str
    round: str
    table: str


class SectionDifferenceJSON(TypedDict):
    section: str
    missing: list[CopiesJSON]
    extra: list[CopiesJSON]


class BoxDifferenceJSON(TypedDict):
    agrees: bool
    sections: list[SectionDifferenceJSON]
    same_cards: bool
    unread: list[str]


class DeckCheckJSON(TypedDict):
    id: str
    registration: str
    judge: str
    table: str
    round: str
    started: str
    ended: str | None
    extension: int | None
    outcome: str | None
    penalty: str | None
    difference: BoxDifferenceJSON | None
    note: str


class PlayersCheckJSON(DeckCheckJSON):
    given: Annotated[GivenPenaltyJSON | None, doc("The penalty that was given.")]
    reason: str


class DrawnJSON(TypedDict):
    seed: str
    share: float
    among: str
    unchecked: Annotated[bool, doc("Whether those were left out who were drawn or checked before.")]
    of: Annotated[int, doc("Among how many was drawn.")]
    registrations: Annotated[list[str], doc("Those drawn, in the order of the seed.")]
    sentence: Annotated[str, doc("How it was drawn, to print beside it.")]


class SeatedPlayerJSON(NamedPlayerJSON):
    table: str


class NextReasonJSON(TypedDict):
    why: Annotated[str, doc("`drawn`, `fewest` or `nobody`.")]
    because: Annotated[str, doc("The reason in a sentence.")]
    of: Annotated[int, doc("Of how many players.")]
    owed: Annotated[int, doc("How many decks are still to be checked for a tenth of all.")]
    seed: str
    among: str


class NextCheckJSON(NextReasonJSON):
    event: str
    registration: Annotated[SeatedPlayerJSON | None, doc("Whose deck; null where there is nobody's.")]
    check: Annotated[str | None, doc("The check that was drawn and has not begun, to be written; null: begin one.")]


class SeedJSON(TypedDict):
    event: str
    seed: Annotated[
        str, doc("What the order of deck checks is drawn by. Players must not see the seed before the event.")
    ]


class SuggestedJSON(TypedDict):
    infraction: str
    penalty: str
    most: Annotated[str, doc("Up to which penalty a judge may go.")]
    because: str
    fix: Annotated[str, doc("What is done about the game.")]
    head_judge: Annotated[bool, doc("Whether it goes through the head judge.")]
    decided: Annotated[bool, doc("Always false: a judge decides.")]
    rules: list[CitationJSON]


class CountedJSON(NamedJSON):
    count: int


class ComparedBoxJSON(TypedDict):
    same_cards: Annotated[bool | None, doc("Whether deck and side deck together are, as between games.")]
    missing: Annotated[dict[str, list[CountedJSON]], doc("By section, what is registered and does not lie there.")]
    extra: Annotated[dict[str, list[CountedJSON]], doc("By section, what lies there and is not registered.")]
    unread: Annotated[list[str], doc("Lines that could not be read, and were not compared.")]


class ListedCheckJSON(ComparedBoxJSON):
    id: str
    version: int
    registration: str
    player: str
    revision: Annotated[int, doc("Which one the box is compared with: the one that counted then.")]
    judge: str
    table: str
    round: str
    started: Annotated[str | None, doc("In the event's time zone; null where it was drawn and has not begun.")]
    ended: str | None
    grace: int
    extension: Annotated[
        int | None, doc("The minutes that the table gets, 0 where a game is lost; null while the check goes on.")
    ]
    outcome: str | None
    infraction: str | None
    penalty: str | None
    reason: str
    note: str
    between_games: Annotated[bool, doc("Whether cards may have changed places.")]
    agrees: Annotated[
        bool | None, doc("Whether box and list are the same, between games as a whole; null before the box is counted.")
    ]
    infractions: Annotated[list[InfractionJSON], doc("The infractions that the verdict on the registered list has.")]
    suggested: Annotated[SuggestedJSON | None, doc("What the policy says, a repeat one step higher.")]
    earlier: Annotated[list[str], doc("The player's earlier penalties.")]
    log: Annotated[str | None, doc("The penalty on one line: player, infraction, penalty, reason, judge.")]


class ShownCheckJSON(ListedCheckJSON):
    cards: Annotated[list[DifferingJSON], doc("The registered list, to be counted card by card.")]
    box: Annotated[list[DifferingJSON] | None, doc("What lay in the box; null before it is counted.")]


class BegunChecksJSON(TypedDict):
    id: Annotated[str | None, doc("Of the check, where one was begun.")]
    draw: DrawnJSON | None
    checks: list[ListedCheckJSON]


class ChecksJSON(TypedDict):
    event: str
    owed: Annotated[int, doc("How many decks are still to be checked for a tenth of all.")]
    checks: list[ListedCheckJSON]
