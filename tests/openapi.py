"""The OpenAPI document as it is committed, for who makes clients of it; `make openapi` writes it anew."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from api.service.settings import Settings
from api.web.app import create_app

FILE = Path(__file__).parents[1] / "docs/openapi.json"


def document() -> dict[str, Any]:
    """Return the document as a server of today serves it."""
    with TemporaryDirectory() as folder:
        served: dict[str, Any] = create_app(Settings(data_dir=Path(folder))).test_client().get("/openapi.json").json
    return served


def main() -> None:
    """Write the document as it is."""
    FILE.write_text(json.dumps(document(), ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
