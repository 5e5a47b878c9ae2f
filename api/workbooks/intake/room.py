"""Room: how much a spreadsheet may hold to be judged while somebody waits, whatever it was packed into."""

from __future__ import annotations

from typing import NamedTuple

from api.service.errors import Large


class Room(NamedTuple):
    """The most that a spreadsheet may hold: characters of its different cells, decks, and findings on these."""

    text: int
    decks: int
    findings: int

    def hold(self, *, text: int = 0, decks: int = 0, findings: int = 0) -> None:
        """Raise Large where there is more than this."""
        if text > self.text or decks > self.decks or findings > self.findings:
            raise Large


AT_ONCE = Room(text=500_000, decks=500, findings=5_000)
