"""Small games: rulesets with few places, decks drawn at random, and every deck that some changes lead to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from random import Random

from carddb.catalogue import Catalogue
from tests.validator.table import TODAY, bos, clause, dbs, gundam, optcg
from validator import Card, Deck, Judge, Line, Policy, Terms, rulesets
from validator.limits import shipped_lists
from validator.rules.copies import ClassLimit, CopyLimit, Keyword
from validator.rules.size import DonDeck, Size

_SIZES = {"main": (4, 6), "side": (0, 2), "z": (0, 2)}
_LIMITS = {CopyLimit: 2, Keyword: 1, ClassLimit: 1}
SECTIONS = ("leader", "main", "side", "z", "don")
State = frozenset[tuple[tuple[Card, str], int]]


def _shrink_rule(rule):
    """Return a rule with small limits, so that every deck within a few changes can be tried."""
    if isinstance(rule, Size):
        least, most = (2, 2) if rule.optional else _SIZES[rule.section]
        return replace(rule, minimum=min(least, rule.minimum), maximum=least if rule.minimum == rule.maximum else most)
    if isinstance(rule, DonDeck):
        return replace(rule, size=2)
    return replace(rule, limit=_LIMITS[type(rule)]) if type(rule) in _LIMITS else rule


def _make_cards(game: str, random: Random) -> list[Card]:
    """Return cards of a game: plain ones, which fill any deck, and some that each kind of rule is about."""
    if game == "bos":
        kinds = ["Warrior"] * 4 + ["Legendary Warrior"] * 2 + ["Token"]
        return [bos(f"Warrior {n}", kind) for n, kind in enumerate(kinds)]
    if game == "dbs":
        words = [("Ultimate",), ("Super Combo",), ("Ultimate", "Super Combo"), ("Dragon Ball",), (), ()]
        made = [dbs(f"BT1-{n:03}", keywords=word) for n, word in enumerate(words, 10)]
        own = clause("copies", limit=random.choice([1, None]), section=random.choice(["main", "z"]))
        barring = clause("forbid", match={"color": ["Blue"]})
        pool = clause("pool", match={"color": [random.choice(["Red", "Blue"])]}, limit=random.choice([1, 2]))
        return [
            *made,
            dbs("BT1-001", "Leader", construction=random.choice([(), (barring,), (pool,)])),
            dbs("BT1-002", "Leader", colors=("Blue",)),
            dbs("BT1-020", colors=("Blue",), construction=random.choice([(), (own,), (barring,), (pool,)])),
            dbs("BT1-021", "Z-Battle"),
            dbs("BT1-022", colors=("Blue",)),
            dbs("BT1-024", cost=3),
        ]
    if game == "gundam":
        colors = [("Red",)] * 3 + [("Blue",)] * 2 + [("Green",)] * 2 + [("White",), ("Blue", "Green"), ()]
        units = [gundam(f"GD09-{n:03}", colors=color) for n, color in enumerate(colors, 10)]
        return [*units, gundam("GD01-020"), gundam("ST02-016", "Base"), gundam("R-001", "Resource", colors=())]
    banned = [
        number for number, one in shipped_lists("optcg").listed.in_force_on(TODAY).singles.items() if not one.limit
    ]
    return [
        optcg("OP05-001", "Leader"),
        optcg("OP05-002", "Leader", colors=("Blue",)),
        *(optcg(f"OP05-{n:03}") for n in range(10, 14)),
        *(optcg(f"OP05-{n:03}", colors=("Blue",)) for n in range(14, 17)),
        optcg(random.choice(banned)),
        optcg("OP01-016"),
        optcg("OP05-030", construction=(clause("copies", limit=None),)),
    ]


def banned_pair(random: Random) -> list[Card]:
    """Return a pair that the official list bans, as plain cards. The first may be a Leader."""
    first, second = random.choice(shipped_lists("optcg").listed.in_force_on(TODAY).pairs).numbers
    return [optcg(first, random.choice(["Leader", "Character"])), optcg(second)]


def draw_deck(seed: int) -> tuple[Judge, Deck]:
    """Return a Judge of a small game and a deck that is mostly illegal. The same seed returns the same pair."""
    random = Random(seed)
    ruleset = random.choice(
        ["dbs-4.00", "dbs-zenkai", "dbs-1.073", "optcg-1.1.9", "optcg-1.1.9", "bos-1.3", "gundam-1.9.0"]
    )
    game = ruleset.partition("-")[0]
    cards = _make_cards(game, random) + (banned_pair(random) if game == "optcg" and random.random() < 0.5 else [])
    catalogue = Catalogue(game, "small", {card.number or card.name: card for card in cards}.values())
    policy = {"side_max": 2} if ruleset == "dbs-1.073" and random.random() < 0.5 else {}
    if game != "optcg" and random.random() < 0.3:
        policy |= {"copies_across_side": random.random() < 0.5} if policy or ruleset != "dbs-1.073" else {}
    format = "standard" if game != "optcg" else random.choice(["standard", "extra"])
    terms = Terms(rulesets()[ruleset], TODAY, "en", format, Policy(**policy))
    object.__setattr__(
        terms, "ruleset", replace(terms.ruleset, rules={n: _shrink_rule(r) for n, r in terms.ruleset.rules.items()})
    )
    return Judge(terms, catalogue), _draw_sections(list(catalogue), game, random)


def _draw_sections(cards: list[Card], game: str, random: Random) -> Deck:
    """Return a deck of random cards. Each section but the main deck is left out by chance."""
    leaders = [card for card in cards if card.type == "Leader"]
    others = [card for card in cards if card.type != "Leader"] or cards
    sections: dict[str, list[Line]] = {"main": _draw_lines(others, random, random.choice([3, 4, 4, 5, 7]), game)}
    if leaders and random.random() < 0.9:
        sections["leader"] = _draw_lines(leaders, random, random.choice([1, 1, 1, 1, 2]), game)
    if random.random() < 0.6:
        sections["side"] = _draw_lines(cards, random, random.choice([1, 2, 3]), game)
    if game == "gundam" and random.random() < 0.4:
        sections["resource"] = _draw_lines(cards, random, 2, game)
    if game == "dbs" and random.random() < 0.4:
        sections["z"] = _draw_lines(others, random, random.choice([1, 2]), game)
    if game == "optcg" and random.random() < 0.2:
        sections["don"] = [Line(None, random.choice([1, 2, 3]), "DON!!")]
    return Deck(**{section: tuple(lines) for section, lines in sections.items()})


def _draw_lines(cards: list[Card], random: Random, count: int, game: str) -> list[Line]:
    """Return `count` lines of one copy each, most of them of three plain cards."""
    plain = [card for card in cards if card.colors in ((), ("Red",)) and not card.keywords and not card.construction]
    few = random.sample(plain or cards, min(len(plain or cards), 3))
    return [_make_line(random.choice(few if random.random() < 0.7 else cards), 1) for _ in range(count)]


def _make_line(card: Card, count: int) -> Line:
    return Line(card.number or None, count, card.name)


def state_of(judge: Judge, deck: Deck) -> State:
    """Return a deck as a set of cells with their copies. A cell is a card, or a written name, with its section."""
    found: dict[tuple[object, str], int] = {}
    for section, line in deck.lines():
        card = judge.catalogue.by_number(line.number) if line.number else (*judge.catalogue.by_name(line.name), None)[0]
        found[card or line.name, section] = found.get((card or line.name, section), 0) + line.count
    return frozenset(found.items())


def as_deck(state: State) -> Deck:
    """Return the deck of a state."""
    sections: dict[str, list[Line]] = {}
    for (card, section), count in state:
        line = _make_line(card, count) if isinstance(card, Card) else Line(None, count, card)
        sections.setdefault(section, []).append(line)
    return Deck(**{section: tuple(lines) for section, lines in sections.items()})


def neighbours(judge: Judge, state: State) -> Iterator[State]:
    """Yield every state that is one change away: one copy removed, moved or added."""
    held = dict(state)
    for (card, origin), _ in state:
        yield _change_cell(held, (card, origin), -1)
        for target in judge.terms.ruleset.sections:
            if target != origin:
                yield _change_cell(held, (card, origin), -1, (card, target))
    for card in chain(judge.catalogue, ["DON!!"]):
        for section in judge.terms.ruleset.sections:
            if (card == "DON!!") == (section == "don"):
                yield _change_cell(held, (card, section), 1)


def _change_cell(copies, cell, change, gains=None) -> State:
    """Return the state with `change` copies more in a cell, and one more in the cell `gains` if that is set."""
    found = {**copies, cell: copies.get(cell, 0) + change}
    if gains:
        found[gains] = found.get(gains, 0) + 1
    return frozenset((cell, count) for cell, count in found.items() if count)


def count_fewest_by_force(judge: Judge, deck: Deck, most: int, leader: Card | None) -> int | None:
    """Return the fewest changes that make a deck legal, from trying all states. None if they are more than `most`.

    If `leader` is set, only decks with one copy of that Leader count.
    """
    reached = seen = {state_of(judge, deck)}
    for changes in range(most + 1):
        for one in reached:
            if judge(as_deck(one)).legal and (leader is None or ((leader, "leader"), 1) in one):
                return changes
        if changes < most:
            reached = {after for one in reached for after in neighbours(judge, one)} - seen
            seen = seen | reached
    return None
