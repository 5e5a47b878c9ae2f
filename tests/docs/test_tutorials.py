"""The tutorials: every shell block runs as a reader would run it, with the examples that ship."""

from __future__ import annotations

import pytest

from tests.docs.guides import pages, run_page

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("page", pages("tutorials"))
def test_every_block_of_a_tutorial_works(page, tmp_path):
    run_page(page, tmp_path)
