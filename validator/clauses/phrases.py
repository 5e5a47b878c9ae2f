"""Phrases that describe cards ("non-red Battle Cards with energy costs of 3 or less") and amounts, parsed as matches.

A `read_…` method takes the phrase off the cursor and returns its match. It returns None if there is no such phrase, or
if the phrase is ambiguous. Then the cursor does not move, unless the docstring has an exception.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from validator.bounds import MOST_LIST_PARTS
from validator.cards import Match
from validator.clauses.tokens import Cursor, Runs, combine_all, combine_any, negate_match, parse_runs
from validator.clauses.wording import Wording

_ALL = parse_runs("any|all [of] [your/the]|each [of] [your]|every|your|the|a|an|other|either")
_EXCEPT = parse_runs(
    "except [for]|other than|apart/aside from|excluding|besides|but not|not including|with the exception of"
)
_MULTICOLOR = parse_runs("multicolor/multicolored/multicolour/multicoloured|multi - color/colored")
_ONE_COLOR = parse_runs("mono/single - color/colored|monocolor")
_NON = parse_runs("non [-]")
_MONO = parse_runs("mono [-]")
_WITH = parse_runs("with [a/an]")
_OF_COST = parse_runs("with|whose|that have|of")
_ARE = parse_runs("are [also]|is")
_ARE_NOT = parse_runs("aren't|isn't|are/is not")
_HAVE_NOT = parse_runs("don't/doesn't have|do/does not have|lack|lacks")
_HELD = parse_runs("the [special] [trait/traits]|the character name/names")
_PARTS = {
    "trait_part": parse_runs(
        "in their/its/the [special] trait/traits|as [a] part of their/its/the [special] trait/traits"
    ),
    "character_part": parse_runs("in their/its/the character name/names|as part of their/its/the character name/names"),
    "name_part": parse_runs("in their/its/the [card] name/names|as part of their/its/the [card] name/names"),
}
_INCLUDES = "includes/include/contains/contain"
_INCLUDING = {
    "trait_part": parse_runs(f"[special] trait/traits {_INCLUDES}|type/types {_INCLUDES}"),
    "character_part": parse_runs(f"character name/names {_INCLUDES}"),
    "name_part": parse_runs(f"[card] name/names {_INCLUDES}"),
}
_TYPE_PART = parse_runs("with a type including|with types including|with a type that includes")
_CALLED = parse_runs("named|called|with the [card] name/names")
_COST = parse_runs("[a/an] [original/base] [energy] cost/costs")
_COSTING = parse_runs("costing|that/which cost/costs")


class _Adjective(NamedTuple):
    """A property of cards as a match. Lists only join adjectives of one `sort` and with an equal `negative`.

    `sort` is "color", "mono", "multicolor", "bracket" or "type". `negative` is True after "non-". The match of a single
    adjective is not negated even then. That of a whole list is (`_read_adjective_list`).
    """

    sort: str
    match: Match
    negative: bool = False


class _Group(NamedTuple):
    """Cards described by one noun.

    `named` is the match of the adjectives and the noun, `added` that of the words after it. `bare` is True if no
    adjective is before the noun.
    """

    named: Match
    added: Match
    bare: bool


class Phrases:
    """Parser of the phrases about cards in one game's wording. Results are matches, see `combine_all`."""

    def __init__(self, wording: Wording) -> None:
        """Store the wording of the game's card texts, and prepare its nouns for card types."""
        self.wording = wording
        self._types = parse_runs(wording.types)
        self._of_traits = ("type", "types", "trait", "traits") if "trait" in wording.brackets.values() else ()

    def read_cards(self, cursor: Cursor) -> Match | None:
        """Read cards described in any way, joined by "and", "or" or commas, with their exceptions ("other than …").

        The word "cards" by itself gives {}, which matches every card. None, without moving the cursor, if there are no
        cards or the description is ambiguous.
        """
        return cursor.try_read(lambda cursor: self._read_groups(cursor, needs_noun=True))

    def read_description(self, cursor: Cursor) -> Match | None:
        """Read the description of a single card: "red", "a red 《X》", "an <X> or 《Y》 card". A noun is not required.

        None if there is none. After the word "card" by itself the result is None too, and the cursor has moved.
        """
        return cursor.try_read(lambda cursor: self._read_groups(cursor, needs_noun=False)) or None

    def read_exceptions(self, cursor: Cursor, match: Match) -> Match:
        """Read "except for …" or "other than …", and return `match` without these cards.

        Return `match` if there is no exception.
        """
        barred = cursor.try_read(self._read_exception)
        return combine_all([match, {"not": barred}]) if barred else match

    def read_addition(self, cursor: Cursor) -> Match | None:
        """Read one addition after a noun: a cost, "with 《X》", "that don't have …", "that aren't red".

        Return its match. None, without moving the cursor, if there is none.
        """
        return cursor.try_read(self._read_addition)

    def read_bracket(self, cursor: Cursor) -> Match | None:
        """Read a bracketed text: a trait, a character, a name, a part of a trait or a construction keyword.

        None, without moving the cursor, for other brackets or words.
        """
        return cursor.try_read(self._read_bracket)

    def read_parts(self, cursor: Cursor) -> Match | None:
        """Read "character name includes <Y>" and return the match of cards with Y in a name, character or trait.

        Y may be any part of it. None if there is no such phrase. If only the brackets are missing, the cursor has
        moved.
        """
        for test, phrases in _INCLUDING.items():
            if cursor.take_phrase(phrases):
                return _match_parts(test, cursor.read_series(self._read_bracket))
        return None

    def _read_groups(self, cursor: Cursor, needs_noun: bool) -> Match | None:
        """Parse one or more groups of cards with their exceptions, and return the match of the cards in any group.

        None if there is no group, if there are more than `MOST_LIST_PARTS`, or if the list is ambiguous. The cursor may
        have moved then. `needs_noun` is that of `_read_group`.
        """
        groups = cursor.read_series(lambda cursor: self._read_group(cursor, needs_noun))
        if not 0 < len(groups) <= MOST_LIST_PARTS or (len(groups) > 1 and _is_unclear(groups)):
            return None
        return self.read_exceptions(cursor, combine_any(_match_groups(groups)))

    def _read_exception(self, cursor: Cursor) -> Match | None:
        """Parse the exception "other than …" and return the match of its cards. None if there is none.

        A comma may have been taken.
        """
        cursor.take(",")
        return self.read_cards(cursor) if cursor.take_phrase(_EXCEPT) else None

    def _read_group(self, cursor: Cursor, needs_noun: bool) -> _Group | None:
        """Parse the adjectives, the noun and the additions of one group of cards.

        None if they are missing or ambiguous. With `needs_noun`, a noun such as "cards" is required, except after a
        text in brackets. If the result is None, the cursor may have moved.
        """
        cursor.take_phrase(_ALL)
        before = self._read_alternatives(cursor)
        if before is None:
            return None
        noun = self._read_noun(cursor)
        if noun is None and (not before or (needs_noun and before[-1].sort != "bracket")):
            return None
        parts = [combine_any(adjective.match for adjective in before)] if before else []
        trailing = list(iter(lambda: self.read_addition(cursor), None))
        return _Group(combine_all([*parts, noun or {}]), combine_all(trailing), bare=not before)

    def _read_alternatives(self, cursor: Cursor) -> list[_Adjective] | None:
        """Parse alternatives before one noun ("red 《X》 or blue 《Y》"), and return each as one combined adjective.

        Its `sort` is that of the last word of the alternative. Empty if there is no adjective. None if they are
        ambiguous or more than `MOST_LIST_PARTS`. The cursor has moved then.
        """
        found = cursor.read_series(self._read_adjectives)
        if len(found) > MOST_LIST_PARTS or (len(found) > 1 and _is_ambiguous(found)):
            return None
        return [_Adjective(run[-1].sort, combine_all(adjective.match for adjective in run)) for run in found]

    def _read_adjectives(self, cursor: Cursor) -> list[_Adjective] | None:
        """Parse all lists of adjectives before a noun, and return one adjective for each list.

        None if there is none.
        """
        return list(iter(lambda: cursor.try_read(self._read_adjective_list), None)) or None

    def _read_adjective_list(self, cursor: Cursor) -> _Adjective | None:
        """Parse adjectives of one sort, and return them as one: "red", "red or blue", "<A>, <B>, and <C>", "Red/Blue".

        Cards with one of them match. After "both", and for colours with "/", only cards with all of them match. After
        "non-" only cards with none of them match. None if there is none, if there are more than `MOST_LIST_PARTS`, or
        for "non-red or non-blue". The cursor may have moved then.
        """
        every = cursor.take("both")
        first = self._read_adjective(cursor)
        if first is None:
            return None
        more = list(cursor.read_more(lambda cursor: self._read_similar(cursor, first)))
        if len(more) >= MOST_LIST_PARTS:
            return None
        cursor.take(*self._of_traits)
        joints = {joint for joint, _ in more}
        matches = [first.match, *(item.match for _, item in more)]
        if first.negative:
            # "non-red and non-blue" is neither; "non-red or non-blue" may mean that, and may not.
            return None if joints & {"or", "/"} else first._replace(match={"not": combine_any(matches)})
        # A Red/Blue card is red and is blue.
        join = combine_all if every or (joints == {"/"} and first.sort == "color") else combine_any
        return _Adjective(first.sort, join(matches))

    def _read_similar(self, cursor: Cursor, first: _Adjective) -> _Adjective | None:
        """Parse a further adjective of a list.

        None if there is none, or if its sort or negation is not that of `first`. The cursor may have moved then.
        """
        item = self._read_adjective(cursor)
        return item if item and (item.sort, item.negative) == (first.sort, first.negative) else None

    def _read_adjective(self, cursor: Cursor) -> _Adjective | None:
        """Parse one adjective, possibly after "non-". A card type counts as an adjective only after "non-".

        None if there is none. The cursor has moved then if there is only "non-".
        """
        if not cursor.take_phrase(_NON):
            return self._read_quality(cursor)
        quality = self._read_quality(cursor) or self._read_type(cursor)
        return quality._replace(negative=True) if quality else None

    def _read_quality(self, cursor: Cursor) -> _Adjective | None:
        """Parse "multicolor", "mono-color", a colour, "mono-red" or a bracketed text as an adjective.

        None if there is none. After "mono" without a colour, the cursor has moved.
        """
        if cursor.take_phrase(_MULTICOLOR):
            return _Adjective("multicolor", {"multicolor": True})
        if cursor.take_phrase(_ONE_COLOR):
            return _Adjective("multicolor", {"multicolor": False})
        mono = cursor.take_phrase(_MONO)
        if color := cursor.take(*self.wording.colors):
            match: Match = {"color": [self.wording.colors[color]]}
            return _Adjective("mono", {**match, "multicolor": False}) if mono else _Adjective("color", match)
        bracketed = None if mono else self.read_bracket(cursor)
        return _Adjective("bracket", bracketed) if bracketed else None

    def _read_type(self, cursor: Cursor) -> _Adjective | None:
        """Parse a noun for a card type as an adjective. None if there is none."""
        noun = cursor.take_phrase(self._types)
        return _Adjective("type", {"type": list(self.wording.types[noun])}) if noun else None

    def _read_bracket(self, cursor: Cursor) -> Match | None:
        """Parse a bracketed text as a match on a name, a trait, a part of one, a character or a construction keyword.

        None for skills, for other keywords, and without brackets. The cursor may have moved then. A word "skill" after
        a keyword is taken too.
        """
        token = cursor.take_bracket(*self.wording.brackets)
        if token is None or token.text.casefold() in self.wording.skills:
            return None
        test = self.wording.brackets[token.kind]
        if test != "keyword":
            return {test: [token.text]}
        # Card data contains only the construction keywords.
        keyword = self.wording.keywords.get(token.text.casefold().replace("-", " "))
        cursor.take("skill", "skills")
        return {"keyword": [keyword]} if keyword else None

    def _read_noun(self, cursor: Cursor) -> Match | None:
        """Parse "cards", "Battle Cards", "Extras" or "Battle and Extra Cards" as a match on card types.

        {} is cards of any type. None if there is no noun.
        """
        nouns = cursor.read_series(lambda cursor: cursor.take_phrase(self._types))
        if not cursor.take("card", "cards") and not nouns:
            return None
        return {"type": [kind for noun in nouns for kind in self.wording.types[noun]]} if nouns else {}

    def _read_addition(self, cursor: Cursor) -> Match | None:
        """Parse one addition after a noun: a cost, "with …", "that …", "whose …" or "called …". None if there is none.

        An "and" before the addition is taken too, even if the result is None.
        """
        cursor.take("and")
        for reader in (self._read_cost, self._read_with, self._read_that, self._read_whose, self._read_called):
            if match := cursor.try_read(reader):
                return match
        return None

    def _read_cost(self, cursor: Cursor) -> Match | None:
        """Parse "costing 3 or less" or "with a cost of 3" as a match on the cost. None if there is none.

        The cursor may have moved then.
        """
        if cursor.take_phrase(_COSTING):
            return read_costs(cursor)
        cursor.take_phrase(_OF_COST)
        if not cursor.take_phrase(_COST):
            return None
        cursor.take("of", "is", "are")
        return read_costs(cursor)

    def _read_with(self, cursor: Cursor) -> Match | None:
        """Parse "with …", "without …" or "with a type including …" as a match on traits or other brackets of cards.

        "with a type including" takes only the first bracket. None if there is none. The cursor may have moved then.
        """
        if cursor.take("without"):
            return negate_match(self.read_possession(cursor))
        if cursor.take_phrase(_TYPE_PART):
            return _match_parts("trait_part", cursor.read_series(self._read_bracket)[:1])
        return self.read_possession(cursor) if cursor.take_phrase(_WITH) else None

    def _read_that(self, cursor: Cursor) -> Match | None:
        """Parse a relative clause and return its match: "that have …", "that include …", "that are not …".

        None if there is none. The cursor may have moved then.
        """
        if not cursor.take("that", "which"):
            return None
        if cursor.take_phrase(_HAVE_NOT):
            return negate_match(self.read_possession(cursor))
        if cursor.take("have", "has"):
            return self.read_possession(cursor)
        if cursor.take("include", "includes", "contain", "contains"):
            return _require_parts(self.read_possession(cursor))
        if cursor.take_phrase(_ARE_NOT):
            return negate_match(self.read_description(cursor))
        return self.read_description(cursor) if cursor.take_phrase(_ARE) else None

    def read_possession(self, cursor: Cursor) -> Match | None:
        """Read the brackets that a card has, such as traits.

        Several give a match on any of them, after "both" on all of them. Before "as part of their special trait" and
        the like they are parts of a text. Otherwise None if one of them is a name. None if there are no brackets. The
        cursor may have moved then.
        """
        cursor.take_phrase(_HELD)
        every = cursor.take("both")
        had = cursor.read_series(self._read_bracket)
        cursor.take("type", "types")
        for test, phrases in _PARTS.items():
            if cursor.take_phrase(phrases):
                return _match_parts(test, had)
        # A card cannot have another card's name, so these brackets are a skill.
        if not had or any("name" in match for match in had):
            return None
        return combine_all(had) if every else combine_any(had)

    def _read_whose(self, cursor: Cursor) -> Match | None:
        """Parse "whose character name includes <Y>" as a match on a part of a name or a trait. None for other words."""
        return self.read_parts(cursor) if cursor.take("whose") else None

    def _read_called(self, cursor: Cursor) -> Match | None:
        """Parse "called […]" as a match on the name. None if the brackets hold no name.

        The cursor may have moved then.
        """
        named = self.read_bracket(cursor) if cursor.take_phrase(_CALLED) else None
        return named if named and "name" in named else None


def _is_ambiguous(alternatives: list[list[_Adjective]]) -> bool:
    """Return True if it is unclear which alternatives an adjective belongs to: "red 《X》 or blue cards".

    Each alternative is a list of adjectives. It is unclear if any adjective is negative, or if an alternative has more
    adjectives than the next one.
    """
    # "non-red or blue cards": is blue barred too? "red 《X》 or blue cards": are the blue ones 《X》 too?
    return any(adjective.negative for run in alternatives for adjective in run) or any(
        len(run) > len(after) for run, after in pairwise(alternatives)
    )


def _is_unclear(groups: list[_Group]) -> bool:
    """Return True if it is unclear which groups the words after the last noun belong to, or if a group is every card.

    Such a list is "Battle Cards or red Extra Cards with energy costs of 5 or more".
    """
    # "Battle Cards or red Extra Cards with energy costs of 5 or more": which of them is the cost of?
    lone = any(group.bare and not group.added for group in groups[:-1])
    every = any(not group.named and not group.added for group in groups)
    return every or (lone and bool(groups[-1].added) and not groups[-1].bare)


def _match_groups(groups: list[_Group]) -> list[Match]:
    """Return the matches of the groups. Groups without adjectives share the words after the last one.

    "Battle Cards and Extra Cards with a cost of 5 or more" becomes one match.
    """
    *others, last = groups
    if all(group.bare for group in groups) and not any(group.added for group in others):
        return [combine_all([combine_any(group.named for group in groups), last.added])]
    return [combine_all([group.named, group.added]) for group in groups]


def _match_parts(test: str, matches: list[Match]) -> Match | None:
    """Return the match of cards of which a text contains one of the texts in `matches`. None if `matches` is empty.

    `test` is the kind of text, such as "name_part". The kinds in `matches` are ignored.
    """
    return combine_any({test: value} for match in matches for value in match.values()) if matches else None


def _require_parts(match: Match | None) -> Match | None:
    """Return the match if it consists only of tests such as "name_part". None for other matches, {} and None."""
    return match if match and all(test.endswith("_part") for test in match) else None


class Amount(NamedTuple):
    """A range of numbers from `least` to `most`. None is no limit on that side."""

    least: int | None = None
    most: int | None = None

    @property
    def largest_too_small(self) -> int | None:
        """The number below `least`: 3 for "4 or more". None without a lower limit, or with an upper limit."""
        return None if self.least is None or self.most is not None else self.least - 1


_Bound = tuple[Runs, Callable[[int], Amount]]

_BEFORE: tuple[_Bound, ...] = (
    (parse_runs("at least|greater than or equal to|equal to or greater than"), lambda number: Amount(least=number)),
    (
        parse_runs(
            "at most|up to [a] [total] [of]|a [combined] total of up to|a maximum of|no/not more than [a] [total] [of]|"
            "less than or equal to|equal to or less than"
        ),
        lambda number: Amount(most=number),
    ),
    (parse_runs("more/greater/higher than|over|above|exceeding"), lambda number: Amount(least=number + 1)),
    (parse_runs("less/fewer/lower than|under|below"), lambda number: Amount(most=number - 1)),
)
_AFTER: tuple[_Bound, ...] = (
    (parse_runs("or more/greater/higher/above/over|+"), lambda number: Amount(least=number)),
    (parse_runs("or less/fewer/lower/below/under"), lambda number: Amount(most=number)),
)
_ANY = parse_runs("as many|[an] unlimited [number/amount] [of]|any number/amount [of]")
_EXACTLY = parse_runs("exactly|a total of|a")


def read_costs(cursor: Cursor) -> Match | None:
    """Read "3 or less", "2 to 4" or "4, 6 or 7" as a match on the cost. A single number is exact.

    None if there is no cost. The cursor may have moved then. It stays before "or more" behind a list such as "4, 6 or
    more", which does not show if 5 is included.
    """
    first = _read_number(cursor)
    if first is None:
        return None
    amounts = [first]
    if first.least == first.most:
        amounts += [Amount(number, number) for _, number in cursor.read_more(Cursor.take_number)]
    return combine_any(_cost_match(*amount) for amount in amounts)


def _cost_match(least: int | None, most: int | None) -> Match:
    """Return the match on costs from `least` to `most`: {"cost": {"min": 2, "max": 4}}. None is no limit."""
    return {"cost": {key: end for key, end in (("min", least), ("max", most)) if end is not None}}


def read_amount(cursor: Cursor) -> Amount | None:
    """Read the number before the cards: "up to 7", "as many", "more than 3", "5 or more", "1". None if there is none.

    "as many" and "any number of" are an amount without limits. A word "total" after the number is taken too.
    """
    if cursor.take_phrase(_ANY):
        return Amount()
    counted = cursor.try_read(_read_number)
    if counted:
        cursor.take("total")
    return counted


def _read_number(cursor: Cursor) -> Amount | None:
    """Parse a number or a range with the words before and after it. A single number is an exact range.

    None if there is none, or if the range is reversed. The cursor may have moved then.
    """
    if bound := _read_bound(cursor, _BEFORE):
        number = cursor.take_number()
        return None if number is None else bound(number)
    between = cursor.take("between", "from")
    cursor.take_phrase(_EXACTLY)
    least = cursor.take_number()
    if least is None:
        return None
    if bound := _read_bound(cursor, _AFTER):
        return bound(least)
    most = cursor.take_number() if cursor.take("-", "to", *(("and",) if between else ())) else least
    return None if most is None or least > most else Amount(least, most)


def _read_bound(cursor: Cursor, bounds: tuple[_Bound, ...]) -> Callable[[int], Amount] | None:
    """Take one of these phrases, and return the function from a number to its amount. None if there is none.

    `bounds` are pairs of phrases and such a function.
    """
    return next((bound for phrases, bound in bounds if cursor.take_phrase(phrases)), None)
