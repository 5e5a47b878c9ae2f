"""The console: what people read in a terminal; the same words, plain, where the output goes elsewhere."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, NamedTuple

from validator import words
from validator.account import group_findings, headline, is_unjudgeable
from validator.cards import Card, Catalogue
from validator.deck import DeckLine
from validator.diagnoses import INCOMPLETE, OTHER_GAME, Diagnosis
from validator.findings import ADVICE, ERROR, Citation, Finding
from validator.games import GAMES
from validator.judge import Terms, Verdict
from validator.language import ENGLISH, Language, phrase
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
_LABEL = 11  # the width of a section's name beside a deck, at least
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


def width(labels: Iterable[str]) -> int:
    """Return how wide a column of labels is, with the room after it."""
    return max(map(_wide, labels)) + 2


def filled(label: str, to: int) -> str:
    """Return a label with blanks behind it."""
    return label + " " * (to - _wide(label))


def _wide(text: str) -> int:
    """Return the columns that a text takes; letters of East Asia take two."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def verdict(of: Verdict, name: str, explain: bool = False, say: Language = ENGLISH) -> Iterator[OutputLine]:
    """Yield a verdict as people read it: legal or not, why, by which rule, what to do, the deck as understood, by what.

    What explains most findings comes first.
    """
    told = group_findings(of, say)
    yield OutputLine(f"{headline(of, say)}  {name}", "legal" if of.legal else "illegal")
    for diagnosis in told.diagnoses:
        yield from _diagnosis(diagnosis, of, say)
    for at, finding in enumerate(told.findings, 1):
        yield OutputLine("")
        yield from _finding(finding, at, say)
    if told.hanging:
        codes = ", ".join(finding.code for finding in told.hanging)
        yield OutputLine("")
        yield OutputLine(
            say("Left out, because it hangs on what the unknown cards are: {codes}.", codes=codes), "soft", 2
        )
    yield OutputLine("")
    yield from _deck(of, say)
    if explain:
        yield from _checked(of, say)
        yield OutputLine("")
    yield from _terms(of, say)
    yield OutputLine("")


def _diagnosis(of: Diagnosis, verdict: Verdict, say: Language) -> Iterator[OutputLine]:
    """Yield what explains most findings, and what to do about it at a command line."""
    yield OutputLine(of.message, "warning", 2)
    help = of.fix
    if of.code == OTHER_GAME and of.game:
        help = say("Say --game {game}.", game=of.game)
    elif of.code == INCOMPLETE:
        help = _newer_cards(verdict.judge.catalogue.game, say)
    yield OutputLine(help, "fix", 2)


_LABELS = {
    "leader": phrase("Leader"),
    "main": phrase("Main"),
    "side": phrase("Side"),
    "z": phrase("Z"),
    "don": phrase("DON!!"),
    "resource": phrase("Resource"),
}


def _deck(of: Verdict, say: Language) -> Iterator[OutputLine]:
    """Yield the deck as it was understood, two cards a line."""
    labels = {section: say.of(label) for section, label in _LABELS.items()}
    room = max(_LABEL, width(labels.values()))
    for section, lines in of.facts.understood.items():
        label = labels[section]
        cards = [_held(line, card, of.judge.catalogue, say) for line, card in lines[:_MOST_LINES]]
        if len(lines) > _MOST_LINES:
            cards.append(say("and {count} more lines", count=len(lines) - _MOST_LINES))
        for left, right in zip_longest(cards[::2], cards[1::2], fillvalue=""):
            yield OutputLine(f"{left:<{_COLUMN}}  {right}".rstrip(), "", 2, filled(label, room))
            label = ""


def _held(line: DeckLine, card: Card | None, catalogue: Catalogue, say: Language) -> str:
    if card:
        return f"{line.count} {card.label}"
    if line.number is None and line.name and catalogue.by_name(line.name):
        return f"{line.count} {say('{card} (several cards)', card=_written(line))}"
    return f"{line.count} {say('{card} (not known)', card=_written(line))}"


def _written(line: DeckLine) -> str:
    return " ".join(filter(None, (line.number, line.name))) or line.written


def hint(of: Verdict, say: Language = ENGLISH) -> Iterator[OutputLine]:
    """Yield how many changes make a deck legal, where it can be judged."""
    from validator.repair import fewest

    if is_unjudgeable(of):
        return
    changes, is_minimal, with_leader = fewest(of)
    if changes is not None and changes != with_leader:
        told = say(
            "Fewest changes: {changes} with another Leader, {others} with this one (`deckproof repair` says which)",
            changes=changes,
            others=with_leader,
        )
        yield OutputLine(told, "soft", 2)
        yield OutputLine("")
    elif changes is not None:
        told = (
            say("Fewest changes: {changes} (`deckproof repair` says which)", changes=changes)
            if is_minimal
            else say("Changes, perhaps not the fewest: {changes} (`deckproof repair` says which)", changes=changes)
        )
        yield OutputLine(told, "soft", 2)
        yield OutputLine("")


def repair(of: Repair, say: Language = ENGLISH) -> Iterator[OutputLine]:
    """Yield the fewest changes as people read them: each way to mend a deck, and what another Leader would do."""
    if of.changes is None:
        yield OutputLine(say("No repair was found"), "illegal")
        yield OutputLine(say.of(of.why), "", 2)
        return
    yield OutputLine(_fewest(of, say), "title")
    yield OutputLine(say.of(of.why), "soft", 2)
    for at, one in enumerate(of.repairs, 1):
        yield OutputLine("")
        if len(of.repairs) > 1:
            heading = say("One way of {ways}:", ways=len(of.repairs)) if at == 1 else say("Or:")
            yield OutputLine(heading, "title", 1)
        yield from _changes(one, say)
    for other in of.leaders:
        yield OutputLine("")
        named = words.either([card.label for card in other.leaders], say)
        heading = say("With another Leader, {leaders}, {changes} changes:", leaders=named, changes=other.changes)
        yield OutputLine(heading, "title", 1)
        yield from _changes(other.repair, say)
    yield OutputLine("")


def _fewest(of: Repair, say: Language) -> str:
    """Return the heading of a repair: how many changes there are at the fewest."""
    if of.leaders:
        return say(
            "Fewest changes: {changes} with another Leader, {others} with this one",
            changes=of.fewest,
            others=of.changes,
        )
    if of.minimal:
        return say("Fewest changes: {changes}", changes=of.changes)
    return say("Changes: {changes}", changes=of.changes)


def _changes(of: Changes, say: Language) -> Iterator[OutputLine]:
    for says, because in of.said(say):
        yield OutputLine(says, "fix", 3, "- ")
        if because:
            yield OutputLine(_place(because.rule, say), "soft", 5)


def _place(of: Citation, say: Language) -> str:
    """Return where a rule is written; what a card does where its text is not at hand is in words of ours."""
    return f"{of.document}, {say.of(of.section)}"


def _newer_cards(game: str, say: Language) -> str:
    """Tell how cards that a catalogue lacks come into it: whoever is at the command line may do it."""
    how = f"sync {game}" if GAMES[game].site else f"import … --game {game}"
    return say("Cards that are missing may be new ones; `deckproof cards {how}` brings in the newest.", how=how)


def _finding(of: Finding, at: int, say: Language) -> Iterator[OutputLine]:
    rule, fix = say("Rule"), say("Fix")
    room = width((rule, fix))
    message, style = of.kind.message(of, say), "warning"
    if of.severity == ERROR:
        style = "title"
    elif of.severity == ADVICE:
        message, style = say("Advice: {message}", message=message), ""
    else:
        message = say("Warning: {message}", message=message)
    yield OutputLine(message, style, 1, f"{at:>2}. ")
    yield OutputLine(_place(of.rule, say), "", 5, filled(rule, room))
    if of.limits:
        yield OutputLine(of.limits.source, "soft", 5, " " * room)
    yield OutputLine(of.kind.fix(of, say), "fix", 5, filled(fix, room))


def _checked(of: Verdict, say: Language) -> Iterator[OutputLine]:
    for one in of.as_dict(explain=True, say=say)["checked"]:
        mark, style = _mark(one["passed"], say)
        yield OutputLine(f"{one['says']} ({one['rule']['document']}, {one['rule']['section']})", style, 2, f"{mark}  ")


def _mark(passed: bool | None, say: Language) -> tuple[str, str]:
    """Return the word for a checked rule and its style."""
    if passed is None:
        return say("not decided"), "warning"
    return (say("passed"), "fix") if passed else (say("FAILED"), "illegal")


def _terms(of: Verdict, say: Language) -> Iterator[OutputLine]:
    terms, catalogue = of.judge.terms, of.judge.catalogue
    cards, ruleset, judged, limits = say("Cards"), say("Ruleset"), say("Judged on"), say("Limits")
    known, hash = say("Catalogue"), say("Deck hash")
    room = width((cards, ruleset, judged, limits, known, hash))
    sizes = (f"{size} {section}" for section, size in of.facts.sizes.items() if size)
    yield OutputLine(", ".join(sizes) or say("none"), "", 2, filled(cards, room))
    yield OutputLine(f"{terms.ruleset.title} ({terms.ruleset.id})", "", 2, filled(ruleset, room))
    if note := terms.ruleset.note_on(terms.on):
        yield OutputLine(say.template(note), "warning", 2, " " * room)
    judged_by = day_and_place(terms.on, terms.format, terms.region, say, terms.best_of)
    yield OutputLine(judged_by, "", 2, filled(judged, room))
    if told := _limits(terms, say):
        yield OutputLine(told, "", 2, filled(limits, room))
    if terms.in_force and terms.in_force.note:
        yield OutputLine(say.of(terms.in_force.note), "warning", 2, " " * room)
    size = say("{count:,} cards ({snapshot})", count=len(catalogue), snapshot=catalogue.snapshot)
    dated = say("of {day}, {cards}", day=catalogue.as_of, cards=size) if catalogue.as_of else size
    yield OutputLine(dated, "", 2, filled(known, room))
    if "card.unknown" in of.codes and not is_unjudgeable(of):
        yield OutputLine(_newer_cards(catalogue.game, say), "warning", 2, " " * room)
    yield OutputLine(of.deck_hash, "soft", 2, filled(hash, room))


def day_and_place(on: date, format: str, region: str, say: Language, best_of: int | None = None) -> str:
    """Return on which day, in which format, region and length of match something is judged."""
    if best_of:
        where = {"day": on, "format": format, "region": region, "best_of": best_of}
        return say("{day}, format {format}, region {region}, best of {best_of}", **where)
    return say("{day}, format {format}, region {region}", day=on, format=format, region=region)


def _limits(terms: Terms, say: Language) -> str:
    listed = terms.in_force
    if listed is None:
        return say("left out")
    if listed.known_to is None:
        return ""
    if listed.effective_from:
        return say(
            "in force from {day}; announcements known up to {known}", day=listed.effective_from, known=listed.known_to
        )
    return say("none in force; announcements known up to {known}", known=listed.known_to)


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
