"""Walks: the modules that a request goes through, in the order in which it enters them.

They stand in CONTRIBUTING.md; `python -m tests.walks` writes them. A walk goes in one direction: no module calls one
of a layer above its own, as the layers are in pyproject.toml, but for what it was handed (`HANDED`). What is entered
late and above is entered after a return. A row of a workbook goes through the modules that are entered again with
each row more, its upload through all others: what is looked at to tell the shape of a table does not grow with it.
A clean JSON body is given to the ASGI application, which answers it itself. The walks of other HTTP requests begin
where the ASGI application calls Flask in another thread.
"""

from __future__ import annotations

import json
import os
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby, islice, permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from click.testing import CliRunner
from flask.testing import FlaskClient

from api.cli import cli
from api.service.settings import Settings
from api.service.shapes import example_deck
from api.web.app import create_app
from api.web.asgi import Application
from tests.api.web.asgi_client import ask
from tests.carddb import replay

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- walks -->\n", "<!-- /walks -->"
HANDED = {
    "carddb.catalogue": "the cards, which the validator asks and does not know the home of",
    "api.workbooks.column_roles.header": "the words of a table's columns, by which the validator reads any table",
    "api.web.v1.workbooks": "the work that a process of its own does",
    "api.service.judges": "what is forgotten when there are newer cards",
}
_PACKAGES = ("validator", "carddb", "api")
_DECK = "4 OP01-016 Nami"
_ROWS, _MORE = 60, 10  # more than the rows of a table that are looked at to tell what it is
_LEGAL = example_deck() | {"main": [*example_deck()["main"][:-1], {"number": "OP04-016", "count": 2}]}
_JSON = {"game": "optcg", "on": "2026-11-01", "deck": _LEGAL}
_WRONG = {"game": "optcg", "deck": {"main": [{"number": "OP01-016", "count": 0}]}}
_LAYERS = [
    contract["layers"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    if contract["type"] == "layers"
]


class Walk(NamedTuple):
    """How often a request entered which modules, in order of first entry, and what called a layer above its own."""

    entered: Counter[str]
    upward: set[tuple[str, str]]

    @property
    def modules(self) -> list[str]:
        """The modules."""
        return list(self.entered)

    def shown(self) -> str:
        """Return the modules by room, as the page has them."""
        rooms = groupby(self.modules, lambda name: name.rpartition(".")[0] or name)
        return " → ".join(f"`{room}` {', '.join(name.rpartition('.')[2] for name in names)}" for room, names in rooms)


def walks(folder: Path) -> dict[str, Walk]:
    """Return the walk of each kind of request, once all is warm."""
    os.environ["DECKPROOF_DATA_DIR"] = str(folder)
    app = create_app(Settings(data_dir=folder))
    client, server = app.test_client(), Application(app)
    few, many = (_traced(_upload(client, rows)) for rows in (_ROWS, _ROWS + _MORE))
    # The official page leaves three cards for the requests after it.
    walked = {name: _traced(call) for name, call in _requests(server, client, folder)}
    again = {name for name, times in many.entered.items() if times - few.entered[name] >= _MORE}
    for name, is_again in (("A row of a workbook", True), ("Its upload", False)):
        entered = {module: times for module, times in many.entered.items() if (module in again) is is_again}
        walked[name] = many._replace(entered=Counter(entered))
    return walked


def page(walks: dict[str, Walk]) -> str:
    """Return the part of the page that has the walks."""
    told = (f"**{name}** ({len(walk.modules)} modules): {walk.shown()}" for name, walk in walks.items())
    return "\n\n".join(textwrap.fill(one, 130, break_on_hyphens=False) for one in told) + "\n"


def _requests(server: Application, client: FlaskClient, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    runner = CliRunner()
    text, saved = folder / "deck.txt", folder / "page.html"
    text.write_text(_DECK)
    saved.write_text(replay.onepiece_pack("569101", replay.onepiece_cards("OP01", 3), ["569101"]), "utf-8")

    def command(*words: object, exits: int) -> Callable[[], object]:
        def run() -> None:
            assert runner.invoke(cli, [str(word) for word in words]).exit_code == exits

        return run

    def request(path: str, status: int, **body: Any) -> Callable[[], object]:
        def send() -> None:
            assert client.post(path, **body).status_code == status

        return send

    def ask_server() -> None:
        json_type = (b"content-type", b"application/json")
        assert ask(server, "POST", "/v1/validate", json.dumps(_JSON).encode(), [json_type]).status == 200

    yield "The text of `check`", command("check", text, exits=1)
    yield "A clean JSON body", ask_server
    yield "A wrong JSON body", request("/v1/validate", 422, json=_WRONG)
    yield "An official page", command("cards", "import", saved, "--game", "optcg", exits=0)
    yield "A sheet", request("/v1/sheets?as=csv", 200, data=json.dumps(_JSON | {"player": "Last, First"}),
                             content_type="application/json")  # fmt: skip


def _upload(client: FlaskClient, rows: int) -> Callable[[], object]:
    """Return the upload of a table of so many players, of whom no two have their list in the same order."""
    leader, *main = (f"{line['count']} {line['number']}" for section in _LEGAL.values() for line in section)
    orders = islice(permutations(main), rows)
    table = "".join(f'Zoro {at},"{chr(10).join((leader, *order))}"\n' for at, order in enumerate(orders))
    data = f"Player,Decklist\n{table}".encode()

    def send() -> None:
        sent = client.post("/v1/workbooks?game=optcg&as=csv", data=data, content_type="text/csv")
        assert sent.status_code == 200

    return send


def _traced(call: Callable[[], object]) -> Walk:
    """Return the shortest of a few walks: every few seconds one also looks whether there are newer cards."""
    call()
    return min((_once(call) for _ in range(3)), key=lambda walk: (len(walk.entered), walk.entered.total()))


def _once(call: Callable[[], object]) -> Walk:
    entered: Counter[str] = Counter()
    upward: set[tuple[str, str]] = set()

    def enter(frame: Any, event: str, _: object) -> None:
        if event != "call" or not _is_ours(frame):
            return
        name, caller = frame.f_globals["__name__"], frame.f_back
        entered[name] += 1
        while caller and not _is_ours(caller):
            caller = caller.f_back
        if caller and _is_above(name, caller.f_globals["__name__"]):
            upward.add((caller.f_globals["__name__"], name))

    sys.setprofile(enter)
    try:
        call()
    finally:
        sys.setprofile(None)
    return Walk(entered, upward)


def _is_ours(frame: Any) -> bool:
    return frame.f_globals.get("__name__", "").startswith(_PACKAGES) and frame.f_code.co_name != "<module>"


@cache  # of a few hundred pairs, asked at each of a hundred thousand calls
def _is_above(one: str, other: str) -> bool:
    """Whether a module is of a layer above that of another."""
    for layers in _LAYERS:
        mine, its = (next((at for at, room in enumerate(layers) if f"{name}.".startswith(f"{room}.")), None)
                     for name in (one, other))  # fmt: skip
        if mine is not None and its is not None and mine < its:
            return True
    return False


def main() -> None:
    """Write the walks as they are into the page."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a look at the cards may still be under way
        written = page(walks(Path(folder)))
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + written + END + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main()
