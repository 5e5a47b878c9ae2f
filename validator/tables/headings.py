"""Headings: the words by which columns are called, in ten languages and in the questions of forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from validator.sections import normalise_heading, split_words
from validator.texts import nfc

PLAYER = "player"
FIRST = "first name"
LAST = "last name"
PLAYER_ID = "player id"
EVENT = "event"
SECTION = "section"
SIDE = "sideboard"
TYPE = "type"
NUMBER = "number"
CARD = "card"
COUNT = "count"
DECKLIST = "decklist"

# What columns are called, small and without marks; where several columns could be meant, the first
# wordings that are there win, so that "Player" leaves "Player name" of a team aside.
_WORDS: Mapping[str, Sequence[str]] = {
    PLAYER: (
        "player playername playersname nameofplayer",
        "fullname legalname realname yourname participant participantname competitor competitorname attendee entrant "
        "duelist duelistname "
        "lastfirst firstlast firstandlastname firstnameandlastname namesurname nameandsurname",
        "jogador jogadora jugador jugadora joueur joueuse spieler spielerin spielername giocatore giocatrice gracz "
        "teilnehmer teilnehmerin teilnehmername vorundnachname vorundzuname vornamenachname namedesspielers",
        "nomdujoueur nometprenom prenometnom nomprenom prenomnom nomcomplet participante nombreyapellidos "
        "nombreyapellido nombresyapellidos nombrecompleto nombredeljugador nombrejugador nomedelgiocatore "
        "nomegiocatore nomeecognome cognomeenome nomecompleto nomedojogador nomejogador nomeesobrenome partecipante",
        "imieinazwisko nazwiskoiimie imienazwisko nazwagracza imiegracza uczestnik zawodnik zawodniczka",
        "プレイヤー プレイヤー名 プレーヤー プレーヤー名 氏名 お名前 選手名 参加者 参加者名 姓名 玩家 玩家姓名 玩家名 "
        "玩家名称 選手 选手 选手姓名 参赛者 參賽者 真实姓名 真實姓名",
        "플레이어 플레이어명 선수 선수명 이름 성명 성함 참가자 참가자명 игрок фио",
    ),
    FIRST: (
        "firstname givenname forename vorname prenom nombredepila primernombre primeironome primonome nomeproprio imie "
        "名 이름(명)",
        "firstnames givennames vornamen prenoms nombres nomes nomi imiona",
    ),
    LAST: (
        "lastname surname familyname nachname familienname apellido apellidos primerapellido cognome sobrenome "
        "nomdefamille nazwisko 姓 苗字",
        "apelidos sobrenomes ultimonome",
    ),
    PLAYER_ID: (
        "playerid memberid bnid membershipnumber membershipno membershipid membernumber playernumber playerno",
        "bandaiid bandainumber bandaino bandaitcgid bandaitcgplusid tcgid tcgplusid bandaitcg tcgplus "
        "bandaitcgplus bandaitcgplusnumber bandaitcgplusmembershipnumber userid",
        "spielernr spielernummer spielerid mitgliedsnummer mitgliedsnr bandainummer identifiant identifiantbandai "
        "numerodejoueur numerodemembre idbandai idbandaitcg idbandaitcgplus iddeljugador iddejugador idjugador "
        "numerodesocio numerodejugador numerodemiembro idgiocatore numerogiocatore codicegiocatore iddogiocatore "
        "idjogador iddojogador numerodojogador numerodesocio idgracza numergracza numerbandai numerczlonkowski",
        "バンダイid バンダイナムコid 会員番号 プレイヤーid 会員id 玩家id 会员号 會員編號 会员编号 玩家编号 玩家編號 "
        "万代id 萬代id 선수번호 회원번호 플레이어id 반다이id 멤버십번호",
    ),
    EVENT: (
        "event eventname tournament tournamentname evento torneio torneo turnier tournoi turniej wydarzenie "
        "veranstaltung 大会 大会名 イベント イベント名 赛事 賽事 比赛 比賽 대회 대회명",
    ),
    SECTION: (
        "section board zone decksection sectionofdeck",
        "seccion secao sezione bereich abschnitt zona sekcja strefa 区分 セクション 区域 區域 分区 分區 구역 섹션",
    ),
    SIDE: ("sideboard issideboard sideboarded sidedeck side insideboard",),
    TYPE: ("type cardtype", "category typ kartentyp tipo 種類 类型 類型 종류"),
    NUMBER: (
        "number cardnumber cardnum cardno cardid cardcode collectornumber kartennummer kartennr",
        "カード番号 卡号 卡號 卡片编号 卡片編號 카드번호 numerodecarte numerodelacarte numerocarte numerodecarta "
        "numerodelacarta numerodacarta codigodecarta codigodacarta numerocarta numerodellacarta codicecarta numerkarty "
        "ndecarte nodecarte nodecarta nocarta ncarta nrkarty codecarte reference referencia 型番 卡牌编号 卡牌編號",
        "code no nr numero nummer numer codigo codice kod 番号 编号 編號 번호 코드",
    ),
    CARD: (
        "card cardname cardtitle carte carta karte kartenname karta",
        "nomdelacarte nomdecarte nombredelacarta nombredecarta nomedellacarta nomecarta nomedacarta nomedecarta "
        "productname itemname nazwakarty カード カード名 卡名 卡片 卡片名 卡片名称 卡片名稱 카드 카드명 카드이름",
    ),
    COUNT: (
        "count qty quantity copies amount numberofcopies howmany",
        "anzahl stuck stuckzahl menge cantidad quantidade quantite quantita nb ilosc liczba sztuk sztuki copias copie "
        "cant cants qtd qtde qta qte exemplaires exemplare stk anz szt 数",
        "枚数 数量 數量 张数 張數 수량 장수 매수 개수",
        "copy pcs pieces cards numberofcards noofcards times x",
    ),
    DECKLIST: (
        "decklist list yourdecklist deckliste decklista",
        "listadedeck listadecartas listadelmazo listademazo listadecartasdelmazo mazo listedudeck listededeck "
        "listedecartes listadeck listadelmazzo listamazzo listadimazzo mazzo listadobaralho listadebaralho baralho "
        "listatalii listakart talia kartenliste decklink deckurl deckcode deckrecipe linktodeck linktoyourdeck "
        "デッキ デッキリスト デッキレシピ 牌組 牌组 牌表 卡組 卡组 卡表 套牌 卡组列表 牌組列表 卡組列表 卡组清单 "
        "덱 덱리스트 덱레시피",
    ),
}
# Words that mean one thing or another, as the other columns and what is in this one tell.
NAMES = ("name", "nome", "nom", "nombre", "nazwa", "名前", "名字", "名称", "名稱")
ID = "id"
DECK = "deck"
NOMBRE = "nombre"  # a name in Spanish, a number of copies in French
APELIDO = "apelido"  # a last name in Portugal, a nickname in Brazil
# What somebody is called where no other column has the name.
_NICKNAMES = (
    "username user gamertag nickname nick displayname screenname handle alias ign discord discordname discordtag "
    "spitzname benutzername pseudo pseudonyme surnom apodo usuario nombredeusuario soprannome nomeutente apelido "
    "nomedeusuario ksywa pseudonim ニックネーム ユーザー名 ハンドルネーム 昵称 暱稱 用户名 닉네임 사용자명"
)

# Questions of forms: "Please paste your deck list (one card a line)". A name outweighs an id: "Name as on your ID".
_OF_OTHERS = (
    r"deck|decks|decklist|mazo|mazzo|baralho|card|cards|carta|carte|leader|event|tournament|store|shop|team|club|file|city|country|deckname|karten?"
    r"|lineitem|item|product|shipping|buyer|purchaser|parent|guardian|emergency"
    r"|set|simple|expansion|edition|series|booster|pack|rarity|colou?r|type|trait|attribute|language|seller|vendor"
)
_A_NAME = (
    r"name|names|nickname|surname|nachname|nom|prenom|nombre|apellidos?|nome|cognome|sobrenome|nazwisko|imie|gamertag|"
    r"vorname|rufname|familienname|zuname|forename|username|alias|handle|entrant|participant|jugador|joueur|giocatore|jogador|gracza?|spielers?"
)
_ASKS: Sequence[tuple[str, re.Pattern[str]]] = (
    (
        DECKLIST,
        re.compile(r"\bdeck ?list[ae]?\b|\blist[ae] (?:de|del|di|do|du|von)\b.*\b(?:deck|mazo|mazzo|baralho)\b"),
    ),
    (DECKLIST, re.compile(r"テッキ(?:リスト|レシヒ)|[牌卡][組组]|덱\s*(?:리스트|레시피)|牌表|卡表")),
    (PLAYER, re.compile(r"氏名|お名前|姓名|이름|성명|성함|フレイヤ名|玩家名")),
    (PLAYER_ID, re.compile(r"\A(?>.*?(?:ハンタイ|万代|萬代|반다이|会員|會員|회원|玩家)).*(?:id|番号|编号|編號|번호)")),
    (PLAYER, re.compile(rf"\A(?!.*\b(?:{_OF_OTHERS})\b).*\b(?:{_A_NAME})\b")),
    (
        PLAYER_ID,
        re.compile(
            r"\A(?>.*?\b(?:bandai|tcg|member(?:ship)?|player|joueur|jugador|giocatore|jogador|gracza|spieler)\b)"
            r".*\b(?:id|number|no|nr|nummer|numero|numer)\b"
            r"|\b(?:id|number|nr|nummer|numero|numer|identifiant)\b.*\b(?:bandai|tcg)\b"
        ),
    ),
)
# The halves of a name, in forms that ask for each.
_HALVES: Sequence[tuple[str, re.Pattern[str]]] = (
    (FIRST, re.compile(r"\b(?:first|given|forename|vorname|rufname|prenom|pila|imie)\b")),
    (
        LAST,
        re.compile(
            r"\b(?:last|family|surname|nachname|zuname|familienname|famille|apellidos?|cognome|sobrenome|nazwisko)\b"
        ),
    ),
)
_WHOLE = re.compile(r"\b(?:name|nombre|nome|nom|nazwa)\b")
_HANDLE = re.compile(r"nick|user|gamer|display|screen|discord|alias|handle|stage|file|bandai|game")
_WORD = re.compile(r"\w+")
_ASIDE = re.compile(r"[(（\[【][^()（）\[\]【】]*[)）\]】]")


def key(title: str) -> str:
    """Return a heading as one word for comparison: "Player's Name (Full)" is "playersnamefull".

    It is in lower case, without accents, punctuation and blanks. "#" beside other words is "no". "" if nothing is left.
    """
    return "".join(words(title))


def words(title: str) -> Sequence[str]:
    """Return the words of a heading in lower case, without accents and punctuation. "#" beside other words is "no".

    The last 512 headings of up to 250 characters are cached.
    """
    return _split_words_cached(title) if len(title) <= _SHORT else _split_words(title)


def _split_words(title: str) -> Sequence[str]:
    """Return the words of a heading, as `words` does but without its cache."""
    if any(map(str.isalnum, title)):
        title = title.replace("#", " no ").replace("°", "o")
    return tuple(_WORD.findall(nfc(normalise_heading(title)).replace("_", " ")))


# Several functions split the same heading, and many tables have the same headings.
_SHORT = 250
_split_words_cached = lru_cache(maxsize=512)(_split_words)


def outside_brackets(title: str) -> str:
    """Return a heading with a blank in place of each text in round or square brackets."""
    return _ASIDE.sub(" ", title)


def find_question_role(title: str) -> str | None:
    """Return the role that a form's question is about, DECKLIST, PLAYER or PLAYER_ID. None for other headings.

    Text in brackets is ignored.
    """
    question = " ".join(words(outside_brackets(title)))
    return next((role for role, asks in _ASKS if asks.search(question)), None)


def find_name_half(title: str) -> str | None:
    """Return FIRST or LAST if a heading asks for one half of a person's name. None for both halves or for no name."""
    text = " ".join(words(title))
    asks = [role for role, pattern in _HALVES if pattern.search(text)]
    return asks[0] if len(asks) == 1 and find_question_role(title) == PLAYER else None


def may_be_half(title: str) -> bool:
    """Return True if a heading is for a name that may be half of a name: "Name", "Nom", "¿Cuál es tu nombre?".

    False for names of cards, decks and files, and for nicknames.
    """
    text = " ".join(words(title))
    return _WHOLE.search(text) is not None and find_question_role(title) == PLAYER and not _HANDLE.search(text)


def is_known(title: str) -> bool:
    """Return True if a heading is exactly a known wording for a role, a name, a nickname or an ID."""
    return key(title) in _KNOWN


def find_wording(title: str) -> tuple[str, int] | None:
    """Return `(role, rank)` of a heading that is a known wording, with or without its text in brackets.

    Rank 0 is the clearest wording of a role. None for other headings.
    """
    return ROLES.get(key(title)) or ROLES.get(key(outside_brackets(title)))


def has_count_word(words: Sequence[str]) -> bool:
    """Return True if at least one of these words means a number of copies: the words of "Deck Qty" or "copiesInDeck".

    Ambiguous words such as "cards" and "x" do not.
    """
    return not _COUNTED.isdisjoint(words)


def has_fact_word(words: Sequence[str]) -> bool:
    """Return True if one of these words means another number beside a card than a count: a cost, a power, a price."""
    return not _NUMBERED.isdisjoint(words)


def is_fact(title: str) -> bool:
    """Return True if a heading has a word for a number that is no count of copies: a cost, a power, a price."""
    return has_fact_word(words(title))


def describes_card(title: str) -> bool:
    """Return True if a heading has a word for a text about the card of the row: its rarity, colour, set or condition.

    Words for types and notes are left out, because columns of them can have another role.
    """
    return not _DESCRIPTIONS.isdisjoint(words(title))


def is_nickname(title: str) -> bool:
    """Return True if a heading is a known wording for a nickname or user name. Text in brackets may be added."""
    return key(title) in _NICKS or key(outside_brackets(title)) in _NICKS


ROLES = {
    key(word): (role, rank)
    for role, ranks in _WORDS.items()
    for rank, wordings in enumerate(ranks)
    for word in wordings.split()
}
NAME_KEYS = frozenset(map(key, NAMES))
_NICKS = frozenset(map(key, _NICKNAMES.split()))
SURE = 3  # wordings of a count; those below are words of much else
_COUNTED = frozenset(word for word, (role, rank) in ROLES.items() if role == COUNT and rank < SURE)
# What else is a number beside a card.
_NUMBERED = frozenset(
    key(word)
    for word in split_words("""
    cost, costs, power, life, counter, level, lv, hp, ap, dp, block, energy, combo, link, id, index, position, pos,
    order, sort, rank, row, page, year, price, value, market, worth, kosten, coste, costo, cout, niveau, nivel, stufe,
    preis, prix, precio, prezzo, コスト, パワー, ライフ, カウンター, レベル, ブロック, 費用, 费用, 코스트, 파워
    """)
)
# What else is a text beside a card. All its values divide the cards, as the names of players do.
_DESCRIPTIONS = frozenset(
    key(word)
    for word in split_words("""
    rarity, color, colors, colour, colours, set, sets, trait, traits, attribute, attributes, condition, edition,
    expansion, foil, farbe, farben, seltenheit, zustand, merkmal, merkmale, rarete, couleur, couleurs, etat, extension,
    rareza, colores, edicion, expansion, rasgo, rasgos, atributo, atributos, rarita, colore, colori, espansione,
    edizione, raridade, cor, cores, edicao, expansao, レアリティ, レア度, 色, 特徴, 属性, 稀有度,
    颜色, 顏色, 레어도, 색상
    """)
)
_KNOWN = ROLES.keys() | NAME_KEYS | _NICKS | {ID}
