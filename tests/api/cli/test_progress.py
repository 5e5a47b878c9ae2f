"""Progress bars of commands."""

from __future__ import annotations

from api.cli.progress import part_bars


def test_a_part_without_work_counts_as_done():
    with part_bars(2) as parts:
        next(parts)(0, 0)
        next(parts)(1, 1)
