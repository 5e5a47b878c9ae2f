"""An integer program for the fewest changes of a deck under its Leader, written from rules and not from findings."""

from __future__ import annotations

from collections import defaultdict

import highspy

from validator import Card, Deck, Judge
from validator.deck import DeckFacts
from validator.findings import ERROR
from validator.matching import holds, matches, profile
from validator.rules.card_pool import InPool
from validator.rules.card_texts import CardTexts, gained_clauses
from validator.rules.classes import ClassLimit
from validator.rules.colors import Colors
from validator.rules.copies import CopyLimit
from validator.rules.keywords import Keyword, has_keyword
from validator.rules.official_list import Listed, Pairs
from validator.rules.release import Released
from validator.rules.rotation import Blocks
from validator.rules.size import Size


class Program:
    """So many copies of each card in each section; what stays, comes and is missing; the fewest changes."""

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
                self._card(card, held)
        for rule in judge.rules:
            for kind, ask in _ASKED.items():
                if isinstance(rule, kind):
                    ask(self, rule)

    def fewest(self) -> int:
        self.model.minimize(self._sum(self.changes))
        own = self.held.get(self.leader, {})
        led = sum(own.values()) - 1 + (0 if "leader" in own else 1) if own else 0
        return round(self.model.getInfo().objective_function_value) + self.gone + led

    def _sum(self, parts):
        return self.model.qsum(parts) if parts else self.model.addVariable(0, 0)

    def _whole(self, most):
        return self.model.addVariable(0, most, type=highspy.HighsVarType.kInteger)

    def _card(self, card, held):
        total = sum(held.values())
        here = []
        for section in self.sections:
            if card.type in self.types[section]:
                copies, stays = self._whole(total), self._whole(held.get(section, 0))
                self.model.addConstr(stays <= copies)
                self.copies[card, section] = copies
                self.changes.append(copies - stays)
                here.append(copies)
        out = self._whole(total)
        self.model.addConstr(self._sum([*here, out]) == total)
        self.changes.append(out)

    def _of(self, cards, sections):
        return [self.copies[card, one] for card in cards for one in sections if (card, one) in self.copies]

    def at_most(self, cards, sections, limit):
        if found := self._of(cards, sections):
            self.model.addConstr(self._sum(found) <= limit)

    def size(self, rule):
        if rule.section in self.sections:
            missing = self._whole(rule.minimum)
            total = self._sum([*self._of(self.held, [rule.section]), missing])
            self.model.addConstr(total >= rule.minimum)
            self.model.addConstr(total <= rule.maximum)
            self.changes.append(missing)

    def copies_of_one(self, rule):
        for card in self.held:
            for bound in rule.bounds(card, self.leader):
                if bound.limit is not None:
                    self.at_most([card], bound.sections, bound.limit)

    def keyword(self, rule):
        cards = [card for card in self.held if has_keyword(card, rule.keyword, self.leader)]
        self.at_most(cards, rule.sections, rule.limit)

    def of_class(self, rule):
        for section in rule.sections:
            self.at_most([card for card in self.held if card.type == rule.type], [section], rule.limit)

    def colors(self, rule):
        foreign = [card for card in self.held if not set(card.colors) <= set(self.leader.colors)]
        self.at_most(foreign, rule.sections, 0)

    def listed(self, rule):
        for card in self.held:
            found = rule.singles.get(card.number)
            if found and found.severity == ERROR:
                self.at_most([card], self.sections, found.limit)

    def pairs(self, rule):
        known = {card.number: card for card in self.held}
        for pair in rule.pairs:
            if pair.a in known and pair.b in known and pair.severity == ERROR:
                both = [self._plays(known[pair.a]), self._plays(known[pair.b])]
                self.model.addConstr(self._sum(both) <= 1)

    def _plays(self, card):
        plays = self.model.addVariable(int(card is self.leader), 1, type=highspy.HighsVarType.kInteger)
        for copies in self._of([card], self.sections):
            self.model.addConstr(copies <= 100_000 * plays)
        return plays

    def barred(self, rule):
        for card in self.held:
            if rule.scope().chooses(card, "main", self.leader):
                self.at_most([card], self.sections, 0)

    def unreleased(self, rule):
        surely = [
            card
            for card in self.held
            for wait in rule.waits(card)
            if (wait.severity, wait.until > rule.day) == (ERROR, True)
        ]
        for card in surely:
            self.at_most([card], self.sections, 0)

    def clauses(self, rule):
        for clause in self.leader.construction if self.leader else ():
            if clause.kind in ("forbid", "pool") and holds(clause, self.leader):
                meant = [
                    card
                    for card in self.held
                    if matches(clause.match or {}, profile(card, gained_clauses(card, self.leader)))
                ]
                self.at_most(meant, [clause.section], clause.limit or 0)


_ASKED = {
    Size: Program.size,
    CopyLimit: Program.copies_of_one,
    Keyword: Program.keyword,
    ClassLimit: Program.of_class,
    Colors: Program.colors,
    Listed: Program.listed,
    Pairs: Program.pairs,
    Blocks: Program.barred,
    InPool: Program.barred,
    Released: Program.unreleased,
    CardTexts: Program.clauses,
}
