"""The words of a sentence, and a cursor that a grammar moves over them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import NamedTuple

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


Runs = Mapping[str, tuple[tuple[str, ...], ...]]


class Token(NamedTuple):
    """A word (lower case), a number, a mark, or what stands in brackets of one kind (as printed)."""

    kind: str
    text: str
    start: int
    end: int


def runs(options: str | Iterable[str]) -> Runs:
    """Return runs of words ("or more|or greater") by their first word, the longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for option in options.split("|") if isinstance(options, str) else options:
        run = tuple(option.split())
        found.setdefault(run[0], []).append(run)
    return {first: tuple(sorted(set(ones), key=lambda run: (-len(run), run))) for first, ones in found.items()}


def tokens(plain: str) -> Iterator[Token]:
    """Yield the tokens of a plain text."""
    for found in _TOKEN.finditer(plain):
        kind = found.lastgroup or "mark"
        yield Token(kind, _text(kind, found.group()), found.start(), found.end())


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

    def peek(self, ahead: int = 0) -> Token | None:
        """Return the token at the place, or some tokens on."""
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else None

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
        if token is None:
            return None
        if token.kind == "number" and len(token.text) < 10:
            self.at += 1
            return int(token.text)
        if token.kind == "word" and token.text in _WRITTEN:
            self.at += 1
            return _WRITTEN[token.text]
        return None

    def phrase(self, runs: Runs) -> str | None:
        """Take the longest of these runs of words that stands here."""
        first = self.peek()
        if first is None or first.kind not in ("word", "mark"):
            return None
        for run in runs.get(first.text, ()):
            ahead = self.words[self.at : self.at + len(run)]
            if len(ahead) == len(run) and all(_is(token, word) for token, word in zip(ahead, run, strict=True)):
                self.at += len(run)
                return " ".join(run)
        return None


def _is(token: Token, word: str) -> bool:
    return token.text == word and token.kind in ("word", "mark")
