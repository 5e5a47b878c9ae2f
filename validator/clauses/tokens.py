"""The words of a sentence, a cursor that the parsers move over them, and the combination of matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeVar

from validator.cards import Match

_TOKEN = re.compile(
    r"""(?P<double>《[^《》]*》|<<[^<>]*>>) | (?P<angle><[^<>]*>) | (?P<curly>\{[^{}]*\})
    | (?P<square>\[[^\[\]]*\]) | (?P<quote>"[^"]*")
    | (?P<number>\d{1,3}(?:,\d{3})+(?!\d)|\d+)
    | (?P<word>don!{0,2}(?!['\w]) | z[- ](?=(?:deck|battle|extra|unison|leader|card|energy))[^\W\d_]+
        | k\.\s?o\.(?:'[^\W\d_]+)? | [^\W\d_]+(?:'[^\W\d_]+)*'?)
    | (?P<mark>\S)""",
    re.X | re.I,
)
_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_NUMBER_WORDS = {word: number for number, word in enumerate(_NUMBERS)} | {"single": 1, "once": 1, "twice": 2}

Read = TypeVar("Read")
Runs = Mapping[str, tuple[tuple[str, ...], ...]]


class Token(NamedTuple):
    """A word in lower case, a number in digits, a mark, or the content of brackets, with its capital letters.

    `kind` is "word", "number", "mark", or the kind of brackets: "double", "angle", "curly", "square", "quote". `start`
    and `end` are positions in the normalised text, brackets included.
    """

    kind: str
    text: str
    start: int
    end: int


def parse_runs(options: str | Iterable[str]) -> Runs:
    """Return phrases as tuples of words by their first word, for `Cursor.take_phrase`. The longest are first.

    In the options, "|" separates phrases, "/" separates alternative words, and words in brackets are optional: "or
    more/greater|[an] energy cost" are four phrases.
    """
    found: dict[str, set[tuple[str, ...]]] = {}
    for option in options.split("|") if isinstance(options, str) else options:
        for words in product(*map(_word_alternatives, option.split())):
            run = tuple(filter(None, words))
            found.setdefault(run[0], set()).add(run)
    return {first: tuple(sorted(phrases, key=lambda run: (-len(run), run))) for first, phrases in found.items()}


def _word_alternatives(word: str) -> list[str]:
    """Return the alternatives of a word in the notation of `parse_runs`. "" is an optional word left out."""
    return [*word[1:-1].split("/"), ""] if word[0] == "[" else word.split("/")


def tokens(plain: str) -> Iterator[Token]:
    """Yield the words, numbers, brackets and marks of a text in order. Blanks are skipped.

    `plain` has normalised glyphs, but may have capital letters.
    """
    for part in _TOKEN.finditer(plain):
        kind = part.lastgroup or "mark"
        yield Token(kind, _normalise_text(kind, part.group()), *part.span())


def _normalise_text(kind: str, text: str) -> str:
    """Return the text of a token of a kind: words in lower case, numbers without commas, brackets without their marks.

    "K.O." becomes "ko", "DON!!" becomes "don", and "Z Deck" becomes "z-deck".
    """
    if kind == "word":
        return text.lower().replace("z ", "z-").rstrip("!") if "k." not in text.lower() else "ko"
    if kind == "number":
        return text.replace(",", "")
    if kind == "mark":
        return text
    return text.strip("《》<>").strip() if kind in ("double", "angle") else text[1:-1].strip()


class Cursor:
    """A position in the tokens of a sentence. Methods `take…` and `read_…` move it after the tokens that they return.

    A method `take…` or `try_read` that returns None does not move the cursor, except `take_joint`.
    """

    def __init__(self, words: Sequence[Token], position: int = 0) -> None:
        """Store the tokens of a sentence, and the index of the next one."""
        self.words = words
        self.position = position

    @property
    def is_done(self) -> bool:
        """True if no token is left."""
        return self.position >= len(self.words)

    def peek(self) -> Token | None:
        """Return the token at the position without taking it. None at the end."""
        return None if self.is_done else self.words[self.position]

    def take(self, *options: str) -> str | None:
        """Take the next word or mark if it is one of the options in lower case, and return it. Else return None."""
        token = self.peek()
        if token is None or token.kind not in ("word", "mark") or token.text not in options:
            return None
        self.position += 1
        return token.text

    def take_bracket(self, *kinds: str) -> Token | None:
        """Take the next token if it is brackets of one of these kinds, and return it.

        None for other tokens and empty brackets.
        """
        token = self.peek()
        if token is None or token.kind not in kinds or not token.text:
            return None
        self.position += 1
        return token

    def take_number(self) -> int | None:
        """Take a number in digits or in words ("seven", "twice"), and return it. None for other tokens.

        Digits may have at most 9 places, words go up to twenty.
        """
        token = self.peek()
        if token is None or token.kind not in ("number", "word") or len(token.text) > 9:
            return None
        number = int(token.text) if token.kind == "number" else _NUMBER_WORDS.get(token.text)
        self.position += number is not None
        return number

    def take_phrase(self, phrases: Runs) -> str | None:
        """Take the longest of these phrases that begins at the position, and return it with blanks between the words.

        `phrases` are a result of `parse_runs`. None if no phrase begins here.
        """
        first = self.peek()
        if first is None or first.kind not in ("word", "mark"):
            return None
        for run in phrases.get(first.text, ()):
            ahead = self.words[self.position : self.position + len(run)]
            if len(run) == 1 or (len(ahead) == len(run) and all(map(_is_word, ahead, run))):
                self.position += len(run)
                return " ".join(run)
        return None

    def take_joint(self) -> str | None:
        """Take the joint of a list and return it: "and", "or", "&", "/" or ",". None if there is no joint.

        A comma before another joint is taken too. "and/or" is returned as "or". After "and/" without "or", the cursor
        has moved.
        """
        comma = self.take(",")
        joint = self.take("and", "or", "&", "/")
        if joint == "and" and self.take("/"):
            joint = self.take("or")
        return joint or comma

    def try_read(self, reader: Callable[[Cursor], Read | None]) -> Read | None:
        """Return the result of a reader, a function of this cursor.

        If it is None, the cursor is moved back to its old position.
        """
        back = self.position
        read = reader(self)
        if read is None:
            self.position = back
        return read

    def read_more(self, reader: Callable[[Cursor], Read | None]) -> Iterator[tuple[str, Read]]:
        """Yield `(joint, part)` for each further part of a list that `reader` can read.

        Stops before the first other words.
        """
        while pair := self.try_read(lambda cursor: cursor._read_joined(reader)):
            yield pair

    def read_series(self, reader: Callable[[Cursor], Read | None]) -> list[Read]:
        """Return the parts of a list that `reader` can read, without the joints.

        Empty if there is none at the position.
        """
        first = self.try_read(reader)
        return [] if first is None else [first, *(part for _, part in self.read_more(reader))]

    def _read_joined(self, reader: Callable[[Cursor], Read | None]) -> tuple[str, Read] | None:
        """Return `(joint, part)` of a list. None if one of them is missing: the cursor may have moved then."""
        joint = self.take_joint()
        part = reader(self) if joint else None
        return None if joint is None or part is None else (joint, part)


def _is_word(token: Token, word: str) -> bool:
    """Return True if a token is a word or mark with this text."""
    return token.text == word and token.kind in ("word", "mark")


def combine_all(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that match all parts. A match is a mapping of tests, such as {"color": ["Red"]}.

    Tests that are in several parts are listed under "all". Cards that a part excludes with "not" are excluded. Without
    parts the result is {}, which matches every card.
    """
    tests: dict[str, list[Any]] = {}
    for part in parts:
        for key, value in part.items():
            tests.setdefault(key, []).append(value)
    barred = tests.pop("not", [])
    repeated = [{key: value} for key, values in tests.items() if len(values) > 1 for value in values]
    match: dict[str, Any] = {key: values[0] for key, values in tests.items() if len(values) == 1}
    if repeated:
        match["all"] = [*match.get("all", []), *repeated]
    if barred:
        match["not"] = combine_any(barred)
    return match


def combine_any(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that match any of these. A single one is returned unchanged.

    If all have only the same test with a list of values, the values are joined without duplicates. Else the result is
    {"any": matches}.
    """
    matches = list(parts)
    if len(matches) == 1:
        return matches[0]
    keys = {key for match in matches for key in match}
    if len(keys) == 1 and keys <= _LISTS:
        (key,) = keys
        return {key: list(dict.fromkeys(value for match in matches for value in match[key]))}
    return {"any": matches}


_LISTS = {"type", "color", "trait", "character", "name", "keyword", "trait_part", "character_part", "name_part"}


def negate_match(match: Match | None) -> Match | None:
    """Return the match of all other cards: {"not": match}, or without its "not" if that is its only test.

    None for None or {}.
    """
    if not match:
        return None
    return match["not"] if set(match) == {"not"} else {"not": match}
