"""The real card data, pages and decks in the folder `shared` beside the project, if there is one."""

from pathlib import Path

import pytest

_SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared_path(path: str) -> Path:
    """Return the path of a file or folder of the shared data. The test is skipped if there is no such data."""
    if not _SHARED.exists():
        pytest.skip(f"needs the shared data, and there is no {_SHARED}")
    found = _SHARED / path
    assert found.exists(), f"the shared data has no {path}"
    return found
