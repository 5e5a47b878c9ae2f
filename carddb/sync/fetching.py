"""Fetching: pages from a site, one request at a time, within the limits of its robots.txt.

requests fetches, urllib3's Retry repeats, and protego reads robots.txt. This module adds bounds that these do not have:
on the whole time of a page or of a head that drips in, on the unpacked size, on Retry-After, and on redirects.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from threading import Timer
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import requests
from protego import Protego
from requests.adapters import HTTPAdapter
from urllib3 import BaseHTTPResponse
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError, InvalidHeader
from urllib3.response import HTTPResponse
from urllib3.util import Retry

from carddb.bounds import LARGEST_PAGE, MOST_REDIRECTS
from carddb.errors import FetchError, PageError, Truncated
from carddb.sync.pagecache import CachedPage, PageCache
from validator.errors import error_text
from validator.language import phrase

NAME = "deckproof"  # what robots.txt may call us
_CHUNK = 1 << 16
Read = TypeVar("Read")
_EXAMPLE = "https://en.onepiece-cardgame.com"
_RETRIED = frozenset({429, 500, 502, 503, 504})  # statuses after which a page is asked for again


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """Pauses, timeouts and retries of the requests to a site, all times in seconds.

    `pause` is the least time between a response and the next request. robots.txt may require more. `connect` is the
    timeout of connecting, `read` that of the head of a response and of any silence, `whole` that of a page's body.
    `tries` is the most tries of a request, and also of a page that comes incomplete. The wait between two tries is at
    least `backoff` and `pause`, doubled each time, or the server's Retry-After. Neither exceeds `longest_wait`.
    """

    pause: float = 1.0
    connect: float = 10.0
    read: float = 30.0
    whole: float = 180.0
    tries: int = 4
    backoff: float = 2.0
    longest_wait: float = 120.0

    def retries(self, pause: float) -> Retry:
        """Return the retries of a page for urllib3, after failed connections and statuses 429, 500, 502, 503 and 504.

        There are `tries` - 1. The first waits `backoff`, or `pause` seconds if that is longer, and each later one twice
        as long, up to `longest_wait`. A Retry-After of the server comes first. One above `longest_wait` raises
        FetchError.
        """
        return _Retries(
            total=self.tries - 1,
            status_forcelist=_RETRIED,
            allowed_methods=("GET",),
            backoff_factor=max(pause, self.backoff),
            backoff_max=self.longest_wait,
            raise_on_status=False,
        )


class _IncompletePage(Exception):
    """A page broke off or took too long while it was read. The message has the page and the reason.

    A retry may succeed.
    """


class _Session(requests.Session):
    """requests' Session that follows no redirect by itself.

    It would read the whole bodies of redirects, however long.
    """

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """Return None for every response, so that requests follows no redirect by itself."""
        return None


class Fetcher:
    """The pages of one site by their path, from the cache if this run has already fetched them.

    Every failure is a CardDataError. The same sync can be run again after a failure and continues. Use it as a context
    manager. robots.txt and the pauses of the policy are followed.
    """

    def __init__(self, site: str, cache: PageCache, policy: FetchPolicy | None = None) -> None:
        """Prepare a session with a site, without a request. Raises FetchError if the address is no web address.

        `cache` is used for pages, and stays open. `policy` None is a FetchPolicy with its defaults.
        """
        self.site = _check_site(site)
        self._cache = cache
        self._policy = policy or FetchPolicy()
        self._last_answer: float | None = None
        self._robots: Protego | None = None
        self._session = _Session()
        self._session.headers.update(
            {"User-Agent": f"{NAME}/{version(NAME)} (card list sync)", "Accept": "text/html", "Accept-Language": "en"}
        )
        self._set_pause(self._policy.pause)

    def __enter__(self) -> Fetcher:
        """Return the fetcher itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections to the site."""
        self._session.close()

    def page(self, path: str, parse: Callable[[str, str], Read], fresh: bool = False) -> tuple[Read, bool]:
        """Return `(result, is_cached)`: the result of `parse(html, url)`, and True if this run had fetched the page.

        `fresh` fetches the page even then. A fetched page is stored, but not if `parse` raises PageError. A page that
        is incomplete is fetched again, up to the tries of the policy. Raises FetchError, also if robots.txt forbids the
        page, and the errors of `parse`.
        """
        url = self.site + path
        stored = self._cache.get(url)
        if stored and stored.is_of_this_run and not fresh:
            try:
                return parse(_decode_page(stored.body, url), url), True
            except PageError:
                stored = None  # stored by a version of deckproof that read pages in another way
        retries = self._retries
        while True:
            try:
                return self._fetch(url, stored, parse), False
            except (_IncompletePage, Truncated) as error:
                if not retries.total:
                    raise FetchError(
                        phrase("{problem} Every attempt failed. Try again later.", problem=error_text(error))
                    ) from None
                retries = retries.increment("GET", url, error=error)
                retries.sleep()

    def _set_pause(self, pause: float) -> None:
        """Set the pause between requests, and the retries, which wait at least as long."""
        self._pause = pause
        self._retries = self._policy.retries(pause)
        adapter = _Adapter(pool_connections=1, pool_maxsize=1, max_retries=self._retries)
        self._session.mount("http://", adapter)
        self._session.mount("https://", adapter)

    def _fetch(self, url: str, stored: CachedPage | None, parse: Callable[[str, str], Read]) -> Read:
        """Fetch a page, parse it with `parse`, store it in the cache, and return the parsed result.

        `stored` is an older copy, which is used if the site answers that it is unchanged (304). None if there is none.
        Raises FetchError, also if robots.txt forbids the page, _IncompletePage, and the errors of `parse`. Nothing is
        stored then.
        """
        self._check_allowed(url)
        with self._follow_redirects(url, _conditional_headers(stored), self._check_allowed) as response:
            if response.status_code == 304 and stored:
                body, etag, modified = stored.body, stored.etag, stored.modified
            else:
                _check_status(response, url)
                body = self._read_body(response, url)
                etag, modified = response.headers.get("ETag"), response.headers.get("Last-Modified")
        contents = parse(_decode_page(body, url), url)
        self._cache.put(url, body, etag, modified)
        return contents

    @contextmanager
    def _follow_redirects(
        self, url: str, headers: Mapping[str, str], check: Callable[[str], None] = lambda _: None
    ) -> Iterator[requests.Response]:
        """Yield the response after all redirects within the site, at most MOST_REDIRECTS. Its body is not read.

        `headers` are sent with each request. `check` is called with the address of each redirect before its request.
        Raises FetchError for more redirects, or for one to another site.
        """
        for _ in range(MOST_REDIRECTS + 1):
            with self._request_after_pause(url, headers) as response:
                if not response.is_redirect:
                    yield response
                    return
                url = _redirect_target(self.site, url, response.headers["Location"])
            check(url)
        raise FetchError(phrase("{url}: the site redirects in a circle.", url=url))

    @contextmanager
    def _request_after_pause(self, url: str, headers: Mapping[str, str]) -> Iterator[requests.Response]:
        """Yield the response to one request, and close it at the end. Raises FetchError if no response comes.

        The call first sleeps until the pause since the end of the last response is over.
        """
        if self._last_answer is not None:
            time.sleep(max(0.0, self._last_answer + self._pause - time.monotonic()))
        try:
            with self._send_request(url, headers) as response:
                yield response
        finally:
            self._last_answer = time.monotonic()

    def _send_request(self, url: str, headers: Mapping[str, str]) -> requests.Response:
        """Send a request, and return its response without its body.

        Redirects are not followed, and retries are urllib3's. Raises FetchError if no response comes.
        """
        times = (self._policy.connect, self._policy.read)
        try:
            return self._session.get(url, headers=dict(headers), stream=True, allow_redirects=False, timeout=times)
        except requests.RequestException as error:
            reason = getattr(error.args[0], "reason", None) if error.args else None
            why = type(reason or error).__name__
            raise FetchError(
                phrase("{url} cannot be fetched ({reason}); try again later.", url=url, reason=why)
            ) from None

    def _read_body(self, response: requests.Response, url: str) -> bytes:
        """Return the unpacked body of a response. Raises FetchError if it is larger than LARGEST_PAGE.

        Raises _IncompletePage if it breaks off, or takes longer than the `whole` seconds of the policy.
        """
        until = time.monotonic() + self._policy.whole
        body = bytearray()
        # `iter_content` would wait for a whole chunk, for however long its bytes drip in.
        while part := _read_next_bytes(response, url):
            body += part
            if len(body) > LARGEST_PAGE:
                raise FetchError(
                    phrase(
                        "{file} has more than {most} MB, which is too large for a page of a card list.",
                        file=url,
                        most=LARGEST_PAGE >> 20,
                    )
                )
            if time.monotonic() > until:
                raise _IncompletePage(
                    phrase("{url} takes more than {seconds} seconds.", url=url, seconds=f"{self._policy.whole:.0f}")
                )
        return bytes(body)

    def _check_allowed(self, url: str) -> None:
        """Raise FetchError if robots.txt does not allow a page.

        The first call fetches robots.txt and lengthens the pause to its crawl delay. Raises FetchError if that fails,
        or if the delay is longer than the policy's `longest_wait`.
        """
        if self._robots is None:
            self._robots = self._read_robots()
            self._set_pause(max(self._pause, self._crawl_delay(self._robots)))
        if not self._robots.can_fetch(url, NAME):
            raise FetchError(phrase("{robots} does not allow {url} to be fetched.", robots=self._robots_url, url=url))

    def _crawl_delay(self, robots: Protego) -> float:
        """Return the crawl delay of robots.txt in seconds, 0 if there is none.

        Raises FetchError if it is longer than the policy's `longest_wait`.
        """
        delay = float(robots.crawl_delay(NAME) or 0)
        if delay > self._policy.longest_wait:
            raise FetchError(
                phrase(
                    "{robots} requires {seconds} seconds between requests, which is too slow for a sync.",
                    robots=self._robots_url,
                    seconds=f"{delay:.0f}",
                )
            )
        return delay

    @property
    def _robots_url(self) -> str:
        """The address of the site's robots.txt."""
        return urljoin(self.site, "/robots.txt")

    def _read_robots(self) -> Protego:
        """Fetch and parse robots.txt. After 401 or 403 nothing is allowed. After another status 4xx everything is.

        Raises FetchError for any other status but 200.
        """
        with self._follow_redirects(self._robots_url, {}) as response:
            if response.status_code in (401, 403):
                return Protego.parse("User-agent: *\nDisallow: /")
            if 400 <= response.status_code < 500:
                return Protego.parse("")  # there is none: nothing is forbidden (RFC 9309, 2.3.1.3)
            _check_status(response, self._robots_url)
            return Protego.parse(self._read_body(response, self._robots_url).decode("utf-8-sig", errors="replace"))


def _check_site(site: str) -> str:
    """Return the address of a site without a slash at its end.

    Raises FetchError if it is no http or https address, or has a query or fragment.
    """
    parts = urlsplit(site)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise FetchError(phrase("{site!r} is no site; write it as {example}.", site=site[:80], example=_EXAMPLE))
    return site.rstrip("/")


def _conditional_headers(stored: CachedPage | None) -> dict[str, str]:
    """Return the headers If-None-Match and If-Modified-Since for a stored page, without missing ones.

    Empty for None.
    """
    headers = {"If-None-Match": stored.etag, "If-Modified-Since": stored.modified} if stored else {}
    return {name: value for name, value in headers.items() if value}


def _check_status(response: requests.Response, url: str) -> None:
    """Raise a FetchError with the status if the status of a response is not 200."""
    if response.status_code != 200:
        status = f"{response.status_code} {response.reason or ''}".strip()
        raise FetchError(phrase("{url} answers {status}; try again later.", url=url, status=status))


def _redirect_target(site: str, url: str, location: str) -> str:
    """Return the absolute address of a redirect.

    Raises FetchError if it is no address, or on another host than the site. `location` may be relative to `url`. A
    redirect from https to http is an error, too.
    """
    try:
        target = urljoin(url, location)
        old, new = urlsplit(site), urlsplit(target)
    except ValueError:
        raise FetchError(
            phrase(
                "{url} sends us to {target!r}, which is no address; try again later.", url=url, target=location[:120]
            )
        ) from None
    if new.hostname != old.hostname or new.scheme not in (old.scheme, "https"):
        raise FetchError(
            phrase(
                "{url} sends us to another site, {target}; if the site has moved, set its address.",
                url=url,
                target=target[:120],
            )
        )
    return target


def _decode_page(body: bytes, url: str) -> str:
    """Return the text of a page without a byte order mark. Raises FetchError if it is not UTF-8."""
    # Both sites are UTF-8, whatever a proxy declares. In another encoding names would be wrong.
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FetchError(
            phrase(
                "{url} is no UTF-8 text (at byte {position}), as the pages of the site are.",
                url=url,
                position=error.start,
            )
        ) from None


def _read_next_bytes(response: requests.Response, url: str) -> bytes:
    """Return the next unpacked bytes of a page that have arrived, empty at its end.

    Raises _IncompletePage if it breaks off.
    """
    try:
        return response.raw.read1(_CHUNK, decode_content=True)  # type: ignore[no-any-return]  # requests does not say that it is urllib3's
    except HTTPError as error:
        raise _IncompletePage(phrase("{url} breaks off ({reason}).", url=url, reason=type(error).__name__)) from None


class _Retries(Retry):
    """urllib3's Retry that also waits before the first retry, and raises FetchError for too long a Retry-After."""

    def increment(self, *arguments: Any, **options: Any) -> _Retries:
        """Close the failed response without reading its body, count a retry, and return the new state, as urllib3 does.

        urllib3 raises an error if no retry is left.
        """
        if answer := options.get("response"):
            answer.close()  # the body of a failure is not read, because it may never end
        return super().increment(*arguments, **options)

    def get_backoff_time(self) -> float:
        """Return the seconds before the next try: urllib3's time, but at least the backoff factor."""
        return max(super().get_backoff_time(), self.backoff_factor)

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        """Return the seconds that the server's Retry-After requires, None if it is missing or invalid.

        Raises FetchError if they exceed `backoff_max`, the longest wait.
        """
        try:
            wait = super().get_retry_after(response)
        except (InvalidHeader, ValueError, OverflowError):
            return None  # it is no time
        if wait is not None and wait > self.backoff_max:
            raise FetchError(
                phrase("The site requires a pause of {seconds} seconds. Try again after it.", seconds=f"{wait:.0f}")
            )
        return wait


class _Adapter(HTTPAdapter):
    """requests' adapter with the read timeout for the whole head of a response.

    urllib3 times every silence, not their sum, so it would wait without end for a head that drips in byte by byte.
    Every request needs a read timeout: one without is aborted at once.
    """

    def init_poolmanager(self, *how: Any, **more: Any) -> None:
        """Make the pool manager, with pools whose connections have a timeout for the whole head of a response."""
        super().init_poolmanager(*how, **more)
        self.poolmanager.pool_classes_by_scheme = {"http": TimedHTTPPool, "https": TimedHTTPSPool}


class _TimedHTTPConnection(HTTPConnection):
    """A connection with one timeout for the whole head of a response. At the timeout its socket is shut down."""

    _is_timed_out = False

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as urllib3's does
        """Return the response, without its body. Raises TimeoutError if its head is not complete within the timeout."""
        timer = Timer(self.timeout or 0, self._close_socket)
        timer.daemon = True
        timer.start()
        try:
            response = super().getresponse()
        finally:
            timer.cancel()
        if self._is_timed_out:
            raise TimeoutError  # else an incomplete head would pass for a whole one
        return response

    def _close_socket(self) -> None:
        """Shut down the socket, which ends the read of the waiting thread. The timer calls it at the timeout."""
        self._is_timed_out = True
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)


class _TimedHTTPSConnection(_TimedHTTPConnection, HTTPSConnection):
    """An HTTPS connection with one timeout for the whole head of a response."""

    pass


class TimedHTTPPool(HTTPConnectionPool):
    """A pool of HTTP connections with one timeout for the whole head of a response."""

    ConnectionCls = _TimedHTTPConnection


class TimedHTTPSPool(HTTPSConnectionPool):
    """A pool of HTTPS connections with one timeout for the whole head of a response."""

    ConnectionCls = _TimedHTTPSConnection
