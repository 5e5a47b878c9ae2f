"""The configurations of the proxies: accepted by the programs, and open to nothing that is for operators."""

from __future__ import annotations

import pytest

from tests.deploy.proxies import HaProxy, Nginx


@pytest.mark.parametrize("proxy", [HaProxy, Nginx], ids=lambda proxy: proxy.program)
def test_the_program_accepts_its_configuration(proxy, tmp_path):
    checked = proxy(tmp_path).check()
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in f"{checked.stdout}{checked.stderr}".lower()
