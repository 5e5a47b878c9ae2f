"""Overviews: what came of a spreadsheet of decks, short enough to be read at once. For the page of workbooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from api.workbooks.intake import preview
from api.workbooks.intake.preview import PreviewJSON
from api.workbooks.readings import CHOICES, ROLES, TakenColumn
from api.workbooks.reporting import summary
from api.workbooks.reporting.report_texts import player_name
from api.workbooks.reporting.results import LEGAL, JudgedEntry, Results
from validator.language import Language

MOST_PLAYERS = 200


class PlayerResult(NamedTuple):
    """The result of a player: the legality ("yes", "no" or "no deck"), the Leader, and the number of findings.

    `findings` is the number as grouped for people, 0 without a deck. `first_finding` is the message of the gravest
    finding, or that there is no deck. `id`, `leader` and `first_finding` are "" if there is none. `name` is "(no name)"
    in the reader's language if the player has none.
    """

    name: str
    id: str
    legal: str
    leader: str
    findings: int
    first_finding: str


class ColumnChoice(NamedTuple):
    """A role that a user may give to a column: `name` is its key in CHOICES, `role` its English title.

    `now` has the labels for people (letters and heading) of the columns that have the role at present, on the first
    sheet with any role.
    """

    name: str
    role: str
    now: Sequence[str]


class Overview(NamedTuple):
    """A short result for a page: the players by legality, the first players, and the columns.

    `counts` has the number of players by "yes", "no" and "no deck", without those of 0. `ruleset` is the title.
    `players` are at most 200, those without a legal deck first. `more` is the number of further players. `choices`
    are the roles, and `columns` the columns that may have one, as (value to send, label).
    """

    counts: Mapping[str, int]
    ruleset: str
    players: Sequence[PlayerResult]
    more: int
    reading: PreviewJSON
    choices: Sequence[ColumnChoice]
    columns: Sequence[tuple[str, str]]


def overview(results: Results, translate: Language) -> Overview:
    """Return the overview of the results of a spreadsheet in a language. At most 200 players are shown.

    Decks that are not legal, and players without a deck, are first. Else the order is that of the spreadsheet.
    """
    judged = sorted(results.judged, key=lambda one: one.legal == LEGAL)
    return Overview(
        results.counts,
        results.judge.terms.ruleset.title,
        [_player_result(one, translate) for one in judged[:MOST_PLAYERS]],
        max(0, len(judged) - MOST_PLAYERS),
        preview.as_json(results.book, translate),
        [
            ColumnChoice(name, ROLES[role], _columns_of_role(results, ROLES[role], translate))
            for name, role in CHOICES.items()
        ],
        _columns(results, translate),
    )


def _player_result(judged: JudgedEntry, translate: Language) -> PlayerResult:
    """Return the result of a player with texts in a language."""
    who, verdict = judged.entry.who, judged.verdict
    return PlayerResult(
        player_name(translate, judged),
        who.id,
        judged.legal,
        summary.leader_text(verdict) if verdict else "",
        summary.count_findings(verdict) if verdict else 0,
        summary.first_finding(translate, judged) or "",
    )


def _columns_of_role(results: Results, role: str, translate: Language) -> list[str]:
    """Return the labels of the columns of the first sheet that have a role, given by its title in ROLES."""
    return [column.label(translate) for column in _first_columns(results) if column.role == role]


def _columns(results: Results, translate: Language) -> list[tuple[str, str]]:
    """Return (letters, label) for the columns with a role of the first sheet that has any.

    Behind them are the columns of all sheets without a known role, as (heading, heading). Labels above the cards are
    among these.
    """
    labels = {column.column: column.label(translate) for column in _first_columns(results)}
    return [*labels.items(), *((heading, heading) for heading in results.book.extra_headings)]


def _first_columns(results: Results) -> Sequence[TakenColumn]:
    """Return the columns with a role of the first sheet that has any, () if no sheet has."""
    return next((reading.columns for reading in results.book.readings if reading.columns), ())
