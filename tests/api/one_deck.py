"""Every entry point that takes a deck list: each returns the hash of the deck that it understood."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from api.cli import cli
from api.service.errors import Refused
from api.workbooks.intake import book_reader
from carddb import facts
from tests.api.events.conftest import Hall
from tests.api.workbooks.files import xlsx
from validator import Deck, Judge, Line, Terms, decklists
from validator.rulesets import of_game

DAY = date(2026, 10, 25)
HEAD = ["Player", "Player ID", "Deck list"]
REFUSED = "refused"  # an entry point says that it cannot use the list


class Asked(NamedTuple):
    """A deck list as a file and as text, the game it is of, and the event and the client to ask.

    `player` is a name that no other list of the event has.
    """

    path: Path
    text: str
    game: str
    hall: Hall
    player: str

    @property
    def client(self) -> FlaskClient:
        """The client of the application."""
        return self.hall.client


@cache
def _judge(game: str) -> Judge:
    return Judge(Terms(of_game(game, DAY), DAY), facts.catalogue(game))


def _hash(game: str, deck: Deck) -> str:
    """Return the hash of a deck, REFUSED if it has no cards."""
    return _judge(game)(deck).deck_hash if any(deck.lines()) else REFUSED


def _of_json(game: str, sections: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return the hash of a deck as answers carry it."""
    lines = {
        section: tuple(Line(line.get("number"), line["count"], line.get("name")) for line in listed)
        for section, listed in sections.items()
        if isinstance(listed, list)
    }
    return _hash(game, Deck(**lines))


def _run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, arguments, prog_name="deckproof")
    assert done.exit_code in (0, 1, 2), done.output
    return done.exit_code, done.stdout


def check(asked: Asked) -> str:
    """Ask `deckproof check --json`. Of a list with several decks it is the first."""
    code, out = _run("check", str(asked.path), "--game", asked.game, "--on", DAY.isoformat(), "--json")
    return REFUSED if code == 2 else json.loads(out.splitlines()[0])["deck_hash"]


def convert(asked: Asked) -> str:
    """Ask `deckproof convert`, and read what it writes."""
    code, out = _run("convert", str(asked.path), "--game", asked.game, "--to", "json")
    return (
        REFUSED if code == 2 else _hash(asked.game, decklists.parse(out, asked.game, facts.catalogue(asked.game)).deck)
    )


def sheet(asked: Asked) -> str:
    """Ask `deckproof sheet`, and read the sheet."""
    target = asked.path.with_suffix(".sheet.csv")
    code, _ = _run("sheet", str(asked.path), "--game", asked.game, "-o", str(target), "--player", "Nami Cat")
    if code == 2:
        return REFUSED
    rows = csv.DictReader(io.StringIO(target.read_text("utf-8-sig"), newline=""))
    lines = [(row["section"], row) for row in rows if row["count"]]
    sections: dict[str, list[dict[str, Any]]] = {section: [] for section, _ in lines}
    for section, row in lines:
        sections[section].append({"number": row["number"] or None, "name": row["name"], "count": int(row["count"])})
    return _of_json(asked.game, sections)


def validate(asked: Asked) -> str:
    """Ask `POST /v1/validate`."""
    answer = asked.client.post("/v1/validate", json={"game": asked.game, "decklist": asked.text, "on": str(DAY)})
    return _of_json(asked.game, answer.json["deck"]) if answer.status_code == 200 else REFUSED


def parse(asked: Asked) -> str:
    """Ask `POST /v1/decklists/parse`."""
    answer = asked.client.post("/v1/decklists/parse", json={"game": asked.game, "decklist": asked.text})
    return _of_json(asked.game, answer.json["deck"]) if answer.status_code == 200 else REFUSED


def page(asked: Asked) -> str:
    """Ask the check page."""
    answer = asked.client.post("/", data={"game": asked.game, "decklist": asked.text, "on": str(DAY)})
    node = LexborHTMLParser(answer.get_data(as_text=True)).css_first(".facts code")
    return node.text() if node else REFUSED


def _of_book(asked: Asked, data: bytes, name: str) -> str:
    try:
        book = book_reader.read(data, name, asked.game, facts.catalogue(asked.game))
    except Refused:
        return REFUSED
    decks = [entry.deck for entry in book.entries if entry.deck]
    return _hash(asked.game, decks[0]) if len(decks) == 1 else REFUSED


def batch_csv(asked: Asked) -> str:
    """Ask `deckproof batch` by a CSV file with the list in a cell."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows([HEAD, ["Nami Cat", "0077", asked.text]])
    return _of_book(asked, out.getvalue().encode(), "decks.csv")


def batch_xlsx(asked: Asked) -> str:
    """Ask `deckproof batch` by a workbook with the list in a cell."""
    return _of_book(asked, xlsx([HEAD, ["Nami Cat", "0077", asked.text]]), "decks.xlsx")


def registration(asked: Asked) -> str:
    """Register the list at an event."""
    answer = asked.hall.stranger.post("/registrations", {"player": asked.player, "decklist": asked.text})
    return _registered(asked, answer.json) if answer.status_code == 201 else REFUSED


def registrations_import(asked: Asked) -> str:
    """Import a workbook with the list in a cell at an event."""
    rows = [["Player", "Deck list"], [f"Imported {asked.player}", asked.text]]
    file = {"file": (io.BytesIO(xlsx(rows)), "players.xlsx")}
    registered = asked.hall.organiser("POST", "/registrations:import", data=file).json["registered"]
    return _registered(asked, registered[0]) if registered else REFUSED


def _registered(asked: Asked, row: Mapping[str, Any]) -> str:
    deck = asked.hall.visitor(row["key"]).get(f"/registrations/{row['id']}").json["deck"]
    return _of_json(asked.game, deck) if deck else REFUSED


def card_rows(asked: Asked) -> str:
    """Ask `deckproof batch` by the list itself, if the list is a table with a row for each card."""
    return _of_book(asked, asked.text.encode(), "decks.csv")


def differs(found: Mapping[str, str], has_several: bool) -> bool:
    """Return True if entry points understood different decks. One may refuse a list with several decks."""
    return len(set(found.values()) - ({REFUSED} if has_several else set())) > 1


EVERY: Mapping[str, Callable[[Asked], str]] = {
    "check": check,
    "convert": convert,
    "sheet": sheet,
    "/v1/validate": validate,
    "/v1/decklists/parse": parse,
    "/": page,
    "batch CSV": batch_csv,
    "batch XLSX": batch_xlsx,
    "registration": registration,
    "registrations:import": registrations_import,
}
