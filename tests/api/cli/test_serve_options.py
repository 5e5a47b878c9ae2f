"""Options of `deckproof serve` that contradict each other, and whom a server admits. No server starts."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from api.cli import CommandError, cli, serve
from api.service.settings import Settings

FILE = Path(__file__)


@pytest.mark.parametrize(
    ("hall", "tls", "certificate", "key", "word"),
    [
        (True, None, FILE, None, "--key"),
        (False, None, None, FILE, "--certificate"),
        (True, False, FILE, FILE, "--no-tls"),
        (False, True, None, None, "--hall"),
        (True, True, None, None, None),
        (False, True, FILE, FILE, None),
        (False, None, FILE, FILE, None),
        (True, False, None, None, None),
        (False, None, None, None, None),
    ],
)
def test_options_for_https_that_contradict_each_other_are_refused(hall, tls, certificate, key, word):
    if word is None:
        serve._check_tls(hall, tls, certificate, key)
        return
    with pytest.raises(click.UsageError, match=word):
        serve._check_tls(hall, tls, certificate, key)


@pytest.mark.parametrize(
    ("host", "is_reached"),
    [
        ("127.0.0.1", False),
        ("::1", False),
        ("localhost", False),
        ("0.0.0.0", True),
        ("192.168.1.5", True),
        ("deckproof.example", True),
    ],
)
def test_other_machines_reach_a_server_unless_its_host_is_this_machine(host, is_reached):
    assert serve._is_reached(host, Settings()) is is_reached
    assert serve._is_reached(host, Settings(trusted_proxies=(ip_network("127.0.0.1"),)))


@pytest.mark.parametrize(
    ("port", "tls_port", "secure"), [(8000, None, 8443), (8000, 9000, 9000), (0, None, 0), (8000, 0, 0)]
)
def test_https_has_a_port_of_its_own(port, tls_port, secure):
    assert serve._secure_port(port, tls_port) == secure


def test_only_a_hall_without_no_tls_makes_a_certificate(tmp_path):
    settings = Settings(data_dir=tmp_path)
    for hall, tls in ((False, None), (True, False)):
        network = serve._hall_network(settings, "127.0.0.1", hall, tls, None, None)
        assert (network.hosts, network.files, network.certificate) == ([], None, None)
    with pytest.raises(CommandError, match="test_serve_options"):
        serve._hall_network(settings, "127.0.0.1", False, None, FILE, FILE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words", [("--hall", "--host", "127.0.0.1"), ("--certificate", str(FILE)), ("--port", "65536")]
)
def test_a_server_that_cannot_be_is_refused(tmp_path, monkeypatch, words):
    monkeypatch.setenv("DECKPROOF_LOG_LEVEL", "warning")  # --hall sets it
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))
    done = CliRunner().invoke(cli, ["serve", *words])
    assert (done.exit_code, done.stdout, words[0] in done.stderr) == (2, "", True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("option", "least", "most"), [("workers", 1, 256), ("port", 0, 65535)])
def test_numbers_of_a_server_have_bounds(option, least, most):
    for number in (least, most):
        context = serve.serve_command.make_context("serve", [f"--{option}", str(number)])
        assert context.params[option] == number
    for number in (least - 1, most + 1):
        with pytest.raises(click.BadParameter, match=f"^{number} "):
            serve.serve_command.make_context("serve", [f"--{option}", str(number)])
