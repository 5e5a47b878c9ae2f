"""Batches: NDJSON of validate requests in, NDJSON of verdicts out, a line at a time, in the same order."""

from __future__ import annotations

import logging
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import starmap
from typing import NamedTuple
from weakref import ref

import orjson

from api.service.answers.problem_details import ProblemJSON, error_problem, problem, unavailable_problem
from api.service.answers.verdict_answers import verdict_bytes
from api.service.bounds import LONGEST_LINE
from api.service.decoder import validation
from api.service.errors import Invalid, NotJson
from api.service.judges import Judges, VerdictKind, judged
from api.service.requests import Asked
from carddb.errors import CardDataError
from validator.judge import Judge
from validator.language import ENGLISH, Language

_PIECE = 16_384  # bytes: the lines in one are answered together
_KEPT = 64  # Judges of one batch
_MOST_SEEN_ONCE = 2048  # lines, of which only a hash is remembered
_MOST_REMEMBERED = 1024  # lines, with their answers mostly some 3 MB, and 16 at most
_LARGEST_REMEMBERED = 16_384  # bytes of a line and its answer; those of a deck are under a third of this
_log = logging.getLogger(__name__)

Read = Callable[[int], bytes]
Block = tuple[int, bytes]  # lines, and how many there were before them


class BlockAnswer(NamedTuple):
    """What a block of lines gets: a line of JSON for each, and how many have which VerdictKind (None is an error).

    `remembered` is how many of the answers were those of lines of other batches.
    """

    lines: bytes
    counts: Counter[VerdictKind | None]
    remembered: int = 0


class Batch:
    """One batch of decks; every deck of it is judged by the same catalogues at the same moment.

    `without_cards` makes the problem of a card database that cannot be used; `say` says the verdicts' sentences;
    `remembered` are lines of other batches, which these may have again.
    """

    def __init__(
        self,
        judges: Judges,
        without_cards: Callable[[CardDataError], ProblemJSON] = unavailable_problem,
        say: Language = ENGLISH,
        remembered: RememberedLines | None = None,
    ) -> None:
        self._judges = judges
        self._without_cards = without_cards
        self._say = say
        self._now = judges.now()
        self._kept: dict[Asked, Judge] = {}
        self._remembered = remembered
        self._again = 0

    def answers(self, read: Read) -> Iterator[BlockAnswer]:
        """Yield the answers to the lines of what `read(most)` gives, those together that came in one piece.

        Blank lines are skipped. Holds one piece at a time; a line over LONGEST_LINE is answered with an error and
        passed over.
        """
        return starmap(self.block, LineBlocks().of(read))

    @staticmethod
    def broken_off(lines: int, status: int, reason: str) -> BlockAnswer:
        """Return the error in place of the next line, for a batch that breaks off after so many lines."""
        return BlockAnswer(_refusal(lines + 1, problem(status, reason)), Counter({None: 1}))

    def block(self, before: int, block: bytes) -> BlockAnswer:
        """Return the answers to a block of whole lines, so many lines after the first."""
        lines, counts, again = [], Counter[VerdictKind | None](), self._again
        for number, line in enumerate(block.split(b"\n"), before + 1):
            if line and not line.isspace():
                answer, outcome = self._answer(number, line)
                lines.append(answer)
                counts[outcome] += 1
        return BlockAnswer(b"".join(lines), counts, self._again - again)

    def _answer(self, number: int, line: bytes) -> tuple[bytes, VerdictKind | None]:
        try:
            if len(line) > LONGEST_LINE:
                return _refusal(number, problem(413, f"The line has more than {LONGEST_LINE} bytes.")), None
            return self._known(line) or self._judged(line)
        except (Invalid, NotJson) as error:
            return _refusal(number, error_problem(error)), None
        except CardDataError as error:
            return _refusal(number, self._without_cards(error)), None
        except Exception:
            # One line that the server cannot bear must not cost the others their verdicts.
            _log.exception("line %d of a batch could not be judged", number)
            return _refusal(number, problem(500, "The server could not judge this line.")), None

    def _known(self, line: bytes) -> tuple[bytes, VerdictKind] | None:
        """Return what is remembered of a line, if it holds still."""
        known = self._remembered.get(line) if self._remembered is not None else None
        if known and known.say is self._say and known.judge() is self._judge(known.asked):
            self._again += 1
            return known.answer, known.outcome
        return None

    def _judged(self, line: bytes) -> tuple[bytes, VerdictKind]:
        request = validation(line)
        settled = self._judges.settled(request)
        judge = self._judge(settled.asked)
        verdict = judged(settled, judge)
        answer = verdict_bytes(verdict, request.explain, self._say, request.summary) + b"\n"
        outcome = judge.terms.ruleset.id, verdict.legal
        # Of a request that does not say its game the cards of all games may have a say.
        if self._remembered is not None and settled is request and self._remembered.comes_again(line):
            self._remembered.keep(line, RememberedLine(request.asked, ref(judge), self._say, answer, outcome))
        return answer, outcome

    def _judge(self, asked: Asked) -> Judge:
        """Return the Judge of the terms asked for, which say their game, the same for the whole batch."""
        judge = self._kept.get(asked)
        if judge is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            judge = self._kept[asked] = self._judges.judge(self._judges.dated(asked, self._now))
        return judge


class LineBlocks:
    """Whole lines of a body that comes in pieces, each block with the number of lines before it.

    `lines` is how many came whole. Of a line that is too long only the beginning is kept.
    """

    def __init__(self) -> None:
        self._begun = bytearray()
        self.lines = 0

    def of(self, read: Read, piece: int = _PIECE) -> Iterator[Block]:
        """Yield the blocks of what `read(most)` gives, until it gives nothing."""
        for got in iter(lambda: read(piece), b""):
            if block := self.add(got):
                yield block
        if block := self.rest():
            yield block

    def add(self, piece: bytes) -> Block | None:
        """Add the next piece; return the block of lines that are whole by it, if there are any."""
        end = piece.rfind(b"\n") + 1
        block = self._block(bytes(self._begun) + piece[:end]) if end else None
        if end:
            self._begun.clear()
        self._begun += piece[end:]
        del self._begun[LONGEST_LINE + 1 :]
        return block

    def rest(self) -> Block | None:
        """Return the last line, where the body does not end with a line break."""
        return self._block(bytes(self._begun)) if self._begun else None

    def _block(self, block: bytes) -> Block:
        before = self.lines
        self.lines += block.count(b"\n") or 1
        return before, block if before else block.removeprefix(BOM_UTF8)


def _refusal(number: int, document: ProblemJSON) -> bytes:
    return orjson.dumps({"line": number, "error": document}, option=orjson.OPT_APPEND_NEWLINE)


class RememberedLine(NamedTuple):
    """The answer to a line in a language. It is valid for as long as the line's terms have the same Judge."""

    asked: Asked
    judge: ref[Judge]
    say: Language
    answer: bytes
    outcome: VerdictKind


class RememberedLines(dict[bytes, RememberedLine]):
    """A cache of the lines that came at least twice, by line. It is emptied when it is full.

    Of a line that came once only a hash is remembered. To cache every line would make lines that never come again a
    tenth slower.
    """

    def __init__(self) -> None:
        super().__init__()
        self._once: set[int] = set()

    def cache_size(self) -> dict[str, tuple[int, int]]:
        """Return the number of entries and the limit of this cache, by its name."""
        return {"batch_lines": (len(self), _MOST_REMEMBERED)}

    def comes_again(self, line: bytes) -> bool:
        """Return True if a line came before, and remember that it came now."""
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
