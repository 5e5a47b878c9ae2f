"""The forms of the judge's table, parsed into the arguments of the check desk, and its search for players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from api.events.judging.check_desk import WantedNotes
from api.events.judging.draws import SHARE, WantedDraw
from api.events.judging.table_lists import TablePlayerJSON
from api.events.players.entrant import id_key, name_key
from api.events.tournament import Tournament
from api.service.errors import Invalid, Wrong
from api.service.shapes import Loaded, load_with
from api.web.event_fields import parse_event_fields
from api.web.event_schemas import CheckedBoxShape, DrawShape, NewChecksShape
from validator.language import phrase
from validator.matching import fold_text

BEGUN = ("table", "round", "started")
NOTED = ("table", "round", "outcome", "infraction", "penalty", "reason", "note")
MOST_FOUND = 20  # players that a search shows
_COUNT, _LOOKED, _EXTRA = "count.", "looked.", "extra_"
_MOST_DIGITS = 6
_NEW, _BOX, _DRAW = NewChecksShape(), CheckedBoxShape(), DrawShape()
_NOT_FOUND = phrase("No player, or more than one, is registered as:")

_Form = Mapping[str, str]


class DrawForm(NamedTuple):
    """The form of a draw for deck checks as filled in. `share` is in percent. `standings` has a player on each line.

    A player is written as the id of the registration, the player ID or the name, the best first. `among` is a group of
    AMONG.
    """

    among: str = "not-checked"
    share: str = f"{float(100 * SHARE):g}"
    seed: str = ""
    standings: str = ""

    @classmethod
    def read(cls, form: _Form) -> DrawForm:
        """Return the form with the stripped fields of a submitted form, "" for missing fields."""
        return cls(**{name: form.get(name, "").strip() for name in cls._fields})

    def parse_draw(self, players: Sequence[TablePlayerJSON]) -> WantedDraw:
        """Return the draw for the desk. `players` are those of the event, to find the names in `standings`.

        "10", "10%" and "10,0" are a share of 0.1. Raises Invalid with a pointer to each wrong field.
        """
        try:
            share: object = float(self.share.replace(",", ".").removesuffix("%")) / 100
        except ValueError:
            share = self.share
        data = load_with(_DRAW, {"among": self.among, "share": share, "seed": self.seed})
        return WantedDraw(**data | {"standings": _parse_standings(self.standings, players)})


def _parse_standings(text: str, players: Sequence[TablePlayerJSON]) -> list[str]:
    """Return the registration ids of the players on the lines of a text, in its order. Blank lines are skipped.

    A line has a registration id, a player ID or a name. Raises Invalid with up to 10 lines that match no player, or
    more than one.
    """
    called = _ids_by_name(players)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = [called.get(line) or called.get(id_key(line)) or called.get(name_key(line)) or () for line in lines]
    if lost := [line for line, ids in zip(lines, found, strict=True) if len(ids) != 1]:
        raise Invalid([Wrong("/standings", f"{_NOT_FOUND} {'; '.join(lost[:10])}")])
    return [id for ids in found for id in ids]


def _ids_by_name(players: Sequence[TablePlayerJSON]) -> dict[str, set[str]]:
    """Return the registration ids by everything that identifies a player: registration id, player ID, and name.

    Player IDs and names are normalised. Players may share a key.
    """
    called: dict[str, set[str]] = {}
    for one in players:
        for key in (one["id"], id_key(one["player_id"]), name_key(one["player"])):
            called.setdefault(key, set()).add(one["id"])
    return called


def parse_begin(form: _Form, event: Tournament) -> Loaded:
    """Return the first notes of a deck check: `registration`, and table, round and begin, each only if filled in.

    Raises Invalid with a pointer to each wrong field, also if the form has no registration.
    """
    data = {name: form[name] for name in ("registration", *BEGUN) if form.get(name)}
    return parse_event_fields(load_with(_NEW, {"registration": "", **data}), event)


def parse_notes(form: _Form, event: Tournament, moment: datetime) -> WantedNotes:
    """Return the changes of a deck check in a form. Fields that the form lacks keep their saved values.

    Only `between_games` is always set: False without its box. If the field `clock` is "end", the check ends at `moment`
    (now). With another text in `clock` it goes on. A typed decklist wins over single counts. Raises Invalid with a
    pointer to each wrong field.
    """
    data: dict[str, object] = {name: form[name].strip() for name in NOTED if name in form}
    data |= {name: form[name] or None for name in ("started", "ended") if name in form}
    if "clock" in form:
        data["ended"] = moment.isoformat() if form["clock"] == "end" else None
    data["between_games"] = "between_games" in form
    if "grace" in form:
        data["grace"] = _number(form["grace"])
    if form.get("decklist", "").strip():
        data["decklist"] = form["decklist"]
    elif (tally := parse_tally(form)) is not None:
        data["tally"] = tally
    values = parse_event_fields(load_with(_BOX, data), event)
    return WantedNotes(values, values.pop("tally", None), values.pop("decklist", None))


def parse_tally(form: _Form) -> dict[str, dict[str, object]] | None:
    """Return the counts of a form by section and card, None if the form has no count and marks no section as counted.

    A section marked as counted may be empty. Blank counts are left out. A count that is no number stays a text. A card
    typed in the extra field counts 1 by default.
    """
    tally: dict[str, dict[str, object]] = {name.removeprefix(_LOOKED): {} for name in form if name.startswith(_LOOKED)}
    for name, text in form.items():
        section, dot, card = name.removeprefix(_COUNT).partition(".")
        if name.startswith(_COUNT) and dot and text.strip():
            tally.setdefault(section, {})[card] = _number(text)
    if card := form.get(f"{_EXTRA}card", "").strip():
        tally.setdefault(form.get(f"{_EXTRA}section", ""), {})[card] = _number(form.get(f"{_EXTRA}count", "") or "1")
    return tally or None


def find_form_field(pointer: str) -> str:
    """Return the name of the form field for an error's JSON pointer, such as `count.main.OP01-016`.

    That is for `/tally/main/OP01-016`. For other pointers it is their last part.
    """
    parts = pointer.strip("/").split("/")
    named = [part.replace("~1", "/").replace("~0", "~") for part in parts]
    return _COUNT + ".".join(named[1:]) if named[0] == "tally" else named[-1]


def search_players(players: Iterable[TablePlayerJSON], typed: str) -> list[TablePlayerJSON]:
    """Return the players that match a typed or scanned text.

    A registration id or the hash of a sheet's code, also within a link, finds these players only. Else at most 20
    players are returned with all words in name, player ID and team, without case. Blank text finds none.
    """
    wanted = set(typed.replace("#", "/").replace("?", "/").replace("=", "/").replace("&", "/").split("/"))
    players = list(players)
    if by := [one for one in players if one["id"] in wanted or (one["hash"] and one["hash"] in wanted)]:
        return by
    parts = fold_text(typed).split()
    texts = ((one, fold_text(f"{one['player']} {one['player_id']} {one['team']}")) for one in players)
    return [one for one, text in texts if parts and all(part in text for part in parts)][:MOST_FOUND]


def _number(text: str) -> object:
    """Return the number of a field of at most 6 digits. Other text is returned stripped, for the schema to refuse."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else text
