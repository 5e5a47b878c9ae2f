"""The walks of CONTRIBUTING.md: which modules a request goes through, and that it goes in one direction."""

from __future__ import annotations

import pytest

from tests import walks

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DECKPROOF_DATA_DIR", "")  # set back afterwards
        return walks.walks(tmp_path_factory.mktemp("walks"))


def test_the_page_has_them_as_they_are(walked):
    """Where it does not, `make walks` writes them anew."""
    shown = walks.PAGE.read_text("utf-8").partition(walks.BEGIN)[2].partition(walks.END)[0]
    assert shown.splitlines() == walks.page(walked).splitlines()


def test_a_clean_request_goes_straight_through(walked):
    modules = walked["A clean JSON body"].modules
    assert len(modules) <= 16
    assert "api.web.app" not in modules


def test_a_row_of_a_workbook_goes_through_few_of_the_modules_of_its_upload(walked):
    row, upload = (walked[name].modules for name in ("A row of a workbook", "Its upload"))
    assert len(row) <= 26
    assert not set(row) & set(upload)


def test_none_calls_a_layer_above_but_for_what_it_was_handed(walked):
    assert {called for walk in walked.values() for _, called in walk.upward} <= set(walks.HANDED)


def test_every_layer_is_entered(walked):
    entered = {name.split(".")[0] for walk in walked.values() for name in walk.modules}
    assert entered == {"api", "carddb", "validator"}
