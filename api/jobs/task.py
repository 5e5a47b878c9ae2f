"""A task: what to do with a spreadsheet of decks, now or in a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from api.service.judges import Judges
from api.service.requests import Asked
from api.sheets.registration import Event
from api.workbooks import checking
from api.workbooks.checking import Reading, Wanted
from api.workbooks.intake.room import Room
from api.workbooks.reporting.results import Progress, Results, unheard


@dataclass(frozen=True, slots=True)
class Task:
    """Judge the decks of a spreadsheet: its name, by what, which file is wanted, and the columns that were chosen.

    `asked` names its day.
    """

    name: str
    asked: Asked
    wanted: Wanted = field(default_factory=Wanted)
    choices: Mapping[str, str] = field(default_factory=dict)

    @property
    def file_name(self) -> str:
        """What the file of results is called."""
        return f"{Path(self.name).stem}-results.{self.wanted.kind}"

    def read(self, data: bytes, judges: Judges, room: Room | None = None) -> Reading:
        """Read the decks; raises what `checking.read` does."""
        return checking.read(data, self.name, judges, self.asked, room, self.choices)

    def run(
        self, data: bytes, judges: Judges, target: Path, done: Progress = unheard, room: Room | None = None
    ) -> Results:
        """Judge the decks and write the file that is wanted; raises what `checking` and the judges do."""
        return checking.finish(self.read(data, judges, room), target, self.wanted, done, room)

    def as_json(self) -> dict[str, Any]:
        """Return the task as JSON that `of_json` reads."""
        asked = {key: value for key, value in self.asked._asdict().items() if value is not None}
        if self.asked.on is not None:
            asked["on"] = self.asked.on.isoformat()
        wanted = self.wanted._asdict() | {"event": self.wanted.event._asdict()}
        return {"name": self.name, "asked": asked, "wanted": wanted, "choices": dict(self.choices)}

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Task:
        """Return the task that JSON says."""
        asked = dict(data["asked"])
        if "on" in asked:
            asked["on"] = date.fromisoformat(asked["on"])
        wanted = data["wanted"] | {"event": Event(**data["wanted"].get("event", {}))}
        return cls(data["name"], Asked(**asked), Wanted(**wanted), data.get("choices", {}))
