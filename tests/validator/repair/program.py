"""An integer program that computes the fewest changes of a deck under its Leader.

It is written from the rules and not from the findings, as a second opinion for the repair.
"""

from __future__ import annotations

from collections import defaultdict

import highspy

from validator import Card, Deck, Judge
from validator.deck import DeckFacts
from validator.findings import ERROR
from validator.matching import holds, matches, profile
from validator.rules.card_texts import CardTexts, gained_clauses
from validator.rules.colors import Colors
from validator.rules.copies import ClassLimit, CopyLimit, Keyword, has_keyword
from validator.rules.official_list import InPool, Listed, Pairs
from validator.rules.release import Released
from validator.rules.rotation import Blocks
from validator.rules.size import Size


class Program:
    """The integer program of one deck: variables for the copies of each card, and a constraint for each rule.

    Each `limit_*` method adds the constraints of one kind of rule. `changes` are the terms of the number of changes.
    `gone` are cards that must be removed in any case.
    """

    def __init__(self, judge: Judge, deck: Deck, leader: Card | None) -> None:
        self.judge, self.leader = judge, leader
        self.model = highspy.Highs()
        self.model.setOptionValue("output_flag", False)
        self.types = judge.terms.ruleset.types
        facts = DeckFacts(deck, judge.catalogue, self.types)
        self.held: dict[Card, dict[str, int]] = defaultdict(dict)
        for section, counts in facts.counts.items():
            for card, copies in counts.items():
                self.held[card][section] = copies
        self.gone = sum(lost.line.count for lost in facts.lost)
        for section, size in facts.sizes.items():
            self.gone += size if section not in self.types else 0  # no real deck has cards there that fit elsewhere
        self.sections = [section for section in self.types if section not in ("leader", "don")]
        self.copies = {}
        self.changes: list = []
        for card, held in self.held.items():
            if card is not leader:
                self._add_card(card, held)
        for rule in judge.rules:
            for kind, add_limits in _LIMITS.items():
                if isinstance(rule, kind):
                    add_limits(self, rule)

    def count_fewest(self) -> int:
        """Return the fewest changes that meet all constraints."""
        self.model.minimize(self._sum(self.changes))
        own = self.held.get(self.leader, {})
        led = sum(own.values()) - 1 + (0 if "leader" in own else 1) if own else 0
        return round(self.model.getInfo().objective_function_value) + self.gone + led

    def _sum(self, parts):
        """Return the sum of expressions, the constant 0 if there are none."""
        return self.model.qsum(parts) if parts else self.model.addVariable(0, 0)

    def _add_number(self, most):
        """Return a new variable for a whole number from 0 to `most`."""
        return self.model.addVariable(0, most, type=highspy.HighsVarType.kInteger)

    def _add_card(self, card, copies_by_section):
        """Add the variables of a card's copies in each section, and count those that move or leave as changes."""
        total = sum(copies_by_section.values())
        here = []
        for section in self.sections:
            if card.type in self.types[section]:
                copies, stays = self._add_number(total), self._add_number(copies_by_section.get(section, 0))
                self.model.addConstr(stays <= copies)
                self.copies[card, section] = copies
                self.changes.append(copies - stays)
                here.append(copies)
        out = self._add_number(total)
        self.model.addConstr(self._sum([*here, out]) == total)
        self.changes.append(out)

    def _variables(self, cards, sections):
        """Return the variables of the copies of these cards in these sections."""
        return [self.copies[card, one] for card in cards for one in sections if (card, one) in self.copies]

    def add_limit(self, cards, sections, limit):
        """Require at most `limit` copies of these cards over these sections together."""
        if found := self._variables(cards, sections):
            self.model.addConstr(self._sum(found) <= limit)

    def limit_size(self, rule):
        if rule.section in self.sections:
            missing = self._add_number(rule.minimum)
            total = self._sum([*self._variables(self.held, [rule.section]), missing])
            self.model.addConstr(total >= rule.minimum)
            self.model.addConstr(total <= rule.maximum)
            self.changes.append(missing)

    def limit_copies(self, rule):
        for card in self.held:
            for bound in rule.bounds(card, self.leader):
                if bound.limit is not None:
                    self.add_limit([card], bound.sections, bound.limit)

    def limit_keyword(self, rule):
        cards = [card for card in self.held if has_keyword(card, rule.keyword, self.leader)]
        self.add_limit(cards, rule.sections, rule.limit)

    def limit_class(self, rule):
        for section in rule.sections:
            self.add_limit([card for card in self.held if card.type == rule.type], [section], rule.limit)

    def limit_colors(self, rule):
        foreign = [card for card in self.held if not set(card.colors) <= set(self.leader.colors)]
        self.add_limit(foreign, rule.sections, 0)

    def limit_listed(self, rule):
        for card in self.held:
            found = rule.singles.get(card.number)
            if found and found.severity == ERROR:
                self.add_limit([card], self.sections, found.limit)

    def limit_pairs(self, rule):
        known = {card.number: card for card in self.held}
        for pair in rule.pairs:
            if known.keys() >= set(pair.numbers) and pair.severity == ERROR:
                both = [self._plays_variable(known[number]) for number in pair.numbers]
                self.model.addConstr(self._sum(both) <= 1)

    def _plays_variable(self, card):
        """Return a variable that is 1 if the deck has any copy of a card, else 0."""
        plays = self.model.addVariable(int(card is self.leader), 1, type=highspy.HighsVarType.kInteger)
        for copies in self._variables([card], self.sections):
            self.model.addConstr(copies <= 100_000 * plays)
        return plays

    def limit_barred(self, rule):
        for card in self.held:
            if rule.scope().chooses(card, "main", self.leader):
                self.add_limit([card], self.sections, 0)

    def limit_unreleased(self, rule):
        surely = [
            card
            for card in self.held
            for wait in rule.waits(card)
            if (wait.severity, wait.until > rule.day) == (ERROR, True)
        ]
        for card in surely:
            self.add_limit([card], self.sections, 0)

    def limit_by_clauses(self, rule):
        for clause in self.leader.construction if self.leader else ():
            if clause.kind in ("forbid", "pool") and holds(clause, self.leader):
                meant = [
                    card
                    for card in self.held
                    if matches(clause.match or {}, profile(card, gained_clauses(card, self.leader)))
                ]
                self.add_limit(meant, [clause.section], clause.limit or 0)


_LIMITS = {
    Size: Program.limit_size,
    CopyLimit: Program.limit_copies,
    Keyword: Program.limit_keyword,
    ClassLimit: Program.limit_class,
    Colors: Program.limit_colors,
    Listed: Program.limit_listed,
    Pairs: Program.limit_pairs,
    Blocks: Program.limit_barred,
    InPool: Program.limit_barred,
    Released: Program.limit_unreleased,
    CardTexts: Program.limit_by_clauses,
}
