"""The library: a catalogue for the asking, loaded once and kept up to date with the database."""

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

CURRENT_FOR = 1.0  # seconds for which a catalogue is taken to be the current one without asking
AGAIN_AFTER = 10.0  # seconds until a database that failed is asked again

_log = logging.getLogger(__name__)


def _in_a_thread(look: Callable[[], None]) -> None:
    threading.Thread(target=look, name="library", daemon=True).start()


class Library:
    """The catalogues of a database: of the current snapshots, or of one that is named.

    Before the first import of a game the facts that ship are its catalogue; what was imported or synced goes before
    them, older or not, because somebody chose it. Safe to share between threads; it may be made before a process
    forks. Whether there is a newer snapshot is looked up, and that one loaded, `beside` whoever asks, who goes on
    with the old one: a database that is slow keeps nobody waiting.
    """

    def __init__(
        self,
        database_url: str,
        clock: Callable[[], float] = time.monotonic,
        beside: Callable[[Callable[[], None]], None] = _in_a_thread,
    ) -> None:
        self._url = database_url
        self._clock = clock
        self._beside = beside
        self._lock = threading.Lock()
        self._shelves: dict[str, _Shelf] = {}
        self._named: OrderedDict[str, Catalogue] = OrderedDict()
        self._store: Store | None = None

    def catalogue(self, game: str, snapshot: str | None = None) -> Catalogue:
        """Return the catalogue of a game: the current one, or that of a snapshot.

        NoSnapshot if the game has none of that id; another CardDataError if the database fails and there
        is no older catalogue to go on with.
        """
        shelf = self._shelves.get(game) or self._shelves.setdefault(game_of(game).id, self._shelf(game))
        if snapshot is None:
            return shelf.catalogue()
        return shelf.of(snapshot) or self._of(game, snapshot)

    def held(self) -> dict[str, str]:
        """Return the ids of the snapshots that are given as the current ones now, by game."""
        return {game: shelf.held.snapshot for game, shelf in self._shelves.items() if shelf.held}

    def pin(self, snapshots: Mapping[str, str]) -> None:
        """Give these snapshots as the current ones, and ask the database no more whether they are."""
        for game, snapshot in snapshots.items():
            self._shelves.setdefault(game, self._shelf(game)).pin(snapshot)

    def store(self) -> Store:
        """Return the store behind the library; SQLAlchemy is imported when it is first asked for."""
        if self._store is None:
            from carddb.snapshot_store import Store

            self._store = Store(self._url)
        return self._store

    def current(self, game: str) -> str:
        """Return the id of the snapshot that is a game's current one in the database now."""
        return self.current_of_day(game)[0]

    def current_of_day(self, game: str) -> tuple[str, date | None]:
        """Return the id of a game's current snapshot in the database now, and the day of which its cards are."""
        try:
            snapshot = None if _is_absent(self._url) else self.store().current(game)
        except NoDatabase:
            snapshot = None
        if snapshot:
            return snapshot.id, snapshot.as_of
        known = facts.provenance(game)
        return facts.snapshot(game), known.day if known else None

    def load(self, game: str, snapshot: str) -> Catalogue:
        """Return the catalogue of a snapshot, loaded from the database. Raises NoSnapshot or DamagedSnapshot."""
        if snapshot == facts.snapshot(game):
            return facts.catalogue(game)
        kept = None if _is_absent(self._url) else self.store().snapshot(snapshot)
        if kept is None or kept.game != game:
            raise NoSnapshot(f"There is no snapshot {snapshot[:80]!r} of {game}.")
        return Catalogue(game, snapshot, self.store().cards(snapshot), kept.as_of, kept.created.date())

    def load_last_good(self, game: str) -> Catalogue:
        """Return the catalogue of the newest snapshot that is not damaged, that of the facts that ship if all are."""
        for kept, cards in self.store().good_snapshots(game):
            return Catalogue(game, kept.id, cards, kept.as_of, kept.created.date())
        return facts.catalogue(game)

    def damaged(self) -> dict[str, str]:
        """Return the ids of damaged snapshots by game; other catalogues are given in place of them."""
        return {game: shelf.damaged for game, shelf in self._shelves.items() if shelf.damaged}

    def _shelf(self, game: str) -> _Shelf:
        return _Shelf(self, game, self._clock, self._beside)

    def _of(self, game: str, snapshot: str) -> Catalogue:
        with self._lock:
            catalogue = self._named.pop(snapshot, None)
            if catalogue is None or catalogue.game != game:
                catalogue = self.load(game, snapshot)
            self._named[snapshot] = catalogue
            while len(self._named) > MOST_NAMED_CATALOGUES:
                self._named.popitem(last=False)
        return catalogue


class _Shelf:
    """The current catalogue of one game, and until when it need not be asked whether it still is."""

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
    def held(self) -> Catalogue | None:
        """The catalogue as it is, if one is loaded."""
        return self._catalogue

    def pin(self, snapshot: str) -> None:
        """Give this snapshot for good; where it cannot be had, the one there was."""
        self._until = math.inf
        if self.of(snapshot) is None:
            self._catalogue = self._library.load(self._game, snapshot)

    def of(self, snapshot: str) -> Catalogue | None:
        """Return the catalogue if it is that of this snapshot."""
        catalogue = self._catalogue
        return catalogue if catalogue and catalogue.snapshot == snapshot else None

    def catalogue(self) -> Catalogue:
        """Return the current catalogue; only before the first is loaded, calls wait for it."""
        if self._catalogue is None:
            with self._lock:
                return self._catalogue or self._looked_up()
        if self._clock() >= self._until and self._lock.acquire(blocking=False):
            self._beside(self._look_and_unlock)
        return self._catalogue

    def _look_and_unlock(self) -> None:
        try:
            self._looked_up()
        finally:
            self._lock.release()

    def _looked_up(self) -> Catalogue:
        catalogue = self._catalogue
        good_for = CURRENT_FOR
        try:
            current, as_of = self._library.current_of_day(self._game)
            if self._damaged != current:
                self._damaged = None
            if catalogue and catalogue.snapshot != current == facts.snapshot(self._game):
                raise NoDatabase("The database that it is from is gone.")
            if catalogue is None or (catalogue.snapshot, catalogue.as_of) != (current, as_of):
                catalogue, good_for = self._loaded(current)
        except CardDataError as error:
            if catalogue is None:
                raise
            good_for = AGAIN_AFTER
            _log.warning("%s is judged by snapshot %s as before: %s", self._game, catalogue.snapshot, error)
        self._catalogue = catalogue
        self._until = self._clock() + good_for
        return catalogue

    def _loaded(self, current: str) -> tuple[Catalogue, float]:
        """Return the catalogue to give, and for how many seconds. If the current snapshot is damaged, it is another."""
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
