"""The contract of all that no other part of it is about: cards, lists, rulesets, data, jobs, the server itself."""

from __future__ import annotations

import pytest

from tests.api.web.contract import PARTS, assert_kept, described

pytestmark = pytest.mark.slow


OTHERS = f"^(?!{'|'.join(PARTS.values())})"  # to exclude the parts would leave out the document itself, too


def test_every_other_operation_answers_as_it_is_documented(app, subtests):
    assert_kept(described(app).include(path_regex=OTHERS), subtests)
