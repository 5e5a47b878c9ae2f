"""Packed files: the lists of a zip or of a folder, without the files of systems, and the limit of their number."""

import zipfile
from io import BytesIO

import pytest

from carddb.bounds import MOST_FILES
from carddb.errors import WorkbookError
from carddb.files import packed_files

LISTS = {"b.txt": b"4 OP01-016", "round 1/a.csv": b"Player,Deck"}


def zip_files(files):
    """Return a zip of files by name. A name that ends with "/" is a folder."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("added", ["round 1/", ".DS_Store", "round 1/._a.csv", "__MACOSX/round 1/a.csv", ".git/config"])
def test_folders_and_what_systems_add_are_no_lists(added):
    found = list(packed_files.members(zip_files({added: b"", **LISTS})))
    assert found == [("b.txt", b"4 OP01-016"), ("a.csv", b"Player,Deck")]


def test_a_zip_without_lists_has_none():
    assert list(packed_files.members(zip_files({"round 1/": b"", ".DS_Store": b"x"}))) == []


@pytest.mark.parametrize("more", [0, 1])
def test_a_zip_has_at_most_so_many_files(more):
    data = zip_files({f"{number:05}.txt": b"" for number in range(MOST_FILES + more)})
    if more:
        with pytest.raises(WorkbookError, match="2,001 files; at most 2,000"):
            list(packed_files.members(data))
    else:
        assert len(list(packed_files.members(data))) == MOST_FILES


def test_a_folder_is_packed_up_to_its_bounds(tmp_path, monkeypatch):
    monkeypatch.setattr(packed_files, "MOST_FILES", 2)
    monkeypatch.setattr(packed_files, "LARGEST_FOLDER", 10)
    for name, size in {"a": 4, "b": 6, "c": 0, "d": 7}.items():
        (tmp_path / name).write_bytes(b"x" * size)
    a, b, c, d = sorted(tmp_path.iterdir())
    assert len(list(packed_files.members(packed_files.pack_files([a, b])))) == 2
    for refused in ([a, b, c], [a, d]):
        with pytest.raises(WorkbookError, match="has more than"):
            packed_files.pack_files(refused)


def test_a_zip_with_a_password_is_refused():
    data = bytearray(zip_files(LISTS))
    data[data.index(b"PK\1\2") + 8] |= 1  # the first entry of the directory is encrypted
    with pytest.raises(WorkbookError, match="password"):
        list(packed_files.members(bytes(data)))


@pytest.mark.parametrize(
    ("names", "is_packed"), [(LISTS, True), (["[Content_Types].xml"], False), (["mimetype"], False)]
)
def test_a_workbook_is_no_zip_of_lists(names, is_packed):
    assert packed_files.is_packed(zip_files(dict.fromkeys(names, b""))) == is_packed


def test_no_other_file_is_a_zip_of_lists():
    assert not packed_files.is_packed(b"1 ST21-001\n4 OP01-016\n")
    assert not packed_files.is_packed(zip_files(LISTS)[:40])


def test_a_folder_is_packed_without_its_folders_and_hidden_files(tmp_path):
    (tmp_path / "older").mkdir()
    for name, data in {"b.txt": b"4 OP01-016", "a.txt": b"1 ST21-001", ".hidden": b"x"}.items():
        (tmp_path / name).write_bytes(data)
    packed = packed_files.pack_files(tmp_path.iterdir())
    assert list(packed_files.members(packed)) == [("a.txt", b"1 ST21-001"), ("b.txt", b"4 OP01-016")]
    with pytest.raises(WorkbookError, match="no files"):
        packed_files.pack_files([tmp_path / "older", tmp_path / ".hidden"])
