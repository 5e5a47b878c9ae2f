"""The words of a sentence, a cursor that the parsers move over them, and the combination of matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeVar

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
    """A word (lower case), a number, a mark, or the printed content of brackets of one kind."""

    kind: str
    text: str
    start: int
    end: int


def parse_runs(options: str | Iterable[str]) -> Runs:
    """Return phrases by their first word, the longest first.

    "or more/greater|[an] energy cost" are four phrases: "/" separates alternative words, "|" separates phrases, and
    words in brackets are optional.
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
    """Yield the words, numbers, brackets and marks of a normalised text."""
    for part in _TOKEN.finditer(plain):
        kind = part.lastgroup or "mark"
        yield Token(kind, _normalise_text(kind, part.group()), *part.span())


def _normalise_text(kind: str, text: str) -> str:
    """Return the text of a token in its normalised form."""
    if kind == "word":
        return text.lower().replace("z ", "z-").rstrip("!") if "k." not in text.lower() else "ko"
    if kind == "number":
        return text.replace(",", "")
    if kind == "mark":
        return text
    return text.strip("《》<>").strip() if kind in ("double", "angle") else text[1:-1].strip()


class Cursor:
    """A position in a sentence. A `take_…` or `read_…` method that fails returns None and does not move it."""

    def __init__(self, words: Sequence[Token], position: int = 0) -> None:
        """Store the tokens of a sentence, and the position of the next one."""
        self.words = words
        self.position = position

    @property
    def is_done(self) -> bool:
        """True if no token is left."""
        return self.position >= len(self.words)

    def peek(self) -> Token | None:
        """Return the token at the position, None at the end."""
        return None if self.is_done else self.words[self.position]

    def take(self, *options: str) -> str | None:
        """Take the next word or mark if it is one of the options, and return it. Else return None."""
        token = self.peek()
        if token is None or token.kind not in ("word", "mark") or token.text not in options:
            return None
        self.position += 1
        return token.text

    def take_bracket(self, *kinds: str) -> Token | None:
        """Take brackets of one of these kinds. Empty brackets are not taken."""
        token = self.peek()
        if token is None or token.kind not in kinds or not token.text:
            return None
        self.position += 1
        return token

    def take_number(self) -> int | None:
        """Take a number in digits (up to 9) or in words."""
        token = self.peek()
        if token is None or token.kind not in ("number", "word") or len(token.text) > 9:
            return None
        number = int(token.text) if token.kind == "number" else _NUMBER_WORDS.get(token.text)
        self.position += number is not None
        return number

    def take_phrase(self, phrases: Runs) -> str | None:
        """Take the longest of these phrases that begins at the position, and return it."""
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
        """Take the joint of a list: "and", "or", "and/or", "&", "/", a comma, or a comma and one of these."""
        comma = self.take(",")
        joint = self.take("and", "or", "&", "/")
        if joint == "and" and self.take("/"):
            joint = self.take("or")
        return joint or comma

    def try_read(self, reader: Callable[[Cursor], Read | None]) -> Read | None:
        """Return the result of a reader, and move the cursor back if it is None."""
        back = self.position
        read = reader(self)
        if read is None:
            self.position = back
        return read

    def read_more(self, reader: Callable[[Cursor], Read | None]) -> Iterator[tuple[str, Read]]:
        """Yield the further parts of a list, each with the joint before it."""
        while pair := self.try_read(lambda cursor: cursor._read_joined(reader)):
            yield pair

    def read_series(self, reader: Callable[[Cursor], Read | None]) -> list[Read]:
        """Return the parts of a list. Empty if there is none at the position."""
        first = self.try_read(reader)
        return [] if first is None else [first, *(part for _, part in self.read_more(reader))]

    def _read_joined(self, reader: Callable[[Cursor], Read | None]) -> tuple[str, Read] | None:
        """Return a joint of a list and the part after it. None if one of them is missing."""
        joint = self.take_joint()
        part = reader(self) if joint else None
        return None if joint is None or part is None else (joint, part)


def _is_word(token: Token, word: str) -> bool:
    """Return True if a token is a word or mark with this text."""
    return token.text == word and token.kind in ("word", "mark")


Match = dict[str, Any]


def combine_all(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that match all of these."""
    tests: dict[str, list[Any]] = {}
    for part in parts:
        for key, value in part.items():
            tests.setdefault(key, []).append(value)
    barred = tests.pop("not", [])
    repeated = [{key: value} for key, values in tests.items() if len(values) > 1 for value in values]
    match: Match = {key: values[0] for key, values in tests.items() if len(values) == 1}
    if repeated:
        match["all"] = [*match.get("all", []), *repeated]
    if barred:
        match["not"] = combine_any(barred)
    return match


def combine_any(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that match any of these."""
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
    """Return the match of all other cards. None without a match, or if it is empty."""
    if not match:
        return None
    return match["not"] if set(match) == {"not"} else {"not": match}
