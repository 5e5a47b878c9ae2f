"""The results of a run of `deckproof rejudge` in its folder."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path


def parts(folder: Path) -> dict[str, bytes]:
    """The parts that have a receipt with their checksum, and their bytes."""
    receipts = [json.loads(receipt.read_bytes()) for receipt in (folder / "_receipts").glob("part-*")]
    found = {receipt["part"]: receipt["sha256"] for receipt in receipts if "aside" not in receipt}
    contents = {part: (folder / part).read_bytes() for part in found}
    assert {part: hashlib.sha256(content).hexdigest() for part, content in contents.items()} == found
    return contents
