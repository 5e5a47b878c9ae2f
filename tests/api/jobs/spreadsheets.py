"""Spreadsheets of as many players as one likes, all with the same deck."""

from __future__ import annotations

import csv
import io

from tests.api.workbooks import files


def decks(players: int) -> bytes:
    """A CSV file with a row a card."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(files.HEAD)
    cards = [row[2:] for row in files.card_rows()]
    writer.writerows([f"Player {at}", f"{at:06d}", *card] for at in range(players) for card in cards)
    return out.getvalue().encode()


def summary(data: bytes) -> list[dict[str, str]]:
    """The rows of a summary as CSV."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
