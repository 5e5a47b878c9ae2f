"""The parser of card texts: texts in, clauses out. Sentences that cannot be parsed become `unread` clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from validator.bounds import LONGEST_QUOTED_TEXT, MOST_STATEMENT_TRIES
from validator.cards import Clause, Match
from validator.clauses.grants import OPENING, Conditions, Grant, Grants
from validator.clauses.inclusion import Inclusion, read_decks
from validator.clauses.phrases import Phrases
from validator.clauses.sentences import (
    Sentence,
    Skill,
    has_hint,
    is_about_building,
    is_about_gains,
    is_about_play,
    is_about_rules,
    list_hints,
    split_skills,
)
from validator.clauses.tokens import Cursor, Token, combine_all, parse_runs
from validator.clauses.wording import Wording

_RULED = parse_runs(
    "under/by the rules|under/by the rules of this game|according to the rules|according to the rules of this game|"
    "during/for deck construction|when/while constructing/building your deck"
)
_THIS_CARD = parse_runs("this card")
_TIMES = ("during", "until", "for", "while", "when", "after")
_LINKS = (",", "and", "but", "then")
# Words that continue a sentence after a statement without an end of its own ("in your deck", "in all areas").
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
    """The result of parsing a range of words, `start` to `end`: clauses, or a gain in `grant`. `end` is not included.

    `closed` is True if the statement ends with words that can only be its end, such as "in your deck". `condition` has
    the words of a condition after the statement.
    """

    start: int
    end: int
    closed: bool
    clauses: Sequence[Clause] = ()
    grant: Grant | None = None
    condition: Sequence[Token] = ()


@dataclass
class _Reading:
    """A sentence while it is parsed: its words, its context, and the statements found.

    `ruled` is True if "under the rules of this game" was in it. `permanent` is True if its skill is always in force.
    `used` is True if its skill is activated, waits for an event in play, or is given to cards by another skill.
    `condition` has the words of a condition that opens it.
    """

    words: Sequence[Token]
    ruled: bool
    permanent: bool
    used: bool
    statements: list[_Statement] = field(default_factory=list)
    condition: Sequence[Token] = ()

    @property
    def is_about_this_card(self) -> bool:
        """True if the sentence begins with "this card" after its condition. Then "and gains …" may be about it."""
        return Cursor(self.words, len(self.condition)).take_phrase(_THIS_CARD) is not None

    @cached_property
    def deck_places(self) -> list[int]:
        """The positions of "in your deck" and similar words in the sentence. Computed once and cached."""
        return [position for position in range(len(self.words)) if read_decks(Cursor(self.words, position))]

    @property
    def is_timeless(self) -> bool:
        """True if no word after the condition is about a time or an occasion, such as "during"."""
        return not any(word.text in _TIMES for word in self.words[len(self.condition) :])

    def unread_words(self) -> list[Token]:
        """Return the words that belong neither to the condition at the beginning nor to a statement."""
        taken = {position for statement in self.statements for position in range(statement.start, statement.end)}
        return [
            word
            for position, word in enumerate(self.words)
            if position >= len(self.condition) and position not in taken
        ]


class CardTextReader:
    """Parser of the card texts of one game. It finds the clauses on deck construction."""

    def __init__(self, wording: Wording) -> None:
        """Prepare the parsers for the wording of a game."""
        self.wording = wording
        self.hints = list_hints(wording.keywords)
        phrases = Phrases(wording)
        self.inclusion = Inclusion(phrases)
        self.grants = Grants(phrases)
        self.conditions = Conditions(phrases)

    def read(self, *faces: str) -> tuple[Clause, ...]:
        """Return the clauses on construction in the texts of a card's faces, in order without duplicates.

        Clauses that differ only in their text are duplicates, except those of kind `unread`.
        """
        clauses: dict[str, Clause] = {}
        for face in faces:
            for skill in split_skills(face) if has_hint(face, self.hints) else ():
                for clause in self._read_skill(skill):
                    key = clause.text if clause.kind == "unread" else repr(replace(clause, text=""))
                    clauses.setdefault(key, clause)
        return tuple(clauses.values())

    def _read_skill(self, skill: Skill) -> Iterator[Clause]:
        """Yield the clauses of one skill: its printed keywords, then those of its sentences.

        Keywords of granted skills, and sentences that only explain a printed keyword, are skipped.
        """
        printed = [] if skill.granted else list(self._printed_keywords(skill.heads))
        yield from printed
        if not has_hint(skill.plain, self.hints):
            return
        for sentence in skill.sentences():
            if has_hint(sentence.plain, self.hints) and not _is_reminder(sentence, printed):
                yield from self._read_sentence(sentence, skill)

    def _printed_keywords(self, heads: Iterable[str]) -> Iterator[Clause]:
        """Yield a clause `keyword` for each construction keyword in the heads of a skill. Other heads are skipped."""
        for head in heads:
            keyword = self.wording.keywords.get(_normalise_head(head).replace("-", " "))
            if keyword:
                yield Clause("keyword", text=head, keyword=keyword)

    def _read_sentence(self, sentence: Sentence, skill: Skill) -> Iterator[Clause]:
        """Yield the clauses of one sentence, and an `unread` clause if a part of it could not be parsed.

        Nothing is yielded for a sentence of a skill used in play, if it is not about construction. A sentence that is
        too long gives only an `unread` clause. So does a sentence of a granted skill that has clauses, because the card
        that gets the skill is not known. The text of an `unread` clause is cut to `LONGEST_QUOTED_TEXT`.
        """
        reading = self._start_reading(sentence, skill)
        too_long = not sentence.tokens
        if reading.used and not too_long and not self._is_about_construction(reading):
            return
        clauses, clear = self._read_clauses(reading)
        if skill.granted:
            # The text does not show which card gets the skill, or if that is before the game.
            clauses, clear = [], not clauses
        yield from (replace(clause, text=sentence.text) for clause in clauses)
        if too_long or not clear or self._has_unread_construction(reading):
            yield Clause("unread", text=sentence.text[:LONGEST_QUOTED_TEXT])

    def _start_reading(self, sentence: Sentence, skill: Skill) -> _Reading:
        """Return the start of a parse of a sentence: its words, without the phrase on the rules, and its context.

        The context is that of its skill: if the skill is permanent, and if it is used in play.
        """
        heads = [_normalise_head(head) for head in skill.heads]
        permanent = "permanent" in heads
        # "[Blocker][Permanent] …" is two skills; "[Permanent][Bond 3] …" is one with a condition.
        own = heads[len(heads) - heads[::-1].index("permanent") :] if permanent else heads
        used = skill.granted or any(self.wording.in_play.match(head) for head in own)
        words, ruled = _strip_rules_phrase(sentence.tokens)
        return _Reading(words, ruled, permanent or not self.wording.marks_permanent, used)

    def _is_about_construction(self, reading: _Reading) -> bool:
        """Return True if a sentence is about the contents of decks, or names the rules of the game.

        The phrase "under the rules of this game" counts, although it is not in the words of `reading`.
        """
        signs = self._sign_words(reading.words)
        return reading.ruled or is_about_building(signs) or is_about_rules(signs)

    def _read_clauses(self, reading: _Reading) -> tuple[list[Clause], bool]:
        """Return `(clauses, is_clear)` of a sentence. `is_clear` is True if all conditions could be parsed.

        The clauses have their conditions. The statements are added to `reading`.
        """
        self._read_statements(reading)
        _settle_places(reading)
        clause_lists = [self._clauses_with_conditions(statement, reading.condition) for statement in reading.statements]
        return [clause for clauses in clause_lists for clause in clauses or ()], None not in clause_lists

    def _read_statements(self, reading: _Reading) -> None:
        """Add all statements of a sentence to `reading`.

        Other words are skipped up to the next comma, "and", "but" or "then". Parsing stops after `MOST_STATEMENT_TRIES`
        positions without a statement.
        """
        position = self._read_opening(reading) if Cursor(reading.words).take_phrase(OPENING) else 0
        tries = 0
        while position < len(reading.words) and tries < MOST_STATEMENT_TRIES:
            statement = self._read_statement(reading, position)
            if statement:
                reading.statements.append(statement)
            tries += not statement
            position = statement.end if statement else _skip_to_next(reading.words, position)

    def _read_opening(self, reading: _Reading) -> int:
        """Store the condition that opens a sentence in `reading`, and return the position after it.

        The condition ends at the comma after a condition on the Leader, else before the first statement. That statement
        is then added to `reading`, and the result is the position after it. Without a statement the condition ends at
        the first comma, or with the sentence.
        """
        words = reading.words
        cursor = Cursor(words)
        if self.conditions.read(cursor) and cursor.take(","):
            reading.condition = words[: cursor.position]
            return cursor.position
        commas = [place + 1 for place, word in enumerate(words) if word.text == ","]
        starts = {place for place, word in enumerate(words) if word.text in ("this", "you", "your")}
        for start in sorted(starts.union(commas))[:MOST_STATEMENT_TRIES]:
            # "If your …": three words at least make a condition.
            if start > 2 and (statement := self._read_statement(reading, start)):
                reading.condition = words[:start]
                reading.statements.append(statement)
                return statement.end
        end = min(commas, default=len(words))
        reading.condition = words[:end]
        return end

    def _read_statement(self, reading: _Reading, start: int) -> _Statement | None:
        """Return the complete statement that begins at the position `start`. None if there is none.

        A condition after the statement is part of it.
        """
        statement = self._read_grant(reading, start) or self._read_inclusion(reading, start)
        return statement if statement and _is_complete(reading.words, statement) else None

    def _read_grant(self, reading: _Reading, start: int) -> _Statement | None:
        """Return the gain that begins at the position `start` as a statement.

        None if there is none or if the skill is used in play.
        """
        cursor = Cursor(reading.words, start)
        grant = (
            None if reading.used else self.grants.read(cursor, of_this_card=start > 0 and reading.is_about_this_card)
        )
        if grant is None:
            return None
        end = _skip_to_next(reading.words, cursor.position) if grant.lasting else cursor.position
        return _Statement(start, end, closed=grant.in_deck is not None, grant=grant)

    def _read_inclusion(self, reading: _Reading, start: int) -> _Statement | None:
        """Return the statement on a deck that begins at the position `start`. None if there is none.

        It is also None if "in your deck" follows later and is not in a further statement: then this one is incomplete.
        """
        cursor = Cursor(reading.words, start)
        clauses = self.inclusion.read(cursor)
        if clauses is None:
            return None
        closed = any(word.text.endswith(("deck", "decks")) for word in reading.words[start : cursor.position])
        # The statement is incomplete if "in your deck" is still to come, and not in a further statement.
        if not closed and any(place >= cursor.position for place in reading.deck_places):
            closed = (
                self.inclusion.read(Cursor(reading.words, _skip_to_next(reading.words, cursor.position))) is not None
            )
            if not closed:
                return None
        return _Statement(start, cursor.position, closed=closed, clauses=clauses)

    def _clauses_with_conditions(self, statement: _Statement, opening: Sequence[Token]) -> list[Clause] | None:
        """Return the clauses of a statement, with its conditions on the Leader in `when`.

        `opening` has the words of the condition that opens the sentence. None if the statement has clauses, but a
        condition cannot be parsed. If that statement is a gain and the condition is about play, the result is empty:
        then it is not about construction.
        """
        clauses = statement.grant.clauses() if statement.grant else statement.clauses
        when: list[Match] = []
        for words in filter(None, (opening, statement.condition)):
            match = self.conditions.parse_leader_condition(words)
            if match is not None:
                when.append(match)
            elif not clauses or (statement.grant and is_about_play(words)):
                return []  # not about construction, or gained in play
            else:
                return None
        return [replace(clause, when=combine_all(when) or None) for clause in clauses]

    def _has_unread_construction(self, reading: _Reading) -> bool:
        """Return True if the words outside the statements are about contents of decks, rules, or gains in the deck.

        After "under the rules of this game" any other word counts as rules, except "and" and the like. Rules beside
        words about play do not count. Gains do not count in skills that are used in play, or after a condition about
        play.
        """
        left = reading.unread_words()
        signs = self._sign_words(left)
        if is_about_building(signs):
            return True
        unruly = is_about_rules(signs) or (reading.ruled and any(word.text not in _LINKS for word in left))
        passing = reading.used or is_about_play(reading.condition)
        return (unruly and not is_about_play(left)) or (not passing and is_about_gains(signs))

    def _sign_words(self, words: Iterable[Token]) -> str:
        """Return the words as one text, in which `_sign_word` replaces brackets and colours.

        It is tested by `is_about_building`.
        """
        return " ".join(map(self._sign_word, words))

    def _sign_word(self, token: Token) -> str:
        """Return the text of a token, or a sign for a colour or a bracket.

        "@" is for a colour, a name, a trait, a character or a construction keyword, "#" for any other bracket.
        """
        if token.kind in ("word", "number", "mark"):
            return "@" if token.text in self.wording.colors else token.text
        test = self.wording.brackets.get(token.kind, "keyword")
        known = test != "keyword" or token.text.casefold().replace("-", " ") in self.wording.keywords
        return "@" if known else "#"


def _normalise_head(head: str) -> str:
    """Return a bracketed head in lower case without its brackets."""
    return head.strip("[] ").casefold()


def _is_reminder(sentence: Sentence, printed: Iterable[Clause]) -> bool:
    """Return True if a sentence only explains one of the `printed` keywords, although it is not in parentheses.

    It has the keyword in square brackets and the word "include".
    """
    named = {token.text.casefold() for token in sentence.tokens if token.kind == "square"}
    reminded = any((clause.keyword or "").casefold() in named for clause in printed)
    return reminded and any(token.text == "include" for token in sentence.tokens)


def _strip_rules_phrase(words: Sequence[Token]) -> tuple[list[Token], bool]:
    """Return `(words, is_ruled)`: the words without "under the rules of this game", and True if it was there.

    A comma before the phrase, or after it at the beginning, is removed too. "during deck construction" is such a
    phrase.
    """
    kept: list[Token] = []
    cursor = Cursor(words)
    ruled = False
    while not cursor.is_done:
        if cursor.take_phrase(_RULED):
            ruled = True
            if kept and kept[-1].text == ",":
                kept.pop()
            elif not kept:
                cursor.take(",")
        else:
            kept.append(words[cursor.position])
            cursor.position += 1
    return kept, ruled


def _skip_to_next(words: Sequence[Token], position: int) -> int:
    """Return the position after the next comma, "and", "but" or "then" from `position` on, and further such words.

    The length of `words` if none follows.
    """
    while position < len(words) and words[position].text not in _LINKS:
        position += 1
    while position < len(words) and words[position].text in _LINKS:
        position += 1
    return position


def _is_complete(words: Sequence[Token], statement: _Statement) -> bool:
    """Return True if a statement is followed by the end, by a condition, or by a comma or "and" and a new statement.

    A new statement is recognised only by its first word. After the comma or "and", any words may follow a statement
    that is `closed`. A condition after the statement is added to `statement`, whose `end` changes.
    """
    cursor = Cursor(words, statement.end)
    if cursor.is_done or _take_condition(words, statement):
        return True
    if not cursor.take(*_LINKS):
        return False
    follows = next((word for word in words[cursor.position :] if word.text not in _LINKS), None)
    return statement.closed or (follows is not None and follows.kind == "word" and follows.text in _STARTS)


def _take_condition(words: Sequence[Token], statement: _Statement) -> bool:
    """Move the words of a condition after a statement into `statement`, which then ends with the sentence.

    Return False, without a change, if there is none. A condition behind a comma must have no other comma.
    """
    cursor = Cursor(words, statement.end)
    comma = cursor.take(",")
    rest = words[cursor.position :]
    if not cursor.take_phrase(OPENING) or (comma and any(word.text == "," for word in rest)):
        return False
    statement.condition, statement.end = rest, len(words)
    return True


def _settle_places(reading: _Reading) -> None:
    """Set `in_deck` of each gain without a place to that of the next gain in the sentence.

    Without a next place, the gain counts in the deck if the sentence names the rules. It does not count there if its
    skill is not permanent or the sentence is about a time. Else its place stays open, None.
    """
    after: bool | None = None
    for grant in (statement.grant for statement in reversed(reading.statements) if statement.grant):
        if grant.in_deck is None:
            grant.in_deck = True if after is None and reading.ruled else after
        if grant.in_deck is None and not (reading.permanent and reading.is_timeless):
            grant.in_deck = False
        after = grant.in_deck
