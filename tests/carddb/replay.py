"""A site of our own on 127.0.0.1: serves pages over real sockets, and fails in the ways that sites fail."""

import hashlib
import tarfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.carddb.sources import onepiece_pages
from tests.shared import shared_path

Fault = Callable[["_Handler", bytes], None]


class Site:
    """The pages by path, the faults that the next requests of a path meet, and what was asked for so far."""

    def __init__(self, pages: dict[str, str | bytes]) -> None:
        self.pages = {path: page.encode() if isinstance(page, str) else page for path, page in pages.items()}
        self.faults: dict[str, list[Fault]] = {}
        self.requests: list[tuple[str, dict[str, str], float]] = []
        self.answers: list[int] = []
        self.etags = True
        self.modified: str | None = None
        self.most_unanswered = 0
        self.address = ""

    @property
    def paths(self) -> list[str]:
        return [path for path, _, _ in self.requests]

    def fail(self, path: str, *faults: Fault) -> None:
        self.faults[path] = list(faults)

    @contextmanager
    def serve(self):
        server = _Server(("127.0.0.1", 0), _Handler)
        server.site = self
        self.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()

    def note_request(self, path: str, headers: dict[str, str]) -> Fault | None:
        """Note a request, and return the next fault of its path. None if the request is answered well."""
        self.requests.append((path, headers, time.monotonic()))
        self.most_unanswered = max(self.most_unanswered, len(self.requests) - len(self.answers))
        return self.faults[path].pop(0) if self.faults.get(path) else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a client that has gone: it was killed, or had waited long enough."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        site = self.server.site
        fault = site.note_request(self.path, dict(self.headers))
        page = site.pages.get(self.path)
        if page is None:
            self.answer(404, b"not here")
        elif fault is not None:
            fault(self, page)
        else:
            self.page(page)

    def page(self, page: bytes) -> None:
        site = self.server.site
        etag = f'"{hashlib.sha256(page).hexdigest()[:16]}"'
        marks = {"ETag": etag} if site.etags else {"Last_Modified": site.modified} if site.modified else {}
        known = (self.headers.get("If-None-Match"), self.headers.get("If-Modified-Since"))
        if marks and any(value in known for value in marks.values()):
            self.answer(304, b"", **marks)
        else:
            self.answer(200, page, **marks)

    def answer(self, status: int, body: bytes, length: int | None = None, **headers: str) -> None:
        self.server.site.answers.append(status)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "text/html")
        if status != 304:
            self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def says(status: int, body: bytes = b"", **headers: str) -> Fault:
    """Return a fault that answers with this status and body instead of the page."""
    return lambda handler, _: handler.answer(status, body, **headers)


def sleeps(seconds: float) -> Fault:
    """Return a fault that waits, and closes the connection without an answer."""

    def fault(handler: _Handler, page: bytes) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return fault


def cut(handler: _Handler, page: bytes) -> None:
    """Announce the whole page, send half of it and close."""
    handler.answer(200, page[: len(page) // 2], length=len(page))
    handler.close_connection = True


def cut_chunked(handler: _Handler, page: bytes) -> None:
    """Send half of the page in a chunk, no end, and close."""
    half = page[: len(page) // 2]
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(f"{len(half):x}\r\n".encode() + half + b"\r\n")
    handler.close_connection = True


def stalls(handler: _Handler, page: bytes) -> None:
    """Send half of the page, then nothing for longer than any fetcher waits."""
    handler.answer(200, page[: len(page) // 2], length=len(page))
    time.sleep(1.6)
    handler.close_connection = True


def send_half(handler: _Handler, page: bytes) -> None:
    """Send half of the page as if it were the whole."""
    handler.answer(200, page[: len(page) // 2])


def sends(page: str | bytes) -> Fault:
    """Return a fault that answers with this page instead of the site's."""
    body = page.encode() if isinstance(page, str) else page
    return lambda handler, _: handler.answer(200, body)


def real_onepiece() -> Site:
    """The official list as it was saved in August 2026: 60 packs, the newest of which opens the list."""
    with tarfile.open(shared_path("pages/optcg/cardlist-en-all-60-2026-08-21.tar.gz")) as archive:
        members = {member.name.partition(".")[0][-6:]: archive.extractfile(member).read() for member in archive}
    pages = {f"/cardlist/?series={pack}": page for pack, page in members.items()}
    return Site({"/cardlist/": members["569117"], **pages})


def onepiece_pack(pack: str, cards: Iterable[dict], packs: Iterable[str]) -> str:
    """Return the page of a pack with its menu of packs."""
    options = "".join(f'<option value="{one}"{" selected" if one == pack else ""}>PACK {one}</option>' for one in packs)
    page = onepiece_pages.page(cards)
    start, end = page.index('<option value="569999"'), page.index("</select>")
    return page[:start] + options + page[end:]


def onepiece_cards(code: str, count: int) -> list[dict]:
    """Return the fields of `count` event cards of a set."""
    return [
        onepiece_pages.EVENT | {"id": f"{code}-{at:03d}", "number": f"{code}-{at:03d}", "name": f"Event {code} {at}"}
        for at in range(1, count + 1)
    ]


def small_onepiece(**counts: int) -> Site:
    """A site with a pack of some cards for each set."""
    packs = {f"5691{at:02d}": onepiece_cards(code, count) for at, (code, count) in enumerate(counts.items(), 1)}
    pages = {f"/cardlist/?series={pack}": onepiece_pack(pack, cards, packs) for pack, cards in packs.items()}
    return Site({"/cardlist/": pages[f"/cardlist/?series={next(iter(packs))}"], **pages})
