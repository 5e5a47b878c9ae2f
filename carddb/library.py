"""The library: gives catalogues and official lists, loads each once, and keeps them up to date with the database."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from carddb import facts
from carddb.bounds import MOST_NAMED_CATALOGUES
from carddb.catalogue import Catalogue
from carddb.corrections import Corrections, correct_cards
from carddb.errors import CardDataError, DamagedSnapshot, InvalidLists, NoDatabase, NoSnapshot
from carddb.list_files import CORRECTIONS, ListFolder, add_files, added_corrections
from validator import limits
from validator.arguments import check_type
from validator.errors import error_text
from validator.games import GAMES, game_of
from validator.language import phrase
from validator.limits import GameLists

if TYPE_CHECKING:
    from carddb.list_store import ListStore
    from carddb.snapshot_store import Store

CURRENT_FOR = 1.0  # seconds for which a catalogue is used without checking the database
AGAIN_AFTER = 10.0  # seconds until a database that failed is tried again
STALE_AFTER = 1.0  # seconds after CURRENT_FOR, from which callers wait for an update, as in a process that was idle
MOST_WAIT = 0.25  # seconds that callers wait for one update

_log = logging.getLogger(__name__)


def _start_thread(task: Callable[[], None]) -> None:
    """Run a task in a daemon thread."""
    threading.Thread(target=task, name="library", daemon=True).start()


class CurrentState(NamedTuple):
    """The ids of a game's current snapshot and lists. If nothing was imported, they are those of the data that ships.

    `snapshot` may be damaged. `as_of` is the day on which its cards were collected, None if unknown. `lists` is the id
    of all lists together: those that ship, the files of the library's folder, and imported ones. `is_imported` is True
    if imported lists are among them. `has_database` is False if the SQLite file is missing or in memory. An empty
    database and PostgreSQL give True.
    """

    snapshot: str
    as_of: date | None
    lists: str
    is_imported: bool
    has_database: bool


class Library:
    """The catalogues and official lists of a database: the current ones of each game, and those of named snapshots.

    Before the first import of a game, its catalogue has the facts that ship with deckproof. Imported or synced cards
    replace them, even if they are older. Imported list files are added to the lists that ship and to those in the
    folder `limits_dir`. Safe to share between threads, and may be made before a process forks. Newer snapshots are
    looked up and loaded by `beside`, by default in a thread. Meanwhile the caller gets the old catalogue and lists.
    Only if the last look-up was long ago, the caller waits a moment for the new ones.
    """

    def __init__(
        self,
        database_url: str,
        clock: Callable[[], float] = time.monotonic,
        beside: Callable[[Callable[[], None]], None] = _start_thread,
        limits_dir: Path | None = None,
    ) -> None:
        """Store the URL, e.g. "sqlite:///cards.db". The database is opened when it is first needed.

        `clock` returns seconds. `beside` starts a function that updates the library beside the caller, by default in a
        thread. `limits_dir` is a folder of list files, None for only the lists that ship. Raises TypeError if the URL
        is no str, and ValueError if it has no ":".
        """
        check_type("database_url", database_url, str, "Write a URL: 'sqlite:///cards.db'")
        if ":" not in database_url:
            raise ValueError(f"database_url is {database_url!r}. Write a URL: 'sqlite:///cards.db'.")
        self._url = database_url
        self._clock = clock
        self._beside = beside
        self._folder = ListFolder(limits_dir)
        self._lock = threading.Lock()
        self._shelves: dict[str, _Shelf] = {}
        self._cache: OrderedDict[str, Catalogue] = OrderedDict()
        self._store: Store | None = None

    def catalogue(self, game: str, snapshot: str | None = None) -> Catalogue:
        """Return the current catalogue of a game, or the catalogue of a snapshot.

        `snapshot` is the id of a snapshot, None for the current one. Corrections of imported list files are applied
        only to the current one. Raises UnknownGame, TypeError if `game` is no str, NoSnapshot if the game has no such
        snapshot, or another CardDataError if the catalogue is not loaded yet and cannot be loaded.
        """
        check_type("game", game, str, f"Write one of {', '.join(map(repr, GAMES))}")
        shelf = self._find_shelf(game)
        if snapshot is None:
            return shelf.catalogue()
        return shelf.find_loaded(snapshot) or self._named_catalogue(game, snapshot)

    def lists(self, game: str) -> GameLists:
        """Return the current official lists of a game.

        Raises UnknownGame for a game that deckproof does not have. Raises CardDataError if no lists are loaded yet and
        the database or the folder of lists cannot be read.
        """
        return self._find_shelf(game).lists()

    def loaded_ids(self) -> dict[str, tuple[str, str]]:
        """Return `(snapshot id, lists id)` of the current catalogue by game, only of games whose catalogue is loaded.

        An update is started if one is due. The caller may wait for it for at most MOST_WAIT seconds for each game.
        """
        return {game: ids for game, shelf in self._shelves.items() if (ids := shelf.loaded_ids)}

    def pin(self, ids: Mapping[str, tuple[str, str]]) -> None:
        """Make these snapshots and lists the current ones for good. `ids` has `(snapshot id, lists id)` by game.

        For these games, the database is not checked for newer ones again. Raises UnknownGame. Raises a CardDataError
        if those of a game cannot be loaded, after the other games. The old ones of this game are updated later.
        """
        errors = []
        for game, (snapshot, lists) in ids.items():
            try:
                self._find_shelf(game).pin(snapshot, lists)
            except CardDataError as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def store(self) -> Store:
        """Return the store of card snapshots, made at the first call. SQLAlchemy is imported at that call."""
        if self._store is None:
            from carddb.snapshot_store import Store

            self._store = Store(self._url)
        return self._store

    def list_store(self) -> ListStore:
        """Return a new store of imported lists in the same database."""
        from carddb.list_store import ListStore

        return ListStore(self.store().database)

    def base_lists(self, game: str) -> GameLists:
        """Return the lists of a game to which imported files are added: those that ship and those of the folder.

        Raises CardDataError if the folder is missing or has an invalid file.
        """
        return self._folder.lists(game)

    def current_ids(self, game: str) -> tuple[str, str]:
        """Return `(snapshot id, lists id)` of a game's current data, as `current_state` reads them from the database.

        If nothing was imported, they are those of the facts that ship and of `base_lists`. Raises CardDataError if the
        database or the folder of lists cannot be read.
        """
        state = self.current_state(game)
        return state.snapshot, state.lists

    def current_state(self, game: str) -> CurrentState:
        """Return the ids and the data day of a game's current snapshot and lists, read from the database.

        If nothing was imported, they are those of the facts and lists that ship. Nothing is cached. Raises
        CardDataError if the database or the folder of lists cannot be read.
        """
        lists = self.base_lists(game).id
        is_absent = _is_absent(self._url)
        try:
            snapshot = None if is_absent else self.store().current(game)
        except NoDatabase:
            snapshot = None
        imported = None if is_absent else self.list_store().current(game)
        if imported:
            has_folder_lists = lists != limits.shipped_lists(game).id
            lists = f"{lists}+{imported.id}" if has_folder_lists else imported.id
        if snapshot:
            return CurrentState(snapshot.id, snapshot.as_of, lists, imported is not None, True)
        origin = facts.provenance(game)
        as_of = origin.day if origin else None
        return CurrentState(facts.snapshot(game), as_of, lists, imported is not None, not is_absent)

    def load_lists(self, game: str, lists_id: str) -> GameLists:
        """Load the lists of a game with an id: those that ship, with the files of the folder and of the database.

        Raises NoSnapshot if no such lists are stored, or if the folder has other files than the id names. Raises
        another CardDataError if a file is damaged or invalid.
        """
        base = self.base_lists(game)
        if lists_id == base.id:
            return base
        base_id, _, snapshot_id = lists_id.rpartition("+")
        if _is_absent(self._url) or base_id not in ("", base.id):
            raise NoSnapshot(
                phrase("There are no lists {id!r} of {game}; check DECKPROOF_LIMITS_DIR.", id=lists_id[:80], game=game)
            )
        files = self.list_store().files(snapshot_id)
        return add_files(base, files, lists_id, ", ".join(file.name for file in files))

    def load(self, game: str, snapshot: str) -> Catalogue:
        """Load the catalogue of a snapshot from the database, or that of the facts that ship. Nothing is cached.

        Only the corrections that ship are applied. Raises NoSnapshot if the game has no such snapshot, and another
        CardDataError, such as DamagedSnapshot, if it cannot be read.
        """
        if snapshot == facts.snapshot(game):
            return facts.catalogue(game)
        stored = None if _is_absent(self._url) else self.store().snapshot(snapshot)
        if stored is None or stored.game != game:
            raise NoSnapshot(phrase("There is no snapshot {id!r} of {game}.", id=snapshot[:80], game=game))
        return Catalogue(game, snapshot, self.store().cards(snapshot), stored.as_of, stored.created.date())

    def load_last_good(self, game: str) -> Catalogue:
        """Load the catalogue of the newest snapshot that has no damage and no doubts.

        If there is none, return the catalogue of the facts that ship with deckproof. Raises CardDataError if the
        database is missing or cannot be read.
        """
        for stored, cards in self.store().good_snapshots(game):
            return Catalogue(game, stored.id, cards, stored.as_of, stored.created.date())
        return facts.catalogue(game)

    def damaged(self) -> dict[str, str]:
        """Return the ids of damaged current snapshots by game, of games whose catalogue is loaded.

        Others are used instead.
        """
        return {game: shelf.damaged for game, shelf in self._shelves.items() if shelf.damaged}

    def unusable_lists(self) -> dict[str, str]:
        """Return the reasons why current lists cannot be used, by game. Other lists are used instead of them.

        Games without an entry have usable lists, or no lists were needed yet.
        """
        return {game: shelf.unusable_lists for game, shelf in self._shelves.items() if shelf.unusable_lists}

    def _find_shelf(self, game: str) -> _Shelf:
        """Return the shelf of a game, made at the first call.

        Raises UnknownGame for a game that deckproof does not have.
        """
        return self._shelves.get(game) or self._shelves.setdefault(
            game_of(game).id, _Shelf(self, game, self._clock, self._beside)
        )

    def _named_catalogue(self, game: str, snapshot: str) -> Catalogue:
        """Return the catalogue of a snapshot by its id, from the cache if possible. Raises the errors of `load`.

        The cache keeps the MOST_NAMED_CATALOGUES that were used last. Other callers wait while one is loaded.
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
    """The current catalogue and lists of one game, cached, and the time until which they are used without a check.

    `damaged` is the id of the current snapshot if its cards are damaged and others are used instead, else None.
    `unusable_lists` is the reason why the current lists cannot be used, None if they are used or were not needed yet.
    """

    def __init__(
        self,
        library: Library,
        game: str,
        clock: Callable[[], float],
        run_beside: Callable[[Callable[[], None]], None],
    ) -> None:
        """Make a shelf without a catalogue and without lists. They are loaded when they are first needed.

        `clock` returns seconds. `run_beside` calls a function without letting the caller wait, such as in a thread.
        """
        self._library = library
        self._game = game
        self._clock = clock
        self._beside = run_beside
        self._lock = threading.Lock()
        self._catalogue: Catalogue | None = None
        self._source: Catalogue | None = None  # as it was imported, without the corrections of imported files
        self._lists: GameLists | None = None
        self._corrections: Mapping[str, object] | None = None
        self._has_imported_lists = False
        self._until = 0.0
        self._updated = threading.Event()
        self._update_begun = 0.0
        self.damaged: str | None = None
        self.unusable_lists: str | None = None

    @property
    def loaded_ids(self) -> tuple[str, str] | None:
        """The ids of the current catalogue's snapshot and lists, None if no catalogue is loaded.

        Reading the property starts an update if one is due, and may wait for it. Corrections of imported list files are
        not in the snapshot's id.
        """
        if self._source and self._lists:
            self._update_if_due()
        return (self._source.snapshot, self._lists.id) if self._source and self._lists else None

    def pin(self, snapshot: str, lists: str) -> None:
        """Make a snapshot and lists, given by their ids, the current ones for good. No update is made again.

        If one of them cannot be loaded, the CardDataError is raised and the old ones stay until the next update, which
        is due after AGAIN_AFTER.
        """
        self._until = math.inf
        if self.loaded_ids == (snapshot, lists):
            return
        try:
            self._replace(self._library.load_lists(self._game, lists), self._library.load(self._game, snapshot))
        except CardDataError:
            self._until = self._clock() + AGAIN_AFTER
            raise

    def find_loaded(self, snapshot: str) -> Catalogue | None:
        """Return the loaded catalogue if it has this snapshot id, else None. Loads nothing."""
        catalogue = self._catalogue
        return catalogue if catalogue and catalogue.snapshot == snapshot else None

    def catalogue(self) -> Catalogue:
        """Return the current catalogue. The first call loads it, and the lists.

        Later calls start an update if one is due. Later calls get the old catalogue, or wait at most MOST_WAIT if it is
        long outdated. Raises CardDataError if the first load fails.
        """
        if self._catalogue is None:
            with self._lock:
                if self._catalogue is None:
                    self._update()
        self._update_if_due()
        assert self._catalogue is not None
        return self._catalogue

    def lists(self) -> GameLists:
        """Return the current lists. The first call loads them, but no catalogue.

        Later calls start an update if one is due. Later calls get the old lists, or wait at most MOST_WAIT if they are
        long outdated. Raises CardDataError if the first load fails.
        """
        if self._lists is None:
            with self._lock:
                if self._lists is None:
                    self._update(has_catalogue=False)
        self._update_if_due()
        assert self._lists is not None
        return self._lists

    def _update_if_due(self) -> None:
        """Start an update beside the caller if the loaded data is due for a check and no other update runs.

        If the check is overdue by STALE_AFTER, the caller waits for the update. The wait ends MOST_WAIT after its
        beginning.
        """
        now, due = self._clock(), self._until
        if now < due:
            return
        if self._lock.acquire(blocking=False):
            self._update_begun = now
            self._updated.clear()
            self._beside(self._update_and_unlock)
        if now >= due + STALE_AFTER and now < self._update_begun + MOST_WAIT:
            self._updated.wait(self._update_begun + MOST_WAIT - now)

    def _update_and_unlock(self) -> None:
        """Update the lists, and the catalogue if one is loaded.

        The lock of the caller is released at the end, and waiting callers are woken.
        """
        try:
            self._update(has_catalogue=self._catalogue is not None)
        finally:
            self._lock.release()
            self._updated.set()

    def _update(self, has_catalogue: bool = True) -> None:
        """Load the current snapshot and lists if the database has new ones, and set the time of the next check.

        If the database fails or has lost its data, the loaded data stays in use, with a warning in the log. Raises
        CardDataError if nothing is loaded. If `has_catalogue` is False, only the lists are loaded. The caller holds the
        lock.
        """
        source, lists, seconds = self._source, self._lists, CURRENT_FOR
        try:
            current = self._library.current_state(self._game)
            if self.damaged != current.snapshot:
                self.damaged = None
            if self._is_gone(current):
                raise NoDatabase(phrase("The database that it is from is gone."))
            if lists is None or lists.id != current.lists:
                lists, seconds = self._load_lists(current.lists)
                self._has_imported_lists = current.is_imported
            else:
                self.unusable_lists = None
            if has_catalogue and (
                source is None or (source.snapshot, source.as_of) != (current.snapshot, current.as_of)
            ):
                source, cards_seconds = self._load_or_replace(current.snapshot)
                seconds = min(seconds, cards_seconds)
        except CardDataError as error:
            if lists is None or (has_catalogue and source is None):
                raise
            seconds = AGAIN_AFTER
            judged_by = f"snapshot {source.snapshot}" if source else f"the lists {lists.id}"
            _log.warning("%s is judged by %s as before: %s", self._game, judged_by, error)
        self._replace(lists, source)
        self._until = self._clock() + seconds

    def _is_gone(self, current: CurrentState) -> bool:
        """Return True if the loaded data comes from a database that is gone, or that has lost all cards of the game.

        `current` is the state of the database now. It has no cards if its snapshot is that of the facts that ship.
        """
        had_cards = self._source and self._source.snapshot != current.snapshot == facts.snapshot(self._game)
        return bool(had_cards) or (self._has_imported_lists and not current.has_database)

    def _replace(self, lists: GameLists, source: Catalogue | None) -> None:
        """Use these lists, and the cards of `source` with the corrections of imported list files applied.

        `source` is the catalogue without these corrections, None if none is loaded.
        """
        document = lists.documents.get(CORRECTIONS)
        if source is not None and (source is not self._source or document != self._corrections):
            self._catalogue = _correct(source, added_corrections(lists)) if document else source
        self._source, self._lists, self._corrections = source, lists, document

    def _load_lists(self, current: str) -> tuple[GameLists, float]:
        """Return `(lists, seconds)`: the lists with the id `current`, and the seconds until the next check.

        If they are damaged or invalid, the lists used before are returned, else the base lists. The reason is then
        stored, logged once, and the next check is after AGAIN_AFTER. Other errors of `load_lists` are raised.
        """
        try:
            lists = self._library.load_lists(self._game, current)
        except (DamagedSnapshot, InvalidLists) as error:
            lists = self._lists or self._library.base_lists(self._game)
            if self.unusable_lists is None:
                _log.warning("%s is judged by the lists %s: %s", self._game, lists.id, error)
            self.unusable_lists = error_text(error)
            return lists, AGAIN_AFTER
        self.unusable_lists = None
        return lists, CURRENT_FOR

    def _load_or_replace(self, current: str) -> tuple[Catalogue, float]:
        """Return `(catalogue, seconds)`: the catalogue of the snapshot `current`, and the seconds until the next check.

        If the snapshot is damaged, the catalogue used before is returned, else the newest good one. The damage is then
        stored, logged once, and the next check is after AGAIN_AFTER. Other errors of `load` are raised.
        """
        try:
            catalogue = self._library.load(self._game, current)
        except DamagedSnapshot as error:
            catalogue = self._source or self._library.load_last_good(self._game)
            if self.damaged is None:
                _log.warning("%s is judged by snapshot %s: %s", self._game, catalogue.snapshot, error)
            self.damaged = current
            return catalogue, AGAIN_AFTER
        self.damaged = None
        return catalogue, CURRENT_FOR


def _correct(catalogue: Catalogue, corrections: Corrections) -> Catalogue:
    """Return a new catalogue with corrections applied.

    A dash and the first 8 hexadecimal digits of their hash are appended to its snapshot id.
    """
    cards = correct_cards(catalogue, corrections)
    content = sha256(repr(sorted(corrections.items())).encode()).hexdigest()[:8]
    return Catalogue(
        catalogue.game,
        f"{catalogue.snapshot}-{content}",
        cards,
        catalogue.as_of,
        catalogue.imported,
        catalogue.provisional,
    )


def _is_absent(url: str) -> bool:
    """Return True if the URL is that of a missing SQLite file, or `sqlite:///:memory:`. False for all other URLs.

    A `file:` URI is not looked at. SQLAlchemy is not imported for it.
    """
    path = url.partition("?")[0].removeprefix("sqlite:///")
    return url.startswith("sqlite:///") and not path.startswith("file:") and not Path(path).exists()
