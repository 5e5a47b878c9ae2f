"""Reports of passed tests as one text each, between the processes of a run. `tests/conftest.py` registers this module.

A run of 14,000 tests sends 84,000 messages. Most of them are reports of passed steps, whose tables cost more than the
steps themselves. Every other report is sent as pytest sends it.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

_KEY = "passed_step"
_USUAL = vars(pytest.TestReport("a::b", ("a", 0, "b"), {}, "passed", None, "call")).keys()


@pytest.hookimpl(tryfirst=True)
def pytest_report_to_serializable(report: object) -> dict[str, Any] | None:
    """Return the text of a passed step that printed nothing, or None for any other report.

    The keywords of the test are left out, because only reports of skipped tests need them.
    """
    if type(report) is not pytest.TestReport or not report.passed or vars(report).keys() != _USUAL:
        return None
    if report.longrepr is not None or report.sections or report.user_properties:
        return None
    times = report.duration, report.start, report.stop
    return {_KEY: json.dumps((report.nodeid, report.location, report.when, *times))}


@pytest.hookimpl(tryfirst=True)
def pytest_report_from_serializable(data: dict[str, Any]) -> pytest.TestReport | None:
    """Return the report of a passed step from its text, or None for any other report."""
    if _KEY not in data:
        return None
    nodeid, location, when, duration, start, stop = json.loads(data.pop(_KEY))
    times = {"duration": duration, "start": start, "stop": stop}
    return pytest.TestReport(nodeid, tuple(location), {}, "passed", None, when, **times, **data)


class QuietProtocol:
    """Steps of tests without a message before and after each test. Only processes of a parallel run need it."""

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run the steps of a test, and report each. Return True, because no other plugin needs to run them."""
        item.config.pluginmanager.get_plugin("runner").runtestprotocol(item, nextitem=nextitem)
        return True
