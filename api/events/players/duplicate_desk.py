"""The duplicate desk: what judges do about duplicates: compare two registrations, merge them or keep them apart."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, NamedTuple, TypedDict

from api.events import event_answers
from api.events.base_desk import EventAccess, PartDesk, limited_concurrency, reply, verdict_on
from api.events.bounds import MOST_DISTINCT, MOST_PAIRS, MOST_REVISIONS
from api.events.event_answers import etag
from api.events.player_json import MergedJSON, PairedRegistrationJSON, PairJSON, SeparatedJSON
from api.events.players.duplicates import Duplicates
from api.events.players.entrant import Entrant, EntrantSettings, RegistrationContent, compare_decks
from api.events.storage.event_reader import EventReader
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.service.errors import Invalid, LimitReached, NoAccess, Wrong
from validator.field_docs import doc
from validator.judge import Judge
from validator.language import phrase

OWN, OTHER = CHOICES = ("own", "other")  # whose list a merge keeps
_REASON = "duplicate registrations merged"


class DuplicatesJSON(TypedDict):
    """The pairs of registrations of an event that seem to be of the same player."""

    event: str
    count: Annotated[int, doc("How many pairs there are.")]
    pairs: Annotated[list[PairJSON], doc(f"The first {MOST_PAIRS}.")]


class MergeWish(NamedTuple):
    """A requested merge. `other` is the id of the registration to remove, `reason` is for the audit.

    `choice` is OWN or OTHER: the list of the registration that stays is kept, or that of the removed one.
    """

    other: str
    choice: str = OWN
    reason: str = ""


class DuplicateDesk(PartDesk):
    """Compares registrations that seem to be of the same player, merges them, or marks them as those of two players."""

    @limited_concurrency
    def list_duplicates(self, access: EventAccess) -> Reply:
        """Answer with the pairs of duplicates, the one that counts first, and the differences of their lists.

        `added` are the cards of which the list that does not count has more. The first MOST_PAIRS are returned, with
        the number of all. Raises NoAccess if the caller may not see all lists now. Raises Busy if too many requests
        wait.
        """
        self._check_sees_lists(access)
        judge = self._desk.judge(access.event)
        with self._desk.store.reading() as reader:
            duplicates = self._desk.duplicates(reader, access.event)
            checks = Counter(check.registration for check in reader.checks(access.event.id))
        pairs: list[PairJSON] = []
        for counted, other in duplicates.pairs[:MOST_PAIRS]:
            sides = counted, other.entrant
            changed = compare_decks(sides[0].revision.deck, sides[1].revision.deck, judge.catalogue)
            first, second = (_pair_side(access, one, judge, duplicates, checks[one.id]) for one in sides)
            pairs.append({"same": other.same, "counted": first, "left_out": second, **changed})
        shown: DuplicatesJSON = {"event": access.event.id, "count": len(duplicates.pairs), "pairs": pairs}
        return reply(200, shown)

    def merge(self, access: EventAccess, id: str, wish: MergeWish, request: RepeatableRequest | None) -> Reply:
        """Merge another registration of the same player into that with `id`, and delete the other.

        The links of both lead to it then. Blank fields are filled with those of the other registration, also the own
        deadline, the top cut, the table and the e-mail address. The name stays. The consents come with the chosen list.
        The merge is a revision, with the present time and the reason. So the list at the deadline stays known. A
        repeated `request` gets the stored answer.

        Raises NoAccess if the first registration is missing, Invalid if the other is missing or the same. Raises
        Invalid too if the other has a deck check, begun or drawn, which would be lost, or if the chosen list is missing
        but the other one exists. Raises LimitReached if there are MOST_REVISIONS revisions.
        """

        def merge(writer: EventWriter) -> Reply:
            """Merge the other registration into the kept one, delete the other, and answer with the new revision.

            Raises the errors of the outer `merge`.
            """
            kept, other = self._pair(writer, access, id, wish.other)
            _check_merge(writer, access, kept, other, wish.choice)
            reason = wish.reason or _REASON
            written = _merge_content(kept.revision.written, other.revision.written, wish.choice)
            writer.revise([(kept, written)], access.caller.signature, reason)
            kept = writer.entrant(access.event.id, id)
            writer.change_settings(kept, _merge_settings(kept, other), access.caller.signature, reason)
            kept = writer.entrant(access.event.id, id)
            writer.merge_entrant(other, kept, [wish.choice, reason], access.caller.signature)
            shown: MergedJSON = {
                "registration": id,
                "revision": kept.revision.number,
                "merged": other.id,
                "list": wish.choice,
            }
            return reply(200, shown, ETag=etag(kept.version))

        return self._desk.write_once(access, request, merge)

    def separate(
        self, access: EventAccess, id: str, other_id: str, reason: str, request: RepeatableRequest | None
    ) -> Reply:
        """Mark the registrations `id` and `other_id` as those of two players, so that both count.

        Only the first one stores this. `reason` is for the audit. A repeated `request` gets the stored answer. Raises
        NoAccess if the first one is missing, Invalid if the other is missing or the same. Raises LimitReached above
        MOST_DISTINCT separations of the first one.
        """

        def separate(writer: EventWriter) -> Reply:
            """Store with the first registration that the other one is of a different player. Answers with all such ids.

            Raises the errors of the outer `separate`.
            """
            entrant, other = self._pair(writer, access, id, other_id)
            ids = entrant.distinct_from | {other.id}
            if len(ids) > MOST_DISTINCT:
                raise LimitReached(
                    phrase("A registration is kept apart from at most {most} others.", most=MOST_DISTINCT)
                )
            values: EntrantSettings = {"distinct_from": " ".join(sorted(ids))}
            writer.change_settings(entrant, values, access.caller.signature, reason)
            version = writer.entrant(access.event.id, id).version
            shown: SeparatedJSON = {"registration": id, "distinct_from": sorted(ids)}
            return reply(200, shown, ETag=etag(version))

        return self._desk.write_once(access, request, separate)

    def _pair(self, reader: EventReader, access: EventAccess, id: str, other_id: str) -> tuple[Entrant, Entrant]:
        """Return the two registrations with these ids.

        Raises NoAccess if the first one is missing or the caller does not see its list. For the other one Invalid is
        raised in these cases, and if it is the same.
        """
        entrant = self._desk.find_registration(reader, access, id)
        try:
            other = self._desk.find_registration(reader, access, other_id)
        except NoAccess:
            raise Invalid([Wrong("/other", phrase("The event has no such registration."))]) from None
        if id == other_id:
            raise Invalid([Wrong("/other", phrase("This is the same registration. Choose another one."))])
        return entrant, other


def _pair_side(
    access: EventAccess, entrant: Entrant, judge: Judge, duplicates: Duplicates, checks: int
) -> PairedRegistrationJSON:
    """Return a registration of a pair as JSON, with its verdict. The caller must be allowed to see its list.

    `checks` is the number of its deck checks, begun or drawn. `duplicates` are those of the whole event.
    """
    created = access.event.local(entrant.created).isoformat()
    found = duplicates.find(entrant)
    summary = event_answers.listed_registration(access.event, entrant, verdict_on(entrant, judge), found)
    return {**summary, "created": created, "checks": checks}


def _check_merge(reader: EventReader, access: EventAccess, remaining: Entrant, other: Entrant, choice: str) -> None:
    """Raise Invalid or LimitReached if a registration cannot be merged into the remaining one.

    `other` is the one that would be removed: it must have no deck check, begun or drawn. `choice` is OWN or OTHER: the
    list to keep must exist if the other one does. The remaining one must have fewer than MOST_REVISIONS revisions.
    """
    if reader.checks(access.event.id, other.id):
        detail = phrase("The deck of this registration was checked. Merge the other registration into it.")
        if reader.checks(access.event.id, remaining.id):
            detail = phrase("The decks of both registrations were checked, so they cannot be merged.")
        raise Invalid([Wrong("/other", detail)])
    chosen, rest = (remaining, other) if choice == OWN else (other, remaining)
    if rest.has_list and not chosen.has_list:
        raise Invalid([Wrong("/list", phrase("This registration has no list. Choose the list of the other one."))])
    if remaining.revision.number >= MOST_REVISIONS:
        raise LimitReached(
            phrase("A registration has at most {most} revisions. Merge it into the other one.", most=MOST_REVISIONS)
        )


def _merge_content(remaining: RegistrationContent, removed: RegistrationContent, choice: str) -> RegistrationContent:
    """Return the content of a registration after a merge.

    Its blank player ID, team and notes are filled from the removed one. `choice` OWN keeps the remaining list, OTHER
    takes that of the removed one. The consents to show a list go with it.
    """
    filled = {name: getattr(remaining, name) or getattr(removed, name) for name in ("player_id", "team", "notes")}
    if choice == OWN:
        return remaining._replace(**filled)
    listed = {name: getattr(removed, name) for name in ("deck", "decklist", "publish", "stream")}
    return remaining._replace(**filled, **listed)


def _merge_settings(remaining: Entrant, other: Entrant) -> EntrantSettings:
    """Return the own deadline, top cut, table and e-mail address of a registration after a merge.

    The values of `remaining` are kept, and missing ones are filled from `other`. It is in the top cut if either is.
    """
    until = remaining.until or other.until
    where = remaining.where.fill_from(other.where)
    return {
        "until": until.isoformat() if until else None,
        "cut": remaining.cut or other.cut,
        "table": where.table,
        "email": where.email,
    }
