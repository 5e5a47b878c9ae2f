"""Phrases that name cards ("non-red Battle Cards with energy costs of 3 or less") and numbers of them, read as matches.

A reader takes what it understands off the cursor and returns the match; None means that no such
phrase stands here, and the cursor has not moved. What could be meant in two ways is not understood.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from validator.bounds import MOST_LIST_PARTS
from validator.clauses.tokens import Cursor, Match, Runs, both, either, negated, runs
from validator.clauses.wording import Wording


class Amount(NamedTuple):
    """A number from `least` to `most`; any number, with neither."""

    least: int | None = None
    most: int | None = None

    @property
    def over(self) -> int | None:
        """The number that it is more than, None where it has an upper end."""
        return None if self.least is None or self.most is not None else self.least - 1


_Bound = tuple[Runs, Callable[[int], Amount]]

_BEFORE: tuple[_Bound, ...] = (
    (runs("at least|greater than or equal to|equal to or greater than"), lambda number: Amount(least=number)),
    (
        runs(
            "at most|up to [a] [total] [of]|a [combined] total of up to|a maximum of|no/not more than [a] [total] [of]|"
            "less than or equal to|equal to or less than"
        ),
        lambda number: Amount(most=number),
    ),
    (runs("more/greater/higher than|over|above|exceeding"), lambda number: Amount(least=number + 1)),
    (runs("less/fewer/lower than|under|below"), lambda number: Amount(most=number - 1)),
)
_BEHIND: tuple[_Bound, ...] = (
    (runs("or more/greater/higher/above/over|+"), lambda number: Amount(least=number)),
    (runs("or less/fewer/lower/below/under"), lambda number: Amount(most=number)),
)
_ANY = runs("as many|[an] unlimited [number/amount] [of]|any number/amount [of]")
_EXACTLY = runs("exactly|a total of|a")


def costs(at: Cursor) -> Match | None:
    """Read "3 or less", "2 to 4", "4, 6 or 7" as a match on the cost; a number alone is exact."""
    first = _number(at)
    if first is None:
        return None
    amounts = [first]
    if first.least == first.most:
        amounts += [Amount(number, number) for _, number in at.more(Cursor.number)]
    # "4, 6 or more": is 5 among them?
    if len(amounts) > 1 and _bound(at, _BEHIND):
        return None
    return either(_cost(*amount) for amount in amounts)


def _cost(least: int | None, most: int | None) -> Match:
    return {"cost": {key: end for key, end in (("min", least), ("max", most)) if end is not None}}


def amount(at: Cursor) -> Amount | None:
    """Read "up to 7", "as many", "more than 3", "5 or more", "1" before the cards counted."""
    if at.phrase(_ANY):
        return Amount()
    counted = at.tried(_number)
    if counted:
        at.take("total")
    return counted


def _number(at: Cursor) -> Amount | None:
    if bound := _bound(at, _BEFORE):
        number = at.number()
        return None if number is None else bound(number)
    between = at.take("between", "from")
    at.phrase(_EXACTLY)
    least = at.number()
    if least is None:
        return None
    if bound := _bound(at, _BEHIND):
        return bound(least)
    most = at.number() if at.take("-", "to", *(("and",) if between else ())) else least
    return None if most is None or least > most else Amount(least, most)


def _bound(at: Cursor, bounds: tuple[_Bound, ...]) -> Callable[[int], Amount] | None:
    return next((bound for phrases, bound in bounds if at.phrase(phrases)), None)


_ALL = runs("any|all [of] [your/the]|each [of] [your]|every|your|the|a|an|other|either")
_EXCEPT = runs("except [for]|other than|apart/aside from|excluding|besides|but not|not including|with the exception of")
_MULTICOLOR = runs("multicolor/multicolored/multicolour/multicoloured|multi - color/colored")
_ONE_COLOR = runs("mono/single - color/colored|monocolor")
_NON = runs("non [-]")
_MONO = runs("mono [-]")
_WITH = runs("with [a/an]")
_OF_COST = runs("with|whose|that have|of")
_ARE = runs("are [also]|is")
_ARE_NOT = runs("aren't|isn't|are/is not")
_HAVE_NOT = runs("don't/doesn't have|do/does not have|lack|lacks")
_HELD = runs("the [special] [trait/traits]|the character name/names")
_PARTS = {
    "trait_part": runs("in their/its/the [special] trait/traits|as [a] part of their/its/the [special] trait/traits"),
    "character_part": runs("in their/its/the character name/names|as part of their/its/the character name/names"),
    "name_part": runs("in their/its/the [card] name/names|as part of their/its/the [card] name/names"),
}
_INCLUDES = "includes/include/contains/contain"
_INCLUDING = {
    "trait_part": runs(f"[special] trait/traits {_INCLUDES}|type/types {_INCLUDES}"),
    "character_part": runs(f"character name/names {_INCLUDES}"),
    "name_part": runs(f"[card] name/names {_INCLUDES}"),
}
_TYPE_PART = runs("with a type including|with types including|with a type that includes")
_CALLED = runs("named|called|with the [card] name/names")
_COST = runs("[a/an] [original/base] [energy] cost/costs")
_COSTING = runs("costing|that/which cost/costs")


class _Adjective(NamedTuple):
    """A quality of cards, of a sort that lists keep to; `negative` is "non-"."""

    sort: str
    match: Match
    negative: bool = False


class _Group(NamedTuple):
    """Cards named by one noun, with what the words after it add; `bare` of words before it."""

    named: Match
    added: Match
    bare: bool


class Phrases:
    """The phrases of one game's wording."""

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self._types = runs(wording.types)
        self._of_traits = ("type", "types", "trait", "traits") if "trait" in wording.brackets.values() else ()

    def objects(self, at: Cursor) -> Match | None:
        """Read cards named in any way, several joined by "and", "or" or commas, less those excepted.

        "cards" alone is {}, every card, which is no match by itself.
        """
        return at.tried(lambda at: self._objects(at, needs_noun=True))

    def described(self, at: Cursor) -> Match | None:
        """Read what one card is said to be: "red", "a red 《X》", "an <X> or 《Y》 card"."""
        return at.tried(lambda at: self._objects(at, needs_noun=False)) or None

    def excepted(self, at: Cursor, match: Match) -> Match:
        """Read "except for …" or "other than …" after what it takes from."""
        barred = at.tried(self._exception)
        return both([match, {"not": barred}]) if barred else match

    def after(self, at: Cursor) -> Match | None:
        """Read what follows a noun: a cost, "with 《X》", "that don't have …", "that aren't red"."""
        return at.tried(self._after)

    def bracketed(self, at: Cursor) -> Match | None:
        """Read a trait, a character, a name or a keyword of construction in its brackets."""
        return at.tried(self._bracketed)

    def including(self, at: Cursor) -> Match | None:
        """Read "character name includes <Y>", of which a part is enough."""
        for test, phrases in _INCLUDING.items():
            if at.phrase(phrases):
                return _as_parts(test, at.series(self._bracketed))
        return None

    def _objects(self, at: Cursor, needs_noun: bool) -> Match | None:
        groups = at.series(lambda at: self._named(at, needs_noun))
        if not 0 < len(groups) <= MOST_LIST_PARTS or (len(groups) > 1 and _unclear(groups)):
            return None
        return self.excepted(at, either(_shared(groups)))

    def _exception(self, at: Cursor) -> Match | None:
        at.take(",")
        return self.objects(at) if at.phrase(_EXCEPT) else None

    def _named(self, at: Cursor, needs_noun: bool) -> _Group | None:
        at.phrase(_ALL)
        before = self._alternatives(at)
        if before is None:
            return None
        noun = self._noun(at)
        if noun is None and (not before or (needs_noun and before[-1].sort != "bracket")):
            return None
        parts = [either(adjective.match for adjective in before)] if before else []
        trailing = list(iter(lambda: self.after(at), None))
        return _Group(both([*parts, noun or {}]), both(trailing), bare=not before)

    def _alternatives(self, at: Cursor) -> list[_Adjective] | None:
        """Read alternatives before one noun, each a run of adjectives; None if they are not clear."""
        found = at.series(self._run)
        if len(found) > MOST_LIST_PARTS or (len(found) > 1 and _ambiguous(found)):
            return None
        return [_Adjective(run[-1].sort, both(one.match for one in run)) for run in found]

    def _run(self, at: Cursor) -> list[_Adjective] | None:
        return list(iter(lambda: at.tried(self._listed), None)) or None

    def _listed(self, at: Cursor) -> _Adjective | None:
        """Read adjectives of one sort: "red", "red or blue", "<A>, <B>, and <C>", "Red/Blue"."""
        every = at.take("both")
        first = self._adjective(at)
        if first is None:
            return None
        more = list(at.more(lambda at: self._like(at, first)))
        if len(more) >= MOST_LIST_PARTS:
            return None
        at.take(*self._of_traits)
        joints = {joint for joint, _ in more}
        matches = [first.match, *(item.match for _, item in more)]
        if first.negative:
            # "non-red and non-blue" is neither; "non-red or non-blue" may mean that, and may not.
            return None if joints & {"or", "/"} else first._replace(match={"not": either(matches)})
        # A Red/Blue card is red and is blue.
        join = both if every or (joints == {"/"} and first.sort == "color") else either
        return _Adjective(first.sort, join(matches))

    def _like(self, at: Cursor, first: _Adjective) -> _Adjective | None:
        item = self._adjective(at)
        return item if item and (item.sort, item.negative) == (first.sort, first.negative) else None

    def _adjective(self, at: Cursor) -> _Adjective | None:
        if not at.phrase(_NON):
            return self._quality(at)
        quality = self._quality(at) or self._type(at)
        return quality._replace(negative=True) if quality else None

    def _quality(self, at: Cursor) -> _Adjective | None:
        if at.phrase(_MULTICOLOR):
            return _Adjective("multicolor", {"multicolor": True})
        if at.phrase(_ONE_COLOR):
            return _Adjective("multicolor", {"multicolor": False})
        mono = at.phrase(_MONO)
        if color := at.take(*self.wording.colors):
            match: Match = {"color": [self.wording.colors[color]]}
            return _Adjective("mono", {**match, "multicolor": False}) if mono else _Adjective("color", match)
        bracketed = None if mono else self.bracketed(at)
        return _Adjective("bracket", bracketed) if bracketed else None

    def _type(self, at: Cursor) -> _Adjective | None:
        noun = at.phrase(self._types)
        return _Adjective("type", {"type": list(self.wording.types[noun])}) if noun else None

    def _bracketed(self, at: Cursor) -> Match | None:
        token = at.bracket(*self.wording.brackets)
        if token is None or token.text.casefold() in self.wording.skills:
            return None
        test = self.wording.brackets[token.kind]
        if test != "keyword":
            return {test: [token.text]}
        # Only of the keywords of construction is it known which cards have them.
        keyword = self.wording.keywords.get(token.text.casefold().replace("-", " "))
        at.take("skill", "skills")
        return {"keyword": [keyword]} if keyword else None

    def _noun(self, at: Cursor) -> Match | None:
        """Read "cards", "Battle Cards", "Extras", "Battle and Extra Cards"; {} is cards of any type."""
        nouns = at.series(lambda at: at.phrase(self._types))
        if not at.take("card", "cards") and not nouns:
            return None
        return {"type": [kind for noun in nouns for kind in self.wording.types[noun]]} if nouns else {}

    def _after(self, at: Cursor) -> Match | None:
        at.take("and")
        for reader in (self._costing, self._with, self._that, self._whose, self._called):
            if match := at.tried(reader):
                return match
        return None

    def _costing(self, at: Cursor) -> Match | None:
        if at.phrase(_COSTING):
            return costs(at)
        at.phrase(_OF_COST)
        if not at.phrase(_COST):
            return None
        at.take("of", "is", "are")
        return costs(at)

    def _with(self, at: Cursor) -> Match | None:
        if at.take("without"):
            return negated(self.had(at))
        if at.phrase(_TYPE_PART):
            return _as_parts("trait_part", at.series(self._bracketed)[:1])
        return self.had(at) if at.phrase(_WITH) else None

    def _that(self, at: Cursor) -> Match | None:
        if not at.take("that", "which"):
            return None
        if at.phrase(_HAVE_NOT):
            return negated(self.had(at))
        if at.take("have", "has"):
            return self.had(at)
        if at.take("include", "includes", "contain", "contains"):
            return _only_parts(self.had(at))
        if at.phrase(_ARE_NOT):
            return negated(self.described(at))
        return self.described(at) if at.phrase(_ARE) else None

    def had(self, at: Cursor) -> Match | None:
        """Read what a card has in brackets: whole, or "as part of their special trait"."""
        at.phrase(_HELD)
        every = at.take("both")
        had = at.series(self._bracketed)
        at.take("type", "types")
        for test, phrases in _PARTS.items():
            if at.phrase(phrases):
                return _as_parts(test, had)
        # A card has no other card's name; what stands in such brackets is a skill.
        if not had or any("name" in match for match in had):
            return None
        return both(had) if every else either(had)

    def _whose(self, at: Cursor) -> Match | None:
        return self.including(at) if at.take("whose") else None

    def _called(self, at: Cursor) -> Match | None:
        named = self.bracketed(at) if at.phrase(_CALLED) else None
        return named if named and "name" in named else None


def _ambiguous(alternatives: list[list[_Adjective]]) -> bool:
    # "non-red or blue cards": is blue barred too? "red 《X》 or blue cards": are the blue ones 《X》 too?
    return any(adjective.negative for run in alternatives for adjective in run) or any(
        len(run) > len(after) for run, after in pairwise(alternatives)
    )


def _unclear(groups: list[_Group]) -> bool:
    # "Battle Cards or red Extra Cards with energy costs of 5 or more": which of them is the cost of?
    lone = any(group.bare and not group.added for group in groups[:-1])
    every = any(not group.named and not group.added for group in groups)
    return every or (lone and bool(groups[-1].added) and not groups[-1].bare)


def _shared(groups: list[_Group]) -> list[Match]:
    """Return the matches; "Battle Cards and Extra Cards with energy costs of 5 or more" share the cost."""
    *others, last = groups
    if all(group.bare for group in groups) and not any(group.added for group in others):
        return [both([either(group.named for group in groups), last.added])]
    return [both([group.named, group.added]) for group in groups]


def _as_parts(test: str, named: list[Match]) -> Match | None:
    return either({test: value} for match in named for value in match.values()) if named else None


def _only_parts(match: Match | None) -> Match | None:
    return match if match and all(test.endswith("_part") for test in match) else None
