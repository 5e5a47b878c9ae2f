"""The contract of what decides about decks."""

from __future__ import annotations

import pytest

from tests.api.web.contract import PARTS, assert_kept, described

pytestmark = pytest.mark.slow


def test_every_operation_answers_as_it_is_documented(app, subtests):
    assert_kept(described(app).include(path_regex=PARTS["decks"]), subtests)
