"""A ruleset: one edition of a game's rules, ready to be compiled into a Judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from validator.errors import PolicyError
from validator.findings import Citation
from validator.rules import Policy, Rule
from validator.rules.size import MatchSideDeck, Sections
from validator.rules.types import Types
from validator.rulesets.opening import Opening


class SwapRule(NamedTuple):
    """What an edition says of swapping with the side deck: where, and whether cards are swapped one for one."""

    cite: Citation
    one_for_one: bool


@dataclass(frozen=True)
class Ruleset:
    """One edition of a game's rules.

    `with_side_deck` are the rules that come in if an organiser's policy, or the length of a match, gives a side deck;
    there are none if the edition has one anyway, or none can be allowed. `note` says what is not sure of the edition;
    `opening` how a game begins.
    """

    id: str
    game: str
    title: str
    document: str
    rules: Mapping[str, Rule]
    with_side_deck: Mapping[str, Rule]
    in_force_from: date | None
    note: str | None
    inherits: str | None
    superseded_by: str | None
    formats: tuple[str, ...]
    swap: SwapRule | None
    opening: Opening | None = None

    @property
    def types(self) -> dict[str, tuple[str, ...]]:
        """The card types that each section takes."""
        return {rule.section: rule.types for rule in self.rules.values() if isinstance(rule, Types)}

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that decks of this edition have."""
        return next(rule.sections for rule in self.rules.values() if isinstance(rule, Sections))

    def under(self, policy: Policy, day: date, best_of: int | None = None) -> Ruleset:
        """Return the ruleset with the sections that it has under a policy, on a day, in matches of `best_of` games.

        A PolicyError says what cannot be had.
        """
        for rule in self.rules.values():
            rule.under(policy)  # raises what does not fit
        if "side" in self.sections:
            return self
        asked = ["side_max"] if policy.side_max else []
        asked += ["copies_across_side"] if policy.copies_across_side is not None else []
        if asked and not self.with_side_deck:
            raise PolicyError(asked[0], f"{self.id} has no side deck, and none can be allowed; leave {asked[0]} out")
        by_match = self.match_side_deck is not None and self.match_side_deck.allows(day, best_of)
        if not (policy.side_max or by_match):
            return self
        is_sure = best_of is not None or policy.side_max is not None
        return self.having_side_deck(*([self.match_side_deck] if is_sure else []))

    @property
    def match_side_deck(self) -> MatchSideDeck | None:
        """The rule that gives a side deck to matches of some length, None if there is none."""
        found = (rule for rule in self.with_side_deck.values() if isinstance(rule, MatchSideDeck))
        return next(found, None)

    def having_side_deck(self, *without: Rule | None) -> Ruleset:
        """Return the ruleset with the side deck that tournaments may allow, without some of its rules."""
        more = {name: rule for name, rule in self.with_side_deck.items() if rule not in without}
        return replace(self, rules={**self.rules, **more}, with_side_deck={})

    def note_on(self, day: date) -> str | None:
        """Return what a verdict on a day must say of the edition: its note, and that its text is of a later date."""
        since = self.in_force_from
        later = f"This text is of {since}, a later date than {day}." if since and day < since else None
        return " ".join(filter(None, (later, self.note))) or None
