"""Tables: a ruleset, a day and invented cards, with functions for decks and for assertions on verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from carddb.catalogue import Catalogue
from validator import Card, Clause, Deck, Judge, Line, Policy, Terms, Verdict, rulesets
from validator.findings import Finding

TODAY = date(2026, 11, 21)


def clause(kind: str, text: str = "what the card says", **details: object) -> Clause:
    """Return a clause of a card's text of this kind."""
    return Clause.from_dict({"kind": kind, "text": text, **details})


def dbs(number: str, type: str = "Battle", **facts: object) -> Card:
    """Return an invented red card of Dragon Ball Super with cost 2. `facts` replace these facts."""
    return Card("dbs", number, **{"name": f"Fighter {number}", "type": type, "colors": ("Red",), "cost": 2, **facts})


def optcg(number: str, type: str = "Character", **facts: object) -> Card:
    """Return an invented red ONE PIECE card with cost 2. `facts` replace these facts."""
    return Card("optcg", number, f"Pirate {number}", type, **{"colors": ("Red",), "cost": 2, **facts})


def fusion(number: str, type: str = "Battle", **facts: object) -> Card:
    """Return an invented red Fusion World card with cost 2. `facts` replace these facts."""
    return Card("fusion", number, **{"name": f"Fighter {number}", "type": type, "colors": ("Red",), "cost": 2, **facts})


def gundam(number: str, type: str = "Unit", **facts: object) -> Card:
    """Return an invented blue GUNDAM card with cost 2. `facts` replace these facts."""
    return Card("gundam", number, f"Suit {number}", type, **{"colors": ("Blue",), "cost": 2, **facts})


def bos(name: str, type: str = "Warrior") -> Card:
    """Return an invented card of Battle of Souls, which has no number."""
    return Card("bos", "", name, type)


def plain_cards(game: str) -> list[Card]:
    """Return 30 cards without clauses and keywords, X-00 to X-29, with the Leader X-LEADER or the resource R-01.

    Dragon Ball Super also has Z-Cards. Battle of Souls has cards named "Warrior 0" to "Warrior 29".
    """
    if game == "bos":
        return [bos(f"Warrior {n}") for n in range(30)]
    card = {"dbs": dbs, "optcg": optcg, "gundam": gundam, "fusion": fusion}[game]
    cards = [card(f"X-{n:02}") for n in range(30)]
    cards += [gundam("R-01", "Resource", colors=())] if game == "gundam" else [card("X-LEADER", "Leader")]
    if game == "dbs":
        cards += [dbs(f"Z-{n:02}", "Z-Battle") for n in range(15)]
    return cards


def names(game: str, count: int, copies: int = 4) -> dict[str, int]:
    """Return `count` plain cards by number or name, with at most `copies` copies of each."""
    key = "Warrior {}" if game == "bos" else "X-{:02}"
    lines = {}
    for n in range(30):
        if count > 0:
            lines[key.format(n)] = min(copies, count)
            count -= copies
    return lines


class Table:
    """The terms of a ruleset on a day, and a catalogue of plain cards with the `special` ones.

    `policy` are fields of Policy.
    """

    def __init__(
        self,
        ruleset: str,
        *special: Card,
        day: date = TODAY,
        format: str = "standard",
        region: str = "en",
        best_of: int | None = None,
        **policy: object,
    ) -> None:
        edition = rulesets()[ruleset]
        self.game = edition.game
        self.catalogue = Catalogue(self.game, "table", [*plain_cards(self.game), *special])
        terms = Terms(edition, day, region, format, Policy(**policy), best_of)
        self.judge = Judge(terms, self.catalogue)
        self.smallest = {"bos": 50 if ruleset == "bos-original" else 40}.get(self.game, 50)
        self.has_leader = "leader" in edition.sections

    def deck(self, **sections: Mapping[str, int]) -> Deck:
        """Return a deck of the copies by card number, or by card name in Battle of Souls, for each section."""
        written = {name: tuple(self._lines(lines)) for name, lines in sections.items()}
        return Deck(**written)

    def _lines(self, lines: Mapping[str, int]) -> list[Line]:
        by_name = self.game == "bos"
        return [Line(None if by_name else key, n, key if by_name else None) for key, n in lines.items()]

    def fill_main(self, main: Mapping[str, int], size: int | None = None) -> dict[str, int]:
        """Return these cards, with plain cards added up to `size`, by default the smallest legal deck."""
        return {**main, **names(self.game, (size or self.smallest) - sum(main.values()))}

    def verdict(
        self, main: Mapping[str, int] | None = None, *, fill: bool = True, **sections: Mapping[str, int]
    ) -> Verdict:
        """Return the verdict on a deck.

        The main deck is filled with plain cards if `fill`, and has a plain Leader by default.
        """
        if self.has_leader:
            sections = {"leader": {"X-LEADER": 1}, **sections}
        main = self.fill_main(main or {}) if fill else main or {}
        return self.judge(self.deck(main=main, **sections))


def assert_legal(verdict: Verdict) -> None:
    """Assert that a deck is legal without errors and warnings. Advice is allowed."""
    assert verdict.legal
    assert [(finding.code, finding.severity) for finding in verdict.findings if finding.severity != "advice"] == []


def assert_illegal(verdict: Verdict, code: str, section: str, citation: str, *cards: str, **details: object) -> Finding:
    """Assert that a verdict has one finding besides advice, with these values, and return the finding.

    `details` are attributes of the finding, such as count and limit.
    """
    (finding,) = (finding for finding in verdict.findings if finding.severity != "advice")
    assert not verdict.legal or finding.severity == "warning"
    assert (finding.code, finding.section) == (code, section)
    assert finding.rule.section == citation
    assert [card.number or card.name for card in finding.cards] == list(cards)
    assert {key: getattr(finding, key) for key in details} == details
    return finding
