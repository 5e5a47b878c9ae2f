"""Answers about players as JSON: registrations, revisions, rosters, duplicates, imports, links, exports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from api.events.check_json import PlayersCheckJSON
from api.events.event_json import AuditEntryJSON, DeadlineJSON, NamedPlayerJSON
from api.events.players.entrant import DifferingJSON
from api.service.answers.json_schema import doc
from api.service.answers.verdict_answers import (
    DeckJSON,
    EditionJSON,
    KnownLimitsJSON,
    NamedJSON,
    SnapshotJSON,
    VerdictJSON,
)
from api.workbooks.intake.preview import SheetReadingJSON


class ConsentJSON(TypedDict):
    """The consents of a player. The OpenAPI document describes them by the shape of requests."""

    publish: bool
    stream: bool


class CountingJSON(TypedDict):
    revision: Annotated[int, doc("The one that counts.")]
    at: str
    at_deadline: Annotated[int | None, doc("The one that stood at the deadline, once that is over.")]


class LeaderJSON(NamedJSON):
    colors: Sequence[str]


class ShownListJSON(TypedDict):
    id: str
    event: str
    player: str
    team: str
    revision: int
    received: Annotated[bool, doc("Whether there is a list.")]
    deck: Annotated[DeckJSON | None, doc("The deck as written.")]
    leader: LeaderJSON | None
    legal: Annotated[bool | None, doc("Null also if the organiser does not show verdicts to others.")]


class DuplicateJSON(TypedDict):
    same: Annotated[str, doc("What both have in common: `id`, or with the same name `email` or `list`.")]
    since: Annotated[str, doc("When the other registration was made.")]
    says: Annotated[str, doc("A sentence for the player.")]
    id: NotRequired[Annotated[str, doc("The id of the other registration; for judges only.")]]
    player: NotRequired[Annotated[str, doc("For judges only.")]]


class ShownRegistrationJSON(ShownListJSON):
    player_id: NotRequired[str]
    table: NotRequired[str]
    email: NotRequired[str]
    notes: NotRequired[str]
    decklist: NotRequired[Annotated[str | None, doc("The text that the deck came as.")]]
    consent: NotRequired[ConsentJSON]
    cut: NotRequired[Annotated[bool, doc("Whether the player is in the top cut.")]]
    created: NotRequired[str]
    updated: NotRequired[str]
    counts: NotRequired[CountingJSON]
    deadline: NotRequired[DeadlineJSON]
    receipt: NotRequired[Annotated[str, doc("What was received when, and whether it counts.")]]
    verdict: NotRequired[Annotated[VerdictJSON | None, doc("Made anew each time.")]]
    duplicates: NotRequired[
        Annotated[list[DuplicateJSON], doc("Other registrations that seem to be of the same player.")]
    ]


class RegisteredJSON(ShownRegistrationJSON):
    key: Annotated[str, doc("The player's own, shown now and never again.")]


class ListedRegistrationJSON(TypedDict):
    id: str
    player: str
    team: str
    revision: int
    received: bool
    legal: bool | None
    player_id: NotRequired[str]
    table: NotRequired[str]
    email: NotRequired[str]
    at: NotRequired[str]
    until: NotRequired[str | None]
    cut: NotRequired[bool]
    codes: NotRequired[Annotated[list[str], doc("The codes of the verdict's findings.")]]
    deck_hash: NotRequired[str | None]
    same_id: NotRequired[Annotated[list[str], doc("Other registrations with this player's id.")]]
    duplicates: NotRequired[
        Annotated[list[str], doc("Ids of other registrations that seem to be of the same player; for judges.")]
    ]
    event: NotRequired[str]
    deck: NotRequired[DeckJSON]
    leader: NotRequired[LeaderJSON | None]


class MadeWithJSON(TypedDict):
    ruleset: EditionJSON
    on: str
    format: str
    region: str
    best_of: NotRequired[Annotated[int, doc("The games of a match, if the event has them.")]]
    limits: KnownLimitsJSON | None
    catalogue: SnapshotJSON


class RegistrationsJSON(TypedDict):
    event: str
    made_with: Annotated[MadeWithJSON, doc("What all verdicts were made with.")]
    registrations: list[ListedRegistrationJSON]


class ShownRevisionJSON(TypedDict):
    number: int
    at: str
    by: Annotated[str, doc("A role and the id of a key.")]
    reason: str
    commitment: str
    player: str
    player_id: str
    team: str
    notes: str
    decklist: str | None
    consent: ConsentJSON
    deck: DeckJSON | None
    counts: bool
    at_deadline: bool
    added: list[DifferingJSON]
    removed: list[DifferingJSON]
    legal: bool | None


class RevisionsJSON(TypedDict):
    registration: str
    revisions: list[ShownRevisionJSON]


class PlayersKeyJSON(TypedDict):
    id: str
    created: str
    revoked: str | None


class ImportedStateJSON(TypedDict):
    registration_id: str
    revision: Annotated[int, doc("0 if the import added the registration.")]
    version_before: int
    version: Annotated[int, doc("The version of the registration after the import.")]
    table: str
    email: str


class PlayerDataJSON(TypedDict):
    revisions: list[ShownRevisionJSON]
    registration: ShownRegistrationJSON
    keys: list[PlayersKeyJSON]
    audit: list[AuditEntryJSON]
    checks: Annotated[list[PlayersCheckJSON], doc("The checks of the player's deck.")]
    before_imports: Annotated[list[ImportedStateJSON], doc("Table and e-mail before each import.")]


class PlayerKeyJSON(TypedDict):
    registration: str
    key: Annotated[str, doc("Shown now and never again.")]


class PersonalLinkJSON(TypedDict):
    registration: str
    player: str
    player_id: str
    email: str
    key: Annotated[str, doc("Shown now and never again.")]
    link: Annotated[str, doc("The address that the player opens.")]


class PersonalLinksJSON(TypedDict):
    links: list[PersonalLinkJSON]


class PairedRegistrationJSON(ListedRegistrationJSON):
    created: str
    checks: Annotated[int, doc("How often its deck was checked.")]


class PairJSON(TypedDict):
    same: Annotated[str, doc("What both have in common: `id`, or with the same name `email` or `list`.")]
    counted: Annotated[PairedRegistrationJSON, doc("The registration that counts until they are merged.")]
    left_out: PairedRegistrationJSON
    added: Annotated[list[DifferingJSON], doc("Cards of which the list of `left_out` has more.")]
    removed: Annotated[list[DifferingJSON], doc("Cards of which it has fewer.")]


class MergedJSON(TypedDict):
    registration: Annotated[str, doc("The registration that is kept. The keys of both are its keys now.")]
    revision: int
    merged: Annotated[str, doc("The id of the registration that was removed.")]
    list: Annotated[str, doc("Whose list was kept: `own` or `other`.")]


class SeparatedJSON(TypedDict):
    registration: str
    distinct_from: Annotated[list[str], doc("Ids of registrations that are no duplicates of this one.")]


class RosteredJSON(TypedDict):
    player: str
    team: str
    received: bool
    at: str | None
    id: NotRequired[str]
    revision: NotRequired[int]
    until: NotRequired[str | None]
    cut: NotRequired[bool]
    table: NotRequired[str]
    legal: NotRequired[bool | None]
    duplicates: NotRequired[
        Annotated[list[str], doc("Ids of other registrations that seem to be of the same player; for judges.")]
    ]


class ListCountsJSON(TypedDict):
    registered: int
    received: int
    missing: int
    duplicates: int
    not_legal: int | None


class RosterJSON(TypedDict):
    event: str
    name: str
    registered: Annotated[
        int, doc("How many players; one with several registrations is counted once, and so in the other sums.")
    ]
    received: int
    missing: int
    duplicates: NotRequired[Annotated[int, doc("How many registrations are not counted; for judges.")]]
    not_legal: NotRequired[
        Annotated[int | None, doc("Lists that are not legal, for staff; null if not all lists may be seen yet.")]
    ]
    players: list[RosteredJSON]


class MissingJSON(TypedDict):
    missing: Annotated[list[NamedPlayerJSON], doc("Who registered and has sent no list.")]
    not_registered: Annotated[list[str], doc("Who is expected and has not registered.")]
    left_out: Annotated[
        list[str], doc("Ids of duplicates that do not count: another registration of their player does.")
    ]
    reminder: Annotated[str, doc("What to write to all of them.")]


class ComparedJSON(TypedDict):
    expected: int
    received: list[NamedPlayerJSON]
    without_list: list[NamedPlayerJSON]
    not_registered: list[str]
    missing: Annotated[list[str], doc("Those without a list and those who did not register.")]
    not_expected: list[NamedPlayerJSON]
    reminder: Annotated[str, doc("What to write to those who are missing.")]


class AwaitedPlayerJSON(TypedDict):
    player: str
    player_id: str
    email: str


class ExpectedPlayerJSON(AwaitedPlayerJSON):
    registered: bool


class ExpectedJSON(TypedDict):
    expected: int
    players: list[ExpectedPlayerJSON]


class PlayerRowJSON(TypedDict):
    player: str
    player_id: str
    sheet: str
    row: int | None
    received: bool
    id: NotRequired[str]
    key: NotRequired[Annotated[str, doc("The player's own, shown now and never again.")]]


class RowFaultJSON(TypedDict):
    sheet: str
    row: int | None
    column: str | None
    value: str
    detail: str
    severity: str
    cell: str
    message: str


class RepeatedPlayerJSON(TypedDict):
    player: str
    player_id: str
    sheet: str
    row: int | None
    first_sheet: NotRequired[str]
    first_row: NotRequired[int | None]
    id: NotRequired[str]
    received: NotRequired[bool]


class UnreadRowsJSON(TypedDict):
    faults: Annotated[list[RowFaultJSON], doc("What could not be read, by row and column.")]
    duplicates: Annotated[list[RepeatedPlayerJSON], doc("Who stands there again; the first counts.")]


class OtherColumnJSON(TypedDict):
    heading: str
    use: Annotated[str, doc("`table`, `email`, or empty if the column is ignored.")]


_ImportId = TypedDict(
    "_ImportId",
    {
        "import": NotRequired[
            Annotated[
                str | None,
                doc("The id of the import, by which it is undone; null if it changed nothing."),
            ]
        ]
    },
)


class ReadingJSON(TypedDict):
    file: Annotated[str, doc("The name of the file.")]
    sheets: Annotated[list[SheetReadingJSON], doc("The role of each column.")]
    other_columns: Annotated[list[OtherColumnJSON], doc("The columns that have none of these roles.")]


class ImportedJSON(UnreadRowsJSON, ReadingJSON, _ImportId):
    registered: list[PlayerRowJSON]
    updated: list[PlayerRowJSON]
    unchanged: list[PlayerRowJSON]
    plan: NotRequired[Annotated[str, doc("Of a dry run: the digest of all that the import would write.")]]


class KeptImportJSON(TypedDict):
    id: str
    at: str
    by: Annotated[str, doc("The key that imported it.")]
    kind: Annotated[str, doc("`players` or `expected`.")]
    file: Annotated[str, doc("The name of the file.")]
    registered: Annotated[int, doc("Registrations that it added.")]
    updated: Annotated[int, doc("Registrations that it changed.")]
    undone: Annotated[str | None, doc("When it was undone.")]


class ImportsJSON(TypedDict):
    imports: list[KeptImportJSON]


class LeftPlayerJSON(NamedPlayerJSON):
    why: Annotated[str, doc("`changed` since the import, or the deck was `checked`.")]


class UndoneJSON(TypedDict):
    id: str
    removed: Annotated[list[str], doc("The players whose registrations were deleted.")]
    restored: Annotated[list[NamedPlayerJSON], doc("The registrations that have a revision as they were before.")]
    left: Annotated[list[LeftPlayerJSON], doc("The registrations that were left as they are.")]
    expected_restored: Annotated[bool | None, doc("False if the list of expected players was changed since.")]


class ExpectedBookJSON(ExpectedJSON, UnreadRowsJSON):
    pass
