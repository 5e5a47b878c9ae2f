"""Penalties: Bandai's ladder and infractions, the penalty suggested after earlier ones, and the log in Bandai's order.

A judge decides. A suggestion is only the penalty that the policy lists for the infraction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from api.events.check_json import GivenPenaltyJSON, InfractionJSON, InfractionKindJSON, SourceJSON, SuggestedJSON
from validator.codes import finding_codes
from validator.documents import Document, check_keys, check_kind, load_document
from validator.errors import DocumentError
from validator.findings import ERROR, Citation
from validator.games import GAMES
from validator.judge import Verdict
from validator.language import Language, phrase

CAUTION, WARNING, GAME_LOSS, MATCH_LOSS = "Caution", "Warning", "Game Loss", "Match Loss"
DISQUALIFICATION, SUSPENSION = "Disqualification", "Suspension"
LADDER = (CAUTION, WARNING, GAME_LOSS, MATCH_LOSS, DISQUALIFICATION, SUSPENSION)
_HIGHEST = LADDER.index(DISQUALIFICATION)  # that is suggested: nobody suspends a player at the table
LOG_ORDER = ("player", "infraction", "penalty", "reason", "judge")  # in which Bandai has penalties recorded

# The manual is Bandai's template for its games; those of ONE PIECE and Dragon Ball Super have the same chapters.
_MANUAL = "Gundam Card Game Tournament Rules Manual (2025-07-10), Bandai's template"
SOURCES: Mapping[str, Citation] = {
    "infractions": Citation(_MANUAL, "7.4.2"),
    "ladder": Citation(_MANUAL, "7.4.1"),
}


class Infraction(NamedTuple):
    """A kind of mistake that players make, with the policy's usual penalty and the fix for the game in progress.

    `key` is its code, such as "late". `most` is the highest penalty for it, "" if that is the usual one. Penalties are
    of LADDER. Texts are in English.
    """

    key: str
    title: str
    penalty: str
    fix: str
    most: str = ""

    def as_json(self) -> InfractionKindJSON:
        """Return the infraction as JSON, with the citation of the rules. A `most` of "" becomes the usual penalty."""
        return {
            "key": self.key,
            "title": self.title,
            "penalty": self.penalty,
            "fix": self.fix,
            "most": self.most or self.penalty,
            "rule": SOURCES["infractions"].as_dict(),
        }


_INFRACTIONS = (
    Infraction(
        "list-incomplete",
        phrase("The list is illegible, incomplete, or without numbers or names, but otherwise legal"),
        WARNING,
        "Complete the list, between rounds if it is found late.",
    ),
    Infraction(
        "wrong-count", phrase("Deck or list has a wrong number of cards"), GAME_LOSS, "Make deck and list valid."
    ),
    Infraction("list-mismatch", phrase("Deck and list differ"), GAME_LOSS, "Make deck and list the same."),
    Infraction(
        "illegal-card",
        phrase("The deck has illegal or unofficial cards"),
        GAME_LOSS,
        "Correct it before the next round.",
    ),
    Infraction("marked-cards", phrase("Cards or sleeves are marked"), WARNING, "Replace them.", most=GAME_LOSS),
    Infraction("insufficient-shuffling", phrase("The deck is not shuffled enough"), WARNING, "A judge shuffles it."),
    Infraction(
        "knowingly-illegal",
        phrase("Knowingly playing on with an illegal deck"),
        DISQUALIFICATION,
        "The head judge decides on cheating.",
    ),
    Infraction("late", phrase("Late by less than 5 minutes"), WARNING, "The match begins."),
    Infraction("late-5", phrase("Late by 5 minutes or more"), GAME_LOSS, "The match begins."),
    Infraction("late-10", phrase("Late by 10 minutes"), MATCH_LOSS, "The match is over."),
)  # fmt: skip
INFRACTIONS: Mapping[str, Infraction] = {one.key: one for one in _INFRACTIONS}


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty that a judge gave to a player at a moment. `registration` is the id of the player's registration.

    `player` and `judge` are names. `infraction` is a key of INFRACTIONS, `penalty` one of LADDER. Raises ValueError for
    another one. `at` is the moment, `reason` the judge's own text. `reason`, `round` and `table` are "" if unknown.
    """

    registration: str
    player: str
    infraction: str
    penalty: str
    reason: str
    judge: str
    at: datetime
    round: str = ""
    table: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError if the penalty is not on the ladder, or the infraction is unknown."""
        if self.penalty not in LADDER:
            raise ValueError(f"A penalty is {', '.join(LADDER)}, not {self.penalty!r}.")
        if self.infraction not in INFRACTIONS:
            raise ValueError(f"An infraction is {', '.join(INFRACTIONS)}, not {self.infraction!r}.")

    @property
    def record(self) -> dict[str, str]:
        """The fields of the penalty log by name, in Bandai's order. The infraction is written as its English title."""
        texts = self.player, INFRACTIONS[self.infraction].title, self.penalty, self.reason, self.judge
        return dict(zip(LOG_ORDER, texts, strict=True))

    @property
    def line(self) -> str:
        """The record on one line: player, title of the infraction, penalty, reason and judge, with " · " between."""
        return " · ".join(self.record.values())

    def as_json(self) -> GivenPenaltyJSON:
        """Return the penalty as JSON, with its line. `infraction` is the key, `at` an ISO moment."""
        return {
            "player": self.player,
            "infraction": self.infraction,
            "penalty": self.penalty,
            "reason": self.reason,
            "judge": self.judge,
            "line": self.line,
            "registration": self.registration,
            "at": self.at.isoformat(),
            "round": self.round,
            "table": self.table,
        }


class SuggestedPenalty(NamedTuple):
    """The policy's penalty for an infraction after earlier ones. `most` is the highest that a judge may give for it.

    `infraction` is a key of INFRACTIONS, `penalty` and `most` are of LADDER. `because` is the reason as an English
    sentence, `fix` the remedy for the game in progress, in English.
    """

    infraction: str
    penalty: str
    most: str
    because: str
    fix: str

    @property
    def needs_head_judge(self) -> bool:
        """Return True if only the head judge may give the penalty: it is higher than a Warning."""
        return LADDER.index(self.penalty) > LADDER.index(WARNING)

    def as_json(self) -> SuggestedJSON:
        """Return the suggestion as JSON, with citations of the rules. `decided` is False: a judge decides."""
        return {
            "infraction": self.infraction,
            "penalty": self.penalty,
            "most": self.most,
            "because": self.because,
            "fix": self.fix,
            "head_judge": self.needs_head_judge,
            "decided": False,
            "rules": [SOURCES[name].as_dict() for name in ("infractions", "ladder")],
        }


def suggest_penalty(infraction: str, earlier: Iterable[Penalty] = ()) -> SuggestedPenalty:
    """Return the penalty for one of INFRACTIONS after a player's earlier penalties, which may be of any infraction.

    Only those for the same infraction count. After them it is one step above the highest of them, but at least the
    usual penalty and at most a Disqualification. Raises ValueError if the infraction is unknown.
    """
    if infraction not in INFRACTIONS:
        raise ValueError(f"An infraction is {', '.join(INFRACTIONS)}, not {infraction!r}.")
    kind = INFRACTIONS[infraction]
    before = [one for one in earlier if one.infraction == infraction]
    raised = (min(LADDER.index(one.penalty) + 1, _HIGHEST) for one in before)
    step = max((LADDER.index(kind.penalty), *raised))
    most = LADDER[max(step, LADDER.index(kind.most or kind.penalty))]
    return SuggestedPenalty(infraction, LADDER[step], most, _reason_text(kind, before), kind.fix)


def loses_a_game(penalty: str) -> bool:
    """Return True if a penalty is a Game Loss or higher on LADDER: the table then gets no extra time.

    False for "" and for a text that is no penalty.
    """
    return penalty in LADDER and LADDER.index(penalty) >= LADDER.index(GAME_LOSS)


def _reason_text(kind: Infraction, before: Sequence[Penalty]) -> str:
    """Return the reason for a suggested penalty in English. `kind` is the infraction.

    `before` are the earlier penalties for the same infraction, which are listed if there are any.
    """
    if not before:
        return f"{kind.title}: {kind.penalty}."
    given = ", ".join(one.penalty for one in before)
    return f"{kind.title}: {kind.penalty}; given before: {given}, and a repeat goes up one step."


_FILE = "infractions.toml"
_NONE = "none"
_WITHOUT_GUIDE = phrase("No official penalty guide of this game is known. The head judge decides.")
_WITH_GUIDE = phrase("The guide suggests this penalty. A judge decides.")


class Guides(NamedTuple):
    """The infractions of findings, and the places of infractions in the games' penalty guides.

    `infractions` has keys of INFRACTIONS by the code of a finding, without codes that are no infraction. `sources` is
    by the game's id and then by infraction, only for those in `infractions`. Games that have no guide are left out.
    """

    infractions: Mapping[str, str]
    sources: Mapping[str, Mapping[str, SourceJSON]]


class FoundInfraction(NamedTuple):
    """An infraction that a finding of a verdict is. `code` is that of the finding, `infraction` a key of INFRACTIONS.

    `penalty` is the suggested one. It is "", and `source` is None, if the game has no guide.
    """

    code: str
    infraction: str
    penalty: str
    source: SourceJSON | None

    def as_json(self, translate: Language) -> InfractionJSON:
        """Return the infraction as JSON with its title, and with a sentence about who decides.

        `suggested_penalty` and `source` are None without a guide.
        """
        return {
            "code": self.code,
            "infraction": self.infraction,
            "title": translate.text(INFRACTIONS[self.infraction].title),
            "suggested_penalty": self.penalty or None,
            "source": self.source,
            "note": translate.text(_WITH_GUIDE if self.source else _WITHOUT_GUIDE),
        }


@cache
def guides() -> Guides:
    """Return the infractions of findings and the penalty guides, which are read from a file once.

    Raises DocumentError if the file has a gap, an unknown name or a value of a wrong type.
    """
    return load_document(files(__package__).joinpath(_FILE), parse_guides)


def find_infractions(verdict: Verdict | None, game: str, earlier: Iterable[Penalty] = ()) -> list[FoundInfraction]:
    """Return the infractions of a verdict's errors, one for each code of a finding, in the order of the findings.

    Warnings and codes that are no infraction are left out. Empty without a verdict. `earlier` are the player's earlier
    penalties: a repeat of the same infraction may raise the suggested one. Without a guide of the `game` (its id) no
    penalty is suggested.
    """
    found, earlier = guides(), list(earlier)
    errors = (finding.code for finding in verdict.findings if finding.severity == ERROR) if verdict else ()
    listed = [(code, found.infractions[code]) for code in dict.fromkeys(errors) if code in found.infractions]
    return [_found_infraction(code, infraction, found.sources.get(game), earlier) for code, infraction in listed]


def _found_infraction(
    code: str, infraction: str, sources: Mapping[str, SourceJSON] | None, earlier: list[Penalty]
) -> FoundInfraction:
    """Return the infraction of a finding. `code` is that of the finding, `infraction` a key of INFRACTIONS.

    `sources` are the places in the game's guide by infraction, None without a guide. Only with a guide there is a
    suggested penalty. `earlier` are the player's earlier penalties.
    """
    source = sources[infraction] if sources else None
    return FoundInfraction(code, infraction, suggest_penalty(infraction, earlier).penalty if source else "", source)


def parse_guides(document: Document) -> Guides:
    """Return the guides in a parsed document.

    Raises DocumentError with the place if it has a gap, an unknown name or a value of a wrong type.
    """
    check_keys(document, _FILE, {"without_guide": list, "guides": dict, "findings": dict})
    findings, without = document["findings"], document["without_guide"]
    _check_names("findings", set(findings), set(finding_codes()))
    _check_names("guides, without_guide", {*document["guides"], *without}, set(GAMES))
    infractions = {code: infraction for code, infraction in findings.items() if infraction != _NONE}
    for code, infraction in infractions.items():
        if infraction not in INFRACTIONS:
            raise DocumentError(f"findings, {code}: unknown infraction {infraction!r}; write one of INFRACTIONS")
    used = set(infractions.values())
    sources = {game: _parse_sources(game, guide, used) for game, guide in document["guides"].items()}
    return Guides(infractions, sources)


def _parse_sources(game: str, guide: Any, used: set[str]) -> dict[str, SourceJSON]:
    """Return the place in a game's penalty guide by infraction. `used` are exactly the infractions that it must have.

    `page` is None if `pages` lacks the infraction. Raises DocumentError if an infraction is missing or unknown, or if
    the document, a section or a table has the wrong type. Page numbers are not checked.
    """
    where = f"guides.{game}"
    check_keys(guide, where, {"document": str, "sections": dict}, {"pages": dict})
    _check_names(f"{where}.sections", set(guide["sections"]), used)
    pages = guide.get("pages", {})
    for infraction, section in guide["sections"].items():
        check_kind(section, f"{where}.sections, {infraction}", str)
    return {
        name: {"document": guide["document"], "section": section, "page": pages.get(name)}
        for name, section in guide["sections"].items()
    }


def _check_names(location: str, names: set[str], needed: set[str]) -> None:
    """Raise DocumentError if `names` are not exactly the `needed` ones.

    The first missing or unknown name is in the message, after `location`, the place in the file.
    """
    if missing := sorted(needed - names):
        raise DocumentError(f"{location}: {missing[0]!r} is missing; write it")
    if unknown := sorted(names - needed):
        raise DocumentError(f"{location}: {unknown[0]!r} is unknown; take it out")
