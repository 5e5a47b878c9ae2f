"""The words of a sentence, a cursor that a grammar moves over them, and the matches of several phrases together."""

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
_WRITTEN = {word: number for number, word in enumerate(_NUMBERS)} | {"single": 1, "once": 1, "twice": 2}

Read = TypeVar("Read")
Runs = Mapping[str, tuple[tuple[str, ...], ...]]


class Token(NamedTuple):
    """A word (lower case), a number, a mark, or what stands in brackets of one kind (as printed)."""

    kind: str
    text: str
    start: int
    end: int


def runs(options: str | Iterable[str]) -> Runs:
    """Return runs of words by their first word, the longest first.

    "or more/greater|[an] energy cost" has four: a slash parts words of which one stands there, what is in
    brackets may be missing.
    """
    found: dict[str, set[tuple[str, ...]]] = {}
    for option in options.split("|") if isinstance(options, str) else options:
        for words in product(*map(_choices, option.split())):
            run = tuple(filter(None, words))
            found.setdefault(run[0], set()).add(run)
    return {first: tuple(sorted(ones, key=lambda run: (-len(run), run))) for first, ones in found.items()}


def _choices(word: str) -> list[str]:
    return [*word[1:-1].split("/"), ""] if word[0] == "[" else word.split("/")


def tokens(plain: str) -> Iterator[Token]:
    """Yield the tokens of a plain text."""
    for part in _TOKEN.finditer(plain):
        kind = part.lastgroup or "mark"
        yield Token(kind, _text(kind, part.group()), *part.span())


def _text(kind: str, text: str) -> str:
    if kind == "word":
        return text.lower().replace("z ", "z-").rstrip("!") if "k." not in text.lower() else "ko"
    if kind == "number":
        return text.replace(",", "")
    if kind == "mark":
        return text
    return text.strip("《》<>").strip() if kind in ("double", "angle") else text[1:-1].strip()


class Cursor:
    """A place in a sentence; what is not there is not taken, and the place stays."""

    def __init__(self, words: Sequence[Token], at: int = 0) -> None:
        self.words = words
        self.at = at

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.words)

    def peek(self) -> Token | None:
        """Return the token at the place."""
        return None if self.done else self.words[self.at]

    def take(self, *options: str) -> str | None:
        """Take one word or mark if it is one of these."""
        token = self.peek()
        if token is None or token.kind not in ("word", "mark") or token.text not in options:
            return None
        self.at += 1
        return token.text

    def bracket(self, *kinds: str) -> Token | None:
        """Take what stands in brackets of one of these kinds."""
        token = self.peek()
        if token is None or token.kind not in kinds or not token.text:
            return None
        self.at += 1
        return token

    def number(self) -> int | None:
        """Take a number, in figures (up to 9 of them) or in words."""
        token = self.peek()
        if token is None or token.kind not in ("number", "word") or len(token.text) > 9:
            return None
        number = int(token.text) if token.kind == "number" else _WRITTEN.get(token.text)
        self.at += number is not None
        return number

    def phrase(self, runs: Runs) -> str | None:
        """Take the longest of these runs of words that stands here."""
        first = self.peek()
        if first is None or first.kind not in ("word", "mark"):
            return None
        for run in runs.get(first.text, ()):
            ahead = self.words[self.at : self.at + len(run)]
            if len(run) == 1 or (len(ahead) == len(run) and all(map(_is, ahead, run))):
                self.at += len(run)
                return " ".join(run)
        return None

    def joint(self) -> str | None:
        """Take what joins the parts of a list: "and", "or", "and/or", "&", "/" or a comma, or both."""
        comma = self.take(",")
        joint = self.take("and", "or", "&", "/")
        if joint == "and" and self.take("/"):
            joint = self.take("or")
        return joint or comma

    def tried(self, reader: Callable[[Cursor], Read | None]) -> Read | None:
        """Read, or stay in place."""
        back = self.at
        read = reader(self)
        if read is None:
            self.at = back
        return read

    def more(self, reader: Callable[[Cursor], Read | None]) -> Iterator[tuple[str, Read]]:
        """Yield the further parts of a list, each with the joint before it."""
        while pair := self.tried(lambda at: at._joined(reader)):
            yield pair

    def series(self, reader: Callable[[Cursor], Read | None]) -> list[Read]:
        """Read the parts of a list, [] where none stands here."""
        first = self.tried(reader)
        return [] if first is None else [first, *(part for _, part in self.more(reader))]

    def _joined(self, reader: Callable[[Cursor], Read | None]) -> tuple[str, Read] | None:
        joint = self.joint()
        part = reader(self) if joint else None
        return None if joint is None or part is None else (joint, part)


def _is(token: Token, word: str) -> bool:
    return token.text == word and token.kind in ("word", "mark")


Match = dict[str, Any]


def both(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that all of these mean."""
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
        match["not"] = either(barred)
    return match


def either(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that any of these mean."""
    matches = list(parts)
    if len(matches) == 1:
        return matches[0]
    keys = {key for match in matches for key in match}
    if len(keys) == 1 and keys <= _LISTS:
        (key,) = keys
        return {key: list(dict.fromkeys(value for match in matches for value in match[key]))}
    return {"any": matches}


_LISTS = {"type", "color", "trait", "character", "name", "keyword", "trait_part", "character_part", "name_part"}


def negated(match: Match | None) -> Match | None:
    """Return the match of every other card; of none, none."""
    if not match:
        return None
    return match["not"] if set(match) == {"not"} else {"not": match}
