"""Work turns: a number of threads work, a number wait, and any more are refused."""

import pytest

from api.service.child_processes import WorkTurns
from api.service.errors import Busy


def test_without_a_free_turn_or_place_to_wait_work_is_refused():
    turns = WorkTurns(1, 0)
    with turns, pytest.raises(Busy), turns:
        pass
    with turns:
        pass
