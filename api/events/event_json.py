"""Answers about events as JSON: settings, numbers, keys, audits, commitments, and what changes of lists do."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from api.events.own_list import ChangedLimitJSON, OwnListJSON
from api.events.tournament import ROSTERS, STAGES
from validator.field_docs import DayText, doc
from validator.findings import NamedJSON
from validator.games import GAMES
from validator.judge import EditionJSON, KnownLimitsJSON, SnapshotJSON


class DeadlineJSON(TypedDict):
    """Until when a player may change a list, and how often. `until` and `seconds_left` are null without a deadline.

    `open`: a change is allowed now. `seconds_left` is 0 after the deadline. `changes_left` is 0 if the list may not be
    changed now.
    """

    until: Annotated[str | None, doc("In the event's time zone.")]
    timezone: str
    own: Annotated[bool, doc("Whether it is the player's own.")]
    open: bool
    seconds_left: int | None
    changes_left: int
    says: Annotated[str, doc("Until when and how often a list may be changed, and which one counts.")]


class PolicyJSON(TypedDict, total=False):
    """The decisions of an organiser that differ from the rules, only those that are set.

    The OpenAPI document describes them by the shape of requests.
    """

    side_max: int
    main_min: int
    main_max: int
    copies: bool
    copies_across_side: bool
    release_delay_days: int
    swap_one_for_one: bool
    release: bool
    limits: bool


class ShownVisibilityJSON(TypedDict):
    """Who sees the deck lists of an event and who sees its roster, with the state at the time of the answer."""

    lists: Annotated[
        str,
        doc(
            "Who sees the lists besides their players and the organiser: `closed` nobody, `judges` they, `cut` also "
            "the players of the top cut those of each other, `public` everyone. Default: `judges`.",
            enum=STAGES,
        ),
    ]
    public_from: Annotated[
        str | None, doc("From when everyone sees them, in the event's time zone.", example="2026-11-20T22:00:00+01:00")
    ]
    roster: Annotated[
        str,
        doc("Who sees the roster, without lists: `judges`, `players` (the default) or `public`.", enum=ROSTERS),
    ]
    verdicts: Annotated[
        bool, doc("Whether everyone who sees a list sees if it is legal; default: false. Staff always see it.")
    ]
    now: Annotated[str, doc("Who sees the lists at this moment: one of the stages.")]


class ShownEventJSON(TypedDict):
    """The settings of an event as anyone who knows its id sees them, with join code, deadline and day of deletion."""

    id: Annotated[str, doc("Whoever knows it may register.")]
    name: Annotated[str, doc("What it is called.", example="Example Regional")]
    game: Annotated[str, doc("The game.", enum=tuple(GAMES), example="optcg")]
    timezone: Annotated[str, doc("Where it is, as the IANA names time zones; default: `UTC`.", example="Europe/Berlin")]
    ruleset: Annotated[str | None, doc("The ruleset to judge by; null is the one in force on the day.")]
    format: Annotated[str | None, doc("The format; null is the game's standard one.", example="standard")]
    region: Annotated[str | None, doc("Whose limits lists hold; null is `en`.", example="en")]
    place: Annotated[str, doc("Where it is.", example="Example Hall")]
    best_of: Annotated[int | None, doc("How many games a match has at most; null: not known.")]
    consent: Annotated[bool, doc("Whether a list is shown to others only with its player's consent; default: false.")]
    purge_days: Annotated[
        int,
        doc(
            "Days after its day, its creation or its last change, whichever is the latest, for which anything of it "
            "is kept. At most 365 if it was created without the admin key of a server that has one."
        ),
    ]
    version: int
    verified: Annotated[bool, doc("False if the event was imported and nothing proved that its file was unchanged.")]
    on: Annotated[DayText, doc("The day that is played on, which decks are judged for.", example="2027-03-20")]
    opens: Annotated[
        str | None,
        doc(
            "From when whoever knows the event's id may register, in the event's time zone; null is at once.",
            example="2026-11-01T00:00:00+01:00",
        ),
    ]
    closes: Annotated[
        str | None,
        doc(
            "When registration closes and lists are locked, names with them, in the event's time zone; null is never.",
            example="2026-11-20T22:00:00+01:00",
        ),
    ]
    policy: Annotated[PolicyJSON | None, doc("What the organiser decides.")]
    limits_list: Annotated[
        str | None,
        doc("The organiser's own limits list as the text of a TOML file, which is added to the official list."),
    ]
    own_list: Annotated[OwnListJSON | None, doc("What `limits_list` changes on the event's day. Null without a list.")]
    visibility: ShownVisibilityJSON
    code: Annotated[
        str,
        doc("The join code, to be read out and typed: two words, three if everyone sees who plays; never changes."),
    ]
    purged: Annotated[
        str,
        doc("The day on which all of it is deleted: `purge_days` after its day, its creation or its last change."),
    ]
    deleted_on: Annotated[
        str | None,
        doc("The day on which a deleted event is removed; until then it can be restored. Null if it is not deleted."),
    ]
    unused_until: Annotated[
        str | None,
        doc(
            "The day on which the event is deleted if nothing was done with it until then. Null unless it was created "
            "without the admin key of a server that has one."
        ),
    ]
    now: Annotated[str, doc("The server's time, in the event's time zone.")]
    deadline: DeadlineJSON
    role: NotRequired[Annotated[str, doc("Who asks: `anyone`, `player`, `judge`, `organiser` or `admin`.")]]


class EventKeysJSON(TypedDict):
    """The first two keys of a new event, in plain text: one for organisers and one for judges."""

    organiser: str
    judge: str


class BegunEventJSON(ShownEventJSON):
    """A new event with its keys, the answer to its creation."""

    keys: Annotated[EventKeysJSON, doc("Shown now and never again.")]


class NamedPlayerJSON(TypedDict):
    """The id of a registration and the name of its player."""

    id: str
    player: str


class ImpactDayJSON(TypedDict):
    """The terms by which one side of a comparison was judged. `limits` is null if the policy ignores limits lists."""

    on: str
    ruleset: EditionJSON
    limits: KnownLimitsJSON | None
    catalogue: SnapshotJSON


class ReasonJSON(TypedDict):
    """A finding of a verdict: its code, its message for people and the cards that it is about."""

    code: str
    message: str
    cards: list[NamedJSON]


class AffectedJSON(NamedPlayerJSON):
    """A player whose deck becomes legal or illegal. `because` are its errors after the change, [] if it is legal."""

    because: list[ReasonJSON]


class ImpactJSON(TypedDict):
    """The decks that become illegal or legal between two sets of terms, `before` and `after`.

    Only lists that the caller sees now are judged, and of duplicate registrations only the one that counts.
    """

    before: ImpactDayJSON
    after: ImpactDayJSON
    lists: Annotated[int, doc("How many were judged.")]
    illegal: Annotated[list[AffectedJSON], doc("Who is legal before and not after.")]
    legal: Annotated[list[AffectedJSON], doc("Who is legal after and not before.")]


class ProposalImpactJSON(ImpactJSON):
    """The effect of a proposed limits list on the decks of an event, with the limits that it changes.

    `before` is without the proposal, `after` with it, both on the same day.
    """

    changes: Annotated[list[ChangedLimitJSON], doc("What the proposed list says differently on that day.")]


class AuditEntryJSON(TypedDict):
    """One entry of the audit of an event. `at` is an ISO moment in UTC.

    `about` may also be the id of an import, and is "" for the event itself.
    """

    number: int
    at: str
    by: Annotated[str, doc("A role and the id of a key.")]
    action: str
    about: Annotated[str, doc("The id of a registration or a key.")]
    digest: Annotated[str, doc("A hash of what was written.")]
    hash: Annotated[str, doc("A hash of this entry and the one before it.")]


class AuditStateJSON(TypedDict):
    """The result of checking the whole audit of an event. `broken_at` is null if no entry was changed."""

    intact: Annotated[bool, doc("True if each entry of the whole audit is as it was written.")]
    verified: Annotated[bool, doc("False if the event was imported and nothing proved that its file was unchanged.")]
    broken_at: Annotated[int | None, doc("The number of the first entry that was changed.")]
    head: Annotated[str, doc("The hash of the last entry of the whole audit.")]
    entries_total: Annotated[int, doc("The number of entries of the whole audit.")]


class AuditJSON(AuditStateJSON):
    """A part of the audit of an event, the oldest entry first, with the state of the whole audit."""

    next: Annotated[int | None, doc("The `after` of the request for the following entries, null if there are none.")]
    entries: list[AuditEntryJSON]


class ListedKeyJSON(TypedDict):
    """A key of a judge or an organiser without its secret. `created` and `revoked` are ISO moments in UTC.

    `name` is a label, "" for none. `revoked` is null if the key is valid.
    """

    id: str
    role: str
    name: str
    created: str
    revoked: str | None


class KeysJSON(TypedDict):
    """All keys of the staff of an event, the oldest first, also revoked keys."""

    keys: list[ListedKeyJSON]


class MadeKeyJSON(TypedDict):
    """A new key of a judge or an organiser, with its secret as `key`. `name` is a label, "" for none."""

    id: str
    role: str
    name: str
    key: Annotated[str, doc("Shown now and never again.")]


class CommitmentFileJSON(TypedDict):
    """The head of a file of commitments (hashes of the registered lists), or of the lists that open them."""

    kind: Annotated[str, doc("`deckproof-commitments` or `deckproof-opened-lists`.")]
    version: Annotated[int, doc("2; files of version 1 have neither `kind` nor `version`.")]
    hash: Annotated[str, doc("`sha-256`.")]
    event: str
    game: str
    format: Annotated[str, doc("Empty if the event has none.")]


class AuditHeadJSON(TypedDict):
    """The length of an audit and the hash of its last entry, at a time."""

    entries: Annotated[int, doc("The number of entries in the audit.")]
    head: Annotated[str, doc("The hash of the last entry.")]
    at: Annotated[str, doc("The time of this answer.")]


class CommitmentJSON(TypedDict):
    """The published hashes of one registration: of its newest list and of its player's name.

    `registration` is an id, `revision` the number of the newest revision.
    """

    registration: str
    revision: int
    commitment: Annotated[
        str, doc("The SHA-256 of the salt, the event, the registration, the game, the format and the list.")
    ]
    player_commitment: Annotated[
        str, doc("The SHA-256 of the salt, the event, the registration and the player's name.")
    ]


class CommitmentsJSON(CommitmentFileJSON):
    """The file of commitments that is published before an event. No list can be read from it.

    `commitments` are those of all registrations with a list, also duplicates, sorted by id.
    """

    audit: AuditHeadJSON
    commitments: list[CommitmentJSON]


class OpenedListJSON(CommitmentJSON):
    """One registered list in plain text with the salt that proves its commitment."""

    salt: str
    player: str
    list: Annotated[str, doc("A line for each card: section, count, number and name, with tabs between.")]


class OpenedListsJSON(CommitmentFileJSON):
    """The file of registered lists that open their commitments, of those that the caller may see, sorted by id."""

    lists: list[OpenedListJSON]
