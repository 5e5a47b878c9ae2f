"""`--lang` and DECKPROOF_LANG: commands that speak, and what stays as it is."""

import json

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.service.languages import LANGUAGES

ON = ("--game", "optcg", "--on", "2026-01-15")
FRAME = {"de": "NICHT LEGAL", "fr": "NON LÉGAL", "es": "NO LEGAL", "it": "NON LEGALE", "ja": "使用不可"}
ENGLISH = ("NOT LEGAL", "Rule ", "Judged on", "Fewest", "Remove", "copies", "allowed", "Deck hash")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))


@pytest.fixture
def broken(tmp_path):
    file = tmp_path / "broken.txt"
    file.write_text("1 OP01-001\n51 OP01-016\n4x ???\n")
    return str(file)


def run(*words, **environment):
    return CliRunner().invoke(cli, words, env=environment)


@pytest.mark.parametrize("code", FRAME)
def test_a_verdict_is_said_in_a_language_from_its_first_word_to_its_last(broken, code):
    found = run("check", broken, *ON, "--lang", code)
    assert found.exit_code == 1
    assert found.stdout.startswith(f"{FRAME[code]}  ")
    assert not [word for word in ENGLISH if word in found.stdout]
    assert "OP01-016 Nami" in found.stdout
    assert "5-1-2-3" in found.stdout


@pytest.mark.parametrize("command", ["repair", "when", "odds"])
@pytest.mark.parametrize("code", FRAME)
def test_other_commands_speak_too(broken, command, code):
    english, said = run(command, broken, *ON), run(command, broken, *ON, "--lang", code)
    assert said.exit_code == english.exit_code
    assert "OP01-016 Nami" in said.stdout
    assert said.stdout != english.stdout
    assert not [word for word in ("Take ", "not legal", "Judged", "first hand", "modelled") if word in said.stdout]


def test_a_swap_speaks(broken, tmp_path):
    (tmp_path / "after.txt").write_text("1 OP01-001\n50 OP01-016\n")
    found = run("swap", broken, str(tmp_path / "after.txt"), *ON, "--lang", "fr")
    assert "Après l'échange" in found.stdout


def test_json_has_its_sentences_in_the_language_and_its_codes_as_ever(broken):
    english = json.loads(run("check", broken, *ON, "--json").stdout)
    said = json.loads(run("check", broken, *ON, "--json", "--lang", "it").stdout)
    assert [one["code"] for one in said["findings"]] == [one["code"] for one in english["findings"]]
    assert all(a["fix"] != b["fix"] for a, b in zip(said["findings"], english["findings"], strict=True))


def test_the_environment_says_the_language_and_the_option_goes_before_it(broken):
    assert run("check", broken, *ON, DECKPROOF_LANG="es").stdout.startswith(FRAME["es"])
    assert run("check", broken, *ON, "--lang", "de", DECKPROOF_LANG="es").stdout.startswith(FRAME["de"])
    assert run("check", broken, *ON, LANG="de_DE.UTF-8").stdout.startswith("NOT LEGAL")


def test_a_language_that_is_not_spoken_is_refused_with_those_that_are(broken):
    found = run("check", broken, "--lang", "tlh")
    assert found.exit_code == 2
    assert all(code in found.stderr for code in LANGUAGES)


SPEAKING = {
    "limits": (("limits", "optcg", "--on", "2026-01-15"), ("known up to", "since\t", "allowed\t")),
    "rulesets": (("rules",), ("ruleset", "title")),
    "rules": (("rules", "optcg-1.1.9"), ("sections:", "A deck ", "in force")),
    "a card": (("cards", "show", "OP01-016", "--game", "optcg"), ("Printings", "Released", "Colours", "card data")),
    "cards": (("cards", "list", "Nami", "--game", "optcg"), ("colours", "Character", "card data")),
    "no card": (("cards", "show", "OP99-999", "--game", "optcg"), ("there is no card",)),
    "counts of cards": (("cards", "stats", "--game", "optcg"), ("deck building", "what\t")),
}


@pytest.mark.parametrize("case", SPEAKING)
@pytest.mark.parametrize("code", FRAME)
def test_what_is_looked_up_is_in_the_language(case, code):
    words, english = SPEAKING[case]
    original, found = run(*words), run(*words, "--lang", code)
    assert found.exit_code == original.exit_code
    assert any(word in original.output for word in english)
    assert not [word for word in english if word in found.output]


@pytest.mark.parametrize("code", FRAME)
def test_a_sheet_and_a_converted_list_speak_on_the_terminal(broken, tmp_path, code):
    found = run("sheet", broken, "-o", str(tmp_path / "sheet.csv"), "--player", "Nami", *ON, "--lang", code)
    assert found.stdout.startswith(f"{FRAME[code]}  ")
    converted = run("convert", broken, "--to", "text", "--game", "optcg", "--lang", code)
    assert converted.exit_code == run("convert", broken, "--to", "text", "--game", "optcg").exit_code
    assert "left out" not in converted.stderr


@pytest.mark.parametrize("code", FRAME)
def test_errors_are_in_the_language(broken, tmp_path, code):
    for words in (("check", broken, "--ruleset", "nope"), ("rules", "nope"), ("limits", "optcg", "--region", "mars")):
        original, found = run(*words), run(*words, "--lang", code)
        assert (found.exit_code, original.exit_code) == (2, 2)
        assert found.stderr != original.stderr
    (tmp_path / "empty.txt").write_text("")
    assert "no card could be read" not in run("check", str(tmp_path / "empty.txt"), "--lang", code).stderr


def test_a_language_of_one_command_is_not_that_of_the_next(broken):
    assert run("check", broken, "--ruleset", "nope", "--lang", "de").stderr.startswith("deckproof: Das Regelwerk")
    assert run("check", broken, "--ruleset", "nope").stderr.startswith("deckproof: There is no ruleset")
