"""A path is recognised by its content: spreadsheet, page, folder or archive. Nothing hostile is accepted."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from carddb.errors import CardDataError
from carddb.sources import read, saved
from tests.carddb.cards import table
from tests.carddb.sources import onepiece_pages
from tests.shared import shared_path


def page(number: str) -> bytes:
    return onepiece_pages.page([onepiece_pages.CAPTAIN | {"id": number, "number": number}]).encode()


def archive(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def numbers(path: Path) -> list[str]:
    return [card.number for card in read(path, "optcg").cards]


@pytest.mark.parametrize("name", ["page.html", "page.txt", "page", "page.csv", "page.tar.gz"])
def test_a_page_is_a_page_whatever_its_name(tmp_path, name):
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf\n " + page("OP99-001"))
    assert numbers(tmp_path / name) == ["OP99-001"]


@pytest.mark.parametrize("name", ["cards.csv", "cards.html", "cards"])
def test_a_spreadsheet_is_a_spreadsheet_whatever_its_name(tmp_path, name):
    (tmp_path / name).write_bytes(table([{"number": "OP01-016", "name": "Nami", "type": "Character"}]))
    assert numbers(tmp_path / name) == ["OP01-016"]


def test_a_folder_is_read_page_by_page_in_order(tmp_path):
    for number in ("OP99-002", "OP99-001"):
        (tmp_path / f"{number}.html").write_bytes(page(number))
    (tmp_path / "notes.md").write_text("saved on a Saturday")
    (tmp_path / ".hidden").write_text("<")
    (tmp_path / "page_files").mkdir()
    found = read(tmp_path, "optcg")
    assert [card.number for card in found.cards] == ["OP99-001", "OP99-002"]
    assert found.notices == ("notes.md is no page and is left out.",)


def test_an_archive_is_read_like_a_folder(tmp_path):
    file = tmp_path / "pages"
    file.write_bytes(archive({"a/1.html": page("OP99-001"), "../../2.html": page("OP99-002"), "/etc/x": b"text"}))
    assert numbers(file) == ["OP99-001", "OP99-002"]
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


def test_links_and_devices_in_an_archive_are_passed_over(tmp_path):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            member = tarfile.TarInfo("passwd.html")
            member.type = kind
            member.linkname = "/etc/passwd"
            tar.addfile(member)
    file = tmp_path / "links.tar.gz"
    file.write_bytes(packed.getvalue())
    with pytest.raises(CardDataError, match="no cards"):
        read(file, "optcg")


def sparse(**headers: str) -> bytes:
    """An archive whose member says that it has holes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        member = tarfile.TarInfo("1.html")
        member.pax_headers = headers
        member.size = len(page("OP99-001"))
        tar.addfile(member, io.BytesIO(page("OP99-001")))
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (sparse(**{"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}), "damaged archive"),
        (
            sparse(**{"GNU.sparse.map": "0,9999999", "GNU.sparse.size": "99999999999"}),
            "too large for a page of a card list",
        ),
        (sparse(size="99999999999"), "too large for a page of a card list"),
        (archive({"1.html": page("OP99-001")})[:200], "damaged archive"),
        (gzip.compress(b"no archive at all" * 100), "damaged archive"),
        (b"\x1f\x8bnonsense", "damaged archive"),
        (archive({}), "no cards"),
        (archive({"1.html": b"<html></html>"}), "dl.modalCol"),
        (archive({"1.html": page("OP99-001") + "é".encode("cp1252")}), "no UTF-8"),
        (archive({str(at): b"" for at in range(saved.MOST_FILES + 1)}), "more than 2000 files"),
        (archive({"1.html": bytes(saved.LARGEST_PAGE + 1)}), "too large for a page of a card list"),
    ],
    ids=range(11),  # the packed bytes hold the time, and differ in each process
)
def test_an_archive_that_cannot_be_read_is_refused_with_the_reason(tmp_path, data, why):
    file = tmp_path / "pages.tar.gz"
    file.write_bytes(data)
    with pytest.raises(CardDataError, match=why):
        read(file, "optcg")


def test_an_archive_is_not_unpacked_beyond_its_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(saved, "LARGEST_SAVED_PAGES", 1 << 20)
    file = tmp_path / "bomb.tar.gz"
    file.write_bytes(gzip.compress(bytes(3 << 20)))
    with pytest.raises(CardDataError, match="unpacks to more than 1 MB"):
        read(file, "optcg")


def test_a_card_without_a_name_is_not_imported(tmp_path):
    (tmp_path / "page.html").write_text(onepiece_pages.page([onepiece_pages.CAPTAIN | {"name": ""}]))
    with pytest.raises(CardDataError, match=r"OP99-001: the card has no name"):
        read(tmp_path / "page.html", "optcg")


def test_one_bad_page_refuses_all(tmp_path):
    (tmp_path / "1.html").write_bytes(page("OP99-001"))
    (tmp_path / "2.html").write_bytes(b"<html><body>404</body></html>")
    for game, selector in (("optcg", ".resultCol > dl.modalCol"), ("dbs", "form select[name=category_exp]")):
        with pytest.raises(CardDataError) as refusal:
            read(tmp_path / "2.html", game)
        said = "2.html is no card-list page, or its structure changed: nothing is found by"
        assert str(refusal.value) == f"{said} `{selector}`."
    with pytest.raises(CardDataError, match=r"^2\.html"):
        read(tmp_path, "optcg")


@pytest.mark.parametrize("name", ["1.tar.gz", "2"])
def test_what_a_folder_without_pages_has_in_it_is_named(tmp_path, name):
    (tmp_path / "0.txt").write_text("saved on a Saturday")
    (tmp_path / ".git").mkdir()
    (tmp_path / "2").mkdir()
    if name != "2":
        (tmp_path / name).write_bytes(archive({"1.html": page("OP99-001")}))
    with pytest.raises(CardDataError) as refusal:
        read(tmp_path, "optcg")
    said = f"{tmp_path.name} holds no card-list pages and no cards. Archives and folders in it are not looked into: "
    assert str(refusal.value) == f"{said}import {tmp_path / name} by itself."


def test_a_path_to_nothing_is_named(tmp_path):
    with pytest.raises(CardDataError, match="There is no file"):
        read(tmp_path / "nothing.csv", "optcg")
    with pytest.raises(CardDataError, match="neither a file nor a folder"):
        read(Path("/dev/null"), "optcg")
    with pytest.raises(CardDataError, match="no cards"):
        read(tmp_path, "optcg")


def test_a_page_of_another_game_is_refused(tmp_path):
    (tmp_path / "page.html").write_bytes(page("OP99-001"))
    for game in ("dbs", "bos"):
        with pytest.raises(CardDataError):
            read(tmp_path / "page.html", game)


def days(path: Path) -> list[tuple[str, str, str]]:
    return [(str(found.day), found.basis, found.where) for found in read(path, "optcg").days]


def saved_page(number: str, comment: str = "", tag: str = "") -> bytes:
    picture = f'<img src="../images/{number}.png?{tag}">' if tag else ""
    return page(number).replace(b"<body>", f"<!-- {comment} --><body>{picture}".encode(), 1)


def test_the_name_of_the_path_tells_the_day(tmp_path):
    table_file, folder, packed = (tmp_path / f"cards-2026-08-21{end}" for end in (".csv", "", ".tar.gz"))
    table_file.write_bytes(table([{"number": "OP01-016", "name": "Nami", "type": "Character"}]))
    folder.mkdir()
    (folder / "page-2026-08-01.html").write_bytes(page("OP99-001"))
    packed.write_bytes(archive({"2026-08-02/page.html": page("OP99-001")}))
    for path in (table_file, folder, packed):
        assert days(path) == [("2026-08-21", "name", path.name)]


def test_else_the_names_in_an_archive_and_its_folders_tell_it(tmp_path):
    packed = tmp_path / "pages.tar.gz"
    packed.write_bytes(archive({"2026-08-21/1.html": page("OP99-001"), "all/2-20260822.html": page("OP99-002")}))
    assert days(packed) == [("2026-08-21", "name", "2026-08-21/1.html"), ("2026-08-22", "name", "all/2-20260822.html")]


@pytest.mark.parametrize(
    ("comment", "tag", "day"),
    [
        ("Page saved with SingleFile saved date: Fri Aug 21 2026 10:12:13 GMT+0200", "260806", "2026-08-21"),
        ("Mirrored from example.test/cardlist/ by HTTrack, Fri, 21 Aug 2026 01:36:10 GMT", "", "2026-08-21"),
        ("saved from url=(0042)https://example.test/cardlist/", "260806", "2026-08-06"),
        ("", "260806", "2026-08-06"),
        ("", "261306", None),
        ("last updated 2026-08-21", "", None),
    ],
)
def test_else_a_page_tells_when_it_was_saved_or_last_changed(tmp_path, comment, tag, day):
    (tmp_path / "page.html").write_bytes(saved_page("OP99-001", comment, tag))
    assert days(tmp_path / "page.html") == ([(day, "page", "page.html")] if day else [])


@pytest.mark.slow
def test_the_pages_that_lie_beside_the_project_have_their_days():
    whole = shared_path("pages/optcg/cardlist-en-all-60-2026-08-21.tar.gz")
    assert days(whole) == [("2026-08-21", "name", whole.name)]
    assert [day for day, *_ in days(shared_path("pages/optcg/raw-older"))] == [
        "2025-07-01",
        "2025-03-26",
        "2025-03-13",
        "2025-07-01",
    ]
