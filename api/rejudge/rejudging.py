"""Rejudging: the verdicts on stored decks by new terms, beside their verdicts before.

A deck without a card that the new terms treat differently keeps its verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from msgspec import UNSET

from api.rejudge.prejudge import Prejudge
from api.rejudge.stored_decks import (
    ILLEGAL,
    LEGAL,
    UNKNOWN,
    Legality,
    MadeWith,
    Marks,
    Places,
    SameTerms,
    StoredDecks,
    StoredVerdicts,
    check_columns,
    group_by_terms,
)
from api.service import decoder
from api.service.bounds import MOST_JUDGES
from api.service.errors import Invalid
from api.service.judges import Judges
from api.service.requests import RequestedTerms, day
from carddb.errors import NoSnapshot
from carddb.library import Library
from validator.differences import fingerprint, numbers_between
from validator.judge import Judge, Verdict
from validator.unresolved import Suggestions

UNREADABLE, NO_TERMS = "row.unreadable", "row.terms"
_TEXTS = pa.list_(pa.string())
_MADE_WITH = {
    "ruleset": pa.string(),
    "limits": pa.date32(),
    "snapshot": pa.string(),
    "on": pa.date32(),
    "judge": pa.string(),
}
_MOST_PREJUDGES = 8  # each has some 40 MB at most
_MOST_CHANGES = 1024  # one for each day of stored verdicts


class Question(NamedTuple):
    """The question to all decks. `asked` has the day of all decks, and the terms of decks without terms of their own.

    `before` is the day before the change, by which decks without a stored verdict are judged too. None leaves that out.
    If `full` is True, every deck is judged, also if no change affects it.
    """

    asked: RequestedTerms
    before: date | None = None
    full: bool = False


class Rejudged(NamedTuple):
    """The result of a batch: a row for each deck in order, and the number of rows of each kind.

    The keys of `counts` are those of `RejudgedRows.count`, and "concerned": the decks that a change may affect. Keys of
    0 are missing.
    """

    rows: pa.RecordBatch
    counts: Counter[str]


class _Change(NamedTuple):
    """The numbers of the cards whose findings may differ from before the change.

    `has_same_cards` is True if both Judges have the same catalogue.
    """

    numbers: frozenset[str]
    has_same_cards: bool


class Rejudging:
    """Answers a question for one batch of decks after another. Threads must not share it.

    Judges, tables and changes are cached between batches.
    """

    def __init__(self, library: Library, question: Question) -> None:
        self._library = library
        self._judges = Judges(library)
        self._question = question
        self._prejudge = lru_cache(_MOST_PREJUDGES)(Prejudge)
        self._fingerprint = lru_cache(MOST_JUDGES)(fingerprint)
        self._changed = lru_cache(_MOST_CHANGES)(self._find_change)

    def __call__(self, batch: pa.RecordBatch) -> Rejudged:
        """Return the results of a batch. Raises Unusable if its columns are not those of stored decks.

        A deck that cannot be read, or has invalid terms, has no new legality but a code as its only finding: UNREADABLE
        or NO_TERMS.
        """
        check_columns(batch.schema)
        decks, stored = StoredDecks.read(batch.column("deck")), StoredVerdicts.read(batch)
        answers, counts = RejudgedRows(len(decks)), Counter[str]()
        answers.before[:] = stored.legal
        _set_code(answers, np.flatnonzero(decks.unreadable), UNREADABLE)
        for group in group_by_terms(batch, np.flatnonzero(~decks.unreadable)):
            try:
                asked = self._merge_terms(group.terms)
                judge = self._judges.judge(asked)
            except Invalid:
                _set_code(answers, group.rows, NO_TERMS)
                continue
            answers.set_judge(group.rows, judge, self._fingerprint(judge))
            own = decks if len(group.rows) == len(decks) else decks.select_decks(group.rows)
            counts["concerned"] += self._answer_group(answers, own, stored, group, asked, judge)
        return Rejudged(answers.to_batch(batch.column("id")), counts + answers.count())

    def _merge_terms(self, group_terms: tuple[str | None, ...]) -> RequestedTerms:
        """Return the terms of some rows: their own, else those of the question. Raises Invalid if theirs are wrong.

        `group_terms` are (ruleset, game, region, format), each None if a row has none. A ruleset or a game of the rows
        replaces both of the question.
        """
        asked = self._question.asked
        if not any(group_terms):
            return asked
        ruleset, game, *place = (UNSET if term is None else term for term in group_terms)
        own = decoder.parse_terms(ruleset, game, UNSET, *place)
        if own.ruleset or own.game:
            asked = asked._replace(ruleset=own.ruleset, game=own.game)
        return asked._replace(region=own.region or asked.region, format=own.format or asked.format)

    def _answer_group(
        self,
        answers: RejudgedRows,
        group_decks: StoredDecks,
        stored: StoredVerdicts,
        group: SameTerms,
        requested_terms: RequestedTerms,
        judge: Judge,
    ) -> int:
        """Set the answers of decks with the same terms. Return the number of decks that the change may affect.

        A deck that it cannot affect keeps its stored verdict if the origin of that is known. All others are judged. If
        the origin is unknown, a missing earlier legality is that of the day before, if the question has one. Then only
        affected decks are judged twice. `stored` has all rows of the batch, `group_decks` only the group's.
        """
        rows, was = group.rows, stored.legal[group.rows]
        concerned = self._find_concerned(group_decks, judge, self._changed(requested_terms, group.made_with))
        kept = ~concerned & (was != UNKNOWN) & (group.made_with is not None)
        answers.legal[rows[kept]] = was[kept]
        answers.copy_findings(rows[kept], stored.codes, stored.cards)
        for place, verdict in self._judge_decks(answers.legal, group_decks, rows, np.flatnonzero(~kept), judge):
            cards = dict.fromkeys(card.number or card.name for finding in verdict.found for card in finding.cards)
            answers.set_findings(int(rows[place]), tuple(dict.fromkeys(verdict.codes)), tuple(cards))
        before = None if group.made_with else self._make_judge_before(requested_terms)
        if before:
            is_new = was == UNKNOWN
            answers.before[rows[is_new]] = answers.legal[rows[is_new]]
            list(self._judge_decks(answers.before, group_decks, rows, np.flatnonzero(is_new & concerned), before))
        return int(concerned.sum())

    def _make_judge_before(self, requested_terms: RequestedTerms) -> Judge | None:
        """Return the Judge of the day before the change, `before` of the question.

        None if the question has no such day, or the terms are invalid for it.
        """
        on = self._question.before
        try:
            return self._judges.judge(requested_terms._replace(on=on)) if on else None
        except Invalid:
            return None

    def _make_stored_judge(self, requested_terms: RequestedTerms, made_with: MadeWith) -> Judge | None:
        """Return the Judge that made the stored verdicts, None if it cannot be made again with the same fingerprint."""
        try:
            on = requested_terms._replace(on=day(made_with.on))
            official = self._judges.terms(on)
            judge = Judge(official, self._library.catalogue(official.ruleset.game, made_with.snapshot))
        except (ValueError, NoSnapshot):
            return None
        return judge if fingerprint(judge) == made_with.judge else None

    def _find_change(self, requested_terms: RequestedTerms, made_with: MadeWith | None) -> _Change | None:
        """Return the change since the stored verdicts (`made_with`), or since the day before if there are none.

        None if any card may have changed, if the earlier Judge is not available, or if the question is to judge every
        deck.
        """
        before = (
            self._make_stored_judge(requested_terms, made_with)
            if made_with
            else self._make_judge_before(requested_terms)
        )
        if before is None or self._question.full:
            return None
        judge = self._judges.judge(requested_terms)
        numbers = numbers_between(before, judge)
        return None if numbers is None else _Change(numbers, before.catalogue is judge.catalogue)

    def _find_concerned(self, group_decks: StoredDecks, judge: Judge, change: _Change | None) -> Marks:
        """Return an array with True for each deck whose findings may differ from before.

        These are the decks with a card of `change`, an unknown card or a card name. All are True if `change` is None.
        """
        if change is None:
            return np.ones(len(group_decks), bool)
        catalogue, (numbers, has_same_cards) = judge.catalogue, change

        def may_differ(number: str | None) -> bool:
            """Return True if the findings of a card may have changed. True also for unknown numbers and None."""
            card = catalogue.index.get(number or "") or (has_same_cards and number and catalogue.by_number(number))
            return not card or card.number in numbers

        return group_decks.with_names | group_decks.find_decks_with(group_decks.map_numbers(may_differ) != 0)

    def _judge_decks(
        self, legal: Legality, group_decks: StoredDecks, rows: Places, places: Places, judge: Judge
    ) -> Iterator[tuple[int, Verdict]]:
        """Judge some decks, set their legality in `legal`, and yield `(place, verdict)` for those that have findings.

        `places` are the indices in `group_decks` of the decks to judge. `rows` has the index in `legal` of every deck
        of `group_decks`. Nothing happens before the result is iterated.
        """
        prejudge = self._prejudge(judge)
        clean = prejudge.find_clean_decks(
            group_decks if len(places) == len(group_decks) else group_decks.select_decks(places)
        )
        legal[rows[places[clean]]] = LEGAL
        suggestions = Suggestions(0)  # suggestions for unknown cards are for requests about one deck
        for place in places[~clean].tolist():
            verdict = judge(group_decks.deck(place), suggestions)
            legal[rows[place]] = LEGAL if verdict.legal else ILLEGAL
            if verdict.found:
                yield place, verdict


def _set_code(answers: RejudgedRows, rows: Places, code: str) -> None:
    """Set the findings of each of these rows to the one code, without cards."""
    for row in rows.tolist():
        answers.set_findings(row, (code,))


def rejudged_schema(id: pa.DataType) -> pa.Schema:
    """Return the columns of results with ids of this type."""
    own = {"id": id, "legal": pa.bool_(), "before": pa.bool_(), "codes": _TEXTS, "cards": _TEXTS}
    return pa.schema(list((own | _MADE_WITH).items()))


class RejudgedRows:
    """The results of a batch while they are filled in, each with its Judge.

    `legal` (the new verdict) and `before` (the earlier one) have LEGAL, ILLEGAL or UNKNOWN for each row. All are
    UNKNOWN at first.
    """

    def __init__(self, count: int) -> None:
        self.legal: Legality = np.full(count, UNKNOWN, np.int8)
        self.before: Legality = np.full(count, UNKNOWN, np.int8)
        self._codes, self._cards = _TextLists(count), _TextLists(count)
        self._by = np.zeros(count, np.int32)
        self._made_with: list[tuple[object, ...]] = [(None,) * len(_MADE_WITH)]

    def set_findings(self, row: int, codes: Sequence[str], cards: Sequence[str] = ()) -> None:
        """Set the codes and the cards of the findings of a row, in place of earlier ones."""
        self._codes.set(row, codes)
        self._cards.set(row, cards)

    def copy_findings(self, rows: Places, codes: pa.Array | None, cards: pa.Array | None) -> None:
        """Copy the findings of some rows from stored columns of all rows.

        Nothing is copied from a column that is None.
        """
        self._codes.copy(rows, codes)
        self._cards.copy(rows, cards)

    def set_judge(self, rows: Places, judge: Judge, judge_fingerprint: str) -> None:
        """Record the origin of the verdicts on some rows: the terms of a Judge and its fingerprint.

        The terms are ruleset, first day of the limits list (None: no list or no day), snapshot and day.
        """
        self._by[rows] = len(self._made_with)
        terms, official = judge.terms, judge.terms.in_force
        since = official.effective_from if official else None
        self._made_with.append((terms.ruleset.id, since, judge.catalogue.snapshot, terms.on, judge_fingerprint))

    def count(self) -> Counter[str]:
        """Return the numbers of rows: all, the legal, illegal and unusable ones, and those with another result.

        The keys are "rows", "legal", "illegal", "unusable", "no_more" (legal before, illegal now) and "again" (the
        reverse).
        """
        was, now = self.before, self.legal
        kinds = {
            "rows": np.ones(len(now), bool),
            "legal": now == LEGAL,
            "illegal": now == ILLEGAL,
            "unusable": now == UNKNOWN,
            "no_more": (was == LEGAL) & (now == ILLEGAL),
            "again": (was == ILLEGAL) & (now == LEGAL),
        }
        return Counter({kind: int(marks.sum()) for kind, marks in kinds.items()})

    def to_batch(self, ids: pa.Array) -> pa.RecordBatch:
        """Return the rows as columns of `rejudged_schema`, with their ids."""
        columns = [
            ids,
            _to_bools(self.legal),
            _to_bools(self.before),
            self._codes.to_array(),
            self._cards.to_array(),
        ]
        by = pa.array(self._by)
        made_with = zip(*self._made_with, strict=True)
        columns += [
            pa.array(values, type).take(by) for values, type in zip(made_with, _MADE_WITH.values(), strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, schema=rejudged_schema(ids.type))


class _TextLists:
    """A column of lists of texts, set row by row or copied from another column.

    A row that is not set has an empty list.
    """

    def __init__(self, count: int) -> None:
        self._parts: list[pa.Array] = [pa.array([[]], _TEXTS)]
        self._indices = np.zeros(count, np.int64)  # the index of each row in the parts
        self._length = 1
        self._new: dict[int, Sequence[str]] = {}

    def set(self, row: int, texts: Sequence[str]) -> None:
        """Set the list of a row. The last call for a row counts."""
        self._new[row] = texts

    def copy(self, rows: Places, column: pa.Array | None) -> None:
        """Copy the lists of some rows from a column of all rows. A list that was set with `set` stays.

        Nothing is copied from a column that is None or null, and from rows whose list is empty or null.
        """
        if column is None or pa.types.is_null(column.type):
            return
        lengths = column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        having = rows[lengths[rows] > 0]
        self._append_lists(having, column.take(pa.array(having)).cast(_TEXTS))

    def to_array(self) -> pa.Array:
        """Return the column of all rows. It may be called again after more lists were set."""
        rows = np.fromiter(self._new, np.int64, len(self._new))
        self._append_lists(rows, pa.array(self._new.values(), _TEXTS))
        self._new.clear()
        return pa.concat_arrays(self._parts).take(pa.array(self._indices))

    def _append_lists(self, rows: Places, lists: pa.Array) -> None:
        """Store these lists of texts as those of the rows, one for each row in the same order.

        Earlier lists stay unused.
        """
        self._indices[rows] = np.arange(self._length, self._length + len(rows))
        self._length += len(rows)
        self._parts.append(lists)


def _to_bools(legality: Legality) -> pa.Array:
    """Return legality as a column of booleans, null if UNKNOWN."""
    return pa.array(legality == LEGAL, mask=legality == UNKNOWN)
