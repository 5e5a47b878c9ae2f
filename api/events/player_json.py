"""Answers about players as JSON: registrations, revisions, rosters, duplicates, imports, links, exports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from api.events.check_json import PlayersCheckJSON
from api.events.event_json import AuditEntryJSON, DeadlineJSON, NamedPlayerJSON
from api.events.players.entrant import DifferingJSON
from api.workbooks.intake.preview import SheetReadingJSON
from validator.deck import DeckJSON
from validator.field_docs import doc
from validator.findings import NamedJSON
from validator.judge import EditionJSON, KnownLimitsJSON, SnapshotJSON, VerdictJSON


class ConsentJSON(TypedDict):
    """The consents of a player. The OpenAPI document describes them by the shape of requests."""

    publish: bool
    stream: bool


class CountingJSON(TypedDict):
    """The number of the revision that counts, its ISO moment, and the number of the one that counted at the deadline.

    `at_deadline` is null before the event's deadline, without one, and if there was no revision then.
    """

    revision: Annotated[int, doc("The one that counts.")]
    at: str
    at_deadline: Annotated[int | None, doc("The one that stood at the deadline, once that is over.")]


class LeaderJSON(NamedJSON):
    """The Leader card of a deck with its colours."""

    colors: Sequence[str]


class ShownListJSON(TypedDict):
    """A registration as everybody sees it who may see its list. Without a list `deck`, `leader` and `legal` are null.

    `leader` is null too if the deck has no Leader. `event` is an id. `revision` is the number of the newest one.
    """

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
    """Another registration that seems to be of the same player. `since` is an ISO moment."""

    same: Annotated[str, doc("What both have in common: `id`, or with the same name `email` or `list`.")]
    since: Annotated[str, doc("When the other registration was made.")]
    says: Annotated[str, doc("A sentence for the player.")]
    id: NotRequired[Annotated[str, doc("The id of the other registration; for judges only.")]]
    player: NotRequired[Annotated[str, doc("For judges only.")]]


class ShownRegistrationJSON(ShownListJSON):
    """A registration with its deck. Only its player and staff get the fields that are not required.

    `player_id`, `table`, `email` and `notes` are "" if not known. `created` and `updated` (the newest revision) are ISO
    moments in the event's time zone. `decklist` is null if the deck did not come as text.
    """

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
    """A new registration with the player's key in plain text."""

    key: Annotated[str, doc("The player's own, shown now and never again.")]


class ListedRegistrationJSON(TypedDict):
    """A registration in a list of registrations. Only staff get the fields from `player_id` to `duplicates`.

    Others get `event`, `deck` and `leader` instead, and only registrations with a list. `legal` and `deck_hash` are
    null, and `codes` empty, without a list or if the caller may not see the verdict. `at` is the local time of the
    newest revision, `until` the player's own deadline. `same_id` has ids of registrations.
    """

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
    """The terms and the card data that verdicts were made with. `limits` is null if limits lists are ignored."""

    ruleset: EditionJSON
    on: str
    format: str
    region: str
    best_of: NotRequired[Annotated[int, doc("The games of a match, if the event has them.")]]
    limits: KnownLimitsJSON | None
    catalogue: SnapshotJSON


class RegistrationsJSON(TypedDict):
    """The registrations of an event that the caller sees, by name. Staff see all, also duplicates."""

    event: str
    made_with: Annotated[MadeWithJSON, doc("What all verdicts were made with.")]
    registrations: list[ListedRegistrationJSON]


class ShownRevisionJSON(TypedDict):
    """One version of a registration with the cards `added` and `removed` since the version before.

    `number` counts from 1, `at` is its ISO moment. `counts`: it is the newest. `at_deadline`: the deadline is over, and
    it was the newest then. `commitment` is the SHA-256 that commits to its list. `deck` and `legal` are null without a
    list, `decklist` also if the deck did not come as text. Other texts are "" if there is none.
    """

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
    """All versions of a registration, the oldest first."""

    registration: str
    revisions: list[ShownRevisionJSON]


class PlayersKeyJSON(TypedDict):
    """A key of a player without its secret. `created` and `revoked` are ISO moments, `revoked` null if it is valid."""

    id: str
    created: str
    revoked: str | None


class ImportedStateJSON(TypedDict):
    """A registration as it was before a spreadsheet was imported: its revision, version, table and e-mail address.

    `revision` is the number of the newest one. `email` is "" too if the player has deleted the address since.
    """

    registration_id: str
    revision: Annotated[int, doc("0 if the import added the registration.")]
    version_before: int
    version: Annotated[int, doc("The version of the registration after the import.")]
    table: str
    email: str


class PlayerDataJSON(TypedDict):
    """All stored data of one player, for a request of the player.

    `audit` has the entries about the registration. `keys` has revoked ones too. `before_imports` leaves out imports
    that were undone.
    """

    revisions: list[ShownRevisionJSON]
    registration: ShownRegistrationJSON
    keys: list[PlayersKeyJSON]
    audit: list[AuditEntryJSON]
    checks: Annotated[list[PlayersCheckJSON], doc("The checks of the player's deck.")]
    before_imports: Annotated[list[ImportedStateJSON], doc("Table and e-mail before each import.")]


class PlayerKeyJSON(TypedDict):
    """The new key of a registration in plain text, after the old key was revoked."""

    registration: str
    key: Annotated[str, doc("Shown now and never again.")]


class PersonalLinkJSON(TypedDict):
    """A player with a new key in plain text, and the address that contains the key. `registration` is an id.

    `player_id` and `email` are "" if not known.
    """

    registration: str
    player: str
    player_id: str
    email: str
    key: Annotated[str, doc("Shown now and never again.")]
    link: Annotated[str, doc("The address that the player opens.")]


class PersonalLinksJSON(TypedDict):
    """The new personal links of several players, by name."""

    links: list[PersonalLinkJSON]


class PairedRegistrationJSON(ListedRegistrationJSON):
    """One of two registrations that seem to be of one player. `checks` counts drawn checks that have not begun too."""

    created: str
    checks: Annotated[int, doc("How often its deck was checked.")]


class PairJSON(TypedDict):
    """Two registrations that seem to be of one player, and the differences of their lists by section and card."""

    same: Annotated[str, doc("What both have in common: `id`, or with the same name `email` or `list`.")]
    counted: Annotated[PairedRegistrationJSON, doc("The registration that counts until they are merged.")]
    left_out: PairedRegistrationJSON
    added: Annotated[list[DifferingJSON], doc("Cards of which the list of `left_out` has more.")]
    removed: Annotated[list[DifferingJSON], doc("Cards of which it has fewer.")]


class MergedJSON(TypedDict):
    """The result of a merge of two registrations. `revision` is the number of the new one, which the merge has made."""

    registration: Annotated[str, doc("The registration that is kept. The keys of both are its keys now.")]
    revision: int
    merged: Annotated[str, doc("The id of the registration that was removed.")]
    list: Annotated[str, doc("Whose list was kept: `own` or `other`.")]


class SeparatedJSON(TypedDict):
    """The result of marking two registrations as those of two players. `registration` is the id of the first one."""

    registration: str
    distinct_from: Annotated[list[str], doc("Ids of registrations that are no duplicates of this one.")]


class RosteredJSON(TypedDict):
    """A registration in the roster, without its list. Only staff get the fields that are not required.

    `at` is the local time of the newest revision, null without a list. `revision` is its number. `until` is the
    player's own deadline in UTC, null for none. `cut`: the player is in the top cut. `legal` is null without a list or
    if the caller may not see it yet.
    """

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
    """The numbers of players, lists and duplicates of an event. `not_legal` is null if not all lists may be seen.

    A player with several registrations counts once, by the one that counts. `duplicates` are the other registrations.
    """

    registered: int
    received: int
    missing: int
    duplicates: int
    not_legal: int | None


class RosterJSON(TypedDict):
    """The registered players of an event without their lists, with counts of all of them.

    `players` are only the selected ones, in the wanted order, but each registration of a player. `event` is an id.
    """

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
    """The players of an event whose list is missing, and a text to remind them, "" if there are none."""

    missing: Annotated[list[NamedPlayerJSON], doc("Who registered and has sent no list.")]
    not_registered: Annotated[list[str], doc("Who is expected and has not registered.")]
    left_out: Annotated[
        list[str], doc("Ids of duplicates that do not count: another registration of their player does.")
    ]
    reminder: Annotated[str, doc("What to write to all of them.")]


class ComparedJSON(TypedDict):
    """The result of comparing a list of names with the registrations of an event.

    `expected` is the number of different names. `received` and `without_list` are the registrations with these names,
    `not_expected` those with other names. `missing` and `not_registered` are names. `reminder` is "" if none is
    missing.
    """

    expected: int
    received: list[NamedPlayerJSON]
    without_list: list[NamedPlayerJSON]
    not_registered: list[str]
    missing: Annotated[list[str], doc("Those without a list and those who did not register.")]
    not_expected: list[NamedPlayerJSON]
    reminder: Annotated[str, doc("What to write to those who are missing.")]


class AwaitedPlayerJSON(TypedDict):
    """A player whom the organiser expects. The id and the e-mail address are "" if they are not known."""

    player: str
    player_id: str
    email: str


class ExpectedPlayerJSON(AwaitedPlayerJSON):
    """An expected player, and if the player has registered."""

    registered: bool


class ExpectedJSON(TypedDict):
    """The expected players of an event, and their number as `expected`."""

    expected: int
    players: list[ExpectedPlayerJSON]


class PlayerRowJSON(TypedDict):
    """A player in an imported spreadsheet. `row` counts from 1, null if the player is not in one row.

    `sheet` is "" for a CSV file, `player_id` "" if not known. `received`: the row or the registration has a list. `id`
    is that of the registration, and is missing without one. `key` is only in the answer to an import, for new
    registrations.
    """

    player: str
    player_id: str
    sheet: str
    row: int | None
    received: bool
    id: NotRequired[str]
    key: NotRequired[Annotated[str, doc("The player's own, shown now and never again.")]]


class RowFaultJSON(TypedDict):
    """Something in a spreadsheet that was not read (`severity` "error"), or was read with a doubt ("notice").

    `sheet` is "" for a CSV file. `row` counts from 1, null for a whole sheet. `column` is the heading, null for a whole
    row. `cell` is the address ("D17"), "" if it is about more. `value` is the text of the cell or line, or the player.
    `detail` is the problem as a part of a sentence, `message` the whole sentence.
    """

    sheet: str
    row: int | None
    column: str | None
    value: str
    detail: str
    severity: str
    cell: str
    message: str


class RepeatedPlayerJSON(TypedDict):
    """A player whom a spreadsheet has again, with the place of the first mention, which counts.

    If only the registration shows that two rows are of one player, `first_sheet` and `first_row` are missing. Then `id`
    is that registration, and `received` is true if the row or the registration has a list. Otherwise both are missing.
    """

    player: str
    player_id: str
    sheet: str
    row: int | None
    first_sheet: NotRequired[str]
    first_row: NotRequired[int | None]
    id: NotRequired[str]
    received: NotRequired[bool]


class UnreadRowsJSON(TypedDict):
    """The faults of a spreadsheet, and the rows of players whom it repeats, which are not imported.

    There are at most 1,000 faults. One with the severity of a notice keeps no row out.
    """

    faults: Annotated[list[RowFaultJSON], doc("What could not be read, or only with a doubt, by sheet and row.")]
    duplicates: Annotated[list[RepeatedPlayerJSON], doc("Who stands there again; the first counts.")]


class OtherColumnJSON(TypedDict):
    """A column of a spreadsheet that has no role among the columns of players and cards."""

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
    """The interpretation of a spreadsheet: the role of each column, by sheet."""

    file: Annotated[str, doc("The name of the file.")]
    sheets: Annotated[list[SheetReadingJSON], doc("The role of each column.")]
    other_columns: Annotated[list[OtherColumnJSON], doc("The columns that have none of these roles.")]


class ImportedJSON(UnreadRowsJSON, ReadingJSON, _ImportId):
    """The result of an import of players, or of its preview: the players in three groups, and what was not read.

    `registered` are new. `updated` get a new revision. `unchanged` get none, but may get another table or e-mail
    address.
    """

    registered: list[PlayerRowJSON]
    updated: list[PlayerRowJSON]
    unchanged: list[PlayerRowJSON]
    plan: NotRequired[Annotated[str, doc("Of a dry run: the digest of all that the import would write.")]]


class KeptImportJSON(TypedDict):
    """An import in the history of an event. `at` and `undone` are ISO moments, `undone` null if it was not undone.

    `updated` counts also registrations of which only the table or the e-mail address changed. Both numbers are 0 for an
    import of expected players.
    """

    id: str
    at: str
    by: Annotated[str, doc("The key that imported it.")]
    kind: Annotated[str, doc("`players` or `expected`.")]
    file: Annotated[str, doc("The name of the file.")]
    registered: Annotated[int, doc("Registrations that it added.")]
    updated: Annotated[int, doc("Registrations that it changed.")]
    undone: Annotated[str | None, doc("When it was undone.")]


class ImportsJSON(TypedDict):
    """The history of imports of an event, the newest first."""

    imports: list[KeptImportJSON]


class LeftPlayerJSON(NamedPlayerJSON):
    """A registration that an undo left as it was, with the reason."""

    why: Annotated[str, doc("`changed` since the import, or a deck check has the imported list (`checked`).")]


class UndoneJSON(TypedDict):
    """The result of undoing an import.

    `removed` has names. `expected_restored` is null if the import was not one of expected players.
    """

    id: str
    removed: Annotated[list[str], doc("The players whose registrations were deleted.")]
    restored: Annotated[
        list[NamedPlayerJSON], doc("The registrations that have list, table and e-mail address as before the import.")
    ]
    left: Annotated[list[LeftPlayerJSON], doc("The registrations that were left as they are.")]
    expected_restored: Annotated[bool | None, doc("False if the list of expected players was changed since.")]


class ExpectedBookJSON(ExpectedJSON, UnreadRowsJSON):
    """The result of an import of expected players."""
