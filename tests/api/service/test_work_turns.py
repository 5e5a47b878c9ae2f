"""Turns: so many at a time, so many wait, and who comes then is told to come again."""

import pytest

from api.service.errors import Busy
from api.service.processes.work_turns import WorkTurns


def test_who_finds_all_turns_and_places_taken_comes_again():
    turns = WorkTurns(1, 0)
    with turns, pytest.raises(Busy), turns:
        pass
    with turns:
        pass
