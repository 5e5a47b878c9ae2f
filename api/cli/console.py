"""The console: writes verdicts, repairs and cards as text, coloured on a terminal and plain elsewhere."""

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
from validator.findings import ADVICE, ERROR, Finding
from validator.games import GAMES
from validator.judge import Terms, Verdict
from validator.language import ENGLISH, Language, phrase
from validator.paraphrase import clause_text

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
    """A line of output: `indent` blanks, then `label`, then `text`. `style` is a key of `_STYLES`, "" for none.

    Control characters are replaced in the text, but not in the label, when the line is written.
    """

    text: str
    style: str = ""
    indent: int = 0
    label: str = ""


def clean(text: str) -> str:
    """Return a text in which control, format and surrogate characters (Cc, Cf, Cs) except tabs are replaced by "�".

    Line breaks are replaced too. Such characters could control the terminal.
    """
    return "".join(one if one == "\t" or unicodedata.category(one) not in ("Cc", "Cf", "Cs") else "�" for one in text)


def write(lines: Iterable[OutputLine]) -> None:
    """Write lines to standard output and flush it: coloured and wrapped on a terminal, plain elsewhere.

    Control characters of the texts, not of the labels, are replaced as by `clean`.
    """
    screen = _terminal()
    for line in lines:
        if screen is None:
            sys.stdout.write(f"{' ' * line.indent}{line.label}{clean(line.text)}".rstrip() + "\n")
        else:
            _print_line(screen, line)
    sys.stdout.flush()


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table to standard output: drawn on a terminal, cells between tabs elsewhere. None is an empty cell.

    Control characters in cells are replaced as by `clean`. Columns of numbers are aligned right on a terminal.
    """
    cells = [[clean("" if cell is None else str(cell)) for cell in row] for row in rows]
    screen = _terminal()
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
    """Return "right" for a column whose cells are digits and commas or empty, but not all empty. Else return "left"."""
    numbers = "".join(column).replace(",", "").isdecimal()
    return "right" if numbers else "left"


def _terminal() -> Screen | None:
    """Return a rich console of at most 100 columns for standard output. None if standard output is no terminal."""
    if not sys.stdout.isatty():
        return None
    from rich.console import Console

    screen = Console(highlight=False)
    screen.width = min(screen.width, _WIDEST)
    return screen


def _print_line(screen: Screen, line: OutputLine) -> None:
    """Print a line on a terminal with its style. Control characters of the text are replaced.

    Indentation and label are dim. Wrapped text stays right of them.
    """
    from rich.table import Table
    from rich.text import Text

    text = Text(clean(line.text), _STYLES[line.style], overflow="fold")
    if not (line.indent or line.label):
        screen.print(text)
        return
    row = Table.grid()
    row.add_column(width=line.indent + len(line.label))
    row.add_column()
    row.add_row(Text(" " * line.indent + line.label, "dim"), text)
    screen.print(row)


def label_width(labels: Iterable[str]) -> int:
    """Return the width in terminal columns of the widest label, plus two. Raises ValueError without labels."""
    return max(map(_text_width, labels)) + 2


def pad_label(label: str, width: int) -> str:
    """Return a label with blanks added up to a width in terminal columns. A wider label is returned unchanged."""
    return label + " " * (width - _text_width(label))


def _text_width(text: str) -> int:
    """Return the width of a text in terminal columns. East Asian wide letters take two."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def verdict_lines(
    verdict: Verdict, name: str, explain: bool = False, translate: Language = ENGLISH
) -> Iterator[OutputLine]:
    """Yield the lines of a verdict: headline, diagnoses, findings with rule and fix, the deck as understood, and terms.

    Findings that may vanish once unknown cards are known are in one line, without rule and fix. `name` is the label of
    the deck in the headline. `explain` adds every rule that was checked, with its result.
    """
    grouped = group_findings(verdict, translate)
    yield OutputLine(f"{headline(verdict, translate)}  {name}", "legal" if verdict.legal else "illegal")
    for diagnosis in grouped.diagnoses:
        yield from _diagnosis_lines(diagnosis, verdict, translate)
    for number, finding in enumerate(grouped.findings, 1):
        yield OutputLine("")
        yield from _finding_lines(finding, number, translate)
    if grouped.hanging:
        findings = " ".join(finding.kind.message(finding, translate) for finding in grouped.hanging)
        yield OutputLine("")
        yield OutputLine(
            translate("Not certain until the unknown cards are known: {findings}", findings=findings), "soft", 2
        )
    yield OutputLine("")
    yield from _deck_lines(verdict, translate)
    if explain:
        yield from _checked_rule_lines(verdict, translate)
        yield OutputLine("")
    yield from _terms_lines(verdict, translate)
    yield OutputLine("")


def _diagnosis_lines(diagnosis: Diagnosis, verdict: Verdict, translate: Language) -> Iterator[OutputLine]:
    """Yield the message of a diagnosis (the probable common cause of findings), and its fix.

    For a deck of another game that deckproof judges, or for a catalogue that lacks cards, the fix names an option or a
    command of `deckproof`.
    """
    yield OutputLine(diagnosis.message, "warning", 2)
    help = diagnosis.fix
    if diagnosis.code == OTHER_GAME and diagnosis.game:
        help = translate("Add --game {game}.", game=diagnosis.game)
    elif diagnosis.code == INCOMPLETE:
        help = _newer_cards_hint(verdict.judge.catalogue.game, translate)
    yield OutputLine(help, "fix", 2)


_LABELS = {
    "leader": phrase("Leader"),
    "main": phrase("Main"),
    "side": phrase("Side"),
    "z": phrase("Z"),
    "don": phrase("DON!!"),
    "resource": phrase("Resource"),
}


def section_label(section: str, translate: Language) -> str:
    """Return the short name of a section of decks in a language. `section` is a key such as "main".

    Raises KeyError for an unknown one.
    """
    return translate.text(_LABELS[section])


def _deck_lines(verdict: Verdict, translate: Language) -> Iterator[OutputLine]:
    """Yield the deck as it was understood, by section, two lines of the deck on each line of output.

    The first line of a section has its name as label. A line without a certain card is as written, with a mark. At most
    200 lines of a section are shown, then the number of others. Lines that could not be read are left out.
    """
    labels = {section: section_label(section, translate) for section in _LABELS}
    room = max(_LABEL, label_width(labels.values()))
    for section, lines in verdict.facts.resolved_lines.items():
        label = labels[section]
        cards = [_card_cell(line, card, verdict.judge.catalogue, translate) for line, card in lines[:_MOST_LINES]]
        if len(lines) > _MOST_LINES:
            rest = len(lines) - _MOST_LINES
            cards.append(translate.plural("and {count} more line", "and {count} more lines", rest))
        for left, right in zip_longest(cards[::2], cards[1::2], fillvalue=""):
            yield OutputLine(f"{left:<{_COLUMN}}  {right}".rstrip(), "", 2, pad_label(label, room))
            label = ""


def _card_cell(line: DeckLine, card: Card | None, catalogue: Catalogue, translate: Language) -> str:
    """Return a line of the deck as "count card", with number and name of the catalogue's card.

    `card` is None if the line matches no card, or several. Then the card is as written, with "(several cards)" if a
    name without a number is that of cards of the catalogue, else with "(unknown)".
    """
    if card:
        return f"{line.count} {card.label}"
    if line.number is None and line.name and catalogue.by_name(line.name):
        return f"{line.count} {translate('{card} (several cards)', card=_written_card(line))}"
    return f"{line.count} {translate('{card} (unknown)', card=_written_card(line))}"


def _written_card(line: DeckLine) -> str:
    """Return number and name of a line's card as the player wrote them. Without both, return the written line."""
    return " ".join(filter(None, (line.number, line.name))) or line.written


def hint_lines(verdict: Verdict, translate: Language = ENGLISH) -> Iterator[OutputLine]:
    """Yield a line with the fewest changes that make a deck legal, and a blank line. It refers to `deckproof repair`.

    If another Leader needs fewer changes, both numbers are given. Yield nothing if most cards are unknown or of another
    game, or if no repair was found. Computes the repair, which may take seconds.
    """
    from validator.repair import count_fewest_changes

    if is_unjudgeable(verdict):
        return
    changes, is_minimal, with_leader = count_fewest_changes(verdict)
    if changes is None:
        return
    if changes != with_leader:
        hint = translate(
            "Changes to make the deck legal: {changes} with another Leader, {others} with this Leader",
            changes=changes,
            others=with_leader,
        )
    else:
        hint = _legal_with(changes, is_minimal, translate)
    yield OutputLine(translate("{hint} (`deckproof repair` lists them)", hint=hint), "soft", 2)
    yield OutputLine("")


def _legal_with(changes: int, is_minimal: bool, translate: Language) -> str:
    """Return "Make the deck legal with N changes" in a language, with ", or perhaps fewer" unless `is_minimal`."""
    if is_minimal:
        return translate.plural(
            "Make the deck legal with {count} change", "Make the deck legal with {count} changes", changes
        )
    return translate.plural(
        "Make the deck legal with {count} change, or perhaps fewer",
        "Make the deck legal with {count} changes, or perhaps fewer",
        changes,
    )


def repair_lines(repair: Repair, translate: Language = ENGLISH) -> Iterator[OutputLine]:
    """Yield the lines of a repair: heading, reason, each way to make the deck legal, and the ways with other Leaders.

    If no repair was found, yield that and the reason.
    """
    if repair.changes is None:
        yield OutputLine(translate("No repair found"), "illegal")
        yield OutputLine(translate.text(repair.why), "", 2)
        return
    yield OutputLine(_repair_heading(repair, translate), "title")
    yield OutputLine(translate.text(repair.why), "soft", 2)
    for at, one in enumerate(repair.repairs, 1):
        yield OutputLine("")
        if len(repair.repairs) > 1:
            heading = translate("One of {ways} ways:", ways=len(repair.repairs)) if at == 1 else translate("Or:")
            yield OutputLine(heading, "title", 1)
        yield from _repair_change_lines(one, translate)
    for other in repair.leaders:
        yield OutputLine("")
        leaders = words.join_with_or([card.label for card in other.leaders], translate)
        heading = translate.plural(
            "With another Leader, {leaders}: {count} change",
            "With another Leader, {leaders}: {count} changes",
            other.changes,
            leaders=leaders,
        )
        yield OutputLine(heading, "title", 1)
        yield from _repair_change_lines(other.repair, translate)
    yield OutputLine("")


def _repair_heading(repair: Repair, translate: Language) -> str:
    """Return the heading of a found repair: its number of changes, and the fewest with another Leader, if any."""
    if repair.leaders:
        return translate(
            "Changes to make the deck legal: {changes} with another Leader, {others} with this Leader",
            changes=repair.fewest,
            others=repair.changes,
        )
    return _legal_with(repair.changes or 0, repair.minimal, translate)


def _repair_change_lines(changes: Changes, translate: Language) -> Iterator[OutputLine]:
    """Yield a line for each change of a repair. After a change that a finding requires, a line cites the rule."""
    for change, because in changes.render(translate):
        yield OutputLine(change, "fix", 3, "- ")
        if because:
            yield OutputLine(", ".join(words.cite_for_people(because, translate)), "soft", 5)


def _newer_cards_hint(game: str, translate: Language) -> str:
    """Return a sentence on missing cards with the command that gets newer ones.

    It is a sync if the game has an official site, else an import.
    """
    how = f"sync {game}" if GAMES[game].site else f"import … --game {game}"
    return translate("Missing cards may be new. Run `deckproof cards {how}` to get the newest cards.", how=how)


def _finding_lines(finding: Finding, number: int, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines of a finding: its message after `number`, its rule, the address of the list, and its fix.

    "Advice: " or "Warning: " is before the message of such a finding. The address is that of the limits list. It is
    left out if no entry of a list is behind the finding.
    """
    rule, fix = translate("Rule"), translate("Fix")
    room = label_width((rule, fix))
    message, style = finding.kind.message(finding, translate), "warning"
    if finding.severity == ERROR:
        style = "title"
    elif finding.severity == ADVICE:
        message, style = translate("Advice: {message}", message=message), ""
    else:
        message = translate("Warning: {message}", message=message)
    yield OutputLine(message, style, 1, f"{number:>2}. ")
    yield OutputLine(", ".join(words.cite_for_people(finding, translate)), "", 5, pad_label(rule, room))
    if finding.limits:
        yield OutputLine(finding.limits.source, "soft", 5, " " * room)
    yield OutputLine(finding.kind.fix(finding, translate), "fix", 5, pad_label(fix, room))


def _checked_rule_lines(verdict: Verdict, translate: Language) -> Iterator[OutputLine]:
    """Yield a line for each rule that was applied to a verdict's deck, with its result before it and its citation."""
    for one in verdict.as_dict(explain=True, translate=translate)["checked"]:
        mark, style = _result_mark(one["passed"], translate)
        citation = ", ".join(map(translate.text, (one["rule"]["document"], one["rule"]["section"])))
        yield OutputLine(f"{one['says']} ({citation})", style, 2, f"{mark}  ")


def _result_mark(passed: bool | None, translate: Language) -> tuple[str, str]:
    """Return `(word, style)` for the result of a checked rule: a word in a language, and a key of `_STYLES` for it.

    `passed` is None if a fact that decides is not known.
    """
    if passed is None:
        return translate("not certain yet"), "warning"
    return (translate("passed"), "fix") if passed else (translate("FAILED"), "illegal")


class _TermsEntry(NamedTuple):
    """A line below a verdict, with the warnings that follow it. A `text` of "" has no line, a warning of "" neither."""

    label: str
    text: str
    warnings: tuple[str, ...] = ()
    style: str = ""


def _terms_lines(verdict: Verdict, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines below a verdict: section sizes, ruleset, day, limits list, catalogue and deck hash.

    The line of the limits list is left out if the game has none. Warnings on gaps, provisional data and missing cards
    follow the line that they are about.
    """
    terms, catalogue = verdict.judge.terms, verdict.judge.catalogue
    provisional = {name: part.describe(translate) for name, part in verdict.judge.provisional.items()}
    place = words.region_name(catalogue.game, terms.region, translate)
    edition_note = terms.ruleset.note_on(terms.on)
    limits_note = terms.in_force.note if terms.in_force else ""
    has_unknown_cards = "card.unknown" in verdict.codes and not is_unjudgeable(verdict)
    entries = (
        _TermsEntry(translate("Cards"), _sizes_text(verdict, translate)),
        _TermsEntry(
            translate("Ruleset"),
            terms.ruleset.title,
            (translate.template(edition_note) if edition_note else "", provisional.get("ruleset", "")),
        ),
        _TermsEntry(translate("Judged on"), day_and_place(terms.on, terms.format, place, translate, terms.best_of)),
        _TermsEntry(
            translate("Limits"),
            _limits_text(terms, translate),
            (translate.text(limits_note) if limits_note else "", provisional.get("limits", "")),
        ),
        _TermsEntry(
            translate("Catalogue"),
            words.catalogue_text(len(catalogue), catalogue.as_of, translate),
            (
                provisional.get("catalogue", ""),
                _newer_cards_hint(catalogue.game, translate) if has_unknown_cards else "",
            ),
        ),
        _TermsEntry(translate("Deck hash"), verdict.deck_hash, style="soft"),
    )
    room = label_width(entry.label for entry in entries)
    for entry in entries:
        if entry.text:
            yield OutputLine(entry.text, entry.style, 2, pad_label(entry.label, room))
        for warning in filter(None, entry.warnings):
            yield OutputLine(warning, "warning", 2, " " * room)


def _sizes_text(verdict: Verdict, translate: Language) -> str:
    """Return the number of cards in each section of a verdict's deck as text, without empty sections."""
    sizes = [
        translate("{section} {count}", section=section_label(section, translate), count=size)
        for section, size in verdict.facts.sizes.items()
        if size
    ]
    return words.join_with_commas(sizes, translate) if sizes else translate("none")


def day_and_place(day: date, format: str, place: str, translate: Language, best_of: int | None = None) -> str:
    """Return the day, format and region of a verdict, and the length of a match if it is given, as text.

    `place` is the text for the region. `best_of` is the most games of a match, None if it is not given.
    """
    where = {"day": day, "format": words.format_name(format, translate), "region": place}
    if best_of:
        return translate("{day}, {format} format, {region}, best of {best_of}", best_of=best_of, **where)
    return translate("{day}, {format} format, {region}", **where)


def _limits_text(terms: Terms, translate: Language) -> str:
    """Return the state of the limits list under a verdict's terms, and the day up to which announcements are known.

    The state is "in force from DAY", "in force" if its first day is not known, or "none in force". The whole text is
    "not applied" if the policy ignores lists, and "" if the game has no list.
    """
    listed = terms.in_force
    if listed is None:
        return translate("not applied")
    if listed.known_to is None:
        return ""
    if listed.effective_from:
        return translate(
            "in force from {day}; announcements known up to {known}", day=listed.effective_from, known=listed.known_to
        )
    if listed.entries:
        return translate("in force; announcements known up to {known}", known=listed.known_to)
    return translate("none in force; announcements known up to {known}", known=listed.known_to)


def card_lines(card: Card, translate: Language = ENGLISH) -> Iterator[OutputLine]:
    """Yield the lines of a card: number and name, facts with labels, texts, and its clauses on deck building.

    Facts that are empty or not known are left out. Those not known are named in a line. A clause without its printed
    text is a paraphrase.
    """
    yield OutputLine(card.label, "title")
    facts = {
        translate("Game"): card.game,
        translate("Back"): card.back_name,
        translate("Type"): words.fact_names([card.type], translate)[0],
        translate("Colours"): ", ".join(words.fact_names(card.colors, translate)),
        translate("Cost"): card.cost_text,
        translate("Life"): card.life,
        translate("Power"): card.power,
        translate("Traits"): ", ".join((*card.traits, *card.back_traits)),
        translate("Set"): card.set,
        translate("Block"): card.block,
        translate("Rarity"): card.rarity,
        translate("Released"): translate.day(card.released) if card.released else None,
        translate("Printings"): ", ".join(card.printings),
        translate("Not known"): ", ".join(words.fact_names(card.unknown, translate)),
    }
    known = {label: fact for label, fact in facts.items() if fact not in (None, "")}
    room = max(_LABEL, label_width(known))
    for label, fact in known.items():
        yield OutputLine(str(fact), "", 2, pad_label(label, room))
    for text in filter(None, (card.text, card.back_text)):
        yield OutputLine("")
        yield from (OutputLine(line, "", 2) for line in text.splitlines())
    for clause in card.construction:
        yield OutputLine(clause_text(clause, translate), "fix", 2, translate("In deck building: "))
