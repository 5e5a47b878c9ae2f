"""Sources: reads the cards of a file or folder.

There is a module for each source, chosen by the content of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from carddb.bounds import LARGEST_CARD_FILE
from carddb.data_day import NAME, PAGE, DataDay, day_in_name
from carddb.errors import CardDataError, NoCards, PlacedText, source_problems_error
from carddb.sources import printings, saved
from carddb.sources.days import find_saved_day
from carddb.sources.printed_facts import find_unknown_words
from carddb.sources.printings import CardList
from carddb.sources.saved import File
from carddb.system_messages import system_reason
from validator.errors import error_text
from validator.games import game_of
from validator.language import phrase

if TYPE_CHECKING:
    from carddb.sources.pages import CardPage


def read(path: Path, game: str) -> CardList:
    """Return the cards of a spreadsheet, a saved card-list page, a community file, or a folder or .tar.gz of them.

    The days found in names and pages are in `days`. A day in the name of `path` replaces all others. Files of a folder
    or archive that are neither pages nor community files, such as spreadsheets, are left out with a notice. Raises
    CardDataError if a file cannot be read or there are no cards, and UnknownGame.
    """
    game_of(game)
    try:
        cards = (
            _read_folder(_pack_folder(path), path.name, game)
            if path.is_dir()
            else _read_file(_read_bytes(path), path, game)
        )
    except OSError as error:
        raise CardDataError(
            phrase("{file} cannot be read: {problem}.", file=path, problem=system_reason(str(error.strerror or error)))
        ) from None
    day = day_in_name(path.name)
    return cards._replace(days=(DataDay(day, NAME, path.name),)) if day else cards


def _read_file(data: bytes, path: Path, game: str) -> CardList:
    """Return the cards of a single file or of a .tar.gz, whose content decides the format. `path` gives only its name.

    Raises CardDataError if the file cannot be read or has no cards.
    """
    if data.startswith(saved.GZIP):
        return _read_files(saved.read_tar_files(data, path.name), path.name, game)
    if page := _read_checked_page(file := File(path.name, data), game):
        return _make_card_list([page], path.name, game)._replace(days=tuple(_find_days(file)))
    if data.lstrip()[:1] in (b"[", b"{"):
        raise CardDataError(
            phrase("{file} is JSON of no form that is known: punk-records and kentan88/dbscg-api are.", file=path.name)
        )
    from carddb.sources import card_tables

    return card_tables.read(data, path.name, game)


def _pack_folder(folder: Path) -> Path:
    """Return the folder `data` in a copy of punk-records, which has a `manifest.json`.

    Another folder is returned unchanged.
    """
    packs = folder / "data"
    return packs if (folder / "manifest.json").is_file() and packs.is_dir() else folder


def _read_bytes(path: Path) -> bytes:
    """Return the content of a file.

    Raises CardDataError if it is missing, a folder, or larger than LARGEST_CARD_FILE.
    """
    if not path.exists():
        raise CardDataError(phrase("There is no file {file}.", file=path))
    if not path.is_file():
        raise CardDataError(phrase("{file} is neither a file nor a folder.", file=path))
    if path.stat().st_size > LARGEST_CARD_FILE:
        raise CardDataError(
            phrase(
                "{file} has more than {most} MB, which is too large for a card list.",
                file=path.name,
                most=LARGEST_CARD_FILE >> 20,
            )
        )
    return path.read_bytes()


def _is_html(data: bytes) -> bool:
    """Return True if the first sign of a file is "<", as in an HTML page. Blanks before it are ignored."""
    return data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _read_folder(folder: Path, name: str, game: str) -> CardList:
    """Return the cards of the files in a folder, without its subfolders and archives. `name` is its name in messages.

    Raises NoCards if there are none. If there is a subfolder or archive then, it is a CardDataError with its name
    instead. Raises CardDataError for a bad file.
    """
    try:
        return _read_files(saved.read_folder_files(folder), name, game)
    except NoCards as error:
        if (closed := next(saved.find_unread_containers(folder), None)) is None:
            raise
        raise CardDataError(
            phrase(
                "{problem} Archives and folders in it are not looked into: import {file} by itself.",
                problem=error_text(error),
                file=closed,
            )
        ) from None


def _read_files(files: Iterable[File], name: str, game: str) -> CardList:
    """Return the cards of several files merged, with their notices and days. Raises CardDataError for a bad file.

    A file that is neither a page nor a community file is left out with a notice. `name` is that of all files together.
    """
    pages: list[CardPage] = []
    notices: list[str] = []
    days: list[DataDay] = []
    for file in files:
        if page := _read_checked_page(file, game):
            pages.append(page)
            days += _find_days(file)
        else:
            notices.append(phrase("{file} is no page and is left out.", file=file.name))
    cards = _make_card_list(pages, name, game)
    return cards._replace(notices=(*notices, *_merge_notices(cards.notices)), days=tuple(days))


def _find_days(file: File) -> Iterator[DataDay]:
    """Yield at most one day: that in the name of a file or its folders, else the day on which a page was saved.

    The basis of the day is NAME or PAGE. Folders are those in an archive. Raises CardDataError if a page is not UTF-8.
    """
    if day := day_in_name(f"{file.folder}/{file.name}"):
        yield DataDay(day, NAME, f"{file.folder}/{file.name}" if file.folder not in ("", ".") else file.name)
    elif _is_html(file.data) and (day := find_saved_day(_decode_file(file))):
        yield DataDay(day, PAGE, file.name)


def _merge_notices(notices: Iterable[str]) -> Iterator[str]:
    """Yield each notice once, with the first file that has it and the number of other files: `a.html and 2 more: text`.

    Each PlacedText of an equal text is merged. Other notices are unchanged.
    """
    places: dict[str, list[str]] = {}
    for notice in notices:
        if isinstance(notice, PlacedText):
            places.setdefault(notice.text, []).append(notice.place)
        else:
            yield notice
    for text, (first, *others) in places.items():
        place = phrase("{place} and {count} more", place=first, count=len(others)) if others else first
        yield PlacedText(place, text)


def _make_card_list(pages: Sequence[CardPage], name: str, game: str) -> CardList:
    """Merge the printings of pages into a card list named `name`. Raises NoCards if there are none.

    Raises CardDataError for contradictory printings, see `printings.merge_by_card`.
    """
    all_printings = [printing for page in pages for printing in page.printings]
    notices = [notice for page in pages for notice in page.notices]
    if not all_printings:
        if not pages:
            raise NoCards(phrase("{file} holds no card-list pages and no cards.", file=name))
        raise NoCards(phrase("{file} holds {count} card-list pages and no cards.", file=name, count=len(pages)))
    return CardList(printings.merge_by_card(game, all_printings), name, tuple(notices))


def _read_checked_page(file: File, game: str) -> CardPage | None:
    """Return the printings of an HTML page or of a community file. None for any other file.

    Raises CardDataError if the file cannot be parsed, is of another game, or is a page and the game has no official
    site. Raises it also for doubts about the page, cards without a name, and types and colours that the game does not
    have.
    """
    page = _parse_page(file, game)
    if page is None:
        return None
    cards = (printing.card for printing in page.printings)
    if doubts := [*page.doubts, *_cards_without_name(page), *find_unknown_words(game, cards)]:
        raise source_problems_error(file.name, doubts)
    return page


def _cards_without_name(page: CardPage) -> Iterator[str]:
    """Yield a sentence with the place in the source for each printing without a name."""
    for printing in page.printings:
        if not printing.card.name:
            yield phrase("{place}: the card has no name.", place=printing.where)


def _parse_page(file: File, game: str) -> CardPage | None:
    """Return the printings of an HTML page or of a community file. Return None for any other file.

    Raises CardDataError if the file cannot be parsed, is of another game, or is a page and the game has no official
    site.
    """
    # Parsers are imported when they are needed.
    if _is_html(file.data):
        from carddb.sources import official_sites

        return official_sites.official_site(game).read_pack(_decode_file(file), file.name, None)
    from carddb.sources import community

    return community.read(file, game)


def _decode_file(file: File) -> str:
    """Return the text of a file without a byte order mark. Raises CardDataError if it is not UTF-8."""
    try:
        return file.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CardDataError(
            phrase("{file} is no UTF-8 text, as the pages of the card list are.", file=file.name)
        ) from None
