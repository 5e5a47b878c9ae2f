"""Headings: the words that lists use for the sections of a deck, in any punctuation, and what is no card at all."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from validator.texts import unmarked

ASIDE = "aside"  # what a list holds beside its deck: cards to try, to buy, cut

# Kinds of card that make up a main deck, in the languages that players write; those in _FIRST stand first
# in one, where a list sorts by kind.
_FIRST = (
    *("character", "battle", "fighter", "warrior"),
    *("charakter", "charaktere", "kampfkarten", "personnage", "personaje", "personaggi", "personagem", "personagens"),
    *("kampf", "combat", "batalla", "batalha", "battaglia"),
    *("キャラクター", "キャラ", "バトル", "バトルカード", "角色", "캐릭터"),
)
_LATER = (
    "event",
    "stage",
    "extra",
    "unison",
    "elite warrior",
    "warlord",
    "legendary warrior",
    *("legendary", "legendaries"),
    "equipment",
    "tactic",
    "battlefield",
    *("ereignis", "ereignisse", "bühne", "bühnen", "evénement", "lieu", "lieux", "evento", "eventi"),
    *("escenario", "luogo", "luoghi", "palco", "palchi", "ort", "orte", "ereigniskarten", "extrakarten"),
    *("イベント", "ステージ", "エクストラ", "ユニゾン", "事件", "舞台", "이벤트", "스테이지"),
)
# What else lists sort a main deck by; too common as words to mean a section anywhere but in a heading.
_SORTS = frozenset(
    ("drop", "cost", "energy", "counter", "red", "green", "blue", "purple", "black", "yellow", "multicolor")
)
# "Play" is where untap.in lays the Leader. Games with a second, small main deck call it the egg deck.
_WORDS = {
    "leader": (
        *("leader", "leader zone", "leader number", "leader id", "deck leader", "play"),
        *("anführer", "chef", "líder", "リーダー", "領袖", "领袖", "리더"),
    ),
    "main": (
        *("main", "main deck", "maindeck", "mainboard", "main board", "deck", "deck list", "decklist", "card"),
        *("digimon deck list", "egg deck", "digi egg deck"),
        *("hauptdeck", "haupt deck", "deck principal", "mazo", "mazo principal", "baraja", "baraja principal"),
        *("mazzo", "mazzo principale", "baralho", "baralho principal"),
        *("メイン", "メインデッキ", "デッキ", "主牌組", "主卡組", "主卡组", "牌組", "卡组", "메인", "메인 덱", "덱"),
        *_FIRST,
        *_LATER,
    ),
    "side": (
        *("side", "side deck", "sidedeck", "sideboard", "side board", "sb"),
        *("nebendeck", "seitendeck", "beideck", "ersatzdeck", "réserve", "deck de réserve", "deck secondaire"),
        *("deck annexe", "banquillo", "reserva", "mazo lateral", "mazo secundario", "mazo de reserva"),
        *("riserva", "mazzo secondario", "mazzo di riserva", "baralho secundário", "deck secundário"),
        *("サイド", "サイドデッキ", "サイドボード", "備牌", "备牌", "副卡組", "副卡组", "사이드", "사이드 덱"),
    ),
    "z": (
        *("z", "z deck", "zdeck", "z battle", "z extra", "z leader", "z unison"),
        *("deck z", "mazo z", "mazzo z", "baralho z", "z デッキ", "zデッキ", "z牌組", "z卡組", "z卡组", "z 덱"),
    ),
    "don": ("don", "don deck", "deck don", "ドン", "ドン!!デッキ", "ドンデッキ", "don!!デッキ"),
    ASIDE: (
        *("maybe", "maybeboard", "maybe board", "maybe deck", "considering", "wishlist", "wish list", "acquireboard"),
        *("not in deck", "not in the deck", "cut", "removed", "possible change", "possible addition", "idea"),
        *(
            "alternative",
            "option",
            "sideboard idea",
            "want",
            "need",
            "missing",
            "testing",
            "to buy",
            "need to buy",
            "tokens",
        ),
        *("vielleicht", "alternativen", "wunschliste", "quizás", "tal vez", "opciones", "alternativas", "talvez"),
        *("peut être", "forse", "opções", "opzioni", "alternative", "候補", "検討", "検討中", "入替候補", "補欠"),
    ),
}
_LONGEST = 40  # characters of a heading with all its decoration

_METADATA = (
    *(
        "total de carta",
        "total carte",
        "number of",
        "total number of",
        "cards in deck",
        "sum",
        "subtotal",
        "total price",
        "avg cost",
        "average cost",
    ),
    *(
        "id",
        "bandai id",
        "bandai tcg id",
        "bandai tcg+ id",
        "bnid",
        "tcg id",
        "member id",
        "membership id",
        "deck code",
    ),
    *("first name", "last name", "surname", "nom", "prénom", "nombre", "apellido", "apellidos", "nome", "cognome"),
    *("vorname", "nachname", "名前", "日付", "大会", "phone", "email", "e mail", "mail", "discord", "deckname"),
    *("team", "club", "shop", "round", "table", "season", "judge", "signature", "from", "to", "subject", "w l"),
    *("total", "total card", "card total", "count", "card count", "deck size", "size", "number of card"),
    *(
        "total cards in deck",
        "total cards in main deck",
        "main deck total",
        "deck total",
        "summe",
        "gesamt",
        "insgesamt",
        "anzahl karten",
    ),
    *("nombre de cartes", "número de cartas", "nombre total", "totale", "合計", "計", "枚数", "合计", "합계", "총"),
    *("name", "title", "deck", "deck name", "deck title", "deck type", "archetype", "description", "note", "tag"),
    *("player", "player name", "player id", "membership number", "author", "creator", "created by", "made by", "by"),
    *("date", "event", "tournament", "format", "regulation", "region", "country", "host", "location", "store"),
    *("place", "placing", "placement", "rank", "ranking", "record", "result", "game", "ruleset", "set", "version"),
    *("url", "link", "source", "price", "color", "colour", "last updated", "exported from", "deck exported from"),
    *("spieler", "joueur", "jugador", "giocatore", "jogador", "プレイヤー", "デッキ名", "datum", "fecha", "data"),
)

_EDGES = re.compile(r"^[\W_]+|(?<![\W_])[\W_]+$")
_MARKS = re.compile(r"[-_!/\s]+")
# What people put before a section's name: "My Leader", "II. Main Deck", "Cartas de batalla".
_BEFORE = re.compile(r"(?:my|the|[ivx]{1,3}[.)]|cart(?:a|e|as|es)(?: d[aei])?) ")
_CARDS = r"(?: ?(?:cards?|karten|cartes|cartas|carte|[枚張张장]))?"
_COUNT = re.compile(
    r"(?<![\s:(\[{=*-])[\s:(\[{=*-]*(?:(?<![\w])(?:x|total|count|qty|up to)[\s:=-]*)?"
    rf"[0-9]{{1,4}}(?:/[0-9]{{1,4}})?{_CARDS}(?: total)?$",
    re.IGNORECASE,
)
_INLINE = re.compile(r"([^\W\d_](?:[^\W\d_]|[!/+ -]){0,30}?)(?:\s?[:=]| -\s)\s*(?=\S)")
_CARD = re.compile(r"\b(?:[A-Z]{1,4}[0-9]{1,3}|P)-[0-9]{2,4}", re.ASCII)
_TOTAL = re.compile(
    rf"(?:(?:deck )?total|count|gesamt|summe|合計|計)(?: cards?)?[ :=(\[-]*[0-9]{{1,4}}(?:/[0-9]{{1,4}})?{_CARDS}[)\]]?"
    r"|[0-9]{1,4} (?:cards|karten|cartes|cartas|carte)(?:(?: in)? total)?|[0-9]{1,4} total|[0-9]{2}[枚張张장]"
    r"|[(=\[]\s?[0-9]{1,4}(?:/[0-9]{1,4})?[)\]]?|[0-9]{2}/[0-9]{2}"
    r"|(?:deck )?exported from .{1,200}",
    re.IGNORECASE,
)
# A day, what made the list, and a player's id without a colon.
_NOTE = re.compile(
    r"[0-9]{1,4}([./-])[0-9]{1,2}\1[0-9]{1,4}"
    r"|(?:last updated|generated by|created with|sent from my) .{1,200}"
    r"|(?:bnid|membership number) [0-9]+",
    re.IGNORECASE,
)


class Heading(NamedTuple):
    """A line, or the beginning of one, that opens a section.

    `opens` says that the main deck begins here; `rest` is the place in the line where a card follows.
    `style` is how it is decorated: "_", "//word-1", "//", "SB:" (which speaks of its own line alone) or "".
    """

    section: str
    opens: bool = False
    rest: int | None = None
    style: str = ""


def section(words: str) -> str | None:
    """Return the section that a heading, a column's value or a key means: "Side Deck" is "side"."""
    return _SECTIONS.get(_word(words)) if len(words) <= _LONGEST else None


def is_kind(words: str) -> bool:
    """Tell whether a heading or a value names a kind of card rather than a section."""
    return len(words) <= _LONGEST and _word(words) in _KINDS


def folded(text: str) -> str:
    """Return a text without case, accents and the long vowels of Japanese, of which people leave some out."""
    return unmarked(text).casefold().replace("ー", "")


@lru_cache(maxsize=512)
def _word(text: str) -> str:
    """Fold a heading to the form that the words above have: small, one blank, no plural, no "cards"."""
    word = _joined(text)
    if word in _SECTIONS:
        return word
    word = _BEFORE.sub("", word, count=1)
    for ending in _ENDINGS:
        word = word.removesuffix(ending)
    return word if word in _SECTIONS else word.removesuffix("s")


def _joined(text: str) -> str:
    # A dash within Japanese is the long vowel that is read as one.
    return _LONG_VOWEL.sub("", " ".join(_MARKS.sub(" ", folded(text)).split()))


_LONG_VOWEL = re.compile(r"(?<=[\u3040-\u30ff]) ")
_ENDINGS = (" cards", " card", " card(s", "(s", " list", _joined("カード"))
_SECTIONS = {_joined(word): section for section, words in _WORDS.items() for word in words}
_LATER_WORDS = frozenset(map(_joined, _LATER))
_KINDS = frozenset(map(_joined, _FIRST)) | _LATER_WORDS
_METADATA_WORDS = frozenset(map(_joined, _METADATA))


def heading(plain: str) -> Heading | None:
    """Read a whole line as a heading, whatever decorates it and with or without a count of cards."""
    if len(plain) > _LONGEST:
        return None
    cut = _uncounted(plain)
    found = _headed(cut)
    if found is None:  # "Cost 3 (8)"
        found = _headed(cut := _uncounted(cut))
    word = _word(cut)
    # "DON!! 10" is ten cards; "DON!! (10)" is a heading.
    if found is None or (word == "don" and plain[-1].isdigit()):
        return None
    return Heading(found, opens=found == "main" and word not in _LATER_WORDS | _SORTS, style=_style(plain))


def _headed(words: str) -> str | None:
    return section(words) or ("main" if _word(words) in _SORTS else None)


def _uncounted(words: str) -> str:
    return _EDGES.sub("", _COUNT.sub("", _EDGES.sub("", words)))


def inline(plain: str) -> Heading | None:
    """Read the heading that a card follows on the same line: "Leader: 1 OP01-001", "SB: 2 Nami"."""
    found = _INLINE.match(plain)
    name = section(found[1]) if found else None
    if found is None or name is None:
        return None
    style = "SB:" if _word(found[1]) == "sb" else ""
    return Heading(name, name == "main" and _word(found[1]) not in _LATER_WORDS, found.end(), style)


def _style(plain: str) -> str:
    if plain.startswith("__"):
        return "_"
    if plain.startswith("//"):
        return "//word-1" if plain[2:3].isalpha() and plain[-1:].isdigit() else "//"
    return ""


def is_metadata(plain: str) -> bool:
    """Tell whether a line speaks of the list itself (its name, its player, its total) and of no card."""
    if _CARD.search(plain):
        return False
    if is_total(plain) or _NOTE.fullmatch(plain):
        return True
    found = _INLINE.match(plain)
    return found is not None and _word(found[1]) in _METADATA_WORDS


def is_total(plain: str) -> bool:
    """Tell whether a line says how many cards there are, or what wrote the list."""
    return _TOTAL.fullmatch(plain) is not None


def is_link(plain: str) -> bool:
    """Tell whether a line has an address in it, or only the query of one."""
    return "://" in plain or plain.startswith("www.") or "=" in plain.partition("?")[2]


def is_comment(plain: str) -> bool:
    """Tell whether a line is a comment, or only decoration."""
    return plain.startswith(("//", "#")) or not any(map(str.isalnum, plain))
