"""Sections: the words for the sections of a deck, in any language and punctuation."""

from __future__ import annotations

import re
from functools import lru_cache

from validator.texts import strip_marks

ASIDE = "aside"  # cards in a list beside its deck: cards to try, to buy, cut


def split_words(words: str) -> list[str]:
    """Return the words of a text that is separated by commas."""
    return [word.strip() for word in words.split(",")]


# Types of card in a main deck, in the languages of the players. A type in _FIRST comes first in a list that is
# sorted by type.
_FIRST = split_words("""
    unit, ユニット,
    character, battle, fighter, warrior, charakter, charaktere, kampfkarten, personnage, personaje, personaggi,
    personagem, personagens, kampf, combat, batalla, batalha, battaglia, キャラクター, キャラ, バトル, バトルカード,
    角色, 캐릭터
    """)
_LATER = split_words("""
    pilot, command, base, パイロット, コマンド, ベース,
    event, stage, extra, unison, elite warrior, warlord, legendary warrior, legendary, legendaries, equipment, tactic,
    battlefield, ereignis, ereignisse, bühne, bühnen, evénement, lieu, lieux, evento, eventi, escenario, luogo, luoghi,
    palco, palchi, ort, orte, ereigniskarten, extrakarten, イベント, ステージ, エクストラ, ユニゾン, 事件, 舞台, 场地,
    場地, cenário, 이벤트, 스테이지
    """)
# untap.in puts the Leader under "Play". Games with a second, small main deck call it the egg deck.
_WORDS = {
    "leader": split_words("""
        leader, leader zone, leader number, leader id, deck leader, play, anführer, chef, líder, リーダー, 領袖, 领袖,
        리더, 리더 카드, leaderkarte, leader karte, lider, лидер
        """),
    "main": (
        *split_words("""
        main, md, main deck, maindeck, mainboard, main board, principal, principale, deck, deck list, decklist, card,
        digimon deck list, egg deck, digi egg deck, hauptdeck, haupt deck, deck principal, mazo, mazo principal,
        baraja, baraja principal, mazzo,
        mazzo principale, baralho, baralho principal, talia, talia główna,
        jeu principal, hoofddeck, основная колода, колода, мейн, เมนเด็ค,
        メイン, メインデッキ, デッキ, 主牌, 主牌組, 主牌组, 主卡組, 主卡组, 牌組, 牌组, 卡組, 卡组,
        메인, 메인 덱, 메인덱, 덱
        """),
        *_FIRST,
        *_LATER,
    ),
    "side": split_words("""
        side, side deck, sidedeck, sideboard, side board, sb, nebendeck, seitendeck, beideck, ersatzdeck, réserve,
        deck de réserve, deck secondaire, deck annexe, banquillo, reserva, mazo lateral, mazo secundario,
        mazo de reserva, riserva, mazzo secondario, mazzo di riserva, baralho secundário, deck secundário, サイド,
        talia poboczna, talia dodatkowa, сайд, сайдборд, сайд дек, ไซด์เด็ค,
        サイドデッキ, サイドボード, 備牌, 备牌, 副卡組, 副卡组, 副牌, 副牌組, 副牌组,
        사이드, 사이드 덱, 사이드덱, 사이드보드
        """),
    "z": split_words("""
        z, z deck, zdeck, z battle, z extra, z leader, z unison, deck z, mazo z, mazzo z, baralho z, z デッキ, zデッキ,
        z牌組, z牌组, z卡組, z卡组, z 덱, z덱
        """),
    "resource": split_words("""
        resource, resource deck, ressource, ressourcen, ressourcendeck, ressourcen deck, ressourcenkarten,
        deck ressources, deck de ressources, recursos, deck de recursos, mazo de recursos, baraja de recursos,
        baralho de recursos, risorse, mazzo risorse, mazzo delle risorse, リソース, リソースデッキ,
        資源, 資源卡, 資源卡組, 資源牌組, 资源, 资源卡, 资源卡组, 资源牌组, 리소스, 리소스 덱, 리소스덱
        """),
    "don": split_words("don, don deck, deck don, ドン, ドン!!デッキ, ドンデッキ, don!!デッキ"),
    ASIDE: split_words("""
        maybe, maybeboard, maybe board, maybe deck, considering, wishlist, wish list, acquireboard, not in deck,
        not in the deck, cut, removed, possible change, possible addition, idea, alternative, option, sideboard idea,
        want, need, missing, testing, to buy, need to buy, token, tokens, unit token, jetons, トークン, ex base,
        ex resource, vielleicht, alternativen, wunschliste, quizás,
        tal vez, opciones, alternativas, talvez, peut être, forse, opções, opzioni, 候補, 検討, 検討中, 入替候補, 補欠
        """),
}
LONGEST = 40  # characters of a heading with all its decoration
_MARKS = re.compile(r"[-_!/\s]+")
# Words before a section's name: "My Leader", "II. Main Deck", "Cartas de batalla".
_BEFORE = re.compile(r"(?:my|the|[ivx]{1,3}[.)]|cart(?:a|e|as|es)(?: d[aei])?) ")


def section(words: str) -> str | None:
    """Return the section that a heading, a cell or a key names: "Side Deck" is "side". None if it names no section.

    The words are compared as by `word`. "aside" is the section of cards beside the deck. A text of more than LONGEST
    characters names none.
    """
    return _SECTIONS.get(word(words)) if len(words) <= LONGEST else None


def is_kind(words: str) -> bool:
    """Return True if a heading or a cell names a type of card, such as "Event", and not a section, such as "Side".

    The words are compared as by `word`. False for a text of more than LONGEST characters.
    """
    return len(words) <= LONGEST and word(words) in _KINDS


def begins_main(words: str) -> bool:
    """Return True if a heading can begin a main deck. Headings of later card types, such as "Event", cannot."""
    return section(words) == "main" and word(words) not in _LATER_WORDS


def normalise_heading(text: str) -> str:
    """Return a text in lower case without accents and long vowel marks of Japanese, which writers often leave out."""
    return strip_marks(text).casefold().replace("ー", "")


@lru_cache(maxsize=512)
def word(text: str) -> str:
    """Return a heading in lower case with single blanks, without words such as "my", "cards" and "list", and no plural.

    A text that is a known word of a section is not shortened. The result is cached.
    """
    words = _normalise_marks(text)
    if words in _SECTIONS:
        return words
    words = _BEFORE.sub("", words, count=1)
    for ending in _ENDINGS:
        words = words.removesuffix(ending)
    return words if words in _SECTIONS else words.removesuffix("s")


def _normalise_marks(text: str) -> str:
    """Return a heading in lower case without accents. Each run of dashes, slashes, "!" and blanks becomes one blank."""
    # A dash within Japanese text is a long vowel.
    return _LONG_VOWEL.sub("", " ".join(_MARKS.sub(" ", normalise_heading(text)).split()))


_LONG_VOWEL = re.compile(r"(?<=[\u3040-\u30ff]) ")
_ENDINGS = (" cards", " card", " card(s", "(s", " list", _normalise_marks("カード"), "卡牌", "卡片", "卡")
_SECTIONS = {_normalise_marks(word): section for section, words in _WORDS.items() for word in words}
_LATER_WORDS = frozenset(map(_normalise_marks, _LATER))
_KINDS = frozenset(map(_normalise_marks, _FIRST)) | _LATER_WORDS
