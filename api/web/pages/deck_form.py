"""The deck form: a list, pasted or as a file, and the terms to judge it by, as a browser sends them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from flask import request
from msgspec import UNSET

from api.service.decoder import parse_terms
from api.service.errors import Invalid, Wrong
from api.service.other_files import OtherFile, detect_other_file
from api.service.requests import RequestedTerms
from api.service.shapes import OrganiserTermsShape, PolicyShape, load_with
from api.web.services import services
from validator.decklists.encoding import decode_text
from validator.games import GAMES
from validator.language import CODES, Language, phrase
from validator.rulesets import rulesets
from validator.words import format_name

_TERMS = 6  # fields, in the order in which `terms` takes them
_POLICY = PolicyShape()
_OWN_LIST = OrganiserTermsShape(only=("limits_list",))
PLAIN_TEXT = "text"  # the format of lists that anybody reads
YES_NO = {"true": True, "false": False}  # the bools of a field, by its text
_MOST_DIGITS = 8
_NO_LIST = phrase("Paste a deck list, or choose a file with a deck list.")
_TWICE = phrase("The field was sent more than once. Send the field once.")


class DeckFields(NamedTuple):
    """The text fields of the deck form besides the list: terms, policy and an own limits list. "" if empty.

    The texts are stripped but not validated. `copies_across_side` and `copies` are "true" or "false" if filled in.
    """

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
        """True if any field except the game and the own limits list is filled in."""
        return any(self._replace(game="", limits_list=""))

    @property
    def policy(self) -> dict[str, object]:
        """The organiser's policy as a request's `policy` has it, for PolicyShape. Empty fields are left out.

        Numbers and bools are converted. Other text of a number stays for PolicyShape to refuse. Other text of a bool is
        ignored.
        """
        values: dict[str, object] = {
            name: _number(getattr(self, name)) for name in ("side_max", "main_min", "main_max")
        }
        values |= {name: YES_NO.get(getattr(self, name), "") for name in ("copies_across_side", "copies")}
        return {name: value for name, value in values.items() if value != ""}


def _number(text: str) -> object:
    """Return the number in a field of at most 8 digits. Any other text is returned unchanged."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else text


@dataclass(frozen=True, slots=True)
class DeckForm:
    """A submitted deck form. `text` is the list as text, `data` the list as sent: the bytes of a file, else the text.

    `instead` is set if the file is no list, such as a picture. Then `text` is "". `repeated`: an error by each field
    that was sent more than once.
    """

    text: str
    data: str | bytes
    fields: DeckFields
    instead: OtherFile | None = None  # what a file is that is no list
    repeated: Mapping[str, str] = field(default_factory=dict)  # a fault for each field that was sent more than once

    @classmethod
    def read(cls) -> DeckForm:
        """Return the deck form in the current request. Its fields are in the form, else in the query.

        An uploaded file that is not empty wins over a pasted list. Nothing is validated here.
        """
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
        """The terms to judge by, with the own limits list and the policy of the form.

        Raises Invalid with a pointer to each wrong field: a field sent twice, a file that is no list, no list, or wrong
        terms.
        """
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
    """The options of a form's select fields, each as pairs `(value, label)`."""

    games: tuple[tuple[str, str], ...]
    rulesets: tuple[tuple[str, str], ...]
    formats: tuple[tuple[str, str], ...]
    regions: tuple[tuple[str, str], ...]


def choices(translate: Language) -> Choices:
    """Return the options of the deck form for all games, with labels in a language.

    The regions are those of the current limits lists.
    """
    return _choices_without_regions(translate)._replace(regions=region_choices((*GAMES,)[::-1], translate))


def region_choices(games: Iterable[str], translate: Language) -> tuple[tuple[str, str], ...]:
    """Return the regions in the current limits lists of games as pairs `(region, label)`, each once.

    If several games have a region, the label of the last one is used.
    """
    lists = map(services().library.lists, games)
    regions = {region: title for one in lists for region, title in one.listed.regions.items()}
    return tuple((region, translate.template(title)) for region, title in regions.items())


@lru_cache(maxsize=len(CODES))
def _choices_without_regions(translate: Language) -> Choices:
    """Return the options of the deck form for all games, with labels in a language. `regions` is empty. Cached."""
    every = rulesets().values()
    return Choices(
        tuple((game.id, game.title) for game in GAMES.values()),
        tuple((one.id, one.title) for one in every),
        tuple({format: format_name(format, translate) for one in every for format in one.formats}.items()),
        (),
    )


def find_repeated(names: Iterable[str]) -> dict[str, str]:
    """Return an error message by each of the fields `names` that the current request has more than once.

    Query and form are counted separately, and blank values are not counted.
    """
    return {
        name: _TWICE
        for name in names
        if any(sum(bool(value.strip()) for value in sent.getlist(name)) > 1 for sent in (request.args, request.form))
    }
