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
    """The values of an event that are hashed into its commitments: the event's id, its game and its format.

    `format` is "" if the event has none. A file of version 1 has only `event`.
    """

    event: str
    game: str = ""
    format: str = ""


class Commitment(NamedTuple):
    """The published SHA-256 hashes of one registration, in hex: of its list, and of its player's name.

    `player_hash` is None in version 1.
    """

    list_hash: str
    player_hash: str | None = None


class OpenedList(NamedTuple):
    """A registered list in plain text with the salt that its commitment was made with.

    `registration` is an id. `text` has a line for each card: section, count, number and name, with tabs between.
    `player` is the player's name, None in version 1.
    """

    registration: str
    salt: str
    text: str
    player: str | None = None


class CommitmentFile(NamedTuple):
    """A parsed file of commitments or of opened lists. Both mappings are by the id of the registration.

    `kind` is COMMITMENTS, which has no `lists`, or OPENED_LISTS. A file of version 1 is OPENED_LISTS if it opens a
    list.
    """

    kind: str
    version: int
    terms: EventTerms
    commitments: Mapping[str, Commitment]
    lists: Mapping[str, OpenedList]


def commit(terms: EventTerms, opened: OpenedList) -> Commitment:
    """Return the commitment to a list and its player's name: hashes with the salt, the event and the registration.

    The hash of the list also covers game and format. `player_hash` is None if `opened` has no player.
    """
    lines = (opened.salt, terms.event, opened.registration, terms.game, terms.format, opened.text)
    player_hash = None if opened.player is None else _player_hash(terms, opened, opened.player)
    return Commitment(_sha256(_LIST_TAG, *lines), player_hash)


def _player_hash(terms: EventTerms, opened: OpenedList, player: str) -> str:
    """Return the hash of a player's name in hex. It also covers the list's salt, the event and the registration."""
    return _sha256(_PLAYER_TAG, opened.salt, terms.event, opened.registration, player)


def commit_version_1(opened: OpenedList) -> Commitment:
    """Return the commitment of version 1: the hash of the salt and the list only, with no hash of the player."""
    return Commitment(_sha256(opened.salt, opened.text))


def _sha256(*lines: str) -> str:
    """Return the SHA-256 of lines in hex, with line feeds between them.

    Characters that UTF-8 cannot encode become "?".
    """
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()


class Verification(NamedTuple):
    """The result of comparing opened lists with commitments: the ids of registrations by result.

    `event` is an id. `matching`: the list is the one committed to. `differing`: it is another list. `unopened`:
    committed to, but not opened. `unannounced`: opened, but never committed to.

    `renamed` and `swapped` match, but with another player's name. In `swapped` the former name now belongs to another
    of these registrations. `changed_terms` are not registrations, but those of "game" and "format" that differ.
    """

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
        """The results as pairs of an English label and the registrations of the result. `matching` is first.

        `changed_terms` is left out, because it has no registrations.
        """
        return [
            (phrase("Same list as committed to"), self.matching),
            (phrase("Another list than committed to"), self.differing),
            (phrase("Never committed to"), self.unannounced),
            (phrase("Player's name swapped with another player's"), self.swapped),
            (phrase("Player's name changed, the list did not"), self.renamed),
            (phrase("Committed to, not opened"), self.unopened),
        ]

    def summarise(self, translate: Language = ENGLISH) -> str:
        """Return the result as a sentence for people, which begins with a small letter.

        If there are several problems, only the first is named: changed terms, then wrong lists, then swapped names.
        """
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
        """Return the result as JSON for users: `holds` and all fields."""
        return {"holds": self.holds, **self._asdict()}


def verify(opened: CommitmentFile, published: CommitmentFile | None = None) -> Verification:
    """Compare opened lists with the commitments in the file `published`, None for those in the same file.

    Raises Unusable if no list is opened. Raises it too if the files are swapped, of the wrong kind or of different
    events. The lists must not be of an older version than the commitments.
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
    """Raise Unusable, with advice, if two files cannot be compared. Both may be the same file.

    `opened` must have opened lists, and `before` the commitments. They must be of one event, and `opened` must not be
    of an older version.
    """
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
    """Return the ids of renamed registrations whose committed name now is that of another renamed registration."""
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
    """Return those of "game" and "format" that differ between two files. Empty if `before` is of version 1."""
    if before.version < VERSION:
        return ()
    return tuple(name for name in ("game", "format") if getattr(opened.terms, name) != getattr(before.terms, name))


def read(data: bytes) -> CommitmentFile:
    """Parse a file of commitments or of opened lists, of version 1 or 2. Raises Unusable for any other file.

    The hashes and salts must have the right form. They are not compared with the lists.
    """
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
    """Parse a file of version 1. It has commitments, each with its opened list or null.

    Raises Unusable if it is invalid.
    """
    terms = EventTerms(_printable(content.get("event"), "event"))
    rows = _rows(content, "commitments")
    commitments = {id: Commitment(_text(id, row, "commitment", _is_hash)) for id, row in rows.items()}
    opened = {id: row["opened"] for id, row in rows.items() if row.get("opened") is not None}
    lists = {id: _opened_list(id, row) for id, row in opened.items()}
    return CommitmentFile(OPENED_LISTS if lists else COMMITMENTS, 1, terms, commitments, lists)


def _parse(data: bytes) -> Mapping[str, Any]:
    """Parse a file as a JSON object. Raises Unusable if it is not one, or has more than LARGEST_COMMITMENTS bytes."""
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
    """Return the objects in the list `name` of a file's content, by the registration that each has, in order.

    Raises Unusable if there is no such list or it has more than MOST_ENTRANTS entries. Raises it too if a registration
    is missing, unprintable or repeated.
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
    """Return the commitment in the entry of a registration.

    Raises Unusable if one of both hashes is missing or invalid.
    """
    return Commitment(*(_text(id, row, name, _is_hash) for name in ("commitment", "player_commitment")))


def _opened_list(id: str, row: Any, *names: str) -> OpenedList:
    """Parse the opened list of a registration. Raises Unusable if it is no object, or a text is missing or invalid.

    `names` are the fields to read besides the salt and the list: "player" in version 2.
    """
    if not isinstance(row, dict):
        raise Unusable(phrase('its entry of registration {id} has no "{name}"', id=id, name="list"))
    salt = _text(id, row, "salt", lambda text: _SALT.fullmatch(text) is not None)
    return OpenedList(id, salt, _text(id, row, "list"), *(_text(id, row, name) for name in names))


def _text(id: str, row: Mapping[str, Any], name: str, is_valid: Callable[[str], bool] = lambda _: True) -> str:
    """Return the text of the field `name` in an entry of registration `id`.

    Raises Unusable if it is missing or invalid.
    """
    text = row.get(name)
    if not isinstance(text, str) or not is_valid(text):
        raise Unusable(phrase('its entry of registration {id} has no valid "{name}"', id=id, name=name))
    return text


def _is_hash(text: str) -> bool:
    """Return True if a text is a SHA-256 as 64 small hex digits."""
    return _HASH.fullmatch(text) is not None


def _printable(text: Any, name: str) -> str:
    """Return a value that has to be a printable text. Raises Unusable if it is not.

    `name` is its field, for the message.
    """
    if not _is_printable(text):
        raise Unusable(phrase('it has no valid "{name}"', name=name))
    return text


def _is_printable(text: Any) -> TypeGuard[str]:
    """Return True if a value is a text that a terminal can show, as `str.isprintable` decides. "" is one."""
    return isinstance(text, str) and text.isprintable()
