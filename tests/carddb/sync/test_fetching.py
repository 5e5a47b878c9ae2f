"""No answer is waited for without end, kept without bound, or able to do more than be refused in a sentence."""

import gzip
import time
from dataclasses import replace
from email.utils import formatdate
from itertools import pairwise

import pytest

from carddb.errors import FetchError
from carddb.sync.fetching import Fetcher, FetchPolicy
from carddb.sync.pagecache import PageCache
from tests.carddb import replay
from tests.cost import time_limit

PATH = "/cardlist/"
PAGE = "<html><body>cards</body></html>"
PATIENT = FetchPolicy(pause=0, connect=10, read=10, whole=30, tries=2, backoff=0.01, longest_wait=2)
HASTY = replace(PATIENT, read=0.5, whole=0.3)


@pytest.fixture
def site():
    with replay.Site({PATH: PAGE, "/robots.txt": ""}).serve() as served:
        yield served


@pytest.fixture
def fetch(site, tmp_path):
    def fetch_page(policy=PATIENT):
        with PageCache(tmp_path / "pages.db") as cache, Fetcher(site.address, cache, policy) as fetcher:
            return fetcher.page(PATH, lambda html, _: html, fresh=True)[0]

    return fetch_page


def refusal(fetch, policy=PATIENT):
    with time_limit(4, time.monotonic), pytest.raises(FetchError) as refused:
        fetch(policy)
    return str(refused.value)


def drips(handler, _):
    """Announce a page, and send a byte of it now and then."""
    handler.answer(200, b"<", length=1000)
    for _ in range(100):
        time.sleep(0.05)
        handler.wfile.write(b" ")


def endless(status, **headers):
    """Answer with a body that has no end."""

    def fault(handler, _):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.close_connection = True
        while True:
            handler.wfile.write(b" " * 65536)

    return fault


def packed_answer(layers):
    """Return a fault: a page packed `layers` times, which unpacks to more than any page has."""
    body = bytes(64 << 20)
    for _ in range(layers):
        body = gzip.compress(body, 1)
    return replay.says(200, body, Content_Encoding=", ".join(["gzip"] * layers))


@pytest.mark.slow
@pytest.mark.parametrize("path", [PATH, "/robots.txt"])
def test_a_page_that_drips_in_is_given_up(site, fetch, path):
    site.fail(path, drips, drips)
    assert f"{path} takes more than" in refusal(fetch, HASTY)


@pytest.mark.slow
@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nServer: ", b"HTTP/1.1 200 O", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_a_head_that_drips_in_is_given_up(site, fetch, head):
    def drips(handler, _):
        handler.wfile.write(head)
        for _ in range(100):
            time.sleep(0.05)
            handler.wfile.write(head if head.endswith(b"\n") else b"x")

    site.fail(PATH, drips, drips)
    assert PATH in refusal(fetch, HASTY)
    site.fail(PATH, drips)
    assert fetch(HASTY) == PAGE


@pytest.mark.parametrize("path", [PATH, "/robots.txt"])
def test_a_page_without_end_is_refused(site, fetch, path):
    site.fail(path, endless(200))
    assert "too large for a page of a card list" in refusal(fetch)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_page_of_a_busy_or_broken_site_is_tried_again(site, fetch, status):
    site.fail(PATH, replay.says(status))
    assert fetch() == PAGE
    site.fail(PATH, *[replay.says(status)] * PATIENT.tries)
    assert str(status) in refusal(fetch)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 428, 430, 499, 501, 505])
def test_a_page_that_a_site_refuses_is_not_tried_again(site, fetch, status):
    site.fail(PATH, replay.says(status))
    assert str(status) in refusal(fetch)


@pytest.mark.slow
@pytest.mark.parametrize("status", [500, 503, 429])
def test_what_is_said_with_a_failure_is_not_read(site, fetch, status):
    site.fail(PATH, endless(status))
    assert fetch() == PAGE
    site.fail(PATH, endless(status), endless(status))
    assert str(status) in refusal(fetch)


def test_what_is_said_with_a_redirect_is_not_read(site, fetch):
    site.pages["/moved/"] = PAGE.encode()
    site.fail(PATH, endless(302, Location="/moved/"))
    assert fetch() == PAGE


@pytest.mark.slow
@pytest.mark.parametrize("fault", [replay.cut, replay.says(503)])
def test_each_new_try_waits_twice_as_long_whatever_went_wrong(site, tmp_path, fault):
    site.fail(PATH, fault, fault, fault)
    patient = FetchPolicy(pause=0, tries=4, backoff=0.1)
    with PageCache(tmp_path / "pages.db") as cache, Fetcher(site.address, cache, patient) as fetcher:
        fetcher.page(PATH, lambda html, _: html)
    _, *asked = (at for _, _, at in site.requests)
    waits = [after - before for before, after in pairwise(asked)]
    assert all(wait >= least for wait, least in zip(waits, (0.1, 0.2, 0.4), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("layers", [1, 2])
def test_a_page_that_unpacks_without_end_is_refused(site, fetch, layers):
    site.fail(PATH, packed_answer(layers))
    assert "too large for a page of a card list" in refusal(fetch)


def test_a_page_that_is_packed_is_unpacked(site, fetch):
    site.fail(PATH, replay.says(200, gzip.compress(PAGE.encode()), Content_Encoding="gzip"))
    assert fetch() == PAGE


def test_a_page_that_cannot_be_unpacked_breaks_off(site, fetch):
    site.fail(PATH, *[replay.says(200, PAGE.encode(), Content_Encoding="gzip")] * 2)
    assert "breaks off" in refusal(fetch)


@pytest.mark.parametrize("wait", ["soon", "-5", "9" * 5000, "Fri, 99 Foo 99999 23:59:59 GMT", "", formatdate(0)])
def test_a_wait_that_is_none_is_passed_over(site, fetch, wait):
    site.fail(PATH, replay.says(429, b"", Retry_After=wait))
    assert fetch() == PAGE


@pytest.mark.slow
def test_a_wait_until_a_day_is_waited_or_said(site, fetch):
    site.fail(PATH, replay.says(503, b"", Retry_After=formatdate(time.time() + 2, usegmt=True)))
    begun = time.monotonic()
    assert fetch() == PAGE
    assert time.monotonic() - begun > 0.5
    site.fail(PATH, replay.says(503, b"", Retry_After=formatdate(time.time() + 900, usegmt=True)))
    with pytest.raises(FetchError, match=r"pause of [89]"):
        fetch()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("http://[no/", "no address"),
        ("/caf\xe9", "circle"),
        ("", "circle"),
        ("http://127.0.0.1:99999/", "InvalidURL"),
        ("http://127.0.0.1@elsewhere.test/", "another site"),
        ("file:///etc/passwd", "another site"),
    ],
)
def test_a_redirect_to_nowhere_is_said(site, fetch, location, said):
    site.pages["/caf%C3%A9"] = site.pages["/caf%E9"] = b""
    for path in (PATH, "/caf%C3%A9", "/caf%E9"):
        site.fail(path, *[replay.says(302, Location=location)] * 9)
    assert said in refusal(fetch)


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        ("\ufeffUser-agent: *\nDisallow: /\n", False),
        ("User-agent: *\rDisallow: /\r", False),
        ("User-agent: *\nDisallow: /*list\n", False),
        ("User-agent: *\nDisallow: /cardlist/$\n", False),
        ("User-agent: DeckProof\nDisallow: /\n\nUser-agent: *\nDisallow:\n", False),
        ("User-agent: *\nDisallow: /\nAllow: /cardlist/\n", True),
        ("User-agent: *\nDisallow: /cardlist/help\n", True),
        ("User-agent: *\nCrawl-delay: ²\nDisallow: //[x\nRequest-rate: 1/0\n", True),
        (f"User-agent: *\nCrawl-delay: {'9' * 5000}\n", True),
        ("<html><body>Not here.</body></html>", True),
    ],
)
def test_robots_txt_is_read_as_it_is_meant(site, fetch, robots, allowed):
    site.pages["/robots.txt"] = robots.encode()
    if allowed:
        assert fetch() == PAGE
    else:
        assert "does not allow" in refusal(fetch)


def test_a_part_of_a_second_of_crawl_delay_is_kept(site, fetch):
    site.pages["/robots.txt"] = b"User-agent: *\nCrawl-delay: 0.5\n"
    fetch()
    (_, _, robots), (_, _, page) = site.requests
    assert page - robots >= 0.5


def test_cookies_and_odd_tags_are_no_harm(site, fetch):
    site.fail(PATH, replay.says(200, PAGE.encode(), Set_Cookie="a=b; Domain=.elsewhere.test", ETag='\xe9"\x07'))
    assert fetch() == fetch() == PAGE
