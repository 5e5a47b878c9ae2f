"""Remembered lines: what lines of batches were answered, for whoever asks the same again."""

from __future__ import annotations

from typing import NamedTuple
from weakref import ref

from api.service.judges import VerdictKind
from api.service.requests import Asked
from validator.judge import Judge
from validator.language import Language

_MOST_ONCE = 2048  # lines, of which a number is kept
_MOST = 1024  # lines, with their answers mostly some 3 MB, and 16 at most
_LARGEST = 16_384  # bytes of a line and its answer; a deck has under a third


class RememberedLine(NamedTuple):
    """What a line was answered in a language: it holds as long as the terms that it asks for have the same Judge."""

    asked: Asked
    judge: ref[Judge]
    say: Language
    answer: bytes
    outcome: VerdictKind


class RememberedLines(dict[bytes, RememberedLine]):
    """The lines that came twice of late; where many different ones come they are forgotten again.

    Of others only a number is kept: to keep every line would cost those that never come again a tenth of their time.
    """

    def __init__(self) -> None:
        super().__init__()
        self._once: set[int] = set()

    def cache_size(self) -> dict[str, tuple[int, int]]:
        """Return the entries and the limit of this cache, by its name."""
        return {"batch_lines": (len(self), _MOST)}

    def comes_again(self, line: bytes) -> bool:
        """Tell whether a line came before, and note that it did."""
        if hash(line) in self._once:
            return True
        if len(self._once) >= _MOST_ONCE:
            self._once.clear()
        self._once.add(hash(line))
        return False

    def keep(self, line: bytes, one: RememberedLine) -> None:
        """Remember what a line was answered, unless that is large."""
        if len(line) + len(one.answer) > _LARGEST:
            return
        if len(self) >= _MOST:
            self.clear()
        self[line] = one
