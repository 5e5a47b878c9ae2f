"""The console: what people read in a terminal; the same words, plain, where the output goes elsewhere."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, NamedTuple

from validator import words
from validator.cards import Card
from validator.deck import DeckLine
from validator.diagnoses import INCOMPLETE, OTHER_GAME, Diagnosis, is_unjudgeable
from validator.findings import ADVICE, ERROR, Finding
from validator.games import GAMES
from validator.judge import Terms, Verdict
from validator.paraphrase import said

if TYPE_CHECKING:
    from rich.console import Console as Screen

    from validator.repair import Changes, Repair

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
_COLUMN = 42  # the width of one of the two columns of a deck
_MOST_LINES = 200  # of a section; the longest honest list seen has under 100


class OutputLine(NamedTuple):
    """A piece of output: how far in it stands, a word before it, and how it looks."""

    text: str
    style: str = ""
    indent: int = 0
    label: str = ""


def clean(text: str) -> str:
    """Return a text without what could steer a terminal or turn its lines around."""
    return "".join(one if one == "\t" or unicodedata.category(one) not in ("Cc", "Cf", "Cs") else "�" for one in text)


def say(lines: Iterable[OutputLine]) -> None:
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


def _show(screen: Screen, line: OutputLine) -> None:
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


def verdict(of: Verdict, name: str, explain: bool = False) -> Iterator[OutputLine]:
    """Yield a verdict as people read it: legal or not, why, by which rule, what to do, the deck as understood, by what.

    What explains most findings comes first.
    """
    told = of.account
    yield OutputLine(f"{_headline(of)}  {name}", "legal" if of.legal else "illegal")
    for diagnosis in told.diagnoses:
        yield from _diagnosis(diagnosis, of)
    for at, finding in enumerate(told.findings, 1):
        yield OutputLine("")
        yield from _finding(finding, at)
    if told.hanging:
        left_out = ", ".join(finding.code for finding in told.hanging)
        yield OutputLine("")
        yield OutputLine(f"Left out, because it hangs on what the unknown cards are: {left_out}.", "soft", 2)
    yield OutputLine("")
    yield from _deck(of)
    if explain:
        yield from _checked(of)
        yield OutputLine("")
    yield from _terms(of)
    yield OutputLine("")


def _headline(of: Verdict) -> str:
    if of.legal:
        return "LEGAL"
    return "CANNOT BE JUDGED" if is_unjudgeable(of) else "NOT LEGAL"


def _diagnosis(of: Diagnosis, verdict: Verdict) -> Iterator[OutputLine]:
    """Yield what explains most findings, and what to do about it at a command line."""
    yield OutputLine(of.message, "warning", 2)
    help = of.fix
    if of.code == OTHER_GAME and of.game:
        help = f"Say --game {of.game}."
    elif of.code == INCOMPLETE:
        help = _newer_cards(verdict.judge.catalogue.game)
    yield OutputLine(help, "fix", 2)


def _deck(of: Verdict) -> Iterator[OutputLine]:
    """Yield the deck as it was understood, two cards a line."""
    for section, lines in of.facts.understood.items():
        label = section.capitalize() if section != "don" else "DON!!"
        cards = [_held(line, card) for line, card in lines[:_MOST_LINES]]
        if len(lines) > _MOST_LINES:
            cards.append(f"and {len(lines) - _MOST_LINES} more lines")
        for left, right in zip_longest(cards[::2], cards[1::2], fillvalue=""):
            yield OutputLine(f"{left:<{_COLUMN}}  {right}".rstrip(), "", 2, f"{label:<11}")
            label = ""


def _held(line: DeckLine, card: Card | None) -> str:
    return f"{line.count} {card.label if card else f'{_written(line)} (not known)'}"


def _written(line: DeckLine) -> str:
    return " ".join(filter(None, (line.number, line.name))) or line.written


def hint(of: Verdict) -> Iterator[OutputLine]:
    """Yield how many changes make a deck legal, where it can be judged."""
    from validator.repair import fewest

    if is_unjudgeable(of):
        return
    changes, is_minimal = fewest(of)
    if changes is not None:
        word = "Fewest changes" if is_minimal else "Changes, perhaps not the fewest"
        yield OutputLine(f"{word}: {changes} (`deckproof repair` says which)", "soft", 2)
        yield OutputLine("")


def repair(of: Repair) -> Iterator[OutputLine]:
    """Yield the fewest changes as people read them: each way to mend a deck, and what another Leader would do."""
    if of.changes is None:
        yield OutputLine("No repair was found", "illegal")
        yield OutputLine(of.why, "", 2)
        return
    yield OutputLine(f"{'Fewest changes' if of.minimal else 'Changes'}: {of.changes}", "title")
    yield OutputLine(of.why, "soft", 2)
    for at, one in enumerate(of.repairs, 1):
        yield OutputLine("")
        if len(of.repairs) > 1:
            yield OutputLine(f"One way of {len(of.repairs)}:" if at == 1 else "Or:", "title", 1)
        yield from _changes(one)
    for other in of.leaders:
        yield OutputLine("")
        named = words.joined([card.label for card in other.leaders], "or")
        yield OutputLine(f"With another Leader, {named}, {other.changes} changes:", "title", 1)
        yield from _changes(other.repair)
    yield OutputLine("")


def _changes(of: Changes) -> Iterator[OutputLine]:
    for says, because in of.sentences:
        yield OutputLine(says, "fix", 3, "- ")
        if because:
            yield OutputLine(f"{because.rule.document}, {because.rule.section}", "soft", 5)


def _newer_cards(game: str) -> str:
    """Tell how cards that a catalogue lacks come into it: whoever is at the command line may do it."""
    how = f"sync {game}" if GAMES[game].site else f"import … --game {game}"
    return f"Cards that are missing may be new ones; `deckproof cards {how}` brings in the newest."


_SEVERITIES = {ERROR: ("", "title"), ADVICE: ("Advice: ", "")}


def _finding(of: Finding, at: int) -> Iterator[OutputLine]:
    before, style = _SEVERITIES.get(of.severity, ("Warning: ", "warning"))
    yield OutputLine(before + of.message, style, 1, f"{at:>2}. ")
    yield OutputLine(f"{of.rule.document}, {of.rule.section}", "", 5, "Rule  ")
    if of.limits:
        yield OutputLine(of.limits.source, "soft", 5, "      ")
    yield OutputLine(of.fix, "fix", 5, "Fix   ")


def _checked(of: Verdict) -> Iterator[OutputLine]:
    for one in of.as_dict(explain=True)["checked"]:
        mark, style = ("passed", "fix") if one["passed"] else ("FAILED", "illegal")
        yield OutputLine(f"{one['says']} ({one['rule']['document']}, {one['rule']['section']})", style, 2, f"{mark}  ")


def _terms(of: Verdict) -> Iterator[OutputLine]:
    terms, catalogue = of.judge.terms, of.judge.catalogue
    sizes = (f"{size} {section}" for section, size in of.facts.sizes.items() if size)
    yield OutputLine(", ".join(sizes) or "none", "", 2, "Cards      ")
    yield OutputLine(f"{terms.ruleset.title} ({terms.ruleset.id})", "", 2, "Ruleset    ")
    if note := terms.ruleset.note_on(terms.on):
        yield OutputLine(note, "warning", 2, "           ")
    yield OutputLine(f"{terms.on}, format {terms.format}, region {terms.region}", "", 2, "Judged on  ")
    yield from _limits(terms)
    day = f"of {catalogue.as_of}, " if catalogue.as_of else ""
    yield OutputLine(f"{day}{len(catalogue):,} cards ({catalogue.snapshot})", "", 2, "Catalogue  ")
    if "card.unknown" in of.codes and not is_unjudgeable(of):
        yield OutputLine(_newer_cards(catalogue.game), "warning", 2, "           ")
    yield OutputLine(of.deck_hash, "soft", 2, "Deck hash  ")


def _limits(terms: Terms) -> Iterator[OutputLine]:
    listed = terms.in_force
    if listed is None:
        yield OutputLine("left out", "", 2, "Limits     ")
    elif listed.known_to is not None:
        since = f"in force from {listed.effective_from}" if listed.effective_from else "none in force"
        yield OutputLine(f"{since}; announcements known up to {listed.known_to}", "", 2, "Limits     ")


def card(of: Card) -> Iterator[OutputLine]:
    """Yield a card as people read it."""
    yield OutputLine(of.label, "title")
    facts = {
        "Game": of.game,
        "Back": of.back_name,
        "Type": of.type,
        "Colors": ", ".join(of.colors),
        "Cost": of.cost_text,
        "Life": of.life,
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
            yield OutputLine(str(fact), "", 2, f"{label:<11}")
    for text in filter(None, (of.text, of.back_text)):
        yield OutputLine("")
        yield from (OutputLine(line, "", 2) for line in text.splitlines())
    for clause in of.construction:
        yield OutputLine(said(clause), "fix", 2, "In construction: ")
