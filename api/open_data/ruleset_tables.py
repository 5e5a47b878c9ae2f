"""Tables of the editions of the rules, and of what each of them says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from api.open_data.data_table import Row
from api.service.answers import serializers
from api.service.answers.ruleset_answers import days_in_force
from validator.rules import Rule
from validator.rulesets import Ruleset, rulesets

_OF_RULESET = ("game", "id", "title", "document", "inherits", "superseded_by", "sections", "formats", "note")


def rulesets_rows() -> Iterator[Row]:
    """Yield a row for each edition."""
    for one in rulesets().values():
        days = days_in_force(one)
        yield serializers.facts(one, _OF_RULESET) | {"in_force_from": days.first, "in_force_until": days.last}


def rules_rows() -> Iterator[Row]:
    """Yield a row for each rule of each edition, those last that come in where a policy gives a side deck."""
    for ruleset in rulesets().values():
        for rule in ruleset.rules.values():
            yield _rule(ruleset, rule, always=True)
        for rule in ruleset.with_side_deck.values():
            yield _rule(ruleset, rule, always=False)


def _rule(ruleset: Ruleset, rule: Rule, always: bool) -> dict[str, Any]:
    said = serializers.rule(rule)
    return {**said, **said["rule"], "game": ruleset.game, "ruleset": ruleset.id, "always": always}
