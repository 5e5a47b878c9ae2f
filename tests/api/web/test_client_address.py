"""The client's address and scheme come from headers only if a trusted proxy sent them."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.web.edge.client_address import Client, find_client

PEER = ("127.0.0.1", 50_000)
LOCAL = (ip_network("127.0.0.1"),)
LOCAL_AND_TEN = (*LOCAL, ip_network("10.0.0.0/8"), ip_network("::1"))

addresses = st.ip_addresses().map(str)
junk = st.text(st.characters(max_codepoint=255), max_size=30)
header_values = st.lists(addresses | junk, max_size=5).map(", ".join)


def scope(peer, forwarded_for=(), forwarded_proto=()):
    headers = [(b"host", b"decks.example")]
    headers += [(b"x-forwarded-for", value.encode("latin-1")) for value in forwarded_for]
    headers += [(b"x-forwarded-proto", value.encode("latin-1")) for value in forwarded_proto]
    return {"type": "http", "client": peer, "scheme": "http", "headers": headers}


@given(st.lists(header_values), st.lists(st.sampled_from(["https", "http"]) | junk), addresses)
def test_headers_of_an_untrusted_peer_change_nothing(forwarded_for, forwarded_proto, host):
    peer = (host, 1234)
    assert find_client(scope(peer, forwarded_for, forwarded_proto), ()) == (peer, "http")
    if host != "127.0.0.1":
        assert find_client(scope(peer, forwarded_for, forwarded_proto), LOCAL) == (peer, "http")


@given(st.lists(header_values), header_values)
def test_the_address_that_the_proxy_appends_is_found_whatever_the_client_sent(earlier_headers, client_sent):
    for appended in ([f"{client_sent}, 192.0.2.7"], [client_sent, "192.0.2.7"]):
        found = find_client(scope(PEER, [*earlier_headers, *appended]), LOCAL)
        assert found.address == ("192.0.2.7", 0)


@given(st.lists(header_values), st.lists(junk))
def test_no_header_of_a_trusted_proxy_fails_or_gives_what_is_no_address(forwarded_for, forwarded_proto):
    found = find_client(scope(PEER, forwarded_for, forwarded_proto), LOCAL_AND_TEN)
    assert find_client(scope(found.address), LOCAL_AND_TEN).address == found.address
    assert "%" not in found.address[0]
    assert found.scheme in ("http", "https")


@pytest.mark.parametrize(
    ("forwarded_for", "address"),
    [
        ([], PEER),
        ([""], PEER),
        (["192.0.2.7"], ("192.0.2.7", 0)),
        (["192.0.2.7:4711"], ("192.0.2.7", 4711)),
        (["192.0.2.7:65536"], PEER),
        (["2001:db8::7"], ("2001:db8::7", 0)),
        (["[2001:db8::7]"], ("2001:db8::7", 0)),
        (["[2001:DB8::7]:4711"], ("2001:db8::7", 4711)),
        (["[2001:db8::7]4711"], PEER),
        (["::ffff:192.0.2.7"], ("192.0.2.7", 0)),
        (["fe80::7%eth0"], PEER),
        (["unknown"], PEER),
        (["decks.example"], PEER),
        (["192.0.2.9, 192.0.2.7"], ("192.0.2.7", 0)),
        (["192.0.2.9", "192.0.2.7"], ("192.0.2.7", 0)),
        (["192.0.2.9, 192.0.2.7, 10.0.0.1"], ("192.0.2.7", 0)),
        (["192.0.2.9, 192.0.2.7", "10.0.0.1, ::1"], ("192.0.2.7", 0)),
        (["192.0.2.9, unknown, 10.0.0.1"], ("10.0.0.1", 0)),
        (["192.0.2.9,, 10.0.0.1"], ("10.0.0.1", 0)),
        (["10.0.0.2, 10.0.0.1"], ("10.0.0.2", 0)),
    ],
)
def test_the_rightmost_untrusted_address_is_the_clients(forwarded_for, address):
    assert find_client(scope(PEER, forwarded_for), LOCAL_AND_TEN).address == address


@pytest.mark.parametrize(
    ("forwarded_proto", "scheme"),
    [
        ([], "http"),
        (["https"], "https"),
        (["HTTPS "], "https"),
        (["http, https"], "https"),
        (["https", "http"], "http"),
        (["https, "], "http"),
        (["wss"], "http"),
        (["https://evil.example"], "http"),
    ],
)
def test_the_last_forwarded_scheme_counts_if_it_is_http_or_https(forwarded_proto, scheme):
    assert find_client(scope(PEER, (), forwarded_proto), LOCAL).scheme == scheme


@pytest.mark.parametrize("peer", ["::1", "::ffff:127.0.0.1", "10.1.2.3", "127.0.0.1"])
def test_a_proxy_is_trusted_by_its_ipv4_or_ipv6_address(peer):
    found = find_client(scope((peer, 1), ["192.0.2.7"], ["https"]), LOCAL_AND_TEN)
    assert found == Client(("192.0.2.7", 0), "https")


def test_a_peer_on_a_unix_socket_is_trusted_if_any_proxy_is():
    forwarded = scope(None, ["192.0.2.7"], ["https"])
    assert find_client(forwarded, ()) == (None, "http")
    assert find_client(forwarded, LOCAL) == (("192.0.2.7", 0), "https")
    assert find_client(scope(None), LOCAL) == (None, "http")


def test_the_forwarded_header_is_not_read():
    asked = scope(PEER)
    asked["headers"].append((b"forwarded", b"for=192.0.2.7;proto=https"))
    assert find_client(asked, LOCAL) == (PEER, "http")


def test_a_huge_header_is_read_only_at_its_end():
    trusted_hops = "10.0.0.1," * 1_000_000 + "10.0.0.1"
    assert find_client(scope(PEER, [f"192.0.2.9,{trusted_hops}"]), LOCAL_AND_TEN).address == ("10.0.0.1", 0)
    assert find_client(scope(PEER, ["9" * 9_000_000]), LOCAL_AND_TEN).address == PEER
    assert find_client(scope(PEER, [f"{trusted_hops}, 192.0.2.7"]), LOCAL_AND_TEN).address == ("192.0.2.7", 0)
