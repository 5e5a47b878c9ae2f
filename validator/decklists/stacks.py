"""Stacks: cards with count, number and name on separate lines, as copied from web pages.

Also removes the line numbers of forms and copied tables, and ids of cards. Called by `listing`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from validator.decklists import headlines
from validator.decklists.formats import jsonkeys
from validator.decklists.source import TextRow
from validator.numbers import NUMBER_SHAPE, SHAPE
from validator.tables import headings
from validator.texts import LONGEST_LINE, to_plain_characters

_COUNT = re.compile(
    r"(?:(?:count|qty|quantity|copies|枚数) ?[:=] ?)?x? ?([0-9]{1,3}) ?x?(?: ?[枚張张장]| cop(?:ies|y))?",
    re.IGNORECASE,
)
_LONGEST = 14  # characters of a count with its marks
_LINE_NUMBER = re.compile(r"[\[(]?0{0,2}([1-9][0-9]{0,2})(?:[.):\]]{1,2} ?| (?:- )?)(?=[^ ])")
_FEWEST_NUMBERED = 5  # least length of line numbers: no deck has 1, 2, 3, 4, 5 copies in this order
_BESIDE = 2  # lines of a card besides its count: its number and its name
_FIELD = re.compile(r"[\"']?([^\W\d_][\w -]{0,30}?)[\"']? ?[:=] ?([^ ].*)")
_AROUND = "\"', {}"
_PARTS = frozenset(("number", "name", "count"))
# Other facts of a card between these.
_FACTS = frozenset(("color", "colour", "colors", "rarity", "set", "type", "category", "attribute", "traits", "effect"))


class _Field(NamedTuple):
    """One field of a record, such as "count: 4": its role, its value and its line."""

    role: str
    value: str
    row: TextRow


def join_stacks(rows: Sequence[TextRow], is_name: Callable[[str], bool]) -> Sequence[TextRow]:
    """Return the lines of a list, with the lines of each stacked card joined into one.

    The first of them shows if counts are above or below their cards. If some number has no count, the owner of each
    count is unknown, and all lines are returned unchanged.
    """
    counts = _find_counts(rows)
    if len(counts) < 2:
        return rows
    parts = {at for at, row in enumerate(rows) if at not in counts and _may_be_part(row, is_name)}
    if not (stacks := _find_stacks(rows, counts, parts)):
        return rows
    merged = {stack[0]: _merge_stack(rows, stack, counts) for stack in stacks}
    removed = {at for stack in stacks for at in stack[1:]}
    return [merged.get(at, row) for at, row in enumerate(rows) if at not in removed]


def remove_line_numbers(rows: Sequence[TextRow]) -> Sequence[TextRow]:
    """Return the lines of a list without their own line numbers: "1 4x OP01-016", "2 Nami x3", …

    The numbers begin with 1, and may restart in each section. Behind "8." and "9." the 10 of "10 DON!!" is a count,
    because either all line numbers have marks or none has. Lists without line numbers are returned unchanged.
    """
    begun: dict[int, int] = {}
    last = most = 0
    has_marks: bool | None = None
    for at, row in enumerate(rows):
        if found := _LINE_NUMBER.match(row.plain):
            is_marked = not found[0].strip().isdigit()
            has_marks = is_marked if has_marks is None else has_marks
            if is_marked != has_marks:
                continue
            here = int(found[1])
            if here not in (last + 1, 1) or (here == 1 and 0 < most < _FEWEST_NUMBERED):
                return rows
            last, most = here, max(most, here)
            begun[at] = found.end()
    if most < _FEWEST_NUMBERED:
        return rows
    return [_cut_row_start(row, begun[at]) if at in begun else row for at, row in enumerate(rows)]


def _cut_row_start(row: TextRow, start: int) -> TextRow:
    """Return a row without the characters before `start`."""
    return row._replace(shown=row.shown[start:], plain=row.plain[start:])


def join_records(rows: Sequence[TextRow]) -> Sequence[TextRow]:
    """Return the lines of a list, with the fields of each card joined into one line: "number: OP01-016", "count: 4".

    Such fields are in YAML, in TOML, and in JSON that is not well-formed or is within prose. A single record is a fact
    about the list, and leaves the lines unchanged.
    """
    if not any(":" in row.shown or "=" in row.shown for row in rows):
        return rows
    complete = list(filter(_is_complete, _find_records(rows)))
    if len(complete) < 2:
        return rows
    merged = {next(iter(record.values())).row: _merge_record(record) for record in complete}
    removed = {field.row for record in complete for field in record.values()}
    return [merged.get(row, row) for row in rows if row in merged or row not in removed]


def is_count(plain: str) -> bool:
    """Return True if a text is only a count."""
    return len(plain) <= _LONGEST and _COUNT.fullmatch(plain) is not None


def _find_counts(rows: Sequence[TextRow]) -> dict[int, str]:
    """Return the digits of each line that is only a count, by row index."""
    short = [at for at, row in enumerate(rows) if len(row.plain) <= _LONGEST]
    return {at: found[1] for at in short if (found := _COUNT.fullmatch(rows[at].plain))}


def _find_stacks(rows: Sequence[TextRow], counts: Mapping[int, str], parts: Collection[int]) -> Sequence[Sequence[int]]:
    """Return the row indexes of each card. Empty unless each count has one number of its own."""
    numbers = {at for at, row in enumerate(rows) if at not in counts and _has_number(row)}
    if len(numbers) != len(counts):
        return ()
    step = 1 if min(counts) < min(numbers) else -1
    stacks = [sorted([count, *_adjacent_rows(count, step, parts)]) for count in counts]
    return stacks if all(len(numbers.intersection(stack)) == 1 for stack in stacks) else ()


def _has_number(row: TextRow) -> bool:
    """Return True if a line has a card number, and no heading before it."""
    return NUMBER_SHAPE.search(row.plain) is not None and headlines.inline_heading(row.plain) is None


# A card with an id in brackets behind the name, as digital games export it: "4 FB01-005 Bulma (75)".
_WITH_ID = re.compile(rf"(?:([0-9]{{1,3}}) )?{SHAPE} [^ ].{{0,200}}?( ?\([0-9]{{1,6}}\))", re.IGNORECASE | re.ASCII)


def remove_card_ids(rows: Sequence[TextRow]) -> Sequence[TextRow]:
    """Return the rows without ids of cards behind their names.

    Digits in brackets are ids if the first card has no other count and each further one has a count before it.
    Otherwise the rows are returned unchanged.
    """
    found = {at: match for at, row in enumerate(rows) if (match := _WITH_ID.fullmatch(row.plain))}
    counts = [match[1] for match in found.values()]
    if len(counts) < 2 or counts[0] or not all(counts[1:]):
        return rows
    return [_cut_end(row, len(found[at][2])) if at in found else row for at, row in enumerate(rows)]


def _cut_end(row: TextRow, length: int) -> TextRow:
    """Return a row without its last characters."""
    return row._replace(shown=row.shown[:-length], plain=row.plain[:-length])


def _adjacent_rows(count: int, step: int, parts: Collection[int]) -> Sequence[int]:
    """Return the row indexes next to a count that may belong to the same card."""
    near = range(count + step, count + step * (_BESIDE + 1), step)
    return list(takewhile(parts.__contains__, near))


def _may_be_part(row: TextRow, is_name: Callable[[str], bool]) -> bool:
    """Return True if a line may be part of a card. A card name that is also a heading counts as a name: "Side 7"."""
    return (not headlines.has_no_card(row.plain) and headlines.inline_heading(row.plain) is None) or is_name(row.shown)


def _merge_stack(rows: Sequence[TextRow], stack: Sequence[int], counts: Mapping[int, str]) -> TextRow:
    """Return the lines of one card as one line, at the place of the first of them."""
    count = next(counts[at] for at in stack if at in counts)
    card = [rows[at] for at in stack if at not in counts]
    shown, plain = (" ".join((count, *texts)) for texts in zip(*((row.shown, row.plain) for row in card), strict=True))
    return TextRow(rows[stack[0]].at, "\n".join(rows[at].raw for at in stack), shown, plain)


def _find_records(rows: Iterable[TextRow]) -> Iterator[dict[str, _Field]]:
    """Yield the fields of each record. A record ends before a repeated role and before a line without a field."""
    record: dict[str, _Field] = {}
    for row in rows:
        field = _parse_field(row)
        if record and (field is None or field.role in record):
            yield record
            record = {}
        if field and (record or field.role in _PARTS):
            record[field.role] = field
    yield record


def _is_complete(record: Mapping[str, _Field]) -> bool:
    """Return True if a record has a count, and a number or a name."""
    return "count" in record and len(record.keys() & _PARTS) > 1


def _parse_field(row: TextRow) -> _Field | None:
    """Return the field of a line, None if the line has none."""
    may_be = len(row.shown) <= LONGEST_LINE and (":" in row.shown or "=" in row.shown)
    found = _FIELD.fullmatch(row.shown) if may_be else None
    role = _role_of_key(found[1]) if found else None
    value = found[2].strip(_AROUND) if found else ""
    if role is None or not value or (role == "count" and not value.isdecimal()):
        return None
    return _Field(role, value, row)


def _role_of_key(key: str) -> str | None:
    """Return the role of a key: "number", "name", "count", or the key itself for another fact. None for other keys."""
    role = jsonkeys.key_role(key)
    if role is None and (key.casefold() in _FACTS or headings.says_fact(headings.words(key))):
        return key.casefold()
    return role


def _merge_record(record: dict[str, _Field]) -> TextRow:
    """Return a record as one line, at the place of the first of its lines."""
    texts = " ".join(record[role].value for role in ("count", "number", "name") if role in record)
    first, *_ = record.values()
    raw = "\n".join(field.row.raw for field in record.values())
    return TextRow(first.row.at, raw, texts, to_plain_characters(texts))
