"""Batches: NDJSON of validate requests in, NDJSON of verdicts out, a line at a time, in the same order."""

from __future__ import annotations

import logging
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import orjson

from api.service.decoder import validation
from api.service.errors import Broken, Invalid, NotJson
from api.service.judges import Judges, judged
from api.service.problem_details import of_error, problem, unavailable
from api.service.requests import Asked, Validation
from api.service.serializers import written
from carddb.errors import CardDataError
from validator.judge import Judge, Verdict
from validator.language import ENGLISH, Language

LONGEST_LINE = 1_000_000  # bytes; a deck of the most lines with the longest names has under 500,000
_PIECE = 16_384  # bytes: the lines in one are answered together
_KEPT = 64
_log = logging.getLogger(__name__)

Read = Callable[[int], bytes]


class LineAnswer(NamedTuple):
    """What a line of a batch gets: a line of JSON, and the verdict in it (None where it is an error)."""

    line: bytes
    verdict: Verdict | None


class BlockAnswer(NamedTuple):
    """What a block of lines gets: its answers, and how many are legal (True), not (False), or errors (None)."""

    lines: bytes
    counts: Counter[bool | None]


class Batch:
    """One batch of decks; every deck of it is judged by the same catalogues on the same day.

    `without_cards` makes the problem of a card database that cannot be used; `say` says the verdicts' sentences.
    """

    def __init__(
        self,
        judges: Judges,
        without_cards: Callable[[CardDataError], dict[str, Any]] = unavailable,
        say: Language = ENGLISH,
    ) -> None:
        self._judges = judges
        self._without_cards = without_cards
        self._say = say
        self._today = judges.today()
        self._kept: dict[Asked, Judge] = {}

    def answers(self, read: Read) -> Iterator[LineAnswer]:
        """Yield an answer to each line of what `read(most)` gives piece by piece, skipping blank ones.

        Holds one piece at a time; a line over LONGEST_LINE is answered with an error and passed over.
        """
        return chain.from_iterable(self.together(read))

    def together(self, read: Read) -> Iterator[list[LineAnswer]]:
        """Yield the same, as many together as lines came in one piece: they are due before the next is waited for."""
        blocks = LineBlocks(read)
        try:
            for before, block in blocks:
                if answers := list(self._answers(before, block)):
                    yield answers
        except Broken as error:
            yield [_refusal(blocks.lines + 1, problem(error.status, str(error)))]

    def block(self, before: int, block: bytes) -> BlockAnswer:
        """Return the answers to a block of whole lines, so many lines after the first, in one piece."""
        lines, counts = [], Counter[bool | None]()
        for line, verdict in self._answers(before, block):
            lines.append(line)
            counts[verdict.legal if verdict else None] += 1
        return BlockAnswer(b"".join(lines), counts)

    def _answers(self, before: int, block: bytes) -> Iterator[LineAnswer]:
        for number, line in enumerate(block.split(b"\n"), before + 1):
            if not line or line.isspace():
                continue
            if len(line) > LONGEST_LINE:
                yield _refusal(number, problem(413, f"The line has more than {LONGEST_LINE} bytes."))
            else:
                yield self._answer(number, line)

    def _answer(self, number: int, line: bytes) -> LineAnswer:
        try:
            request = validation(line)
            verdict = self._verdict(request)
            return LineAnswer(written(verdict, request.explain, self._say, request.summary) + b"\n", verdict)
        except (Invalid, NotJson) as error:
            return _refusal(number, of_error(error))
        except CardDataError as error:
            return _refusal(number, self._without_cards(error))
        except Exception:
            # One line that the server cannot bear must not cost the others their verdicts.
            _log.exception("line %d of a batch could not be judged", number)
            return _refusal(number, problem(500, "The server could not judge this line."))

    def _verdict(self, request: Validation) -> Verdict:
        request = self._judges.settled(request)
        asked = request.asked if request.asked.on else request.asked._replace(on=self._today)
        judge = self._kept.get(asked)
        if judge is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            judge = self._kept[asked] = self._judges.judge(asked)
        return judged(request, judge)


class LineBlocks:
    """Whole lines of a body that comes in pieces, each block with the number of lines before it.

    `lines` is how many came whole. Of a line that is too long only the beginning is kept.
    """

    def __init__(self, read: Read, piece: int = _PIECE) -> None:
        self._read, self._piece = read, piece
        self.lines = 0

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        begun = bytearray()
        for piece in iter(lambda: self._read(self._piece), b""):
            whole = piece.rfind(b"\n") + 1
            if whole:
                yield self._block(bytes(begun) + piece[:whole])
                begun.clear()
            begun += piece[whole:]
            del begun[LONGEST_LINE + 1 :]
        if begun:
            yield self._block(bytes(begun))

    def _block(self, block: bytes) -> tuple[int, bytes]:
        before = self.lines
        self.lines += block.count(b"\n") or 1
        return before, block if before else block.removeprefix(BOM_UTF8)


def _refusal(number: int, document: dict[str, Any]) -> LineAnswer:
    return LineAnswer(orjson.dumps({"line": number, "error": document}, option=orjson.OPT_APPEND_NEWLINE), None)
