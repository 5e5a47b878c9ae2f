"""Card numbers: their official spelling, from the spellings of players, shops and lists.

A number is a set's code and a card's number (`OP01-016`, `BT1-005`). Promotion cards have no set (`P-001`). A suffix
(`_p1`, `_PR02`, `_SPR_S`) names a printing of the same card.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from validator.games import GAMES, UNJUDGED, Series
from validator.texts import INVISIBLE, nfkc

# By id. For a code of two games in a width that neither prints, the first game is used.
_SERIES: Mapping[str, Mapping[str, Series]] = {id: GAMES[id].series for id in sorted(GAMES) if GAMES[id].series}


def _codes_by_form(series: Mapping[str, Series]) -> Mapping[Series, str]:
    """Return a regular expression for the series' codes of each form of numbers, by the form: "(?:OP|ST|EB)"."""
    forms = dict.fromkeys(series.values())
    return {form: f"(?:{'|'.join(code for code in series if series[code] == form)})" for form in forms}


def _official_pattern(series: Mapping[str, Series]) -> str:
    """Return a regular expression for all card numbers of these series in their official spelling, without a suffix."""
    sets = {0: "", 1: "[1-9][0-9]?", 2: "[0-9]{2}"}
    return "|".join(f"{codes}{sets[form.set]}-[0-9]{{{form.card}}}" for form, codes in _codes_by_form(series).items())


# The digits that a set may have, by how its series writes it; a padded one has both.
_WIDTHS = {0: (0,), 1: (1, 2), 2: (2,)}

# A base number of each game as the game itself prints it.
OFFICIAL: Mapping[str, re.Pattern[str]] = {game: re.compile(_official_pattern(_SERIES[game])) for game in _SERIES}

# The same, by title, of the games that are not judged.
_UNJUDGED: Mapping[str, re.Pattern[str]] = {
    title: re.compile(_official_pattern(series)) for title, series in UNJUDGED.items()
}

# The printing suffixes that are also met with nothing before them (OP01-016P1, OP01-016AA).
_ATTACHED_SUFFIX = "(?:[PR][0-9]{1,2}|S?PR[0-9]{0,2}|BD|SLR|GDR|AA|SP)?"

# The codes of all games by form; of one that two share, the last form.
_FORMS = _codes_by_form({code: form for series in _SERIES.values() for code, form in series.items()})
_WITH_SET = "|".join(codes for form, codes in _FORMS.items() if form.set)
_WITHOUT_SET = "|".join(codes for form, codes in _FORMS.items() if not form.set)
_TOGETHER = "|".join(
    f"{codes}[0-9]{{{min(_WIDTHS[form.set]) + form.card},{max(_WIDTHS[form.set]) + form.card}}}"
    for form, codes in _FORMS.items()
    if form.set
)

# A text in a list that is a card number by its shape, in upper or lower case, with dashes as `-`. The
# known series may lack their zeros or their dash; of others (`GD01-039`) only the usual shape counts,
# so that "Planet M-2" stays a name, and nobody is a card who is called "Player 002". A code without a set is no end of
# a word ("recipe-2026"), but may follow a count ("4xP-001").
SHAPE = (
    r"(?=[A-Z]{1,5}[- ]?[0-9])"  # as all of them begin, which is seen at once
    rf"(?:(?:{_WITH_SET})(?:[- ]?[0-9]{{1,3}}-[0-9]{{1,4}}|[0-9]{{1,2}} ?[- ] ?[0-9]{{2,3}})"
    r"|[A-Z]{1,5}[0-9]{1,3}-[0-9]{2,4}"
    rf"|(?<![A-WYZ])(?:{_WITHOUT_SET}|TK)-[0-9]{{2,4}}|(?<![A-Z0-9])(?:{_WITHOUT_SET}|TK) 0[0-9]{{2}}"
    rf"|{_TOGETHER})"
    rf"{_ATTACHED_SUFFIX}(?:[-_][A-Z0-9]{{1,12}}){{0,6}}"
)

NUMBER_SHAPE = re.compile(SHAPE, re.IGNORECASE | re.ASCII)

_PLAIN: Mapping[str, re.Pattern[str]] = {
    **OFFICIAL,
    "": re.compile("|".join(pattern.pattern for pattern in OFFICIAL.values())),
}

# What a folded number may look like: OP01-016, OP-01-016, P-001; then without any dash, OP01016.
_TAIL = rf"({_ATTACHED_SUFFIX}(?:[-_][A-Z0-9]+)*)[-_]*(?:#[A-Z0-9]*)?"
_DASHED = re.compile(rf"([A-Z]{{1,5}})(?:([0-9]{{1,3}})[-_]|-([0-9]{{1,3}})-(?=[0-9])|[-_])([0-9]{{1,4}}){_TAIL}")
_RUN = re.compile(rf"([A-Z]{{1,3}})([0-9]{{3,5}}){_TAIL}")
_GAP = re.compile(r"(?<=[0-9])\s+(?=[0-9])")
_ART = re.compile(r"[PR][0-9]{1,2}")

# Dashes that NFKC leaves alone, the full-width vowel mark that is typed for one, and what cannot be seen.
_SAME = {
    **dict.fromkeys(map(ord, "‐‑‒–—―−⁃ー"), "-"),
    **INVISIBLE,
}


def normal(number: str, game: str | None = None) -> tuple[str, str]:
    """Return the base number in the official spelling, and the suffix of the printing ("" if there is none).

    `normal("op01-016_P8")` is `("OP01-016", "_p8")`. Both together are the printing in its game's spelling. Two games
    share the code EB. `game` decides between them, or without it the width of the number. A number of an unknown code
    is only folded. A text that is no number is returned folded in upper case, without a suffix. The function never
    raises.
    """
    base, mark, suffix = number.partition("_")
    plain = _PLAIN.get(game or "")
    if plain is not None and plain.fullmatch(base):
        if not mark:
            return number, ""
        if suffix.isascii() and suffix.isalnum():
            return base, _spell_printing(suffix.upper())
    return _repair_number(number, game)


def games_of(number: str) -> tuple[str, ...]:
    """Return the titles of the games, judged or not, to which a number can belong. () for none.

    Numbers of games that are not judged are accepted only as printed.
    """
    judged = (GAMES[game].title for game, form in OFFICIAL.items() if form.fullmatch(normal(number, game)[0]))
    printed = _fold_number(number).strip().partition("_")[0]
    return (*judged, *(title for title, form in _UNJUDGED.items() if form.fullmatch(printed)))


def count_by_game(numbers: Iterable[str]) -> Counter[str]:
    """Return the number of these card numbers that can belong to each game, by title.

    One number may count for several games.
    """
    return Counter(title for number in numbers for title in games_of(number))


# Letters typed for digits, and a zero for the letter O: OP13-OO2, 0P01-0I6.
_MISTYPED = re.compile(r"([A-Z0]{1,3}?)([0-9OIL]{0,3})-([0-9OIL]{2,4})")
_AS_DIGITS = str.maketrans("OIL", "011")


def correct_number(number: str) -> str:
    """Return a number with mistyped characters replaced: "0P13-OO2" is "OP13-002".

    Letters typed for digits (O, I, L) become digits, zeros in the code become O, and the result is in upper case. Any
    text of another shape is returned unchanged.
    """
    found = _MISTYPED.fullmatch(_fold_number(number))
    if found is None:
        return number
    code, set_, card = found.groups()
    return f"{code.replace('0', 'O')}{set_.translate(_AS_DIGITS)}-{card.translate(_AS_DIGITS)}"


def _repair_number(number: str, game: str | None) -> tuple[str, str]:
    """Return `(base, suffix)` of a number in another spelling than the official one, as `normal` does.

    The suffix is "" if there is none. A text that is no number is returned in upper case with single blanks.
    """
    text = _fold_number(number)
    packed = "".join(_GAP.sub("-", text).split())
    base, suffix = None, ""
    if found := _DASHED.fullmatch(packed):
        code, before, apart, card, suffix = found.groups()
        base = _spell_number(code, before or apart or "", card, game)
    elif found := _RUN.fullmatch(packed):
        code, digits, suffix = found.groups()
        base = _divide_digits(code, digits, game)
    return (base, _spell_printing(suffix)) if base else (" ".join(text.split()), "")


def _fold_number(text: str) -> str:
    """Return a text in upper case and NFKC, with plain dashes and without invisible characters."""
    if text.isascii():
        return text.upper()
    text = nfkc(text).translate(_SAME).upper()
    # Capitals may compose with the next character. Folding the result again must not change it.
    return nfkc(text)


def _spell_printing(suffix: str) -> str:
    """Return the suffix of a printing as printed, with underscores. "" stays "".

    Parallel arts and reprints (`_p1`, `_r2`) are lower case, all other parts stay as they are in upper case.
    """
    parts = suffix.replace("-", "_").split("_")
    return "".join(f"_{part.lower() if _ART.fullmatch(part) else part}" for part in parts if part)


@lru_cache(maxsize=512)
def _find_form(code: str, width: int, game: str | None) -> Series | None:
    """Return the form of the numbers of a series' code. None if the game, or for None any game, has no such code.

    If games share the code, a form whose cards have `width` digits is preferred. The result is cached.
    """
    games = _SERIES.values() if game is None else (_SERIES.get(game, {}),)
    forms = [series[code] for series in games if code in series]
    return next((form for form in forms if form.card == width), forms[0] if forms else None)


def _spell_number(code: str, set_digits: str, card_digits: str, game: str | None) -> str | None:
    """Return the official spelling of a number from its code and digits.

    `set_digits` is "" for a number without a set. None if the code's series has sets and the number has none, or the
    other way round. None also for leading zeros in a card with too many digits. Digits are padded with zeros. A number
    with an unknown code is joined unchanged.
    """
    form = _find_form(code, len(card_digits), game)
    if form is None:
        return f"{code}{set_digits}-{card_digits}"
    if bool(form.set) is not bool(set_digits) or len(card_digits.lstrip("0")) < len(card_digits) > form.card > 2:
        return None  # "OP10-0112" has one digit too many, and any could be wrong
    padded = f"{int(set_digits):0{form.set}d}" if set_digits else ""
    return f"{code}{padded}-{int(card_digits):0{form.card}d}"


def _divide_digits(code: str, digits: str, game: str | None) -> str | None:
    """Return the official spelling of a number without a dash: BT1007 is "BT1-007".

    The card has the last 3 or 2 digits, as its series prints them. None if the other digits are no set of that series,
    so OP1016 is None.
    """
    for width in (3, 2):
        form = _find_form(code, width, game)
        if form is None or form.card != width:
            continue
        set_, card = digits[:-width], digits[-width:]
        # OP1016 might be OP1-016 or OP10-16.
        if len(set_) in _WIDTHS[form.set]:
            return _spell_number(code, set_, card, game)
    return None
