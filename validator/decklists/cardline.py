"""Card lines: one line of a list read as cards, in any of the ways people write a count, a number and a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeGuard

from validator.decklists import counts, naming
from validator.decklists.counts import Count
from validator.decklists.naming import SpelledCard, named
from validator.decklists.source import Source, TextRow, plain
from validator.decklists.source import row as line
from validator.language import phrase
from validator.numbers import SHAPE
from validator.texts import LONGEST_CELL, LONGEST_LINE, doubt

_FLAGS = re.IGNORECASE | re.ASCII

# A whole card with no name, of which a line may hold many: 4xNUM, 4 NUM, 4 x NUM, 4 (NUM).
_ITEM = re.compile(
    rf"([0-9]{{1,9}})( ?{counts.TIMES} ?| |(?<!0))([\[(]?)({SHAPE}){naming.ID}[\])]?(?: ?[,;|] ?| |$)", _FLAGS
)
# The same with the count last, without blanks within a card: NUMx4,NUMx4.
_COUNT_LAST = re.compile(rf"({SHAPE})[x*]([0-9]{{1,3}})(?: ?[,;|/+] ?| |$)", _FLAGS)
# Between the cards of one line stands a blank at least, and then a count or behind a mark a number; or a mark behind
# a count, where counts stand last.
_BETWEEN = re.compile(
    r"(?: ?[,;|+] ?|(?<! [0-9])(?<! [0-9][0-9]) ?/ ?| (?:(?:and|&) )?)"
    r"(?=[\[(]?[0-9]{1,3}[\])]? ?[x*]? |[0-9]{1,3}[x*])"
    rf"|(?: ?[,;|/] ?| (?:and|&) )(?={SHAPE})"
    r"|(?:(?<=[ x*][0-9])|(?<=[ x*][0-9][0-9])|(?<=[0-9][\])])) ?[,;|/+] ?(?=[^\W\d_])"
    r"|(?:(?<=[x*][0-9])|(?<=[x*][0-9][0-9])) (?=[^\W\d_])",
    _FLAGS,
)
_COMMENT = re.compile(r" (?://|#|--|<-) ")
# What parts the columns of a page that lists cards in two, and cards that stand in one line.
_COLUMNS = re.compile(r"\t\s*|[ \u3000]{3,}|\s[|·•]\s")
_A_COPY_EACH = 3  # numbers in a line that has no counts
_COST = re.compile(r"[\[(]([0-9]{1,2})[\])] ?")
_DIGITS = re.compile(r"[0-9]+")
_NO_COUNT = re.compile(r"[-+][0-9]|[0-9]+(?:[.,/]| / )[0-9]")
# What stands in a count's place and is none.
_NONE = rf"(?:x ?)?(?:{counts.UNTOLD}|[ivx]{{1,4}}|[ano])"
_ASKED = re.compile(
    rf"^(?:{_NONE}(?:[.:)]? |[.:)]|[\[(]){{1,2}}|\?{{1,3}}x?){SHAPE}"
    rf"|[\[( :=](?:x ?)?\?{{1,3}}[\])]?(?: |$)|{SHAPE}[\])]?(?:[ :=]{{1,2}}{_NONE}| #[0-9]{{1,2}})$",
    _FLAGS,
)
_DIGITS_BEHIND = re.compile(r"[-_][0-9]{1,2}$", re.ASCII)  # "OP01-016_4" may say four, or the fourth printing
_LETTER = re.compile(r"[ano] ", re.IGNORECASE)
# A count that is kept with a pencil, or by as many signs: "|||", "☐☐☐☐ OP01-016", "OP01-016 ++".
_STROKES = re.compile(r"\|{3}|^\s*([^\w\s!-~。-〟‐-‧‼])\1|(?:([^\w\s!-~。-〟‐-‧‼])\2|\+\+)\s*$")
_CHANGED = re.compile(r"[-=]>|→")
_DON = re.compile(
    r"(?:([0-9]+) ?x? )?don!{0,2}(?: ?cards?)?(?: ?[:x*-]? ?[\[(]?x?([0-9]+)[\])]?)?"
    r"(?: ?[\[(][a-z][a-z -]{1,30}[\])])?",
    _FLAGS,
)

DON = "DON!!"
_MARKS = "/#*!<- "  # of comments
_BARE = phrase("there is neither a count nor a card number")
_SEVERAL = phrase("there are several card numbers; write a line for each card")
UNCLEAR = phrase("it is not clear how many copies this is; write the count first")
_NOTHING = phrase("there is no card here")
_TWICE = phrase("there are two counts")


class CountedCard(NamedTuple):
    """A card as a line names it; `digits` are its count, and `form` the way it was written."""

    digits: str
    number: str | None
    name: str | None
    form: str

    @property
    def is_counted(self) -> bool:
        """Whether the line says how many."""
        return "4" in self.form


def read(row: TextRow, source: Source, *, bare: bool = False) -> list[CountedCard] | str:
    """Read the cards of a line; where there is none, return a sentence that says why.

    The source's catalogue tells whether digits at either end of a name are a count or a number. With
    `bare` one copy goes without saying, and a name alone is a card even if nobody knows it.
    """
    if cards := items(row.plain) or _counted_last(row.plain):
        return cards
    if wrong := doubt(row.plain, LONGEST_LINE):
        return (_parts(row, source) if len(row.plain) <= LONGEST_CELL else []) or phrase(
            "the line {wrong}", wrong=wrong
        )
    card = _card(row, source, bare)
    if not _is_told(card, source) and (cards := _parts(row, source)):
        return cards
    if isinstance(card, str):
        card = _before_comment(row, source) or card
    return card if isinstance(card, str) else [card]


def commented(row: TextRow, source: Source) -> list[CountedCard]:
    """Return the cards with counts behind a comment mark, known by number or name; none in a comment of words."""
    start = len(row.plain) - len(row.plain.lstrip(_MARKS))
    behind = row._replace(shown=row.shown[start:], plain=row.plain[start:])
    cards = read(behind, source) if behind.plain else ""
    if isinstance(cards, str):
        return []
    told = [card.is_counted and _is_card(card, source) for card in cards]
    return cards if all(told) else []


def _is_card(card: CountedCard, source: Source) -> bool:
    """Return True if a number is one of the catalogue or looks like one, or the catalogue has a card of the name."""
    if card.number:
        return source.has(card.number) or naming.is_official(card.number)
    return source.is_name(card.name or "")


def items(plain: str) -> list[CountedCard]:
    """Read a line of nothing but counts and numbers, one card or many; an empty list for any other."""
    found = []
    at = 0
    while item := _ITEM.match(plain, at):
        found.append(item)
        at = item.end()
    return list(map(_item, found)) if at == len(plain) else []


def _item(found: re.Match[str]) -> CountedCard:
    count, between, bracket, number = found.groups()
    return CountedCard(count, number, None, f"4{counts.spaced(between)}{'(NUM)' if bracket else 'NUM'}")


def _counted_last(plain: str) -> list[CountedCard]:
    """Read a line of several numbers, each with its count behind it; an empty list for any other."""
    cards = []
    at = 0
    while item := _COUNT_LAST.match(plain, at):
        number, count = item.groups()
        cards.append(CountedCard(count, number, None, "NUM x4"))
        at = item.end()
    return cards if at == len(plain) and len(cards) > 1 else []


def _parts(row: TextRow, source: Source) -> list[CountedCard]:
    """Read a line as several cards, each with its count and a number or a known name; otherwise as none."""
    if _CHANGED.search(row.plain):
        return []
    if cards := _in_columns(row, source):
        return cards
    spans = _spans(row.plain) if _BETWEEN.search(row.plain) else ()
    return _all_told((_cut(row, start, end) for start, end in spans), source)


def _in_columns(row: TextRow, source: Source) -> list[CountedCard]:
    """Read the cards of a line that stand in columns beside each other."""
    parts = _COLUMNS.split(row.raw.strip())
    return _all_told((line(row.at, part) for part in parts), source) if len(parts) > 1 else []


def _all_told(parts: Iterable[TextRow], source: Source) -> list[CountedCard]:
    """Return the cards of these parts of a line, none where not each has its count, or each is a number alone."""
    cards: list[CountedCard] = []
    for part in parts:
        card = "" if not part.plain or doubt(part.plain, LONGEST_LINE) else _card(part, source)
        if not _is_told(card, source) or not (card.is_counted or card.form == "NUM"):
            return []
        cards.append(card)
    forms = {card.form for card in cards}
    return cards if "NUM" not in forms or (forms == {"NUM"} and len(cards) >= _A_COPY_EACH) else []


def _before_comment(row: TextRow, source: Source) -> CountedCard | None:
    """Return the card that stands with its count before a comment, if one does."""
    comment = _COMMENT.search(row.plain)
    card = _card(_cut(row, 0, comment.start()), source) if comment else None
    return card if isinstance(card, CountedCard) and card.is_counted else None


def _cut(row: TextRow, start: int, end: int) -> TextRow:
    return row._replace(shown=row.shown[start:end], plain=row.plain[start:end])


def _spans(plain: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _BETWEEN.finditer(plain):
        yield start, found.start()
        start = found.end()
    yield start, len(plain)


def _is_told(card: CountedCard | str, source: Source) -> TypeGuard[CountedCard]:
    """Tell whether this is a card with a number, or with a name that the catalogue has."""
    return isinstance(card, CountedCard) and (bool(card.number) or source.is_name(card.name or ""))


def _card(row: TextRow, source: Source, bare: bool = False) -> CountedCard | str:
    # "2. OP01-016 x4" numbers its lines and says four; "4. OP01-016" can only mean four.
    if start := counts.numbered(row.plain):
        inner = _alone(_cut(row, start, len(row.plain)), source)
        if inner in (UNCLEAR, _TWICE) or (isinstance(inner, CountedCard) and inner.is_counted):
            return inner
    return _alone(row, source, bare)


def _alone(row: TextRow, source: Source, bare: bool = False) -> CountedCard | str:
    if (don := _DON.fullmatch(row.plain)) and (digits := don[1] or don[2]):
        return CountedCard(digits, None, DON, DON)
    if _NO_COUNT.match(row.plain):
        return "a count is a whole number with nothing before it"
    count = counts.likeliest(row.plain)
    if not count.digits and _is_asked(row):
        return UNCLEAR
    card = named(count.of(row.shown), count.of(row.plain), source)
    if not count.digits and (_is_number_and_more(card.number) or _has_loose_digits(card)):
        return UNCLEAR
    if card.number and source.is_of(card.number, card.name):
        return _counted(count, card)
    known = _known(count, row, source, numbered=source.has(card.number))
    return known or _unconfirmed(count, card, row, source, bare)


def _is_number_and_more(number: str | None) -> bool:
    """Tell whether digits are hung on a number that is whole without them."""
    number = number or ""
    found = _DIGITS_BEHIND.search(number)
    return found is not None and naming.is_official(number[: found.start()])


def _has_loose_digits(card: SpelledCard) -> bool:
    """Return True if digits stand where a set has its card number, and no set has such a card: "Nami (foil) 4"."""
    return card.form == naming.SET_APART and card.number is None


def _is_asked(row: TextRow) -> bool:
    """Tell whether something stands in a count's place that is none."""
    return bool(_ASKED.search(row.plain) or (len(row.raw) <= LONGEST_LINE and _STROKES.search(row.raw)))


def _known(likely: Count, row: TextRow, source: Source, *, numbered: bool) -> CountedCard | None:
    """Return the reading of a line that gives the catalogue's name: "10x Kamehameha x2" is two of that card."""
    if source.catalogue is None:
        return None
    for count in counts.readings(row.plain, likely):
        if source.is_name(name := " ".join(count.of(row.shown).split())):
            return _counted(count, SpelledCard(None, name, "NAME"))
        if numbered:
            card = named(count.of(row.shown), count.of(row.plain), source)
            if card.number and card.name and source.is_of(card.number, card.name):
                return _counted(count, card)
    return None


def _left(card: SpelledCard, row: TextRow, source: Source) -> CountedCard | None:
    """Return the card of a line that has one count beside a number and its full name: "Nami《OP01-016》×4"."""
    if card.number is None:
        return None
    name, rest = source.without(card.number, row.plain)
    if naming.another(rest, card.number, source):
        return None
    digits = counts.left(rest, named=name is not None)
    return _counted(Count(digits, 0, 0, "x4"), card._replace(name=name)) if digits else None


def _unconfirmed(count: Count, card: SpelledCard, row: TextRow, source: Source, bare: bool) -> CountedCard | str:
    """Return a card that the catalogue does not confirm, or what is not clear about it."""
    checked = (_checked if card.number else _by_name)(count, card, source, bare)
    # Where other digits stand about, a count may be a part of the name: "EX23-03 10x Kamehameha - 2".
    if isinstance(checked, str) or len(_DIGITS.findall(card.name or "")) > (not count.digits):
        return _left(card, row, source) or checked
    return checked


def _by_name(count: Count, card: SpelledCard, source: Source, bare: bool) -> CountedCard | str:
    name = card.name or ""
    if count.digits:
        return _counted(count, card) if _is_name(name) else _NOTHING
    is_card = source.is_name(name) or (bare and _is_name(name))
    return CountedCard("1", None, name, "NAME") if is_card else _BARE


def _checked(count: Count, card: SpelledCard, source: Source, bare: bool) -> CountedCard | str:
    if card.number is None or not card.name:
        return _counted(count, card)
    if naming.another(card.name, card.number, source):
        return _SEVERAL
    if not count.digits:
        return _beside(card, source, bare)
    return _TWICE if _is_twice(count, card, source) else _counted(count, card)


def _is_twice(count: Count, card: SpelledCard, source: Source) -> bool:
    """Tell whether a name has another count of its own: "12 4 OP01-016 Nami", "4 OP01-016 Nami x3"."""
    name = _uncosted(card, source)
    if {counts.second(name) or count.digits, *counts.again(name)} != {count.digits}:
        return True
    found = counts.ahead(name)
    if found is None or found.digits == count.digits:
        return False
    return not found.name or source.is_of(card.number, found.name)


def _uncosted(card: SpelledCard, source: Source) -> str:
    """Return what stands beside a number, without the card's cost in brackets: "4x (2) OP01-016"."""
    name = plain(card.name or "")
    cost = _COST.match(name)
    return name[cost.end() :] if cost and source.is_cost(card.number, cost[1]) else name


def _beside(card: SpelledCard, source: Source, bare: bool) -> CountedCard | str:
    """Return a card whose count stands beside its name: "Nami 4 OP01-016"."""
    name = plain(card.name or "")
    for found in counts.beside(name):
        if found.plain or not found.name or source.is_of(card.number, found.name):
            return _counted(Count(found.digits, 0, 0, "x4"), card._replace(name=found.name))
    if _LETTER.match(name) and source.is_of(card.number, name[2:]):
        return UNCLEAR
    if bare or not counts.is_doubtful(name) or source.is_part(card.number, name):
        return _counted(counts.whole(name), card)
    return UNCLEAR


def _counted(count: Count, card: SpelledCard) -> CountedCard:
    form = f"{card.form} x4" if count.form == "x4" else f"{count.form}{card.form}"
    return CountedCard(count.digits or "1", card.number, card.name if _is_name(card.name or "") else None, form)


def _is_name(text: str) -> bool:
    return any(map(str.isalpha, text))
