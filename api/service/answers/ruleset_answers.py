"""Rulesets as JSON, the days on which a ruleset is in force, and its differences from another ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Annotated, NamedTuple, TypedDict

from api.service.answers.json_schema import JSONObject
from api.service.errors import Invalid, Wrong
from validator.errors import UnknownRuleset, error_text
from validator.field_docs import doc
from validator.findings import Citation, CitationJSON
from validator.judge import EditionJSON
from validator.language import ENGLISH, Language, phrase
from validator.rules import KINDS, Policy, Rule
from validator.rules.copies import CopyLimit
from validator.rules.size import Size
from validator.rulesets import Ruleset, find_ruleset, rulesets, successive
from validator.rulesets.ruleset import AMENDED, Amendment, Statement, amendments

_KIND_OF = {kind: word for word, kind in KINDS.items()}


class RuleJSON(TypedDict):
    """A rule of a ruleset as JSON. `name` and `kind` are keys, `says` is the rule in an English sentence."""

    name: str
    kind: str
    says: str
    parameters: Annotated[JSONObject, doc("The values of this kind of rule.")]
    rule: CitationJSON


class RulesetJSON(EditionJSON):
    """A ruleset without its rules, as JSON. `inherits` and `superseded_by` are ids of other rulesets, or null.

    `sections` and `formats` are the names (keys) of those that decks may have under it.
    """

    game: str
    inherits: str | None
    superseded_by: str | None
    sections: Sequence[str]
    formats: Sequence[str]
    policy: Annotated[JSONObject, doc("The choices of an organiser, with their defaults.")]


class OpeningJSON(CitationJSON):
    """A rule about the beginning of a game, as JSON. `says` is the rule in a sentence."""

    fact: Annotated[str, doc(example="redraw")]
    says: str


class WholeRulesetJSON(RulesetJSON):
    """A ruleset with all its rules, those that a side deck adds, and those on the beginning of a game, as JSON."""

    document: Annotated[str, doc("The name of the document in citations.")]
    rules: list[RuleJSON]
    with_side_deck: Annotated[
        list[RuleJSON],
        doc(
            "The further rules if a policy (`side_max`) or the length of a match adds a side deck "
            "that the edition lacks."
        ),
    ]
    opening: Annotated[list[OpeningJSON], doc("The beginning of a game: first hand, redraw, Life, draws, energy.")]


class StatementJSON(TypedDict):
    """A statement of a ruleset in a sentence, with its citation, as JSON."""

    says: str
    rule: CitationJSON


class AmendmentJSON(TypedDict):
    """A statement that differs between two rulesets, as JSON. `before` or `after` is null if that ruleset lacks it.

    `name` is the key by which statements of both are matched.
    """

    name: str
    kind: Annotated[str, doc("`moved`: the same statement under another number.", enum=AMENDED)]
    before: Annotated[StatementJSON | None, doc("The statement of the other edition.")]
    after: Annotated[StatementJSON | None, doc("The statement of this edition.")]


class DifferencesJSON(TypedDict):
    """The differences of a ruleset from the other one with the id `against`, as JSON."""

    ruleset: str
    against: str
    differences: list[AmendmentJSON]


class RulesetsJSON(TypedDict):
    """All rulesets as JSON."""

    rulesets: list[RulesetJSON]


def ruleset_json(ruleset: Ruleset) -> RulesetJSON:
    """Return a ruleset as JSON, without its rules. `provisional` is only present for data from second-hand sources."""
    found: RulesetJSON = {
        "id": ruleset.id,
        "title": ruleset.title,
        "game": ruleset.game,
        "in_force_from": ruleset.in_force_from.isoformat() if ruleset.in_force_from else None,
        "note": ruleset.note,
        "inherits": ruleset.inherits,
        "superseded_by": ruleset.superseded_by,
        "sections": ruleset.sections,
        "formats": ruleset.formats,
        "policy": _policy_choices(ruleset),
    }
    if ruleset.provisional:
        found["provisional"] = ruleset.provisional.as_dict()
    return found


def whole_ruleset_json(ruleset: Ruleset) -> WholeRulesetJSON:
    """Return a ruleset as JSON, with every rule, those that a side deck adds, and those on the beginning of a game.

    The sentences are in English.
    """
    return {
        **ruleset_json(ruleset),
        "document": ruleset.document,
        "rules": [rule_json(rule) for rule in ruleset.rules.values()],
        "with_side_deck": [rule_json(rule) for rule in ruleset.with_side_deck.values()],
        "opening": opening_json(ruleset),
    }


def opening_json(ruleset: Ruleset, translate: Language = ENGLISH) -> list[OpeningJSON]:
    """Return the rules of a ruleset about the beginning of a game, such as first hand and redraw, as JSON.

    Each has a sentence in a language and its citation. Empty if the ruleset has no such rules.
    """
    found = ruleset.opening.facts() if ruleset.opening else ()
    return [{"fact": name, "says": translate.template(fact.says), **fact.cite.as_dict()} for name, fact in found]


def rule_json(rule: Rule) -> RuleJSON:
    """Return a rule as JSON: its name, kind, English sentence, values (`parameters`) and citation.

    A citation among the values is JSON too.
    """
    values = rule.parameters().items()
    return {
        "name": rule.name,
        "kind": _KIND_OF[type(rule)],
        "says": rule.says,
        "parameters": {key: value.as_dict() if isinstance(value, Citation) else value for key, value in values},
        "rule": rule.cite.as_dict(),
    }


def _policy_choices(ruleset: Ruleset) -> JSONObject:
    """Return the choices that an organiser has under a ruleset, as a dict of the names of Policy fields and defaults.

    The deck sizes, and `copies_across_side`, are those of the ruleset. The other defaults are those of Policy. Choices
    about side decks are only present if the ruleset can have one. `side_max` is 0 if only a policy can add it.
    """
    default = Policy()
    choices: JSONObject = {}
    played = ruleset.having_side_deck()
    has_side = "side" in ruleset.sections or ruleset.match_side_deck is not None
    for rule in ruleset.rules.values():
        if isinstance(rule, Size) and rule.section == "main":
            choices |= {"main_min": rule.minimum, "main_max": rule.maximum}
    for rule in played.rules.values() if "side" in played.sections else ():
        if isinstance(rule, Size) and rule.section == "side":
            choices["side_max"] = rule.maximum if has_side else 0
        if isinstance(rule, CopyLimit):
            choices["copies_across_side"] = rule.across
    if ruleset.swap and not ruleset.swap.one_for_one:
        choices["swap_one_for_one"] = default.swap_one_for_one
    return choices | {name: getattr(default, name) for name in ("copies", "release_delay_days", "release", "limits")}


class InForceDays(NamedTuple):
    """The days on which a ruleset is the default of its game, both included. None is an open or unknown end.

    `never`: True if another ruleset supersedes this one. Both days are None then.
    """

    first: date | None
    last: date | None
    never: bool = False


class RulesetComparison(NamedTuple):
    """The differences of a ruleset from the ruleset `against`, which counts as the state before, even if it is later.

    `amendments` are in the order of the ruleset. Those that it lacks come last.
    """

    against: Ruleset
    amendments: list[Amendment]

    def as_json(self, ruleset: str) -> DifferencesJSON:
        """Return the comparison as JSON. `ruleset` is the id of the ruleset that is compared with `against`."""
        return {
            "ruleset": ruleset,
            "against": self.against.id,
            "differences": [
                {
                    "name": amendment.name,
                    "kind": amendment.kind,
                    "before": _statement_json(amendment.before),
                    "after": _statement_json(amendment.after),
                }
                for amendment in self.amendments
            ],
        }


class RulesetAnswer(NamedTuple):
    """A ruleset, the days on which it is the default of its game, the other rulesets of its game, and a comparison.

    `others` lacks the ruleset itself. `comparison` is None if no other ruleset is requested.
    """

    ruleset: Ruleset
    days: InForceDays
    others: list[Ruleset]
    comparison: RulesetComparison | None


def describe_ruleset(ruleset: Ruleset, other_id: str | None = None) -> RulesetAnswer:
    """Return a ruleset with its days, the others of its game, and its comparison with the ruleset `other_id`.

    If `other_id` is None or "" there is no comparison. Raises Invalid if it is not a ruleset of the same game.
    """
    others = [other for other in rulesets().values() if other.game == ruleset.game and other is not ruleset]
    return RulesetAnswer(ruleset, days_in_force(ruleset), others, comparison(ruleset, other_id) if other_id else None)


def comparison(ruleset: Ruleset, other_id: str) -> RulesetComparison:
    """Return the statements that differ between this ruleset and the ruleset `other_id` of its game.

    The other one counts as the state before, even if it is later. Raises Invalid at "/against" if `other_id` is unknown
    or of another game.
    """
    other = _other_edition(ruleset, other_id)
    return RulesetComparison(other, amendments(other, ruleset))


def days_in_force(ruleset: Ruleset) -> InForceDays:
    """Return the days on which a ruleset is the default of its game. None is an open end.

    The last day is the day before the next ruleset of its game comes into force. A ruleset that another one supersedes
    is never the default: `never` is then True and both days are None.
    """
    if ruleset.superseded_by:
        return InForceDays(None, None, never=True)
    next_edition = {edition.id: following for edition, following in pairwise(successive(ruleset.game))}.get(ruleset.id)
    next_day = next_edition.in_force_from if next_edition else None
    return InForceDays(ruleset.in_force_from, next_day - timedelta(days=1) if next_day else None)


def _statement_json(statement: Statement | None) -> StatementJSON | None:
    """Return a statement of a ruleset as JSON: its sentence and its citation. None if `statement` is None."""
    return {"says": statement.says, "rule": statement.cite.as_dict()} if statement else None


def _other_edition(ruleset: Ruleset, edition_id: str) -> Ruleset:
    """Return the ruleset with this id. Raises Invalid at "/against" if there is none, or if its game is another one."""
    try:
        other = find_ruleset(edition_id)
    except UnknownRuleset as error:
        raise Invalid([Wrong("/against", error_text(error))]) from None
    if other.game != ruleset.game:
        message = phrase("{other} belongs to another game than {ruleset}.", other=other.id, ruleset=ruleset.id)
        raise Invalid([Wrong("/against", message)])
    return other
