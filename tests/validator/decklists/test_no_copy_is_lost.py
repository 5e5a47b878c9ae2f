"""No copy that a list has is lost silently, none is counted twice, and none gets into another section.

`python -m tests.validator.decklists.test_no_copy_is_lost 20000` reads as many lists and shows the failures.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.validator.decklists.copy_audit import audit
from tests.validator.decklists.deck_writer import SHAPES, write_list
from tests.validator.decklists.drawn_decks import GAMES


@pytest.mark.parametrize("shape", SHAPES)
@given(seed=st.integers(0, 2**32 - 1), game=st.sampled_from(GAMES))
def test_every_copy_is_in_the_deck_or_reported(shape, seed, game):
    written = write_list(seed, shape, game)
    assert audit(written) == [], written.text


def main(lists: int, start: int, shapes: list[str]) -> int:
    """Read lists of all shapes and games, print the first failures of each shape, and return the exit code."""
    failed: Counter[str] = Counter()
    read: Counter[str] = Counter()
    begun = time.monotonic()
    for seed in range(start, start + lists):
        chance = Random(seed)
        shape, game = chance.choice(shapes), chance.choice(GAMES)
        read[shape] += 1
        written = write_list(seed, shape, game)
        if faults := audit(written):
            failed[shape] += 1
            if failed[shape] <= 3:
                print(f"== write_list({seed}, {shape!r}, {game!r}): {faults[0]} ({len(faults)})")
                print(written.text[:600])
    for shape in shapes:
        print(f"{shape:16} {failed[shape]:6} of {read[shape]:6} lists lose copies")
    print(f"{lists} lists in {time.monotonic() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0, sys.argv[3:] or list(SHAPES)))
