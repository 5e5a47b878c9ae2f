"""Stacks: cards whose count, number and name stand in lines of their own under each other, as pages are copied.

And lines that number themselves, as those of forms and of copied tables do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from validator.decklists import headlines
from validator.decklists.formats import jsonkeys
from validator.decklists.source import TextRow, plain
from validator.numbers import NUMBER_SHAPE
from validator.tables import headings
from validator.texts import LONGEST_LINE

_COUNT = re.compile(
    r"(?:(?:count|qty|quantity|copies|枚数) ?[:=] ?)?x? ?([0-9]{1,3}) ?x?(?: ?[枚張张장]| cop(?:ies|y))?",
    re.IGNORECASE,
)
_LONGEST = 14  # characters of a count with its marks
_OF_A_LINE = re.compile(r"[\[(]?0{0,2}([1-9][0-9]{0,2})(?:[.):\]]{1,2} ?| (?:- )?)(?=[^ ])")
_NUMBERED = 5  # lines that count up so far have no counts before them: nobody plays 1, 2, 3, 4, 5 copies in this order
_BESIDE = 2  # lines of a card besides its count: its number, and its name on either side
_FIELD = re.compile(r"[\"']?([^\W\d_][\w -]{0,30}?)[\"']? ?[:=] ?([^ ].*)")
_AROUND = "\"', {}"
_PARTS = frozenset(("number", "name", "count"))
# What else is said of a card between these.
_FACTS = frozenset(("color", "colour", "colors", "rarity", "set", "type", "category", "attribute", "traits", "effect"))


class _Field(NamedTuple):
    role: str
    value: str
    row: TextRow


def joined(rows: Sequence[TextRow], is_name: Callable[[str], bool]) -> Sequence[TextRow]:
    """Return the lines of a list, those of each card that stand under each other as one.

    Whether a count stands over or under its card is told by what comes first. Where not every number has a
    count nobody knows which is whose, and all lines are left as they are.
    """
    counts = _counts(rows)
    if len(counts) < 2:
        return rows
    parts = {at for at, row in enumerate(rows) if at not in counts and _is_part(row, is_name)}
    if not (stacks := _stacks(rows, counts, parts)):
        return rows
    merged = {stack[0]: _merged(rows, stack, counts) for stack in stacks}
    gone = {at for stack in stacks for at in stack[1:]}
    return [merged.get(at, row) for at, row in enumerate(rows) if at not in gone]


def unnumbered(rows: Sequence[TextRow]) -> Sequence[TextRow]:
    """Return the lines of a list without their own numbers, if they have some: "1 4x OP01-016", "2 Nami x3", …

    They begin with 1, and may do so again where another section does. Behind "8." and "9." the 10 of "10 DON!!" is a
    count: the numbers of lines have marks, or none has one.
    """
    begun: dict[int, int] = {}
    last = most = 0
    has_marks: bool | None = None
    for at, row in enumerate(rows):
        if found := _OF_A_LINE.match(row.plain):
            is_marked = not found[0].strip().isdigit()
            has_marks = is_marked if has_marks is None else has_marks
            if is_marked != has_marks:
                continue
            here = int(found[1])
            if here not in (last + 1, 1) or (here == 1 and 0 < most < _NUMBERED):
                return rows
            last, most = here, max(most, here)
            begun[at] = found.end()
    if most < _NUMBERED:
        return rows
    return [_behind(row, begun[at]) if at in begun else row for at, row in enumerate(rows)]


def _behind(row: TextRow, start: int) -> TextRow:
    return row._replace(shown=row.shown[start:], plain=row.plain[start:])


def recorded(rows: Sequence[TextRow]) -> Sequence[TextRow]:
    """Return the lines of a list, as one those that say what a card has: "number: OP01-016" over "count: 4".

    So have YAML, TOML and JSON that is not well-formed or has prose around it; one alone speaks of the list.
    """
    if not any(":" in row.shown or "=" in row.shown for row in rows):
        return rows
    whole = list(filter(_is_whole, _records(rows)))
    if len(whole) < 2:
        return rows
    merged = {next(iter(record.values())).row: _recorded(record) for record in whole}
    gone = {field.row for record in whole for field in record.values()}
    return [merged.get(row, row) for row in rows if row in merged or row not in gone]


def is_count(plain: str) -> bool:
    """Tell whether a text is a count and nothing else."""
    return len(plain) <= _LONGEST and _COUNT.fullmatch(plain) is not None


def _counts(rows: Sequence[TextRow]) -> dict[int, str]:
    """Return the lines that are a count and nothing else, with its digits."""
    short = [at for at, row in enumerate(rows) if len(row.plain) <= _LONGEST]
    return {at: found[1] for at in short if (found := _COUNT.fullmatch(rows[at].plain))}


def _stacks(rows: Sequence[TextRow], counts: Mapping[int, str], parts: Collection[int]) -> Sequence[Sequence[int]]:
    """Return the lines of each card, none where not every count has one number of its own."""
    numbers = {at for at, row in enumerate(rows) if at not in counts and _has_number(row)}
    if len(numbers) != len(counts):
        return ()
    step = 1 if min(counts) < min(numbers) else -1
    stacks = [sorted([count, *_beside(count, step, parts)]) for count in counts]
    return stacks if all(len(numbers.intersection(stack)) == 1 for stack in stacks) else ()


def _has_number(row: TextRow) -> bool:
    """Tell whether a line has a card's number, and no heading before it that says where it belongs."""
    return NUMBER_SHAPE.search(row.plain) is not None and headlines.inline_heading(row.plain) is None


def _beside(count: int, step: int, parts: Collection[int]) -> Sequence[int]:
    """Return the lines next to a count that may be its card's."""
    near = range(count + step, count + step * (_BESIDE + 1), step)
    return list(takewhile(parts.__contains__, near))


def _is_part(row: TextRow, is_name: Callable[[str], bool]) -> bool:
    """Tell whether a line may be of a card; of two things that it may say the name is meant: "Side 7"."""
    return (not headlines.has_no_card(row.plain) and headlines.inline_heading(row.plain) is None) or is_name(row.shown)


def _merged(rows: Sequence[TextRow], stack: Sequence[int], counts: Mapping[int, str]) -> TextRow:
    """Return the lines of one card as one line, which stands where the first of them stood."""
    count = next(counts[at] for at in stack if at in counts)
    card = [rows[at] for at in stack if at not in counts]
    shown, plain = (" ".join((count, *texts)) for texts in zip(*((row.shown, row.plain) for row in card), strict=True))
    return TextRow(rows[stack[0]].at, "\n".join(rows[at].raw for at in stack), shown, plain)


def _records(rows: Iterable[TextRow]) -> Iterator[dict[str, _Field]]:
    """Yield the fields of each record; it ends where one comes again, or a line that is none."""
    record: dict[str, _Field] = {}
    for row in rows:
        field = _field(row)
        if record and (field is None or field.role in record):
            yield record
            record = {}
        if field and (record or field.role in _PARTS):
            record[field.role] = field
    yield record


def _is_whole(record: Mapping[str, _Field]) -> bool:
    return "count" in record and len(record.keys() & _PARTS) > 1


def _field(row: TextRow) -> _Field | None:
    may_be = len(row.shown) <= LONGEST_LINE and (":" in row.shown or "=" in row.shown)
    found = _FIELD.fullmatch(row.shown) if may_be else None
    role = _role(found[1]) if found else None
    value = found[2].strip(_AROUND) if found else ""
    if role is None or not value or (role == "count" and not value.isdecimal()):
        return None
    return _Field(role, value, row)


def _role(key: str) -> str | None:
    said = jsonkeys.role(key)
    if said is None and (key.casefold() in _FACTS or headings.says_fact(headings.words(key))):
        return key.casefold()
    return said


def _recorded(record: dict[str, _Field]) -> TextRow:
    """Return a record as one line, which stands where the first of its lines stood."""
    texts = " ".join(record[role].value for role in ("count", "number", "name") if role in record)
    first, *_ = record.values()
    return TextRow(first.row.at, "\n".join(field.row.raw for field in record.values()), texts, plain(texts))
