"""Certificates of a hall: a certificate authority of this server's own, and the server certificate that it signs.

Browsers keep no page for offline use behind a certificate error. So phones have to trust the authority, and it can
vouch for private addresses only. Called by `serve`; both keys are in the data folder, readable by their owner only.
"""

from __future__ import annotations

import os
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

NAME = "deckproof hall"
_DAYS = 397  # more than this no browser takes
_RENEWED_BEFORE = timedelta(days=30)
_SKEW = timedelta(days=1)  # clocks of phones may be slow
_PRIVATE = (  # what ipaddress calls private and a machine may have; none of these is on the internet
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
_OWNER_ONLY = 0o600


class TlsFiles(NamedTuple):
    """The files of a certificate, with the certificates that vouch for it, and of its key, both PEM."""

    certificate: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """Return the TLS settings of a server. Raises OSError, of which SSLError is one, if the files do not fit."""
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(self.certificate, self.key, password="")
        made.set_alpn_protocols(["http/1.1"])
        return made


class HallCertificate(NamedTuple):
    """The server certificate, and the authority that phones have to trust.

    `authority`: its certificate, PEM. `fingerprint`: SHA-256 of the authority in pairs of hexadecimal digits.
    """

    files: TlsFiles
    authority: bytes
    fingerprint: str
    valid_until: datetime


class _Signed(NamedTuple):
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        private = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return private + self.certificate.public_bytes(Encoding.PEM)


def hall_certificate(folder: Path, hosts: Sequence[str], now: datetime | None = None) -> HallCertificate:
    """Return the certificate for some IPv4 addresses. It is made or renewed if need be, else read from the folder.

    A new authority is made 30 days before the old one ends: phones have to trust the new one then. Raises OSError,
    which names the file, if the folder cannot be written.
    """
    now = now or datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True)
    authority_file, server_file = folder / "hall_authority.pem", folder / "hall_server.pem"
    authority = _read(authority_file)
    if authority is None or _ends_soon(authority, now):
        authority = _sign_authority(now)
        _write(authority_file, authority.pem)
    server = _read(server_file)
    if server is None or _ends_soon(server, now) or not _fits(server, authority, hosts):
        server = _sign_server(authority, hosts, now)
        _write(server_file, server.pem)
    digest = authority.certificate.fingerprint(hashes.SHA256())
    return HallCertificate(
        TlsFiles(server_file, server_file),
        authority.certificate.public_bytes(Encoding.PEM),
        digest.hex(":").upper(),
        authority.certificate.not_valid_after_utc,
    )


def _read(file: Path) -> _Signed | None:
    """Return the key and the certificate of a file; None if there is no file or it is damaged."""
    try:
        content = file.read_bytes()
        key = load_pem_private_key(content, None)
        certificate = x509.load_pem_x509_certificate(content)
    except (FileNotFoundError, ValueError):
        return None
    return _Signed(certificate, key) if isinstance(key, ec.EllipticCurvePrivateKey) else None


def _ends_soon(signed: _Signed, now: datetime) -> bool:
    return signed.certificate.not_valid_after_utc - now < _RENEWED_BEFORE


def _fits(server: _Signed, authority: _Signed, hosts: Sequence[str]) -> bool:
    """Return True if a server certificate was signed by this authority for these hosts."""
    try:
        server.certificate.verify_directly_issued_by(authority.certificate)
        names = server.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, TypeError, x509.ExtensionNotFound, InvalidSignature):
        return False
    return set(names.get_values_for_type(x509.IPAddress)) == set(_addresses(hosts))


def _addresses(hosts: Sequence[str]) -> list[IPv4Address]:
    return [IPv4Address(host) for host in dict.fromkeys((*hosts, _LOOPBACK))]


def _sign_authority(now: datetime) -> _Signed:
    """Return a new authority, which can vouch for TLS servers at private addresses and for nothing else."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"{NAME} {now:%Y-%m-%d} {secrets.token_hex(2)}")
    networks = [x509.IPAddress(IPv4Network(network)) for network in _PRIVATE]
    built = (
        _builder(name, name, key, now, now + timedelta(days=_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints([*networks, x509.DNSName(_HOST)], None), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .sign(key, hashes.SHA256())
    )
    return _Signed(built, key)


def _sign_server(authority: _Signed, hosts: Sequence[str], now: datetime) -> _Signed:
    key = ec.generate_private_key(ec.SECP256R1())
    names = [*map(x509.IPAddress, _addresses(hosts)), x509.DNSName(_HOST)]
    end = authority.certificate.not_valid_after_utc
    issuer = authority.certificate.subject
    built = (
        _builder(_name(NAME), issuer, key, now, end)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False)
        .sign(authority.key, hashes.SHA256())
    )
    return _Signed(built, key)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, end: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(min(end, now - _SKEW + timedelta(days=_DAYS)))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(signs: bool) -> x509.KeyUsage:
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


def _write(file: Path, content: bytes) -> None:
    """Replace a file by one that only its owner may read."""
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "wb") as opened:
            opened.write(content)
        draft.replace(file)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        draft.unlink(missing_ok=True)
