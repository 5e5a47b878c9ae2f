"""Every sample list met in the wild is read to exactly the cards it shows."""

import pytest

from tests.shared import shared_path
from validator.decklists import parse, parse_each

# File: its format, its game, its sections ("count number", or "count =name" where it has no number), unread lines.
SAMPLES = {
    "bandai-digimoncardio.txt": (
        "digimoncard",
        None,
        {
            "main": """
                2 BT17-048; 1 BT7-107; 4 BT18-078; 2 ST16-03; 1 BT13-111; 1 P-130; 1 P-040; 4
                ST14-12; 4 BT16-006; 1 BT3-003
            """,
        },
        0,
    ),
    "bandai-egman-gundam.txt": (
        "egman",
        "gundam",
        {
            "main": """
                4 GD01-039; 4 ST03-007; 4 GD01-035
            """,
        },
        0,
    ),
    "bandai-exburst-gundam.txt": (
        "exburst",
        "gundam",
        {
            "main": """
                4 ST04-008; 4 ST01-005; 4 GD01-059
            """,
        },
        0,
    ),
    "bandai-limitless-gundam.txt": (
        "name-number",
        "gundam",
        {
            "main": """
                4 GD01-039; 4 ST03-007; 3 GD01-008
            """,
        },
        0,
    ),
    "bandai-tcgplus-results.csv": (
        "text",
        None,
        {},
        3,
    ),
    "dbs-app-map.json": (
        "app-json",
        "dbs",
        {
            "leader": """
                1 BT11-092
            """,
            "main": """
                2 BT1-005_PR02; 4 BT9-091_SPR; 1 BT9-137; 2 BT10-105_SPR; 4 BT11-094_SPR; 4
                BT11-100; 4 BT11-101; 3 BT11-104_SPR; 4 BT11-106; 4 BT11-107; 1 BT11-108; 3
                BT11-118; 2 BT11-119; 2 BT11-127; 3 DB2-108; 1 EX06-27; 4 EX15-04; 2 P-259
            """,
            "side": """
                2 BT3-104_PR02; 2 BT9-133; 2 BT10-139; 2 BT10-140; 3 BT10-141; 1 BT11-118; 3 EX13-34
            """,
        },
        0,
    ),
    "dbs-deckplanet-1.txt": (
        "deckplanet",
        "dbs",
        {
            "leader": """
                1 BT29-001
            """,
            "main": """
                1 BT10-008; 3 BT14-019; 1 BT14-029; 4 BT23-033; 1 BT27-021; 2 BT27-025; 4 BT29-005;
                3 BT29-006; 4 BT29-007; 3 BT29-010; 3 BT29-011; 3 BT29-017; 4 BT29-024; 3 BT29-025;
                4 BT29-026; 3 BT29-027; 2 BT29-028; 1 BT29-149; 4 BT5-012; 2 EB1-11; 2 P-479; 2
                P-693; 1 TB1-023
            """,
            "side": """
                2 BT10-030; 2 BT13-030; 1 BT14-029; 1 BT29-017; 3 BT5-112; 2 DB1-014; 3 DB2-143; 1
                P-479
            """,
            "z": """
                1 BT25-005; 1 BT27-005; 1 BT28-003; 3 BT29-003; 1 BT29-004; 2 EX23-03; 1 SD17-02
            """,
        },
        0,
    ),
    "dbs-deckplanet-2.txt": (
        "deckplanet",
        "dbs",
        {
            "leader": """
                1 EX24-01
            """,
            "main": """
                2 BT14-019; 3 BT19-028; 2 BT26-019; 3 BT27-019; 2 BT28-125; 1 BT7-130; 1 BT9-090; 3
                DB1-014; 3 DB1-064; 3 DB3-115; 1 EB1-11; 1 EX09-06; 3 EX24-03; 1 EX24-04; 1 EX24-05;
                3 EX24-06; 4 EX24-08; 1 EX24-11; 1 EX24-12; 4 EX24-13; 4 P-321; 4 P-479; 1 P-643; 4
                P-699; 4 P-708
            """,
            "side": """
                1 BT10-008; 1 BT11-132; 1 BT13-106; 3 BT14-140; 2 BT15-095; 1 BT17-009; 1 BT4-108; 1
                DB1-064; 1 DB2-131; 1 DB2-133; 2 DB2-171; 4 EX19-12; 1 EX24-07; 1 P-177; 2 P-453; 2
                P-625; 1 P-643; 1 TB1-052
            """,
            "z": """
                2 BT25-138; 1 BT25-139; 1 BT25-140; 4 BT25-141; 1 BT25-142; 1 BT25-144
            """,
        },
        0,
    ),
    "dbs-deckplanet-ids.txt": (
        "deckplanet-ids",
        None,
        {},
        60,
    ),
    "dbs-untap.txt": (
        "untap",
        "dbs",
        {
            "leader": """
                1 bt2-068
            """,
            "main": """
                4 bt5-075; 2 p-155; 2 tb3-048; 1 =Broly, Ultimate Agent of Destruction; 3 bt2-099; 2
                db1-059; 4 bt3-068; 1 =Fu, the Dark Banisher; 2 p-055; 2 =Fused Zamasu, Deity's
                Wrath; 4 bt2-085; 4 bt2-084_spr; 2 p-090; 1 bt6-066; 4 db1-098; 1 ex03-15; 3
                bt3-065; 4 bt5-065; 4 bt7-066
            """,
            "side": """
                2 bt7-072
            """,
        },
        0,
    ),
    "mtg-manatraders.csv": (
        "csv",
        None,
        {},
        0,
    ),
    "optcg-cardkaizoku-base64-url-CONSTRUCTED.txt": (
        "cardkaizoku-base64-url",
        "optcg",
        {
            "main": """
                1 OP12-001; 4 OP01-016; 4 OP03-008; 4 OP12-006; 4 OP12-014; 4 ST01-011; 2 OP01-025;
                4 OP10-005; 2 EB01-003; 4 OP12-015; 3 OP12-016; 4 OP12-017; 4 OP12-018; 3 OP12-019;
                2 OP06-018; 2 ST21-017
            """,
        },
        0,
    ),
    "optcg-cardkaizoku-url.txt": (
        "cardkaizoku-url",
        "optcg",
        {
            "main": """
                1 OP14-080; 4 OP14-104; 2 OP15-080; 4 OP14-102; 4 OP14-109; 4 OP14-111; 4 OP14-110;
                4 OP15-079; 4 OP15-090; 2 OP12-112; 4 OP13-113; 4 OP17-109; 2 OP17-111; 4 OP17-116;
                4 OP14-089
            """,
        },
        0,
    ),
    "optcg-count-paren-onepiecetopdecks.txt": (
        "onepiecetopdecks",
        "optcg",
        {
            "main": """
                1 OP01-001; 4 OP01-006; 4 OP01-016; 4 ST01-006; 4 OP01-025; 4 OP01-017; 4 ST01-012;
                2 ST01-004; 4 ST01-011; 2 OP01-022; 2 OP01-005; 2 P-023; 2 ST01-009; 2 P-017; 2
                OP01-012; 4 ST01-015; 2 OP01-029; 2 ST01-016
            """,
        },
        0,
    ),
    "optcg-egman-url.txt": (
        "egman-url",
        "optcg",
        {
            "main": """
                1 OP05-060; 4 OP03-060; 4 OP05-073; 4 ST04-002; 4 ST04-012; 2 OP01-103; 2 ST10-010;
                4 OP02-085; 4 OP03-066; 4 OP05-074; 4 ST04-005; 2 OP01-114; 2 OP04-064; 2 OP01-092;
                3 ST04-003; 2 OP03-072; 2 ST04-016; 1 OP01-117
            """,
        },
        0,
    ),
    "optcg-egman.txt": (
        "egman",
        "optcg",
        {
            "main": """
                4 OP01-016; 4 OP03-008; 4 OP01-013; 4 OP10-005; 2 OP06-018; 2 ST21-017; 4 OP12-006;
                2 OP12-009; 4 OP12-014; 4 OP12-015; 4 OP12-016; 4 OP12-017; 3 OP12-018; 3 OP12-019;
                2 OP01-025; 1 OP12-001
            """,
        },
        0,
    ),
    "optcg-gumgum-url-CONSTRUCTED.txt": (
        "gumgum-url",
        "optcg",
        {
            "main": """
                1 OP12-001; 4 OP01-016; 4 OP03-008; 4 OP12-006; 4 OP12-014; 4 ST01-011; 2 OP01-025;
                4 OP10-005; 2 EB01-003; 4 OP12-015; 3 OP12-016; 4 OP12-017; 4 OP12-018; 3 OP12-019;
                2 OP06-018; 2 ST21-017
            """,
        },
        0,
    ),
    "optcg-json-qty-cardnum.txt": (
        "qty-cardnum-json",
        "optcg",
        {
            "main": """
                1 ST13-003; 4 OP06-106; 4 ST13-007; 1 ST13-008; 1 ST13-010; 1 ST13-011; 4 ST13-013;
                4 ST13-014; 4 ST13-015; 4 EB01-056; 4 OP07-109; 2 OP02-121; 4 OP02-096; 4 OP04-083;
                4 OP06-086; 3 ST13-019; 2 EB01-051
            """,
        },
        0,
    ),
    "optcg-json-recipe-japanese.txt": (
        "recipe-json",
        "optcg",
        {
            "leader": """
                1 OP15-058
            """,
            "main": """
                4 OP15-060; 4 OP15-061; 4 OP15-066; 4 OP15-067; 4 OP15-071; 4 OP15-118; 4 OP12-071;
                4 OP15-077; 4 OP15-076; 4 OP15-075; 4 OP15-078; 2 OP13-076; 4 OP07-064
            """,
        },
        0,
    ),
    "optcg-limitless-text-2.txt": (
        "limitless",
        "optcg",
        {
            "leader": """
                1 OP11-041
            """,
            "main": """
                4 OP14-102; 4 P-096; 2 OP03-048; 2 OP06-106; 4 OP06-104; 4 OP12-112; 4 OP14-110; 2
                OP14-111; 1 OP06-047; 1 PRB02-008; 4 EB03-053; 2 OP08-047; 4 EB03-055; 4 OP14-104; 4
                EB03-060; 3 OP04-056; 1 OP06-058
            """,
        },
        0,
    ),
    "optcg-limitless-text.txt": (
        "limitless",
        "optcg",
        {
            "leader": """
                1 OP11-040
            """,
            "main": """
                4 OP13-043; 4 OP05-067; 4 ST18-001; 4 EB01-061; 1 OP06-047; 4 OP11-054; 3 EB03-034;
                4 P-107; 4 OP01-070; 4 OP06-119; 4 OP09-078; 4 OP11-080; 3 OP08-076; 3 OP04-056
            """,
        },
        0,
    ),
    "optcg-mixed-lines.txt": (
        "text",
        "optcg",
        {
            "leader": """
                1 OP01-001
            """,
            "main": """
                4 OP01-016; 4 ST01-007; 4 OP01-120; 3 OP01-024; 2 OP01-024; 1 op01024; 1 P-001; 4
                =Nami
            """,
            "don": """
                10 =DON!!
            """,
        },
        2,  # of its totals both are wrong
    ),
    "optcg-onepiece-cardgame-dev-url-v1.txt": (
        "onepiece-cardgame.dev-url",
        "optcg",
        {
            "main": """
                4 OP01-033; 3 OP01-035; 4 OP01-039; 3 OP01-041; 4 OP01-047; 4 OP01-048; 3 OP01-051;
                3 OP01-052; 2 OP01-057; 2 OP01-058; 1 ST02-001; 3 ST02-004; 2 ST02-005; 4 ST02-007;
                4 ST02-008; 3 ST02-010; 2 ST02-013
            """,
        },
        0,
    ),
    "optcg-onepiece-cardgame-dev-url-v2-altart.txt": (
        "onepiece-cardgame.dev-url",
        "optcg",
        {
            "main": """
                2 OP01-004; 4 OP01-006; 4 OP01-013; 4 OP01-016; 4 OP01-017; 4 OP01-025; 4 OP01-030;
                3 OP01-120; 4 P-006_p1; 4 P-022; 1 ST01-001; 4 ST01-006; 4 ST01-012; 4 ST01-015; 1
                ST01-016
            """,
        },
        0,
    ),
    "optcg-optcgsim-2.txt": (
        "optcgsim",
        "optcg",
        {
            "main": """
                1 OP01-062; 2 OP01-065; 2 OP01-067; 2 OP01-070; 4 OP01-074; 3 OP01-075; 4 OP01-078;
                4 OP01-079; 4 ST03-007; 3 ST03-012; 2 OP01-097; 2 OP01-110; 4 ST04-002; 2 ST04-003;
                4 OP01-086; 4 OP01-088; 4 ST03-017
            """,
        },
        0,
    ),
    "optcg-optcgsim-altart-suffixes.txt": (
        "optcgsim",
        "optcg",
        {
            "main": """
                1 OP01-001_p1; 4 OP01-013_p1; 4 OP01-016_p8; 4 OP01-021_p3; 4 OP01-022_p1; 4
                OP01-024_p1; 4 OP01-025_p4; 3 OP01-027; 3 OP04-016; 3 OP06-018; 1 OP09-004_p6; 4
                OP09-005_p1; 4 OP12-008_p1; 4 ST01-006_p4; 4 ST21-014_p1
            """,
        },
        0,
    ),
    "optcg-optcgsim-deckpack-json.txt": (
        "optcgsim-deckpack",
        "optcg",
        {
            "main": """
                1 OP15-058; 2 OP10-067; 4 OP15-061; 3 OP12-071; 4 OP15-067
            """,
        },
        1,
    ),
    "optcg-optcgsim-lines-2026.txt": (
        "optcgsim",
        "optcg",
        {
            "main": """
                1 OP13-079; 4 OP13-086; 2 OP05-082; 3 OP13-092; 1 OP13-087; 4 OP13-083; 4 OP13-089;
                4 OP13-080; 4 OP13-091; 4 OP13-084; 4 OP13-082; 4 OP13-096; 4 OP13-098; 3 OP11-097;
                3 OP14-096; 1 OP05-097; 1 OP13-099
            """,
        },
        0,
    ),
    "optcg-optcgsim.txt": (
        "optcgsim",
        "optcg",
        {
            "main": """
                1 OP12-001; 4 OP01-016; 2 OP02-015; 4 OP03-008; 4 OP12-006; 4 OP01-013; 4 OP12-014;
                4 OP01-025; 4 OP10-005; 4 OP12-015; 3 OP12-016; 3 OP12-017; 4 OP12-018; 3 OP12-019;
                2 OP06-018; 1 ST21-017
            """,
        },
        0,
    ),
    "optcg-qty-name-id-text.txt": (
        "name-number",
        "optcg",
        {
            "main": """
                1 OP16-080; 4 OP16-109; 3 OP09-095; 3 OP16-103; 4 OP16-110; 4 OP16-104; 4 OP09-086;
                2 OP16-106; 4 EB04-058; 4 OP16-108; 4 OP16-119; 4 OP09-093; 4 OP09-096; 2 OP16-116;
                4 OP09-099
            """,
        },
        0,
    ),
    "optcg-sim-one-line.txt": (
        "optcgsim-line",
        "optcg",
        {
            "main": """
                1 OP16-060; 4 OP16-064; 3 OP16-067; 2 OP16-070; 3 OP17-075; 4 OP17-074; 4 OP16-066;
                3 OP16-075; 3 OP16-063; 4 OP16-065; 3 OP16-073; 3 OP17-059; 2 OP15-077; 3 OP17-076;
                2 OP16-076; 3 OP16-077; 2 OP09-077; 2 OP16-078
            """,
        },
        0,
    ),
    "optcg-tts-array-onepiece-cardgame-dev.txt": (
        "tts",
        None,
        {
            "main": """
                1 ST07-001; 4 ST07-002; 4 ST07-003; 4 ST07-004; 4 ST07-005; 4 ST07-006; 4 ST07-007;
                4 ST07-008; 3 ST07-009; 4 ST07-010; 4 ST07-011; 4 ST07-012; 3 ST07-013; 3 ST07-014;
                1 ST07-016
            """,
        },
        0,
    ),
    "optcg-tts-array-onepiecetopdecks.txt": (
        "tts",
        "optcg",
        {
            "main": """
                1 OP06-080; 2 OP02-114; 2 OP02-096; 2 ST06-006; 2 ST06-010; 4 OP02-106; 4 OP03-089;
                3 OP04-083; 3 OP05-093; 4 OP06-081; 4 OP06-086; 4 OP06-090; 4 OP06-091; 4 OP06-093;
                4 ST06-015; 4 OP02-117
            """,
        },
        0,
    ),
}


def _cards(lines):
    return [f"{line.count} {line.number or '=' + line.name}" for line in lines]


@pytest.mark.parametrize("file", SAMPLES)
def test_a_sample_is_read_to_its_cards(file):
    format, game, sections, unread = SAMPLES[file]
    parsed = parse(shared_path(f"decks/formats/{file}").read_bytes())
    assert (parsed.format, parsed.game, len(parsed.deck.unread)) == (format, game, unread)
    for section in ("leader", "main", "side", "z", "don"):
        expected = " ".join(sections.get(section, "").split())
        assert "; ".join(_cards(parsed.deck.section(section))) == expected


def test_no_sample_is_left_out():
    files = {path.name for path in shared_path("decks/formats").iterdir() if path.suffix != ".md"}
    assert files == set(SAMPLES)


@pytest.mark.parametrize("file", [file for file in SAMPLES if file.startswith("optcg-")])
def test_the_catalogue_finds_the_leader_wherever_it_stands(file, optcg):
    deck = parse(shared_path(f"decks/formats/{file}").read_bytes(), catalogue=optcg).deck
    assert [line.count for line in deck.leader] == [1]


def test_deckplanet_ids_are_kept_with_a_reason():
    parsed = parse(shared_path("decks/formats/dbs-deckplanet-ids.txt").read_bytes())
    assert [line.at for line in parsed.deck.unread] == list(range(1, 61))
    assert {line.reason for line in parsed.deck.unread} != {""}


def test_each_deck_of_a_pack_is_named():
    data = shared_path("decks/formats/optcg-optcgsim-deckpack-json.txt").read_bytes()
    decks = [(one.name, one.cards) for line in parse(data).deck.unread for one in line.decks]
    assert decks == [
        ("Purple Enel — PLAYER (1st)", 14),
        ("Red/Black Koby — PLAYER@@@1 (2nd)", 11),
        ("Nom sans structure reconnaissable", 8),
    ]
    assert [(one.name, one.format) for one in parse_each(data)] == [(name, "optcgsim-deckpack") for name, _ in decks]
