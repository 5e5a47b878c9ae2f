"""The contract: every request that the OpenAPI document allows, and many that it does not, are answered as it says.

A run sends the same few thousand requests every time; `pytest --hypothesis-profile=long tests/api/test_contract.py`
sends many that no run has sent before.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import schemathesis
from hypothesis import settings
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection

from api.service.settings import Settings
from api.sheets.files import KINDS
from api.web.app import create_app
from api.web.bodies import NDJSON

pytestmark = pytest.mark.slow

# What no schema says: which words are known, and which entries go with each other.
RELATED = ("/ruleset", "/game", "/format", "/region", "/policy", "/player", "/player_id", "/file")
BOTH_WAYS = "/v1/workbooks"  # whose fields stand in the form or in the query, each in one of them
ANY_TEXT = {"/v1/validate/batch": [negative_data_rejection]}  # which lines are wrong is said line by line

_data = TemporaryDirectory()
document = schemathesis.openapi.from_wsgi("/openapi.json", create_app(Settings(data_dir=Path(_data.name))))
document.config.checks.positive_data_acceptance.expected_statuses = ["2xx", "404", "409", "422"]
FILES = ("text/csv", "application/csv", KINDS["xlsx"].media_type, "application/vnd.ms-excel")
schemathesis.serializer(NDJSON, *FILES)(lambda _, value: value if isinstance(value, bytes) else str(value).encode())


def answers_as_documented(path, method):
    """A test of one operation; those that schemathesis would make of all have one name, and xdist runs one of them."""

    @document.include(path=path, method=method).parametrize()
    @settings(max_examples=settings.default.max_examples // 10)
    def test(case):
        answer = case.call()
        case.validate_response(answer, excluded_checks=ANY_TEXT.get(case.path))
        assert answer.status_code == 405 or str(answer.status_code) in case.operation.definition.raw["responses"]
        if answer.status_code == 422:
            assert pointed_out(case, answer)

    return test


def pointed_out(case, answer):
    """Whether a refusal names what is wrong, which is nothing that the document allows."""
    pointers = [one["pointer"] for one in answer.json()["errors"]]
    if case.meta.generation.mode == GenerationMode.POSITIVE and case.path != BOTH_WAYS:
        return all(pointer.startswith(RELATED) for pointer in pointers)
    return pointers


for path, item in document.raw_schema["paths"].items():
    for method in sorted(item.keys() - {"parameters"}):
        globals()[f"test_{method} {path}"] = answers_as_documented(path, method)
