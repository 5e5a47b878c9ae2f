"""The words that players of seven languages write around their cards: headings, column titles, section names.

Collected from lists that players post, not from the readers: a test that shares the readers' words proves nothing.
`deck_writer` and its sisters call it.
"""

from __future__ import annotations

from collections.abc import Mapping

Words = Mapping[str, tuple[str, ...]]

SECTIONS: Mapping[str, Words] = {
    "en": {
        "leader": ("Leader", "LEADER", "Leader Card"),
        "main": ("Main Deck", "Main", "Deck", "Mainboard", "MAIN DECK", "Maindeck"),
        "side": ("Side Deck", "Sideboard", "Side", "SIDEBOARD", "Sidedeck"),
        "z": ("Z-Deck", "Z Deck", "Z-Deck Cards"),
        "don": ("DON!! Deck", "DON!!", "DON Deck"),
    },
    "de": {
        "leader": ("Leader", "Anführer"),
        "main": ("Hauptdeck", "Deck", "Main Deck"),
        "side": ("Sideboard", "Side Deck", "Nebendeck", "Side-Deck"),
        "z": ("Z-Deck",),
        "don": ("DON!!-Deck", "DON!!"),
    },
    "fr": {
        "leader": ("Leader", "Chef"),
        "main": ("Deck principal", "Deck", "Principal"),
        "side": ("Réserve", "Side Deck", "Sideboard", "Side"),
        "z": ("Deck Z", "Z-Deck"),
        "don": ("Deck DON!!", "DON!!"),
    },
    "es": {
        "leader": ("Líder", "Lider"),
        "main": ("Mazo principal", "Mazo", "Principal"),
        "side": ("Banquillo", "Sideboard", "Side Deck"),
        "z": ("Mazo Z", "Z-Deck"),
        "don": ("Mazo DON!!", "DON!!"),
    },
    "it": {
        "leader": ("Leader",),
        "main": ("Mazzo principale", "Mazzo", "Principale"),
        "side": ("Sideboard", "Side Deck", "Side"),
        "z": ("Mazzo Z", "Z-Deck"),
        "don": ("Mazzo DON!!", "DON!!"),
    },
    "pt": {
        "leader": ("Líder",),
        "main": ("Deck principal", "Baralho principal", "Deck"),
        "side": ("Reserva", "Sideboard", "Side Deck"),
        "z": ("Deck Z", "Z-Deck"),
        "don": ("Deck DON!!", "DON!!"),
    },
    "ja": {
        "leader": ("リーダー", "リーダーカード"),
        "main": ("メインデッキ", "デッキ", "メイン"),
        "side": ("サイドデッキ", "サイドボード", "サイド"),
        "z": ("Zデッキ", "Z-デッキ"),
        "don": ("ドン!!デッキ", "DON!!デッキ"),
    },
    "zh": {
        "leader": ("领袖", "領袖"),
        "main": ("主卡组", "主牌组", "卡组", "主牌組"),
        "side": ("副卡组", "备牌", "備牌", "副牌组"),
        "z": ("Z卡组", "Z牌组"),
        "don": ("DON!!卡组", "DON!!"),
    },
}

# Headings of a part of the main deck, by the type of the cards under them.
TYPES: Mapping[str, Words] = {
    "en": {
        "Character": ("Characters", "Character"),
        "Event": ("Events", "Event"),
        "Stage": ("Stages", "Stage"),
        "Battle": ("Battle Cards", "Battle"),
        "Extra": ("Extra Cards", "Extra"),
        "Unison": ("Unison Cards", "Unison"),
        "Unit": ("Units", "Unit"),
        "Pilot": ("Pilots", "Pilot"),
        "Command": ("Commands", "Command"),
        "Base": ("Bases", "Base"),
    },
    "de": {"Character": ("Charaktere",), "Event": ("Ereignisse", "Events"), "Stage": ("Stages",)},
    "fr": {"Character": ("Personnages",), "Event": ("Événements",), "Stage": ("Lieux",)},
    "es": {"Character": ("Personajes",), "Event": ("Eventos",), "Stage": ("Escenarios",)},
    "it": {"Character": ("Personaggi",), "Event": ("Eventi",), "Stage": ("Stage",)},
    "pt": {"Character": ("Personagens",), "Event": ("Eventos",), "Stage": ("Cenários",)},
    "ja": {
        "Character": ("キャラクター", "キャラ"),
        "Event": ("イベント",),
        "Stage": ("ステージ",),
        "Battle": ("バトルカード",),
        "Extra": ("エクストラカード",),
        "Unit": ("ユニット",),
        "Pilot": ("パイロット",),
        "Command": ("コマンド",),
        "Base": ("ベース",),
    },
    "zh": {"Character": ("角色", "角色卡"), "Event": ("事件", "事件卡"), "Stage": ("舞台", "场地")},
}

COLUMNS: Mapping[str, Words] = {
    "en": {
        "number": ("Number", "number", "Card Number", "Card No.", "Code", "Card ID", "No."),
        "name": ("Name", "name", "Card Name", "Card"),
        "count": ("Count", "count", "Qty", "Quantity", "Copies", "Amount"),
        "section": ("Section", "section", "Zone", "Board"),
    },
    "de": {
        "number": ("Nummer", "Kartennummer", "Karten-Nr.", "Nr."),
        "name": ("Name", "Kartenname", "Karte"),
        "count": ("Anzahl", "Menge", "Stück"),
        "section": ("Bereich", "Zone", "Section"),
    },
    "fr": {
        "number": ("Numéro", "N°", "Numéro de carte", "Code"),
        "name": ("Nom", "Carte", "Nom de la carte"),
        "count": ("Quantité", "Qté", "Nombre"),
        "section": ("Section", "Zone"),
    },
    "es": {
        "number": ("Número", "Código", "Número de carta"),
        "name": ("Nombre", "Carta"),
        "count": ("Cantidad", "Cant.", "Copias"),
        "section": ("Sección", "Zona"),
    },
    "it": {
        "number": ("Numero", "Codice"),
        "name": ("Nome", "Carta"),
        "count": ("Quantità", "Copie", "Qtà"),
        "section": ("Sezione", "Zona"),
    },
    "pt": {
        "number": ("Número", "Código"),
        "name": ("Nome", "Carta"),
        "count": ("Quantidade", "Qtd", "Cópias"),
        "section": ("Seção", "Zona"),
    },
    "ja": {
        "number": ("カード番号", "番号", "型番"),
        "name": ("カード名", "名前"),
        "count": ("枚数", "数量"),
        "section": ("区分", "セクション"),
    },
    "zh": {
        "number": ("编号", "卡号", "卡片编号"),
        "name": ("名称", "卡名"),
        "count": ("数量", "张数"),
        "section": ("区域", "分区"),
    },
}

# How one title says of which section a column counts the copies; {0} is the section.
COUNT_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "en": ("{0}", "{0} Qty", "{0} Count", "Qty {0}", "{0} (qty)", "# {0}", "{0} Copies"),
    "de": ("{0}", "Anzahl {0}", "{0} Anzahl"),
    "fr": ("{0}", "Quantité {0}", "Qté {0}"),
    "es": ("{0}", "Cantidad {0}"),
    "it": ("{0}", "Quantità {0}"),
    "pt": ("{0}", "Quantidade {0}"),
    "ja": ("{0}", "{0}枚数"),
    "zh": ("{0}", "{0}数量"),
}

TOTALS: Mapping[str, tuple[str, ...]] = {
    "en": ("Total: {0}", "Total: {0} cards", "Total {0}"),
    "de": ("Gesamt: {0}", "Gesamt: {0} Karten"),
    "fr": ("Total : {0}", "Total: {0} cartes"),
    "es": ("Total: {0}", "Total: {0} cartas"),
    "it": ("Totale: {0}", "Totale: {0} carte"),
    "pt": ("Total: {0}", "Total: {0} cartas"),
    "ja": ("合計: {0}枚", "合計：{0}"),
    "zh": ("总计: {0}", "合计：{0}张"),
}

HEADING_STYLES = (
    "{0}", "{0}", "{0}:", "{0} :", "# {0}", "## {0}", "**{0}**", "[{0}]", "【{0}】", "■{0}", "■ {0}", "--- {0} ---",
    "=== {0} ===", "// {0}", "＜{0}＞", "_____{0}_____", "- {0} -", "<{0}>", "{0}：", "● {0}",
    "◆{0}", "__{0}__", "> {0}",
)  # fmt: skip
COUNTED_STYLES = ("{0} ({1})", "{0}: {1}", "{0} - {1}", "{0} [{1}]", "**{0} ({1})**", "{0} ({1}):", "{0}（{1}枚）")
