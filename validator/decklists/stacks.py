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
    """One field of a record, such as "count: 4".

    `role` is "number", "name", "count", or the key in lower case for another fact. `value` is the text behind the key.
    `row` is the line.
    """

    role: str
    value: str
    row: TextRow


def join_stacks(rows: Sequence[TextRow], is_name: Callable[[str], bool]) -> Sequence[TextRow]:
    """Return the lines of a list, with the lines of each card joined into one: "4", "OP01-016", "Nami".

    If the first count is above the first number, all counts are above their cards, else all are below. All lines are
    returned unchanged unless there are at least two counts and each card number has exactly one. `is_name` returns True
    for the name of a card.
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
    """Return the lines of a list without their own line numbers: "1 4x OP01-016", "2 Nami x3".

    The numbers count up from 1 to at least 5, and may restart in each section. Otherwise the lines are returned
    unchanged. All numbers have marks, "1.", or none has. Behind "9.", the 10 of "10 DON!!" is a count, since it has no
    mark.
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
    return [row.cut(begun[at]) if at in begun else row for at, row in enumerate(rows)]


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
    """Return True if a text is only a count, such as "4", "x4", "Qty: 4" or "4 copies"."""
    return len(plain) <= _LONGEST and _COUNT.fullmatch(plain) is not None


def _find_counts(rows: Sequence[TextRow]) -> dict[int, str]:
    """Return the digits of each line that is only a count, by the line's index in `rows`."""
    short = [at for at, row in enumerate(rows) if len(row.plain) <= _LONGEST]
    return {at: found[1] for at in short if (found := _COUNT.fullmatch(rows[at].plain))}


def _find_stacks(rows: Sequence[TextRow], counts: Mapping[int, str], parts: Collection[int]) -> Sequence[Sequence[int]]:
    """Return the indexes in `rows` of the lines of each card, in order.

    Empty unless each count has one number of its own. `counts` are the digits of counts by index. `parts` are the
    indexes of lines that may be a number or a name of a card.
    """
    numbers = {at for at, row in enumerate(rows) if at not in counts and _has_number(row)}
    if len(numbers) != len(counts):
        return ()
    step = 1 if min(counts) < min(numbers) else -1
    stacks = [sorted([count, *_adjacent_rows(count, step, parts)]) for count in counts]
    return stacks if all(len(numbers.intersection(stack)) == 1 for stack in stacks) else ()


def _has_number(row: TextRow) -> bool:
    """Return True if a line has a card number, and no heading such as "Leader:" before it."""
    return NUMBER_SHAPE.search(row.plain) is not None and headlines.inline_heading(row.plain) is None


# A card with an id in brackets behind the name, as digital games export it: "4 FB01-005 Bulma (75)".
_WITH_ID = re.compile(rf"(?:([0-9]{{1,3}}) )?{SHAPE} [^ ].{{0,200}}?( ?\([0-9]{{1,6}}\))", re.IGNORECASE | re.ASCII)


def remove_card_ids(rows: Sequence[TextRow]) -> Sequence[TextRow]:
    """Return the lines without ids of cards behind their names: "4 FB01-005 Bulma (75)".

    Digits in brackets are ids if the first such card, the Leader, has no count and each further one has a count before
    it. Otherwise the lines are returned unchanged, and also if there is only one such card.
    """
    found = {at: match for at, row in enumerate(rows) if (match := _WITH_ID.fullmatch(row.plain))}
    counts = [match[1] for match in found.values()]
    if len(counts) < 2 or counts[0] or not all(counts[1:]):
        return rows
    return [row.cut(0, -len(found[at][2])) if at in found else row for at, row in enumerate(rows)]


def _adjacent_rows(count: int, step: int, parts: Collection[int]) -> Sequence[int]:
    """Return the indexes of at most two lines next to a count that may be the number and the name of its card.

    `count` is the index of the count. `step` is 1 for lines below it, -1 for lines above. `parts` are the indexes that
    may belong to a card. Nothing behind the first line that is not in `parts` is returned.
    """
    near = range(count + step, count + step * (_BESIDE + 1), step)
    return list(takewhile(parts.__contains__, near))


def _may_be_part(row: TextRow, is_name: Callable[[str], bool]) -> bool:
    """Return True if a line may be part of a card: it is no heading, comment or fact.

    The name of a card always may: "Side 7".
    """
    return (not headlines.has_no_card(row.plain) and headlines.inline_heading(row.plain) is None) or is_name(row.shown)


def _merge_stack(rows: Sequence[TextRow], stack: Sequence[int], counts: Mapping[int, str]) -> TextRow:
    """Return the lines of one card as one line: the count, then the other texts in order. Its line number is the first.

    `stack` are the indexes of the lines in `rows`, and `counts` the digits of counts by index.
    """
    count = next(counts[at] for at in stack if at in counts)
    card = [rows[at] for at in stack if at not in counts]
    shown, plain = (" ".join((count, *texts)) for texts in zip(*((row.shown, row.plain) for row in card), strict=True))
    return TextRow(rows[stack[0]].at, "\n".join(rows[at].raw for at in stack), shown, plain)


def _find_records(rows: Iterable[TextRow]) -> Iterator[dict[str, _Field]]:
    """Yield each record as its fields by role. A record ends before a repeated role and before a line without a field.

    A record begins with a number, a name or a count. The last one may be empty.
    """
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
    """Return the field of a line such as "count: 4" or "count = 4". None if the line has none.

    None also for an unknown key, for a blank value, and for a count that is no number.
    """
    may_be = len(row.shown) <= LONGEST_LINE and (":" in row.shown or "=" in row.shown)
    found = _FIELD.fullmatch(row.shown) if may_be else None
    role = _role_of_key(found[1]) if found else None
    value = found[2].strip(_AROUND) if found else ""
    if role is None or not value or (role == "count" and not value.isdecimal()):
        return None
    return _Field(role, value, row)


def _role_of_key(key: str) -> str | None:
    """Return the role of a key: "number", "name" or "count".

    For another fact, such as "Rarity", return it in lower case. None for unknown keys.
    """
    role = jsonkeys.key_role(key)
    if role is None and (key.casefold() in _FACTS or headings.is_fact(key)):
        return key.casefold()
    return role


def _merge_record(record: dict[str, _Field]) -> TextRow:
    """Return a record as one line: count, number and name. Other facts are left out. Its line number is the first."""
    texts = " ".join(record[role].value for role in ("count", "number", "name") if role in record)
    first, *_ = record.values()
    raw = "\n".join(field.row.raw for field in record.values())
    return TextRow(first.row.at, raw, texts, to_plain_characters(texts))
