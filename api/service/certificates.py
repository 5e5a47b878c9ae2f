"""Certificates of a hall: a certificate authority of this server, and the server certificate signed by it.

Browsers do not store a page for offline use after a certificate error. So phones have to trust the authority. It can
only vouch for private addresses. Called by `serve`. Both keys are in the data folder, readable only by their owner.
"""

from __future__ import annotations

import secrets
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from carddb.files.replacement import ONLY_OWNER, replace_file

NAME = "deckproof hall"
_LONGEST_DAYS = 397  # browsers refuse certificates that are valid longer
_RENEWED_BEFORE = timedelta(days=30)
_SKEW = timedelta(days=1)  # clocks of phones may be slow
_PRIVATE_NETWORKS = (  # networks that ipaddress calls private; no address of them is on the internet
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "192.0.2.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
)
_LOOPBACK = "127.0.0.1"
_HOST = "localhost"


class TlsFiles(NamedTuple):
    """The PEM files of a TLS certificate (with its chain, if any) and of its private key. Both may be the same file."""

    certificate: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """Return the TLS context of a server with this certificate, for HTTP/1.1 only.

        Raises OSError (also as SSLError) if the files cannot be read, do not fit together, or the key has a password.
        """
        context_of_files = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context_of_files.load_cert_chain(self.certificate, self.key, password="")
        context_of_files.set_alpn_protocols(["http/1.1"])
        return context_of_files


class HallCertificate(NamedTuple):
    """The server certificate, and the certificate authority of this server that phones have to trust.

    `files`: one file with the key and the certificate of the server. `authority`: the certificate of the authority,
    PEM, without its key. `fingerprint`: its SHA-256, as pairs of hexadecimal digits (AB:CD:…). `valid_until`: its end,
    in UTC.
    """

    files: TlsFiles
    authority: bytes
    fingerprint: str
    valid_until: datetime


class _SignedKey(NamedTuple):
    """A certificate with its private key, of the authority or of the server."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        """The unencrypted private key, then the certificate, as PEM."""
        private = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return private + self.certificate.public_bytes(Encoding.PEM)


def hall_certificate(folder: Path, hosts: Sequence[str], moment: datetime | None = None) -> HallCertificate:
    """Return the server certificate for some IPv4 addresses, signed by this server's own authority.

    Both are read from files in the folder, which is made if missing. They are made, or made again, if they are missing,
    damaged, or end within 30 days of `moment` (None: now). The server certificate is also made again for other
    addresses, or for a new authority. Phones have to trust a new authority again. Raises OSError if a file cannot be
    read or written, ValueError if a host is no IPv4 address.
    """
    moment = moment or datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True)
    authority_file, server_file = folder / "hall_authority.pem", folder / "hall_server.pem"
    authority = _read_signed_key(authority_file)
    if authority is None or _ends_soon(authority, moment):
        authority = _sign_authority(moment)
        with replace_file(authority_file, ONLY_OWNER) as file:
            file.write(authority.pem)
    server = _read_signed_key(server_file)
    if server is None or _ends_soon(server, moment) or not _is_issued_for(server, authority, hosts):
        server = _sign_server(authority, hosts, moment)
        with replace_file(server_file, ONLY_OWNER) as file:
            file.write(server.pem)
    digest = authority.certificate.fingerprint(hashes.SHA256())
    return HallCertificate(
        TlsFiles(server_file, server_file),
        authority.certificate.public_bytes(Encoding.PEM),
        digest.hex(":").upper(),
        authority.certificate.not_valid_after_utc,
    )


def _read_signed_key(file: Path) -> _SignedKey | None:
    """Return the key and the certificate of a PEM file.

    None if the file is missing or damaged, or its key has a password or is no elliptic-curve key. Raises OSError
    if it cannot be read.
    """
    try:
        content = file.read_bytes()
        key = load_pem_private_key(content, None)
        certificate = x509.load_pem_x509_certificate(content)
    except (FileNotFoundError, ValueError, TypeError):  # TypeError: the key has a password
        return None
    return _SignedKey(certificate, key) if isinstance(key, ec.EllipticCurvePrivateKey) else None


def _ends_soon(signed: _SignedKey, moment: datetime) -> bool:
    """Return True if a certificate has ended at `moment` or ends in less than 30 days, so that it has to be renewed."""
    return signed.certificate.not_valid_after_utc - moment < _RENEWED_BEFORE


def _is_issued_for(server: _SignedKey, authority: _SignedKey, hosts: Sequence[str]) -> bool:
    """Return True if the authority signed the certificate `server`, and it is for exactly these hosts and 127.0.0.1.

    `hosts` are IPv4 addresses. The order has no influence. Host names in the certificate are not compared.
    """
    try:
        server.certificate.verify_directly_issued_by(authority.certificate)
        names = server.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, TypeError, x509.ExtensionNotFound, InvalidSignature):
        return False
    return set(names.get_values_for_type(x509.IPAddress)) == set(_ip_addresses(hosts))


def _ip_addresses(hosts: Sequence[str]) -> list[IPv4Address]:
    """Return the IPv4 addresses of the hosts, then 127.0.0.1, each once. Raises ValueError for other text."""
    return [IPv4Address(host) for host in dict.fromkeys((*hosts, _LOOPBACK))]


def _sign_authority(moment: datetime) -> _SignedKey:
    """Return a new certificate authority with a new key, signed by itself. Its name has the day and a random part.

    It is valid for 397 days from the day before `moment`. It can only vouch for TLS servers at private addresses and
    "localhost".
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = _common_name(f"{NAME} {moment:%Y-%m-%d} {secrets.token_hex(2)}")
    networks = [x509.IPAddress(IPv4Network(network)) for network in _PRIVATE_NETWORKS]
    certificate = (
        _certificate_builder(name, name, key, moment, moment + timedelta(days=_LONGEST_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints([*networks, x509.DNSName(_HOST)], None), critical=True)
        .add_extension(_key_usage(signs=True), critical=True)
        .sign(key, hashes.SHA256())
    )
    return _SignedKey(certificate, key)


def _sign_server(authority: _SignedKey, hosts: Sequence[str], moment: datetime) -> _SignedKey:
    """Return a new server certificate with a new key, signed by the authority. It ends no later than the authority.

    It is for the IPv4 addresses `hosts`, 127.0.0.1 and "localhost", and valid from the day before `moment`.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    names = [*map(x509.IPAddress, _ip_addresses(hosts)), x509.DNSName(_HOST)]
    end = authority.certificate.not_valid_after_utc
    issuer = authority.certificate.subject
    certificate = (
        _certificate_builder(_common_name(NAME), issuer, key, moment, end)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(_key_usage(signs=False), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False)
        .sign(authority.key, hashes.SHA256())
    )
    return _SignedKey(certificate, key)


def _certificate_builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, moment: datetime, end: datetime
) -> x509.CertificateBuilder:
    """Return a certificate builder with the entries that both certificates have, unsigned.

    They are subject, issuer, public key, a random serial number, the dates, and the use for TLS servers. It is valid
    from a day before `moment` until `end`, at most 397 days.
    """
    return (
        x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(moment - _SKEW)
        .not_valid_after(min(end, moment - _SKEW + timedelta(days=_LONGEST_DAYS)))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _common_name(text: str) -> x509.Name:
    """Return an X.509 name that consists of only a common name."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _key_usage(signs: bool) -> x509.KeyUsage:
    """Return the key usage of an authority, which signs certificates (`signs`), or of a server, which does not."""
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )
