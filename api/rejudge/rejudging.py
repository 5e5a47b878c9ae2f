"""Rejudging: what is said of stored decks by new terms, and what was said of them before.

Of a deck that holds no card of which the terms say something else than before, the verdict is the one before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from msgspec import UNSET

from api.rejudge.prejudge import Prejudge
from api.rejudge.rejudged_rows import RejudgedRows
from api.rejudge.stored_decks import Marks, Places, StoredDecks
from api.rejudge.stored_verdicts import (
    ILLEGAL,
    LEGAL,
    UNKNOWN,
    Alike,
    Legality,
    MadeWith,
    StoredVerdicts,
    alike,
    check_columns,
)
from api.service import decoder
from api.service.errors import Invalid
from api.service.judges import MOST_JUDGES, Judges, terms
from api.service.requests import Asked, day
from carddb.errors import NoSnapshot
from carddb.library import Library
from validator.differences import fingerprint, numbers_between
from validator.judge import Judge, Verdict
from validator.unresolved import Suggestions

UNREADABLE, NO_TERMS = "row.unreadable", "row.terms"
_MOST_PREJUDGES = 8  # each has some 40 MB at most
_MOST_CHANGES = 1024  # one for each day of stored verdicts


class Question(NamedTuple):
    """What is asked of all decks: the terms of those that do not say theirs, whose day holds for all.

    `before` is the day for which decks that come without a verdict are judged too; `full` asks everything of every
    deck, whatever has changed.
    """

    asked: Asked
    before: date | None = None
    full: bool = False


class Rejudged(NamedTuple):
    """What came of some decks: a row each, in their order, and how many there are of each kind."""

    rows: pa.RecordBatch
    counts: Counter[str]


class _Change(NamedTuple):
    """The numbers of which other things may be found than before, by the same cards or others."""

    numbers: frozenset[str]
    has_same_cards: bool


class Rejudging:
    """A question ready to be answered, batch by batch; not to be shared between threads."""

    def __init__(self, library: Library, question: Question) -> None:
        self._library = library
        self._judges = Judges(library)
        self._question = question
        self._prejudge = lru_cache(_MOST_PREJUDGES)(Prejudge)
        self._mark = lru_cache(MOST_JUDGES)(fingerprint)
        self._changed = lru_cache(_MOST_CHANGES)(self._change)

    def __call__(self, batch: pa.RecordBatch) -> Rejudged:
        """Answer for each deck of a batch; Unusable where its columns are none of stored decks."""
        check_columns(batch.schema)
        decks, stored = StoredDecks.read(batch.column("deck")), StoredVerdicts.read(batch)
        answers, counts = RejudgedRows(len(decks)), Counter[str]()
        answers.before[:] = stored.legal
        _tell(answers, np.flatnonzero(decks.unreadable), UNREADABLE)
        for group in alike(batch, np.flatnonzero(~decks.unreadable)):
            try:
                asked = self._asked(group.terms)
                judge = self._judges.judge(asked)
            except Invalid:
                _tell(answers, group.rows, NO_TERMS)
                continue
            answers.judged_by(group.rows, judge, self._mark(judge))
            own = decks if len(group.rows) == len(decks) else decks.taken(group.rows)
            counts["concerned"] += self._answer(answers, own, stored, group, asked, judge)
        return Rejudged(answers.written(batch.column("id")), counts + answers.counted())

    def _asked(self, said: tuple[str | None, ...]) -> Asked:
        """Return what rows are judged by: what they say themselves, else what is asked of all; Invalid where wrong."""
        asked = self._question.asked
        if not any(said):
            return asked
        ruleset, game, *place = (UNSET if one is None else one for one in said)
        own = decoder.terms(ruleset, game, UNSET, *place)
        if own.ruleset or own.game:
            asked = asked._replace(ruleset=own.ruleset, game=own.game)
        return asked._replace(region=own.region or asked.region, format=own.format or asked.format)

    def _answer(
        self, answers: RejudgedRows, own: StoredDecks, stored: StoredVerdicts, group: Alike, asked: Asked, judge: Judge
    ) -> int:
        """Answer for decks that are judged by the same, and return how many are concerned by what has changed."""
        rows, was = group.rows, stored.legal[group.rows]
        concerned = self._concerned(own, judge, self._changed(asked, group.made_with))
        kept = ~concerned & (was != UNKNOWN) & (group.made_with is not None)
        answers.legal[rows[kept]] = was[kept]
        answers.keep(rows[kept], stored.codes, stored.cards)
        for place, verdict in self._judged(answers.legal, own, rows, np.flatnonzero(~kept), judge):
            named = dict.fromkeys(card.number or card.name for one in verdict.found for card in one.cards)
            answers.tell(int(rows[place]), tuple(dict.fromkeys(verdict.codes)), tuple(named))
        before = None if group.made_with else self._before(asked)
        if before:
            unsaid = was == UNKNOWN
            answers.before[rows[unsaid]] = answers.legal[rows[unsaid]]
            list(self._judged(answers.before, own, rows, np.flatnonzero(unsaid & concerned), before))
        return int(concerned.sum())

    def _before(self, asked: Asked) -> Judge | None:
        """Return the Judge of the day before the change, None where there is none."""
        on = self._question.before
        try:
            return self._judges.judge(asked._replace(on=on)) if on else None
        except Invalid:
            return None

    def _keeper(self, asked: Asked, made_with: MadeWith) -> Judge | None:
        """Return the Judge whose verdicts are kept, None where no Judge of today says the same as that one."""
        try:
            on = asked._replace(on=day(made_with.on))
            judge = Judge(terms(on), self._library.catalogue(terms(on).ruleset.game, made_with.snapshot))
        except (ValueError, NoSnapshot):
            return None
        return judge if fingerprint(judge) == made_with.judge else None

    def _change(self, asked: Asked, made_with: MadeWith | None) -> _Change | None:
        """Return what has changed since a verdict was made, or the day before; None where it may be anything."""
        before = self._keeper(asked, made_with) if made_with else self._before(asked)
        if before is None or self._question.full:
            return None
        judge = self._judges.judge(asked)
        numbers = numbers_between(before, judge)
        return None if numbers is None else _Change(numbers, before.catalogue is judge.catalogue)

    def _concerned(self, own: StoredDecks, judge: Judge, change: _Change | None) -> Marks:
        """Return the decks of which the Judge may say something else than was said before."""
        if change is None:
            return np.ones(len(own), bool)
        catalogue, (numbers, has_same_cards) = judge.catalogue, change

        def may_differ(number: str | None) -> bool:
            card = catalogue.index.get(number or "") or (has_same_cards and number and catalogue.by_number(number))
            return not card or card.number in numbers

        return own.named | own.holding(own.each(may_differ) != 0)

    def _judged(
        self, legal: Legality, own: StoredDecks, rows: Places, places: Places, judge: Judge
    ) -> Iterator[tuple[int, Verdict]]:
        """Judge some of these decks, and yield the verdicts of those that anything is to be said of."""
        prejudge = self._prejudge(judge)
        settled = prejudge.settled(own if len(places) == len(own) else own.taken(places))
        legal[rows[places[settled]]] = LEGAL
        suggestions = Suggestions(0)  # what may have been meant is said to whoever asks about one deck
        for place in places[~settled].tolist():
            verdict = judge(own.deck(place), suggestions)
            legal[rows[place]] = LEGAL if verdict.legal else ILLEGAL
            if verdict.found:
                yield place, verdict


def _tell(answers: RejudgedRows, rows: Places, code: str) -> None:
    for row in rows.tolist():
        answers.tell(row, (code,))
