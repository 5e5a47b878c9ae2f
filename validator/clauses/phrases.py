"""Phrases that name cards ("non-red Battle Cards with energy costs of 3 or less"), read as matches.

A reader takes what it understands off the cursor and returns the match; None means that no such
phrase stands here, and the cursor has not moved. What could be meant in two ways is not understood.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from validator.clauses.combining import Match
from validator.clauses.combining import both
from validator.clauses.combining import either
from validator.clauses.combining import negated
from validator.clauses.quantities import costs
from validator.clauses.quantities import joined
from validator.clauses.tokens import Cursor
from validator.clauses.tokens import Runs
from validator.clauses.tokens import runs
from validator.clauses.vocabulary import Vocabulary

Found = TypeVar("Found")

_MOST = 12  # parts of one list; the longest on a card has 8


def tried(at: Cursor, reader: Callable[[Cursor], Found | None]) -> Found | None:
    """Read, or stay in place."""
    back = at.at
    found = reader(at)
    if found is None:
        at.at = back
    return found


def _within(starts: str, nouns: str) -> Runs:
    """Spell "as part of their special trait" in every number and person."""
    whose = ("their", "its", "the")
    return runs(f"{start} {one} {noun}" for start in starts.split("|") for one in whose for noun in nouns.split("|"))


_ALL = runs("any|all|all of the|all of your|all your|each|each of your|every|your|the|a|an|other|either")
_EXCEPT = runs(
    "except for|except|other than|apart from|excluding|besides|but not|with the exception of|aside from|not including"
)
_MULTICOLOR = runs("multicolor|multicolored|multicolour|multicoloured|multi - color|multi - colored")
_ONE_COLOR = runs("mono - color|mono - colored|monocolor|single - color|single - colored")
_NON = runs("non -|non")
_MONO = runs("mono -|mono")
_WITH = runs("with a|with an|with")
_OF_COST = runs("with|whose|that have|of")
_ARE = runs("are|is|are also")
_ARE_NOT = runs("aren't|isn't|are not|is not")
_HAVE = runs("have|has")
_HAVE_NOT = runs("don't have|doesn't have|do not have|does not have|lack|lacks")
_HELD = runs("the special trait|the special traits|the character name|the character names|the trait|the")
_PARTS = {
    "trait_part": _within("as part of|as a part of|in|as one of|among", "special trait|special traits|trait|traits"),
    "character_part": _within("in|as part of", "character name|character names"),
    "name_part": _within("in|as part of", "card name|card names|name|names"),
}
_PART_OF = {
    "character name": "character_part",
    "character names": "character_part",
    "card name": "name_part",
    "card names": "name_part",
    "name": "name_part",
    "special trait": "trait_part",
    "special traits": "trait_part",
}
_CALLED = runs("named|called|with the name|with the names|with the card name|with the card names")
_NAMED_PART = runs(_PART_OF)
_TYPE_PART = runs(
    "with a type including|with types including|whose type includes|whose types include|with a type that includes"
)
_COST = runs(
    f"{article}{printed}{energy}{cost}"
    for article in ("", "a ", "an ")
    for printed in ("", "original ", "base ")
    for energy in ("", "energy ")
    for cost in ("cost", "costs")
)
_COSTING = runs("costing|that cost|that costs|which cost")


@dataclass(frozen=True, slots=True)
class _Adjective:
    """A quality of cards, of a sort that lists keep to; `negative` is "non-"."""

    sort: str
    match: Match
    negative: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    """Cards named by one noun, with what the words after it add; `bare` of words before it."""

    named: Match
    added: Match
    bare: bool

    @property
    def match(self) -> Match:
        """The cards meant."""
        return both([self.named, self.added])


class Phrases:
    """The phrases of one game's vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._types = runs(vocabulary.types)

    def objects(self, at: Cursor) -> Match | None:
        """Read cards named in any way, several joined by "and", "or" or commas, less those excepted.

        "cards" alone is {}, every card, which is no match by itself.
        """
        return tried(at, lambda at: self._objects(at, self._group))

    def described(self, at: Cursor) -> Match | None:
        """Read what one card is said to be: "red", "a red 《X》", "an <X> or 《Y》 card"."""
        return tried(at, lambda at: self._objects(at, self._description)) or None

    def excepted(self, at: Cursor, match: Match) -> Match:
        """Read "except for …" or "other than …" after what it takes from."""
        barred = tried(at, self._exception)
        return both([match, {"not": barred}]) if barred else match

    def after(self, at: Cursor) -> Match | None:
        """Read what follows a noun: a cost, "with 《X》", "that don't have …", "that aren't red"."""
        return tried(at, self._after)

    def bracketed(self, at: Cursor) -> Match | None:
        """Read a trait, a character, a name or a keyword of construction in its brackets."""
        return tried(at, self._bracketed)

    def _objects(self, at: Cursor, one: Callable[[Cursor], _Group | None]) -> Match | None:
        first = one(at)
        if first is None:
            return None
        groups = [first]
        while (found := tried(at, lambda at: one(at) if joined(at) else None)) is not None:
            groups.append(found)
            if len(groups) > _MOST:
                return None
        if len(groups) > 1 and _unclear(groups):
            return None
        return self.excepted(at, either(_shared(groups)))

    def _exception(self, at: Cursor) -> Match | None:
        at.take(",")
        return self.objects(at) if at.phrase(_EXCEPT) else None

    def _group(self, at: Cursor) -> _Group | None:
        return self._named(at, needs_noun=True)

    def _description(self, at: Cursor) -> _Group | None:
        return self._named(at, needs_noun=False)

    def _named(self, at: Cursor, needs_noun: bool) -> _Group | None:
        at.phrase(_ALL)
        before = self._alternatives(at)
        if before is None:
            return None
        noun = self._noun(at)
        named = noun is not None or (before and (not needs_noun or before[-1].sort == "bracket"))
        if not named:
            return None
        parts = [either(adjective.match for adjective in before)] if before else []
        parts += [noun] if noun else []
        trailing = list(iter(lambda: self.after(at), None))
        return _Group(both(parts), both(trailing), bare=not before)

    def _alternatives(self, at: Cursor) -> list[_Adjective] | None:
        """Read alternatives before one noun, each a run of adjectives; None if they are not clear."""
        found: list[list[_Adjective]] = []
        run = tried(at, self._run)
        while run and len(found) <= _MOST:
            found.append(run)
            run = tried(at, lambda at: self._run(at) if joined(at) else None)
        if len(found) > 1:
            # "non-red or blue cards": is blue barred too?
            if any(adjective.negative for run in found for adjective in run):
                return None
            # "red 《X》 or blue cards": are the blue ones 《X》 too?
            if any(len(run) > len(after) for run, after in pairwise(found)):
                return None
        return [_Adjective(run[-1].sort, both(one.match for one in run)) for run in found]

    def _run(self, at: Cursor) -> list[_Adjective] | None:
        return list(iter(lambda: tried(at, self._listed), None)) or None

    def _listed(self, at: Cursor) -> _Adjective | None:
        """Read adjectives of one sort: "red", "red or blue", "<A>, <B>, and <C>", "Red/Blue"."""
        every = at.take("both")
        first = self._adjective(at)
        if first is None:
            return None
        items, joints = [first], set[str]()
        while pair := tried(at, lambda at: self._next(at, first)):
            joints.add(pair[0])
            items.append(pair[1])
            if len(items) > _MOST:
                return None
        if "trait" in self.vocabulary.brackets.values():
            at.take("type", "types", "trait", "traits")
        found = [item.match for item in items]
        if not first.negative:
            # A Red/Blue card is red and is blue.
            join = both if every or (joints == {"/"} and first.sort == "color") else either
            return _Adjective(first.sort, join(found))
        # "non-red and non-blue" is neither; "non-red or non-blue" may mean that, and may not.
        return None if joints & {"or", "/"} else _Adjective(first.sort, {"not": either(found)}, negative=True)

    def _next(self, at: Cursor, first: _Adjective) -> tuple[str, _Adjective] | None:
        joint = joined(at)
        item = self._adjective(at) if joint else None
        if joint is None or item is None or (item.sort, item.negative) != (first.sort, first.negative):
            return None
        return joint, item

    def _adjective(self, at: Cursor) -> _Adjective | None:
        if not at.phrase(_NON):
            return self._quality(at)
        found = self._quality(at) or self._type(at)
        return _Adjective(found.sort, found.match, negative=True) if found else None

    def _quality(self, at: Cursor) -> _Adjective | None:
        if at.phrase(_MULTICOLOR):
            return _Adjective("multicolor", {"multicolor": True})
        if at.phrase(_ONE_COLOR):
            return _Adjective("multicolor", {"multicolor": False})
        mono = at.phrase(_MONO)
        color = at.take(*self.vocabulary.colors)
        if color:
            match: Match = {"color": [self.vocabulary.colors[color]]}
            return _Adjective("mono", {**match, "multicolor": False}) if mono else _Adjective("color", match)
        found = None if mono else self.bracketed(at)
        return _Adjective("bracket", found) if found else None

    def _type(self, at: Cursor) -> _Adjective | None:
        noun = at.phrase(self._types)
        return _Adjective("type", {"type": list(self.vocabulary.types[noun])}) if noun else None

    def _bracketed(self, at: Cursor) -> Match | None:
        token = at.bracket(*self.vocabulary.brackets)
        if token is None or token.text.casefold() in self.vocabulary.skills:
            return None
        test = self.vocabulary.brackets[token.kind]
        if test != "keyword":
            return {test: [token.text]}
        # Only of the keywords of construction is it known which cards have them.
        keyword = self.vocabulary.keywords.get(token.text.casefold().replace("-", " "))
        at.take("skill", "skills")
        return {"keyword": [keyword]} if keyword else None

    def _noun(self, at: Cursor) -> Match | None:
        """Read "cards", "Battle Cards", "Extras", "Battle and Extra Cards"; {} is cards of any type."""
        noun = at.phrase(self._types)
        if noun is None:
            return {} if at.take("card", "cards") else None
        types = list(self.vocabulary.types[noun])
        while not at.take("card", "cards") and (other := tried(at, self._other_type)):
            types += self.vocabulary.types[other]
        return {"type": types}

    def _other_type(self, at: Cursor) -> str | None:
        return at.phrase(self._types) if joined(at) else None

    def _after(self, at: Cursor) -> Match | None:
        at.take("and")
        for reader in (self._costing, self._with, self._that, self._whose, self._type_part, self._called):
            if found := tried(at, reader):
                return found
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
            return _not(self.had(at))
        return self.had(at) if at.phrase(_WITH) else None

    def _that(self, at: Cursor) -> Match | None:
        if not at.take("that", "which"):
            return None
        if at.phrase(_HAVE_NOT):
            return _not(self.had(at))
        if at.phrase(_HAVE):
            return self.had(at)
        if at.take("include", "includes", "contain", "contains"):
            return _of_parts(self.had(at))
        if at.phrase(_ARE_NOT):
            return _not(self.described(at))
        return self.described(at) if at.phrase(_ARE) else None

    def had(self, at: Cursor) -> Match | None:
        """Read what a card has in brackets: whole, or "as part of their special trait"."""
        at.phrase(_HELD)
        every = at.take("both")
        first = self.bracketed(at)
        if first is None:
            return None
        had = [first]
        while (found := tried(at, lambda at: self.bracketed(at) if joined(at) else None)) is not None:
            had.append(found)
        at.take("type", "types")
        for test, phrases in _PARTS.items():
            if at.phrase(phrases):
                return either({test: value} for match in had for value in match.values())
        # A card has no other card's name; what stands in such brackets is a skill.
        if any("name" in match for match in had):
            return None
        return both(had) if every else either(had)

    def _whose(self, at: Cursor) -> Match | None:
        part = at.phrase(_NAMED_PART) if at.take("whose") else None
        if not (part and at.take("includes", "include", "contains", "contain")):
            return None
        found = self.bracketed(at)
        return {_PART_OF[part]: next(iter(found.values()))} if found else None

    def _called(self, at: Cursor) -> Match | None:
        found = self.bracketed(at) if at.phrase(_CALLED) else None
        return found if found and "name" in found else None

    def _type_part(self, at: Cursor) -> Match | None:
        quoted = at.bracket("quote") if at.phrase(_TYPE_PART) else None
        return {"trait_part": [quoted.text]} if quoted else None


def _unclear(groups: list[_Group]) -> bool:
    # "Battle Cards or red Extra Cards with energy costs of 5 or more": which of them is the cost of?
    lone = any(group.bare and not group.added for group in groups[:-1])
    return any(not group.match for group in groups) or (lone and bool(groups[-1].added) and not groups[-1].bare)


def _shared(groups: list[_Group]) -> list[Match]:
    """Return the matches; "Battle Cards and Extra Cards with energy costs of 5 or more" share the cost."""
    *others, last = groups
    if all(group.bare for group in groups) and not any(group.added for group in others):
        return [both([either(group.named for group in groups), last.added])]
    return [group.match for group in groups]


def _of_parts(match: Match | None) -> Match | None:
    return match if match and all(test.endswith("_part") for test in match) else None


def _not(match: Match | None) -> Match | None:
    return negated(match) if match else None
