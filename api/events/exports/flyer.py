"""Flyers: a page to hang up in a hall, whose code a telephone opens the registration of an event with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Literal

import typst

from api.events.players.attendance import format_time
from api.events.tournament import Tournament
from api.sheets import fonts, qrcode
from api.sheets.layout import PAPERS
from validator.language import Language

FlyerKind = Literal["pdf", "svg", "png"]
FLYERS: Mapping[FlyerKind, str] = {"pdf": "application/pdf", "svg": "image/svg+xml", "png": "image/png"}
_MARGIN = 48  # points
_QUIET = 4  # modules of white around a code
_PPI = 144  # of the picture


def flyer(event: Tournament, root: str, moment: datetime, translate: Language, kind: FlyerKind, paper: str) -> bytes:
    """Return a flyer to hang up in a hall, as a file of the `kind` "pdf", "svg" or "png", on one of PAPERS.

    It has the event, the deadline, and the address of its page as a QR code and as text, with the join code. `root` is
    the address of the server and ends with a slash.
    """
    address = f"{root}events/{event.id}"
    size = PAPERS[paper]
    width = size.width - 2 * _MARGIN
    data = {
        "fonts": fonts.FAMILIES,
        "lang": translate.code,
        "width": size.width,
        "height": size.height,
        "title": translate("Register your deck"),
        "name": fonts.fit_bold_text(event.name, width, 110, 31),
        "about": [event.on.isoformat(), *([event.place] if event.place else [])],
        "code": _code_svg(address),
        "address": fonts.fit_bold_text(address, width, 60, 17),
        "typed": translate("or open {address} and type this code", address=f"{root}events"),
        "word": event.code,
        "says": _deadline(event, moment, translate),
    }
    text = fonts.mark_missing(json.dumps(data, ensure_ascii=False))
    inputs = {"data": text}
    return typst.compile(
        _template(), font_paths=fonts.fonts(), sys_inputs=inputs, format=kind, ppi=_PPI, pdf_tags=False
    )


def _deadline(event: Tournament, moment: datetime, translate: Language) -> str:
    """Return the sentence about the time at which registration opens or closes, or that it is closed.

    "" if it is open without an end.
    """
    if event.opens and moment < event.opens:
        return translate("Registration opens {at}.", at=format_time(event, event.opens, translate))
    if event.closes and event.is_open(moment):
        return translate("Registration closes {at}.", at=format_time(event, event.closes, translate))
    return "" if event.is_open(moment) else translate("Registration is closed. Please see a judge.")


@cache
def _template() -> bytes:
    """Return the typst template of the flyer, which is read from its file once."""
    return (resources.files("api.events.exports") / "flyer.typ").read_bytes()


def _code_svg(address: str) -> str:
    """Return the QR code of an address as SVG, with the white margin that scanners need."""
    modules, path = qrcode.path(address)
    side = modules + 2 * _QUIET
    drawn = f'<path transform="translate({_QUIET} {_QUIET})" fill="none" stroke="#000" stroke-width="1.02" d="{path}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}">{drawn}</svg>'
