"""Imported lists: they add to what ships, are used after a moment, and are refused with the words of the loader."""

from __future__ import annotations

import re
import shutil
from copy import deepcopy
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carddb import Library, facts
from carddb import library as library_module
from carddb.bounds import MOST_LIST_FILES
from carddb.errors import CardDataError, DamagedSnapshot, InvalidLists, NoSnapshot
from carddb.library import AGAIN_AFTER, CURRENT_FOR
from carddb.list_files import ListFile, add_files, parse_file, read_path
from carddb.list_store import ListSnapshotRow
from tests.carddb.test_library import Clock, run_at_once
from validator import Deck, Judge, Line, Terms, limits
from validator.errors import DocumentError
from validator.games import GAMES
from validator.limits import KINDS, shipped_lists

FILES = Path(limits.__file__).parent
DAY = date(2026, 12, 1)
NAMI = "OP01-016"
HEAD = 'game = "optcg"\nknown_to = 2026-11-20\n'


def change(cards=f'ban.{NAMI} = "Nami"', day=DAY, **more):
    lines = [f"effective_from = {day}", 'region = "en"', 'source = "https://example.com/list"', cards]
    return "\n".join(["[[change]]", *lines, *(f"{key} = {value}" for key, value in more.items())]) + "\n"


def ban_file(text=None, name="ban.toml"):
    return parse_file(name, (text or HEAD + change()).encode())


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def library(tmp_path, clock):
    return Library(f"sqlite:///{tmp_path}/deckproof.db", clock, run_at_once)


def use(library, *files):
    return library.list_store().import_files(library.base_lists, files)


def limit_of(lists, number=NAMI, day=DAY):
    entry = lists.listed.in_force_on(day).singles.get(number)
    return entry and entry.limit


def verdict(library, day=DAY):
    terms = Terms("optcg-1.2.1", day, lists=library.lists("optcg"))
    return Judge(terms, library.catalogue("optcg"))(Deck(main=(Line(NAMI, 4),)))


def test_an_imported_ban_is_used_after_a_moment_and_taken_back(library, clock):
    shipped = verdict(library)
    (made,) = use(library, ban_file())
    assert verdict(library).as_dict()["limits"] == shipped.as_dict()["limits"]
    clock.time += CURRENT_FOR
    library.lists("optcg")
    banned = verdict(library)
    assert "card.banned" in banned.codes
    assert "card.banned" not in verdict(library, DAY - timedelta(1)).codes
    named = banned.as_dict()["limits"]
    assert (named["list"], named["source"], named["known_to"]) == (made.id, "ban.toml", "2026-11-20")
    library.list_store().use_shipped("optcg")
    clock.time += CURRENT_FOR
    library.lists("optcg")
    assert verdict(library).as_dict() == shipped.as_dict()
    library.list_store().use(made.id)
    clock.time += CURRENT_FOR
    library.lists("optcg")
    assert verdict(library).codes == banned.codes


def test_files_are_added_to_those_before_and_each_only_once(library):
    (first,) = use(library, ban_file())
    (second,) = use(library, ban_file(HEAD + change('restrict.OP01-006 = {limit = 1, name = "Otama"}'), "more.toml"))
    assert (first.new, second.new) == (True, True)
    lists = library.lists("optcg")
    assert (limit_of(lists), limit_of(lists, "OP01-006")) == (0, 1)
    (again,) = use(library, ban_file())
    assert (again.id, again.new) == (second.id, False)
    assert [one.current for one in library.list_store().snapshots("optcg")].count(True) == 1


def test_an_entry_that_the_list_has_already_changes_nothing():
    shipped = shipped_lists("optcg")
    whole = (FILES / "optcg.toml").read_text("utf-8")
    same = add_files(shipped, [parse_file("optcg.toml", whole.encode())], "", "")
    assert same.listed.rulings("en") == shipped.listed.rulings("en")
    twice = add_files(shipped, [ban_file(), ban_file(HEAD + change(), "again.toml")], "", "")
    assert len(twice.listed.changes) == len(shipped.listed.changes) + 1


def test_at_most_100_files_are_imported(library):
    files = [ban_file(f"{HEAD}# {number}", f"{number}.toml") for number in range(MOST_LIST_FILES)]
    (made,) = use(library, *files)
    with pytest.raises(CardDataError):
        use(library, ban_file(f"{HEAD}# another"))
    assert library.list_store().current("optcg").id == made.id
    assert use(library, files[0])[0].id == made.id


def test_without_a_database_the_lists_that_ship_are_in_use_already(library, tmp_path):
    library.list_store().use_shipped("optcg")
    assert (library.list_store().current("optcg"), library.list_store().snapshots()) == (None, [])
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_replaces_is_the_whole_list(library):
    use(library, ban_file())
    whole = (FILES / "optcg.toml").read_text("utf-8")
    use(library, parse_file("optcg.toml", f"replaces = true\n{whole}".encode()))
    assert limit_of(library.lists("optcg")) is None
    assert library.lists("optcg").listed.known_to == shipped_lists("optcg").listed.known_to


def test_an_older_known_to_lowers_nothing():
    older = add_files(shipped_lists("optcg"), [ban_file('game = "optcg"\nknown_to = 2020-01-01\n')], "", "")
    assert older.listed.known_to == shipped_lists("optcg").listed.known_to


def test_sets_rotation_bounds_and_corrections_are_added(library):
    released = (
        '[sources]\nnew = {region = "en", title = "A page"}\n[sets.OP99]\nlabel = "Invented"\n'
        "released = {new = 2026-12-01}\n"
    )
    bound = '[[bound]]\nsets = ["OP98"]\nnot_before = 2026-12-01\nreason = "start"\nsource = "sets"\n'
    wrong = facts.catalogue("optcg").by_number(NAMI)
    correction = (
        f'game = "optcg"\n[[correction]]\nnumbers = ["{NAMI}"]\nfact = "colors"\nwrong = "{"/".join(wrong.colors)}"\n'
        'right = "Blue"\nreason = "Invented."\nevidence = ["Invented."]\n'
    )
    use(
        library,
        parse_file("sets.toml", f'game = "optcg"\n{released}'.encode()),
        parse_file("optcg-rotation.toml", b'game = "optcg"\nblocks = [1, 2, 3, 4]\n'),
        parse_file("optcg-bounds.toml", f'game = "optcg"\n{bound}'.encode()),
        parse_file("wrong.toml", correction.encode()),
    )
    lists, shipped = library.lists("optcg"), shipped_lists("optcg")
    assert lists.sets.by_code.keys() - shipped.sets.by_code.keys() == {"OP99"}
    assert lists.rotation.blocks == (1, 2, 3, 4)
    assert lists.bounds().of_set("OP98").not_before.day == DAY
    assert len(lists.bounds_file.entries) == len(shipped.bounds_file.entries) + 1
    catalogue = library.catalogue("optcg")
    assert catalogue.by_number(NAMI).colors == ("Blue",) != wrong.colors
    assert catalogue.snapshot != facts.catalogue("optcg").snapshot
    library.list_store().use_shipped("optcg")


def test_corrections_are_used_and_taken_back_while_the_cards_stay(library, clock):
    shipped, numbers, seen = library.catalogue("optcg"), (NAMI, "OP01-006"), []
    for number in numbers:
        text = (
            f'game = "optcg"\n[[correction]]\nnumbers = ["{number}"]\nfact = "colors"\n'
            f'wrong = "{"/".join(shipped.by_number(number).colors)}"\nright = "Blue"\n'
            'reason = "Invented."\nevidence = ["Invented."]\n'
        )
        use(library, parse_file("wrong.toml", text.encode()))
        for _ in range(2):  # what did not change is not made again
            clock.time += CURRENT_FOR
            library.catalogue("optcg")
            seen.append(library.catalogue("optcg"))
    assert (seen[0] is seen[1], seen[2] is seen[3]) == (True, True)
    blue = [[catalogue.by_number(number).colors == ("Blue",) for number in numbers] for catalogue in seen[::2]]
    assert blue == [[True, False], [True, True]]
    library.list_store().use_shipped("optcg")
    clock.time += CURRENT_FOR
    library.catalogue("optcg")
    assert library.catalogue("optcg") is shipped


def test_corrected_facts_stay_provisional(library):
    shipped = facts.catalogue("fusion")
    card = next(card for card in shipped if card.colors == ("Red",))
    correction = (
        f'game = "fusion"\n[[correction]]\nnumbers = ["{card.number}"]\nfact = "colors"\nwrong = "Red"\n'
        'right = "Blue"\nreason = "Invented."\nevidence = ["Invented."]\n'
    )
    use(library, parse_file("wrong.toml", correction.encode()))
    catalogue = library.catalogue("fusion")
    assert catalogue.by_number(card.number).colors == ("Blue",)
    assert shipped.provisional is not None
    assert catalogue.provisional == shipped.provisional


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "bad.toml: the file has no game"),
        ('game = "chess"', "bad.toml: the file has the game 'chess'"),
        ("game = [1]", "bad.toml: the file has the game"),
        ("game =", "bad.toml: Invalid value"),
        (f"a = {'[' * 5000}", "bad.toml: the file is nested too deeply"),
        (f"{HEAD}x = 1", "bad.toml: head: unknown word 'x'"),
        (f"{HEAD}change = 3", "change: 3 should be a list in"),
        (f"{HEAD}replaces = 1", "bad.toml: head, replaces: 1 should be true or false"),
        (f"{HEAD}replaces = true", "bad.toml: head: title is missing"),
        (HEAD + change(colour='"red"'), "bad.toml: change 1: unknown word 'colour'"),
        (HEAD + change(day="2026-13-01"), "bad.toml: "),
        (HEAD + change(day='"soon"'), "bad.toml: change 1, effective_from: 'soon' should be a day"),
        (HEAD + change('ban.Nami = "Nami"'), "'Nami' is no card number"),
        (HEAD + change('lift.OP01-016 = "Nami"'), "which is not on the list"),
        (HEAD + change().replace('"en"', '"moon"'), "bad.toml: change 1, region: unknown word 'moon'"),
        (HEAD + change() + change('ban.OP01-016 = "Another"', DAY + timedelta(1)), "repeats the entry of OP01-016"),
        (HEAD + change("ban = 3"), "bad.toml: change 1, ban: 3 should be a table"),
    ],
)
def test_a_wrong_file_is_refused_in_words_and_changes_nothing(library, text, says):
    (before,) = use(library, ban_file(HEAD + change('restrict.OP01-006 = {limit = 1, name = "Otama"}')))
    with pytest.raises(InvalidLists, match=re.escape(says)):
        use(library, parse_file("bad.toml", text.encode()))
    assert library.list_store().current("optcg").id == before.id


def test_a_folder_is_imported_whole_or_not_at_all(library, tmp_path):
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "a.toml").write_text(HEAD + change())
    (folder / "b.toml").write_text('game = "dbs"\nknown_to = "never"\n')
    with pytest.raises(InvalidLists, match=r"b\.toml"):
        use(library, *read_path(folder))
    assert library.list_store().snapshots() == []


def test_files_that_are_no_lists_are_refused_in_words(tmp_path):
    with pytest.raises(CardDataError, match="cannot be read"):
        read_path(tmp_path / "none.toml")
    with pytest.raises(InvalidLists, match=r"no \.toml file"):
        read_path(tmp_path)
    for content in (b"\xff\xfe", b"#" * (2 << 20), b"\0"):
        with pytest.raises(InvalidLists, match=r"x\.toml: "):
            parse_file("x.toml", content)


@pytest.mark.parametrize("files", [b"[]", b"", b"[", b"no JSON", b"3", b"[3]", b'[["a"]]', b'[{"name": "a"}]'])
def test_a_damaged_snapshot_is_reported_and_the_shipped_lists_are_used(library, clock, files):
    (made,) = use(library, ban_file())
    with library.store().database.writing("lists") as connection:
        connection.execute(sa.update(ListSnapshotRow).values(files=files))
    assert library.lists("optcg").id == shipped_lists("optcg").id
    assert made.id in library.unusable_lists()["optcg"]
    with pytest.raises(DamagedSnapshot):
        library.list_store().files(made.id)
    library.list_store().use_shipped("optcg")
    clock.time += AGAIN_AFTER
    library.lists("optcg")
    assert library.unusable_lists() == {}


def test_lists_that_are_not_there_cannot_be_chosen(library):
    use(library, ban_file())
    with pytest.raises(NoSnapshot):
        library.list_store().use("optcg-lists-20260101-00000000")
    with pytest.raises(NoSnapshot):
        library.load_lists("optcg", "optcg-lists-20260101-00000000")


def test_lists_with_files_of_another_folder_are_not_loaded(library):
    (made,) = use(library, ban_file())
    shipped = shipped_lists("optcg")
    assert limit_of(library.load_lists("optcg", f"{shipped.id}+{made.id}")) == 0
    with pytest.raises(NoSnapshot):
        library.load_lists("optcg", f"optcg-folder-1a2b3c4d+{made.id}")


def test_a_folder_of_the_settings_is_added_and_followed(tmp_path, clock):
    folder = tmp_path / "lists"
    folder.mkdir()
    library = Library(f"sqlite:///{tmp_path}/deckproof.db", clock, run_at_once, limits_dir=folder)
    assert library.lists("optcg") is shipped_lists("optcg")
    (folder / "ban.toml").write_text(HEAD + change())
    clock.time += CURRENT_FOR
    library.lists("optcg")
    with_folder = library.lists("optcg")
    assert (limit_of(with_folder), with_folder.source) == (0, "ban.toml")
    (made,) = use(library, ban_file(HEAD + change('restrict.OP01-006 = {limit = 1, name = "Otama"}'), "more.toml"))
    clock.time += CURRENT_FOR
    library.lists("optcg")
    both = library.lists("optcg")
    assert (limit_of(both), limit_of(both, "OP01-006")) == (0, 1)
    assert both.id == f"{with_folder.id}+{made.id}"
    (folder / "ban.toml").write_text("broken =")
    clock.time += CURRENT_FOR
    library.lists("optcg")
    assert library.lists("optcg") is both


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_loader_refuses_an_import_refuses_in_the_same_words(kind, tmp_path):
    file = FILES / limits.file_name("optcg", kind)
    whole = shipped_lists("optcg").documents[kind]

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.data())
    def changed(data):
        document = deepcopy(dict(whole))
        _spoil(document, data)
        documents = {**shipped_lists("optcg").documents, kind: document}
        loaded = _message(lambda: limits.parse_documents("optcg", documents))
        imported = _message(lambda: _import(document, kind, file.name))
        assert imported == loaded

    changed()


def _import(document, kind, name):
    """Add a file that replaces the list of its kind, with this document."""
    file = _Parsed("optcg", kind, name, "")
    file.parsed = {"replaces": True, **document}
    add_files(shipped_lists("optcg"), [file], "", "")


class _Parsed(ListFile):
    """A file whose document is not written as TOML first."""

    def document(self):
        return self.parsed


def _message(load):
    """Return the words of a refusal, None if nothing is refused."""
    try:
        load()
    except (DocumentError, InvalidLists) as error:
        return str(error).rstrip(".")
    return None


def _spoil(table, data):
    """Take a value of a table out, or put another one in its place, somewhere below it."""
    key = data.draw(st.sampled_from(sorted(table)))
    inner = table[key]
    if isinstance(inner, dict) and inner and data.draw(st.booleans()):
        _spoil(inner, data)
    elif isinstance(inner, list) and inner and isinstance(inner[0], dict) and data.draw(st.booleans()):
        _spoil(data.draw(st.sampled_from(inner)), data)
    elif data.draw(st.booleans()):
        del table[key]
    else:
        table[key] = data.draw(st.sampled_from([1, 0, "", "word", True, [], [1], ["a"], {}, {"a": 1}, DAY, 1.5]))


def test_the_files_that_ship_are_recognised(tmp_path):
    for file in FILES.glob("*.toml"):
        shutil.copy(file, tmp_path)
    found = {file.name: (file.game, file.kind) for file in read_path(tmp_path)}
    assert found == {
        limits.file_name(game, kind): (game, kind) for game in GAMES for kind in shipped_lists(game).documents
    }
    renamed = [parse_file("x.toml", (FILES / f"optcg-{kind}.toml").read_bytes()).kind for kind in KINDS[1:]]
    assert tuple(renamed) == KINDS[1:]


def test_the_day_of_an_import_is_in_its_id(library):
    moment = datetime(2026, 2, 3, tzinfo=UTC)
    (made,) = library.list_store().import_files(library.base_lists, [ban_file()], moment)
    assert made.id.startswith("optcg-lists-20260203-")
    assert made.created == moment


def test_a_process_that_was_idle_waits_for_the_new_lists(tmp_path, monkeypatch):
    monkeypatch.setattr(library_module, "MOST_WAIT", 30.0)  # a busy machine is slow
    url, clock = f"sqlite:///{tmp_path}/deckproof.db", Clock()
    idle = Library(url, clock)  # which looks up what is new in a thread
    assert limit_of(idle.lists("optcg")) is None
    use(Library(url), ban_file())
    clock.time += 60
    assert limit_of(idle.lists("optcg")) == 0
