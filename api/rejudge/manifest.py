"""Manifests: which shards are done and what came of them; by it a run that was ended goes on where it was."""

from __future__ import annotations

import fcntl
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import orjson

from api.rejudge import parts
from api.rejudge.engines import Engine, Tried
from api.rejudge.parts import Order, Receipt
from api.rejudge.shards import Shard
from api.service.errors import Unusable

_LINES, _RUN, _LOCK = "manifest.ndjson", "run.json", ".lock"
_COUNTS = ("rows", "legal", "illegal", "unusable", "no_more", "again", "concerned")
Tell = Callable[[Tried], None]


class Manifest:
    """What is done of a run: a line for each shard that is, or is set aside; of several lines the last one counts."""

    def __init__(self, order: Order, shards: Sequence[Shard]) -> None:
        self._order = order
        self._shards = shards
        self._path = Path(order.folder, _LINES) if order.folder else None
        self._said = self._read()
        self.receipts: dict[Shard, Receipt] = {}
        self.aside: dict[Shard, str] = {}

    def finish(self, engine: Engine, is_over: Callable[[], bool], tell: Tell) -> Counter[str]:
        """Do what is not done yet, and return how many rows there are of each kind in all that is."""
        left = [shard for shard in self._shards if not self._is_done(shard, tell)]
        for outcome in engine.outcomes(self._order, left, is_over):
            self._add(outcome)
            tell(outcome)
        return sum((Counter(receipt.counts) for receipt in self.receipts.values()), Counter[str]())

    @property
    def is_whole(self) -> bool:
        """Whether every shard is done or set aside."""
        return len(self.receipts) + len(self.aside) == len(self._shards)

    def _is_done(self, shard: Shard, tell: Tell) -> bool:
        """Tell whether a shard's part is there; one that nobody lived to write down is written down.

        One whose bytes are not those that were written is no more: it is made anew.
        """
        part = self._order.part(shard)
        if self._path is None or not part.exists():
            return False
        known = self._said.get(part.name)
        if known and known.checksum != parts.checksum(part):
            part.unlink()
            return False
        receipt = known or parts.receipt(part)
        self.receipts[shard] = receipt
        if not known:
            self._add(Tried(shard, receipt))
        tell(Tried(shard, receipt))
        return True

    def _add(self, outcome: Tried) -> None:
        shard, receipt, reason = outcome
        if receipt:
            self.receipts[shard] = receipt
            said: dict[str, Any] = {name: receipt.counts.get(name, 0) for name in _COUNTS}
            said |= {"checksum": receipt.checksum, "seconds": receipt.seconds}
        else:
            self.aside[shard] = reason
            said = {"aside": reason}
        if self._path:
            place = {"input": Path(shard.path).name, "first": shard.first, "end": shard.end}
            with self._path.open("ab") as file:
                file.write(orjson.dumps({"part": self._order.part(shard).name, **place, **said}) + b"\n")
                file.flush()
                os.fsync(file.fileno())

    def _read(self) -> dict[str, Receipt]:
        """Return the receipts that are written down, and cut off a line that nobody lived to finish."""
        if self._path is None or not self._path.exists():
            return {}
        written = self._path.read_bytes()
        whole = written[: written.rfind(b"\n") + 1]
        if whole != written:
            os.truncate(self._path, len(whole))
        found: dict[str, Receipt] = {}
        for line in whole.splitlines():
            with suppress(orjson.JSONDecodeError, KeyError, TypeError):
                said = orjson.loads(line)
                counts = {name: int(said[name]) for name in _COUNTS}
                found[said["part"]] = Receipt(counts, said["checksum"], said["seconds"])
        return found


@contextmanager
def taken(order: Order, shards: Sequence[Shard]) -> Iterator[Manifest]:
    """Yield the manifest of a run, whose folder no other process has meanwhile; Unusable where it is not this run's."""
    if order.folder is None:
        yield Manifest(order, shards)
        return
    folder = Path(order.folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unusable(f"{folder}: another process is rejudging into it") from None
        _claim(folder, order, shards)
        parts.clear(folder)
        yield Manifest(order, shards)
        parts.clear(folder)  # what those who died meanwhile had begun


def _claim(folder: Path, order: Order, shards: Sequence[Shard]) -> None:
    """Write down whose folder it is; Unusable where it is another's."""
    run = folder / _RUN
    own = json.dumps(
        {
            "question": {
                **order.question.asked._asdict(),
                "before": order.question.before,
                "full": order.question.full,
            },
            "snapshots": dict(order.snapshots),
            "version": order.version,
            "inputs": sorted({Path(shard.path).name: shard[1:3] for shard in shards}.items()),
        },
        default=str,
        indent=2,
    )
    if run.exists():
        differing = _differing(run.read_bytes(), own)
        if differing:
            raise Unusable(f"{folder} has what came of another run, with other {differing}; name another folder")
        return
    begun = folder / f"{parts.BEGUN}run"
    begun.write_text(own, "utf-8")
    begun.rename(run)


def _differing(kept: bytes, own: str) -> str:
    try:
        was = orjson.loads(kept)
        return ", ".join(key for key, value in orjson.loads(own).items() if was.get(key) != value)
    except (orjson.JSONDecodeError, AttributeError):
        return "contents"
