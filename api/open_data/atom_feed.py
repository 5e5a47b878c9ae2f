"""The Atom feed (RFC 4287) of the record of changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from api.open_data.change_record import RecordedChange, entry_id

MEDIA_TYPE = "application/atom+xml; charset=utf-8"
MOST_ENTRIES = 100
_ATOM = "http://www.w3.org/2005/Atom"
_EMPTY_SINCE = date(1970, 1, 1)


def feed(changes: Sequence[RecordedChange], address: str) -> bytes:
    """Return a feed of changes, those that became known last first, that names itself by its address."""
    newest = sorted(changes, key=lambda one: (one.known, one.id), reverse=True)[:MOST_ENTRIES]
    root = Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _text(root, "id", entry_id(address).urn)
    _text(root, "title", "deckproof: changes of lists, rules, rotations, sets and catalogues")
    _text(root, "updated", _moment(newest[0].known if newest else _EMPTY_SINCE))
    SubElement(root, "link", rel="self", href=address)
    _text(SubElement(root, "author"), "name", "deckproof")
    for one in newest:
        _add(root, one)
    written: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return written


def _add(root: Element, one: RecordedChange) -> None:
    entry = SubElement(root, "entry")
    where = f" ({one.region})" if one.region else ""
    _text(entry, "id", entry_id(one.id).urn)
    _text(entry, "title", f"{one.title}{where}, from {one.day}")
    _text(entry, "updated", _moment(one.known))
    SubElement(entry, "category", term=one.kind)
    SubElement(entry, "category", term=one.game)
    _text(entry, "content", one.about)
    # Atom asks for a link where an entry has no content, and a source may be words.
    if one.source and one.source.startswith("https://") and " " not in one.source:
        SubElement(entry, "link", rel="alternate", href=one.source)


def _text(under: Element, name: str, text: str) -> None:
    SubElement(under, name).text = text


def _moment(day: date) -> str:
    return f"{day}T00:00:00Z"
