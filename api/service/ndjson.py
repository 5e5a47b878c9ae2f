"""Batches: read validate requests as NDJSON, and write a verdict as JSON for each line, in the same order."""

from __future__ import annotations

import logging
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import starmap
from typing import NamedTuple
from weakref import ref

import orjson

from api.service.answers.problem_details import (
    ProblemJSON,
    error_problem,
    problem,
    translate_problem,
    unavailable_problem,
)
from api.service.answers.verdict_answers import verdict_bytes
from api.service.bounds import LONGEST_LINE
from api.service.decoder import parse_validation
from api.service.errors import Invalid, NotJson
from api.service.judges import Judges, VerdictKind, judge_request
from api.service.requests import RequestedTerms
from carddb.errors import CardDataError
from validator.judge import Judge
from validator.language import ENGLISH, Language, phrase

_PIECE = 16_384  # bytes: the lines in one are answered together
_MOST_BATCH_JUDGES = 64
_MOST_SEEN_ONCE = 2048  # lines whose hash is remembered
_MOST_REMEMBERED = 1024  # lines, with their answers mostly some 3 MB, and 16 at most
_LARGEST_REMEMBERED = 16_384  # bytes of a line and its answer; those of a deck are under a third of this
_TOO_LONG = phrase("The line has more than {most:,} bytes.", most=LONGEST_LINE)
_log = logging.getLogger(__name__)

Read = Callable[[int], bytes]
Block = tuple[int, bytes]  # lines, and the number of lines before them


class BlockAnswer(NamedTuple):
    """The answer to a block of lines: a line of JSON for each, and the counts by VerdictKind (None: an error).

    `remembered`: the number of answers that come from the cache of other batches.
    """

    lines: bytes
    counts: Counter[VerdictKind | None]
    remembered: int = 0


class Batch:
    """A batch of decks. All decks are judged by the same catalogues and at the same moment.

    `without_cards` returns the problem of a card database that cannot be used. `translate` makes the texts of the
    verdicts. `remembered` is a cache of lines of other batches (None: no cache).
    """

    def __init__(
        self,
        judges: Judges,
        without_cards: Callable[[CardDataError], ProblemJSON] = unavailable_problem,
        translate: Language = ENGLISH,
        remembered: RememberedLines | None = None,
    ) -> None:
        self._judges = judges
        self._without_cards = without_cards
        self._translate = translate
        self._now = judges.now()
        self._judges_by_terms: dict[RequestedTerms, Judge] = {}
        self._remembered = remembered
        self._reused = 0

    def answers(self, read_bytes: Read) -> Iterator[BlockAnswer]:
        """Yield the answers to the lines that `read_bytes(size)` returns. The lines of one piece are answered together.

        Blank lines are skipped. At most one piece is in memory. A line over LONGEST_LINE is answered with an error.
        """
        return starmap(self.answer_block, LineBlocks().read_blocks(read_bytes))

    def broken_off_answer(self, lines: int, status: int, reason: str) -> BlockAnswer:
        """Return the error in place of the next line, for a batch that ends too early after `lines` lines."""
        return BlockAnswer(self._error_line(lines + 1, problem(status, reason)), Counter({None: 1}))

    def answer_block(self, before: int, block: bytes) -> BlockAnswer:
        """Return the answers to a block of whole lines. `before` is the number of lines before the block."""
        lines, counts, reused = [], Counter[VerdictKind | None](), self._reused
        for number, line in enumerate(block.split(b"\n"), before + 1):
            if line and not line.isspace():
                answer, outcome = self._answer(number, line)
                lines.append(answer)
                counts[outcome] += 1
        return BlockAnswer(b"".join(lines), counts, self._reused - reused)

    def _answer(self, number: int, line: bytes) -> tuple[bytes, VerdictKind | None]:
        """Return the answer to a line, and its VerdictKind. None instead of a VerdictKind is an error."""
        try:
            if len(line) > LONGEST_LINE:
                return self._error_line(number, problem(413, _TOO_LONG)), None
            return self._cached_answer(line) or self._judge_line(line)
        except (Invalid, NotJson) as error:
            return self._error_line(number, error_problem(error)), None
        except CardDataError as error:
            return self._error_line(number, self._without_cards(error)), None
        except Exception:
            # An unexpected error of one line must not stop the verdicts on the others.
            _log.exception("line %d of a batch could not be judged", number)
            return self._error_line(number, problem(500, phrase("The server could not judge this line."))), None

    def _error_line(self, number: int, document: ProblemJSON) -> bytes:
        """Return the line of JSON with the error of a line."""
        return _error_line(number, translate_problem(document, self._translate))

    def _cached_answer(self, line: bytes) -> tuple[bytes, VerdictKind] | None:
        """Return the cached answer to a line if its language and its Judge are still the same, else None."""
        cached = self._remembered.get(line) if self._remembered is not None else None
        if cached and cached.translate is self._translate and cached.judge() is self._judge(cached.asked):
            self._reused += 1
            return cached.answer, cached.outcome
        return None

    def _judge_line(self, line: bytes) -> tuple[bytes, VerdictKind]:
        """Return the answer to a line, and cache it if the same line came before."""
        request = parse_validation(line)
        completed = self._judges.with_game(request)
        judge = self._judge(completed.asked)
        verdict = judge_request(completed, judge)
        answer = verdict_bytes(verdict, request.explain, self._translate, request.summary) + b"\n"
        outcome = judge.terms.ruleset.id, verdict.legal
        # Without a named game the answer depends on the cards of all games, so it is not cached.
        if self._remembered is not None and completed is request and self._remembered.comes_again(line):
            self._remembered.keep(line, RememberedLine(request.asked, ref(judge), self._translate, answer, outcome))
        return answer, outcome

    def _judge(self, requested_terms: RequestedTerms) -> Judge:
        """Return the Judge of terms that name their game. It is the same for the whole batch."""
        judge = self._judges_by_terms.get(requested_terms)
        if judge is None:
            if len(self._judges_by_terms) >= _MOST_BATCH_JUDGES:
                self._judges_by_terms.clear()
            judge = self._judges_by_terms[requested_terms] = self._judges.judge(
                self._judges.with_day(requested_terms, self._now)
            )
        return judge


class LineBlocks:
    """Splits a body that comes in pieces into blocks of whole lines, each with the number of lines before it.

    `lines` is the number of whole lines so far. Only the beginning of a line that is too long is kept.
    """

    def __init__(self) -> None:
        self._begun = bytearray()
        self.lines = 0

    def read_blocks(self, read_bytes: Read, piece_size: int = _PIECE) -> Iterator[Block]:
        """Yield the blocks of the data that `read_bytes(size)` returns, until it returns no bytes."""
        for data in iter(lambda: read_bytes(piece_size), b""):
            if block := self.add(data):
                yield block
        if block := self.rest():
            yield block

    def add(self, piece: bytes) -> Block | None:
        """Add the next piece. Return the block of lines that are complete now, None if there are none."""
        end = piece.rfind(b"\n") + 1
        block = self._block(bytes(self._begun) + piece[:end]) if end else None
        if end:
            self._begun.clear()
        self._begun += piece[end:]
        del self._begun[LONGEST_LINE + 1 :]
        return block

    def rest(self) -> Block | None:
        """Return the last line if the body does not end with a line break, else None."""
        return self._block(bytes(self._begun)) if self._begun else None

    def _block(self, block: bytes) -> Block:
        """Return a block without a byte order mark, with the number of lines before it. Counts its lines."""
        before = self.lines
        self.lines += block.count(b"\n") or 1
        return before, block if before else block.removeprefix(BOM_UTF8)


def _error_line(number: int, document: ProblemJSON) -> bytes:
    """Return the line of JSON with the error of a line."""
    return orjson.dumps({"line": number, "error": document}, option=orjson.OPT_APPEND_NEWLINE)


class RememberedLine(NamedTuple):
    """The answer to a line in a language. It is valid while the terms of the line have the same Judge."""

    asked: RequestedTerms
    judge: ref[Judge]
    translate: Language
    answer: bytes
    outcome: VerdictKind


class RememberedLines(dict[bytes, RememberedLine]):
    """A cache of the answers to lines that came at least twice, by line. It is emptied when it is full.

    Only a hash of a line is remembered at first. A cache of all lines would make a batch of different lines a tenth
    slower.
    """

    def __init__(self) -> None:
        super().__init__()
        self._once: set[int] = set()

    def cache_size(self) -> dict[str, tuple[int, int]]:
        """Return the number of entries and the limit of this cache, by its name."""
        return {"batch_lines": (len(self), _MOST_REMEMBERED)}

    def comes_again(self, line: bytes) -> bool:
        """Return True if a line came before. Else remember that it came."""
        if hash(line) in self._once:
            return True
        if len(self._once) >= _MOST_SEEN_ONCE:
            self._once.clear()
        self._once.add(hash(line))
        return False

    def keep(self, line: bytes, remembered: RememberedLine) -> None:
        """Cache the answer to a line, unless both together are too large."""
        if len(line) + len(remembered.answer) > _LARGEST_REMEMBERED:
            return
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[line] = remembered
