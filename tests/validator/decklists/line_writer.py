"""Lists of lines as players type them: a card with its copies on each line, or several cards on one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from random import Random

from tests.validator.decklists.deck_words import COUNTED_STYLES, HEADING_STYLES, SECTIONS, TOTALS, TYPES
from tests.validator.decklists.drawn_decks import Entry, draw_deck
from tests.validator.decklists.written_lists import Paper, WrittenList, full_width

LINES = (
    "{n} {number}", "{n}x{number}", "{n}x {number}", "{n} x {number}", "{n}× {number}", "x{n} {number}",
    "{n} {number} {name}", "{n}x {number} {name}", "{n} {name} {number}", "{n} {name} ({number})",
    "{n}x {name} ({number})", "{n}x {name} [{number}]", "{n} [{number}] {name}", "{n}x ({number}) {name}",
    "{number} x{n}", "{number}x{n}", "{number} ×{n}", "{number} x {n}", "{number} {n}枚", "{number}：{n}枚",
    "{number} ×{n}枚", "{n}枚 {number}", "{n}张 {number}", "{number} {n}张", "{number} ({n})", "{number} [{n}]",
    "{number} {n}", "{number}: {n}", "{n}: {number}", "{number} - {n}", "{number} = {n}", "{number}, {n}",
    "{name} ({number}) x{n}", "{name} {number} x{n}", "{number} {name} x{n}", "{number} {name} ×{n}",
    "{name} [{number}] - {n}", "{number} - {name} - {n}", "{n} - {number} - {name}", "{name} ({number}): {n}",
    "{n}\t{number}\t{name}", "{number}\t{n}", "{number}\t{name}\t{n}", "{n} | {number} | {name}", "{number} {n}x",
    "{n} pcs {number}", "{n} copies of {number}", "{number} {name} ...... {n}", "**{n}** {number} {name}",
    "`{n}x {number}`", "{n} {name} - {number}", "{n}x {name} | {number}", "{number} {name} ({n})", "({n}) {number}",
    "[{n}] {number} {name}", "{n}枚　{name}　{number}", "【{number}】{name} ×{n}", "{number}「{name}」{n}枚",
    "<li>{n}x {name} {number}</li>", "{n}，{number}", "{number} {name}\t{n}", "\"{n}\"\t\"{number}\"\t\"{name}\"",
)  # fmt: skip
NAME_LINES = (
    "{n} {name}", "{n}x {name}", "{n} x {name}", "{name} x{n}", "{name} ×{n}", "{n}× {name}", "{name} ×{n}枚",
    "{n}\t{name}", "{name}\t{n}", "{n}枚 {name}", "{name} ({n})",
)  # fmt: skip
BULLETS = ("", "", "", "- ", "* ", "• ", "· ", "+ ", "– ", "> ", "→ ", "  ", "[ ] ", "☐ ", "✅ ", "・")
NOTES = (
    "  # flex slot", " (searcher)", " // tech", " <- maybe cut", " *F*", " (foil)", "  ★", " 0,35 €", " $4.23",
    " €0.35", " (alt art)", " - best card", " !!", " # was 3", " @ 1.20€",
)  # fmt: skip
FACTS = (
    "Name: Max Mustermann", "Player ID: 0001234567", "Event: Regional Bielefeld", "Date: 2026-11-22",
    "Deck: my list", "Decklist by Max", "https://example.org/decks/abc", "1st place, 6-1", "My deck for Saturday",
    "プレイヤー：山田", "Format: Standard", "Updated 12/11/2026",
)  # fmt: skip


class Lines:
    """One way of writing the cards of a list: the same for all of its lines."""

    def __init__(self, chance: Random, by_name: bool, may_note: bool = True) -> None:
        """Choose how; `by_name` leaves numbers out."""
        self.by_name = by_name
        self._chance = chance
        self._line = chance.choice(NAME_LINES if by_name else LINES)
        self._bullet = chance.choice(BULLETS) if self._line[0] not in '<`*"[' else ""
        self._is_numbered = self._bullet == "" and "枚" not in self._line and chance.random() < 0.08
        self._spell: Callable[[str], str] = chance.choice((str, str, str, str, str.lower, full_width))
        self._count: Callable[[str], str] = chance.choice((str, str, str, str, full_width))
        self._notes = may_note and self._line[0] not in '<`"' and chance.random() < 0.2
        self._hidden = chance.choice(("", "", "", "", "\u200b", "\u00a0", "\u200e"))
        self._row = 0

    def write(self, entry: Entry) -> str:
        """Return the line of an entry."""
        self._row += 1
        line = self._line.format(n=self._count(str(entry.count)), number=self._spell(entry.number), name=entry.name)
        if self._hidden == "\u00a0":
            line = line.replace(" ", self._hidden)
        elif self._hidden:
            line = self._hidden + line
        if self._notes and self._chance.random() < 0.3:
            line += self._chance.choice(NOTES)
        start = f"{self._row}. " if self._is_numbered else self._bullet
        return start + line


def write_headed(chance: Random, game: str) -> WrittenList:
    """Return a list with a heading over each section."""
    paper = Paper()
    _write_facts(chance, paper)
    write_sections(chance, paper, draw_deck(chance, game), game)
    return paper.finish("headed", game, chance)


def write_sections(chance: Random, paper: Paper, deck: Sequence[Entry], game: str) -> None:
    """Write the sections of a deck with their headings in one language and one style."""
    language = chance.choice(("en", "en", *SECTIONS))
    lines = Lines(chance, game == "bos" or chance.random() < 0.15)
    style = chance.choice(HEADING_STYLES)
    has_counts = style == "{0}" and chance.random() < 0.4
    counted = chance.choice(COUNTED_STYLES)
    has_types = chance.random() < 0.25 and language in TYPES
    gap = chance.choice(((), ("",), ("", "")))
    for section, group in groupby(deck, lambda entry: entry.section):
        entries = list(group)
        word = chance.choice(SECTIONS[language][section])
        total = sum(entry.count for entry in entries)
        for line in gap if paper.lines else ():
            paper.write(line)
        if section == "main" and has_types and {entry.type for entry in entries} <= TYPES[language].keys():
            _write_types(chance, paper, entries, lines, language, style)
            continue
        # "DON!!: 10" is ten cards and no heading.
        paper.write(counted.format(word, total) if has_counts and section != "don" else style.format(word))
        for entry in entries:
            _write_entry(paper, lines, entry)


def _write_types(chance: Random, paper: Paper, entries: list[Entry], lines: Lines, language: str, style: str) -> None:
    by_type = sorted(entries, key=lambda entry: entry.type)
    for type, group in groupby(by_type, lambda entry: entry.type):
        paper.write(style.format(chance.choice(TYPES[language][type])))
        for entry in group:
            _write_entry(paper, lines, entry)


def _write_entry(paper: Paper, lines: Lines, entry: Entry) -> None:
    """Write a line; a card without a number, as DON!!, is written as players do."""
    if entry.section == "don":
        paper.write(f"{entry.count} DON!!", [entry], has_number=False)
    else:
        paper.write(lines.write(entry), [entry], has_number=not lines.by_name)


def _write_facts(chance: Random, paper: Paper) -> None:
    if chance.random() < 0.2:
        for fact in chance.sample(FACTS, chance.randint(1, 4)):
            paper.write(fact)
        paper.write("")


def write_plain(chance: Random, game: str) -> WrittenList:
    """Return a list without headings: each card is of the section of its type."""
    paper = Paper()
    by_name = game == "bos" or chance.random() < 0.1
    deck = draw_deck(chance, game, is_sectioned=False, only_own_names=by_name)
    if chance.random() < 0.3:
        chance.shuffle(deck)
    _write_facts(chance, paper)
    lines = Lines(chance, by_name)
    for entry in deck:
        _write_entry(paper, lines, entry)
        if chance.random() < 0.02:
            paper.write("")
    if chance.random() < 0.3:
        paper.write("")
        paper.write(chance.choice(("GLHF!", "Good luck", "Signature: ________", "- Max", "Thanks for reading!")))
    return paper.finish("plain", game, chance)


def write_copies(chance: Random, game: str) -> WrittenList:
    """Return a list with one line for each copy."""
    paper = Paper()
    by_name = game == "bos" or chance.random() < 0.1
    deck = draw_deck(chance, game, is_sectioned=False, only_own_names=by_name)
    numbered = ("{number}", "{number} {name}", "{name} ({number})", "{name} [{number}]")
    line = "{name}" if by_name else chance.choice(numbered)
    for entry in deck:
        for _ in range(entry.count):
            one = entry._replace(count=1)
            paper.write(line.format(number=entry.number, name=entry.name), [one], has_number=not by_name)
    return paper.finish("copies", game, chance)


def write_one_line(chance: Random, game: str) -> WrittenList:
    """Return a list on one line, by numbers (or by names, in a game without numbers)."""
    paper = Paper()
    deck = draw_deck(chance, game, is_sectioned=False, only_own_names=game == "bos")
    sign = "name" if game == "bos" else "number"
    card = chance.choice(("{n}x{c}", "{n}x {c}", "{n} {c}", "{c} x{n}", "{c}x{n}", "{c}*{n}", "{c}:{n}", "{c} ({n})"))
    if game == "bos":
        card = chance.choice(("{n}x {c}", "{n} {c}", "{c} x{n}"))
    by = chance.choice((", ", ",", "; ", ";", " / ", " | ", " + ", "  "))
    text = by.join(card.format(n=entry.count, c=getattr(entry, sign)) for entry in deck)
    has_z = any(entry.section == "z" for entry in deck)
    paper.write(chance.choice(("", "", "", *(() if has_z else ("Deck: ", "Decklist: ")))) + text, deck)
    return paper.finish("one-line", game, chance)


def write_side_by_side(chance: Random, game: str) -> WrittenList:
    """Return a list in two aligned columns, of one deck or of the main and the side deck."""
    paper = Paper()
    deck = draw_deck(chance, game)
    by_name = game == "bos"
    line = "{n} {name}" if by_name else chance.choice(("{n} {number} {name}", "{n}x {name} ({number})", "{n} {number}"))
    side = [entry for entry in deck if entry.section == "side"]
    main = [entry for entry in deck if entry.section not in ("side", "don")]
    language = chance.choice(tuple(SECTIONS))
    titles = None
    if side:
        left, right = [entry for entry in main if entry.section != "z"], side
        titles = [chance.choice(SECTIONS[language][section]) for section in ("main", "side")]
    else:
        half = (len(main) + 1) // 2
        left, right = main[:half], main[half:]
    cells = [[line.format(n=one.count, number=one.number, name=one.name) for one in part] for part in (left, right)]
    width = max(map(len, (*cells[0], *(titles or ())))) + chance.randint(3, 8)
    is_tabbed = chance.random() < 0.3
    if titles:
        paper.write("\t".join(titles) if is_tabbed else titles[0].ljust(width) + titles[1])
    for row in range(max(len(left), len(right))):
        pair = [part[row] if row < len(part) else "" for part in cells]
        entries = [part[row] for part in (left, right) if row < len(part)]
        paper.write("\t".join(pair) if is_tabbed else (pair[0].ljust(width) + pair[1]).rstrip(), entries, not by_name)
    return paper.finish("side-by-side", game, chance)


def write_totalled(chance: Random, game: str) -> WrittenList:
    """Return a list that states its total, right or wrong."""
    paper = Paper()
    deck = draw_deck(chance, game, is_sectioned=False, only_own_names=game == "bos")
    total = sum(entry.count for entry in deck)
    paper.total = chance.choice(("right", "wrong"))
    if paper.total == "wrong":
        total += chance.choice((5, 11))  # and no sum of some of the lines
    language = chance.choice(tuple(TOTALS))
    line = chance.choice(TOTALS[language]).format(total)
    lines = Lines(chance, game == "bos", may_note=False)
    is_first = chance.random() < 0.3
    if is_first:
        paper.write(line)
    for entry in deck:
        _write_entry(paper, lines, entry)
    if not is_first:
        paper.write("")
        paper.write(line)
    return paper.finish("totalled", game, chance)


def write_with_aside(chance: Random, game: str) -> WrittenList:
    """Return a list in which some cards are commented out, or are under a heading of cards that are not played."""
    paper = Paper()
    deck = draw_deck(chance, game, is_sectioned=False, only_own_names=game == "bos")
    cut = max(2, len(deck) - chance.randint(1, 3))
    lines = Lines(chance, game == "bos", may_note=False)
    mark = chance.choice(("//", "// ", "# "))
    is_board = chance.random() < 0.4
    aside = deck[cut:]
    for at, entry in enumerate(deck[:cut]):
        _write_entry(paper, lines, entry)
        if not is_board and aside and chance.random() < 2 / (at + 2):
            _write_aside(paper, mark, aside.pop())
    if aside and is_board:
        paper.write("")
        paper.write(chance.choice(("Maybeboard", "Maybeboard:", "Considering", "Considering:", "Maybe:")))
    for entry in aside:
        _write_aside(paper, "" if is_board else mark, entry)
    return paper.finish("aside", game, chance)


def _write_aside(paper: Paper, mark: str, entry: Entry) -> None:
    has_number = bool(entry.number)
    paper.write(f"{mark}{entry.count} {entry.number or entry.name}", [entry], has_number, is_aside=True)


def write_several(chance: Random, game: str) -> WrittenList:
    """Return a text with two or three decks, each under a heading of its own."""
    paper = Paper()
    title = chance.choice(
        (
            "Deck {0}",
            "Deck {0}:",
            "Deck #{0}",
            "## Deck {0}",
            "== Deck {0} ==",
            "Decklist {0}",
            "Liste {0}:",
            "デッキ{0}",
        )
    )
    is_sectioned = chance.random() < 0.4
    # Two Leaders show that there are two decks. A game without Leaders needs the titles.
    has_title = is_sectioned or game in ("gundam", "bos") or chance.random() < 0.8
    for paper.deck in range(chance.choice((2, 2, 3))):
        if paper.deck:
            paper.write("")
        if has_title:
            paper.write(title.format(paper.deck + 1))
        deck = draw_deck(chance, game, is_sectioned=is_sectioned, only_own_names=game == "bos")
        if is_sectioned:
            write_sections(chance, paper, deck, game)
        else:
            lines = Lines(chance, game == "bos", may_note=False)
            for entry in deck:
                _write_entry(paper, lines, entry)
    paper.deck = 0
    return paper.finish("several", game, chance)
