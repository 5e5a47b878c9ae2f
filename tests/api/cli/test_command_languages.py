"""Each command with `--lang` writes catalog entries of the language: tables, results, errors of use and of files."""

import json
import re

import click
import pytest
from click.testing import CliRunner

from api.cli import COMMANDS, cli
from api.cli.usage_errors import SENTENCES, LocalUsageError
from api.service.languages import language
from tests.catalogs import TRANSLATED
from validator.language import CODES

SILENT = {"worker", "mcp"}  # these write a log, or answer an assistant
WRONG_LIST = 'game = "optcg"\n[[change]]\nregion = "en"\nsource = "nowhere"\neffective_from = 2026-12-01\n'

# Command lines by name, with a template that the English output is made from.
SPEAKING = {
    "db upgrade": (("db", "upgrade"), "{database} is up to date."),
    "db backup": (("db", "backup", "copy.db"), "{file} is a copy of {database}."),
    "db restore": (("db", "restore", "absent.db"), "There is no file {file}."),
    "db check": (("db", "check"), "{database} is sound."),
    "db status": (("db", "status"), "schema revision: "),
    "events list": (("events", "list", "--nope"), "No such option {name}."),
    "events player": (("events", "player", "123"), "No registration has the id {id}."),
    "events delete": (("events", "delete"), "Give the ids of events, or --without-registrations."),
    "events restore": (("events", "restore", "x"), "There is no event {id}; `deckproof events list` lists them."),
    "events purge": (("events", "purge"), "Events marked as deleted: {marked:,}. Events removed: {removed:,}."),
    "events export": (("events", "export", "x", "-o", "wrong.toml"), "{file} is there already; name another file."),
    "events import": (("events", "import", "wrong.toml"), "{file} cannot be imported: {problem}."),
    "settings": (("settings",), "setting"),
    "data export": (("data", "export"), "{name} is missing."),
    "rejudge": (
        ("rejudge", "decks.ndjson"),
        "Give a folder for the results with -o, or use --dry-run to write no results.",
    ),
    "serve": (("serve", "--certificate", "wrong.toml"), "--certificate and --key belong together; give both."),
    "cards import": (
        ("cards", "import", "wrong.toml", "--game", "optcg"),
        "{file} has no column `{column}` in its first row; see the README for the columns.",
    ),
    "cards snapshots": (
        ("cards", "snapshots"),
        "Nothing was imported yet: decks are judged with the facts of cards that ship.",
    ),
    "cards use": (("cards", "use", "x"), "There is no snapshot {id!r}; `deckproof cards snapshots` shows all."),
    "cards prune": (("cards", "prune"), "There are no old snapshots to delete."),
    "cards diff": (
        ("cards", "diff", "optcg-facts", "optcg-facts"),
        "{added:,} added, {removed:,} removed, {changed:,} changed",
    ),
    "cards export": (("cards", "export", "-o", "-"), "Name the game: {games}."),
    "cards sync": (("cards", "sync", "chess"), "{value} is not one of {choices}."),
    "cards clauses": (("cards", "clauses", "optcg"), "{snapshot}: {count:,} clauses read, {unread:,} texts not read."),
    "limits list": (("limits", "list"), "made (UTC)"),
    "limits import": (
        ("limits", "import", "wrong.toml"),
        "{place}: source {source!r} is no address; write it in full, https://…",
    ),
    "limits diff": (("limits", "diff", "x", "y"), "There are no lists {id!r}; `deckproof limits list` shows all."),
    "limits use": (("limits", "use", "x"), "There is no list snapshot {id!r}; `deckproof limits list` shows all."),
    "limits sync": (("limits", "sync"), "{name} is missing."),
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.toml").write_text(WRONG_LIST)


def run(*words, **environment):
    return CliRunner().invoke(cli, words, env=environment)


def find_parts(template, code):
    """Return the texts between the values of a template in a language."""
    parts = re.split(r"\{[^}]*\}", language(code).template(template))
    return [part.strip() for part in parts if part.strip()]


def find_commands(group, path=()):
    """Yield each command without subcommands, with its name."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if isinstance(command, click.Group):
            yield from find_commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


@pytest.mark.parametrize("name", SPEAKING)
@pytest.mark.parametrize("code", TRANSLATED)
def test_a_command_writes_sentences_of_the_language(name, code):
    words, template = SPEAKING[name]
    if name.startswith("db") or name in ("events player", "events restore", "events purge", "cards use", "cards prune"):
        run("db", "upgrade")
    found = run(*words, "--lang", code)
    parts = find_parts(template, code)
    assert parts
    assert [part for part in parts if part not in found.output] == []


def test_every_command_that_writes_sentences_has_the_option_and_one_help():
    commands = dict(find_commands(cli))
    options = {
        name: option.help
        for name, command in commands.items()
        for option in command.params
        if option.name == "translate"
    }
    assert commands.keys() - options.keys() == SILENT
    assert len(set(options.values())) == 1
    assert {name.partition(" ")[0] for name in commands} == set(COMMANDS)


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize(
    "words", [("chek",), ("check",), ("check", "--nope"), ("check", "--on", "x", "y"), ("limits", "chess")]
)
def test_an_error_of_the_command_line_is_in_the_language_of_the_environment(words, code):
    english, found = run(*words), run(*words, DECKPROOF_LANG=code)
    assert found.exit_code == english.exit_code == 2
    assert english.stderr.startswith("Usage: ")
    assert found.stderr.startswith(find_parts("Usage: {usage}", code)[0])
    assert find_parts("Error: {problem}", code)[0] in found.stderr
    assert not [word for word in ("No such", "Missing", "Invalid value", "is not one of") if word in found.stderr]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_sentence_of_an_error_is_translated_as_itself(sentence):
    values = {"kind": "File", "value": "'deck 1'", "choices": "'a', 'b'", "range": "1<=x<=5", "name": "--nope"}
    message = sentence.format(**values, words="a b")
    error = LocalUsageError(click.UsageError(message), language("de"))
    assert [part for part in find_parts(sentence, "de") if part not in error.message] == []


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("sheet", "deck.txt"), "-o / --output fehlt."),
        (("cards", "diff", "old"), "NEW fehlt."),
        (("check", "--game", "chess", "deck.txt"), "--game: 'chess' ist keiner der Werte"),
        (("odds", "--look", "x", "deck.txt"), "--look: 'x' ist keine ganze Zahl."),
        (("check", "--policy", "side_max=999", "deck.txt"), "--policy: side_max: "),
    ],
)
def test_an_error_begins_with_its_option_or_argument(words, error):
    assert run(*words, DECKPROOF_LANG="de").stderr.splitlines()[-1].startswith(f"Fehler: {error}")


def test_the_option_chooses_the_language_of_an_error_before_the_environment():
    found = run("check", "--lang=fr", "--nope", DECKPROOF_LANG="de")
    assert found.stderr.startswith("Utilisation")
    assert run("check", "--nope", DECKPROOF_LANG="tlh").stderr.startswith("Usage: ")


def test_json_is_the_same_in_each_language():
    run("db", "upgrade")
    for words in (
        ("limits", "list"),
        ("settings",),
        ("events", "list"),
        ("cards", "snapshots"),
        ("cards", "clauses", "bos"),
    ):
        assert len({json.dumps(json.loads(run(*words, "--json", "--lang", code).stdout)) for code in CODES}) == 1


def test_a_wrong_list_has_its_error_in_german():
    found = run("limits", "import", "wrong.toml", "--lang", "de")
    assert found.exit_code == 2
    assert "wrong.toml" in found.stderr
    assert all(
        part in found.stderr
        for part in find_parts("{place}: source {source!r} is no address; write it in full, https://…", "de")
    )


def test_a_damaged_workbook_has_its_error_in_german(tmp_path):
    (tmp_path / "decks.xlsx").write_bytes(b"\xd0\xcf\x11\xe0 old")
    found = run("batch", "decks.xlsx", "-o", "results.csv", "--lang", "de")
    template = "is an old .xls or a password-protected workbook; save it as .xlsx without a password"
    assert found.exit_code == 2
    assert language("de").template(template) in found.stderr


@pytest.mark.parametrize(
    ("row", "template"),
    [
        ({"id": 1}, "there is no column `{name}`, or there are several"),
        ({"id": 1, "deck": "4 OP01-016"}, "`deck` is of the type {type}; write a list of lines, each {shape}"),
        ({"id": 1, "deck": [{"number": "OP01-016"}]}, "the lines of `deck` have no such `{name}` as {shape}"),
    ],
)
def test_a_wrong_column_of_stored_decks_has_its_error_in_german(row, template):
    pytest.importorskip("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist([row]), "decks.parquet")
    found = run("rejudge", "decks.parquet", "-o", "results", "--lang", "de")
    assert found.exit_code == 2
    parts = [*find_parts("{location} cannot be read: {problem}", "de"), *find_parts(template, "de")]
    assert [part for part in parts if part not in found.stderr] == []


def test_missing_stored_decks_have_their_error_in_german():
    pytest.importorskip("pyarrow")
    found = run("rejudge", "decks.ndjson", "-o", "results", "--lang", "de")
    assert found.exit_code == 2
    assert all(part in found.stderr for part in find_parts("{location}: there is no such file or folder", "de"))


def test_the_title_of_a_list_has_its_day_as_the_language_writes_it():
    found = run("limits", "optcg", "--on", "2026-06-01", "--lang", "de").stdout.splitlines()[0]
    assert "10.04.2026" in found
    assert "2026-04-10" not in found
