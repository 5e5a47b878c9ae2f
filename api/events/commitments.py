"""Commitments: hashes of the registered lists, published before an event. Opened lists prove that no list was changed.

Called by `list_desk`, which makes the two files, by `deckproof verify` and by the page `/events/verify`.
docs/reference/commitments.md describes both files.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from api.events.bounds import LARGEST_COMMITMENTS, MOST_ENTRANTS
from api.service.errors import Unusable
from validator.language import ENGLISH, Language, phrase

VERSION = 2
ALGORITHM = "sha-256"
COMMITMENTS, OPENED_LISTS = "deckproof-commitments", "deckproof-opened-lists"  # the kinds of files
_LIST_TAG, _PLAYER_TAG = "deckproof-commitment/2", "deckproof-player/2"
_HASH = re.compile("[0-9a-f]{64}")
# An event has few lists, which are easily guessed: a salt has at least 128 bits.
_SALT = re.compile(r"[0-9A-Za-z_-]{22,128}")


class EventTerms(NamedTuple):
    """The event of commitments, its game and its format.

    `format` is "" if the event has none. A file of version 1 has only `event`.
    """

    event: str
    game: str = ""
    format: str = ""


class Commitment(NamedTuple):
    """The published hashes of one registration: of its list and of its player's name, None in version 1."""

    list_hash: str
    player_hash: str | None = None


class OpenedList(NamedTuple):
    """A registered list with the salt that opens its commitment. `player` is None in version 1."""

    registration: str
    salt: str
    text: str
    player: str | None = None


class CommitmentFile(NamedTuple):
    """A file of either kind, its commitments and opened lists by registration.

    A file of version 1 is of the kind `OPENED_LISTS` if it opens a list.
    """

    kind: str
    version: int
    terms: EventTerms
    commitments: Mapping[str, Commitment]
    lists: Mapping[str, OpenedList]


def commit(terms: EventTerms, opened: OpenedList) -> Commitment:
    """Return the commitment to a list and its player's name."""
    lines = (opened.salt, terms.event, opened.registration, terms.game, terms.format, opened.text)
    player_hash = None if opened.player is None else _player_hash(terms, opened, opened.player)
    return Commitment(_sha256(_LIST_TAG, *lines), player_hash)


def _player_hash(terms: EventTerms, opened: OpenedList, player: str) -> str:
    """Return the commitment to a player's name: a hash with the list's salt."""
    return _sha256(_PLAYER_TAG, opened.salt, terms.event, opened.registration, player)


def commit_version_1(opened: OpenedList) -> Commitment:
    """Return the commitment of version 1, which binds only the list."""
    return Commitment(_sha256(opened.salt, opened.text))


def _sha256(*lines: str) -> str:
    """Return the SHA-256 of lines, with line feeds between them."""
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()


class Verification(NamedTuple):
    """The result of comparing opened lists with commitments: registrations by result."""

    event: str
    matching: tuple[str, ...]
    differing: tuple[str, ...]
    unopened: tuple[str, ...]
    unannounced: tuple[str, ...]
    renamed: tuple[str, ...]
    swapped: tuple[str, ...]
    changed_terms: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Return True if all opened lists are those committed to. Unopened lists and corrected names do no harm."""
        return not (self.differing or self.unannounced or self.swapped or self.changed_terms)

    @property
    def details(self) -> list[tuple[str, tuple[str, ...]]]:
        """The registrations of each result with its label, `matching` first."""
        return [
            (phrase("Same list as committed to"), self.matching),
            (phrase("Another list than committed to"), self.differing),
            (phrase("Never committed to"), self.unannounced),
            (phrase("Player's name swapped with another player's"), self.swapped),
            (phrase("Player's name changed, the list did not"), self.renamed),
            (phrase("Committed to, not opened"), self.unopened),
        ]

    def summarise(self, translate: Language = ENGLISH) -> str:
        """Return the result as a sentence for people, without a capital letter at its start."""
        opened = len(self.matching) + len(self.differing) + len(self.unannounced)
        if self.holds:
            return translate("each of the {opened:,} opened lists is the list that was committed to.", opened=opened)
        if self.changed_terms:
            return translate("the game or the format of the event changed after the lists were committed to.")
        if wrong := len(self.differing) + len(self.unannounced):
            return translate(
                "the lists of {wrong:,} of {opened:,} registrations are not those that were committed to.",
                wrong=wrong,
                opened=opened,
            )
        return translate(
            "the players' names of {swapped:,} of {opened:,} registrations were swapped.",
            swapped=len(self.swapped),
            opened=opened,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {"holds": self.holds, **self._asdict()}


def verify(opened: CommitmentFile, published: CommitmentFile | None = None) -> Verification:
    """Compare opened lists with the commitments that were published, or with those in the same file if it is None.

    Raises Unusable if the files are swapped, of the wrong kind, of different events or of versions that do not match.
    """
    before = published or opened
    _check_comparable(opened, before)
    found = [one for one in opened.lists.values() if one.registration in before.commitments]
    made = {
        one.registration: commit(opened.terms, one) if before.version == VERSION else commit_version_1(one)
        for one in found
    }
    wanted = before.commitments
    matching = [one for one in found if made[one.registration].list_hash == wanted[one.registration].list_hash]
    # A changed list has a new salt, with which the hash of the same name is another one.
    renamed = [one for one in matching if made[one.registration].player_hash != wanted[one.registration].player_hash]
    swapped = _find_taken_names(renamed, before)
    return Verification(
        event=opened.terms.event,
        matching=tuple(one.registration for one in matching),
        differing=tuple(id for id, one in made.items() if one.list_hash != wanted[id].list_hash),
        unopened=tuple(id for id in wanted if id not in opened.lists),
        unannounced=tuple(id for id in opened.lists if id not in wanted),
        renamed=tuple(one.registration for one in renamed if one.registration not in swapped),
        swapped=swapped,
        changed_terms=_changed_terms(opened, before),
    )


def _check_comparable(opened: CommitmentFile, before: CommitmentFile) -> None:
    """Raise Unusable, with advice, if two files cannot be compared: swapped, without lists, of different events."""
    if opened.kind == COMMITMENTS and before.kind == OPENED_LISTS:
        raise Unusable(phrase("they are swapped. Name the file with the opened lists first"))
    if not opened.lists:
        raise Unusable(phrase("no list is opened. Name the file with the opened lists"))
    if opened is not before and before.kind == OPENED_LISTS and before.version == VERSION:
        raise Unusable(phrase("both have opened lists. Name the commitments from before the event second"))
    if opened.terms.event != before.terms.event:
        raise Unusable(
            phrase(
                "the lists are of event {event}, the commitments of event {other}",
                event=opened.terms.event,
                other=before.terms.event,
            )
        )
    if opened.version < before.version:
        raise Unusable(phrase("the lists were opened by an older deckproof. Fetch the opened lists again"))


def _find_taken_names(renamed: Sequence[OpenedList], before: CommitmentFile) -> tuple[str, ...]:
    """Return the ids of renamed registrations whose former name now belongs to another registration."""
    names = {one.player for one in renamed}
    published = before.commitments
    return tuple(
        one.registration
        for one in renamed
        if any(
            _player_hash(before.terms, one, name) == published[one.registration].player_hash for name in names if name
        )
    )


def _changed_terms(opened: CommitmentFile, before: CommitmentFile) -> tuple[str, ...]:
    """Return the names of the terms ("game", "format") that differ. Files of version 1 have none."""
    if before.version < VERSION:
        return ()
    return tuple(name for name in ("game", "format") if getattr(opened.terms, name) != getattr(before.terms, name))


def read(data: bytes) -> CommitmentFile:
    """Parse a file of commitments or of opened lists, also of version 1. Raises Unusable for any other file."""
    content = _parse(data)
    if content.get("hash") != ALGORITHM:
        raise Unusable(phrase('it has no commitments: its "hash" is not {algorithm}', algorithm=ALGORITHM))
    kind = content.get("kind")
    if kind is None:
        return _read_version_1(content)
    if kind not in (COMMITMENTS, OPENED_LISTS):
        raise Unusable(
            phrase('its "kind" is neither {commitments} nor {lists}', commitments=COMMITMENTS, lists=OPENED_LISTS)
        )
    if content.get("version") != VERSION:
        raise Unusable(phrase('its "version" is not {version}. Use the deckproof that wrote it', version=VERSION))
    terms = EventTerms(*(_printable(content.get(name), name) for name in EventTerms._fields))
    rows = _rows(content, "commitments" if kind == COMMITMENTS else "lists")
    lists = {id: _opened_list(id, row, "player") for id, row in rows.items()} if kind == OPENED_LISTS else {}
    return CommitmentFile(kind, VERSION, terms, {id: _commitment(id, row) for id, row in rows.items()}, lists)


def _read_version_1(content: Mapping[str, Any]) -> CommitmentFile:
    """Parse the only kind of file that version 1 had: commitments, each with its opened list or null."""
    terms = EventTerms(_printable(content.get("event"), "event"))
    rows = _rows(content, "commitments")
    commitments = {id: Commitment(_text(id, row, "commitment", _is_hash)) for id, row in rows.items()}
    opened = {id: row["opened"] for id, row in rows.items() if row.get("opened") is not None}
    lists = {id: _opened_list(id, row) for id, row in opened.items()}
    return CommitmentFile(OPENED_LISTS if lists else COMMITMENTS, 1, terms, commitments, lists)


def _parse(data: bytes) -> Mapping[str, Any]:
    """Return the JSON object of a file. Raises Unusable if the file is too large or not a JSON object."""
    if len(data) > LARGEST_COMMITMENTS:
        raise Unusable(
            phrase("it has more than the {most:,} bytes that commitments may have", most=LARGEST_COMMITMENTS)
        )
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        raise Unusable(phrase("it is not JSON")) from None
    if not isinstance(content, dict):
        raise Unusable(phrase("it is not a JSON object"))
    return content


def _rows(content: Mapping[str, Any], name: str) -> dict[str, Mapping[str, Any]]:
    """Return the rows of the list `name` in a file's content, by registration.

    Raises Unusable if there is no such list, if it is too long, or if a registration is missing or repeated.
    """
    listed = content.get(name)
    if not isinstance(listed, list) or len(listed) > MOST_ENTRANTS:
        raise Unusable(phrase('it has no list "{name}" of at most {most:,} entries', name=name, most=MOST_ENTRANTS))
    rows: dict[str, Mapping[str, Any]] = {}
    for number, row in enumerate(listed, 1):
        id = row.get("registration") if isinstance(row, dict) else None
        if not _is_printable(id):
            raise Unusable(phrase('its entry {number} has no "registration"', number=number))
        if id in rows:
            raise Unusable(phrase("it has the registration {id} twice", id=id))
        rows[id] = row
    return rows


def _commitment(id: str, row: Mapping[str, Any]) -> Commitment:
    """Return the commitment in the entry of a registration. Raises Unusable if a hash is invalid."""
    return Commitment(*(_text(id, row, name, _is_hash) for name in ("commitment", "player_commitment")))


def _opened_list(id: str, row: Any, *names: str) -> OpenedList:
    """Parse an opened list. `names` are the members besides the salt and the list."""
    if not isinstance(row, dict):
        raise Unusable(phrase('its entry of registration {id} has no "{name}"', id=id, name="list"))
    salt = _text(id, row, "salt", lambda text: _SALT.fullmatch(text) is not None)
    return OpenedList(id, salt, _text(id, row, "list"), *(_text(id, row, name) for name in names))


def _text(id: str, row: Mapping[str, Any], name: str, is_valid: Callable[[str], bool] = lambda _: True) -> str:
    """Return a text of an entry. Raises Unusable if it is missing or invalid."""
    text = row.get(name)
    if not isinstance(text, str) or not is_valid(text):
        raise Unusable(phrase('its entry of registration {id} has no valid "{name}"', id=id, name=name))
    return text


def _is_hash(text: str) -> bool:
    """Return True if a text is a SHA-256 in hex."""
    return _HASH.fullmatch(text) is not None


def _printable(text: Any, name: str) -> str:
    """Return the text of a field. Raises Unusable if it is missing or not printable."""
    if not _is_printable(text):
        raise Unusable(phrase('it has no valid "{name}"', name=name))
    return text


def _is_printable(text: Any) -> TypeGuard[str]:
    """Return True if this is a text that a terminal can show."""
    return isinstance(text, str) and text.isprintable()
