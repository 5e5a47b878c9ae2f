"""The console: writes output for people, with colours and wrapped lines on a terminal, as plain text elsewhere."""

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
    """A line of output: its text, its style, its indent in columns, and a label before the text."""

    text: str
    style: str = ""
    indent: int = 0
    label: str = ""


def clean(text: str) -> str:
    """Return a text without characters that could control a terminal or reverse its lines."""
    return "".join(
        character if character == "\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs") else "�"
        for character in text
    )


def say(lines: Iterable[OutputLine]) -> None:
    """Write lines to standard output: with colours and wrapped on a terminal, plain elsewhere."""
    screen = _open_screen()
    for line in lines:
        if screen is None:
            sys.stdout.write(f"{' ' * line.indent}{line.label}{clean(line.text)}".rstrip() + "\n")
        else:
            _print_line(screen, line)
    sys.stdout.flush()


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table: drawn on a terminal, with tabs between the cells elsewhere."""
    cells = [[clean("" if cell is None else str(cell)) for cell in row] for row in rows]
    screen = _open_screen()
    if screen is None:
        for row in (headings, *cells):
            sys.stdout.write("\t".join(row) + "\n")
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading, *column in zip(headings, *cells, strict=True):
        drawn.add_column(heading, justify=_alignment(column), overflow="fold")  # an id that is cut short is of no use
    for row in cells:
        drawn.add_row(*map(Text, row))
    screen.print(drawn)


def _alignment(column: list[str]) -> Literal["left", "right"]:
    """Return the alignment of a column: right for numbers, else left."""
    numbers = "".join(column).replace(",", "").isdecimal()
    return "right" if numbers else "left"


def _open_screen() -> Screen | None:
    """Return the terminal of standard output, None if the output goes elsewhere."""
    if not sys.stdout.isatty():
        return None
    from rich.console import Console

    screen = Console(highlight=False)
    screen.width = min(screen.width, _WIDEST)
    return screen


def _print_line(screen: Screen, line: OutputLine) -> None:
    """Write a line to a terminal."""
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


def column_width(labels: Iterable[str]) -> int:
    """Return the width of a column of labels, with two blanks after the longest."""
    return max(map(_count_columns, labels)) + 2


def pad_label(label: str, room: int) -> str:
    """Return a label with blanks up to a width."""
    return label + " " * (room - _count_columns(label))


def _count_columns(text: str) -> int:
    """Return the number of terminal columns of a text. East Asian letters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def verdict_lines(verdict: Verdict, name: str, explain: bool = False, say: Language = ENGLISH) -> Iterator[OutputLine]:
    """Yield the lines of a verdict: legal or not, each finding with rule and fix, the deck, and the terms.

    A diagnosis that explains most findings comes first. `explain` adds every rule that was checked.
    """
    groups = group_findings(verdict, say)
    yield OutputLine(f"{headline(verdict, say)}  {name}", "legal" if verdict.legal else "illegal")
    for diagnosis in groups.diagnoses:
        yield from _diagnosis_lines(diagnosis, verdict, say)
    for position, finding in enumerate(groups.findings, 1):
        yield OutputLine("")
        yield from _finding_lines(finding, position, say)
    if groups.hanging:
        codes = ", ".join(finding.code for finding in groups.hanging)
        yield OutputLine("")
        yield OutputLine(
            say("Left out, because it hangs on what the unknown cards are: {codes}.", codes=codes), "soft", 2
        )
    yield OutputLine("")
    yield from _deck_lines(verdict, say)
    if explain:
        yield from _checked_rule_lines(verdict, say)
        yield OutputLine("")
    yield from _term_lines(verdict, say)
    yield OutputLine("")


def _diagnosis_lines(diagnosis: Diagnosis, verdict: Verdict, say: Language) -> Iterator[OutputLine]:
    """Yield the lines of a diagnosis: what explains most findings, and what to do on the command line."""
    yield OutputLine(diagnosis.message, "warning", 2)
    hint = diagnosis.fix
    if diagnosis.code == OTHER_GAME and diagnosis.game:
        hint = say("Say --game {game}.", game=diagnosis.game)
    elif diagnosis.code == INCOMPLETE:
        hint = _import_hint(verdict.judge.catalogue.game, say)
    yield OutputLine(hint, "fix", 2)


_LABELS = {
    "leader": phrase("Leader"),
    "main": phrase("Main"),
    "side": phrase("Side"),
    "z": phrase("Z"),
    "don": phrase("DON!!"),
    "resource": phrase("Resource"),
}


def _deck_lines(verdict: Verdict, say: Language) -> Iterator[OutputLine]:
    """Yield the lines of the deck as it was understood, two cards in each line."""
    labels = {section: say.of(label) for section, label in _LABELS.items()}
    room = max(_LABEL, column_width(labels.values()))
    for section, lines in verdict.facts.understood.items():
        label = labels[section]
        cards = [_describe_card(line, card, verdict.judge.catalogue, say) for line, card in lines[:_MOST_LINES]]
        if len(lines) > _MOST_LINES:
            cards.append(say("and {count} more lines", count=len(lines) - _MOST_LINES))
        for left, right in zip_longest(cards[::2], cards[1::2], fillvalue=""):
            yield OutputLine(f"{left:<{_COLUMN}}  {right}".rstrip(), "", 2, pad_label(label, room))
            label = ""


def _describe_card(line: DeckLine, card: Card | None, catalogue: Catalogue, say: Language) -> str:
    """Return the count and card of a line, with a remark if no card or several cards have the name."""
    if card:
        return f"{line.count} {card.label}"
    if line.number is None and line.name and catalogue.by_name(line.name):
        return f"{line.count} {say('{card} (several cards)', card=_line_text(line))}"
    return f"{line.count} {say('{card} (not known)', card=_line_text(line))}"


def _line_text(line: DeckLine) -> str:
    """Return the number and the name of a line, or the whole line if it has neither."""
    return " ".join(filter(None, (line.number, line.name))) or line.written


def repair_hint(verdict: Verdict, say: Language = ENGLISH) -> Iterator[OutputLine]:
    """Yield a line with the smallest number of changes that make the deck legal. Empty if the deck cannot be judged."""
    from validator.repair import fewest

    if is_unjudgeable(verdict):
        return
    changes, is_minimal, with_leader = fewest(verdict)
    if changes is not None and changes != with_leader:
        text = say(
            "Fewest changes: {changes} with another Leader, {others} with this one (`deckproof repair` says which)",
            changes=changes,
            others=with_leader,
        )
        yield OutputLine(text, "soft", 2)
        yield OutputLine("")
    elif changes is not None:
        text = (
            say("Fewest changes: {changes} (`deckproof repair` says which)", changes=changes)
            if is_minimal
            else say("Changes, perhaps not the fewest: {changes} (`deckproof repair` says which)", changes=changes)
        )
        yield OutputLine(text, "soft", 2)
        yield OutputLine("")


def repair_lines(repair: Repair, say: Language = ENGLISH) -> Iterator[OutputLine]:
    """Yield the lines of a repair: each way with the fewest changes, and repairs with another Leader."""
    if repair.changes is None:
        yield OutputLine(say("No repair was found"), "illegal")
        yield OutputLine(say.of(repair.why), "", 2)
        return
    yield OutputLine(_repair_heading(repair, say), "title")
    yield OutputLine(say.of(repair.why), "soft", 2)
    for position, changes in enumerate(repair.repairs, 1):
        yield OutputLine("")
        if len(repair.repairs) > 1:
            heading = say("One way of {ways}:", ways=len(repair.repairs)) if position == 1 else say("Or:")
            yield OutputLine(heading, "title", 1)
        yield from _change_lines(changes, say)
    for other in repair.leaders:
        yield OutputLine("")
        named = words.either([card.label for card in other.leaders], say)
        heading = say("With another Leader, {leaders}, {changes} changes:", leaders=named, changes=other.changes)
        yield OutputLine(heading, "title", 1)
        yield from _change_lines(other.repair, say)
    yield OutputLine("")


def _repair_heading(repair: Repair, say: Language) -> str:
    """Return the heading of a repair with its number of changes."""
    if repair.leaders:
        return say(
            "Fewest changes: {changes} with another Leader, {others} with this one",
            changes=repair.fewest,
            others=repair.changes,
        )
    if repair.minimal:
        return say("Fewest changes: {changes}", changes=repair.changes)
    return say("Changes: {changes}", changes=repair.changes)


def _change_lines(changes: Changes, say: Language) -> Iterator[OutputLine]:
    """Yield the lines of the changes of a repair, each with the rule that requires it."""
    for text, finding in changes.said(say):
        yield OutputLine(text, "fix", 3, "- ")
        if finding:
            yield OutputLine(_rule_place(finding.rule, say), "soft", 5)


def _rule_place(citation: Citation, say: Language) -> str:
    """Return the document and section of a rule. A section in the project's own words is translated."""
    return f"{citation.document}, {say.of(citation.section)}"


def _import_hint(game: str, say: Language) -> str:
    """Return a hint on how to import missing cards: by a sync if the game has a site, else by an import."""
    how = f"sync {game}" if GAMES[game].site else f"import … --game {game}"
    return say("Cards that are missing may be new ones; `deckproof cards {how}` brings in the newest.", how=how)


def _finding_lines(finding: Finding, position: int, say: Language) -> Iterator[OutputLine]:
    """Yield the lines of a finding: its message, its rule, the source of its limits list, and its fix."""
    rule, fix = say("Rule"), say("Fix")
    room = column_width((rule, fix))
    message, style = finding.kind.message(finding, say), "warning"
    if finding.severity == ERROR:
        style = "title"
    elif finding.severity == ADVICE:
        message, style = say("Advice: {message}", message=message), ""
    else:
        message = say("Warning: {message}", message=message)
    yield OutputLine(message, style, 1, f"{position:>2}. ")
    yield OutputLine(_rule_place(finding.rule, say), "", 5, pad_label(rule, room))
    if finding.limits:
        yield OutputLine(finding.limits.source, "soft", 5, " " * room)
    yield OutputLine(finding.kind.fix(finding, say), "fix", 5, pad_label(fix, room))


def _checked_rule_lines(verdict: Verdict, say: Language) -> Iterator[OutputLine]:
    """Yield a line for each rule that was checked: passed, failed or not decided."""
    for rule in verdict.as_dict(explain=True, say=say)["checked"]:
        mark, style = _result_mark(rule["passed"], say)
        yield OutputLine(
            f"{rule['says']} ({rule['rule']['document']}, {rule['rule']['section']})", style, 2, f"{mark}  "
        )


def _result_mark(passed: bool | None, say: Language) -> tuple[str, str]:
    """Return the word for the result of a rule and its style. None: the rule is not decided."""
    if passed is None:
        return say("not decided"), "warning"
    return (say("passed"), "fix") if passed else (say("FAILED"), "illegal")


def _term_lines(verdict: Verdict, say: Language) -> Iterator[OutputLine]:
    """Yield the lines of the terms of a verdict: sizes, ruleset, day, limits list, catalogue and deck hash."""
    terms, catalogue = verdict.judge.terms, verdict.judge.catalogue
    cards, ruleset, judged, limits = say("Cards"), say("Ruleset"), say("Judged on"), say("Limits")
    known, hash_label = say("Catalogue"), say("Deck hash")
    room = column_width((cards, ruleset, judged, limits, known, hash_label))
    sizes = (f"{size} {section}" for section, size in verdict.facts.sizes.items() if size)
    yield OutputLine(", ".join(sizes) or say("none"), "", 2, pad_label(cards, room))
    yield OutputLine(f"{terms.ruleset.title} ({terms.ruleset.id})", "", 2, pad_label(ruleset, room))
    if note := terms.ruleset.note_on(terms.on):
        yield OutputLine(say.template(note), "warning", 2, " " * room)
    judged_by = day_and_place(terms.on, terms.format, terms.region, say, terms.best_of)
    yield OutputLine(judged_by, "", 2, pad_label(judged, room))
    if limits_text := _describe_limits(terms, say):
        yield OutputLine(limits_text, "", 2, pad_label(limits, room))
    if terms.in_force and terms.in_force.note:
        yield OutputLine(say.of(terms.in_force.note), "warning", 2, " " * room)
    size = say("{count:,} cards ({snapshot})", count=len(catalogue), snapshot=catalogue.snapshot)
    dated = say("of {day}, {cards}", day=catalogue.as_of, cards=size) if catalogue.as_of else size
    yield OutputLine(dated, "", 2, pad_label(known, room))
    if "card.unknown" in verdict.codes and not is_unjudgeable(verdict):
        yield OutputLine(_import_hint(catalogue.game, say), "warning", 2, " " * room)
    yield OutputLine(verdict.deck_hash, "soft", 2, pad_label(hash_label, room))


def day_and_place(day: date, format: str, region: str, say: Language, best_of: int | None = None) -> str:
    """Return a text with day, format and region, and with the length of a match if it is given."""
    if best_of:
        where = {"day": day, "format": format, "region": region, "best_of": best_of}
        return say("{day}, format {format}, region {region}, best of {best_of}", **where)
    return say("{day}, format {format}, region {region}", day=day, format=format, region=region)


def _describe_limits(terms: Terms, say: Language) -> str:
    """Return a text on the limits list: its first day and the day up to which it is known. "" if there is no list."""
    limits = terms.in_force
    if limits is None:
        return say("left out")
    if limits.known_to is None:
        return ""
    if limits.effective_from:
        return say(
            "in force from {day}; announcements known up to {known}", day=limits.effective_from, known=limits.known_to
        )
    return say("none in force; announcements known up to {known}", known=limits.known_to)


def card_lines(card: Card) -> Iterator[OutputLine]:
    """Yield the lines of a card: its facts, its texts and its deck-building clauses."""
    yield OutputLine(card.label, "title")
    facts = {
        "Game": card.game,
        "Back": card.back_name,
        "Type": card.type,
        "Colors": ", ".join(card.colors),
        "Cost": card.cost_text,
        "Life": card.life,
        "Power": card.power,
        "Traits": ", ".join((*card.traits, *card.back_traits)),
        "Set": ", block ".join(filter(None, (card.set, card.block))),
        "Rarity": card.rarity,
        "Released": card.released,
        "Printings": ", ".join(card.printings),
        "Not known": ", ".join(card.unknown),
    }
    for label, fact in facts.items():
        if fact not in (None, ""):
            yield OutputLine(str(fact), "", 2, f"{label:<11}")
    for text in filter(None, (card.text, card.back_text)):
        yield OutputLine("")
        yield from (OutputLine(line, "", 2) for line in text.splitlines())
    for clause in card.construction:
        yield OutputLine(said(clause), "fix", 2, "In construction: ")
