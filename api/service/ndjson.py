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
    """The answer to a block of lines of a batch.

    `lines` is NDJSON: a verdict or an error for each line that is not blank, in order. `counts` has the number of
    verdicts by `(ruleset id, is legal)`, and of errors by None. `remembered` is the number of answers from the cache of
    lines.
    """

    lines: bytes
    counts: Counter[VerdictKind | None]
    remembered: int = 0


class Batch:
    """A batch of decks, as validate requests in NDJSON, one on each line.

    Lines without a day are judged on the day on which the Batch was made. Lines with equal terms are judged by the same
    Judge, so by the same cards. `without_cards` returns the problem (JSON) that a CardDataError is answered with.
    `translate` is the language of the answers. `remembered` is a cache of answers to equal lines, shared with other
    batches (None: no cache).
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

        Reading ends if no bytes are returned. Blank lines get no answer. Only one piece, and the line that it does not
        end, are in memory. A line of more than LONGEST_LINE bytes is answered with an error.
        """
        return starmap(self.answer_block, LineBlocks().read_blocks(read_bytes))

    def broken_off_answer(self, lines: int, status: int, reason: str) -> BlockAnswer:
        """Return an error answer in place of line `lines + 1`, for a batch that ends too early after `lines` lines.

        `status` is the HTTP status and `reason` the sentence of the error. Nothing is judged.
        """
        return BlockAnswer(self._error_line(lines + 1, problem(status, reason)), Counter({None: 1}))

    def answer_block(self, before: int, block: bytes) -> BlockAnswer:
        """Return the answers to the lines of a block.

        Blank lines get no answer, but are counted in the numbers of lines. `before` is the number of lines before the
        block. Errors in the answer have the number of their line.
        """
        lines, counts, reused = [], Counter[VerdictKind | None](), self._reused
        for number, line in enumerate(block.split(b"\n"), before + 1):
            if line and not line.isspace():
                answer, outcome = self._answer(number, line)
                lines.append(answer)
                counts[outcome] += 1
        return BlockAnswer(b"".join(lines), counts, self._reused - reused)

    def _answer(self, number: int, line: bytes) -> tuple[bytes, VerdictKind | None]:
        """Return `(line of JSON, verdict kind)` for a request line.

        The kind is `(ruleset id, is legal)`, or None for an error. A line of more than LONGEST_LINE bytes is an error
        (413). The cache of lines is used first. Raises no error: an unexpected one is logged and answered with status
        500.
        """
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
        """Return the NDJSON line `{"line": number, "error": problem}`, in the language of the batch."""
        answer = {"line": number, "error": translate_problem(document, self._translate)}
        return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)

    def _cached_answer(self, line: bytes) -> tuple[bytes, VerdictKind] | None:
        """Return `(line of JSON, verdict kind)` from the cache of lines, and count it as reused.

        None if there is no cache or if the line is not in the cache. None also if it was cached in another language, or
        if its terms have another Judge now. Raises the errors of `_judge`.
        """
        cached = self._remembered.get(line) if self._remembered is not None else None
        if cached and cached.translate is self._translate and cached.judge() is self._judge(cached.asked):
            self._reused += 1
            return cached.answer, cached.outcome
        return None

    def _judge_line(self, line: bytes) -> tuple[bytes, VerdictKind]:
        """Return `(line of JSON, (ruleset id, is legal))` for a request line, judged now.

        The answer is cached if there is a cache, an equal line came before, and the line names its game or ruleset.
        Raises NotJson or Invalid for a wrong request, CardDataError if the cards cannot be read.
        """
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
        """Return the Judge of terms. It is kept, so that equal terms have the same one in the whole batch.

        Terms without a day get the day on which the Batch was made. After 64 Judges all are dropped. Raises Invalid for
        wrong terms, also for terms with neither a game nor a ruleset.
        """
        judge = self._judges_by_terms.get(requested_terms)
        if judge is None:
            if len(self._judges_by_terms) >= _MOST_BATCH_JUDGES:
                self._judges_by_terms.clear()
            judge = self._judges_by_terms[requested_terms] = self._judges.judge(
                self._judges.with_day(requested_terms, self._now)
            )
        return judge


class LineBlocks:
    """Splits bytes that come in pieces into blocks of whole lines, each with the number of lines before the block.

    `lines` is the number of lines in the blocks so far, blank ones included. Of a line that has not ended, only the
    first LONGEST_LINE + 1 bytes are kept for the next piece, so a line that is too long lacks a part.
    """

    def __init__(self) -> None:
        self._begun = bytearray()
        self.lines = 0

    def read_blocks(self, read_bytes: Read, piece_size: int = _PIECE) -> Iterator[Block]:
        """Yield `(lines before, block)` for the data that `read_bytes(size)` returns, until it returns no bytes.

        Pieces without a line break yield nothing yet. The last block may lack a final line break. `piece_size` is the
        size that each read requests.
        """
        for data in iter(lambda: read_bytes(piece_size), b""):
            if block := self.add(data):
                yield block
        if block := self.rest():
            yield block

    def add(self, piece: bytes) -> Block | None:
        """Add the next piece of bytes.

        Return `(lines before, block)` of the lines that it completes, None if none is complete. The rest after its last
        line break is kept for the next piece.
        """
        end = piece.rfind(b"\n") + 1
        block = self._block(bytes(self._begun) + piece[:end]) if end else None
        if end:
            self._begun.clear()
        self._begun += piece[end:]
        del self._begun[LONGEST_LINE + 1 :]
        return block

    def rest(self) -> Block | None:
        """Return `(lines before, line)` of the last line if the data did not end with a line break, else None.

        To be called once, after the last `add`.
        """
        return self._block(bytes(self._begun)) if self._begun else None

    def _block(self, block: bytes) -> Block:
        """Return `(lines before, block)`, and add the number of lines of the block to `lines`.

        A block without a line break is one line. The first block loses its byte order mark (UTF-8).
        """
        before = self.lines
        self.lines += block.count(b"\n") or 1
        return before, block if before else block.removeprefix(BOM_UTF8)


class RememberedLine(NamedTuple):
    """The cached answer to a request line. `outcome` is its `(ruleset id, is legal)`.

    `answer` is the line of JSON. It is valid only in the language `translate`, and while the terms `asked` still have
    the Judge of the weak reference `judge`.
    """

    asked: RequestedTerms
    judge: ref[Judge]
    translate: Language
    answer: bytes
    outcome: VerdictKind


class RememberedLines(dict[bytes, RememberedLine]):
    """A cache of the answers to request lines that came at least twice, by the bytes of the line. Emptied when full.

    Of a new line only its hash is remembered, because caching all lines makes a batch of different lines a tenth
    slower.
    """

    def __init__(self) -> None:
        super().__init__()
        self._once: set[int] = set()

    def cache_size(self) -> dict[str, tuple[int, int]]:
        """Return `{"batch_lines": (entries, limit)}` for the metrics."""
        return {"batch_lines": (len(self), _MOST_REMEMBERED)}

    def comes_again(self, line: bytes) -> bool:
        """Return True if an equal line (by hash) is remembered. Else remember its hash and return False.

        At most 2,048 hashes are remembered. The next one replaces all of them.
        """
        if hash(line) in self._once:
            return True
        if len(self._once) >= _MOST_SEEN_ONCE:
            self._once.clear()
        self._once.add(hash(line))
        return False

    def keep(self, line: bytes, remembered: RememberedLine) -> None:
        """Cache the answer to a line. Does nothing if line and answer have more than 16 KiB together.

        A full cache (1,024 lines) is emptied first. `comes_again` is not checked here.
        """
        if len(line) + len(remembered.answer) > _LARGEST_REMEMBERED:
            return
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[line] = remembered
