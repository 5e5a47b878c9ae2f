"""Penalty guides: the infraction that each finding of a verdict is, and where a game's official guide has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from api.events.check_json import InfractionJSON, SourceJSON
from api.events.judging.penalties import INFRACTIONS, Penalty, suggested
from validator.codes import codes
from validator.documents import check_keys, check_kind, load
from validator.errors import DocumentError
from validator.findings import ERROR
from validator.games import GAMES
from validator.judge import Verdict
from validator.language import Language, phrase

_FILE = "infractions.toml"
_NONE = "none"
_WITHOUT_GUIDE = phrase("No official penalty guide of this game is known. The head judge decides.")
_WITH_GUIDE = phrase("The guide suggests this penalty. A judge decides.")


class GuidePlace(NamedTuple):
    """A place in an official penalty guide. `page` is None if it is not known."""

    document: str
    section: str
    page: int | None = None


class Guides(NamedTuple):
    """The infractions by code of a finding, and the sources by game and infraction; a game may have no guide."""

    infractions: Mapping[str, str]
    sources: Mapping[str, Mapping[str, GuidePlace]]


class FoundInfraction(NamedTuple):
    """An infraction that a verdict has. `penalty` is "" and `source` None if the game has no guide."""

    code: str
    infraction: str
    penalty: str
    source: GuidePlace | None

    def as_json(self, say: Language) -> InfractionJSON:
        """Return the infraction as JSON."""
        return {
            "code": self.code,
            "infraction": self.infraction,
            "title": say.of(INFRACTIONS[self.infraction].title),
            "suggested_penalty": self.penalty or None,
            "source": _source_json(self.source) if self.source else None,
            "note": say.of(_WITH_GUIDE if self.source else _WITHOUT_GUIDE),
        }


def _source_json(place: GuidePlace) -> SourceJSON:
    return {"document": place.document, "section": place.section, "page": place.page}


@cache
def guides() -> Guides:
    """Return the guides. Raises DocumentError if a kind of finding or a game has no entry."""
    return load(files(__package__).joinpath(_FILE), parse_guides)


def find_infractions(verdict: Verdict | None, game: str, earlier: Iterable[Penalty] = ()) -> list[FoundInfraction]:
    """Return the infractions of a verdict's errors, each code once; [] without a verdict.

    `earlier` are the player's earlier penalties: a repeat goes up one step.
    """
    found, earlier = guides(), list(earlier)
    errors = (finding.code for finding in verdict.findings if finding.severity == ERROR) if verdict else ()
    listed = [(code, found.infractions[code]) for code in dict.fromkeys(errors) if code in found.infractions]
    return [_found_infraction(code, infraction, found.sources.get(game), earlier) for code, infraction in listed]


def _found_infraction(
    code: str, infraction: str, sources: Mapping[str, GuidePlace] | None, earlier: list[Penalty]
) -> FoundInfraction:
    source = sources[infraction] if sources else None
    return FoundInfraction(code, infraction, suggested(infraction, earlier).penalty if source else "", source)


def parse_guides(document: Mapping[str, Any]) -> Guides:
    """Return the guides in a document. Raises DocumentError with the place if it has a gap or an unknown name."""
    check_keys(document, _FILE, {"without_guide": list, "guides": dict, "findings": dict})
    findings, without = document["findings"], document["without_guide"]
    _check_names("findings", set(findings), set(codes()))
    _check_names("guides, without_guide", {*document["guides"], *without}, set(GAMES))
    infractions = {code: infraction for code, infraction in findings.items() if infraction != _NONE}
    for code, infraction in infractions.items():
        if infraction not in INFRACTIONS:
            raise DocumentError(f"findings, {code}: unknown infraction {infraction!r}; write one of INFRACTIONS")
    used = set(infractions.values())
    sources = {game: _parse_sources(game, guide, used) for game, guide in document["guides"].items()}
    return Guides(infractions, sources)


def _parse_sources(game: str, guide: Any, used: set[str]) -> dict[str, GuidePlace]:
    where = f"guides.{game}"
    check_keys(guide, where, {"document": str, "sections": dict}, {"pages": dict})
    _check_names(f"{where}.sections", set(guide["sections"]), used)
    pages = guide.get("pages", {})
    for infraction, section in guide["sections"].items():
        check_kind(section, f"{where}.sections, {infraction}", str)
    return {
        name: GuidePlace(guide["document"], section, pages.get(name)) for name, section in guide["sections"].items()
    }


def _check_names(where: str, names: set[str], needed: set[str]) -> None:
    """Refuse names that are missing or unknown."""
    if missing := sorted(needed - names):
        raise DocumentError(f"{where}: {missing[0]!r} is missing; write it")
    if unknown := sorted(names - needed):
        raise DocumentError(f"{where}: {unknown[0]!r} is unknown; take it out")
