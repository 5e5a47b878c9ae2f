"""Answers about deck checks as JSON: draws, checks, infractions, penalties that are suggested, seeds."""

from __future__ import annotations

from typing import Annotated, TypedDict

from api.events.event_json import NamedPlayerJSON
from api.events.players.entrant import DifferingJSON
from validator.field_docs import doc
from validator.findings import CitationJSON, CopiesJSON, NamedJSON


class SourceJSON(TypedDict):
    """The place of an infraction in a game's official penalty guide."""

    document: str
    section: str
    page: Annotated[int | None, doc("null if the page is not known.")]


class InfractionJSON(TypedDict):
    """An infraction of the tournament rules that a registered list has, with the penalty that a guide suggests."""

    code: Annotated[str, doc("The code of the finding.")]
    infraction: Annotated[str, doc("The infraction of the tournament rules.")]
    title: Annotated[str, doc("The infraction in words.")]
    suggested_penalty: Annotated[
        str | None, doc("What the game's official penalty guide has for it, null without a guide.")
    ]
    source: Annotated[SourceJSON | None, doc("Where the guide has it, null without a guide.")]
    note: Annotated[str, doc("Who decides, in a sentence.")]


class InfractionKindJSON(TypedDict):
    """One of the infractions that judges choose from, with its usual and its highest penalty. Texts are in English.

    `key` is the code that a check has as its `infraction`, such as "late".
    """

    key: str
    title: str
    penalty: str
    fix: Annotated[str, doc("What is done about the game.")]
    most: Annotated[str, doc("Up to which penalty a judge may go.")]
    rule: CitationJSON


class GivenPenaltyJSON(TypedDict):
    """A penalty that a judge gave in a deck check. `at` is an ISO moment, `registration` an id.

    `player` and `judge` are names. `infraction` is its key, such as "late". `reason`, `round` and `table` are "" if
    the judge left them out.
    """

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
    """The cards of a section of which the deck box has too few (`missing`) or too many (`extra`), and how many."""

    section: str
    missing: list[CopiesJSON]
    extra: list[CopiesJSON]


class BoxDifferenceJSON(TypedDict):
    """The difference of a deck box and the registered list. `sections` has only those that differ.

    `agrees`: no section differs, and `unread` is empty. `same_cards`: no card differs except for moves between deck,
    side deck and Z-Deck. `unread` are lines of either that may be cards, but were not compared.
    """

    agrees: bool
    sections: list[SectionDifferenceJSON]
    same_cards: bool
    unread: list[str]


class DeckCheckJSON(TypedDict):
    """A deck check in an export. `registration` is an id, `judge` a name. `started` and `ended` are ISO moments.

    `extension` are extra minutes for the table, 0 if a game is lost. It and `ended` are null while the check goes on,
    and `outcome` is null while it is open. `penalty` is null without one, `difference` before the box is counted or
    without a list. `table`, `round` and `note` may be "".
    """

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
    """A deck check in the export of all data of one player, with the penalty and its reason.

    If it was drawn and has not begun, `started` is the moment of the draw. `given` is null without a penalty, `reason`
    "" if there is none.
    """

    given: Annotated[GivenPenaltyJSON | None, doc("The penalty that was given.")]
    reason: str


class DrawnJSON(TypedDict):
    """A draw of decks to check: the seed, the group, and the ids of the drawn registrations.

    `share` is the part of the group that was drawn, 1 for a top cut.
    """

    seed: str
    share: float
    among: str
    unchecked: Annotated[bool, doc("Whether those were left out who were drawn or checked before.")]
    of: Annotated[int, doc("Among how many was drawn.")]
    registrations: Annotated[list[str], doc("Those drawn, in the order of the seed.")]
    sentence: Annotated[str, doc("How it was drawn, to print beside it.")]


class SeatedPlayerJSON(NamedPlayerJSON):
    """A player with the table of the player, "" if it is not known."""

    table: str


class NextReasonJSON(TypedDict):
    """The reason why a deck is the next to check, and the terms by which it was chosen.

    `of` is the number of candidates, 0 if there is nobody. `among` is the group of players.
    """

    why: Annotated[str, doc("`drawn`, `fewest` or `nobody`.")]
    because: Annotated[str, doc("The reason in a sentence.")]
    of: Annotated[int, doc("Of how many players.")]
    owed: Annotated[int, doc("How many decks are still to be checked for a tenth of all.")]
    seed: str
    among: str


class NextCheckJSON(NextReasonJSON):
    """The deck to check next, and the reason. `event` is an id, `check` that of a check."""

    event: str
    registration: Annotated[SeatedPlayerJSON | None, doc("Whose deck; null where there is nobody's.")]
    check: Annotated[str | None, doc("The check that was drawn and has not begun, to be written; null: begin one.")]


class SeedJSON(TypedDict):
    """The seed that now orders the deck checks of an event."""

    event: str
    seed: Annotated[
        str, doc("What the order of deck checks is drawn by. Players must not see the seed before the event.")
    ]


class SuggestedJSON(TypedDict):
    """The penalty that the policy has for an infraction, after the player's earlier penalties.

    `infraction` is a key, such as "late". The other texts are in English.
    """

    infraction: str
    penalty: str
    most: Annotated[str, doc("Up to which penalty a judge may go.")]
    because: str
    fix: Annotated[str, doc("What is done about the game.")]
    head_judge: Annotated[bool, doc("Whether it goes through the head judge.")]
    decided: Annotated[bool, doc("Always false: a judge decides.")]
    rules: list[CitationJSON]


class CountedJSON(NamedJSON):
    """A card with its number of copies."""

    count: int


class ComparedBoxJSON(TypedDict):
    """The difference of a deck box and the registered list.

    Before the box is counted, or without a list, `same_cards` is null and the rest is empty.
    """

    same_cards: Annotated[
        bool | None, doc("Whether no card differs but for moves between deck, side deck and Z-Deck, as between games.")
    ]
    missing: Annotated[dict[str, list[CountedJSON]], doc("By section, what is registered and does not lie there.")]
    extra: Annotated[dict[str, list[CountedJSON]], doc("By section, what lies there and is not registered.")]
    unread: Annotated[list[str], doc("Lines that could not be read, and were not compared.")]


class ListedCheckJSON(ComparedBoxJSON):
    """A deck check as judges see it in a list, with its result, infractions and penalties.

    `ended`, `outcome`, `infraction`, `penalty`, `suggested` and `log` are null as long as there is none. Other texts
    may be "". `version` counts the changes from 1. `grace` are minutes, part of `extension`. `earlier` has the oldest
    penalty first.
    """

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
        bool | None,
        doc(
            "Whether box and list are the same, between games as a whole; null before the box is counted or without "
            "a list."
        ),
    ]
    infractions: Annotated[list[InfractionJSON], doc("The infractions that the verdict on the registered list has.")]
    suggested: Annotated[SuggestedJSON | None, doc("What the policy says, a repeat one step higher.")]
    earlier: Annotated[list[str], doc("The player's earlier penalties.")]
    log: Annotated[str | None, doc("The penalty on one line: player, infraction, penalty, reason, judge.")]


class ShownCheckJSON(ListedCheckJSON):
    """A deck check on its own page, with the cards of the registered list and of the box.

    Each card is there once for each section. `cards` is empty without a list.
    """

    cards: Annotated[list[DifferingJSON], doc("The registered list, to be counted card by card.")]
    box: Annotated[list[DifferingJSON] | None, doc("What lay in the box; null before it is counted.")]


class BegunChecksJSON(TypedDict):
    """The deck checks that a request added: one of a player who was chosen by id, or those of a draw.

    `draw` is null for a chosen player, `id` for a draw.
    """

    id: Annotated[str | None, doc("Of the check, where one was begun.")]
    draw: DrawnJSON | None
    checks: list[ListedCheckJSON]


class ChecksJSON(TypedDict):
    """All deck checks of an event in the order of their creation, also those that were drawn and have not begun."""

    event: str
    owed: Annotated[int, doc("How many decks are still to be checked for a tenth of all.")]
    checks: list[ListedCheckJSON]
