"""Rules that a test adds to a ruleset: one that finds nothing, and one that warns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from validator import Citation, Finding, Judge, finding_codes
from validator.findings import WARNING
from validator.rules import Rule, Scope

CITE = Citation("invented", "9")


@dataclass(frozen=True)
class Silent(Rule):
    """A rule of the default scope that finds nothing."""

    def check(self, facts):
        return iter(())


@dataclass(frozen=True)
class Warns(Rule):
    """A rule that warns of every deck that it is checked for, by default of every one."""

    seen: Scope = field(default_factory=Scope)
    severity: str = WARNING

    def scope(self):
        return self.seen

    def check(self, facts):
        yield Finding(finding_codes()["line.unread"], self.cite, None, self.severity)


def with_rule(judge, rule):
    edition = judge.terms.ruleset
    changed = replace(edition, rules={**edition.rules, "added": rule})
    return Judge(replace(judge.terms, ruleset=changed), judge.catalogue)
