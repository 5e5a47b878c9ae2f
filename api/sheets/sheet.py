"""Registration sheets and blank sheets to fill in by hand: their contents, before a writer draws them as a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from api.service.errors import Invalid, Wrong
from api.sheets.person_names import PersonName, clean_text, cut
from api.sheets.registration import Event, Registration
from carddb import foreign_names
from validator import words
from validator.account import group_findings
from validator.cards import Card, Catalogue
from validator.deck import MOST_LINES, SECTIONS, UNLISTED, DeckLine, resolve
from validator.findings import ADVICE, ERROR, Finding
from validator.games import GAMES
from validator.judge import Judge, Terms, Verdict
from validator.language import ENGLISH, phrase
from validator.matching import fold_text
from validator.rules import Policy
from validator.rulesets import Ruleset

TITLES = {name: ENGLISH.text(title) for name, title in words.SECTION_TITLES.items()} | {"main": "Main deck"}
UNKNOWN, AMBIGUOUS = phrase("Not in the catalogue"), phrase("Name of several cards")
# Words on a sheet by which a returned sheet is recognised.
PLAYER_ID, DECK_HASH, FINDINGS = "Player ID", "Deck hash", "Findings"
COLUMNS = ("Qty", "Number", "Card name", "Type", "Cost", "Check")
CURVE, CURVE_TITLES = "Cost curve", ("Cost", "Cards")
_NO_COST = "-"  # on the card; a ruleset may count it as 0
_HIGHEST = 10  # cost in a curve, which includes all higher ones
_LONGEST = 200  # characters of what a player wrote for a card
_MOST_PROBLEMS = 60  # on a sheet; more are one mistake many times
# Lines of a blank sheet, high enough to write on: all of a page, and those of a section. The main deck has the rest.
_BLANK_LINES = 44
_BLANK_LINES_OF = {"leader": 1, "side": 10, "z": 8}
_BLANK_TOTAL = "____"


class CardEntry(NamedTuple):
    """One card of one section with its printed texts. `count` is 0 for an empty line of a blank sheet.

    `cost` is "" if the card has none. If the card is not in the catalogue, `known` is False, `number` and `name` are as
    written, and `type` is the reason. DON!! cards and empty lines have the section's title as `type`.
    """

    count: int  # type: ignore[assignment]  # the field's own word; it hides tuple.count
    number: str
    name: str
    type: str = UNKNOWN
    cost: str = ""
    known: bool = True

    @property
    def text(self) -> str:
        """The number and the name, as the player wrote them if the card is not in the catalogue."""
        return f"{self.number} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the deck: each card once, sorted by type, cost and name. Unresolved lines are last, as written.

    `key` is the section's code, `title` its English title.
    """

    key: str
    title: str
    entries: tuple[CardEntry, ...]

    @property
    def total(self) -> int:
        """The number of cards, copies included."""
        return sum(entry.count for entry in self.entries)

    @property
    def groups(self) -> list[Section]:
        """The cards by type, as sections with the same key whose titles are the types, in the order of `entries`."""
        return [Section(self.key, title, tuple(same)) for title, same in groupby(self.entries, attrgetter("type"))]


class Problem(NamedTuple):
    """A finding as English texts to print, with its code. `citation` is the document and the section of the rule.

    The message of a finding that leaves the deck legal begins with "Warning: ".
    """

    code: str
    message: str
    citation: str
    fix: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The contents of a registration sheet.

    `sections` are those of the deck, `totals` has (title, number of cards) by section, "____" on a blank sheet. `found`
    is the number of grouped findings without advice, `problems` the first 60. `curve` has (cost, number of cards) of
    the main deck. `ruleset` is its id, `title` its title, and `game` the game's title. `limits`, `provisional`,
    `policy` and `cards_as_of` are texts for people, "" for none. `best_of` is None if it is not known. A blank sheet
    has no `deck_hash` ("") and is `legal`.
    """

    registration: Registration
    game: str
    ruleset: str
    title: str
    format: str
    on: date
    sections: tuple[Section, ...]
    totals: tuple[tuple[str, int | str], ...]
    limits: str = ""
    provisional: str = ""
    best_of: int | None = None
    policy: str = ""
    cards_as_of: str = ""
    deck_hash: str = ""
    legal: bool = True
    problems: tuple[Problem, ...] = ()
    found: int = 0
    curve: tuple[tuple[str, int], ...] = ()

    @property
    def code_text(self) -> str:
        """The content of the sheet's QR code: the player's address, else the deck hash. "" for no code."""
        return self.registration.address or self.deck_hash

    @property
    def verdict(self) -> str:
        """The verdict in the words of the sheet: "LEGAL" or "NOT LEGAL"."""
        return "LEGAL" if self.legal else "NOT LEGAL"

    @property
    def headline(self) -> str:
        """The line about the event at the head of every page: game, format, event and day, as far as they are known."""
        person = self.registration
        return " · ".join(filter(None, (self.game, person.format_name, person.event, person.day)))

    @property
    def made_with(self) -> str:
        """The line about ruleset, format, match, lists, provisional data, day and policy of the verdict."""
        policy = [f"Tournament policy: {self.policy}"] if self.policy else []
        match = [f"Best of {self.best_of}"] if self.best_of else []
        format = f"{self.format.capitalize()} format"
        provisional = [self.provisional] if self.provisional else []
        parts = (self.title, format, *match, self.limits, *provisional, f"Judged for {self.on}", *policy)
        return " · ".join(parts)

    @property
    def text(self) -> str:
        """All texts of the sheet that may have characters without a font, joined without separators.

        They are of the player, the event, the cards, the findings and the limits list.
        """
        person = self.registration
        written = [*person.player, person.event, person.place, person.table, person.notes, person.format_name]
        written.append(self.limits)  # it has the name of an organiser's list
        written += (text for problem in self.problems for text in problem[1:])
        written += (text for section in self.sections for entry in section.entries for text in entry[1:3])
        return "".join(written)


def sheet(registration: Registration, verdict: Verdict, names: str = "") -> Sheet:
    """Return the sheet of a registered deck. Raises Invalid if the deck needs more than MOST_LINES lines.

    `names` is the code of a language: cards then have their names in that language too, if these are known. "" is only
    English. Advice, and findings that may vanish once an unknown card is known, are not printed.
    """
    terms, facts = verdict.judge.terms, verdict.facts
    sections = tuple(_sections(verdict, names))
    if (lines := sum(len(section.entries) for section in sections)) > MOST_LINES:
        raise Invalid(
            [
                Wrong(
                    "",
                    phrase(
                        "A sheet has at most {most:,} lines, and this deck needs {lines:,}.",
                        most=MOST_LINES,
                        lines=lines,
                    ),
                )
            ]
        )
    # Advice is for players only.
    findings = [finding for finding in group_findings(verdict).findings if finding.severity != ADVICE]
    return Sheet(
        registration=registration,
        game=GAMES[terms.ruleset.game].title,
        ruleset=terms.ruleset.id,
        title=terms.ruleset.title,
        format=terms.format,
        on=terms.on,
        limits=_limits_note(terms),
        provisional=_provisional_note(verdict.judge),
        best_of=terms.best_of,
        policy=_describe_policy(terms.policy),
        cards_as_of=_cards_as_of_note(verdict.judge.catalogue),
        deck_hash=verdict.deck_hash,
        legal=verdict.legal,
        sections=sections,
        totals=tuple(_totals(terms, facts.sizes)),
        problems=tuple(_printed_problems(findings)),
        found=len(findings),
        curve=cost_curve(verdict),
    )


def _sections(verdict: Verdict, names: str) -> Iterator[Section]:
    """Yield the sections of a deck that have lines, with their printed cards.

    `names` is the language of the additional card names, "" for none.
    """
    types = verdict.judge.terms.ruleset.types
    for key, lines in verdict.facts.resolved_lines.items():
        if lines:
            entries = _card_entries(lines, types.get(key, ()), verdict.judge.catalogue, names)
            if key == "don":
                # DON!! cards have no number of their own and need not be in the catalogue.
                entries = (entry._replace(type=TITLES[key], known=True) for entry in entries)
            yield Section(key, TITLES[key], tuple(entries))


def _card_entries(
    lines: Iterable[tuple[DeckLine, Card | None]], types: tuple[str, ...], catalogue: Catalogue, names: str
) -> Iterator[CardEntry]:
    """Yield the cards of a section to print, each once with all copies, in order of type, cost and name.

    Cards that are not in the catalogue come last. `types` is the order of the section's card types. `names` is the
    language of additional names, "" for none.
    """
    known: Counter[Card] = Counter()
    unresolved: Counter[tuple[str, str, str]] = Counter()
    for line, card in lines:
        if card:
            known[card] += line.count
        else:
            unresolved[_unresolved_card(line, catalogue)] += line.count
    for card in sorted(known, key=lambda card: _card_sort_key(card, types)):
        yield CardEntry(known[card], clean_text(card.number), _card_name(card, names), card.type, _printed_cost(card))
    for number, name, why in sorted(unresolved, key=lambda written: written[2] == UNKNOWN):
        yield CardEntry(unresolved[number, name, why], number, name, why, known=False)


def _unresolved_card(line: DeckLine, catalogue: Catalogue) -> tuple[str, str, str]:
    """Return `(number, name, reason)` of a line without a known card. Number and name are as written, cut to 200.

    Both may be "".
    """
    name = line.name or "" if line.number else line.written
    return _shorten(line.number or ""), _shorten(name), missing_card_reason(line, catalogue)


def missing_card_reason(line: DeckLine, catalogue: Catalogue) -> str:
    """Return AMBIGUOUS if several cards have the name of a line without a number, else UNKNOWN.

    The reason is printed in place of the card's type.
    """
    return AMBIGUOUS if resolve(line, catalogue) else UNKNOWN


def _card_sort_key(card: Card, types: tuple[str, ...]) -> tuple[int, str, bool, int, str, str]:
    """Return the sort key of a card: type in the order of `types`, then cost (cards without a cost last), then name.

    Types that are not in `types` come last, in alphabetical order.
    """
    place = types.index(card.type) if card.type in types else len(types)
    return place, card.type, card.cost is None, card.cost or 0, fold_text(card.name), card.number


def _card_name(card: Card, names: str) -> str:
    """Return "Foreign name (English name)" if the name in the language `names` is known, else only the English name."""
    name = foreign_names.foreign_names_of(card).get(names) if names else None
    return f"{clean_text(name)} ({_printed_name(card)})" if name else _printed_name(card)


def _printed_name(card: Card) -> str:
    """Return a card's English name. A Leader with two faces has both names, because either side may be up."""
    is_both = card.back_name and card.back_name != card.name and card.type == "Leader"
    return clean_text(f"{card.name} // {card.back_name}" if is_both else card.name)


def _printed_cost(card: Card) -> str:
    """Return the cost of a card without its colours, as printed. "" if it has none."""
    return clean_text((card.cost_text or "").partition("(")[0]) or ("" if card.cost is None else str(card.cost))


def _shorten(text: str) -> str:
    """Return a cleaned text, cut to 200 characters."""
    return cut(clean_text(text[: 4 * _LONGEST]), _LONGEST)


def _totals(terms: Terms, sizes: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Yield `(title, number of cards)` of each section that the ruleset has or the deck uses.

    `sizes` has the number of cards by section. Sections that lists leave out, such as DON!! cards, are yielded only if
    the deck uses them.
    """
    for key in SECTIONS:
        if sizes[key] or (key in terms.ruleset.sections and key not in UNLISTED):
            yield TITLES[key], sizes[key]


def _printed_problems(findings: Iterable[Finding]) -> Iterator[Problem]:
    """Yield the first 60 findings as texts, errors first."""
    for finding in sorted(findings, key=lambda finding: finding.severity != ERROR)[:_MOST_PROBLEMS]:
        yield Problem(
            finding.code,
            ("" if finding.severity == ERROR else "Warning: ") + clean_text(finding.message),
            clean_text(", ".join(words.cite_for_people(finding, ENGLISH))),
            clean_text(finding.fix),
        )


def _cards_as_of_note(catalogue: Catalogue) -> str:
    """Return "Cards as of DAY" for the card data, "" if the day is not known."""
    return f"Cards as of {catalogue.as_of}" if catalogue.as_of else ""


def _limits_note(terms: Terms) -> str:
    """Return the title of the limits list for the sheet, such as "Limits list of 2026-04-01".

    It names an organiser's own list too. "Ban list not applied" if none was, "No limits list" if the list has neither
    a day nor entries. A list that is known only in part is marked.
    """
    limits_list = terms.in_force
    if limits_list is None:
        return "Ban list not applied"
    dated = f"Limits list of {limits_list.effective_from}" if limits_list.effective_from else "Limits list"
    title = dated if limits_list.effective_from or limits_list.entries else "No limits list"
    own = [f"with {clean_text(terms.lists.own)}"] if terms.lists.own else []
    return " ".join([title, *own, *(["(known in part)"] if limits_list.notes else [])])


_PARTS = {"ruleset": "rules", "limits": "limits list", "catalogue": "card data"}


def _provisional_note(judge: Judge) -> str:
    """Return "Provisional: …" with the parts of a verdict that rest on second-hand sources, "" if there are none."""
    parts = ", ".join(_PARTS[name] for name in judge.provisional)
    return f"Provisional: {parts}" if parts else ""


def _describe_policy(policy: Policy) -> str:
    """Return the organiser's changes to the rules as printed on the sheet, "" if there are none."""
    across = "over deck and side deck" if policy.copies_across_side else "for each deck alone"
    parts = {
        f"side deck of at most {policy.side_max}": policy.side_max is not None,
        f"deck of at least {policy.main_min}": policy.main_min is not None,
        f"deck of at most {policy.main_max}": policy.main_max is not None,
        "any number of copies of a card": not policy.copies,
        f"copies counted {across}": policy.copies_across_side is not None,
        f"cards legal {policy.release_delay_days} days after release": policy.release_delay_days,
        "cards legal before release": not policy.release,
    }
    return ", ".join(part for part, holds in parts.items() if holds)


def cost_curve(verdict: Verdict) -> tuple[tuple[str, int], ...]:
    """Return `(cost, number of cards)` of the main deck for each cost from 0 to the highest. The last may be "10+".

    Cards without a cost, or with "-" as the cost, are not counted. Empty if no card is counted.
    """
    counts: Counter[int] = Counter()
    for card, copies in verdict.facts.counts["main"].items():
        if card.cost is not None and _printed_cost(card) != _NO_COST:
            counts[min(card.cost, _HIGHEST)] += copies
    costs = range(max(counts, default=-1) + 1)
    return tuple((f"{cost}+" if cost == _HIGHEST else str(cost), counts[cost]) for cost in costs)


@dataclass(frozen=True, slots=True)
class BlankSheet(Sheet):
    """A sheet without a player, a deck and a verdict. Empty fields are filled in by hand."""

    @property
    def verdict(self) -> str:
        """An empty text, because there is no deck yet."""
        return ""

    @property
    def made_with(self) -> str:
        """The title of the ruleset and the instruction to the player."""
        return f"{self.title} · Write every card once, with its copies, its whole number and its whole name."


def blank(terms: Terms, event: Event) -> BlankSheet:
    """Return a blank sheet for an event, with empty lines for the sections of the terms' ruleset."""
    ruleset = terms.ruleset
    sections = _blank_sections(ruleset)
    return BlankSheet(
        registration=Registration(
            PersonName(""), event=event.event, date=event.day, place=event.place, format_name=event.format_name
        ),
        game=GAMES[ruleset.game].title,
        ruleset=ruleset.id,
        title=ruleset.title,
        format=terms.format,
        on=terms.on,
        sections=sections,
        totals=tuple((section.title, _BLANK_TOTAL) for section in sections),
    )


def _blank_sections(ruleset: Ruleset) -> tuple[Section, ...]:
    """Return the sections of a ruleset, each with empty lines to write on.

    Sections that nobody writes out, such as DON!! cards, are left out. All sections together have 44 lines.
    """
    keys = [key for key in ruleset.sections if key not in UNLISTED]
    rest = _BLANK_LINES - sum(_BLANK_LINES_OF.get(key, 0) for key in keys)
    return tuple(
        Section(key, TITLES[key], (CardEntry(0, "", "", TITLES[key]),) * _BLANK_LINES_OF.get(key, rest)) for key in keys
    )
