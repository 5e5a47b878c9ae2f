"""A table to judge at: hand-made cards (invented, and numbered so), decks in a line, two verbs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from carddb.catalogue import Catalogue
from validator import Card, Clause, Deck, Judge, Line, Policy, Terms, Verdict, rulesets
from validator.findings import Finding

TODAY = date(2026, 11, 21)


def clause(kind: str, text: str = "what the card says", **details: object) -> Clause:
    return Clause.from_dict({"kind": kind, "text": text, **details})


def dbs(number: str, type: str = "Battle", **facts: object) -> Card:
    return Card("dbs", number, **{"name": f"Fighter {number}", "type": type, "colors": ("Red",), "cost": 2, **facts})


def optcg(number: str, type: str = "Character", **facts: object) -> Card:
    return Card("optcg", number, f"Pirate {number}", type, **{"colors": ("Red",), "cost": 2, **facts})


def fusion(number: str, type: str = "Battle", **facts: object) -> Card:
    return Card("fusion", number, **{"name": f"Fighter {number}", "type": type, "colors": ("Red",), "cost": 2, **facts})


def gundam(number: str, type: str = "Unit", **facts: object) -> Card:
    return Card("gundam", number, f"Suit {number}", type, **{"colors": ("Blue",), "cost": 2, **facts})


def bos(name: str, type: str = "Warrior") -> Card:
    return Card("bos", "", name, type)


def plain(game: str) -> list[Card]:
    """Cards without any peculiarity: X-01 to X-30, a Leader X-LEADER and whatever else the game has."""
    if game == "bos":
        return [bos(f"Warrior {n}") for n in range(30)]
    card = {"dbs": dbs, "optcg": optcg, "gundam": gundam, "fusion": fusion}[game]
    cards = [card(f"X-{n:02}") for n in range(30)]
    cards += [gundam("R-01", "Resource", colors=())] if game == "gundam" else [card("X-LEADER", "Leader")]
    if game == "dbs":
        cards += [dbs(f"Z-{n:02}", "Z-Battle") for n in range(15)]
    return cards


def names(game: str, count: int, copies: int = 4) -> dict[str, int]:
    """So many plain cards, in lines of so many copies."""
    key = "Warrior {}" if game == "bos" else "X-{:02}"
    lines = {}
    for n in range(30):
        if count > 0:
            lines[key.format(n)] = min(copies, count)
            count -= copies
    return lines


class Table:
    """A ruleset, a day and cards; `verdict(main=…)` judges a deck that is otherwise legal."""

    def __init__(
        self,
        ruleset: str,
        *special: Card,
        on: date = TODAY,
        format: str = "standard",
        region: str = "en",
        best_of: int | None = None,
        **policy: object,
    ) -> None:
        edition = rulesets()[ruleset]
        self.game = edition.game
        self.catalogue = Catalogue(self.game, "table", [*plain(self.game), *special])
        terms = Terms(edition, on, region, format, Policy(**policy), best_of)
        self.judge = Judge(terms, self.catalogue)
        self.smallest = {"bos": 50 if ruleset == "bos-original" else 40}.get(self.game, 50)
        self.has_leader = "leader" in edition.sections

    def deck(self, **sections: Mapping[str, int]) -> Deck:
        written = {name: tuple(self._lines(lines)) for name, lines in sections.items()}
        return Deck(**written)

    def _lines(self, lines: Mapping[str, int]) -> list[Line]:
        by_name = self.game == "bos"
        return [Line(None if by_name else key, n, key if by_name else None) for key, n in lines.items()]

    def filled(self, main: Mapping[str, int], size: int | None = None) -> dict[str, int]:
        """These cards, and plain ones up to the smallest deck."""
        return {**main, **names(self.game, (size or self.smallest) - sum(main.values()))}

    def verdict(
        self, main: Mapping[str, int] | None = None, *, fill: bool = True, **sections: Mapping[str, int]
    ) -> Verdict:
        if self.has_leader:
            sections = {"leader": {"X-LEADER": 1}, **sections}
        main = self.filled(main or {}) if fill else main or {}
        return self.judge(self.deck(main=main, **sections))


def legal(verdict: Verdict) -> None:
    assert verdict.legal
    assert [(finding.code, finding.severity) for finding in verdict.findings if finding.severity != "advice"] == []


def illegal(verdict: Verdict, code: str, section: str, citation: str, *cards: str, **details: object) -> Finding:
    """Assert that the one thing wrong is this, and return it; details are the finding's own (count, limit, …)."""
    (finding,) = (finding for finding in verdict.findings if finding.severity != "advice")
    assert not verdict.legal or finding.severity == "warning"
    assert (finding.code, finding.section) == (code, section)
    assert finding.rule.section == citation
    assert [card.number or card.name for card in finding.cards] == list(cards)
    assert {key: getattr(finding, key) for key in details} == details
    return finding
