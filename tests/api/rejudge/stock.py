"""Stored decks as somebody may have them: real numbers, legal lists, and what goes wrong with such."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache

import pyarrow as pa

from api.rejudge.rejudging import Question
from api.service.requests import RequestedTerms
from carddb import facts
from carddb.library import Library
from validator.deck import SECTIONS

LIBRARY = Library("sqlite:////nonexistent/deckproof.db")  # whose cards are the facts that ship
BEFORE, ON = date(2026, 3, 30), date(2026, 11, 1)
LINE = pa.struct({"number": pa.string(), "count": pa.int32(), "section": pa.string(), "name": pa.string()})
GAMES = {"optcg": 50, "dbs": 50, "gundam": 50}
TYPES = ("Character", "Event", "Stage", "Battle", "Extra", "Unit", "Pilot", "Command", "Base")

Lines = list[dict[str, object]]


def question(**more: object) -> Question:
    return Question(RequestedTerms(on=ON), **more)


@cache
def _by_colors(game: str) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for card in facts.catalogue(game):
        if card.type in TYPES:
            found.setdefault(card.colors, []).append(card.number)
    return found


def deck(game: str, draw: random.Random) -> Lines:
    """Cards of a Leader's colours, or of two, as many as there must be: legal but for what lists and texts say."""
    leads = [card for card in facts.catalogue(game) if card.type == "Leader"]
    leader = draw.choice(leads) if leads else None
    colors = set(leader.colors if leader else draw.choice([("Blue", "Red"), ("Green",), ("Purple", "White")]))
    mine = [number for own, some in _by_colors(game).items() if colors.issuperset(own) for number in some]
    lines: Lines = [{"number": leader.number, "count": 1, "section": "leader"}] if leader else _beside(draw)
    left = GAMES[game]
    for number in draw.sample(mine, 30):
        count = min(left, draw.choice((4, 4, 4, 3, 2, 1)))
        lines += [{"number": number, "count": count, "section": "main"}] if count else []
        left -= count
    return lines


def _beside(draw: random.Random) -> Lines:
    """The resource deck, of one card or two, or none, as most lists have it; and one that is too large."""
    held = draw.choice(((), (), (10,), (7, 3), (8, 8)))
    return [{"number": f"R-00{place}", "count": count, "section": "resource"} for place, count in enumerate(held, 1)]


def spoilt(lines: Lines, game: str, draw: random.Random) -> Lines:
    """A deck with something else about it, mostly wrong."""
    lines = [dict(line) for line in lines]
    for _ in range(draw.choice((1, 1, 2, 4))):
        line = draw.choice(lines)
        draw.choice(
            (
                lambda line=line: line.update(number=draw.choice(list(facts.catalogue(game))).number),
                lambda line=line: line.update(number=draw.choice(("XX1-001", "op01-016", "", None, "OP01-016_p1"))),
                lambda line=line: line.update(count=draw.choice((-1, 0, 1, 2, 4, 5, 9, 255, 256, None))),
                lambda line=line: line.update(section=draw.choice((*SECTIONS, "x", None))),
                lambda line=line: line.update(name=draw.choice(("Nami", "", "\u200b", None))),
                lambda line=line: lines.append(dict(line)),
                lambda line=line: lines.remove(line) if len(lines) > 1 else None,
            )
        )()
    return lines


def decks(count: int, seed: int = 1, games: Sequence[str] = tuple(GAMES)) -> Iterator[tuple[str, Lines | None]]:
    """Decks with their games: of four, three legal and one spoilt; a few are not there."""
    draw = random.Random(seed)
    for _ in range(count):
        game = draw.choice(games)
        lines = deck(game, draw)
        yield game, None if draw.random() < 0.01 else spoilt(lines, game, draw) if draw.random() < 0.25 else lines


def batch(found: list[tuple[str, Lines | None]], stored: pa.Array | None = None) -> pa.RecordBatch:
    columns = {
        "id": pa.array([f"deck-{place}" for place in range(len(found))]),
        "deck": pa.array([lines for _, lines in found], pa.list_(LINE)),
        "terms": pa.array([{"game": game} for game, _ in found]),
    }
    return pa.RecordBatch.from_pydict(columns | ({} if stored is None else {"stored": stored}))
