"""The expected clauses of the card texts of two catalogues, written by hand from the printed texts.

A card number is in every list that its text requires. A card in no list has no clauses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

Label = dict[str, Any]

# Printed keywords (dbs 22-14, 22-17, 22-28).
PRINTED: Mapping[str, str] = {
    "Super Combo": """
        BT3-013 BT3-043 BT3-068 BT3-100 BT3-113 BT4-042 BT4-057 BT4-086 BT5-008 BT5-012 BT5-032 BT5-041 BT5-059
        BT5-061 BT5-088 BT5-089 BT5-114 BT6-006 BT6-039 BT6-058 BT6-098 BT6-110 BT7-013 BT7-034 BT7-062 BT7-088
        BT7-089 BT8-013 BT8-037 BT8-059 BT8-081 BT8-099 BT9-076 BT9-090 BT9-091 BT9-096 BT9-099 BT9-107 BT9-115
        BT10-012 BT10-013 BT10-039 BT10-055 BT10-068 BT10-085 BT10-100 BT10-106 BT11-005 BT11-026 BT11-051
        BT11-054 BT11-065 BT11-077 BT11-097 BT11-109 BT11-128 BT11-130 BT12-007 BT12-008 BT12-034 BT12-037
        BT12-067 BT12-073 BT12-096 BT12-107 BT12-131 BT13-016 BT13-051 BT13-068 BT13-105 BT13-129 BT13-139
        BT14-010 BT14-024 BT14-038 BT14-047 BT14-072 BT14-075 BT14-105 BT14-108 BT14-136 BT15-021 BT15-038
        BT15-078 BT15-102 BT16-011 BT16-034 BT16-055 BT16-078 BT16-113 BT17-015 BT17-044 BT17-070 BT17-094
        BT17-118 BT17-132 BT17-133 BT17-134 BT17-136 BT17-138 BT17-146 BT17-148 BT18-018 BT18-049 BT18-073
        BT18-117 BT18-136 BT19-028 BT19-045 BT19-086 BT19-120 BT19-138 BT20-020 BT20-038 BT20-067 BT20-094
        BT20-129 BT21-015 BT21-055 BT21-085 BT21-130 BT22-018 BT22-041 BT22-071 BT22-091 BT22-120 BT23-021
        BT23-057 BT23-093 BT23-130 BT24-020 BT24-040 BT24-067 BT24-094 BT25-024 BT25-052 BT25-093 BT25-109
        BT26-014 BT26-055 BT26-077 BT26-108 BT26-130 BT27-023 BT27-042 BT27-055 BT27-072 BT27-107 BT28-017
        BT28-041 BT28-072 BT28-090 BT28-127 BT29-016 BT29-034 BT29-056 BT29-080 BT29-099 BT29-131 BT30-013
        BT30-033 BT30-052 BT30-072 BT30-092 BT30-125 BT31-009 BT31-036 BT31-048 BT31-068 BT31-100 BT31-126
        TB1-003 TB1-022 TB1-044 TB1-063 TB1-088 TB2-006 TB2-008 TB2-021 TB2-038 TB2-052 TB3-009 TB3-030 TB3-041
        TB3-056 EB1-50 EX13-19 EX19-05 EX19-07 EX19-23 EX19-32 EX22-10 EX03-18 SD8-04 P-061 P-373
    """,
    "Ultimate": """
        BT2-123 BT3-123 BT4-123 BT4-124 BT5-120 BT6-125 BT6-126 BT7-130 BT7-131 BT8-135 BT8-136 BT8-137 BT9-135
        BT9-136 BT9-137 BT10-152 BT10-153 BT10-154 BT11-152 BT11-153 BT11-154 BT12-152 BT12-153 BT12-154
        BT13-152 BT13-153 BT13-154 BT14-152 BT14-153 BT14-154 BT15-152 BT15-153 BT15-154 BT15-155 BT16-147
        BT16-148 BT16-149 BT17-147 BT17-148 BT17-149 BT18-147 BT18-148 BT1-111 BT19-152 BT19-153 BT19-154
        BT20-147 BT20-148 BT20-149 BT21-147 BT21-148 BT21-149 BT22-138 BT22-139 BT22-140 BT23-138 BT23-139
        BT23-140 BT24-138 BT24-139 BT24-140 BT25-145 BT25-146 BT25-147 BT25-148 BT26-138 BT26-139 BT26-140
        BT27-138 BT27-139 BT27-140 BT28-148 BT28-149 BT28-150 BT29-149 BT29-150 BT29-151 BT30-149 BT30-150
        BT30-151 BT31-149 BT31-150 BT31-151 TB1-097 TB2-069 TB3-069 EB1-68 EX23-52 P-232
    """,
    "Dragon Ball": """
        BT5-117 BT6-117 BT6-118 BT18-029 BT25-034 BT27-063 BT28-027 TB3-067 P-084 P-089 P-101 P-102 P-168 P-176
    """,
}
# "This card gains 《…》 in all areas."
GAINS_TRAIT: Mapping[str, str] = {
    "Desire": """
        BT5-024 BT5-025 BT5-051 BT5-076 BT5-077 BT5-102 BT5-103 BT5-118 BT5-119 BT6-049 BT6-075 BT6-116 BT7-021
        BT7-096 BT7-107 BT8-019 BT8-064 BT8-086 BT9-088 BT9-089 BT14-058 BT15-115 BT16-094 BT16-095 BT21-033
        TB3-046 TB3-061 TB3-068 EX13-21 P-335
    """,
    "Shadow Dragon": """
        BT14-139 BT14-140 BT14-141 BT14-142 BT14-143 BT15-139 BT15-140 BT15-141 BT15-142 EX25-34 P-389
    """,
    "Dark Dragon Ball": """
        BT10-091 BT10-124 BT11-027 BT11-087 BT12-052 BT12-080 BT12-081 BT13-149 EX16-09 P-292
    """,
    "Shenron": """
        BT25-138 BT25-139 BT25-140 BT25-141 BT25-142 BT25-143 BT25-144
    """,
    "Earthling": """
        BT29-024 BT29-025 BT29-026 BT29-027 BT29-028
    """,
    "Saiyan": """
        BT8-010 BT16-034 BT16-035 BT24-020
    """,
    "Heroic": """
        BT8-133 BT28-102 BT28-103
    """,
    "Prison Planet": """
        BT26-121 BT26-134
    """,
    "World Tournament": """
        BT28-076 BT28-077
    """,
    "Villainous": """
        BT8-134
    """,
    "Red Ribbon Army": """
        BT27-043
    """,
    "Maiden Squadron": """
        BT30-106
    """,
    "Universe 7": """
        TB1-095
    """,
    "Agent of Destruction": """
        EX13-27
    """,
}
# "You can include as many copies of this card in your deck as you like."
ANY_NUMBER = """
    BT2-107 BT7-068 BT15-086 BT17-005 BT17-073 BT17-105 DB1-018 EB1-06 EX19-02
    """
OPTCG_ANY_NUMBER = "OP01-075 OP08-072 OP16-042"

_HEROINES = ["Pan", "Bulla", "Bulma", "Chi-Chi", "Videl", "Mai", "Mai : Future", "Android 18"]
_TRICOLORED = {"match": {"character": ["Son Goku", "Vegeta"]}, "colors": ["Red", "Blue", "Green"]}


def _forbid(match: Label, **more: Any) -> Label:
    """Return a clause that bars the cards of a match."""
    return {"kind": "forbid", "match": match, **more}


def _alias(**added: Any) -> Label:
    """Return a clause that adds these values to the card."""
    return {"kind": "alias", **added}


def _non(test: str, value: str, *types: str) -> Label:
    """Return a clause that bars all cards of these types without this value. No types are all types."""
    return _forbid({**({"type": list(types)} if types else {}), "not": {test: [value]}})


_NO_BATTLE_OR_MULTICOLOR = {
    trait: _forbid({"any": [{"type": ["Battle"], "not": {"trait": [trait]}}, {"multicolor": True}]})
    for trait in ("Universe 7", "World Tournament")
}
_DRAGON_BALL = {"kind": "keyword", "keyword": "Dragon Ball"}

DBS_OTHERS: Mapping[str, list[Label]] = {
    # What a deck may not hold.
    "BT6-002": [_forbid({"type": ["Battle"], "cost": {"max": 3}})],
    "BT6-027": [_forbid({"type": ["Extra"], "cost": {"min": 4}})],
    "BT13-001": [_forbid({"type": ["Extra"], "cost": {"min": 2}})],
    "BT15-002": [_non("character", "Broly", "Battle")],
    "BT16-002": [_non("trait", "God", "Battle")],
    "BT18-002": [
        {"kind": "pool", "match": {"keyword": ["Dragon Ball"]}, "limit": 6},
        _non("color", "Red", "Battle"),
    ],
    "BT18-030": [_forbid({"type": ["Battle"], "color": ["Black"]})],
    "BT30-016": [_non("trait", "Earthling", "Battle")],
    "BT31-116": [_non("color", "White", "Extra")],
    "TB1-050": [_non("trait", "Universe 7")],
    "TB2-065": [_non("trait", "World Tournament", "Battle")],
    "EX03-25": [_non("trait_part", "Universe")],
    "EX24-01": [_forbid({"not": {"type": ["Z-Unison"]}}, section="z")],
    "SD9-01": [_non("trait", "Saiyan", "Battle")],
    "SD13-01": [_forbid({"trait": ["Saiyan"]})],
    "SD21-01": [_NO_BATTLE_OR_MULTICOLOR["Universe 7"]],
    "XD1-01": [_forbid({"type": ["Battle"], "not": {"any": [{"trait": ["Universe 6"]}, {"character": ["Vegeta"]}]}})],
    "P-069": [_forbid({"cost": {"min": 6}})],
    "P-086": [_forbid({"cost": {"min": 5}})],
    "P-269": [_NO_BATTLE_OR_MULTICOLOR["World Tournament"]],
    "P-434": [_non("trait", "Villainous")],
    # How many it may hold.
    "BT13-122": [{"kind": "pool", "match": {"trait": ["Dark Dragon Ball"]}, "limit": 7}],
    "BT13-149": [{"kind": "copies", "limit": 7}],
    "BT18-003": [{"kind": "copies", "limit": 1, "section": "z"}],
    "BT25-007": [{"kind": "copies", "limit": None, "section": "z"}],
    "BT25-104": [{"kind": "copies", "limit": 1, "section": "z"}],
    # What a card gains in all areas.
    "BT16-093": [_DRAGON_BALL],
    "BT22-112": [_DRAGON_BALL],
    "BT13-152": [_alias(colors=["Black"])],
    "EX16-03": [_alias(colors=["Black"])],
    "SD16-03": [_alias(colors=["Black"])],
    "BT17-028": [_alias(names=["Planet M-2"])],
    "BT17-079": [_alias(names=["Big Gete Star"])],
    "BT22-078": [_alias(names=["Broly's Ring"])],
    "BT22-079": [_alias(names=["Dormant Legend"])],
    "P-270": [_alias(names=["Broly's Ring"])],
    "P-271": [_alias(names=["King Vegeta's Dynasty"])],
    "P-568": [_alias(names=["Makyo Star"])],
    "BT29-022": [_alias(characters=["Broly"])],
    "BT29-023": [_alias(characters=["Broly"])],
    "EX14-03": [_alias(characters=["Recoome", "Jeice", "Burter", "Guldo"])],
    "P-024": [_alias(characters=["Ginyu", "Jeice", "Burter", "Recoome", "Guldo"])],
    # A [Permanent] character without "in all areas": dbs 1.073 2-5-5.
    "EX23-10": [_alias(characters=["Gogeta"])],
    "BT26-135": [_alias(types=["Extra"])],
    # What it gains under one Leader.
    **{
        number: [_alias(traits=["God"], when={"character": ["Aeos"]})]
        for number in ("BT31-111", "BT31-112", "BT31-113", "BT31-114")
    },
    "P-398": [_alias(colors=["Green"], when={"color": ["Green"], "character": ["Majin Buu"]})],
    "P-586": [_alias(colors=["Green"], when={"color": ["Black"], "character": ["Broly"]})],
    # What other cards gain; the same on both faces of BT2-001 and EB1-49.
    "BT2-001": [_alias(**_TRICOLORED)],
    "EX21-19": [_alias(**_TRICOLORED)],
    "EB1-49": [_alias(match={"character": _HEROINES, "type": ["Battle"]}, traits=["Heroine"])],
}

OPTCG_OTHERS: Mapping[str, list[Label]] = {
    "OP12-001": [_forbid({"cost": {"min": 5}})],
    "OP13-079": [_forbid({"type": ["Event"], "cost": {"min": 2}})],
    "P-117": [_non("trait", "East Blue")],
    "OP15-058": [{"kind": "don_size", "size": 6}],
    "OP01-121": [_alias(names=["Kouzuki Oden"])],
    "OP02-042": [_alias(names=["Kouzuki Oden"])],
    "OP03-122": [_alias(names=["Usopp"])],
    "EB02-024": [_alias(names=["Usopp"])],
    "OP04-099": [_alias(names=["Charlotte Linlin"])],
    "EB02-016": [_alias(names=["Tony Tony.Chopper"])],
    "P-027": [_alias(names=["Franky"])],
    "EB04-038": [_alias(names=["Trafalgar Law", "Donquixote Rosinante"])],
}

# Colours without "in all areas" hold in play alone (dbs 4.00 9-1-3-1, 9-1-3-3).
COLORED_IN_PLAY = "BT16-087 P-163 P-200 P-264 P-345 P-425 P-426"
# Other texts that sound like construction and are play.
PLAY_ALONE = """
    BT7-117 BT13-062 BT16-090 BT20-120 BT21-040 BT25-002 BT25-032 BT28-033 BT29-043 DB2-006 EX06-17 EX21-18 EX21-35
    P-268 P-422 P-435 P-476 P-631 TB1-001
    """
OPTCG_PLAY_ALONE = "EB01-001 OP03-040 OP15-022 ST13-003"


def dbs_labels() -> dict[str, list[Label]]:
    """Return the expected clauses of the Dragon Ball Super cards, by card number."""
    found: defaultdict[str, list[Label]] = defaultdict(list)
    for keyword, numbers in PRINTED.items():
        for number in numbers.split():
            found[number].append({"kind": "keyword", "keyword": keyword})
    for trait, numbers in GAINS_TRAIT.items():
        for number in numbers.split():
            found[number].append(_alias(traits=[trait]))
    for number in ANY_NUMBER.split():
        found[number].append({"kind": "copies", "limit": None})
    for number, labels in DBS_OTHERS.items():
        found[number] += labels
    return dict(found)


def optcg_labels() -> dict[str, list[Label]]:
    """Return the expected clauses of the ONE PIECE cards, by card number."""
    any_number = {number: [{"kind": "copies", "limit": None}] for number in OPTCG_ANY_NUMBER.split()}
    return {**any_number, **OPTCG_OTHERS}
