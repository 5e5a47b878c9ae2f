"""Sync: the whole official card list of a game, fetched politely, kept as a snapshot if it is sane.

A sync that breaks off, however it does, has changed nothing but its page cache: the next one goes on
from there. The snapshot is made in one transaction, after the last page. Proposed changes are the differences between
an official page and the limits list that ships, as tables for the file of the list. Nothing here edits that file.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from carddb import construction, corrections
from carddb.bounds import MOST_PACKS
from carddb.corrections import settled
from carddb.data_day import FETCHED, DataDay
from carddb.errors import CardDataError
from carddb.snapshot_store import Store
from carddb.sources import printings
from carddb.sources.official_sites import Site, of
from carddb.sources.pages import CardPage
from carddb.sources.restrictions import OfficialPage, Restriction
from carddb.sync import sanity
from carddb.sync.diff import diff
from carddb.sync.fetching import Fetcher, FetchPolicy
from carddb.sync.log import Outcome, SyncLog
from carddb.sync.pagecache import PageCache
from validator import limits
from validator.cards import Card
from validator.findings import ListEntry
from validator.limits import LimitsList


class _Dating(NamedTuple):
    """Since when a change holds: the day, how the file writes it, and the page's words for it."""

    day: date
    written: str
    stated: str = ""


class _ChangeLine(NamedTuple):
    """One entry of a change: the file's word for it, and its cards by number."""

    word: str
    cards: tuple[tuple[str, str], ...]
    limit: int = 0


@dataclass(frozen=True, slots=True)
class ProposedChanges:
    """The changes by which a list would say what a page says, and remarks on what no change can say.

    False when page and list agree.
    """

    source: str
    region: str
    on: date
    known_to: date | None
    updated: date | None
    changes: dict[_Dating, list[_ChangeLine]] = field(default_factory=lambda: defaultdict(list))
    remarks: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.changes or self.remarks)

    def toml(self) -> str:
        """Return the changes as the list's file takes them, the oldest first, under the remarks as comments."""
        head = [f"# The limits list and {self.source}, read on {self.on}, differ."]
        head += [f"# {remark}" for remark in self.remarks]
        if self.changes:
            head.append(f"# Sort these changes into the file by day, and write known_to = {self.updated or self.on}")
        blocks = ["\n".join(self._block(dating)) for dating in sorted(self.changes)]
        return "\n\n".join(["\n".join(head), *blocks]) + "\n"

    def _block(self, dating: _Dating) -> Iterator[str]:
        yield "[[change]]"
        yield dating.written
        # What a page of this day has, and a list known to an earlier one has not, came with the page's update.
        if self.updated and self.known_to and self.known_to < self.updated <= dating.day:
            yield f"announced = {self.updated}"
        if dating.stated:
            yield f"stated = {_toml_string(dating.stated)}"
        yield f"region = {_toml_string(self.region)}"
        yield f"source = {_toml_string(self.source)}"
        yield from _toml_tables(sorted(self.changes[dating]))


def proposed_changes(official: OfficialPage, ours: LimitsList, on: date) -> ProposedChanges:
    """Compare a page with the list as it is in force on a day; what the page has for later, on that later day."""
    proposed = ProposedChanges(official.source, official.region, on, ours.known_to, official.updated)
    proposed.remarks.extend(official.notices)
    for entry in official.entries:
        _compare(entry, ours, proposed)
    listed = {entry.numbers for entry in official.entries}
    for numbers, standing in ours.on(on, official.region).entries.items():
        end = official.ended.get(numbers)
        if numbers not in listed or (end and end > on):
            lift = _ChangeLine(_toml_table("lift", numbers), _cards(numbers, standing.names))
            proposed.changes[_end_day(end, proposed)].append(lift)
    return proposed


def _compare(entry: Restriction, ours: LimitsList, proposed: ProposedChanges) -> None:
    day = max(proposed.on, entry.effective_from or proposed.on)
    standing = ours.on(day, proposed.region).entries.get(entry.numbers)
    if standing is None or standing.limit != entry.limit:
        word = "restrict" if entry.limit else _toml_table("ban", entry.numbers)
        # The file calls a card the same from change to change.
        cards = _cards(entry.numbers, standing.names if standing else entry.names)
        proposed.changes[_first_day(entry, proposed)].append(_ChangeLine(word, cards, entry.limit))
    elif entry.effective_from and standing.entry.effective_from != entry.effective_from.isoformat():
        card, since = " and ".join(entry.numbers), _since(standing.entry)
        proposed.remarks.append(f"{card}: the list has it from {since}, the page from {entry.effective_from}.")


def _since(entry: ListEntry) -> str:
    return entry.effective_from or f"a day between {entry.not_before} and {entry.no_later_than}"


def _first_day(entry: Restriction, proposed: ProposedChanges) -> _Dating:
    if entry.effective_from:
        return _Dating(entry.effective_from, f"effective_from = {entry.effective_from}", entry.stated)
    # What came with the page's update cannot hold before it; whether it holds when the page is read, its words tell.
    first = min(proposed.updated or proposed.known_to or proposed.on, proposed.on)
    written = (
        f"not_before = {first}  # to be checked: the page does not say since when\n"
        f"no_later_than = {proposed.on}\n"
        f'bounds = "Not on the list known to {proposed.known_to}; on the page read on {proposed.on}."'
    )
    return _Dating(proposed.on, written, entry.stated)


def _end_day(end: date | None, proposed: ProposedChanges) -> _Dating:
    if end:
        return _Dating(end, f"effective_from = {end}")
    # The file has no lift without its first day; on this one the card is certainly free.
    return _Dating(proposed.on, f"effective_from = {proposed.on}  # to be checked: the page does not say since when")


def _toml_table(word: str, numbers: Sequence[str]) -> str:
    return f"{word}_pairs" if len(numbers) == 2 else word


def _cards(numbers: Iterable[str], names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple(zip(numbers, names, strict=True))


def _toml_tables(steps: Iterable[_ChangeLine]) -> Iterator[str]:
    """Yield the entries of a change as its lines; pairs of a kind are one list."""
    pairs: dict[str, list[str]] = {}
    for step in steps:
        if len(step.cards) == 2:
            cards = ", ".join(f"{number} = {_toml_string(name)}" for number, name in step.cards)
            pairs.setdefault(step.word, []).append(f"{{{cards}}}")
            continue
        number, name = step.cards[0]
        value = f"{{limit = {step.limit}, name = {_toml_string(name)}}}" if step.limit else _toml_string(name)
        yield f"{step.word}.{number} = {value}"
    for word, written in pairs.items():
        yield f"{word} = [{', '.join(written)}]"


def _toml_string(text: str) -> str:
    return json.dumps(text.replace("\x7f", ""), ensure_ascii=False)


class Step(NamedTuple):
    """A page was read: how many of how many, of which pack, and whether this run had it already."""

    done: int
    total: int
    pack: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Access:
    """How to get at a site: the folder of the page caches, an address if not the official one, the policy."""

    folder: Path
    address: str = ""
    policy: FetchPolicy = field(default_factory=FetchPolicy)

    def cache(self, game: str) -> PageCache:
        """Open the page cache of a game; only one program at a time has it."""
        return PageCache(self.folder / f"pages-{game}.db")


def sync(
    game: str,
    store: Store,
    access: Access,
    progress: Callable[[Step], None] = lambda _: None,
    dry_run: bool = False,
) -> Outcome:
    """Fetch a game's whole list and make it the current snapshot, or keep it aside if it looks wrong.

    A CardDataError says what stopped the sync; the same call goes on where it stopped. What came of it is
    kept in the database. A dry run changes nothing but the page cache, and a sync after it fetches nothing
    again.
    """
    site = of(game)
    if dry_run:
        return _run_sync(site, store, access, progress, dry_run)
    return SyncLog(store.database).recorded(game, lambda: _run_sync(site, store, access, progress))


def sync_if_due(game: str, store: Store, access: Access, at: time) -> Outcome | None:
    """Sync a game if that is due which is to be made every night at a time of day, in UTC; else return None."""
    return SyncLog(store.database).recorded_if_due(game, at, lambda: _run_sync(of(game), store, access, lambda _: None))


def _run_sync(
    site: Site, store: Store, access: Access, progress: Callable[[Step], None], dry_run: bool = False
) -> Outcome:
    game = site.game
    with access.cache(game) as cache, Fetcher(access.address or site.address, cache, access.policy) as fetcher:
        pages = _fetch_pages(site, fetcher, progress)
        every = (printing for page in pages.values() for printing in page.printings)
        once, differences = printings.each_printing_once(every)
        listed = list(map(construction.read, printings.one_each(game, once)))
        cards = settled(listed)
        before = store.current_cards(game)
        doubts = (*sanity.doubts(game, cards, before), *(doubt for page in pages.values() for doubt in page.doubts))
        snapshot = None
        if not dry_run:
            source = f"{fetcher.site}{site.menu}, {len(pages)} packs"
            fetched = DataDay(cache.begun.astimezone(UTC).date(), FETCHED)
            snapshot = store.import_cards(game, listed, source, doubts=doubts, data_day=fetched)
            cache.finish()
    notices = (*_find_notices(pages), *differences, *_find_new_sets(game, cards), *corrections.remarks(game, listed))
    warnings = tuple(sanity.warnings(game, cards))
    return Outcome(len(cards), len(pages), diff(before, cards), notices, doubts, warnings, snapshot)


def compare_limits(game: str, access: Access, now: datetime | None = None) -> ProposedChanges:
    """Compare a game's limits list with the official page; nothing is changed.

    The page is asked for even if a sync that broke off has it.
    """
    site = of(game, limits=True)
    on = (now or datetime.now(UTC)).date()
    # The list cites the official page, wherever it was read.
    source = site.address + site.limits
    with access.cache(game) as cache, Fetcher(access.address or site.address, cache, access.policy) as fetcher:
        official, _ = fetcher.page(site.limits, lambda html, _: site.read_limits(html, source, on), fresh=True)
    return proposed_changes(official, limits.load(game), on)


def _fetch_pages(site: Site, fetcher: Fetcher, progress: Callable[[Step], None]) -> dict[str, CardPage]:
    """Fetch the menu, and return every pack's page by the pack's id."""
    packs, _ = fetcher.page(site.menu, site.read_menu)
    if len(packs) > MOST_PACKS:
        raise CardDataError(f"{fetcher.site} lists {len(packs)} packs; no game has more than {MOST_PACKS}.")
    pages = {}
    for pack, label in packs.items():
        pages[pack], kept = fetcher.page(site.pack.format(quote(pack, safe="")), site.reader(pack))
        progress(Step(len(pages), len(packs), label, kept))
    return pages


def _find_notices(pages: Mapping[str, CardPage]) -> Iterator[str]:
    """Yield what is to be said of the pages; also of packs that show the same cards, as if no pack were asked for."""
    first: dict[tuple[str, ...], str] = {}
    for pack, page in pages.items():
        yield from page.notices
        known = first.setdefault(tuple(each.printing for each in page.printings), pack)
        if page.printings and known != pack:
            yield f"The pages of the packs {known} and {pack} show the same cards."


def _find_new_sets(game: str, cards: Iterable[Card]) -> Iterable[str]:
    known = limits.sets(game).by_code
    new = dict.fromkeys(card.set for card in cards if card.set and card.set not in known and card.set != "P")
    if known and new:
        yield f"Not in the list of sets, so that their cards have no release and no block: {', '.join(new)}."
