"""Headlines: lines of a list without a card: headings, facts about the list, comments and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from validator import sections
from validator.sections import LONGEST, split_words, word
from validator.tables import headings, section_counts

# Other words by which lists sort a main deck. They are too common to mean a section outside headings.
_SORTING_WORDS = frozenset(
    ("drop", "cost", "energy", "counter", "red", "green", "blue", "purple", "black", "yellow", "multicolor")
)
_FACT_TITLES = split_words("""
    total de carta, total carte, number of, total number of, cards in deck, sum, subtotal, total price, avg cost,
    average cost, id, bandai id, bandai tcg id, bandai tcg+ id, bnid, tcg id, member id, membership id, deck code,
    first name, last name, surname, nom, prénom, nombre, apellido, apellidos, nome, cognome, vorname, nachname, 名前,
    日付, 大会, phone, email, e mail, mail, discord, deckname, team, club, shop, round, table, season, judge, signature,
    from, to, cc, subject, sent, gesendet, code, deck id, tel, telefon, mobile, curve, cost curve, matchup, w l,
    w l t, w l d, total, total card, card total, card count, deck size, size, number of card,
    total cards in deck, total cards in main deck, main deck total, deck total, summe, gesamt, insgesamt, anzahl karten,
    nombre de cartes, número de cartas, nombre total, totale, 合計, 計, 合计, 합계, 총, name, title, deck,
    deck name, deck title, deck type, archetype, description, note, tag, player, player name, player id,
    membership number, author, creator, created by, made by, by, date, event, tournament, format, regulation, region,
    country, host, location, store, place, placing, placement, rank, ranking, record, result, game, ruleset, set,
    version, url, link, source, price, color, colour, last updated, exported from, deck exported from, spieler, joueur,
    jugador, giocatore, jogador, プレイヤー, デッキ名, datum, fecha, data
    """)
# Headings of columns with values printed on the cards, or with the cards of a collection.
_COLUMN_FACTS = frozenset(
    split_words("""
    cost, power, color, colour, rarity, set, price, attribute, counter, #, have, need, own, owned, missing, needed,
    wanted
    """)
)
_FACT_WORDS = frozenset(map(word, _FACT_TITLES))
_EDGES = re.compile(r"^[\W_]+|(?<![\W_])[\W_]+$")
CARD_WORD = r"(?: ?(?:cards?|karten|cartes|cartas|carte|[枚張张장]))?"
_COUNT = re.compile(
    r"(?<![\s:(\[{=*-])[\s:(\[{=*-]*(?:(?<![\w])(?:x|total|count|qty|up to)[\s:=-]*)?"
    rf"[0-9]{{1,4}}(?:/[0-9]{{1,4}})?{CARD_WORD}(?: total)?$",
    re.IGNORECASE,
)
_COUNT_FIRST = re.compile(rf"^[0-9]{{1,4}}{CARD_WORD}[ :x-]+(?=[^\W\d])")
_INLINE = re.compile(r"([^\W\d_](?:[^\W\d_]|[!/+ -]){0,30}?)(?:\s?[:=]| -\s)\s*(?=\S)")
_COLON = re.compile(r" ?:(?!//)")
_A_WORD = re.compile(r"(?<![^\s.,;|/])[^\s.,;|/:]+")
_WORDS = 3  # of a heading within a line
# Words behind a mark of a line with several cards, before another mark or a colon: "; Side;", ", Main:".
_BEHIND_MARK = re.compile(rf"(?:^|[,;|]| /(?= )) ?([^\W\d_][^,;|/:=0-9]{{0,{LONGEST - 1}}}?) ?(?:[:=] ?|(?=[,;|]| / ))")
_COUNTED_ENTRY = re.compile(r"(?:^|[,;|:]| / ) ?x?[0-9]{1,2} ?[x*]? ?(?=[^\W\d_])", re.IGNORECASE)
_MARKS = frozenset(",;|/")  # between the cards of a line
_LAST_ENTRY = re.compile(r"[,;|/:]")
_FEWEST_CARDS = 2  # in a line with several sections
_CARD = re.compile(r"\b(?:[A-Z]{1,4}[0-9]{1,3}|P)-[0-9]{2,4}", re.ASCII)
_ANY_CARD = re.compile(_CARD.pattern, re.ASCII | re.IGNORECASE)
_TOTAL = re.compile(
    rf"(?:(?:deck )?total|sum|gesamt|summe|合計|合计|总计|總計|計|计|Σ)(?: cards?)?[ :=(\[-]*[0-9]{{1,4}}"
    rf"(?:/[0-9]{{1,4}}|\+[0-9]{{1,2}})?{CARD_WORD}[)\]]?"
    rf"|count(?: cards?)?[ :=(\[-]*[0-9]{{2,4}}(?:/[0-9]{{1,4}})?{CARD_WORD}[)\]]?"
    r"|[(\[]?[0-9]{1,4}(?:/[0-9]{1,4})? (?:unique |different |distinct )?(?:cards|karten|cartes|cartas|carte)"
    r"(?:(?: in)? total)?(?: ?(?:\+|and|&)(?: [1a])? leader)?[)\]]?"
    r"|(?:unique|different|distinct)(?: cards)?[ :=]*[0-9]{1,3}"
    r"|1 leader ?(?:\+|and|&) ?[0-9]{2} cards"
    r"|[0-9]{1,4} total|[0-9]{2}[枚張张장]|1 ?\+ ?[0-9]{2}|[0-9]{2} ?\+ ?1"
    r"|[(=\[]\s?[0-9]{1,4}(?:/[0-9]{1,4})?[)\]]?|[0-9]{2}/[0-9]{2}"
    r"|(?:deck )?exported from .{1,200}",
    re.IGNORECASE,
)
# Sums of a spreadsheet program, with or without the name of the summed group: "Ann Lee Total", "Total Ann Lee".
_LONGEST_SUM = 200
_GROUP_SUM = r"(?:sous-|sub)?total|totale|ergebnis|summe|suma częściowa|集計|汇总|彙總|요약"
_SUM = re.compile(
    r"(?:grand |sub-?|overall )?totals?|zwischensumme|gesamtergebnis|gesamtsumme|total (?:général|general|geral)"
    rf"|totale complessivo|suma(?: całkowita| końcowa)?|[总總総]?[合小]?[計计]|총?합계|{_GROUP_SUM}",
    re.IGNORECASE,
)
_SUM_OF_GROUP = re.compile(rf".+[\s:-](?:{_GROUP_SUM})|(?:sous-|sub)?total\s.+", re.IGNORECASE)
_MONTHS = (
    "jan(?:uary|uar|ner|vier|eiro)?|ene(?:ro)?|gen(?:naio)?|feb(?:ruary|ruar|rero|braio)?|févr?(?:ier)?|fevereiro"
    "|mar(?:ch|s|zo|ço)?|märz|apr(?:il|ile)?|avr(?:il)?|abr(?:il)?|may|mai|mayo|maio|maggio|june?|juni|juin|junio|junho"
    "|giugno|july?|juli|juillet|julio|julho|luglio|aug(?:ust)?|août|agosto?|sept?(?:ember|embre|iembre)?|setembro"
    "|settembre|o[ck]t(?:ober|obre|ubre)?|out(?:ubro)?|ottobre|nov(?:ember|embre|iembre|embro)?|de[cz](?:ember)?"
    "|déc(?:embre)?|dic(?:iembre|embre)?|dezembro"
)
_YEAR = "(?:19|20)[0-9]{2}"
_DAY = (
    r"[0-9]{1,4}([./-])[0-9]{1,2}\1[0-9]{1,4}"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|º|er)?\.? (?:of |de )?(?:{_MONTHS})\.?,? (?:de )?{_YEAR}"
    rf"|(?:{_MONTHS})\.? [0-9]{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}"
    rf"|{_YEAR} ?年 ?[0-9]{{1,2}} ?月 ?[0-9]{{1,2}} ?日"
)
_TIME = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[ap]\.?m\.?)?"
# A date, the list's program, counters of a page, and a player's id or a telephone number without a colon. A date in
# words needs its year, because "4 June" could be four copies of a card.
_NOTE = re.compile(
    rf"(?:[^\W\d_]{{2,12}}\.?,? )?(?:{_DAY})(?:,? {_TIME})?"
    rf"|[^:]{{1,40}} - (?:today|yesterday|{_DAY.replace(chr(92) + '1', chr(92) + '2')})(?: at|,)? {_TIME}"
    r"|(?:last updated|generated by|created with|made with|sent from my) .{1,200}"
    r"|(?:bnid|membership number) [0-9]+|@[\w.]{2,40}|[^\s#]{2,40}#[0-9]{4}"
    r"|(?:phone|tel|telefon|mobile|mobil)\.? [+0-9 ()/-]{5,30}"
    r"|[0-9]{1,5} (?:players|participants|entrants|spieler|teilnehmer|joueurs|jugadores|giocatori|jogadores)"
    r"|[0-9]{1,5} (?:comments?|likes?|views?|upvotes?|repl(?:y|ies)|(?:minute|hour|day|week|month|year)s? ago)"
    r"|(?:[$€£¥] ?[0-9]{1,6}(?:[.,][0-9]{2})?|[0-9]{1,6}(?:[.,][0-9]{2})? ?[€£])"
    r"|(?:buy|shop|order)(?: (?:this|the|all|now|deck|cards?|singles)){0,3}(?: (?:on|at|from|via) [\w .]{2,30})?"
    r"|(?:copy|download|share|export)(?: (?:this|the|deck|list|decklist|link|url|text|image|as|to|clipboard)){1,5}"
    r"|(?:page|seite|página|pagina) [0-9]{1,3}(?: ?(?:/|of|von|de|di|sur) ?[0-9]{1,3})?"
    r"|(?:v|ver|version)\.? ?[0-9]{1,3}(?:\.[0-9]{1,3}){0,2}"
    r"|(?:w-l(?:-[td])? )?[0-9]{1,2}-[0-9]{1,2}(?:-[0-9]{1,2})?"
    r"|(?:avg|average)\.? cost [0-9]{1,2}(?:[.,][0-9]{1,2})?",
    re.IGNORECASE,
)
# The line of a mail above the mail that it answers.
_ANSWERED = re.compile(
    r"(?:on|am|le|el|il|em|op|w dniu|dnia) .{5,200}(?:wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|napisał)"
    r"[^:]{0,60}:",
    re.IGNORECASE,
)
# The first line of exports of digital games: "Name (Goku Aggro)".
_NAME = re.compile(r"name \([^()]{1,80}\)", re.IGNORECASE)
_FAREWELL = re.compile(
    r"(?:many |best |kind |warm |with |viele |liebe )*(?:thanks|thank you|thx|ty|cheers|regards|wishes|sincerely|yours"
    r"|danke|gruß|grüße|merci|cordialement"
    r"|gracias|saludos|grazie|saluti|obrigad[oa]|pozdrawiam|dzięki)\b[\w ]{0,30}[,.!]?",
    re.IGNORECASE,
)


class Heading(NamedTuple):
    """A line, or the beginning of one, that opens a section.

    `section` is one of SECTIONS, or "aside" for cards outside the deck. `opens` is True if a main deck can begin here.
    `rest` is the position in the line of the cards behind the heading, None if the whole line is the heading. `style`
    is the decoration: "_", "//word-1", "//", "SB:" or "". "SB:" puts only its own line into the section. `kind` is the
    normalised word of a heading that only sorts a section by type, cost or colour, "" for others.
    """

    section: str
    opens: bool = False
    rest: int | None = None
    style: str = ""
    kind: str = ""


def heading(plain: str) -> Heading | None:
    """Return the Heading if a whole line is one, with any decoration and with or without a count. None for other lines.

    None also if the line contains a card number ("SB01-005"), or is longer than any heading. "DON!! 10" is ten cards.
    """
    if len(plain) > LONGEST or _ANY_CARD.search(plain):
        return None
    words = without_count(plain)
    section = _section_of_heading(words)
    if section is None and is_comment(plain):  # "// 50 Main Deck"
        section = _section_of_heading(words := _COUNT_FIRST.sub("", words))
    if section is None:  # "Cost 3 (8)"
        section = _section_of_heading(words := without_count(words))
    # "DON!! 10" is ten cards; "DON!! (10)" is a heading.
    if section is None or (word(words) == "don" and plain[-1].isdigit()):
        return None
    return Heading(section, sections.begins_main(words), style=_heading_style(plain), kind=_sorting_word(words))


def row_heading(cells: Sequence[str], is_name: Callable[[str], bool]) -> Heading | None:
    """Return the heading that a table's row is: a section's name, with or without a number in another cell.

    Blank cells are ignored. None for other rows, also if the words are the name of a card ("Side 7").
    """
    words = [cell for cell in cells if cell]
    if not words or len(words) > 2:
        return None
    if len(words) == 2:
        words.sort(key=_is_number)  # the number last
        if not _is_number(words[1]):
            return None
    return None if is_name(words[0]) else heading(" ".join(words))


def _is_number(cell: str) -> bool:
    """Return True if a cell is a whole number, with or without brackets: "(50)"."""
    return cell.strip("()[]").isdigit()


def _section_of_heading(words: str) -> str | None:
    """Return the section that these words name in a heading, None if they name none.

    A word for sorting, "Cost", is "main".
    """
    return sections.section(words) or ("main" if word(words) in _SORTING_WORDS else None)


def without_count(words: str) -> str:
    """Return a heading without marks at both ends and without the count at its end.

    "== Side Deck (15)" becomes "Side Deck".
    """
    return _EDGES.sub("", _COUNT.sub("", _EDGES.sub("", words)))


def inline_heading(plain: str) -> Heading | None:
    """Return the heading before cards on the same line: "Leader: 1 OP01-001", "SB: 2 Nami". None if there is none.

    A colon, an equals sign or a dash must be behind the heading.
    """
    match = _INLINE.match(plain)
    section = sections.section(match[1]) if match else None
    if match is None or section is None:
        return None
    style = "SB:" if word(match[1]) == "sb" else ""
    return Heading(section, sections.begins_main(match[1]), match.end(), style, _sorting_word(match[1]))


def _sorting_word(words: str) -> str:
    """Return the normalised word by which a heading sorts cards: "cost" for "Cost", "event" for "Event".

    "" if it names a section of a deck, or nothing.
    """
    return word(words) if sections.is_kind(words) or word(words) in _SORTING_WORDS else ""


def names_printed_value(kind: str) -> bool:
    """Return True for a normalised heading that sorts cards by a printed value or a colour: "cost", "red".

    False for a type of card, such as "event", and for "".
    """
    return kind in _SORTING_WORDS


def section_starts(plain: str) -> Sequence[int]:
    """Return the positions at which the sections of a line begin: "Leader: 1 OP01-001. Main Deck: 4 OP01-016, …".

    The first position is 0. There is no other if the line has one section. The cards behind a heading between two marks
    have a position of their own: "1 OP01-001; Main; 4 OP01-016".
    """
    starts = {0, *_starts_behind_marks(plain)}
    if inline_heading(plain) is not None:
        ends = [each_start.start() for each_start in _COLON.finditer(plain)]
        starts |= {_heading_start(plain, end, previous_end) for previous_end, end in pairwise((0, *ends))}
    return sorted(starts)


def _starts_behind_marks(plain: str) -> Sequence[int]:
    """Return the starts and ends of the headings behind the marks of a line: "1 OP01-001; Main; 4 OP01-016; Side; …".

    The end of a heading before a colon is left out. Empty if fewer than two cards have a number or a count, as in the
    row of a table. Empty, too, if the words may belong to the cards before them: they are types, are repeated, are at
    the end of the line, or are "Leader" behind a card.
    """
    if len(_ANY_CARD.findall(plain)) < _FEWEST_CARDS and len(_COUNTED_ENTRY.findall(plain)) < _FEWEST_CARDS:
        return ()
    found = [match for match in _BEHIND_MARK.finditer(plain) if sections.section(match[1]) is not None]
    named = [sections.section(match[1]) for match in found]
    is_of_card = len(set(named)) < len(named) or sections.section(_LAST_ENTRY.split(plain)[-1].strip()) is not None
    if is_of_card or any(sections.is_kind(match[1]) or _is_leader_of_card(match) for match in found):
        return ()
    ends = [
        match.end()
        for match in found
        if not match[0].rstrip().endswith((":", "=")) or plain[match.end() :][:1] in _MARKS
    ]
    return [*(match.start(1) for match in found), *ends]


def _is_leader_of_card(match: re.Match[str]) -> bool:
    """Return True if a match of `_BEHIND_MARK` is "Leader" without a colon, and not at the beginning of the line."""
    has_colon = match[0].rstrip().endswith((":", "="))
    return match.start() > 0 and not has_colon and sections.section(match[1]) == "leader"


def _heading_start(plain: str, end: int, previous_end: int) -> int:
    """Return the start of the heading, of one to three words, that ends at the colon at `end`. 0 if there is none.

    `previous_end` is the position of the colon before, which the heading cannot include.
    """
    words = list(_A_WORD.finditer(plain, max(previous_end, end - LONGEST), end))[-_WORDS:]
    return next((word.start() for word in words if sections.section(plain[word.start() : end])), 0)


def _heading_style(plain: str) -> str:
    """Return the decoration of a heading line, as in `Heading.style`.

    "_" for a line that begins with "__", "//word-1" for "//" and a digit at the end, else "//" or "".
    """
    if plain.startswith("__"):
        return "_"
    if plain.startswith("//"):
        return "//word-1" if plain[2:3].isalpha() and plain[-1:].isdigit() else "//"
    return ""


def is_metadata(plain: str) -> bool:
    """Return True if a line is about the list, such as "Player: Ann Lee", a total or a date.

    False if the line contains a card number in capital letters, such as "OP01-016".
    """
    if _CARD.search(plain):
        return False
    if is_total(plain) or _is_note(plain):
        return True
    found = _INLINE.match(plain)
    return found is not None and word(found[1]) in _FACT_WORDS


def is_header(plain: str) -> bool:
    """Return True if a line has only names of columns, each of one word: "Count Number Name Cost Power".

    At least two of them must be roles of columns, such as a count or a name.
    """
    words = plain.split() if plain[:1].isalpha() else ()
    return len(words) > 1 and sum(map(headings.is_known, words)) > 1 and all(map(_is_column, words))


def _is_column(title: str) -> bool:
    """Return True if a word is the heading of a column: a role such as "Count", or a printed value such as "Cost"."""
    return headings.is_known(title) or title.casefold() in _COLUMN_FACTS


def is_total(plain: str) -> bool:
    """Return True if a whole line states a number of cards: "Total: 50", "50 cards", "1 + 50".

    Also True for the program of an export: "Deck exported from …".
    """
    return _TOTAL.fullmatch(plain) is not None


def is_totals_row(cells: Sequence[str]) -> bool:
    """Return True if exactly one of the cells has text, and names a sum, such as "Total".

    `cells` are the cells of a table's row other than counts.
    """
    words = [cell for cell in cells if cell]
    return len(words) == 1 and _is_sum(words[0])


def states_total(cells: Sequence[str]) -> bool:
    """Return True if a table's row has only a word for a sum, such as "Total", and numbers."""
    words = [cell for cell in cells if cell and not _is_number(cell)]
    return len(words) == 1 and names_sum(words[0])


def _is_note(plain: str) -> bool:
    """Return True if a line is a date, a price, a player's id, or a text of a web page such as "3 comments".

    The line above an answered mail is a note. The name of the deck in an export, "Name (Goku Aggro)", is a note, too.
    """
    return bool(_NOTE.fullmatch(plain) or _ANSWERED.fullmatch(plain) or _NAME.fullmatch(plain))


def names_sum(words: str) -> bool:
    """Return True if the words in place of a card's name announce a sum: "Total", "Ann Lee Ergebnis"."""
    return len(words) <= _LONGEST_SUM and (_is_sum(words) or _SUM_OF_GROUP.fullmatch(words.strip()) is not None)


def _is_sum(words: str) -> bool:
    """Return True if the words name a sum without a group: "Total", "Deck total", "Zwischensumme"."""
    text = words.strip()
    return section_counts.is_total(text) or _SUM.fullmatch(text) is not None or is_total(f"{text} 1")


def names_fact(title: str) -> bool:
    """Return True if the heading of a column names a fact, such as "Cost" or "Date", or a sum.

    A player's name is no fact.
    """
    return word(title) in _FACT_WORDS or title.casefold() in _COLUMN_FACTS or names_sum(title)


def is_link(plain: str) -> bool:
    """Return True if a line contains "://", begins with "www.", or has a "=" behind a "?", as in "?deck=…"."""
    return "://" in plain or plain.startswith("www.") or "=" in plain.partition("?")[2]


def is_comment(plain: str) -> bool:
    """Return True if a line begins with "//" or "#", or has no letter or digit."""
    return plain.startswith(("//", "#")) or not any(map(str.isalnum, plain))


def names_deck(plain: str) -> bool:
    """Return True if a line is "Name (…)", the first line of an export of a digital game."""
    return _NAME.fullmatch(plain) is not None


def is_farewell(plain: str) -> bool:
    """Return True if a line ends a letter: "Best regards,". The line below such a line is usually the writer's name."""
    return _FAREWELL.fullmatch(plain) is not None


def has_no_card(plain: str) -> bool:
    """Return True if a whole line is a heading, a comment or a fact about the list.

    Other lines may also have no card.
    """
    return bool(heading(plain)) or is_comment(plain) or is_metadata(plain)
