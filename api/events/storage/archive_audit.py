"""Compare the rows of an event archive with its audit.

Called by `event_archive` only. The audit has the moment, the author and a digest of each change. A digest with a salt
or a reason that was not saved cannot be made again: those values are only in the digest of the export.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from api.events.storage import event_audit
from api.events.storage.archive_rows import Row, Rows, event_of, row_error
from api.events.storage.event_audit import AuditEntry, digest, new_key_action
from api.events.storage.event_keys import ROLES
from api.events.storage.event_writer import key_content, revision_content
from validator.language import phrase

_EVENT_ACTIONS = (
    event_audit.EVENT_BEGUN,
    event_audit.EVENT_CHANGED,
    event_audit.SEED_CHANGED,
    event_audit.IMPORTED_UNVERIFIED,
)
_KEY_ACTIONS = frozenset(map(new_key_action, ROLES))


class _Audit(NamedTuple):
    """The entries of an audit in order, and the same grouped by (subject, action).

    A subject is an id, "" for the event.
    """

    entries: Sequence[AuditEntry]
    by_subject: dict[tuple[str, str], list[AuditEntry]]

    def find(self, subject: str, *actions: str) -> list[AuditEntry]:
        """Return the entries about a subject that have one of some actions, in the order of the audit.

        `subject` is the id of a registration, key or import, "" for the event.
        """
        found = (entry for action in actions for entry in self.by_subject.get((subject, action), ()))
        return sorted(found, key=lambda entry: entry.number)

    def is_removed(self, subject: str) -> bool:
        """Return True if the audit has a deletion of the registration with the id `subject`."""
        return (subject, event_audit.REMOVED) in self.by_subject


def check_audit(rows: Rows) -> list[AuditEntry]:
    """Compare the rows of an archive with its audit, and return the entries of the audit in order.

    `rows` are complete, as `check_rows` returns them. Raises Unusable, with the place, if the chain of hashes is broken
    or a row differs from its entries. Raised too if a row is missing that the audit has and that was not deleted.
    """
    event = rows["event"][0]
    entries = [AuditEntry(*(row[name] for name in AuditEntry._fields)) for row in rows["audit"]]
    broken = event_audit.find_broken_entry(event["id"], entries, event["audited"], event["audit_head"])
    if broken is not None:
        raise row_error("rows.audit", phrase("entry {entry} is not what was written", entry=broken))
    by_subject = defaultdict(list)
    for entry in entries:
        by_subject[entry.about, entry.action].append(entry)
    audit = _Audit(entries, dict(by_subject))
    _check_event(event, audit)
    _check_registrations(rows, audit)
    _check_revisions(rows["revisions"], audit)
    _check_deck_checks(rows["checks"], audit)
    if rows["expected"] and not audit.find("", event_audit.PLAYERS_EXPECTED):
        raise row_error("rows.expected", phrase("the audit has no list of expected players"))
    _check_imports(rows["imports"], audit)
    _check_keys(rows["keys"], audit)
    return entries


def _check_event(row: Row, audit: _Audit) -> None:
    """Raise Unusable if the event differs from its audit: creation, number of changes, last settings, or verification.

    Settings that were changed with a reason cannot be compared, because the digest contains the reason.
    """
    changes = audit.find("", *_EVENT_ACTIONS)
    if not changes or changes[0] != audit.entries[0] or changes[0].action != event_audit.EVENT_BEGUN:
        raise row_error("rows.audit", phrase("it does not begin with the event"))
    if row["created"] != changes[0].at or row["version"] != len(changes):
        raise row_error("rows.event[0]", phrase("the audit has another beginning or another number of changes"))
    # Digests are made in the order of the settings. An event of the version before has fewer.
    details = {name: value for name, value in event_of(row).details().items() if name in row["details"]}
    last = changes[-1]
    same = last.digest in (digest(details), digest([details, ""]))
    if not same and last.action != event_audit.EVENT_CHANGED:
        raise row_error("rows.event[0].details", phrase("the audit has a digest of other settings"))
    if details.get("verified", True) and audit.find("", event_audit.IMPORTED_UNVERIFIED):
        raise row_error("rows.event[0].details", phrase("the audit has an import that was not verified"))


def _check_registrations(rows: Rows, audit: _Audit) -> None:
    """Raise Unusable if a registration differs from the audit, or if one of the audit is missing and was not deleted.

    Compared are the creation, the number of revisions and changes. An own deadline, a top cut or a separate player
    needs an entry about settings. A registration that the audit has as deleted must be missing.
    """
    for place, row in enumerate(rows["registrations"]):
        revised = audit.find(row["id"], event_audit.REGISTERED, event_audit.REVISED)
        settled = audit.find(row["id"], event_audit.SETTLED)
        same = bool(revised) and row["created"] == revised[0].at and row["latest"] == len(revised)
        # A list and a seat that were changed together are two entries and one version.
        same = same and row["latest"] <= row["version"] <= len(revised) + len(settled)
        if not same or audit.is_removed(row["id"]):
            raise row_error(f"rows.registrations[{place}]", phrase("the audit has another beginning or other changes"))
        if not settled and (row["until"] is not None or row["cut"] or row["distinct_from"]):
            raise row_error(
                f"rows.registrations[{place}]", phrase("the audit has no own deadline, top cut or separate player")
            )
    registered = {entry.about for entry in audit.entries if entry.action == event_audit.REGISTERED}
    missing = registered - {row["id"] for row in rows["registrations"]}
    if any(not audit.is_removed(about) for about in missing):
        raise row_error("rows.registrations", phrase("a registration of the audit is missing"))


def _check_revisions(revisions: list[Row], audit: _Audit) -> None:
    """Raise Unusable for revisions that differ from their entries in order, moment, author, reason, list or player.

    Also raised if a revision of a registration that has any is missing.
    """
    by_registration = defaultdict(list)
    for place, row in enumerate(revisions):
        by_registration[row["registration_id"]].append((place, row))
    for about, places in by_registration.items():
        entries = audit.find(about, event_audit.REGISTERED, event_audit.REVISED)
        for number, (place, row) in enumerate(places, start=1):
            if number > len(entries) or not _matches_entry(row, number, entries[number - 1]):
                raise row_error(
                    f"rows.revisions[{place}]", phrase("it is not the revision that the audit has at this place")
                )
        if len(places) < len(entries):
            raise row_error("rows.revisions", phrase("a revision of registration {id} is missing", id=about))


def _matches_entry(row: Row, number: int, entry: AuditEntry) -> bool:
    """Return True if a revision has this number, and an audit entry's moment, author and digest of the content.

    Digests with and without the reason are accepted.
    """
    content = revision_content(row)
    # The version before had no reason in the digest.
    digests = (digest(content), digest(content[:-1]))
    return (row["number"], row["at"], row["by"]) == (number, entry.at, entry.by) and entry.digest in digests


def _check_deck_checks(checks: list[Row], audit: _Audit) -> None:
    """Raise Unusable if the audit has other deck checks, or another number of changes of a registration's checks.

    Checks of deleted registrations are left out of the comparison.
    """
    begun = Counter(
        (entry.about, entry.at)
        for entry in audit.entries
        if entry.action == event_audit.CHECK_BEGUN and not audit.is_removed(entry.about)
    )
    if begun != Counter((row["registration_id"], row["created"]) for row in checks):
        raise row_error("rows.checks", phrase("they are not the deck checks that the audit has"))
    changes: Counter[str] = Counter()
    for row in checks:
        changes[row["registration_id"]] += row["version"] - 1
    for about, count in changes.items():
        if count != len(audit.find(about, event_audit.CHECK_CHANGED)):
            raise row_error(
                "rows.checks", phrase("the audit has another number of changes for registration {id}", id=about)
            )


def _check_imports(imports: list[Row], audit: _Audit) -> None:
    """Raise Unusable for an import if the audit has not one entry with its moment and author, or has another undo."""
    for place, row in enumerate(imports):
        made = [entry for entry in audit.find(row["id"], event_audit.PLAYERS_IMPORTED) if entry.by == row["by"]]
        undone = [entry.at for entry in audit.find(row["id"], event_audit.IMPORT_UNDONE)]
        if [entry.at for entry in made] != [row["created"]] or undone != [row["undone"]] * bool(row["undone"]):
            raise row_error(f"rows.imports[{place}]", phrase("the audit has no such import, or another end of it"))


def _check_keys(keys: list[Row], audit: _Audit) -> None:
    """Raise Unusable if a key of the audit is missing, or a key differs in id, hash, role, moment or revocation.

    Keys of deleted registrations may be missing.
    """
    for place, row in enumerate(keys):
        about = row["registration_id"] or row["id"]
        # The version before noted keys by their ids only.
        digests = (digest(key_content(row)), digest(row["id"]))
        made = [entry for entry in audit.find(about, new_key_action(row["role"])) if entry.digest in digests]
        if not made or row["created"] != made[0].at:
            raise row_error(f"rows.keys[{place}]", phrase("the audit has no such key"))
        revoked = [entry.at for entry in audit.find(about, event_audit.KEY_REVOKED) if entry.number > made[0].number]
        if row["revoked"] != (revoked[0] if revoked else None):
            raise row_error(f"rows.keys[{place}]", phrase("the audit has another revocation of this key"))
    made_keys = Counter(
        entry.about for entry in audit.entries if entry.action in _KEY_ACTIONS and not audit.is_removed(entry.about)
    )
    if made_keys != Counter(row["registration_id"] or row["id"] for row in keys):
        raise row_error("rows.keys", phrase("a key of the audit is missing, or a key is there twice"))
