"""Sync: fetches the whole official card list of a game, and stores it as a snapshot if it passes the sanity checks.

An interrupted sync has changed nothing but its page cache, from which the next sync continues. The snapshot is made in
one transaction, after the last page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from carddb import construction, corrections
from carddb.bounds import MOST_PACKS
from carddb.corrections import correct_cards
from carddb.data_day import FETCHED, DataDay
from carddb.errors import CardDataError
from carddb.snapshot_store import Store
from carddb.sources import printings
from carddb.sources.official_sites import OfficialSite, official_site
from carddb.sources.pages import CardPage
from carddb.sync import sanity
from carddb.sync.diff import compare_cards
from carddb.sync.fetching import Fetcher, FetchPolicy
from carddb.sync.log import SyncLog, SyncOutcome
from carddb.sync.pagecache import PageCache
from carddb.sync.proposed_changes import ProposedChanges, proposed_changes
from validator.cards import Card
from validator.language import phrase
from validator.limits import LimitsList, shipped_lists


class Step(NamedTuple):
    """Progress of a sync after the page of a pack: pages done, pages in total, and the label of that pack.

    The page of the menu is not counted. `kept`: the page was in the cache from an earlier try of the same sync.
    """

    done: int
    total: int
    pack: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Access:
    """The way to reach a site: the folder of page caches, the address ("": the official one), and the fetch policy."""

    folder: Path
    address: str = ""
    policy: FetchPolicy = field(default_factory=FetchPolicy)

    def cache(self, game: str) -> PageCache:
        """Open the page cache of a game, the file `pages-GAME.db`. Raises SyncBusy if another program has it open."""
        return PageCache(self.folder / f"pages-{game}.db")


def sync(
    game: str,
    store: Store,
    access: Access,
    progress: Callable[[Step], None] = lambda _: None,
    dry_run: bool = False,
) -> SyncOutcome:
    """Fetch a game's whole list and make it the current snapshot, or only store it if it looks wrong.

    `access` has the address of the site and the page cache. `progress` is called after each page. Raises CardDataError
    if the sync fails. The same call continues it. The outcome or error is stored in the log of syncs. A dry run changes
    nothing but the page cache, so that a sync after it fetches no page again.
    """
    site = official_site(game)
    if dry_run:
        return _fetch_and_store(site, store, access, progress, dry_run)
    return SyncLog(store.database).run(game, lambda: _fetch_and_store(site, store, access, progress))


def sync_if_due(game: str, store: Store, access: Access, night_time: time) -> SyncOutcome | None:
    """Sync a game and log the outcome if its nightly sync at `night_time` (UTC) is due. Return None if it is not.

    Raises CardDataError if the sync fails, or if it is due and the game has no official site.
    """
    return SyncLog(store.database).run_if_due(
        game, night_time, lambda: _fetch_and_store(official_site(game), store, access, lambda _: None)
    )


def _fetch_and_store(
    site: OfficialSite, store: Store, access: Access, progress: Callable[[Step], None], dry_run: bool = False
) -> SyncOutcome:
    """Fetch a card list, store it as a snapshot, and return the outcome. `progress` is called after each page.

    A list with doubts is stored, but not made current. With `dry_run` nothing is stored but pages in the cache. Raises
    CardDataError if a page cannot be fetched or parsed, or if the cards contradict each other.
    """
    game = site.game
    with access.cache(game) as cache, Fetcher(access.address or site.address, cache, access.policy) as fetcher:
        pages = _fetch_pages(site, fetcher, progress)
        all_printings = (printing for page in pages.values() for printing in page.printings)
        once, differences = printings.drop_repeated_printings(all_printings)
        listed = list(map(construction.read, printings.merge_by_card(game, once)))
        cards = correct_cards(listed)
        before = store.current_cards(game)
        doubts = (
            *sanity.find_doubts(game, cards, before),
            *(doubt for page in pages.values() for doubt in page.doubts),
        )
        snapshot = None
        if not dry_run:
            source = f"{fetcher.site}{site.menu}, {len(pages)} packs"
            fetched = DataDay(cache.begun.astimezone(UTC).date(), FETCHED)
            snapshot = store.import_cards(game, listed, source, doubts=doubts, data_day=fetched)
            cache.finish()
    notices = (
        *_notices_of_pages(pages),
        *differences,
        *_notices_of_unknown_sets(game, cards),
        *corrections.correction_remarks(game, listed),
    )
    warnings = tuple(sanity.find_fact_warnings(game, cards))
    return SyncOutcome(len(cards), len(pages), compare_cards(before, cards), notices, doubts, warnings, snapshot)


def compare_limits(limits_list: LimitsList, access: Access, moment: datetime | None = None) -> ProposedChanges:
    """Compare the limits list of a game with the official page, and return the proposed changes.

    The list is not changed. The page is fetched again even if the cache of an interrupted sync has it. `moment` is the
    time of the comparison, None for now. Raises CardDataError if the page cannot be fetched or parsed, or if the game
    has no official site.
    """
    game = limits_list.game
    site = official_site(game, limits=True)
    day = (moment or datetime.now(UTC)).date()
    # The list cites the official page, wherever it was read.
    source = site.address + site.limits
    with access.cache(game) as cache, Fetcher(access.address or site.address, cache, access.policy) as fetcher:
        official, _ = fetcher.page(site.limits, lambda html, _: site.read_limits(html, source, day), fresh=True)
    return proposed_changes(official, limits_list, day)


def _fetch_pages(site: OfficialSite, fetcher: Fetcher, progress: Callable[[Step], None]) -> dict[str, CardPage]:
    """Fetch the menu and the page of every pack. Return the pages by the pack's id, in the order of the menu.

    `progress` is called after each page. Raises CardDataError for more than MOST_PACKS packs, or if a page fails.
    """
    packs, _ = fetcher.page(site.menu, site.read_menu)
    if len(packs) > MOST_PACKS:
        raise CardDataError(
            phrase(
                "{site} lists {count} packs; no game has more than {most}.",
                site=fetcher.site,
                count=len(packs),
                most=MOST_PACKS,
            )
        )
    pages = {}
    for pack, label in packs.items():
        pages[pack], kept = fetcher.page(site.pack.format(quote(pack, safe="")), site.reader(pack))
        progress(Step(len(pages), len(packs), label, kept))
    return pages


def _notices_of_pages(pages: Mapping[str, CardPage]) -> Iterator[str]:
    """Yield the notices of the pages, and one for each pack that shows the same cards as an earlier pack.

    `pages` has the pages by the pack's id.
    """
    first: dict[tuple[str, ...], str] = {}
    for pack, page in pages.items():
        yield from page.notices
        known = first.setdefault(tuple(each.printing for each in page.printings), pack)
        if page.printings and known != pack:
            yield phrase("The pages of the packs {first} and {second} show the same cards.", first=known, second=pack)


def _notices_of_unknown_sets(game: str, cards: Iterable[Card]) -> Iterable[str]:
    """Yield one notice if cards belong to sets that the list of sets does not have. Promos ("P") are ignored.

    No notice if the game has no list of sets.
    """
    known = shipped_lists(game).sets.by_code
    new = dict.fromkeys(card.set for card in cards if card.set and card.set not in known and card.set != "P")
    if known and new:
        yield phrase(
            "Not in the list of sets, so that their cards have no release and no block: {sets}.", sets=", ".join(new)
        )
