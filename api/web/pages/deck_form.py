"""The deck form: a list, pasted or as a file, and the terms to judge it by, as a browser sends them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from flask import request
from msgspec import UNSET

from api.service.deck_files import OtherFile, detect_other_file
from api.service.decoder import parse_terms
from api.service.errors import Invalid, Wrong
from api.service.requests import RequestedTerms
from api.service.shapes import AskedShape, PolicyShape, load_with
from api.web.services import services
from validator.decklists.encoding import decode_text
from validator.games import GAMES
from validator.language import CODES, Language, phrase
from validator.rulesets import rulesets
from validator.words import format_name

_TERMS = 6  # fields, in the order in which `terms` takes them
_POLICY = PolicyShape()
_OWN_LIST = AskedShape(only=("limits_list",))
_YES_NO = {"true": True, "false": False}
_MOST_DIGITS = 9
_NO_LIST = phrase("Paste a deck list, or choose a file with a deck list.")
_TWICE = phrase("The field was sent more than once. Send the field once.")


class DeckFields(NamedTuple):
    """The fields of the form besides the list, "" for empty fields."""

    ruleset: str = ""
    game: str = ""
    on: str = ""
    region: str = ""
    format: str = ""
    best_of: str = ""
    side_max: str = ""
    copies_across_side: str = ""
    main_min: str = ""
    main_max: str = ""
    copies: str = ""
    limits_list: str = ""

    @property
    def any_filled(self) -> bool:
        """True if any field is filled in."""
        return any(self)

    @property
    def has_terms(self) -> bool:
        """True if any field but the game and the limits list is filled in."""
        return any(self._replace(game="", limits_list=""))

    @property
    def policy(self) -> dict[str, object]:
        """The organiser's decisions, as requests have them."""
        given: dict[str, object] = {name: _number(getattr(self, name)) for name in ("side_max", "main_min", "main_max")}
        given |= {name: _YES_NO.get(getattr(self, name), "") for name in ("copies_across_side", "copies")}
        return {name: value for name, value in given.items() if value != ""}


def _number(text: str) -> object:
    """Return the number that a field has, or its text if it has none."""
    return int(text) if text.isdecimal() and len(text) < _MOST_DIGITS else text


@dataclass(frozen=True, slots=True)
class DeckForm:
    """The form as it was filled in: the list as text, the list as it was sent, and the other fields."""

    text: str
    data: str | bytes
    fields: DeckFields
    instead: OtherFile | None = None  # what a file is that is no list
    repeated: Mapping[str, str] = field(default_factory=dict)  # a fault for each field that was sent more than once

    @classmethod
    def read(cls) -> DeckForm:
        """Return the form in the body or the query of the request. A file is preferred to a pasted list."""
        form, query = request.form, request.args
        repeated = find_repeated(("decklist", *DeckFields._fields))
        fields = DeckFields(*((form.get(name) or query.get(name, "")).strip() for name in DeckFields._fields))
        if (file := request.files.get("file")) and (data := file.read()):
            found = detect_other_file(data)
            return cls("" if found else decode_text(data).text, data, fields, found, repeated)
        text = form.get("decklist") or query.get("decklist", "")
        return cls(text, text, fields, repeated=repeated)

    @property
    def terms(self) -> RequestedTerms:
        """The terms of the form. Raises Invalid, pointing at each field that is wrong."""
        if self.repeated:
            raise Invalid(Wrong(f"/{name}", fault) for name, fault in self.repeated.items())
        if self.instead:
            raise Invalid([Wrong("/file", self.instead.says)])
        if not self.text.strip():
            raise Invalid([Wrong("/decklist", _NO_LIST)])
        fields = self.fields
        asked = parse_terms(*(value or UNSET for value in fields[:_TERMS]))
        if fields.limits_list:
            asked = asked._replace(**load_with(_OWN_LIST, {"limits_list": fields.limits_list.replace("\r\n", "\n")}))
        return asked._replace(policy=load_with(_POLICY, fields.policy)) if fields.policy else asked


class Choices(NamedTuple):
    """The choices of the form, each with its label."""

    games: tuple[tuple[str, str], ...]
    rulesets: tuple[tuple[str, str], ...]
    formats: tuple[tuple[str, str], ...]
    regions: tuple[tuple[str, str], ...]


def choices(translate: Language) -> Choices:
    """Return the choices of all games, with labels in a language."""
    return _choices_without_regions(translate)._replace(regions=region_choices((*GAMES,)[::-1], translate))


def region_choices(games: Iterable[str], translate: Language) -> tuple[tuple[str, str], ...]:
    """Return the regions in the current lists of games, with labels in a language. Later games set the labels."""
    lists = map(services().library.lists, games)
    regions = {region: title for one in lists for region, title in one.listed.regions.items()}
    return tuple((region, translate.template(title)) for region, title in regions.items())


@lru_cache(maxsize=len(CODES))
def _choices_without_regions(translate: Language) -> Choices:
    """Return the choices of all games, with labels in a language."""
    every = rulesets().values()
    return Choices(
        tuple((game.id, game.title) for game in GAMES.values()),
        tuple((one.id, one.title) for one in every),
        tuple({format: format_name(format, translate) for one in every for format in one.formats}.items()),
        (),
    )


def find_repeated(names: Iterable[str]) -> dict[str, str]:
    """Return a fault for each field that the address or the form of the current request has more than once."""
    return {
        name: _TWICE
        for name in names
        if any(sum(bool(value.strip()) for value in sent.getlist(name)) > 1 for sent in (request.args, request.form))
    }
