"""Card lines: one line of a list parsed as cards, with count, number and name in any common spelling.

Called by `listing`, and by the formats of `decklists.formats`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeGuard

from validator import sections
from validator.decklists import counts, naming
from validator.decklists.counts import Count
from validator.decklists.naming import SpelledCard, parse_name
from validator.decklists.source import Source, TextRow
from validator.decklists.source import row as line
from validator.language import phrase
from validator.numbers import SHAPE
from validator.texts import LONGEST_CELL, LONGEST_LINE, doubt, to_plain_characters

_FLAGS = re.IGNORECASE | re.ASCII

# A card without a name. A line may hold many of them: 4xNUM, 4 NUM, 4 x NUM, 4 (NUM).
_ITEM = re.compile(
    rf"([0-9]{{1,9}})( ?{counts.TIMES} ?| |(?<!0))([\[(]?)({SHAPE}){naming.ID}[\])]?(?: ?[,;|] ?| |$)", _FLAGS
)
# The same with the count last, without blanks within a card: NUMx4,NUMx4.
_COUNT_LAST = re.compile(rf"({SHAPE})[x*]([0-9]{{1,3}})(?: ?[,;|/+] ?| |$)", _FLAGS)
# Between two cards of a line is at least a blank with a count behind it, or a mark with a number behind it.
# If counts come last, it is a mark behind a count.
_BETWEEN = re.compile(
    r"(?: ?[,;|+] ?|(?<! [0-9])(?<! [0-9][0-9]) ?/ ?| (?:(?:and|&) )?)"
    r"(?=[\[(]?[0-9]{1,3}[\])]? ?[x*]? |[0-9]{1,3}[x*])"
    rf"|(?: ?[,;|/] ?| (?:and|&) )(?={SHAPE})"
    r"|(?:(?<=[ x*][0-9])|(?<=[ x*][0-9][0-9])|(?<=[0-9][\])])) ?[,;|/+] ?(?=[^\W\d_])"
    r"|(?:(?<=[x*][0-9])|(?<=[x*][0-9][0-9])) (?=[^\W\d_])",
    _FLAGS,
)
_MARKS_BETWEEN = frozenset(",;|/+")
_COMMENT = re.compile(r" (?://|#|--|<-) ")
# Separators of two columns of cards, and of several cards in one line.
_COLUMNS = re.compile(r"\t\s*|[ \u3000]{3,}|\s[|·•]\s")
_FEWEST_BARE_NUMBERS = 3  # numbers in a line that has no counts
_COST = re.compile(r"[\[(]([0-9]{1,2})[\])] ?")
_DIGITS = re.compile(r"[0-9]+")
_NO_COUNT = re.compile(r"[-+][0-9]|[0-9]+(?:[.,/]| / )[0-9]")
# Texts in the place of a count that are no count.
_NO_REAL_COUNT = rf"(?:x ?)?(?:{counts.UNCLEAR_COUNT}|[ivx]{{1,4}}|[ano])"
_UNCLEAR_COUNT = re.compile(
    rf"^(?:{_NO_REAL_COUNT}(?:[.:)]? |[.:)]|[\[(]){{1,2}}|\?{{1,3}}x?){SHAPE}"
    rf"|[\[( :=](?:x ?)?\?{{1,3}}[\])]?(?: |$)|{SHAPE}[\])]?(?:[ :=]{{1,2}}{_NO_REAL_COUNT}| #[0-9]{{1,2}})$",
    _FLAGS,
)
_DIGITS_BEHIND = re.compile(r"[-_][0-9]{1,2}$", re.ASCII)  # "OP01-016_4" may mean four copies, or the fourth printing
_LETTER = re.compile(r"[ano] ", re.IGNORECASE)
# A count that is kept with a pencil, or by as many signs: "|||", "☐☐☐☐ OP01-016", "OP01-016 ++".
_STROKES = re.compile(r"\|{3}|^\s*([^\w\s!-~。-〟‐-‧‼])\1|(?:([^\w\s!-~。-〟‐-‧‼])\2|\+\+)\s*$")
_CHANGE_ARROW = re.compile(r"[-=]>|→")
_DON = re.compile(
    r"(?:([0-9]+) ?x? )?don!{0,2}(?: ?cards?)?(?: ?[:x*-]? ?[\[(]?x?([0-9]+)[\])]?)?"
    r"(?: ?[\[(][a-z][a-z -]{1,30}[\])])?",
    _FLAGS,
)

DON = "DON!!"
_MARKS = "/#*!<- "  # of comments
_NO_COUNT_OR_NUMBER = phrase("no count or card number found")
_SEVERAL_NUMBERS = phrase("several card numbers (write one line for each card)")
UNCLEAR = phrase("the number of copies is not clear (write the count first)")
_NO_CARD = phrase("no card found")
_TWO_COUNTS = phrase("two counts")


class CountedCard(NamedTuple):
    """A card as a line spells it. Its count and its number are neither checked nor normalised.

    `digits` is its count as written, "1" if the line has no count. It may be "0" or very large. `number` and `name` are
    None if the line lacks them. `form` is the spelling of the line, such as "4xNUM", "4 NAME (NUM)" or "NUM x4". A "4"
    in `form` is the place of the count. DON!! cards have no number, and DON as name and form.
    """

    digits: str
    number: str | None
    name: str | None
    form: str

    @property
    def is_counted(self) -> bool:
        """True if the line has a written count for the card. False if one copy was assumed, and for all DON!! cards."""
        return "4" in self.form


def parse_cards(row: TextRow, source: Source, *, is_count_optional: bool = False) -> list[CountedCard] | str:
    """Return the cards of a line in its order, or as a str the reason in words why the line has none.

    The list is not empty. The source's catalogue decides if digits at either end of a name are a count or a number.
    With `is_count_optional`, a missing count means one copy, and any name with a letter is a card even if the catalogue
    does not have it. A line longer than LONGEST_LINE is read only if it consists of several cards.
    """
    if cards := parse_counted_numbers(row.plain) or _find_cards_with_last_counts(row.plain):
        return cards
    if wrong := doubt(row.plain, LONGEST_LINE):
        return (_find_several_cards(row, source) if len(row.plain) <= LONGEST_CELL else []) or phrase(
            "the line {wrong}", wrong=wrong
        )
    card = _find_card(row, source, is_count_optional)
    if not _is_identified(card, source) and (cards := _find_several_cards(row, source)):
        return cards
    if isinstance(card, str):
        card = _card_before_comment(row, source) or card
    return card if isinstance(card, str) else [card]


def is_without_card(row: TextRow, source: Source) -> bool:
    """Return True if a line has neither a count, a card number nor a known name, such as the title "Regional 2026".

    False for a line that begins with a section other than the main deck, such as "Leader: Nami".
    """
    first_word = row.plain.partition(" ")[0].rstrip(":=-")
    if sections.section(first_word) not in (None, "main"):
        return False
    return parse_cards(row, source) == _NO_COUNT_OR_NUMBER


def commented_cards(row: TextRow, source: Source) -> list[CountedCard]:
    """Return the cards in a line behind its comment mark, such as "// 4 OP01-016". A mark may also be missing.

    Empty unless each card has a written count. Each card also needs a number of the catalogue, a number spelled as some
    game spells them, or a name of the catalogue.
    """
    start = len(row.plain) - len(row.plain.lstrip(_MARKS))
    behind = row.cut(start)
    cards = parse_cards(behind, source) if behind.plain else ""
    if isinstance(cards, str):
        return []
    is_known_card = [card.is_counted and _is_known_or_official(card, source) for card in cards]
    return cards if all(is_known_card) else []


def _is_known_or_official(card: CountedCard, source: Source) -> bool:
    """Return True if the catalogue has the card's number, or if some game spells its card numbers like it.

    A card without a number needs a name of the catalogue.
    """
    if card.number:
        return source.has(card.number) or naming.is_official(card.number)
    return source.is_name(card.name or "")


def parse_counted_numbers(plain: str) -> list[CountedCard]:
    """Return the cards of a line that has only counts and card numbers: "4xOP01-016 3xOP01-017".

    Empty for any other line.
    """
    matches = []
    position = 0
    while item := _ITEM.match(plain, position):
        matches.append(item)
        position = item.end()
    return list(map(_card_of_match, matches)) if position == len(plain) else []


def _card_of_match(match: re.Match[str]) -> CountedCard:
    """Return the card of a match of `_ITEM`: a count, a separator, an optional bracket and a card number.

    The name is None.
    """
    count, between, bracket, number = match.groups()
    return CountedCard(count, number, None, f"4{counts.normalise_separator(between)}{'(NUM)' if bracket else 'NUM'}")


def _find_cards_with_last_counts(plain: str) -> list[CountedCard]:
    """Return the cards of a line of two or more numbers with a count behind each: "OP01-016x4,OP01-017x3".

    Empty for any other line, also for a line with only one such card.
    """
    cards = []
    position = 0
    while item := _COUNT_LAST.match(plain, position):
        number, count = item.groups()
        cards.append(CountedCard(count, number, None, "NUM x4"))
        position = item.end()
    return cards if position == len(plain) and len(cards) > 1 else []


def _find_several_cards(row: TextRow, source: Source) -> list[CountedCard]:
    """Return the cards of a line with several cards. Each needs a number or a name of the catalogue, and a count.

    Three or more card numbers need no counts. If marks such as commas suffice to separate the cards, and the catalogue
    has the names with digits, no blank separates cards. Empty for any other line, and for a line with an arrow ("->"),
    which tells of a change.
    """
    if _CHANGE_ARROW.search(row.plain):
        return []
    if cards := _find_cards_in_columns(row, source):
        return cards
    between = list(_BETWEEN.finditer(row.plain))
    marked = [match for match in between if match[0].strip() in _MARKS_BETWEEN]
    if len(marked) < len(between) and (cards := _find_card_in_each(_cut_cards(row, marked), source)):
        names = [card for card in cards if _DIGITS.search(card.name or "")]
        if all(source.is_of(card.number, card.name) or source.is_name(card.name or "") for card in names):
            return cards  # a blank before a count may be within a name
    return _find_card_in_each(_cut_cards(row, between), source) if between else []


def _find_cards_in_columns(row: TextRow, source: Source) -> list[CountedCard]:
    """Return the cards of a line in two or more columns, separated by tabs, three blanks or marks such as " | ".

    Empty if the line has no such columns, or if some column is no card.
    """
    parts = _COLUMNS.split(row.raw.strip())
    return _find_card_in_each((line(row.at, part) for part in parts), source) if len(parts) > 1 else []


def _find_card_in_each(parts: Iterable[TextRow], source: Source) -> list[CountedCard]:
    """Return one card for each part of a line.

    Empty if some part is too long, or has neither a card number nor a name of the catalogue. Empty also if some card
    has no count, unless there are at least three parts and all are card numbers only.
    """
    cards: list[CountedCard] = []
    for part in parts:
        card = "" if not part.plain or doubt(part.plain, LONGEST_LINE) else _find_card(part, source)
        if not _is_identified(card, source) or not (card.is_counted or card.form == "NUM"):
            return []
        cards.append(card)
    forms = {card.form for card in cards}
    return cards if "NUM" not in forms or (forms == {"NUM"} and len(cards) >= _FEWEST_BARE_NUMBERS) else []


def _card_before_comment(row: TextRow, source: Source) -> CountedCard | None:
    """Return the card before a comment mark within a line: "4 OP01-016 // Nami". None if there is no mark.

    None also if the text before the mark is not one card with a written count.
    """
    comment = _COMMENT.search(row.plain)
    card = _find_card(row.cut(0, comment.start()), source) if comment else None
    return card if isinstance(card, CountedCard) and card.is_counted else None


def _cut_cards(row: TextRow, separators: Iterable[re.Match[str]]) -> Iterator[TextRow]:
    """Yield the parts of a line between `separators`, which are matches of `_BETWEEN` from left to right.

    The whole line is the only part if there is no separator.
    """
    start = 0
    for match in separators:
        yield row.cut(start, match.start())
        start = match.end()
    yield row.cut(start)


def _is_identified(card: CountedCard | str, source: Source) -> TypeGuard[CountedCard]:
    """Return True for a card with any number, even unknown, or with a name of the catalogue.

    False for a reason (str).
    """
    return isinstance(card, CountedCard) and (bool(card.number) or source.is_name(card.name or ""))


def _find_card(row: TextRow, source: Source, is_count_optional: bool = False) -> CountedCard | str:
    """Return the only card of a line, or the reason why there is none.

    A line number is ignored if a count is behind it, even an unclear one: "2. OP01-016 x4" has four copies. In "4.
    OP01-016" the 4 is the count. `is_count_optional` is that of `parse_cards`.
    """
    # "2. OP01-016 x4" has a line number and four copies; "4. OP01-016" can only mean four.
    if start := counts.line_number_end(row.plain):
        inner = _find_unnumbered_card(row.cut(start), source)
        if inner in (UNCLEAR, _TWO_COUNTS) or (isinstance(inner, CountedCard) and inner.is_counted):
            return inner
    return _find_unnumbered_card(row, source, is_count_optional)


def _find_unnumbered_card(row: TextRow, source: Source, is_count_optional: bool = False) -> CountedCard | str:
    """Return the only card of a line that begins with no line number, or the reason why there is none.

    A line of DON!! cards with a count returns a card without a number whose name and form are DON. A count with a sign
    or a fraction, and an unclear count, are reasons. A number and name that the catalogue confirms are accepted at
    once. `is_count_optional` is that of `parse_cards`.
    """
    if (don := _DON.fullmatch(row.plain)) and (digits := don[1] or don[2]):
        return CountedCard(digits, None, DON, DON)
    if _NO_COUNT.match(row.plain):
        return "a count is a whole number with nothing before it"
    count = counts.likeliest_count(row.plain)
    if not count.digits and _has_unclear_count(row):
        return UNCLEAR
    card = parse_name(count.counted_text(row.shown), count.counted_text(row.plain), source)
    if not count.digits and (_has_digits_behind(card.number) or _has_loose_digits(card)):
        return UNCLEAR
    if card.number and source.is_of(card.number, card.name):
        return _to_counted_card(count, card)
    known = _find_known_name(count, row, source, numbered=source.has(card.number))
    return known or _check_unconfirmed_card(count, card, row, source, is_count_optional)


def _has_digits_behind(number: str | None) -> bool:
    """Return True if digits behind a number's last mark may be a count: "OP01-016_4". False for None.

    The number without the digits must be spelled like a card number of some game.
    """
    number = number or ""
    found = _DIGITS_BEHIND.search(number)
    return found is not None and naming.is_official(number[: found.start()])


def _has_loose_digits(card: SpelledCard) -> bool:
    """Return True if digits by brackets look like a number in a set, but no game has such a set: "Nami (foil) 4"."""
    return card.form == naming.SET_APART and card.number is None


def _has_unclear_count(row: TextRow) -> bool:
    """Return True if a line has an unclear count, such as "?", "some", "playset", "|||" or "☐☐☐"."""
    return bool(_UNCLEAR_COUNT.search(row.plain) or (len(row.raw) <= LONGEST_LINE and _STROKES.search(row.raw)))


def _find_known_name(likely: Count, row: TextRow, source: Source, *, numbered: bool) -> CountedCard | None:
    """Return the card whose name the catalogue has, under the first count that leaves such a name.

    "10x Kamehameha x2" is two copies of "10x Kamehameha". `likely` is the line's likeliest count, tried after no count
    at all. With `numbered`, a card number beside its own name is accepted as well. None if no count leaves a known
    name, and without a catalogue.
    """
    if source.catalogue is None:
        return None
    for count in counts.possible_counts(row.plain, likely):
        if source.is_name(name := " ".join(count.counted_text(row.shown).split())):
            return _to_counted_card(count, SpelledCard(None, name, "NAME"))
        if numbered:
            card = parse_name(count.counted_text(row.shown), count.counted_text(row.plain), source)
            if card.number and card.name and source.is_of(card.number, card.name):
                return _to_counted_card(count, card)
    return None


def _find_only_count_on_line(card: SpelledCard, row: TextRow, source: Source) -> CountedCard | None:
    """Return a card with the only count on its line, wherever that is: "Nami《OP01-016》×4".

    The name of the result is the catalogue's if the line holds it in full, else None. Return None if the card has no
    number, if the line has the number of another card, or if the count is unclear.
    """
    if card.number is None:
        return None
    name, rest = source.separate_name(card.number, row.plain)
    if naming.has_other_number(rest, card.number, source):
        return None
    digits = counts.only_count(rest, has_name=name is not None)
    return _to_counted_card(Count(digits, 0, 0, "x4"), card._replace(name=name)) if digits else None


def _check_unconfirmed_card(
    count: Count, card: SpelledCard, row: TextRow, source: Source, is_count_optional: bool
) -> CountedCard | str:
    """Return a card whose number and name the catalogue does not confirm, or the reason why its line is not clear.

    `count` is the likeliest count. If there is such a reason, or if the name has further digits, a card with the only
    count on the line has priority.
    """
    checked = (_check_numbered_card if card.number else _check_card_without_number)(
        count, card, source, is_count_optional
    )
    # If the line has other digits, a count may be a part of the name: "EX23-03 10x Kamehameha - 2".
    if isinstance(checked, str) or len(_DIGITS.findall(card.name or "")) > (not count.digits):
        return _find_only_count_on_line(card, row, source) or checked
    return checked


def _check_card_without_number(
    count: Count, card: SpelledCard, source: Source, is_count_optional: bool
) -> CountedCard | str:
    """Return a card that has only a name, or the reason why the line has no card.

    With a count, the name needs a letter. Without one, the catalogue must have the name, or `is_count_optional` is True
    and the name has a letter.
    """
    name = card.name or ""
    if count.digits:
        return _to_counted_card(count, card) if _has_letter(name) else _NO_CARD
    is_card = source.is_name(name) or (is_count_optional and _has_letter(name))
    return CountedCard("1", None, name, "NAME") if is_card else _NO_COUNT_OR_NUMBER


def _check_numbered_card(count: Count, card: SpelledCard, source: Source, is_count_optional: bool) -> CountedCard | str:
    """Return a card with a number if its line has one clear count, or the reason why the line is not clear.

    A missing count beside a number without a name means one copy. The reasons are numbers of several cards, two counts,
    and an unclear count.
    """
    if card.number is None or not card.name:
        return _to_counted_card(count, card)
    if naming.has_other_number(card.name, card.number, source):
        return _SEVERAL_NUMBERS
    if not count.digits:
        return _find_count_beside_name(card, source, is_count_optional)
    return _TWO_COUNTS if _has_second_count(count, card, source) else _to_counted_card(count, card)


def _has_second_count(count: Count, card: SpelledCard, source: Source) -> bool:
    """Return True if the name beside a card number has another count: "12 4 OP01-016 Nami", "4 OP01-016 Nami x3".

    The same count repeated is no second count. Digits before the card's own name in the catalogue are one. So are
    digits before the number with nothing else beside them.
    """
    name = _remove_cost(card, source)
    if {counts.count_behind(name) or count.digits, *counts.counts_before_numbers(name)} != {count.digits}:
        return True
    found = counts.count_before(name)
    if found is None or found.digits == count.digits:
        return False
    return not found.name or source.is_of(card.number, found.name)


def _remove_cost(card: SpelledCard, source: Source) -> str:
    """Return the card's name in plain characters, without its cost in brackets at the start: "4x (2) OP01-016".

    Other digits in brackets are kept, since only the cost in the catalogue is removed. "" if the card has no name.
    """
    name = to_plain_characters(card.name or "")
    cost = _COST.match(name)
    return name[cost.end() :] if cost and source.is_cost(card.number, cost[1]) else name


def _find_count_beside_name(card: SpelledCard, source: Source, is_count_optional: bool) -> CountedCard | str:
    """Return a card with the count at either end of its name: "Nami 4 OP01-016". Return the reason if it is unclear.

    One copy if the name has no count. Doubtful digits are part of the name if the catalogue confirms it, or if
    `is_count_optional`.
    """
    name = to_plain_characters(card.name or "")
    for found in counts.counts_beside(name):
        if found.plain or not found.name or source.is_of(card.number, found.name):
            return _to_counted_card(Count(found.digits, 0, 0, "x4"), card._replace(name=found.name))
    if _LETTER.match(name) and source.is_of(card.number, name[2:]):
        return UNCLEAR
    if is_count_optional or not counts.is_doubtful(name) or source.is_part(card.number, name):
        return _to_counted_card(counts.no_count(name), card)
    return UNCLEAR


def _to_counted_card(count: Count, card: SpelledCard) -> CountedCard:
    """Return a card with its count, "1" if the count has no digits. A name without a letter becomes None."""
    form = f"{card.form} x4" if count.form == "x4" else f"{count.form}{card.form}"
    return CountedCard(count.digits or "1", card.number, card.name if _has_letter(card.name or "") else None, form)


def _has_letter(text: str) -> bool:
    """Return True if a text has a letter."""
    return any(map(str.isalpha, text))
