"""The console: what people read in a terminal; the same words, plain, where the output goes elsewhere."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from typing import TYPE_CHECKING
from typing import Literal
from typing import NamedTuple

from carddb import starter
from validator.cards import Card
from validator.findings import ADVICE
from validator.findings import ERROR
from validator.findings import Finding
from validator.findings import grouped
from validator.judge import Terms
from validator.judge import Verdict

if TYPE_CHECKING:
    from rich.console import Console as Screen

_STYLES = {
    "legal": "bold green",
    "illegal": "bold red",
    "warning": "yellow",
    "title": "bold",
    "soft": "dim",
    "fix": "green",
    "": "",
}
_WIDEST = 100


class Said(NamedTuple):
    """A piece of output: how far in it stands, a word before it, and how it looks."""

    text: str
    style: str = ""
    indent: int = 0
    label: str = ""


def clean(text: str) -> str:
    """Return a text without what could steer a terminal or turn its lines around."""
    return "".join(one if one == "\t" or unicodedata.category(one) not in ("Cc", "Cf", "Cs") else "�" for one in text)


def say(lines: Iterable[Said]) -> None:
    """Write lines to standard output: coloured and wrapped on a terminal, plain elsewhere."""
    screen = _screen()
    for line in lines:
        if screen is None:
            sys.stdout.write(f"{' ' * line.indent}{line.label}{clean(line.text)}".rstrip() + "\n")
        else:
            _show(screen, line)
    sys.stdout.flush()


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table: drawn on a terminal, cells between tabs elsewhere."""
    cells = [[clean("" if cell is None else str(cell)) for cell in row] for row in rows]
    screen = _screen()
    if screen is None:
        for row in (headings, *cells):
            sys.stdout.write("\t".join(row) + "\n")
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading, *column in zip(headings, *cells, strict=True):
        drawn.add_column(heading, justify=_side(column), overflow="fold")  # an id that is cut short is of no use
    for row in cells:
        drawn.add_row(*map(Text, row))
    screen.print(drawn)


def _side(column: list[str]) -> Literal["left", "right"]:
    numbers = "".join(column).replace(",", "").isdecimal()
    return "right" if numbers else "left"


def _screen() -> Screen | None:
    if not sys.stdout.isatty():
        return None
    from rich.console import Console

    screen = Console(highlight=False)
    screen.width = min(screen.width, _WIDEST)
    return screen


def _show(screen: Screen, line: Said) -> None:
    from rich.table import Table
    from rich.text import Text

    text = Text(clean(line.text), _STYLES[line.style], overflow="fold")
    if not line.indent:
        screen.print(text)
        return
    row = Table.grid()
    row.add_column(width=line.indent + len(line.label))
    row.add_column()
    row.add_row(Text(" " * line.indent + line.label, "dim"), text)
    screen.print(row)


def verdict(of: Verdict, name: str, explain: bool = False) -> Iterator[Said]:
    """Yield a verdict as people read it: legal or not, why, by which rule, what to do, by what it was judged."""
    yield Said(f"{'LEGAL' if of.legal else 'NOT LEGAL'}  {name}", "legal" if of.legal else "illegal")
    if "card.unknown" in of.codes and of.judge.catalogue.snapshot == starter.snapshot(of.judge.catalogue.game):
        hint = "This is the small catalogue that ships; `deckproof cards import` brings in the full card list."
        yield Said(hint, "warning", 2)
    for at, finding in enumerate(grouped(of.findings), 1):
        yield Said("")
        yield from _finding(finding, at)
    yield Said("")
    if explain:
        yield from _checked(of)
        yield Said("")
    yield from _terms(of)
    yield Said("")


_SEVERITIES = {ERROR: ("", "title"), ADVICE: ("Advice: ", "")}


def _finding(of: Finding, at: int) -> Iterator[Said]:
    before, style = _SEVERITIES.get(of.severity, ("Warning: ", "warning"))
    yield Said(before + of.message, style, 1, f"{at:>2}. ")
    yield Said(f"{of.rule.document}, {of.rule.section}", "", 5, "Rule  ")
    if of.limits:
        yield Said(of.limits.source, "soft", 5, "      ")
    yield Said(of.fix, "fix", 5, "Fix   ")


def _checked(of: Verdict) -> Iterator[Said]:
    for one in of.as_dict(explain=True)["checked"]:
        mark, style = ("passed", "fix") if one["passed"] else ("FAILED", "illegal")
        yield Said(f"{one['says']} ({one['rule']['document']}, {one['rule']['section']})", style, 2, f"{mark}  ")


def _terms(of: Verdict) -> Iterator[Said]:
    terms, catalogue = of.judge.terms, of.judge.catalogue
    sizes = (f"{size} {section}" for section, size in of.facts.sizes.items() if size)
    yield Said(", ".join(sizes) or "none", "", 2, "Cards      ")
    yield Said(f"{terms.ruleset.title} ({terms.ruleset.id})", "", 2, "Ruleset    ")
    if note := terms.ruleset.note_on(terms.on):
        yield Said(note, "warning", 2, "           ")
    yield Said(f"{terms.on}, format {terms.format}, region {terms.region}", "", 2, "Judged on  ")
    yield from _limits(terms)
    yield Said(f"{catalogue.snapshot}, {len(catalogue):,} cards", "", 2, "Catalogue  ")
    yield Said(of.deck_hash, "soft", 2, "Deck hash  ")


def _limits(terms: Terms) -> Iterator[Said]:
    found = terms.in_force
    if found is None:
        yield Said("left out", "", 2, "Limits     ")
    elif found.known_to is not None:
        since = f"in force from {found.effective_from}" if found.effective_from else "none in force"
        yield Said(f"{since}; announcements known up to {found.known_to}", "", 2, "Limits     ")


def card(of: Card) -> Iterator[Said]:
    """Yield a card as people read it."""
    yield Said(of.label, "title")
    facts = {
        "Game": of.game,
        "Back": of.back_name,
        "Type": of.type,
        "Colors": ", ".join(of.colors),
        "Cost": of.cost_text,
        "Power": of.power,
        "Traits": ", ".join((*of.traits, *of.back_traits)),
        "Set": ", block ".join(filter(None, (of.set, of.block))),
        "Rarity": of.rarity,
        "Released": of.released,
        "Printings": ", ".join(of.printings),
        "Not known": ", ".join(of.unknown),
    }
    for label, fact in facts.items():
        if fact not in (None, ""):
            yield Said(str(fact), "", 2, f"{label:<11}")
    for text in filter(None, (of.text, of.back_text)):
        yield Said("")
        yield from (Said(line, "", 2) for line in text.splitlines())
    for clause in of.construction:
        yield Said(clause.text or clause.kind, "fix", 2, "In construction: ")
