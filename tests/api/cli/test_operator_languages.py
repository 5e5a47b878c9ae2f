"""Texts for operators are in the language of `--lang`: imports, syncs, settings, damage, lists, archives of events."""

import gzip
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.events.storage import decoder_messages
from api.service import schema_messages
from api.service.languages import language
from carddb import system_messages
from carddb.system_messages import system_reason
from tests.api.events import archives
from tests.carddb import limits_pages, replay
from tests.carddb.old_databases import EVENT, make_old
from validator import documents

# Words of English sentences that no German sentence has.
_ENGLISH = re.compile(
    r"\b(?:the|is|are|has|have|had|of|no|not|which|cannot|there|and|with|from|more|than|it|its|left|out)\b", re.I
)
_QUOTED = re.compile(r"`[^`]*`|'[^']*'|https?://\S+|\S*/\S+")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DECKPROOF_SYNC_PAUSE", "0")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def site(monkeypatch):
    with replay.small_onepiece(OP01=30, OP02=40, ST01=20).serve() as served:
        monkeypatch.setenv("DECKPROOF_OPTCG_SITE", served.address)
        yield served


def run(*words):
    return CliRunner().invoke(cli, words)


def check_german(english, german, *names):
    """Check that a result is in German: other lines than in English, no English word, and the same names."""
    assert german.exit_code == english.exit_code
    assert german.output != english.output
    assert _ENGLISH.search(_QUOTED.sub("", english.output))
    rest = german.output
    for name in names:
        assert name in english.output
        assert name in german.output
        rest = rest.replace(name, "")
    assert _ENGLISH.findall(_QUOTED.sub("", rest)) == []


def run_both(*words):
    return run(*words, "--lang", "en"), run(*words, "--lang", "de")


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ("OP01-001,Zoro,Figter,Red,1", ["'Figter'", "Character"]),
        ("OP01-001,,Event,Pink,A", ["'Pink'", "Red", "'A'"]),
        (",Zoro,Event,Red,1", []),
        ("?,Zoro,Event,Red,1", ["'?'"]),
        ("OP01-001,Zoro,Event,Red,1\nOP01-001,Zoro,Event,Blue,1", ["OP01-001", "colors"]),
    ],
)
def test_wrong_rows_of_an_import_are_in_german(tmp_path, rows, names):
    (tmp_path / "cards.csv").write_text(f"number,name,type,colors,cost\n{rows}\n")
    check_german(*run_both("cards", "import", "cards.csv", "--game", "optcg"), *names)


def test_warnings_of_an_import_are_in_german(tmp_path):
    lines = [f"OP{row // 100:02}-{row % 100:03},Card {row},Event,Red,1" for row in range(1, 400)]
    heading = "number,name,type,colors,cost\n"
    (tmp_path / "cards-2024-01-02.csv").write_text(heading + "\n".join(lines))
    few = ["OP00-001,Other,Event,Blue,", *lines[2:150], "XX99-001,New,Event,,1"]
    (tmp_path / "few-2019-01-02.csv").write_text(heading + "\n".join(few))
    results = []
    for code in ("en", "de"):
        assert run("cards", "import", "cards-2024-01-02.csv", "--game", "optcg").exit_code == 0
        results.append(run("cards", "import", "few-2019-01-02.csv", "--game", "optcg", "--lang", code))
    check_german(*results, "OP00-002", "OP03", "OP00-001 Other", "XX99-001")


def test_wrong_pages_and_records_of_an_import_are_in_german(tmp_path, site):
    page = site.pages["/cardlist/?series=569101"]
    (tmp_path / "cut.html").write_bytes(page[:-100])
    (tmp_path / "other.html").write_text("<html><body>login</body></html>")
    (tmp_path / "count.html").write_bytes(page.replace(b"30 results", b"31 results"))
    (tmp_path / "pack.json").write_text('[{"id": 7, "category": "Event", "block_number": 1, "pack_id": "1"}]')
    for name in ("cut.html", "other.html", "count.html", "pack.json"):
        check_german(*run_both("cards", "import", name, "--game", "optcg"), name)


def test_an_impossible_day_of_an_import_is_in_german(tmp_path):
    (tmp_path / "cards.csv").write_text("number,name,type,colors,cost\nOP01-001,Zoro,Event,Red,1\n")
    check_german(*run_both("cards", "import", "cards.csv", "--game", "optcg", "--as-of", "2999-01-01"))
    check_german(*run_both("cards", "import", "cards.csv", "--game", "optcg", "--as-of", "2011-01-01"))


def test_errors_of_downloads_are_in_german(site):
    whole = site.pages["/cardlist/"]
    for page in (b"<html><body>login</body></html>", b"\xff</html>"):
        site.pages["/cardlist/"] = page
        check_german(*run_both("cards", "sync", "optcg"))
    del site.pages["/cardlist/"]
    check_german(*run_both("cards", "sync", "optcg"), "404 Not Found")
    site.pages["/cardlist/"] = whole
    site.pages["/robots.txt"] = b"User-agent: *\nDisallow: /"
    check_german(*run_both("cards", "sync", "optcg"), "/robots.txt")


def test_a_refused_sync_is_in_german(site):
    page = site.pages["/cardlist/?series=569102"]
    site.pages["/cardlist/?series=569102"] = page.replace(b"40 results", b"43 results")
    check_german(*run_both("cards", "sync", "optcg", "--dry-run"), "'43 results'")


def test_differences_from_the_official_page_have_german_comments(site):
    card = limits_pages.onepiece_card("OP01-001", "Roronoa Zoro")
    site.pages["/news/restriction.html"] = limits_pages.onepiece([card, "<li>Another card</li>"]).encode()
    english, german = run_both("limits", "sync", "optcg")
    assert english.exit_code == german.exit_code == 1
    comments = [re.findall("# (.*)", found.stdout) for found in (english, german)]
    assert len(comments[0]) == len(comments[1]) > 2
    assert not set(comments[0]) & set(comments[1])
    assert re.sub("# .*", "", english.stdout) == re.sub("# .*", "", german.stdout)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MAX_BODY", "many"),
        ("MAX_JOBS", "0"),
        ("JOB_HOURS", "9999"),
        ("WORKERS", "-1"),
        ("AT_ONCE", "x"),
        ("RATE_LIMIT", "often"),
        ("TRUSTED_PROXIES", "*"),
        ("TRUSTED_PROXIES", "somewhere"),
        ("ORIGINS", "here"),
        ("OPERATIONS_ADDRESS", "9464"),
        ("SYNC_AT", "25:00"),
        ("SYNC_GAMES", "chess"),
        ("SECRET_KEY", "short"),
        ("DATABASE_URL", "cards.db"),
        ("PROXIES", "1"),
        ("WEBHOOK_NETWORKS", "10.0.0.0/8"),
    ],
)
def test_a_refused_setting_is_in_german(monkeypatch, variable, value):
    monkeypatch.setenv(f"DECKPROOF_{variable}", value)
    for words in (("settings",), ("serve",), ("cards", "list")):
        english, german = run_both(*words)
        (line,) = [line for line in german.stderr.splitlines() if line.startswith(f"deckproof: DECKPROOF_{variable} ")]
        assert line not in english.stderr
        assert english.exit_code == german.exit_code == 2
        assert _ENGLISH.findall(_QUOTED.sub("", line)) == []
    assert run("settings", "--json", "--lang", "de").stdout == run("settings", "--json", "--lang", "en").stdout


def test_a_worker_refuses_a_setting_in_the_language_of_the_environment(monkeypatch):
    monkeypatch.setenv("DECKPROOF_MAX_JOBS", "none")
    monkeypatch.setenv("DECKPROOF_LANG", "de")
    assert run("worker").stderr == (
        "deckproof: DECKPROOF_MAX_JOBS ist 'none': schreibe eine Anzahl Aufträge ab 1, etwa 100.\n"
    )


@pytest.fixture
def database(tmp_path):
    """Return the file of a database with a snapshot of cards and an old event."""
    file = tmp_path / "data" / "deckproof.db"
    file.parent.mkdir(exist_ok=True)
    make_old(f"sqlite:///{file}", "0011")
    assert run("db", "upgrade").exit_code == 0
    return file


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        ("update snapshot_cards set data = x'00'", "optcg-20250101-older"),
        ("delete from snapshot_cards", "optcg-20250101-older"),
        ("delete from event_registration", "event_registration"),
        ("delete from event_audit where number = 2", EVENT),
    ],
)
def test_damage_of_rows_is_in_german(database, damage, name):
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(damage)
    check_german(*run_both("db", "check"), name)


def test_damage_of_files_is_in_german(database, tmp_path):
    whole = database.read_bytes()
    assert run("db", "backup", "copy.db").exit_code == 0
    for content in (whole[:50_000], b"no database " * 1000):
        database.write_bytes(content)
        check_german(*run_both("db", "check"))
        (tmp_path / "wrong.db").write_bytes(content)
        check_german(*run_both("db", "restore", "wrong.db", "--force"), "wrong.db")
    database.write_bytes(whole[:50_000])
    check_german(*run_both("db", "backup", "other.db"), "deckproof.db")
    check_german(*run_both("db", "restore", "missing.db"), "missing.db")
    check_german(*run_both("db", "restore", "copy.db"), "deckproof.db")


def test_messages_of_the_system_keep_their_values():
    lines = (
        "*** in database main ***\n"
        "On tree page 3 cell 4: Offset 9 out of range 10..4096\n"
        "Page 7: btreeInitPage() returns error code 11\n"
        "wrong # of entries in index card_name"
    )
    assert system_reason(lines) == lines
    assert language("de").text(system_reason(lines)).splitlines() == [
        "*** in der Datenbank main ***",
        "Auf Baumseite 3, Zelle 4: Position 9 außerhalb von 10..4096",
        "Seite 7: btreeInitPage() meldet den Fehlercode 11",
        "falsche Zahl von Einträgen im Index card_name",
    ]
    assert language("de").text(system_reason("a message of another kind")) == "a message of another kind"


def test_an_error_of_the_system_is_in_german(tmp_path):
    check_german(*run_both("cards", "export", "optcg", "-o", str(tmp_path / "missing" / "cards.csv")), "cards.csv")


_CHANGE = '[[change]]\nregion = "en"\nsource = "https://example.test/list"\neffective_from = 2026-12-01\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ban.toml", ""),
        ("ban.toml", "game ="),
        ("ban.toml", 'game = "optcg\n'),
        ("ban.toml", 'game = "optcg"\ngame = "optcg"\n'),
        ("ban.toml", 'game = "optcg"\nx = 1\n'),
        ("ban.toml", 'game = "optcg"\nreplaces = 1\n'),
        ("ban.toml", 'game = "optcg"\nreplaces = true\n'),
        ("ban.toml", f'game = "optcg"\n{_CHANGE}colour = "red"\n'),
        ("ban.toml", f'game = "optcg"\n{_CHANGE}ban = 3\n'),
        ("ban.toml", f'game = "optcg"\n{_CHANGE}ban.Nami = "Nami"\n'),
        ("ban.toml", f'game = "optcg"\n{_CHANGE}ban.OP01-016 = 3\n'),
        ("ban.toml", f'game = "optcg"\n{_CHANGE}lift_pairs = [{{OP01-016 = "Nami", OP01-001 = "Zoro"}}]\n'),
        ("ban.toml", f'game = "optcg"\n{_CHANGE}ban.OP01-016 = "Nami"\nlift.OP01-016 = "Nami"\n'),
        ("optcg-sets.toml", 'game = "optcg"\nsets.AB01 = 3\n'),
        ("optcg-rotation.toml", 'game = "optcg"\nexceptions = [1]\n'),
        ("optcg-bounds.toml", 'game = "optcg"\nbound = [1]\n'),
        ("dbs-corrections.toml", 'game = "dbs"\ncorrection = [1]\n'),
        ("dbs-corrections.toml", 'game = "dbs"\nreplaces = true\ncorrection = []\n'),
    ],
)
def test_an_error_of_a_list_file_is_in_german(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    english, german = run_both("limits", "import", name)
    assert english.exit_code == german.exit_code == 2
    assert name in german.stderr
    assert german.stderr != english.stderr
    lines = "".join(line.partition("bekannt sind")[0] for line in german.stderr.splitlines())
    assert _ENGLISH.findall(_QUOTED.sub("", lines)) == []
    assert not re.search(r"\b(?:change|head|Invalid|line)\b(?! =|,|:)", german.stderr)


@pytest.mark.parametrize(
    "text", ["x =", f"{_CHANGE}ban.Nami = 'Nami'\n", "change = 3\n", f"{_CHANGE}allowed_sets = []\n"]
)
def test_an_error_of_an_own_list_is_in_german(tmp_path, text):
    (tmp_path / "own.toml").write_text(text)
    (tmp_path / "deck.txt").write_text("1 OP01-001\n")
    check_german(*run_both("check", "deck.txt", "--game", "optcg", "--list", "own.toml"))


def read_decoder_message(message):
    return decoder_messages.decoder_reason(ValueError(message))


@pytest.mark.parametrize(
    ("sentences", "parse", "problem"),
    [
        (documents.TOML_MESSAGES, documents.toml_reason, "Invalid value"),
        (system_messages.SENTENCES, system_reason, "Extends off end of page"),
        (
            decoder_messages.SENTENCES,
            lambda message: decoder_messages.decoder_reason(ValueError(message)),
            "invalid number",
        ),
        (schema_messages.SENTENCES, schema_messages.make_translatable, "x"),
    ],
)
def test_templates_of_messages_are_parsed_with_their_values(sentences, parse, problem):
    for template in sentences:
        message = re.sub(r"\{(\w+)(?::,)?\}", lambda value: problem if value[1] == "problem" else "77", template)
        message = message.replace("}}", "}")
        assert parse(message) == message
        assert language("de").text(parse(message)) not in ("", message)
    assert parse("a message of another kind") == "a message of another kind"


def change_archive(change):
    """Return the example archive of an event with a change of its content."""
    content = json.loads((Path(archives.__file__).parent / "version_3.json").read_text())
    change(content)
    return json.dumps(content).encode()


_FORGERIES = (
    lambda content: content.update(format="other"),
    lambda content: content.update(version=99),
    lambda content: content.pop("rows"),
    lambda content: content["rows"].update(event=[]),
    lambda content: content["rows"]["event"][0].update(purged=7),
    lambda content: content["rows"]["event"][0].update(purged="2030-01-01"),
    lambda content: content["rows"]["event"][0]["details"].update(game="chess"),
    lambda content: content["rows"]["audit"].pop(2),
    lambda content: content["rows"]["audit"][0].update(by="nobody"),
    lambda content: content["rows"]["registrations"].pop(0),
    lambda content: content["rows"]["registrations"][0].update(created="soon"),
    lambda content: content["rows"]["revisions"][0].update(at="2026-10-25T01:00:00+00:00"),
    lambda content: content["rows"]["checks"].pop(0),
    lambda content: content["rows"]["checks"][0]["notes"].update(mood="good"),
    lambda content: content["rows"]["checks"][0]["notes"].pop("started"),
    lambda content: content["rows"]["keys"].append(content["rows"]["keys"][0]),
    lambda content: content["rows"]["keys"][0].update(role="guest"),
    lambda content: None,
)


@pytest.mark.parametrize("change", _FORGERIES)
def test_an_error_of_an_archive_is_in_german(tmp_path, change):
    (tmp_path / "event.json").write_bytes(change_archive(change))
    check_german(*run_both("events", "import", "event.json"), "event.json")


@pytest.mark.parametrize("content", [b"", b"{", b'{"format": "\\x"}', b"[1,]", b"\xff"])
def test_an_error_of_a_file_that_is_no_archive_is_in_german(tmp_path, content):
    (tmp_path / "event.json").write_bytes(content)
    check_german(*run_both("events", "import", "event.json"), "event.json")


def write_commitments(name, **changed):
    """Write a file of commitments to one list, in which some values are changed."""
    row = {"registration": "r1", "commitment": "0" * 64, "player_commitment": "1" * 64}
    content = {"kind": "deckproof-commitments", "version": 2, "hash": "sha-256", "event": "e1", "game": "optcg"}
    Path(name).write_text(json.dumps({**content, "format": "", "commitments": [row], **changed}))


@pytest.mark.parametrize(
    "changed",
    [
        {"hash": "md5"},
        {"kind": "other"},
        {"version": 3},
        {"event": 1},
        {"commitments": {}},
        {"commitments": ["r1"]},
        {"commitments": [{"registration": "r1", "commitment": "ff"}]},
        {},
    ],
)
def test_an_error_of_commitments_is_in_german(changed):
    write_commitments("before.json", **changed)
    check_german(*run_both("verify", "before.json"), "before.json")


def test_an_error_of_commitments_that_cannot_be_compared_is_in_german(tmp_path):
    opened = {"registration": "r1", "salt": "s" * 22, "list": "1 OP01-001", "player": "Nami Cat"}
    row = {"commitment": "0" * 64, "player_commitment": "1" * 64, **opened}
    write_commitments("before.json")
    write_commitments("other.json", event="e2")
    write_commitments("after.json", kind="deckproof-opened-lists", lists=[row])
    for files in (("before.json", "after.json"), ("after.json", "after.json"), ("after.json", "other.json")):
        check_german(*run_both("verify", *files), *files)
    (tmp_path / "wrong.json").write_text("[]")
    check_german(*run_both("verify", "wrong.json"), "wrong.json")


def test_damaged_archives_and_json_of_an_import_are_in_german(tmp_path):
    packed = gzip.compress(bytes(range(256)) * 40)
    (tmp_path / "cut.tar.gz").write_bytes(packed[:-20])
    (tmp_path / "data.tar.gz").write_bytes(packed[:-8] + bytes(8))
    (tmp_path / "tar.tar.gz").write_bytes(gzip.compress(bytes(range(1, 256)) * 40))
    for number, text in enumerate(("[1,]", "[1", '{"a" 1}', "[01]", "{1}", '["\\x"]', "[] 1", "[1 2]", "[nul]")):
        (tmp_path / f"cards-{number}.json").write_text(text)
    for file in sorted(tmp_path.glob("*.*")):
        check_german(*run_both("cards", "import", file.name, "--game", "optcg"), file.name)


@pytest.mark.parametrize("entry", ['ban.OP01-016 = "Another name"', 'allowed_sets = ["XX99"]'])
def test_an_own_list_with_an_unknown_card_or_set_is_refused_in_german(tmp_path, entry):
    (tmp_path / "own.toml").write_text(f"{_CHANGE}{entry}\n")
    (tmp_path / "deck.txt").write_text("1 OP01-001\n")
    check_german(*run_both("check", "deck.txt", "--game", "optcg", "--list", "own.toml", "--on", "2026-12-02"))
