"""Proposals: limits that do not ship yet, written as lines or as a file, to calculate their impact.

The impact page of an event calls this module, and the Judges of requests with an organiser's list. The official list is
not changed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from validator.bounds import (
    LONGEST_NAME,
    MOST_GROUPED_CARDS,
    MOST_PROPOSAL_FAULTS,
    MOST_PROPOSED_CARDS,
    MOST_PROPOSED_DOTS,
)
from validator.documents import HEAD, Document, Table, check_kind, toml_reason
from validator.errors import DocumentError, error_text
from validator.language import Language, Phrase, phrase
from validator.limits import additions, list_parser
from validator.limits.lists import LimitsList

if TYPE_CHECKING:
    from validator.cards import Catalogue
    from validator.limits.cardsets import Sets

Names = Callable[[str], str | None]  # the name of a card by its number; None if there is no such card

_NO_SOURCE = "https://what-if.invalid/"  # a change needs a source, and a typed proposal has none
_NUMBER = re.compile(r"[A-Z]{1,4}[0-9]{0,2}-[0-9]{2,4}(?:_[A-Z0-9]{1,4})?", re.IGNORECASE)
_DIGITS = "0123456789"
_BANS = ("", "ban", "banned", "0")
_LIFTS = ("free", "lift", "unban", "unbanned", "unrestricted", "4")
_RESTRICTIONS = ("1", "2", "3")
_HINT = phrase("Write lines such as “OP01-001 banned”, “OP02-002 2”, “OP01-001 + OP02-002” or “OP03-003 free”")
_HEAD: Document = {
    "title": "limits list",
    "formats": ["standard"],
    "known_to": date.min,
    "notes": [],
    "regions": {"en": "English-language play"},
    "sections": {"ban": "Banned Cards", "restrict": "Restricted Cards", "ban_pairs": "Banned Pair Cards"},
    "change": [],
}


def parse_lines(text: str, day: date, region: str, names: Names) -> Table:
    """Return the table `[[change]]` of a limits file that lines such as "OP01-001 banned" describe.

    `day` is its first day, and `names` returns the name of a card by its number, or None. Blank lines and lines that
    begin with # are ignored. Raises DocumentError with the first wrong lines, or with a hint if there is no line. A
    line with the cards of an earlier line is wrong. `region` and `day` are not checked.
    """
    change: dict[str, Any] = {"effective_from": day, "region": region, "source": _NO_SOURCE}
    faults, seen = [], set[tuple[str, ...]]()
    for place, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                numbers = _add_line(line, change, names)
                if numbers in seen:
                    raise DocumentError(
                        phrase("{numbers} is there twice; keep one of the lines", numbers=" + ".join(numbers))
                    )
                seen.add(numbers)
            except DocumentError as error:
                faults.append(phrase("Line {line}: {problem}.", line=place, problem=error_text(error)))
    if faults:
        raise DocumentError(Phrase(_join_sentences, tuple(faults[:MOST_PROPOSAL_FAULTS])))
    if not seen:
        raise DocumentError(_HINT)
    return change


def _join_sentences(sentences: Iterable[str], translate: Language) -> str:
    """Return sentences in a language as one text, separated by blanks. The last one has no full stop."""
    return " ".join(map(translate.text, sentences)).rstrip(".。")


def _add_line(line: str, change: dict[str, Any], names: Names) -> tuple[str, ...]:
    """Add the limit in a line to the table `change`, and return the card numbers in the line, sorted.

    The line has one number, or two for a pair, in any case and with suffixes of printings. Its other words are such as
    "banned" or "free", or a limit of 1 to 3 for a single card. A pair without a word is banned. Raises DocumentError
    for another number of cards, an unknown card or any other word.
    """
    numbers = tuple(sorted(number.upper().partition("_")[0] for number in _NUMBER.findall(line)))
    words = " ".join(re.sub(r"[+:,=&]|\bmax\b", " ", _NUMBER.sub(" ", line), flags=re.IGNORECASE).lower().split())
    cards = {number: _find_name(number, names) for number in numbers}
    if len(numbers) not in (1, 2) or len(cards) != len(numbers):
        raise DocumentError(phrase("a line has one card number, or two different ones for a pair. {hint}", hint=_HINT))
    is_pair = len(numbers) == 2
    if words in _BANS and (is_pair or words):
        _add_cards(change, "ban", is_pair, cards)
    elif words in _LIFTS:
        _add_cards(change, "lift", is_pair, cards)
    elif words in _RESTRICTIONS and not is_pair:
        ((number, name),) = cards.items()
        change.setdefault("restrict", {})[number] = {"limit": int(words), "name": name}
    else:
        raise DocumentError(phrase("{words!r} is not known. {hint}", words=words[:40], hint=_HINT))
    return numbers


def _find_name(number: str, names: Names) -> str:
    """Return the name of a card number. Raises DocumentError if there is no such card."""
    name = names(number)
    if name is None:
        raise DocumentError(phrase("the card list has no {number}; check the number", number=number))
    return name


def _add_cards(change: dict[str, Any], word: str, is_pair: bool, cards: dict[str, str]) -> None:
    """Add cards, names by number, to the table of `change` under the key `word`, "ban" or "lift".

    A pair is appended as one entry to the list under "ban_pairs" or "lift_pairs".
    """
    if is_pair:
        change.setdefault(f"{word}_pairs", []).append(cards)
    else:
        change.setdefault(word, {}).update(cards)


def parse_file(text: str) -> Document:
    """Return the document of a limits file: a whole list, or only the changes to add.

    A byte order mark is ignored. Raises DocumentError if the text is no TOML, has no changes, too many cards, or too
    many dots in a line. The changes are not checked here.
    """
    for place, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MOST_PROPOSED_DOTS:
            raise DocumentError(
                phrase(
                    "line {line} of the file has more than {most} dots; write each card on its own line",
                    line=place,
                    most=MOST_PROPOSED_DOTS,
                )
            )
    try:
        document = tomllib.loads(text.removeprefix("\ufeff"))  # editors of Windows mark UTF-8 so
    except RecursionError:
        raise DocumentError(phrase("the file is nested too deeply")) from None
    except ValueError as error:
        raise DocumentError(phrase("the file is no TOML: {problem}", problem=toml_reason(str(error)))) from None
    changes = document.get("change")
    if not isinstance(changes, list) or not changes:
        raise DocumentError(phrase("the file has no changes; write each one under [[change]]"))
    check_size(changes)
    return document


def check_size(changes: Any) -> None:
    """Raise DocumentError if the changes of a file have too many cards. A value that is no list of tables is accepted.

    The limits are `MOST_PROPOSED_CARDS` and, for cards in groups, `MOST_GROUPED_CARDS`.
    """
    tables = [table for table in changes if isinstance(table, dict)] if isinstance(changes, list) else []
    words = [(word, value) for table in tables for word, value in table.items() if isinstance(value, (dict, list))]
    grouped = sum(len(cards) for word, value in words if word.endswith("_among") for cards in _subtables(value))
    if sum(len(value) for _, value in words) > MOST_PROPOSED_CARDS or grouped > MOST_GROUPED_CARDS:
        raise DocumentError(
            phrase(
                "the file has more than {most} cards, or {most_grouped} in groups; leave some out",
                most=MOST_PROPOSED_CARDS,
                most_grouped=MOST_GROUPED_CARDS,
            )
        )


def _subtables(value: Any) -> list[Any]:
    """Return the tables that are values of a table. Empty if `value` is no table."""
    return [part for part in value.values() if isinstance(part, dict)] if isinstance(value, dict) else []


class OwnList(NamedTuple):
    """An organiser's list on top of the official one.

    `name` is the title by which findings cite it. `listed` has the entries of both lists, and `document` is their
    parsed TOML. `left_out` has the error messages about entries that do not fit, which `listed` does not have.
    """

    name: str
    listed: LimitsList
    document: Document
    left_out: tuple[str, ...] = ()


def own_list(game: str, official: Document | None, document: Document, is_stored: bool = False) -> OwnList:
    """Return the official list with the changes of an organiser's list, which is `document`.

    `official` is the parsed TOML of the official list, None if the game has none. `document` must have the list
    `change`, as `parse_file` returns it. Raises DocumentError if it is otherwise invalid. With `is_stored`, because the
    list was accepted earlier, changes that do not fit any more are left out instead.
    """
    own = dict(document)
    name = own.pop("document", "Own list of the organiser")
    own["change"] = [{"document": name, **table} if isinstance(table, dict) else table for table in own["change"]]
    for cited in [name, *(table["document"] for table in own["change"] if isinstance(table, dict))]:
        if type(cited) is not str or not cited.isprintable() or not 0 < len(cited.strip()) <= LONGEST_NAME:
            raise DocumentError(
                phrase("document should be a text of 1 to {most} characters on one line", most=LONGEST_NAME)
            )
    left_out: list[str] = []
    joined, listed = _join_lists(game, official, own, left_out if is_stored else None)
    return OwnList(name, listed, joined, tuple(left_out))


def proposed_list(game: str, official: Document | None, document: Document) -> LimitsList:
    """Return the list of a document: the whole list if it has a `title`, else the official one with its changes.

    `official` is the document of the official list, None if the game has none. Raises DocumentError if `document` is
    invalid.
    """
    return _join_lists(game, official, document)[1]


def proposed_on_own(game: str, own: OwnList, document: Document) -> LimitsList:
    """Return the list of an organiser with the changes of a document.

    Raises DocumentError for an error in these changes. Entries that do not fit the official list any more, listed in
    `own.left_out`, are left out again.
    """
    left_out: list[str] = []
    listed = _join_lists(game, own.document, document, left_out)[1]
    if errors := [error for error in left_out if error not in own.left_out]:
        raise DocumentError(errors[0])
    return listed


def replaces_official(document: Document) -> bool:
    """Return True if a document replaces the official list, because it has a `title`.

    Other documents only add changes.
    """
    return "title" in document


def _join_lists(
    game: str, official: Document | None, document: Document, left_out: list[str] | None = None
) -> tuple[Document, LimitsList]:
    """Return `(joined, listed)`: the official document with another one added, and the list parsed from it.

    Raises DocumentError if the document is invalid or of another game. With a list `left_out`, changes that do not fit
    are left out and their messages added to it. `official` is ignored if the document replaces the official list.
    """
    try:
        check_kind(document.get("game", game), HEAD, str, "game")
        if document.get("game", game) != game:
            raise DocumentError(
                phrase(
                    "the file is of the game {game!r}; write a list of {expected}",
                    game=document["game"][:40],
                    expected=game,
                )
            )
        base = None if replaces_official(document) else {**_HEAD, "game": game, **(official or {})}
        joined = additions.add_document(base, document, left_out)
        return joined, list_parser.parse(joined, left_out)
    except (AttributeError, KeyError, TypeError, ValueError) as error:  # an uploaded file may have any value anywhere
        raise DocumentError(
            phrase("a value in the file is of the wrong kind; compare it with a list that ships")
        ) from error


def check_sets(limits_list: LimitsList, sets: Sets, catalogue: Catalogue) -> None:
    """Raise DocumentError if a card pool of a list has a set that is in neither the catalogue nor the known sets.

    The message has the codes of similar sets, else all known codes. A card pool has the only sets that are allowed.
    """
    codes = [code for pool in limits_list.pools for code in pool.sets]
    if not codes:
        return
    numbers = (number for card in catalogue for number in (card.number, *card.printings))
    known = {number.partition("-")[0] for number in numbers} | set(sets.by_code)
    for code in codes:
        if code not in known:
            similar = [each for each in known if each.rstrip(_DIGITS) == code.rstrip(_DIGITS)]
            hint = ", ".join(sorted(similar or known))
            raise DocumentError(
                phrase("allowed_sets: no card number begins with {code}; write one of {codes}", code=code, codes=hint)
            )
