"""What is attacked: a server, and the facts that ship among thousands of invented cards."""

from __future__ import annotations

from datetime import date

import pytest

from carddb import facts
from carddb.catalogue import Catalogue
from tests.api.processes import Running
from validator import Card, Judge, Terms, rulesets

_WORDS = ("Red", "Captain", "of", "the", "Sea", "Nami", "x4", "Lantern", "Monkey.D.", "(Special)", "13")


@pytest.fixture(scope="session")
def cards() -> Catalogue:
    """Three thousand invented cards besides those that ship."""
    invented = (
        Card("optcg", f"OP{60 + at // 500}-{at % 500:03}", f"{_WORDS[at % 11]} {_WORDS[at // 11 % 11]} {at}", "Event")
        for at in range(3_000)
    )
    return Catalogue("optcg", "hostile", [*facts.catalogue("optcg"), *invented])


@pytest.fixture(scope="session")
def judge(cards) -> Judge:
    """The judge of these cards."""
    return Judge(Terms(rulesets()["optcg-1.1.9"], date(2026, 11, 1), format="extra"), cards)


@pytest.fixture(scope="module")
def server_folder(tmp_path_factory):
    """Return the folder for the data and the temporary files of the server."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def server(server_folder):
    """Return a server with two workers. It has to end in good order after the attacks."""
    running = Running(server_folder)
    with running.ended():
        yield running
    assert "Traceback" not in running.log.read_text()
