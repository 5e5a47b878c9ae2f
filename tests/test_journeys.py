"""The journeys in docs/explanation/architecture.md: each runs from the shell or connection to its end, as measured."""

from __future__ import annotations

import csv
import io
import json
import re
from importlib.util import find_spec

import pytest

from tests import journeys

pytestmark = pytest.mark.slow

PAGE = journeys.PAGE.read_text("utf-8").partition(journeys.BEGIN)[2].partition(journeys.END)[0]
TOLERANCE = 0.1  # of the figures on the page
FEW = 20  # functions: what the server does meanwhile, such as watching its connections, is in a short journey
TABLED = {
    name: tuple(int(figure.replace(",", "")) for figure in figures)
    for name, *figures in re.findall(r"^\| (.*) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", PAGE, re.MULTILINE)
}


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    return journeys.run_journeys(tmp_path_factory.mktemp("journeys"))


def test_the_page_has_every_journey_as_it_is_measured(measured):
    """If not, `make journeys` writes the table."""
    assert list(TABLED) == list(measured)
    for name, journey in measured.items():
        functions, modules, calls = TABLED[name]
        assert journey.functions == pytest.approx(functions, rel=TOLERANCE, abs=FEW), name
        assert len(journey.modules) == pytest.approx(modules, rel=TOLERANCE, abs=5), name
        assert len(journey.calls) == pytest.approx(calls, rel=TOLERANCE, abs=2 * FEW), name


def test_the_page_names_modules_that_exist(measured):
    named = [
        module if module == folder else f"{folder}.{module}"
        for folder, modules in re.findall(r"`([a-z_.]+)` ([a-z_0-9, \n]+)", PAGE)
        for module in re.split(r",\s+", modules.strip())
    ]
    assert len(named) > 5 * len(measured)
    assert [module for module in named if find_spec(module) is None] == []


def test_each_journey_begins_at_the_edge_and_ends_in_what_writes_the_answer(measured):
    commands, requests = list(measured.values())[:3], list(measured.values())[3:]
    for journey in commands:
        beginning = [module for module in journey.modules if not module.startswith("validator.")]  # imported with it
        assert beginning[:3] == ["deckproof.installation", "deckproof.__main__", "api.cli"]
    for journey in requests:
        assert journey.modules[0].startswith("api.web")
    for journey in measured.values():
        judged = max(call.time for call in journey.calls if call.module.startswith("validator."))
        after = {call.module for call in journey.calls if call.time > judged}
        assert any(module.startswith(("api.cli.", "api.web.", "api.workbooks.")) for module in after)


def test_each_journey_ends_with_its_verdict(measured):
    legal, illegal, table, *posted, registered = (journey.output for journey in measured.values())
    assert legal.startswith("LEGAL")
    assert illegal.startswith("NOT LEGAL")
    assert len(re.findall(r"^  \d\. ", illegal, re.MULTILINE)) == 3
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["Player"], row["Legal"], row["Findings"]) == ("Zoro", "yes", "0")
    for answer in map(json.loads, posted):
        assert (answer["legal"], answer["findings"]) == (True, [])
    assert json.loads(registered)["verdict"]["legal"] is True
