"""The library: gives catalogues, loads each once, and keeps the current ones up to date with the database."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from carddb import facts
from carddb.bounds import MOST_NAMED_CATALOGUES
from carddb.catalogue import Catalogue
from carddb.errors import CardDataError, DamagedSnapshot, NoDatabase, NoSnapshot
from validator.games import game_of

if TYPE_CHECKING:
    from carddb.snapshot_store import Store

CURRENT_FOR = 1.0  # seconds for which a catalogue is used without checking the database
AGAIN_AFTER = 10.0  # seconds until a database that failed is tried again

_log = logging.getLogger(__name__)


def _start_thread(task: Callable[[], None]) -> None:
    threading.Thread(target=task, name="library", daemon=True).start()


class Library:
    """The catalogues of a database: the current one of each game, and those of named snapshots.

    Before the first import of a game, its catalogue has the facts that ship with deckproof. Imported or synced cards
    replace them, even if they are older, because a user chose them. Safe to share between threads, and may be made
    before a process forks. Newer snapshots are looked up and loaded by `beside`, in a thread of its own by default.
    Meanwhile the caller gets the old catalogue, so that a slow database keeps no caller waiting.
    """

    def __init__(
        self,
        database_url: str,
        clock: Callable[[], float] = time.monotonic,
        beside: Callable[[Callable[[], None]], None] = _start_thread,
    ) -> None:
        self._url = database_url
        self._clock = clock
        self._beside = beside
        self._lock = threading.Lock()
        self._shelves: dict[str, _Shelf] = {}
        self._cache: OrderedDict[str, Catalogue] = OrderedDict()
        self._store: Store | None = None

    def catalogue(self, game: str, snapshot: str | None = None) -> Catalogue:
        """Return the current catalogue of a game, or the catalogue of a snapshot.

        Raises NoSnapshot if the game has no such snapshot. Raises another CardDataError if the database fails and no
        older catalogue is loaded.
        """
        shelf = self._shelves.get(game) or self._shelves.setdefault(game_of(game).id, self._shelf(game))
        if snapshot is None:
            return shelf.catalogue()
        return shelf.if_snapshot(snapshot) or self._named_catalogue(game, snapshot)

    def loaded_snapshots(self) -> dict[str, str]:
        """Return the ids of the snapshots of the loaded current catalogues, by game."""
        return {game: shelf.loaded.snapshot for game, shelf in self._shelves.items() if shelf.loaded}

    def pin(self, snapshots: Mapping[str, str]) -> None:
        """Make these snapshots (by game) the current ones for good.

        The database is not checked for newer ones again.
        """
        for game, snapshot in snapshots.items():
            self._shelves.setdefault(game, self._shelf(game)).pin(snapshot)

    def store(self) -> Store:
        """Return the store of the library. SQLAlchemy is imported when the store is first needed."""
        if self._store is None:
            from carddb.snapshot_store import Store

            self._store = Store(self._url)
        return self._store

    def current(self, game: str) -> str:
        """Return the id of a game's current snapshot in the database."""
        return self.current_of_day(game)[0]

    def current_of_day(self, game: str) -> tuple[str, date | None]:
        """Return the id of a game's current snapshot in the database, and the day on which its cards were collected."""
        try:
            snapshot = None if _is_absent(self._url) else self.store().current(game)
        except NoDatabase:
            snapshot = None
        if snapshot:
            return snapshot.id, snapshot.as_of
        origin = facts.provenance(game)
        return facts.snapshot(game), origin.day if origin else None

    def load(self, game: str, snapshot: str) -> Catalogue:
        """Load the catalogue of a snapshot from the database. Raises NoSnapshot or DamagedSnapshot."""
        if snapshot == facts.snapshot(game):
            return facts.catalogue(game)
        stored = None if _is_absent(self._url) else self.store().snapshot(snapshot)
        if stored is None or stored.game != game:
            raise NoSnapshot(f"There is no snapshot {snapshot[:80]!r} of {game}.")
        return Catalogue(game, snapshot, self.store().cards(snapshot), stored.as_of, stored.created.date())

    def load_last_good(self, game: str) -> Catalogue:
        """Load the newest snapshot that is not damaged.

        If all are damaged, return the facts that ship with deckproof.
        """
        for stored, cards in self.store().good_snapshots(game):
            return Catalogue(game, stored.id, cards, stored.as_of, stored.created.date())
        return facts.catalogue(game)

    def damaged(self) -> dict[str, str]:
        """Return the ids of damaged current snapshots by game. Other catalogues are used instead of them."""
        return {game: shelf.damaged for game, shelf in self._shelves.items() if shelf.damaged}

    def _shelf(self, game: str) -> _Shelf:
        return _Shelf(self, game, self._clock, self._beside)

    def _named_catalogue(self, game: str, snapshot: str) -> Catalogue:
        """Return the catalogue of a named snapshot, from the cache if possible.

        The cache keeps the latest used ones.
        """
        with self._lock:
            catalogue = self._cache.pop(snapshot, None)
            if catalogue is None or catalogue.game != game:
                catalogue = self.load(game, snapshot)
            self._cache[snapshot] = catalogue
            while len(self._cache) > MOST_NAMED_CATALOGUES:
                self._cache.popitem(last=False)
        return catalogue


class _Shelf:
    """The current catalogue of one game, and the time until which it is used without checking the database."""

    def __init__(
        self,
        library: Library,
        game: str,
        clock: Callable[[], float],
        beside: Callable[[Callable[[], None]], None],
    ) -> None:
        self._library = library
        self._game = game
        self._clock = clock
        self._beside = beside
        self._lock = threading.Lock()
        self._catalogue: Catalogue | None = None
        self._until = 0.0
        self._damaged: str | None = None

    @property
    def damaged(self) -> str | None:
        """The id of the current snapshot if that is damaged, else None."""
        return self._damaged

    @property
    def loaded(self) -> Catalogue | None:
        """The loaded catalogue, None if none is loaded."""
        return self._catalogue

    def pin(self, snapshot: str) -> None:
        """Make a snapshot the current one for good.

        If it cannot be loaded, the error is raised and the old one stays.
        """
        self._until = math.inf
        if self.if_snapshot(snapshot) is None:
            self._catalogue = self._library.load(self._game, snapshot)

    def if_snapshot(self, snapshot: str) -> Catalogue | None:
        """Return the loaded catalogue if it is that of this snapshot, else None."""
        catalogue = self._catalogue
        return catalogue if catalogue and catalogue.snapshot == snapshot else None

    def catalogue(self) -> Catalogue:
        """Return the current catalogue. Calls wait only until the first catalogue is loaded."""
        if self._catalogue is None:
            with self._lock:
                return self._catalogue or self._update()
        if self._clock() >= self._until and self._lock.acquire(blocking=False):
            self._beside(self._update_and_unlock)
        return self._catalogue

    def _update_and_unlock(self) -> None:
        """Update the catalogue, and release the lock, which the caller has acquired."""
        try:
            self._update()
        finally:
            self._lock.release()

    def _update(self) -> Catalogue:
        """Check the database for the current snapshot, load it if it is new, and return the catalogue to use.

        If the database fails, the loaded catalogue is used. Raises CardDataError if none is loaded.
        """
        catalogue = self._catalogue
        seconds = CURRENT_FOR
        try:
            current, as_of = self._library.current_of_day(self._game)
            if self._damaged != current:
                self._damaged = None
            if catalogue and catalogue.snapshot != current == facts.snapshot(self._game):
                raise NoDatabase("The database that it is from is gone.")
            if catalogue is None or (catalogue.snapshot, catalogue.as_of) != (current, as_of):
                catalogue, seconds = self._load_or_replace(current)
        except CardDataError as error:
            if catalogue is None:
                raise
            seconds = AGAIN_AFTER
            _log.warning("%s is judged by snapshot %s as before: %s", self._game, catalogue.snapshot, error)
        self._catalogue = catalogue
        self._until = self._clock() + seconds
        return catalogue

    def _load_or_replace(self, current: str) -> tuple[Catalogue, float]:
        """Return a catalogue and the seconds for which it is current. It is another one if the snapshot is damaged."""
        try:
            catalogue = self._library.load(self._game, current)
        except DamagedSnapshot as error:
            catalogue = self._catalogue or self._library.load_last_good(self._game)
            if self._damaged is None:
                _log.warning("%s is judged by snapshot %s: %s", self._game, catalogue.snapshot, error)
            self._damaged = current
            return catalogue, AGAIN_AFTER
        self._damaged = None
        return catalogue, CURRENT_FOR


def _is_absent(url: str) -> bool:
    """Return True if the URL is that of a missing SQLite file, and no URI. SQLAlchemy is not imported for it."""
    path = url.partition("?")[0].removeprefix("sqlite:///")
    return url.startswith("sqlite:///") and not path.startswith("file:") and not Path(path).exists()
