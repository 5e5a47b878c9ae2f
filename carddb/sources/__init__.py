"""Sources: where cards come from, one module each; what a path holds is recognised by its content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from carddb.bounds import LARGEST_CARD_FILE
from carddb.data_day import NAME, PAGE, DataDay, day_in_name
from carddb.errors import CardDataError, NoCards, problems_in
from carddb.sources import printings, saved
from carddb.sources.pages import saved_date
from carddb.sources.printed_facts import strangers
from carddb.sources.printings import CardList
from carddb.sources.saved import File
from validator.games import game_of

if TYPE_CHECKING:
    from carddb.sources.pages import CardPage


def read(path: Path, game: str) -> CardList:
    """Return the cards in a spreadsheet, a saved card-list page, a community file, or a folder or .tar.gz of them.

    A CardDataError says what is wrong with it, and where. In a folder or archive, files that are neither
    pages nor card data are left out with a notice; one that cannot be read, or that shows no cards,
    refuses all.
    """
    game_of(game)
    try:
        cards = _folder(_packs_in(path), path.name, game) if path.is_dir() else _file(_bytes(path), path, game)
    except OSError as error:
        raise CardDataError(f"{path} cannot be read: {error.strerror or error}.") from None
    day = day_in_name(path.name)
    return cards._replace(days=(DataDay(day, NAME, path.name),)) if day else cards


def _file(data: bytes, path: Path, game: str) -> CardList:
    if data.startswith(saved.GZIP):
        return _several(saved.in_tar(data, path.name), path.name, game)
    if page := _card_data(file := File(path.name, data), game):
        return _card_list([page], path.name, game)._replace(days=tuple(_days(file)))
    if data.lstrip()[:1] in (b"[", b"{"):
        raise CardDataError(f"{path.name} is JSON of no form that is known: punk-records and kentan88/dbscg-api are.")
    from carddb.sources import card_tables

    return card_tables.read(data, path.name, game)


def _packs_in(folder: Path) -> Path:
    """Return where the packs of a copy of punk-records are, any other folder as it is."""
    packs = folder / "data"
    return packs if (folder / "manifest.json").is_file() and packs.is_dir() else folder


def _bytes(path: Path) -> bytes:
    if not path.exists():
        raise CardDataError(f"There is no file {path}.")
    if not path.is_file():
        raise CardDataError(f"{path} is neither a file nor a folder.")
    if path.stat().st_size > LARGEST_CARD_FILE:
        raise CardDataError(f"{path.name} has more than {LARGEST_CARD_FILE >> 20} MB; no card list is so large.")
    return path.read_bytes()


def _is_page(data: bytes) -> bool:
    return data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _folder(folder: Path, name: str, game: str) -> CardList:
    try:
        return _several(saved.in_folder(folder), name, game)
    except NoCards as error:
        if (closed := next(saved.closed(folder), None)) is None:
            raise
        hint = f"Archives and folders in it are not looked into: import {closed} by itself."
        raise CardDataError(f"{error} {hint}") from None


def _several(files: Iterable[File], name: str, game: str) -> CardList:
    pages: list[CardPage] = []
    notices: list[str] = []
    days: list[DataDay] = []
    for file in files:
        if page := _card_data(file, game):
            pages.append(page)
            days += _days(file)
        else:
            notices.append(f"{file.name} is no page and is left out.")
    cards = _card_list(pages, name, game)
    return cards._replace(notices=(*notices, *_together(cards.notices)), days=tuple(days))


def _days(file: File) -> Iterator[DataDay]:
    """Yield the day in the name of a file or of its folders in an archive, else the day that the page itself has."""
    if day := day_in_name(f"{file.folder}/{file.name}"):
        yield DataDay(day, NAME, f"{file.folder}/{file.name}" if file.folder not in ("", ".") else file.name)
    elif _is_page(file.data) and (day := saved_date(_text(file))):
        yield DataDay(day, PAGE, file.name)


def _together(notices: Iterable[str]) -> Iterator[str]:
    """Yield once what is said of several files, with the first of them and how many more."""
    places: dict[str, list[str]] = {}
    for notice in notices:
        where, _, what = notice.partition(": ")
        places.setdefault(what, []).append(where)
    for what, (first, *others) in places.items():
        yield f"{first}{f' and {len(others)} more' if others else ''}: {what}"


def _card_list(pages: Sequence[CardPage], name: str, game: str) -> CardList:
    every = [printing for page in pages for printing in page.printings]
    notices = [notice for page in pages for notice in page.notices]
    if not every:
        raise NoCards(f"{name} holds {len(pages) or 'no'} card-list pages and no cards.")
    return CardList(printings.one_each(game, every), name, tuple(notices))


def _card_data(file: File, game: str) -> CardPage | None:
    """Return the cards of a page or of a community file; None if the file is neither."""
    page = _page(file, game)
    doubts = [*page.doubts, *_nameless(page), *strangers(game, (each.card for each in page.printings))] if page else []
    if doubts:
        raise problems_in(file.name, doubts)
    return page


def _nameless(page: CardPage) -> Iterator[str]:
    for each in page.printings:
        if not each.card.name:
            yield f"{each.where}: the card has no name."


def _page(file: File, game: str) -> CardPage | None:
    # Parsers are imported when they are needed.
    if _is_page(file.data):
        from carddb.sources import official_sites

        return official_sites.of(game).read_pack(_text(file), file.name, None)
    from carddb.sources import community

    return community.read(file, game)


def _text(file: File) -> str:
    try:
        return file.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CardDataError(f"{file.name} is no UTF-8 text, as the pages of the card list are.") from None
