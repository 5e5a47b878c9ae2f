"""Batches: NDJSON of validate requests in, NDJSON of verdicts out, a line at a time, in the same order."""

from __future__ import annotations

import logging
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
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
_PIECE = 65_536  # bytes
_KEPT = 64
_log = logging.getLogger(__name__)

Read = Callable[[int], bytes]


class LineAnswer(NamedTuple):
    """What a line of a batch gets: a line of JSON, and the verdict in it (None where it is an error)."""

    line: bytes
    verdict: Verdict | None


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

        Holds one line at a time; a line over LONGEST_LINE is answered with an error and passed over.
        """
        lines = _Lines(read)
        try:
            for number, line in lines:
                if len(line) > LONGEST_LINE:
                    yield _refusal(number, problem(413, f"The line has more than {LONGEST_LINE} bytes."))
                else:
                    yield self._answer(number, line)
        except Broken as error:
            yield _refusal(lines.number + 1, problem(error.status, str(error)))

    def _answer(self, number: int, line: bytes) -> LineAnswer:
        try:
            request = validation(line)
            verdict = self._verdict(request)
            return LineAnswer(written(verdict, request.explain, self._say) + b"\n", verdict)
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


class _Lines:
    """The lines of a body that comes in pieces, each with its number from 1; blank ones cost next to nothing.

    `number` is that of the last line that came whole. Of a line that is too long only the beginning is kept.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self.number = 0

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        begun = bytearray()
        for piece in iter(lambda: self._read(_PIECE), b""):
            *ends, rest = piece.split(b"\n")
            for end in ends:
                yield from self._whole(begun + end if begun else end)
                begun.clear()
            begun += rest
            del begun[LONGEST_LINE + 1 :]
        if begun:
            yield from self._whole(begun)

    def _whole(self, line: bytes | bytearray) -> Iterator[tuple[int, bytes]]:
        self.number += 1
        if self.number == 1:
            line = line.removeprefix(BOM_UTF8)
        if line and not line.isspace():
            yield self.number, bytes(line)


def _refusal(number: int, document: dict[str, Any]) -> LineAnswer:
    return LineAnswer(orjson.dumps({"line": number, "error": document}, option=orjson.OPT_APPEND_NEWLINE), None)
