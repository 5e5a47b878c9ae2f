"""The systemd units: valid, restarted always, closed to the rest of the machine, and at an address of this machine."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from api.service.settings import Settings
from tests.deploy.proxies import DEPLOY
from tests.deploy.units import INSTALLED, UNITS, read_unit, read_variables

MOST_EXPOSED = 2.0  # of 10, by `systemd-analyze security`


def unit_name(unit):
    return unit.name


def test_there_are_a_server_and_a_worker():
    assert [unit.name for unit in UNITS] == ["deckproof-web@.service", "deckproof-worker.service"]


@pytest.mark.parametrize("unit", UNITS, ids=unit_name)
def test_a_unit_restarts_always_as_a_user_without_rights(unit):
    options = read_unit(unit)
    for name, value in (
        ("Restart", "always"),
        ("StartLimitIntervalSec", "0"),
        ("KillMode", "mixed"),
        ("User", "deckproof"),
        ("NoNewPrivileges", "true"),
        ("ProtectSystem", "strict"),
        ("CapabilityBoundingSet", ""),
        ("EnvironmentFile", "/etc/deckproof/deckproof.env"),
        ("WantedBy", "multi-user.target"),
    ):
        assert options[name] == [value], name


def test_both_units_are_closed_alike():
    closed = [unit.read_text("utf-8").partition("UMask")[2] for unit in UNITS]
    assert closed[0] == closed[1] != ""


def test_a_server_listens_at_addresses_of_this_machine_only():
    options = read_unit(UNITS[0])
    assert "serve --host 127.0.0.1 --port %i" in options["ExecStart"][0]
    assert re.search(r"DECKPROOF_OPERATIONS_ADDRESS=127\.0\.0\.1:1%i\b", " ".join(options["Environment"]))


def test_the_settings_of_the_units_are_usable_and_have_no_secrets():
    variables = read_variables(DEPLOY / "deckproof.env")
    for unit in UNITS:
        set_here = " ".join(read_unit(unit)["Environment"]).replace("%i", "8001").split()
        settings = Settings.from_environment(variables | dict(pair.split("=", 1) for pair in set_here))
        assert [str(network) for network in settings.trusted_proxies] == ["127.0.0.1/32"]
        assert str(settings.data_dir) == f"/var/lib/{read_unit(unit)['StateDirectory'][0]}"
        assert (settings.admin_key, settings.secret_key, settings.database_url) == ("", "", "")


@pytest.mark.parametrize("unit", UNITS, ids=unit_name)
def test_systemd_accepts_a_unit(unit, tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("needs systemd-analyze")
    (copy := tmp_path / unit.name).write_text(unit.read_text("utf-8").replace(f"{INSTALLED}/deckproof", "/bin/true"))
    verified = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True)
    complaints = [line for line in verified.stderr.splitlines() if "deckproof" in line]
    assert (verified.returncode, complaints) == (0, [])


@pytest.mark.parametrize("unit", UNITS, ids=unit_name)
def test_systemd_finds_a_unit_little_exposed(unit):
    if not shutil.which("systemd-analyze"):
        pytest.skip("needs systemd-analyze")
    call = ["systemd-analyze", "security", "--offline=true", unit]
    exposed = subprocess.run(call, capture_output=True, text=True)
    if "offline" in exposed.stderr:
        pytest.skip("needs a systemd-analyze that reads units without a running systemd")
    assert float(re.search(r"Overall exposure level for .*: ([0-9.]+)", exposed.stdout)[1]) <= MOST_EXPOSED
