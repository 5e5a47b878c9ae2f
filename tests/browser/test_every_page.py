"""Every page in every setting: it fits, its names are readable by a screen reader, and it keeps its policy."""

from __future__ import annotations

import pytest

from api.web.pages import PAGES
from tests.browser.visitor import DOUBLE, ROOMS

pytestmark = pytest.mark.slow

PATHS = [page.path for page in PAGES]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("setting", ROOMS)
def test_it_is_fit_for_everybody(visits, path, setting):
    visitor = visits(path, setting)
    visitor.assert_fit()
    assert setting != "phone" or visitor.small() == []


@pytest.mark.parametrize("path", PATHS)
def test_text_may_be_twice_as_large(visits, path):
    assert visits(path, "desk", DOUBLE).cut() == []


@pytest.mark.parametrize("path", PATHS)
def test_the_keyboard_comes_to_everything_and_is_seen_to(visits, path):
    names = visits(path).tabs()
    assert names[0] == "Skip to the content"
    assert set(map(str, names)) >= {"deckproof", "Check"}
