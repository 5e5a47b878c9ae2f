"""The certificates of a hall: kept, renewed in time, and of no use outside of local networks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from api.service.certificates import hall_certificate

NOW = datetime(2026, 11, 1, tzinfo=UTC)
HOSTS = ["192.168.1.5", "10.0.0.7"]


def server_of(made):
    return x509.load_pem_x509_certificate(made.files.certificate.read_bytes())


def names_of(made):
    names = server_of(made).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(address) for address in names.get_values_for_type(x509.IPAddress)}


def test_a_certificate_is_kept_for_the_next_start(tmp_path):
    first = hall_certificate(tmp_path, HOSTS, NOW)
    assert hall_certificate(tmp_path, HOSTS[::-1], NOW + timedelta(days=300)) == first
    assert names_of(first) == {*HOSTS, "127.0.0.1"}
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    assert first.files.context()


def test_other_addresses_get_another_certificate_of_the_same_authority(tmp_path):
    first = hall_certificate(tmp_path, HOSTS, NOW)
    before = server_of(first)
    second = hall_certificate(tmp_path, ["172.16.3.4"], NOW)
    assert (second.authority, second.fingerprint) == (first.authority, first.fingerprint)
    assert names_of(second) == {"172.16.3.4", "127.0.0.1"}
    assert server_of(second) != before


def test_an_authority_is_renewed_before_it_ends_with_what_it_signed(tmp_path):
    first = hall_certificate(tmp_path, HOSTS, NOW)
    second = hall_certificate(tmp_path, HOSTS, NOW + timedelta(days=370))
    assert second.fingerprint != first.fingerprint
    assert second.valid_until > first.valid_until
    authority = x509.load_pem_x509_certificate(second.authority)
    server_of(second).verify_directly_issued_by(authority)
    for certificate in (authority, server_of(second)):
        assert certificate.not_valid_after_utc - certificate.not_valid_before_utc == timedelta(days=397)


@pytest.mark.parametrize("name", ["hall_authority.pem", "hall_server.pem"])
@pytest.mark.parametrize("content", [b"", b"no certificate"])
def test_a_damaged_file_is_replaced(tmp_path, name, content):
    hall_certificate(tmp_path, HOSTS, NOW)
    (tmp_path / name).write_bytes(content)
    made = hall_certificate(tmp_path, HOSTS, NOW)
    server_of(made).verify_directly_issued_by(x509.load_pem_x509_certificate(made.authority))


@pytest.mark.parametrize("name", ["hall_authority.pem", "hall_server.pem"])
def test_a_key_with_a_password_is_replaced(tmp_path, name):
    first = hall_certificate(tmp_path, HOSTS, NOW)
    key = load_pem_private_key((tmp_path / name).read_bytes(), None)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"a password"))
    (tmp_path / name).write_bytes(locked + first.authority)
    made = hall_certificate(tmp_path, HOSTS, NOW)
    server_of(made).verify_directly_issued_by(x509.load_pem_x509_certificate(made.authority))


def test_the_authority_vouches_for_no_address_of_the_internet(tmp_path):
    authority = x509.load_pem_x509_certificate(hall_certificate(tmp_path, HOSTS, NOW).authority)
    found = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert found.critical
    networks = [one.value for one in found.value.permitted_subtrees or () if isinstance(one, x509.IPAddress)]
    for address, is_allowed in (("192.168.255.1", True), ("10.9.8.7", True), ("8.8.8.8", False), ("172.32.0.1", False)):
        assert any(ip_address(address) in network for network in networks) == is_allowed
    names = [one.value for one in found.value.permitted_subtrees or () if isinstance(one, x509.DNSName)]
    assert names == ["localhost"]
