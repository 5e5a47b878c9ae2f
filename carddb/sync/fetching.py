"""Fetching: pages from a site, one request at a time, no faster than it bears and nothing that it forbids."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import requests
from protego import Protego
from urllib3.exceptions import HTTPError

from carddb.errors import FetchError, PageError, Truncated
from carddb.sync.fetch_policy import Adapter, FetchPolicy
from carddb.sync.pagecache import Kept, PageCache

NAME = "deckproof"  # what robots.txt may call us
LARGEST_PAGE = 16 << 20  # bytes, unpacked; the largest real page has 1 MB
_MOST_REDIRECTS = 5
_CHUNK = 1 << 16
Read = TypeVar("Read")


class _Cut(Exception):
    """A page broke off while it was read, the message says which and how; it may come whole another time."""


class _Session(requests.Session):
    """requests' Session that leaves redirects alone: it would read their whole body, however long that is."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        return None


class Fetcher:
    """Pages of one site by their path, from its cache where this run has them already.

    Every failure is a CardDataError after which the same sync can be run again: it goes on where it
    stopped. Use it as a context manager.
    """

    def __init__(self, site: str, cache: PageCache, policy: FetchPolicy | None = None) -> None:
        self.site = _checked(site)
        self._cache = cache
        self._policy = policy or FetchPolicy()
        self._answered: float | None = None
        self._robots: Protego | None = None
        self._session = _Session()
        self._session.headers.update(
            {"User-Agent": f"{NAME}/{version(NAME)} (card list sync)", "Accept": "text/html", "Accept-Language": "en"}
        )
        self._behave(self._policy.pause)

    def __enter__(self) -> Fetcher:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def page(self, path: str, read: Callable[[str, str], Read], fresh: bool = False) -> tuple[Read, bool]:
        """Return what `read(html, url)` makes of a page, and whether this run had the page already.

        `fresh` asks the site even then. A page that `read` refuses is not kept: the next run asks for it
        again.
        """
        url = self.site + path
        kept = self._cache.get(url)
        if kept and kept.is_of_this_run and not fresh:
            try:
                return read(_text(kept.body, url), url), True
            except PageError:
                kept = None  # kept by a deckproof that read pages otherwise
        retries = self._retries
        while True:
            try:
                return self._fetched(url, kept, read), False
            except (_Cut, Truncated) as error:
                if not retries.total:
                    raise FetchError(f"{error} So it was every time; try again later.") from None
                retries = retries.increment("GET", url, error=error)
                retries.sleep()

    def _behave(self, pause: float) -> None:
        """Keep to a pause, between requests and before new tries."""
        self._pause = pause
        self._retries = self._policy.retries(pause)
        adapter = Adapter(pool_connections=1, pool_maxsize=1, max_retries=self._retries)
        self._session.mount("http://", adapter)
        self._session.mount("https://", adapter)

    def _fetched(self, url: str, kept: Kept | None, read: Callable[[str, str], Read]) -> Read:
        self._check_allowed(url)
        with self._answer(url, _if_changed(kept), self._check_allowed) as response:
            if response.status_code == 304 and kept:
                body, etag, modified = kept.body, kept.etag, kept.modified
            else:
                _check_status(response, url)
                body = self._body(response, url)
                etag, modified = response.headers.get("ETag"), response.headers.get("Last-Modified")
        contents = read(_text(body, url), url)
        self._cache.put(url, body, etag, modified)
        return contents

    @contextmanager
    def _answer(
        self, url: str, headers: Mapping[str, str], check: Callable[[str], None] = lambda _: None
    ) -> Iterator[requests.Response]:
        """Yield the site's answer, after its redirects within the site, each of which `check` may refuse."""
        for _ in range(_MOST_REDIRECTS + 1):
            with self._asked(url, headers) as response:
                if not response.is_redirect:
                    yield response
                    return
                url = _within(self.site, url, response.headers["Location"])
            check(url)
        raise FetchError(f"{url}: the site redirects in a circle.")

    @contextmanager
    def _asked(self, url: str, headers: Mapping[str, str]) -> Iterator[requests.Response]:
        """Yield the answer to one request, made after a pause since the last answer was read or broke off."""
        if self._answered is not None:
            time.sleep(max(0.0, self._answered + self._pause - time.monotonic()))
        try:
            with self._response(url, headers) as response:
                yield response
        finally:
            self._answered = time.monotonic()

    def _response(self, url: str, headers: Mapping[str, str]) -> requests.Response:
        times = (self._policy.connect, self._policy.read)
        try:
            return self._session.get(url, headers=dict(headers), stream=True, allow_redirects=False, timeout=times)
        except requests.RequestException as error:
            reason = getattr(error.args[0], "reason", None) if error.args else None
            why = type(reason or error).__name__
            raise FetchError(f"{url} cannot be fetched ({why}); try again later.") from None

    def _body(self, response: requests.Response, url: str) -> bytes:
        until = time.monotonic() + self._policy.whole
        body = bytearray()
        # `iter_content` would wait for a whole chunk, for however long its bytes drip in.
        while part := _next_part(response, url):
            body += part
            if len(body) > LARGEST_PAGE:
                raise FetchError(f"{url} has more than {LARGEST_PAGE >> 20} MB; no card-list page is so large.")
            if time.monotonic() > until:
                raise _Cut(f"{url} takes more than {self._policy.whole:.0f} seconds.")
        return bytes(body)

    def _check_allowed(self, url: str) -> None:
        if self._robots is None:
            self._robots = self._read_robots()
            self._behave(max(self._pause, self._crawl_delay(self._robots)))
        if not self._robots.can_fetch(url, NAME):
            raise FetchError(f"{self._robots_url} does not allow {url} to be fetched.")

    def _crawl_delay(self, robots: Protego) -> float:
        asked = float(robots.crawl_delay(NAME) or 0)
        if asked > self._policy.longest_wait:
            raise FetchError(f"{self._robots_url} asks for {asked:.0f} seconds between requests; that is no sync.")
        return asked

    @property
    def _robots_url(self) -> str:
        return urljoin(self.site, "/robots.txt")

    def _read_robots(self) -> Protego:
        with self._answer(self._robots_url, {}) as response:
            if response.status_code in (401, 403):
                return Protego.parse("User-agent: *\nDisallow: /")
            if 400 <= response.status_code < 500:
                return Protego.parse("")  # there is none: nothing is forbidden (RFC 9309, 2.3.1.3)
            _check_status(response, self._robots_url)
            return Protego.parse(self._body(response, self._robots_url).decode("utf-8-sig", errors="replace"))


def _checked(site: str) -> str:
    parts = urlsplit(site)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise FetchError(f"{site[:80]!r} is no site; write it as https://en.onepiece-cardgame.com.")
    return site.rstrip("/")


def _if_changed(kept: Kept | None) -> dict[str, str]:
    asked = {"If-None-Match": kept.etag, "If-Modified-Since": kept.modified} if kept else {}
    return {name: value for name, value in asked.items() if value}


def _check_status(response: requests.Response, url: str) -> None:
    if response.status_code != 200:
        status = f"{response.status_code} {response.reason or ''}".strip()
        raise FetchError(f"{url} answers {status}; try again later.")


def _within(site: str, url: str, location: str) -> str:
    try:
        there = urljoin(url, location)
        old, new = urlsplit(site), urlsplit(there)
    except ValueError:
        raise FetchError(f"{url} sends us to {location[:120]!r}, which is no address; try again later.") from None
    if new.hostname != old.hostname or new.scheme not in (old.scheme, "https"):
        raise FetchError(f"{url} sends us to another site, {there[:120]}; if the site has moved, set its address.")
    return there


def _text(body: bytes, url: str) -> str:
    # Both sites are UTF-8, whatever a server between says: names that are read otherwise are wrong names.
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FetchError(f"{url} is no UTF-8 text (at byte {error.start}), as the pages of the site are.") from None


def _next_part(response: requests.Response, url: str) -> bytes:
    """Return what came of a page meanwhile, unpacked; nothing at its end."""
    try:
        return response.raw.read1(_CHUNK, decode_content=True)  # type: ignore[no-any-return]  # requests does not say that it is urllib3's
    except HTTPError as error:
        raise _Cut(f"{url} breaks off ({type(error).__name__}).") from None
