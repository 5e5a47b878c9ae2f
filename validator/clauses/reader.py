"""Texts in, clauses out: what each sentence says of construction, on what condition, and what is not understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from validator.bounds import LONGEST_QUOTED_TEXT, MOST_STATEMENT_TRIES
from validator.cards import Clause
from validator.clauses.grants import OPENING, Conditions, Grant, Grants
from validator.clauses.inclusion import Inclusion, decks
from validator.clauses.phrases import Phrases
from validator.clauses.sentences import (
    Sentence,
    Skill,
    hinting,
    hints,
    of_building,
    of_gains,
    of_play,
    of_rules,
    skills,
)
from validator.clauses.tokens import Cursor, Match, Token, both, runs
from validator.clauses.wording import Wording

_RULED = runs(
    "under/by the rules|under/by the rules of this game|according to the rules|according to the rules of this game|"
    "during/for deck construction|when/while constructing/building your deck"
)
_THIS_CARD = runs("this card")
_TIMES = ("during", "until", "for", "while", "when", "after")
_LINKS = (",", "and", "but", "then")
# How a sentence goes on after a statement that has no end of its own ("in your deck", "in all areas").
_STARTS = frozenset(
    (
        *("you", "your", "this", "it", "they", "that", "cards", "when", "if", "at", "during", "while", "until"),
        *("negate", "treat", "reduce", "increase", "ignore", "draw", "play", "switch", "place", "choose", "look"),
        *("can't", "cannot", "can", "may", "must", "are", "is", "gains", "gain", "gets", "get", "has", "have", "add"),
        *("also", "does", "only", "never", "then"),
    )
)


@dataclass(slots=True)
class _Statement:
    """What was read from one place to another: clauses, or a gain; `closed` by words that can only end it."""

    start: int
    end: int
    closed: bool
    clauses: Sequence[Clause] = ()
    grant: Grant | None = None
    condition: Sequence[Token] = ()


@dataclass
class _Reading:
    """A sentence being read: its words, what stands around it, and what was found.

    `ruled`: "under the rules of this game" was in it. `permanent`: its skill always holds. `used`:
    its skill is activated, or waits for something in play.
    """

    words: Sequence[Token]
    ruled: bool
    permanent: bool
    used: bool
    statements: list[_Statement] = field(default_factory=list)
    condition: Sequence[Token] = ()

    @property
    def of_this_card(self) -> bool:
        """Whether "and gains …" goes on about this card."""
        return Cursor(self.words, len(self.condition)).phrase(_THIS_CARD) is not None

    @cached_property
    def deck_places(self) -> list[int]:
        """Where "in your deck" stands."""
        return [at for at in range(len(self.words)) if decks(Cursor(self.words, at))]

    @property
    def timeless(self) -> bool:
        """Whether nothing is said of times or occasions ("+5000 power during your turn")."""
        return not any(word.text in _TIMES for word in self.words[len(self.condition) :])

    def left(self) -> list[Token]:
        """Return the words that neither the condition nor a statement took."""
        taken = {at for one in self.statements for at in range(one.start, one.end)}
        return [word for at, word in enumerate(self.words) if at >= len(self.condition) and at not in taken]


class Reader:
    """Reads the card texts of one game."""

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self.hints = hints(wording.keywords)
        phrases = Phrases(wording)
        self.inclusion = Inclusion(phrases)
        self.grants = Grants(phrases)
        self.conditions = Conditions(phrases)

    def read(self, *faces: str) -> tuple[Clause, ...]:
        """Return what the texts of a card's faces say of construction, each thing once."""
        clauses: dict[str, Clause] = {}
        for face in faces:
            for skill in skills(face) if hinting(face, self.hints) else ():
                for clause in self._skill(skill):
                    key = clause.text if clause.kind == "unread" else repr(replace(clause, text=""))
                    clauses.setdefault(key, clause)
        return tuple(clauses.values())

    def _skill(self, skill: Skill) -> Iterator[Clause]:
        printed = [] if skill.granted else list(self._printed(skill.heads))
        yield from printed
        if not hinting(skill.plain, self.hints):
            return
        for sentence in skill.sentences():
            if hinting(sentence.plain, self.hints) and not _explains(sentence, printed):
                yield from self._sentence(sentence, skill)

    def _printed(self, heads: Iterable[str]) -> Iterator[Clause]:
        for head in heads:
            keyword = self.wording.keywords.get(_named(head).replace("-", " "))
            if keyword:
                yield Clause("keyword", text=head, keyword=keyword)

    def _sentence(self, sentence: Sentence, skill: Skill) -> Iterator[Clause]:
        reading = self._reading(sentence, skill)
        too_long = not sentence.tokens
        if reading.used and not too_long and not self._on_construction(reading):
            return
        clauses, clear = self._understood(reading)
        if skill.granted:
            # Whose skill it will be, and whether before the game, is not told.
            clauses, clear = [], not clauses
        yield from (replace(clause, text=sentence.text) for clause in clauses)
        if too_long or not clear or self._left_out(reading):
            yield Clause("unread", text=sentence.text[:LONGEST_QUOTED_TEXT])

    def _reading(self, sentence: Sentence, skill: Skill) -> _Reading:
        heads = [_named(head) for head in skill.heads]
        permanent = "permanent" in heads
        # "[Blocker][Permanent] …" is two skills; "[Permanent][Bond 3] …" is one with a condition.
        own = heads[len(heads) - heads[::-1].index("permanent") :] if permanent else heads
        used = skill.granted or any(self.wording.in_play.match(head) for head in own)
        words, ruled = _unruled(sentence.tokens)
        return _Reading(words, ruled, permanent or not self.wording.marks_permanent, used)

    def _on_construction(self, reading: _Reading) -> bool:
        signs = self._signs(reading.words)
        return reading.ruled or of_building(signs) or of_rules(signs)

    def _understood(self, reading: _Reading) -> tuple[list[Clause], bool]:
        """Read a sentence; return the clauses with their conditions, and whether all conditions are understood."""
        self._statements(reading)
        _settle_places(reading)
        each = [self._meant(statement, reading.condition) for statement in reading.statements]
        return [clause for clauses in each for clause in clauses or ()], None not in each

    def _statements(self, reading: _Reading) -> None:
        """Read statement after statement; what is none is passed over up to the next link."""
        at = self._conditioned(reading) if Cursor(reading.words).phrase(OPENING) else 0
        tries = 0
        while at < len(reading.words) and tries < MOST_STATEMENT_TRIES:
            statement = self._statement(reading, at)
            if statement:
                reading.statements.append(statement)
            tries += not statement
            at = statement.end if statement else _past(reading.words, at)

    def _conditioned(self, reading: _Reading) -> int:
        """Take the condition that opens a sentence; return the place after.

        It ends at the comma up to which it is one on the Leader, or else where a statement begins.
        """
        words = reading.words
        at = Cursor(words)
        if self.conditions.read(at) and at.take(","):
            reading.condition = words[: at.at]
            return at.at
        commas = [place + 1 for place, word in enumerate(words) if word.text == ","]
        starts = {place for place, word in enumerate(words) if word.text in ("this", "you", "your")}
        for start in sorted(starts.union(commas))[:MOST_STATEMENT_TRIES]:
            # "If your …": three words at least make a condition.
            if start > 2 and (statement := self._statement(reading, start)):
                reading.condition = words[:start]
                reading.statements.append(statement)
                return statement.end
        end = min(commas, default=len(words))
        reading.condition = words[:end]
        return end

    def _statement(self, reading: _Reading, start: int) -> _Statement | None:
        statement = self._granted(reading, start) or self._included(reading, start)
        return statement if statement and _ends(reading.words, statement) else None

    def _granted(self, reading: _Reading, start: int) -> _Statement | None:
        at = Cursor(reading.words, start)
        grant = None if reading.used else self.grants.read(at, of_this_card=start > 0 and reading.of_this_card)
        if grant is None:
            return None
        end = _past(reading.words, at.at) if grant.lasting else at.at
        return _Statement(start, end, closed=grant.in_deck is not None, grant=grant)

    def _included(self, reading: _Reading, start: int) -> _Statement | None:
        at = Cursor(reading.words, start)
        clauses = self.inclusion.read(at)
        if clauses is None:
            return None
        closed = any(word.text.endswith(("deck", "decks")) for word in reading.words[start : at.at])
        # What was read is but the beginning if "in your deck" is still to come, and not in a further statement.
        if not closed and any(place >= at.at for place in reading.deck_places):
            closed = self.inclusion.read(Cursor(reading.words, _past(reading.words, at.at))) is not None
            if not closed:
                return None
        return _Statement(start, at.at, closed=closed, clauses=clauses)

    def _meant(self, statement: _Statement, opening: Sequence[Token]) -> list[Clause] | None:
        """Return the clauses of a statement with their conditions, None where these are not understood."""
        clauses = statement.grant.clauses() if statement.grant else statement.clauses
        when: list[Match] = []
        for words in filter(None, (opening, statement.condition)):
            match = self.conditions.on_leader(words)
            if match is not None:
                when.append(match)
            elif not clauses or (statement.grant and of_play(words)):
                return []  # nothing is said of construction, or it is gained in play
            else:
                return None
        return [replace(clause, when=both(when) or None) for clause in clauses]

    def _left_out(self, reading: _Reading) -> bool:
        """Tell whether something about construction is among the words that no statement took."""
        left = reading.left()
        signs = self._signs(left)
        if of_building(signs):
            return True
        unruly = of_rules(signs) or (reading.ruled and any(word.text not in _LINKS for word in left))
        passing = reading.used or of_play(reading.condition)
        return (unruly and not of_play(left)) or (not passing and of_gains(signs))

    def _signs(self, words: Iterable[Token]) -> str:
        return " ".join(map(self._sign, words))

    def _sign(self, token: Token) -> str:
        if token.kind in ("word", "number", "mark"):
            return "@" if token.text in self.wording.colors else token.text
        test = self.wording.brackets.get(token.kind, "keyword")
        known = test != "keyword" or token.text.casefold().replace("-", " ") in self.wording.keywords
        return "@" if known else "#"


def _named(head: str) -> str:
    return head.strip("[] ").casefold()


def _explains(sentence: Sentence, printed: Iterable[Clause]) -> bool:
    """Tell whether a sentence is a printed keyword's reminder, whose parentheses got lost."""
    named = {token.text.casefold() for token in sentence.tokens if token.kind == "square"}
    reminded = any((clause.keyword or "").casefold() in named for clause in printed)
    return reminded and any(token.text == "include" for token in sentence.tokens)


def _unruled(words: Sequence[Token]) -> tuple[list[Token], bool]:
    """Return the words without "under the rules of this game" and its kin, and whether it was there."""
    kept: list[Token] = []
    at = Cursor(words)
    ruled = False
    while not at.done:
        if at.phrase(_RULED):
            ruled = True
            if kept and kept[-1].text == ",":
                kept.pop()
            elif not kept:
                at.take(",")
        else:
            kept.append(words[at.at])
            at.at += 1
    return kept, ruled


def _past(words: Sequence[Token], at: int) -> int:
    """Return the place after the next link, or the end."""
    while at < len(words) and words[at].text not in _LINKS:
        at += 1
    while at < len(words) and words[at].text in _LINKS:
        at += 1
    return at


def _ends(words: Sequence[Token], statement: _Statement) -> bool:
    """Tell whether a statement ends where it was read to: with the sentence, before a link, or before a
    condition, which it takes."""
    at = Cursor(words, statement.end)
    if at.done or _takes_condition(words, statement):
        return True
    if not at.take(*_LINKS):
        return False
    follows = next((word for word in words[at.at :] if word.text not in _LINKS), None)
    return statement.closed or (follows is not None and follows.kind == "word" and follows.text in _STARTS)


def _takes_condition(words: Sequence[Token], statement: _Statement) -> bool:
    at = Cursor(words, statement.end)
    comma = at.take(",")
    rest = words[at.at :]
    if not at.phrase(OPENING) or (comma and any(word.text == "," for word in rest)):
        return False
    statement.condition, statement.end = rest, len(words)
    return True


def _settle_places(reading: _Reading) -> None:
    """Settle where each gain holds: "is treated as red and gains 《X》 in all areas" shares the place."""
    after: bool | None = None
    for grant in (one.grant for one in reversed(reading.statements) if one.grant):
        if grant.in_deck is None:
            grant.in_deck = True if after is None and reading.ruled else after
        if grant.in_deck is None and not (reading.permanent and reading.timeless):
            grant.in_deck = False
        after = grant.in_deck
